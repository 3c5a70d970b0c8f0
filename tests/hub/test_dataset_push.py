"""Pushing rewritten rows: files, card, the command, and what is left if the push fails."""

import json
import re
import shlex
import subprocess
import sys
import types
from pathlib import Path

import pytest
from datasets import load_dataset
from huggingface_hub import DatasetCard as StockCard
from huggingface_hub import HfApi

import sda_hf
from sda_hf.augmentation.files import augment_file
from sda_hf.augmentation.publishing import push_file
from sda_hf.cli import main
from sda_hf.errors import InputValueError
from sda_hf.hub.upload import Target

ROOT = Path(__file__).parents[2]
TEXTS = ["He travelled widely in Europe.", "Hello!", "The [old] door is < 5 feet.", "It rains."]
ROWS = [
    {"text": TEXTS[0], "id": 0, "negation": "He didn't travel widely in Europe."},
    {"text": TEXTS[1], "id": 1, "negation": None},
    {"text": TEXTS[2], "id": 2, "negation": "The [old] door isn't < 5 feet."},
    {"text": TEXTS[3], "id": 3, "negation": "It doesn't rain."},
]


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"text": t, "id": i}) + "\n" for i, t in enumerate(TEXTS)), encoding="utf-8")
    return path


def augment(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["sda-hf", "augment", *map(str, arguments)])
    main()


def call(monkeypatch, *arguments):
    """The command in this process; its exit code."""
    with pytest.raises(SystemExit) as ended:
        augment(monkeypatch, *arguments)
    return ended.value.code


def files(hub, revision="main"):
    return hub.repos["datasets/me/pairs"].files(revision)


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_rows_round_trip(hub, source, monkeypatch, capsys, name):
    assert call(monkeypatch, source, name, "--augmenter", "negation", "--push", "me/pairs") == 0
    printed = capsys.readouterr().out
    assert printed.endswith(f"Written: {name}\nCreated: {hub.url}/datasets/me/pairs\n")
    assert set(files(hub)) == {"README.md", "data/train.parquet"}
    (code,) = re.findall(r"```python\n(.*?)```", files(hub)["README.md"].decode(), flags=re.DOTALL)
    names = {}
    exec(code, names)  # the usage in the card
    assert names["rows"].to_list() == ROWS
    assert not hub.repos["datasets/me/pairs"].private
    assert sorted(path.name for path in source.parent.iterdir() if path.name != "hf-home") == ["in.jsonl", name]


def test_the_card(hub, source, monkeypatch):
    assert call(monkeypatch, source, "out.jsonl", "--augmenter", "negation", "--seed", 3, "--push", "me/pairs") == 0
    card = StockCard.load("me/pairs")
    card.validate()
    assert card.data.to_dict() == {
        "language": ["en"],
        "pretty_name": "pairs",
        "size_categories": ["n<1K"],
        "task_categories": ["sentence-similarity"],
        "tags": ["sda-hf", "sentence-transformers"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": "train", "path": "data/train.parquet"}],
            }
        ],
    }
    for line in (
        "# pairs",
        f"Sentences and their rewrites by sda-hf {sda_hf.__version__}, for the contrastive training of sentence "
        "encoders.",
        "- Rows: 4",
        "- Licence: not stated; the licence of the source applies to the sentences.",
        "- Command: `sda-hf augment in.jsonl out.jsonl --augmenter negation --seed 3 --language en`",
        "| `text` | from the source |",
        "| `negation` | the sentence rewritten by `negation` |",
        "Shares are of the 4 sentences that were read.",
        "| negation | rewritten | 3 | 75.00 |",
        "| negation | do-support: past tense | 1 | 25.00 |",
        "| negation | skipped: no claim to negate | 1 | 25.00 |",
        f"Source: {sda_hf.Negation.source}. Limits:",
        *(f"- {limit}" for limit in sda_hf.Negation.limits),
        "| text | id | negation |",
        "| The &#91;old&#93; door is &lt; 5 feet. | 2 | The &#91;old&#93; door isn't &lt; 5 feet. |",
        "| Hello! | 1 | null |",
    ):
        assert line in card.text.splitlines()
    config = json.loads(re.search(r"```json\n(.*?)```", card.text, flags=re.DOTALL)[1])
    assert config == sda_hf.Negation(seed=3).get_config_dict()
    assert sda_hf.augmentation.from_config(config) == sda_hf.Negation(seed=3)


