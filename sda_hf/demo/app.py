"""The app: what is on its pages, and how it looks."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sda_hf.demo.batch_tab import batch_tab
from sda_hf.demo.embedded import TRAINED, UNTRAINED
from sda_hf.demo.sentence_tab import sentence_tab
from sda_hf.errors import MissingPackageError

if TYPE_CHECKING:
    import gradio as gr

TITLE = "sda-hf playground"
HEADER = (
    f'<div class="sda-header"><h1>{TITLE}</h1>'
    "<p>What the rules find in a sentence, how they rewrite it, and what a model makes of it.</p></div>"
)
TELEMETRY = "HF_HUB_DISABLE_TELEMETRY"


def playground(before: str = UNTRAINED, after: str = TRAINED, folders: bool = True) -> gr.Blocks:
    """Return the app, a `gradio.Blocks`, to be launched or mounted with `page_options()`.

    Args:
        before: the model that the first text box names when the app opens: a folder or a Hub id. By default, the model
            of the quickstart, which comes with the package: before training, and in the second box after it.
        after: the one that the second names.
        folders: whether models may be folders of this machine; not where strangers use the app.

    Raises:
        MissingPackageError: gradio is not installed.
    """
    gr = gradio()
    with _same_environment(), gr.Blocks(title=TITLE, analytics_enabled=False, delete_cache=(3600, 3600)) as app:
        gr.HTML(HEADER)
        with gr.Tab("A sentence"):
            shown = sentence_tab(before, after, folders)
        with gr.Tab("A file"):
            batch_tab()
        app.load(**shown)
    return app


def page_options() -> dict[str, Any]:
    """Return how the app looks, for gradio's `launch` and `mount_gradio_app`: nothing is loaded from elsewhere.

    Raises:
        MissingPackageError: gradio is not installed.
    """
    gr = gradio()
    theme = gr.themes.Default(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])
    return {
        "css_paths": Path(__file__).with_name("style.css"),
        "footer_links": ["gradio", "settings"],
        "pwa": False,
        "run_history": False,
        "ssr_mode": False,
        "theme": theme,
    }


def gradio() -> ModuleType:
    """Return the package gradio.

    Raises:
        MissingPackageError: it is not installed.
    """
    if importlib.util.find_spec("gradio") is None:
        raise MissingPackageError("the playground needs gradio: pip install 'sda-hf[demo]'")
    return importlib.import_module("gradio")


@contextmanager
def _same_environment() -> Iterator[None]:
    """Leave the environment of the process as it is: gradio without analytics sets a variable in it."""
    before = os.environ.get(TELEMETRY)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(TELEMETRY, None)
        else:
            os.environ[TELEMETRY] = before
