"""Uploads and downloads through the real client: what is sent, what is retried, and what the user is told."""

import dataclasses
import hashlib
import json
import logging
import os

import pytest
from huggingface_hub import HfApi, constants

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.hub import retries
from sda_hf.hub.upload import Pushed, Target, download, prepare, upload

from .server import BROKEN

CARD = b"---\nlicense: mit\n---\n# Tiny\n"
WEIGHTS, MORE = os.urandom(300_000), os.urandom(200_000)
FILES = {"model.safetensors": WEIGHTS, "2_Dense/model.safetensors": MORE, "README.md": CARD, "config.json": b"{}"}
UPLOADS = {hashlib.sha256(data).hexdigest(): 1 for data in (WEIGHTS, MORE)}
AGAIN = "nothing was lost, and pushing again completes it"
TARGET = Target("me/name")
BRANCH = Target("me/name", revision="v2")

# The requests of a push to a new branch of a new repository that the client does not retry by itself.
OURS = {
    "repository": ("GET", "/api/models/me/name$", "preparing the repository me/name"),
    "create": ("POST", "repos/create", "preparing the repository me/name"),
    "revision": ("GET", "/revision/", "preparing the repository me/name"),
    "branch": ("POST", "/branch/", "preparing the repository me/name"),
    "commit": ("POST", "/commit/", "uploading {folder} to me/name"),
}


@pytest.fixture
def folder(tmp_path):
    """The folder of a model, of which every byte must be the same after a test."""
    made = tmp_path / "model"
    for name, data in FILES.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(data)
    yield made
    assert read(made) == FILES


def read(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(kind, folder, target=TARGET):
    with pytest.raises(kind) as caught:
        upload(folder, target)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def is_complete(hub, revision="main"):
    repo = hub.repos["me/name"]
    return repo.files(revision) == FILES and len(repo.log(revision)) == 2 and hub.uploads == UPLOADS


# -- what a push does ---------------------------------------------------------------------------------


def test_a_new_repository(hub, folder, waits):
    done = upload(folder, TARGET, message="first")
    assert done == Pushed(f"{hub.url}/me/name", hub.repos["me/name"].at().oid, None, False, True)
    assert is_complete(hub)
    assert hub.repos["me/name"].at().title == "first"
    assert not hub.repos["me/name"].private
    assert waits == []
    assert all(one.token for one in hub.requests if one.method != "PUT")


def test_an_unchanged_folder_and_an_update(hub, folder, tmp_path):
    first = upload(folder, TARGET)
    assert upload(str(folder), TARGET) == dataclasses.replace(first, unchanged=True, created=False)
    assert is_complete(hub)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").write_bytes(b"[]")
    done = upload(tmp_path / "other", TARGET)
    assert (done.unchanged, done.created) == (False, False)
    assert hub.repos["me/name"].files() == FILES | {"config.json": b"[]"}


def test_ignored_and_replaced_files(hub, folder):
    upload(folder, TARGET, ignore=("2_*", "*.md"), replace={"config.json": b"[1]", "new.json": b"2"})
    assert hub.repos["me/name"].files() == {"model.safetensors": WEIGHTS, "config.json": b"[1]", "new.json": b"2"}


def test_a_dataset(hub, folder):
    done = upload(folder, Target("me/name", repo_type="dataset"))
    assert done.url == f"{hub.url}/datasets/me/name"
    assert list(hub.repos) == ["datasets/me/name"]


def test_a_branch_is_created_once(hub, folder):
    target = Target("me/name", revision="dev/1")
    done = upload(folder, target)
    assert done.url == f"{hub.url}/me/name/tree/dev%2F1"
    assert hub.repos["me/name"].files("main") == {}
    assert is_complete(hub, "dev/1")
    assert upload(folder, target) == dataclasses.replace(done, unchanged=True, created=False)
    assert len(hub.asked("POST", "/branch/")) == 1


def test_pull_requests(hub, folder):
    done = upload(folder, Target("me/name", create_pr=True))
    assert done.pull_request == f"{hub.url}/me/name/discussions/1"
    assert not done.unchanged
    assert hub.repos["me/name"].files("main") == {}
    assert is_complete(hub, "refs/pr/1")
    assert upload(folder, Target("me/name", revision="refs/pr/1")).unchanged
    upload(folder, TARGET)
    again = upload(folder, Target("me/name", create_pr=True, revision="main"))
    assert (again.pull_request, again.unchanged) == (None, True)
    assert hub.uploads == UPLOADS


def test_private(hub, folder):
    upload(folder, Target("me/name", private=True))
    assert hub.repos["me/name"].private
    HfApi().create_repo("me/public")
    assert refused(InputValueError, folder, Target("me/public", private=True)) == (
        "me/public exists already and is public: make it private in its settings, push without private, or give "
        "another name; nothing was uploaded"
    )
    assert hub.repos["me/public"].files() == {}


def test_prepare(hub, folder, waits):
    target = Target("me/name", private=True, revision="v2", token=hub.write_token)
    assert hub.write_token not in repr(target)
    hub.fail("GET", "/auth-check/write", times=2)
    prepare(target)
    assert waits == [1, 2]
    assert (hub.repos["me/name"].private, hub.repos["me/name"].files("v2")) == (True, {})
    with pytest.raises(InputFileError) as caught:
        prepare(dataclasses.replace(target, token=hub.read_token))
    assert str(caught.value) == (
        "checking whether the token may write to me/name failed: the Hub answered 403: You don't have the rights to "
        "write to me/name: use a token with write permission for this repository"
    )
    prepare(Target("me/name", create_pr=True, token=hub.read_token))
    assert upload(folder, target).created is False
    assert is_complete(hub, "v2")


# -- what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("name", "^repository 'name' has no owner: write it as me/name$"),
        ("me/name/x", "^Repo id must be in the form 'repo_name' or 'namespace/repo_name': 'me/name/x'"),
        ("me/na me", "^Repo id must use alphanumeric chars"),
        ("me/name.git", r"^Repo_id cannot end by '\.git': 'me/name\.git': write it as me/name$"),
        (7, "^Repo id must be a string, not <class 'int'>: '7': write it as me/name$"),
    ],
)
def test_invalid_names(name, message):
    with pytest.raises(InputValueError, match=message):
        Target(name)


