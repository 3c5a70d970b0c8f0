"""The section `hub` of a recipe: runs that are pushed while or after they train, and what happens if that fails."""

import json
import logging
from pathlib import Path

import pytest
import yaml

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.hub.upload import Target
from sda_hf.training import run
from sda_hf.training.publishing import Publisher
from sda_hf.training.recipe import Hub, Recipe
from sda_hf.training.run_folder import RunFolder

from ..training.conftest import recipe, recipe_file  # noqa: F401 - fixtures


def pushed(base, **settings):
    return base.replace(hub=Hub(**{"repo_id": "me/name", **settings}))


def test_every_save(hub, recipe):  # noqa: F811 - a fixture
    """The last push is that of the finished run, as with `push: end`."""
    result = run(pushed(recipe, push="every_save", private=True))
    repository = hub.repos["me/name"]
    titles = [commit.title for commit in repository.log("main")]
    assert titles == ["Finished run", "Step 4", "Step 2", "initial commit"]
    assert repository.private
    step = repository.log("main")[2]
    assert {"model.safetensors", "recipe.yaml", "versions.json"} <= set(step.contents)
    assert "metrics.json" not in step.contents, "nothing is measured yet"
    card = step.contents["README.md"].data.decode()
    assert "Trained without labels by sda-hf" in card
    assert "Scores: not measured." in card
    assert result.pushed.url == f"{hub.url}/me/name"
    files = repository.files()
    local = {
        path.relative_to(result.output).as_posix()
        for path in result.output.rglob("*")
        if path.is_file() and "checkpoints" not in path.parts
    }
    assert set(files) == local
    assert {"model.safetensors", "modules.json", "README.md", "recipe.yaml", "metrics.json"} <= set(files)
    assert yaml.safe_load(files["recipe.yaml"])["hub"]["repo_id"] == "me/name"
    assert str(result.output.parent) not in b"".join(files.values()).decode("utf-8", errors="replace")
    assert json.loads(files["metrics.json"])["after"] == result.after
    assert 'SentenceTransformer("me/name")' in files["README.md"].decode()


def test_a_branch(hub, recipe):  # noqa: F811 - a fixture
    result = run(pushed(recipe, revision="tiny"))
    assert "model.safetensors" in hub.repos["me/name"].files("tiny")
    assert "model.safetensors" not in hub.repos["me/name"].files("main")
    assert [commit.title for commit in hub.repos["me/name"].log("tiny")] == ["Finished run", "initial commit"]
    assert result.pushed.url == f"{hub.url}/me/name/tree/tiny"
    folder = RunFolder(result.output)
    assert Publisher(Hub(repo_id="me/name", create_pr=True), folder).target == Target("me/name", create_pr=True)


def test_a_mistake_shows_before_the_training(hub, recipe, monkeypatch):  # noqa: F811 - a fixture
    monkeypatch.setenv("HF_TOKEN", hub.read_token)
    with pytest.raises(InputFileError, match="me/name"):
        run(pushed(recipe))
    with pytest.raises(InputValueError, match=r"repository 'name' has no owner: write it as me/name"):
        run(pushed(recipe, repo_id="name"))
    assert not hub.repos
    assert not Path(recipe.output).exists()


def test_a_failed_push_at_the_end(hub, recipe, monkeypatch):  # noqa: F811 - a fixture
    hub.fail("POST", r"/commit/", status=403, times=99)
    with pytest.raises(
        InputFileError,
        match=r"the finished run is saved, but was not pushed: .*sda-hf push .*run --repo-id me/name\)",
    ):
        run(pushed(recipe))
    metrics = json.loads((Path(recipe.output) / "metrics.json").read_text(encoding="utf-8"))
    assert "after" in metrics


def test_a_failed_push_at_a_save_is_logged_and_training_continues(hub, recipe, caplog):  # noqa: F811 - a fixture
    hub.fail("POST", r"/commit/", status=403, times=1)
    with caplog.at_level(logging.WARNING, logger="sda_hf.training.publishing"):
        result = run(pushed(recipe, push="every_save"))
    assert result.after
    told = [record.getMessage() for record in caplog.records if record.name == "sda_hf.training.publishing"]
    assert len(told) == 1
    assert told[0].startswith("step 2 was not pushed to me/name: ")
    assert "model.safetensors" in hub.repos["me/name"].files()


def test_resuming_elsewhere_is_the_same_run(recipe):  # noqa: F811 - a fixture
    from sda_hf.training.run_folder import _changes

    assert _changes(recipe.to_dict(), pushed(recipe).to_dict()) == []


@pytest.mark.parametrize(
    ("hub_section", "message"),
    [
        ({}, r"hub\.repo_id: missing; give the repository, as me/name"),
        ({"repo_id": "me/x", "push": "allways"}, r"hub\.push: 'allways' is not known"),
        ({"repo_id": "me/x", "push": "every_save", "create_pr": True}, r"hub\.create_pr: every save would open a pull"),
        ({"repo_id": "me/x", "token": "hf_abc"}, r"unknown recipe key 'hub\.token'"),
    ],
)
def test_invalid_sections(hub_section, message):
    with pytest.raises(InputValueError, match=message):
        Recipe.from_dict({"model": "m", "data": {"files": ["a.txt"]}, "hub": hub_section})


def test_the_trainers_own_keys_are_refused(recipe):  # noqa: F811 - a fixture
    for key, value in (("hub_token", "hf_abc"), ("push_to_hub", True), ("hub_model_id", "me/x")):
        training = recipe.training.replace(arguments={key: value})
        with pytest.raises(
            InputValueError, match=rf"training\.arguments\.{key}: use the recipe's own key for it, hub"
        ) as caught:
            run(recipe.replace(training=training))
        assert "hf_abc" not in str(caught.value)
