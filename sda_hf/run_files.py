"""The files of a training run: their names, and `metrics.json` as a typed object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError
from pydantic_core import PydanticCustomError

from sda_hf.errors import InputFileError
from sda_hf.files import write_whole

RECIPE = "recipe.yaml"
VERSIONS = "versions.json"
METRICS = "metrics.json"
CARD = "README.md"
CHECKPOINTS = "checkpoints"
SEEDS = "seeds.json"  # in the folder above, when a recipe was run with several seeds


def _number(value: object) -> int | float:
    """Accept integers without conversion, because there are counts of rows among the scores."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise PydanticCustomError("number_type", "Input should be a number")
    return value


# Task → metric → value, the headline metric first.
Scores = dict[str, dict[str, Annotated[int | float, PlainValidator(_number)]]]


class _Part(BaseModel):
    """A frozen part of `metrics.json`; keys that a later version may add are ignored."""

    model_config = ConfigDict(frozen=True)


class LoggedLoss(_Part):
    """The mean training loss since the previous log line.

    Args:
        step: the optimizer step at which it was logged.
        loss: the loss.
        parts: name → part of the loss, as far as it has named parts; they sum to the loss.
    """

    step: int
    loss: float
    parts: dict[str, float] = {}


class DevScore(_Part):
    """A score on the dev task during training.

    Args:
        step: the optimizer step after which the encoder was scored.
        score: the headline metric; correlations and accuracies are multiplied by 100.
    """

    step: int
    score: float


class TrainingHistory(_Part):
    """How training went.

    Args:
        steps: number of optimizer steps.
        epochs: passes over the training rows; may be a fraction. None for a stream, whose end is not known.
        loss: mean training loss over the whole run.
        losses: the logged losses.
        seconds: duration of the training itself.
        rows_per_second: training throughput.
        dev: the dev scores; empty without a dev task.
        best_step: step of the checkpoint that was kept; None if the last one was.
        best_score: its dev score.
    """

    steps: int = 0
    epochs: float | None = 0.0
    loss: float | None = None
    losses: tuple[LoggedLoss, ...] = ()
    seconds: float | None = None
    rows_per_second: float | None = None
    dev: tuple[DevScore, ...] = ()
    best_step: int | None = None
    best_score: float | None = None


class RewriteStatistics(_Part):
    """How often one column was rewritten, measured on a sample of the sentences.

    Args:
        augmenter: registered name of the augmenter.
        texts: number of sentences in the sample.
        changed: share of them that the augmenter did not skip, from 0 to 1.
        rules: rule → number of rewrites, the most frequent first.
        skips: reason → number of skipped sentences, the most frequent first.
    """

    augmenter: str
    texts: int
    changed: float
    rules: dict[str, int] = {}
    skips: dict[str, int] = {}


class DataStatistics(_Part):
    """The training rows; None means that it was not measured.

    Args:
        sentences: number of sentences that were read.
        rows: number of training rows.
        without_negative: number of sentences that were dropped because no negative could be made.
        positive_changed: share of the rows whose positive differs from the anchor, from 0 to 1.
        rewrites: column → how often it was rewritten.
        streamed: whether the sentences were read and rewritten during training, so that nothing was counted.
    """

    sentences: int | None = None
    rows: int | None = None
    without_negative: int | None = None
    positive_changed: float | None = None
    rewrites: dict[str, RewriteStatistics] = {}
    streamed: bool = False


class DataRecord(_Part):
    """One of several datasets.

    Args:
        data: its rows.
        examples: a few of them, column → text.
    """

    data: DataStatistics = DataStatistics()
    examples: tuple[dict[str, str], ...] = ()


class RunMetrics(_Part):
    """The contents of `metrics.json`.

    Before training, the file holds only `before` and `seed`; `after` is added once the run is finished.

    Args:
        before: test scores of the untrained encoder; None if they have not been measured yet.
        after: test scores of the trained encoder; None while the run is not finished.
        training: how training went.
        data: the training rows.
        examples: a few training rows, column → text.
        datasets: the rows of each dataset, in the place of `data` and `examples`; empty unless the recipe has several.
        seed: the seed of the run.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     RunMetrics(before={"stsb": {"spearman": 61.5}}, seed=0).save(Path(folder, METRICS))
        ...     metrics = RunMetrics.load(Path(folder, METRICS))
        >>> metrics.before, metrics.is_finished
        ({'stsb': {'spearman': 61.5}}, False)
    """

    before: Scores | None = None
    after: Scores | None = None
    training: TrainingHistory = TrainingHistory()
    data: DataStatistics = DataStatistics()
    examples: tuple[dict[str, str], ...] = ()
    datasets: dict[str, DataRecord] = {}
    seed: int | None = None

    @property
    def is_finished(self) -> bool:
        """Whether the run was trained, scored and saved."""
        return self.after is not None

    @classmethod
    def load(cls, path: Path) -> RunMetrics:
        """Read a `metrics.json`.

        Raises:
            InputFileError: the file cannot be read, is not JSON, or a value in it has the wrong type.
        """
        try:
            return cls.model_validate_json(path.read_bytes(), strict=True)
        except OSError as error:
            raise InputFileError(f"cannot read {path}: {error.strerror}") from None
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            reason = f"{place}: {first['msg']}" if place else first["msg"]
            raise InputFileError(f"cannot read {path}: {reason}; restore the file, or run the recipe again") from None

    def save(self, path: Path) -> None:
        """Write the file atomically; fields that were never set are left out.

        Raises:
            OSError: the file cannot be written.
        """
        content = json.dumps(self.model_dump(exclude_unset=True), indent=2, ensure_ascii=False)
        write_whole(path, content + "\n")
