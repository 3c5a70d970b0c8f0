"""Runs the code blocks of a Markdown file in order, as a reader would.

A block after "Save ... as `NAME`:" becomes that file. Python blocks share one session; those with prompts are doctests.
Commands run in this process; a `text` block after them is what they print. Models of the Hub are folders of the same
name in the working directory, which is where the Hugging Face libraries look first.
"""

from __future__ import annotations

import doctest
import importlib.util
import io
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("make_notebooks", ROOT / "recipes" / "notebooks" / "make.py")
assert SPEC
notebooks = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(notebooks)
# They need a network, other processes or a cluster, and have tests of their own.
NOT_RUN = ("pip install ", "hf auth login", "accelerate launch ")
# A reference, a part of another package's metadata, and a pipe of the shell.
SHOWN_ONLY = ("bibtex", "toml", "sh")
# The runs of this recipe take minutes; these are added to their commands.
LESS = ["--set", "training.max_steps=2", "--set", "data.limit=60"]
SHORTER = {"sda-hf train quickstart": LESS, "sda-hf sweep quickstart": LESS}


def blocks_of(text: str) -> list[tuple[str, str, str | None]]:
    """The code blocks of a Markdown text: language, code, and the file that it is saved as."""
    blocks = [part for part in notebooks.parts_of(text) if not isinstance(part, str)]
    assert len(blocks) == len(re.findall(r"^```\w", text, re.M)), "a block is not closed"
    return blocks


def commands_of(code: str) -> Iterator[str]:
    """The commands of a bash block, one a line or continued with a backslash, without comments."""
    for line in code.replace("\\\n", " ").splitlines():
        if words := shlex.split(line, comments=True):
            yield shlex.join(words)


def as_run(command: str) -> list[str] | None:
    """The words of a command as the tests run it; None if they do not."""
    if command.startswith(NOT_RUN) or "--engine ray" in command:
        return None
    assert command.startswith("sda-hf "), f"the tests do not know how to run {command}"
    return shlex.split(command) + next((more for start, more in SHORTER.items() if command.startswith(start)), [])


def run_markdown(path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Run the blocks of a file in the working directory, and return the session."""
    session: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    for kind, code, file in blocks_of(path.read_text(encoding="utf-8")):
        if file is not None:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(code, encoding="utf-8")
        elif kind == "bash":
            printed = "".join(_printed(words, monkeypatch) for words in map(as_run, commands_of(code)) if words)
        elif kind == "text":
            assert printed == code
        elif kind not in SHOWN_ONLY:
            _RUNNERS[kind](code, path.name, session)
    return session


def _printed(words: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    from sda_hf.cli import main

    monkeypatch.setattr(sys, "argv", words)
    output = io.StringIO()
    with redirect_stdout(output), pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code, f"{shlex.join(words)} failed"
    return output.getvalue()


def _execute(code: str, name: str, session: dict[str, object]) -> None:
    exec(compile(code, name, "exec"), session)


def _check(code: str, name: str, session: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(code, session, name, name, 0)
    report = io.StringIO()
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(
        test, out=report.write, clear_globs=False
    )
    assert not report.getvalue(), report.getvalue()
    session.update(test.globs)


_RUNNERS: dict[str, Callable[[str, str, dict[str, object]], None]] = {"python": _execute, "pycon": _check}
