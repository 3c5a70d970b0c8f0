"""What cards say in the language of their sentences, before the English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib import resources
from string import Template

import yaml
from pydantic import BaseModel, ConfigDict

LANGUAGE = re.compile(r"[a-z]{2,3}")  # ISO 639


class Translation(BaseModel):
    """The phrases of a language: one file of data, `translations/LANGUAGE.yaml`.

    The fields that are not listed here are phrases within a card.

    Args:
        model: what a model card says.
        dataset: what a dataset card says.
        augmenter: what the card of an augmenter says.
        pooling: pooling → its name.
        augmenters: registered name → what the augmenter does, in a few words.
        limits: limit in English → its translation; None for one that this language does not have.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    dataset: str
    augmenter: str
    separator: str
    line: str
    named: str
    not_stated: str
    count: str
    not_counted: str
    triplets: str
    pairs: str
    uncounted_triplets: str
    uncounted_pairs: str
    not_rewritten: str
    scores: str
    no_scores: str
    source_column: str
    rewritten_column: str
    built: str
    folder: str
    pooled: str
    pooling: Mapping[str, str]
    augmenters: Mapping[str, str]
    limits: Mapping[str, str | None]

    def named_augmenter(self, name: str, shown: str) -> str:
        """Return the name of an augmenter with what it does; the name alone for one of another package.

        Args:
            name: the registered name.
            shown: the name as Markdown.

        Example:
            >>> translation("zh").named_augmenter("negation", "`negation`")
            '`negation`（否定）'
        """
        return filled(self.named, name=shown, does=self.augmenters[name]) if name in self.augmenters else shown

    def limit_lines(self, limits: Iterable[tuple[str, str]]) -> list[str]:
        """Return limits in this language, each once.

        Args:
            limits: (what it is a limit of, as Markdown; the limit in English). A limit of everything has no name, and
                one of another package stays in English.

        Example:
            >>> tone = "the negations cancel out logically, but the tone may change"
            >>> translation("zh").limit_lines([("`a`", tone), ("`b`", tone), ("`b`", "mine"), ("", "mine")])
            ['`a`、`b`：两次否定在逻辑上互相抵消，但语气可能改变', '`b`：mine', 'mine']
        """
        found: dict[tuple[bool, str], dict[str, None]] = {}
        for name, limit in limits:
            if (said := self.limits.get(limit, limit)) is not None:
                found.setdefault((bool(name), said), {})[name] = None
        return [
            filled(self.line, names=self.separator.join(names), limit=said) if is_named else said
            for (is_named, said), names in found.items()
        ]


def translation(language: str) -> Translation | None:
    """Return the phrases of a language; None for English and for languages that have none.

    Args:
        language: ISO 639 code.

    Example:
        >>> translation("zh").not_stated, translation("en")
        ('未注明', None)
    """
    file = resources.files("sda_hf.hub") / "translations" / f"{language}.yaml"
    if not LANGUAGE.fullmatch(language) or not file.is_file():
        return None
    return Translation.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))


def filled(phrase: str, **values: object) -> str:
    """Return a phrase with its names replaced by values, which are Markdown already.

    Example:
        >>> filled("$count of $count", count="$x")
        '$x of $x'
    """
    return Template(phrase).substitute(values)


def as_list(lines: Iterable[str], otherwise: str) -> str:
    r"""Return lines as a Markdown list.

    Example:
        >>> as_list(["a", "b"], "none"), as_list([], "none")
        ('- a\n- b', '- none')
    """
    return "\n".join(f"- {line}" for line in lines) or f"- {otherwise}"
