"""Augmenters in folders and on the Hub, and the rows that they made."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, TypeVar

from sda_hf.augmentation.config import VERSION_KEY, Configurable, from_config, package_version, portable
from sda_hf.augmentation.vocabulary import Vocabulary
from sda_hf.errors import InputError, InputFileError, InputValueError

if TYPE_CHECKING:
    from sda_hf.augmentation.base import Augmenter
    from sda_hf.augmentation.files import Summary
    from sda_hf.hub.upload import Pushed, Target

T = TypeVar("T", bound="Pretrained")
CONFIG = "augmenter.json"
WANTED = (CONFIG, "vocabulary*.json", "vocabulary*.safetensors")
# What a vocabulary may be called in a file that came from elsewhere: it lies beside that file, or right below.
BESIDE = re.compile(r"\.|vocabulary-\d+")


class Pretrained(Configurable):
    """What a folder or a repository of the Hub can hold: a configuration, and what was learnt from a corpus."""

    def save_pretrained(self, folder: str | Path) -> None:
        """Writes the augmenter into a folder, without pickles: its configuration, and the vocabularies it learnt.

        Args:
            folder: a new or empty one.

        Raises:
            InputFileError: there is something already.
            InputValueError: `parser` is a pipeline that was never saved, which no file can name.
        """
        path = Path(folder).absolute()
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputFileError(f"{folder} is there already: give a new folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as partial:
            whole = Path(partial) / "whole"
            whole.mkdir()
            _write(self, whole)
            os.replace(whole, path)

    @classmethod
    def from_pretrained(cls: type[T], folder_or_repo_id: str | Path, *, revision: str | None = None) -> T:
        """The augmenter that `save_pretrained` wrote, or `push_to_hub` sent.

        Args:
            folder_or_repo_id: a folder, or a repository of the Hub, such as "me/una".
            revision: a branch, tag or commit of the repository; None for the newest of its main branch.

        Raises:
            InputFileError: nothing that can be read is there.
            InputValueError: it is an augmenter of another class.
        """
        found = from_pretrained(folder_or_repo_id, revision=revision)
        if not isinstance(found, cls):
            name = type(found).__name__
            raise InputValueError(f"{folder_or_repo_id} holds a {name}, not a {cls.__name__}: load it as a {name}")
        return found

    def push_to_hub(
        self, repo_id: str, *, private: bool = False, revision: str | None = None, create_pr: bool = False
    ) -> Pushed:
        """Sends what `save_pretrained` writes to a model repository of the Hub, with a card; that of before goes.

        Args:
            repo_id: the repository, such as "me/una"; it is made where there is none.
            private: a new repository is for its owner alone.
            revision: the branch; None for the main one.
            create_pr: ask for the change instead of making it.

        Raises:
            InputFileError: the Hub cannot be reached, or refuses.
            InputValueError: a name that cannot be, or a model or parser in a folder, which nobody else has.
        """
        from sda_hf.hub.upload import Target, upload  # slow to load

        target = Target(repo_id, private=private, revision=revision, create_pr=create_pr)
        _check_public(self)
        with tempfile.TemporaryDirectory() as folder:
            config = _write(self, Path(folder))
            Path(folder, "README.md").write_text(_card(self, repo_id, config), encoding="utf-8")
            return upload(folder, target)


def from_pretrained(folder_or_repo_id: str | Path, *, revision: str | None = None) -> Any:
    """The augmenter or composite in a folder or a repository of the Hub, of whatever class it is.

    Args:
        folder_or_repo_id: what `save_pretrained` wrote or `push_to_hub` sent.
        revision: a branch, tag or commit of the repository.

    Raises:
        InputFileError: nothing that can be read is there.
        InputValueError: a configuration that this version does not know.

    Example:
        >>> import sda_hf
        >>> folder = Path(tempfile.mkdtemp()) / "negation"
        >>> sda_hf.Negation(contractions=False).save_pretrained(folder)
        >>> from_pretrained(folder).augment(["He left."])
        ['He did not leave.']
    """
    folder = _folder(folder_or_repo_id, revision)
    config = _read(folder, folder_or_repo_id)
    writer = config.pop(VERSION_KEY, None)
    try:
        return from_config(_found(config, folder))
    except InputError as error:
        raise type(error)(
            f"{folder_or_repo_id}: {error} ({CONFIG} was written by sda-hf {writer}; this is {package_version()})"
        ) from error


def _folder(place: str | Path, revision: str | None) -> Path:
    if not os.path.isdir(place):
        from sda_hf.hub.upload import download  # slow to load

        try:
            return download(str(place), revision=revision, allow=WANTED)
        except InputError as error:
            raise type(error)(f"{place} is no folder, and no augmenter of the Hub: {error}") from error
    if revision is not None:
        raise InputValueError(f"revision={revision!r}: {place} is a folder, which has none: leave it out")
    return Path(place)


def _read(folder: Path, place: str | Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        if not isinstance(config, dict):
            raise ValueError("no JSON object")
    except (OSError, ValueError) as error:
        raise InputFileError(f"{place} holds no augmenter that can be read: {CONFIG}: {error}") from error
    return config


def _write(augmenter: Configurable, folder: Path) -> dict[str, Any]:
    """Writes the configuration, which it gives, and every vocabulary once: one beside it, further ones right below."""
    places: dict[Vocabulary, str] = {}

    def stored(known: Vocabulary) -> Vocabulary:
        if known not in places:
            places[known] = f"vocabulary-{len(places) + 1}" if places else "."
            known.save(folder / places[known])
        return _called(known, places[known])

    config: dict[str, Any] = _with_vocabularies(augmenter, stored).get_config_dict()
    text = json.dumps({VERSION_KEY: package_version(), **config}, indent=2, ensure_ascii=False) + "\n"
    (folder / CONFIG).write_text(text, encoding="utf-8")
    return config


def _with_vocabularies(value: Any, exchange: Callable[[Vocabulary], Vocabulary]) -> Any:
    """The augmenter with other vocabularies, also in the augmenters inside."""
    if isinstance(value, Vocabulary):
        return exchange(value)
    if isinstance(value, tuple):
        return tuple(_with_vocabularies(item, exchange) for item in value)
    if isinstance(value, Configurable):
        fields = (field.name for field in dataclasses.fields(value))
        return dataclasses.replace(
            value, **{name: _with_vocabularies(getattr(value, name), exchange) for name in fields}
        )
    return value


def _called(known: Vocabulary, name: str) -> Vocabulary:
    """The vocabulary as a configuration names it."""
    return Vocabulary(known.documents, known.digest, Path(name), None)


def _found(config: Any, folder: Path) -> Any:
    """The configuration with its vocabularies where they lie now."""
    if isinstance(config, list):
        return [_found(item, folder) for item in config]
    if not isinstance(config, Mapping):
        return config
    found = {key: _found(value, folder) for key, value in config.items()}
    name = found.get("vocabulary")
    if name is not None:
        if not isinstance(name, str) or not BESIDE.fullmatch(name):
            raise InputValueError(f"vocabulary={name!r} leads out of its folder: it must be '.' or 'vocabulary-2'")
        found["vocabulary"] = str(folder / name)
    return found


def _inside(value: Any) -> Iterator[Any]:
    """The augmenter and those inside."""
    if isinstance(value, tuple):
        for item in value:
            yield from _inside(item)
    elif isinstance(value, Configurable):
        yield value
        for field in dataclasses.fields(value):
            yield from _inside(getattr(value, field.name))


def _check_public(augmenter: Configurable) -> None:
    """Refuse an augmenter that is of no use without a folder of this machine."""
    for part in _inside(augmenter):
        for name in filter(None, (*getattr(part, "models", ()), portable(getattr(part, "parser", None)))):
            if os.path.isabs(name) or os.path.isdir(name):
                raise InputValueError(
                    f"{type(part).__name__} needs {name!r}, a folder that nobody else has: name a model by its id on "
                    "the Hub and a parser by its package, or use save_pretrained"
                )


def _card(augmenter: Any, repo_id: str, config: Mapping[str, Any]) -> str:
    from huggingface_hub import ModelCardData  # slow to load

    metadata = ModelCardData(
        language=[augmenter.language], library_name="sda-hf", tags=["sda-hf", "data-augmentation", config["name"]]
    )
    template = resources.files("sda_hf.hub").joinpath("augmenter_card.md").read_text(encoding="utf-8")
    body = Template(template).substitute(
        title=repo_id.rsplit("/", 1)[-1],
        name=config["name"],
        version=package_version(),
        source=augmenter.source,
        repo_id=repo_id,
        column=augmenter.input_column or "text",
        config=json.dumps(config, indent=2, ensure_ascii=False),
    )
    return f"---\n{metadata.to_yaml()}\n---\n{body}"


# -- rows ----------------------------------------------------------------------------------------


def check_format(path: Path) -> None:
    """Refuse a file of a format that does not keep what is pushed."""
    if path.suffix.lower() not in (".jsonl", ".parquet"):
        raise InputValueError(
            f"{path}: a {path.suffix} file cannot tell no rewrite from an empty one: to push, write .jsonl or .parquet"
        )


def push_file(
    path: Path, target: Target, augmenters: Mapping[str, Augmenter], summary: Summary, command: str | None = None
) -> Pushed:
    """Sends the rows of a file that `augment_file` wrote to a dataset repository, as Parquet and with a card.

    Args:
        path: the file, .jsonl or .parquet.
        target: the repository.
        augmenters: column → what made it.
        summary: what `augment_file` said of the file.
        command: the command that made it, without folders of this machine.

    Raises:
        InputFileError: the Hub cannot be reached, or refuses. What was to be sent stays in a folder beside the file;
            the message has the command that sends it.
        InputValueError: the same for a token or a repository; or another format, or rows that Parquet cannot store.
    """
    from sda_hf.augmentation.files import READERS  # it needs the augmenters, and they need this module
    from sda_hf.hub.dataset_card import DatasetCard, Rewriter, push_rows  # slow to load

    check_format(path)
    rewriters = {
        column: Rewriter(config=_described(augmenter), source=augmenter.source, limits=augmenter.limits)
        for column, augmenter in augmenters.items()
    }
    return push_rows(
        lambda: READERS[path.suffix.lower()](path),
        path,
        target,
        lambda shards: DatasetCard(
            repo_id=target.repo_id,
            shards=shards,
            rewriters=rewriters,
            sentences=summary.rows,
            counts=summary.table_rows(),
            language=next(iter(augmenters.values())).language,
            version=package_version(),
            command=command,
        ),
    )


def _described(augmenter: Configurable) -> dict[str, Any]:
    """The configuration for readers: what was learnt in words, and folders by their last part."""
    from sda_hf.hub.push import without_places  # slow to load

    shown = _with_vocabularies(augmenter, lambda known: _called(known, f"learnt from {known.documents:,} sentences"))
    return dict(without_places(shown.get_config_dict()))
