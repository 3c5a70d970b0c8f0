from __future__ import annotations

import hashlib
import json
import subprocess
import sys

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer

from sda_hf.errors import InputValueError
from sda_hf.training.encoder import build, freeze, make_encoder, wordpiece
from sda_hf.training.recipe import Build, Data, Recipe

TEXTS = ["The door of the old barn is locked.", "She has finished the first chapter!", "Ångström 测量 🙂 don't"]
TINY = Build(layers=1, hidden_size=16, heads=2, intermediate_size=32, vocab_size=200, max_length=12)


def vocabulary_hash() -> str:
    vocabulary = wordpiece(TEXTS * 3, 150, 12).get_vocab()
    return hashlib.sha256(json.dumps(sorted(vocabulary.items())).encode()).hexdigest()


def recipe(**training) -> Recipe:
    return Recipe.from_dict({"model": {"build": TINY.to_dict()}, "data": {"files": ["x"]}, "training": training})


@pytest.mark.slow
def test_the_vocabulary_is_the_same_in_every_process():
    program = f"import runpy; print(runpy.run_path({__file__!r})['vocabulary_hash']())"
    hashes = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
        for _ in range(2)
    }
    assert hashes == {vocabulary_hash()}


def test_the_tokenizer_knows_the_words_it_learnt():
    tokenizer = wordpiece(TEXTS * 3, 400, 12)
    assert tokenizer.tokenize("The DOOR, locked") == ["the", "door", "[UNK]", "locked"]
    assert tokenizer("barn")["input_ids"] == [
        tokenizer.cls_token_id,
        tokenizer.convert_tokens_to_ids("barn"),
        tokenizer.sep_token_id,
    ]
    assert tokenizer.pad_token_id == 0
    assert (
        tokenizer.decode(tokenizer("the door is locked")["input_ids"], skip_special_tokens=True) == "the door is locked"
    )


def test_a_built_encoder_has_the_shape_of_its_description():
    model = build(TINY, TEXTS)
    config = model[0].model.config
    assert (config.num_hidden_layers, config.hidden_size, config.num_attention_heads) == (1, 16, 2)
    assert config.vocab_size == len(model.tokenizer) <= 200
    assert model.max_seq_length == 12
    assert model.get_embedding_dimension() == 16
    assert model.encode(["word " * 50]).shape == (1, 16)


@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
def test_pooling(pooling):
    spec = Build(**{**TINY.to_dict(), "pooling": pooling})
    model = build(spec, TEXTS).eval()
    features = model.preprocess(["The door is locked."])
    tokens = model[0](features)["token_embeddings"][0].detach()
    expected = {"mean": tokens.mean(0), "cls": tokens[0], "max": tokens.max(0).values}[pooling]
    np.testing.assert_allclose(model.encode(["The door is locked."])[0], expected.numpy(), atol=1e-6)


def test_a_saved_encoder_loads_to_an_equal_one(tmp_path):
    model = build(TINY, TEXTS)
    model.save_pretrained(str(tmp_path / "m"), create_model_card=False)
    loaded = SentenceTransformer(str(tmp_path / "m"), device="cpu")
    np.testing.assert_array_equal(loaded.encode(TEXTS), model.encode(TEXTS))
    assert "tmp" not in (tmp_path / "m" / "config.json").read_text(encoding="utf-8")


def test_weights_follow_the_seed_and_leave_the_global_generator_alone():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    first = make_encoder(recipe(seed=1), TEXTS, "cpu").encode(TEXTS)
    assert torch.equal(torch.rand(3), expected)
    np.testing.assert_array_equal(make_encoder(recipe(seed=1), TEXTS, "cpu").encode(TEXTS), first)
    assert not np.array_equal(make_encoder(recipe(seed=2), TEXTS, "cpu").encode(TEXTS), first)


def test_max_length_of_the_training_cuts_texts():
    assert make_encoder(recipe(max_length=5), TEXTS, "cpu").max_seq_length == 5


def test_a_named_encoder_is_loaded_from_its_folder(tmp_path):
    build(TINY, TEXTS).save_pretrained(str(tmp_path / "m"), create_model_card=False)
    named = Recipe(model=str(tmp_path / "m"), data=Data(files=("x",)))
    assert make_encoder(named, [], "cpu").encode(TEXTS).shape == (3, 16)


def test_frozen_modules_are_not_trained():
    model = make_encoder(recipe(), TEXTS * 3, "cpu")
    freeze(model, ["word_embeddings", "0"])
    frozen = {name for name, parameter in model.named_parameters() if not parameter.requires_grad}
    assert frozen == {name for name, _ in model.named_parameters() if {"word_embeddings", "0"} & set(name.split("."))}
    with pytest.raises(
        InputValueError, match=r"training.frozen: the encoder has no module 'embedding': known are .*embeddings"
    ):
        freeze(model, ["embedding"])
