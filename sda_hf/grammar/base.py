"""`Grammar`, the interface between the augmenters and everything specific to a language."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, cast

from sda_hf.errors import InputError, InputValueError
from sda_hf.grammar.edits import Coverage, Edit, Failure, Result, Rule, Skip
from sda_hf.grammar.tokens import Span, cores, runs
from sda_hf.registry import Registry
from sda_hf.syntax.arrays.parser import ArrayParser
from sda_hf.syntax.arrays.pipeline import is_known
from sda_hf.syntax.clause import Clause, Word
from sda_hf.syntax.parsers import Parser, ParserName, SpacyParser, load
from sda_hf.syntax.schemes import Scheme, TagTable, scheme_of

Relation = Literal["antonym", "synonym"]
# A word of a sentence, and the base forms that can replace it.
Candidate = tuple[Word, tuple[str, ...]]
# A text is a sentence or a few; a longer one would cost much memory to parse, and no embedding model reads it whole.
LONGEST = 20_000  # characters
LONGEST_RUN = 500  # characters without a space
MOST_TOKENS = 5_000  # words and marks of a text
TOKEN = re.compile(r"\w+|[^\w\s]")
LONGEST_SENTENCE = 1_000  # tokens
INSERTED = Rule("synonym-inserted", "synonym inserted")
NOT_OFFERED = Skip("the language has no such rule")
# Rules that a language has only if it overrides them; the other methods work for every language.
NOT_OFFERED_BY_DEFAULT = (
    "punctuate",
    "modalise",
    "negate",
    "negate_twice",
    "deny",
    "switch",
    "replaceable",
    "square_seed",
)


class Corner(NamedTuple):
    """A corner of a square of opposition, before it is put into its context.

    Attributes:
        text: a sentence.
        denial: how it is denied: a name of the language, for `Grammar.deny_as`; None if it is not.
        frame: a phrase about the statement that is put before it afterwards, such as "It is not true that"; or "".
    """

    text: str
    denial: str | None = None
    frame: str = ""


class SquareSeed(NamedTuple):
    """What a square of opposition is made from: see `sda_hf.LexiconSquares`.

    Attributes:
        claim: a sentence.
        denial: what contradicts it by a negation or the like.
        contrary: what contradicts it by an antonym.
        equivalent: what contradicts the contrary by a negation or the like.
        context: what is said around each of the four: what stands before and after it.
    """

    claim: Corner
    denial: Corner
    contrary: Corner
    equivalent: Corner
    context: tuple[str, str] = ("", "")

    @property
    def corners(self) -> tuple[Corner, Corner, Corner, Corner]:
        """The four corners."""
        return self.claim, self.denial, self.contrary, self.equivalent


GRAMMARS: Registry[Grammar] = Registry("language", "sda_hf.grammar", group="sda_hf.languages")


class Grammar:
    """A language, registered under its ISO 639-1 code with `GRAMMARS.register("xx")(...)`.

    A language without a parser needs only its code: noise and the baselines that move or drop words then work on it.
    Overriding `clause` enables the clause-level augmenters, each one once its rule is overridden too; a rule that is
    not overridden is not offered for the language.

    Attributes:
        pipeline: the folder of the embedded spaCy pipeline, if there is one.
        schemes: label schemes of its parsers, in addition to Universal Dependencies.
        tags: UPOS and features for each treebank tag, for pipelines that assign only the tag.
        phrases: the lists of phrases that augmenters draw from: registered name of the augmenter → name of the list →
            phrases. The list "default" is the one that is drawn from unless the user names another.
        marks: named sets of punctuation marks that noise draws from.
        default_marks: the name of the set that noise uses by default.
        space: what separates two words.
        examples: sentences that show what augmenters do; the first one is rewritten, all are the corpus of those that
            learn from one.
    """

    pipeline: ClassVar[Path | None] = None
    schemes: ClassVar[Sequence[Scheme]] = ()
    tags: ClassVar[TagTable] = {}
    phrases: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {}
    marks: ClassVar[Mapping[str, str]] = {}
    default_marks: ClassVar[str | None] = None
    space: ClassVar[str] = " "
    examples: ClassVar[Sequence[str]] = ()

    # -- parsing ---------------------------------------------------------------------------------

    def parser(self, name: ParserName = None) -> Parser:
        """Return the parser that the user chose; `None` is the embedded pipeline."""
        nlp = load(GRAMMARS.name_of(self), name, self.pipeline)
        labels = nlp.get_pipe("parser").labels  # type: ignore[attr-defined]
        private = name is None or isinstance(name, str)
        by_arrays = name is None and is_known(nlp)
        kind = ArrayParser if by_arrays else SpacyParser
        return kind(nlp, scheme_of(labels, self.schemes), self.tags, self.normalize, private)

    def normalize(self, text: str) -> str:
        """Return the text in the form that a parser handles best, with the same length."""
        return text

    def clause(self, text: str, words: Sequence[Word]) -> Clause | None:
        """Return the main clause of a parsed sentence, or None if the sentence is not in the language."""
        raise InputValueError(f"language {GRAMMARS.name_of(self)!r} has no clause-level rules yet")

    # -- rules -----------------------------------------------------------------------------------
    # Each skips what it doubts unless its coverage is "full": see `sda_hf.grammar.edits.covered`.

    def punctuate(
        self, clause: Clause, rng: random.Random, *, variant: str, strategy: str, coverage: Coverage
    ) -> Result:
        """Insert punctuation marks without changing the words."""
        return NOT_OFFERED

    def modalise(
        self,
        clause: Clause,
        rng: random.Random,
        *,
        phrases: Sequence[str],
        scope: Sequence[str],
        coverage: Coverage,
    ) -> Result:
        """Add a modal verb or phrase to the predicate, or an intensifier to an adjective."""
        return NOT_OFFERED

    def negate(self, clause: Clause, *, method: str, contractions: bool, coverage: Coverage) -> Result:
        """Negate the claim, or restore the positive of a claim that is already negated."""
        return NOT_OFFERED

    def negate_twice(
        self,
        clause: Clause,
        rng: random.Random,
        *,
        variant: str,
        phrases: Sequence[str],
        contractions: bool,
        coverage: Coverage,
    ) -> Result:
        """Add two negations that cancel out."""
        return NOT_OFFERED

    def deny(self, clause: Clause, rng: random.Random, *, phrases: Sequence[str], coverage: Coverage) -> Result:
        """Put a phrase that denies it before a whole statement, negated or not."""
        return NOT_OFFERED

    def switch(self, clause: Clause, *, coverage: Coverage) -> Result:
        """Exchange subject and object."""
        return NOT_OFFERED

    def replaceable(
        self, clause: Clause, relation: Relation, *, lexicon: str, parts: Collection[str], coverage: Coverage
    ) -> list[Candidate] | Skip:
        """Return the words of a sentence that have antonyms or synonyms, with the base forms of these."""
        return []

    def focal(self, clause: Clause, candidates: list[Candidate]) -> list[Candidate]:
        """Return the candidates that carry the claim; all of them, unless the language can tell."""
        return candidates

    def replace(self, clause: Clause, word: Word, base: str, rule: Rule) -> list[Edit]:
        """Replace a word by another base form, inflected to match."""
        return [rule.edit(word.start, word.end, base)]

    def insert(self, clause: Clause, place: int, word: Word, base: str) -> list[Edit]:
        """Insert a base form, inflected like `word`, at an offset returned by `places`."""
        return [INSERTED.edit(place, place, f"{self.space}{base}")]

    def places(self, clause: Clause) -> list[int]:
        """Return the offsets after the words of a sentence at which another word can be inserted."""
        return [word.end for word in clause.words if word.text[:1].isalnum()]

    # -- two flips of a claim --------------------------------------------------------------------

    def doubt_about_both(self, clause: Clause, first: Sequence[Edit], second: Sequence[Edit]) -> str:
        """Return why two rewrites that each deny a claim may not cancel out together; empty if they do.

        Args:
            clause: the main clause.
            first: the edits of a negation.
            second: the edits of another denial: an antonym, or a phrase before the statement.
        """
        return "the language cannot tell whether two denials cancel out"

    def clause_after(self, clause: Clause, edits: Sequence[Edit]) -> Clause | None:
        """Return a clause with the words that edits put in place of others, at the offsets of the old words.

        Edits of the new clause are edits of the original text. None if an edit does not replace one word by another.
        """
        new = {(edit.start, edit.end): edit.new for edit in edits if edit.new}
        words = [replace(w, text=new.pop((w.start, w.end), w.text)) for w in clause.words]
        return self.clause(clause.text, words) if not new else None

    def antonym_splits(self) -> Mapping[str, str]:
        """Return the split of each word that has an antonym: see `sda_hf.grammar.splits`."""
        return {}

    def square_seed(self, rng: random.Random, split: str) -> SquareSeed:
        """Draw a square from the antonym pairs of a split."""
        raise InputValueError(f"language {GRAMMARS.name_of(self)!r} has no lexicon squares yet")

    def deny_as(self, clause: Clause, denial: str) -> Result:
        """Deny a corner that `square_seed` drew in one of the ways that it names."""
        return NOT_OFFERED

    def placed(self, text: str, frame: str, context: tuple[str, str]) -> str:
        """Return a corner that `square_seed` drew in its frame and its context."""
        return text

    def check_lexicon(self, lexicon: str) -> None:
        """Check that a lexicon is available.

        Raises:
            MissingPackageError: a package or its data is not installed.
        """

    # -- text without a parse --------------------------------------------------------------------

    def reads(self, text: str) -> bool | None:
        """Whether a text is in the script of the language; None if the language cannot tell."""
        return None

    def runs(self, text: str) -> list[Span]:
        """Return the start and end of each run of characters that a punctuation mark can follow."""
        return runs(text)

    def words(self, text: str) -> list[Span]:
        """Return the start and end of each word, without the punctuation around it."""
        return cores(text, self.runs(text))

    def cased_like(self, old: str, new: str) -> str:
        """Return `new` with the capitalization of the word that it replaces."""
        return new

    def capitalised(self, word: str) -> str:
        """Return a lowercase word as it is written inside a sentence: nationalities and the like are capitalized."""
        return word

    def offers(self, rule: str) -> bool:
        """Whether the language offers the rule that a method of this class stands for."""
        own = getattr(type(self), rule) is not getattr(Grammar, rule)
        return own or rule not in NOT_OFFERED_BY_DEFAULT


def grammar_of(language: str) -> Grammar:
    """Return the grammar of a language.

    Args:
        language: an ISO 639-1 code.

    Raises:
        InputValueError: the language is not known.
    """
    return GRAMMARS.get(language)


class _Offering:
    """A class attribute that always holds the languages that currently offer a rule."""

    def __init__(self, rule: str) -> None:
        self._rule = rule

    def __get__(self, instance: object, owner: type) -> tuple[str, ...]:
        return tuple(code for code in GRAMMARS if grammar_of(code).offers(self._rule))


def languages_offering(rule: str) -> tuple[str, ...]:
    """The codes of the languages that offer a rule, as a class attribute that includes languages registered later.

    Args:
        rule: the name of a method of `Grammar`.

    Example:
        >>> class Negating:
        ...     languages = languages_offering("negate")
        >>> Negating.languages
        ('en', 'zh')
    """
    return cast("tuple[str, ...]", _Offering(rule))


def misread(text: str, language: str) -> Skip | None:
    """Why a text is not in a language: it is in the script of another one. None if it may be.

    Example:
        >>> misread("今天天气很好。", "en")
        Skip(reason="not in language 'en': give language='zh'")
        >>> misread("今天天气很好。", "zh")
    """
    if grammar_of(language).reads(text) is not False:
        return None
    other = next((code for code in GRAMMARS if grammar_of(code).reads(text)), None)
    return None if other is None else Skip(f"not in language {language!r}: give language={other!r}")


def known_languages() -> tuple[str, ...]:
    """The codes of all languages, as a class attribute that includes languages registered later.

    Example:
        >>> class Noise:
        ...     languages = known_languages()
        >>> Noise.languages
        ('en', 'zh')
    """
    return languages_offering("words")


def mark_sets() -> dict[str, str]:
    """Return the named sets of punctuation marks of all languages."""
    return {name: marks for code in GRAMMARS for name, marks in grammar_of(code).marks.items()}


class Parsed:
    """The clauses of a text, one for each sentence; those after the main clause are built when they are asked for.

    Attributes:
        main: the main clause of the first sentence that makes a claim, or else of the first that has a word. None if
            the text has no word of the language; a `Skip` if it cannot be parsed in bounded time, or if its parse
            failed.
    """

    __slots__ = ("_read", "_unread", "main")

    def __init__(self, found: Iterator[Clause | Skip]) -> None:
        self._unread = found
        self._read: list[Clause | Skip] = []
        self.main = self._main()

    @classmethod
    def of(cls, grammar: Grammar, text: str, sentences: Iterable[Sequence[Word]]) -> Parsed:
        """Return the clauses of a text.

        Args:
            grammar: the language.
            text: the text as the user gave it.
            sentences: its parsed sentences.
        """
        return cls(_clauses_of(grammar, text, sentences))

    @property
    def clauses(self) -> list[Clause | Skip]:
        """The main clause of every sentence with a word, in text order, or why it cannot be rewritten."""
        self._read += self._unread
        return self._read

    def _main(self) -> Clause | Skip | None:
        fragment = None
        for clause in self._unread:
            self._read.append(clause)
            if isinstance(clause, Skip) or clause.mood != "fragment":
                return clause
            fragment = fragment or clause
        return fragment


def _clauses_of(grammar: Grammar, text: str, sentences: Iterable[Sequence[Word]]) -> Iterator[Clause | Skip]:
    try:
        for words in sentences:
            if len(words) > LONGEST_SENTENCE:
                yield Skip(f"a sentence of over {LONGEST_SENTENCE:,} words")
            elif (clause := grammar.clause(text, words)) is not None:
                yield clause
    except (InputError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - reported as a skip, or raised by on_error="raise"
        yield Failure.of(error)


def parsed(texts: Iterable[str], language: str = "en", parser: ParserName = None) -> Iterator[Parsed]:
    """Yield the clauses of each text; texts are parsed in batches.

    Example:
        >>> (text,) = parsed(["He left early. Did she stay?"])
        >>> text.main.predicate.text, [clause.mood for clause in text.clauses]
        ('left', ['declarative', 'interrogative'])
    """
    grammar = grammar_of(language)
    texts = list(texts)
    reasons = [unparsable(text) for text in texts]
    legible = [text for text, reason in zip(texts, reasons, strict=True) if reason is None]
    parses = _parser(language, parser).sentences(legible)
    for text, reason in zip(texts, reasons, strict=True):
        yield Parsed.of(grammar, text, next(parses)) if reason is None else Parsed(iter([reason]))


def clauses(texts: Iterable[str], language: str = "en", parser: ParserName = None) -> Iterator[Clause | Skip | None]:
    """Yield the main clause of each text: see `Parsed`.

    Example:
        >>> clause = next(clauses(["He travelled widely in Europe."]))
        >>> clause.predicate.text, clause.subject.head.text, clause.mood
        ('travelled', 'He', 'declarative')
    """
    return (text.main for text in parsed(texts, language, parser))


def unparsable(text: str) -> Skip | None:
    """Why a text cannot be parsed in bounded time; None if it can.

    Tokenizers are quadratic in what stands between two spaces, and rules in the words of a sentence.
    """
    if len(text) > LONGEST:
        return Skip(f"over {LONGEST:,} characters")
    if len(text) <= LONGEST_RUN:
        return None
    if max(map(len, text.split()), default=0) > LONGEST_RUN:
        return Skip(f"over {LONGEST_RUN:,} characters without a space")
    if len(TOKEN.findall(text)) > MOST_TOKENS:
        return Skip(f"over {MOST_TOKENS:,} words and marks")
    return None


def _parser(language: str, name: ParserName) -> Parser:
    """Return the parser; one that is given by name is loaded once per process."""
    return named_parser(language, name) if name is None or isinstance(name, str) else grammar_of(language).parser(name)


@functools.cache
def named_parser(language: str, name: str | None) -> Parser:
    """Return a parser by name, or the embedded one; each is loaded once per process."""
    return grammar_of(language).parser(name)
