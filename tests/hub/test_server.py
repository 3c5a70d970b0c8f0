"""The Hub of the tests, as the real clients see it: huggingface_hub, datasets, sentence-transformers, transformers."""

import concurrent.futures
import hashlib
import http.client
import json
import os
import socket
import subprocess
import sys
import types
from pathlib import Path

import httpx2
import pytest
from huggingface_hub import CommitOperationAdd, HfApi, HfFileSystem, ModelCard, hf_hub_download, snapshot_download
from huggingface_hub.errors import (
    BadRequestError,
    EntryNotFoundError,
    HfHubHTTPError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from .server import HubServer

CARD = b"---\nlicense: mit\n---\n# Tiny\n"
WEIGHTS = os.urandom(12_000_000)
SHA = hashlib.sha256(WEIGHTS).hexdigest()


@pytest.fixture
def folder(tmp_path):
    """A folder as of a model: large weights, a card, a file in a folder below."""
    (tmp_path / "model" / "1_Pooling").mkdir(parents=True)
    (tmp_path / "model" / "model.safetensors").write_bytes(WEIGHTS)
    (tmp_path / "model" / "README.md").write_bytes(CARD)
    (tmp_path / "model" / "1_Pooling" / "config.json").write_bytes(b"{}")
    return tmp_path / "model"


FILES = {"model.safetensors": WEIGHTS, "README.md": CARD, "1_Pooling/config.json": b"{}"}


@pytest.fixture
def api(hub):
    api = HfApi()
    api.create_repo("me/name")
    return api


def add(api, path, data, **options):
    return api.upload_file(repo_id="me/name", path_in_repo=path, path_or_fileobj=data, **options)


def read(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# -- accounts and repositories ------------------------------------------------------------------------


def test_accounts(hub):
    assert HfApi().whoami()["name"] == "me"
    assert HfApi(token=hub.read_token).whoami()["auth"]["accessToken"]["role"] == "read"
    with pytest.raises(HfHubHTTPError, match="Invalid user token"):
        HfApi(token="hf_other").whoami()
    with pytest.raises(HfHubHTTPError, match="Invalid credentials in Authorization header"):
        HfApi(token="hf_other").create_repo("me/name")
    with pytest.raises(HfHubHTTPError, match="403 Forbidden: You don't have the rights to create a model"):
        HfApi(token=hub.read_token).create_repo("me/name")
    with pytest.raises(HfHubHTTPError, match='under the namespace "you"'):
        HfApi().create_repo("you/name")
    assert hub.repos == {}


def test_repositories(hub):
    api = HfApi()
    assert api.create_repo("name") == f"{hub.url}/me/name"
    assert api.create_repo("me/name", exist_ok=True).repo_id == "me/name"
    with pytest.raises(HfHubHTTPError, match="409 Client Error|You already created this model repo"):
        api.create_repo("me/name")
    assert api.create_repo("me/name", repo_type="dataset") == f"{hub.url}/datasets/me/name"
    assert sorted(hub.repos) == ["datasets/me/name", "me/name"]
    assert [commit.title for commit in api.list_repo_commits("me/name")] == ["initial commit"]
    api.delete_repo("me/name")
    assert not api.repo_exists("me/name")
    assert api.repo_exists("me/name", repo_type="dataset")


def test_private(hub):
    api = HfApi()
    api.create_repo("me/name", private=True)
    add(api, "config.json", b"{}")
    assert api.model_info("me/name").private
    for call in (api.model_info, api.list_repo_files, api.list_repo_refs, snapshot_download):
        with pytest.raises(RepositoryNotFoundError, match="401 Client Error"):
            call("me/name", token=False)
    with pytest.raises(RepositoryNotFoundError, match="401 Client Error"):
        hf_hub_download("me/name", "config.json", token=False)
    assert Path(hf_hub_download("me/name", "config.json", token=hub.read_token)).read_bytes() == b"{}"
    with pytest.raises(HfHubHTTPError, match="403 Forbidden: You don't have the rights to write to me/name"):
        add(HfApi(token=hub.read_token), "config.json", b"[]")
    assert [one.status for one in hub.requests if not one.token] == [401] * 5


# -- files --------------------------------------------------------------------------------------------


def test_a_folder_there_and_back(hub, api, folder):
    made = api.upload_folder(repo_id="me/name", folder_path=folder)
    assert hub.repos["me/name"].files() == FILES
    assert hub.uploads == {SHA: 1}
    assert hub.repos["me/name"].at("main").oid == made.oid
    found = read(Path(snapshot_download("me/name")))
    assert found.pop(".gitattributes").startswith(b"*.arrow filter=lfs")
    assert found == FILES


def test_nothing_is_sent_twice(hub, api, folder):
    first = api.upload_folder(repo_id="me/name", folder_path=folder)
    again = api.upload_folder(repo_id="me/name", folder_path=folder)
    assert again.oid == first.oid
    (folder / "model.safetensors").rename(folder / "other.safetensors")
    third = api.upload_folder(repo_id="me/name", folder_path=folder, delete_patterns="*.safetensors")
    assert [commit.oid for commit in hub.repos["me/name"].log()][:2] == [third.oid, first.oid]
    assert hub.uploads == {SHA: 1}
    assert set(hub.repos["me/name"].files()) == {"other.safetensors", "README.md", "1_Pooling/config.json"}


def test_listings(hub, api, folder):
    from huggingface_hub.utils.sha import git_hash

    oid = api.upload_folder(repo_id="me/name", folder_path=folder).oid
    card, large = api.get_paths_info("me/name", ["README.md", "none", "model.safetensors"], expand=True)
    assert (card.blob_id, card.size, card.lfs) == (git_hash(CARD), len(CARD), None)
    assert (large.lfs.sha256, large.size, large.last_commit.oid) == (SHA, len(WEIGHTS), oid)
    assert large.blob_id == git_hash(
        b"version https://git-lfs.github.com/spec/v1\noid sha256:%b\nsize 12000000\n" % SHA.encode()
    )
    top = [entry.path for entry in api.list_repo_tree("me/name")]
    assert top == [".gitattributes", "1_Pooling", "README.md", "model.safetensors"]
    assert [entry.path for entry in api.list_repo_tree("me/name", "1_Pooling")] == ["1_Pooling/config.json"]
    with pytest.raises(EntryNotFoundError):
        list(api.list_repo_tree("me/name", "2_Dense"))
    info = api.model_info("me/name", files_metadata=True)
    assert info.card_data.license == "mit"
    assert {one.rfilename: one.size for one in info.siblings if one.lfs} == {"model.safetensors": len(WEIGHTS)}
    assert HfFileSystem().glob("me/name/**/*.json") == ["me/name/1_Pooling/config.json"]


def test_deletions(hub, api, folder):
    api.upload_folder(repo_id="me/name", folder_path=folder)
    api.delete_folder("1_Pooling", repo_id="me/name")
    api.delete_file("README.md", repo_id="me/name")
    assert set(hub.repos["me/name"].files()) == {"model.safetensors"}
    with pytest.raises(EntryNotFoundError, match="A file with this name doesn't exist"):
        api.delete_file("README.md", repo_id="me/name")


def test_what_is_not_there(hub, api):
    with pytest.raises(RepositoryNotFoundError, match="404 Client Error"):
        hf_hub_download("me/none", "config.json")
    with pytest.raises(RevisionNotFoundError):
        hf_hub_download("me/name", "config.json", revision="none")
    with pytest.raises(EntryNotFoundError):
        hf_hub_download("me/name", "config.json")
    with pytest.raises(RevisionNotFoundError):
        add(api, "config.json", b"{}", revision="none")
    assert not api.file_exists("me/name", "config.json")
    assert not api.revision_exists("me/name", "none")


def test_cards(hub, api):
    with pytest.raises(ValueError, match="Invalid metadata in README.md.\n- YAML Metadata Error"):
        add(api, "README.md", b"---\nlicense: [mit\n---\n")
    with pytest.raises(ValueError, match="YAML Metadata Error: the metadata must be a mapping"):
        add(api, "README.md", b"---\n- mit\n---\n")
    with pytest.warns(UserWarning, match="empty or missing yaml metadata in repo card"):
        add(api, "README.md", b"# Tiny\n")
    ModelCard(CARD.decode()).push_to_hub("me/name")
    assert hub.repos["me/name"].files() == {"README.md": CARD}


# -- revisions ----------------------------------------------------------------------------------------


def test_pull_request(hub, api):
    first = add(api, "config.json", b"1")
    made = add(api, "config.json", b"2", create_pr=True)
    assert (made.pr_revision, made.pr_url) == ("refs/pr/1", f"{hub.url}/me/name/discussions/1")
    assert hub.repos["me/name"].files("main") == {"config.json": b"1"}
    assert hub.repos["me/name"].files("refs/pr/1") == {"config.json": b"2"}
    add(api, "config.json", b"3", revision="refs/pr/1")
    add(api, "config.json", b"4", create_pr=True, parent_commit=first.oid)
    assert Path(hf_hub_download("me/name", "config.json", revision="refs/pr/1")).read_bytes() == b"3"
    refs = api.list_repo_refs("me/name", include_pull_requests=True)
    assert [ref.ref for ref in refs.pull_requests] == ["refs/pr/1", "refs/pr/2"]
    assert [ref.name for ref in refs.branches] == ["main"]


def test_branches_and_commits(hub, api):
    first = add(api, "config.json", b"1")
    api.create_branch("me/name", branch="dev/1")
    add(api, "config.json", b"2", revision="dev/1")
    for revision, data in (("main", b"1"), (first.oid, b"1"), ("dev/1", b"2")):
        assert Path(hf_hub_download("me/name", "config.json", revision=revision)).read_bytes() == data
    assert api.model_info("me/name", revision=first.oid[:7]).sha == first.oid
    api.create_branch("me/name", branch="old", revision=hub.repos["me/name"].log()[-1].oid)
    assert hub.repos["me/name"].files("old") == {}
    with pytest.raises(HfHubHTTPError, match="Reference already exists: refs/heads/old"):
        api.create_branch("me/name", branch="old")
    api.create_branch("me/name", branch="old", exist_ok=True)
    api.delete_branch("me/name", branch="old")
    with pytest.raises(BadRequestError, match="Invalid reference for a branch: refs/pr/1"):
        api.create_branch("me/name", branch="refs/pr/1")


def test_a_commit_in_between(hub, api):
    first = add(api, "config.json", b"1")
    add(api, "config.json", b"2", parent_commit=first.oid[:8])
    with pytest.raises(HfHubHTTPError, match="A commit has happened since") as refused:
        add(api, "config.json", b"3", parent_commit=first.oid)
    assert refused.value.response.status_code == 412
    assert hub.repos["me/name"].files() == {"config.json": b"2"}


def test_commits_at_the_same_time(hub, api):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: add(api, f"{number}.txt", b"%d" % number), range(16)))
    assert hub.repos["me/name"].files() == {f"{number}.txt": b"%d" % number for number in range(16)}
    assert len(hub.repos["me/name"].log()) == 17