def test_contradictory_options():
    with pytest.raises(InputValueError, match="^repository type 'space': give one of model, dataset$"):
        Target("me/name", repo_type="space")
    with pytest.raises(
        InputValueError,
        match="^a pull request targets the main branch, not 'v2': give either revision or create_pr$",
    ):
        Target("me/name", revision="v2", create_pr=True)


def test_no_token(hub, folder, monkeypatch):
    monkeypatch.delenv("HF_TOKEN")
    assert refused(InputValueError, folder) == "no Hub token: log in with `hf auth login`, or set HF_TOKEN"
    said = refused(InputValueError, folder, Target("me/name", token="hf_é"))
    assert said == "the Hub token has characters that no token has: copy it again"
    assert hub.requests == []


def test_a_wrong_token(hub, folder, waits):
    assert refused(InputFileError, folder, Target("me/name", token="hf_other")) == (
        "preparing the repository me/name failed: the Hub answered 401: Invalid credentials in Authorization header: "
        f"log in with `hf auth login`, or set HF_TOKEN to a valid token; {AGAIN}"
    )
    assert (hub.repos, waits, len(hub.requests)) == ({}, [], 1)


def test_a_token_without_write_permission(hub, folder, waits):
    target = Target("me/name", token=hub.read_token)
    ends = f"use a token with write permission for this repository; {AGAIN}"
    said = refused(InputFileError, folder, target)
    assert said.startswith("preparing the repository me/name failed: the Hub answered 403: You don't have the rights")
    assert said.endswith(ends)
    HfApi().create_repo("me/name")
    assert refused(InputFileError, folder, target) == (
        f"uploading {folder} to me/name failed: the Hub answered 403: You don't have the rights to write to me/name: "
        f"{ends}"
    )
    assert (hub.repos["me/name"].files(), waits) == ({}, [])
    assert upload(folder, TARGET).unchanged is False


