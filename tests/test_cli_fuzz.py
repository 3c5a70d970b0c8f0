"""Random mistakes on the command line: each is told in a line or two, and none shows a traceback."""

import gzip
import io
import random
import sys

import pytest
import typer

from sda_hf.cli import app, main

VALID = [
    ["augment", "in.txt", "out.jsonl", "--augmenter", "negation"],
    ["augment", "in.csv", "out.parquet", "--augmenter", "modal-verbs,negation", "--column", "text", "--seed", "1"],
    ["augment", "in.jsonl.gz", "out.tsv", "--augmenter", "crop", "--overwrite", "--safe-csv"],
    ["augment", "in.txt", "out.jsonl", "--augmenter", "negation", "--coverage", "full", "--sentences", "all"],
    ["augment", "in.csv", "out.jsonl.gz", "--triplets", "modal-verbs,negation", "--encoding", "latin-1"],
    [
        "augment",
        "in.csv",
        "-",
        "--augmenter",
        "chain.yaml",
        "--set",
        "chain.seed=1",
        "--copies",
        "2",
        "--delimiter",
        ",",
    ],
    ["augment", "-", "-", "--augmenter", "crop", "--input-format", "csv", "--format", "tsv", "--on-skip", "drop"],
    ["explain", "He left.", "--augmenter", "negation", "--language", "en", "--json"],
    ["explain", "他走了。", "--language", "zh", "--coverage", "full"],
    ["augmenters", "--language", "zh"],
    ["recipes"],
    ["card", "run"],
    ["push", "run", "--repo-id", "me/name", "--private", "--revision", "main"],
]
# These load models or train if nothing is wrong with them; something always is.
WRONG = [
    ["train", "nowhere.yaml"],
    ["train", "quickstrat"],
    ["train", "run.yaml", "--set", "training.sed=1"],
    ["train", "run.yaml", "--set", "data.files=nowhere.txt", "--output", "o"],
    ["train", "run.yaml", "--set", "loss=opposition", "--resume"],
    ["train", "run.yaml", "--seeds", "a,b", "--output", "o"],
    ["train", "broken.yaml", "--overwrite", "--trust-parser"],
    ["sweep", "run.yaml", "--grid", "loss.margn=1,2"],
    ["sweep", "run.yaml", "--grid", "training.batch_size=x", "--seeds", "0"],
    ["evaluate", "nowhere", "--tasks", "pairs.tsv"],
    ["evaluate", "run", "--tasks", "stbs", "--batch-size", "8"],
    ["evaluate", "run", "--tasks", "sickr", "--data-dir", "nowhere", "--report", "in.txt"],
]
FILES = [
    "in.txt",
    "in.csv",
    "in.jsonl.gz",
    "nowhere.txt",
    "empty.txt",
    "empty.csv",
    "latin.txt",
    "utf16.csv",
    "binary.parquet",
    "cut.jsonl.gz",
    "not.gz",
    "open.csv",
    "ragged.tsv",
    "broken.jsonl",
    "numbers.jsonl",
    "nulls.jsonl",
    "twice.csv",
    "run.yaml",
    "broken.yaml",
    "chain.yaml",
    "folder",
    "folder/in.txt",
    "a\0b.txt",
    "x" * 300 + ".txt",
    "-",
    "",
    "/dev/null",
    "../..",
    "http://localhost:1/in.txt",
]
VALUES = [
    "",
    " ",
    ",",
    "-",
    "--",
    "x",
    "xx",
    "negatoin",
    "negation,crop",
    "tfidf-negatives",
    "one-of",
    "triplets",
    "paraphrase",
    "en_none",
    "folder",
    "in.txt",
    "nowhere",
    "nope nope",
    "me/name",
    "a/b/c",
    "x.y.z=1",
    "loss.name=x",
    "training.batch_size=-1",
    "=",
    "[]",
    "{a: [",
    "0",
    "-1",
    "1.5",
    "0,0",
    "9" * 400,
    "1e999",
    "\n",
    "\x1b[2J",
    "\ud800",
    "nul\0",
    "💥",
]
# Command → its options, and whether each takes a value.
OPTIONS = {
    name: {option.opts[0]: not option.is_flag for option in command.params if hasattr(option, "is_flag")}
    for name, command in typer.main.get_command(app).commands.items()
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with files of every kind of mistake."""
    texts = {
        "in.txt": "He left.\nHello!\n",
        "in.csv": 'text,id\n"He left, early.",1\n',
        "empty.txt": "",
        "empty.csv": "",
        "open.csv": 'text\n"He left.\n',
        "ragged.tsv": "text\tid\nHe left.\n",
        "broken.jsonl": '{"text": "He left."}\n{"text": \n',
        "numbers.jsonl": '{"text": 1}\n[2]\n',
        "nulls.jsonl": '{"text": null}\n{"text": "\\u0000 \\ud800"}\n',
        "twice.csv": "text,text\na,b\n",
        "not.gz": "He left.\n",
        "pairs.tsv": "sentence1\tsentence2\tscore\nHe left.\tShe left.\t3\nIt rains.\tIt did.\t4\nOh.\tNo.\t1\n",
        "chain.yaml": "name: chain\naugmenters: [{name: negation}]\n",
        "broken.yaml": "model: m\ndata: {files: [}\n",
        "run.yaml": "model: {build: {layers: 1}}\ndata: {files: in.txt}\ntraining: {max_steps: 1}\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "latin.txt").write_bytes("He left.\nCafé.\n".encode("latin-1"))
    (tmp_path / "utf16.csv").write_bytes("text\nHe left.\n".encode("utf-16"))
    (tmp_path / "binary.parquet").write_bytes(bytes(range(256)) * 4)
    whole = gzip.compress(b'{"text": "He left."}\n' * 100)
    (tmp_path / "in.jsonl.gz").write_bytes(whole)
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[:40])
    for name in ("folder", "run"):
        (tmp_path / name).mkdir()
    (tmp_path / "folder" / "in.txt").write_text("It rains.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    return tmp_path


def mistaken(rng: random.Random) -> list[str]:
    """A command with one to three mistakes."""
    words = list(rng.choice(VALID + WRONG))
    if words in WRONG:  # nothing is done that may mend it
        for _ in range(rng.randint(0, 2)):
            words += option_of(words, rng)
        return words
    for _ in range(rng.randint(1, 3)):
        words = with_mistake(words, rng)
    return words


def with_mistake(words: list[str], rng: random.Random) -> list[str]:
    """The words of a command, one of which is changed, missing or too many."""
    command, *rest = words
    place = rng.randrange(max(1, len(rest)))
    word = rest[place] if rest else ""
    letter = rng.randrange(max(1, len(word)))
    changed = {
        "drop": [],
        "twice": [word, word],
        "value": [rng.choice(VALUES)],
        "file": [rng.choice(FILES)],
        "typo": [word[:letter] + rng.choice("abz-=,.0/ é") + word[letter + 1 :]],
        "first": [rest[0], word] if rest else [],
    }
    kind = rng.choice([*changed, "value", "file", "file", "option", "option"])
    if kind == "option" or not rest:
        return words + option_of(words, rng)
    if kind == "file":  # of the input or the output
        place = min(place, 1)
    return [command, *rest[:place], *changed[kind], *rest[place + 1 :]]


def option_of(words: list[str], rng: random.Random) -> list[str]:
    """An option that the command has and was not given, with any value; now and then one that it does not have."""
    options = OPTIONS.get(words[0], {})
    left = [name for name in options if name not in words]
    if not left or rng.random() < 0.1:
        return ["--nope"]
    name = rng.choice(left)
    return [name, rng.choice(VALUES + FILES)] if options[name] else [name]


def check(words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sda-hf", *words])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"text,id\nHe left.,1\n")))
    with pytest.raises(SystemExit) as ended:  # typer ends every command so
        main()
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    assert ended.value.code in (0, 2), (ended.value.code, err)
    if ended.value.code == 2:
        told = [line for line in err.splitlines() if line.startswith("error: ")]
        assert len(told) == 1 or "─ Error ─" in err, err
        assert all(len(line) < 3000 for line in told)
    assert "\x1b[2J" not in out + err


@pytest.mark.parametrize(
    "seeds", [range(40), pytest.param(range(40, 300), marks=pytest.mark.slow)], ids=["a sample", "all"]
)
def test_random_mistakes_show_no_traceback(seeds, folder, monkeypatch, capsys):
    before = contents(folder)
    for seed in seeds:
        words = mistaken(random.Random(seed))
        check(words, monkeypatch, capsys)
        after = contents(folder)
        if "--overwrite" not in words:
            assert before.items() <= after.items(), f"a file was written over by {words}"
        before = after


def contents(folder):
    return {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
