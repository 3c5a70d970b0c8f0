"""Runs on the Hub: what goes there and what stays, and that others load it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import sda_hf
from sda_hf.errors import InputFileError, InputValueError
from sda_hf.hub.push import push_run, without_places
from sda_hf.hub.upload import Target

TEXTS = ["the door is locked", "the door is not locked", "a cat"]
RECIPE = {
    "model": "/home/somebody/models/bert",
    "data": {"files": ["/home/somebody/Texte/Sätze.txt", "https://example.org/a/b.txt"], "limit": None},
    "training": {"learning_rate": 3e-5},
    "evaluation": {"test": ["stsb", "triples:/data/t.tsv", {"name": "stsb", "path": "~/pairs.tsv"}]},
    "output": "C:\\Users\\somebody\\run",
}
PUBLIC = {
    "model": "bert",
    "data": {"files": ["Sätze.txt", "https://example.org/a/b.txt"], "limit": None},
    "training": {"learning_rate": 3e-5},
    "evaluation": {"test": ["stsb", "triples:t.tsv", {"name": "stsb", "path": "pairs.tsv"}]},
    "output": "run",
}
MODEL = {
    "1_Pooling/config.json",
    "config.json",
    "config_sentence_transformers.json",
    "model.safetensors",
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
}
OURS = {"README.md", "recipe.yaml", "metrics.json", "versions.json"}
STAYS = [
    ".README.md.0c7c9d",
    ".model.0c7c9d/model.safetensors",
    "1_Pooling/.config.json.0c7c9d",
    "checkpoints/checkpoint-2/model.safetensors",
    "checkpoints/checkpoint-2/optimizer.pt",
    "checkpoints/checkpoint-2/pytorch_model.bin",
    "training_args.bin",
    "rng.pkl",
    "scheduler.pt",
    "state.pth",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A tiny BERT with mean pooling, as a run saves one."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("bert")
    words = ["[PAD]", "[UNK]", *sorted({word for text in TEXTS for word in text.split()})]
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]").save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=16,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(0)
        BertModel(config).save_pretrained(folder)
    return SentenceTransformer(modules=[Transformer(str(folder)), Pooling(16)], device="cpu")


@pytest.fixture
def run(model, tmp_path):
    """The folder of a finished run, with all that may lie in one."""
    folder = tmp_path / "run"
    model.save_pretrained(str(folder), create_model_card=False)
    (folder / "README.md").write_text("---\nlicense: mit\n---\n# Tiny\n", encoding="utf-8")
    (folder / "recipe.yaml").write_text(yaml.safe_dump(RECIPE, allow_unicode=True), encoding="utf-8")
    (folder / "metrics.json").write_text('{"before": {}, "after": {"stsb": {"spearman": 1.5}}}', encoding="utf-8")
    (folder / "versions.json").write_text('{"torch": "2"}', encoding="utf-8")
    for name in STAYS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"not for others")
    before = read(folder)
    yield folder
    assert read(folder) == before


def read(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# -- what goes there ----------------------------------------------------------------------------------


def test_a_run(hub, run):
    done = push_run(run, Target("me/name"), message="a run")
    found = hub.repos["me/name"].files()
    assert set(found) == MODEL | OURS
    here = read(run)
    assert all(found[name] == here[name] for name in found if name != "recipe.yaml")
    assert yaml.safe_load(found["recipe.yaml"]) == PUBLIC
    assert b"somebody" not in b"".join(found.values())
    assert (done.url, done.created, hub.repos["me/name"].at("main").title) == (f"{hub.url}/me/name", True, "a run")
    assert push_run(str(run), Target("me/name")).unchanged
    assert len(hub.uploads) == sum(hub.uploads.values()) == 1


def test_a_recipe_without_places_stays_word_for_word(hub, run):
    before = (run / "recipe.yaml").read_bytes()
    (run / "recipe.yaml").write_text("model:   bert  # a comment\n", encoding="utf-8")
    push_run(run, Target("me/name"))
    assert hub.repos["me/name"].files()["recipe.yaml"] == b"model:   bert  # a comment\n"
    (run / "recipe.yaml").write_bytes(before)


def test_a_model_that_sentence_transformers_saved(hub, model, tmp_path):
    model.save_pretrained(str(tmp_path / "plain"))
    push_run(tmp_path / "plain", Target("me/plain", private=True))
    assert set(hub.repos["me/plain"].files()) == MODEL | {"README.md"}
    assert hub.repos["me/plain"].private


def test_the_second_push_finishes_the_first(hub, run, waits):
    hub.cut("PUT", "/lfs/", after_bytes=1000, times=6)
    with pytest.raises(InputFileError, match="nothing was lost: pushing again finishes it$"):
        push_run(run, Target("me/name"))
    assert hub.repos["me/name"].files() == {}
    push_run(run, Target("me/name"))
    assert set(hub.repos["me/name"].files()) == MODEL | OURS
    assert list(hub.uploads.values()) == [1]


# -- that others load it ------------------------------------------------------------------------------

OTHERS = """
import json, sys
sys.modules["sda_hf"] = None  # importing it raises
import torch
from sentence_transformers import SentenceTransformer
from transformers import AutoModel, AutoTokenizer

