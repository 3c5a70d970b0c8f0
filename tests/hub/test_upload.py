"""Uploads and downloads through the real client: what is sent, what is tried again, and what the user is told."""

import dataclasses
import errno
import hashlib
import json
import logging
import os
import subprocess
import sys
import time

import pytest
from huggingface_hub import HfApi, constants

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.hub import faults
from sda_hf.hub.upload import Pushed, Target, download, prepare, upload

from .api import Answer, refusal
from .server import HubServer
from .store import HubError

CARD = b"---\nlicense: mit\n---\n# Tiny\n"
WEIGHTS, MORE = os.urandom(300_000), os.urandom(200_000)
FILES = {"model.safetensors": WEIGHTS, "2_Dense/model.safetensors": MORE, "README.md": CARD, "config.json": b"{}"}
UPLOADS = {hashlib.sha256(data).hexdigest(): 1 for data in (WEIGHTS, MORE)}
CLIENT = [1, 2, 4, 8, 8]  # what the client waits between its own six tries
OURS = [1, 2, 4, 8]
BROKEN = "Internal Error - We're working hard to fix this as soon as possible!"
NOBODY = f"[Errno {errno.ECONNREFUSED}] {os.strerror(errno.ECONNREFUSED)}"
AGAIN = "nothing was lost: pushing again finishes it"
TARGET = Target("me/name")

# The requests of a push that makes all, in their order → what of them the message tells.
ONCE = {
    "info": ("GET", "/api/models/me/name$", "looking for me/name"),
    "create": ("POST", "repos/create", "creating me/name"),
    "revision": ("GET", "/revision/", "looking for v2 of me/name"),
    "branch": ("POST", "/branch/", "creating the branch v2 of me/name"),
    "validate": ("POST", "validate-yaml", "uploading {folder} to me/name"),
    "commit": ("POST", "/commit/", "uploading {folder} to me/name"),
}
SEVERAL = {
    "preupload": ("POST", "/preupload/"),
    "batch": ("POST", "objects/batch"),
    "put": ("PUT", "/lfs/"),
    "verify": ("POST", "/verify"),
}


@pytest.fixture
def folder(tmp_path):
    """A folder as of a model, of which every byte must be the same after a test."""
    made = tmp_path / "model"
    for name, data in FILES.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(data)
    yield made
    assert read(made) == FILES


@pytest.fixture
def pauses(waits, monkeypatch):
    """The seconds that we or the client would have waited, in their order."""
    monkeypatch.setattr(time, "sleep", waits.append)
    return waits


