"""The tables of antonyms and synonyms of every language that has them."""

import itertools
import re

import pytest

from .tables import rows

PARTS = {"ADJ", "ADV", "NOUN", "VERB"}
WORDS = {"en": re.compile("[a-z]+(-[a-z]+)*"), "zh": re.compile("[\u4e00-\u9fff]+")}
HEADERS = {"antonyms.tsv": ["pos", "word", "antonym"], "synonyms.tsv": ["pos", "words"]}


def pairs(language, name):
    """Every two words that a table makes exchangeable, in both directions."""
    return {
        (pos, *pair)
        for pos, *words in rows(language, name)[1:]
        for pair in itertools.permutations(" ".join(words).split(), 2)
    }


@pytest.mark.parametrize(
    ("language", "name", "least"),
    [
        ("en", "antonyms.tsv", 1200),
        ("en", "synonyms.tsv", 400),
        ("zh", "antonyms.tsv", 1050),
        ("zh", "synonyms.tsv", 400),
    ],
)
def test_the_files_are_well_formed(language, name, least):
    given, *entries = rows(language, name)
    assert given == HEADERS[name]
    assert len(entries) >= least
    assert entries == sorted(entries)
    for pos, *words in entries:
        assert pos in PARTS
        group = " ".join(words).split()
        assert len(set(group)) == len(group) >= 2
        assert all(map(WORDS[language].fullmatch, group))


@pytest.mark.parametrize("language", WORDS)
def test_there_are_no_duplicate_pairs(language):
    found = [(pos, *sorted((word, antonym))) for pos, word, antonym in rows(language, "antonyms.tsv")[1:]]
    assert len(found) == len(set(found))


@pytest.mark.parametrize("language", WORDS)
def test_no_two_words_are_both_antonyms_and_synonyms(language):
    assert pairs(language, "antonyms.tsv") & pairs(language, "synonyms.tsv") == set()


@pytest.mark.parametrize(
    ("language", "pos", "word", "antonym"),
    [
        ("en", "ADJ", "hot", "cold"),
        ("en", "ADJ", "cold", "hot"),
        ("zh", "ADJ", "冷", "热"),
        ("zh", "ADJ", "便宜", "昂贵"),
        ("zh", "VERB", "起飞", "降落"),
        ("zh", "VERB", "承认", "否认"),
        ("zh", "NOUN", "楼上", "楼下"),
        ("zh", "ADV", "经常", "偶尔"),
    ],
)
def test_antonyms(language, pos, word, antonym):
    assert (pos, word, antonym) in pairs(language, "antonyms.tsv")


def test_a_negated_form_is_no_antonym_in_chinese():
    negated = [row for row in rows("zh", "antonyms.tsv")[1:] if f"不{row[1]}" == row[2] or f"不{row[2]}" == row[1]]
    assert negated == []
