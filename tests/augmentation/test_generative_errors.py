"""What augmenters that run a model refuse."""

import importlib.util
import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from transformers import (
    BartForConditionalGeneration,
    BertConfig,
    BertModel,
    MarianConfig,
    PegasusConfig,
    PegasusForConditionalGeneration,
    T5Config,
)

from sda_hf.augmentation.contextual import RandomContextualWords
from sda_hf.augmentation.generative import BackTranslation, Paraphrase
from sda_hf.augmentation.pretrained_models import load

CLASSES = {
    "paraphrase": Paraphrase,
    "back-translation": BackTranslation,
    "random-contextual-words": RandomContextualWords,
}


@pytest.fixture
def make(made_models):
    return lambda name, **fields: CLASSES[name](**made_models[name] | fields)


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("paraphrase", {"model": ""}, "Paraphrase: model='': give a Hub id or the path of a folder"),
        ("paraphrase", {"model": None}, "model=None is not a string: give a Hub id"),
        ("paraphrase", {"prefix": None}, "prefix=None is not a string"),
        ("paraphrase", {"batch_size": 0}, "batch_size=0: give an integer from 1 to 10,000"),
        ("paraphrase", {"num_beams": True}, "num_beams=True: give an integer from 1 to 100"),
        ("paraphrase", {"max_length": 1}, "max_length=1: give an integer from 2 to 10,000"),
        ("paraphrase", {"sample": 1}, "sample=1 is a int: give True or False"),
        ("paraphrase", {"sample": True, "temperature": 0}, "temperature=0: give a number from 0.01 to 100"),
        (
            "paraphrase",
            {"sample": True, "temperature": float("nan")},
            "temperature=nan: give a number from 0.01 to 100",
        ),
        ("paraphrase", {"sample": True, "temperature": "hot"}, "temperature='hot' is not a number"),
        ("paraphrase", {"sample": True, "top_p": 1.5}, "top_p=1.5: give a number greater than 0 and at most 1"),
        ("paraphrase", {"top_p": 0.9}, "top_p=0.9 have no effect in a beam search: give sample=True"),
        ("paraphrase", {"device": "gpu"}, "device='gpu': give 'cpu', 'cuda', 'cuda:0' and so on, or None"),
        ("paraphrase", {"dtype": "int8"}, "dtype='int8' is not allowed: give one of 'float32', 'bfloat16', 'float16'"),
        ("paraphrase", {"language": "fr"}, "language='fr' is not allowed"),
        ("back-translation", {"forward": 3}, "BackTranslation: forward=3 is not a string: give a Hub id"),
        ("back-translation", {"backward": " "}, "backward=' ': give a Hub id"),
        ("random-contextual-words", {"rate": 0}, "rate=0: give a number greater than 0 and at most 1"),
        ("random-contextual-words", {"top_k": 0}, "top_k=0: give an integer from 1 to 10,000"),
        ("random-contextual-words", {"max_length": 2.5}, "max_length=2.5: give an integer from 3 to 10,000"),
        ("random-contextual-words", {"language": "zh"}, "language='zh' is not allowed"),
        ("random-contextual-words", {"device": 0}, "device=0: give 'cpu'"),
    ],
)
def test_refuses_bad_fields(make, name, fields, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make(name, **fields)


def test_english_defaults_are_refused_for_chinese():
    with pytest.raises(ValueError, match=r"model='tuner007/pegasus_paraphrase' reads English: give models for lang"):
        Paraphrase(language="zh")
    with pytest.raises(ValueError, match=r"backward='Helsinki-NLP/opus-mt-fr-en' writes English"):
        BackTranslation(language="zh", forward="Helsinki-NLP/opus-mt-zh-en")
    assert Paraphrase(language="zh", model="some/chinese").language == "zh"


def refusal(model, cls=Paraphrase, error=ValueError, match=""):
    with pytest.raises(error, match=match):
        cls(model=str(model)).augment(["The dog."])


def test_missing_models(tmp_path):
    message = r"is neither a folder with a model nor one on the Hub or in its cache \(.*\): give the folder"
    refusal("nobody/nothing", error=OSError, match=f"model 'nobody/nothing' {message}")
    refusal(tmp_path / "none", error=OSError, match=message)
    refusal("not a name!", error=OSError, match=message)
    refusal("nobody/nothing", RandomContextualWords, OSError, message)


def test_models_of_another_kind(made_models, tmp_path, masked_lm):
    writer, masked = made_models["paraphrase"]["model"], made_models["random-contextual-words"]["model"]
    refusal(masked, match="is a bert model, not a seq2seq model: give one, such as 'tuner007/pegasus_paraphrase'")
    t5 = tmp_path / "t5"
    T5Config().save_pretrained(t5)
    refusal(t5, RandomContextualWords, match="is a t5 model, not a fill-mask model: give one, such as 'bert-base")
    refusal(writer, RandomContextualWords, match="its tokenizer has no mask token")
    headless = masked_lm(tmp_path / "headless")
    BertModel(BertConfig.from_pretrained(headless)).save_pretrained(headless)
    refusal(headless, RandomContextualWords, match=r"has no weights for .*: it was saved without its fill-mask part")


def test_incomplete_or_unsafe_models(made_models, tmp_path, seq2seq):
    unsafe = Path(seq2seq(tmp_path / "unsafe"))
    torch.save({}, unsafe / "pytorch_model.bin")
    (unsafe / "model.safetensors").unlink()
    refusal(unsafe, error=OSError, match="has no weights in safetensors, the only supported format")
    broken = Path(seq2seq(tmp_path / "broken"))
    (broken / "model.safetensors").write_bytes(b"no weights")
    refusal(broken, match="its weights cannot be read")
    untold = Path(seq2seq(tmp_path / "untold"))
    for path in untold.glob("token*"):
        path.unlink()
    refusal(untold, error=OSError, match="has no tokenizer: save one in the same folder")
    own_code = Path(seq2seq(tmp_path / "own"))
    config = {"model_type": "mine", "auto_map": {"AutoConfig": "config.Mine", "AutoModelForSeq2SeqLM": "model.Mine"}}
    (own_code / "config.json").write_text(json.dumps(config))
    (own_code / "config.py").write_text("raise SystemExit('run')")
    refusal(own_code, match="its config cannot be read .* code that comes with a model is never run")
    partial = Path(seq2seq(tmp_path / "partial"))
    weights = BartForConditionalGeneration.from_pretrained(partial).state_dict()
    kept = {
        name: weight.clone() for name, weight in weights.items() if "embed_positions" not in name and "lm_" not in name
    }
    save_file(kept, partial / "model.safetensors", metadata={"format": "pt"})
    refusal(partial, match=r"has no weights for model.decoder.embed_positions.weight")


@pytest.mark.skipif(importlib.util.find_spec("sentencepiece") is not None, reason="sentencepiece is installed")
def test_tokenizers_that_need_a_package(tmp_path):
    MarianConfig(vocab_size=58101).save_pretrained(tmp_path)
    refusal(tmp_path, error=ImportError, match="needs sentencepiece, which is missing: run pip install sda-hf")


def test_computed_position_embeddings_need_no_weights(seq2seq, tmp_path):
    folder = seq2seq(tmp_path)
    config = PegasusConfig(
        vocab_size=100, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=8, decoder_ffn_dim=8, max_position_embeddings=60,
    )  # fmt: skip
    model = PegasusForConditionalGeneration(config)
    positions = model.model.encoder.embed_positions.weight.clone()
    assert positions.abs().sum() > 0
    kept = {name: weight.clone() for name, weight in model.state_dict().items() if "embed_" not in name}
    model.save_pretrained(folder)
    save_file(kept, tmp_path / "model.safetensors", metadata={"format": "pt"})
    checkpoint = load("seq2seq", folder, "cpu", "float32")
    assert checkpoint.limit(64) == 60
    assert torch.equal(checkpoint.model.model.encoder.embed_positions.weight, positions)


def test_missing_devices(make):
    count = torch.cuda.device_count()
    with pytest.raises(ValueError, match=f"device='cuda:{count}': this machine has {count} CUDA devices: give 'cpu'"):
        make("paraphrase", device=f"cuda:{count}").augment(["The dog."])