def read(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def statuses(hub, method, pattern):
    return [one.status for one in hub.asked(method, pattern)]


def message(caught):
    assert "\n" not in str(caught.value)
    return str(caught.value)


def refused(kind, folder, target=TARGET):
    with pytest.raises(kind) as caught:
        upload(folder, target)
    return message(caught)


def is_whole(hub, revision="main"):
    repo = hub.repos["me/name"]
    return repo.files(revision) == FILES and len(repo.log(revision)) == 2 and hub.uploads == UPLOADS


# -- what a push does ---------------------------------------------------------------------------------


def test_a_new_repository(hub, folder, pauses):
    done = upload(folder, TARGET, message="first")
    assert done == Pushed(f"{hub.url}/me/name", hub.repos["me/name"].at("main").oid, None, False, True)
    assert is_whole(hub)
    assert hub.repos["me/name"].at("main").title == "first"
    assert not hub.repos["me/name"].private
    assert pauses == []
    assert all(one.token for one in hub.requests if one.method != "PUT")


def test_an_unchanged_folder_and_an_update(hub, folder, tmp_path):
    first = upload(folder, TARGET)
    hub.requests.clear()
    assert upload(str(folder), TARGET) == dataclasses.replace(first, unchanged=True, created=False)
    assert [one.method for one in hub.requests].count("PUT") == 0
    assert is_whole(hub)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").write_bytes(b"[]")
    done = upload(tmp_path / "other", TARGET)
    assert (done.unchanged, done.created) == (False, False)
    assert hub.repos["me/name"].files() == FILES | {"config.json": b"[]"}


def test_what_is_left_out_and_what_is_put_in_its_place(hub, folder):
    upload(folder, TARGET, ignore=("2_*", "*.md"), instead={"config.json": b"[1]", "new.json": b"2"})
    assert hub.repos["me/name"].files() == {
        "model.safetensors": WEIGHTS,
        "config.json": b"[1]",
        "new.json": b"2",
    }


def test_datasets_are_of_their_own(hub, folder):
    done = upload(folder, Target("me/name", repo_type="dataset"))
    assert done.url == f"{hub.url}/datasets/me/name"
    assert list(hub.repos) == ["datasets/me/name"]
    assert upload(folder, Target("me/name", repo_type="dataset")).unchanged


def test_a_branch_is_made_once(hub, folder):
    target = Target("me/name", revision="dev/1")
    done = upload(folder, target)
    assert done.url == f"{hub.url}/me/name/tree/dev%2F1"
    assert hub.repos["me/name"].files("main") == {}
    assert is_whole(hub, "dev/1")
    assert upload(folder, target) == dataclasses.replace(done, unchanged=True, created=False)
    assert len(hub.asked("POST", "/branch/")) == 1


def test_pull_requests(hub, folder):
    done = upload(folder, Target("me/name", create_pr=True))
    assert done.pull_request == f"{hub.url}/me/name/discussions/1"
    assert not done.unchanged
    assert hub.repos["me/name"].files("main") == {}
    assert is_whole(hub, "refs/pr/1")
    assert upload(folder, Target("me/name", revision="refs/pr/1")).unchanged
    upload(folder, TARGET)
    again = upload(folder, Target("me/name", create_pr=True, revision="main"))
    assert (again.pull_request, again.unchanged, again.url) == (None, True, f"{hub.url}/me/name/tree/main")
    assert hub.uploads == UPLOADS


def test_private(hub, folder):
    upload(folder, Target("me/name", private=True))
    assert hub.repos["me/name"].private
    assert upload(folder, TARGET).unchanged  # it stays so
    assert hub.repos["me/name"].private


def test_what_is_public_is_not_taken_for_private(hub, folder):
    HfApi().create_repo("me/name")
    assert refused(InputValueError, folder, Target("me/name", private=True)) == (
        "me/name is there already and public: make it private in its settings, push without private, or give another "
        "name; nothing was uploaded"
    )
    assert hub.repos["me/name"].files() == {}
    assert hub.asked("POST", "preupload") == hub.asked("PUT", "") == []


def test_a_token_of_its_own(hub, folder, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", hub.read_token)
    target = Target("me/name", token=hub.write_token)
    assert hub.write_token not in repr(target)
    assert upload(folder, target).created


def test_a_place_is_prepared(hub, folder, pauses):
    target = Target("me/name", private=True, revision="v2")
    hub.fail("GET", "/auth-check/write", times=2)
    prepare(target)
    assert pauses == [1, 2]
    assert (hub.repos["me/name"].private, hub.repos["me/name"].files("v2")) == (True, {})
    with pytest.raises(InputFileError) as caught:
        prepare(dataclasses.replace(target, token=hub.read_token))
    assert message(caught) == (
        "asking whether the token may write to me/name failed: the Hub answered 403: You don't have the rights to "
        "write to me/name: the token may not do this: use one with write permission for this repository"
    )
    prepare(Target("me/name", create_pr=True, token=hub.read_token))
    assert upload(folder, target).created is False
    assert is_whole(hub, "v2")


# -- what is refused before anything is asked ---------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("name", "repository 'name' has no owner: give one, as me/name"),
        ("me/name/x", "Repo id must be in the form 'repo_name' or 'namespace/repo_name': 'me/name/x'. Use `repo_type`"),
        ("me/na me", "Repo id must use alphanumeric chars, '-', '_' or '.'. The name cannot start or end with '-' or"),
        ("me/a--b", "Cannot have -- or .. in repo_id: 'me/a--b': give it as me/name"),
        ("me/name.git", "Repo_id cannot end by '.git': 'me/name.git': give it as me/name"),
        ("me/", "Repo id must use alphanumeric chars"),
        (7, "Repo id must be a string, not <class 'int'>: '7': give it as me/name"),
    ],
)
def test_names(name, said):
    with pytest.raises(InputValueError) as caught:
        Target(name)
    assert message(caught).startswith(said)


