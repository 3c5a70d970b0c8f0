"""A recipe: its sections, and how it is loaded from a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, Field, StrictStr, model_validator
from typing_extensions import Self

from sda_hf.augmentation.trust import check_parsers, typed_parsers
from sda_hf.errors import InputError, InputTypeError, InputValueError, shown
from sda_hf.training.recipe.fields import Settings, inner_section
from sda_hf.training.recipe.messages import unknown_key
from sda_hf.training.recipe.packaged import located
from sda_hf.training.recipe.paths import PathRule, anchored
from sda_hf.training.recipe.section import Section, filled
from sda_hf.training.recipe.sections import Data, Evaluation, Hub, Model, Training, TrainingSet, check_name
from sda_hf.training.recipe.yaml_text import parse_yaml, read_yaml_mapping

DEFAULT_LOSS = {"name": "margin-negation-infonce"}
# The trainer keeps the losses in a module, whose attributes have these names.
NAME = re.compile(r"[A-Za-z0-9_-]+")
# The keys of a recipe with one dataset, which `datasets` replaces.
OF_ONE = ("data", "augmentation", "loss")


def _training_sets(value: object) -> object:
    """Make the datasets, without those set to null, so that messages name them."""
    if not isinstance(value, Mapping):
        return value
    sets = {}
    for name, given in value.items():
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise InputValueError(f"datasets: the name {shown(name)} is not allowed: use letters, digits, _ and -")
        if given is None or isinstance(given, TrainingSet):
            sets[name] = given
            continue
        if not isinstance(given, Mapping):
            raise InputTypeError(f"datasets.{name}: {shown(given)} is not a mapping")
        _check_keys(given, TrainingSet, f"datasets.{name}")
        try:
            sets[name] = TrainingSet(**given)
        except InputError as error:
            raise type(error)(f"datasets.{name}.{error}") from None
    left = {name: one for name, one in sets.items() if one is not None}
    if sets and not left:
        raise InputValueError("datasets: all of them are null; leave at least one")
    return left


class Recipe(Section):
    """A run, from sentences to a trained and scored model.

    Relative paths in a recipe file are relative to the file's folder, those in overrides to the working directory.

    Example:
        >>> recipe = Recipe(model="bert-base-uncased", data=Data(files=["sentences.txt"]))
        >>> recipe.training.batch_size
        64
    """

    model: Annotated[StrictStr | Model, PathRule.IF_PRESENT]
    """the encoder: a Hub id, a folder, or a mapping {build: {...}} or {name: ..., pooling: ...}."""
    data: Annotated[Data | None, BeforeValidator(filled)] = None
    """The sentences: a mapping with files, dataset or generator."""
    augmentation: Annotated[Settings | None, PathRule.PARSERS] = None
    """Configuration of one augmenter ({name: negation, ...}) or of a composite ({name: triplets, positive: {...},
    negative: {...}}); null pairs every sentence with itself."""
    loss: Settings = DEFAULT_LOSS
    """Name of a loss, and its arguments; {name: margin-negation-infonce} if left out."""
    datasets: Annotated[dict[str, TrainingSet], BeforeValidator(_training_sets)] = Field(default_factory=dict)
    """Several datasets by name, in the place of data, augmentation and loss: each with its own. Every optimizer step
    takes a batch of each of them, and the mean of their losses; the rows of the shortest end an epoch. A dataset that
    is null is left out."""
    training: Annotated[Training, BeforeValidator(filled)] = Training()
    """How the encoder is trained."""
    evaluation: Annotated[Evaluation, BeforeValidator(filled)] = Evaluation()
    """What is evaluated, and when."""
    output: Annotated[StrictStr | None, PathRule.ALWAYS] = None
    """Folder of the run; null for outputs/NAME in the working directory, where NAME is that of the recipe file."""
    hub: Hub | None = None
    """The repository that the run is pushed to; null for none."""

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        check_name("augmentation", self.augmentation)
        check_name("loss", self.loss)
        if self.training.redraw and self.augmentation is None:
            raise InputValueError("training.redraw: there is no augmentation to redraw; add one, or remove redraw")
        if self.training.lora is not None and self.model_name is None:
            raise InputValueError(
                "training.lora: an adapter is saved without the encoder below it, which model.build makes anew; give a "
                "named model, or remove training.lora"
            )
        return self

    @model_validator(mode="after")
    def _check_alternatives(self) -> Self:
        if not self.datasets and self.data is None:
            raise InputValueError("data: missing; give the sentences: a mapping with files, dataset or generator")
        for key in OF_ONE if self.datasets else ():
            if getattr(self, key) != type(self).model_fields[key].default:
                raise InputValueError(f"{key}: with datasets, each has its own: move it to datasets.NAME.{key}")
        if self.data is not None and self.data.generator is not None and self.augmentation is not None:
            raise InputValueError("augmentation: a generator makes whole rows; remove it, or give data.files")
        return self

    @model_validator(mode="after")
    def _check_streaming(self) -> Self:
        for name, one in self.datasets.items():
            if one.data.streaming:
                raise InputValueError(
                    f"datasets.{name}.data.streaming: sentence-transformers trains on one stream, or on several "
                    "datasets of which none is a stream; remove it"
                )
        if self.is_streamed and self.training.max_steps is None:
            raise InputValueError(
                "training.max_steps: missing; a stream has no end at which training could stop; give the number of "
                "optimizer steps"
            )
        return self

    @property
    def is_streamed(self) -> bool:
        """Whether the sentences are read and rewritten during training."""
        return self.data is not None and self.data.streaming

    @property
    def training_sets(self) -> dict[str, TrainingSet]:
        """The datasets by name; data, augmentation and loss of a recipe without `datasets` have the name ""."""
        if self.data is None:
            return self.datasets
        return {"": TrainingSet(data=self.data, augmentation=self.augmentation, loss=self.loss)}

    @property
    def model_name(self) -> str | None:
        """The Hub id or folder of the encoder; None if it is built."""
        return self.model if isinstance(self.model, str) else self.model.name

    @property
    def augmenters(self) -> list[dict[str, Any]]:
        """The configurations of the augmenters, without the composites around them.

        Example:
            >>> parts = {"name": "one-of", "augmenters": [{"name": "negation"}, {"name": "modal-verbs"}]}
            >>> Recipe(model="m", data=Data(files="a.txt"), augmentation=parts).augmenters
            [{'name': 'negation'}, {'name': 'modal-verbs'}]
        """
        return [part for one in self.training_sets.values() for part in one.augmenters]

    @property
    def generators(self) -> list[dict[str, Any]]:
        """The configurations of the generators."""
        return [one.data.generator for one in self.training_sets.values() if one.data.generator is not None]

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as a JSON-native mapping, with datasets or with what they replace."""
        absent = OF_ONE if self.datasets else ("datasets",)
        return {key: value for key, value in super().to_dict().items() if key not in absent}

    @classmethod
    def load(cls, path: str | Path, overrides: Sequence[str] = (), *, trust_parser: bool = False) -> Recipe:
        """Load a recipe file.

        Args:
            path: the file, which may come from a stranger; or the name of a recipe that comes with the package, such as
                "quickstart", whose output is outputs/NAME in the working directory.
            overrides: KEY=VALUE strings, with a dotted key (training.learning_rate) and a YAML value. They are the
                user's own: a parser that is named there needs no further trust.
            trust_parser: allow the file to name a parser other than the embedded one: an installed spaCy pipeline, or
                the path of one. Loading it runs its code.

        Raises:
            InputFileError: there is no such file or name, or it cannot be read.
            InputValueError: it is not valid YAML, a key is unknown, a value is not allowed, or a parser is not trusted.
            InputTypeError: a value has the wrong type.
            MissingPackageError: a trusted parser is not installed.
        """
        path, by_name = located(path)
        mapping = anchored(read_yaml_mapping(path), cls, path.parent.absolute())
        if by_name:  # its folder may be one of installed packages
            mapping.pop("output", None)
        typed: frozenset[str] = frozenset()
        for override in overrides:
            typed |= typed_parsers(_apply(mapping, override))
        try:
            for key in ("augmentation", "data", "datasets"):
                place = key
                check_parsers(mapping.get(key), trusted=trust_parser, typed=typed)
        except InputError as error:
            raise type(error)(f"{path}: {place}: {error}") from None
        if mapping.get("output") is None:
            mapping["output"] = str(Path("outputs", path.name.removesuffix(".yaml").removesuffix(".yml")).absolute())
        try:
            return cls.from_dict(mapping)
        except InputError as error:
            raise type(error)(f"{path}: {error}") from None

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> Recipe:
        """Make a recipe from a mapping such as `to_dict` returns; paths are taken as they are.

        Raises:
            InputError: as in `load`.
        """
        _check_keys(mapping, cls)
        return cls(**mapping)

    def to_yaml(self) -> str:
        """Return the recipe as YAML with every field written out; loading it gives an equal recipe."""
        return yaml.safe_dump(self.to_dict(), sort_keys=False, allow_unicode=True, width=120)


