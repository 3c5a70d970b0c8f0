"""What the Hub of the tests answers to each call of huggingface_hub, without the sockets."""

from __future__ import annotations

import collections
import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from .store import HubError, Repo, front_matter, is_large

USER = "me"
WRITE_TOKEN, READ_TOKEN = "hf_write", "hf_read"
ROLES = {WRITE_TOKEN: "write", READ_TOKEN: "read"}

NAME = r"(?P<name>[^/]+(?:/[^/]+)?)"
REPO = rf"/api/(?P<kind>models|datasets|spaces)/{NAME}"
FILES = rf"/(?:(?P<kind>datasets|spaces)/)?{NAME}"
REVISION = r"(?P<revision>[^/]+)"


@dataclasses.dataclass(frozen=True)
class Call:
    """A request, read whole.

    Args:
        method: the HTTP method.
        target: path and query as they came.
        headers: the headers.
        body: the body, without the framing of its chunks.
    """

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def query(self) -> dict[str, str]:
        return {key: values[-1] for key, values in parse_qs(urlsplit(self.target).query).items()}

    @property
    def form(self) -> dict[str, list[str]]:
        return parse_qs(self.body.decode())

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def role(self) -> str | None:
        """ "write", "read", or None without a token."""
        header = self.headers.get("Authorization")
        if header is None:
            return None
        role = ROLES.get(header.removeprefix("Bearer "))
        if role is None:
            raise HubError(401, "Invalid credentials in Authorization header")
        return role


@dataclasses.dataclass(frozen=True)
class Answer:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)


