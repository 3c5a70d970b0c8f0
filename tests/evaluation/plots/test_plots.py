"""Plots: what is in them, what is refused, and how they are written."""

import math
import subprocess
import sys

import pytest

from sda_hf.errors import InputFileError, InputValueError, MissingPackageError
from sda_hf.evaluation.plots import (
    alignment_uniformity,
    attention_heatmap,
    cosine_histograms,
    rewrite_shares,
    save,
    score_over_steps,
    similarity_heatmap,
    sweep,
)

pytest.importorskip("matplotlib", reason="plots need the extra")

import itertools

from matplotlib import colormaps
from matplotlib.colors import to_hex
from matplotlib.text import Text

CURVES = {"seed 0": [(0, 31.5), (125, 70.0), (250, 76.0)], "seed 1": [(250, 75.0), (0, 30.5), (125, 69.0)]}
SERIES = {"DN": [(0.3, 76.9, 0.3), (0.1, 76.0, None)], "PI": [(0.1, 75.0, 0.0)]}
POINTS = {"BERT": (0.21, -1.5), "SimCSE": (0.25, -2.5), "SDA": (0.24, -2.6)}
ROWS = {"SimCSE": [("not", 0.25), ("late", 0.75)], "SDA": [("isn", 0.1), ("'", 0.2), ("t", 0.5), ("late.", 0.2)]}
SIMILARITIES = (["It is hot.", "It isn't hot."], {"a": [[1.0, 0.9], [0.9, 1.0]], "b": [[1.0, -0.25], [-0.25, 1.0]]})
COSINES = {"before": [0.95, 0.91, 0.97, 0.9], "after": [0.31, 0.55, 0.95]}
OUTCOMES = {
    "negation": {"changed": 12, "rules": {"do-support": 12}, "skips": {"a question": 3, "no verb": 1}},
    "modal-verbs": {"changed": 0, "skips": {"no phrase fits": 16}},
}
NUMBERS = [math.nan, math.inf, -math.inf]


def drawings():
    return {
        "curves": score_over_steps(CURVES, "Spearman × 100"),
        "sweep": sweep("margin δ", SERIES, "Spearman × 100"),
        "points": alignment_uniformity(POINTS, {"BERT": 30.0, "SimCSE": 76.0, "SDA": 77.0}),
        "heatmap": attention_heatmap(ROWS),
        "similarities": similarity_heatmap(*SIMILARITIES),
        "cosines": cosine_histograms(COSINES, "negated pairs (GLUE diagnostics, all of their rows)"),
        "shares": rewrite_shares(OUTCOMES),
    }


@pytest.fixture(scope="module")
def figures():
    return drawings()


def texts(figure):
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def texts_of(axes):
    return [text.get_text() for text in axes.texts]


