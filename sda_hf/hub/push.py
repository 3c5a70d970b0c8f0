"""Pushing a finished run: the model with its card, recipe, metrics and versions."""

from __future__ import annotations

import os
from pathlib import Path

import yaml

from sda_hf.errors import InputFileError
from sda_hf.hub.redaction import redacted, without_secrets
from sda_hf.hub.upload import Pushed, Target, files_of, upload
from sda_hf.run_files import CARD, METRICS, RECIPE, VERSIONS, RunMetrics

# What sentence-transformers writes for the id of a model, and replaces in its own push_to_hub.
PLACEHOLDER_ID = "sentence_transformers_model_id"
PICKLES = ("*.bin", "*.ckpt", "*.joblib", "*.pickle", "*.pkl", "*.pt", "*.pth")
# Checkpoints are of use for resuming only; hidden files may be files that are being written.
IGNORED = ("checkpoints/*", ".*", "*/.*", *PICKLES)


def push_run(
    run_dir: str | os.PathLike[str],
    target: Target,
    *,
    message: str = "Upload with sda-hf",
) -> Pushed:
    """Push a run to the Hub: the saved model, README.md, recipe.yaml, metrics.json and versions.json.

    Checkpoints, pickles and hidden files are left out. Absolute paths in the recipe are cut to their last part, tokens
    and credentials are removed from the four files, and the examples in the card get the model's id. A symbolic link is
    refused, and so is a token in any other text file. The files in the folder stay as they are.

    Args:
        run_dir: folder of a finished run, or of a model that sentence-transformers saved.
        target: a model repository.
        message: message of the commit, or title of the pull request.

    Raises:
        InputFileError: the folder holds no finished run and no model, or weights in a pickle, a link or a token; or
            the Hub cannot be reached or refuses.
        InputValueError: there is no token, or `private` was asked for and the repository is public.

    Example:
        >>> push_run("no/such/run", Target("me/name"))
        Traceback (most recent call last):
        sda_hf.errors.InputFileError: no/such/run is not a folder: give that of a finished run or of a saved model
    """
    folder = Path(run_dir)
    _check(folder)
    files = files_of(folder, IGNORED)  # before any file is read: one may be a link
    replace = {name: _without_secrets(files[name]) for name in (METRICS, VERSIONS) if name in files}
    if RECIPE in files:
        replace[RECIPE] = _redacted_recipe(files[RECIPE])
    if CARD in files:
        replace[CARD] = _without_secrets(files[CARD]).replace(PLACEHOLDER_ID.encode(), target.repo_id.encode())
    return upload(folder, target, message=message, ignore=IGNORED, replace=replace)


def _redacted_recipe(path: Path) -> bytes:
    """Return the recipe without local folders and tokens; byte for byte as it is if it has none, even in comments."""
    content = _read(path)
    try:
        text = content.decode("utf-8")
        settings = yaml.safe_load(text)
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputFileError(f"cannot read {path}: {error}: fix it, or remove it") from error
    public = redacted(settings)
    if public == settings and without_secrets(text) == text:
        return content
    return yaml.safe_dump(public, sort_keys=False, allow_unicode=True, width=120).encode("utf-8")


def _without_secrets(path: Path) -> bytes:
    """Return the bytes of a text file without tokens."""
    return without_secrets(_read(path).decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputFileError(f"cannot read {path}: {error.strerror}") from error


def _check(folder: Path) -> None:
    """Refuse what is neither a finished run nor a saved model."""
    if not folder.is_dir():
        raise InputFileError(f"{folder} is not a folder: give that of a finished run or of a saved model")
    metrics = folder / METRICS
    if metrics.is_file() and not RunMetrics.load(metrics).is_finished:
        raise InputFileError(f"the run in {folder} is not finished: resume it with `sda-hf train --resume`, then push")
    if not (folder / "modules.json").is_file():
        raise InputFileError(f"{folder} holds no saved model (no modules.json): give the folder of a finished run")
    for pattern in PICKLES:
        for pickled in sorted(folder.rglob(pattern)):
            checkpoint = pickled.relative_to(folder).parts[0] == "checkpoints"
            if not checkpoint and not any(pickled.parent.glob("*.safetensors")):
                raise InputFileError(
                    f"{pickled} is a pickle, which is not pushed: save the model with safetensors "
                    "(model.save_pretrained(FOLDER)) and push that folder"
                )
