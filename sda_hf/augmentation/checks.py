"""Validation of the fields of augmenters: each error says what was given, what is allowed and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from sda_hf.errors import InputTypeError, InputValueError


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
        raise InputValueError(f"{owner}: {field}={value!r} is not allowed: give one of {', '.join(map(repr, allowed))}")


def check_choices(owner: str, field: str, value: object, allowed: Sequence[str]) -> tuple[str, ...]:
    """Return the value as a tuple; raise if it is empty, has duplicates or contains anything not allowed."""
    chosen = tuple(value) if isinstance(value, (list, tuple)) else ()
    if not chosen or len(set(chosen)) < len(chosen) or any(c not in allowed for c in chosen):
        raise InputValueError(
            f"{owner}: {field}={value!r} must be a list of one or more of {', '.join(map(repr, allowed))}, each once"
        )
    return chosen


def check_phrases(owner: str, value: object) -> tuple[str, ...]:
    """Return the phrases as a tuple; raise if there are none or one of them is empty."""
    phrases = tuple(value) if isinstance(value, (list, tuple)) else ()
    if not phrases or not all(isinstance(p, str) and p.strip() for p in phrases):
        raise InputTypeError(f"{owner}: phrases={value!r} must be a list of one or more non-empty strings")
    return phrases


def check_integer(owner: str, field: str, value: object) -> None:
    """Raise unless the value is an integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputTypeError(f"{owner}: {field}={value!r} is not an integer")


def check_count(owner: str, field: str, value: object, lowest: int = 1) -> None:
    """Raise unless the value is an integer and at least `lowest`."""
    message = f"{owner}: {field}={value!r}: give an integer of at least {lowest}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputTypeError(message)
    if value < lowest:
        raise InputValueError(message)


def check_fraction(owner: str, field: str, value: object) -> None:
    """Raise unless the value is a number greater than 0 and at most 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputTypeError(f"{owner}: {field}={value!r} is not a number: give one greater than 0 and at most 1")
    if not 0 < value <= 1:
        raise InputValueError(f"{owner}: {field}={value!r}: give a number greater than 0 and at most 1")


def check_share(owner: str, field: str, value: object) -> None:
    """Raise unless the value is a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputTypeError(f"{owner}: {field}={value!r} is not a number: give one from 0 to 1")
    if not 0 <= value <= 1:
        raise InputValueError(f"{owner}: {field}={value!r} is outside the range from 0 to 1")


def check_flag(owner: str, field: str, value: object) -> None:
    """Raise unless the value is True or False."""
    if not isinstance(value, bool):
        raise InputTypeError(f"{owner}: {field}={value!r} is a {type(value).__name__}: give True or False")


def check_column_name(owner: str, field: str, value: object) -> None:
    """Raise unless the value is the name of a column, or None."""
    if value is not None and (not isinstance(value, str) or not value):
        raise InputTypeError(f"{owner}: {field}={value!r} is not a column name: give a non-empty string or None")
