"""Clauses as HTML."""

import re

import pytest

from sda_hf.demo.drawing import LONGEST_TREE, MOST_CLAUSES, draw_clauses, escaped, failure
from sda_hf.errors import InputValueError


def facts(drawn):
    return re.findall(r"<dt>(\w+)</dt><dd[^>]*>(.*?)</dd>", drawn)


def words_with_roles(drawn):
    found = re.findall(r'displacy-token sda-(\w+)".*?displacy-word"[^>]*>(.*?)</tspan>', drawn, flags=re.DOTALL)
    return [(word, role) for role, word in found]


def test_what_was_found_and_the_tree():
    drawn = draw_clauses("The old man can't swim.")
    assert facts(drawn) == [
        ("predicate", "swim"),
        ("subject", "The old man"),
        ("mood", "declarative"),
        ("negation", "n&#x27;t"),
    ]
    assert words_with_roles(drawn) == [
        ("The", "subject"),
        ("old", "subject"),
        ("man", "subject"),
        ("ca", "other"),
        ("n't", "negation"),
        ("swim", "predicate"),
    ]
    assert re.findall(r'class="displacy-label"[^>]*>(.*?)</textPath>', drawn) == [
        "det",
        "amod",
        "nsubj",
        "aux",
        "advmod",
    ]
    assert 'aria-label="Dependency tree: The: det of man;' in drawn


def test_chinese():
    drawn = draw_clauses("他不会游泳。", "zh")
    assert facts(drawn) == [("predicate", "游泳"), ("subject", "他"), ("mood", "declarative"), ("negation", "不会")]


def test_a_fragment_has_no_subject():
    assert ("subject", "none") in facts(draw_clauses("Great food!"))


def test_markup_is_text():
    drawn = draw_clauses('He said <script>alert(1)</script> and "quoted" class="displacy-token".')
    assert "<script" not in drawn
    assert "&lt;" in drawn
    assert drawn.count('class="displacy-token sda-') == drawn.count("<text class=")


@pytest.mark.parametrize("text", ["", "  \n"])
def test_nothing(text):
    assert draw_clauses(text) == ""


def test_another_language_is_said():
    assert "Not read: not in language &#x27;en&#x27;" in draw_clauses("他会游泳。")


def test_too_long_a_sentence_has_no_tree():
    drawn = draw_clauses("She left " + "very " * LONGEST_TREE + "early.")
    assert ("subject", "She") in facts(drawn)
    assert "<svg" not in drawn
    assert f"more than {LONGEST_TREE}" in drawn


def test_many_sentences_are_not_all_drawn():
    drawn = draw_clauses("She left. " * (MOST_CLAUSES + 3))
    assert drawn.count('<section class="sda-clause">') == MOST_CLAUSES
    assert "3 more sentences are not drawn." in drawn


def test_too_long_a_text_is_not_read():
    assert draw_clauses("She left. " * 2_001) == '<p class="sda-note">Not read: over 20,000 characters.</p>'


def test_an_unknown_language_is_refused():
    with pytest.raises(InputValueError, match="unknown language 'xx'"):
        draw_clauses("She left.", "xx")


def test_control_characters_are_shown():
    assert escaped("a\x1b\u202eb") == "a\\x1b\\u202eb"
    assert failure("<b>") == '<p class="sda-error" role="alert" dir="auto">&lt;b&gt;</p>'
