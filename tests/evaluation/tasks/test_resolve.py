"""Resolving tasks: registered names, files, mappings, groups and errors."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sda_hf.errors import InputError, InputFileError, InputTypeError, InputValueError
from sda_hf.evaluation import (
    GROUPS,
    SEVEN,
    TASKS,
    TRANSFER,
    CandidatesTask,
    Measurement,
    NegatedTask,
    OrderedPairsTask,
    PairData,
    PairTask,
    ProbeTask,
    Source,
    SquareTask,
    TripleTask,
    published_results,
    register_task,
    resolve,
    resolve_all,
)
from sda_hf.evaluation.tasks.registry import KINDS, kind


@pytest.fixture
def own_registry(monkeypatch):
    """A registry that is restored after the test."""
    monkeypatch.setattr(TASKS, "_entries", dict(TASKS.load()))


def test_the_registered_tasks():
    assert set(TASKS) >= {*SEVEN, *TRANSFER, "stsb-dev", "sickr-dev", "geometry", "cola", "anli"}
    for name in TASKS:
        task = TASKS.get(name)
        assert task.name == name
        assert task.title
        assert task.published == published_results(name)
        assert json.loads(json.dumps(task.protocol()))["task"] == name


def test_every_member_of_a_group_is_registered():
    assert set(GROUPS) >= {"sts", "transfer", "zh", "negation", "augcse", "geometry", "polarity", "polarity-dev"}
    for name, members in GROUPS.items():
        assert [task.name for task in resolve_all([name])] == list(members)


def test_kinds():
    assert {
        "pairs": PairTask,
        "triples": TripleTask,
        "ordered-pairs": OrderedPairsTask,
        "candidates": CandidatesTask,
        "negated": NegatedTask,
        "squares": SquareTask,
    } == KINDS


def test_registering_a_kind(monkeypatch):
    monkeypatch.setitem(KINDS, "own", None)  # so that it is taken out again

    @kind("own")
    class OwnTask(PairTask):
        pass

    assert type(resolve("own:a.tsv")) is OwnTask
    assert type(resolve({"path": "a.tsv", "kind": "own"})) is OwnTask


def test_registering_a_task(own_registry):
    task = PairTask(name="mine", title="My pairs")
    assert register_task(task) is task
    assert resolve("mine") is task
    with pytest.raises(ValueError, match="task 'mine' is already registered"):
        register_task(dataclasses.replace(task, title="Another"))


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({"name": "a/b"}, InputValueError, r"^task name 'a/b': use letters, digits, \"\.\", \"_\" and \"-\"$"),
        ({"name": ""}, InputValueError, r"^task name ''"),
        ({"name": "a:b"}, InputValueError, r"^task name 'a:b'"),
        ({"name": "-a"}, InputValueError, r"^task name '-a'"),
        ({"name": "a\n"}, InputValueError, r"^task name 'a\\n'"),
        ({"name": 3}, InputValueError, r"^task name 3"),
        (
            {"columns": ("a", "b")},
            InputValueError,
            r"^columns is \('a', 'b'\): give a different name for each",
        ),
        (
            {"columns": ("a", "b", "a")},
            InputValueError,
            r"^columns is \('a', 'b', 'a'\): give a different name for each",
        ),
        (
            {"columns": ()},
            InputValueError,
            r"^columns is \(\): give a different name for each",
        ),
        ({"columns": "abc"}, InputTypeError, r"^columns is 'abc': give a tuple of strings$"),
    ],
)
def test_invalid_fields(fields, error, message):
    with pytest.raises(error, match=message):
        PairTask(**{"name": "mine", "title": "Mine"} | fields)


@pytest.mark.parametrize("name", ["a", "图", "STS.b_2-x", "0", "mteb:NevIR"])
def test_valid_names(name):
    assert PairTask(name=name, title="T").name == name


def test_more_columns_than_roles():
    assert ProbeTask(name="m", title="M", train=Source(), columns=("a", "b", "label")).columns == ("a", "b", "label")


def test_headline():
    measurement = Measurement({"f1": 1.0, "accuracy": 2.0, "rows": 3}, np.zeros(3))
    assert measurement.headline == ("f1", 1.0)
    assert measurement.gold is None


def test_protocol():
    task = PairTask(name="mine", title="Mine", source=Source(path=Path("a.tsv")))
    assert task.protocol() == dataclasses.replace(task, title="Other", source=Source()).protocol()
    for change in ({"scale": (0, 1)}, {"aggregate": "mean"}, {"columns": ("a", "b", "c")}, {"name": "other"}):
        assert dataclasses.replace(task, **change).protocol() != task.protocol()
    assert resolve("triples:a.tsv").protocol()["kind"] == "TripleTask"


def test_own_files_have_no_published_results():
    assert resolve("stsb").published == published_results("stsb") != ()
    assert resolve("stsb.tsv").published == ()
    assert resolve("stsb.tsv").name == "stsb"


def test_reading_from_a_folder(tmp_path):
    below = tmp_path / "sts"
    below.mkdir()
    (below / "stsb-dev.csv").write_text('score,sentence2,sentence1,more\n1.5,"b, c",a,x\n2,d,e,y\n', encoding="utf-8")
    for folder in (below, str(below), tmp_path):
        assert TASKS.get("stsb-dev").read(folder) == PairData(["a", "e"], ["b, c", "d"], [1.5, 2.0])


def test_resolving_does_not_read_the_file():
    assert str(resolve("no/such/file.tsv").source.path) == "no/such/file.tsv"
    with pytest.raises(InputFileError, match=r"^no/such/file\.tsv: no such file$"):
        resolve("no/such/file.tsv").read()


def test_resolve_a_name_or_task():
    assert resolve("stsb") is TASKS.get("stsb")
    assert resolve(TASKS.get("stsb")) is TASKS.get("stsb")
    own = PairTask(name="mine", title="Mine")
    assert resolve(own) is own


def test_resolve_a_task_of_mteb():
    pytest.importorskip("mteb")
    task = resolve("mteb:NevIR")
    assert (task.name, task.metric, task.columns) == ("mteb:NevIR", "main_score", ())


def test_resolve_a_mapping(tmp_path):
    (tmp_path / "pairs.tsv").write_text("a\tb\tgold\nIt rains.\tIt pours.\t4\nIt rains.\tIt is dry.\t0\n")
    spec = {"name": "mine", "path": "pairs.tsv", "columns": {"sentence1": "a", "sentence2": "b", "score": "gold"}}
    task = resolve(spec, base=tmp_path)
    assert (task.name, task.title, task.source, task.published) == (
        "mine",
        "mine",
        Source(path=tmp_path / "pairs.tsv"),
        (),
    )
    assert task.read() == PairData(["It rains.", "It rains."], ["It pours.", "It is dry."], [4.0, 0.0])
    assert task.read(data_dir=tmp_path / "elsewhere") == task.read()


@pytest.mark.parametrize("name", ["pairs", "triples", "ordered-pairs", "candidates", "negated"])
def test_resolve_a_kind(name):
    for task in (resolve(f"{name}:data/x.jsonl"), resolve({"path": "data/x.jsonl", "kind": name})):
        assert type(task) is KINDS[name]
        assert (task.name, task.columns, str(task.source.path)) == ("x", KINDS[name].roles, "data/x.jsonl")


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("pairs.tsv", "pairs"),
        ("data/my pairs (2).tsv.gz", "my-pairs-2-"),
        ("图.jsonl", "图"),
        (".-hidden.csv", "hidden"),
        (Path("pairs.csv"), "pairs"),
        ({"path": "pairs.parquet", "name": None, "columns": None, "kind": None}, "pairs"),
    ],
)
def test_names_of_files(spec, name):
    assert resolve(spec).name == name


def test_resolve_paths(tmp_path):
    def path(*spec, **base):
        return resolve(*spec, **base).source.path

    assert path("data/pairs.tsv", base=tmp_path) == tmp_path / "data" / "pairs.tsv"
    assert path(str(tmp_path / "pairs.tsv"), base="elsewhere") == tmp_path / "pairs.tsv"
    assert path("~/pairs.tsv", base=tmp_path) == Path.home() / "pairs.tsv"
    assert path("pairs.tsv", base="~") == Path.home() / "pairs.tsv"
    assert path("triples:t.tsv", base=tmp_path) == tmp_path / "t.tsv"


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("sickrr", InputValueError, r"^unknown task 'sickrr': did you mean 'sickr'\? Known: anli, .*, zh-stsb-dev$"),
        (
            "transfr",
            InputValueError,
            r"^unknown task 'transfr': did you mean 'transfer'\? .* cr, geometry, glue",
        ),
        ("", InputValueError, r"^unknown task ''"),
        ("triples:", InputValueError, r"^unknown task 'triples:'"),
        ("sts", InputValueError, r"^'sts' is a group of tasks: choose one of sts12, .*, sickr$"),
        ("mteb:", InputValueError, r"^task name 'mteb:'"),
        ("pairs.txt", InputValueError, r"^pairs\.txt: unknown file format: use one of \.tsv"),
        ("data/pairs", InputValueError, r"^data/pairs: unknown file format: use one of \.tsv"),
        ({"path": "p.tsv", "colums": {}}, InputValueError, r"unknown key of a task 'colums': did you mean 'columns'"),
        (
            {"path": "p.tsv", "kind": "triple"},
            InputValueError,
            r"^unknown kind of task 'triple': did you mean 'trip",
        ),
        ({"path": "p.tsv", "kind": ["triples"]}, InputValueError, r"^unknown kind of task \['triples'\]: "),
        ({"path": "p.tsv", "columns": {"scor": "x"}}, InputValueError, r"column role 'scor': did you mean 'score'"),
        ({"path": "p.tsv", "columns": ["a", "b"]}, InputTypeError, r"^columns is \['a', 'b'\]: map "),
        ({"path": "p.tsv", "columns": {"score": "sentence1"}}, InputValueError, r"give a different name for each of "),
        ({"path": "p.tsv", "name": "a b"}, InputValueError, r"task name 'a b'"),
        ({"name": "stsb"}, InputTypeError, r"^task \{'name': 'stsb'\}: `path` is missing: give the path of a file"),
        ({"path": 3}, InputTypeError, r"`path` is 3: give the path of a file"),
        ({"path": "p.txt"}, InputValueError, r"p\.txt: unknown file format"),
        ({"path": ""}, InputValueError, r"unknown file format"),
        (["stsb"], InputTypeError, r"a task is a name, a path or a mapping with `path`, not \['stsb'\]"),
        (None, InputTypeError, r"a task is a name, a path or a mapping with `path`, not None"),
    ],
)
def test_invalid_specs(spec, error, message):
    with pytest.raises(error, match=message):
        resolve(spec)


def test_resolve_all_expands_groups_and_removes_duplicates():
    assert [task.name for task in resolve_all(["stsb", "sts", "trec", "stsb"])] == [
        "stsb", "sts12", "sts13", "sts14", "sts15", "sts16", "sickr", "trec",
    ]  # fmt: skip
    assert [task.name for task in resolve_all(("geometry",))] == ["geometry"]


def test_resolve_all_accepts_mixed_specs(tmp_path):
    own = PairTask(name="own", title="Own")
    tasks = resolve_all(["stsb", Path("a.tsv"), {"path": "b.tsv"}, "triples:c.tsv", own, "a.tsv"], base=tmp_path)
    assert [task.name for task in tasks] == ["stsb", "a", "b", "c", "own"]
    assert [task.source.path for task in tasks[1:4]] == [tmp_path / "a.tsv", tmp_path / "b.tsv", tmp_path / "c.tsv"]


@pytest.mark.parametrize(
    ("specs", "error", "message"),
    [
        ("stsb", InputTypeError, r"^tasks is 'stsb': give a list of tasks, \['stsb'\]$"),
        (Path("a.tsv"), InputTypeError, r"^tasks is \w+Path\('a\.tsv'\): give a list of tasks, \['a\.tsv'\]$"),
        ({"path": "a.tsv"}, InputTypeError, r"^tasks is \{'path': 'a\.tsv'\}: give a list of tasks$"),
        (None, InputTypeError, r"^tasks is None: give a list of tasks$"),
        (PairTask(name="m", title="M"), InputTypeError, r"^tasks is PairTask\(name='m', .*\): give a list of tasks$"),
        ([], InputValueError, r"^tasks is empty: give at least one task$"),
        (
            ["a.tsv", "other/a.tsv"],
            InputValueError,
            r"^two tasks are named 'a': give each a name of its own$",
        ),
        (["stsb", "stsb.tsv"], InputValueError, r"^two tasks are named 'stsb'"),
        (["sts", "sickrr"], InputValueError, r"^unknown task 'sickrr': did you mean 'sickr'"),
        ([["sts"]], InputTypeError, r"^a task is a name, a path or a mapping with `path`, not \['sts'\]$"),
    ],
)
def test_invalid_lists_of_specs(specs, error, message):
    with pytest.raises(error, match=message):
        resolve_all(specs)


@given(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=12))
def test_any_string_is_a_task_or_an_input_error(text):
    try:
        message = repr(resolve(text).name)
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1


def test_resolving_imports_nothing_heavy():
    code = (
        "import sys; from sda_hf.evaluation import resolve_all;"
        "resolve_all(['sts', 'transfer', 'zh', 'negation', 'geometry', 'a.tsv', 'triples:b.tsv']);"
        "print({'torch', 'transformers', 'datasets', 'evaluate', 'sklearn', 'scipy', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
