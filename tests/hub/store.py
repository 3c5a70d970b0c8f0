"""What the Hub of the tests holds, in memory: repositories with their commits, references and large files."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import datetime
import fnmatch
import functools
import hashlib
import json
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml

ATTRIBUTES = ".gitattributes"
LARGE = ("*.arrow", "*.bin", "*.h5", "*.onnx", "*.parquet", "*.pt", "*.safetensors", "*.zip")
LARGE_BYTES = 10_000_000
PREFIXES = {"model": "", "dataset": "datasets/", "space": "spaces/"}
FRONT_MATTER = re.compile(r"\s*---\r?\n(.*?)(?:\r?\n)?---(?:\r?\n|$)", re.DOTALL)


class HubError(Exception):
    """An answer that refuses: HTTP status, what is wrong, and the code the client tells errors apart by."""

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.code = status, message, code


@dataclasses.dataclass(frozen=True)
class File:
    """A file of a commit: its bytes, whether it is a large one, and the commit that wrote it."""

    data: bytes
    large: bool
    commit: str

    @functools.cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @functools.cached_property
    def blob(self) -> str:
        """The id that git gives the blob: of the file, or of the pointer that stands for a large one."""
        content = self.pointer if self.large else self.data
        return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()

    @property
    def pointer(self) -> bytes:
        spec = "https://git-lfs.github.com/spec/v1"
        return f"version {spec}\noid sha256:{self.sha256}\nsize {len(self.data)}\n".encode()

    @property
    def etag(self) -> str:
        return self.sha256 if self.large else self.blob

    def lfs(self) -> dict[str, Any] | None:
        if not self.large:
            return None
        return {"sha256": self.sha256, "oid": self.sha256, "size": len(self.data), "pointerSize": len(self.pointer)}


@dataclasses.dataclass(frozen=True)
class Commit:
    oid: str
    parent: str | None
    title: str
    message: str
    date: str
    files: Mapping[str, File]

    def brief(self) -> dict[str, Any]:
        return {"id": self.oid, "title": self.title, "message": self.message, "date": self.date}


class Repo:
    """One repository.

    Args:
        name: "me/name".
        kind: "model", "dataset" or "space".
        private: whether only its owner sees it.
    """

    def __init__(self, name: str, kind: str, private: bool) -> None:
        self.name, self.kind, self.private = name, kind, private
        self.commits: dict[str, Commit] = {}
        self.refs: dict[str, str] = {}
        self.titles: dict[int, str] = {}  # number of a pull request → its title
        self.objects: dict[str, bytes] = {}  # sha256 → an uploaded large file
        self.expected: dict[str, int] = {}  # sha256 → size of one that may be uploaded
        self.lock = threading.RLock()
        lines = "".join(f"{pattern} filter=lfs diff=lfs merge=lfs -text\n" for pattern in LARGE)
        self._write("refs/heads/main", None, ("initial commit", ""), {ATTRIBUTES: (lines.encode(), False)})

    @property
    def key(self) -> str:
        """As in its URL: "me/name", "datasets/me/name"."""
        return PREFIXES[self.kind] + self.name

    def at(self, revision: str) -> Commit:
        """The commit of a branch, a pull request or a whole or shortened sha."""
        oid = self.refs.get(f"refs/heads/{revision}") or self.refs.get(revision)
        if oid is None and len(revision) >= 7:
            oid = next((oid for oid in self.commits if oid.startswith(revision)), None)
        if oid is None:
            raise HubError(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return self.commits[oid]

    def files(self, revision: str = "main") -> dict[str, bytes]:
        """Path → bytes, without the .gitattributes that every repository begins with."""
        return {path: file.data for path, file in self.at(revision).files.items() if path != ATTRIBUTES}

    def file(self, revision: str, path: str) -> File:
        try:
            return self.at(revision).files[path]
        except KeyError:
            raise HubError(404, "Entry not found", "EntryNotFound") from None

    def log(self, revision: str = "main") -> list[Commit]:
        """The commits of a revision, the newest first."""
        found, oid = [], self.at(revision).oid
        while oid is not None:
            found.append(self.commits[oid])
            oid = found[-1].parent
        return found

    def branch(self, name: str, start: str = "main") -> None:
        with self.lock:
            if name.startswith("refs/"):
                raise HubError(400, f"Invalid reference for a branch: {name}")
            if f"refs/heads/{name}" in self.refs:
                raise HubError(409, f"Reference already exists: refs/heads/{name}")
            self.refs[f"refs/heads/{name}"] = self.at(start).oid

    def pull_request(self, title: str, start: str = "main") -> int:
        """Opens one: the number of refs/pr/N."""
        with self.lock:
            number = len(self.titles) + 1
            self.refs[f"refs/pr/{number}"] = self.at(start).oid
            self.titles[number] = title
        return number

    def commit(self, revision: str, lines: Iterable[bytes], create_pr: bool = False) -> tuple[Commit, int | None]:
        """All of what the lines of a commit request say, or nothing of it.

        Returns:
            The commit, and the number of the pull request it opened.
        """
        items = [json.loads(line) for line in lines if line.strip()]
        header = next((item["value"] for item in items if item["key"] == "header"), {})
        if not header.get("summary"):
            raise HubError(400, "A commit needs a summary")
        with self.lock:
            head, parent = self.at(revision), header.get("parentCommit")
            if parent and create_pr:
                head = self.at(parent)
            elif parent and not head.oid.startswith(parent):
                raise HubError(412, "A commit has happened since. Please refresh and try again.")
            changed: dict[str, Any] = {path: (file.data, file.large) for path, file in head.files.items()}
            for item in items:
                self._apply(changed, item["key"], item["value"])
            number = self.pull_request(header["summary"], head.oid) if create_pr else None
            reference = f"refs/pr/{number}" if number else revision
            reference = reference if reference in self.refs else f"refs/heads/{reference}"
            if reference not in self.refs:
                raise HubError(400, f"A commit goes to a branch or a pull request, not to {revision}")
            texts = header["summary"], header.get("description", "")
            return self._write(reference, head, texts, changed), number

    def upload(self, oid: str, data: bytes) -> None:
        """Keeps a large file that was announced, if it is the one."""
        if self.expected.get(oid) is None:
            raise HubError(403, f"No upload of {oid} was announced")
        if hashlib.sha256(data).hexdigest() != oid or len(data) != self.expected[oid]:
            raise HubError(400, f"The {len(data)} bytes that came are not {oid}")
        self.objects[oid] = data

    def _apply(self, changed: dict[str, tuple[bytes, bool]], key: str, value: Mapping[str, Any]) -> None:
        if key == "file":
            changed[value["path"]] = _decoded(value["path"], value["content"]), False
        elif key == "lfsFile":
            if value["oid"] not in self.objects:
                raise HubError(400, f"LFS pointer pointed to a file that does not exist: {value['path']}")
            changed[value["path"]] = self.objects[value["oid"]], True
        elif key in ("deletedFile", "deletedFolder"):
            _delete(changed, value["path"], folder=key == "deletedFolder")
        elif key != "header":
            raise HubError(400, f"Unknown operation: {key}")

    def _write(
        self, reference: str, parent: Commit | None, texts: tuple[str, str], contents: Mapping[str, tuple[bytes, bool]]
    ) -> Commit:
        date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        above = parent.oid if parent else None
        oid = hashlib.sha1(f"{self.key} {reference} {above} {len(self.commits)}".encode()).hexdigest()
        old = parent.files if parent else {}
        files = {}
        for path, content in sorted(contents.items()):
            kept = path in old and (old[path].data, old[path].large) == content
            files[path] = old[path] if kept else File(*content, oid)
        self.commits[oid] = Commit(oid, above, *texts, date, files)
        self.refs[reference] = oid
        return self.commits[oid]

    # -- as the client reads it -----------------------------------------------------------------------

    def info(self, revision: str, blobs: bool = False) -> dict[str, Any]:
        """The answer of `model_info` and `dataset_info`."""
        commit = self.at(revision)
        siblings = [
            {"rfilename": path, **({"size": len(file.data), "blobId": file.blob, "lfs": file.lfs()} if blobs else {})}
            for path, file in commit.files.items()
        ]
        card = front_matter(commit.files["README.md"].data.decode()) if "README.md" in commit.files else None
        first = self.log(revision)[-1]
        return {
            "id": self.name, "author": self.name.split("/")[0], "sha": commit.oid, "lastModified": commit.date,
            "createdAt": first.date, "private": self.private, "gated": False, "disabled": False, "downloads": 0,
            "likes": 0, "tags": [], "siblings": siblings, "cardData": card, "usedStorage": 0,
        }  # fmt: skip

    def tree(self, revision: str, folder: str = "", recursive: bool = False, expand: bool = False) -> list[Any]:
        """The entries below a folder."""
        start = f"{folder}/" if folder else ""
        found = [
            self.entry(revision, path, expand)
            for path in self.paths(revision)
            if path.startswith(start) and path != start and (recursive or "/" not in path.removeprefix(start))
        ]
        if folder and not found:
            raise HubError(404, f"{folder} does not exist on {revision!r}", "EntryNotFound")
        return found

    def paths(self, revision: str) -> Iterator[str]:
        """Folders and files."""
        files = self.at(revision).files
        folders = {path[:i] for path in files for i, letter in enumerate(path) if letter == "/"}
        yield from sorted({*files, *folders})

    def entry(self, revision: str, path: str, expand: bool = False) -> dict[str, Any]:
        files = self.at(revision).files
        if path in files:
            file, large = files[path], files[path].lfs()
            found = {"type": "file", "oid": file.blob, "size": len(file.data), "path": path}
            found |= {"lfs": large} if large else {}
            last = file.commit
        else:
            inside = {name: file for name, file in files.items() if name.startswith(f"{path}/")}
            text = "".join(f"{name} {file.blob}\n" for name, file in inside.items())
            found = {"type": "directory", "oid": hashlib.sha1(text.encode()).hexdigest(), "size": 0, "path": path}
            last = max((file.commit for file in inside.values()), key=list(self.commits).index)
        return found | ({"lastCommit": self.commits[last].brief()} if expand else {})


def _decoded(path: str, content: str) -> bytes:
    try:
        data = base64.b64decode(content, validate=True)
    except binascii.Error:
        raise HubError(400, f"Not base64: {path}") from None
    if path == "README.md":
        front_matter(data.decode())
    return data


def _delete(changed: dict[str, tuple[bytes, bool]], path: str, folder: bool) -> None:
    start = path.rstrip("/") + "/"
    found = [name for name in changed if (name.startswith(start) if folder else name == path)]
    if not found:
        raise HubError(404, f"A {'folder' if folder else 'file'} with this name doesn't exist", "EntryNotFound")
    for name in found:
        del changed[name]


def is_large(path: str, size: int) -> bool:
    """Whether a file is stored as a large one, by its name or its size."""
    return size > LARGE_BYTES or any(fnmatch.fnmatch(path.rsplit("/", 1)[-1], pattern) for pattern in LARGE)


def front_matter(text: str) -> dict[str, Any] | None:
    """The metadata at the top of a README.md; None where there is none."""
    match = FRONT_MATTER.match(text)
    if match is None:
        return None
    try:
        found = yaml.safe_load(match[1])
    except yaml.YAMLError as error:
        raise HubError(400, f"YAML Metadata Error: {error}") from None
    if found is not None and not isinstance(found, dict):
        raise HubError(400, "YAML Metadata Error: the metadata must be a mapping")
    return found