def names(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


# -- what is drawn ---------------------------------------------------------------------------------


def test_scores_over_steps():
    figure = score_over_steps(CURVES, "STS-B dev (Spearman × 100)")
    (axes,) = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("training steps", "STS-B dev (Spearman × 100)")
    first, second = axes.get_lines()
    assert first.get_xydata().tolist() == [[0, 31.5], [125, 70.0], [250, 76.0]]
    assert second.get_xydata().tolist() == [[0, 30.5], [125, 69.0], [250, 75.0]]
    assert names(figure) == ["seed 0", "seed 1"]


def test_ten_series_can_be_told_apart():
    figure = score_over_steps({f"seed {seed}": [(0, float(seed)), (1, 1.0)] for seed in range(10)}, "score")
    lines = figure.axes[0].get_lines()
    looks = {(line.get_color(), line.get_linestyle()) for line in lines}
    assert len(looks) == len({line.get_marker() for line in lines}) == 10
    neighbours = itertools.pairwise(lines)
    assert all(one.get_linestyle() != next_one.get_linestyle() for one, next_one in neighbours), "also in grey"


def test_long_curves_have_few_markers():
    figure = score_over_steps({"a": [(step, 1.0) for step in range(1000)], "b": [(0, 1.0)]}, "score")
    assert [line.get_markevery() for line in figure.axes[0].get_lines()] == [50, 1]


def test_sweep():
    figure = sweep("margin δ", SERIES, "STS-B (Spearman × 100)")
    (axes,) = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("margin δ", "STS-B (Spearman × 100)")
    assert names(figure) == ["DN", "PI"]
    first, second = axes.containers
    assert first.lines[0].get_xydata().tolist() == [[0.1, 76.0], [0.3, 76.9]]
    unknown, known = first.lines[2][0].get_segments()
    assert not len(unknown) or math.isnan(unknown[0][1])
    assert known.tolist() == [pytest.approx([0.3, 76.6]), pytest.approx([0.3, 77.2])]
    assert second.lines[2][0].get_segments()[0].tolist() == [[0.1, 75.0], [0.1, 75.0]]


def test_alignment_and_uniformity():
    figure = alignment_uniformity(POINTS)
    (axes,) = figure.axes
    assert axes.get_xlabel().startswith("uniformity")
    assert axes.get_ylabel().startswith("alignment")
    assert [dot.get_offsets().tolist() for dot in axes.collections] == [[[-1.5, 0.21]], [[-2.5, 0.25]], [[-2.6, 0.24]]]
    assert names(figure) == ["BERT", "SimCSE", "SDA"]
    assert len({to_hex(dot.get_facecolor()) for dot in axes.collections}) == 3


def test_scores_are_colours():
    figure = alignment_uniformity(POINTS, {"SDA": 77.0, "SimCSE": 76.0, "BERT": 30.0})
    axes, bar = figure.axes
    assert bar.get_ylabel() == "Spearman × 100"
    assert bar.get_ylim() == (30.0, 77.0)
    ends = [to_hex(colormaps["cividis"](end)) for end in (0.0, 1.0)]
    assert [to_hex(dot.get_facecolor()) for dot in axes.collections[::2]] == ends


def test_heatmap():
    figure = attention_heatmap(ROWS)
    axes, bar = figure.axes
    assert bar.get_xlabel() == "attention (share of the sentence)"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["SimCSE", "SDA"]
    shown = [text.get_text() for text in axes.texts]
    assert shown == ["not", "0.25", "late", "0.75", "isn", "0.10", "'", "0.20", "t", "0.50", "late.", "0.20"]
    colours = [to_hex(cell.get_facecolor()) for cell in axes.patches]
    assert colours[3] == colours[5], "equal weights have one colour"
    shades = [sum(cell.get_facecolor()[:3]) for cell in axes.patches]
    assert shades[1] < shades[4] < shades[0] < shades[3] < shades[2], "the larger the weight, the darker"


def test_words_stand_above_their_own_cells():
    figure = attention_heatmap({"a": [("a", 0.1), ("misunderstandings", 0.7), ("of", 0.2)], "b": [("all", 1.0)]})
    axes = figure.axes[0]
    for word, weight, cell in zip(axes.texts[::2], axes.texts[1::2], axes.patches, strict=True):
        box, inside, field = word.get_window_extent(), weight.get_window_extent(), cell.get_window_extent()
        assert field.x0 < box.x0 < box.x1 < field.x1
        assert box.y0 >= field.y1 - 1
        assert field.x0 < inside.x0 < inside.x1 < field.x1


def test_weights_of_nothing():
    assert "0.00" in texts(attention_heatmap({"mine": [("late", 0.0)]}))


def test_cosines_share_bins_and_have_their_means():
    figure = cosine_histograms(COSINES, "negated pairs")
    (axes,) = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("cosine of negated pairs", "pairs (%)")
    before, after = (bars.get_data() for bars in axes.patches)
    edges = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0]
    assert before.edges.tolist() == after.edges.tolist() == edges
    assert before.values.tolist() == [*[0] * 12, 50, 50]
    third = pytest.approx(100 / 3)
    assert after.values.tolist() == [third, 0, 0, 0, 0, third, 0, 0, 0, 0, 0, 0, 0, third]
    assert [line.get_xdata()[0] for line in axes.get_lines()] == pytest.approx([3.73 / 4, 1.81 / 3])
    assert names(figure) == ["before, mean 0.93", "after, mean 0.60"]


