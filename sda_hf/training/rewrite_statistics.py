"""How often and how augmenters rewrite, on a part of the sentences: for metrics and model card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from datasets import Dataset

from sda_hf.augmentation import Rewrite
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.registry import AUGMENTERS
from sda_hf.run_files import RewriteStatistics

LOOKED_AT = 1000
EXAMPLES = 5


def rewrite_statistics(augmenter: RowAugmenter, sentences: Dataset) -> dict[str, RewriteStatistics]:
    """For each new column how often sentences were changed, by which rules, and why others were skipped.

    Args:
        augmenter: the augmenter of a recipe.
        sentences: a dataset with the column anchor, of which the first thousand rows are looked at.

    Returns:
        Column → statistics.
    """
    texts = list(sentences.take(min(LOOKED_AT, len(sentences)))["anchor"])
    rewrites = augmenter.rewrites_by_column(texts)
    return {column: _figures(part, rewrites[column]) for column, part in augmenter.by_column.items()}


def examples(rows: Dataset) -> list[dict[str, str]]:
    """The first training rows in which something was rewritten, five at most.

    Args:
        rows: columns anchor, positive and, where there are negatives, negative.

    Example:
        >>> examples(Dataset.from_dict({"anchor": ["It rains.", "So."], "positive": ["It does rain.", "So."]}))
        [{'anchor': 'It rains.', 'positive': 'It does rain.'}]
    """
    looked_at = rows.take(min(LOOKED_AT, len(rows)))
    return [dict(row) for row in looked_at if len(set(row.values())) > 1][:EXAMPLES]


def _figures(augmenter: RowAugmenter, rewrites: list[Rewrite]) -> RewriteStatistics:
    done = [rewrite for rewrite in rewrites if rewrite.skipped is None]
    return RewriteStatistics(
        augmenter=AUGMENTERS.name_of(type(augmenter)),
        texts=len(rewrites),
        changed=len(done) / len(rewrites),
        rules=_counted(rewrite.rule for rewrite in done),
        skips=_counted(rewrite.skipped for rewrite in rewrites if rewrite.skipped is not None),
    )


def leaves(config: Any) -> Iterator[Mapping[str, Any]]:
    """The configurations of the augmenters in a composite that hold no further one."""
    if isinstance(config, (list, tuple)):
        for item in config:
            yield from leaves(item)
    elif isinstance(config, Mapping):
        inner = [part for value in config.values() for part in leaves(value)]
        yield from inner or ([config] if "name" in config else [])


def _counted(names: Iterator[Any]) -> dict[str, int]:
    return dict(Counter(str(name) for name in names).most_common())
