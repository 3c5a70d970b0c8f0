"""The phenomena of English that the rules cover: sentence → rewrite, with the embedded pipeline.

One table an augmenter in `phenomena/`, and one of texts that have to be left alone. `expected` is the rewrite ("skip: "
and the reason where the sentence has to stay as it is; " || " between outcomes that are equally right). Where `parser`
has a reason, the embedded pipeline reads the sentence wrongly: the case has to fail, so that a better pipeline shows.
"""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

import sda_hf
from sda_hf.augmentation import from_config

TABLES = Path(__file__).parent / "phenomena"
COLUMNS = ("group", "augmenter", "config", "text", "expected", "parser")


def read_cases() -> list[dict[str, str]]:
    cases = []
    for path in sorted(TABLES.glob("*.tsv")):
        with open(path, encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            assert tuple(reader.fieldnames or ()) == COLUMNS, path
            cases += [{**row, "table": path.stem} for row in reader]
    return cases


CASES = read_cases()


def fits(rewrite: sda_hf.Rewrite, expected: str) -> bool:
    """Whether a rewrite is one of those expected, or skipped for the reason that is expected."""
    outcome = rewrite.text if rewrite.skipped is None else f"skip: {rewrite.skipped}"
    return outcome in expected.split(" || ")


def as_param(case: dict[str, str]):
    reason = case["parser"]
    marks = [pytest.mark.xfail(strict=True, reason=f"parser: {reason}")] if reason else []
    return pytest.param(case, id=f"{case['augmenter']}: {case['group']}: {case['text']}", marks=marks)


@pytest.mark.parametrize("case", [as_param(case) for case in CASES])
def test_phenomenon(case):
    config = json.loads(case["config"] or "{}")
    rewrite = from_config({"name": case["augmenter"], **config}).explain(case["text"])
    assert fits(rewrite, case["expected"]), rewrite
    assert (rewrite.text == case["text"]) == (rewrite.skipped is not None)


def test_every_phenomenon_has_cases():
    groups = Counter((case["augmenter"], case["group"]) for case in CASES)
    assert len(CASES) >= 1200
    assert len(groups) >= 50
    assert min(groups.values()) >= 4


def test_texts_to_be_left_alone_are_many_and_of_many_kinds():
    alone = [case for case in CASES if case["table"] == "adversarial"]
    assert len({case["text"] for case in alone}) >= 150
    assert len({case["group"] for case in alone}) >= 20
    assert all(case["expected"].startswith("skip: ") for case in alone)


def test_there_are_no_duplicate_cases():
    seen = Counter((c["augmenter"], c["config"], c["text"]) for c in CASES)
    assert [key for key, count in seen.items() if count > 1] == []
