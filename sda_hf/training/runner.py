"""Build what a recipe describes and run it: data, augmentation, training, evaluation, saving."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset, DatasetDict, IterableDataset
from safetensors import SafetensorError
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer
from sentence_transformers.base.evaluation import BaseEvaluator
from torch import nn

from sda_hf import evaluation
from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation import TaskSpec
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.files import disk_is_full, write_whole
from sda_hf.hub.upload import Pushed
from sda_hf.run_files import RunMetrics, Scores, TrainingHistory
from sda_hf.training.callbacks import LOSS_STATE, FiniteLoss, LossState
from sda_hf.training.card import describe, make_card
from sda_hf.training.data import Rows
from sda_hf.training.encoder import add_adapter, freeze, make_encoder
from sda_hf.training.given_files import check_given_files, data_dir_explained
from sda_hf.training.history import training_history
from sda_hf.training.interruption import Interrupted, Interrupts, StopAtInterrupt
from sda_hf.training.parts import parts_of, texts_of
from sda_hf.training.progress import TrainingProgress
from sda_hf.training.publishing import Publisher, PushEverySave
from sda_hf.training.recipe import Recipe
from sda_hf.training.redraw import NewDraws
from sda_hf.training.run_folder import RunFolder, versions
from sda_hf.training.streams import Reading, worker_errors
from sda_hf.training.trainer_arguments import check_batches, fit_steps, training_arguments
from sda_hf.training.whole_run import WholeRun

# The test tasks with their rows, which are whatever the kind of task reads.
TestRows = list[tuple[AnyTask, Any]]
# The loss, or with several datasets that of each.
Loss = nn.Module | dict[str, nn.Module]


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
    verbose: bool = False,
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
        verbose: print the logs of the trainer instead of the progress.

    Raises:
        InputError: something that the recipe names does not exist, or the folder must not or cannot be written to.
        Interrupted: training was stopped by Ctrl-C and saved.
    """
    if output is not None:
        recipe = recipe.replace(output=str(Path(output).absolute()))
    if recipe.output is None:
        raise InputValueError("output: missing; give a folder for the run")
    interrupts = None if on_interrupt is None else Interrupts(on_interrupt)
    return Run(recipe, RunFolder(recipe.output), interrupts, verbose).execute(resume=resume, overwrite=overwrite)