def as_json(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    kind = {"Content-Type": "application/json; charset=utf-8"}
    return Answer(status, json.dumps(content, default=str).encode(), kind | dict(headers or {}))


def refusal(error: HubError, headers: Mapping[str, str] | None = None) -> Answer:
    code = {"X-Error-Code": error.code} if error.code else {}
    message = {"X-Error-Message": " ".join(error.message.split())}
    errors = {"error": error.message, "errors": [{"message": error.message}], "warnings": []}
    return as_json(errors, error.status, code | message | dict(headers or {}))


@dataclasses.dataclass(frozen=True)
class Route:
    method: str
    pattern: re.Pattern[str]
    access: str  # "read" or "write" of the repository that is named; "anyone"
    function: Callable[..., Answer]


ROUTES: list[Route] = []


def route(method: str, pattern: str, access: str) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    def add(function: Callable[..., Answer]) -> Callable[..., Answer]:
        ROUTES.append(Route(method, re.compile(pattern), access, function))
        return function

    return add


class Api:
    """The calls, and what they change.

    Args:
        large_files: False: every file is a regular one, of whatever name and size.
    """

    def __init__(self, large_files: bool) -> None:
        self.large_files = large_files
        self.url = ""
        self.repos: dict[str, Repo] = {}
        self.uploads: collections.Counter[str] = collections.Counter()

    def answer(self, call: Call) -> Answer:
        path = urlsplit(call.target).path
        method = "GET" if call.method == "HEAD" else call.method
        for found in ROUTES:
            match = found.pattern.fullmatch(path)
            if match and found.method == method:
                try:
                    return self._run(found, call, match)
                except HubError as error:
                    return refusal(error)
        return refusal(HubError(501, f"The server of the tests knows no {call.method} {path}"))

    def _run(self, found: Route, call: Call, match: re.Match[str]) -> Answer:
        groups = {key: unquote(value) for key, value in match.groupdict().items() if value is not None}
        if "name" not in groups:
            return found.function(self, call, **groups)
        name, kind = groups.pop("name"), groups.pop("kind", "models")
        repo = self.repos.get(name if kind == "models" else f"{kind}/{name}")
        if found.access != "anyone" or repo is None:
            repo = self._allowed(repo, call.role, found.access)
        return found.function(self, call, repo, **groups)

    def _allowed(self, repo: Repo | None, role: str | None, access: str) -> Repo:
        if repo is None or (repo.private and role is None):
            if role is None:
                # The Hub gives no code; its client knows by the address, if that begins with https://.
                raise HubError(401, "Invalid username or password.", "RepoNotFound")
            raise HubError(404, "Repository not found", "RepoNotFound")
        if access == "write" and role is None:
            raise HubError(401, "Invalid username or password.")
        if access == "write" and (role != "write" or repo.name.split("/")[0] != USER):
            raise HubError(403, f"You don't have the rights to write to {repo.key}")
        return repo

    def page(self, repo: Repo) -> str:
        return f"{self.url}/{repo.key}"


# -- accounts and repositories ------------------------------------------------------------------------


@route("GET", "/api/whoami-v2", "anyone")
def whoami(api: Api, call: Call) -> Answer:
    if call.role is None:
        raise HubError(401, "Invalid username or password.")
    token = {"accessToken": {"displayName": call.role, "role": call.role}, "type": "access_token"}
    return as_json({"type": "user", "id": "1", "name": USER, "fullname": "Me", "orgs": [], "auth": token})


@route("GET", "/api/agent-harnesses", "anyone")
def agent_harnesses(api: Api, call: Call) -> Answer:
    return as_json({"standardEnvVars": [], "harnesses": {}})


@route("POST", "/api/validate-yaml", "anyone")
def validate_yaml(api: Api, call: Call) -> Answer:
    empty = front_matter(call.json["content"]) is None
    warnings = [{"message": "empty or missing yaml metadata in repo card"}] if empty else []
    return as_json({"errors": [], "warnings": warnings})


@route("POST", "/api/repos/create", "anyone")
def create_repo(api: Api, call: Call) -> Answer:
    given = call.json
    kind, owner = given.get("type", "model"), given.get("organization") or USER
    if call.role is None:
        raise HubError(401, "Invalid username or password.")
    if call.role != "write" or owner != USER:
        raise HubError(403, f'You don\'t have the rights to create a {kind} under the namespace "{owner}"')
    private = given.get("visibility") == "private" or given.get("private") is True
    repo = Repo(f"{owner}/{given['name']}", kind, private)
    if repo.key in api.repos:
        return as_json({"error": f"You already created this {kind} repo", "url": api.page(repo)}, 409)
    api.repos[repo.key] = repo
    return as_json({"url": api.page(repo), "name": repo.name, "id": repo.name, "private": private})


@route("DELETE", "/api/repos/delete", "anyone")
def delete_repo(api: Api, call: Call) -> Answer:
    given = call.json
    name, kind = f"{given.get('organization') or USER}/{given['name']}", given.get("type", "model")
    repo = api.repos.get(name if kind == "model" else f"{kind}s/{name}")
    del api.repos[api._allowed(repo, call.role, "write").key]
    return Answer()


@route("GET", REPO + rf"(?:/revision/{REVISION})?", "read")
def info(api: Api, call: Call, repo: Repo, revision: str = "main") -> Answer:
    return as_json(repo.info(revision, blobs="blobs" in call.query))


@route("GET", REPO + "/auth-check", "read")
@route("GET", REPO + "/auth-check/write", "write")
def auth_check(api: Api, call: Call, repo: Repo) -> Answer:
    return Answer()


# -- references ---------------------------------------------------------------------------------------


@route("GET", REPO + "/refs", "read")
def refs(api: Api, call: Call, repo: Repo) -> Answer:
    def of(start: str) -> list[dict[str, str]]:
        names = [name for name in repo.refs if name.startswith(start)]
        return [{"name": name.removeprefix(start), "ref": name, "targetCommit": repo.refs[name]} for name in names]

    pulls = {"pullRequests": of("refs/pr/")} if "include_prs" in call.query else {}
    return as_json({"branches": of("refs/heads/"), "converts": [], "tags": [], **pulls})


@route("POST", REPO + "/branch/(?P<branch>[^/]+)", "write")
def create_branch(api: Api, call: Call, repo: Repo, branch: str) -> Answer:
    repo.branch(branch, call.json.get("startingPoint", "main"))
    return Answer()


@route("DELETE", REPO + "/branch/(?P<branch>[^/]+)", "write")
def delete_branch(api: Api, call: Call, repo: Repo, branch: str) -> Answer:
    if branch == "main" or repo.refs.pop(f"refs/heads/{branch}", None) is None:
        raise HubError(403 if branch == "main" else 404, f"Cannot delete the branch {branch}")
    return Answer()


@route("GET", REPO + f"/commits/{REVISION}", "read")
def commits(api: Api, call: Call, repo: Repo, revision: str) -> Answer:
    return as_json([commit.brief() | {"authors": [{"user": USER}]} for commit in repo.log(revision)])


@route("POST", REPO + "/discussions", "write")
def open_pull_request(api: Api, call: Call, repo: Repo) -> Answer:
    if not call.json.get("pullRequest"):
        raise HubError(501, "The server of the tests knows no discussions but pull requests")
    return as_json({"num": repo.pull_request(call.json["title"])})


@route("GET", REPO + "/discussions/(?P<number>[0-9]+)", "read")
def pull_request(api: Api, call: Call, repo: Repo, number: str) -> Answer:
    if int(number) not in repo.titles:
        raise HubError(404, "Discussion not found")
    found = {
        "title": repo.titles[int(number)], "num": int(number), "author": {"name": USER}, "status": "draft",
        "createdAt": repo.at(f"refs/pr/{number}").date, "repo": {"name": repo.name, "type": repo.kind},
        "isPullRequest": True, "changes": {"base": "refs/heads/main"}, "filesWithConflicts": [], "events": [],
    }  # fmt: skip
    return as_json(found)


# -- reading ------------------------------------------------------------------------------------------


@route("GET", REPO + f"/tree/{REVISION}(?:/(?P<folder>.+))?", "read")
def tree(api: Api, call: Call, repo: Repo, revision: str, folder: str = "") -> Answer:
    recursive, expand = (call.query.get(key, "").lower() in ("true", "1") for key in ("recursive", "expand"))
    return as_json(repo.tree(revision, folder, recursive, expand))


@route("POST", REPO + f"/paths-info/{REVISION}", "read")
def paths_info(api: Api, call: Call, repo: Repo, revision: str) -> Answer:
    expand = call.form.get("expand", [""])[-1].lower() in ("true", "1")
    known = set(repo.paths(revision))
    return as_json([repo.entry(revision, path, expand) for path in call.form.get("paths", []) if path in known])


@route("GET", FILES + f"/resolve/{REVISION}/(?P<path>.+)", "read")
def resolve(api: Api, call: Call, repo: Repo, revision: str, path: str) -> Answer:
    commit = {"X-Repo-Commit": repo.at(revision).oid}
    try:
        file = repo.file(revision, path)
    except HubError as error:
        return refusal(error, commit)
    linked = {"X-Linked-Etag": f'"{file.etag}"', "X-Linked-Size": str(len(file.data))} if file.large else {}
    headers = {
        "Content-Type": "application/octet-stream", "ETag": f'"{file.etag}"', "Accept-Ranges": "bytes",
        "Content-Disposition": f"inline; filename*=UTF-8''{quote(path.rsplit('/', 1)[-1])}", **commit, **linked,
    }  # fmt: skip
    return _part(file.data, call.headers.get("Range"), headers)


def _part(data: bytes, asked: str | None, headers: Mapping[str, str]) -> Answer:
    match = re.fullmatch(r"bytes=(\d*)-(\d*)", asked or "")
    if match is None or match.groups() == ("", ""):
        return Answer(200, data, headers)
    first, last = match.groups()
    start = int(first) if first else max(len(data) - int(last), 0)
    stop = min(int(last) + 1 if first and last else len(data), len(data))
    if start >= stop:
        return Answer(416, b"", {**headers, "Content-Range": f"bytes */{len(data)}"})
    return Answer(206, data[start:stop], {**headers, "Content-Range": f"bytes {start}-{stop - 1}/{len(data)}"})


# -- writing ------------------------------------------------------------------------------------------


@route("POST", REPO + f"/preupload/{REVISION}", "write")
def preupload(api: Api, call: Call, repo: Repo, revision: str) -> Answer:
    files, found = repo.at(revision).files, []
    for given in call.json["files"]:
        path = given["path"]
        large = api.large_files and is_large(path, given["size"])
        old = {"oid": files[path].etag} if path in files else {}
        found.append({"path": path, "uploadMode": "lfs" if large else "regular", "shouldIgnore": False, **old})
    return as_json({"files": found})


@route("POST", FILES + r"\.git/info/lfs/objects/batch", "write")
def batch(api: Api, call: Call, repo: Repo) -> Answer:
    found = []
    for given in call.json["objects"]:
        oid, size = given["oid"], given["size"]
        repo.expected[oid] = size
        href = f"{api.url}/lfs/{repo.key}/{oid}"
        actions = {"upload": {"href": href}, "verify": {"href": f"{href}/verify"}}
        found.append({"oid": oid, "size": size, **({} if oid in repo.objects else {"actions": actions})})
    return as_json({"transfer": "basic", "objects": found})


@route("PUT", "/lfs" + FILES + "/(?P<oid>[0-9a-f]{64})", "anyone")
def upload(api: Api, call: Call, repo: Repo, oid: str) -> Answer:
    # As with the Hub's storage, the address itself is the permission: the client sends no token here.
    repo.upload(oid, call.body)
    api.uploads[oid] += 1
    return Answer(200, b"", {"ETag": f'"{oid}"'})


@route("POST", "/lfs" + FILES + "/(?P<oid>[0-9a-f]{64})/verify", "write")
def verify(api: Api, call: Call, repo: Repo, oid: str) -> Answer:
    if oid not in repo.objects or len(repo.objects[oid]) != call.json["size"]:
        raise HubError(404, f"{oid} was not uploaded")
    return Answer()


@route("POST", REPO + f"/commit/{REVISION}", "write")
def commit(api: Api, call: Call, repo: Repo, revision: str) -> Answer:
    made, number = repo.commit(revision, call.body.splitlines(), call.query.get("create_pr") == "1")
    found = {"success": True, "commitOid": made.oid, "commitUrl": f"{api.page(repo)}/commit/{made.oid}"}
    pull = {"pullRequestUrl": f"{api.page(repo)}/discussions/{number}"} if number else {}
    return as_json(found | pull)
