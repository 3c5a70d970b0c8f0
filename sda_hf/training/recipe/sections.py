"""The sections of a recipe: every key, its default, its allowed values and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
    model_validator,
)
from typing_extensions import Self

from sda_hf.augmentation.trust import check_parsers, typed_parsers
from sda_hf.errors import InputError, InputTypeError, InputValueError, shown
from sda_hf.training.recipe.fields import (
    Count,
    NonNegativeNumber,
    PositiveNumber,
    Settings,
    TaskReference,
    inner_section,
)
from sda_hf.training.recipe.messages import input_error, unknown_key
from sda_hf.training.recipe.paths import PathRule, anchored
from sda_hf.training.recipe.yaml_text import parse_yaml, read_yaml_mapping

# Spelled out here, so that a recipe can be read without torch; `sda_hf.training.pooling` implements them.
Pooling = Literal["mean", "cls", "max", "first-last", "last-two"]
POOLINGS: tuple[str, ...] = get_args(Pooling)


def _listed(value: Any) -> Any:
    """Take a lone value as a list of one."""
    return (value,) if isinstance(value, (str, Mapping)) else tuple(value) if isinstance(value, list) else value


def _filled(value: Any) -> Any:
    """Take a section that is left empty as one with nothing but defaults."""
    return {} if value is None else value


class Section(BaseModel):
    """A part of a recipe, validated when it is made.

    Example:
        >>> Training(batch_size=0)
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: training.batch_size: 0 is out of range: it must be at least 1
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
    place: ClassVar[str] = ""

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise input_error(error, type(self), self.place, Recipe) from None

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, validated like a new section.

        Raises:
            InputError: as for a new section.
        """
        return type(self)(**{**vars(self), **changes})

    def to_dict(self) -> dict[str, Any]:
        """Return the section as a JSON-native mapping."""
        return self.model_dump(mode="json")


class Build(Section):
    """A small BERT-like encoder that is built on the spot; nothing is downloaded."""

    place: ClassVar[str] = "model.build"

    type: Literal["bert"] = "bert"
    """The architecture; only "bert" is available."""
    layers: Annotated[StrictInt, Field(ge=1, le=100)] = 2
    """Number of Transformer layers."""
    hidden_size: Annotated[StrictInt, Field(ge=1, le=16_384)] = 128
    """Width of the layers and of the sentence embeddings; a multiple of `heads`."""
    heads: Annotated[StrictInt, Field(ge=1, le=1_024)] = 2
    """Attention heads per layer."""
    intermediate_size: Annotated[StrictInt, Field(ge=1, le=131_072)] = 512
    """Width of the feed-forward layers."""
    vocab_size: Annotated[StrictInt, Field(ge=100, le=1_000_000)] = 8000
    """Maximum size of the WordPiece vocabulary, which is learned from the training sentences."""
    max_length: Annotated[StrictInt, Field(ge=3, le=100_000)] = 64
    """Maximum number of tokens; longer texts are truncated."""
    pooling: Pooling = "mean"
    """How token embeddings become one: "mean", "cls" or "max" of the last layer, or the mean over the tokens of two
    averaged layers: "first-last" or "last-two"."""
    dropout: Annotated[StrictFloat, Field(ge=0, lt=1)] = 0.1
    """Dropout probability."""

    @model_validator(mode="after")
    def _check_heads(self) -> Self:
        if self.hidden_size % self.heads:
            raise InputValueError(
                f"model.build.hidden_size: {self.hidden_size} is not a multiple of model.build.heads ({self.heads})"
            )
        return self


class Model(Section):
    """The encoder: either built on the spot, or loaded by name with a pooling of your choice."""

    place: ClassVar[str] = "model"

    build: Build | None = None
    """A small encoder that is built on the spot."""
    name: Annotated[StrictStr | None, PathRule.IF_PRESENT] = None
    """A model id on the Hub, or a folder."""
    pooling: Pooling | None = None
    """Pooling for the named encoder (see `model.build.pooling`); null keeps its own, or mean pooling if it has none."""

    @model_validator(mode="after")
    def _check_alternatives(self) -> Self:
        if (self.build is None) == (self.name is None):
            raise InputValueError("model: give either build or name")
        if self.build is not None and self.pooling is not None:
            raise InputValueError("model.pooling: only for a named model; a built one has model.build.pooling")
        return self


class Data(Section):
    """The sentences: either `files` or `dataset`."""

    place: ClassVar[str] = "data"

    files: Annotated[tuple[StrictStr, ...], BeforeValidator(_listed), PathRule.ALWAYS] = ()
    """Text files (one sentence per line), or csv, tsv, jsonl or parquet files, optionally compressed (.gz), all of the
    same kind; glob patterns such as part-*.txt are expanded."""
    dataset: StrictStr | None = None
    """Id of a dataset on the Hub."""
    name: StrictStr | None = None
    """Configuration of the Hub dataset; null for its default."""
    column: StrictStr | None = None
    """Column of the sentences; null for the first of text, sentence, anchor, sentence1 that exists."""
    split: StrictStr = "train"
    """Split of the Hub dataset."""
    limit: Count | None = None
    """Use only this many sentences, from the start; null for all. Blank rows do not count."""
    license: StrictStr | None = None
    """License of the sentences, for the model card; null if unknown."""

    @model_validator(mode="after")
    def _check_alternatives(self) -> Self:
        if bool(self.files) == (self.dataset is not None):
            given = "both are given" if self.files else "neither is given"
            raise InputValueError(f"data: give either data.files or data.dataset; {given}")
        return self


class Training(Section):
    """How the encoder is trained."""

    place: ClassVar[str] = "training"

    learning_rate: PositiveNumber = 2e-5
    """Peak learning rate."""
    batch_size: Count = 64
    """Training rows per step and device."""
    epochs: PositiveNumber = 1.0
    """Passes over the training rows; may be a fraction. Ignored if `max_steps` is given."""
    max_steps: Count | None = None
    """Number of optimizer steps; null for as many as `epochs` takes."""
    gradient_accumulation: Count = 1
    """Batches per optimizer step."""
    warmup_ratio: Annotated[StrictFloat, Field(ge=0, le=1, allow_inf_nan=False)] = 0.1
    """Share of the steps over which the learning rate warms up."""
    weight_decay: NonNegativeNumber = 0.0
    """Weight decay of AdamW."""
    max_grad_norm: PositiveNumber = 1.0
    """Maximum gradient norm; larger gradients are clipped."""
    scheduler: StrictStr = "linear"
    """Learning rate schedule after the warm-up, by its name in transformers."""
    seed: Annotated[StrictInt, Field(ge=0, lt=2**32)] = 0
    """Seed of everything random in training: the weights of a built encoder, the order of the rows, dropout. Augmenters
    have a `seed` of their own, so that runs with several seeds share the augmented rows."""
    redraw: StrictBool = False
    """Rewrite the sentences anew in each epoch, during training, instead of once beforehand."""
    bf16: StrictBool = False
    """Train in bfloat16 mixed precision."""
    max_length: Annotated[StrictInt, Field(ge=3)] | None = None
    """Maximum number of tokens; longer texts are truncated. Null for the encoder's own limit."""
    logging_steps: Count = 10
    """Steps between two log lines."""
    save_total_limit: Count = 2
    """Number of checkpoints to keep."""
    arguments: Settings = {}
    """Further fields of SentenceTransformerTrainingArguments, under their own names."""


