"""No text stops a job: odd words, errors that nobody foresaw, long texts, and memory."""

import itertools
import random
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

import sda_hf
from sda_hf.augmentation.base import ClauseAugmenter, TextAugmenter
from sda_hf.grammar.base import clauses, grammar_of, unparsable
from sda_hf.registry import AUGMENTERS
from sda_hf.syntax.parsers import SpacyParser

BENCHMARKS = Path(__file__).parents[2] / "recipes" / "benchmarks"


@pytest.mark.parametrize(
    ("text", "negated", "modal"),
    [
        ("He walked- home.", "He didn't walk- home.", "He must have walked- home."),
        ("Katie lets- out a scream.", "Katie don't let- out a scream.", "Katie must let- out a scream."),
    ],
)
def test_verbs_that_end_in_a_hyphen(text, negated, modal):
    assert sda_hf.Negation(on_error="raise").augment([text]) == [negated]
    assert sda_hf.ModalVerbs(phrases=("must",), coverage="full", on_error="raise").augment([text]) == [modal]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Dos and Don't", "Dos and Don't!"),
        ("I can!not", "I can!not!"),
        ("a well-known pre-", "a well-known pre-!"),
        ("Rock'n'roll", "Rock'n'roll!"),
        ("\u0301'ß_ \n no", "\u0301'ß_! \n no"),
    ],
)
def test_an_end_mark_is_never_put_inside_a_word(text, marked):
    assert sda_hf.PunctuationInsertion(coverage="full", on_error="raise").augment([text]) == [marked]


