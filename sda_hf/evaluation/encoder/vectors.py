"""Embeddings of a set of texts: each distinct text is embedded once, in a single pass from longest to shortest."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputTypeError, InputValueError

# One row per text, of the precision in which the model computes.
Matrix: TypeAlias = NDArray[np.floating[Any]]

TYPICAL_TOKENS = 16  # of a typical sentence; the batch size counts sentences of this length
CHARACTERS_PER_TOKEN = 4  # an estimate for models whose tokenizer cannot be asked


class Encoder(Protocol):
    """A model with the `encode` of sentence-transformers."""

    def encode(
        self, sentences: list[str], /, *, batch_size: int, show_progress_bar: bool, convert_to_numpy: bool
    ) -> Matrix:
        """Embed sentences: (sentences, dim)."""


class Vectors:
    """The embeddings of a set of texts.

    Args:
        model: a SentenceTransformer, or another model with its `encode`.
        texts: the texts to embed; duplicates are embedded once.
        batch_size: typical sentences (16 tokens) to embed at a time. Batches of longer texts hold fewer of them,
            batches of shorter texts more.
        show_progress: show a progress bar.

    Raises:
        InputTypeError: the model has no `encode`, or `encode` does not return one vector per text.
        InputValueError: an embedding contains NaN or infinity, or the batch size is below 1.

    Example:
        >>> class Lengths:
        ...     def encode(self, texts, **options):
        ...         return np.array([[len(text), 1.0] for text in texts])
        >>> Vectors(Lengths(), ["a", "bcd", "a"])(["bcd", "a"])
        array([[3., 1.],
               [1., 1.]])
    """

    def __init__(self, model: Encoder, texts: Iterable[str], batch_size: int = 64, show_progress: bool = False) -> None:
        if not callable(getattr(model, "encode", None)):
            raise InputTypeError(
                f"a {type(model).__name__} is not a sentence encoder: give a SentenceTransformer, its folder or its "
                "Hub id"
            )
        if batch_size < 1:
            raise InputValueError(f"batch_size is {batch_size}: it must be at least 1")
        self.model, self.batch_size, self.show_progress = model, batch_size, show_progress
        distinct, lengths = _longest_first(model, list(dict.fromkeys(texts)))
        self._rows = {text: row for row, text in enumerate(distinct)}
        # Closing the generator ends the progress bar even if embedding fails.
        with preserved_modes(model), closing(_batches(distinct, _ends(lengths, batch_size), show_progress)) as batches:
            embedded = [_embed(model, batch) for batch in batches]
        if len({matrix.shape[1] for matrix in embedded}) > 1:
            raise InputTypeError(
                f"the {type(model).__name__} returns embeddings of different sizes: it is not a sentence encoder"
            )
        self._matrix: Matrix = np.concatenate(embedded) if embedded else np.zeros((0, 0))

    def __call__(self, texts: Sequence[str]) -> Matrix:
        """Return the embeddings of texts of the set: (texts, dim)."""
        return self._matrix[[self._rows[text] for text in texts]]


def _batches(texts: Sequence[str], ends: Sequence[int], show_progress: bool) -> Generator[list[str], None, None]:
    from tqdm.auto import tqdm  # slow to import

    starts = [0, *ends[:-1]] if ends else []
    spans = list(zip(starts, ends, strict=True))
    for start, end in tqdm(spans, desc="Embedding", unit="batch", disable=not show_progress):
        yield list(texts[start:end])


def _ends(lengths: NDArray[np.int_], size: int) -> list[int]:
    """Return the end of each batch: as many texts as fit into the tokens of `size` typical ones, at least one."""
    ends: list[int] = []
    while (start := ends[-1] if ends else 0) < len(lengths):
        ends.append(min(len(lengths), start + max(1, size * TYPICAL_TOKENS // int(lengths[start]))))
    return ends


def _longest_first(model: Encoder, texts: list[str]) -> tuple[list[str], NDArray[np.int_]]:
    """Sort texts by length in tokens.

    Batches of equal lengths need no padding, and running out of memory shows in the first batch.
    """
    tokenizer = getattr(model, "tokenizer", None)
    if texts and getattr(tokenizer, "is_fast", False):  # tokenizers refuse an empty list
        assert callable(tokenizer)
        # No truncation, since some models have no maximum length; verbose would warn about texts that exceed it.
        lengths = np.array([len(ids) for ids in tokenizer(texts, verbose=False).input_ids])
    else:
        lengths = np.array([len(text) for text in texts], dtype=int) / CHARACTERS_PER_TOKEN
    order = np.argsort(-lengths, kind="stable")
    longest = getattr(model, "max_seq_length", None)
    tokens = np.ceil(lengths[order]).astype(int)
    return [texts[row] for row in order], np.clip(tokens, 1, longest if isinstance(longest, int) else None)


def _embed(model: Encoder, batch: list[str]) -> Matrix:
    embeddings: object = model.encode(batch, batch_size=len(batch), show_progress_bar=False, convert_to_numpy=True)
    if not isinstance(embeddings, np.ndarray):
        raise _not_an_encoder(model, batch, f"a {type(embeddings).__name__}")
    if embeddings.ndim != 2 or len(embeddings) != len(batch) or embeddings.dtype.kind not in "fiu":
        raise _not_an_encoder(model, batch, f"an array of shape {embeddings.shape} and type {embeddings.dtype}")
    unusable = np.flatnonzero(~np.isfinite(embeddings).all(axis=1))
    if len(unusable):
        raise InputValueError(
            f"the embedding of {batch[unusable[0]][:60]!r} contains NaN or infinity ({len(unusable)} of the "
            f"{len(batch)} embeddings in its batch do): the model is damaged, or its precision is too low"
        )
    return embeddings


def _not_an_encoder(model: Encoder, batch: Sequence[str], returned: str) -> InputTypeError:
    return InputTypeError(
        f"the {type(model).__name__} returns {returned} for {len(batch)} texts, where a sentence encoder returns an "
        "array with one vector of numbers per text"
    )


@contextmanager
def preserved_modes(model: object) -> Iterator[None]:
    """Restore the training or evaluation mode of every module of a model afterwards."""
    # `encode` switches all modules to evaluation mode; frozen parts may have been in it before.
    modes = [(module, module.training) for module in model.modules()] if hasattr(model, "modules") else []
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training


def cosines(first: Matrix, second: Matrix) -> NDArray[np.float64]:
    """Return the cosine of each row of `first` with the same row of `second`: (pairs, dim) twice → (pairs,).

    The cosine of a zero vector with anything is 0, as in sentence-transformers.

    Example:
        >>> cosines(np.array([[1, 0], [3, 4]]), np.array([[2, 0], [4, 3]])).tolist()
        [1.0, 0.96]
    """
    found: NDArray[np.float64] = np.einsum("pd,pd->p", normalized(first), normalized(second))
    return found


def normalized(embeddings: Matrix) -> NDArray[np.float64]:
    """Scale embeddings to length 1: (texts, dim); zero vectors stay zero.

    Example:
        >>> normalized(np.array([[3, 4], [0, 0]])).tolist()
        [[0.6, 0.8], [0.0, 0.0]]
    """
    # In double precision: squares of half-precision embeddings overflow.
    points = embeddings.astype(np.float64)
    lengths: NDArray[np.float64] = np.linalg.norm(points, axis=1, keepdims=True)
    return points / np.maximum(lengths, 1e-12)


def pair_cosines(pairs: Sequence[tuple[str, str]], vectors: Vectors) -> NDArray[np.float64]:
    """Return the cosine of each pair of texts: (pairs,)."""
    return cosines(vectors([first for first, _ in pairs]), vectors([second for _, second in pairs]))
