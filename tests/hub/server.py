"""A small Hub on 127.0.0.1: what huggingface_hub asks when it pushes, lists and downloads, over real HTTP.

Left out: Xet storage, deletions, discussions, tags and pages of long listings. An unknown request fails the test.
"""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import json
import os
import re
import socket
import threading
import types
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

import yaml

from .store import Refusal, Repo

USER, WRITE_TOKEN, READ_TOKEN = "me", "hf_write", "hf_read"
LARGE = (".safetensors", ".parquet")
BROKEN = "Internal Error - We're working hard to fix this as soon as possible!"
# Settings of the environment that would lead a client elsewhere.
FOREIGN = ("HF_", "HUGGINGFACE_", "HUGGING_FACE_", "TRANSFORMERS_", "SENTENCE_TRANSFORMERS_")


ROUTES = []
REPO = r"/api/(?P<kind>models|datasets)/(?P<name>[^/]+(?:/[^/]+)?)"
FILES = r"/(?:(?P<kind>datasets)/)?(?P<name>[^/]+/[^/]+?)"
REVISION = r"/(?P<revision>[^/]+)"


def route(method, pattern, access="read"):
    def add(function):
        ROUTES.append((method, re.compile(pattern), access, function))
        return function

    return add


@route("GET", "/api/agent-harnesses", None)
def agent_harnesses(call):
    return {"standardEnvVars": [], "harnesses": {}}


@route("POST", "/api/validate-yaml", None)
def validate_yaml(call):
    block = re.match(r"---\n(.*?)\n---\n", call.json["content"], re.DOTALL)
    metadata = yaml.safe_load(block[1]) if block else {}
    errors = [] if isinstance(metadata, dict) else [{"message": "YAML Metadata Error: the metadata must be a mapping"}]
    return {"errors": errors, "warnings": []}, 400 if errors else 200


@route("POST", "/api/repos/create", None)
def create_repo(call):
    kind, owner, name = (call.json.get(key) for key in ("type", "organization", "name"))
    if call.role != "write" or (owner or USER) != USER:
        raise Refusal(403, f'You don\'t have the rights to create a {kind or "model"} under the namespace "{owner}"')
    key = f"{'datasets/' if kind == 'dataset' else ''}{owner or USER}/{name}"
    if key in call.hub.repos:
        return {"error": "You already created this repo", "url": call.page(key)}, 409
    private = call.json.get("visibility") == "private" or call.json.get("private") is True
    call.hub.repos[key] = Repo(key, private)
    return {"url": call.page(key), "name": name, "id": f"{USER}/{name}"}


@route("GET", rf"{REPO}(?:/revision{REVISION})?")
def info(call, repo, revision="main"):
    commit = repo.at(revision)
    siblings = [{"rfilename": path} for path in commit.contents]
    owner = {"id": repo.key.removeprefix("datasets/"), "author": USER, "private": repo.private, "gated": False}
    return {"sha": commit.oid, "tags": [], "downloads": 0, "likes": 0, "siblings": siblings, **owner}


@route("GET", rf"{REPO}/auth-check/write", "write")
def auth_check(call, repo):
    return {}


@route("POST", rf"{REPO}/branch/(?P<branch>[^/]+)", "write")
def create_branch(call, repo, branch):
    if branch in repo.refs or branch.startswith("refs/"):
        raise Refusal(409, f"Reference already exists: {branch}")
    repo.refs[branch] = list(repo.refs["main"])
    return {}


@route("POST", rf"{REPO}/preupload{REVISION}", "write")
def preupload(call, repo, revision):
    known, found = repo.at(revision).contents, []
    for given in call.json["files"]:
        path = given["path"]
        large = path.endswith(LARGE)
        old = {"oid": known[path].etag} if path in known else {}
        found.append({"path": path, "uploadMode": "lfs" if large else "regular", "shouldIgnore": False, **old})
    return {"files": found}


@route("POST", rf"{FILES}\.git/info/lfs/objects/batch", "write")
def batch(call, repo):
    found = []
    for given in call.json["objects"]:
        href = f"{call.hub.url}/lfs/{repo.key}/{given['oid']}"
        actions = {"actions": {"upload": {"href": href}, "verify": {"href": f"{href}/verify"}}}
        found.append({**given, **({} if given["oid"] in repo.objects else actions)})
    return {"transfer": "basic", "objects": found}


@route("PUT", rf"/lfs{FILES}/(?P<oid>[0-9a-f]{{64}})", None)  # the address itself is the permission
def put(call, repo, oid):
    if hashlib.sha256(call.body).hexdigest() != oid:
        raise Refusal(400, f"The {len(call.body)} bytes that came are not {oid}")
    repo.objects[oid] = call.body
    call.hub.uploads[oid] += 1
    return {}


