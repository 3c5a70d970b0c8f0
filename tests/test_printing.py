"""What commands print, on terminals of different widths."""

import pytest

from sda_hf.augmentation.counts import Summary
from sda_hf.commands.augment import _title
from sda_hf.commands.printing import print_table

ROWS = [
    {"model": "before", "Written claims, dev": 42.7, "Natural claims, dev": None, "Antonyms, dev": 0.14},
    {"model": "after", "Written claims, dev": 70.6, "Natural claims, dev": 68.2, "Antonyms, dev": 75.0},
]


@pytest.fixture(autouse=True)
def _terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")  # a dumb terminal has 80 columns, whatever COLUMNS says


def lines_of(capsys):
    return [
        [cell.strip() for cell in line.strip("│┃").replace("┃", "│").split("│")]
        for line in capsys.readouterr().out.splitlines()
        if line[:1] in "│┃"
    ]


def test_a_wide_table_of_numbers_becomes_a_long_one(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    print_table("Polarity", ROWS)
    assert lines_of(capsys) == [
        ["model", "before", "after"],
        ["Written claims, dev", "42.70", "70.60"],
        ["Natural claims, dev", "not measured", "68.20"],
        ["Antonyms, dev", "0.14", "75.00"],
    ]


def test_a_table_that_fits_stays_as_it_is(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    print_table("Polarity", ROWS)
    assert lines_of(capsys)[1] == ["before", "42.70", "not measured", "0.14"]


@pytest.mark.parametrize(
    ("rows", "seconds", "title"),
    [(1, 3.0, "1 sentence"), (5, 3.0, "5 sentences"), (20_000, 20.0, "20,000 sentences, 1,000 a second")],
)
def test_a_rate_that_only_tells_of_the_start_is_left_out(rows, seconds, title):
    summary = Summary()
    summary.rows, summary.seconds = rows, seconds
    assert _title(summary) == title
