"""metrics.json: what is written is read again, by one reader, whatever version wrote it."""

import json
import math
import re

import pytest

from sda_hf.errors import InputFileError
from sda_hf.run_files import (
    METRICS,
    DataStatistics,
    DevScore,
    LoggedLoss,
    RewriteStatistics,
    RunMetrics,
    TrainingHistory,
)

FINISHED = {
    "before": {"stsb": {"spearman": 61.5, "pearson": 60.0, "pairs": 1379}},
    "after": {"stsb": {"spearman": 76.25, "pearson": 75.0, "pairs": 1379}},
    "training": {
        "steps": 4,
        "epochs": 0.5,
        "loss": 1.25,
        "losses": [{"step": 2, "loss": 1.5}, {"step": 4, "loss": 1.0}],
        "seconds": 2.5,
        "rows_per_second": 6.4,
        "dev": [{"step": 2, "score": 70.5}],
        "best_step": 2,
        "best_score": 70.5,
    },
    "data": {
        "sentences": 12,
        "rows": 11,
        "without_negative": 1,
        "positive_changed": 0.75,
        "rewrites": {
            "negative": {
                "augmenter": "negation",
                "texts": 12,
                "changed": 0.9,
                "rules": {"not": 11},
                "skips": {"no verb": 1},
            }
        },
    },
    "examples": [{"anchor": "It rains.", "positive": "It rains!", "negative": "It doesn't rain."}],
    "seed": 3,
}


def test_a_finished_run():
    negative = RewriteStatistics(augmenter="negation", texts=12, changed=0.9, rules={"not": 11}, skips={"no verb": 1})
    expected = RunMetrics(
        before=FINISHED["before"],
        after=FINISHED["after"],
        training=TrainingHistory(
            steps=4,
            epochs=0.5,
            loss=1.25,
            losses=(LoggedLoss(step=2, loss=1.5), LoggedLoss(step=4, loss=1.0)),
            seconds=2.5,
            rows_per_second=6.4,
            dev=(DevScore(step=2, score=70.5),),
            best_step=2,
            best_score=70.5,
        ),
        data=DataStatistics(
            sentences=12, rows=11, without_negative=1, positive_changed=0.75, rewrites={"negative": negative}
        ),
        examples=tuple(FINISHED["examples"]),
        seed=3,
    )
    assert RunMetrics.model_validate_json(json.dumps(FINISHED), strict=True) == expected
    assert expected.is_finished


@pytest.mark.parametrize("content", [FINISHED, {"before": {}, "seed": 0}, {}])
def test_a_file_that_is_read_and_written_stays_the_same(tmp_path, content):
    path = tmp_path / METRICS
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
    metrics = RunMetrics.load(path)
    metrics.save(path)
    assert path.read_text(encoding="utf-8") == text
    assert metrics.is_finished == ("after" in content)
    assert [file.name for file in tmp_path.iterdir()] == [METRICS]


def test_losses_that_are_not_numbers_and_unknown_keys_are_readable(tmp_path):
    path = tmp_path / METRICS
    path.write_text('{"training": {"losses": [{"step": 1, "loss": NaN}]}, "from a later version": 1}', encoding="utf-8")
    metrics = RunMetrics.load(path)
    assert math.isnan(metrics.training.losses[0].loss)
    metrics.save(path)
    assert "NaN" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Invalid JSON: EOF while parsing a value"),
        ("{", "Invalid JSON: EOF while parsing an object"),
        ("[]", "Input should be an object"),
        ('{"after": 3}', "after: Input should be an object"),
        ('{"after": {"stsb": {"spearman": "high"}}}', "after.stsb.spearman: Input should be a number"),
        ('{"after": {"stsb": {"spearman": true}}}', "after.stsb.spearman: Input should be a number"),
        ('{"training": null}', "training: Input should be an object"),
        ('{"training": {"dev": [{"step": 1}]}}', "training.dev.0.score: Field required"),
        (
            '{"training": {"dev": [{"step": null, "score": 1}]}}',
            "training.dev.0.step: Input should be a valid integer",
        ),
        ('{"seed": "0"}', "seed: Input should be a valid integer"),
    ],
)
def test_a_malformed_file(tmp_path, text, reason):
    path = tmp_path / METRICS
    path.write_text(text, encoding="utf-8")
    with pytest.raises(
        InputFileError, match=f"^cannot read {re.escape(f'{path}: {reason}')}.*; restore the file, or run"
    ):
        RunMetrics.load(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputFileError, match=rf"^cannot read {re.escape(str(tmp_path / METRICS))}: No such file"):
        RunMetrics.load(tmp_path / METRICS)