def test_histograms_can_be_told_apart_in_grey():
    bars = cosine_histograms({name: [0.5] for name in "abc"}).axes[0].patches
    assert len({(one.get_hatch(), one.get_linestyle(), one.get_edgecolor()) for one in bars}) == 3
    assert len({one.get_hatch() for one in bars}) == 3


@pytest.mark.parametrize(
    ("cosines", "edges"),
    [
        ([0.905, 0.915], [0.9, 0.91, 0.92]),
        ([1.0, 1.00001], [1.0, 1.01]),  # single precision
        ([-1.0, 1.0], [round(-1 + step / 10, 1) for step in range(21)]),
        ([0.0, 0.5], [step / 50 for step in range(26)]),
    ],
)
def test_bins_have_round_edges(cosines, edges):
    assert cosine_histograms({"a": cosines}).axes[0].patches[0].get_data().edges.tolist() == edges


def test_every_cosine_is_in_a_bin():
    cosines = [step / 1000 for step in range(-1000, 1001)]
    for end in range(1, len(cosines), 97):
        bars = cosine_histograms({"a": cosines[:end], "b": cosines[-end:]}).axes[0].patches
        assert [one.get_data().values.sum() for one in bars] == [pytest.approx(100)] * 2


def test_shares():
    figure = rewrite_shares(OUTCOMES)
    first, second = figure.axes
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["negation", "modal-verbs"]
    assert [bar.get_width() for bar in first.patches] == [75, 18.75, 6.25]
    assert texts_of(first) == ["rewritten: 75.0 %", "skipped, a question: 18.8 %", "skipped, no verb: 6.2 %"]
    assert [bar.get_width() for bar in second.patches] == [0, 100]
    assert first.get_xlim() == second.get_xlim() == (0, 100)
    assert [bool(bar.get_hatch()) for bar in first.patches] == [False, True, True], "also in grey"


@pytest.mark.parametrize(
    ("reasons", "last"), [(6, "skipped, reason 1: 4.8 %"), (8, "skipped, 3 other reasons: 16.7 %")]
)
def test_rare_reasons_are_drawn_together(reasons, last):
    skips = {f"reason {number}": number for number in range(1, reasons + 1)}
    (axes,) = rewrite_shares({"negation": {"changed": 0, "skips": skips}}).axes
    assert len(axes.patches) == 7
    assert texts_of(axes)[1].startswith(f"skipped, reason {reasons}: ")
    assert texts_of(axes)[-1] == last
    assert sum(bar.get_width() for bar in axes.patches) == pytest.approx(100)


def test_labels_of_bars_do_not_overlap():
    skips = {"a reason that needs so many words that it does not fit on a single line of half a page": 3, "short": 2}
    (axes,) = rewrite_shares({"negation": {"changed": 1, "skips": skips}}).axes
    boxes = [one.get_window_extent() for pair in zip(axes.texts, axes.patches, strict=True) for one in pair]
    assert "\n" in axes.texts[1].get_text()
    assert all(upper.y0 >= lower.y1 - 1 for upper, lower in itertools.pairwise(boxes))


