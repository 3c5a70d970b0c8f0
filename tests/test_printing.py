"""What commands print, on terminals of different widths."""

import os
import subprocess
import sys

import pytest

from sda_hf.augmentation.counts import Summary
from sda_hf.commands.augment import _title

ROWS = [
    {"model": "before", "Written claims, dev": 42.7, "Natural claims, dev": None, "Antonyms, dev": 0.14},
    {"model": "after", "Written claims, dev": 70.6, "Natural claims, dev": 68.2, "Antonyms, dev": 75.0},
]


def table_on(columns):
    """The cells that a process of its own prints: rich keeps the environment that it was imported in."""
    code = f"from sda_hf.commands.printing import print_table; print_table('Polarity', {ROWS!r})"
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    return [
        [cell.strip() for cell in line.strip("│┃").replace("┃", "│").split("│")]
        for line in done.stdout.decode().splitlines()
        if line[:1] in "│┃"
    ]


def test_a_wide_table_of_numbers_becomes_a_long_one():
    assert table_on(50) == [
        ["model", "before", "after"],
        ["Written claims, dev", "42.70", "70.60"],
        ["Natural claims, dev", "not measured", "68.20"],
        ["Antonyms, dev", "0.14", "75.00"],
    ]


def test_a_table_that_fits_stays_as_it_is():
    assert table_on(100)[1] == ["before", "42.70", "not measured", "0.14"]


@pytest.mark.parametrize(
    ("rows", "seconds", "title"),
    [(1, 3.0, "1 sentence"), (5, 3.0, "5 sentences"), (20_000, 20.0, "20,000 sentences, 1,000 a second")],
)
def test_a_rate_that_only_tells_of_the_start_is_left_out(rows, seconds, title):
    summary = Summary()
    summary.rows, summary.seconds = rows, seconds
    assert _title(summary) == title