@route("POST", rf"/lfs{FILES}/(?P<oid>[0-9a-f]{{64}})/verify", "write")
def verify(call, repo, oid):
    if len(repo.objects[oid]) != call.json["size"]:
        raise Refusal(404, f"{oid} was not uploaded")
    return {}


@route("POST", rf"{REPO}/commit{REVISION}", "write")
def commit(call, repo, revision):
    pull = call.query.get("create_pr") == ["1"]
    made = repo.commit(revision, call.body.splitlines(), pull)
    page = {"pullRequestUrl": f"{call.page(repo.key)}/discussions/{len(repo.pulls)}"} if pull else {}
    return {"commitOid": made.oid, "commitUrl": f"{call.page(repo.key)}/commit/{made.oid}", **page}


@route("GET", rf"{REPO}/tree{REVISION}(?:/(?P<folder>.+))?")
def tree(call, repo, revision, folder=""):
    found = repo.at(revision).contents
    return [file.entry(path) for path, file in found.items() if not folder or path.startswith(f"{folder}/")]


@route("POST", rf"{REPO}/paths-info{REVISION}")
def paths_info(call, repo, revision):
    contents, found = repo.at(revision).contents, []
    for path in parse_qs(call.body.decode()).get("paths", []):
        if path in contents:
            found.append(contents[path].entry(path))
        elif any(name.startswith(f"{path}/") for name in contents):
            found.append({"type": "directory", "oid": "0" * 40, "size": 0, "path": path})
    return found


@route("GET", rf"{FILES}/resolve{REVISION}/(?P<path>.+)")
def resolve(call, repo, revision, path):
    at = repo.at(revision)
    headers = {"X-Repo-Commit": at.oid}
    if path not in at.contents:
        raise Refusal(404, "Entry not found", "EntryNotFound", headers)
    file = at.contents[path]
    linked = {"X-Linked-Etag": f'"{file.etag}"', "X-Linked-Size": str(len(file.data))} if file.large else {}
    headers |= {"ETag": f'"{file.etag}"', "Accept-Ranges": "bytes", **linked}
    asked = re.fullmatch(r"bytes=(\d+)-(\d*)", call.headers.get("Range", ""))
    if asked is None:
        return file.data, 200, headers
    part = file.data[int(asked[1]) : int(asked[2]) + 1 if asked[2] else None]
    last = int(asked[1]) + len(part) - 1
    return part, 206, {**headers, "Content-Range": f"bytes {asked[1]}-{last}/{len(file.data)}"}


# -- the server ---------------------------------------------------------------------------------------


# As it was served: `status` is None if the connection was cut before the answer.
Request = collections.namedtuple("Request", ["method", "path", "status", "token"])


@dataclasses.dataclass
class Fault:
    """What goes wrong with the next `times` requests that match: "fail", "cut" or "lose"."""

    kind: str
    method: str
    pattern: str
    times: int
    answer: Refusal | None = None
    after: int = 0


