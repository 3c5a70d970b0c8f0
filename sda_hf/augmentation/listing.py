"""The list of augmenters, each with its role, its paper and an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sda_hf.augmentation.config import from_config
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.registry import AUGMENTERS

SENTENCE = "Her brother bought the big old house."
# The corpus of the example for augmenters that need to be fitted.
SENTENCES = (
    SENTENCE,
    "The company opened a new office in Paris.",
    "Rain fell on the hills all night.",
    "He painted the wooden door of the barn.",
    "Two students wrote a letter to the mayor.",
    "The museum keeps the oldest maps of the city.",
)
PARTS: dict[str, dict[str, Any]] = {
    "one-of": {"augmenters": [{"name": "punctuation-insertion"}, {"name": "modal-verbs"}]},
    "sometimes": {"augmenter": {"name": "modal-verbs"}, "proportion": 0.9},
    # A house is not switched with a person otherwise.
    "subject-object-switch": {"coverage": "full"},
    "triplets": {"positive": {"name": "modal-verbs"}, "negative": {"name": "negation"}},
}


@dataclass(frozen=True)
class Entry:
    """One augmenter.

    Attributes:
        name: its name in recipes and on the command line.
        role: "positive", "negative", or "positive, negative" for triplets.
        source: the paper, section and table.
        example: its rewrite of one sentence, or the models that it would need.
    """

    name: str
    role: str
    source: str
    example: str


def entries() -> list[Entry]:
    """Return every registered augmenter, by name.

    Example:
        >>> next(entry.example for entry in entries() if entry.name == "negation")
        "Her brother didn't buy the big old house."
    """
    return [_entry(name) for name in AUGMENTERS]


def _entry(name: str) -> Entry:
    augmenter = from_config({"name": name, **PARTS.get(name, {})})
    return Entry(name, ", ".join(augmenter.by_column), augmenter.source, _example(augmenter))


def _example(augmenter: RowAugmenter) -> str:
    if augmenter.models:
        return f"(needs {', '.join(augmenter.models)})"
    fitted = augmenter if augmenter.is_fitted else augmenter.fit(SENTENCES)
    for epoch in range(20):  # some leave a sentence unchanged by chance
        columns = fitted.with_epoch(epoch).rewrites_by_column([SENTENCE])
        rewrites = [rewrite for (rewrite,) in columns.values()]
        if all(rewrite.skipped is None for rewrite in rewrites):
            break
    return " | ".join(
        rewrite.text if rewrite.skipped is None else f"(skips: {rewrite.skipped})" for rewrite in rewrites
    )
