"""The README.md of a run: the card of sentence-transformers, and the parts that this package adds to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sentence_transformers import SentenceTransformer, SentenceTransformerModelCardData
from sentence_transformers.base.evaluation import BaseEvaluator
from sentence_transformers.base.model_card import generate_model_card
from sentence_transformers.sentence_transformer.evaluation import EmbeddingSimilarityEvaluator
from torch import nn

from sda_hf import evaluation, losses
from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation.scoring.task_evaluator import TaskEvaluator
from sda_hf.evaluation.tasks.base import MTEB, AnyTask
from sda_hf.evaluation.tasks.measurement import COUNTS, PLAIN
from sda_hf.hub.blocks import model_id, with_block, with_model_index
from sda_hf.hub.card import PLACES, public
from sda_hf.papers import cited
from sda_hf.registry import AUGMENTERS
from sda_hf.run_files import RunMetrics
from sda_hf.training.card_facts import hub_id, model_card, sources
from sda_hf.training.recipe import Recipe
from sda_hf.training.rewrite_statistics import leaves
from sda_hf.training.run_folder import RunFolder

MOST_NAMED = 5


class KnownScores(TaskEvaluator):
    """Stands for a task whose figures are known, where a card is made of them.

    Args:
        task: the task.

    Example:
        >>> KnownScores(evaluation.resolve("trec")).description
        'Text Classification'
    """

    def __init__(self, task: AnyTask) -> None:
        super().__init__(task, None)
        self.primary_metric = ""  # with one, the card's log of the training would get a line more

    @property
    def description(self) -> str:
        """What the task measures, as the Hub names kinds of tasks."""
        if isinstance(self.task, evaluation.ProbeTask):
            return "Text Classification"
        if isinstance(self.task, evaluation.GeometryTask):
            return "Embedding Geometry"
        return "MTEB" if self.name.startswith(MTEB) else "Semantic Similarity"


def describe(data: SentenceTransformerModelCardData, recipe: Recipe) -> None:
    """Says what a recipe knows of its model, before the trainer adds the rest."""
    names = sources(recipe)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    dataset = {"name": ", ".join(names[:MOST_NAMED]) + more}
    if names == [recipe.data.dataset]:  # and no folder, of which the last part alone would be named
        dataset["id"] = names[0]
        data.datasets = names
    data.train_datasets = [dataset]
    data.model_name = _name(recipe)
    data.base_model = hub_id(recipe)
    data.set_language(sorted({part.get("language", "en") for part in leaves(recipe.augmentation or {})}))
    data.add_tags("sda-hf")
    if recipe.hub is not None:
        data.set_model_id(recipe.hub.repo_id)


def whole_card(recipe: Recipe, model: SentenceTransformer, metrics: RunMetrics, versions: Mapping[str, str]) -> str:
    """The card of a model whose `model_card_data` has been filled by `describe` and, as a rule, by a trainer.

    Args:
        recipe: what the run was.
        model: the trained model.
        metrics: what metrics.json holds.
        versions: package → version, as in training.
    """
    data = model.model_card_data
    data.all_hyperparameters = public(data.all_hyperparameters)
    data.non_default_hyperparameters = public(data.non_default_hyperparameters)
    # The trainer left the dev scores of its last step there, which need not be those of the model that was kept.
    data.eval_results_dict = {}
    _set_scores(data, recipe, metrics.after or {})
    papers = cited(AUGMENTERS.get(part["name"]).source for part in leaves(recipe.augmentation or {}))
    known = set(data.citations.values())
    data.citations = data.citations | {name: text for name, text in papers.items() if text not in known}
    return _with_parts(generate_model_card(model), recipe, metrics, versions)


def rewrite_card(folder: str | Path) -> bool:
    """Writes this package's parts of a run's README.md anew, from the run's other files.

    What stands outside their markers stays byte for byte, but for the results in the metadata. Parts that are not
    there are put in; a README.md that is not there is made.

    Args:
        folder: the folder of a finished run.

    Returns:
        Whether the card has changed.

    Raises:
        InputFileError: not the folder of a finished run, or a file in it that cannot be read or written.
        InputValueError: a recipe with a mistake, or a card of which a marker is missing.
    """
    run = RunFolder(folder)
    recipe, metrics, versions = _read(run)
    before = _readme(run)
    if before is None:
        after = whole_card(recipe, _loaded(run, recipe), metrics, versions)
    else:
        try:
            after = _with_parts(before, recipe, metrics, versions)
        except InputValueError as error:
            raise InputValueError(f"{run.card}: {error}") from None
    if after != before:
        try:
            run.write_text(run.card, after)
        except OSError as error:
            raise InputFileError(f"{run.card}: cannot be written: {error.strerror}") from None
    return after != before


def _with_parts(text: str, recipe: Recipe, metrics: RunMetrics, versions: Mapping[str, str]) -> str:
    card = model_card(recipe, metrics, versions, model_id(text))
    for name, content in card.blocks().items():
        text = with_block(text, name, content, PLACES[name])
    if not metrics.after:
        return text
    data = SentenceTransformerModelCardData(model_name=_name(recipe), local_files_only=True)
    _set_scores(data, recipe, metrics.after)
    return with_model_index(text, data.format_eval_metrics()["model-index"])


def _name(recipe: Recipe) -> str:
    """The name of the run's folder; that of the folder above, too, for one of several seeds."""
    path = Path(str(recipe.output))
    return f"{path.parent.name}-{path.name}" if path.name.startswith("seed-") else path.name


