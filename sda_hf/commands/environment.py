"""What the command line expects of its process, and what it changes there while a command runs."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Iterator

from sda_hf.errors import MissingPackageError


def check_matplotlib(options: str = "--plots needs") -> None:
    """Check that plots can be drawn, before what they show is measured.

    Args:
        options: the options that ask for plots, with their verb.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingPackageError(f"{options} matplotlib: pip install 'sda-hf[plots]'")


@contextlib.contextmanager
def fewer_bars(*, unless: bool) -> Iterator[None]:
    """Hide the bars that transformers shows while files are read and written.

    Args:
        unless: show them nevertheless.
    """
    from transformers.utils import logging

    if unless or not logging.is_progress_bar_enabled():
        yield
        return
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.enable_progress_bar()
