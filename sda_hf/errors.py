"""Errors that the user can fix: the message says what was given, what is allowed and what to do.

The command line prints them as one line and exits with 2; every other exception is a bug and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


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


def unknown(kind: str, name: object, known: Iterable[str]) -> InputValueError:
    """Return the error for a name that is not among `known`, with the nearest match.

    Example:
        >>> print(unknown("augmenter", "negatoin", ["modal-verbs", "negation"]))
        unknown augmenter 'negatoin': did you mean 'negation'? Known: modal-verbs, negation
    """
    names = sorted(known)
    near = difflib.get_close_matches(str(name), names, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return InputValueError(f"unknown {kind} {name!r}: {hint}Known: {', '.join(names)}")
