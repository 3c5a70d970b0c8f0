from __future__ import annotations

import dataclasses
import re

import pytest
from huggingface_hub import ModelCard as HubCard
from huggingface_hub.repocard import metadata_load
from hypothesis import example, given
from hypothesis import strategies as st

from sda_hf.errors import InputValueError
from sda_hf.hub import ModelCard
from sda_hf.hub.blocks import NO_ID, model_id, with_block, with_model_id, with_model_index
from sda_hf.hub.card import PLACES, public
from sda_hf.papers import PAPERS, cited
from sda_hf.registry import AUGMENTERS, LOSSES

CARD = ModelCard(
    encoder="`some/encoder`",
    model_id="me/name",
    sources=["sentences.txt"],
    license="cc-by-4.0",
    rows={"sentences": 1412, "rows": 1300, "positive_changed": 0.875},
    columns=["anchor", "positive", "negative"],
    augmentation={"name": "negation", "parser": "/home/someone/pipes/en_mine"},
    augmenters=["negation"],
    rewrites={
        "negative": {
            "augmenter": "negation",
            "texts": 1000,
            "changed": 0.921,
            "rules": {"did not": 921},
            "skips": {"no claim to negate": 79},
        }
    },
    examples=[{"anchor": "A | B.", "positive": "A,\nB <b>.", "negative": "Not $A$, `B`."}],
    loss="MarginNegationInfoNCELoss",
    equation="\nx = y\n",
    source="Zhu et al., Eq. 4",
    scores="| Task | After |",
    recipe="model: some/encoder\n",
    seed=3,
    versions={"torch": "2.13.0"},
    limits=["`negation`: English alone."],
)
LEAST = ModelCard(encoder="x", loss="L", recipe="model: x\n")
RESULTS = [{"name": "mine", "results": [{"task": {"type": "semantic-similarity"}, "dataset": {"name": "s"}}]}]


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("about", "Trained with sda-hf, without labels, with `MarginNegationInfoNCELoss` on 1,300 triplets "
                  "(anchor, positive, negative), made of 1,412 sentences, rewritten by `negation`."),
        ("about", "Encoder before training: `some/encoder`."),
        ("about", 'model = SentenceTransformer("me/name")'),
        ("scores", "| Task | After |"),
        ("limits", "- `negation`: English alone."),
        ("rewriting", "- Sentences from `sentences.txt`: 1,412"),
        ("rewriting", "- Licence of the sentences: cc-by-4.0"),
        ("rewriting", "- Training rows (anchor, positive, negative): 1,300"),
        ("rewriting", "- Rows whose positive differs from the anchor: 87.5%"),
        ("rewriting", '  "parser": "en_mine"'),
        ("rewriting", "| negative | negation | 1,000 | 92.1% | did not 921 | no claim to negate 79 |"),
        ("rewriting", r"| A \| B. | A, B &lt;b&gt;. | Not \$A\$, \`B\`. |"),
        ("loss", "`MarginNegationInfoNCELoss` (Zhu et al., Eq. 4):"),
        ("loss", "x = y"),
        ("reproduction", "Seed: 3. Versions: torch 2.13.0."),
        ("reproduction", "model: some/encoder"),
    ],
)  # fmt: skip
def test_a_card_states_what_is_known(block, line):
    assert line in CARD.blocks()[block].splitlines()


def test_every_part_has_its_place():
    assert list(CARD.blocks()) == list(PLACES) == list(LEAST.blocks())


def test_what_nobody_stated_or_measured_is_not_made_up():
    text = "\n".join(LEAST.blocks().values())
    for line in (
        "Trained with sda-hf, without labels, with `L` on not measured pairs (anchor, positive), made of not measured "
        "sentences.",
        f'model = SentenceTransformer("{NO_ID}")',
        "- Licence of the sentences: not stated",
        "Scores: not measured.",
        "- Sentences from not stated: not measured",
        "Every sentence was paired with itself; the two differ by dropout alone.",
        "`L` is a loss of sentence-transformers, whose documentation has its equation.",
        "Seed: not stated. Versions: not stated.",
        "Nobody has looked for them yet.",
    ):
        assert line in text.splitlines()


def test_an_augmentation_that_was_not_looked_at_is_not_measured():
    text = dataclasses.replace(CARD, rewrites={}).blocks()["rewriting"]
    assert "How often each augmenter rewrote a sentence: not measured." in text


def test_text_from_outside_cannot_break_the_card():
    card = dataclasses.replace(CARD, encoder="costs $name and ${x}", limits=["a $seed"], recipe="a: |\n  ````\n")
    blocks = card.blocks()
    assert "Encoder before training: costs $name and ${x}." in blocks["about"].splitlines()
    assert blocks["limits"].endswith("\n- a $seed")
    assert blocks["reproduction"].count("`````") == 2
    ours = "<!-- sda-hf: end limits -->"
    once = with_block("# Mine\n", "limits", f"say {ours}")
    assert once.count(ours) == 1
    assert with_block(once, "limits", f"say {ours}") == once


def test_long_texts_are_cut_in_tables():
    rows = [{"anchor": "a" * 1000, "positive": "b", "negative": None}]
    text = dataclasses.replace(CARD, examples=rows).blocks()["rewriting"]
    assert f"| {'a' * 299}… | b |  |" in text.splitlines()


