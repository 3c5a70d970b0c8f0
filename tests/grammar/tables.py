"""The tables of a language's lexicon, as they stand in its files."""

import csv
from importlib import resources

from sda_hf.grammar.base import grammar_of


def rows(language, name):
    """The rows of a table, the header first."""
    folder = resources.files(type(grammar_of(language)).__module__) / "lexicon"
    with (folder / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
