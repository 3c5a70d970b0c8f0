"""The list of augmenters, each with its role, its paper and an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sda_hf.augmentation.config import from_config
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.errors import InputValueError
from sda_hf.grammar.base import grammar_of
from sda_hf.registry import AUGMENTERS

PARTS: dict[str, dict[str, Any]] = {
    "chain": {"augmenters": [{"name": "negation"}, {"name": "punctuation-insertion"}]},
    "one-of": {"augmenters": [{"name": "punctuation-insertion"}, {"name": "modal-verbs"}]},
    "sometimes": {"augmenter": {"name": "modal-verbs"}, "proportion": 0.9},
    # A house is not switched with a person otherwise.
    "subject-object-switch": {"coverage": "full"},
    "opposition-squares": {
        "first": {"name": "negation"},
        "second": {"name": "antonym-substitute"},
        "fallback": {"name": "statement-denial"},
    },
    "triplets": {"positive": {"name": "modal-verbs"}, "negative": {"name": "negation"}},
}


# Composites of several columns, and the part that has the fewest languages.
OF_PARTS = {"triplets": "negation", "opposition-squares": "statement-denial"}


@dataclass(frozen=True)
class Entry:
    """One augmenter.

    Attributes:
        name: its name in recipes and on the command line.
        role: "positive" or "negative"; for composites of several columns, these: "positive, negative".
        source: the paper, section and table.
        example: its rewrite of one sentence, or the models that it would need.
    """

    name: str
    role: str
    source: str
    example: str


def example_of(language: str = "en") -> str:
    """Return the sentence that is rewritten in the examples of a language.

    Raises:
        InputValueError: the language is not known, or has no examples.
    """
    examples = grammar_of(language).examples
    if not examples:
        raise InputValueError(f"language {language!r} has no examples: leave --language out")
    return examples[0]


def entries(language: str = "en") -> list[Entry]:
    """Return every registered augmenter that works on a language, by name.

    Example:
        >>> next(entry.example for entry in entries() if entry.name == "negation")
        "Her brother didn't buy the big old house."
    """
    example_of(language)
    return [_entry(name, language) for name in AUGMENTERS if language in _languages(name)]


def _languages(name: str) -> tuple[str, ...]:
    """Return the languages of an augmenter; composites of several columns have those of one of their parts."""
    languages: tuple[str, ...] = AUGMENTERS.get(OF_PARTS.get(name, name)).languages
    return languages


def in_language(config: dict[str, Any], language: str) -> dict[str, Any]:
    """Return the configuration of an augmenter, and of those inside it, for a language.

    Example:
        >>> in_language({"name": "sometimes", "augmenter": {"name": "negation"}}, "zh")
        {'name': 'sometimes', 'augmenter': {'name': 'negation', 'language': 'zh'}}
    """
    parts: dict[str, Any] = {
        key: in_language(value, language) for key, value in config.items() if isinstance(value, dict)
    }
    if "augmenters" in config:
        parts["augmenters"] = [in_language(part, language) for part in config["augmenters"]]
    return config | (parts or {"language": language})


def _entry(name: str, language: str) -> Entry:
    config = {"name": name, **PARTS.get(name, {})}
    augmenter = from_config(config)
    return Entry(name, ", ".join(augmenter.by_column), augmenter.source, _example(augmenter, config, language))


def _example(augmenter: RowAugmenter, config: dict[str, Any], language: str) -> str:
    if augmenter.models:
        needed = ", ".join(augmenter.models) if language == "en" else f"models for language {language!r}"
        return f"(needs {needed})"
    if language != "en":
        augmenter = from_config(in_language(config, language))
    sentence = example_of(language)
    fitted = augmenter if augmenter.is_fitted else augmenter.fit(grammar_of(language).examples)
    for epoch in range(20):  # some leave a sentence unchanged by chance
        columns = fitted.with_epoch(epoch).rewrites_by_column([sentence])
        rewrites = [rewrite for (rewrite,) in columns.values()]
        if all(rewrite.skipped is None for rewrite in rewrites):
            break
    return " | ".join(
        rewrite.text if rewrite.skipped is None else f"(skips: {rewrite.skipped})" for rewrite in rewrites
    )
