"""The first page: a sentence, its clause, its rewrites, and how similar models take them to be."""

from __future__ import annotations

from typing import Any

from sda_hf.demo.drawing import draw_clauses, failure, note
from sda_hf.demo.embedded import ADAPTER, BASE, TRAINED, UNTRAINED
from sda_hf.demo.pages import explained, languages, rewrites_page
from sda_hf.demo.similarities import Models, similarities, similarities_page
from sda_hf.errors import InputError

EXAMPLES = (
    ("He said he would come.", "en"),
    ("She can't swim.", "en"),
    ("Her brother bought the big old house.", "en"),
    ("Nobody likes waiting, but it is worth it.", "en"),
    ("Is the shop open on Sundays?", "en"),
    ("他会游泳。", "zh"),
    ("她没有买那本旧书。", "zh"),
    ("这家餐厅的菜很好吃。", "zh"),
)
COVERAGES = [("what is sound", "sound"), ("everything, as in the papers", "full")]
# What a button says, and the models that it names.
COMPARISONS = (
    ("The small model of the quickstart (English)", UNTRAINED, TRAINED),
    ("all-MiniLM-L6-v2 and our adapter", BASE, ADAPTER),
)


def sentence_tab(before: str, after: str, folders: bool) -> dict[str, Any]:
    """Lay out the page, and return what shows its first example when the app opens."""
    import gradio as gr

    with gr.Row(equal_height=True):
        text = gr.Textbox(
            EXAMPLES[0][0],
            label="Sentence",
            info="The page follows what you type.",
            lines=2,
            max_lines=8,
            autofocus=True,
            scale=4,
        )
        language = gr.Radio(languages(), value=EXAMPLES[0][1], label="Language", scale=1, min_width=180)
    with gr.Row(elem_classes="sda-examples"):
        for example in EXAMPLES:
            button = gr.Button(example[0], size="sm", min_width=0)
            button.click(lambda chosen=example: chosen, outputs=[text, language], queue=False, api_visibility="private")
    seed = gr.State(0)
    with gr.Row(elem_classes="sda-options"):
        coverage = gr.Radio(COVERAGES, value="sound", label="Rewrite", scale=4)
        draw = gr.Button("Draw again", scale=1, min_width=140)
    draw.click(lambda number: number + 1, seed, seed, api_visibility="private")
    gr.HTML("<h2>Clause</h2>", elem_classes="sda-heading")
    clause = gr.HTML(elem_classes="sda-page", elem_id="clause")
    gr.HTML("<h2>Rewrites</h2>", elem_classes="sda-heading")
    rewrites = gr.HTML(elem_classes="sda-page", elem_id="rewrites")
    inputs = [text, language, coverage, seed]
    compared = _models(inputs, before, after, Models(folders=folders))
    shown: dict[str, Any] = {
        "fn": show,
        "inputs": inputs,
        "outputs": [clause, rewrites, compared],
        "show_progress": "hidden",
        "trigger_mode": "always_last",
        "api_visibility": "private",
    }
    gr.on([one.change for one in inputs], **shown)
    return shown


def _models(inputs: list[Any], before: str, after: str, models: Models) -> Any:
    """Lay out the comparison of models, and return where it is shown."""
    import gradio as gr

    gr.HTML("<h2>Similarity</h2>", elem_classes="sda-heading")
    gr.HTML("How close a model puts the sentence and each rewrite, before and after training.")
    what = "Hub id or folder" if models.folders else "Hub id"
    with gr.Row():
        first = gr.Textbox(before, label="Before", info=f"{what} of a model", placeholder=BASE, max_lines=1)
        second = gr.Textbox(after, label="After", info=f"{what} of a model or an adapter, or nothing", max_lines=1)
    with gr.Row(elem_classes="sda-examples"):
        for label, *chosen in COMPARISONS:
            choose = gr.Button(label, size="sm", min_width=0)
            choose.click(lambda pair=chosen: pair, outputs=[first, second], queue=False, api_visibility="private")
    button = gr.Button("Compare", variant="primary")
    compared = gr.HTML(elem_classes="sda-page", elem_id="compared", min_height=40)

    def compare(text: str, language: str, coverage: str, seed: int, *names: str) -> str:
        chosen = [name.strip() for name in names if name.strip()]
        if not chosen:
            return note(f"Name a model: its {what}.")
        try:
            explanation = explained(text, language, coverage, seed)
            found = similarities(explanation, [models[name] for name in chosen])
        except InputError as error:
            return failure(str(error))
        return similarities_page(found, chosen)

    how: dict[str, Any] = {"inputs": [*inputs, first, second], "outputs": compared, "api_visibility": "private"}
    gr.on([button.click, first.submit, second.submit], compare, **how)
    return compared


def show(text: str, language: str, coverage: str, seed: int) -> tuple[str, str, str]:
    """Return the clause and the rewrites as HTML, and nothing for the comparison, which was with another text.

    Example:
        >>> clause, rewrites, compared = show("", "en", "sound", 0)
        >>> clause, rewrites, compared
        ('', '<p class="sda-note">Type a sentence, or choose an example.</p>', '')
    """
    try:
        return draw_clauses(text, language), rewrites_page(explained(text, language, coverage, seed)), ""
    except InputError as error:
        return "", failure(str(error)), ""
