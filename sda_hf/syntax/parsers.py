"""Load spaCy pipelines, once per process, and parse texts in batches."""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias, Union

from sda_hf.errors import InputFileError, InputTypeError, InputValueError, MissingPackageError, shown
from sda_hf.syntax.clause import Word
from sda_hf.syntax.schemes import Scheme, TagTable, words_of

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# The rules use only the tags and the tree; a core model is twice as fast without the rest.
UNUSED = ["ner", "lemmatizer", "attribute_ruler"]
# spaCy stores UTF-8, which has no lone surrogates; a replacement of the same length keeps the offsets.
SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
# Spaces that parsers have not seen in training: tabs, no-break and ideographic spaces and their like.
SPACES = dict.fromkeys([0x09, 0x0B, 0x0C, 0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
READABLE = SURROGATES | SPACES
# Texts after which words are no longer remembered: the commonest have come up by then.
REMEMBERED = 4096

# What the name of a spaCy package may be: it is shown in a command that users copy.
PACKAGE = re.compile(r"[A-Za-z0-9_-]{1,100}")

ParserName: TypeAlias = Union[str, "Language", None]


class Parser(Protocol):
    """Anything that splits texts into sentences and parses them."""

    def sentences(self, texts: Iterable[str]) -> Iterator[Iterator[Sequence[Word]]]:
        """For each text, in order, the words of its sentences, with offsets in that text."""
        ...


@dataclass(frozen=True)
class SpacyParser:
    """A parser backed by a spaCy pipeline whose labels belong to a known scheme.

    Attributes:
        nlp: the pipeline.
        scheme: the label scheme of its parser.
        tags: UPOS and features for each treebank tag.
        normalize: what the language does to a text before it is parsed; it must keep the length of the text.
        private: nobody else uses the pipeline, so that what it allocates for a batch can be freed after it.
        batch: how many texts are parsed at once.
    """

    batch: ClassVar[int] = 256

    nlp: Language
    scheme: Scheme
    tags: TagTable
    normalize: Callable[[str], str]
    private: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock, compare=False, repr=False)
    _parsed: list[int] = field(default_factory=lambda: [0], compare=False, repr=False)

    def sentences(self, texts: Iterable[str]) -> Iterator[Iterator[Sequence[Word]]]:
        """For each text, in order, the words of its sentences, with offsets in that text.

        A text that the pipeline cannot parse raises when its own sentences are asked for.
        """
        remaining = iter(texts)
        while batch := list(itertools.islice(remaining, self.batch)):
            yield from self._batch(batch)

    def _batch(self, texts: list[str]) -> list[Iterator[Sequence[Word]]]:
        # Words that are common enough to come up in the first texts stay known; a memory zone forgets all others, and
        # holds no more than one thread.
        with self._lock, self.nlp.memory_zone() if self._forgets() else contextlib.nullcontext():
            self._parsed[0] += len(texts)
            try:
                return self.read_all(texts)
            except Exception:  # noqa: BLE001 - found again, and raised, for the text that it is about
                return [self._alone(text) for text in texts]

    def _forgets(self) -> bool:
        return self.private and self._parsed[0] >= REMEMBERED

    def _alone(self, text: str) -> Iterator[Sequence[Word]]:
        try:
            (sentences,) = self.read_all([text])
            return sentences
        except Exception as error:  # noqa: BLE001 - raised where the text is rewritten
            return _raising(error)

    def read_all(self, texts: Sequence[str]) -> list[Iterator[Sequence[Word]]]:
        """Return the sentences of each text, or raise if the pipeline cannot parse one of them."""
        return [iter(list(self.read(text, doc))) for text, doc in zip(texts, self.parse(texts), strict=True)]

    def parse(self, texts: Iterable[str]) -> Iterator[Doc]:
        """Return the documents that the pipeline makes of texts in their readable form."""
        return self.nlp.pipe(map(self.readable, texts), batch_size=self.batch)

    def readable(self, text: str) -> str:
        """Return a text as it is parsed: in the form that suits the pipeline, without white space at the start."""
        return self.normalize(text.translate(READABLE)).lstrip()

    def tokens(self, text: str, last: str) -> list[tuple[int, int]]:
        """Return the start and end of each token that the components up to `last` find, without running the others."""
        with self._lock, self.nlp.memory_zone() if self._forgets() else contextlib.nullcontext():
            self._parsed[0] += 1
            doc = self.nlp.make_doc(self.normalize(text.translate(READABLE)))
            for _, component in self.nlp.pipeline[: self.nlp.pipe_names.index(last) + 1]:
                doc = component(doc)
            return [(token.idx, token.idx + len(token)) for token in doc]

    def read(self, text: str, doc: Doc) -> Iterator[Sequence[Word]]:
        """Yield the words of each sentence of a document parsed from `text`."""
        if not len(doc):
            return
        offset = len(text) - doc[-1].idx - len(doc[-1].text_with_ws)
        for sentence in doc.sents:
            if words := list(words_of(sentence, text, self.tags, offset)):
                yield self.scheme.convert(words)


def _raising(error: Exception) -> Iterator[Sequence[Word]]:
    """Sentences that raise when they are asked for."""

    def fail() -> Sequence[Word]:
        raise error

    return (fail() for _ in range(1))


def check_parser(parser: object) -> None:
    """Check that a parser is None, a name or path, or a loaded spaCy pipeline; import and load nothing.

    Raises:
        InputTypeError: it is something else.
    """
    if parser is None or isinstance(parser, str) or callable(getattr(parser, "pipe", None)):
        return
    raise InputTypeError(
        f"parser={shown(parser)} is a {type(parser).__name__}: give None for the embedded pipeline, the name of an "
        "installed spaCy package ('en_core_web_sm'), a path, or a loaded spaCy Language"
    )


def installed_pipelines() -> dict[str, EntryPoint]:
    """Return the installed spaCy pipelines by name, as their packages announce them; nothing is imported."""
    return {point.name: point for point in entry_points(group="spacy_models")}


def is_path(parser: str) -> bool:
    """Whether a parser can only be meant as a path: no package name has a separator."""
    return "/" in parser or "\\" in parser or parser.startswith((".", "~"))


def is_folder(path: Path) -> bool:
    """Whether there is a folder at a path, which may be one that no file system takes."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def not_installed(parser: str) -> MissingPackageError:
    """Return the error for a name that is not the name of an installed pipeline."""
    if not PACKAGE.fullmatch(parser):
        return MissingPackageError(
            f"parser {shown(parser)} is not the name of a spaCy package: give one such as en_core_web_sm, or leave "
            "parser=None for the embedded pipeline"
        )
    return MissingPackageError(
        f"parser {parser!r} is not installed: run `python -m spacy download {parser}`, or leave parser=None "
        "for the embedded pipeline"
    )


def load(language: str, parser: ParserName, embedded: Path | None) -> Language:
    """Return a spaCy pipeline for a language, with a dependency parser.

    Args:
        language: an ISO 639-1 code.
        parser: None for the embedded pipeline, a spaCy package name, a path, or a loaded `Language`.
        embedded: the folder of the embedded pipeline, if the language has one.

    Raises:
        InputValueError: the language has no embedded pipeline, or the pipeline is for another language or
            has no dependency parser.
        InputFileError: the path is not a saved pipeline.
        MissingPackageError: the spaCy package is not installed.
    """
    if parser is None and embedded is None:
        raise InputValueError(f"language {language!r} has no embedded pipeline: give a spaCy package with parser=")
    nlp = _loaded(str(embedded) if parser is None else parser) if parser is None or isinstance(parser, str) else parser
    if nlp.lang != language:
        raise InputValueError(f"parser {nlp.meta['name']!r} is for language {nlp.lang!r}, not for {language!r}")
    if "parser" not in nlp.pipe_names:
        raise InputValueError(
            f"the pipeline {nlp.meta['name']!r} has no dependency parser (it has {', '.join(nlp.pipe_names)}): "
            "give one that does"
        )
    return nlp


@functools.cache
def _loaded(parser: str) -> Language:
    import spacy  # slow to import

    # The name of an installed pipeline is looked up first: a folder of that name may be somebody else's.
    installed = installed_pipelines().get(parser)
    if installed is not None:
        loaded: Language = installed.load().load(exclude=UNUSED)
        return loaded
    folder = Path(parser)
    if is_folder(folder):
        if not (folder / "config.cfg").is_file():
            raise InputFileError(
                f"parser {shown(parser)} is a folder without config.cfg, so not a saved spaCy pipeline"
            )
        return spacy.load(folder, exclude=UNUSED)
    if is_path(parser):
        raise InputFileError(f"parser {shown(parser)}: no such folder")
    raise not_installed(parser)
