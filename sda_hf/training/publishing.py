"""What a recipe's `hub` asks for: the run on the Hub, at its end or at every save."""

from __future__ import annotations

import logging
import shutil
import tempfile
from pathlib import Path
from typing import Any

from sentence_transformers import SentenceTransformer
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from sda_hf.errors import InputError
from sda_hf.hub.push import push_run
from sda_hf.hub.upload import Pushed, Target, prepare
from sda_hf.training.recipe import Hub
from sda_hf.training.run_folder import RunFolder

logger = logging.getLogger(__name__)


class Publisher:
    """Pushes a run.

    Args:
        hub: what the recipe says.
        folder: the run's folder.

    Raises:
        InputValueError: the name is none of a repository.
    """

    def __init__(self, hub: Hub, folder: RunFolder) -> None:
        self.target = Target(hub.repo_id, private=hub.private, revision=hub.revision, create_pr=hub.create_pr)
        self.every_save = hub.push == "every_save"
        self.folder = folder

    def prepare(self) -> None:
        """Makes sure, before hours of training, that there is a repository and a token that may write to it.

        Raises:
            InputError: there is not.
        """
        prepare(self.target)

    def finished(self) -> Pushed:
        """Pushes the finished run.

        Raises:
            InputError: it could not be pushed; the run is whole in its folder.
        """
        try:
            return push_run(self.folder.path, self.target, message="Finished run")
        except InputError as error:
            command = f"sda-hf push {self.folder.path} --repo-id {self.target.repo_id}"
            raise type(error)(f"the run is finished and saved, but not pushed: {error} ({command})") from error

    def saved(self, model: SentenceTransformer, step: int) -> None:
        """Pushes the model as it is after a step; a push that fails is logged, and the training goes on."""
        with tempfile.TemporaryDirectory() as place:
            model.save_pretrained(place)
            for path in (self.folder.recipe, self.folder.versions):
                shutil.copy(path, Path(place) / path.name)
            try:
                push_run(place, self.target, message=f"Step {step}")
            except InputError as error:
                logger.warning("step %d was not pushed to %s: %s", step, self.target.repo_id, error)


class PushEverySave(TrainerCallback):  # type: ignore[misc]  # transformers hides it from mypy
    """Pushes the model whenever a checkpoint has been saved.

    Args:
        publisher: what pushes.
    """

    def __init__(self, publisher: Publisher) -> None:
        self.publisher = publisher

    def on_save(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        model: SentenceTransformer | None = None,
        **kwargs: Any,
    ) -> None:
        """Pushes it, from the process that writes."""
        if state.is_world_process_zero and model is not None:
            self.publisher.saved(model, state.global_step)
