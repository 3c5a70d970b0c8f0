"""Cosines of a text and its rewrites, with encoders whose vectors are known."""

import numpy as np
import pytest

from sda_hf.demo.pages import explained
from sda_hf.demo.similarities import Models, Similar, similarities, similarities_page
from sda_hf.errors import InputFileError, InputValueError


class SeesNot:
    """Turns texts with "n't" away from others, by an angle that its weight sets."""

    def __init__(self, weight):
        self.weight = weight

    def encode(self, texts, **options):
        return np.array([[1.0, self.weight * ("n't" in text)] for text in texts])


def test_cosines_by_each_model():
    explanation = explained("She swims.", "en")
    found = {one.name: one for one in similarities(explanation, [SeesNot(0), SeesNot(1)])}
    assert found["negation"].text == "She doesn't swim."
    assert found["negation"].role == "negative"
    assert found["negation"].cosines == pytest.approx((1.0, 0.5**0.5))
    assert found["modal-verbs"].role == "positive"
    assert set(found) == {name for name, one in explanation.rewrites.items() if one.skipped is None}


def test_the_table():
    page = similarities_page([Similar("negation", "negative", "<i>", (0.9, -0.25))], ["<old>", "new"])
    assert "<old>" not in page
    assert "<i>" not in page
    assert '<span class="sda-number">0.90</span>' in page
    assert '<span class="sda-number">−0.25</span>' in page
    assert "<td>−1.15</td>" in page
    assert 'class="sda-negative" style="width:90%"' in page
    assert 'class="sda-negative" style="width:0%"' in page
    assert "change" not in similarities_page([Similar("negation", "negative", "No.", (0.9,))], ["one"])


def test_nothing_to_compare():
    assert similarities_page([], ["a"]) == (
        '<p class="sda-note">There is nothing to compare: no rule rewrites this text.</p>'
    )


def test_models_are_loaded_once_and_two_are_kept():
    loaded = []
    models = Models(load=lambda name: loaded.append(name) or name)
    assert [models[name] for name in "aabab"] == list("aabab")
    assert loaded == ["a", "b"]
    assert [models[name] for name in "cbac"] == list("cbac")
    assert loaded == ["a", "b", "c", "a", "c"]


@pytest.mark.parametrize("name", ["/etc", "../model", "~/model", "."])
def test_folders_are_refused_where_strangers_ask(name):
    models = Models(load=lambda name: name, folders=False)
    with pytest.raises(InputValueError, match="is not a model of the Hub: give an id such as me/my-model"):
        models[name]
    assert models["me/model"] == "me/model"


@pytest.mark.slow  # it imports torch
def test_a_model_that_is_not_there(tmp_path):
    with pytest.raises(InputFileError, match="cannot load .* as a sentence encoder"):
        Models()[str(tmp_path / "none")]
