"""Validation of the fields of augmenters: each error says what was given, what is allowed and what to do."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from sda_hf.errors import InputTypeError, InputValueError, shown

# Control characters, lone surrogates, and separators of lines and paragraphs.
UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")
MOST_PHRASES = 1000
LONGEST_COLUMN = 500


def check_choice(owner: str, field: str, value: object, allowed: Sequence[str]) -> None:
    """Raise unless the value is one of the allowed ones.

    Args:
        owner: name of the class whose field is checked.
        field: name of the field.
        value: what was given.
        allowed: the allowed values.

    Example:
        >>> check_choice("Negation", "method", "prefx", ("syntactic", "prefix"))
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: Negation: method='prefx' is not allowed: give one of 'syntactic', 'prefix'
    """
    if value not in allowed:
        raise InputValueError(
            f"{owner}: {field}={shown(value)} is not allowed: give one of {', '.join(map(repr, allowed))}"
        )


def check_choices(owner: str, field: str, value: object, allowed: Sequence[str]) -> tuple[str, ...]:
    """Return the value as a tuple; raise if it is empty, has duplicates or contains anything not allowed."""
    chosen = tuple(value) if isinstance(value, (list, tuple)) else ()
    if not chosen or any(c not in allowed for c in chosen) or len(set(chosen)) < len(chosen):
        known = ", ".join(map(repr, allowed))
        raise InputValueError(f"{owner}: {field}={shown(value)} must be a list of one or more of {known}, each once")
    return chosen


def check_text(owner: str, field: str, value: object, fix: str, most: int = 200) -> None:
    """Raise unless the value is a string on one line that is neither blank nor too long.

    Args:
        owner: name of the class whose field is checked.
        field: name of the field.
        value: what was given.
        fix: what to give instead.
        most: the largest number of characters.
    """
    if not isinstance(value, str):
        raise InputTypeError(f"{owner}: {field}={shown(value)} is not a string: {fix}")
    if not value.strip():
        raise InputTypeError(f"{owner}: {field}={shown(value)}: {fix}")
    if len(value) > most or any(unicodedata.category(c) in UNPRINTABLE for c in value):
        raise InputValueError(
            f"{owner}: {field}={shown(value)}: {fix}, of at most {most} characters and without control characters"
        )


def check_phrases(owner: str, value: object) -> tuple[str, ...]:
    """Return the phrases as a tuple; raise if there are none or too many, or one is empty or too long."""
    phrases = tuple(value) if isinstance(value, (list, tuple)) else ()
    if not phrases or not all(isinstance(p, str) and p.strip() for p in phrases):
        raise InputTypeError(f"{owner}: phrases={shown(value)} must be a list of one or more non-empty strings")
    if len(phrases) > MOST_PHRASES:
        raise InputValueError(f"{owner}: phrases: {len(phrases):,} are given: give at most {MOST_PHRASES:,}")
    for phrase in phrases:
        check_text(owner, "phrases", phrase, "give phrases")
    return phrases


def check_integer(owner: str, field: str, value: object) -> None:
    """Raise unless the value is an integer of at most 64 bits."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputTypeError(f"{owner}: {field}={shown(value)} is not an integer")
    if not -(2**63) <= value < 2**63:
        raise InputValueError(f"{owner}: {field}={shown(value)}: give an integer of at most 64 bits")


def check_count(owner: str, field: str, value: object, highest: int, lowest: int = 1) -> None:
    """Raise unless the value is an integer from `lowest` to `highest`."""
    message = f"{owner}: {field}={shown(value)}: give an integer from {lowest} to {highest:,}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputTypeError(message)
    if not lowest <= value <= highest:
        raise InputValueError(message)


def check_fraction(owner: str, field: str, value: object) -> None:
    """Raise unless the value is a number greater than 0 and at most 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputTypeError(f"{owner}: {field}={shown(value)} is not a number: give one greater than 0 and at most 1")
    if not 0 < value <= 1:
        raise InputValueError(f"{owner}: {field}={shown(value)}: give a number greater than 0 and at most 1")


def check_share(owner: str, field: str, value: object) -> None:
    """Raise unless the value is a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputTypeError(f"{owner}: {field}={shown(value)} is not a number: give one from 0 to 1")
    if not 0 <= value <= 1:
        raise InputValueError(f"{owner}: {field}={shown(value)} is outside the range from 0 to 1")


def check_flag(owner: str, field: str, value: object) -> None:
    """Raise unless the value is True or False."""
    if not isinstance(value, bool):
        raise InputTypeError(f"{owner}: {field}={shown(value)} is a {type(value).__name__}: give True or False")


def check_column_name(owner: str, field: str, value: object) -> None:
    """Raise unless the value is the name of a column, or None."""
    if value is None:
        return
    if not isinstance(value, str) or not value:
        raise InputTypeError(f"{owner}: {field}={shown(value)} is not a column name: give a non-empty string or None")
    if len(value) > LONGEST_COLUMN:
        raise InputValueError(f"{owner}: {field}={shown(value)}: give a name of at most {LONGEST_COLUMN} characters")
