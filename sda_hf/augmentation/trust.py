"""Which parsers a configuration may name: it may come from a stranger, and loading a spaCy pipeline runs its code."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from sda_hf.errors import InputError, InputFileError, InputValueError, shown
from sda_hf.grammar.base import GRAMMARS, grammar_of
from sda_hf.syntax.parsers import installed_pipelines, is_path, not_installed


def check_parsers(
    config: object, *, trusted: bool, folder: Path | None = None, typed: frozenset[str] = frozenset()
) -> None:
    """Refuse a configuration with a parser other than the embedded one, unless it is trusted.

    Nothing is imported or loaded: names are looked up among the installed packages.

    Args:
        config: the configuration of an augmenter or a composite; parsers are looked for at any depth.
        trusted: whether the user allows other parsers.
        folder: where the configuration was read from; a pipeline in there is refused even if others are trusted.
        typed: parsers that the user typed, which need no further trust.

    Raises:
        InputValueError: another parser is named, and it is not trusted.
        InputFileError: it is trusted, and it is a relative path or a path in a downloaded repository.
        MissingPackageError: it is trusted, and no installed spaCy pipeline has that name.

    Example:
        >>> check_parsers({"name": "negation", "parser": "this.x"}, trusted=False)
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: the configuration names the parser 'this.x', which is not installed: ...
    """
    for parser in _parsers(config):
        if parser in typed or parser in _embedded():
            continue
        refusal = _refusal(parser, folder)
        if refusal is not None and trusted:
            raise refusal
        if not trusted:
            raise InputValueError(
                f"the configuration names the parser {shown(parser)}, which is {_described(parser)}: loading a spaCy "
                "pipeline runs its code, so a configuration may only use the embedded one (parser: null); if you know "
                "and trust that pipeline, give trust_parser=True (--trust-parser)"
            )


def typed_parsers(config: object) -> frozenset[str]:
    """Return the parsers that a configuration names."""
    return frozenset(_parsers(config))


def _parsers(config: object) -> Iterator[str]:
    if isinstance(config, Mapping):
        for key, value in config.items():
            if key == "parser" and isinstance(value, str):
                yield value
            else:
                yield from _parsers(value)
    elif isinstance(config, (list, tuple)):
        for item in config:
            yield from _parsers(item)


def _embedded() -> set[str]:
    return {str(pipeline) for code in GRAMMARS if (pipeline := grammar_of(code).pipeline) is not None}


def _described(parser: str) -> str:
    """Say what would be loaded."""
    point = installed_pipelines().get(parser)
    if point is not None:
        package = "" if point.dist is None else f" of the package {point.dist.name} {point.dist.version}"
        return f"the installed spaCy pipeline{package}"
    return "a path" if is_path(parser) else "not installed"


def _refusal(parser: str, folder: Path | None) -> InputError | None:
    """Return why a parser is refused even if it is trusted."""
    if parser in installed_pipelines():
        return None
    if not is_path(parser):
        return not_installed(parser)
    if folder is not None and not os.path.isabs(parser):
        return InputFileError(f"parser {shown(parser)}: a configuration cannot name a relative path: give a whole one")
    from huggingface_hub.constants import HF_HUB_CACHE  # slow to import

    paths = [Path(resolved(os.path.expanduser(parser))) for resolved in (os.path.abspath, os.path.realpath)]
    for place in (Path(HF_HUB_CACHE), folder):
        if place is not None and any(
            path.is_relative_to(resolved(place)) for path in paths for resolved in (os.path.abspath, os.path.realpath)
        ):
            return InputFileError(
                f"parser {shown(parser)} lies in a downloaded repository, from which no pipeline is loaded: give one "
                "that you installed"
            )
    return None
