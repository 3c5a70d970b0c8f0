"""The plots of a report: when they are drawn, what they show, and damaged metrics files."""

import json
import re
import statistics

import numpy as np
import pytest

from sda_hf.errors import InputError, InputFileError, InputValueError
from sda_hf.evaluation import Measured, Measurement, ModelResult, Report, resolve
from sda_hf.evaluation.report import illustrations
from sda_hf.evaluation.report.illustrations import draw

pytest.importorskip("matplotlib", reason="plots need the extra")


@pytest.fixture
def drawn(monkeypatch):
    """The figures by file name; the files are written as well."""
    found = {}
    write = illustrations.save

    def save(figure, path):
        found[path.name] = figure
        write(figure, path)

    monkeypatch.setattr(illustrations, "save", save)
    return found


def geometry(alignment, uniformity):
    metrics = {"alignment": alignment, "uniformity": uniformity, "length_bias": 0.0, "jaccard": 0.5, "pairs": 2}
    return Measured({"geometry": Measurement(metrics, np.array([0.1, 0.2]))}, {})


def graded(*names):
    runs = [Measured({"stsb": Measurement({"spearman": 1.0, "pairs": 2}, np.array([0.1, 0.2]), np.array([1, 2]))}, {})]
    return Report([resolve("stsb")], [ModelResult(name, runs) for name in names])


def run(folder, *scores, every=125):
    folder.mkdir(parents=True)
    dev = [{"step": every * place, "score": score} for place, score in enumerate(scores, 1)]
    (folder / "metrics.json").write_text(json.dumps({"before": {}, "training": {"dev": dev}}), encoding="utf-8")


def test_geometry_is_one_point_per_model(tmp_path, drawn):
    models = [
        ModelResult("a", [geometry(0.2, -2.0), geometry(0.4, -3.0)]),
        ModelResult("b", [geometry(0.1, -1.0)]),
    ]
    files = draw(Report([resolve("geometry")], models), ["nobody/a", "nobody/b"], tmp_path, ())
    assert files == [tmp_path / "alignment-uniformity.png"]
    points = [dot.get_offsets().tolist() for dot in drawn["alignment-uniformity.png"].axes[0].collections]
    assert points == [[[-2.5, pytest.approx(statistics.fmean([0.2, 0.4]))]], [[-1.0, 0.1]]]
    assert files[0].read_bytes().startswith(b"\x89PNG")


def cosines(*numbers):
    found = np.array(numbers)
    return Measured({"nan-nli": Measurement({"cosine": float(found.mean()), "pairs": len(found)}, found)}, {})


def test_cosines_of_negated_pairs_before_and_after(tmp_path, drawn):
    before = ModelResult("before", [cosines(0.91, 0.95)])
    after = ModelResult("after", [cosines(0.45, 0.55), cosines(0.55, 0.65)])  # of two seeds
    files = draw(Report([resolve("nan-nli")], [before, after]), ["nobody/a", "nobody/b"], tmp_path, ())
    assert files == [tmp_path / "cosines-nan-nli.png"]
    figure = drawn["cosines-nan-nli.png"]
    assert figure.axes[0].get_xlabel() == "cosine of negated pairs (NaN-NLI)"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["before, mean 0.93", "after, mean 0.55"]
    bars = [patch.get_data().values.tolist() for patch in figure.axes[0].patches]
    assert [max(heights) for heights in bars] == [50, 50]
    assert files[0].read_bytes().startswith(b"\x89PNG")


def test_nothing_to_draw(tmp_path):
    assert draw(graded("a"), ["nobody/a"], tmp_path, ()) == []
    assert list(tmp_path.iterdir()) == []


def test_one_line_per_run(tmp_path, drawn):
    run(tmp_path / "one", 70.0, 72.0)
    for seed in (0, 3):
        run(tmp_path / "several" / f"seed-{seed}", 60.0 + seed)
    (tmp_path / "several" / "seeds.json").write_text('{"seeds": [0, 3]}', encoding="utf-8")
    models = [tmp_path / "one", "nobody/model", tmp_path / "several"]
    files = draw(graded("one", "nobody/model", "several"), models, tmp_path, ())
    assert files == [tmp_path / "steps.png"]
    figure = drawn["steps.png"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["one", "several, seed-0", "several, seed-3"]
    lines = [line.get_xydata().tolist() for line in figure.axes[0].get_lines()]
    assert lines == [[[125, 70], [250, 72]], [[125, 60]], [[125, 63]]]
    assert figure.axes[0].get_ylabel() == "dev score × 100"


@pytest.mark.parametrize("text", ["{}", '{"before": {}, "seed": 0}', '{"training": {"steps": 1, "dev": []}}'])
def test_runs_without_dev_scores(tmp_path, text):
    (tmp_path / "metrics.json").write_text(text, encoding="utf-8")
    assert draw(graded("a"), [tmp_path], tmp_path, ()) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        '{"training": null}',
        '{"training": {"dev": 3}}',
        '{"training": {"dev": [3]}}',
        '{"training": {"dev": [{"step": 1}]}}',
        '{"training": {"dev": [{"step": 1, "score": "high"}]}}',
        '{"training": {"dev": [{"step": null, "score": 1.0}]}}',
    ],
)
def test_damaged_metrics(tmp_path, text):
    (tmp_path / "metrics.json").write_text(text, encoding="utf-8")
    start = re.escape(f"cannot read {tmp_path / 'metrics.json'}: ")
    with pytest.raises(InputFileError, match=rf"^{start}."):
        draw(graded("a"), [tmp_path], tmp_path, ())


def test_a_dev_score_that_is_not_a_number(tmp_path):
    run(tmp_path / "run", float("nan"))
    with pytest.raises(InputValueError, match=r"'mine' has nan: only finite numbers can be drawn"):
        draw(graded("mine"), [tmp_path / "run"], tmp_path, ())


def test_one_heatmap_per_sentence(tmp_path, drawn):
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    from sda_hf.training.encoder import build
    from sda_hf.training.recipe import Build

    spec = Build(layers=1, hidden_size=16, heads=2, intermediate_size=32, vocab_size=100, max_length=32)
    for name in ("a", "b"):
        model = build(spec, ["the dog is late", "the cat is not late"] * 2)
        SentenceTransformer(modules=[model[0], Pooling(16, "cls")], device="cpu").save_pretrained(str(tmp_path / name))
    files = draw(graded("a", "b"), [tmp_path / "a", tmp_path / "b"], tmp_path, ["the dog is not late", "the cat"])
    assert [file.name for file in files] == ["attention-1.png", "attention-2.png", "similarities.png"]
    assert [axes.get_title() for axes in drawn["similarities.png"].axes] == ["a", "b"]
    assert [text.get_text() for text in drawn["similarities.png"].axes[0].texts][::3] == ["1.00", "1.00"]
    axes = drawn["attention-1.png"].axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    words = [text.get_text() for text in axes.texts][::2]
    assert words == [*"the dog is not late".split()] * 2


def test_models_without_attention(tiny_model, tmp_path):
    tiny_model.save_pretrained(str(tmp_path / "model"))
    with pytest.raises(InputError):
        draw(graded("mine"), [tmp_path / "model"], tmp_path, ["a cat sleeps"])
    assert [path.name for path in tmp_path.iterdir()] == ["model"], "nothing is drawn in part"


def test_a_missing_folder(tmp_path):
    run(tmp_path / "run", 1.0)
    with pytest.raises(InputFileError, match=r"cannot write .*steps\.png: No such file or directory: give a path"):
        draw(graded("mine"), [tmp_path / "run"], tmp_path / "nowhere", ())