def test_options_that_contradict():
    with pytest.raises(InputValueError, match="^repository type 'space': give one of model, dataset$"):
        Target("me/name", repo_type="space")
    with pytest.raises(
        InputValueError,
        match="^a pull request goes to the default branch, not to 'v2': give a revision or create_pr$",
    ):
        Target("me/name", revision="v2", create_pr=True)


def test_no_token(hub, folder, monkeypatch):
    monkeypatch.delenv("HF_TOKEN")
    assert refused(InputValueError, folder) == ("no token for the Hub: log in with `hf auth login`, or set HF_TOKEN")
    assert hub.requests == []


@pytest.mark.parametrize("token", ["hf_écrire", "hf write", "hf_\x00"])
def test_tokens_that_are_none(hub, folder, token):
    said = refused(InputValueError, folder, Target("me/name", token=token))
    assert said == "the token for the Hub holds characters that no token has: copy it again"
    assert hub.requests == []


def test_folders_with_nothing(hub, tmp_path, folder):
    assert refused(InputFileError, tmp_path / "none") == f"{tmp_path / 'none'} is no folder: give one that is there"
    (tmp_path / "empty").mkdir()
    assert refused(InputFileError, tmp_path / "empty") == (
        f"{tmp_path / 'empty'} holds nothing to push: give another folder"
    )
    with pytest.raises(InputFileError, match="holds nothing to push"):
        upload(folder, TARGET, ignore=["*"])
    assert hub.requests == []


# -- what the Hub refuses -----------------------------------------------------------------------------


def test_a_wrong_token(hub, folder, pauses):
    assert refused(InputFileError, folder, Target("me/name", token="hf_other")) == (
        "looking for me/name failed: the Hub answered 401: Invalid credentials in Authorization header: the token was "
        f"refused: log in again with `hf auth login`, or set HF_TOKEN to one that is valid; {AGAIN}"
    )
    assert (hub.repos, pauses, len(hub.requests)) == ({}, [], 1)


def test_a_token_that_only_reads(hub, folder, pauses):
    target = Target("me/name", token=hub.read_token)
    ends = f"the token may not do this: use one with write permission for this repository; {AGAIN}"
    assert refused(InputFileError, folder, target) == (
        "creating me/name failed: the Hub answered 403: You don't have the rights to create a model under the "
        f'namespace "me": {ends}'
    )
    HfApi().create_repo("me/name")
    assert refused(InputFileError, folder, target) == (
        f"uploading {folder} to me/name failed: the Hub answered 403: You don't have the rights to write to me/name: "
        f"{ends}"
    )
    assert (hub.repos["me/name"].files(), pauses) == ({}, [])
    assert upload(folder, TARGET).unchanged is False
    assert is_whole(hub)


def test_somebody_elses_name(hub, folder):
    said = refused(InputFileError, folder, Target("you/name"))
    assert said.startswith(
        "creating you/name failed: the Hub answered 403: You don't have the rights to create a model"
    )


def test_a_revision_that_is_no_branch(hub, folder):
    first = upload(folder, TARGET)
    (folder / "config.json").write_bytes(b"[]")
    said = refused(InputFileError, folder, Target("me/name", revision=first.commit))
    (folder / "config.json").write_bytes(FILES["config.json"])
    assert said == (
        f"uploading {folder} to me/name failed: the Hub answered 400: A commit goes to a branch or a pull request, not "
        f"to {first.commit}: correct what it says; {AGAIN}"
    )


def test_a_card_that_is_no_yaml(hub, folder):
    (folder / "README.md").write_bytes(b"---\n- mit\n---\n")
    said = refused(InputValueError, folder)
    (folder / "README.md").write_bytes(CARD)
    assert said == (
        f"uploading {folder} to me/name failed: Invalid metadata in README.md. - YAML Metadata Error: the metadata "
        f"must be a mapping: correct the YAML at its top; {AGAIN}"
    )
    assert hub.uploads == {}


