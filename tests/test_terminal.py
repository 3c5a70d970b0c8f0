"""What a stranger's text or file name prints: control characters are shown, not obeyed."""

import json
import sys

import pytest

from sda_hf.augmentation.rewrite import outcome
from sda_hf.cli import main
from sda_hf.commands.printing import print_table
from sda_hf.grammar.edits import Edit, Skip

# Clears the screen, sets the window's title, rings, hides what follows, starts a line, reverses the direction.
HOSTILE = ["\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\x7f", "\r", "\x85", "\u2028", "\u202e", "\u2066", "\x00"]
FORBIDDEN = {mark for text in HOSTILE for mark in text if not mark.isprintable()}


def is_harmless(printed):
    return FORBIDDEN.isdisjoint(printed)


@pytest.mark.parametrize("mark", HOSTILE)
def test_a_rewrite(mark):
    text = f"He{mark} left."
    for result in ([Edit(2, 2, f"{mark}!", f"rule {mark}")], Skip(f"no claim in {mark}")):
        shown = str(outcome(text, result))
        assert is_harmless(shown)
        assert len(shown.splitlines()) == (2 if isinstance(result, Skip) else 3)
    assert outcome(text, [Edit(0, 2, "She", "")]).text == f"She{mark} left.", "the data keep their characters"


def test_what_is_shown_for_it():
    shown = str(outcome("a\x1b[2J\nb", [Edit(0, 1, "\u202ec", "r")]))
    assert shown == "a\\x1b[2J\\nb\n→ \\u202ec\\x1b[2J\\nb\n  'a' → '\\u202ec'  (r)"


@pytest.mark.parametrize("mark", HOSTILE)
def test_a_table(mark, capsys):
    print_table(f"title{mark}", [{f"key{mark}": f"value{mark}", "n": 1}])
    printed = capsys.readouterr().out
    assert is_harmless(printed)
    assert printed.count(mark.encode("unicode_escape").decode()) == 3


def call(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["sda-hf", *map(str, arguments)])
    try:
        main()
    except SystemExit as ended:
        return ended.code


@pytest.mark.parametrize("mark", [mark for mark in HOSTILE if mark != "\x00"])
def test_error_lines_and_file_names(mark, tmp_path, monkeypatch, capsys):
    source = tmp_path / f"in{mark}.jsonl"
    for command in (
        ["augment", source, tmp_path / "a.txt", "--augmenter", "negation"],
        ["card", source],
        ["train", source],
    ):
        assert call(monkeypatch, *command) == 2
        error = capsys.readouterr().err
        assert error.startswith("error: ")
        assert error.count("\n") == 1
        assert is_harmless(error)
    source.write_text(json.dumps({f"a{mark}": 1}) + "\n", encoding="utf-8")
    assert call(monkeypatch, "augment", source, tmp_path / "a.txt", "--augmenter", "negation") == 2
    assert is_harmless(capsys.readouterr().err)


def test_the_name_of_a_file_that_was_written(tmp_path, monkeypatch, capsys):
    (tmp_path / "in.txt").write_text("\x1b[2J\nHe left.\n", encoding="utf-8")
    target = tmp_path / "out\x1b[2J.csv"
    assert call(monkeypatch, "augment", tmp_path / "in.txt", target, "--augmenter", "negation") == 0
    printed = capsys.readouterr()
    assert f"Written: {tmp_path}/out\\x1b[2J.csv\n" in printed.out
    assert is_harmless(printed.out)
    rows = "text,negation\n\x1b[2J,\nHe left.,He didn't leave.\n"
    assert target.read_text(encoding="utf-8") == rows, "files keep their bytes"


def test_a_name_that_is_not_unicode(tmp_path, monkeypatch, capsys):
    assert call(monkeypatch, "card", f"{tmp_path}/a\udcff") == 2
    assert r"a\udcff is not the folder of a finished run" in capsys.readouterr().err
