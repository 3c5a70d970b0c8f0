"""Pushing a run while or after it trains, as the section `hub` of its recipe says."""

from __future__ import annotations

import logging
import shutil
import tempfile
from pathlib import Path

from sentence_transformers import SentenceTransformer
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from sda_hf.errors import InputError
from sda_hf.hub.push import push_run
from sda_hf.hub.upload import Pushed, Target, prepare
from sda_hf.run_files import CARD, RunMetrics
from sda_hf.terminal import printable
from sda_hf.training.card import make_card
from sda_hf.training.recipe import Hub, Recipe
from sda_hf.training.run_folder import RunFolder, versions

logger = logging.getLogger(__name__)


class Publisher:
    """Pushes a run to the Hub.

    Args:
        hub: the section `hub` of the recipe.
        folder: the run's folder.

    Raises:
        InputValueError: the repository's name is not valid.
    """

    def __init__(self, hub: Hub, folder: RunFolder) -> None:
        self.target = Target(hub.repo_id, private=hub.private, revision=hub.revision, create_pr=hub.create_pr)
        self.every_save = hub.push == "every_save"
        self.folder = folder

    def prepare(self) -> None:
        """Check before training that the repository exists or can be created, and that the token may write to it.

        Raises:
            InputError: it cannot be created or written to.
        """
        prepare(self.target)

    def finished(self) -> Pushed:
        """Push the finished run.

        Raises:
            InputError: the push failed; the run is complete in its folder.
        """
        try:
            return push_run(self.folder.path, self.target, message="Finished run")
        except InputError as error:
            command = f"sda-hf push {self.folder.path} --repo-id {self.target.repo_id}"
            raise type(error)(f"the finished run is saved, but was not pushed: {error} ({command})") from error

    def saved(self, model: SentenceTransformer, step: int) -> None:
        """Push the model as it is after a step; if that fails, log a warning and let the training continue."""
        with tempfile.TemporaryDirectory() as place:
            model.save_pretrained(place, create_model_card=False)
            card = make_card(Recipe.load(self.folder.recipe), model, RunMetrics(), versions())
            (Path(place) / CARD).write_text(card, encoding="utf-8")
            for path in (self.folder.recipe, self.folder.versions):
                shutil.copy(path, Path(place) / path.name)
            try:
                push_run(place, self.target, message=f"Step {step}")
            except InputError as error:
                logger.warning("step %d was not pushed to %s: %s", step, self.target.repo_id, printable(error))


class PushEverySave(TrainerCallback):  # type: ignore[misc]  # transformers hides it from mypy
    """Pushes the model whenever a checkpoint was saved.

    Args:
        publisher: does the push.
    """

    def __init__(self, publisher: Publisher) -> None:
        self.publisher = publisher

    def on_save(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        model: SentenceTransformer | None = None,
        **kwargs: object,
    ) -> None:
        """Push the model from the main process."""
        if state.is_world_process_zero and model is not None:
            self.publisher.saved(model, state.global_step)