class Run:
    """A run whose names were all looked up, so that a mistake shows before anything slow is loaded."""

    def __init__(self, recipe: Recipe, folder: RunFolder, interrupts: Interrupts | None, verbose: bool = False) -> None:
        self.recipe = recipe
        self.verbose = verbose
        self.folder = folder
        self.tests = evaluation.resolve_all(recipe.evaluation.test) if recipe.evaluation.test else []
        self.dev = _dev_tasks(recipe)
        self.dev_metric = evaluation.metric_key(_one_or_all(self.dev)) if self.dev else None
        self.arguments = training_arguments(recipe, folder.checkpoints, self.dev_metric)
        # Several processes would not stop at the same step.
        self.interrupts = interrupts if self.arguments.world_size == 1 else None
        self.parts = parts_of(recipe)
        self.publisher = None if recipe.hub is None else Publisher(recipe.hub, folder)
        self.whole = WholeRun()

    @property
    def is_main(self) -> bool:
        """Whether this is the process that writes."""
        return bool(self.arguments.process_index == 0)

    def execute(self, *, resume: bool, overwrite: bool) -> RunResult:
        """Run it; see `run`."""
        with self.folder.lock() if self.is_main else contextlib.nullcontext():
            return self._execute(resume=resume, overwrite=overwrite)

    def _execute(self, *, resume: bool, overwrite: bool) -> RunResult:
        check_given_files(self.recipe)
        if self.is_main:
            self.folder.check(self.recipe, resume=resume, overwrite=overwrite)
            if self.publisher is not None:
                self.publisher.prepare()
        with data_dir_explained(self.recipe):
            tests: TestRows = evaluation.read_all(self.tests, self.recipe.evaluation.data_dir)
        with self._main_first():
            loaded = {name: part.load() for name, part in self.parts.items()}
        with self._full_disk_explained():
            model = make_encoder(self.recipe, texts_of(loaded), str(self.arguments.device))
        freeze(model, self.recipe.training.frozen)
        loss = self._loss(model)
        with data_dir_explained(self.recipe):
            dev = self._dev_evaluator()
        with self._full_disk_explained(loss):
            with self._main_first():
                if self.is_main:
                    self.folder.claim(self.recipe, overwrite=overwrite)
            rows = self._rows(loaded, model)
            data = self._data_record(rows, loaded)
            before = self._scores_before(model, tests)
            if self.recipe.training.lora is not None:
                add_adapter(model, self.recipe.training.lora, self.recipe.training.seed)
            trainer = self._trainer(model, loss, dev, rows)
            history = self._train(trainer, loss, resume=resume)
            after = self._scores(model, tests)
            if self.is_main:
                metrics = RunMetrics(
                    before=before,
                    after=after,
                    training=history,
                    seed=self.recipe.training.seed,
                    **data,
                )
                self._save(model, metrics)
        pushed = self.publisher.finished() if self.publisher is not None and self.is_main else None
        with self._main_first():
            return RunResult(before=before, after=after, output=self.folder.path, pushed=pushed)

    def _loss(self, model: SentenceTransformer) -> Loss:
        with torch.random.fork_rng():  # the weights of a projection head depend on the seed alone
            torch.manual_seed(self.recipe.training.seed)
            losses = {name: part.loss(model) for name, part in self.parts.items()}
        return losses if self.recipe.datasets else losses[""]

    def _dev_evaluator(self) -> BaseEvaluator | None:
        if not self.dev:
            return None
        settings = self.recipe.evaluation
        return evaluation.evaluator(_one_or_all(self.dev), data_dir=settings.data_dir, batch_size=settings.batch_size)

    def _rows(self, loaded: Mapping[str, Dataset], model: SentenceTransformer) -> dict[str, Rows]:
        """Make the training rows of each dataset."""
        if self.recipe.datasets and self.arguments.prompts is None and model.default_prompt_name is not None:
            self.arguments.prompts = model.prompts[model.default_prompt_name]
        prompts, batch_size = self.arguments.prompts, self.recipe.evaluation.batch_size
        with self._main_first():
            rows = {
                name: part.rows(loaded[name], model, prompts, batch_size, self._reading())
                for name, part in self.parts.items()
            }
        sizes = []
        for name, part in self.parts.items():
            size, count = part.batch_size * max(self.arguments.n_gpu, 1), rows[name].count
            if part.needs_other_rows:
                with part.placed():
                    check_batches(size, count)
            if count is not None:
                sizes.append((count, size))
        fit_steps(self.arguments, sizes)
        return rows

    def _reading(self) -> Reading:
        training, arguments = self.recipe.training, self.arguments
        return Reading(
            shards=max(arguments.dataloader_num_workers, 1) * arguments.world_size,
            seed=training.seed,
            redraw=training.redraw,
        )

    def _data_record(self, rows: Mapping[str, Rows], loaded: Mapping[str, Dataset]) -> dict[str, Any]:
        """Describe the rows for metrics.json, in the process that writes it."""
        if not self.is_main:
            return {}
        records = {name: part.record(loaded[name], rows[name]) for name, part in self.parts.items()}
        return {"datasets": records} if self.recipe.datasets else dict(records[""])

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
        self, model: SentenceTransformer, loss: Loss, dev: BaseEvaluator | None, rows: Mapping[str, Rows]
    ) -> SentenceTransformerTrainer:
        callbacks = [] if self.interrupts is None else [StopAtInterrupt(self.interrupts)]
        callbacks += [LossState(loss), FiniteLoss(), self.whole]
        if self.publisher is not None and self.publisher.every_save:
            callbacks.append(PushEverySave(self.publisher))
        datasets: dict[str, Dataset | IterableDataset] = {name: one.dataset for name, one in rows.items()}
        redraw = self.recipe.training.redraw and not self.recipe.is_streamed
        if redraw and (augmenter := self.parts[""].augmenter) is not None:
            draws = NewDraws(datasets[""], augmenter)
            datasets[""] = draws.dataset
            callbacks.append(draws)
        describe(model.model_card_data, self.recipe)
        trainer = SentenceTransformerTrainer(
            model=model,
            args=self.arguments,
            train_dataset=DatasetDict(datasets) if self.recipe.datasets else datasets[""],
            loss=loss,
            evaluator=dev,
            callbacks=callbacks,
        )
        if not self.verbose:
            TrainingProgress(self.dev_metric).replace_logs(trainer)
        return trainer

    def _train(self, trainer: SentenceTransformerTrainer, loss: Loss, *, resume: bool) -> TrainingHistory:
        """Train from the start or from the last checkpoint."""
        with contextlib.nullcontext() if self.interrupts is None else self.interrupts.noted():
            last = self._last_checkpoint(loss, to_resume=True) if resume else None
            if self.is_main:
                self.folder.remove_checkpoints_after(last)
            with worker_errors():
                outcome = trainer.train(resume_from_checkpoint=last)
        state = trainer.state
        if self.interrupts is not None and self.interrupts.seen and state.global_step < state.max_steps:
            raise Interrupted(
                f"stopped at step {state.global_step} of {state.max_steps} and saved in {self._last_checkpoint(loss)}: "
                "run the same command with --resume to continue"
            )
        best, parts = self.arguments.load_best_model_at_end, tuple(f"{name}_" for name in self.recipe.datasets)
        metrics = dict(outcome.metrics)
        if parts:  # the trainer knows of one batch size
            sizes = [part.batch_size for part in self.parts.values()]
            metrics["train_samples_per_second"] *= sum(sizes) / len(sizes) / self.recipe.training.batch_size
        history = training_history(state, metrics, self.dev_metric, best, self.whole.seconds, parts)
        return history.model_copy(update={"epochs": None}) if self.recipe.is_streamed else history

    def _save(self, model: SentenceTransformer, metrics: RunMetrics) -> None:
        """Save the model and its card, and last the metrics, which mark the run as finished."""
        self.folder.save_model(functools.partial(model.save_pretrained, create_model_card=False))
        write_whole(self.folder.card, make_card(self.recipe, model, metrics, versions()))
        metrics.save(self.folder.metrics)

    def _last_checkpoint(self, loss: Loss, *, to_resume: bool = False) -> str | None:
        return self.folder.last_checkpoint((LOSS_STATE,) if LossState(loss).state() else (), to_resume=to_resume)

    def _main_first(self) -> AbstractContextManager[None]:
        """Let the first process do something while the others wait, so that they find it done."""
        context: AbstractContextManager[None] = self.arguments.main_process_first(local=False)
        return context

    @contextlib.contextmanager
    def _full_disk_explained(self, loss: Loss | None = None) -> Iterator[None]:
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


def _dev_tasks(recipe: Recipe) -> list[AnyTask]:
    dev = recipe.evaluation.dev
    if dev is None:
        return []
    return [evaluation.resolve(task) for task in (dev if isinstance(dev, list) else [dev])]


def _one_or_all(tasks: list[AnyTask]) -> TaskSpec | list[TaskSpec]:
    return tasks[0] if len(tasks) == 1 else [*tasks]
