"""The card of a tiny run: what the library says, what is added, and what the Hub makes of it."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from huggingface_hub import ModelCard
from huggingface_hub.repocard import metadata_load
from huggingface_hub.repocard_data import model_index_to_eval_results
from sentence_transformers import SentenceTransformer

from sda_hf import evaluation
from sda_hf.cli import main
from sda_hf.errors import InputFileError, InputValueError
from sda_hf.hub.card import BEGIN, END
from sda_hf.hub.push import PLACEHOLDER_ID, push_run
from sda_hf.hub.upload import Target
from sda_hf.run_files import RunMetrics
from sda_hf.training import Recipe, run
from sda_hf.training.card import rewrite_card
from sda_hf.training.card_facts import model_card

from ..hub.conftest import hub, hub_server, running_server  # noqa: F401 - fixtures
from ..hub.rendering import AUTOLINK, JOINER, rendered
from .conftest import PAIRS, RECIPE, SENTENCES, write_recipe

TOKEN = "hf_" + "s" * 34


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """What a run gave, with several kinds of tests."""
    folder = tmp_path_factory.mktemp("someone")
    (folder / "sentences.txt").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    lines = ["sentence1\tsentence2\tscore", *(f"{first}\t{second}\t{score}" for first, second, score in PAIRS)]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "no.tsv").write_text("sentence\tnegated\nHe left.\tHe did not leave.\n", encoding="utf-8")
    rows = "anchor\tpositive\tnegative\nThe river froze.\tThe river froze in May.\tA dog sleeps.\n"
    (folder / "near.tsv").write_text(rows, encoding="utf-8")
    (folder / "tiny.yaml").write_text(RECIPE, encoding="utf-8")
    tests = f"evaluation.test=[{folder}/pairs.tsv, 'negated:{folder}/no.tsv', 'triples:{folder}/near.tsv']"
    tests = [tests, f"evaluation.dev={{name: dev, path: {folder}/pairs.tsv}}"]
    settings = [f"output={folder / 'run'}", *tests, f"training.arguments.run_name={TOKEN}", "data.license=cc0-1.0"]
    return run(Recipe.load(folder / "tiny.yaml", settings))


@pytest.fixture
def folder(finished, tmp_path):
    """A copy of the run's folder."""
    return Path(shutil.copytree(finished.output, tmp_path / "copy", ignore=shutil.ignore_patterns("checkpoints")))


def readme(folder: Path) -> str:
    return (folder / "README.md").read_bytes().decode()


