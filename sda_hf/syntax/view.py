"""Texts → the clause that a rewrite is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sda_hf.errors import InputValueError
from sda_hf.syntax import english
from sda_hf.syntax.clause import Clause, Word
from sda_hf.syntax.parsers import ParserName, load, parse
from sda_hf.syntax.schemes import Scheme, words_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

CLAUSES: dict[str, Callable[[str, Sequence[Word]], Clause | None]] = {"en": english.clause_of}


def main_clause(text: str, doc: Doc, scheme: Scheme, language: str = "en") -> Clause | None:
    """The main clause of the first sentence that makes a claim, else of the first with a word.

    Args:
        text: the text as the user gave it.
        doc: its parse, with the same offsets.
        scheme: the label scheme of the parser.
        language: an ISO 639-1 code.
    """
    fragment = None
    for sentence in doc.sents:
        words = words_of(sentence, scheme, text)
        clause = CLAUSES[language](text, words) if words else None
        if clause is not None and clause.mood != "fragment":
            return clause
        fragment = fragment or clause
    return fragment


def clauses(texts: Iterable[str], language: str = "en", parser: ParserName = None) -> Iterator[Clause | None]:
    """The main clause of each text, parsed in batches.

    Example:
        >>> clause = next(clauses(["He travelled widely in Europe."]))
        >>> clause.predicate.text, clause.subject.head.text, clause.mood
        ('travelled', 'He', 'declarative')
    """
    if language not in CLAUSES:
        raise InputValueError(f"language {language!r} has no grammar yet: known are {', '.join(CLAUSES)}")
    nlp, scheme = load(language, parser)
    texts = list(texts)
    for text, doc in zip(texts, parse(texts, nlp), strict=True):
        yield main_clause(text, doc, scheme, language)