def test_a_commit_is_whole_or_not_at_all(hub, api):
    operations = [CommitOperationAdd("a.txt", b"a"), CommitOperationAdd("b.safetensors", b"b")]
    hub.cut("POST", "commit")
    with pytest.raises(httpx2.RemoteProtocolError):
        api.create_commit("me/name", operations, commit_message="two")
    assert hub.repos["me/name"].files() == {}
    lines = [
        {"key": "header", "value": {"summary": "two"}},
        {"key": "file", "value": {"path": "a.txt", "content": "YQ==", "encoding": "base64"}},
        {"key": "lfsFile", "value": {"path": "b.safetensors", "algo": "sha256", "oid": SHA}},
    ]
    status, _, body = ask(hub, "POST", "/api/models/me/name/commit/main", "\n".join(map(json.dumps, lines)).encode())
    assert (status, json.loads(body)["error"]) == (
        400, "LFS pointer pointed to a file that does not exist: b.safetensors",
    )  # fmt: skip
    assert hub.repos["me/name"].files() == {}


# -- the wire -----------------------------------------------------------------------------------------


def ask(hub, method, path, body=None, **headers):
    """A request without the client: status, headers, body."""
    connection = http.client.HTTPConnection(hub.url.removeprefix("http://"))
    try:
        connection.request(method, path, body, {"Authorization": f"Bearer {hub.write_token}", **headers})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("asked", "status", "body", "content"),
    [
        ("bytes=2-4", 206, b"234", "bytes 2-4/10"),
        ("bytes=7-", 206, b"789", "bytes 7-9/10"),
        ("bytes=7-99", 206, b"789", "bytes 7-9/10"),
        ("bytes=-2", 206, b"89", "bytes 8-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("lines=1-2", 200, b"0123456789", None),
    ],
)
def test_ranges(hub, api, asked, status, body, content):
    add(api, "a.txt", b"0123456789")
    found = ask(hub, "GET", "/me/name/resolve/main/a.txt", Range=asked)
    assert (found[0], found[2], found[1].get("Content-Range")) == (status, body, content)
    assert ask(hub, "HEAD", "/me/name/resolve/main/a.txt")[1]["Content-Length"] == "10"


