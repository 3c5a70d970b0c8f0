"""The phenomena of Chinese that the rules cover: sentence → rewrite, from raw text, with the embedded pipeline.

One table an augmenter in `phenomena/`. `expected` is the rewrite, or several that are equally right, separated by
" || "; "skip: reason" where the sentence has to stay as it is, with the reason for the reader. Where `parser` has a
reason, the embedded pipeline reads the sentence wrongly: the case has to fail, so that a better pipeline shows.
"""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from sda_hf.augmentation import from_config

TABLES = Path(__file__).parent / "phenomena"
COLUMNS = ("group", "augmenter", "config", "text", "expected", "parser")
LEAST = {
    "negation": 200,
    "modal-verbs": 110,
    "double-negation": 90,
    "punctuation-insertion": 80,
    "antonym-substitute": 60,
    "affirmative-auxiliary": 20,
    "synonym-replacement": 10,
    "subject-object-switch": 20,
}


def read_cases() -> list[dict[str, str]]:
    cases = []
    for path in sorted(TABLES.glob("*.tsv")):
        with open(path, encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            assert tuple(reader.fieldnames or ()) == COLUMNS, path
            cases += list(reader)
    return cases


CASES = read_cases()


def alternatives(case: dict[str, str]) -> list[str]:
    """The rewrites that are right; none if the sentence has to be skipped."""
    return [] if case["expected"].startswith("skip: ") else case["expected"].split(" || ")


def as_param(case: dict[str, str]):
    reason = case["parser"]
    marks = [pytest.mark.xfail(strict=True, reason=f"parser: {reason}")] if reason else []
    return pytest.param(case, id=f"{case['augmenter']}: {case['group']}: {case['text']}", marks=marks)


@pytest.mark.parametrize("case", [as_param(case) for case in CASES])
def test_phenomenon(case):
    rewrite = from_config({"name": case["augmenter"], **json.loads(case["config"])}).explain(case["text"])
    if alternatives(case):
        assert rewrite.text in alternatives(case), rewrite
    else:
        assert rewrite.skipped is not None, rewrite
        assert rewrite.text == case["text"]


def test_every_phenomenon_has_cases():
    groups = Counter((case["augmenter"], case["group"]) for case in CASES)
    augmenters = Counter(case["augmenter"] for case in CASES)
    assert {name: count for name, count in LEAST.items() if augmenters[name] < count} == {}
    assert min(groups.values()) >= 4


def test_there_are_no_duplicate_cases():
    seen = Counter((c["augmenter"], c["config"], c["text"]) for c in CASES)
    assert [key for key, count in seen.items() if count > 1] == []


def test_every_case_is_chinese_and_no_rewrite_is_the_sentence_itself():
    assert {json.loads(case["config"])["language"] for case in CASES} == {"zh"}
    assert [case["text"] for case in CASES if case["text"] in alternatives(case)] == []