def without_ours(text: str) -> str:
    """A card without the section of this package, and without results in the metadata."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(f"{END}\n\n")
    assert begin
    assert end
    text = before + after
    before, _, rest = text.partition("model-index:\n")
    return before + rest[rest.find("---\n") :] if rest else text


def test_the_card_is_that_of_sentence_transformers_with_our_section(folder):
    text = readme(folder)
    places = ["# run", BEGIN, "Trained without labels by sda-hf", "## Scores", "## Limits", "## Training Sentences and"]
    places += [
        "## Loss",
        "## Reproduction",
        END,
        "## Model Details",
        "## Usage",
        "## Evaluation",
        "## Training Details",
    ]
    places += ["* Dataset: `sentences.txt`", "### Training Hyperparameters", "### Training Logs", "### Training Time"]
    places += ["### Framework Versions", "## Citation", "@inproceedings{zhu2024sda"]
    found = [text.index(f"\n{place}") for place in places]
    assert found == sorted(found)
    assert text.count("@inproceedings{zhu2024sda") == 1
    assert '| He travelled widely in Europe. | "He travelled widely in Europe." | He didn\'t travel widely' in text
    assert "- Licence of the sentences: cc0-1.0" in text
    assert r"$$" + "\n" + r"\mathcal{L} = -\frac{1}{N}" in text
    assert '    "margin": 0.0' in text
    tests = text[text.index("\n## Evaluation") : text.index("\n## Training Details")]
    assert "`pairs`" in tests
    assert "`dev`" not in tests  # of the last step, not of the checkpoint that was kept
    log = text[text.index("### Training Logs") : text.index("### Training Time")]
    steps = [line.split("|")[2].strip(" *") for line in log.splitlines() if line.startswith("| ")]
    assert steps == ["Step", "1", "2", "3", "4"]  # the tests are none of them


def test_scores(folder, finished):
    text = readme(folder)
    rows = {"pairs": ("spearman", "Spearman × 100", 6, 2), "no": ("cosine", "Mean cosine", 1, 3)}
    for name, (metric, header, count, digits) in {**rows, "near": ("accuracy", "Accuracy × 100", 1, 2)}.items():
        before, after = (scores[name][metric] for scores in (finished.before, finished.after))
        shown = [f"{before:.{digits}f}", f"{after:.{digits}f}", f"{round(after - before, digits) + 0.0:+.{digits}f}"]
        assert f"| {name} | {count} | {' | '.join(shown)} | {header} |" in text


def test_the_metadata(folder, finished):
    data = metadata_load(folder / "README.md")
    assert data["language"] == ["en"]
    assert data["library_name"] == "sentence-transformers"
    assert {"sda-hf", "loss:MarginNegationInfoNCELoss", "generated_from_trainer"} < set(data["tags"])
    assert "base_model" not in data
    assert "license" not in data  # nobody has stated one for the weights
    name, results = model_index_to_eval_results(data["model-index"])
    assert name == "run"
    after = finished.after
    assert {(one.task_type, one.dataset_type, one.metric_type): one.metric_value for one in results} == {
        ("semantic-similarity", "pairs", "spearman_cosine"): after["pairs"]["spearman"] / 100,
        ("semantic-similarity", "pairs", "pearson_cosine"): after["pairs"]["pearson"] / 100,
        ("semantic-similarity", "no", "cosine"): after["no"]["cosine"],
        ("semantic-similarity", "near", "accuracy"): after["near"]["accuracy"] / 100,
        ("semantic-similarity", "near", "chance"): 0.5,
        ("semantic-similarity", "near", "difference"): after["near"]["difference"],
    }
    assert [one.dataset_name for one in ModelCard(readme(folder)).data.eval_results] == [
        one.dataset_name for one in results
    ]


def test_the_metadata_hold_the_scores_of_the_evaluators(folder, finished):
    model = SentenceTransformer(str(folder), device="cpu")
    own = {one.metric_type: one.metric_value for one in ModelCard(readme(folder)).data.eval_results}
    recipe = Recipe.load(folder / "recipe.yaml")
    for task in evaluation.resolve_all(recipe.evaluation.test):
        evaluator = evaluation.evaluator(task)
        measured = evaluator(model)
        name = evaluator.primary_metric.removeprefix(f"{task.name}_")
        assert own[name] == pytest.approx(measured[evaluator.primary_metric], abs=1e-6)


def test_no_folders_and_no_tokens(folder, finished):
    text = readme(folder)
    for secret in (str(finished.output.parent), finished.output.parent.name, str(Path.home()) + "/", str(Path.cwd())):
        assert secret not in text
    assert TOKEN not in text
    assert "/tmp" not in text
    assert "  - triples:near.tsv\n" in text


def test_rewriting_changes_nothing(folder):
    before = readme(folder)
    assert rewrite_card(folder) is False
    assert readme(folder) == before


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_others_wrote_stays(folder, newline):
    mine = "## Mine\n\nBy hand, <!-- really -->.\n\n"
    text = (
        readme(folder)
        .replace("## Usage\n", f"{mine}## Usage\n", 1)
        .replace("language:\n", "license: mit\nlanguage:\n", 1)
    )
    text = text.replace("Trained without labels by sda-hf", "Trained by hand").replace("\n", newline)
    (folder / "README.md").write_bytes(text.encode())
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    metrics["after"]["pairs"]["spearman"] = 12.345
    (folder / "metrics.json").write_text(json.dumps(metrics), encoding="utf-8")
    assert rewrite_card(folder) is True
    once = readme(folder)
    assert rewrite_card(folder) is False
    assert readme(folder) == once
    assert once.count(mine.replace("\n", newline)) == 1
    assert once.replace("\r\n", "\n").count("\n") == once.count(newline)
    assert "Trained by hand" not in once
    assert "| 12.35 |" in once or "| 12.34 |" in once
    card = ModelCard(once)
    assert card.data.license == "mit"
    assert card.data.eval_results[0].metric_value == pytest.approx(0.12345)
    plain = [without_ours(one.replace("\r\n", "\n")) for one in (once, text)]
    assert plain[0] == plain[1]


def test_a_card_of_sentence_transformers_alone_gets_the_section(folder):
    (folder / "README.md").unlink()
    SentenceTransformer(str(folder), device="cpu", local_files_only=True).save_pretrained(str(folder))
    before = readme(folder)
    assert "sda-hf" not in before
    assert rewrite_card(folder) is True
    assert without_ours(readme(folder)) == before
    assert len(ModelCard(readme(folder)).data.eval_results) == 6
    assert rewrite_card(folder) is False


def test_a_missing_card_is_made(folder):
    before = ModelCard(readme(folder))
    (folder / "README.md").unlink()
    assert rewrite_card(folder) is True
    card = ModelCard(readme(folder))
    assert card.data.eval_results == before.data.eval_results
    assert card.data.language == ["en"]
    sections = [one.content.partition(BEGIN)[2].partition(END)[0] for one in (before, card)]
    assert sections[0] == sections[1]
    assert card.content.count("@inproceedings{zhu2024sda") == 1
    assert rewrite_card(folder) is False


def test_a_card_keeps_its_id(folder):
    text = readme(folder).replace(PLACEHOLDER_ID, "me/name")
    (folder / "README.md").write_text(text, encoding="utf-8")
    assert rewrite_card(folder) is False


def test_the_card_of_a_chinese_run(folder):
    english = readme(folder)
    recipe = (folder / "recipe.yaml").read_text(encoding="utf-8")
    chinese = recipe.replace("name: negation", "name: negation\n    language: zh")
    assert chinese != recipe
    (folder / "recipe.yaml").write_text(chinese, encoding="utf-8")
    assert rewrite_card(folder) is True
    text = readme(folder)
    section = text[text.index(BEGIN) : text.index(END)]
    for line in (
        "- 初始编码器：随机初始化的 BERT，1 层，宽度 16，平均池化，WordPiece 词表由训练句子得到",
        "- 训练句子：`sentences.txt`，共 12 句",
        "- 句子的许可：cc0-1.0",
        "- 训练数据：11 个三元组（anchor、positive、negative）",
        "- 改写方法：`punctuation-insertion`（插入标点）、`negation`（否定）",
        f'model = SentenceTransformer("{PLACEHOLDER_ID}")',
        "- 编码器只是一个很小的示例，只认识训练句子里出现过的字词",
        "- `punctuation-insertion`、`negation`：随包附带的分析器很小，长句和少见的句式可能分析错",
    ):
        assert line in section.splitlines()
    assert section.index("\n## 中文说明\n") < section.index("\n## English\n\nTrained without labels by sda-hf")
    assert without_ours(text) == without_ours(english)
    (folder / "README.md").write_text(text.replace(PLACEHOLDER_ID, "me/name"), encoding="utf-8")
    assert rewrite_card(folder) is False, "the id stays"
    (folder / "recipe.yaml").write_text(recipe, encoding="utf-8")
    (folder / "README.md").write_text(text, encoding="utf-8")
    assert rewrite_card(folder) is True
    assert readme(folder) == english


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("some/encoder", "`some/encoder`"),
        ("/models/mine", "`mine`（本地文件夹）"),
        ({"name": "some/encoder", "pooling": "cls"}, "`some/encoder`，[CLS] 池化"),
    ],
)
def test_encoders_in_chinese(model, said):
    augmentation = {"name": "punctuation-noise", "language": "zh"}
    recipe = Recipe.from_dict({"model": model, "data": {"files": "a.txt"}, "augmentation": augmentation, "output": "o"})
    lines = model_card(recipe, RunMetrics(), {}, "me/name").render().splitlines()
    assert f"- 初始编码器：{said}" in lines
    assert "- 改写方法：`punctuation-noise`（随机插入标点）" in lines
    assert 'model = SentenceTransformer("me/name")' in lines


def test_a_dataset_and_an_encoder_of_the_hub():
    from sentence_transformers import SentenceTransformerModelCardData

    from sda_hf.training.card import describe

    data = SentenceTransformerModelCardData(local_files_only=True)
    mapping = {"model": "some/encoder", "data": {"dataset": "me/sentences"}, "output": "/runs/mine/seed-1"}
    describe(data, Recipe.from_dict({**mapping, "hub": {"repo_id": "me/name"}}))
    assert data.model_id == "me/name"
    assert (data.base_model, data.model_name) == ("some/encoder", "mine-seed-1")
    assert data.train_datasets == [{"name": "me/sentences", "id": "me/sentences"}]
    assert data.datasets == ["me/sentences"]
    data = SentenceTransformerModelCardData(local_files_only=True)
    files = [f"/data/{i}.txt" for i in range(7)]
    describe(data, Recipe.from_dict({"model": "/models/mine", "data": {"files": files}, "output": "/runs/mine"}))
    assert (data.base_model, data.model_name, data.model_id, data.datasets) == (None, "mine", None, [])
    assert data.train_datasets == [{"name": "0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 2 more"}]


# -- what strangers wrote ------------------------------------------------------------------------------

IMAGE = "![t](http://evil.example/pixel.png)"
LIVELY = [
    f"The door of the {IMAGE} barn is locked.",
    "She has read https://evil.example/a <img src=http://evil.example/b.png> today.",
    "The price is $$x$$ | `me@evil.example`.",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The folder of a run whose sentences, names and settings want to be more than text."""
    folder = tmp_path_factory.mktemp("hostile")
    path = write_recipe(folder)
    (folder / "sentences.txt").rename(folder / "![t](evil.example)`.txt")
    text = "\n".join(LIVELY + SENTENCES) + "\n"
    (folder / "![t](evil.example)`.txt").write_text(text, encoding="utf-8")
    settings = {
        "data.files": f"{folder}/![[]t](evil.example)`.txt",  # a glob pattern
        "data.license": f"{IMAGE}\n\n# Free {TOKEN}",
        "output": f"{folder}/![t](evil.example) <b>",
        "training.arguments.run_name": f"{IMAGE} {TOKEN} https://me:secret@evil.example/",
        "evaluation.dev": {"name": "www.evil.example", "path": f"{folder}/pairs.tsv"},
        "evaluation.test": [{"name": "__x__", "path": f"{folder}/pairs.tsv"}],
    }
    return run(Recipe.load(path, [f"{key}={json.dumps(value)}" for key, value in settings.items()])).output