def _set_scores(data: SentenceTransformerModelCardData, recipe: Recipe, scores: Mapping[str, Any]) -> None:
    """Gives the test scores to card data, on the scale of sentence-transformers: correlations and shares up to 1."""
    tasks = evaluation.resolve_all(recipe.evaluation.test) if recipe.evaluation.test else []
    for task in tasks:
        evaluator, suffix = _evaluator(task)
        shares = {
            f"{task.name}_{metric}{suffix}": value if metric in PLAIN else value / 100
            for metric, value in scores.get(task.name, {}).items()
            if metric not in COUNTS
        }
        data.set_evaluation_metrics(evaluator, shares)


def _evaluator(task: AnyTask) -> tuple[BaseEvaluator, str]:
    """What stands for `evaluation.evaluator(task)` in a card, without its rows; and what its metrics' names end in."""
    if not isinstance(task, evaluation.PairTask) or task.metric != "spearman" or task.aggregate != "all":
        return KnownScores(task), ""
    return EmbeddingSimilarityEvaluator([], [], [], similarity_fn_names=["cosine"], name=task.name), "_cosine"


def _read(run: RunFolder) -> tuple[Recipe, RunMetrics, dict[str, str]]:
    for path in (run.recipe, run.versions, run.metrics):
        if not path.is_file():
            raise InputFileError(
                f"{run.path} is not the folder of a finished run (it has no {path.name}): give one that sda-hf train "
                "has written"
            )
    metrics = run.read_metrics()
    try:
        versions = json.loads(run.versions.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputFileError(f"cannot read {run.versions}: {error}") from None
    if not metrics.is_finished:
        raise InputFileError(f"the run in {run.path} is not finished: go on with sda-hf train and --resume first")
    return Recipe.load(run.recipe), metrics, versions


def _readme(run: RunFolder) -> str | None:
    try:
        return run.card.read_bytes().decode("utf-8")  # not as text, which would change the ends of lines
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"{run.card}: cannot be read as UTF-8 text: {error}") from None


def _loaded(run: RunFolder, recipe: Recipe) -> SentenceTransformer:
    """The saved model, with what its card can know without the training."""
    if not (run.path / "modules.json").is_file():
        raise InputFileError(f"{run.path} holds neither a README.md nor a model (modules.json) to make one from")
    model = SentenceTransformer(str(run.path), local_files_only=True)
    loss: nn.Module = losses.from_config(model, recipe.loss)
    describe(model.model_card_data, recipe)
    model.model_card_data.train_datasets = []  # the library would want their rows
    model.model_card_data.set_losses([loss])
    return model