def test_the_card_of_chinese_sentences(hub, source, monkeypatch):
    texts = ["他昨天去了北京。", "你好！"]
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    options = ["--language", "zh", "--augmenter", "modal-verbs,negation", "--push", "me/pairs"]
    assert call(monkeypatch, source, "out.jsonl", *options) == 0
    card = StockCard.load("me/pairs")
    assert card.data.language == ["zh"]
    chinese, _, english = card.text.partition("\n## English\n\n")
    assert chinese.startswith("\n# pairs\n\n## 中文说明\n\n这个数据集由 sda-hf ")
    for line in (
        "- 行数：2",
        "- 命令：`sda-hf augment in.jsonl out.jsonl --augmenter modal-verbs,negation --seed 0 --language zh`",
        "- 读入的句子：2 句",
        "| `text` | 原数据 |",
        "| `modal-verbs` | 改写后的句子，方法为 `modal-verbs`（加情态词） |",
        "| `negation` | 改写后的句子，方法为 `negation`（否定） |",
        "- `modal-verbs`、`negation`：随包附带的分析器很小，长句和少见的句式可能分析错",
        "- `modal-verbs`：没有合适的情态动词时，改加“的确”“确实”等语气副词",
    ):
        assert line in chinese.splitlines()
    assert english.startswith("Sentences and their rewrites by sda-hf ")
    assert "| `negation` | the sentence rewritten by `negation` |" in english
    for code in re.findall(r"```python\n(.*?)```", card.text, flags=re.DOTALL):
        names = {}
        exec(code, names)
        assert names["rows"]["negation"][0] == "他昨天没去北京。"


def test_no_folders_and_no_tokens_in_the_card(hub, source, monkeypatch):
    parser = ROOT / "sda_hf" / "grammar" / "english" / "pipeline"
    arguments = ["--augmenter", "negation", "--parser", parser, "--push", "me/pairs"]
    assert call(monkeypatch, source, source.parent / "out.jsonl", *arguments) == 0
    card = files(hub)["README.md"].decode()
    options = "--augmenter negation --seed 0 --language en --parser pipeline"
    assert f"- Command: `sda-hf augment in.jsonl out.jsonl {options}`" in card.splitlines()
    assert '"parser": "pipeline"' in card
    for hidden in (str(source.parent), str(ROOT), str(Path.home()), hub.write_token):
        assert all(hidden.encode() not in data for data in files(hub).values())


def test_the_card_describes_the_fitted_augmenter(hub, source, monkeypatch):
    assert call(monkeypatch, source, "out.jsonl", "--augmenter", "tfidf-negatives", "--push", "me/pairs") == 0
    card = files(hub)["README.md"].decode()
    assert '"vocabulary": "fitted on 4 sentences"' in card


def test_several_augmenters_and_dropped_rows(hub, source):
    augmenters = {
        "negation": sda_hf.Negation(on_skip="drop"),
        "una": sda_hf.TfidfNegatives(),
        "comma": sda_hf.PunctuationInsertion(),
    }
    summary = augment_file(source, source.parent / "out.jsonl", augmenters)
    push_file(source.parent / "out.jsonl", Target("me/pairs", "dataset"), summary)
    card = StockCard.load("me/pairs").text
    for line in (
        "- Rows: 3",
        "- Command: not stated",
        "Shares are of the 4 sentences that were read.",
        "| negation | rewritten | 3 | 75.00 |",
        "| una | rewritten | 4 | 100.00 |",
    ):
        assert line in card.splitlines()
    assert '"vocabulary": "fitted on 4 sentences"' in card
    assert load_dataset("me/pairs", split="train").column_names == ["text", "id", *augmenters]


def test_pushing_again_sends_nothing_twice(hub, source, monkeypatch, capsys):
    arguments = [source, "out.jsonl", "--augmenter", "negation", "--push", "me/pairs"]
    assert call(monkeypatch, *arguments) == 0
    assert call(monkeypatch, *arguments) == 2
    assert "error: out.jsonl already exists: give another name, or overwrite it" in capsys.readouterr().err
    assert call(monkeypatch, *arguments, "--overwrite") == 0
    assert capsys.readouterr().out.endswith(f"Nothing has changed: {hub.url}/datasets/me/pairs\n")
    assert list(hub.uploads.values()) == [1]
    assert len(hub.repos["datasets/me/pairs"].log()) == 2


def test_a_model_of_the_same_name_stays(hub, source, monkeypatch):
    sda_hf.Negation().push_to_hub("me/pairs")
    before = hub.repos["me/pairs"].files()
    assert call(monkeypatch, source, "out.jsonl", "--augmenter", "negation", "--push", "me/pairs") == 0
    assert hub.repos["me/pairs"].files() == before
    assert load_dataset("me/pairs", split="train").to_list() == ROWS


def test_a_smaller_push_replaces_the_rows(hub, source, monkeypatch):
    arguments = [source, "out.jsonl", "--augmenter", "negation", "--push", "me/pairs"]
    assert call(monkeypatch, *arguments) == 0
    source.write_text(json.dumps({"text": TEXTS[0], "id": 0}) + "\n", encoding="utf-8")
    HfApi().upload_file(
        repo_id="me/pairs",
        repo_type="dataset",
        path_in_repo="data/train-00000-of-00001.parquet",
        path_or_fileobj=b"old",
    )
    assert call(monkeypatch, *arguments, "--overwrite") == 0
    assert load_dataset("me/pairs", split="train").to_list() == ROWS[:1]


