"""Chinese: its embedded pipeline, clauses, rules and word lists, and how text without a parse is split."""

from __future__ import annotations

import dataclasses
import importlib
import random
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from sda_hf.errors import InputValueError
from sda_hf.grammar.base import GRAMMARS, INSERTED, Candidate, Grammar, Relation, SquareSeed
from sda_hf.grammar.chinese import clauses, lexicon, squares, thesaurus
from sda_hf.grammar.chinese.doubts import denials, doubt_about, opposition
from sda_hf.grammar.chinese.doubts.negation_inside import doubt_inside
from sda_hf.grammar.chinese.rules import (
    affirmations,
    antonyms,
    denial_phrases,
    double_negation,
    intensifiers,
    modality,
    negation,
    punctuation,
    statement_frames,
    substitution,
    switch,
)
from sda_hf.grammar.chinese.schemes import CORE, GSD
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.segmentation import segmented
from sda_hf.grammar.chinese.surface import has_han, in_script_of
from sda_hf.grammar.chinese.tags import tag_table
from sda_hf.grammar.edits import Coverage, Edit, Result, Rule, Skip, covered
from sda_hf.grammar.tokens import Span, cores, runs
from sda_hf.syntax.clause import Clause, Word
from sda_hf.syntax.parsers import Parser, ParserName, SpacyParser
from sda_hf.syntax.schemes import TagTable

