"""The datasets of a run: each with the sentences or the generator that its rows are from, and its loss."""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping

from datasets import Dataset
from sentence_transformers import SentenceTransformer
from torch import Tensor, nn

from sda_hf import augmentation, losses
from sda_hf.augmentation import LexiconSquares
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.errors import InputError, InputValueError, shown
from sda_hf.losses.base import LossParts
from sda_hf.registry import LOSSES
from sda_hf.run_files import DataRecord, DataStatistics
from sda_hf.training.data import Rows, generated, load_sentences, make_rows, makes_whole_rows
from sda_hf.training.embedded import LABEL, Prompts, labelled, prompt_of
from sda_hf.training.recipe import Recipe, TrainingSet
from sda_hf.training.rewrite_statistics import examples, rewrite_statistics, sample
from sda_hf.training.streams import Reading, Stream, open_stream, streamed_rows

# The column of sentences that are trained on as they are.
SENTENCE = "sentence"


class Part:
    """One dataset of a run; its names are looked up when it is made, so that a mistake shows before anything is loaded.

    Args:
        name: its name in the recipe; "" for the only one of a recipe without `datasets`.
        spec: what the recipe says about it.
        batch_size: rows per batch and device.
    """

    def __init__(self, name: str, spec: TrainingSet, batch_size: int) -> None:
        self.name, self.spec, self.batch_size = name, spec, batch_size
        self.augmenter: RowAugmenter | None = None
        self.generator: LexiconSquares | None = None
        self.stream: Stream | None = None
        # The recipe was checked when loaded, so that its parsers are trusted.
        with self.placed("augmentation"):
            if spec.augmentation is not None:
                self.augmenter = augmentation.from_config(spec.augmentation, trust_parser=True)
            if spec.data.streaming and self.augmenter is not None and not self.augmenter.is_fitted:
                raise InputValueError(
                    f"{type(self.augmenter).__name__} must be fitted on all sentences, which a stream does not hold: "
                    "fit it beforehand and give the folder that its save_pretrained wrote, or remove data.streaming"
                )
        with self.placed("data.generator"):
            if spec.data.generator is not None:
                self.generator = augmentation.generator_from_config(spec.data.generator, trust_parser=True)
        with self.placed():
            loss = LOSSES.get(spec.loss["name"])  # built later, when there is a model
        with self.placed("loss"):
            _check_columns(loss, self.columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of sentences that the rows will have."""
        if self.generator is not None:
            return tuple(self.generator.new_columns)
        if self.spec.labels is not None:
            return (SENTENCE,)
        if self.augmenter is None:
            return ("anchor", "positive")
        if makes_whole_rows(self.augmenter):
            return self.augmenter.new_columns
        return ("anchor", "positive", *(("negative",) if "negative" in self.augmenter.new_columns else ()))

    @contextlib.contextmanager
    def placed(self, key: str = "") -> Iterator[None]:
        """Name the dataset, and the key given, in the messages of errors."""
        try:
            yield
        except InputError as error:
            place = f"datasets.{self.name}" if self.name else ""
            prefix = ".".join(filter(None, (place, key)))
            raise type(error)(f"{prefix}: {error}" if prefix else str(error)) from error.__cause__

    def load(self) -> Dataset:
        """Return the sentences, of a stream the first ones, in a column anchor; or the rows of the generator."""
        if self.spec.data.streaming:
            with self.placed():
                self.stream = open_stream(self.spec.data)
                return self.stream.first()
        if self.generator is None:
            with self.placed():
                return load_sentences(self.spec.data)
        with self.placed("data.generator"):
            rows = generated(self.generator)
        return rows if self.spec.data.limit is None else rows.take(min(self.spec.data.limit, len(rows)))

    def rows(
        self, loaded: Dataset, model: SentenceTransformer, prompts: Prompts, batch_size: int, reading: Reading
    ) -> Rows:
        """Make the training rows of what `load` returned.

        Args:
            loaded: the sentences or rows.
            model: the untrained encoder, for labels.
            prompts: the prompts of the training arguments.
            batch_size: texts to embed at a time, for labels.
            reading: how a stream is read.
        """
        if self.stream is not None:
            with self.placed():
                return streamed_rows(self.stream, sample(loaded), self.augmenter, reading)
        if self.generator is not None:
            return Rows(loaded, None, None)
        if self.spec.labels is not None:
            sentences = loaded.rename_column("anchor", SENTENCE)
            prompt = prompt_of(prompts, self.name, SENTENCE)
            return Rows(labelled(sentences, SENTENCE, model, prompt, batch_size), len(loaded), None)
        with self.placed():
            if self.augmenter is not None and not self.augmenter.is_fitted:
                self.augmenter = self.augmenter.fit(loaded["anchor"])
            return make_rows(loaded, self.augmenter)

    def statistics(self, loaded: Dataset, rows: Rows) -> DataStatistics:
        """Describe the rows."""
        return rows.statistics({} if self.augmenter is None else rewrite_statistics(self.augmenter, loaded))

    def record(self, loaded: Dataset, rows: Rows) -> DataRecord:
        """Describe the rows of one of several datasets."""
        shown = rows.examples
        texts = shown.select_columns([name for name in shown.column_names if name != LABEL])
        return DataRecord(data=self.statistics(loaded, rows), examples=tuple(examples(texts)))

    def loss(self, model: SentenceTransformer) -> nn.Module:
        """Build the loss; of several datasets, each logs its loss under its own name."""
        with self.placed("loss"):
            loss = losses.from_config(model, self.spec.loss)
        if self.name:
            loss.register_forward_hook(functools.partial(_named, self.name))
        return loss

    @property
    def needs_other_rows(self) -> bool:
        """Whether the loss compares the rows of a batch with each other."""
        return bool(getattr(LOSSES.get(self.spec.loss["name"]), "needs_other_rows", True))


def _check_columns(loss: type, given: tuple[str, ...]) -> None:
    """Refuse a loss that takes other columns than the rows will have.

    Raises:
        InputValueError: it does.
    """
    taken = getattr(loss, "columns", None)  # of losses of sentence-transformers, nothing is known
    if not isinstance(taken, str):
        return
    for alternative in re.findall(r"\(([^)]*)\)", taken):
        names = alternative.split(", ")
        if len(given) == len(names) or (names[-1] == "..." and len(given) >= len(names) - 1):
            return
    raise InputValueError(
        f"{loss.__name__} takes the columns {taken}, and the rows will have ({', '.join(given)}): change the loss "
        "or the augmentation"
    )


def parts_of(recipe: Recipe) -> dict[str, Part]:
    """Return the datasets of a recipe by name.

    Raises:
        InputError: the name of an augmenter, a generator or a loss is unknown, or one of its arguments is.
    """
    for name in recipe.datasets:
        if hasattr(nn.Sequential, name):  # in which the trainer puts the losses
            raise InputValueError(f"datasets: the name {shown(name)} is an attribute of torch modules: choose another")
    usual = recipe.training.batch_size
    return {name: Part(name, spec, spec.batch_size or usual) for name, spec in recipe.training_sets.items()}


def texts_of(loaded: Mapping[str, Dataset]) -> Iterable[str]:
    """Return all texts that were loaded, from which a built encoder learns its vocabulary."""
    return itertools.chain.from_iterable(one[column] for one in loaded.values() for column in one.column_names)


def _named(name: str, loss: nn.Module, given: object, result: Tensor | dict[str, Tensor]) -> LossParts:
    """Name the loss of a dataset, and its parts, which the trainer logs: a forward hook."""
    if isinstance(result, dict):
        return LossParts({f"{name}_{part}": value for part, value in result.items()})
    return LossParts({f"{name}_loss": result})
