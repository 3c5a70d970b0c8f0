"""Builds what a recipe describes and runs it: data, augmentation, training, evaluation, saving."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from safetensors import SafetensorError
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from torch import nn

from sda_hf import augmentation, evaluation, losses
from sda_hf.errors import InputError, InputFileError, InputValueError
from sda_hf.hub.upload import Pushed
from sda_hf.registry import LOSSES
from sda_hf.run_files import RewriteStatistics, RunMetrics, Scores, TrainingHistory
from sda_hf.training.callbacks import LOSS_STATE, FiniteLoss, LossState
from sda_hf.training.card import describe, make_card
from sda_hf.training.card_facts import training_history
from sda_hf.training.data import Rows, load_sentences, make_rows
from sda_hf.training.encoder import load_model
from sda_hf.training.interruption import Interrupted, Interrupts, StopAtInterrupt, disk_is_full
from sda_hf.training.publishing import Publisher, PushEverySave
from sda_hf.training.recipe import Recipe
from sda_hf.training.redraw import NewDraws
from sda_hf.training.rewrite_statistics import examples, rewrite_statistics
from sda_hf.training.run_folder import RunFolder, versions
from sda_hf.training.trainer_arguments import check_batches, fit_steps, training_arguments


@dataclasses.dataclass(frozen=True)
class RunResult:
    """What a run gave.

    Args:
        before: task → metrics of the encoder before training.
        after: task → metrics of the trained encoder.
        output: the folder, which is itself the saved model.
        pushed: what the push to the Hub did; None where the recipe asks for none.
    """

    before: Scores
    after: Scores
    output: Path
    pushed: Pushed | None = None

    @functools.cached_property
    def model(self) -> SentenceTransformer:
        """The trained model, loaded from the folder when it is first asked for: `push_to_hub` keeps its card."""
        return SentenceTransformer(str(self.output), local_files_only=True)


def run(
    recipe: Recipe,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    on_interrupt: Callable[[], None] | None = None,
) -> RunResult:
    """Runs a recipe from sentences to a trained, scored and saved model.

    The folder holds the resolved recipe and the versions before the first step, the scores before training as soon as
    they are measured, checkpoints while training, and at the end the model, metrics.json and the model card. With
    several processes (accelerate launch) the first one alone writes.

    Args:
        recipe: what the run is.
        output: the folder; None for the recipe's.
        resume: continue the run in the folder from its last checkpoint; a folder that is not there yet is begun.
        overwrite: remove the run in the folder first.
        on_interrupt: None lets Ctrl-C stop the training at once, as anywhere in Python. A function is called at the
            first Ctrl-C, whereupon the step is finished and saved; a second one stops at once.

    Raises:
        InputError: the recipe names something that is not there, or the folder may not or can no longer be written to.
        Interrupted: the training was stopped by Ctrl-C and saved.
    """
    if output is not None:
        recipe = recipe.replace(output=str(Path(output).absolute()))
    if recipe.output is None:
        raise InputValueError("output: missing; give a folder for the run")
    interrupts = None if on_interrupt is None else Interrupts(on_interrupt)
    return Run(recipe, RunFolder(recipe.output), interrupts).go(resume=resume, overwrite=overwrite)


def _augmenter(recipe: Recipe) -> Any:
    if recipe.augmentation is None:
        return None
    try:
        return augmentation.from_config(recipe.augmentation)
    except InputError as error:
        raise type(error)(f"augmentation: {error}") from None


class Run:
    """One run: the parts that the recipe names, made in the order in which they can be refused."""

    def __init__(self, recipe: Recipe, folder: RunFolder, interrupts: Interrupts | None) -> None:
        self.recipe = recipe
        self.folder = folder
        self.test_rows: list[tuple[evaluation.Task[Any], Any]] = []
        self.tests = evaluation.resolve_all(recipe.evaluation.test) if recipe.evaluation.test else []
        self.dev = None if recipe.evaluation.dev is None else evaluation.resolve(recipe.evaluation.dev)
        self.metric = None if self.dev is None else evaluation.metric_key(self.dev)
        self.arguments = training_arguments(recipe, folder.checkpoints, self.metric)
        # Several processes would not stop at the same step.
        self.interrupts = interrupts if self.arguments.world_size == 1 else None
        self.augmenter = _augmenter(recipe)
        self.publisher = None if recipe.hub is None else Publisher(recipe.hub, folder)
        LOSSES.get(recipe.loss["name"])  # before anything is loaded

    @property
    def is_main(self) -> bool:
        """Whether this is the process that writes."""
        return bool(self.arguments.process_index == 0)

    def go(self, *, resume: bool, overwrite: bool) -> RunResult:
        """Runs it; see `run`."""
        if self.is_main:
            self.folder.check(self.recipe, resume=resume, overwrite=overwrite)
            if self.publisher is not None:
                self.publisher.prepare()
        sentences, model = self._inputs()
        loss = self._loss(model)
        dev = self._evaluator()
        with self._room_for(loss):
            with self._main_first():
                if self.is_main:
                    self.folder.claim(self.recipe, overwrite=overwrite)
            rows, rewrites = self._rows(sentences)
            before = self._before(model)
            trainer = self._trainer(model, loss, dev, rows.dataset)
            history = self._train(trainer, loss, resume=resume)
            after = self._scores(model)
            if self.is_main:
                metrics = RunMetrics(
                    before=before,
                    after=after,
                    training=history,
                    data=rows.statistics(rewrites),
                    examples=tuple(examples(rows.dataset)),
                    seed=self.recipe.training.seed,
                )
                self._save(model, metrics)
        pushed = self.publisher.finished() if self.publisher is not None and self.is_main else None
        with self._main_first():
            return RunResult(before=before, after=after, output=self.folder.path, pushed=pushed)

    def _train(self, trainer: SentenceTransformerTrainer, loss: nn.Module, *, resume: bool) -> TrainingHistory:
        """Train from the start or from the last checkpoint."""
        with contextlib.nullcontext() if self.interrupts is None else self.interrupts.noted():
            outcome = trainer.train(resume_from_checkpoint=self._last_checkpoint(loss) if resume else None)
        state = trainer.state
        if self.interrupts is not None and self.interrupts.seen and state.global_step < state.max_steps:
            raise Interrupted(
                f"stopped at step {state.global_step} of {state.max_steps} and saved in {self._last_checkpoint(loss)}: "
                "the same command with --resume goes on from there"
            )
        return training_history(state, outcome.metrics, self.metric, self.arguments.load_best_model_at_end)

    def _last_checkpoint(self, loss: nn.Module) -> str | None:
        return self.folder.last_checkpoint((LOSS_STATE,) if LossState(loss).state() else ())

    @contextlib.contextmanager
    def _room_for(self, loss: nn.Module) -> Iterator[None]:
        """Says what is left of the run when the disk is full."""
        try:
            yield
        except (OSError, RuntimeError, SafetensorError) as error:
            if isinstance(error, InputError) or not disk_is_full(error):
                raise
            last = self._last_checkpoint(loss)
            whole = f"the last whole checkpoint is {last}" if last else "no checkpoint was saved yet"
            raise InputFileError(
                f"no room left for the run in {self.folder.path} or for its cache; {whole}: make room, then go on with "
                "the same command and --resume"
            ) from error

    def _main_first(self) -> Any:
        return self.arguments.main_process_first(local=False)

    def _inputs(self) -> tuple[Dataset, SentenceTransformer]:
        self.test_rows = evaluation.read_all(self.tests, self.recipe.evaluation.data_dir)
        with self._main_first():
            sentences = load_sentences(self.recipe.data)
        return sentences, load_model(self.recipe, sentences["anchor"], str(self.arguments.device))

    def _loss(self, model: SentenceTransformer) -> nn.Module:
        try:
            with torch.random.fork_rng():  # a projection head's weights are a function of the seed
                torch.manual_seed(self.recipe.training.seed)
                return losses.from_config(model, self.recipe.loss)
        except InputError as error:
            raise type(error)(f"loss: {error}") from None

    def _evaluator(self) -> Any:
        if self.dev is None:
            return None
        settings = self.recipe.evaluation
        return evaluation.evaluator(self.dev, data_dir=settings.data_dir, batch_size=settings.batch_size)

    def _rows(self, sentences: Dataset) -> tuple[Rows, dict[str, RewriteStatistics]]:
        if self.augmenter is not None and not self.augmenter.is_fitted:
            self.augmenter = self.augmenter.fit(sentences["anchor"])
        with self._main_first():
            rows = make_rows(sentences, self.augmenter)
        check_batches(self.arguments, len(rows.dataset))
        fit_steps(self.arguments, len(rows.dataset))
        return rows, rewrite_statistics(
            self.augmenter, sentences
        ) if self.augmenter is not None and self.is_main else {}

    def _before(self, model: SentenceTransformer) -> Scores:
        """The scores before training; written at once, and read again by a run that is resumed."""
        known = self.folder.read_metrics().before
        before = known if known is not None else self._scores(model)
        if self.is_main:
            RunMetrics(before=before, seed=self.recipe.training.seed).save(self.folder.metrics)
        return before

    def _scores(self, model: SentenceTransformer) -> Scores:
        """Scores of the test tasks; the first process measures while the others wait."""
        settings = self.recipe.evaluation
        with self._main_first():
            if not (self.is_main and self.tests):
                return {}
            measured = evaluation.measure(model, self.test_rows, batch_size=settings.batch_size, show_progress=True)
        return measured.metrics

    def _trainer(
        self, model: SentenceTransformer, loss: nn.Module, dev: Any, rows: Dataset
    ) -> SentenceTransformerTrainer:
        stop = [] if self.interrupts is None else [StopAtInterrupt(self.interrupts)]
        callbacks = [*stop, LossState(loss), FiniteLoss()]
        if self.publisher is not None and self.publisher.every_save:
            callbacks.append(PushEverySave(self.publisher))
        if self.recipe.training.redraw:
            draws = NewDraws(rows, self.augmenter)
            rows = draws.dataset
            callbacks.append(draws)
        arguments: SentenceTransformerTrainingArguments = self.arguments
        describe(model.model_card_data, self.recipe)
        return SentenceTransformerTrainer(
            model=model, args=arguments, train_dataset=rows, loss=loss, evaluator=dev, callbacks=callbacks
        )

    def _save(self, model: SentenceTransformer, metrics: RunMetrics) -> None:
        """Model and card first; the metrics, which say that the run is finished, last."""
        self.folder.save_model(functools.partial(model.save_pretrained, create_model_card=False))
        self.folder.write_text(self.folder.card, make_card(self.recipe, model, metrics, versions()))
        metrics.save(self.folder.metrics)