def test_a_sample_of_the_fuzzer_finds_nothing(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    from fuzz import fuzz

    rewritten, slowest, failures = fuzz(seed=20_260, count=500)
    assert failures == []
    assert set(rewritten.values()) == {500}
    assert set(rewritten) == set(slowest)
    assert len(rewritten) >= 25


def test_a_sample_of_the_fuzzer_breaks_no_square(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    from fuzz import strings

    parts = (sda_hf.Negation, sda_hf.AntonymSubstitute, sda_hf.StatementDenial)
    squares = sda_hf.OppositionSquares(*(part(on_error="raise") for part in parts))
    texts = list(itertools.islice(strings(20_261, 500), 500))
    found = squares.rewrite(texts)
    assert [square.denial.original for square in found] == texts
    assert 5 < sum(square.skipped is None for square in found) < 250


def test_a_square_that_breaks_is_skipped(monkeypatch):
    squares = sda_hf.OppositionSquares()
    monkeypatch.setattr(sda_hf.OppositionSquares, "_both", lambda *_: [][1])
    assert squares.explain("The room is clean.").skipped == "internal error: IndexError: list index out of range"
    strict = sda_hf.OppositionSquares(first=sda_hf.Negation(on_error="raise"))
    with pytest.raises(IndexError):
        strict.explain("The room is clean.")


@dataclass(frozen=True, kw_only=True)
class BreaksOnClauses(ClauseAugmenter):
    role = "negative"
    languages = ("en",)

    def edit(self, clause, rng):
        return [sda_hf.Edit(0, 1, rng.choice("xyz"), "letter")] if "bad" not in clause.text else [][1]


@dataclass(frozen=True, kw_only=True)
class BreaksOnTexts(TextAugmenter):
    role = "positive"
    languages = ("en",)

    def edits(self, texts, rngs):
        if any("bad" in text for text in texts):
            raise RuntimeError("a batch that cannot be done")
        return super().edits(texts, rngs)

    def edit(self, text, rng):
        return [sda_hf.Edit(0, 1, rng.choice("xyz"), "letter")]


@pytest.fixture(params=[BreaksOnClauses, BreaksOnTexts])
def breaking(request, monkeypatch):
    monkeypatch.setattr(AUGMENTERS, "_entries", {**AUGMENTERS.load(), "breaking": request.param})
    return request.param


TEXTS = ["He left.", "It is a bad idea.", "She won.", "They sing."]


@pytest.mark.parametrize("proportion", [1.0, 0.999])
def test_an_unforeseen_error_is_a_skip_of_its_text_alone(breaking, proportion):
    rewrites = breaking(proportion=proportion).rewrite(TEXTS)
    assert [r.skipped is None for r in rewrites] == [True, False, True, True]
    assert rewrites[1].skipped.startswith("internal error: ")
    assert rewrites[1].text == TEXTS[1]
    # What the others become does not depend on the one that failed.
    others = breaking(proportion=proportion).rewrite(TEXTS[:1] + TEXTS[2:])
    assert [rewrites[i] for i in (0, 2, 3)] == others


def test_a_column_does_not_tell_of_an_unforeseen_error_so_a_warning_does(breaking):
    error = r"unexpected error, (IndexError: list index out of range|RuntimeError: a batch that cannot be done): see"
    with pytest.warns(RuntimeWarning, match=rf"{breaking.__name__} skipped a text because of an {error}"):
        written = breaking().augment(TEXTS)
    with pytest.warns(RuntimeWarning, match=error):
        assert breaking()({"text": TEXTS}) == {breaking.role: written}
    with pytest.warns(RuntimeWarning, match=error):
        assert breaking()({"text": TEXTS[1]}) == {breaking.role: written[1]}
    parts = {"positive": sda_hf.ModalVerbs(), "negative": sda_hf.Negation()} | {breaking.role: breaking()}
    with pytest.warns(RuntimeWarning, match=f"Triplets skipped a text because of an {error}"):
        sda_hf.Triplets(**parts)({"text": TEXTS})


@pytest.mark.parametrize("result", ["He didn't leave.", [("He", "She")]])
def test_an_edit_that_returns_something_else_is_named(breaking, monkeypatch, result):
    monkeypatch.setattr(breaking, "edit", lambda *_: result)
    monkeypatch.setattr(breaking, "edits", lambda self, texts, rngs: [result for _ in texts], raising=False)
    with pytest.raises(TypeError, match="edit returns a list of Edit, or a Skip with the reason; got "):
        breaking().augment(["He left."])


def test_what_a_class_lacks_is_said_at_once():
    class Lacking(TextAugmenter):
        def edit(self, text, rng):
            return []

    with pytest.raises(TypeError, match="Lacking needs the class attributes role, languages: add role and languages"):
        Lacking()
    Lacking.role, Lacking.languages = "pos", ("en",)
    with pytest.raises(ValueError, match="role='pos' is not allowed: give one of 'positive', 'negative'"):
        Lacking()


def test_an_unforeseen_error_is_raised_where_it_is_asked_for(breaking):
    with pytest.raises((IndexError, RuntimeError), match=r"list index out of range|cannot be done"):
        breaking(on_error="raise").rewrite(TEXTS)
    with pytest.raises(ValueError, match="on_error='ignore' is not allowed: give one of 'skip', 'raise'"):
        breaking(on_error="ignore")


class FailingPipeline:
    """The embedded pipeline, which fails on one text."""

    def __init__(self, nlp):
        self.nlp = nlp

    def pipe(self, texts, batch_size):
        for text in texts:
            if "poison" in text:
                raise ValueError("[E999] cannot parse this")
            yield self.nlp(text)


def test_a_text_that_the_parser_fails_on_is_a_skip_of_that_text_alone(monkeypatch):
    english = grammar_of("en")
    real = english.parser()
    failing = SpacyParser(FailingPipeline(real.nlp), real.scheme, real.tags, real.normalize)
    monkeypatch.setattr("sda_hf.grammar.base.named_parser", lambda language, name: failing)
    rewrites = sda_hf.Negation().rewrite(["He left.", "It is poison.", "She won."])
    assert [r.text for r in rewrites] == ["He didn't leave.", "It is poison.", "She didn't win."]
    assert rewrites[1].skipped == "internal error: ValueError: [E999] cannot parse this"
    with pytest.raises(ValueError, match="E999"):
        sda_hf.Negation(on_error="raise").rewrite(["It is poison."])


N = 20_000
LONG = {
    "commas": "," * N,
    "quotes": '"' * N,
    "brackets": "(" * N,
    "underscores": "_" * N,
    "surrogates": "\ud800" * N,
    "letters": "a" * N,
    "spaced commas": ", " * (N // 2),
    "runs of commas": ("," * 499 + " ") * (N // 500),
    "runs of brackets": ("(" * 499 + " ") * (N // 500),
    "addresses": ("http://a.b/c?d=" + "e.f/" * 121 + " ") * (N // 500),
    "one sentence": "the old man saw that " * (N // 21),
    "sentences": "He left the old house early. " * (N // 29),
    "negations": "not " * (N // 4),
    "lines": "He left.\n" * (N // 9),
    "numbers": "12345 " * (N // 6),
}


@pytest.mark.parametrize("name", LONG)
def test_any_text_of_20000_characters_takes_half_a_second_at_most(name):
    sda_hf.Negation().augment(["He left."])  # loads the pipeline
    began = time.process_time()
    for augmenter in (sda_hf.Negation(on_error="raise"), sda_hf.PunctuationNoise(on_error="raise")):
        augmenter.rewrite([LONG[name]])
    assert time.process_time() - began < 1.0  # twice as much, for a machine that does other things


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * 20_001, "over 20,000 characters"),
        ("x" * 501, "over 500 characters without a space"),
        ("a " * 5_001, "over 5,000 words and marks"),
        ("x " * 5_000, None),
        ("x" * 500, None),
    ],
)
def test_what_cannot_be_parsed_in_bounded_time_is_skipped_before_the_parse(text, reason):
    found = unparsable(text)
    assert (found and found.reason) == reason


def test_texts_are_skipped_by_every_kind_of_augmenter_beyond_the_limit():
    for augmenter in (sda_hf.Negation(), sda_hf.WordDeletion(), sda_hf.PunctuationNoise()):
        assert augmenter.explain("word " * 4001).skipped == "over 20,000 characters"


@pytest.mark.slow
def test_memory_stays_flat_over_texts_of_new_words():
    rng = random.Random(0)

    def texts(count):
        for _ in range(count):
            words = ("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=8)) for _ in range(6))
            yield f"The {' '.join(words)} left."

    for _ in clauses(texts(8_000)):
        pass
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(4):
        for _ in clauses(texts(8_000)):
            pass
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 30_000  # KiB; without memory zones it is over 100,000
