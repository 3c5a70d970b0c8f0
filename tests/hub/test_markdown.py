"""Markdown in which text from elsewhere stays text, whatever is in it: rendered by a real renderer."""

import json
import re

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import sda_hf
from sda_hf.augmentation.hub import _card
from sda_hf.evaluation.report.tables import comparison_table
from sda_hf.evaluation.report.tables import markdown as results
from sda_hf.hub.card import Foreword, ModelCard
from sda_hf.hub.dataset_card import Contents, DatasetCard, Rewriter
from sda_hf.hub.markdown import cell, code, fenced, table, text
from sda_hf.hub.redaction import without_secrets
from sda_hf.hub.translation import translation
from sda_hf.run_files import DataStatistics, RewriteStatistics
from sda_hf.terminal import printable

from .rendering import AUTOLINK, JOINER, LIVELY, MATH, rendered

IMAGE = "![t](http://evil.example/pixel.png)"
ESCAPES = "\x1b[2J\u202e"


def as_shown(value):
    return printable(without_secrets(" ".join(value.split()))).replace(JOINER, "")


# -- the building blocks -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "around", ["{}", "A: {}", "- {}", "**{}** b", "1. {}", "# {}", "<details>\n\n{}\n\n</details>"]
)
@given(value=LIVELY)
@example(value=IMAGE)
@example(value="---")
@example(value="    indented")
@settings(max_examples=60)
def test_text_adds_nothing_to_the_page(around, value):
    page, plain = (rendered(around.format(one)) for one in (text(value), "x"))
    if not value.split():
        return
    assert (page.tags, page.targets) == (plain.tags, [])
    shown = page.text.replace(JOINER, "").strip()
    assert as_shown(value) in shown
    assert not AUTOLINK.search(page.prose)
    assert not MATH.search(page.prose)


@pytest.mark.parametrize("block", [cell, code])
@given(value=LIVELY)
@example(value="a|b\\")
@example(value="`")
@settings(max_examples=100)
def test_cells_keep_to_themselves(block, value):
    page = rendered(table([block(value), "b"], [[block(value), "c"], ["d", block(value)]]))
    assert [tag for tag in page.tags if tag != "code"] == [
        *("table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td", "tr", "td", "td")
    ]
    assert page.targets == []
    assert not AUTOLINK.search(page.prose)
    if len(as_shown(value)) < 250:
        assert page.text.replace(JOINER, "").count(as_shown(value)) >= 3


@given(LIVELY)
@example("a\n```\n![t](http://evil.example)")
@example("````")
def test_a_fence_is_not_left(value):
    page = rendered(f"{fenced(value, 'yaml')}\n\nafter")
    assert page.tags == ["pre", "code", "p"]


def test_ordinary_text_stays_readable():
    for ordinary in (
        'He didn\'t leave; "why"?',
        "learning_rate 3e-05",
        "do-support: past tense",
        "0.4.0",
        "metrics.json",
    ):
        assert text(ordinary) == ordinary
    assert code("sda_hf.Negation") == "`sda_hf.Negation`"


def test_tokens_are_removed_before_they_are_escaped_or_cut():
    token = "ghp_" + "a1" * 20
    assert text(f"a {token}") == "a not shown"
    assert code(token) == "`not shown`"
    assert cell("a" * 289 + f" {token}") == "a" * 289 + " not shown"
    assert text("https://me:secret@example.org/") == "https:/&#8288;/example.&#8288;org/"


# -- cards ---------------------------------------------------------------------------------------------


def model_card(value, line, language="en"):
    """A card in which everything that comes from data, recipes and configurations is `value`."""
    words = translation(language)
    foreword = words and Foreword(translation=words, encoder=code(value), limits=["x"], model_id="me/name")
    statistics = RewriteStatistics(augmenter=value, texts=10, changed=0.5, rules={value: 5}, skips={line: 5})
    scores = {"pairs": {"spearman": 1.0, "pairs": 3}, value: {"spearman": 2.0, "pairs": 3}}
    return ModelCard(
        encoder=code(value),
        sources=[value, line],
        license=value,
        data=DataStatistics(sentences=3, rows=3, rewrites={line: statistics}),
        columns=["anchor", value],
        augmentation={"name": value, value: [value]},
        augmenters=[value],
        examples=[{"anchor": line, value: value}],
        loss=value,
        scores=results(comparison_table(scores, scores), ("title", "rows", "before", "after", "change", "metric")),
        recipe=yaml.safe_dump({"model": value, "data": {"license": line}}, allow_unicode=True),
        versions={value: line},
        foreword=foreword,
    ).render()


