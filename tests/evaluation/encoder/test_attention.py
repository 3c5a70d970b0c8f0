"""Attention per word, checked against the transformer itself."""

import copy
import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from tokenizers import Tokenizer, models, normalizers
from transformers import BertConfig, BertModel, FNetConfig, FNetModel, PreTrainedTokenizerFast

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.evaluation.encoder.attention import attention_weights
from sda_hf.training.encoder import wordpiece
from sda_hf.training.pooling import pooling_modules

SENTENCE = "The trains aren't late today, are they?"
WORDS = ["The", "trains", "aren", "'", "t", "late", "today", ",", "are", "they", "?"]
SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "intermediate_size": 16, "max_position_embeddings": 40}


def tokens_of_bert():
    return wordpiece(["the train is late , it isn't here today . are they 没有 人 ?"] * 2, 100, 40)


def encoder(folder, tokenizer, kind=BertModel, config=BertConfig, **sizes):
    """A random transformer with uneven attention, so that a wrong row, layer or average shows."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        network = kind(config(vocab_size=len(tokenizer), **SIZES, **sizes))
    for name, weight in network.named_parameters():
        if "query.weight" in name or "key.weight" in name:
            weight.data.mul_(30)
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return Transformer(str(folder))


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return encoder(tmp_path_factory.mktemp("bert"), tokens_of_bert(), num_attention_heads=2)


def pooled(transformer, mode):
    return SentenceTransformer(modules=[transformer, Pooling(16, mode), Normalize()], device="cpu")


def by_hand(transformer, sentence):
    """The attention of the last layer (tokens, tokens), from transformers alone, and the tokens."""
    config = copy.deepcopy(transformer.model.config)
    network = BertModel._from_config(config, attn_implementation="eager").eval()
    network.load_state_dict(transformer.model.state_dict())
    encoding = transformer.tokenizer(sentence, return_tensors="pt")
    with torch.no_grad():
        layers = network(**encoding, output_attentions=True).attentions
    assert len(layers) == 2
    return layers[-1][0].double().mean(dim=0), transformer.tokenizer.convert_ids_to_tokens(encoding["input_ids"][0])


def merged(row, pieces):
    """Sum the weights of subwords, drop special tokens and renormalise."""
    sums = []
    for weight, piece in list(zip(row.tolist(), pieces, strict=True))[1:-1]:
        if piece.startswith("##"):
            sums[-1] += weight
        else:
            sums.append(weight)
    return [weight / sum(sums) for weight in sums]


@pytest.mark.parametrize("mode", ["cls", "mean", "lasttoken"])
def test_weights_are_the_attention_of_the_output_token(bert, mode):
    attention, pieces = by_hand(bert, SENTENCE)
    assert any(piece.startswith("##") for piece in pieces)
    row = {"cls": attention[0], "mean": attention.mean(dim=0), "lasttoken": attention[-1]}[mode]
    weights = attention_weights(pooled(bert, mode), SENTENCE)
    assert [word for word, _ in weights] == WORDS
    assert [weight for _, weight in weights] == pytest.approx(merged(row, pieces), abs=1e-6)
    assert max(weight for _, weight in weights) > 2 / len(WORDS)


def test_padding_is_ignored(bert):
    padded = copy.deepcopy(bert)
    padded.processing_kwargs = {"text": {"padding": "max_length", "max_length": 30}}
    assert padded.preprocess([SENTENCE])["attention_mask"].sum() < 30
    for mode in ("mean", "lasttoken"):
        expected = dict(attention_weights(pooled(bert, mode), SENTENCE))
        assert dict(attention_weights(pooled(padded, mode), SENTENCE)) == pytest.approx(expected, abs=1e-6)


def test_chinese(bert):
    weights = attention_weights(pooled(bert, "cls"), "没有人 late。")
    assert [word for word, _ in weights] == ["没", "有", "人", "late", "。"]


LETTERS = "abelrstyABTÉéñß没有人,.!?'\"$- \t\n"


@settings(max_examples=30)
@given(sentence=st.text(LETTERS, min_size=1, max_size=15).filter(str.strip))
def test_any_sentence(bert, sentence):
    weights = attention_weights(pooled(bert, "mean"), sentence)
    assert "".join(word for word, _ in weights) == "".join(sentence.split())
    assert sum(weight for _, weight in weights) == pytest.approx(1.0)
    assert all(0 <= weight <= 1 for _, weight in weights)


def test_tokenizers_without_pre_tokenization(tmp_path):
    letters = [("<unk>", 0.0), ("▁", -1.0), *((letter, -2.0) for letter in "abcd."), ("ab", -1.0)]
    tokenizer = Tokenizer(models.Unigram(letters, unk_id=0, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<unk>")
    assert set(fast("ab  cd.").word_ids()) == {0}
    weights = attention_weights(pooled(encoder(tmp_path, fast, num_attention_heads=2), "cls"), "ab  cd.")
    assert [word for word, _ in weights] == ["ab", "cd."]
    assert sum(weight for _, weight in weights) == pytest.approx(1.0)


def test_the_model_is_not_changed(bert):
    model = pooled(copy.deepcopy(bert), "cls")
    expected = attention_weights(model, SENTENCE)
    model.train()
    model[1].eval()
    assert model[0].model.config.hidden_dropout_prob == 0.1

    def state():
        return (
            [module.training for module in model.modules()],
            [(name, id(weight), weight._version, weight.device) for name, weight in model.named_parameters()],
            model[0].model.config.to_dict() | {"attention": model[0].model.config._attn_implementation},
            model[0].tokenizer.backend_tokenizer.to_str(),
            torch.get_rng_state().tolist(),
            random.getstate(),
            np.random.get_state()[1].tolist(),
        )

    before = state()
    assert before[2]["attention"] == "sdpa"
    assert attention_weights(model, SENTENCE) == expected
    assert state() == before


@pytest.mark.parametrize("sentence", ["", " \t\n"])
def test_blank_sentences(bert, sentence):
    with pytest.raises(InputValueError, match="which has no words: give a sentence"):
        attention_weights(pooled(bert, "cls"), sentence)


def test_a_sentence_that_the_tokenizer_drops(bert):
    with pytest.raises(InputValueError, match=r"the tokenizer drops every word of '\\u200b'"):
        attention_weights(pooled(bert, "cls"), "\u200b")


def test_a_sentence_that_is_too_long(bert):
    assert len(attention_weights(pooled(bert, "cls"), "late " * 38)) == 38
    with pytest.raises(InputValueError, match="the sentence is longer than the model's maximum of 40 tokens"):
        attention_weights(pooled(bert, "cls"), "late " * 39)


@pytest.mark.parametrize(
    ("mode", "given"),
    [("max", "max"), ("weightedmean", "weightedmean"), (("cls", "mean"), r"cls \+ mean")],
)
def test_poolings_without_an_output_token(bert, mode, given):
    message = f"pooling '{given}' has no output token in the last layer: use one of cls, mean, lasttoken"
    with pytest.raises(InputValueError, match=message):
        attention_weights(pooled(bert, mode), SENTENCE)


def test_poolings_of_two_layers(bert):
    transformer = copy.deepcopy(bert)
    model = SentenceTransformer(modules=[transformer, *pooling_modules(transformer, "first-last")], device="cpu")
    with pytest.raises(InputValueError, match="pooling 'WeightedLayerPooling' has no output token"):
        attention_weights(model, SENTENCE)


def test_a_model_without_pooling(bert):
    with pytest.raises(InputValueError, match="pooling 'NoneType' has no output token"):
        attention_weights(SentenceTransformer(modules=[bert], device="cpu"), SENTENCE)


def test_models_without_attention(tiny_model, tmp_path):
    with pytest.raises(InputTypeError, match="the model starts with a StaticEmbedding, which returns no attentions"):
        attention_weights(tiny_model, "a cat sleeps")
    fourier = encoder(tmp_path, tokens_of_bert(), FNetModel, FNetConfig)
    with pytest.raises(InputTypeError, match="a FNetModel returns no attentions"):
        attention_weights(pooled(fourier, "cls"), SENTENCE)


def test_a_real_model(minilm):
    weights = attention_weights(minilm, "The man is not riding an electrified horse.")
    assert [word for word, _ in weights] == "The man is not riding an electrified horse .".split()
    assert sum(weight for _, weight in weights) == pytest.approx(1.0)
    shares = dict(weights)
    # Content words weigh more than function words.
    assert min(shares["electrified"], shares["horse"]) > max(shares["The"], shares["is"], shares["an"])
