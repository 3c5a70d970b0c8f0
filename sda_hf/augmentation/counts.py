"""How often augmenters rewrote the texts of a file, by rule, and skipped them, by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sda_hf.augmentation.base import Augmenter
from sda_hf.augmentation.rewrite import Rewrite


@dataclass
class Counts:
    """The outcomes of one augmenter.

    Attributes:
        changed: the number of rows that it rewrote.
        rules: rule → rewritten rows.
        skips: reason → skipped rows.
    """

    changed: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)

    def add(self, rewrite: Rewrite) -> None:
        """Count one row."""
        if rewrite.skipped is None:
            self.changed += 1
            self.rules[str(rewrite.rule)] += 1
        else:
            self.skips[rewrite.skipped] += 1

    def update(self, other: Counts) -> None:
        """Add the counts of other rows."""
        self.changed += other.changed
        self.rules.update(other.rules)
        self.skips.update(other.skips)


@dataclass
class Summary:
    """The outcomes of augmenting a file.

    Attributes:
        rows: the number of rows that were read.
        changed: the number of rows that any augmenter rewrote.
        seconds: how long it took.
        counts: column → the outcomes of its augmenter.
        augmenters: column → its augmenter, fitted on the file's texts if it had to be.
    """

    rows: int = 0
    changed: int = 0
    seconds: float = 0.0
    counts: dict[str, Counts] = field(default_factory=dict)
    augmenters: Mapping[str, Augmenter] = field(default_factory=dict)

    def add(self, outcomes: Mapping[str, Rewrite]) -> None:
        """Count one row, of which the outcome for each column is given."""
        self.rows += 1
        self.changed += any(rewrite.skipped is None for rewrite in outcomes.values())
        for name, rewrite in outcomes.items():
            self.counts.setdefault(name, Counts()).add(rewrite)

    def update(self, other: Summary) -> None:
        """Add the outcomes for other rows."""
        self.rows += other.rows
        self.changed += other.changed
        for name, counts in other.counts.items():
            self.counts.setdefault(name, Counts()).update(counts)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as JSON values, the most frequent rules and reasons first.

        Example:
            >>> summary = Summary(4, 3, 0.5, {"negation": Counts(3, Counter(modal=3), Counter(question=1))})
            >>> summary.to_dict()
            {'rows': 4, 'changed': 3, 'seconds': 0.5,
             'columns': {'negation': {'changed': 3, 'rules': {'modal': 3}, 'skips': {'question': 1}}}}
            >>> Summary.from_dict(summary.to_dict()) == summary
            True
        """
        columns = {
            name: {
                "changed": counts.changed,
                "rules": dict(counts.rules.most_common()),
                "skips": dict(counts.skips.most_common()),
            }
            for name, counts in self.counts.items()
        }
        return {"rows": self.rows, "changed": self.changed, "seconds": round(self.seconds, 3), "columns": columns}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Summary:
        """Return the numbers that `to_dict` gave."""
        counts = {
            name: Counts(column["changed"], Counter(column["rules"]), Counter(column["skips"]))
            for name, column in found["columns"].items()
        }
        return cls(found["rows"], found["changed"], found["seconds"], counts)

    def table_rows(self) -> list[tuple[str, str, int, float]]:
        """Return (column, rule or reason, rows, percentage of all rows), the most frequent first.

        The second field is empty in the row that counts everything an augmenter rewrote.

        Example:
            >>> summary = Summary(rows=4, counts={"negation": Counts(3, Counter(modal=3), Counter(question=1))})
            >>> summary.table_rows()
            [('negation', '', 3, 75.0), ('negation', 'modal', 3, 75.0), ('negation', 'skipped: question', 1, 25.0)]
        """
        table: list[tuple[str, str, int, float]] = []
        for name, counts in self.counts.items():
            table.append((name, "", counts.changed, self._percentage(counts.changed)))
            table += [(name, rule, n, self._percentage(n)) for rule, n in counts.rules.most_common()]
            table += [(name, f"skipped: {reason}", n, self._percentage(n)) for reason, n in counts.skips.most_common()]
        return table

    def _percentage(self, n: int) -> float:
        return 100 * n / self.rows if self.rows else 0.0
