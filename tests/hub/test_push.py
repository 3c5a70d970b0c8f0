"""Pushed runs: what goes to the Hub and what stays, and that others can load it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

import sda_hf
from sda_hf.errors import InputFileError
from sda_hf.hub.push import push_run
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
    """The folder of a finished run, with everything that may be in one."""
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
    assert (done.url, done.created, hub.repos["me/name"].at().title) == (f"{hub.url}/me/name", True, "a run")
    assert push_run(str(run), Target("me/name")).unchanged
    assert len(hub.uploads) == sum(hub.uploads.values()) == 1


def test_a_recipe_without_folders_stays_as_it_is(hub, run):
    before = (run / "recipe.yaml").read_bytes()
    (run / "recipe.yaml").write_text("model:   bert  # a comment\n", encoding="utf-8")
    push_run(run, Target("me/name"))
    assert hub.repos["me/name"].files()["recipe.yaml"] == b"model:   bert  # a comment\n"
    (run / "recipe.yaml").write_bytes(before)


def test_a_model_that_sentence_transformers_saved(hub, model, tmp_path):
    model.save_pretrained(str(tmp_path / "plain"))
    push_run(tmp_path / "plain", Target("me/plain", private=True))
    files = hub.repos["me/plain"].files()
    assert set(files) == MODEL | {"README.md"}
    assert b'SentenceTransformer("me/plain")' in files["README.md"]
    assert hub.repos["me/plain"].private


# -- that others can load it --------------------------------------------------------------------------

OTHERS = """
import json, sys
sys.modules["sda_hf"] = None  # importing it raises
import torch
from sentence_transformers import SentenceTransformer
from transformers import AutoModel, AutoTokenizer

found = []
for revision in ("main", "v2", "refs/pr/1"):
    vectors = SentenceTransformer("me/name", revision=revision, device="cpu").encode(json.loads(sys.argv[1]))
    found.append(vectors.tolist())
tokens = AutoTokenizer.from_pretrained("me/name")(json.loads(sys.argv[1]), padding=True, return_tensors="pt")
with torch.no_grad():
    states = AutoModel.from_pretrained("me/name")(**tokens).last_hidden_state
mask = tokens["attention_mask"].unsqueeze(-1)
print(json.dumps([*found, ((states * mask).sum(1) / mask.sum(1)).tolist()]))
"""


@pytest.mark.slow
def test_it_loads_without_this_package(hub, run, model, tmp_path):
    push_run(run, Target("me/name", private=True, revision="v2"))
    push_run(run, Target("me/name", private=True, create_pr=True))
    push_run(run, Target("me/name", private=True))
    command = [sys.executable, "-c", OTHERS, json.dumps(TEXTS)]
    done = subprocess.run(command, env=hub.environment(tmp_path / "home"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    vectors = json.loads(done.stdout)
    assert len(vectors) == 4
    for found in vectors:
        np.testing.assert_allclose(found, model.encode(TEXTS), atol=1e-6)


# -- what is refused ----------------------------------------------------------------------------------


def test_folders_without_a_run(hub, run, tmp_path):
    with pytest.raises(InputFileError, match=r"is not a folder: give that of a finished run or of a saved model$"):
        push_run(tmp_path / "none", Target("me/name"))
    with pytest.raises(
        InputFileError, match=r"holds no saved model \(no modules\.json\): give the folder of a finished"
    ):
        push_run(run / "checkpoints", Target("me/name"))
    assert hub.requests == []


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("metrics.json", '{"before": {}, "seed": 0}', "is not finished: resume it with `sda-hf train --resume`, then"),
        ("metrics.json", "{", r"^cannot read .*metrics\.json: Invalid JSON"),
        ("recipe.yaml", "model: [", r"^cannot read .*recipe\.yaml: .*: fix it, or remove it$"),
        ("recipe.yaml", "\x00", r"^cannot read .*recipe\.yaml: "),
    ],
)
def test_refused_files(hub, run, name, text, message):
    before = (run / name).read_bytes()
    (run / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputFileError, match=re.compile(message, re.DOTALL)):
        push_run(run, Target("me/name"))
    (run / name).write_bytes(before)
    assert hub.requests == []


def test_weights_in_a_pickle(hub, run):
    (run / "model.safetensors").rename(run / "pytorch_model.bin")
    with pytest.raises(
        InputFileError, match=r"\.bin is a pickle, which is not pushed: save the model with safetensors"
    ):
        push_run(run, Target("me/name"))
    (run / "pytorch_model.bin").rename(run / "model.safetensors")
    assert hub.requests == []


# -- links ---------------------------------------------------------------------------------------------


@pytest.fixture
def elsewhere(tmp_path):
    """A folder with a file that nobody means to publish."""
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "key.json").write_text("{}", encoding="utf-8")
    return tmp_path / "private"


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("notes.json", "key.json"),
        ("1_Pooling/notes.json", "key.json"),
        ("assets", "."),
        ("1_Pooling/assets", "."),
        ("dangling.json", "none"),
        ("loop", "../run"),
    ],
)
def test_a_symbolic_link_is_refused(hub, run, elsewhere, name, target):
    (run / name).symlink_to(elsewhere / target)
    with pytest.raises(InputFileError, match=rf"^{re.escape(str(run / name))} is a symbolic link, and what it"):
        push_run(run, Target("me/name"))
    assert hub.requests == []
    (run / name).unlink()


@pytest.mark.parametrize("name", ["README.md", "recipe.yaml", "metrics.json", "model.safetensors"])
def test_files_of_a_run_that_are_links(hub, run, elsewhere, name):
    before = (run / name).read_bytes()
    (run / name).rename(elsewhere / name)
    (run / name).symlink_to(elsewhere / name)
    with pytest.raises(InputFileError, match=rf"{re.escape(name)} is a symbolic link"):
        push_run(run, Target("me/name"))
    assert hub.requests == []
    (run / name).unlink()
    (run / name).write_bytes(before)


def test_hard_links_and_links_that_are_not_pushed(hub, run, elsewhere, tmp_path):
    shutil.copytree(run, tmp_path / "linked", ignore=shutil.ignore_patterns("checkpoints"))
    (tmp_path / "linked" / "checkpoints").symlink_to(elsewhere)
    (tmp_path / "linked" / ".cache").symlink_to(elsewhere)
    (tmp_path / "linked" / "hard.json").hardlink_to(elsewhere / "key.json")
    (tmp_path / "latest").symlink_to(tmp_path / "linked")  # named by the user
    push_run(tmp_path / "latest", Target("me/name"))
    assert set(hub.repos["me/name"].files()) == MODEL | OURS | {"hard.json"}


# -- tokens --------------------------------------------------------------------------------------------

TOKEN = "hf_" + "aB3" * 11 + "x"
LEAKS = {
    "recipe.yaml": f"""\
