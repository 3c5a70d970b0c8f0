"""Tables: averages, errors and Markdown."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sda_hf.errors import InputValueError
from sda_hf.evaluation import comparison_table, headline, markdown, results_table
from sda_hf.evaluation.report.tables import figure, title_of
from sda_hf.evaluation.tasks.measurement import row_count

BEFORE = {
    "stsb": {"spearman": 31.456, "pearson": 30.0, "pairs": 1379},
    "mine|own": {"spearman": 50.0, "pearson": 51.0, "pairs": 10},
}
AFTER = {
    "mine|own": {"spearman": 49.996, "pearson": 51.0, "pairs": 10},
    "stsb": {"spearman": 76.004, "pearson": 75.0, "pairs": 1379},
}
COSINES = {"negated": {"cosine": 0.9234, "pairs": 3}}


def test_comparison():
    first, second, average = comparison_table(BEFORE, AFTER)
    assert first == {
        "task": "stsb",
        "title": "STS-B",
        "metric": "spearman",
        "rows": 1379,
        "before": 31.456,
        "after": 76.004,
        "change": pytest.approx(44.548),
    }
    assert second["title"] == "mine|own"
    assert average["task"] == "average"
    assert average["rows"] == 1389
    assert average["before"] == pytest.approx(40.728)
    assert average["change"] == pytest.approx(average["after"] - average["before"])


def test_one_task_has_no_average():
    before = {"stsb": BEFORE["stsb"]}
    assert [row["task"] for row in comparison_table(before, before)] == ["stsb"]
    assert results_table({"mine": before}) == [{"model": "mine", "stsb": 31.456}]


def test_different_metrics_have_no_average():
    mixed = {**BEFORE, "trec": {"accuracy": 90.0, "dev_accuracy": 88.0, "rows": 500}}
    assert [row["task"] for row in comparison_table(mixed, mixed)] == ["stsb", "mine|own", "trec"]
    assert results_table({"a": mixed}) == [{"model": "a", "stsb": 31.456, "mine|own": 50.0, "trec": 90.0}]


def test_the_average_needs_all_tasks():
    results = {f"task-{i}": {"accuracy": float(i**2), "rows": i} for i in range(1, 6)}
    assert results_table({"a": results})[0]["average"] == statistics.fmean([1, 4, 9, 16, 25])
    assert comparison_table(results, results)[-1]["rows"] == 15


def test_nothing_to_compare():
    assert comparison_table({}, {}) == []
    assert results_table({}) == []
    assert results_table({"a": {}}) == [{"model": "a"}]


def test_comparison_of_different_tasks():
    message = r"before has the tasks stsb, mine\|own, after stsb: measure the same"
    with pytest.raises(InputValueError, match=message):
        comparison_table(BEFORE, {"stsb": AFTER["stsb"]})


@pytest.mark.parametrize(
    ("after", "message"),
    [
        ({"spearman": 76.0, "pairs": 100}, "spearman of 1,379 rows before, spearman of 100 rows after"),
        ({"spearman": 76.0}, "spearman of 1,379 rows before, spearman of unknown rows after"),
        ({"accuracy": 76.0, "rows": 1379}, "spearman of 1,379 rows before, accuracy of 1,379 rows after"),
    ],
)
def test_comparison_of_different_rows_or_metrics(after, message):
    with pytest.raises(InputValueError, match=rf"^task 'stsb': {message}: the two are not comparable$"):
        comparison_table({"stsb": BEFORE["stsb"]}, {"stsb": after})


def test_comparison_without_row_counts():
    (row,) = comparison_table({"mteb:X": {"ndcg_at_10": 1.0}}, {"mteb:X": {"ndcg_at_10": 3.5}})
    assert (row["title"], row["rows"], row["change"]) == ("X (MTEB)", None, 2.5)
    assert "| not measured |" in markdown([row])


def test_results_table():
    rows = results_table({"a": BEFORE, "b": {"sickr": {"spearman": 70.0}, "stsb": {"spearman": 80.0}}})
    assert rows == [
        {"model": "a", "stsb": 31.456, "mine|own": 50.0, "sickr": None, "average": None},
        {"model": "b", "stsb": 80.0, "mine|own": None, "sickr": 70.0, "average": None},
    ]


@pytest.mark.parametrize("name", ["model", "average"])
def test_a_task_named_like_another_column(name):
    with pytest.raises(InputValueError, match=rf"a task is named '{name}', like another column of the table"):
        results_table({"a": {name: {"spearman": 1.0}}})


def test_markdown_of_a_comparison():
    expected = """
| Task | Metric | Rows | Before | After | Change |
| --- | --- | ---: | ---: | ---: | ---: |
| STS-B | Spearman × 100 | 1,379 | 31.46 | 76.00 | +44.55 |
| mine&#124;own | Spearman × 100 | 10 | 50.00 | 50.00 | +0.00 |
| Average | Spearman × 100 | 1,389 | 40.73 | 63.00 | +22.27 |
"""
    assert markdown(comparison_table(BEFORE, AFTER)) == expected.strip()


def test_cosines_have_three_decimals():
    after = {"negated": {"cosine": 0.8, "pairs": 3}}
    line = markdown(comparison_table(COSINES, after)).splitlines()[-1]
    assert line == "| negated | Mean cosine | 3 | 0.923 | 0.800 | -0.123 |"


def test_markdown_of_models():
    rows = results_table({"a": {"stsb": {"spearman": 70.0}}, "b|c": {"sickr": {"spearman": 60.0}}})
    expected = """
| Model | STS-B | SICK-R | Average |
| --- | ---: | ---: | ---: |
| a | 70.00 | not measured | not measured |
| b&#124;c | not measured | 60.00 | not measured |
"""
    assert markdown(rows) == expected.strip()


def test_markdown_of_some_columns():
    rows = comparison_table(BEFORE, AFTER)[:1]
    assert markdown(rows, ["task", "change"]) == "| Task | Change |\n| --- | ---: |\n| stsb | +44.55 |"


def test_markdown_of_nothing():
    assert markdown([]) == ""


@pytest.mark.parametrize(
    ("metric", "value", "signed", "shown"),
    [
        ("spearman", -0.001, True, "+0.00"),
        ("spearman", -0.001, False, "0.00"),
        ("spearman", 100.0, False, "100.00"),
        ("accuracy", -12.345678, True, "-12.35"),
        ("uniformity", -2.71828, False, "-2.718"),
        ("length_bias", 0.0004, True, "+0.000"),
        ("difference", 0.1, True, "+0.100"),
    ],
)
def test_figures(metric, value, signed, shown):
    assert figure(metric, value, signed) == shown


@given(st.floats(-1000, 1000), st.sampled_from(["spearman", "cosine"]))
def test_figures_are_rounded_values(value, metric):
    digits = 3 if metric == "cosine" else 2
    shown = figure(metric, value)
    assert abs(float(shown) - value) <= 0.5001 * 10**-digits
    assert len(shown.split(".")[1]) == digits
    assert shown.strip("-0.") or not shown.startswith("-")


def test_headline_and_rows():
    assert headline({"accuracy": 3.0, "f1": 4.0, "rows": 5}) == ("accuracy", 3.0)
    assert row_count({"accuracy": 3.0, "f1": 4.0, "rows": 5}) == 5
    assert row_count({"accuracy": 3.0}) is None


def test_titles():
    assert [title_of(name) for name in ("sickr", "nothing", "mteb:NevIR")] == ["SICK-R", "nothing", "NevIR (MTEB)"]
