"""Numbers among the arguments of a loss."""

from __future__ import annotations

import math
from numbers import Real

from sda_hf.errors import InputTypeError, InputValueError


def finite_number(name: str, value: object, *, positive: bool, usual: str) -> float:
    """The value of a constructor argument as a float.

    Raises:
        InputTypeError: not a number.
        InputValueError: NaN, infinite or, where it must be positive, not above 0.
    """
    message = f"{name} is {value!r}: give a finite number{' above 0' if positive else ''}, usually {usual}"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(message)
    if not math.isfinite(value) or (positive and value <= 0):
        raise InputValueError(message)
    return float(value)


def whole_number(name: str, value: object, *, usual: str) -> int:
    """The value of a constructor argument that counts something.

    Raises:
        InputTypeError: no whole number.
        InputValueError: not above 0.
    """
    message = f"{name} is {value!r}: give a whole number above 0, usually {usual}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputTypeError(message)
    if value < 1:
        raise InputValueError(message)
    return value
