"""The published results: they match the papers, and the averages match their parts."""

import math
import re
from collections import Counter
from importlib import resources

import pytest

from sda_hf.evaluation.tasks.published import Published, published_results

STS = ("sts12", "sts13", "sts14", "sts15", "sts16", "stsb", "sickr")
TRANSFER = ("mr", "cr", "subj", "mpqa", "sst2", "trec", "mrpc")
CHINESE = ("atec", "bq", "lcqmc", "pawsx", "zh-stsb")
AVERAGES = {"sts-average": STS, "transfer-average": TRANSFER, "zh-average": CHINESE}
TASKS = (*AVERAGES, *STS, *TRANSFER, *CHINESE, "stsb-dev", "cola", "anli")

SDA_2022, SDA_2024 = "SDA (2022), Table {}", "SDA (LREC-COLING 2024), Table {}"
UNA, AUGCSE = "UNA (Shu and Lampos), Table {}", "AugCSE (AACL 2022), Table 1"
EDACSE = "EdaCSE (Applied Sciences 2023, 13, 10120), Table 8"
# Printed averages that differ from those of the printed scores, which would be 79.41 and 75.84.
SLIPS = {
    ("SDA-RoBERTa-base, ensemble", SDA_2024.format(4), 79.37),
    ("SDA-BERT-base, double negation, without negatives", SDA_2022.format(4), 75.99),
}
LINES = (resources.files("sda_hf.evaluation.tasks") / "published.tsv").read_text(encoding="utf-8").splitlines()
CELLS = [line.split("\t") for line in LINES[1:]]


def only(task, model, source):
    (result,) = [one for one in published_results(task) if (one.model, one.source) == (model, source)]
    return result


def test_the_file_has_seven_columns():
    assert LINES[0].split("\t") == ["task", "model", "value", "std", "runs", "selection", "source"]
    assert {len(cells) for cells in CELLS} == {7}
    assert all(cell == cell.strip() for cells in CELLS for cell in cells)


def test_all_lines_are_read_in_order():
    for task in TASKS:
        lines = [(cells[1], float(cells[2]), cells[6]) for cells in CELLS if cells[0] == task]
        assert lines, task
        assert [result[:3] for result in published_results(task)] == lines
    assert {cells[0] for cells in CELLS} == set(TASKS)


@pytest.mark.parametrize("task", TASKS)
def test_every_result_is_a_score_with_a_table(task):
    for result in published_results(task):
        assert math.isfinite(result.value)
        assert 0 < result.value < 100
        assert re.fullmatch(r"(SDA|UNA|AugCSE|EdaCSE) \(.+\), Table [A-D]?\d+", result.source)
        assert result.runs in (None, 1, 5, 10)
        assert (result.std is not None) == (result.runs in (5, 10)), "a deviation needs several runs"
        assert result.std is None or 0 < result.std < 1
        assert result.selection == ("best of 10" if result.source == EDACSE else "")


def test_no_duplicates():
    assert max(Counter((cells[0], cells[1], cells[6]) for cells in CELLS).values()) == 1
    # A model has one score per task and number of seeds.
    assert max(Counter((cells[0], cells[1], cells[4]) for cells in CELLS).values()) == 1


def test_averages_match_their_parts():
    figures = {(model, runs, task): float(value) for task, model, value, _, runs, _, _ in CELLS}
    checked, slips = Counter(), set()
    for task, model, value, _, runs, _, source in CELLS:
        parts = [figures.get((model, runs, part)) for part in AVERAGES.get(task, ())]
        if all(part is None for part in parts):
            continue
        checked[task] += 1
        # Scores and averages are rounded: they may differ by one unit of the last digit.
        unit = 10.0 ** -len(value.partition(".")[2])
        if abs(sum(parts) / len(parts) - float(value)) > 1.1 * unit:
            slips.add((model, source, float(value)))
    assert checked == {"sts-average": 55, "transfer-average": 7, "zh-average": 6}
    assert slips == SLIPS


@pytest.mark.parametrize(
    ("tasks", "model", "source", "values"),
    [
        (STS, "SimCSE-BERT-base", SDA_2024.format(4), [68.40, 82.41, 74.38, 80.91, 78.56, 76.85, 72.23]),
        (STS, "SDA-RoBERTa-base, modal verbs", SDA_2024.format(4), [72.37, 83.80, 77.51, 83.58, 82.29, 82.98, 74.69]),
        (TRANSFER, "ArcCSE-BERT-base", SDA_2024.format(5), [79.91, 85.25, 99.58, 89.21, 84.90, 89.20, 74.78]),
        (STS, "UNA-BERT-base", UNA.format(1), [68.02, 82.26, 73.06, 82.00, 79.08, 77.60, 70.93]),
        (STS, "BERT-base, EDA random swap", UNA.format("C3"), [68.50, 78.08, 72.12, 78.30, 77.67, 76.43, 69.84]),
        (STS, "Mirror-BERT-base", UNA.format("D8"), [69.1, 81.1, 73.0, 81.9, 75.7, 78.0, 69.1]),
        (STS, "BERT-base, flow", SDA_2022.format(4), [58.40, 67.10, 60.85, 75.16, 71.22, 68.66, 64.47]),
        # The cells run together in the extracted text; only these splits have the printed averages.
        (CHINESE, "SimCSE, bert-base-chinese", EDACSE, [32.43, 48.54, 63.3, 10.01, 25.07]),
        (CHINESE, "EdaCSE, bert-base-chinese", EDACSE, [34.23, 50.67, 64.9, 10.15, 27.76]),
        (CHINESE, "EdaCSE, chinese-roberta-wwm-ext", EDACSE, [33.9, 51.52, 67.76, 10.92, 29.56]),
        (["stsb-dev"], "Cropping, 20 %", SDA_2024.format(8), [71.38]),
        (["sts-average"], "RoBERTa-base, random punctuation insertion", SDA_2024.format(9), [76.22]),
        (["zh-stsb"], "SDA, Chinese RoBERTa-base, modal verbs, without negatives", SDA_2022.format(5), [71.94]),
        (
            ["cola", "transfer-average"],
            "BERT-base, negatives of RandomContextualWordAugmentation",
            AUGCSE,
            [78.14, 80.51],
        ),
        (["anli", "transfer-average"], "BERT-base, negatives of AntonymSubstitute", AUGCSE, [58.78, 79.93]),
    ],
)
def test_scores_as_printed(tasks, model, source, values):
    assert [only(task, model, source).value for task in tasks] == values


def test_runs_and_deviations_as_printed():
    ensemble = "SDA-RoBERTa-base, ensemble"
    assert only("sickr", ensemble, SDA_2024.format(4)) == Published(ensemble, 74.77, SDA_2024.format(4), 0.6, 5)
    assert only("mrpc", ensemble, SDA_2024.format(5))[1:] == (76.23, SDA_2024.format(5), 0.93, 5, "")
    seeds = only("sts-average", "SimCSE-BERT-base, reproduced", UNA.format("D8"))
    assert seeds == Published(seeds.model, 75.16, UNA.format("D8"), 0.79, 10)
    assert only("sts-average", seeds.model, UNA.format("C3"))[3:] == (None, 1, "")
    assert only("stsb", "BERT-base, whitening", UNA.format("D8")).runs is None
    assert only("bq", "EdaCSE, bert-base-chinese", EDACSE)[3:] == (None, 1, "best of 10")


def test_a_task_without_published_results():
    assert published_results("sickr-dev") == ()
    assert published_results("average") == ()