def test_folders_without_files(hub, tmp_path, folder):
    assert refused(InputFileError, tmp_path / "none") == f"{tmp_path / 'none'} is not a folder: give an existing one"
    with pytest.raises(InputFileError, match="holds no files to push: give another folder$"):
        upload(folder, TARGET, ignore=["*"])
    assert hub.requests == []


def test_a_revision_that_is_not_a_branch(hub, folder, tmp_path):
    first = upload(folder, TARGET)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").write_bytes(b"[]")
    said = refused(InputFileError, tmp_path / "other", Target("me/name", revision=first.commit))
    assert said == (
        f"uploading {tmp_path / 'other'} to me/name failed: the Hub answered 400: A commit goes to a branch or a pull "
        f"request, not to {first.commit}: correct what it refers to; {AGAIN}"
    )


def test_a_card_with_invalid_metadata(hub, folder):
    (folder / "README.md").write_bytes(b"---\n- mit\n---\n")
    said = refused(InputValueError, folder)
    (folder / "README.md").write_bytes(CARD)
    assert said == (
        f"uploading {folder} to me/name failed: Invalid metadata in README.md. - YAML Metadata Error: the metadata "
        f"must be a mapping; {AGAIN}"
    )
    assert hub.uploads == {}


def test_offline_mode(hub, folder, waits, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert refused(InputValueError, folder) == (
        f"preparing the repository me/name failed: HF_HUB_OFFLINE is set: unset it to use the Hub; {AGAIN}"
    )
    assert (hub.requests, waits) == ([], [])


# -- what is retried ----------------------------------------------------------------------------------


@pytest.mark.parametrize("call", OURS)
@pytest.mark.parametrize("fault", ["fail", "cut", "lose"])
def test_two_failures_and_then_success(hub, folder, waits, call, fault):
    method, pattern, _ = OURS[call]
    getattr(hub, fault)(method, pattern, times=2)
    done = upload(folder, BRANCH)
    # What was done before its answer was lost is found done at the second attempt.
    assert waits == ([1] if fault == "lose" and call in ("create", "branch", "commit") else [1, 2])
    assert is_complete(hub, "v2")
    assert done.commit == hub.repos["me/name"].at("v2").oid


@pytest.mark.parametrize("call", OURS)
def test_persistent_failures(hub, folder, waits, call):
    method, pattern, what = OURS[call]
    hub.fail(method, pattern, status=503, times=5)
    assert refused(InputFileError, folder, BRANCH) == (
        f"{what.format(folder=folder)} failed: the Hub answered 503: {BROKEN}: try again later; {AGAIN}"
    )
    assert waits == [1, 2, 4, 8]
    upload(folder, BRANCH)
    assert is_complete(hub, "v2")


def test_a_rate_limit_is_waited_for(hub, folder, waits):
    hub.fail("POST", "repos/create", status=429, headers={"RateLimit": '"api";r=0;t=55', "Retry-After": "7"})
    hub.fail("POST", "/commit/", status=429, times=2, headers={"Retry-After": "30"})
    upload(folder, TARGET)
    assert waits == [55, 30, 30]
    hub.fail("GET", "/api/models/me/name", status=429, headers={"Retry-After": "3600"})
    assert refused(InputFileError, folder) == (
        f"preparing the repository me/name failed: the Hub answered 429: {BROKEN}: try again in 3600 s; {AGAIN}"
    )
    assert waits == [55, 30, 30]


def test_an_upload_that_is_cut_is_retried_by_the_client_alone(hub, folder, waits):
    """The second push sends only the file that did not arrive."""
    hub.cut("PUT", hashlib.sha256(WEIGHTS).hexdigest(), after_bytes=100_000, times=6)
    said = refused(InputFileError, folder)
    assert said.startswith(f"uploading {folder} to me/name failed: no connection to the Hub: ")
    assert said.endswith(f": try again later; {AGAIN}")
    assert (hub.repos["me/name"].files(), len(hub.uploads)) == ({}, 1)
    assert waits == [1, 2, 4, 8, 8]  # between the six attempts of the client
    upload(folder, TARGET)
    assert is_complete(hub)


def test_a_lost_answer_opens_no_second_pull_request(hub, folder, waits):
    target = Target("me/name", create_pr=True)
    hub.lose("POST", "/commit/")
    said = refused(InputFileError, folder, target)
    assert said.startswith(f"uploading {folder} to me/name failed: no connection to the Hub: ")
    assert said.endswith(
        f"nothing was lost, but look for an open pull request at {hub.url}/me/name/discussions before pushing again"
    )
    assert (hub.repos["me/name"].pulls, waits) == (["refs/pr/1"], [])
    hub.fail("POST", "/commit/", status=503)  # which says that nothing was done
    upload(folder, target)
    assert (hub.repos["me/name"].pulls, waits) == (["refs/pr/1", "refs/pr/2"], [1])


def test_the_server_is_gone(hub, folder, waits):
    hub.stop()
    said = refused(InputFileError, folder)
    assert said.startswith("preparing the repository me/name failed: no connection to the Hub: ")
    assert waits == [1, 2, 4, 8]
    hub.start()
    upload(folder, TARGET)
    assert is_complete(hub)


def test_the_token_is_never_shown(hub, folder, waits, caplog):
    caplog.set_level(logging.INFO)
    hub.fail("POST", "repos/create", times=5, message=f"no {hub.write_token} here")
    with pytest.raises(InputFileError) as caught:
        upload(folder, TARGET)
    failed = "preparing the repository me/name failed: the Hub answered 500: no <token> here: try again later"
    assert str(caught.value) == f"{failed}; {AGAIN}"
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    ours = [record.getMessage() for record in caplog.records if record.name == "sda_hf.hub.retries"]
    assert ours == [f"{failed}: retrying in {seconds} s" for seconds in (1, 2, 4, 8)]
    assert hub.write_token not in caplog.text


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("a bug"), TypeError("a bug")])
def test_bugs_and_interrupts_pass(error, waits):
    def call():
        raise error

    with pytest.raises(type(error)) as caught:
        retries.with_retries(call, "nothing")
    assert caught.value is error
    assert waits == []


