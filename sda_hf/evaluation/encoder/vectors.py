"""Every text of several tasks embedded once, in one pass from the longest to the shortest."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputTypeError, InputValueError


class Vectors:
    """The embeddings of a set of texts.

    Args:
        model: anything with sentence-transformers' `encode`.
        texts: what to embed; each distinct text is embedded once.
        batch_size: sentences of 16 tokens that are embedded at a time; fewer of longer ones, more of shorter ones.
        show_progress: show a progress bar.

    Raises:
        InputTypeError: the model is no sentence encoder: it has no `encode`, or does not give one vector a text.
        InputValueError: an embedding with NaN or infinity in it, or a batch size below 1.

    Example:
        >>> class Lengths:
        ...     def encode(self, texts, **options):
        ...         return np.array([[len(text), 1.0] for text in texts])
        >>> Vectors(Lengths(), ["a", "bcd", "a"])(["bcd", "a"])
        array([[3., 1.],
               [1., 1.]])
    """

    def __init__(self, model: Any, texts: Iterable[str], batch_size: int = 64, show_progress: bool = False) -> None:
        if not callable(getattr(model, "encode", None)):
            raise InputTypeError(
                f"a {type(model).__name__} is no sentence encoder: give a SentenceTransformer, its folder or its Hub id"
            )
        if batch_size < 1:
            raise InputValueError(f"batch_size is {batch_size}: embed at least 1 text at a time")
        self.model, self.batch_size, self.show_progress = model, batch_size, show_progress
        distinct, lengths = _longest_first(model, list(dict.fromkeys(texts)))
        self._rows = {text: row for row, text in enumerate(distinct)}
        # Closed, so that the progress bar ends where embedding fails.
        with modes_kept(model), closing(_batches(distinct, _ends(lengths, batch_size), show_progress)) as parts:
            batches = [_checked(model, batch, model.encode(batch, batch_size=len(batch), **QUIET)) for batch in parts]
        if len({batch.shape[1] for batch in batches}) > 1:
            raise InputTypeError(f"the {type(model).__name__} gives embeddings of different sizes: it is no encoder")
        self._matrix: NDArray[Any] = np.concatenate(batches) if batches else np.zeros((0, 0))

    def __call__(self, texts: Sequence[str]) -> NDArray[Any]:
        """The embeddings of texts that are in the set, (texts, dim)."""
        return self._matrix[[self._rows[text] for text in texts]]


# Tokens of a usual sentence, and letters of a token where no tokenizer can be asked.
USUAL, LETTERS = 16, 4
QUIET = {"show_progress_bar": False, "convert_to_numpy": True}


def _batches(texts: Sequence[str], ends: Sequence[int], show_progress: bool) -> Generator[list[str], None, None]:
    from tqdm.auto import tqdm  # here, because it is slow to import

    starts = [0, *ends[:-1]] if ends else []
    for start, end in tqdm(
        list(zip(starts, ends, strict=True)), desc="Embedding", unit="batch", disable=not show_progress
    ):
        yield list(texts[start:end])


def _ends(lengths: NDArray[np.int_], size: int) -> list[int]:
    """Where each batch ends: after so many texts that they have the tokens of `size` usual ones, one text at least."""
    ends: list[int] = []
    while (start := ends[-1] if ends else 0) < len(lengths):
        ends.append(min(len(lengths), start + max(1, size * USUAL // int(lengths[start]))))
    return ends


def _longest_first(model: Any, texts: list[str]) -> tuple[list[str], NDArray[np.int_]]:
    """Texts by their number of tokens, and these: batches of one length need no padding, and memory ends at once."""
    tokenizer: Any = getattr(model, "tokenizer", None)
    if texts and getattr(tokenizer, "is_fast", False):  # a tokenizer takes no empty list
        # Without truncation, since not every model has a longest text; verbose would warn of those that are cut later.
        lengths = np.array([len(ids) for ids in tokenizer(texts, verbose=False).input_ids])
    else:
        lengths = np.array([len(text) for text in texts], dtype=int) / LETTERS
    order = np.argsort(-lengths, kind="stable")
    longest = getattr(model, "max_seq_length", None)
    counted = np.ceil(lengths[order]).astype(int)
    return [texts[row] for row in order], np.clip(counted, 1, longest if isinstance(longest, int) else None)


def _checked(model: Any, batch: Sequence[str], embeddings: Any) -> NDArray[Any]:
    if not isinstance(embeddings, np.ndarray):
        raise _no_encoder(model, batch, f"an object of type {type(embeddings).__name__}")
    if embeddings.ndim != 2 or len(embeddings) != len(batch) or embeddings.dtype.kind not in "fiu":
        raise _no_encoder(model, batch, f"an array of shape {embeddings.shape} and type {embeddings.dtype}")
    unusable = np.flatnonzero(~np.isfinite(embeddings).all(axis=1))
    if len(unusable):
        raise InputValueError(
            f"the embedding of {batch[unusable[0]][:60]!r} has NaN or infinity in it ({len(unusable)} of the "
            f"{len(batch)} embeddings in its batch do): the model is damaged, or its precision is too low"
        )
    return embeddings


def _no_encoder(model: Any, batch: Sequence[str], given: str) -> InputTypeError:
    return InputTypeError(
        f"the {type(model).__name__} gives {given} for {len(batch)} texts, where a sentence encoder gives an array "
        "with one vector of numbers a text"
    )


@contextmanager
def modes_kept(model: Any) -> Iterator[None]:
    """Leaves every module of a model in the mode in which it was."""
    # `encode` puts every module into evaluation mode; parts of a model (frozen ones) may have been in another one.
    modes = [(module, module.training) for module in model.modules()] if hasattr(model, "modules") else []
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training


def cosines(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """Cosine of each row of `first` with the same row of `second`: (pairs, dim) twice → (pairs,).

    A zero vector is similar to nothing, as in sentence-transformers.

    Example:
        >>> cosines(np.array([[1, 0], [3, 4]]), np.array([[2, 0], [4, 3]])).tolist()
        [1.0, 0.96]
    """
    found: NDArray[np.float64] = np.einsum("pd,pd->p", on_sphere(first), on_sphere(second))
    return found


def on_sphere(embeddings: NDArray[Any]) -> NDArray[np.float64]:
    """Embeddings at length 1, (texts, dim); a zero vector stays one.

    Example:
        >>> on_sphere(np.array([[3, 4], [0, 0]])).tolist()
        [[0.6, 0.8], [0.0, 0.0]]
    """
    # In double precision: a half-precision model's embeddings overflow when they are squared.
    points = embeddings.astype(np.float64)
    lengths: NDArray[np.float64] = np.linalg.norm(points, axis=1, keepdims=True)
    return points / np.maximum(lengths, 1e-12)


def pair_cosines(pairs: Sequence[tuple[str, str]], vectors: Vectors) -> NDArray[np.float64]:
    """Cosine of each pair of texts, (pairs,)."""
    return cosines(vectors([first for first, _ in pairs]), vectors([second for _, second in pairs]))
