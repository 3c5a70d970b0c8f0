"""Makes the notebooks from the guides of the same names: `python recipes/notebooks/make.py`, after a guide has changed.

Code blocks become cells without outputs. A block after "Save ... as `NAME`:" becomes a cell that writes the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

HERE = Path(__file__).parent
NAMES = ("first-model", "your-data")
BLOCK = re.compile(r"(?:Save [^\n]*?`(?P<file>[^`\n]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<code>.*?)^```$", re.DOTALL | re.M)
# Links to other guides, which are in a folder of their own.
NEIGHBOUR = re.compile(r"\]\((?=[\w-]+\.md)")


class Block(NamedTuple):
    """A code block of a Markdown text, with its language and the file that it is saved as."""

    kind: str
    code: str
    file: str | None


def parts_of(text: str) -> Iterator[str | Block]:
    """The code blocks of a Markdown text, and the texts between them, in order."""
    end = 0
    for found in BLOCK.finditer(text):
        yield text[end : found.start("kind") - len("```")]
        yield Block(found["kind"], found["code"], found["file"])
        end = found.end()
    yield text[end:]


def notebook_of(text: str) -> nbformat.NotebookNode:
    """The notebook of a guide."""
    cells = []
    for part in parts_of(text):
        cell = markdown_cell(part) if isinstance(part, str) else code_cell(part)
        if cell is not None:
            cell.id = f"cell-{len(cells)}"  # by default it is drawn at random
            cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def markdown_cell(text: str) -> nbformat.NotebookNode | None:
    """A cell of text; None if it is blank."""
    return new_markdown_cell(NEIGHBOUR.sub("](../guides/", text.strip())) if text.strip() else None


def code_cell(block: Block) -> nbformat.NotebookNode | None:
    """The cell of a code block; None for the output of a command."""
    kind, code, file = block
    if file is not None:
        return new_code_cell(f"%%writefile {file}\n{code}")
    if kind == "text":
        return None
    if code.startswith("pip install"):  # before the notebook is opened
        return new_markdown_cell(f"```{kind}\n{code}```")
    if kind == "bash":
        code = "".join(f"!{line}\n" for line in code.splitlines())
    if kind == "pycon":
        code = "".join(f"{line[4:]}\n" for line in code.splitlines() if line.startswith((">>> ", "... ")))
    return new_code_cell(code.rstrip())


def main() -> None:
    """Write every notebook."""
    for name in NAMES:
        text = (HERE.parent / "guides" / f"{name}.md").read_text(encoding="utf-8")
        nbformat.write(notebook_of(text), HERE / f"{name}.ipynb")


if __name__ == "__main__":
    main()
