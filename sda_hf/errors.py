"""Errors that the user can fix: the message says what was given, what is allowed and what to do.

The command line prints them as one line and exits with 2; every other exception is a bug and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST_PATH = 300  # characters that a message shows


class InputError(Exception):
    """Base class of the errors in what the user gave."""


class InputValueError(InputError, ValueError):
    """A value outside what is allowed."""


class InputTypeError(InputError, TypeError):
    """A value of the wrong type."""


class InputFileError(InputError, OSError):
    """A file or folder that is missing, unreadable or in the way."""


class MissingPackageError(InputError, ImportError):
    """A package that must be installed first."""


class PluginError(InputError, ImportError):
    """An installed plugin of this library that cannot be loaded."""


def shown(value: object, most: int = 120) -> str:
    """Return the repr of a value for a message, shortened so that the message stays readable.

    Args:
        value: what was given.
        most: the largest number of characters.

    Example:
        >>> shown("negation"), shown("x" * 1000, most=10), shown(10**5000)
        ("'negation'", "'xxxxxxxxx...", 'an integer of 16,610 bits')
    """
    if isinstance(value, int) and value.bit_length() > 256:
        return f"an integer of {value.bit_length():,} bits"
    try:
        text = repr(value[:most] if isinstance(value, (str, list, tuple)) else value)
    except (ValueError, RecursionError):  # a huge integer inside, or too many levels
        return f"a {type(value).__name__}"
    return text if len(text) <= most else f"{text[:most]}..."


def shown_path(path: object) -> str:
    """Return a path or repository id for a message: as it is, unless it is long or does not print."""
    text = str(path)
    return text if text.isprintable() and len(text) <= LONGEST_PATH else shown(text)


def unknown(kind: str, name: object, known: Iterable[str]) -> InputValueError:
    """Return the error for a name that is not among `known`, with the nearest match.

    Example:
        >>> print(unknown("augmenter", "negatoin", ["modal-verbs", "negation"]))
        unknown augmenter 'negatoin': did you mean 'negation'? Known: modal-verbs, negation
    """
    names = sorted(known)
    near = difflib.get_close_matches(str(name)[:100], names, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return InputValueError(f"unknown {kind} {shown(name)}: {hint}Known: {', '.join(names)}")
