"""What the Hub of the tests holds, in memory: repositories with their commits, branches and large files."""

import base64
import dataclasses
import hashlib
import json
import threading
from collections.abc import Mapping


class Refusal(Exception):
    def __init__(self, status, message, code=None, headers=None):
        super().__init__(message)
        self.status, self.message = status, message
        code = {"X-Error-Code": code} if code else {}
        self.headers = {"X-Error-Message": message, **code, **(headers or {})}


@dataclasses.dataclass(frozen=True)
class File:
    data: bytes
    large: bool

    @property
    def sha256(self):
        return hashlib.sha256(self.data).hexdigest()

    @property
    def blob(self):
        return hashlib.sha1(b"blob %d\0" % len(self.data) + self.data).hexdigest()

    @property
    def etag(self):
        return self.sha256 if self.large else self.blob

    def entry(self, path):
        large = {"lfs": {"oid": self.sha256, "size": len(self.data), "pointerSize": 130}} if self.large else {}
        return {"type": "file", "oid": self.blob, "size": len(self.data), "path": path, **large}


@dataclasses.dataclass(frozen=True)
class Commit:
    oid: str
    title: str
    contents: Mapping[str, File]


class Repo:
    """A repository: `refs` maps the name of a branch or of refs/pr/N to its commits, the newest last."""

    def __init__(self, key, private):
        self.key, self.private = key, private
        self.refs = {"main": [Commit(hashlib.sha1(key.encode()).hexdigest(), "initial commit", {})]}
        self.objects = {}  # sha256 → an uploaded large file
        self.lock = threading.Lock()

    def at(self, revision="main"):
        if revision in self.refs:
            return self.refs[revision][-1]
        for commit in self.log():
            if commit.oid == revision:
                return commit
        raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")

    def log(self, revision=None):
        """The commits, the newest first; of all branches by default."""
        chains = [self.refs[revision]] if revision else self.refs.values()
        return [commit for chain in chains for commit in reversed(chain)]

    def files(self, revision="main"):
        """Path → bytes."""
        return {path: file.data for path, file in self.at(revision).contents.items()}

    @property
    def pulls(self):
        return [name for name in self.refs if name.startswith("refs/pr/")]

    def commit(self, revision, lines, create_pr):
        """Apply all operations of a commit request, or none."""
        items = [json.loads(line) for line in lines if line.strip()]
        with self.lock:
            contents = dict(self.at(revision).contents)
            for item in items:
                value = item["value"]
                if item["key"] == "file":
                    contents[value["path"]] = File(base64.b64decode(value["content"], validate=True), False)
                elif item["key"] == "lfsFile":
                    if value["oid"] not in self.objects:
                        raise Refusal(400, f"LFS pointer pointed to a file that does not exist: {value['path']}")
                    contents[value["path"]] = File(self.objects[value["oid"]], True)
                elif item["key"] != "header":
                    raise Refusal(501, f"unknown operation {item['key']}")
            if create_pr:
                self.refs[f"refs/pr/{len(self.pulls) + 1}"] = list(self.refs[revision])
                revision = self.pulls[-1]
            elif revision not in self.refs:
                raise Refusal(400, f"A commit goes to a branch or a pull request, not to {revision}")
            oid = hashlib.sha1(f"{self.key} {revision} {len(self.log())}".encode()).hexdigest()
            self.refs[revision].append(Commit(oid, items[0]["value"]["summary"], contents))
            return self.refs[revision][-1]
