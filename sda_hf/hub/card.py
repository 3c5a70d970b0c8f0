"""What a model card says beyond the one of sentence-transformers; what nobody measured is called so."""

from __future__ import annotations

import dataclasses
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from string import Template
from typing import Any

from sda_hf.hub.blocks import NO_ID
from sda_hf.hub.push import without_places

# Rules and reasons of a column that are listed, the most frequent first.
SHOWN = 8
LONGEST_CELL = 300
NOT_MEASURED = "not measured"
NOT_STATED = "not stated"
BLOCK = re.compile(r"<!-- sda-hf: (\w+) -->\n(.*?)<!-- sda-hf: end \1 -->", re.DOTALL)
TOKEN = re.compile(r"\bhf_\w{8,}")
# Where each part goes in a card of sentence-transformers: before the first of these headings that is there.
PLACES = {
    "about": ("## Model Details", "## Usage"),
    "scores": ("## Evaluation", "## Training Details", "## Citation"),
    "limits": ("## Training Details", "## Citation"),
    "rewriting": ("### Training Hyperparameters", "### Training Logs", "### Framework Versions", "## Citation"),
    "loss": ("### Training Hyperparameters", "### Training Logs", "### Framework Versions", "## Citation"),
    "reproduction": ("### Framework Versions", "## Citation"),
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class ModelCard:
    r"""The facts that the card of a trained model has beside those of sentence-transformers.

    Args:
        encoder: what was trained, in words or as a Hub id.
        model_id: id of the model on the Hub; a stand-in, which a push replaces, by default.
        sources: names of the files or datasets with the sentences.
        license: licence of the sentences; None where nobody has stated one.
        rows: numbers of the training rows: sentences, rows, positive_changed (a share).
        columns: columns of the training rows.
        augmentation: configuration of the augmenter; None where sentences were paired with themselves.
        augmenters: names of the augmenters in it.
        rewrites: for each new column how often it was rewritten: augmenter, texts, changed (a share), rules, skips.
        examples: some training rows, column → text.
        loss: name of the loss.
        equation: the loss in LaTeX; None where sentence-transformers has it.
        source: paper and equation of the loss.
        scores: Markdown table of the test tasks before and after training; empty where there were none.
        recipe: the recipe as YAML.
        seed: seed of the training.
        versions: package → version.
        limits: known limits, one line each.

    Example:
        >>> card = ModelCard(encoder="`some/encoder`", loss="NTXentLoss", recipe="model: some/encoder\n")
        >>> print(card.blocks()["scores"])
        ## Scores
        <BLANKLINE>
        Scores: not measured.
    """

    encoder: str
    model_id: str = NO_ID
    sources: Sequence[str] = ()
    license: str | None = None
    rows: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    columns: Sequence[str] = ("anchor", "positive")
    augmentation: Mapping[str, Any] | None = None
    augmenters: Sequence[str] = ()
    rewrites: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    examples: Sequence[Mapping[str, str]] = ()
    loss: str
    equation: str | None = None
    source: str | None = None
    scores: str = ""
    recipe: str
    seed: int | None = None
    versions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    limits: Sequence[str] = ()

    def blocks(self) -> dict[str, str]:
        """Name → Markdown of each part, in the order of the card."""
        names = ", ".join(f"`{name}`" for name in self.augmenters)
        fields = {
            "model_id": self.model_id,
            "rows": _count(self.rows.get("rows")),
            "sentences": _count(self.rows.get("sentences")),
            "columns": _kind(self.columns),
            "rewriters": f", rewritten by {names}" if names else "",
            "encoder": self.encoder,
            "scores": self.scores or f"Scores: {NOT_MEASURED}.",
            "limits": "\n".join(f"- {line}" for line in self.limits) or "Nobody has looked for them yet.",
            "data": self._data(),
            "augmentation": self._augmentation(),
            "examples": self._examples(),
            "loss": self.loss,
            "equation": self._equation(),
            "seed": NOT_STATED if self.seed is None else self.seed,
            "versions": ", ".join(f"{package} {version}" for package, version in self.versions.items()) or NOT_STATED,
            "recipe": _fenced(self.recipe, "yaml"),
        }
        template = resources.files("sda_hf.hub").joinpath("card.md").read_text(encoding="utf-8")
        return {name: Template(text).substitute(fields).strip() for name, text in BLOCK.findall(template)}

    def _data(self) -> str:
        sources = ", ".join(f"`{source}`" for source in self.sources) or NOT_STATED
        return "\n".join(
            [
                f"- Sentences from {sources}: {_count(self.rows.get('sentences'))}",
                f"- Licence of the sentences: {self.license or NOT_STATED}",
                f"- Training rows ({', '.join(self.columns)}): {_count(self.rows.get('rows'))}",
                f"- Rows whose positive differs from the anchor: {_share(self.rows.get('positive_changed'))}",
            ]
        )

    def _augmentation(self) -> str:
        if self.augmentation is None:
            return "Every sentence was paired with itself; the two differ by dropout alone."
        config = json.dumps(public(self.augmentation), indent=2, ensure_ascii=False)
        lines = ["Augmentation:", "", _fenced(config, "json"), ""]
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

    def _examples(self) -> str:
        if not self.examples or self.augmentation is None:
            return ""
        columns = list(self.columns)
        lines = ["Some of the rows:", "", _row(column.capitalize() for column in columns), "|---" * len(columns) + "|"]
        return "\n".join([*lines, *(_row(_cell(row.get(column)) for column in columns) for row in self.examples)])

    def _equation(self) -> str:
        if self.equation is None:
            return f"`{self.loss}` is a loss of sentence-transformers, whose documentation has its equation."
        return f"`{self.loss}` ({self.source or NOT_STATED}):\n\n$$\n{self.equation.strip()}\n$$"


def public(value: Any) -> Any:
    """A value with absolute paths cut to their last part, and without tokens: a card is public, a folder is not.

    Args:
        value: strings, numbers, lists and mappings.

    Example:
        >>> public({"files": ["/home/me/a.txt"], "hub_token": "abc", "note": "it was hf_abcdefghijk"})
        {'files': ['a.txt'], 'hub_token': 'not shown', 'note': 'it was not shown'}
    """
    return _without_tokens(without_places(value))


def _without_tokens(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _secret(item) if key.endswith("_token") else _without_tokens(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_tokens(item) for item in value]
    return TOKEN.sub("not shown", value) if isinstance(value, str) else value


def _secret(value: Any) -> Any:
    return "not shown" if isinstance(value, str) else value


def _kind(columns: Sequence[str]) -> str:
    return "triplets (anchor, positive, negative)" if "negative" in columns else "pairs (anchor, positive)"


def _count(number: int | None) -> str:
    return NOT_MEASURED if number is None else f"{number:,}"


def _share(share: float | None) -> str:
    return NOT_MEASURED if share is None else f"{share:.1%}"


def _counts(counts: Mapping[str, int]) -> str:
    shown = [f"{_cell(name)} {count:,}" for name, count in list(counts.items())[:SHOWN]]
    rest = sum(list(counts.values())[SHOWN:])
    return ", ".join([*shown, f"others {rest:,}"] if rest else shown) or "none"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str | None) -> str:
    """Text that stands in a table as it is, in one line."""
    text = " ".join((text or "").split())
    text = text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
    return re.sub(r"([\\`*_\[\]$|])", r"\\\1", html.escape(text, quote=False))


def _fenced(text: str, language: str) -> str:
    """Text as a block of code, behind more backticks than stand in it."""
    longest = max((len(ticks) for ticks in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.strip()}\n{fence}"