def test_uploads_are_checked(hub, api):
    path = f"/lfs/me/name/{SHA}"
    assert ask(hub, "PUT", path, WEIGHTS)[0] == 403
    objects = {"objects": [{"oid": SHA, "size": len(WEIGHTS)}]}
    ask(hub, "POST", "/me/name.git/info/lfs/objects/batch", json.dumps(objects).encode())
    assert ask(hub, "PUT", path, WEIGHTS[:-1])[0] == 400
    assert ask(hub, "PUT", path, bytes(len(WEIGHTS)))[0] == 400
    assert ask(hub, "POST", f"{path}/verify", b'{"size": 12000000}')[0] == 404
    assert hub.uploads == {}
    parts = (WEIGHTS[start : start + 1_000_000] for start in range(0, len(WEIGHTS), 1_000_000))
    assert ask(hub, "PUT", path, parts)[0] == 200  # in chunks: without a length
    assert ask(hub, "POST", f"{path}/verify", b'{"size": 12000000}')[0] == 200
    assert hub.uploads == {SHA: 1}
    assert hub.requests[-2].size == len(WEIGHTS)


@pytest.mark.parametrize(
    ("framing", "size"), [("Content-Length: 9", 3), ("Transfer-Encoding: chunked", 0)], ids=["length", "chunks"]
)
def test_a_client_that_goes(framing, size):
    """A part of a request is not served, and is no failure of the server."""
    with HubServer() as hub:
        with socket.create_connection(("127.0.0.1", int(hub.url.rsplit(":", 1)[1]))) as client:
            client.sendall(f"POST /api/repos/create HTTP/1.1\r\n{framing}\r\n\r\n".encode() + b"{}\n"[:size])
            client.shutdown(socket.SHUT_WR)
            assert client.recv(100) == b""
        assert [(one.status, one.size) for one in hub.requests] == [(None, size)]
    assert hub.repos == {}


