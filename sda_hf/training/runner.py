"""Build what a recipe describes and run it: data, augmentation, training, evaluation, saving."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from safetensors import SafetensorError
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer
from sentence_transformers.base.evaluation import BaseEvaluator
from torch import nn

from sda_hf import augmentation, evaluation, losses
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.errors import InputError, InputFileError, InputValueError
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.files import disk_is_full, write_whole
from sda_hf.hub.upload import Pushed
from sda_hf.registry import LOSSES
from sda_hf.run_files import DataStatistics, RunMetrics, Scores, TrainingHistory
from sda_hf.training.callbacks import LOSS_STATE, FiniteLoss, LossState
from sda_hf.training.card import describe, make_card
from sda_hf.training.data import Rows, load_sentences, make_rows
from sda_hf.training.encoder import make_encoder
from sda_hf.training.history import training_history
from sda_hf.training.interruption import Interrupted, Interrupts, StopAtInterrupt
from sda_hf.training.publishing import Publisher, PushEverySave
from sda_hf.training.recipe import Recipe
from sda_hf.training.redraw import NewDraws
from sda_hf.training.rewrite_statistics import examples, rewrite_statistics
from sda_hf.training.run_folder import RunFolder, versions
from sda_hf.training.trainer_arguments import check_batches, fit_steps, training_arguments
from sda_hf.training.whole_run import WholeRun

# The test tasks with their rows, which are whatever the kind of task reads.
TestRows = list[tuple[AnyTask, Any]]


@dataclasses.dataclass(frozen=True)
class RunResult:
    """The outcome of a run.

    Args:
        before: task → metrics of the encoder before training.
        after: task → metrics of the trained encoder.
        output: the run's folder, which is itself the saved model.
        pushed: what the push to the Hub did; None if the recipe does not ask for one.
    """

    before: Scores
    after: Scores
    output: Path
    pushed: Pushed | None = None

    @functools.cached_property
    def model(self) -> SentenceTransformer:
        """The trained model, loaded from its folder on first use; `push_to_hub` keeps its card."""
        return SentenceTransformer(str(self.output), local_files_only=True)


def run(
    recipe: Recipe,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    on_interrupt: Callable[[], None] | None = None,
) -> RunResult:
    """Run a recipe, from sentences to a trained, scored and saved model.

    The run's folder holds the resolved recipe and the package versions before the first step, the scores before
    training as soon as they are measured, checkpoints during training, and at the end the model, metrics.json and the
    model card. With several processes (accelerate launch), only the first one writes.

    Args:
        recipe: the recipe.
        output: the run's folder; None for the recipe's.
        resume: continue the run in the folder from its last checkpoint; start it if there is none.
        overwrite: delete the run in the folder first.
        on_interrupt: None lets Ctrl-C stop training at once, as anywhere in Python. A function is called at the first
            Ctrl-C, after which the current step is finished and saved; a second Ctrl-C stops at once.

    Raises:
        InputError: something that the recipe names does not exist, or the folder must not or cannot be written to.
        Interrupted: training was stopped by Ctrl-C and saved.
    """
    if output is not None:
        recipe = recipe.replace(output=str(Path(output).absolute()))
    if recipe.output is None:
        raise InputValueError("output: missing; give a folder for the run")
    interrupts = None if on_interrupt is None else Interrupts(on_interrupt)
    return Run(recipe, RunFolder(recipe.output), interrupts).execute(resume=resume, overwrite=overwrite)


class Run:
    """A run whose names were all looked up, so that a mistake shows before anything slow is loaded."""

    def __init__(self, recipe: Recipe, folder: RunFolder, interrupts: Interrupts | None) -> None:
        self.recipe = recipe
        self.folder = folder
        self.tests = evaluation.resolve_all(recipe.evaluation.test) if recipe.evaluation.test else []
        self.dev = None if recipe.evaluation.dev is None else evaluation.resolve(recipe.evaluation.dev)
        self.dev_metric = None if self.dev is None else evaluation.metric_key(self.dev)
        self.arguments = training_arguments(recipe, folder.checkpoints, self.dev_metric)
        # Several processes would not stop at the same step.
        self.interrupts = interrupts if self.arguments.world_size == 1 else None
        self.augmenter = _augmenter(recipe)
        self.publisher = None if recipe.hub is None else Publisher(recipe.hub, folder)
        self.whole = WholeRun()
        LOSSES.get(recipe.loss["name"])  # built later, when there is a model

    @property
    def is_main(self) -> bool:
        """Whether this is the process that writes."""
        return bool(self.arguments.process_index == 0)

    def execute(self, *, resume: bool, overwrite: bool) -> RunResult:
        """Run it; see `run`."""
        with self.folder.lock() if self.is_main else contextlib.nullcontext():
            return self._execute(resume=resume, overwrite=overwrite)

    def _execute(self, *, resume: bool, overwrite: bool) -> RunResult:
        if self.is_main:
            self.folder.check(self.recipe, resume=resume, overwrite=overwrite)
            if self.publisher is not None:
                self.publisher.prepare()
        tests: TestRows = evaluation.read_all(self.tests, self.recipe.evaluation.data_dir)
        with self._main_first():
            sentences = load_sentences(self.recipe.data)
        with self._full_disk_explained():
            model = make_encoder(self.recipe, sentences["anchor"], str(self.arguments.device))
        loss = self._loss(model)
        dev = self._dev_evaluator()
        with self._full_disk_explained(loss):
            with self._main_first():
                if self.is_main:
                    self.folder.claim(self.recipe, overwrite=overwrite)
            rows = self._rows(sentences)
            data = self._data_statistics(rows, sentences)
            before = self._scores_before(model, tests)
            trainer = self._trainer(model, loss, dev, rows.dataset)
            history = self._train(trainer, loss, resume=resume)
            after = self._scores(model, tests)
            if self.is_main:
                metrics = RunMetrics(
                    before=before,
                    after=after,
                    training=history,
                    data=data,
                    examples=tuple(examples(rows.dataset)),
                    seed=self.recipe.training.seed,
                )
                self._save(model, metrics)
        pushed = self.publisher.finished() if self.publisher is not None and self.is_main else None
        with self._main_first():
            return RunResult(before=before, after=after, output=self.folder.path, pushed=pushed)

    def _loss(self, model: SentenceTransformer) -> nn.Module:
        try:
            with torch.random.fork_rng():  # the weights of a projection head depend on the seed alone
                torch.manual_seed(self.recipe.training.seed)
                return losses.from_config(model, self.recipe.loss)
        except InputError as error:
            raise type(error)(f"loss: {error}") from None

    def _dev_evaluator(self) -> BaseEvaluator | None:
        if self.dev is None:
            return None
        settings = self.recipe.evaluation
        return evaluation.evaluator(self.dev, data_dir=settings.data_dir, batch_size=settings.batch_size)

    def _rows(self, sentences: Dataset) -> Rows:
        """Rewrite the sentences into training rows."""
        if self.augmenter is not None and not self.augmenter.is_fitted:
            self.augmenter = self.augmenter.fit(sentences["anchor"])
        with self._main_first():
            rows = make_rows(sentences, self.augmenter)
        check_batches(self.arguments, len(rows.dataset))
        fit_steps(self.arguments, len(rows.dataset))
        return rows

    def _data_statistics(self, rows: Rows, sentences: Dataset) -> DataStatistics:
        """Describe the rows, in the process that writes it down."""
        if not self.is_main:
            return DataStatistics()
        rewrites = {} if self.augmenter is None else rewrite_statistics(self.augmenter, sentences)
        return rows.statistics(rewrites)

    def _scores_before(self, model: SentenceTransformer, tests: TestRows) -> Scores:
        """Score the untrained encoder and write the scores at once; a resumed run finds them there."""
        known = self.folder.read_metrics().before
        before = known if known is not None else self._scores(model, tests)
        if self.is_main:
            RunMetrics(before=before, seed=self.recipe.training.seed).save(self.folder.metrics)
        return before

    def _scores(self, model: SentenceTransformer, tests: TestRows) -> Scores:
        """Score the test tasks in the first process while the others wait."""
        with self._main_first():
            if not (self.is_main and tests):
                return {}
            batch_size = self.recipe.evaluation.batch_size
            return evaluation.measure(model, tests, batch_size=batch_size, show_progress=True).metrics

    def _trainer(
        self, model: SentenceTransformer, loss: nn.Module, dev: BaseEvaluator | None, rows: Dataset
    ) -> SentenceTransformerTrainer:
        callbacks = [] if self.interrupts is None else [StopAtInterrupt(self.interrupts)]
        callbacks += [LossState(loss), FiniteLoss(), self.whole]
        if self.publisher is not None and self.publisher.every_save:
            callbacks.append(PushEverySave(self.publisher))
        if self.recipe.training.redraw and self.augmenter is not None:
            draws = NewDraws(rows, self.augmenter)
            rows = draws.dataset
            callbacks.append(draws)
        describe(model.model_card_data, self.recipe)
        return SentenceTransformerTrainer(
            model=model, args=self.arguments, train_dataset=rows, loss=loss, evaluator=dev, callbacks=callbacks
        )

    def _train(self, trainer: SentenceTransformerTrainer, loss: nn.Module, *, resume: bool) -> TrainingHistory:
        """Train from the start or from the last checkpoint."""
        with contextlib.nullcontext() if self.interrupts is None else self.interrupts.noted():
            last = self._last_checkpoint(loss, to_resume=True) if resume else None
            if self.is_main:
                self.folder.remove_checkpoints_after(last)
            outcome = trainer.train(resume_from_checkpoint=last)
        state = trainer.state
        if self.interrupts is not None and self.interrupts.seen and state.global_step < state.max_steps:
            raise Interrupted(
                f"stopped at step {state.global_step} of {state.max_steps} and saved in {self._last_checkpoint(loss)}: "
                "run the same command with --resume to continue"
            )
        best = self.arguments.load_best_model_at_end
        return training_history(state, outcome.metrics, self.dev_metric, best, self.whole.seconds)

    def _save(self, model: SentenceTransformer, metrics: RunMetrics) -> None:
        """Save the model and its card, and last the metrics, which mark the run as finished."""
        self.folder.save_model(functools.partial(model.save_pretrained, create_model_card=False))
        write_whole(self.folder.card, make_card(self.recipe, model, metrics, versions()))
        metrics.save(self.folder.metrics)

    def _last_checkpoint(self, loss: nn.Module, *, to_resume: bool = False) -> str | None:
        return self.folder.last_checkpoint((LOSS_STATE,) if LossState(loss).state() else (), to_resume=to_resume)

    def _main_first(self) -> AbstractContextManager[None]:
        """Let the first process do something while the others wait, so that they find it done."""
        context: AbstractContextManager[None] = self.arguments.main_process_first(local=False)
        return context

    @contextlib.contextmanager
    def _full_disk_explained(self, loss: nn.Module | None = None) -> Iterator[None]:
        """Turn the many errors of a full disk into one that says how to continue the run."""
        try:
            yield
        except (OSError, RuntimeError, SafetensorError) as error:
            if not disk_is_full(error):
                raise
            last = None if loss is None else self._last_checkpoint(loss)
            kept = f"the last complete checkpoint is {last}" if last else "no checkpoint was saved yet"
            raise InputFileError(
                f"no space left for the run in {self.folder.path} or for its cache; {kept}: free some space, then run "
                "the same command with --resume"
            ) from error


def _augmenter(recipe: Recipe) -> RowAugmenter | None:
    if recipe.augmentation is None:
        return None
    try:
        return augmentation.from_config(recipe.augmentation, trust_parser=True)  # the recipe was checked when loaded
    except InputError as error:
        raise type(error)(f"augmentation: {error}") from None
