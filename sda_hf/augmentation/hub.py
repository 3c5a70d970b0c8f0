"""Save augmenters to folders, push them to the Hub, and load them."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from sda_hf.augmentation.config import VERSION_KEY, Configurable, from_config, package_version, portable
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.augmentation.trust import check_parsers
from sda_hf.augmentation.vocabulary import Vocabulary
from sda_hf.errors import LONGEST_PATH, InputError, InputFileError, InputValueError, shown, shown_path
from sda_hf.files import new_folder, read_small_json
from sda_hf.grammar.base import grammar_of

if TYPE_CHECKING:
    from typing_extensions import Self

    from sda_hf.hub.upload import Pushed

C = TypeVar("C", bound=Configurable)
CONFIG = "augmenter.json"
LARGEST_CONFIG = 1_000_000  # bytes
NEEDED = (CONFIG, "vocabulary*.json", "vocabulary*.safetensors")
# Where a downloaded config may place its vocabulary: in its own folder, or in a subfolder with our naming scheme.
VOCABULARY_PLACE = re.compile(r"\.|vocabulary-\d+")


class Pretrained(Configurable):
    """An augmenter that can be saved to a folder or a Hub repository, and loaded again, with its vocabulary."""

    def save_pretrained(self, folder: str | Path) -> None:
        """Save the augmenter to a folder: its config as JSON, and its vocabularies as safetensors.

        Args:
            folder: a folder that is empty or does not exist yet.

        Raises:
            InputFileError: the folder is not empty.
            InputValueError: `parser` is a pipeline that was never saved, so no config can name it.
        """
        with new_folder(folder) as temporary:
            _write(self, temporary)

    @classmethod
    def from_pretrained(
        cls, folder_or_repo_id: str | Path, *, revision: str | None = None, trust_parser: bool = False
    ) -> Self:
        """Load an augmenter that was saved with `save_pretrained` or pushed with `push_to_hub`.

        Args:
            folder_or_repo_id: a folder, or a repository on the Hub, such as "me/una".
            revision: a branch, tag or commit of the repository; by default the head of its main branch.
            trust_parser: allow its configuration to name a parser other than the embedded one; see the function
                `from_pretrained`.

        Raises:
            InputFileError: there is no readable augmenter there.
            InputValueError: the augmenter is of another class, or names a parser that is not trusted.
        """
        loaded: object = from_pretrained(folder_or_repo_id, revision=revision, trust_parser=trust_parser)
        if not isinstance(loaded, cls):
            name = type(loaded).__name__
            raise InputValueError(f"{folder_or_repo_id} holds a {name}, not a {cls.__name__}: load it as a {name}")
        return loaded

    def push_to_hub(
        self, repo_id: str, *, private: bool = False, revision: str | None = None, create_pr: bool = False
    ) -> Pushed:
        """Push the augmenter to a model repository on the Hub, with a card.

        The files that `save_pretrained` writes are uploaded in one commit; a previous version is overwritten.

        Args:
            repo_id: the repository, such as "me/una"; created if it does not exist.
            private: make the repository private when it is created.
            revision: the branch to push to; by default the main branch.
            create_pr: open a pull request instead of committing to the branch.

        Raises:
            InputFileError: the Hub cannot be reached or refuses the push.
            InputValueError: `repo_id` is not a valid name, or a model or parser is a local folder.
        """
        from sda_hf.hub.upload import Target, upload  # slow to import

        target = Target(repo_id, private=private, revision=revision, create_pr=create_pr)
        _refuse_local_folders(self)
        with tempfile.TemporaryDirectory() as folder:
            config = _write(self, Path(folder))
            Path(folder, "README.md").write_text(_card(cast(RowAugmenter, self), repo_id, config), encoding="utf-8")
            return upload(folder, target)


def from_pretrained(
    folder_or_repo_id: str | Path, *, revision: str | None = None, trust_parser: bool = False
) -> RowAugmenter:
    """Load an augmenter or composite of any class from a folder or a Hub repository.

    Args:
        folder_or_repo_id: a folder written by `save_pretrained`, or a repository written by `push_to_hub`.
        revision: a branch, tag or commit of the repository.
        trust_parser: allow its configuration to name a parser other than the embedded one: an installed spaCy
            pipeline, or the absolute path of one, which must not lie in the folder or in a downloaded repository.
            Loading it runs its code.

    Raises:
        InputFileError: there is no readable augmenter there.
        InputValueError: this version does not know the augmenter's name or one of its fields, or it names a parser
            that is not trusted.

    Example:
        >>> import sda_hf
        >>> folder = Path(tempfile.mkdtemp()) / "negation"
        >>> sda_hf.Negation(contractions=False).save_pretrained(folder)
        >>> from_pretrained(folder).augment(["He left."])
        ['He did not leave.']
    """
    folder = _local(folder_or_repo_id, revision)
    place = shown_path(folder_or_repo_id)
    config = _read(folder, place)
    writer = config.pop(VERSION_KEY, None)
    try:
        check_parsers(config, trusted=trust_parser, folder=folder)
        return from_config(_with_vocabulary_paths(config, folder), trust_parser=trust_parser)
    except InputError as error:
        by = shown(writer) if not isinstance(writer, str) or len(writer) > 40 else writer
        raise type(error)(
            f"{place}: {error} ({CONFIG} was written by sda-hf {by}; this is {package_version()})"
        ) from error


def described(augmenter: Configurable) -> dict[str, object]:
    """Return the config for the readers of a card: a fitted vocabulary is described, not given by its folder."""

    def summarized(vocabulary: Vocabulary) -> Vocabulary:
        return _renamed(vocabulary, f"fitted on {vocabulary.documents:,} sentences")

    return _with_vocabularies(augmenter, summarized).get_config_dict()


def _local(place: str | Path, revision: str | None) -> Path:
    if not os.path.isdir(place):
        if len(str(place)) > LONGEST_PATH:
            name = shown_path(place)
            raise InputValueError(f"{name} is neither a folder nor an augmenter on the Hub: it is too long")
        from sda_hf.hub.upload import download  # slow to import

        try:
            return download(str(place), revision=revision, allow=NEEDED)
        except InputError as error:
            raise type(error)(
                f"{shown_path(place)} is neither a folder nor an augmenter on the Hub: {error}"
            ) from error
    if revision is not None:
        raise InputValueError(f"revision={revision!r}: {place} is a folder, which has no revisions: leave it out")
    return Path(place)


def _read(folder: Path, place: str) -> dict[str, object]:
    try:
        return read_small_json(folder / CONFIG, LARGEST_CONFIG)
    except InputFileError as error:
        raise InputFileError(f"{place} does not hold a readable augmenter: {CONFIG}: {error}") from error


def _write(augmenter: Configurable, folder: Path) -> dict[str, object]:
    """Write and return the config; write each distinct vocabulary once, the first next to it, others in subfolders."""
    places: dict[Vocabulary, str] = {}

    def saved(vocabulary: Vocabulary) -> Vocabulary:
        if vocabulary not in places:
            places[vocabulary] = f"vocabulary-{len(places) + 1}" if places else "."
            vocabulary.save(folder / places[vocabulary])
        return _renamed(vocabulary, places[vocabulary])

    config = _with_vocabularies(augmenter, saved).get_config_dict()
    text = json.dumps({VERSION_KEY: package_version(), **config}, indent=2, ensure_ascii=False) + "\n"
    (folder / CONFIG).write_text(text, encoding="utf-8")
    return config


def _with_vocabularies(augmenter: C, replace: Callable[[Vocabulary], Vocabulary]) -> C:
    """Return a copy of an augmenter with its vocabularies replaced, including those of nested augmenters."""

    def replaced(value: object) -> object:
        if isinstance(value, Vocabulary):
            return replace(value)
        if isinstance(value, tuple):
            return tuple(replaced(item) for item in value)
        return _with_vocabularies(value, replace) if isinstance(value, Configurable) else value

    fields = {field.name: replaced(getattr(augmenter, field.name)) for field in dataclasses.fields(augmenter)}
    return dataclasses.replace(augmenter, **fields)


def _renamed(vocabulary: Vocabulary, name: str) -> Vocabulary:
    """Return the vocabulary without its table, under the name that it has in a config."""
    return Vocabulary(vocabulary.documents, vocabulary.digest, Path(name), None)


def _with_vocabulary_paths(config: Mapping[str, object], folder: Path) -> dict[str, object]:
    """Return the config with absolute paths of its vocabularies, instead of relative ones."""

    def located(value: object) -> object:
        if isinstance(value, list):
            return [located(item) for item in value]
        return _with_vocabulary_paths(value, folder) if isinstance(value, Mapping) else value

    found = {key: located(value) for key, value in config.items()}
    name = found.get("vocabulary")
    if name is not None:
        if not isinstance(name, str) or not VOCABULARY_PLACE.fullmatch(name):
            raise InputValueError(
                f"vocabulary={shown(name)} is outside its folder: it must be '.' or like 'vocabulary-2'"
            )
        found["vocabulary"] = str(folder / name)
    return found


def _nested(value: object) -> Iterator[Configurable]:
    """Yield an augmenter and those nested in it."""
    if isinstance(value, tuple):
        for item in value:
            yield from _nested(item)
    elif isinstance(value, Configurable):
        yield value
        for field in dataclasses.fields(value):
            yield from _nested(getattr(value, field.name))


def _limits(augmenter: RowAugmenter) -> list[str]:
    """Return the limits of an augmenter and of those nested in it."""
    return list(dict.fromkeys(limit for part in _nested(augmenter) for limit in getattr(part, "limits", ())))


def _refuse_local_folders(augmenter: Configurable) -> None:
    """Raise if an augmenter needs a model or a parser in a local folder."""
    for part in _nested(augmenter):
        for name in filter(None, (*getattr(part, "models", ()), portable(getattr(part, "parser", None)))):
            if os.path.isabs(name) or os.path.isdir(name):
                raise InputValueError(
                    f"{type(part).__name__} needs {name!r}, a local folder that others do not have: give a model by "
                    "its Hub id and a parser by its package name, or use save_pretrained"
                )


def _card(augmenter: RowAugmenter, repo_id: str, config: Mapping[str, object]) -> str:
    from huggingface_hub import ModelCardData  # slow to import

    from sda_hf.hub.markdown import fenced
    from sda_hf.hub.redaction import redacted, without_secrets
    from sda_hf.hub.translation import as_list, filled, translation

    name, limits = str(config["name"]), _limits(augmenter)
    sentence = (grammar_of(augmenter.language).examples or grammar_of("en").examples)[0]
    shared = {
        "version": package_version(),
        "source": augmenter.source,
        "repo_id": repo_id,
        "column": json.dumps(augmenter.input_column or "text"),
        "example": json.dumps(sentence, ensure_ascii=False),
    }
    foreword = ""
    if words := translation(augmenter.language):
        said = as_list(words.limit_lines(("", line) for line in limits), words.not_stated)
        named = words.named_augmenter(name, f"`{name}`")
        foreword = "\n" + filled(words.augmenter, name=named, limits=said, **shared)
    metadata = ModelCardData(
        language=[augmenter.language], library_name="sda-hf", tags=["sda-hf", "data-augmentation", name]
    )
    template = resources.files("sda_hf.hub").joinpath("augmenter_card.md").read_text(encoding="utf-8")
    body = filled(
        template,
        title=repo_id.rsplit("/", 1)[-1],
        foreword=foreword,
        name=name,
        limits=as_list(limits, "none are stated"),
        config=fenced(json.dumps(redacted(config), indent=2, ensure_ascii=False), "json"),
        **shared,
    )
    return without_secrets(f"---\n{metadata.to_yaml()}\n---\n{body}")
