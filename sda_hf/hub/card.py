"""The model card: everything in it comes from the objects of the run; what nobody measured is called so."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from importlib import resources
from string import Template
from typing import Any

from huggingface_hub import EvalResult, ModelCardData

# Rules and reasons of a column that are listed, the most frequent first.
SHOWN = 8
NOT_MEASURED = "not measured"
NOT_STATED = "not stated"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ModelCard:
    """The README.md of a trained model.

    Args:
        name: name of the model, or its id on the Hub.
        encoder: what was trained, in words or as a Hub id.
        base_model: id of the encoder on the Hub; None where it has none.
        language: language codes of the training sentences.
        license: licence of the weights as the Hub names it; None where nobody has stated one.
        tags: tags for the Hub, such as those of the model's own `model_card_data`.
        dimension: size of a sentence vector.
        max_length: tokens after which a text is cut.
        sources: names of the files or datasets with the sentences.
        rows: numbers of the training rows: sentences, rows, positive_changed.
        columns: columns of the training rows.
        augmentation: configuration of the augmenter; None where sentences were paired with themselves.
        rewrites: for each new column how often it was rewritten: texts, changed, rules, skips.
        loss: name of the loss.
        loss_config: arguments of the loss.
        citation: BibTeX of the loss.
        training: what was set and measured in training.
        before: task → metrics before training: spearman (correlation times 100), pairs.
        after: task → metrics after training.
        seed: seed of the training.
        versions: package → version.
        limits: known limits, one line each.
    """

    name: str
    encoder: str
    base_model: str | None = None
    language: Sequence[str] = ()
    license: str | None = None
    tags: Sequence[str] = ()
    dimension: int | None = None
    max_length: int | None = None
    sources: Sequence[str] = ()
    rows: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    columns: Sequence[str] = ()
    augmentation: Mapping[str, Any] | None = None
    rewrites: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    loss: str
    loss_config: Mapping[str, Any]
    citation: str
    training: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    before: Mapping[str, Mapping[str, float]] = dataclasses.field(default_factory=dict)
    after: Mapping[str, Mapping[str, float]] = dataclasses.field(default_factory=dict)
    seed: int | None = None
    versions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    limits: Sequence[str] = ()

    def metadata(self) -> ModelCardData:
        """The card's YAML block."""
        return ModelCardData(
            language=list(self.language) or None,
            license=self.license,
            library_name="sentence-transformers",
            pipeline_tag="sentence-similarity",
            tags=list(dict.fromkeys(["sentence-transformers", "sentence-similarity", "sda-hf", *self.tags])),
            base_model=self.base_model,
            model_name=self.name,
            eval_results=[
                EvalResult(
                    task_type="semantic-similarity",
                    task_name="Semantic Similarity",
                    dataset_type=task,
                    dataset_name=task,
                    metric_type="spearman_cosine",
                    metric_name="Spearman Cosine",
                    metric_value=round(metrics["spearman"] / 100, 6),
                )
                for task, metrics in self.after.items()
                if "spearman" in metrics
            ]
            or None,
        )

    def render(self) -> str:
        """The whole README.md."""
        template = resources.files("sda_hf.hub").joinpath("card.md").read_text(encoding="utf-8")
        body = Template(template).substitute(
            name=self.name,
            encoder=self.encoder,
            language=", ".join(self.language) or NOT_STATED,
            license=self.license or NOT_STATED,
            dimension=self.dimension or "an unknown number of",
            max_length=self.max_length or "an unknown number of",
            columns=_columns(self.columns),
            scores=self._scores(),
            scores_note=self._scores_note(),
            data=self._data(),
            augmentation=self._augmentation(),
            loss=self.loss,
            loss_config=json.dumps(dict(self.loss_config), indent=2),
            training=_bullets(self.training),
            seed=NOT_STATED if self.seed is None else self.seed,
            versions=", ".join(f"{package} {version}" for package, version in self.versions.items()) or NOT_STATED,
            limits="\n".join(f"- {line}" for line in self.limits) or "Nobody has looked for them yet.",
            citation=self.citation.strip(),
        )
        return f"---\n{self.metadata().to_yaml()}\n---\n{body}"

    def _scores(self) -> str:
        tasks = list(dict.fromkeys([*self.before, *self.after]))
        if not tasks:
            return f"Scores: {NOT_MEASURED}."
        lines = ["| Task | Pairs | Before | After | Change |", "|---|---:|---:|---:|---:|"]
        for task in tasks:
            before, after = (_score(scores.get(task, {})) for scores in (self.before, self.after))
            pairs = self.after.get(task, self.before.get(task, {})).get("pairs")
            change = NOT_MEASURED if before is None or after is None else f"{after - before:+.2f}"
            lines.append(
                f"| {task} | {NOT_MEASURED if pairs is None else f'{pairs:,.0f}'} | {_shown(before)} | {_shown(after)} "
                f"| {change} |"
            )
        return "\n".join(lines)

    def _scores_note(self) -> str:
        if not (self.before or self.after):
            return ""
        return "Spearman correlation \u00d7 100 of cosine and human scores, over all pairs of a task together."

    def _data(self) -> str:
        sources = ", ".join(f"`{source}`" for source in self.sources) or NOT_STATED
        return "\n".join(
            [
                f"- Sentences from {sources}: {_count(self.rows.get('sentences'))}",
                f"- Training rows ({', '.join(self.columns) or NOT_STATED}): {_count(self.rows.get('rows'))}",
                f"- Rows whose positive differs from the anchor: {_share(self.rows.get('positive_changed'))}",
            ]
        )

    def _augmentation(self) -> str:
        if self.augmentation is None:
            return "Every sentence was paired with itself; the two differ by dropout alone."
        config = json.dumps(_without_folders(self.augmentation), indent=2, ensure_ascii=False)
        lines = ["Augmentation:", "", "```json", config, "```", ""]
        if not self.rewrites:
            return "\n".join([*lines, f"How often each augmenter rewrote a sentence: {NOT_MEASURED}."])
        lines += [
            "| Column | Augmenter | Sentences looked at | Changed | Rules | Skipped |",
            "|---|---|---:|---:|---|---|",
        ]
        for column, figures in self.rewrites.items():
            rules, skips = (_counts(figures.get(key, {})) for key in ("rules", "skips"))
            lines.append(
                f"| {column} | {figures.get('augmenter', NOT_STATED)} | {_count(figures.get('texts'))} "
                f"| {_share(figures.get('changed'))} | {rules} | {skips} |"
            )
        return "\n".join(lines)