def test_a_failure_of_the_server_shows():
    with pytest.raises(RuntimeError, match="the server of the tests failed: .*JSONDecodeError"), HubServer() as hub:
        assert ask(hub, "POST", "/api/validate-yaml", b"{")[0] == 501
    with HubServer() as hub:
        assert ask(hub, "GET", "/api/spaces/me/name/runtime")[0] == 501


# -- faults, and what huggingface_hub does about them -------------------------------------------------

BACK_OFF = [1, 2, 4, 8, 8]
# What is called → the method and the address of the request to look at.
CALLS = {
    "whoami": ("GET", "whoami"),
    "create": ("POST", "repos/create"),
    "info": ("GET", "/api/models/me/name$"),
    "tree": ("GET", "tree"),
    "head": ("HEAD", "resolve"),
    "get": ("GET", "resolve"),
    "validate": ("POST", "validate-yaml"),
    "preupload": ("POST", "preupload"),
    "batch": ("POST", "batch"),
    "put": ("PUT", "lfs/me"),
    "verify": ("POST", "verify"),
    "commit": ("POST", "commit"),
}


def run(api, folder, call):
    calls = {
        "whoami": lambda: api.whoami(),
        "create": lambda: api.create_repo("me/other"),
        "info": lambda: api.model_info("me/name"),
        "tree": lambda: api.list_repo_files("me/name"),
        "head": lambda: hf_hub_download("me/name", "config.json"),
        "get": lambda: hf_hub_download("me/name", "config.json"),
    }
    calls.get(call, lambda: api.upload_folder(repo_id="me/name", folder_path=folder))()


@pytest.mark.parametrize(
    ("call", "tries", "waited"),
    [
        ("whoami", 1, []),
        ("create", 1, []),
        ("info", 1, []),
        ("tree", 6, BACK_OFF),
        ("head", 7, BACK_OFF),
        ("get", 1, []),
        ("validate", 1, []),
        ("preupload", 6, BACK_OFF),
        ("batch", 6, BACK_OFF),
        ("put", 6, BACK_OFF),
        ("verify", 6, BACK_OFF),
        ("commit", 1, []),
    ],
)
def test_errors_of_the_server(hub, api, folder, waits, call, tries, waited):
    add(api, "config.json", b"{}")
    method, pattern = CALLS[call]
    hub.requests.clear()
    hub.fail(method, pattern, status=503, times=9)
    with pytest.raises((HfHubHTTPError, RuntimeError, LocalEntryNotFoundError)):
        run(api, folder, call)
    assert [one.status for one in hub.asked(method, pattern)] == [503] * tries
    assert waits == waited


