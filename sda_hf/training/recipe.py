"""What a run is: a YAML file ↔ nested frozen dataclasses."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import yaml

from sda_hf.errors import InputError, InputFileError, InputTypeError, InputValueError
from sda_hf.training.schema import Section, anchored, check_keys, from_mapping, option

# Named here too, so that a recipe is read without torch: sda_hf.training.pooling says what each is.
POOLINGS = ("mean", "cls", "max", "first-last", "last-two")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Build(Section):
    """A small encoder that is built on the spot; nothing is downloaded.

    Args:
        type: the architecture; "bert" is the one there is.
        layers: number of Transformer layers.
        hidden_size: width of the layers, a multiple of `heads`; the sentence vectors have this size.
        heads: attention heads of a layer.
        intermediate_size: width of the feed-forward part.
        vocab_size: most entries of the WordPiece vocabulary, which is learnt from the recipe's sentences.
        max_length: tokens after which a text is cut.
        pooling: how the token vectors become one: "mean", "cls" or "max" of the last layer, or the mean of two
            layers: "first-last" or "last-two".
        dropout: share of the activations that is dropped while training.
    """

    place: ClassVar[str] = "model.build"

    type: str = option("bert", choices=("bert",))
    layers: int = option(2, at_least=1)
    hidden_size: int = option(128, at_least=1)
    heads: int = option(2, at_least=1)
    intermediate_size: int = option(512, at_least=1)
    vocab_size: int = option(8000, at_least=100)
    max_length: int = option(64, at_least=3)
    pooling: str = option("mean", choices=POOLINGS)
    dropout: float = option(0.1, at_least=0, below=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hidden_size % self.heads:
            raise InputValueError(
                f"model.build.hidden_size: {self.hidden_size} is not a multiple of model.build.heads ({self.heads})"
            )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Model(Section):
    """An encoder that is built, or a named one with a pooling of its own. Either `build` or `name` is given.

    Args:
        build: a small encoder that is built on the spot.
        name: a model's id on the Hub, or a folder.
        pooling: how the token vectors of the named encoder become one (see `model.build.pooling`); null for what it
            comes with, or the mean where it comes with nothing.
    """

    place: ClassVar[str] = "model"

    build: Build | None = None
    name: str | None = option(None, path="if_there")
    pooling: str | None = option(None, choices=POOLINGS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.build is None) == (self.name is None):
            raise InputValueError("model: give either build or name")
        if self.build is not None and self.pooling is not None:
            raise InputValueError("model.pooling: is for a named model; a built one has model.build.pooling")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Data(Section):
    """The sentences. Either `files` or `dataset` is given.

    Args:
        files: text (one sentence a line), csv, tsv, jsonl or parquet files of one kind, also packed (.gz);
            patterns such as part-*.txt are taken.
        dataset: id of a dataset on the Hub.
        name: configuration of the Hub dataset; null for its default.
        column: column with the sentences; null for the first of text, sentence, anchor, sentence1 that is there.
        split: split of the Hub dataset.
        limit: number of sentences to take from the start; null for all. Blank rows do not count.
        license: licence of the sentences, for the model card; null where nobody has stated one.
    """

    place: ClassVar[str] = "data"

    files: tuple[str, ...] = option((), path="always")
    dataset: str | None = None
    name: str | None = None
    column: str | None = None
    split: str = "train"
    limit: int | None = option(None, at_least=1)
    license: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.files) == (self.dataset is not None):
            given = "both are given" if self.files else "neither is given"
            raise InputValueError(f"data: give either data.files or data.dataset; {given}")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Training(Section):
    """How the encoder is trained.

    Args:
        learning_rate: peak learning rate.
        batch_size: rows a step and device.
        epochs: passes over the rows; may be a fraction. Not read when `max_steps` is given.
        max_steps: number of steps; null for as many as `epochs` needs.
        gradient_accumulation: batches that are added up to one step.
        warmup_ratio: share of the steps in which the learning rate rises.
        weight_decay: weight decay of AdamW.
        max_grad_norm: norm to which gradients are clipped.
        scheduler: course of the learning rate after the warm-up, as transformers names it.
        seed: seed of everything that is drawn in training: weights that are built, order of the rows, dropout. The
            augmenters have their own `seed`, so that runs of several seeds share the augmented rows.
        redraw: rewrite the sentences anew in each epoch, while training, instead of once beforehand.
        bf16: train in bfloat16 mixed precision.
        max_length: tokens after which a text is cut; null for the encoder's own limit.
        logging_steps: steps between two log lines.
        save_total_limit: checkpoints to keep.
        arguments: further fields of SentenceTransformerTrainingArguments, under their own names.
    """

    place: ClassVar[str] = "training"

    learning_rate: float = option(2e-5, above=0)
    batch_size: int = option(64, at_least=1)
    epochs: float = option(1.0, above=0)
    max_steps: int | None = option(None, at_least=1)
    gradient_accumulation: int = option(1, at_least=1)
    warmup_ratio: float = option(0.1, at_least=0, at_most=1)
    weight_decay: float = option(0.0, at_least=0)
    max_grad_norm: float = option(1.0, above=0)
    scheduler: str = "linear"
    seed: int = option(0, at_least=0, below=2**32)
    redraw: bool = False
    bf16: bool = False
    max_length: int | None = option(None, at_least=3)
    logging_steps: int = option(10, at_least=1)
    save_total_limit: int = option(2, at_least=1)
    arguments: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Evaluation(Section):
    """What is measured, and when.

    Args:
        dev: task that is scored while training: a name such as stsb-dev, a file of graded pairs, or a mapping {name,
            path, columns: {sentence1, sentence2, score}} for a file with other columns; null for none.
        every_steps: steps between two scores of the dev task, and between two checkpoints.
        keep_best: end with the checkpoint that did best on the dev task instead of the last one.
        test: tasks, given in the same ways, that are scored before and after training.
        data_dir: folder with the files of the named tasks; null to take them from the Hub.
        batch_size: sentences that are embedded at a time.
    """

    place: ClassVar[str] = "evaluation"

    dev: str | dict[str, Any] | None = option(None, path="tasks")  # noqa: RUF009 - a field, as everywhere here
    every_steps: int = option(50, at_least=1)
    keep_best: bool = True
    test: tuple[str | dict[str, Any], ...] = option((), path="tasks")
    data_dir: str | None = option(None, path="always")
    batch_size: int = option(64, at_least=1)


def _required(give: str, **limits: Any) -> Any:
    return dataclasses.field(metadata={"give": give, **limits})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Hub(Section):
    """The repository on the Hub that the run is pushed to.

    Args:
        repo_id: the repository, as me/name; made if it is not there.
        push: "end" pushes the finished run; "every_save" the model of every checkpoint, too.
        private: only its owner sees a repository that is made.
        revision: branch that is pushed to, made if it is not there; null for the default one.
        create_pr: open a pull request with the finished run instead of changing the repository.
    """

    place: ClassVar[str] = "hub"

    repo_id: str = _required("the repository, as me/name")
    push: str = option("end", choices=("end", "every_save"))
    private: bool = False
    revision: str | None = None
    create_pr: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.create_pr and self.push == "every_save":
            raise InputValueError("hub.create_pr: every save would open a pull request; give push: end")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recipe(Section):
    """A run, from sentences to a trained and scored model.

    Relative paths in a recipe file are seen from the folder of the file, those in overrides from the working folder.

    Args:
        model: the encoder: a model's id on the Hub, a folder, or a mapping {build: {...}} or
            {name: ..., pooling: ...}.
        data: the sentences.
        augmentation: configuration of one augmenter ({name: negation, ...}) or of a composite ({name: triplets,
            positive: {...}, negative: {...}}); null pairs every sentence with itself.
        loss: name of a loss and its arguments.
        training: how the encoder is trained.
        evaluation: what is measured, and when.
        output: folder of the run; null for outputs/ and the name of the recipe file, in the working folder.
        hub: the repository that the run is pushed to; null for none.
    """

    model: str | Model = _required("a Hub id, a folder, or a mapping {build: {...}}", path="if_there")  # noqa: RUF009 - a field, as everywhere here
    data: Data = _required("a mapping with files or dataset")  # noqa: RUF009 - a field, as everywhere here
    augmentation: dict[str, Any] | None = option(None, path="augmentation")  # noqa: RUF009 - a field, as everywhere here
    loss: dict[str, Any] = dataclasses.field(default_factory=lambda: {"name": "margin-negation-infonce"})
    training: Training = Training()
    evaluation: Evaluation = Evaluation()
    output: str | None = option(None, path="always")
    hub: Hub | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for key in ("augmentation", "loss"):
            value = getattr(self, key)
            if value is not None and not isinstance(value.get("name"), str):
                raise InputValueError(f"{key}: needs a `name`; given: {', '.join(value) or 'nothing'}")
        if self.training.redraw and self.augmentation is None:
            raise InputValueError("training.redraw: there is no augmentation to draw anew; give one, or leave it out")

    @property
    def model_name(self) -> str | None:
        """The Hub id or folder of the encoder; None where it is built."""
        return self.model if isinstance(self.model, str) else self.model.name

    @classmethod
    def load(cls, path: str | Path, overrides: Sequence[str] = ()) -> Recipe:
        """Reads a recipe file.

        Args:
            path: the file.
            overrides: KEY=VALUE strings; a key is dotted (training.learning_rate), a value is YAML.

        Raises:
            InputFileError: there is no such file.
            InputValueError: the file is not YAML, a key is unknown or a value is not allowed.
            InputTypeError: a value has the wrong type.
        """
        path = Path(path)
        mapping = anchored(_read(path), cls, path.parent.absolute())
        for override in overrides:
            _apply(mapping, override)
        if mapping.get("output") is None:
            mapping["output"] = str(Path("outputs", path.name.removesuffix(".yaml").removesuffix(".yml")).absolute())
        try:
            return cls.from_dict(mapping)
        except InputError as error:
            raise type(error)(f"{path}: {error}") from None

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> Recipe:
        """The recipe of a mapping as `to_dict` gives it; paths are taken as they are."""
        check_keys(cls, mapping)
        return from_mapping(cls, mapping)

    def to_yaml(self) -> str:
        """The recipe with every field written out; it loads again to an equal one."""
        return yaml.safe_dump(self.to_dict(), sort_keys=False, allow_unicode=True, width=120)


def parse_yaml(text: str, source: str) -> Any:
    """The value of a YAML text; 3e-5 is a number and a key that stands twice is an error.

    Raises:
        InputValueError: the text is not YAML; the message has the source and the line.
    """
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        problem = " ".join(part for part in (error.context, error.problem) if part)
        raise InputValueError(f"{source}{line}: not valid YAML: {problem}") from None
    except yaml.YAMLError as error:
        raise InputValueError(f"{source}: not valid YAML: {' '.join(str(error).split())}") from None


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with YAML 1.2's numbers and without silent repeats."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if key_node.value in seen and key_node.tag != "tag:yaml.org,2002:merge":
                raise yaml.MarkedYAMLError(
                    problem=f"key {key_node.value!r} stands twice", problem_mark=key_node.start_mark
                )
            if isinstance(key_node.value, str):
                seen.add(key_node.value)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
)


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputFileError(f"{path}: no such recipe file") from None
    except UnicodeDecodeError:
        raise InputFileError(f"{path}: not a UTF-8 text file") from None
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read: {error.strerror}") from None
    mapping = parse_yaml(text, str(path))
    if not isinstance(mapping, dict):
        raise InputTypeError(f"{path}: a recipe is a mapping of keys to values; found {type(mapping).__name__}")
    return mapping


def _apply(mapping: dict[str, Any], override: str) -> None:
    """Sets one KEY=VALUE in a mapping; a path in the value is seen from the working folder."""
    key, equals, value = override.partition("=")
    parts = key.strip().split(".")
    if not equals or not all(parts):
        raise InputValueError(f"override {override!r}: give KEY=VALUE, such as training.learning_rate=3e-5")
    nested: Any = parse_yaml(value, f"override {override!r}")
    for part in reversed(parts):
        nested = {part: nested}
    nested = anchored(nested, Recipe, Path.cwd())
    for depth, part in enumerate(parts[:-1]):
        nested = nested[part]
        inner = mapping.get(part)
        if inner is None:
            inner = {}
        if not isinstance(inner, Mapping):
            raise InputTypeError(f"override {override!r}: {'.'.join(parts[: depth + 1])} is {inner!r}, not a mapping")
        mapping[part] = dict(inner)
        mapping = mapping[part]
    mapping[parts[-1]] = nested[parts[-1]]
