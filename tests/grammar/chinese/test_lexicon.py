"""The tables of antonyms and synonyms of Chinese."""

import csv
import itertools
import re
from importlib import resources

import pytest

PARTS = {"ADJ", "ADV", "NOUN", "VERB"}
HAN = re.compile("[\u4e00-\u9fff]+")
FOLDER = resources.files("sda_hf.grammar.chinese") / "lexicon"


def rows(name):
    with (FOLDER / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def pairs(name):
    """Every two words that a table makes exchangeable, in both directions."""
    return {
        (pos, *pair) for pos, *words in rows(name)[1:] for pair in itertools.permutations(" ".join(words).split(), 2)
    }


@pytest.mark.parametrize(
    ("name", "header", "least"),
    [("antonyms.tsv", ["pos", "word", "antonym"], 1050), ("synonyms.tsv", ["pos", "words"], 400)],
)
def test_the_files_are_well_formed(name, header, least):
    given, *entries = rows(name)
    assert given == header
    assert len(entries) >= least
    assert entries == sorted(entries)
    for pos, *words in entries:
        assert pos in PARTS
        group = " ".join(words).split()
        assert len(set(group)) == len(group) >= 2
        assert all(map(HAN.fullmatch, group))


def test_there_are_no_duplicate_pairs():
    found = [(pos, *sorted((word, antonym))) for pos, word, antonym in rows("antonyms.tsv")[1:]]
    assert len(found) == len(set(found))


def test_no_two_words_are_both_antonyms_and_synonyms():
    assert pairs("antonyms.tsv") & pairs("synonyms.tsv") == set()


@pytest.mark.parametrize(
    ("pos", "word", "antonym"),
    [
        ("ADJ", "冷", "热"),
        ("ADJ", "便宜", "昂贵"),
        ("VERB", "起飞", "降落"),
        ("VERB", "承认", "否认"),
        ("NOUN", "楼上", "楼下"),
        ("ADV", "经常", "偶尔"),
    ],
)
def test_antonyms(pos, word, antonym):
    assert (pos, word, antonym) in pairs("antonyms.tsv")


def test_a_negated_form_is_no_antonym():
    negated = [row for row in rows("antonyms.tsv")[1:] if f"不{row[1]}" == row[2] or f"不{row[2]}" == row[1]]
    assert negated == []
