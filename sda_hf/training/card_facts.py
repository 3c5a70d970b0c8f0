"""What a model card says about a run, collected from the run's files."""

from __future__ import annotations

import os
from collections.abc import Mapping

import yaml
from huggingface_hub.errors import HFValidationError
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]  # imported lazily there

from sda_hf.evaluation.report.tables import Results, comparison_table, markdown
from sda_hf.hub.card import CardDataset, Foreword, ModelCard
from sda_hf.hub.markdown import code, text
from sda_hf.hub.redaction import redacted
from sda_hf.hub.translation import LANGUAGE, Translation, filled, translation
from sda_hf.registry import AUGMENTERS, LOSSES
from sda_hf.run_files import DataRecord, RunMetrics
from sda_hf.training.recipe import Build, Model, Recipe, TrainingSet

SMALL_EXAMPLE = "The encoder is a small example that knows only the words of its training sentences."


def model_card(recipe: Recipe, metrics: RunMetrics, versions: Mapping[str, str], model_id: str) -> ModelCard:
    """Collect what the card says about a run from the files in its folder.

    Args:
        recipe: the recipe of the run.
        metrics: the contents of metrics.json.
        versions: package → version, as in training.
        model_id: the model's id on the Hub, or what stands for it until it has one.
    """
    datasets = {name: _dataset(one, metrics.datasets.get(name)) for name, one in recipe.datasets.items()}
    facts = _together(datasets) if datasets else _dataset(recipe.training_sets[""], metrics)
    return ModelCard(
        **vars(facts),
        encoder=_encoder(recipe),
        datasets=datasets,
        scores=_scores(metrics.before or {}, metrics.after or {}),
        recipe=yaml.safe_dump(redacted(recipe.to_dict()), sort_keys=False, allow_unicode=True, width=120),
        seed=recipe.training.seed,
        versions=versions,
        limits=[f"{name}: {line}" if name else line for name, line in _limits(recipe)],
        foreword=_foreword(recipe, model_id),
    )


def _dataset(one: TrainingSet, record: RunMetrics | DataRecord | None) -> CardDataset:
    """Collect what the card says about a dataset."""
    loss, found = LOSSES.get(one.loss["name"]), record or DataRecord()
    return CardDataset(
        sources=sources(one),
        license=redacted(one.data.license),
        data=found.data,
        columns=_columns(one, found),
        augmentation=one.augmentation,
        augmenters=list(dict.fromkeys(part["name"] for part in one.augmenters)),
        generator=one.data.generator,
        labels=one.labels,
        examples=found.examples,
        loss=loss.__name__,
        equation=getattr(loss, "equation", None),
        source=getattr(loss, "source", None),
    )


def _together(datasets: Mapping[str, CardDataset]) -> CardDataset:
    """Return what is said of all datasets at once."""
    found = datasets.values()
    licenses = dict.fromkeys(one.license for one in found if one.license)
    return CardDataset(
        sources=list(dict.fromkeys(source for one in found for source in one.sources)),
        license=", ".join(licenses) or None,
        columns=list(dict.fromkeys(column for one in found for column in one.columns)),
        augmenters=list(dict.fromkeys(name for one in found for name in one.augmenters)),
        loss=", ".join(dict.fromkeys(one.loss for one in found)),
    )


def _columns(one: TrainingSet, record: RunMetrics | DataRecord) -> tuple[str, ...]:
    if one.labels is not None:
        return ("sentence", "label")
    given = tuple(record.examples[0]) if record.examples else ()
    if given and given[0] != "anchor":
        return given
    return ("anchor", "positive", *(("negative",) if "negative" in record.data.rewrites else ()))


def languages(recipe: Recipe) -> list[str]:
    """Return the ISO codes of the languages that the augmenters of a recipe rewrite, and its generators write.

    Example:
        >>> parts = [{"name": "negation", "language": "zh"}, {"name": "modal-verbs"}]
        >>> augmentation = {"name": "one-of", "augmenters": parts}
        >>> languages(Recipe(model="m", data={"files": "a.txt"}, augmentation=augmentation))
        ['en', 'zh']
    """
    found = {str(part.get("language", "en")) for part in [*recipe.augmenters, *recipe.generators]}
    return sorted(language for language in found if LANGUAGE.fullmatch(language))


def _foreword(recipe: Recipe, model_id: str) -> Foreword | None:
    """Return what the card says in the language of the sentences, if that has a translation."""
    words = next(filter(None, map(translation, languages(recipe))), None)
    if words is None:
        return None
    limits = words.limit_lines(_limits(recipe))
    return Foreword(translation=words, encoder=_translated_encoder(recipe, words), limits=limits, model_id=model_id)


def sources(one: TrainingSet) -> list[str]:
    """Return the names of the files with the sentences, or the id of the dataset, or the name of the generator."""
    if one.data.generator is not None:
        return [redacted(str(one.data.generator["name"]))]
    return [redacted(os.path.basename(file)) for file in one.data.files] or [redacted(str(one.data.dataset))]


def _scores(before: Results, after: Results) -> str:
    rows = comparison_table(before, after)
    return markdown(rows, ("title", "rows", "before", "after", "change", "metric"))


def _encoder(recipe: Recipe) -> str:
    name, model = recipe.model_name, recipe.model
    if name is None:
        assert isinstance(model, Model)
        assert model.build is not None
        return _built(model.build)
    said = code(redacted(name)) + (", from a folder" if os.path.isabs(name) else "")
    return said if isinstance(model, str) or model.pooling is None else f"{said}, {text(model.pooling)} pooling"


def _built(spec: Build) -> str:
    return (
        f"a {text(spec.type.upper())} with random weights, {spec.layers} layers of width {spec.hidden_size}, "
        f"{text(spec.pooling)} pooling, WordPiece trained on the training sentences"
    )


def _translated_encoder(recipe: Recipe, words: Translation) -> str:
    """Return what `_encoder` says, in another language."""
    name, model = recipe.model_name, recipe.model
    if name is None:
        assert isinstance(model, Model)
        assert model.build is not None
        spec = model.build
        pooling, kind = words.pooling[spec.pooling], text(spec.type.upper())
        return filled(words.built, type=kind, layers=spec.layers, width=spec.hidden_size, pooling=pooling)
    said = code(redacted(name))
    said = filled(words.folder, name=said) if os.path.isabs(name) else said
    if isinstance(model, str) or model.pooling is None:
        return said
    return filled(words.pooled, name=said, pooling=words.pooling[model.pooling])


def hub_id(recipe: Recipe) -> str | None:
    """Return the encoder's id on the Hub; None if it was built or comes from a folder."""
    name = recipe.model_name
    return name if name is not None and is_hub_id(name) else None


def is_hub_id(name: str) -> bool:
    """Whether a name can be that of a repository on the Hub: what is not is no part of a link in a card.

    Example:
        >>> is_hub_id("me/sda-bert"), is_hub_id("/home/me/bert"), is_hub_id("a)![b](c")
        (True, False, False)
    """
    try:
        validate_repo_id(name)
    except HFValidationError:
        return False
    return True


def _limits(recipe: Recipe) -> list[tuple[str, str]]:
    """Return the known limits of the encoder, without a name, and of the augmenters, with theirs."""
    limits = [("", SMALL_EXAMPLE)] if recipe.model_name is None else []
    for part in recipe.augmenters:
        limits += [(f"`{part['name']}`", line) for line in AUGMENTERS.get(part["name"]).limits]
    return list(dict.fromkeys(limits))