model: bert  # {TOKEN}
data: {{files: ['https://me:{TOKEN}@example.org/a.txt'], license: {TOKEN}}}
augmentation: {{name: negation, input_column: {TOKEN}}}
training: {{arguments: {{run_name: {TOKEN}, hub_token: abc, {TOKEN}: 1}}}}
""",
    "metrics.json": f'{{"before": {{}}, "after": {{}}, "examples": [{{"anchor": "{TOKEN}"}}]}}',
    "versions.json": f'{{"torch": "{TOKEN}"}}',
    "README.md": f"# Mine\n\nSee https://me:secret@example.org/ and {TOKEN}.\n",
}


@pytest.mark.parametrize("name", LEAKS)
def test_tokens_are_removed_from_the_files_of_a_run(hub, run, name):
    before = (run / name).read_bytes()
    (run / name).write_text(LEAKS[name], encoding="utf-8")
    push_run(run, Target("me/name"))
    pushed = hub.repos["me/name"].files()
    assert TOKEN.encode() not in b"".join(pushed.values())
    assert b"secret" not in pushed["README.md"]
    assert b"not shown" in pushed[name]
    if name == "recipe.yaml":
        assert yaml.safe_load(pushed[name])["training"]["arguments"] == {
            "run_name": "not shown",
            "hub_token": "not shown",
            "not shown": 1,
        }
    (run / name).write_bytes(before)


def test_a_token_in_a_comment_alone(hub, run):
    before = (run / "recipe.yaml").read_bytes()
    (run / "recipe.yaml").write_text(f"model: bert  # {TOKEN}\n", encoding="utf-8")
    push_run(run, Target("me/name"))
    assert hub.repos["me/name"].files()["recipe.yaml"] == b"model: bert\n"
    (run / "recipe.yaml").write_bytes(before)


@pytest.mark.parametrize("name", ["config.json", "1_Pooling/config.json", "notes.txt", "train.py", "augmenter.json"])
def test_a_token_in_another_file_is_refused(hub, run, name):
    before = (run / name).read_bytes() if (run / name).exists() else None
    (run / name).write_text(f'{{\n"a": "{TOKEN}"}}', encoding="utf-8")
    with pytest.raises(
        InputFileError, match=rf"^{re.escape(str(run / name))}, line 2: holds a token, or a URL with a password"
    ) as caught:
        push_run(run, Target("me/name"))
    assert TOKEN not in str(caught.value)
    assert hub.requests == []
    (run / name).unlink() if before is None else (run / name).write_bytes(before)


# -- the package itself -------------------------------------------------------------------------------

FORBIDDEN = re.compile(
    r"^\s*(import|from)\s+(pickle|cPickle|cloudpickle|dill|marshal|shelve)\b"
    r"|\bpickle\.\w|\btorch\s*\.\s*(save|load)\b|\bjoblib\s*\.\s*(dump|load)\b|from\s+joblib\s+import.*\b(dump|load)\b"
    r"|from\s+torch\s+import.*\b(save|load)\b|allow_pickle|trust_remote_code[\"']?\s*[=:]\s*(?!False)",
    re.MULTILINE,
)


def test_no_pickle_and_no_remote_code():
    sources = {path: path.read_text(encoding="utf-8") for path in Path(sda_hf.__file__).parent.rglob("*.py")}
    assert len(sources) > 100
    assert not {str(path): found[0] for path, text in sources.items() if (found := FORBIDDEN.search(text))}
    assert FORBIDDEN.search("x = torch.load('a', weights_only=True)")
