"""How often augmenters rewrote the texts of a file, by rule, and skipped them, by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

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


@dataclass
class Summary:
    """The outcomes of augmenting a file.

    Attributes:
        rows: the number of rows that were read.
        seconds: how long it took.
        counts: column → the outcomes of its augmenter.
        augmenters: column → its augmenter, fitted on the file's texts if it had to be.
    """

    rows: int = 0
    seconds: float = 0.0
    counts: dict[str, Counts] = field(default_factory=dict)
    augmenters: Mapping[str, Augmenter] = field(default_factory=dict)

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