# -- what is tried again ------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ONCE)
@pytest.mark.parametrize("how", ["fail", "cut", "lost"])
def test_what_fails_twice_and_then_goes(hub, folder, pauses, call, how):
    method, pattern, _ = ONCE[call]
    do = {"fail": hub.fail, "cut": hub.cut, "lost": hub.cut_response}[how]
    do(method, pattern, times=2)
    done = upload(folder, Target("me/name", revision="v2"))
    # A commit whose answer was lost is there at the second try.
    assert pauses == ([1] if (how, call) == ("lost", "commit") else [1, 2])
    assert is_whole(hub, "v2")
    assert not done.unchanged
    assert done.commit == hub.repos["me/name"].at("v2").oid


@pytest.mark.parametrize("call", ONCE)
def test_what_fails_on_and_on(hub, folder, pauses, call):
    method, pattern, what = ONCE[call]
    target = Target("me/name", revision="v2")
    hub.fail(method, pattern, status=503, times=5)
    assert refused(InputFileError, folder, target) == (
        f"{what.format(folder=folder)} failed: the Hub answered 503: {BROKEN}: try again later; {AGAIN}"
    )
    assert statuses(hub, method, pattern)[-5:] == [503] * 5
    assert pauses == OURS
    upload(folder, target)
    assert is_whole(hub, "v2")


@pytest.mark.parametrize("call", SEVERAL)
@pytest.mark.parametrize("how", ["fail", "cut"])
def test_the_clients_own_tries_are_not_multiplied(hub, folder, pauses, call, how):
    method, pattern = SEVERAL[call]
    files = 2 if call in ("put", "verify") else 1  # two large files go at the same time
    getattr(hub, how)(method, pattern, times=6 * files)
    said = refused(InputFileError, folder)
    assert said.startswith(f"uploading {folder} to me/name failed: ")
    assert said.endswith(f": try again later; {AGAIN}")
    assert len(hub.asked(method, pattern)) == 6 * files
    assert sorted(pauses) == sorted(CLIENT * files)
    assert hub.asked("POST", "/commit/") == []
    upload(folder, TARGET)
    assert is_whole(hub)


def test_a_limit_of_requests_is_waited_for(hub, folder, pauses):
    hub.fail("POST", "/commit/", status=429, times=2, headers={"Retry-After": "30"})
    hub.fail("POST", "repos/create", status=429, headers={"RateLimit": '"api";r=0;t=55', "Retry-After": "7"})
    hub.fail("PUT", "/lfs/", status=429, headers={"Retry-After": "3"})
    upload(folder, TARGET)
    assert pauses == [55, 4, 30, 30]  # the client's own is one more
    assert is_whole(hub)


def test_a_limit_that_is_far_off(hub, folder, pauses):
    hub.fail("POST", "/commit/", status=429, headers={"Retry-After": "3600"})
    assert refused(InputFileError, folder) == (
        f"uploading {folder} to me/name failed: the Hub answered 429: {BROKEN}: try again in 3600 s; {AGAIN}"
    )
    assert pauses == []
    upload(folder, TARGET)
    assert is_whole(hub)


def test_a_connection_that_is_cut_in_the_middle(hub, folder, pauses):
    hub.cut("PUT", "/lfs/", after_bytes=100_000)
    upload(folder, TARGET)
    assert pauses == [1]
    assert is_whole(hub)


def test_the_second_push_sends_what_is_missing(hub, folder, pauses):
    sha = hashlib.sha256(WEIGHTS).hexdigest()
    hub.cut("PUT", sha, after_bytes=100_000, times=6)
    said = refused(InputFileError, folder)
    assert said.startswith(f"uploading {folder} to me/name failed: the connection to 127.0.0.1 failed: ")
    assert said.endswith(f": try again later; {AGAIN}")
    assert (hub.repos["me/name"].files(), len(hub.uploads), pauses) == ({}, 1, CLIENT)
    upload(folder, TARGET)
    assert is_whole(hub)


