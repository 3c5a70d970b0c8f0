"""Loading encoders: clear errors for everything that is not one."""

import json
import re
import shutil

import pytest
import torch
from transformers import BertConfig, BertForSequenceClassification, BertModel

from sda_hf.errors import InputFileError, InputTypeError, InputValueError, MissingPackageError
from sda_hf.evaluation import evaluate, load_encoder


@pytest.fixture(scope="module")
def models(tmp_path_factory, masked_lm):
    """Folders of a small BERT: bare, with a classification head, as a cross-encoder and as a sparse encoder."""
    from sentence_transformers import CrossEncoder, SparseEncoder

    top = tmp_path_factory.mktemp("models")
    masked_lm(top / "masked")
    config = BertConfig.from_pretrained(top / "masked")
    for name, cls in (("bare", BertModel), ("classifier", BertForSequenceClassification)):
        cls(config).save_pretrained(top / name)
        for file in top.glob("masked/tokenizer*"):
            shutil.copy(file, top / name)
    CrossEncoder(str(top / "classifier"), device="cpu").save_pretrained(str(top / "cross"))
    SparseEncoder(str(top / "masked"), device="cpu").save_pretrained(str(top / "sparse"))
    return top


def test_a_bare_encoder_gets_mean_pooling(models):
    model = load_encoder(models / "bare")
    assert model[1].pooling_mode == "mean"
    assert model.encode(["the dog"]).shape == (1, 8)


def test_missing_weights_are_reproducible(models):
    state = torch.get_rng_state()
    first, second = (load_encoder(models / "masked")[0].model.pooler.dense.weight for _ in range(2))
    assert torch.equal(first, second)
    assert torch.equal(torch.get_rng_state(), state), "the host's generator is left alone"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("classifier", "BertForSequenceClassification"), ("cross", "CrossEncoder"), ("sparse", "SparseEncoder")],
)
def test_models_for_other_purposes(models, name, kind):
    message = f"{models / name} is a {kind}, not a sentence encoder: give a SentenceTransformer"
    with pytest.raises(InputValueError, match=f"^{re.escape(message)}$"):
        load_encoder(models / name)


def test_a_sentence_encoder_made_of_a_classifier(models, tmp_path):
    """modules.json decides what a model is for, not its architecture."""
    from sentence_transformers import SentenceTransformer

    SentenceTransformer(str(models / "bare"), device="cpu").save_pretrained(str(tmp_path / "mine"))
    config = json.loads((tmp_path / "mine" / "config.json").read_text(encoding="utf-8"))
    for saved_by_a_new_version in (True, False):
        (tmp_path / "mine" / "config.json").write_text(
            json.dumps(config | {"architectures": ["BertForTokenClassification"]}), encoding="utf-8"
        )
        assert load_encoder(tmp_path / "mine").encode(["the dog"]).shape == (1, 8)
        if saved_by_a_new_version:
            (tmp_path / "mine" / "config_sentence_transformers.json").unlink()