def test_the_types_are_those_of_all_rows(hub, source):
    summary = augment_file(source, source.parent / "other.jsonl", {"negation": sda_hf.Negation()})
    out = source.parent / "out.jsonl"
    out.write_text('{"a": null, "b": 1}\n{"a": "x", "b": 2.5}\n{"c": ["2020-01-01"]}\n', encoding="utf-8")
    push_file(out, Target("me/pairs", "dataset"), summary)
    rows = load_dataset("me/pairs", split="train")
    assert rows.to_list() == [
        {"a": None, "b": 1.0, "c": None},
        {"a": "x", "b": 2.5, "c": None},
        {"a": None, "b": None, "c": ["2020-01-01"]},
    ]


# -- failures ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--push", "pairs"], "repository 'pairs' has no owner: write it as me/name"),
        (["--push", "me/pa irs"], "me/pa irs"),
        (["--private"], "--private has no effect without --push: add --push me/pairs"),
    ],
)
def test_mistakes_show_before_the_rewriting(source, monkeypatch, capsys, arguments, message):
    assert call(monkeypatch, source, "out.jsonl", "--augmenter", "negation", *arguments) == 2
    assert message in capsys.readouterr().err
    assert [path.name for path in source.parent.iterdir()] == ["in.jsonl"]


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".tsv"])
def test_formats_that_cannot_be_pushed(source, monkeypatch, capsys, suffix):
    assert call(monkeypatch, source, f"out{suffix}", "--augmenter", "negation", "--push", "me/pairs") == 2
    assert f"a {suffix} file cannot distinguish a missing rewrite from an empty one" in capsys.readouterr().err
    assert [path.name for path in source.parent.iterdir()] == ["in.jsonl"]


def failed(source):
    """What a failed push left: the rows of OUT, and the folder that was to be sent."""
    written = [json.loads(line) for line in (source.parent / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    (folder,) = source.parent.glob("out.jsonl.hub-*")
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert names == ["README.md", "data/train.parquet"]
    return written


def test_no_token(hub, source, monkeypatch, capsys):
    monkeypatch.delenv("HF_TOKEN")
    assert call(monkeypatch, source, "out.jsonl", "--augmenter", "negation", "--push", "me/pairs") == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error: no Hub token: log in with `hf auth login`, or set HF_TOKEN. out.jsonl is complete")
    assert failed(source) == ROWS
    assert hub.requests == []
    assert hub.repos == {}


@pytest.mark.slow
def test_the_command_of_the_message_completes_it(hub, source, tmp_path, monkeypatch, capsys):
    """The large file had arrived when the commit failed: the second attempt does not send it again."""
    hub.fail("POST", "/commit/", status=403)
    arguments = [source, "out.jsonl", "--augmenter", "negation", "--push", "me/pairs", "--private"]
    assert call(monkeypatch, *arguments) == 2
    out, err = capsys.readouterr()
    assert "Written: out.jsonl" in out
    error = err.splitlines()[-1]
    assert error.startswith("error: uploading ")
    assert failed(source) == ROWS
    assert files(hub) == {}
    program, *words = shlex.split(error.rpartition("upload it with: ")[2])
    assert program == "hf"
    command = [sys.executable, "-c", "from huggingface_hub.cli.hf import main; main()", *words]
    environment = hub.environment(tmp_path / "other-home") | {"COLUMNS": "120"}
    again = subprocess.run(command, cwd=source.parent, env=environment, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert hub.repos["datasets/me/pairs"].private
    assert load_dataset("me/pairs", split="train").to_list() == ROWS
    assert list(hub.uploads.values()) == [1]
    for text in (out, err, again.stdout, again.stderr):
        assert hub.write_token not in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"text": "a", "id": 1}\n{"text": "b", "id": "two"}\n', "column 'id' cannot be stored as Parquet"),
        ("", "has no rows: a dataset needs at least one"),
    ],
)
def test_rows_that_cannot_be_stored_leave_no_folder(hub, source, text, message):
    out = source.parent / "out.jsonl"
    out.write_text(text, encoding="utf-8")
    summary = augment_file(source, source.parent / "other.jsonl", {"negation": sda_hf.Negation()})
    with pytest.raises(InputValueError, match=message):
        push_file(out, Target("me/pairs", "dataset"), summary)
    assert hub.requests == []
    assert out.is_file()
    assert not list(source.parent.glob("*.hub-*"))


def test_an_interrupt_keeps_the_folder(hub, source, monkeypatch):
    def stop(seconds):
        raise KeyboardInterrupt

    summary = augment_file(source, source.parent / "out.jsonl", {"negation": sda_hf.Negation()})
    hub.fail("GET", "/api/datasets/me/pairs", status=503)
    monkeypatch.setattr("sda_hf.hub.retries.time", types.SimpleNamespace(sleep=stop))  # while it waits
    with pytest.raises(KeyboardInterrupt):
        push_file(source.parent / "out.jsonl", Target("me/pairs", "dataset"), summary)
    assert failed(source) == ROWS
