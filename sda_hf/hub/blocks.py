"""The parts of a README.md that this package writes, between markers; everything else stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from sda_hf.errors import InputValueError

# What sentence-transformers writes where no id is known, and replaces when a model is pushed.
NO_ID = "sentence_transformers_model_id"
LOADING = re.compile(r'SentenceTransformer\("([^"\n]+)"')
# Code and comments, in which a heading is none.
HIDDEN = re.compile(r"^(`{3,}).*?^\1|<!--.*?-->", re.DOTALL | re.MULTILINE)
MODEL_INDEX = re.compile(r"^model-index:.*\n(?:(?:[ \t\r-].*)?\n)*", re.MULTILINE)


def with_block(text: str, name: str, content: str, before: Sequence[str] = ()) -> str:
    r"""A README.md in which one part is new.

    Args:
        text: the README.md.
        name: name of the part, which its markers hold.
        content: Markdown; what stood between the markers goes.
        before: headings; where there are no markers, the part goes before the first of these that is there, or else
            to the end.

    Raises:
        InputValueError: one of the markers is missing, or there are several.

    Example:
        >>> text = with_block("# Mine\n\n## Usage\n", "scores", "None yet.", ["## Scores", "## Usage"])
        >>> print(with_block(text, "scores", "76.05"))
        # Mine
        <BLANKLINE>
        <!-- sda-hf: scores -->
        <BLANKLINE>
        76.05
        <BLANKLINE>
        <!-- sda-hf: end scores -->
        <BLANKLINE>
        ## Usage
    """
    begin, end = f"<!-- sda-hf: {name} -->", f"<!-- sda-hf: end {name} -->"
    newline = _newline(text)
    inside = content.strip().replace("<!-- sda-hf:", "<!-- sda-hf :")  # a marker in it would be taken for ours
    block = f"{begin}\n\n{inside}\n\n{end}".replace("\n", newline)
    counts = text.count(begin), text.count(end)
    if counts == (0, 0):
        return _inserted(text, block, before)
    first, last = text.find(begin), text.find(end)
    if counts != (1, 1) or last < first:
        raise InputValueError(
            f"the model card has {counts[0]} of the marker {begin!r} and {counts[1]} of {end!r}: leave one of each, in "
            "this order, or none for the part to be put in anew"
        )
    return text[:first] + block + text[last + len(end) :]


def with_model_index(text: str, model_index: Sequence[Mapping[str, Any]]) -> str:
    r"""A README.md with other results in its metadata, whose other keys stay as they were written.

    Args:
        text: the README.md.
        model_index: results as `huggingface_hub.repocard_data.eval_results_to_model_index` gives them.

    Example:
        >>> print(with_model_index("---\nlicense: mit # mine\n---\n# Mine\n", [{"name": "mine", "results": []}]))
        ---
        license: mit # mine
        model-index:
        - name: mine
          results: []
        ---
        # Mine
    """
    from huggingface_hub.repocard import REGEX_YAML_BLOCK  # here, because it is slow to import

    newline = _newline(text)
    new = yaml.safe_dump({"model-index": list(model_index)}, sort_keys=False, allow_unicode=True, line_break=newline)
    found = REGEX_YAML_BLOCK.search(text)
    if found is None:
        return f"---{newline}{new}---{newline}{text}"
    metadata = found[2] + newline
    index = MODEL_INDEX.search(metadata)
    first, last = index.span() if index else (len(metadata), len(metadata))
    metadata = metadata[:first] + new + metadata[last:]
    return text[: found.start(2)] + metadata.removesuffix(newline) + text[found.end(2) :]


def with_model_id(text: str, model_id: str) -> str:
    """A README.md whose examples load the model by its id on the Hub, where they had none.

    Example:
        >>> with_model_id('model = SentenceTransformer("sentence_transformers_model_id")', "me/name")
        'model = SentenceTransformer("me/name")'
    """
    return text.replace(f'SentenceTransformer("{NO_ID}"', f'SentenceTransformer("{model_id}"')


def model_id(text: str) -> str:
    """The id by which the examples of a README.md load the model; a stand-in where they have none."""
    ours = text.find("<!-- sda-hf: about -->")  # others may load other models
    found = LOADING.search(text, max(ours, 0))
    return found[1] if found else NO_ID


def _inserted(text: str, block: str, before: Sequence[str]) -> str:
    newline = _newline(text)
    shown = HIDDEN.sub(lambda hidden: " " * len(hidden[0]), text)
    for heading in before:
        found = re.search(rf"^{re.escape(heading)}[ \t]*\r?$", shown, re.MULTILINE)
        if found:
            return text[: found.start()] + block + 2 * newline + text[found.start() :]
    return text + ("" if text.endswith("\n") or not text else newline) + newline + block + newline


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
