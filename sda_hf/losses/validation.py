"""Validation of the numeric arguments of losses."""

from __future__ import annotations

import math
from numbers import Real

from sda_hf.errors import InputTypeError, InputValueError


def finite_number(name: str, value: object, *, positive: bool, usual: str) -> float:
    """Return a constructor argument as a float.

    Raises:
        InputTypeError: The value is not a number.
        InputValueError: The value is NaN, infinite or, with `positive`, not above 0.
    """
    message = f"{name} is {value!r}: give a finite number{' above 0' if positive else ''}, usually {usual}"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(message)
    if not math.isfinite(value) or (positive and value <= 0):
        raise InputValueError(message)
    return float(value)


def positive_integer(name: str, value: object, *, usual: str) -> int:
    """Return a constructor argument that is a count.

    Raises:
        InputTypeError: The value is not an integer.
        InputValueError: The value is not above 0.
    """
    message = f"{name} is {value!r}: give an integer above 0, usually {usual}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputTypeError(message)
    if value < 1:
        raise InputValueError(message)
    return value