def check_is_harmless(readme: str) -> None:
    page = rendered(readme.partition("\n---\n")[2])
    assert not [target for target in page.targets if "evil" in target]
    assert {"img", "b", "script"}.isdisjoint(page.tags)
    assert not [found for found in AUTOLINK.findall(page.prose) if "evil" in found]
    assert "evil.example" in page.prose.replace(JOINER, ""), "it is shown as text"
    assert page.prose.count("$$") == 2  # around the equation of the loss
    assert "# Free" not in page.tags
    for secret in (TOKEN, "secret"):
        assert secret not in readme


def test_nothing_in_the_card_is_live(hostile):
    check_is_harmless(readme(hostile))
    assert f"  {IMAGE}" not in readme(hostile)
    before = readme(hostile)
    assert rewrite_card(hostile) is False
    assert readme(hostile) == before
    assert TOKEN in (hostile / "recipe.yaml").read_text(encoding="utf-8"), "what is not published stays"


def test_nothing_in_a_card_made_anew_is_live(hostile, tmp_path):
    shutil.copytree(hostile, tmp_path / "copy", ignore=shutil.ignore_patterns("README.md"))
    assert rewrite_card(tmp_path / "copy") is True
    check_is_harmless(readme(tmp_path / "copy"))


def test_nothing_that_is_pushed_holds_a_token(hub, hostile):  # noqa: F811 - a fixture
    push_run(hostile, Target("me/name"))
    pushed = b"".join(hub.repos["me/name"].files().values())
    assert TOKEN.encode() not in pushed
    assert b"secret" not in pushed