def dataset_card(value, line, language="en"):
    rewriter = Rewriter(config={"name": value, "input_column": line}, source="SDA", limits=["English only"])
    card = DatasetCard(
        rewriters={value: rewriter},
        sentences=1,
        counts=[(value, line, 1, 100.0), (line, value, 1, 100.0)],
        language=language,
        version="1",
        command=f"sda-hf augment {value}",
    )
    return card.render("me/pairs", Contents([value, line], 1, [{value: line, line: [value]}]))


def augmenter_card(value, line, language="en"):
    augmenter = sda_hf.Negation(language=language)
    object.__setattr__(augmenter, "input_column", value)
    return _card(augmenter, "me/una", {"name": "negation", "input_column": value, "parser": line})


CARDS = {"model": model_card, "dataset": dataset_card, "augmenter": augmenter_card}


def parts(card):
    """The metadata and the page of a card."""
    found = re.match(r"---\n(.*?)\n---\n(.*)", card, re.DOTALL)
    return (found[1], rendered(found[2])) if found else ("{}", rendered(card))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", CARDS)
@given(value=LIVELY.filter(str.strip), line=LIVELY.filter(str.strip))
@example(value=IMAGE, line="x")
@example(value=f"x\n\n# Heading\n\n{IMAGE}", line="```\n</details><img src=x>")
@example(value="x: y\n---\nlicense: mit", line=ESCAPES)
@settings(max_examples=60)
def test_no_card_holds_more_than_its_template(kind, language, value, line):
    assume(len({*map(as_shown, (value, line)), "anchor", "pairs", "x", "y"}) == 6)  # as keys, they would be the same
    card = CARDS[kind](value, line, language)
    card.encode("utf-8")
    (metadata, page), (plain_metadata, plain) = parts(card), parts(CARDS[kind]("x", "y", language))
    assert page.targets == []
    assert {"img", "a", "script", "!--"}.isdisjoint(page.tags)
    html = (
        "table",
        "tr",
        "th",
        "td",
        "h1",
        "h2",
        "h3",
        "pre",
        "ul",
        "li",
        "ol",
        "hr",
        "details",
        "summary",
        "blockquote",
    )
    for tag in html:
        assert page.tags.count(tag) == plain.tags.count(tag), tag
    assert not AUTOLINK.search(page.prose)
    assert not MATH.search(page.prose)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028]", card)
    assert yaml.safe_load(metadata) == yaml.safe_load(plain_metadata)


@pytest.mark.parametrize(("language", "sentence", "count"), [("en", "Her", 1), ("zh", "她哥哥", 2)])
def test_the_usage_of_an_augmenter_card_is_python(language, sentence, count):
    value = 'a"]})\n```\n![t](http://evil.example)'
    snippets = re.findall(r"```python\n(.*?)\n```", augmenter_card(value, "x", language), re.DOTALL)
    names = [re.findall(rf"augmenter\(\{{(.*): \[\"{sentence}", snippet) for snippet in snippets]
    assert [json.loads(name) for (name,) in names] == [value] * count


def test_math_outside_of_the_loss():
    """The equation of a loss is the one formula of a card."""
    card = ModelCard(encoder="x", loss="L", equation="x = y", source="s", license="$$z$$ \\(z\\)", recipe="a: 1\n")
    assert card.render().count("$$") == 2
    assert "&#36;&#8288;&#36;z" in card.render()


@given(st.text())
def test_printable_text_is_one_line(value):
    shown = printable(value)
    assert len(shown.splitlines()) <= 1
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)
    assert printable(shown) == shown
    assert value.isprintable() <= (shown == value)
