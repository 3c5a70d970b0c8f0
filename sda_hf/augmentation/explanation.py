"""What is found in a text, and what augmenters make of it, for people to read."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sda_hf.augmentation.base import Augmenter, views
from sda_hf.augmentation.rewrite import Rewrite
from sda_hf.errors import InputTypeError
from sda_hf.grammar.base import Parsed, misread, parsed
from sda_hf.grammar.edits import Skip
from sda_hf.registry import AUGMENTERS
from sda_hf.syntax.clause import Clause


@dataclass(frozen=True)
class FoundClause:
    """The main clause of a sentence.

    Attributes:
        text: the sentence.
        main: whether it is the one that is rewritten by default.
        predicate: the head of its claim; None if the sentence could not be read.
        subject: the subject; None if there is none.
        mood: declarative, interrogative, imperative or fragment.
        negation: the word that makes the claim negative; None for a positive claim.
        skipped: why the sentence could not be read; None if it was.
    """

    text: str
    main: bool
    predicate: str | None = None
    subject: str | None = None
    mood: str | None = None
    negation: str | None = None
    skipped: str | None = None


@dataclass(frozen=True)
class Explanation:
    """What was found in a text, and the outcome of each augmenter.

    Attributes:
        text: the text.
        language: its ISO 639-1 code.
        clauses: the main clause of each of its sentences.
        rewrites: name → the outcome of that augmenter.
        roles: name → the role of that augmenter.
    """

    text: str
    language: str
    clauses: tuple[FoundClause, ...]
    rewrites: Mapping[str, Rewrite]
    roles: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        rewrites = [
            {
                "augmenter": name,
                "role": self.roles[name],
                "text": rewrite.text if rewrite.skipped is None else None,
                "rule": rewrite.rule,
                "skipped": rewrite.skipped,
                "edits": [
                    {"old": self.text[edit.start : edit.end], **dataclasses.asdict(edit)} for edit in rewrite.edits
                ],
            }
            for name, rewrite in self.rewrites.items()
        ]
        clauses = [dataclasses.asdict(clause) for clause in self.clauses]
        return {"text": self.text, "language": self.language, "clauses": clauses, "rewrites": rewrites}


def explain(text: str, augmenters: Mapping[str, Augmenter]) -> Explanation:
    """Return what is found in a text, and what augmenters make of it, from one parse.

    Args:
        text: a sentence or a few.
        augmenters: name → augmenter; all share language and parser.

    Raises:
        InputTypeError: the text is not a string.
        InputValueError: an augmenter is not fitted.

    Example:
        >>> from sda_hf import Negation
        >>> explained = explain("She can't swim.", {"negation": Negation()})
        >>> explained.clauses[0].predicate, explained.clauses[0].negation
        ('swim', "n't")
        >>> explained.rewrites["negation"].text
        'She can swim.'
    """
    if not isinstance(text, str):
        raise InputTypeError(f"explain takes one text, got {type(text).__name__}")
    first = next(iter(augmenters.values()))
    given = [*augmenters.values()]
    ((_, clauses),) = views([text], given)
    if clauses is None and text.strip():  # none of them needs a parse, but the reader does
        (clauses,) = parsed([text], first.language, first.parser)
    other = misread(text, first.language) if text.strip() else None
    return Explanation(
        text=text,
        language=first.language,
        clauses=(FoundClause(text, True, skipped=other.reason),) if other else _found(clauses),
        rewrites={name: augmenter.rewrite_views([(text, clauses)])[0] for name, augmenter in augmenters.items()},
        roles={name: augmenter.role for name, augmenter in augmenters.items()},
    )


def rule_names(language: str) -> list[str]:
    """Return the names of the augmenters that rewrite clauses of a language by rule.

    Example:
        >>> "negation" in rule_names("en"), "crop" in rule_names("en")
        (True, False)
    """
    classes = {name: AUGMENTERS.get(name) for name in AUGMENTERS}
    return [
        name for name, cls in classes.items() if getattr(cls, "needs", None) == "clause" and language in cls.languages
    ]


def _found(clauses: Parsed | None) -> tuple[FoundClause, ...]:
    if clauses is None:
        return ()
    return tuple(_described(clause, clause is clauses.main) for clause in clauses.clauses)


def _described(clause: Clause | Skip, main: bool) -> FoundClause:
    if isinstance(clause, Skip):
        return FoundClause("", main, skipped=clause.reason)
    subject, negation = clause.subject, clause.negation
    return FoundClause(
        text=clause.text[clause.words[0].start : clause.words[-1].end],
        main=main,
        predicate=clause.predicate.text,
        subject=None if subject is None else clause.text[subject.first.start : subject.last.end],
        mood=clause.mood,
        negation=None if negation is None else negation.word.text,
    )
