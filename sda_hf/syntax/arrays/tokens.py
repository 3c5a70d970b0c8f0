"""Tokens of texts, each run of characters between two spaces split once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sda_hf.syntax.arrays.embedding import Embedding

if TYPE_CHECKING:
    from spacy.language import Language

# What a tokenizer or `SpacyParser` asks about a word, besides what the embedding asks.
OTHER_ATTRIBUTES = ("LOWER", "LANG", "IS_SPACE")
# Runs that are remembered; the commonest come up again soon after all were forgotten.
REMEMBERED = 65_536


@dataclass(slots=True)
class Tokens:
    """The tokens of a text.

    Attributes:
        rows: their rows in the embedding.
        spans: start and end of each.
        spaces: whether each is white space; None if none is.
    """

    rows: list[int]
    spans: list[tuple[int, int]]
    spaces: list[bool] | None = None


class Tokenizer:
    """A `spacy.Tokenizer.v1` that remembers what it did.

    It splits each run between two spaces by itself, except that it then looks for special cases ("don't") in the whole
    text, where it prefers the longest. So a text is split as a whole where a run has a special case in it.
    """

    def __init__(self, nlp: Language, embedding: Embedding) -> None:
        self._nlp, self._embedding = nlp, embedding
        _keep_attributes(nlp, (*embedding.columns, *OTHER_ATTRIBUTES))
        tokenizer: Any = nlp.tokenizer
        self._special: frozenset[str] = frozenset(tokenizer.rules)
        self._longest = max(map(len, self._special), default=0)
        self._known: dict[str, Tokens | None] = {}

    def forget(self) -> None:
        """Forget all runs, if they are too many."""
        if len(self._known) > REMEMBERED:
            self._known.clear()
            self._embedding.forget()

    def __call__(self, text: str) -> Tokens:
        """Return the tokens of a text."""
        runs = text.split(" ")
        if runs != text.split():
            return self._split(text)
        known, at = self._known, 0
        rows: list[int] = []
        spans: list[tuple[int, int]] = []
        for run in runs:
            tokens = known[run] if run in known else self._learnt(run)
            if tokens is None:
                return self._split(text)
            rows += tokens.rows
            spans += [(at + start, at + end) for start, end in tokens.spans]
            at += len(run) + 1
        return Tokens(rows, spans)

    def _learnt(self, run: str) -> Tokens | None:
        tokens = self._split(run)
        self._known[run] = None if self._has_special(run, tokens) else tokens
        return self._known[run]

    def _has_special(self, run: str, tokens: Tokens) -> bool:
        for first, (start, _) in enumerate(tokens.spans):
            for _, end in tokens.spans[first:]:
                if end - start > self._longest:
                    break
                if run[start:end] in self._special and end - start < len(run):
                    return True
        return False

    def _split(self, text: str) -> Tokens:
        doc: Any = self._nlp.make_doc(text)
        spans = [(token.idx, token.idx + len(token)) for token in doc]
        spaces = [text[start:end].isspace() for start, end in spans]
        rows = self._embedding.rows(doc.to_array(self._embedding.columns))
        return Tokens(rows, spans, spaces if any(spaces) else None)


def _keep_attributes(nlp: Language, names: Collection[str]) -> None:
    """Let a pipeline compute only some attributes of new words: all of them take longer than a word's vector."""
    from spacy.attrs import IDS  # type: ignore[import-not-found]

    vocab: Any = nlp.vocab
    getters = vocab.lex_attr_getters
    vocab.lex_attr_getters = {key: getters[key] for key in map(IDS.__getitem__, names) if key in getters}