class HubServer:
    """The server.

    Attributes:
        url: the address; the same after `stop` and `start`.
        repos: "me/name" or "datasets/me/name" → repository.
        uploads: sha256 of a large file → how often its bytes arrived complete.
        requests: all requests, in the order of their answers.
    """

    write_token, read_token = WRITE_TOKEN, READ_TOKEN

    def __init__(self):
        self.listener, self.port = None, 0
        self.reset()

    def reset(self):
        """Forget everything, for the next test."""
        self.repos, self.uploads = {}, collections.Counter()
        self.requests, self.faults, self.errors = [], [], []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        if self.listener is None:
            self.listener = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
            self.listener.hub = self
            self.listener.handle_error = lambda *_: None  # of a client that left
            self.port = self.listener.server_address[1]
            threading.Thread(target=self.listener.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self):
        """Refuse connections; what is stored stays."""
        if self.listener is not None:
            self.listener.shutdown()
            self.listener.server_close()
            self.listener = None

    def fail(self, method, pattern, status=500, times=1, headers=None, message=BROKEN):
        """Answer the next requests with an error, without doing what they ask."""
        self.faults.append(Fault("fail", method, pattern, times, Refusal(status, message, headers=headers)))

    def cut(self, method, pattern, after_bytes=0, times=1):
        """Cut the connection once so many bytes of the request's body have come."""
        self.faults.append(Fault("cut", method, pattern, times, after=after_bytes))

    def lose(self, method, pattern, times=1):
        """Do what is asked, and cut the connection instead of answering."""
        self.faults.append(Fault("lose", method, pattern, times))

    def asked(self, method, pattern):
        """The requests of a method whose path matches."""
        return [one for one in self.requests if one.method == method and re.search(pattern, one.path)]

    @property
    def proxies(self):
        """Settings that send what a library asks of other hosts here, where it is refused."""
        upper = {"HTTP_PROXY": self.url, "HTTPS_PROXY": self.url, "ALL_PROXY": self.url, "NO_PROXY": "127.0.0.1"}
        return upper | {name.lower(): value for name, value in upper.items()}

    def environment(self, home, token=WRITE_TOKEN):
        """The environment of a process whose libraries use this server, and write only below `home`."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        ours = {"HF_ENDPOINT": self.url, "HF_HOME": str(home), "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_TELEMETRY": "1"}
        ours |= {"HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_UPDATE_DOWNLOAD_COUNTS": "0", **self.proxies}
        ours |= {"HF_HUB_DISABLE_XET": "1"}  # large files would go to Xet storage
        return kept | ours | ({} if token is None else {"HF_TOKEN": token})

    def take(self, method, path):
        """The fault of a request."""
        for fault in self.faults:
            if fault.times and fault.method == method and re.search(fault.pattern, path):
                fault.times -= 1
                return fault
        return Fault("", method, "", 0)

    def answer(self, method, target, headers, body):
        """The content of an answer, or the content, status and headers."""
        url = urlsplit(target)
        if url.netloc:
            raise Refusal(502, "a request to another host, which came here as to a proxy")
        token = headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in (WRITE_TOKEN, READ_TOKEN, ""):
            raise Refusal(401, "Invalid credentials in Authorization header")
        role = {WRITE_TOKEN: "write", READ_TOKEN: "read"}.get(token)
        call = types.SimpleNamespace(hub=self, query=parse_qs(url.query), headers=headers, body=body, role=role)
        call.json = json.loads(body) if body[:1] == b"{" and method == "POST" and "/commit/" not in url.path else None
        call.page = lambda key: f"{self.url}/{key}"
        for verb, pattern, access, function in ROUTES:
            match = pattern.fullmatch(url.path)
            if match and verb == method.replace("HEAD", "GET"):
                groups = {key: unquote(value) for key, value in match.groupdict().items() if value is not None}
                if "name" in groups:
                    kind, name = groups.pop("kind", "models"), groups.pop("name")
                    repo = self.repos.get(f"{'datasets/' if kind == 'datasets' else ''}{name}")
                    return function(call, allowed(repo, role, access), **groups)
                return function(call, **groups)
        self.errors.append(f"unknown request {method} {target}")
        raise Refusal(501, self.errors[-1])


def allowed(repo, role, access):
    if repo is None or (repo.private and role is None and access):
        missing = (404, "Repository not found") if role else (401, "Invalid username or password.")
        raise Refusal(*missing, "RepoNotFound")
    if access == "write" and role != "write":
        raise Refusal(403, f"You don't have the rights to write to {repo.key}")
    return repo


class Handler(BaseHTTPRequestHandler):
    """One request per connection, so that a stopped server keeps none open."""

    def serve(self):
        hub, path = self.server.hub, unquote(self.path)
        fault = hub.take(self.command, path)
        body = self.read(fault.after if fault.kind == "cut" else None)
        status, headers = 200, {}
        try:
            if fault.kind == "fail":
                raise fault.answer
            content = hub.answer(self.command, self.path, self.headers, body) if fault.kind != "cut" else b""
            if isinstance(content, tuple):
                content, status, *headers = content
                headers = headers[0] if headers else {}
        except Refusal as refusal:
            content, status, headers = {"error": refusal.message}, refusal.status, refusal.headers
        except Exception as error:  # noqa: BLE001 - a mistake of this server fails the test
            hub.errors.append(error)
            content, status = {"error": repr(error)}, 500
        cut = fault.kind in ("cut", "lose")
        token = "Authorization" in self.headers
        hub.requests.append(Request(self.command, path, None if cut else status, token))
        if cut:
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers, "Content-Length": len(content)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_HEAD = do_POST = do_PUT = serve

    def read(self, limit):
        """The body, or its first bytes."""
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            length = int(self.headers.get("Content-Length", 0))
            return self.rfile.read(length if limit is None else min(length, limit))
        body = b""
        while (limit is None or len(body) < limit) and (size := int(self.rfile.readline(), 16)):
            body += self.rfile.read(size)
            self.rfile.readline()
        return body

    def log_message(self, *_):
        """Print nothing."""
