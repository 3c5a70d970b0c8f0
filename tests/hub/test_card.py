"""The section of a model card, and how it gets into a README.md."""

import dataclasses
import re

import pytest
from huggingface_hub import EvalResult
from huggingface_hub import ModelCard as HubCard
from hypothesis import example, given
from hypothesis import strategies as st

from sda_hf.errors import InputValueError
from sda_hf.hub.card import BEGIN, END, ModelCard, with_results, with_section
from sda_hf.papers import PAPERS, cited
from sda_hf.registry import AUGMENTERS, LOSSES
from sda_hf.run_files import DataStatistics, RewriteStatistics

NEGATED = RewriteStatistics(
    augmenter="negation", texts=1000, changed=0.921, rules={"did not": 921}, skips={"no claim to negate": 79}
)
CARD = ModelCard(
    encoder="`some/encoder`",
    sources=["sentences.txt"],
    license="cc-by-4.0",
    data=DataStatistics(sentences=1412, rows=1300, positive_changed=0.875, rewrites={"negative": NEGATED}),
    columns=["anchor", "positive", "negative"],
    augmentation={"name": "negation", "parser": "/home/someone/pipes/en_mine"},
    augmenters=["negation"],
    examples=[{"anchor": "A | B.", "positive": "A,\nB <b>.", "negative": "Not $A$, `B`."}],
    loss="MarginNegationInfoNCELoss",
    equation="\nx = y\n",
    source="Zhu et al., Eq. 4",
    scores="| Task | After |",
    recipe="model: some/encoder\n",
    seed=3,
    versions={"torch": "2.13.0"},
    limits=["`negation`: English only."],
)
LEAST = ModelCard(encoder="x", loss="L", recipe="model: x\n")
RESULT = EvalResult("semantic-similarity", "stsb", "STS-B", "spearman_cosine", 0.76, metric_name="Spearman Cosine")


def test_what_is_known_is_stated():
    lines = CARD.render().splitlines()
    for line in (
        "Trained without labels by sda-hf, with `MarginNegationInfoNCELoss` on 1,300 triplets "
        "(anchor, positive, negative), made from 1,412 sentences, rewritten by `negation`.",
        "Encoder before training: `some/encoder`.",
        "| Task | After |",
        "- `negation`: English only.",
        "- Sentences from `sentences.txt`: 1,412",
        "- Licence of the sentences: cc-by-4.0",
        "- Training rows (anchor, positive, negative): 1,300",
        "- Rows whose positive differs from the anchor: 87.5%",
        '  "parser": "en_mine"',
        "| negative | negation | 1,000 | 92.1% | did not 921 | no claim to negate 79 |",
        "| A &#124; B. | A, B &lt;b&gt;. | Not &#36;A&#36;, &#96;B&#96;. |",
        "`MarginNegationInfoNCELoss` (Zhu et al., Eq. 4):",
        "x = y",
        "Seed: 3. Versions: torch 2.13.0.",
        "model: some/encoder",
    ):
        assert line in lines


def test_what_is_not_known_is_not_made_up():
    lines = LEAST.render().splitlines()
    for line in (
        "Trained without labels by sda-hf, with `L` on pairs (anchor, positive).",
        "Scores: not measured.",
        "Limits: not stated.",
        "- Licence of the sentences: not stated",
        "- Sentences from not stated: not measured",
        "Every sentence was paired with itself; the two embeddings differ by dropout alone.",
        "`L` is a loss of sentence-transformers; its documentation has the equation.",
        "Seed: not stated. Versions: not stated.",
    ):
        assert line in lines
    unmeasured = dataclasses.replace(CARD, data=DataStatistics()).render()
    assert "How often sentences were changed: not measured." in unmeasured


def test_text_from_elsewhere_cannot_break_the_card():
    card = dataclasses.replace(CARD, encoder="costs $name and ${x}", recipe="a: |\n  ````\n", limits=[f"say {END}"])
    assert "Encoder before training: costs $name and ${x}." in card.render().splitlines()
    assert card.render().count("`````") == 2
    once = with_section("# Mine\n", card.render())
    assert once.count(END) == 1
    assert with_section(once, card.render()) == once
    long = dataclasses.replace(CARD, examples=[{"anchor": "a" * 1000, "positive": "b", "negative": None}])
    assert f"| {'a' * 299}… | b |  |" in long.render().splitlines()


# -- the section in a README.md ----------------------------------------------------------------------

PLAIN = st.text(st.sampled_from("ab #`\n-<!>é"), max_size=40)