@pytest.mark.parametrize("kind", ["curves", "sweep", "points", "cosines", "shares"])
def test_half_a_page_is_wide_enough(figures, kind):
    figure = figures[kind]
    assert figure.get_size_inches()[0] == 3.5
    sizes = [text.get_fontsize() for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    assert 8 <= min(sizes) <= max(sizes) <= 9


@pytest.mark.parametrize("kind", ["curves", "sweep", "points", "heatmap", "cosines", "shares"])
def test_no_text_is_cut_off(figures, kind):
    figure = figures[kind]
    box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert 0 <= box.x0 < box.x1 <= width
    assert 0 <= box.y0 < box.y1 <= height
    assert min(axes.bbox.width for axes in figure.axes) > 10


@pytest.mark.parametrize("name", ["_private", "$x_1$ to $x_2$", "50 % \\alpha $"])
def test_names_are_taken_as_they_are(name, tmp_path):
    assert names(score_over_steps({name: [(0, 1.0)]}, "score")) == [name]
    figure = attention_heatmap({name: [(name, 1.0)]})
    assert not any(text.get_parse_math() for text in figure.findobj(Text) if text.get_text() == name)
    save(figure, tmp_path / "words.png")


def test_similarities_share_a_scale():
    figure = similarity_heatmap(*SIMILARITIES)
    first, second = figure.axes
    assert [label.get_text() for label in first.get_yticklabels()] == SIMILARITIES[0]
    assert [text.get_text() for text in second.texts] == ["1.00", "-0.25", "-0.25", "1.00"]
    assert first.images[0].get_clim() == second.images[0].get_clim() == (-0.25, 1.0)


@pytest.mark.parametrize("matrix", [[[1.0]], [[1.0, 0.5]], []])
def test_similarities_of_another_shape(matrix):
    with pytest.raises(InputValueError, match=r"similarities: those of 'a' have the shape .* 2 sentences, \(2, 2\)"):
        similarity_heatmap(["one", "two"], {"a": matrix})


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [{}, {"a": []}])
def test_nothing_to_draw(value):
    message = "is empty"
    with pytest.raises(InputValueError, match=f"curves.* {message}"):
        score_over_steps(value, "score")
    with pytest.raises(InputValueError, match=f"series.* {message}"):
        sweep("margin", value, "score")
    with pytest.raises(InputValueError, match=f"points.* {message}"):
        alignment_uniformity(value)
    with pytest.raises(InputValueError, match=f"rows.* {message}"):
        attention_heatmap(value)
    with pytest.raises(InputValueError, match=f"cosines.* {message}"):
        cosine_histograms(value)


def test_no_rewrites_to_draw():
    with pytest.raises(InputValueError, match="columns is empty: give at least one name"):
        rewrite_shares({})
    with pytest.raises(
        InputValueError, match="columns: 'negation' has no texts: give those of a file that is not empty"
    ):
        rewrite_shares({"negation": {"changed": 0, "skips": {}}})


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_that_cannot_be_drawn(number):
    with pytest.raises(InputValueError, match=f"curves: 'a' has {number}: only finite numbers can be drawn"):
        score_over_steps({"a": [(0, 1.0), (1, number)]}, "score")
    with pytest.raises(InputValueError, match=f"series: 'a' has {number}: only finite numbers"):
        sweep("margin", {"a": [(number, 1.0, None)]}, "score")
    with pytest.raises(InputValueError, match=f"series: 'a' has {number}: standard deviations must be 0 or more"):
        sweep("margin", {"a": [(0.1, 1.0, number)]}, "score")
    with pytest.raises(InputValueError, match=f"points: 'a' has {number}: only finite numbers"):
        alignment_uniformity({"a": (0.1, number)})
    with pytest.raises(InputValueError, match=f"scores: 'a' has {number}: only finite numbers"):
        alignment_uniformity({"a": (0.1, -1.0)}, {"a": number})
    with pytest.raises(InputValueError, match=f"rows: 'a' has {number}: weights must be 0 or more"):
        attention_heatmap({"a": [("late", number)]})
    with pytest.raises(InputValueError, match=f"cosines: 'a' has {number}: only finite numbers"):
        cosine_histograms({"a": [0.5, number]})
    with pytest.raises(InputValueError, match=f"columns: 'a' has {number}: numbers of texts must be 0 or more"):
        rewrite_shares({"a": {"changed": 1, "skips": {"no verb": number}}})
    with pytest.raises(InputValueError, match=f"similarities: 'a' has {number}: only finite numbers"):
        similarity_heatmap(["one"], {"a": [[number]]})


def test_numbers_below_zero():
    with pytest.raises(InputValueError, match=r"series: 'a' has -0\.1: standard deviations must be 0 or more"):
        sweep("margin", {"a": [(0.1, 1.0, -0.1)]}, "score")
    with pytest.raises(InputValueError, match=r"rows: 'a' has -0\.5: weights must be 0 or more"):
        attention_heatmap({"a": [("late", -0.5)]})


