"""The section that this package adds to the model cards of sentence-transformers."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from string import Template

from huggingface_hub import EvalResult, ModelCardData
from huggingface_hub import ModelCard as HubCard

from sda_hf.errors import InputValueError
from sda_hf.hub.markdown import cell, code, fenced, table, text
from sda_hf.hub.redaction import redacted, without_secrets
from sda_hf.hub.translation import Translation, as_list, filled
from sda_hf.run_files import DataStatistics, RewriteStatistics

MOST_COUNTS = 8  # rules and reasons of a column that are listed, the most frequent first
NOT_MEASURED = "not measured"
NOT_STATED = "not stated"
STREAMED = "not counted: they were streamed"
MARKER = "<!-- sda-hf: "
BEGIN, END = f"{MARKER}card -->", f"{MARKER}end card -->"
NOTE = "<!-- `sda-hf card` rewrites everything up to the end marker. Write your own text outside of it. -->"
# The section; version 0.4 marked several parts in the same way.
SECTION = re.compile(rf"{MARKER}(\w+) -->.*?{MARKER}end \1 -->", re.DOTALL)
SECTION_AND_GAP = re.compile(rf"{SECTION.pattern}(?:\r?\n)*", re.DOTALL)
HEADING = re.compile(r"^## Model Details", re.MULTILINE)  # the first heading of sentence-transformers


@dataclasses.dataclass(frozen=True, kw_only=True)
class Foreword:
    """What a card says first, in the language of the sentences.

    Args:
        translation: the phrases of the language.
        encoder: what was trained, as Markdown in that language.
        limits: known limits in that language.
        model_id: the model's id on the Hub, or what stands for it until it has one.
    """

    translation: Translation
    encoder: str
    limits: Sequence[str]
    model_id: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class CardDataset:
    """What a card says about a dataset that a model was trained on.

    Args:
        sources: names of the files or datasets with the sentences, or of the generator.
        license: licence of the sentences, if one was stated.
        data: numbers of sentences, rows and rewrites.
        columns: columns of the training rows.
        augmentation: config of the augmenter; None if the sentences were not rewritten.
        augmenters: names of the augmenters in it.
        generator: config of the generator of the rows; None for sentences.
        labels: what each row is labelled with; None for no labels.
        examples: some training rows, column → text.
        loss: class name of the loss.
        equation: the loss in LaTeX; None for a loss of sentence-transformers.
        source: paper and equation of the loss.
    """

    sources: Sequence[str] = ()
    license: str | None = None
    data: DataStatistics = dataclasses.field(default_factory=DataStatistics)
    columns: Sequence[str] = ("anchor", "positive")
    augmentation: Mapping[str, object] | None = None
    augmenters: Sequence[str] = ()
    generator: Mapping[str, object] | None = None
    labels: str | None = None
    examples: Sequence[Mapping[str, str]] = ()
    loss: str
    equation: str | None = None
    source: str | None = None

    def about(self) -> str:
        """Return in one line what the loss was computed on."""
        rows = self._kind() if self.data.rows is None else f"{self.data.rows:,} {self._kind()}"
        made = "" if self.data.sentences is None else f", made from {self.data.sentences:,} sentences"
        made = ", streamed" if self.data.streamed else made
        names = ", ".join(code(name) for name in self.augmenters)
        rewritten = f", rewritten by {names}" if names else ""
        columns = text(", ".join(self.columns))
        return f"{code(self.loss)} on {rows} ({columns}){made}{rewritten}"

    def described(self) -> str:
        """Return the sentences and the rewrites as Markdown."""
        return "\n\n".join(filter(None, (self._data(), self._augmentation(), self._examples())))

    def loss_equation(self) -> str:
        """Return the loss as Markdown."""
        if self.equation is None:
            return f"{code(self.loss)} is a loss of sentence-transformers; its documentation has the equation."
        return f"{code(self.loss)} ({self.source or NOT_STATED}):\n\n$$\n{self.equation.strip()}\n$$"

    def _kind(self) -> str:
        if self._is_paired():
            return "triplets" if "negative" in self.columns else "pairs"
        return "rows"

    def _is_paired(self) -> bool:
        return tuple(self.columns[:2]) == ("anchor", "positive")

    def _data(self) -> str:
        sources = ", ".join(code(source) for source in self.sources) or NOT_STATED
        uncounted = STREAMED if self.data.streamed else NOT_MEASURED
        rows = f"- Training rows ({text(', '.join(self.columns))}): {_count(self.data.rows, uncounted)}"
        if self.generator is not None:
            return f"- Generator: {sources}\n{rows}"
        lines = [
            f"- Sentences from {sources}: {_count(self.data.sentences, uncounted)}",
            f"- Licence of the sentences: {text(self.license) if self.license else NOT_STATED}",
            rows,
        ]
        if self._is_paired() and not self.data.streamed:
            lines.append(f"- Rows whose positive differs from the anchor: {_share(self.data.positive_changed)}")
        return "\n".join(lines)

    def _augmentation(self) -> str:
        if self.generator is not None:
            return f"Generator:\n\n{fenced(json.dumps(redacted(self.generator), indent=2, ensure_ascii=False), 'json')}"
        if self.labels is not None:
            return "Every sentence is labelled with its embedding by the encoder before training."
        if self.augmentation is None:
            return "Every sentence was paired with itself; the two embeddings differ by dropout alone."
        config = fenced(json.dumps(redacted(self.augmentation), indent=2, ensure_ascii=False), "json")
        header = ("Column", "Augmenter", "Sentences in the sample", "Changed", "Rules", "Skipped")
        rows = [_statistics(column, statistics) for column, statistics in self.data.rewrites.items()]
        measured = table(header, rows, "llrrll") if rows else f"How often sentences were changed: {NOT_MEASURED}."
        return f"Augmentation:\n\n{config}\n\n{measured}"

    def _examples(self) -> str:
        if not self.examples or (self.augmentation is None and self.generator is None):
            return ""
        rows = [[cell(row.get(column) or "") for column in self.columns] for row in self.examples]
        return f"Some of the rows:\n\n{table([cell(column.capitalize()) for column in self.columns], rows)}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ModelCard(CardDataset):
    r"""What the card of a trained model says beyond the card of sentence-transformers.

    Nothing is made up: what was not stated or not measured is called so. The arguments of `CardDataset` describe the
    only dataset, or what several have in common.

    Args:
        encoder: what was trained, as Markdown.
        datasets: the datasets by name, if there are several.
        scores: Markdown table of the test tasks before and after training; empty if there were none.
        recipe: the recipe as YAML.
        seed: seed of the training.
        versions: package → version.
        limits: known limits, one sentence each.
        foreword: what precedes the English, for sentences in a language that has a translation.

    Example:
        >>> card = ModelCard(encoder="`some/encoder`", loss="NTXentLoss", recipe="model: some/encoder\n")
        >>> print(card.render().split("\n\n")[0])
        Trained without labels by sda-hf, with `NTXentLoss` on pairs (anchor, positive).
        Encoder before training: `some/encoder`.
    """

    encoder: str
    datasets: Mapping[str, CardDataset] = dataclasses.field(default_factory=dict)
    scores: str = ""
    recipe: str
    seed: int | None = None
    versions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    limits: Sequence[str] = ()
    foreword: Foreword | None = None

    def render(self) -> str:
        """Return the section as Markdown."""
        template = resources.files("sda_hf.hub").joinpath("card.md").read_text(encoding="utf-8")
        section = Template(template).substitute(
            about=self._about(),
            encoder=self.encoder,
            scores=self.scores or f"Scores: {NOT_MEASURED}.",
            limits="\n".join(f"- {line}" for line in self.limits) or f"Limits: {NOT_STATED}.",
            data=self._described_datasets() if self.datasets else self.described(),
            equation=self._equations() if self.datasets else self.loss_equation(),
            seed=NOT_STATED if self.seed is None else self.seed,
            versions=text(", ".join(f"{package} {found}" for package, found in self.versions.items())) or NOT_STATED,
            recipe=fenced(self.recipe, "yaml"),
        )
        return without_secrets(re.sub(r"\n{3,}", "\n\n", self._foreword() + section).strip())

    def _about(self) -> str:
        if not self.datasets:
            return f"Trained without labels by sda-hf, with {self.about()}."
        lines = "\n".join(f"- {code(name)}: {one.about()}" for name, one in self.datasets.items())
        return f"Trained without labels by sda-hf, on {len(self.datasets)} dataset(s) together:\n\n{lines}\n"

    def _described_datasets(self) -> str:
        return "\n\n".join(f"### {text(name)}\n\n{one.described()}" for name, one in self.datasets.items())

    def _equations(self) -> str:
        said = "Every step takes a batch of each dataset and the mean of their losses."
        found: dict[str, list[str]] = {}
        for name, one in self.datasets.items():
            found.setdefault(one.loss_equation(), []).append(code(name))
        return "\n\n".join([said, *(f"{', '.join(names)}: {equation}" for equation, names in found.items())])

    def _foreword(self) -> str:
        """Return the section in the language of the sentences, up to the heading of the English one."""
        if self.foreword is None:
            return ""
        words = self.foreword.translation
        augmenters = words.separator.join(words.named_augmenter(name, code(name)) for name in self.augmenters)
        said = filled(
            words.model,
            encoder=self.foreword.encoder,
            sources=words.separator.join(code(source) for source in self.sources) or words.not_stated,
            sentences=_number(self.data.sentences, words.count, words.not_counted),
            license=text(self.license) if self.license else words.not_stated,
            rows=self._translated_rows(words),
            columns=text(words.separator.join(self.columns)),
            augmenters=augmenters or words.not_rewritten,
            loss=code(self.loss),
            scores=words.scores if self.scores else words.no_scores,
            model_id=self.foreword.model_id,
            limits=as_list(self.foreword.limits, words.not_stated),
        )
        return f"{said}\n"

    def _translated_rows(self, words: Translation) -> str:
        if "negative" in self.columns:
            return _number(self.data.rows, words.triplets, words.uncounted_triplets)
        return _number(self.data.rows, words.pairs, words.uncounted_pairs)


def with_section(readme: str, section: str) -> str:
    """Return a README.md with a new section of this package; everything else stays byte for byte.

    The section replaces the one that is there. If there is none, it goes before the first heading of
    sentence-transformers, or else to the end.

    Args:
        readme: the README.md.
        section: the section, as Markdown.

    Raises:
        InputValueError: one of the two markers around the section is missing.

    Example:
        >>> print(with_section("# Mine", "Trained without labels."))
        # Mine
        <BLANKLINE>
        <!-- sda-hf: card -->
        <!-- `sda-hf card` rewrites everything up to the end marker. Write your own text outside of it. -->
        <BLANKLINE>
        Trained without labels.
        <BLANKLINE>
        <!-- sda-hf: end card -->
    """
    if MARKER in SECTION.sub("", readme):
        raise InputValueError(f"a marker {MARKER}... --> without its counterpart: restore the other one, or remove it")
    newline = "\r\n" if "\r\n" in readme else "\n"
    # What looks like a marker inside of the section would be taken for one the next time.
    inside = section.replace(MARKER, MARKER.replace(":", " :"))
    block = f"{BEGIN}\n{NOTE}\n\n{inside}\n\n{END}".replace("\n", newline)
    if found := SECTION.search(readme):
        return readme[: found.start()] + block + SECTION_AND_GAP.sub("", readme[found.end() :])
    if heading := HEADING.search(readme):
        return readme[: heading.start()] + block + 2 * newline + readme[heading.start() :]
    gap = newline if readme.endswith("\n") else 2 * newline if readme else ""
    return readme + gap + block + newline


def with_results(readme: str, name: str, results: list[EvalResult]) -> str:
    r"""Return a README.md with other evaluation results in its metadata; unchanged if it has these already.

    Args:
        readme: the README.md.
        name: name of the model.
        results: the results.

    Raises:
        ValueError: the metadata are not valid.

    Example:
        >>> result = EvalResult("sts", "stsb", "STS-B", "spearman_cosine", 0.76)
        >>> card = HubCard(with_results("---\nlicense: mit\n---\n# Mine\n", "mine", [result]))
        >>> card.data.license, card.data.eval_results[0].metric_value, card.text
        ('mit', 0.76, '# Mine\n')
    """
    card = HubCard(readme)
    data: ModelCardData = card.data  # type: ignore[assignment]  # the client declares the class above it
    if data.eval_results == results:
        return readme
    data.model_name, data.eval_results = name, results
    return str(card)


def _statistics(column: str, statistics: RewriteStatistics) -> list[str]:
    return [
        cell(column),
        cell(statistics.augmenter),
        f"{statistics.texts:,}",
        _share(statistics.changed),
        _counts(statistics.rules),
        _counts(statistics.skips),
    ]


def _number(number: int | None, counted: str, uncounted: str) -> str:
    """Return the phrase for a number, or that for a number which was not measured."""
    return uncounted if number is None else filled(counted, count=f"{number:,}")


def _count(number: int | None, uncounted: str) -> str:
    return uncounted if number is None else f"{number:,}"


def _share(share: float | None) -> str:
    return NOT_MEASURED if share is None else f"{share:.1%}"


def _counts(counts: Mapping[str, int]) -> str:
    listed = [f"{cell(name)} {count:,}" for name, count in list(counts.items())[:MOST_COUNTS]]
    others = sum(list(counts.values())[MOST_COUNTS:])
    return ", ".join([*listed, f"others {others:,}"] if others else listed) or "none"