def test_a_lost_answer_opens_no_second_pull_request(hub, folder, pauses):
    hub.cut_response("POST", "/commit/")
    assert refused(InputFileError, folder, Target("me/name", create_pr=True)) == (
        f"uploading {folder} to me/name failed: the connection to 127.0.0.1 failed: Server disconnected without "
        "sending a response: try again later; nothing was lost, but the pull request may be open: look at "
        f"{hub.url}/me/name/discussions before pushing again"
    )
    assert (len(hub.asked("POST", "/commit/")), pauses) == (1, [])
    assert list(hub.repos["me/name"].titles) == [1]


def test_a_pull_request_is_tried_again_where_none_was_opened(hub, folder, pauses):
    hub.fail("POST", "/commit/", times=2)
    hub.cut("POST", "validate-yaml")
    assert upload(folder, Target("me/name", create_pr=True)).pull_request == f"{hub.url}/me/name/discussions/1"
    assert list(hub.repos["me/name"].titles) == [1]
    assert pauses == [1, 2, 4]


def test_the_server_is_gone(hub, folder, pauses):
    hub.stop()
    assert refused(InputFileError, folder) == (
        f"looking for me/name failed: the connection to 127.0.0.1 failed: {NOBODY}: try again later; {AGAIN}"
    )
    assert pauses == OURS
    hub.start()
    upload(folder, TARGET)
    assert is_whole(hub)


def test_the_server_comes_back(hub, folder, monkeypatch):
    hub.stop()
    monkeypatch.setattr(time, "sleep", lambda seconds: hub.start())
    upload(folder, TARGET)
    assert is_whole(hub)


def test_another_server_answers(hub, folder, pauses):
    hub.fail("POST", "validate-yaml", times=5)
    hub._faults[-1].answer = Answer(502, b"<html>Bad gateway</html>", {"Content-Type": "text/html"})
    assert refused(InputFileError, folder) == (
        f"uploading {folder} to me/name failed: what answered is not the Hub: check HF_ENDPOINT and proxies, or try "
        f"again later; {AGAIN}"
    )
    assert pauses == OURS


def test_no_network_is_wanted(hub, folder, pauses, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert refused(InputValueError, folder) == (
        f"looking for me/name failed: HF_HUB_OFFLINE is set: unset it to use the Hub; {AGAIN}"
    )
    assert (hub.requests, pauses) == ([], [])


# -- tokens, bugs and interrupts ----------------------------------------------------------------------


def test_a_token_that_is_sent_back_is_shown_nowhere(hub, folder, pauses, caplog):
    caplog.set_level(logging.INFO)
    hub.fail("POST", "repos/create", times=5)
    hub._faults[-1].answer = refusal(HubError(500, f"no {hub.write_token} here"))
    with pytest.raises(InputFileError) as caught:
        upload(folder, TARGET)
    assert message(caught) == (
        f"creating me/name failed: the Hub answered 500: no <token> here: try again later; {AGAIN}"
    )
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    ours = [record.getMessage() for record in caplog.records if record.name == "sda_hf.hub.faults"]
    assert ours[0] == (
        "creating me/name failed: the Hub answered 500: no <token> here: try again later: next try in 1 s"
    )
    assert len(ours) == 4
    assert hub.write_token not in caplog.text


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("a bug"), RuntimeError("a bug"), TypeError("a bug")])
def test_what_is_none_of_ours_passes(error, pauses):
    def call():
        raise error

    with pytest.raises(type(error)) as caught:
        faults.patiently(call, "nothing")
    assert caught.value is error
    assert pauses == []


def test_files_that_cannot_be_read(tmp_path, pauses):
    with pytest.raises(InputFileError) as caught:
        faults.patiently((tmp_path / "none").read_bytes, "uploading", after="try")
    assert message(caught) == f"uploading failed: {tmp_path / 'none'}: No such file or directory; try"
    assert pauses == []


def test_errors_of_the_xet_storage(pauses):
    def call():
        raise ConnectionError("Server error: CAS")  # as hf_xet has them, after tries of its own

    with pytest.raises(InputFileError, match="^uploading failed: Server error: CAS: try again later$"):
        faults.patiently(call, "uploading")
    assert pauses == []