def test_neither_places_nor_tokens_are_public():
    given = {"test": ["triples:/data/a.tsv"], "arguments": {"hub_token": "secret", "run": "hf_" + "x" * 34}, "seed": 1}
    assert public(given) == {
        "test": ["triples:a.tsv"],
        "arguments": {"hub_token": "not shown", "run": "not shown"},
        "seed": 1,
    }
    assert public({"hub_token": None, "name": "hf_t5"}) == {"hub_token": None, "name": "hf_t5"}


# -- parts of a README.md ----------------------------------------------------------------------------

PLAIN = st.text(st.sampled_from("ab #`\n-<!>é"), max_size=40)


@given(PLAIN, PLAIN, PLAIN)
@example("", "", "a")
@example("# A", "```\n## B\n```", "a")
def test_what_stands_around_a_part_stays(text, content, other):
    once = with_block(text, "it", content, ["## B"])
    assert once.startswith(text)
    assert with_block(once, "it", content) == once
    assert with_block(with_block(once, "it", other), "it", content) == once


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_part_goes_before_the_first_heading_that_is_there(newline):
    text = newline.join(["# A", "```", "## B", "```", "<!--", "## B", "-->", "## Been", "## B ", "## C", ""])
    found = with_block(text, "it", "one\ntwo", ["## None", "## B", "## C"])
    block = newline.join(["<!-- sda-hf: it -->", "", "one", "two", "", "<!-- sda-hf: end it -->", "", ""])
    assert found == text.replace("## B ", f"{block}## B ")
    assert with_block(found, "it", "one\ntwo") == found


@pytest.mark.parametrize(
    "text",
    ["<!-- sda-hf: it -->", "<!-- sda-hf: end it -->", "<!-- sda-hf: end it --> <!-- sda-hf: it -->",
     2 * "<!-- sda-hf: it --> <!-- sda-hf: end it -->"],
)  # fmt: skip
def test_markers_that_do_not_fit(text):
    with pytest.raises(InputValueError, match=r"'<!-- sda-hf: it -->'.*leave one of each, in this order, or none"):
        with_block(text, "it", "new")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("license: mit  # mine\n", ""),
        ("license: mit\nmodel-index:\n- name: old\n  results:\n\n  - task: x\n", "tags:\n- a\n"),
        ("", "model-index: []\nx: 1\n"),
        ("model-index:\n  - name: old\n", ""),
    ],
)
def test_the_results_alone_change_in_the_metadata(tmp_path, before, after, newline):
    text = f"---\n{before}{after}---\n\n# Mine\n".replace("\n", newline)
    found = with_model_index(text, RESULTS)
    (tmp_path / "README.md").write_bytes(found.encode())
    old = {key: value for key, value in (HubCard(text, ignore_metadata_errors=True).data.to_dict()).items()}
    data = metadata_load(tmp_path / "README.md")
    assert data.pop("model-index") == RESULTS
    assert data == {key: value for key, value in old.items() if key != "model-index"}
    assert found.endswith("---\n\n# Mine\n".replace("\n", newline))
    assert (newline == "\r\n") == ("\r\n" in found)
    assert "\n" not in found.replace(newline, "")
    assert "license: mit  # mine" in found or "# mine" not in text
    assert with_model_index(found, RESULTS) == found


def test_a_card_without_metadata_gets_some(tmp_path):
    (tmp_path / "README.md").write_text(with_model_index("# Mine\n", RESULTS), encoding="utf-8")
    assert metadata_load(tmp_path / "README.md") == {"model-index": RESULTS}


def test_the_id_of_a_card():
    text = f'model = SentenceTransformer("{NO_ID}", device="cpu")\n'
    assert model_id("# Mine") == model_id(text) == NO_ID
    named = with_model_id(text, "me/name")
    assert named == 'model = SentenceTransformer("me/name", device="cpu")\n'
    assert model_id(named) == "me/name"
    assert model_id(f'SentenceTransformer("other/one")\n<!-- sda-hf: about -->\n{named}') == "me/name"


# -- papers and losses -------------------------------------------------------------------------------


def test_the_papers_of_the_losses_and_augmenters():
    losses = {name: cls for name, cls in LOSSES.load().items() if cls.__module__.startswith("sda_hf")}
    assert {name: list(cited([cls.source])) for name, cls in losses.items()} == {
        "margin-negation-infonce": ["SDA"],
        "nt-xent": ["UNA"],
        "simcse-edacse": ["EdaCSE"],
    }
    for cls in losses.values():
        assert cls.citation.fget(None) == PAPERS[next(iter(cited([cls.source])))]
    assert list(cited(AUGMENTERS.get(name).source for name in AUGMENTERS)) == list(PAPERS)
    assert cited(["EDA, EMNLP 2019, section 2"]) == {}


@pytest.mark.parametrize("bibtex", PAPERS.values(), ids=PAPERS)
def test_bibtex(bibtex):
    assert re.match(r"\n@\w+\{\w+,\n(    \w+ = \".+\",\n)+\}\n$", bibtex)
    assert bibtex.count("{") == bibtex.count("}")


@pytest.mark.parametrize("name", ["margin-negation-infonce", "nt-xent", "simcse-edacse"])
def test_equations_are_latex_that_can_be_set(name):
    mathtext = pytest.importorskip("matplotlib.mathtext")
    equation = " ".join(LOSSES.get(name).equation.split())
    mathtext.MathTextParser("path").parse(f"${equation}$")