def _columns(columns: Sequence[str]) -> str:
    return "triplets (anchor, positive, negative)" if "negative" in columns else "pairs (anchor, positive)"


def _score(metrics: Mapping[str, float]) -> float | None:
    return metrics.get("spearman")


def _shown(score: float | None) -> str:
    return NOT_MEASURED if score is None else f"{score:.2f}"


def _count(number: int | None) -> str:
    return NOT_MEASURED if number is None else f"{number:,}"


def _share(share: float | None) -> str:
    return NOT_MEASURED if share is None else f"{share:.1%}"


def _counts(counts: Mapping[str, int]) -> str:
    shown = [f"{name} {count:,}" for name, count in list(counts.items())[:SHOWN]]
    rest = sum(list(counts.values())[SHOWN:])
    return ", ".join([*shown, f"others {rest:,}"] if rest else shown) or "none"


def _bullets(facts: Mapping[str, Any]) -> str:
    lines = [f"- {name}: {NOT_MEASURED if value is None else value}" for name, value in facts.items()]
    return "\n".join(lines) or f"Training figures: {NOT_MEASURED}."


def _without_folders(value: Any) -> Any:
    """The value with absolute paths cut to their last part: a card is public, a folder is not."""
    if isinstance(value, Mapping):
        return {key: _without_folders(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_folders(item) for item in value]
    return os.path.basename(value) if isinstance(value, str) and os.path.isabs(value) else value
