"""The second page: a file of sentences to upload, and its rewrites to download."""

from __future__ import annotations

import tempfile
from typing import Any

from sda_hf.augmentation.explanation import rule_names
from sda_hf.demo.batch import FORMATS, UPLOADED, counted, preview, rewrite_upload
from sda_hf.demo.drawing import failure, note
from sda_hf.demo.pages import languages
from sda_hf.errors import InputError
from sda_hf.files import count_rows

CHOSEN = ["modal-verbs", "negation"]


def batch_tab() -> None:
    """Lay out the page."""
    import gradio as gr

    with gr.Row():
        with gr.Column():
            upload = gr.File(label="A file with a sentence a row", file_types=list(UPLOADED), height=140)
            language = gr.Radio(languages(), value="en", label="Language")
        with gr.Column():
            names = gr.CheckboxGroup(rule_names("en"), value=CHOSEN, label="A column for each")
            suffix = gr.Radio(list(FORMATS), value=FORMATS[0], label="Format")
    start = gr.Button("Rewrite", variant="primary")
    page = gr.HTML(elem_classes="sda-page", elem_id="file", min_height=40)
    download = gr.DownloadButton("Download", interactive=False, elem_id="download")
    folder = gr.State()

    def look(path: str | None) -> tuple[str, Any]:
        return _preview(path), gr.DownloadButton(interactive=False)

    def offer(code: str) -> Any:
        offered = rule_names(code)
        return gr.CheckboxGroup(offered, value=[name for name in CHOSEN if name in offered])

    def rewrite(
        path: str | None,
        chosen: list[str],
        code: str,
        form: str,
        old: tempfile.TemporaryDirectory[str] | None,
        progress: Any = gr.Progress(),  # noqa: B008 - so gradio finds it
    ) -> tuple[str, Any, Any]:
        if old is not None:
            old.cleanup()
        if path is None:
            return note("Choose a file first."), gr.DownloadButton(interactive=False), None
        new = tempfile.TemporaryDirectory(prefix="sda-hf-")
        done = 0
        try:
            rows = count_rows(path)

            def tell(more: int, _changed: int) -> None:
                nonlocal done
                done += more
                progress((done, rows), unit="rows")

            written = rewrite_upload(path, new.name, chosen, code, form, progress=tell)
        except InputError as error:
            new.cleanup()
            return failure(str(error)), gr.DownloadButton(interactive=False), None
        shown = counted(written.summary) + preview(written.path)
        return shown, gr.DownloadButton(value=str(written.path), interactive=True, variant="primary"), new

    hidden: dict[str, Any] = {"api_visibility": "private"}
    upload.change(look, upload, [page, download], **hidden)
    language.change(offer, language, names, **hidden)
    start.click(rewrite, [upload, names, language, suffix, folder], [page, download, folder], **hidden)


def _preview(path: str | None) -> str:
    if path is None:
        return ""
    try:
        return preview(path)
    except InputError as error:
        return failure(str(error))