def test_numbers_that_are_not_cosines():
    with pytest.raises(InputValueError, match=r"cosines: 'a' has 1\.5: a cosine lies between -1 and 1"):
        cosine_histograms({"a": [0.5, 1.5]})


def test_scores_of_other_models():
    with pytest.raises(InputValueError, match="scores has SDA, points BERT, SimCSE, SDA: give the same models"):
        alignment_uniformity(POINTS, {"SDA": 77.0})


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPackageError, match=r"plots need matplotlib: pip install 'sda-hf\[plots\]'"):
        attention_heatmap(ROWS)


# -- files -----------------------------------------------------------------------------------------


def test_characters_missing_from_the_font_warn():
    with pytest.warns(UserWarning, match=r"Glyph 129768 .* missing from font"):
        score_over_steps({"\U0001fae8": [(0, 1.0)]}, "score")


STARTS = {"png": b"\x89PNG\r\n", "svg": b"<?xml", "pdf": b"%PDF-"}


@pytest.mark.parametrize(("kind", "ending"), [("curves", "png"), ("points", "svg"), ("heatmap", "pdf")])
def test_equal_figures_give_equal_bytes(tmp_path, figures, kind, ending):
    paths = [tmp_path / f"{time}.{ending}" for time in ("first", "second", "equal")]
    for figure, path in zip((figures[kind], figures[kind], drawings()[kind]), paths, strict=True):
        save(figure, path)
    assert len({path.read_bytes() for path in paths}) == 1
    assert paths[0].read_bytes().startswith(STARTS[ending])


@pytest.mark.slow
def test_bytes_do_not_depend_on_the_process(tmp_path):
    code = (
        "import sys; from sda_hf.evaluation.plots.canvas import save\n"
        "from sda_hf.evaluation.plots.heatmap import attention_heatmap\n"
        "figure = attention_heatmap({'mine': [('not', 0.5), ('late', 0.5)]})\n"
        "[save(figure, path) for path in sys.argv[1:]]\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    paths = [tmp_path / f"mine.{ending}" for ending in STARTS]
    subprocess.run([sys.executable, "-W", "error", "-c", code, *paths], check=True)
    for path in paths:
        save(attention_heatmap({"mine": [("not", 0.5), ("late", 0.5)]}), path.with_stem("here"))
        assert path.read_bytes() == path.with_stem("here").read_bytes()


def test_settings_of_matplotlib_are_left_alone(tmp_path):
    import matplotlib

    before = dict(matplotlib.rcParams.copy())
    save(attention_heatmap(ROWS), tmp_path / "words.svg")
    assert dict(matplotlib.rcParams.copy()) == before


@pytest.mark.parametrize("name", ["plot.jpg", "plot", ".png"])
def test_other_endings(tmp_path, name):
    with pytest.raises(InputValueError, match=r"unknown plot format: use one of \.png, \.svg, \.pdf"):
        save(attention_heatmap(ROWS), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "plot.PNG"
    path.write_bytes(b"old")
    save(attention_heatmap(ROWS), str(path))
    assert path.read_bytes().startswith(STARTS["png"])
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputFileError, match=r"cannot write .*plot\.png: No such file or directory: give a path"):
        save(attention_heatmap(ROWS), tmp_path / "missing" / "plot.png")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_way(tmp_path):
    (tmp_path / "plot.png").mkdir()
    with pytest.raises(InputFileError, match=r"cannot write .*plot\.png"):
        save(attention_heatmap(ROWS), tmp_path / "plot.png")
    assert list(tmp_path.iterdir()) == [tmp_path / "plot.png"]


def test_a_drawing_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "plot.png"
    path.write_bytes(b"old")
    figure = attention_heatmap(ROWS)
    figure.text(0.5, 0.5, "$\\nothing_that_is$")  # no such symbol: matplotlib raises while it draws
    with pytest.raises(ValueError, match="Unknown symbol"):
        save(figure, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