# -- downloads ----------------------------------------------------------------------------------------


def test_downloads(hub, folder):
    done = upload(folder, TARGET)
    found = read(download("me/name"))
    found.pop(".gitattributes")
    assert found == FILES
    assert read(download("me/name", revision=done.commit, allow=["*.json"])) == read(download("me/name"))
    upload(folder, Target("me/pairs", repo_type="dataset"))
    assert read(download("me/pairs", repo_type="dataset", allow=["*.json"])) == {"config.json": b"{}"}


def test_what_cannot_be_downloaded(hub, folder, pauses, monkeypatch):
    upload(folder, Target("me/name", private=True))
    missing = "the Hub answered {}: {}: check the name and the type, and that the token may see it"
    for call, said in {
        lambda: download("me/none"): "model me/none failed: " + missing.format(404, "Repository not found"),
        lambda: download("me/name", repo_type="dataset"): (
            "dataset me/name failed: " + missing.format(404, "Repository not found")
        ),
        lambda: download("me/name", revision="v2"): (
            "model me/name at v2 failed: the Hub answered 404: Invalid rev id: v2: check the name of the revision"
        ),
    }.items():
        with pytest.raises(InputFileError) as caught:
            call()
        assert message(caught) == f"downloading {said}"
    monkeypatch.delenv("HF_TOKEN")
    with pytest.raises(InputFileError) as caught:
        download("me/name")
    assert message(caught) == (
        f"downloading model me/name failed: {missing.format(401, 'Invalid username or password')}"
    )
    with pytest.raises(InputValueError, match=r"^Cannot have -- or \.\. in repo_id: 'a--b': give it as me/name$"):
        download("a--b")
    assert pauses == []


@pytest.mark.parametrize(
    ("method", "pattern", "how", "times", "waited"),
    [
        ("GET", "/api/models/me/name/revision", "fail", 2, [1, 2]),
        ("GET", "/api/models/me/name/revision", "cut", 2, [1, 2]),
        ("GET", "/tree/", "fail", 5, CLIENT),
        ("GET", "/tree/", "cut", 5, CLIENT),
        ("GET", "/resolve/", "fail", 2, [1, 2]),
        ("GET", "/resolve/", "cut", 5, [1, 1, 1, 1, 1]),
    ],
)
def test_downloads_that_go_in_the_end(hub, folder, pauses, method, pattern, how, times, waited):
    upload(folder, TARGET, ignore=["2_*", "*.md", "*.safetensors"])
    getattr(hub, how)(method, pattern, times=times)
    assert read(download("me/name", allow=["config.json"])) == {"config.json": b"{}"}
    assert pauses == waited


def test_downloads_with_the_server_gone(hub, folder, pauses):
    upload(folder, TARGET)
    hub.stop()
    with pytest.raises(InputFileError) as caught:
        download("me/name")
    assert message(caught) == (
        f"downloading model me/name failed: the connection to 127.0.0.1 failed: {NOBODY}: try again later"
    )
    assert pauses == OURS
    hub.start()
    path = download("me/name")
    hub.stop()
    assert download("me/name") == path, "the client's cache has it"


# -- a client with Xet --------------------------------------------------------------------------------

XET = """
import json, sys
from sda_hf.hub.upload import Target, upload
print(json.dumps([vars(upload(sys.argv[1], Target("me/name", create_pr=pull))) for pull in (True, False, True)]))
"""


def test_a_client_with_xet(folder, tmp_path):
    """All goes in one commit there, too; the weights are regular files here."""
    pytest.importorskip("hf_xet")
    with HubServer(large_files=False) as hub:
        command = [sys.executable, "-c", XET, str(folder)]
        done = subprocess.run(command, env=hub.environment(tmp_path / "home"), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        first, second, third = json.loads(done.stdout)
        assert first["pull_request"] == f"{hub.url}/me/name/discussions/1"
        assert (second["unchanged"], third["unchanged"], third["pull_request"]) == (False, True, None)
        assert hub.repos["me/name"].files() == hub.repos["me/name"].files("refs/pr/1") == FILES
        assert len(hub.asked("POST", "/commit/")) == 2