@given(PLAIN, PLAIN, PLAIN, PLAIN)
@example("", "", "", "a")
@example("# A\n", "## Model Details\n", "a", "b")
def test_text_around_the_section_stays(before, after, section, other):
    once = with_section(before + "\n\n## Model Details" + after, section)
    assert once.startswith(before)
    assert once.endswith(after)
    assert with_section(once, section) == once
    assert with_section(with_section(once, other), section) == once
    # Wherever it was moved to, it stays there.
    moved = before + once[once.index(BEGIN) : once.index(END) + len(END)] + after
    assert with_section(moved, section) == moved


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_where_the_section_goes(newline):
    note = "<!-- `sda-hf card` rewrites everything up to the end marker. Write your own text outside of it. -->"
    block = f"{BEGIN}\n{note}\n\none\ntwo\n\n{END}\n"
    for text, expected in {
        "# A\n\n## Model Details\n\n## Usage\n": f"# A\n\n{block}\n## Model Details\n\n## Usage\n",
        "# A\n": f"# A\n\n{block}",
        f"# A\n\n{BEGIN}\nold\n{END}\nmine\n": f"# A\n\n{block}mine\n",
        # Version 0.4 marked six parts; they become one.
        "# A\n\n<!-- sda-hf: about -->\nold\n<!-- sda-hf: end about -->\n\n## Usage\n\n"
        "<!-- sda-hf: limits -->\nold\n<!-- sda-hf: end limits -->\n\n## Citation\n": (
            f"# A\n\n{block}\n## Usage\n\n## Citation\n"
        ),
    }.items():
        assert with_section(text.replace("\n", newline), "one\ntwo") == expected.replace("\n", newline)


@pytest.mark.parametrize("text", [BEGIN, END, f"{END} {BEGIN}", f"{BEGIN} {END} {BEGIN}"])
def test_a_marker_without_its_counterpart(text):
    with pytest.raises(InputValueError, match=r"^a marker <!-- sda-hf: \.\.\. --> without its counterpart: restore"):
        with_section(text, "new")


def test_results_in_the_metadata():
    text = "---\nlicense: mit # mine\ntags:\n- a\n---\n\n# Mine\n"
    new = with_results(text, "mine", [RESULT])
    card = HubCard(new)
    assert (card.data.license, card.data.tags, card.data.model_name) == ("mit", ["a"], "mine")
    assert card.data.eval_results == [RESULT]
    assert new.endswith("\n---\n\n# Mine\n")
    assert with_results(new, "mine", [RESULT]) == new
    other = dataclasses.replace(RESULT, metric_value=0.5)
    assert HubCard(with_results(new, "mine", [other])).data.eval_results == [other]
    noted = new.replace("license: mit", "license: mit # mine")
    assert with_results(noted, "mine", [RESULT]) == noted, "nothing is rewritten without need"
    assert HubCard(with_results("# Mine\n", "mine", [RESULT])).data.eval_results == [RESULT]


# -- papers and losses -------------------------------------------------------------------------------


def test_the_papers_of_the_losses_and_augmenters():
    losses = {name: cls for name, cls in LOSSES.load().items() if cls.__module__.startswith("sda_hf")}
    assert {name: list(cited([cls.source])) for name, cls in losses.items()} == {
        "margin-negation-infonce": ["SDA"],
        "nt-xent": ["UNA"],
        "opposition": ["RankNet"],
        "retention": ["Similarity-Preserving Knowledge Distillation"],
        "simcse-edacse": ["EdaCSE"],
    }
    for cls in losses.values():
        assert cls.citation.fget(None) == PAPERS[next(iter(cited([cls.source])))]
    of_augmenters = cited(AUGMENTERS.get(name).source for name in AUGMENTERS)
    assert list(of_augmenters) == ["SDA", "UNA", "AugCSE", "EdaCSE"]
    assert cited(["EDA, EMNLP 2019, section 2"]) == {}


@pytest.mark.parametrize("bibtex", PAPERS.values(), ids=PAPERS)
def test_bibtex(bibtex):
    assert re.match(r"\n@\w+\{\w+,\n(    \w+ = \".+\",\n)+\}\n$", bibtex)
    assert bibtex.count("{") == bibtex.count("}")


@pytest.mark.parametrize("name", ["margin-negation-infonce", "nt-xent", "opposition", "retention", "simcse-edacse"])
def test_equations_are_valid_latex(name):
    mathtext = pytest.importorskip("matplotlib.mathtext")
    equation = " ".join(LOSSES.get(name).equation.split())
    mathtext.MathTextParser("path").parse(f"${equation}$")