def test_errors_that_are_not_answers_of_the_hub(tmp_path, waits):
    def xet_storage():
        raise ConnectionError("Server error: CAS")  # as hf_xet reports it, after retries of its own

    for call, message in {
        xet_storage: "^uploading failed: Server error: CAS: try again later; push again$",
        (tmp_path / "none").read_bytes: "^uploading failed: .* No such file or directory: '.*none'; push again$",
    }.items():
        with pytest.raises(InputFileError, match=message):
            retries.with_retries(call, "uploading", advice="push again")
    assert waits == []
    with pytest.raises(InputFileError, match="^uploading failed: the answer is not one of the Hub: check HF_ENDPOINT"):
        retries.with_retries(lambda: json.loads("<html>Bad gateway</html>"), "uploading")
    assert waits == [1, 2, 4, 8]


# -- downloads ----------------------------------------------------------------------------------------


def test_downloads(hub, folder, waits):
    done = upload(folder, TARGET)
    hub.fail("GET", "/revision/", times=2)
    assert read(download("me/name")) == FILES
    assert waits == [1, 2]
    assert read(download("me/name", revision=done.commit, allow=["*.json"])) == FILES


def test_failed_downloads(hub, folder, monkeypatch, waits):
    upload(folder, Target("me/name", private=True))
    missing = "check the name and the revision, and whether your token can see the repository"
    with pytest.raises(InputFileError, match=f"^downloading me/none failed: .* 404: Repository not found: {missing}$"):
        download("me/none")
    with pytest.raises(
        InputFileError, match=f"^downloading me/name at v2 failed: .* 404: Invalid rev id: v2: {missing}"
    ):
        download("me/name", revision="v2")
    monkeypatch.delenv("HF_TOKEN")
    with pytest.raises(
        InputFileError, match="^downloading me/name failed: .* 401: Invalid username or password: log in"
    ):
        download("me/name")
    assert waits == []


def test_a_download_without_a_connection(hub, folder, waits):
    upload(folder, TARGET)
    hub.stop()
    with pytest.raises(
        InputFileError, match="^downloading me/name failed: no connection to the Hub: .*: try again later$"
    ):
        download("me/name")
    assert waits == [1, 2, 4, 8]
    hub.start()
    path = download("me/name")
    hub.stop()
    assert download("me/name") == path, "from the client's cache"
