"""Tables: what is averaged, what is refused, and how it is printed."""

import pytest

from sda_hf.errors import InputValueError
from sda_hf.evaluation import SEVEN, comparison_table, markdown, published, results_table

BEFORE = {
    "stsb": {"spearman": 31.456, "pearson": 30.0, "pairs": 1379},
    "mine|own": {"spearman": 50.0, "pearson": 51.0, "pairs": 10},
}
AFTER = {
    "mine|own": {"spearman": 49.996, "pearson": 51.0, "pairs": 10},
    "stsb": {"spearman": 76.004, "pearson": 75.0, "pairs": 1379},
}


def test_comparison():
    first, second, average = comparison_table(BEFORE, AFTER)
    assert first == {
        "task": "stsb",
        "title": "STS-B",
        "metric": "spearman",
        "pairs": 1379,
        "before": 31.456,
        "after": 76.004,
        "change": pytest.approx(44.548),
    }
    assert second["title"] == "mine|own"
    assert average["task"] == "average"
    assert average["pairs"] == 1389
    assert average["before"] == pytest.approx(40.728)
    assert average["change"] == pytest.approx(average["after"] - average["before"])


def test_one_task_has_no_average():
    before = {"stsb": BEFORE["stsb"]}
    assert [row["task"] for row in comparison_table(before, before)] == ["stsb"]
    assert results_table({"mine": before}) == [{"model": "mine", "stsb": 31.456}]


def test_comparison_of_other_tasks():
    message = r"before has the tasks stsb, mine\|own, after stsb: measure the same"
    with pytest.raises(InputValueError, match=message):
        comparison_table(BEFORE, {"stsb": AFTER["stsb"]})


def test_comparison_of_other_pairs():
    with pytest.raises(InputValueError, match=r"task 'stsb': 1,379 pairs before, 100 after: not comparable"):
        comparison_table({"stsb": BEFORE["stsb"]}, {"stsb": AFTER["stsb"] | {"pairs": 100}})


def test_results_of_models():
    rows = results_table({"a": BEFORE, "b": {"sickr": {"spearman": 70.0}, "stsb": {"spearman": 80.0}}})
    assert rows == [
        {"model": "a", "stsb": 31.456, "mine|own": 50.0, "sickr": None, "average": None},
        {"model": "b", "stsb": 80.0, "mine|own": None, "sickr": 70.0, "average": None},
    ]


def test_published_rows_beside_measured_ones():
    rows = results_table(published(SEVEN) | {"mine": {name: {"spearman": 80.0} for name in SEVEN}})
    assert rows[3]["model"] == "SimCSE-BERT-base (SDA (LREC-COLING 2024), Table 4)"
    assert rows[3]["average"] == pytest.approx(76.25, abs=0.005)
    assert list(rows[-1]) == ["model", *SEVEN, "average"]


def test_nothing_is_published_on_development_sets():
    assert published(["stsb-dev", "sickr-dev"]) == {}


def test_published_of_an_unknown_task():
    with pytest.raises(InputValueError, match=r"unknown task 'stbs': did you mean 'stsb'"):
        published(["stbs"])


def test_markdown_of_a_comparison():
    expected = """
| Task | Metric | Pairs | Before | After | Change |
| --- | --- | ---: | ---: | ---: | ---: |
| STS-B | Spearman × 100 | 1,379 | 31.46 | 76.00 | +44.55 |
| mine\\|own | Spearman × 100 | 10 | 50.00 | 50.00 | +0.00 |
| Average | Spearman × 100 | 1,389 | 40.73 | 63.00 | +22.27 |
"""
    assert markdown(comparison_table(BEFORE, AFTER)) == expected.strip()


def test_markdown_of_models():
    rows = results_table({"a": {"stsb": {"spearman": 70.0}}, "b|c": {"sickr": {"spearman": 60.0}}})
    expected = """
| Model | STS-B | SICK-R | Average |
| --- | ---: | ---: | ---: |
| a | 70.00 | not measured | not measured |
| b\\|c | not measured | 60.00 | not measured |
"""
    assert markdown(rows) == expected.strip()


def test_markdown_of_chosen_columns():
    rows = comparison_table(BEFORE, AFTER)[:1]
    assert markdown(rows, ["task", "change"]) == "| Task | Change |\n| --- | ---: |\n| stsb | +44.55 |"


def test_markdown_of_nothing():
    assert markdown([]) == ""
