"""What the evaluation tests share: a tiny model in memory, and a few graded pairs."""

import pytest

PAIRS = [
    ("a cat sleeps", "a cat sleeps", 5.0),
    ("a cat sleeps", "a dog sleeps", 3.0),
    ("a dog runs", "a cat sleeps", 1.0),
    ("the car stops", "a dog runs", 0.0),
]
WORDS = sorted({word for first, second, _ in PAIRS for word in f"{first} {second}".split()})


@pytest.fixture
def pairs_file(tmp_path):
    """A file of four graded pairs."""
    path = tmp_path / "animals.tsv"
    lines = ["sentence1\tsentence2\tscore", *(f"{first}\t{second}\t{score}" for first, second, score in PAIRS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def tiny_model():
    """A sentence-transformers model of one random vector a word."""
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
