"""The English and Chinese STS tasks: numbers of pairs, files, scales, published results and aggregates."""

from pathlib import Path

import pytest

from sda_hf.errors import InputValueError
from sda_hf.evaluation import CHINESE, GROUPS, SEVEN, TASKS, PairTask, aggregated, resolve, resolve_all
from sda_hf.evaluation.tasks.sts import YEARS

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "sts"
# Name → number of rows, local file, scale.
TABLE = {
    "sts12": (3108, "sts12-test", (0, 5)),
    "sts13": (1500, "sts13-test", (0, 5)),
    "sts14": (3750, "sts14-test", (0, 5)),
    "sts15": (3000, "sts15-test", (0, 5)),
    "sts16": (1186, "sts16-test", (0, 5)),
    "stsb": (1379, "stsb-test", (0, 5)),
    "sickr": (4927, "sickr-test", (1, 5)),
    "stsb-dev": (1500, "stsb-dev", (0, 5)),
    "sickr-dev": (500, "sickr-dev", (1, 5)),
    "atec": (20_000, "atec-test", (0, 1)),
    "bq": (10_000, "bq-test", (0, 1)),
    "lcqmc": (12_500, "lcqmc-test", (0, 1)),
    "pawsx": (2_000, "pawsx-test", (0, 1)),
    "zh-stsb": (1_361, "zh-stsb-test", (0, 5)),
    "zh-stsb-dev": (1_458, "zh-stsb-dev", (0, 5)),
}

# The averages over the seven tasks in Table 4.
AVERAGES = {
    "IS-BERT-base": 66.58,
    "CT-BERT-base": 72.05,
    "ConSERT-BERT-base": 72.74,
    "SimCSE-BERT-base": 76.25,
    "ESimCSE-BERT-base": 77.43,
    "ArcCSE-BERT-base": 78.11,
    "DiffCSE-BERT-base": 78.49,
    "SDA-BERT-base, punctuation insertion": 78.86,
    "SDA-BERT-base, modal verbs": 78.84,
    "SDA-BERT-base, double negation": 78.33,
    "SDA-BERT-base, ensemble": 78.57,
    "DeCLUTR-RoBERTa-base": 69.99,
    "SimCSE-RoBERTa-base": 76.57,
    "ESimCSE-RoBERTa-base": 77.44,
    "DiffCSE-RoBERTa-base": 78.21,
    "SDA-RoBERTa-base, punctuation insertion": 79.35,
    "SDA-RoBERTa-base, modal verbs": 79.60,
    "SDA-RoBERTa-base, double negation": 79.21,
    # The table prints 79.37, although the average of its seven scores is 79.41.
    "SDA-RoBERTa-base, ensemble": 79.41,
}


def test_the_groups():
    assert SEVEN == GROUPS["sts"] == ("sts12", "sts13", "sts14", "sts15", "sts16", "stsb", "sickr")
    assert CHINESE == GROUPS["zh"] == ("atec", "bq", "lcqmc", "pawsx", "zh-stsb")
    assert [task.name for task in resolve_all(["sts", "zh"])] == [*SEVEN, *CHINESE]


@pytest.mark.parametrize("name", TABLE)
def test_the_protocol(name):
    task = TASKS.get(name)
    assert type(task) is PairTask
    assert (task.source.rows, task.source.files, task.scale) == (TABLE[name][0], (TABLE[name][1],), TABLE[name][2])
    assert (task.columns, task.aggregate, task.metric) == (("sentence1", "sentence2", "score"), "all", "spearman")
    assert (task.source.hub_id is None) == name.startswith("sickr"), "no data on the Hub has the split of the papers"
    low, high = task.scale
    assert task.protocol() == {
        "task": name,
        "kind": "PairTask",
        "columns": ("sentence1", "sentence2", "score"),
        "scale": (low, high),
        "aggregate": "all",
    }


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs shared/data/sts")
@pytest.mark.parametrize("name", ["sts12", "sts13", "stsb", "sickr", "stsb-dev", "sickr-dev", "zh-stsb", "zh-stsb-dev"])
def test_local_files_are_complete(name):
    data = TASKS.get(name).read(SHARED)
    assert len(data) == len(data.sentences1) == len(data.sentences2) == TABLE[name][0]
    assert len(data.subsets) == len(data)


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs shared/data/sts")
def test_subsets_of_a_year():
    data = TASKS.get("sts12").read(SHARED)
    sizes = {name: data.subsets.count(name) for name in dict.fromkeys(data.subsets)}
    assert sum(sizes.values()) == 3108
    # Agirre et al. (2012), Table 2, test sets.
    assert sorted(sizes.values()) == [399, 459, 750, 750, 750]


def test_aggregates_apply_to_years_and_own_pairs(tmp_path):
    own = resolve({"path": tmp_path / "own.tsv"})
    triples = resolve(f"triples:{tmp_path / 'triples.tsv'}")
    tasks = [*resolve_all(["sts", "zh-stsb", "trec", "geometry"]), own, triples]
    for aggregate in ("all", "mean", "wmean"):
        changed = aggregated(tasks, aggregate)
        assert [task.name for task in changed] == [task.name for task in tasks]
        for before, after in zip(tasks, changed, strict=True):
            if before.name in (*YEARS, "own"):
                assert (after.aggregate, after.source, after.title) == (aggregate, before.source, before.title)
                assert after.protocol() == {**before.protocol(), "aggregate": aggregate}
            else:
                assert after is before
    assert aggregated([], "mean") == []


def test_registered_tasks_are_not_changed():
    aggregated(resolve_all(["sts"]), "mean")
    assert {TASKS.get(name).aggregate for name in SEVEN} == {"all"}


@pytest.mark.parametrize("tasks", [["trec"], ["sts12"]])
def test_an_unknown_aggregate(tasks):
    with pytest.raises(InputValueError, match=r"^aggregate is 'median': use one of all, mean, wmean$"):
        aggregated(resolve_all(tasks), "median")


def test_published_averages():
    table = "SDA (LREC-COLING 2024), Table 4"
    columns = [{row.model: row.value for row in TASKS.get(name).published if row.source == table} for name in SEVEN]
    for model, average in AVERAGES.items():
        assert sum(column[model] for column in columns) / 7 == pytest.approx(average, abs=0.006), model
    assert all(set(column) == set(AVERAGES) for column in columns)


def test_published_chinese_results():
    columns = [{row.model: row.value for row in TASKS.get(name).published} for name in CHINESE]
    # Table 8 of EdaCSE prints the averages; the first one is 35.87.
    for model, mean in (
        ("SimCSE, bert-base-chinese", 35.87),
        ("SimCSE, chinese-roberta-wwm-ext", 37.89),
        ("SimCSE, chinese-roberta-wwm-ext-large", 38.00),
        ("EdaCSE, bert-base-chinese", 37.54),
        ("EdaCSE, chinese-roberta-wwm-ext", 38.73),
        ("EdaCSE, chinese-roberta-wwm-ext-large", 39.08),
    ):
        assert sum(column[model] for column in columns) / 5 == pytest.approx(mean, abs=0.016), model
    assert columns[-1]["SDA, Chinese RoBERTa-base, modal verbs"] == 72.12
