"""Embedding texts: each one once, longest first, and errors for models that are not encoders."""

import logging
import random
import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.evaluation.encoder.vectors import Vectors, cosines, normalized, pair_cosines, preserved_modes

WORDS = ["big", "cat", "dog", "red", "the"]


class Encoder:
    """Counts letters, and records its batches."""

    def __init__(self, answer=None, tokenizer=None):
        self.batches = []
        self.answer = answer or (lambda texts: np.array([[len(text), text.count("a"), 1.0] for text in texts]))
        if tokenizer is not None:
            self.tokenizer = tokenizer

    def encode(self, texts, **options):
        assert set(options) == {"batch_size", "show_progress_bar", "convert_to_numpy"}
        assert options["show_progress_bar"] is False
        assert options["convert_to_numpy"] is True
        self.batches.append(list(texts))
        return self.answer(texts)


@pytest.fixture(scope="module")
def tokenizer():
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.WordLevel({"?": 0, **{word: i for i, word in enumerate(WORDS, 1)}}, unk_token="?"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="?", pad_token="?", model_max_length=4)


@pytest.fixture(scope="module")
def transformer(tmp_path_factory, tokenizer):
    """A real transformer with random weights and a maximum length of eight tokens."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    folder = str(tmp_path_factory.mktemp("bert"))
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    BertModel(BertConfig(vocab_size=6, max_position_embeddings=8, **sizes)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)

    def load(dtype="float32"):
        return SentenceTransformer(
            modules=[Transformer(folder, max_seq_length=8, model_kwargs={"dtype": dtype}), Pooling(8)], device="cpu"
        )

    return load


def test_distinct_texts_longest_first():
    model = Encoder()
    # 64 letters count as 16 tokens, of which two fit in a batch of two.
    long, longer, short, shorter = "c" * 64, "d" * 64, "b" * 60, "a" * 30
    Vectors(model, [shorter, long, short, shorter, longer, long], batch_size=2)
    assert model.batches == [[long, longer], [short, shorter]]


def test_batches_are_limited_by_tokens(tokenizer):
    model = Encoder(tokenizer=tokenizer)
    texts = ["the dog " * 40, *(f"the dog {'a ' * count}" for count in range(14))]
    Vectors(model, texts, batch_size=2)
    counts = [[len(tokenizer(text, verbose=False).input_ids) for text in batch] for batch in model.batches]
    assert counts[0] == [80], "one at least"
    assert all(len(batch) == 1 or len(batch) * batch[0] <= 32 for batch in counts)
    # No batch has room for the next text.
    assert all((len(batch) + 1) * batch[0] > 32 for batch in counts[:-1])


def test_length_in_tokens_with_a_fast_tokenizer(tokenizer):
    texts = ["incomprehensibilities", "the big red dog", "the dog", "a, b", "the big big red cat dog"]
    model = Encoder(tokenizer=tokenizer)
    Vectors(model, texts, batch_size=1)
    assert [text for batch in model.batches for text in batch] == [texts[row] for row in (4, 1, 3, 2, 0)]


def test_truncated_texts_do_not_warn(tokenizer, monkeypatch, caplog):
    monkeypatch.setattr(logging.getLogger("transformers"), "propagate", True)
    monkeypatch.setattr(tokenizer, "deprecation_warnings", {})  # it warns once
    Vectors(Encoder(tokenizer=tokenizer), ["the big big red cat dog"])
    assert caplog.messages == []
    tokenizer(["the big big red cat dog"])
    assert "longer than the specified maximum" in caplog.text


@pytest.mark.parametrize("other", [None, SimpleNamespace(is_fast=False), SimpleNamespace()])
def test_length_in_characters_otherwise(other):
    model = Encoder(tokenizer=other)
    Vectors(model, ["a b c", "incomprehensible", "xx"], batch_size=1)
    assert [text for batch in model.batches for text in batch] == ["incomprehensible", "a b c", "xx"]


@settings(max_examples=50)
@given(
    texts=st.lists(st.text(max_size=5), max_size=12), size=st.integers(1, 5), asked=st.randoms(use_true_random=False)
)
def test_rows_in_the_requested_order(texts, size, asked):
    model = Encoder()
    vectors = Vectors(model, texts, batch_size=size)
    asked.shuffle(texts)
    assert vectors(texts).tolist() == [[len(text), text.count("a"), 1.0] for text in texts]
    sent = [text for batch in model.batches for text in batch]
    assert sorted(sent) == sorted(set(texts))
    assert [len(text) for text in sent] == sorted(map(len, sent), reverse=True)
    assert all(len(batch) <= 16 * size for batch in model.batches)


def test_texts_may_be_a_generator():
    assert Vectors(Encoder(), (text for text in ("a", "bb")))(["bb", "a"])[:, 0].tolist() == [2, 1]


def test_no_texts(tokenizer):
    model = Encoder(tokenizer=tokenizer)
    assert Vectors(model, [])([]).shape == (0, 0)
    assert model.batches == []
    assert Vectors(model, ["a"])([]).shape == (0, 3)


def test_an_unknown_text():
    with pytest.raises(KeyError, match="'other'"):
        Vectors(Encoder(), ["a"])(["other"])


@pytest.mark.parametrize("size", [0, -1])
def test_a_batch_size_below_one(size):
    with pytest.raises(InputValueError, match=rf"^batch_size is {size}: it must be at least 1$"):
        Vectors(Encoder(), ["a"], batch_size=size)


@pytest.mark.parametrize("show", [True, False])
def test_progress(capsys, show):
    Vectors(Encoder(), ["a", "b"], batch_size=1, show_progress=show)
    assert ("Embedding: 100%" in capsys.readouterr().err) is show


def test_attributes_for_mteb_tasks():
    model = Encoder()
    vectors = Vectors(model, [], 7, True)
    assert (vectors.model, vectors.batch_size, vectors.show_progress) == (model, 7, True)


@pytest.mark.parametrize("model", [None, object(), SimpleNamespace(encode="no function"), {"encode": len}])
def test_an_object_without_encode(model):
    kind = type(model).__name__
    message = rf"^a {kind} is not a sentence encoder: give a SentenceTransformer, its folder or its Hub id$"
    with pytest.raises(InputTypeError, match=message):
        Vectors(model, [])


def tensor(texts):
    import torch

    return torch.zeros(len(texts), 2)


@pytest.mark.parametrize(
    ("answer", "given"),
    [
        (lambda texts: np.zeros(len(texts)), "an array of shape (2,) and type float64"),
        (lambda texts: np.zeros((1, 4)), "an array of shape (1, 4) and type float64"),
        (lambda texts: np.zeros((2, 3, 4)), "an array of shape (2, 3, 4) and type float64"),
        (lambda texts: np.float64(3), "a float64"),
        (lambda texts: np.array([["a"], ["b"]]), "an array of shape (2, 1) and type <U1"),
        (lambda texts: np.array([[None], [1]]), "an array of shape (2, 1) and type object"),
        (lambda texts: np.ones((2, 1)) * 1j, "an array of shape (2, 1) and type complex128"),
        (lambda texts: [[1.0], [2.0]], "a list"),
        (lambda texts: None, "a NoneType"),
        (tensor, "a Tensor"),
    ],
)
def test_models_that_do_not_return_one_vector_per_text(answer, given):
    message = (
        f"the Encoder returns {given} for 2 texts, where a sentence encoder returns an array with one vector of "
        "numbers per text"
    )
    with pytest.raises(InputTypeError, match=f"^{re.escape(message)}$"):
        Vectors(Encoder(answer), ["a", "b"])


def test_embeddings_of_different_sizes():
    model = Encoder(lambda texts: np.zeros((1, len(texts[0]))))  # one text per batch
    with pytest.raises(InputTypeError, match=r"^the Encoder returns embeddings of different sizes: it is not a"):
        Vectors(model, ["a" * 60, "b" * 64], batch_size=1)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity(dtype, value):
    model = Encoder(lambda texts: np.array([[1, value if "b" in text else 0] for text in texts], dtype=dtype))
    message = r"^the embedding of 'bbb' contains NaN or infinity \(2 of the 3 embeddings in its batch do\): the"
    with pytest.raises(InputValueError, match=message):
        Vectors(model, ["a", "b", "bbb"])
    assert Vectors(model, ["a", "c"])(["c"]).dtype == dtype


def test_long_texts_are_shortened_in_errors():
    model = Encoder(lambda texts: np.full((len(texts), 1), np.nan))
    with pytest.raises(InputValueError, match=r"^the embedding of 'a\\n(a){58}' contains NaN"):
        Vectors(model, ["a\n" + "a" * 1000])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.float16])
def test_quantised_embeddings_are_compared_in_double_precision(dtype):
    model = Encoder(lambda texts: np.array([[100, 100] if text == "a" else [100, 0] for text in texts], dtype=dtype))
    assert pair_cosines([("a", "b"), ("a", "a")], Vectors(model, ["a", "b"])).tolist() == pytest.approx([0.5**0.5, 1])


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_a_real_encoder(transformer, dtype):
    model = transformer(dtype)
    texts = ["the dog", "the big red cat", "cat", "the", "big dog big dog big dog big dog big dog big dog"]
    vectors = Vectors(model, texts, batch_size=2)
    alone = np.stack([model.encode(text, convert_to_numpy=False).float().numpy() for text in texts])
    assert vectors(texts).dtype == (np.float16 if dtype == "float16" else np.float32)
    np.testing.assert_allclose(vectors(texts), alone, atol=1e-6 if dtype == "float32" else 2e-2)
    assert len(np.unique(alone.round(3), axis=0)) == len(texts)


def test_a_model_without_a_maximum_length(transformer):
    model = transformer()
    model.tokenizer.model_max_length = int(1e30)  # what transformers writes for "none"
    assert Vectors(model, ["cat", "the dog"])(["cat"]).shape == (1, 8)


def test_a_static_embedding_model(tiny_model):
    """Its tokenizer is from `tokenizers`, not from transformers."""
    np.testing.assert_allclose(Vectors(tiny_model, ["a cat", "a"])(["a"]), tiny_model.encode(["a"]))


def test_minilm(minilm):
    texts = ["A girl is styling her hair.", "It rains.", "Two dogs run over a meadow towards a lake.", "It rains."]
    np.testing.assert_allclose(Vectors(minilm, texts, batch_size=2)(texts), minilm.encode(texts), atol=1e-6)


def test_the_random_state_is_not_touched(transformer):
    import torch

    model = transformer().train()  # with dropout, if it stayed in this mode
    state = random.getstate(), np.random.get_state()[1].tolist(), np.random.get_state()[2], torch.get_rng_state()
    first, second = (Vectors(model, ["the cat", "dog"])(["dog", "the cat"]) for _ in range(2))
    assert first.tolist() == second.tolist()
    assert random.getstate() == state[0]
    assert (np.random.get_state()[1].tolist(), np.random.get_state()[2]) == state[1:3]
    assert torch.equal(torch.get_rng_state(), state[3])


@pytest.mark.parametrize("fails", [False, True])
def test_modes_are_restored(transformer, monkeypatch, fails):
    model = transformer().train()
    model[1].eval()
    before = [module.training for module in model.modules()]
    assert set(before) == {True, False}
    if fails:
        monkeypatch.setattr(type(model[1]), "forward", lambda *args, **options: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            Vectors(model, ["cat"])
    else:
        Vectors(model, ["cat"])
    assert [module.training for module in model.modules()] == before


def test_modes_of_a_model_without_modules():
    with preserved_modes(object()):
        pass


def test_cosines():
    first = np.array([[1, 0], [3, 4], [1, 1], [0, 0], [2, 0]])
    second = np.array([[2, 0], [4, 3], [-1, -1], [1, 2], [0, 5]])
    assert cosines(first, second).tolist() == pytest.approx([1, 0.96, -1, 0, 0])


VALUES = st.floats(-100, 100, width=32)
SCALES = st.sampled_from([1e-9, 1e-6, 1.0, 1e6, 1e30])


@given(points=arrays(np.float32, (2, 5, 3), elements=VALUES), scale=SCALES)
def test_cosines_are_bounded_symmetric_and_scale_free(points, scale):
    first, second = points.astype(np.float64).round(2)
    found = cosines(first, second)
    assert (np.abs(found) <= 1 + 1e-12).all()
    assert found.tolist() == cosines(second, first).tolist()
    np.testing.assert_allclose(cosines(first * scale, second), found, atol=1e-9)
    lengths = [np.sqrt((a * a).sum()) * np.sqrt((b * b).sum()) for a, b in zip(first, second, strict=True)]
    by_hand = [a @ b / n if n else 0.0 for a, b, n in zip(first, second, lengths, strict=True)]
    np.testing.assert_allclose(found, by_hand, atol=1e-9)


def test_cosines_equal_those_of_sentence_transformers():
    from sentence_transformers.util import pairwise_cos_sim

    first, second = np.random.default_rng(0).normal(size=(2, 50, 7))
    first[0] = 0
    np.testing.assert_allclose(cosines(first, second), pairwise_cos_sim(first, second).numpy(), atol=1e-12)


def test_normalized():
    assert normalized(np.array([[3, 4], [0, 0], [-2, 0]], dtype=np.int8)).tolist() == [[0.6, 0.8], [0, 0], [-1, 0]]
    assert np.linalg.norm(normalized(np.full((1, 2), 6e4, dtype=np.float16))) == pytest.approx(1)


def test_pair_cosines():
    vectors = Vectors(Encoder(), ["a", "bb", "aaa"])  # (1, 1, 1), (2, 0, 1), (3, 3, 1)
    expected = [3 / 15**0.5, 7 / 57**0.5]
    assert pair_cosines([("a", "bb"), ("aaa", "a")], vectors).tolist() == pytest.approx(expected)
    assert pair_cosines([], vectors).shape == (0,)
