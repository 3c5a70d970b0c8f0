"""Small files and mappings that strangers may have written: bounded before they are read or believed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from sda_hf.errors import InputFileError, InputValueError, shown

DEEPEST = 32
MOST_VALUES = 20_000
LONGEST_TEXT = 10_000


def read_small_text(path: Path, most: int) -> str:
    """Read a UTF-8 text file of limited size.

    Args:
        path: the file.
        most: the largest number of bytes.

    Raises:
        InputFileError: it is missing, too large, unreadable or not UTF-8; the message has the reason alone, without
            the path.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except (OSError, ValueError) as error:  # a ValueError is about a path with NUL
        raise InputFileError(getattr(error, "strerror", None) or str(error)) from None
    if len(content) > most:
        raise InputFileError(f"larger than {most:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputFileError(f"not a UTF-8 text file (byte {error.start + 1:,})") from None


def read_small_json(path: Path, most: int) -> dict[str, object]:
    """Read a JSON object from a file of limited size; the object is bounded as `check_plain` says.

    Raises:
        InputFileError: as `read_small_text`; or it does not hold a JSON object, or holds a duplicate key, NaN or a
            value out of bounds.
    """
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited for without end
        raise InputFileError("not a regular file")
    text = read_small_text(path, most)
    try:
        value = json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_refused)
        if not isinstance(value, dict):
            raise ValueError("not a JSON object")
        check_plain(value)
    except RecursionError:
        raise InputFileError(f"nested more than {DEEPEST} levels deep") from None
    except ValueError as error:
        reason = "an integer of too many digits" if "integer string conversion" in str(error) else str(error)
        raise InputFileError(reason) from None
    return value


def check_plain(value: object) -> None:
    r"""Refuse a nested value that is too deep or too large, or that holds text which no file can.

    Raises:
        InputValueError: it is nested more than 32 levels deep, has more than 20,000 values, a string of more than
            10,000 characters, a string with NUL or a lone surrogate, or an integer of more than 64 bits.

    Example:
        >>> check_plain({"name": "nega\0tion"})
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: name: a string with NUL: 'nega\x00tion'
    """
    waiting: list[tuple[str, object, int]] = [("", value, 0)]
    seen = 0
    while waiting:
        place, item, depth = waiting.pop()
        prefix = f"{place}: " if place else ""
        seen += 1
        if depth > DEEPEST:
            raise InputValueError(f"nested more than {DEEPEST} levels deep")
        if seen + len(waiting) + (len(item) if isinstance(item, (Mapping, list, tuple)) else 0) > MOST_VALUES:
            raise InputValueError(f"more than {MOST_VALUES:,} values")
        if isinstance(item, Mapping):
            for key, inner in item.items():
                if isinstance(key, str) and (problem := text_problem(key)):
                    raise InputValueError(f"{prefix}a key is {problem}")
                waiting.append((_joined(place, key), inner, depth + 1))
        elif isinstance(item, (list, tuple)):
            waiting += [(_joined(place, i), inner, depth + 1) for i, inner in enumerate(item)]
        elif isinstance(item, str) and (problem := text_problem(item)):
            raise InputValueError(f"{prefix}{problem}")
        elif isinstance(item, int) and not -(2**63) <= item < 2**63:
            raise InputValueError(f"{prefix}an integer of more than 64 bits")


def text_problem(text: str) -> str | None:
    """Say why no name, path or phrase can be this text; None if one can."""
    if len(text) > LONGEST_TEXT:
        return f"a string of {len(text):,} characters, more than {LONGEST_TEXT:,}"
    if "\0" in text:
        return f"a string with NUL: {shown(text)}"
    if any("\ud800" <= c <= "\udfff" for c in text):
        return f"a string with a lone surrogate: {shown(text)}"
    return None


def _joined(place: str, key: object) -> str:
    name = key if isinstance(key, str) else shown(key)
    return f"{place}.{name}"[-200:].removeprefix(".")


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"duplicate key {shown(key)}")
        found[key] = value
    return found


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number that JSON has")
