"""The README.md of a run: the card of sentence-transformers with the section of this package."""

from __future__ import annotations

import copy
import json
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
from sda_hf.hub.markdown import cell, code, table, text
from sda_hf.hub.push import PLACEHOLDER_ID
from sda_hf.hub.redaction import redacted, without_secrets
from sda_hf.papers import cited
from sda_hf.registry import AUGMENTERS
from sda_hf.run_files import RunMetrics, Scores
from sda_hf.training.card_facts import hub_id, is_hub_id, languages, model_card, sources
from sda_hf.training.recipe import Recipe, TrainingSet
from sda_hf.training.run_folder import RunFolder

MOST_NAMED = 5
# The id in the usage that sentence-transformers wrote: a card that was pushed keeps it when it is rewritten.
USED_ID = re.compile(r'^model = SentenceTransformer\("([\w./-]+)"', re.MULTILINE)


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
    data.train_datasets = [_source(name, one) for name, one in recipe.training_sets.items()]
    ids = list(dict.fromkeys(dataset["id"] for dataset in data.train_datasets if "id" in dataset))
    if ids:
        data.datasets = ids
    data.model_name = _name(recipe)
    data.base_model = hub_id(recipe)
    data.set_language(languages(recipe))
    data.add_tags("sda-hf")
    if recipe.hub is not None:
        data.set_model_id(recipe.hub.repo_id)


def _source(name: str, one: TrainingSet) -> dict[str, str]:
    """Return where the rows of a dataset are from, as the library's card says it."""
    names = sources(one)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    dataset = {"name": f"{name}: " * bool(name) + ", ".join(names[:MOST_NAMED]) + more}
    if names == [one.data.dataset] and is_hub_id(names[0]):
        dataset["id"] = names[0]
    return dataset


def make_card(recipe: Recipe, model: SentenceTransformer, metrics: RunMetrics, versions: Mapping[str, str]) -> str:
    """Return the card of a model whose `model_card_data` was filled by `describe` and, as a rule, by a trainer.

    Args:
        recipe: the recipe of the run.
        model: the trained model.
        metrics: the contents of metrics.json.
        versions: package → version, as in training.
    """
    data = model.model_card_data
    model.model_card_data = _as_text(data)
    _set_scores(model.model_card_data, recipe, metrics.after or {})
    papers = cited(AUGMENTERS.get(part["name"]).source for part in recipe.augmenters)
    known = set(data.citations.values())
    model.model_card_data.citations = data.citations | {key: bib for key, bib in papers.items() if bib not in known}
    try:
        readme = without_secrets(generate_model_card(model))
    finally:
        model.model_card_data = data
    return _updated(readme, recipe, metrics, versions)


def _as_text(data: SentenceTransformerModelCardData) -> SentenceTransformerModelCardData:
    """Return a copy whose values are Markdown that shows them literally: the template of the library pastes them."""
    shown = copy.copy(data)
    shown.model_name = None if data.model_name is None else text(redacted(data.model_name))
    shown.train_datasets = [_dataset_as_text(one) for one in data.train_datasets]
    shown.all_hyperparameters = _values_as_text(data.all_hyperparameters)
    shown.non_default_hyperparameters = _values_as_text(data.non_default_hyperparameters)
    shown.training_logs = [{text(key): value for key, value in line.items()} for line in data.training_logs]
    # The trainer left the dev scores of its last step there, which need not be those of the checkpoint that was kept.
    shown.eval_results_dict = {}
    return shown


def _dataset_as_text(dataset: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the card says about a training dataset, with the samples in a table of our own."""
    shown = {key: value for key, value in dataset.items() if key not in ("examples", "_example_columns")}
    if "name" in shown:
        shown["name"] = (text if "id" in shown else code)(shown["name"])
    if "examples" in dataset:
        columns = dataset["_example_columns"]
        rows = zip(*(dataset["examples"][column] for column in columns), strict=True)
        cells = [[cell(value) for value in row] for row in rows]
        shown["examples_table"] = textwrap.indent(table([code(column) for column in columns], cells), "  ")
    return shown


def _values_as_text(settings: Mapping[str, object]) -> dict[str, str]:
    return {text(key): text(value) for key, value in redacted(settings).items()}


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


def _updated(readme: str, recipe: Recipe, metrics: RunMetrics, versions: Mapping[str, str]) -> str:
    used = USED_ID.search(readme)
    model_id = used[1] if used else PLACEHOLDER_ID
    readme = with_section(readme, model_card(recipe, metrics, versions, model_id).render())
    if not metrics.after:
        return readme
    data = SentenceTransformerModelCardData(model_name=_name(recipe), local_files_only=True)
    _set_scores(data, recipe, metrics.after)
    name, results = model_index_to_eval_results(redacted(data.format_eval_metrics()["model-index"]))
    return with_results(readme, name, results)


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
    loss: list[nn.Module] = [losses.from_config(model, one.loss) for one in recipe.training_sets.values()]
    describe(model.model_card_data, recipe)
    model.model_card_data.train_datasets = []  # sentence-transformers would need their rows
    model.model_card_data.set_losses(loss)
    return model
