"""The card of a dataset: which augmenters rewrote the sentences, and how often."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from string import Template

from huggingface_hub import DatasetCardData

from sda_hf.hub.markdown import cell, code, fenced, table, text
from sda_hf.hub.redaction import without_secrets
from sda_hf.hub.translation import Translation, as_list, filled, translation

FILE = "data/train.parquet"
# The Hub's size categories, by their upper bounds.
SIZES = {10**3: "n<1K", 10**4: "1K<n<10K", 10**5: "10K<n<100K", 10**6: "100K<n<1M", 10**7: "1M<n<10M"}


@dataclasses.dataclass(frozen=True)
class Contents:
    """What a dataset holds.

    Args:
        columns: names of the columns.
        rows: number of rows.
        examples: the first rows.
    """

    columns: list[str]
    rows: int
    examples: Sequence[Mapping[str, object]]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rewriter:
    """What the card says about an augmenter.

    Args:
        config: its config, redacted.
        source: the paper it comes from.
        limits: its known limits, one sentence each.
    """

    config: Mapping[str, object]
    source: str
    limits: Sequence[str]


@dataclasses.dataclass(frozen=True, kw_only=True)
class DatasetCard:
    """The README.md of a dataset of rewritten sentences.

    Args:
        rewriters: new column → its augmenter.
        sentences: number of sentences that were read.
        counts: (column, rule or reason of a skip, sentences, share in %); an empty rule stands for all rewrites of the
            column.
        language: ISO code of the sentences' language.
        version: version of this package.
        command: the command that made the dataset, if there was one.

    Example:
        >>> card = DatasetCard(
        ...     rewriters={"negation": Rewriter(config={"name": "negation"}, source="SDA", limits=["English only"])},
        ...     sentences=1, counts=[("negation", "", 1, 100.0)], language="en", version="1.0",
        ... )
        >>> rows = Contents(["text", "negation"], 1, [{"text": "He left.", "negation": "He didn't leave."}])
        >>> card.render("me/pairs", rows).splitlines()[-3:]
        ['| text | negation |', '|---|---|', "| He left. | He didn't leave. |"]
    """

    rewriters: Mapping[str, Rewriter]
    sentences: int
    counts: Sequence[tuple[str, str, int, float]]
    language: str
    version: str
    command: str | None = None

    def render(self, repo_id: str, contents: Contents) -> str:
        """Return the README.md.

        Args:
            repo_id: the repository on the Hub.
            contents: what the dataset holds.
        """
        title = repo_id.rsplit("/", 1)[-1]
        counts = ((cell(of), cell(rule or "rewritten"), f"{n:,}", f"{share:.2f}") for of, rule, n, share in self.counts)
        template = resources.files("sda_hf.hub").joinpath("dataset_card.md").read_text(encoding="utf-8")
        body = Template(template).substitute(
            name=text(title),
            foreword=self._foreword(repo_id, contents),
            repo_id=repo_id,
            version=text(self.version),
            rows=f"{contents.rows:,}",
            language=text(self.language),
            command="not stated" if self.command is None else code(self.command),
            columns=table(("Column", "Content"), [(code(of), self._origin(of)) for of in contents.columns]),
            sentences=f"{self.sentences:,}",
            counts=table(("Column", "Rule, or reason of the skip", "Sentences", "Share (%)"), list(counts), "llrr"),
            rewriters="\n\n".join(_described(column, rewriter) for column, rewriter in self.rewriters.items()),
            examples=table(
                [cell(column) for column in contents.columns],
                [[_value(row.get(column)) for column in contents.columns] for row in contents.examples],
            ),
        )
        return without_secrets(f"---\n{self._metadata(title, contents.rows)}\n---\n{body}")

    def _foreword(self, repo_id: str, contents: Contents) -> str:
        """Return the section in the language of the sentences, up to the heading of the English one."""
        words = translation(self.language)
        if words is None:
            return ""
        limits = [
            (code(rewriter.config["name"]), line) for rewriter in self.rewriters.values() for line in rewriter.limits
        ]
        return "\n" + filled(
            words.dataset,
            version=text(self.version),
            rows=f"{contents.rows:,}",
            command=words.not_stated if self.command is None else code(self.command),
            sentences=f"{self.sentences:,}",
            columns="\n".join(f"| {code(of)} | {self._translated_origin(of, words)} |" for of in contents.columns),
            repo_id=repo_id,
            limits=as_list(words.limit_lines(limits), words.not_stated),
        )

    def _translated_origin(self, column: str, words: Translation) -> str:
        rewriter = self.rewriters.get(column)
        if rewriter is None:
            return words.source_column
        name = str(rewriter.config["name"])
        return filled(words.rewritten_column, name=words.named_augmenter(name, code(name)))

    def _metadata(self, name: str, rows: int) -> str:
        data = DatasetCardData(
            language=[self.language],
            pretty_name=name,
            size_categories=[next((size for bound, size in SIZES.items() if rows < bound), "n>10M")],
            task_categories=["sentence-similarity"],
            tags=["sda-hf", "sentence-transformers"],
            # The file by its name, because files of an earlier push may lie beside it.
            configs=[{"config_name": "default", "data_files": [{"split": "train", "path": FILE}]}],
        )
        return str(data.to_yaml())

    def _origin(self, column: str) -> str:
        rewriter = self.rewriters.get(column)
        return "from the source" if rewriter is None else f"the sentence rewritten by {code(rewriter.config['name'])}"


def _described(column: str, rewriter: Rewriter) -> str:
    config = fenced(json.dumps(rewriter.config, indent=2, ensure_ascii=False), "json")
    limits = "\n".join(f"- {limit}" for limit in rewriter.limits)
    return f"{code(column)} was made by\n\n{config}\n\nSource: {rewriter.source}. Limits:\n\n{limits}"


def _value(value: object) -> str:
    return "null" if value is None else cell(value)