class Evaluation(Section):
    """What is evaluated, and when."""

    place: ClassVar[str] = "evaluation"

    dev: Annotated[TaskReference | None, PathRule.TASKS] = None
    """Task that is scored during training: a name such as stsb-dev, a file of graded pairs, or a mapping {name, path,
    kind, columns: {sentence1, sentence2, score}} for a file with other column names; null for none."""
    every_steps: Count = 50
    """Steps between two evaluations on the dev task, and between two checkpoints."""
    keep_best: StrictBool = True
    """End with the checkpoint that scored best on the dev task, instead of the last one."""
    test: Annotated[tuple[TaskReference, ...], BeforeValidator(_listed), PathRule.TASKS] = ()
    """Tasks, given in the same ways, and groups of tasks (sts, negation, ...) that are scored before and after
    training."""
    data_dir: Annotated[StrictStr | None, PathRule.ALWAYS] = None
    """Folder with the files of the named tasks; null to download them from the Hub."""
    batch_size: Count = 64
    """Number of sentences that are embedded at a time."""


class Hub(Section):
    """The Hub repository that the run is pushed to."""

    place: ClassVar[str] = "hub"

    repo_id: StrictStr
    """the repository, as me/name; it is created if it does not exist."""
    push: Literal["end", "every_save"] = "end"
    """"end" pushes the finished run; "every_save" also pushes the model at every checkpoint."""
    private: StrictBool = False
    """Make a repository that is created private."""
    revision: StrictStr | None = None
    """Branch to push to, created if it does not exist; null for the default branch."""
    create_pr: StrictBool = False
    """Open a pull request with the finished run instead of committing to the branch."""

    @model_validator(mode="after")
    def _check_pull_request(self) -> Self:
        if self.create_pr and self.push == "every_save":
            raise InputValueError("hub.create_pr: every save would open a pull request; use push: end")
        return self


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
    data: Annotated[Data, BeforeValidator(_filled)]
    """the sentences: a mapping with files or dataset."""
    augmentation: Annotated[Settings | None, PathRule.PARSERS] = None
    """Configuration of one augmenter ({name: negation, ...}) or of a composite ({name: triplets, positive: {...},
    negative: {...}}); null pairs every sentence with itself."""
    loss: Settings = {"name": "margin-negation-infonce"}
    """Name of a loss, and its arguments; {name: margin-negation-infonce} if left out."""
    training: Annotated[Training, BeforeValidator(_filled)] = Training()
    """How the encoder is trained."""
    evaluation: Annotated[Evaluation, BeforeValidator(_filled)] = Evaluation()
    """What is evaluated, and when."""
    output: Annotated[StrictStr | None, PathRule.ALWAYS] = None
    """Folder of the run; null for outputs/NAME in the working directory, where NAME is that of the recipe file."""
    hub: Hub | None = None
    """The repository that the run is pushed to; null for none."""

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for key, value in (("augmentation", self.augmentation), ("loss", self.loss)):
            if value is not None and not isinstance(value.get("name"), str):
                raise InputValueError(f"{key}: needs a `name`; given: {', '.join(value) or 'nothing'}")
        if self.training.redraw and self.augmentation is None:
            raise InputValueError("training.redraw: there is no augmentation to redraw; add one, or remove redraw")
        return self

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
        return list(_innermost(self.augmentation))

    @classmethod
    def load(cls, path: str | Path, overrides: Sequence[str] = (), *, trust_parser: bool = False) -> Recipe:
        """Load a recipe file.

        Args:
            path: the file, which may come from a stranger.
            overrides: KEY=VALUE strings, with a dotted key (training.learning_rate) and a YAML value. They are the
                user's own: a parser that is named there needs no further trust.
            trust_parser: allow the file to name a parser other than the embedded one: an installed spaCy pipeline, or
                the path of one. Loading it runs its code.

        Raises:
            InputFileError: the file does not exist or cannot be read.
            InputValueError: it is not valid YAML, a key is unknown, a value is not allowed, or a parser is not trusted.
            InputTypeError: a value has the wrong type.
            MissingPackageError: a trusted parser is not installed.
        """
        path = Path(path)
        mapping = anchored(read_yaml_mapping(path), cls, path.parent.absolute())
        typed: frozenset[str] = frozenset()
        for override in overrides:
            typed |= typed_parsers(_apply(mapping, override))
        try:
            check_parsers(mapping.get("augmentation"), trusted=trust_parser, typed=typed)
        except InputError as error:
            raise type(error)(f"{path}: augmentation: {error}") from None
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


def _innermost(config: Any) -> Iterator[dict[str, Any]]:
    """Yield the named mappings that hold no further named ones."""
    if isinstance(config, list):
        for item in config:
            yield from _innermost(item)
    elif isinstance(config, dict):
        inner = [part for value in config.values() for part in _innermost(value)]
        yield from inner or ([config] if "name" in config else [])


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
