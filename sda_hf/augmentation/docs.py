"""Add the arguments that all augmenters share and the limits of each class to its docstring, for `help`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence

# "Args:" and the indented lines below it.
ARGUMENTS = re.compile(r"^Args:\n((?:[ ]+.*\n|\n(?=[ ]))*)", re.MULTILINE)
ARGUMENT = re.compile(r"^ {4}(\*{0,2}\w+): .*\n(?: {5,}.*\n)*", re.MULTILINE)
EXAMPLE = re.compile(r"^Example:$", re.MULTILINE)
LATER_SECTION = re.compile(r"^(?:Returns|Raises|Example):$", re.MULTILINE)


def arguments_of(cls: type) -> dict[str, str]:
    """Return the entries below "Args:" in the docstring of a class, by name.

    Example:
        >>> from sda_hf.augmentation.base import Augmenter
        >>> print(arguments_of(Augmenter)["epoch"], end="")
            epoch: the pass over the data; see `with_epoch`.
    """
    found = ARGUMENTS.search(f"{inspect.cleandoc(cls.__doc__ or '')}\n")
    return {} if found is None else {entry[1]: entry[0] for entry in ARGUMENT.finditer(found[1])}


def add_arguments(doc: str, arguments: dict[str, str]) -> str:
    """Add arguments to a docstring, except those that it already documents."""
    doc = f"{inspect.cleandoc(doc)}\n"
    found = ARGUMENTS.search(doc)
    own = [] if found is None else [entry[1] for entry in ARGUMENT.finditer(found[1])]
    new = "".join(entry for name, entry in arguments.items() if name not in own)
    if found is not None:
        place = found.start(1) + len(found[1].rstrip("\n")) + 1
        return doc[:place] + new + doc[place:]
    later = LATER_SECTION.search(doc)
    place = len(doc) if later is None else later.start()
    gap = "" if later is None else "\n"
    return f"{doc[:place]}{'' if later else chr(10)}Args:\n{new}{gap}{doc[place:]}"


def add_limits(doc: str, limits: Sequence[str]) -> str:
    """Add the limits of an augmenter to its docstring, before the example.

    Example:
        >>> print(add_limits("Negative: a claim denied.", ["English only"]))
        Negative: a claim denied.
        <BLANKLINE>
        Limits:
            - English only
        <BLANKLINE>
    """
    if not limits:
        return doc
    doc = f"{inspect.cleandoc(doc)}\n"
    section = "Limits:\n" + "".join(f"    - {limit}\n" for limit in limits)
    example = EXAMPLE.search(doc)
    if example is None:
        return f"{doc}\n{section}"
    return f"{doc[: example.start()]}{section}\n{doc[example.start() :]}"