# -- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["recipe.yaml", "versions.json", "metrics.json"])
def test_folders_without_a_run(folder, name):
    (folder / name).unlink()
    with pytest.raises(InputFileError, match=rf"copy is not the folder of a finished run \(it has no {name}\): give"):
        rewrite_card(folder)


def test_a_run_that_is_not_finished(folder):
    (folder / "metrics.json").write_text('{"before": {}, "seed": 0}', encoding="utf-8")
    with pytest.raises(InputFileError, match=r"copy is not finished: resume it with sda-hf train --resume first$"):
        rewrite_card(folder)


def test_files_that_cannot_be_read(folder):
    (folder / "README.md").write_bytes(b"\xff\xfe")
    with pytest.raises(InputFileError, match=r"^cannot read .*README\.md as UTF-8 text"):
        rewrite_card(folder)
    (folder / "metrics.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"^cannot read .*metrics\.json: Invalid JSON"):
        rewrite_card(folder)


def test_neither_a_card_nor_a_model(folder):
    (folder / "README.md").unlink()
    (folder / "modules.json").unlink()
    with pytest.raises(InputFileError, match=r"copy holds neither a README\.md nor a model \(modules\.json\)"):
        rewrite_card(folder)


def test_a_missing_marker_leaves_the_card_as_it_is(folder):
    text = readme(folder).replace(END, "")
    (folder / "README.md").write_text(text, encoding="utf-8")
    with pytest.raises(InputValueError, match=r"README\.md: a marker .* without its counterpart"):
        rewrite_card(folder)
    assert readme(folder) == text


def test_the_command(folder, monkeypatch, capsys, tmp_path):
    (folder / "README.md").write_text("# By hand\n", encoding="utf-8")
    for said in ("Written", "Nothing to change"):
        monkeypatch.setattr(sys, "argv", ["sda-hf", "card", str(folder)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        assert capsys.readouterr().out == f"{said}: {folder / 'README.md'}\n"
    assert "\n# By hand\n" in readme(folder)
    monkeypatch.setattr(sys, "argv", ["sda-hf", "card", str(tmp_path / "none")])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert "none is not the folder of a finished run (it has no recipe.yaml)" in error


# -- the Hub -----------------------------------------------------------------------------------------


def test_a_plain_push_keeps_the_card(hub, folder, finished):  # noqa: F811 - a fixture
    named = readme(folder).replace(PLACEHOLDER_ID, "me/name")
    assert named.count('SentenceTransformer("me/name")') == 1
    SentenceTransformer(str(folder), device="cpu").push_to_hub("me/name")
    assert hub.repos["me/name"].files()["README.md"].decode() == named
    finished.model.push_to_hub("me/other")
    pushed = hub.repos["me/other"].files()["README.md"].decode()
    assert pushed == readme(folder).replace(PLACEHOLDER_ID, "me/other")
    ModelCard(pushed).validate()
    again = SentenceTransformer("me/name", device="cpu")
    again.push_to_hub("me/third")
    assert hub.repos["me/third"].files()["README.md"].decode() == named  # an id that is there stays


def test_nothing_is_looked_up_on_the_hub(hub, recipe):  # noqa: F811 - a fixture
    folder = run(recipe).output
    (folder / "README.md").unlink()
    assert rewrite_card(folder) is True
    assert [one.path for one in hub.requests] == []


def test_the_model_of_a_result_is_loaded_when_asked_for(finished):
    result = type(finished)(finished.before, finished.after, finished.output)
    assert "model" not in repr(result)
    assert result == finished
    assert "model" not in vars(result)
    assert result.model is result.model
    loaded = SentenceTransformer(str(finished.output), device="cpu")
    assert (result.model.encode(SENTENCES) == loaded.encode(SENTENCES)).all()


def test_sentence_transformers_keeps_the_card(folder):
    again = folder.parent / "again"
    SentenceTransformer(str(folder), device="cpu", local_files_only=True).save_pretrained(str(again))
    assert readme(again) == readme(folder)