def _check_keys(mapping: Mapping[Any, Any], section: type[BaseModel], place: str = "") -> None:
    """Refuse unknown keys before any value is looked at: a misspelled key is the more likely mistake."""
    for key, value in mapping.items():
        if key not in section.model_fields:
            raise unknown_key(str(key), section, place, Recipe)
        inner = inner_section(section.model_fields[key])
        if inner is not None and isinstance(value, Mapping):
            _check_keys(value, inner, f"{place}.{key}" if place else key)


def _apply(mapping: dict[str, Any], override: str) -> dict[str, Any]:
    """Set one KEY=VALUE in a mapping, and return it; a path in the value is relative to the working directory."""
    key, equals, value = override.partition("=")
    parts = key.strip().split(".")
    if not equals or not all(parts):
        raise InputValueError(f"override {shown(override)}: give KEY=VALUE, such as training.learning_rate=3e-5")
    nested: Any = parse_yaml(value, f"override {shown(override)}")
    for part in reversed(parts):
        nested = {part: nested}
    given = nested = anchored(nested, Recipe, Path.cwd())
    for depth, part in enumerate(parts[:-1]):
        nested = nested[part]
        inner = mapping.get(part)
        if inner is None:
            inner = {}
        if not isinstance(inner, Mapping):
            raise InputTypeError(
                f"override {shown(override)}: {'.'.join(parts[: depth + 1])} is {shown(inner)}, not a mapping"
            )
        mapping[part] = dict(inner)
        mapping = mapping[part]
    mapping[parts[-1]] = nested[parts[-1]]
    return given


Section.root = Recipe
