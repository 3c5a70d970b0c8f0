"""What augmenters make of a text, as HTML."""

import re

from sda_hf.demo.pages import AROUND, explained, rewrites_page
from sda_hf.demo.sentence_tab import EXAMPLES, show


def test_each_rewrite_with_its_differences_and_rule():
    page = rewrites_page(explained("She can't swim.", "en"))
    (card,) = re.findall(r"<article[^>]*><header><strong>negation</strong>.*?</article>", page)
    assert '<p class="sda-text" dir="auto">She can swim.</p>' in card
    assert re.search(r"<del[^>]*>can&#x27;t</del><ins[^>]*>can</ins>", card)
    assert "negation removed: n&#x27;t" in card
    positives, negatives = re.findall(r"<section><h3>.*?</section>", page)
    assert card in negatives
    assert "modal-verbs" in positives


def test_why_others_were_skipped():
    explanation = explained("She can't swim.", "en")
    page = rewrites_page(explanation)
    skips = dict(re.findall(r'<li><strong>(.*?)</strong> <span dir="auto">(.*?)</span></li>', page))
    assert skips["antonym-substitute"] == "no word with an antonym"
    assert f"Skipped: {len(skips)}" in page
    assert len(skips) + page.count("<article") == len(explanation.rewrites)


def test_full_coverage_names_the_doubt():
    assert "only with coverage=" not in rewrites_page(explained("Great food!", "en"))
    assert "only with coverage=" in rewrites_page(explained("Great food!", "en", "full"))


def test_another_seed_draws_another_rewrite():
    texts = {explained("She left early.", "en", seed=seed).rewrites["modal-verbs"].text for seed in range(8)}
    assert len(texts) > 1


def test_a_long_text_is_shortened_around_the_edits():
    text = "She left early. " * 200
    page = rewrites_page(explained(text, "en"))
    assert " … " in page
    assert text[-AROUND:] in page
    assert len(page) < len(text) * 4


def test_a_text_over_the_limit_is_skipped_by_all():
    explanation = explained("She left. " * 2_001, "en")
    page = rewrites_page(explanation)
    assert "<article" not in page
    assert page.count("over 20,000 characters") == len(explanation.rewrites)


def test_markup_is_text():
    page = rewrites_page(explained("He said <script>alert(1)</script> loudly & left.", "en"))
    assert "<script" not in page


def test_an_error_is_shown():
    clause, rewrites, compared = show("She left.", "en", "<all>", 0)
    assert rewrites.startswith('<p class="sda-error" role="alert" dir="auto">')
    assert "&lt;all&gt;" in rewrites
    assert (clause, compared) == ("", "")


def test_every_example_has_rewrites():
    for text, language in EXAMPLES:
        found = explained(text, language).rewrites.values()
        assert sum(rewrite.skipped is None for rewrite in found) >= 2, text
