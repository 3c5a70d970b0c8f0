"""How often augmenters change a sentence, by which rules, and why they skip others: measured on a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from datasets import Dataset

from sda_hf.augmentation import Rewrite
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.registry import AUGMENTERS
from sda_hf.run_files import RewriteStatistics

SAMPLE = 1000
EXAMPLES = 5


def rewrite_statistics(augmenter: RowAugmenter, sentences: Dataset) -> dict[str, RewriteStatistics]:
    """Rewrite the first thousand sentences and count what became of them.

    Args:
        augmenter: the augmenter of a recipe.
        sentences: a dataset with the column anchor.

    Returns:
        New column → statistics.
    """
    texts = list(sample(sentences)["anchor"])
    rewrites = augmenter.rewrites_by_column(texts)
    return {column: _statistics(part, rewrites[column]) for column, part in augmenter.by_column.items()}


def examples(rows: Dataset) -> list[dict[str, str]]:
    """Return up to five training rows in which something was rewritten, from the first thousand.

    Args:
        rows: columns of texts, such as anchor, positive and negative.

    Example:
        >>> examples(Dataset.from_dict({"anchor": ["It rains.", "So."], "positive": ["It does rain.", "So."]}))
        [{'anchor': 'It rains.', 'positive': 'It does rain.'}]
    """
    return [dict(row) for row in sample(rows) if len(set(row.values())) > 1][:EXAMPLES]


def sample(rows: Dataset) -> Dataset:
    """Return the first thousand rows."""
    return rows.take(min(SAMPLE, len(rows)))


def _statistics(augmenter: RowAugmenter, rewrites: list[Rewrite]) -> RewriteStatistics:
    done = [rewrite for rewrite in rewrites if rewrite.skipped is None]
    return RewriteStatistics(
        augmenter=AUGMENTERS.name_of(type(augmenter)),
        texts=len(rewrites),
        changed=len(done) / len(rewrites),
        rules=_counts(str(rewrite.rule) for rewrite in done),
        skips=_counts(rewrite.skipped for rewrite in rewrites if rewrite.skipped is not None),
    )


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())
