"""Capitals: edits in lower case are capitalised as their place in the sentence requires."""

import pytest

from sda_hf.grammar.edits import Rule, apply
from sda_hf.grammar.english.surface import before, recased, remove, swap
from sda_hf.syntax.clause import Clause, Tree, Word

RULE = Rule("test", "test")


def clause_of(text, tags=()):
    """Return a clause of words separated by single spaces, where only places, tags and capitals matter."""
    words, start = [], 0
    for i, form in enumerate(text.split(" ")):
        words.append(Word(i, form, tags[i] if tags else "NN", "root", 0, start, start + len(form)))
        start += len(form) + 1
    words = tuple(words)
    first = words[0]
    return Clause(text, words, first, None, None, None, (), "fragment", False, (), (), None, tree=Tree(words))


def after(clause, *edits):
    return apply(clause.text, recased(clause, edits))


@pytest.mark.parametrize(
    ("given", "tag", "expected"),
    [
        ("The", "DT", "No the"),
        ("I", "PRP", "No I"),
        ("London", "NNP", "No London"),
        ("NASA", "NN", "No NASA"),
        ("iPhone", "NN", "no iPhone"),
        ("YouTube", "NN", "No YouTube"),
        ("B2B", "JJ", "No B2B"),
        ("Russian", "JJ", "No Russian"),
        ("Polish", "VB", "No polish"),
        ("Friendly", "JJ", "No friendly"),
        ("A", "DT", "No a"),
        ("it", "PRP", "no it"),
        ("5", "CD", "No 5"),
    ],
)
def test_words_inserted_in_front_take_the_capital_unless_the_word_keeps_it(given, tag, expected):
    clause = clause_of(f"{given} is", [tag, "VBZ"])
    assert after(clause, before(clause.words[0], "no", RULE)) == f"{expected} is"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [("is", "isn't", "isn't"), ("Is", "isn't", "Isn't"), ("WAS", "wasn't", "WASN'T"), ("5", "not", "Not")],
)
def test_a_replacement_takes_the_capitals_of_the_word(old, new, expected):
    clause = clause_of(f"{old} it")
    assert after(clause, swap(clause.words[0], new, RULE)) == f"{expected} it"


def test_the_word_after_a_removed_opening_takes_its_capital():
    clause = clause_of("Never mind it")
    assert after(clause, remove(clause, *clause.words[:1] * 2, RULE)) == "Mind it"


def test_a_replaced_word_that_comes_to_begin_the_sentence_is_capitalised():
    clause = clause_of("Never any mind")
    edits = [remove(clause, *clause.words[:1] * 2, RULE), swap(clause.words[1], "some", RULE)]
    assert after(clause, *edits) == "Some mind"


def test_only_the_first_of_two_insertions_in_front_is_capitalised():
    clause = clause_of("All men left", ["DT", "NNS", "VBD"])
    first = clause.words[0]
    assert after(clause, before(first, "it is not so that", RULE), before(first, "not", RULE)) == (
        "It is not so that not all men left"
    )


def test_a_text_in_capitals_stays_in_capitals():
    clause = clause_of("CLOSE IT")
    assert after(clause, before(clause.words[0], "don't", RULE)) == "DON'T CLOSE IT"


def test_capitals_inside_a_sentence_are_unchanged():
    clause = clause_of("Yes Close it", ["UH", "VB", "PRP"])
    assert after(clause, before(clause.words[1], "don't", RULE)) == "Yes don't Close it"