@pytest.mark.parametrize(
    ("call", "tries", "waited"),
    [
        ("whoami", 1, []),
        ("tree", 6, BACK_OFF),
        ("head", 1, []),
        ("get", 6, [1, 1, 1, 1, 1]),
        ("put", 6, BACK_OFF),
        ("commit", 1, []),
    ],
)
def test_cut_requests(hub, api, folder, waits, call, tries, waited):
    add(api, "config.json", b"{}")
    method, pattern = CALLS[call]
    hub.requests.clear()
    hub.cut(method, pattern, after_bytes=100_000, times=9)
    with pytest.raises((httpx2.TransportError, RuntimeError)):
        run(api, folder, call)
    assert [one.status for one in hub.asked(method, pattern)] == [None] * tries
    assert waits == waited


def test_a_limit_of_requests_is_waited_for(hub, api, folder, waits):
    hub.fail("PUT", "lfs", status=429, times=2, headers={"Retry-After": "3"})
    api.upload_folder(repo_id="me/name", folder_path=folder)
    assert waits == [4, 4]
    assert [one.status for one in hub.asked("PUT", "lfs")] == [429, 429, 200]
    assert hub.uploads == {SHA: 1}


def test_an_upload_that_is_cut_begins_again(hub, api, folder, waits):
    hub.cut("PUT", "lfs", after_bytes=5_000_000)
    api.upload_folder(repo_id="me/name", folder_path=folder)
    assert [(one.status, one.size, one.token) for one in hub.asked("PUT", "lfs")] == [
        (None, 5_000_000, False), (200, 12_000_000, False),
    ]  # fmt: skip
    assert waits == [1]
    assert hub.repos["me/name"].files() == FILES


@pytest.mark.parametrize(("after", "statuses"), [(11_000_000, [200, 206]), (5_000_000, [200, 200])])
def test_a_download_that_is_cut(hub, api, folder, waits, after, statuses):
    """It goes on after the last whole 10 MiB."""
    api.upload_folder(repo_id="me/name", folder_path=folder)
    hub.cut_response("GET", r"resolve.*safetensors", after_bytes=after)
    assert Path(hf_hub_download("me/name", "model.safetensors")).read_bytes() == WEIGHTS
    assert [one.status for one in hub.asked("GET", "resolve")] == statuses
    assert waits == [1]


def test_a_lost_answer(hub, api):
    """The client cannot know that the commit was made; asked again, it finds nothing to do."""
    hub.cut_response("POST", "commit")
    with pytest.raises(httpx2.RemoteProtocolError, match="Server disconnected without sending a response"):
        add(api, "config.json", b"{}")
    made = hub.repos["me/name"].at("main")
    assert add(api, "config.json", b"{}").oid == made.oid
    assert hub.repos["me/name"].files() == {"config.json": b"{}"}


def test_stop_and_start(hub, api, monkeypatch):
    from huggingface_hub.utils import _http

    add(api, "config.json", b"{}")
    url = hub.url
    hub.stop()
    with pytest.raises(httpx2.ConnectError):
        api.model_info("me/name")
    # It comes back while the client waits.
    monkeypatch.setattr(_http, "time", types.SimpleNamespace(sleep=lambda seconds: hub.start()))
    assert api.list_repo_files("me/name") == [".gitattributes", "config.json"]
    assert hub.url == url
    assert Path(hf_hub_download("me/name", "config.json")).read_bytes() == b"{}"


def test_environment(hub_server, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_CACHE", "elsewhere")
    found = hub_server.environment(tmp_path, token=None)
    assert {"HF_HUB_CACHE", "HF_TOKEN"} & set(found) == set()
    assert (found["HF_ENDPOINT"], found["HF_HOME"], found["PATH"]) == (
        hub_server.url,
        str(tmp_path),
        os.environ["PATH"],
    )


# -- the libraries on top -----------------------------------------------------------------------------


@pytest.fixture
def tiny():
    """A SentenceTransformer of random vectors a word."""
    import numpy as np
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({"?": 0, "cat": 1, "dog": 2}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    weights = np.random.default_rng(0).normal(size=(3, 8)).astype(np.float32)
    return SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)], device="cpu")


