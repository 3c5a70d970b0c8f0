"""The README.md of a run: the card of sentence-transformers with the section of this package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import yaml
from huggingface_hub.repocard_data import model_index_to_eval_results
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
from sda_hf.files import write_whole
from sda_hf.hub.card import with_results, with_section
from sda_hf.hub.redaction import redacted
from sda_hf.papers import cited
from sda_hf.registry import AUGMENTERS
from sda_hf.run_files import RunMetrics, Scores
from sda_hf.training.card_facts import hub_id, model_card, sources
from sda_hf.training.recipe import Recipe
from sda_hf.training.run_folder import RunFolder

MOST_NAMED = 5


class KnownScores(TaskEvaluator):
    """Stand-in for the evaluator of a task whose scores are known already, for the card.

    Args:
        task: the task.

    Example:
        >>> KnownScores(evaluation.resolve("trec")).description
        'Text Classification'
    """

    def __init__(self, task: AnyTask) -> None:
        super().__init__(task, None)
        self.primary_metric = ""  # with one, the training log in the card would get another line

    @property
    def description(self) -> str:
        """The kind of the task, as the Hub calls it."""
        if isinstance(self.task, evaluation.ProbeTask):
            return "Text Classification"
        if isinstance(self.task, evaluation.GeometryTask):
            return "Embedding Geometry"
        return "MTEB" if self.name.startswith(MTEB) else "Semantic Similarity"


def describe(data: SentenceTransformerModelCardData, recipe: Recipe) -> None:
    """Fill in what the recipe says about the model, before the trainer adds the rest."""
    names = sources(recipe)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    dataset = {"name": ", ".join(names[:MOST_NAMED]) + more}
    if names == [recipe.data.dataset]:  # not a folder, of which only the last part is named
        dataset["id"] = names[0]
        data.datasets = names
    data.train_datasets = [dataset]
    data.model_name = _name(recipe)
    data.base_model = hub_id(recipe)
    data.set_language(sorted({part.get("language", "en") for part in recipe.augmenters}))
    data.add_tags("sda-hf")
    if recipe.hub is not None:
        data.set_model_id(recipe.hub.repo_id)


def make_card(recipe: Recipe, model: SentenceTransformer, metrics: RunMetrics, versions: Mapping[str, str]) -> str:
    """Return the card of a model whose `model_card_data` was filled by `describe` and, as a rule, by a trainer.

    Args:
        recipe: the recipe of the run.
        model: the trained model.
        metrics: the contents of metrics.json.
        versions: package → version, as in training.
    """
    data = model.model_card_data
    data.all_hyperparameters = redacted(data.all_hyperparameters)
    data.non_default_hyperparameters = redacted(data.non_default_hyperparameters)
    # The trainer left the dev scores of its last step there, which need not be those of the checkpoint that was kept.
    data.eval_results_dict = {}
    _set_scores(data, recipe, metrics.after or {})
    papers = cited(AUGMENTERS.get(part["name"]).source for part in recipe.augmenters)
    known = set(data.citations.values())
    data.citations = data.citations | {name: text for name, text in papers.items() if text not in known}
    return _updated(generate_model_card(model), recipe, metrics, versions)


def rewrite_card(folder: str | Path) -> bool:
    """Rewrite this package's section of a run's README.md, and the results in its metadata, from the run's files.

    Everything outside of the section's markers stays as it is. If there is no section, it is inserted; if there is no
    README.md, one is made.

    Args:
        folder: the folder of a finished run.

    Returns:
        Whether the card has changed.

    Raises:
        InputFileError: the folder is not that of a finished run, or a file in it cannot be read or written.
        InputValueError: the recipe is not valid, or the card's metadata are not, or one of its markers is missing.
    """
    run = RunFolder(folder)
    recipe, metrics, versions = _read(run)
    before = _readme(run)
    if before is None:
        after = make_card(recipe, _loaded(run, recipe), metrics, versions)
    else:
        try:
            after = _updated(before, recipe, metrics, versions)
        except (ValueError, yaml.YAMLError) as error:
            raise InputValueError(f"{run.card}: {error}") from None
    if after != before:
        try:
            write_whole(run.card, after)
        except OSError as error:
            raise InputFileError(f"cannot write {run.card}: {error.strerror}") from None
    return after != before


def _updated(text: str, recipe: Recipe, metrics: RunMetrics, versions: Mapping[str, str]) -> str:
    text = with_section(text, model_card(recipe, metrics, versions).render())
    if not metrics.after:
        return text
    data = SentenceTransformerModelCardData(model_name=_name(recipe), local_files_only=True)
    _set_scores(data, recipe, metrics.after)
    name, results = model_index_to_eval_results(data.format_eval_metrics()["model-index"])
    return with_results(text, name, results)


def _name(recipe: Recipe) -> str:
    """Return the name of the run's folder, preceded by that of its parent for one of several seeds."""
    path = Path(str(recipe.output))
    return f"{path.parent.name}-{path.name}" if path.name.startswith("seed-") else path.name


def _set_scores(data: SentenceTransformerModelCardData, recipe: Recipe, scores: Scores) -> None:
    """Set the test scores, on the scale of sentence-transformers: correlations and accuracies from 0 to 1."""
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
    """Return a stand-in for `evaluation.evaluator(task)` without its rows, and the suffix of its metrics' names."""
    if not isinstance(task, evaluation.PairTask) or task.metric != "spearman" or task.aggregate != "all":
        return KnownScores(task), ""
    return EmbeddingSimilarityEvaluator([], [], [], similarity_fn_names=["cosine"], name=task.name), "_cosine"


def _read(run: RunFolder) -> tuple[Recipe, RunMetrics, dict[str, str]]:
    for path in (run.recipe, run.versions, run.metrics):
        if not path.is_file():
            raise InputFileError(
                f"{run.path} is not the folder of a finished run (it has no {path.name}): give one that sda-hf train "
                "wrote"
            )
    metrics = run.read_metrics()
    try:
        versions = json.loads(run.versions.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputFileError(f"cannot read {run.versions}: {error}") from None
    if not metrics.is_finished:
        raise InputFileError(f"the run in {run.path} is not finished: resume it with sda-hf train --resume first")
    return Recipe.load(run.recipe, trust_parser=True), metrics, versions  # no parser is loaded


def _readme(run: RunFolder) -> str | None:
    try:
        return run.card.read_bytes().decode("utf-8")  # not read_text, which would change line ends
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"cannot read {run.card} as UTF-8 text: {error}") from None


def _loaded(run: RunFolder, recipe: Recipe) -> SentenceTransformer:
    """Load the saved model, and fill in what its card can say without the trainer."""
    if not (run.path / "modules.json").is_file():
        raise InputFileError(f"{run.path} holds neither a README.md nor a model (modules.json) to make one for")
    model = SentenceTransformer(str(run.path), local_files_only=True)
    loss: nn.Module = losses.from_config(model, recipe.loss)
    describe(model.model_card_data, recipe)
    model.model_card_data.train_datasets = []  # sentence-transformers would need their rows
    model.model_card_data.set_losses([loss])
    return model
