"""Transfer tasks: splits, accuracy and F1, and rows on which no classifier can be trained."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from sklearn.metrics import accuracy_score, f1_score

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation import GROUPS, TASKS, TRANSFER, ProbeTask, Source, evaluate, resolve, resolve_all
from sda_hf.evaluation.encoder.vectors import Vectors
from sda_hf.evaluation.probe.senteval import cross_validated, nested_cross_validation, pair_features, validated

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs shared/data")
# Split → number of rows in SentEval's files.
ROWS = {
    "mr": {"train": 10_662},
    "cr": {"train": 3_775},
    "subj": {"train": 10_000},
    "mpqa": {"train": 10_606},
    "sst2": {"train": 6_920, "dev": 872, "test": 1_821},
    "trec": {"train": 5_452, "test": 500},
    "mrpc": {"train": 4_076, "test": 1_725},
}
HUB = {"cr": None, "mpqa": None, "mr": "rotten_tomatoes", "subj": "SetFit/subj", "sst2": "SetFit/sst2",
       "trec": "CogComp/trec", "mrpc": "nyu-mll/glue", "cola": "nyu-mll/glue"}  # fmt: skip


class Letters:
    """A model that counts letters, or other parts of a text."""

    def __init__(self, parts=("a", "b", "c", " ")):
        self.parts = parts

    def encode(self, texts, **options):
        return np.array([[text.count(part) for part in self.parts] for text in texts], dtype=np.float32)


def measured(task, data=None):
    data = data or task.read()
    return task.measure(data, Vectors(Letters(), task.texts(data)))


def texts_of(rows, seed=0):
    """Texts of two overlapping classes."""
    random = np.random.default_rng(seed)
    labels = np.arange(rows) % 2
    letters = [random.choice(list("abc"), 9, p=[0.5, 0.3, 0.2] if label else [0.3, 0.4, 0.3]) for label in labels]
    return ["".join(found) + f" {row}" for row, found in enumerate(letters)], labels.tolist()


@pytest.fixture
def source(tmp_path):
    """Write rows to a file, and return it as a source."""

    def write(name, columns, rows):
        path = tmp_path / f"{name}.tsv"
        lines = ["\t".join(columns), *("\t".join(map(str, row)) for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return Source(path=path)

    return write


@pytest.fixture
def classes(source):
    """Write texts and labels to a file, and return it as a source."""
    return lambda name, rows: source(name, ("text", "label"), rows)


# -- the three protocols ---------------------------------------------------------------------------


def test_without_a_test_split_every_row_is_tested(classes):
    texts, labels = texts_of(60)
    words = [("bad", "good")[label] for label in labels]
    task = ProbeTask(name="mine", title="Mine", train=classes("all", zip(texts, words, strict=True)), folds=3, seed=5)
    data = task.read()
    assert data.labels == {"train": words}
    assert data.texts == {"train": [(text,) for text in texts]}
    assert len(data) == 60
    found = measured(task, data)
    probe = nested_cross_validation(Letters().encode(texts), labels, folds=3, seed=5)
    assert found.items.tolist() == (probe.predictions == labels).astype(float).tolist()
    assert found.metrics == {
        "accuracy": pytest.approx(100 * accuracy_score(labels, probe.predictions)),
        "dev_accuracy": pytest.approx(100 * probe.dev_accuracy),
        "rows": 60,
    }
    assert 50 < found.metrics["accuracy"] < 100
    assert list(found.metrics) == ["accuracy", "dev_accuracy", "rows"]
    assert found.headline[0] == task.metric
    assert found.gold is None


def test_pairs_with_a_test_split_and_f1(source):
    texts, labels = texts_of(90)
    others, _ = texts_of(90, seed=1)
    rows = list(zip(texts, others, labels, strict=True))
    columns = ("sentence1", "sentence2", "label")
    task = ProbeTask(
        name="mine", title="Mine", columns=columns, positive="1", folds=3,
        train=source("train", columns, rows[:60]), test=source("test", columns, rows[60:]),
    )  # fmt: skip
    data = task.read()
    assert data.texts["test"][0] == (texts[60], others[60])
    assert set(task.texts(data)) == {*texts, *others}
    found = measured(task, data)
    features = pair_features(Letters().encode(texts), Letters().encode(others))
    probe = cross_validated(features[:60], labels[:60], features[60:], folds=3, seed=task.seed)
    gold = np.array(labels[60:])
    assert found.metrics == {
        "accuracy": pytest.approx(100 * accuracy_score(gold, probe.predictions)),
        "f1": pytest.approx(100 * f1_score(gold, probe.predictions)),
        "dev_accuracy": pytest.approx(100 * probe.dev_accuracy),
        "rows": 30,
    }
    assert found.metrics["f1"] != found.metrics["accuracy"]
    # Each class has its own F1.
    other = measured(dataclasses.replace(task, positive="0"), data).metrics["f1"]
    assert other == pytest.approx(100 * f1_score(gold, probe.predictions, pos_label=0))


def test_a_dev_split(classes):
    texts, labels = texts_of(90)
    rows = list(zip(texts, labels, strict=True))
    task = ProbeTask(
        name="mine", title="Mine", seed=3,
        train=classes("train", rows[:40]), dev=classes("dev", rows[40:60]), test=classes("test", rows[60:]),
    )  # fmt: skip
    features = Letters().encode(texts)
    probe = validated(features[:40], labels[:40], features[40:60], labels[40:60], features[60:], seed=3)
    found = measured(task)
    assert found.metrics["dev_accuracy"] == pytest.approx(100 * probe.dev_accuracy)
    assert found.items.tolist() == (probe.predictions == labels[60:]).astype(float).tolist()
    assert found.metrics["rows"] == 30


def test_scores_do_not_depend_on_the_names_of_labels(classes):
    texts, labels = texts_of(40)
    found = []
    for names in (("0", "1"), ("10", "9"), ("a", "b")):
        rows = [(text, names[label]) for text, label in zip(texts, labels, strict=True)]
        found.append(measured(ProbeTask(name="t", title="T", folds=2, train=classes("t", rows))))
    assert found[0].metrics == found[1].metrics == found[2].metrics


def test_three_easy_classes(classes):
    rows = [(letter * (3 + row % 8), letter) for row in range(300) for letter in "abc"]
    task = ProbeTask(name="t", title="T", folds=2, train=classes("t", rows[:800]), test=classes("u", rows[800:]))
    assert measured(task).metrics["accuracy"] == 100


def test_f1_without_positive_predictions(classes):
    train = [("a" * (1 + row % 9), "0") for row in range(600)] + [("b", "1"), ("bb", "1")]
    splits = {"train": classes("t", train), "test": classes("u", [("aaa", "1"), ("a", "0")])}
    task = ProbeTask(name="t", title="T", folds=2, positive="1", **splits)
    assert measured(task).metrics["f1"] == 0


# -- rows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
def test_labels_do_not_depend_on_the_file_format(tmp_path, ending):
    rows = [{"text": text, "label": label} for text, label in zip(*texts_of(30), strict=True)]
    path = tmp_path / f"mine{ending}"
    if ending == ".parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert set(ProbeTask(name="t", title="T", train=Source(path=path)).read().labels["train"]) == {"0", "1"}


EASY = [(f"a{row}", row % 2) for row in range(30)]


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        (
            [("a", 1), ("b", 1)],
            None,
            r"task 't': all 2 training rows have the label '1': a classifier needs at least two classes",
        ),
        (EASY[:23], None, r"task 't': 11 training rows have the label '1', but 10 folds need 12 rows per label: give"),
        (EASY[:19], EASY, r"task 't': 9 training rows have the label '1', but 10 folds need 10 rows per label: give"),
        (
            [(text, f"{label}.5") for text, label in EASY],
            EASY,
            r"the label '0' is not among the training rows: use",
        ),
        (EASY, [("a", 0), ("b", "x")], r"task 't': the label 'x' is not among the training rows: use"),
        (EASY, [("a", 0)], r"task 't': no test row has the label '1', whose F1 is measured$"),
        ([(text, f"{label}.5") for text, label in EASY], None, r"task 't': no test row has the label '1', whose F1 is"),
        ([], None, r"all\.tsv has no rows for task 't'$"),
        (EASY, [], r"test\.tsv has no rows for task 't'$"),
        ([*EASY, ("", 1)], None, r"all\.tsv, line 32, text: expected a sentence, got ''$"),
        (
            [*EASY, ("a", "")],
            None,
            r"all\.tsv, line 32, label: expected a label \(a word or a whole number\), got ''$",
        ),
    ],
)
def test_unusable_rows(classes, train, test, message):
    task = ProbeTask(
        name="t",
        title="T",
        positive="1",
        train=classes("all", train),
        test=None if test is None else classes("test", test),
    )
    with pytest.raises(InputValueError, match=message):
        task.read()


def test_the_smallest_allowed_number_of_rows(classes):
    assert len(ProbeTask(name="t", title="T", train=classes("t", EASY[:24])).read()) == 24
    assert len(ProbeTask(name="t", title="T", train=classes("t", EASY[:20]), test=classes("u", EASY[:1])).read()) == 1
    few = ProbeTask(name="t", title="T", train=classes("t", EASY[:2]), dev=classes("d", EASY), test=classes("u", EASY))
    assert len(few.read()) == 30


def test_a_dev_split_without_a_test_split(classes):
    rows = classes("t", EASY)
    with pytest.raises(InputValueError, match=r"task 't': a dev split without a test split is never used: give both$"):
        ProbeTask(name="t", title="T", train=rows, dev=rows)


def test_wrong_columns(source):
    task = ProbeTask(name="t", title="T", train=source("t", ("sentence", "label"), EASY))
    with pytest.raises(InputValueError, match=r"line 2: no column 'text'; the columns are 'sentence', 'label'$"):
        task.read()
    task = ProbeTask(name="t", title="T", train=source("t", ("text", "class"), EASY))
    with pytest.raises(InputValueError, match=r"t\.tsv, line 2: no column 'label'; the columns are 'text', 'class'$"):
        task.read()


def test_blank_texts(classes, tmp_path):
    rows = [*EASY, ("", 1), (" ", 0)]
    task = ProbeTask(name="t", title="T", train=classes("t", rows), blank=True)
    assert task.read().texts["train"][-2:] == [("",), (" ",)]
    path = tmp_path / "none.jsonl"
    path.write_text('{"text": null, "label": 1}\n')
    with pytest.raises(InputValueError, match=r"none\.jsonl, line 1, text: expected a sentence, got None$"):
        ProbeTask(name="t", title="T", train=Source(path=path), blank=True).read()
    assert {name for name in (*TRANSFER, "cola") if TASKS.get(name).blank} == {"cr", "mpqa"}


# -- the registered tasks --------------------------------------------------------------------------


def test_the_registered_tasks():
    assert GROUPS["transfer"] == TRANSFER == tuple(ROWS)
    assert [task.name for task in resolve_all(["augcse"])] == ["cola", "anli"]
    for name, rows in ROWS.items():
        task = TASKS.get(name)
        splits = {split: getattr(task, split) for split in ("train", "dev", "test") if getattr(task, split)}
        assert {split: found.rows for split, found in splits.items()} == rows
        assert {found.hub_id for found in splits.values()} == {HUB[name]}
        assert (task.folds, task.seed) == (10, 1111)
    assert [name for name in ROWS if TASKS.get(name).positive] == ["mrpc"]
    cola = TASKS.get("cola")
    assert (cola.train.rows, cola.test.rows, cola.test.hub_split, cola.dev) == (8_551, 1_043, "validation", None)


def test_protocols():
    assert resolve("mrpc").protocol() == {
        "task": "mrpc", "kind": "ProbeTask", "columns": ("sentence1", "sentence2", "label"), "dev": None,
        "positive": "1", "blank": False, "folds": 10, "seed": 1111,
    }  # fmt: skip
    json.dumps(resolve("sst2").protocol())


def test_missing_files(tmp_path):
    (tmp_path / "trec-train.tsv").write_text("text\tlabel\n" + "".join(f"{text}\t{label}\n" for text, label in EASY))
    with pytest.raises(InputFileError, match=r"no trec-test\{.*\} in .*: it holds trec-train\.tsv$"):
        resolve("trec").read(tmp_path)
    with pytest.raises(
        InputFileError, match=r"cr-all: not on the Hub: set data_dir to a folder with cr-all\.tsv \(or .*\)$"
    ):
        resolve("cr").read()


@needs_shared
@pytest.mark.parametrize("name", TRANSFER)
def test_real_files(name):
    data = resolve(name).read(SHARED)
    assert {split: len(labels) for split, labels in data.labels.items()} == ROWS[name]
    assert {split: len(texts) for split, texts in data.texts.items()} == ROWS[name]
    assert set(data.labels["train"]) == set("012345" if name == "trec" else "01")
    blank = sum(not text.strip() for rows in data.texts.values() for texts in rows for text in texts)
    assert blank == {"cr": 4, "mpqa": 3}.get(name, 0)


@needs_shared
@pytest.mark.slow
def test_a_real_task(tmp_path):
    data = resolve("trec").read(SHARED)
    for split in ("train", "test"):
        rows = zip(data.texts[split], data.labels[split], strict=True)
        kept = [f"{text}\t{label}\n" for (text,), label in rows if label in "345"]
        (tmp_path / f"trec-{split}.tsv").write_text("text\tlabel\n" + "".join(kept), encoding="utf-8")
    # Questions about people, places and numbers use different words.
    model = Letters(("Who", "Where", "How", "many", "When", "Name", "city", "country"))
    found = evaluate(model, ["trec"], tmp_path)["trec"]
    assert found == evaluate(model, ["trec"], tmp_path)["trec"]
    assert 60 < found["accuracy"] < 100
    assert found["rows"] == 259
