"""The files of a vocabulary, which a stranger may have written: checked before they are believed."""

from __future__ import annotations

import itertools
import json
import operator
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from sda_hf.errors import InputFileError, InputValueError, shown, unknown

LARGEST_FACTS = 10_000  # bytes
LARGEST_HEADER = 10_000  # bytes
LARGEST_TABLE = 200_000_000  # bytes
MOST_DOCUMENTS = 2**53
LONGEST_TERM = 10_000  # characters
DIGEST = re.compile(r"[0-9a-f]{32}")
# The type of each tensor, and the bytes of one of its numbers.
TENSORS = {"terms": ("U8", 1), "frequency": ("I64", 8), "largest_share": ("F64", 8)}


def checked_facts(facts: Mapping[str, object]) -> tuple[int, str]:
    """Return the number of documents and the digest of a vocabulary.

    Raises:
        InputValueError: one is missing or impossible, or there is an unknown key.
    """
    for name in facts:
        if name not in ("documents", "terms", "digest"):
            raise unknown("key", name, ("documents", "terms", "digest"))
    for name, least in (("documents", 1), ("terms", 2)):
        value = facts.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST_DOCUMENTS:
            given = shown(value) if name in facts else "missing"
            raise InputValueError(f"{name!r} is {given}: it must be an integer of at least {least}")
    documents, digest = facts["documents"], facts.get("digest")
    if not isinstance(digest, str) or not DIGEST.fullmatch(digest):
        given = shown(digest) if "digest" in facts else "missing"
        raise InputValueError(f"'digest' is {given}: it must be a string of 32 hexadecimal digits")
    assert isinstance(documents, int)
    return documents, digest


def read_table(path: Path, documents: int) -> dict[str, NDArray[Any]]:
    """Read the tensors of a vocabulary.

    Args:
        path: the safetensors file.
        documents: the number of sentences that were counted.

    Raises:
        InputFileError: the file is missing, too large or no safetensors file; a tensor is missing or has the wrong
            type or shape; or the values are impossible, such as a count below 1.
    """
    try:
        _check_header(path)
        table: dict[str, NDArray[Any]] = load_file(path)
        _check_values(table, documents)
    except (OSError, ValueError, SafetensorError) as error:
        raise InputFileError(getattr(error, "strerror", None) or str(error)) from None
    return table


def _check_header(path: Path) -> None:
    """Check the size of the file and the type and shape of each tensor, before any of them is read."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputValueError("not a regular file")
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size > LARGEST_TABLE:
            raise InputValueError(f"{size:,} bytes, more than {LARGEST_TABLE:,}")
        length = int.from_bytes(file.read(8), "little")
        if length > LARGEST_HEADER:
            raise InputValueError(f"a header of {length:,} bytes, more than {LARGEST_HEADER:,}")
        try:
            header = json.loads(file.read(length))
        except (ValueError, RecursionError):
            raise InputValueError("not a safetensors file: its header is not JSON") from None
    if not isinstance(header, dict):
        raise InputValueError("not a safetensors file: its header is not a JSON object")
    for name in header:
        if name not in TENSORS and name != "__metadata__":
            raise unknown("tensor", name, TENSORS)
    shapes = {name: _shape(header, name) for name in TENSORS}
    if shapes["frequency"] != shapes["largest_share"]:
        raise InputValueError(
            f"'frequency' has {shapes['frequency']:,} numbers and 'largest_share' {shapes['largest_share']:,}: each "
            "term has one of each"
        )


def _shape(header: Mapping[str, object], name: str) -> int:
    """Return the length of a tensor, which must be a vector of the right type."""
    kind, _ = TENSORS[name]
    described = header.get(name)
    if not isinstance(described, dict):
        raise InputValueError(f"the tensor {name!r} is missing")
    if described.get("dtype") != kind:
        raise InputValueError(f"the tensor {name!r} is of type {shown(described.get('dtype'))}, not {kind}")
    shape = described.get("shape")
    if not isinstance(shape, list) or len(shape) != 1 or not isinstance(shape[0], int):
        raise InputValueError(f"the tensor {name!r} has the shape {shown(shape)}: it must be a vector")
    return shape[0]


def _check_values(table: Mapping[str, NDArray[Any]], documents: int) -> None:
    """Check that a corpus can have these counts."""
    frequency, share = table["frequency"], table["largest_share"]
    try:
        terms = table["terms"].tobytes().decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InputValueError(f"'terms' is not UTF-8 text (byte {error.start + 1:,})") from None
    if len(terms) != len(frequency):
        raise InputValueError(f"{len(terms):,} terms have {len(frequency):,} counts: each has one")
    if len(terms) < 2:
        raise InputValueError("fewer than two terms: there must be one to replace another by")
    if not all(map(operator.lt, terms, itertools.islice(terms, 1, None))):
        raise InputValueError("the terms are not in alphabetical order, each once")
    longest = max(terms, key=len)
    if len(longest) > LONGEST_TERM:
        raise InputValueError(f"a term of {len(longest):,} characters, more than {LONGEST_TERM:,}")
    if not terms[0] or not "".join(terms).isprintable() or any(" " in term for term in terms):
        raise InputValueError("a term is empty, or has a space or a control character")
    if frequency.min() < 1 or frequency.max() > documents:
        raise InputValueError(
            f"'frequency' ranges from {frequency.min()} to {frequency.max()}: it must be from 1 to the number of "
            f"documents, {documents:,}"
        )
    if not np.all((share > 0) & (share <= 1)):
        wrong = share[~((share > 0) & (share <= 1))][0]
        raise InputValueError(f"'largest_share' has the value {wrong}: it must be greater than 0 and at most 1")