DAMAGES = {
    "empty weights": {"model.safetensors": b""},
    "cut weights": {"model.safetensors": b"\x10\0\0\0\0\0\0\0{"},
    "damaged weights": {"model.safetensors": b"nonsense and more nonsense"},
    "damaged pickle": {"model.safetensors": None, "pytorch_model.bin": b"nonsense"},
    "empty pickle": {"model.safetensors": None, "pytorch_model.bin": b""},
    "no weights": {"model.safetensors": None},
    "damaged config": {"config.json": b"{"},
    "no config": {"config.json": None},
    "config of nonsense": {"config.json": b'{"model_type": "bert", "hidden_size": "wide"}'},
    "unknown type": {"config.json": b'{"model_type": "zzz"}'},
    "damaged tokenizer": {"tokenizer.json": b"{"},
    "damaged list of modules": {"modules.json": b"["},
    "empty list of modules": {"modules.json": b"[]"},
    "module without a path": {"modules.json": b'[{"idx": 0}]'},
    "module of something else": {"modules.json": b'[{"idx": 0, "name": "0", "path": "", "type": "os.nothing"}]'},
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_folders(models, tmp_path, damage):
    folder = tmp_path / "model"
    shutil.copytree(models / "bare", folder)
    for name, content in DAMAGES[damage].items():
        if content is None:
            (folder / name).unlink()
        else:
            (folder / name).write_bytes(content)
    start = f"cannot load {folder} as a sentence encoder (a SentenceTransformer's folder or Hub id): "
    with pytest.raises(InputFileError) as caught:
        load_encoder(folder)
    assert str(caught.value).startswith(start)
    assert len(start) < len(str(caught.value)) < len(start) + 350
    assert "\n" not in str(caught.value)
    assert "it is not a folder" not in str(caught.value)
    assert caught.value.__cause__ is not None


def test_a_model_without_its_vocabulary(models, tmp_path):
    """Its tokenizer would turn all words into the same token."""
    shutil.copytree(models / "bare", tmp_path / "model", ignore=shutil.ignore_patterns("tokenizer*"))
    with pytest.raises(InputFileError, match=r"has no vocabulary: add the files of its tokenizer"):
        load_encoder(tmp_path / "model")


def test_an_empty_folder_and_a_file(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "file").write_text("no model", encoding="utf-8")
    for name in ("model", "file"):
        with pytest.raises(InputFileError, match=rf"^cannot load {re.escape(str(tmp_path / name))} as a sentence enc"):
            load_encoder(tmp_path / name)


@pytest.mark.parametrize("name", ["no-such-model", "nobody/no-such-model", "no/such/model", "no model!"])
def test_unknown_models(name):
    with pytest.raises(InputFileError, match=rf"^cannot load {name} as .*: it is not a folder, and from the Hub: ."):
        load_encoder(name)


def test_an_empty_name():
    with pytest.raises(InputFileError, match=r"cannot load '' as a sentence encoder .*: the name is empty"):
        load_encoder("")


@pytest.mark.parametrize("model", [object(), None, 3, torch.nn.Linear(2, 2)], ids=["object", "None", "3", "Linear"])
def test_objects_that_are_not_encoders(pairs_file, model):
    with pytest.raises(
        InputTypeError, match=rf"a {type(model).__name__} is not a sentence encoder: give a SentenceTransf"
    ):
        evaluate(model, [pairs_file])


def test_a_model_without_pooling(models, tmp_path):
    from sentence_transformers import SentenceTransformer

    SentenceTransformer(modules=[load_encoder(models / "bare")[0]], device="cpu").save_pretrained(str(tmp_path / "m"))
    with pytest.raises(InputValueError, match=r"m is a model of token embeddings \(it has no pooling\), not a"):
        load_encoder(tmp_path / "m")


@pytest.fixture
def adapter(models, tmp_path):
    """A folder with nothing but an adapter, and the cosine that it gives to two texts."""
    peft = pytest.importorskip("peft", reason="adapters need the extra lora")
    base = load_encoder(models / "bare")
    torch.manual_seed(0)
    base.add_adapter(peft.LoraConfig(r=2, target_modules=["dense"], init_lora_weights=False))
    base.save_pretrained(str(tmp_path / "whole"))
    (tmp_path / "adapter").mkdir()
    config = json.loads((tmp_path / "whole" / "adapter_config.json").read_text(encoding="utf-8"))
    config["base_model_name_or_path"] = str(models / "bare")
    (tmp_path / "adapter" / "adapter_config.json").write_text(json.dumps(config), encoding="utf-8")
    shutil.copy(tmp_path / "whole" / "adapter_model.safetensors", tmp_path / "adapter")
    return tmp_path / "adapter", base.encode(["the dog", "the dog is late"])


def test_an_adapter_alone_is_loaded_with_its_model(models, adapter):
    folder, expected = adapter
    found = load_encoder(folder).encode(["the dog", "the dog is late"])
    assert found == pytest.approx(expected, abs=1e-6)
    assert found != pytest.approx(load_encoder(models / "bare").encode(["the dog", "the dog is late"]), abs=1e-3)


def test_an_adapter_without_peft(adapter, monkeypatch):
    folder, _ = adapter
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(
        MissingPackageError, match=r"adapter is an adapter, which needs peft: pip install 'sda-hf\[lora\]'"
    ):
        load_encoder(folder)


def test_an_adapter_that_does_not_name_its_model(adapter):
    folder, _ = adapter
    (folder / "adapter_config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"cannot load .*adapter as a sentence encoder .*base_model_name_or_path"):
        load_encoder(folder)
