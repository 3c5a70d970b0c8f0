from __future__ import annotations

import dataclasses

import pytest
import yaml
from huggingface_hub import ModelCard as HubCard

from sda_hf.hub import ModelCard

CARD = ModelCard(
    name="sda-tiny",
    encoder="`some/encoder`",
    base_model="some/encoder",
    language=["en"],
    license="apache-2.0",
    tags=["loss:MarginNegationInfoNCELoss"],
    dimension=128,
    max_length=64,
    sources=["sentences.txt"],
    rows={"sentences": 1412, "rows": 1300, "positive_changed": 0.875},
    columns=["anchor", "positive", "negative"],
    augmentation={"name": "negation", "parser": "/home/someone/pipes/en_mine"},
    rewrites={
        "negative": {
            "augmenter": "negation",
            "texts": 1000,
            "changed": 0.921,
            "rules": {"did not": 921},
            "skips": {"no claim to negate": 79},
        }
    },
    loss="MarginNegationInfoNCELoss",
    loss_config={"temperature": 0.05, "margin": 0.5},
    citation="\n@inproceedings{zhu2024sda,\n}\n",
    training={"Steps": "200 of 64 rows", "Time": None},
    before={"stsb": {"spearman": 20.004, "pairs": 1379}, "sickr": {"spearman": 30.0, "pairs": 4927}},
    after={"stsb": {"spearman": 25.5, "pairs": 1379}},
    seed=3,
    versions={"torch": "2.13.0"},
    limits=["`negation`: English alone."],
)


@pytest.mark.parametrize(
    "line",
    [
        "# sda-tiny",
        "- Encoder before training: `some/encoder`",
        'model = SentenceTransformer("sda-tiny")',
        "| stsb | 1,379 | 20.00 | 25.50 | +5.50 |",
        "| sickr | 4,927 | 30.00 | not measured | not measured |",
        "- Sentences from `sentences.txt`: 1,412",
        "- Training rows (anchor, positive, negative): 1,300",
        "- Rows whose positive differs from the anchor: 87.5%",
        '  "parser": "en_mine"',
        "| negative | negation | 1,000 | 92.1% | did not 921 | no claim to negate 79 |",
        '  "margin": 0.5',
        "- Steps: 200 of 64 rows",
        "- Time: not measured",
        "Seed: 3. Versions: torch 2.13.0.",
        "- `negation`: English alone.",
        "@inproceedings{zhu2024sda,",
    ],
)
def test_a_card_states_what_is_known(line):
    assert line in CARD.render().splitlines()


def test_the_metadata_is_what_the_hub_reads():
    data = HubCard(CARD.render()).data
    assert data.library_name == "sentence-transformers"
    assert data.pipeline_tag == "sentence-similarity"
    assert data.language == ["en"]
    assert data.license == "apache-2.0"
    assert data.base_model == "some/encoder"
    assert data.tags == ["sentence-transformers", "sentence-similarity", "sda-hf", "loss:MarginNegationInfoNCELoss"]
    assert [(result.dataset_name, result.metric_value) for result in data.eval_results] == [("stsb", 0.255)]


def test_what_nobody_stated_or_measured_is_not_made_up():
    card = ModelCard(name="m", encoder="x", loss="L", loss_config={}, citation="c")
    text = card.render()
    metadata = yaml.safe_load(text.split("---\n")[1])
    assert set(metadata) == {"library_name", "model_name", "pipeline_tag", "tags"}
    for line in (
        "- Licence: not stated",
        "- Language: not stated",
        "Scores: not measured.",
        "- Sentences from not stated: not measured",
        "Training figures: not measured.",
        "Seed: not stated. Versions: not stated.",
    ):
        assert line in text.splitlines()


def test_an_augmentation_that_was_not_looked_at_is_not_measured():
    text = dataclasses.replace(CARD, rewrites={}).render()
    assert "How often each augmenter rewrote a sentence: not measured." in text


def test_text_from_outside_cannot_break_the_card():
    text = dataclasses.replace(CARD, encoder="costs $name and ${x}", limits=["a $seed"]).render()
    assert "- Encoder before training: costs $name and ${x}" in text.splitlines()
    assert "- a $seed" in text.splitlines()
