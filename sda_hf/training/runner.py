"""Builds what a recipe describes and runs it: data, augmentation, training, evaluation, saving."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from torch import nn

from sda_hf import augmentation, evaluation
from sda_hf.errors import InputError, InputValueError
from sda_hf.registry import LOSSES
from sda_hf.training.arguments import fit_steps, training_arguments
from sda_hf.training.audit import audit
from sda_hf.training.callbacks import LOSS_STATE, FiniteLoss, LossState
from sda_hf.training.data import Rows, load_sentences, make_rows
from sda_hf.training.folder import RunFolder
from sda_hf.training.model import load_model
from sda_hf.training.recipe import Recipe
from sda_hf.training.summary import model_card, training_figures

Scores = dict[str, dict[str, float]]


@dataclasses.dataclass(frozen=True)
class RunResult:
    """What a run gave.

    Args:
        before: task → metrics of the encoder before training.
        after: task → metrics of the trained encoder.
        output: the folder, which is itself the saved model.
    """

    before: Scores
    after: Scores
    output: Path


def run(recipe: Recipe, output: str | Path | None = None, resume: bool = False, overwrite: bool = False) -> RunResult:
    """Runs a recipe from sentences to a trained, scored and saved model.

    The folder holds the resolved recipe and the versions before the first step, the scores before training as soon as
    they are measured, checkpoints while training, and at the end the model, metrics.json and the model card. With
    several processes (accelerate launch) the first one alone writes.

    Args:
        recipe: what the run is.
        output: the folder; None for the recipe's.
        resume: continue the run in the folder from its last checkpoint; a folder that is not there yet is begun.
        overwrite: remove the run in the folder first.

    Raises:
        InputError: the recipe names something that is not there, or the folder may not be written to.
    """
    if output is not None:
        recipe = dataclasses.replace(recipe, output=str(Path(output).absolute()))
    if recipe.output is None:
        raise InputValueError("output: missing; give a folder for the run")
    return _Run(recipe, RunFolder(recipe.output)).go(resume=resume, overwrite=overwrite)


def _augmenter(recipe: Recipe) -> Any:
    if recipe.augmentation is None:
        return None
    try:
        return augmentation.from_config(recipe.augmentation)
    except InputError as error:
        raise type(error)(f"augmentation: {error}") from None


class _Run:
    """One run: the parts that the recipe names, made in the order in which they can be refused."""

    def __init__(self, recipe: Recipe, folder: RunFolder) -> None:
        self.recipe = recipe
        self.folder = folder
        self.tests = [evaluation.resolve(spec) for spec in recipe.evaluation.test]
        self.dev = None if recipe.evaluation.dev is None else evaluation.resolve(recipe.evaluation.dev)
        self.metric = None if self.dev is None else evaluation.metric_key(self.dev)
        self.arguments = training_arguments(recipe, folder.checkpoints, self.metric)
        self.augmenter = _augmenter(recipe)
        self.loss_class = LOSSES.get(recipe.loss["name"])

    @property
    def is_main(self) -> bool:
        return bool(self.arguments.process_index == 0)

    def go(self, *, resume: bool, overwrite: bool) -> RunResult:
        if self.is_main:
            self.folder.check(self.recipe, resume=resume, overwrite=overwrite)
        sentences, model = self._inputs()
        loss = self._loss(model)
        dev = self._evaluator()
        with self._main_first():
            if self.is_main:
                self.folder.claim(self.recipe, overwrite=overwrite)
        rows, rewrites = self._rows(sentences)
        before = self._before(model)
        trainer = self._trainer(model, loss, dev, rows.dataset)
        needed = (LOSS_STATE,) if LossState(loss).state() else ()
        outcome = trainer.train(resume_from_checkpoint=self.folder.last_checkpoint(needed) if resume else None)
        after = self._scores(model)
        if self.is_main:
            metrics = {
                "before": before,
                "after": after,
                "training": training_figures(
                    trainer.state, outcome.metrics, self.metric, self.arguments.load_best_model_at_end
                ),
                "data": {**rows.figures(), "rewrites": rewrites},
                "seed": self.recipe.training.seed,
            }
            self._save(model, loss, metrics, rows)
        with self._main_first():
            return RunResult(before=before, after=after, output=self.folder.path)

    def _main_first(self) -> Any:
        return self.arguments.main_process_first(local=False)

    def _inputs(self) -> tuple[Dataset, SentenceTransformer]:
        for task in self.tests:
            task.read(self.recipe.evaluation.data_dir)
        with self._main_first():
            sentences = load_sentences(self.recipe.data)
        return sentences, load_model(self.recipe, sentences["anchor"], str(self.arguments.device))

    def _loss(self, model: SentenceTransformer) -> nn.Module:
        config = {key: value for key, value in self.recipe.loss.items() if key != "name"}
        try:
            with torch.random.fork_rng():  # a projection head's weights are a function of the seed
                torch.manual_seed(self.recipe.training.seed)
                loss: nn.Module = self.loss_class.from_config(model, config)
        except InputError as error:
            raise type(error)(f"loss: {error}") from None
        return loss

    def _evaluator(self) -> Any:
        if self.dev is None:
            return None
        settings = self.recipe.evaluation
        return evaluation.evaluator(self.dev, data_dir=settings.data_dir, batch_size=settings.batch_size)

    def _rows(self, sentences: Dataset) -> tuple[Rows, dict[str, dict[str, Any]]]:
        with self._main_first():
            rows = make_rows(sentences, self.augmenter)
        fit_steps(self.arguments, len(rows.dataset))
        return rows, audit(self.augmenter, sentences) if self.augmenter is not None and self.is_main else {}

    def _before(self, model: SentenceTransformer) -> Scores:
        """The scores before training; written at once, and read again by a run that is resumed."""
        known: Scores | None = self.folder.read_metrics().get("before")
        before = known if known is not None else self._scores(model)
        if self.is_main:
            self.folder.write_json(self.folder.metrics, {"before": before, "seed": self.recipe.training.seed})
        return before

    def _scores(self, model: SentenceTransformer) -> Scores:
        """Scores of the test tasks; the first process measures while the others wait."""
        settings = self.recipe.evaluation
        with self._main_first():
            if not (self.is_main and self.tests):
                return {}
            scores: Mapping[str, Mapping[str, float]] = evaluation.evaluate(
                model, self.tests, data_dir=settings.data_dir, batch_size=settings.batch_size, show_progress=True
            )
        return {task: dict(metrics) for task, metrics in scores.items()}

    def _trainer(
        self, model: SentenceTransformer, loss: nn.Module, dev: Any, rows: Dataset
    ) -> SentenceTransformerTrainer:
        arguments: SentenceTransformerTrainingArguments = self.arguments
        callbacks = [LossState(loss), FiniteLoss()]
        return SentenceTransformerTrainer(
            model=model, args=arguments, train_dataset=rows, loss=loss, evaluator=dev, callbacks=callbacks
        )

    def _save(self, model: SentenceTransformer, loss: nn.Module, metrics: dict[str, Any], rows: Rows) -> None:
        """Model and card first; the metrics, which say that the run is finished, last."""
        self.folder.save_model(functools.partial(model.save_pretrained, create_model_card=False))
        card = model_card(self.recipe, model, loss, metrics, rows.dataset.column_names)
        self.folder.write_text(self.folder.card, card.render())
        self.folder.write_json(self.folder.metrics, metrics)