# Each Chinese character or punctuation mark is a word of its own; anything between them (a Latin word, a number, an
# address, an emoji) is one word.
HAN = (
    "\u2e80-\u2fff\u3001-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
# A place, or what is replaced there, inside an address, a number or the like.
INSIDE = re.compile(r"[!-~]{2,}\Z")
CHARACTERS = re.compile(f"[{HAN}]|[^\\s{HAN}]+")


class Chinese(Grammar):
    """The embedded pipeline finds words; a mark can follow every character. There are no spaces in between."""

    pipeline = Path(__file__).parent / "pipeline"
    schemes = (CORE,)
    tags: ClassVar[TagTable] = tag_table()
    phrases: ClassVar[dict[str, dict[str, tuple[str, ...]]]] = {
        name: lexicon.phrase_lists(f"phrases {name}")
        for name in ("modal-verbs", "affirmative-auxiliary", "double-negation", "statement-denial")
    }
    marks: ClassVar[dict[str, str]] = {"chinese": "。，！？；：", "chinese-calm": "。，；："}
    default_marks = "english"  # as EdaCSE does for Chinese, too
    space = ""
    examples = (
        "她哥哥昨天买了那座大房子。",
        "公司在上海开了一家新的分店。",
        "山上下了一夜的雨。",
        "他把仓库的木门刷成了绿色。",
        "两个学生给市长写了一封信。",
        "博物馆收藏着这座城市最早的地图。",
    )

    def parser(self, name: ParserName = None) -> Parser:
        """Return the parser that the user chose; `None` is the embedded pipeline."""
        importlib.import_module("sda_hf.grammar.chinese.pipes")  # registers with spaCy, which is slow to import
        parser = super().parser(name)
        assert isinstance(parser, SpacyParser)
        # A pipeline with the labels of GSD has those of Universal Dependencies, too, in another sense.
        labels = parser.nlp.get_pipe("parser").labels  # type: ignore[attr-defined]
        return dataclasses.replace(parser, scheme=GSD) if GSD.labels.issubset(labels) else parser

    def reads(self, text: str) -> bool:
        """Whether a text has a Chinese character."""
        return has_han(text)

    def normalize(self, text: str) -> str:
        """Return the text in simplified script, which the embedded pipeline has learnt, with the same length."""
        return simplified(text)

    def clause(self, text: str, words: Sequence[Word]) -> Clause | None:
        """Return the main clause of a parsed sentence, or None if it has no Chinese character."""
        return clauses.clause_of(text, words)

    def punctuate(
        self, clause: Clause, rng: random.Random, *, variant: str, strategy: str, coverage: Coverage
    ) -> Result:
        """Insert punctuation marks without changing the characters."""
        marks = punctuation.punctuate(clause, rng, variant, strategy, coverage)
        if isinstance(marks, list) and any(INSIDE.match(clause.text, max(e.start - 1, 0), e.end + 1) for e in marks):
            return Skip("a mark would stand inside an address or a number")
        return covered(marks, doubt_about(clause, "punctuate"), coverage)

    def modalise(
        self,
        clause: Clause,
        rng: random.Random,
        *,
        phrases: Sequence[str],
        scope: Sequence[str],
        coverage: Coverage,
    ) -> Result:
        """Add a modal to the predicate or an adverb of degree to an adjective: the first scope that fits."""
        doubt = doubt_about(clause, "modalise")
        reason = Skip("no scope")
        for i, part in enumerate(scope):
            if part == "verb":
                result = _with_modal(clause, rng, phrases, doubt, coverage)
            else:
                result = covered(intensifiers.intensify(clause, rng, coverage), doubt, coverage)
            if not isinstance(result, Skip):
                return result
            reason = result if i == 0 else reason
        return reason

    def negate(self, clause: Clause, *, method: str, contractions: bool, coverage: Coverage) -> Result:
        """Negate the claim, or restore the positive of a claim that is already negated.

        Where the place or the fit of a negator is doubtful, a statement is denied as a whole; with coverage="full",
        only where nothing can be negated inside it.
        """
        result = negation.negate(clause, method, coverage)
        doubt = doubt_about(clause, "negate")
        if method != "prefix" and isinstance(result, list):
            doubt = doubt or doubt_inside(clause, result)
        result = covered(result, doubt, coverage)
        if method == "prefix" or isinstance(result, list):
            return result
        denied = covered(negation.statement_denied(clause), doubt_about(clause, "deny"), "sound")
        return result if isinstance(denied, Skip) else denied

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
        if variant == "v1":
            return covered(double_negation.within(clause), doubt_about(clause, "negate_twice"), coverage)
        drawn = rng.sample(list(phrases), len(phrases))
        if tuple(phrases) == self.phrases["double-negation"]["default"]:
            drawn = denials.suited(clause, drawn)
        return _first_fit(_with_phrase(clause, phrase, coverage) for phrase in drawn)

    def deny(self, clause: Clause, rng: random.Random, *, phrases: Sequence[str], coverage: Coverage) -> Result:
        """Put a phrase that denies it around a whole statement, negated or not."""
        if clause.mood != "declarative":
            return Skip("not a statement")
        edits = statement_frames.put_around(clause, denial_phrases.parsed(rng.choice(phrases)), double_negation.AROUND)
        return covered(edits, doubt_about(clause, "negate_twice"), coverage)

    def doubt_about_both(self, clause: Clause, first: Sequence[Edit], second: Sequence[Edit]) -> str:
        """Return why two rewrites that each deny a claim may not cancel out together; empty if they do."""
        return opposition.doubt_about_both(clause, first, second)

    def square_seed(self, rng: random.Random, split: str) -> SquareSeed:
        """Draw a square from the antonym pairs of a split."""
        return squares.draw(rng, split)

    def deny_as(self, clause: Clause, denial: str) -> Result:
        """Deny a corner that `square_seed` drew in one of the ways that it names."""
        return squares.denied(clause, denial)

    def antonym_splits(self) -> Mapping[str, str]:
        """Return the split of each word that has an antonym."""
        return thesaurus.splits()

    def switch(self, clause: Clause, *, coverage: Coverage) -> Result:
        """Exchange subject and object."""
        return covered(switch.switch(clause, coverage), doubt_about(clause, "switch"), coverage)

    def replaceable(
        self, clause: Clause, relation: Relation, *, lexicon: str, parts: Collection[str], coverage: Coverage
    ) -> list[Candidate] | Skip:
        """Return the words of a sentence that have antonyms or synonyms, with these."""
        if coverage == "sound" and (doubt := doubt_about(clause, relation)):
            return Skip(doubt)
        if coverage == "sound" and relation == "antonym":
            return antonyms.sound_candidates(clause, parts)
        return substitution.candidates(clause, relation, parts, coverage)

    def focal(self, clause: Clause, candidates: list[Candidate]) -> list[Candidate]:
        """Return the candidates that carry the claim."""
        return antonyms.focal(clause, candidates)

    def replace(self, clause: Clause, word: Word, base: str, rule: Rule) -> list[Edit]:
        """Replace a word by another one, in the script of the text."""
        return substitution.replaced(clause, word, base, rule)

    def insert(self, clause: Clause, place: int, word: Word, base: str) -> list[Edit]:
        """Insert a word at an offset returned by `places`, in the script of the text."""
        return [INSERTED.edit(place, place, in_script_of(clause.text, base))]

    def check_lexicon(self, lexicon: str) -> None:
        """Raise `InputValueError` for "wordnet", which has English words only."""
        if lexicon != "embedded":
            raise InputValueError(f"lexicon {lexicon!r} has no Chinese words; use 'embedded'")

    def runs(self, text: str) -> list[Span]:
        """Return the start and end of each Chinese character, and of each run of text between them.

        Example:
            >>> Chinese().runs("我用GPT-4写。")
            [(0, 1), (1, 2), (2, 7), (7, 8), (8, 9)]
        """
        return runs(text, CHARACTERS)

    def words(self, text: str) -> list[Span]:
        """Return the start and end of each word, without marks.

        Example:
            >>> text = "他昨天用GPT-4写了三本书。"
            >>> [text[start:end] for start, end in Chinese().words(text)]
            ['他', '昨天', '用', 'GPT-4', '写', '了', '三', '本', '书']
        """
        return cores(text, segmented(text, self.runs(text)))


def _with_modal(clause: Clause, rng: random.Random, phrases: Sequence[str], doubt: str, coverage: Coverage) -> Result:
    """Put a modal into a clause, or an affirmation before a statement whose predicate is not in plain sight."""
    framing = affirmations.framing(phrases)
    if not framing or clause.mood != "declarative":
        if not doubt and affirmations.is_hidden(clause):
            doubt = "uncertain place of the modal"
        return covered(modality.modalise(clause, rng, phrases, coverage), doubt, coverage)
    doubt = doubt or doubt_about(clause, "affirm")
    inside: Result | None = None
    if not doubt and affirmations.is_plain(clause):
        inside = modality.modalise(clause, rng, phrases, coverage)
        if not isinstance(inside, Skip):
            return inside
    framed = affirmations.affirmed(clause, rng, framing)
    if isinstance(framed, Skip):
        return framed
    against = doubt_about(clause, "affirm") or doubt_about(clause, "affirmation")
    if not against:
        return framed
    return inside or covered(modality.modalise(clause, rng, phrases, coverage), doubt or against, coverage)


def _with_phrase(clause: Clause, phrase: str, coverage: Coverage) -> Result:
    """Return the double negation of a clause by a phrase, as far as the coverage allows it."""
    around = clause.mood == "declarative" and denial_phrases.parsed(phrase).kind == "kept"
    doubt = doubt_about(clause, "frame" if around else "negate_twice")
    if doubt and coverage == "sound":
        return Skip(doubt)
    return covered(double_negation.with_phrase(clause, phrase, coverage), doubt, coverage)


def _first_fit(results: Iterable[Result]) -> Result:
    """Return the first rewrite, or else the reason why the last rule failed."""
    result: Result = double_negation.NO_PLACE
    for result in results:
        if not isinstance(result, Skip):
            break
    return result


GRAMMARS.register("zh")(Chinese())