def test_sentence_transformers(hub, tiny):
    import numpy as np
    from sentence_transformers import SentenceTransformer

    assert tiny.push_to_hub("me/tiny", private=True).startswith(f"{hub.url}/me/tiny/commit/")
    assert hub.repos["me/tiny"].private
    assert {"README.md", "modules.json", "model.safetensors"} <= set(hub.repos["me/tiny"].files())
    loaded = SentenceTransformer("me/tiny", device="cpu")
    np.testing.assert_array_equal(loaded.encode(["cat dog", "bird"]), tiny.encode(["cat dog", "bird"]))
    assert tiny.push_to_hub("me/tiny", create_pr=True) is None  # nothing is new
    tiny.similarity_fn_name = "dot"
    assert tiny.push_to_hub("me/tiny", create_pr=True) == f"{hub.url}/me/tiny/discussions/1"
    assert SentenceTransformer("me/tiny", revision="refs/pr/1", device="cpu").similarity_fn_name == "dot"
    assert SentenceTransformer("me/tiny", device="cpu").similarity_fn_name == "cosine"


def test_datasets(hub):
    import datasets

    rows = {"anchor": ["a cat", "a dog"], "positive": ["one cat", "one dog"]}
    datasets.Dataset.from_dict(rows).push_to_hub("me/pairs", split="train")
    repo = hub.repos["datasets/me/pairs"]
    assert set(repo.files()) == {"README.md", "data/train-00000-of-00001.parquet"}
    assert len(hub.uploads) == 1
    assert datasets.load_dataset("me/pairs", split="train").to_dict() == rows
    datasets.Dataset.from_dict({"anchor": ["x"], "positive": ["y"]}).push_to_hub("me/pairs", split="test")
    found = datasets.load_dataset("me/pairs")
    assert {name: len(part) for name, part in found.items()} == {"train": 2, "test": 1}


def test_transformers(hub):
    import torch
    from transformers import AutoModel, BertConfig, BertModel

    config = BertConfig(
        vocab_size=9, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8,
        max_position_embeddings=8,
    )  # fmt: skip
    model = BertModel(config).eval()
    model.push_to_hub("me/bert")
    loaded = AutoModel.from_pretrained("me/bert")
    assert all(torch.equal(new, model.state_dict()[name]) for name, new in loaded.state_dict().items())
    assert set(hub.repos["me/bert"].files()) >= {"config.json", "model.safetensors"}


def in_a_process(hub, home, script, *arguments):
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, env=hub.environment(home), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


USER = """
import json, sys
from datasets import Dataset, load_dataset
from huggingface_hub import HfApi
from sentence_transformers import SentenceTransformer

HfApi().upload_folder(repo_id="me/name", folder_path=sys.argv[1])
Dataset.from_dict({"anchor": ["a cat"]}).push_to_hub("me/pairs")
row = load_dataset("me/pairs", split="train")[0]
print(json.dumps([row, SentenceTransformer("me/tiny").encode("cat").tolist()]))
"""


def test_a_process_of_its_own(hub, api, folder, tiny, tmp_path):
    tiny.push_to_hub("me/tiny")
    hub.requests.clear()
    found = json.loads(in_a_process(hub, tmp_path / "home", USER, folder))
    assert found == [{"anchor": "a cat"}, pytest.approx(tiny.encode("cat").tolist())]
    assert hub.repos["me/name"].files() == FILES
    assert {"hub", "datasets"} <= {path.name for path in (tmp_path / "home").iterdir()}
    # Nothing elsewhere is asked for but what load_dataset wants of the viewer, and that is refused.
    elsewhere = [one for one in hub.requests if not one.path.startswith("/")]
    assert {one.path.split(".")[0] for one in elsewhere} == {"http://datasets-server"}
    assert {one.status for one in elsewhere} == {501}


XET = """
import sys
from huggingface_hub import HfApi
api = HfApi()
api.create_repo("me/name")
api.upload_folder(repo_id="me/name", folder_path=sys.argv[1])
print(api.upload_folder(repo_id="me/name", folder_path=sys.argv[1] + "/1_Pooling", create_pr=True).pr_url)
"""


def test_a_client_with_xet(folder, tmp_path):
    """Its upload_folder goes another way, and tries a commit again; the weights are a regular file here."""
    pytest.importorskip("hf_xet")
    with HubServer(large_files=False) as hub:
        hub.fail("POST", "commit")
        assert in_a_process(hub, tmp_path / "home", XET, folder) == f"{hub.url}/me/name/discussions/1\n"
        assert [one.status for one in hub.asked("POST", "commit")] == [500, 200, 200]
        assert [one.status for one in hub.asked("POST", "discussions")] == [200]
        assert hub.repos["me/name"].files() == FILES
        assert hub.repos["me/name"].files("refs/pr/1") == {**FILES, "config.json": b"{}"}
