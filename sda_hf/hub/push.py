"""A finished run to the Hub: the model with its card, recipe, metrics and versions."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import yaml

from sda_hf.errors import InputFileError
from sda_hf.hub.blocks import with_model_id
from sda_hf.hub.upload import Pushed, Target, upload
from sda_hf.run_files import CARD, METRICS, RECIPE, RunMetrics

PICKLES = ("*.bin", "*.ckpt", "*.joblib", "*.pickle", "*.pkl", "*.pt", "*.pth")
# Checkpoints are for going on here; files that begin with a dot may be parts of what is being written.
LEFT_OUT = ("checkpoints/*", ".*", "*/.*", *PICKLES)

# An absolute path, of which the last part stays; before it, what tasks on files and addresses of files begin with.
PLACE = re.compile(
    r"(?P<kind>file://|[\w-]{2,}:)?(?P<folder>/(?!/)|~[^/\\]*[/\\]|[A-Za-z]:[\\/]|\\\\).*", re.ASCII | re.DOTALL
)


def push_run(
    run_dir: str | os.PathLike[str],
    target: Target,
    *,
    message: str = "Upload with sda-hf",
) -> Pushed:
    """Puts a run on the Hub: what `SentenceTransformer` loads, and README.md, recipe.yaml, metrics.json, versions.json.

    Checkpoints, pickled and hidden files stay here. In the recipe on the Hub absolute paths are cut to their last part;
    the files here stay as they are.

    Args:
        run_dir: the folder of a finished run, or of a model that sentence-transformers saved.
        target: where to, a repository of models.
        message: of the commit; title of the pull request.

    Returns:
        Where it is, and whether anything changed.

    Raises:
        InputFileError: no finished run, no model, weights in a pickle, or the Hub could not be reached or refused.
        InputValueError: no token, or the repository is public and a private one was asked for.

    Example:
        >>> push_run("no/such/run", Target("me/name"))
        Traceback (most recent call last):
        sda_hf.errors.InputFileError: no/such/run is no folder: give that of a finished run or of a saved model
    """
    folder = Path(run_dir)
    _check(folder)
    recipe, card = folder / RECIPE, folder / CARD
    instead = {RECIPE: _public(recipe)} if recipe.is_file() else {}
    if card.is_file():
        instead[CARD] = with_model_id(_text(card), target.repo_id).encode("utf-8")
    return upload(folder, target, message=message, ignore=LEFT_OUT, instead=instead)


def without_places(value: Any) -> Any:
    """The value with absolute paths cut to their last part: where things lie on a machine is not for the Hub.

    Args:
        value: a string, or mappings and lists of any depth; keys stay.

    Example:
        >>> without_places({"files": ["/home/me/a.txt", "b.txt"], "test": "triples:/data/t.tsv", "at": "https://x.org/y"})
        {'files': ['a.txt', 'b.txt'], 'test': 'triples:t.tsv', 'at': 'https://x.org/y'}
    """
    if isinstance(value, dict):
        return {key: without_places(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_places(item) for item in value]
    match = PLACE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value
    kind = match["kind"] or ""
    return kind.removesuffix("file://") + re.split(r"[/\\]", value.rstrip("/\\"))[-1]


def _public(recipe: Path) -> bytes:
    """The recipe without places; as it is where it has none."""
    try:
        content = recipe.read_bytes()
        settings = yaml.safe_load(content)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputFileError(f"cannot read {recipe}: {error}: correct it, or take it away") from error
    public = without_places(settings)
    if public == settings:
        return content
    return yaml.safe_dump(public, sort_keys=False, allow_unicode=True, width=120).encode("utf-8")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"cannot read {path}: {error}: correct it, or take it away") from error


def _check(folder: Path) -> None:
    """Refuses what is no finished run and no model."""
    if not folder.is_dir():
        raise InputFileError(f"{folder} is no folder: give that of a finished run or of a saved model")
    metrics = folder / METRICS
    if metrics.is_file() and not RunMetrics.load(metrics).is_finished:
        raise InputFileError(
            f"the run in {folder} is not finished: go on with `sda-hf train ... --resume`, then push it"
        )
    if not (folder / "modules.json").is_file():
        raise InputFileError(f"{folder} holds no saved model (no modules.json): give the folder of a finished run")
    for pattern in PICKLES:
        for pickled in sorted(folder.rglob(pattern)):
            inside = pickled.relative_to(folder).parts[0] != "checkpoints"
            if inside and not any(pickled.parent.glob("*.safetensors")):
                raise InputFileError(
                    f"{pickled} is a pickle, which is not pushed: save the model with safetensors "
                    "(model.save_pretrained(FOLDER)) and push that"
                )
