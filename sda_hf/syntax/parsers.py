"""Which pipeline parses which language: loading, one per process, and parsing in batches."""

from __future__ import annotations

import functools
import importlib.util
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from sda_hf.errors import InputFileError, InputTypeError, InputValueError, MissingPackageError
from sda_hf.syntax.schemes import Scheme, scheme_of

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

PIPELINES = Path(__file__).parent / "pipelines"
EMBEDDED = {"en": "en_ud"}
# Rules read tags and the tree alone; a core model is twice as fast without the rest.
UNUSED = ["ner", "lemmatizer", "attribute_ruler"]
# spaCy stores UTF-8, which has no lone surrogates; a stand-in of the same length keeps the offsets.
SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
SHOUTED_NOT = re.compile(
    r"\b(?:DO|DOES|DID|CA|WO|IS|ARE|WAS|WERE|HAVE|HAS|HAD|COULD|WOULD|SHOULD|MUST|AI|NEED)N['’]?T\b"  # noqa: RUF001
)
BATCH = 256

ParserName: TypeAlias = Union[str, "Language", None]


def check_parser(parser: object) -> None:
    """Refuse anything but None, a name or path, or a loaded spaCy pipeline.

    Raises:
        InputTypeError: it is something else.
    """
    if parser is None or isinstance(parser, str) or callable(getattr(parser, "pipe", None)):
        return
    raise InputTypeError(
        f"parser={parser!r} is a {type(parser).__name__}: give None for the embedded pipeline, the name of an "
        "installed spaCy package ('en_core_web_sm'), a path, or a loaded spaCy Language"
    )


def load(language: str, parser: ParserName = None) -> tuple[Language, Scheme]:
    """The pipeline for a language and the label scheme of its parser.

    Args:
        language: an ISO 639-1 code.
        parser: None for the embedded pipeline, a spaCy package name, a path, or a loaded `Language`.

    Raises:
        InputValueError: no embedded pipeline for the language, or the pipeline is of another language or
            has no parser.
        MissingPackageError: the spaCy package is not installed.
    """
    nlp = _loaded(language, parser) if parser is None or isinstance(parser, str) else parser
    if nlp.lang != language:
        raise InputValueError(f"parser {nlp.meta['name']!r} is for language {nlp.lang!r}, not for {language!r}")
    if "parser" not in nlp.pipe_names:
        raise InputValueError(
            f"the pipeline {nlp.meta['name']!r} has no dependency parser (it has {', '.join(nlp.pipe_names)}): "
            "give one that has"
        )
    return nlp, scheme_of(nlp.get_pipe("parser").labels)  # type: ignore[attr-defined]


@functools.cache
def _loaded(language: str, parser: str | None) -> Language:
    import spacy

    if parser is None:
        if language not in EMBEDDED:
            raise InputValueError(
                f"language {language!r} has no embedded pipeline (there is one for {', '.join(EMBEDDED)}): "
                "give a spaCy package with parser="
            )
        return spacy.load(PIPELINES / EMBEDDED[language])
    if Path(parser).is_dir():
        if not (Path(parser) / "config.cfg").is_file():
            raise InputFileError(f"parser {parser!r} is a folder without config.cfg: it is no saved spaCy pipeline")
        return spacy.load(Path(parser), exclude=UNUSED)
    if "/" in parser or "\\" in parser:
        raise InputFileError(f"parser {parser!r}: no such folder")
    if importlib.util.find_spec(parser) is None:
        raise MissingPackageError(
            f"parser {parser!r} is not installed: run `python -m spacy download {parser}`, or leave parser=None "
            "for the embedded pipeline"
        )
    return spacy.load(parser, exclude=UNUSED)


def parse(texts: Iterable[str], nlp: Language) -> Iterator[Doc]:
    """The parsed documents, in order; offsets in a document are those in its text."""
    return nlp.pipe((_legible(text) for text in texts), batch_size=BATCH)


def _legible(text: str) -> str:
    """The text as a parser reads it best: of the same length: no lone surrogates, nothing shouted."""
    text = SHOUTED_NOT.sub(lambda match: match[0].lower(), text.translate(SURROGATES))
    lower = text.lower()
    return lower if text.isupper() and len(lower) == len(text) > 5 else text