name, revision, texts = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
vectors = SentenceTransformer(name, revision=revision, device="cpu").encode(texts)
tokens = AutoTokenizer.from_pretrained(name, revision=revision)(texts, padding=True, return_tensors="pt")
with torch.no_grad():
    states = AutoModel.from_pretrained(name, revision=revision)(**tokens).last_hidden_state
mask = tokens["attention_mask"].unsqueeze(-1)
print(json.dumps([vectors.tolist(), ((states * mask).sum(1) / mask.sum(1)).tolist()]))
"""


@pytest.mark.parametrize(
    ("target", "revision"),
    [
        (Target("me/name"), "main"),
        (Target("me/name", private=True, revision="v2"), "v2"),
        (Target("me/name", create_pr=True), "refs/pr/1"),
    ],
    ids=["main", "private-branch", "pull-request"],
)
def test_it_loads_where_nobody_has_heard_of_us(hub, run, model, tmp_path, target, revision):
    push_run(run, target)
    command = [sys.executable, "-c", OTHERS, "me/name", revision, json.dumps(TEXTS)]
    done = subprocess.run(command, env=hub.environment(tmp_path / "home"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    sentences, plain = json.loads(done.stdout)
    np.testing.assert_allclose(sentences, model.encode(TEXTS), atol=1e-6)
    np.testing.assert_allclose(plain, model.encode(TEXTS), atol=1e-6)


# -- what is refused ----------------------------------------------------------------------------------


def test_what_is_no_run(hub, run, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in (tmp_path / "none", tmp_path / "file"):
        with pytest.raises(InputFileError, match=r"is no folder: give that of a finished run or of a saved model$"):
            push_run(place, Target("me/name"))
    with pytest.raises(
        InputFileError, match=r"holds no saved model \(no modules\.json\): give the folder of a finished run$"
    ):
        push_run(run / "checkpoints", Target("me/name"))
    assert hub.requests == []


def test_a_run_that_is_not_finished(hub, run):
    before = (run / "metrics.json").read_bytes()
    (run / "metrics.json").write_text('{"before": {}, "seed": 0}', encoding="utf-8")
    with pytest.raises(InputFileError) as caught:
        push_run(run, Target("me/name"))
    (run / "metrics.json").write_bytes(before)
    assert str(caught.value) == (
        f"the run in {run} is not finished: go on with `sda-hf train ... --resume`, then push it"
    )
    assert hub.requests == []


@pytest.mark.parametrize(
    ("name", "text"), [("metrics.json", "{"), ("recipe.yaml", "model: ["), ("recipe.yaml", "\x00")]
)
def test_files_that_are_broken(hub, run, name, text):
    before = (run / name).read_bytes()
    (run / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputFileError, match=f"^cannot read .*{re.escape(name)}: "):
        push_run(run, Target("me/name"))
    (run / name).write_bytes(before)
    assert hub.requests == []


def test_weights_in_a_pickle(hub, run):
    (run / "model.safetensors").rename(run / "pytorch_model.bin")
    with pytest.raises(InputFileError) as caught:
        push_run(run, Target("me/name"))
    (run / "pytorch_model.bin").rename(run / "model.safetensors")
    assert re.fullmatch(
        r".*\.bin is a pickle, which is not pushed: save the model with safetensors "
        r"\(model\.save_pretrained\(FOLDER\)\) and push that",
        str(caught.value),
    )
    assert hub.requests == []


def test_faults_come_through(hub, run, monkeypatch):
    monkeypatch.delenv("HF_TOKEN")
    with pytest.raises(InputValueError, match="^no token for the Hub: log in with `hf auth login`, or set HF_TOKEN$"):
        push_run(run, Target("me/name"))


# -- places -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/home/me/a.txt", "a.txt"),
        ("/home/me/folder/", "folder"),
        ("~/a.txt", "a.txt"),
        ("~me/a.txt", "a.txt"),
        ("C:\\Users\\me\\a.txt", "a.txt"),
        ("C:/Users/me/a.txt", "a.txt"),
        ("\\\\server\\share\\a.txt", "a.txt"),
        ("file:///home/me/a.txt", "a.txt"),
        ("triples:/home/me/a.txt", "triples:a.txt"),
        ("ordered-pairs:C:\\me\\a.txt", "ordered-pairs:a.txt"),
        ("/home/me/two\nlines", "two\nlines"),
        ("folder/a.txt", "folder/a.txt"),
        ("../a.txt", "../a.txt"),
        ("org/model", "org/model"),
        ("mteb:NevIR", "mteb:NevIR"),
        ("https://example.org/a/b", "https://example.org/a/b"),
        ("hf://datasets/me/pairs", "hf://datasets/me/pairs"),
        ("A sentence with a / in it.", "A sentence with a / in it."),
        (3e-5, 3e-5),
        (None, None),
        (True, True),
    ],
)
def test_places(value, expected):
    assert without_places(value) == expected
    assert without_places({"a": [{"b": value}]}) == {"a": [{"b": expected}]}


PARTS = st.text("abcß_-. 1", min_size=1).filter(lambda part: part.strip(". "))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("ab/\\:~ -"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/", max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(PARTS, min_size=1, max_size=4), st.sampled_from(["/", "triples:/", "file:///", "~/", "D:\\"]))
def test_of_a_place_the_last_part_stays(parts, start):
    kept = "triples:" if start == "triples:/" else ""
    assert without_places(start + "/".join(parts)) == kept + parts[-1]


@given(VALUES)
def test_a_value_keeps_its_shape(value):
    """Nothing but strings changes, and of them one part is left."""

    def compare(old, new):
        assert type(old) is type(new)
        if isinstance(old, dict):
            assert list(old) == list(new)
            old, new = list(old.values()), list(new.values())
        if isinstance(old, list):
            for one, other in zip(old, new, strict=True):
                compare(one, other)
        else:
            assert old == new or (isinstance(old, str) and len(new) < len(old) and not set(new) & set("/\\"))

    compare(value, without_places(value))


# -- the package itself -------------------------------------------------------------------------------

FORBIDDEN = re.compile(
    r"^\s*(import|from)\s+(pickle|cPickle|cloudpickle|dill|marshal|shelve)\b"
    r"|\bpickle\.\w|\btorch\s*\.\s*(save|load)\b|\bjoblib\s*\.\s*(dump|load)\b|from\s+joblib\s+import.*\b(dump|load)\b"
    r"|from\s+torch\s+import.*\b(save|load)\b|allow_pickle|trust_remote_code[\"']?\s*[=:]\s*(?!False)",
    re.MULTILINE,
)


def test_no_pickle_and_no_code_from_elsewhere():
    sources = {path: path.read_text(encoding="utf-8") for path in Path(sda_hf.__file__).parent.rglob("*.py")}
    assert len(sources) > 100
    assert not {str(path): found[0] for path, text in sources.items() if (found := FORBIDDEN.search(text))}


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "    from pickle import load",
        "x = pickle.loads(b'')",
        "torch.save(x, 'a')",
        "torch.load('a', weights_only=True)",
        "joblib.dump(x, 'a')",
        "AutoModel.from_pretrained(x, trust_remote_code=True)",
        "options = {'trust_remote_code': True}",
        "np.load(x, allow_pickle=True)",
    ],
)
def test_the_search_finds_them(line):
    assert FORBIDDEN.search(f"a = 1\n{line}\n")
