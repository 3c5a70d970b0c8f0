"""The sections of a recipe: every key, its default, its allowed values and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BeforeValidator, Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator
from typing_extensions import Self

from sda_hf.errors import InputValueError
from sda_hf.training.recipe.fields import (
    Count,
    DevTasks,
    NonNegativeNumber,
    PositiveNumber,
    Settings,
    TaskReference,
)
from sda_hf.training.recipe.paths import PathRule
from sda_hf.training.recipe.section import Section, filled, listed

# Spelled out here, so that a recipe can be read without torch; `sda_hf.training.pooling` implements them.
Pooling = Literal["mean", "cls", "max", "first-last", "last-two"]
POOLINGS: tuple[str, ...] = get_args(Pooling)


def check_name(key: str, config: Mapping[str, object] | None) -> None:
    """Refuse the configuration of an augmenter, a loss or a generator without a name.

    Raises:
        InputValueError: there is no name.
    """
    if config is not None and not isinstance(config.get("name"), str):
        raise InputValueError(f"{key}: needs a `name`; given: {', '.join(config) or 'nothing'}")


def innermost(config: Any) -> Iterator[dict[str, Any]]:
    """Yield the named mappings that hold no further named ones."""
    if isinstance(config, list):
        for item in config:
            yield from innermost(item)
    elif isinstance(config, dict):
        inner = [part for value in config.values() for part in innermost(value)]
        yield from inner or ([config] if "name" in config else [])


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
    """Maximum size of the WordPiece vocabulary, which is learned from the training sentences; of a stream, from the
    first 10,000."""
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
    """The sentences, from `files` or a `dataset`; or a `generator` of whole training rows."""

    place: ClassVar[str] = "data"

    files: Annotated[tuple[StrictStr, ...], BeforeValidator(listed), PathRule.ALWAYS] = ()
    """Text files (one sentence per line), or csv, tsv, jsonl or parquet files, optionally compressed (.gz), all of the
    same kind; glob patterns such as part-*.txt are expanded."""
    dataset: StrictStr | None = None
    """Id of a dataset on the Hub."""
    generator: Annotated[Settings | None, PathRule.PARSERS] = None
    """Name of a generator, which makes training rows without sentences, and its arguments ({name: lexicon-squares,
    count: 10000})."""
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
    streaming: StrictBool = False
    """Read and rewrite the sentences during training, again and again, instead of once beforehand: for more of them
    than memory or disk holds. Needs `training.max_steps`."""
    shuffle_buffer: Count = 10_000
    """With `streaming`, the number of sentences among which the next one is drawn."""

    @model_validator(mode="after")
    def _check_alternatives(self) -> Self:
        given = [name for name in ("files", "dataset", "generator") if getattr(self, name) not in ((), None)]
        if len(given) != 1:
            raise InputValueError(
                "data: give one of data.files, data.dataset and data.generator; "
                f"given: {' and '.join(given) or 'none of them'}"
            )
        check_name("data.generator", self.generator)
        if self.streaming and self.generator is not None:
            raise InputValueError("data.streaming: only for data.files and data.dataset; remove it")
        return self


class TrainingSet(Section):
    """One of several datasets of a run, with the loss that is computed on it."""

    data: Annotated[Data, BeforeValidator(filled)]
    """the sentences or rows of this dataset, as in `data`."""
    augmentation: Annotated[Settings | None, PathRule.PARSERS] = None
    """Configuration of its augmenter, as in `augmentation`."""
    loss: Settings
    """name of its loss, and its arguments."""
    labels: Literal["embeddings"] | None = None
    """"embeddings" trains on the sentences as they are, each labelled with its embedding by the untrained encoder; null
    for no labels."""
    batch_size: Count | None = None
    """Rows of this dataset per batch and device; null for `training.batch_size`."""

    @model_validator(mode="after")
    def _check_rows(self) -> Self:
        check_name("augmentation", self.augmentation)
        check_name("loss", self.loss)
        if self.data.generator is not None and (self.augmentation is not None or self.labels is not None):
            extra = "labels" if self.augmentation is None else "augmentation"
            raise InputValueError(f"{extra}: a generator makes whole rows; remove it, or give data.files")
        if self.labels is not None and self.augmentation is not None:
            raise InputValueError("labels: they are the embeddings of the sentences as they are; remove augmentation")
        return self

    @property
    def augmenters(self) -> list[dict[str, Any]]:
        """The configurations of the augmenters, without the composites around them."""
        return list(innermost(self.augmentation))


class Lora(Section):
    """A low-rank adapter, which is trained in the place of the encoder's own weights."""

    place: ClassVar[str] = "training.lora"

    rank: Count = 16
    """Rank of the matrices that are added to the weights."""
    alpha: Count = 32
    """Scale of the added matrices, which is divided by the rank."""
    dropout: Annotated[StrictFloat, Field(ge=0, lt=1)] = 0.0
    """Dropout probability before the added matrices."""
    target_modules: Annotated[tuple[StrictStr, ...], BeforeValidator(listed)] = ("all-linear",)
    """Names of the layers that get them; all-linear for every linear layer."""


class Training(Section):
    """How the encoder is trained."""

    place: ClassVar[str] = "training"

    learning_rate: PositiveNumber = 2e-5
    """Peak learning rate."""
    batch_size: Count = 64
    """Training rows per batch and device."""
    epochs: PositiveNumber = 1.0
    """Passes over the training rows; may be a fraction. Ignored if `max_steps` is given."""
    max_steps: Count | None = None
    """Number of optimizer steps; null for as many as `epochs` takes."""
    gradient_accumulation: Count = 1
    """Batches per optimizer step; with several datasets, batches of each."""
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
    frozen: Annotated[tuple[StrictStr, ...], BeforeValidator(listed)] = ()
    """Modules of the encoder whose weights stay as they are, each by a part of its name between dots: embeddings."""
    lora: Lora | None = None
    """Train a low-rank adapter (LoRA), and save it instead of the whole encoder; null to train all weights. Needs peft:
    pip install "sda-hf[lora]"."""
    logging_steps: Count = 10
    """Steps between two log lines."""
    save_total_limit: Count = 2
    """Number of checkpoints to keep."""
    arguments: Settings = Field(default_factory=dict)
    """Further fields of SentenceTransformerTrainingArguments, under their own names."""


class Evaluation(Section):
    """What is evaluated, and when."""

    place: ClassVar[str] = "evaluation"

    dev: Annotated[DevTasks | None, PathRule.TASKS] = None
    """Task that is scored during training: a name such as stsb-dev, a file of graded pairs, or a mapping {name, path,
    kind, columns: {sentence1, sentence2, score}} for a file with other column names; null for none. Of a list, the mean
    of the scores counts; a mean cosine of negated pairs counts as 100 (1 - cosine)."""
    every_steps: Count = 50
    """Steps between two evaluations on the dev task, and between two checkpoints."""
    keep_best: StrictBool = True
    """End with the checkpoint that scored best on the dev task, instead of the last one."""
    test: Annotated[tuple[TaskReference, ...], BeforeValidator(listed), PathRule.TASKS] = ()
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
