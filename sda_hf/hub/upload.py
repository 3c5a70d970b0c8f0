"""Folders to the Hub and back."""

from __future__ import annotations

import dataclasses
import fnmatch
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from huggingface_hub import CommitInfo, CommitOperationAdd, HfApi, get_token, snapshot_download
from huggingface_hub.errors import HFValidationError
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]  # imported lazily there

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.hub.redaction import secret_line
from sda_hf.hub.retries import with_retries

REPO_TYPES = ("model", "dataset")
# Files whose text may hold a token by mistake.
TEXT = (
    ".json",
    ".jsonl",
    ".yaml",
    ".yml",
    ".md",
    ".txt",
    ".csv",
    ".tsv",
    ".py",
    ".cfg",
    ".toml",
    ".ini",
    ".log",
    ".env",
)
AGAIN = "nothing was lost, and pushing again completes it"


@dataclasses.dataclass(frozen=True)
class Target:
    """Where to push to.

    Args:
        repo_id: user or organization and name: "me/name".
        repo_type: "model" or "dataset".
        private: create a private repository; a public one that exists already is refused.
        revision: a branch, created if it does not exist; by default the main branch.
        create_pr: open a pull request instead of committing to the main branch.
        token: by default HF_TOKEN, or the token of `hf auth login`.

    Raises:
        InputValueError: the name or the type is not valid, or a pull request is to be opened on a revision.

    Example:
        >>> Target("me/name", private=True)
        Target(repo_id='me/name', repo_type='model', private=True, revision=None, create_pr=False)
    """

    repo_id: str
    repo_type: Literal["model", "dataset"] = "model"
    private: bool = False
    revision: str | None = None
    create_pr: bool = False
    token: str | None = dataclasses.field(default=None, repr=False)

    def __post_init__(self) -> None:
        _check_name(self.repo_id)
        if self.repo_id.count("/") != 1:
            raise InputValueError(f"repository {self.repo_id!r} has no owner: write it as me/name")
        if self.repo_type not in REPO_TYPES:
            raise InputValueError(f"repository type {self.repo_type!r}: give one of {', '.join(REPO_TYPES)}")
        if self.create_pr and self.revision not in (None, "main"):
            raise InputValueError(
                f"a pull request targets the main branch, not {self.revision!r}: give either revision or create_pr"
            )


@dataclasses.dataclass(frozen=True)
class Pushed:
    """The result of a push.

    Args:
        url: page of the repository, or of the revision.
        commit: the commit that holds the files.
        pull_request: page of the pull request, if one was opened.
        unchanged: the repository held the same files already, so nothing was committed.
        created: the repository was created by this push.
    """

    url: str
    commit: str | None
    pull_request: str | None
    unchanged: bool
    created: bool


def upload(
    folder: str | os.PathLike[str],
    target: Target,
    *,
    message: str = "Upload with sda-hf",
    ignore: Sequence[str] = (),
    replace: Mapping[str, bytes] | None = None,
) -> Pushed:
    """Upload the files of a folder in one commit; the folder is only read.

    Transient failures are retried, see `with_retries`. If the upload fails nevertheless, the next one sends only the
    large files that have not arrived. Files that are in the repository but not in the folder stay there.

    A symbolic link in the folder is refused: what it points to was never meant to be uploaded. So is a text file that
    holds a token or a URL with a password.

    Args:
        folder: the folder.
        target: where to push to.
        message: message of the commit, or title of the pull request.
        ignore: glob patterns of paths to leave out; `*` matches slashes as well.
        replace: path → content to upload instead of the content of that file.

    Raises:
        InputFileError: the folder does not exist or is empty, or holds a link or a token, or the Hub cannot be reached
            or refuses.
        InputValueError: there is no token, or `private` was asked for and the repository is public.

    Example:
        >>> upload("no/such/folder", Target("me/name", token="hf_of_mine"))
        Traceback (most recent call last):
        sda_hf.errors.InputFileError: no/such/folder is not a folder: give an existing one
    """
    token = _token(target)
    contents: dict[str, Path | bytes] = {**files_of(Path(folder), ignore), **(replace or {})}
    _refuse_secrets(Path(folder), contents)
    api = HfApi(token=token, library_name="sda-hf")
    created, head = _repository(api, target, token, AGAIN)
    page = f"{api.endpoint}/{'datasets/' if target.repo_type == 'dataset' else ''}{target.repo_id}"
    advice = AGAIN
    if target.create_pr:
        advice = f"nothing was lost, but look for an open pull request at {page}/discussions before pushing again"

    def commit() -> CommitInfo:
        # New operations for each attempt: they remember what the repository held before the last one.
        return api.create_commit(
            target.repo_id,
            [CommitOperationAdd(path, content) for path, content in contents.items()],
            commit_message=message,
            repo_type=target.repo_type,
            revision=target.revision,
            create_pr=target.create_pr,
        )

    made = with_retries(
        commit,
        f"uploading {folder} to {target.repo_id}",
        token=token,
        advice=advice,
        repeatable=not target.create_pr,  # or there might be two pull requests
    )
    return Pushed(
        url=f"{page}/tree/{quote(target.revision, safe='')}" if target.revision else page,
        commit=made.oid,
        pull_request=made.pr_url,
        unchanged=made.oid == head,
        created=created,
    )


def prepare(target: Target) -> None:
    """Create the repository and the branch if they do not exist, and check that the token may write; upload nothing.

    Call it before a long computation, so that a mistake shows at once.

    Args:
        target: where to push to later.

    Raises:
        InputFileError: the Hub cannot be reached, or refuses.
        InputValueError: there is no token, or `private` was asked for and the repository is public.

    Example:
        >>> prepare(Target("me/name", token="not a token"))
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: the Hub token has characters that no token has: copy it again
    """
    token = _token(target)
    api = HfApi(token=token, library_name="sda-hf")
    _repository(api, target, token)
    if not target.create_pr:  # which asks for no write permission
        with_retries(
            lambda: api.auth_check(target.repo_id, repo_type=target.repo_type, write=True),
            f"checking whether the token may write to {target.repo_id}",
            token=token,
        )


def download(repo_id: str, *, revision: str | None = None, allow: Sequence[str] | None = None) -> Path:
    """Download a model repository into the client's cache, and return its folder there.

    Without a connection, the client falls back on what the cache holds.

    Args:
        repo_id: "me/name".
        revision: a branch, tag or commit; by default the head of the main branch.
        allow: glob patterns of the files to download; all by default.

    Raises:
        InputFileError: the repository does not exist, or the Hub cannot be reached or refuses.
        InputValueError: the name is not valid.

    Example:
        >>> download("me/name.git")
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: Repo_id cannot end by '.git': 'me/name.git': write it as me/name
    """
    _check_name(repo_id)
    patterns = None if allow is None else list(allow)
    folder = with_retries(
        lambda: snapshot_download(repo_id, revision=revision, allow_patterns=patterns),
        f"downloading {repo_id}{f' at {revision}' if revision else ''}",
        token=get_token(),
    )
    return Path(folder)


def _check_name(repo_id: str) -> None:
    try:
        validate_repo_id(repo_id)
    except HFValidationError as error:
        raise InputValueError(f"{str(error).rstrip('.')}: write it as me/name") from None


def _token(target: Target) -> str:
    token = target.token or get_token()
    if token is None:
        raise InputValueError("no Hub token: log in with `hf auth login`, or set HF_TOKEN")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise InputValueError("the Hub token has characters that no token has: copy it again")
    return token


def files_of(folder: Path, ignore: Sequence[str]) -> dict[str, Path]:
    """Return path below the folder → file, for all that is uploaded.

    Raises:
        InputFileError: the folder does not exist or is empty, or a symbolic link is in it.
    """
    if not folder.is_dir():
        raise InputFileError(f"{folder} is not a folder: give an existing one")
    kept: dict[str, Path] = {}
    for place, folders, files in os.walk(folder):
        for path in (Path(place, name) for name in sorted([*folders, *files])):
            name = path.relative_to(folder).as_posix()
            # A folder itself is ignored if all that it may contain is.
            if any(fnmatch.fnmatchcase(one, pattern) for one in (name, f"{name}/") for pattern in ignore):
                continue
            if path.is_symlink():
                raise InputFileError(
                    f"{path} is a symbolic link, and what it points to would be uploaded: replace it by a copy, or "
                    "remove it; nothing was uploaded"
                )
            if path.is_file():
                kept[name] = path
    if not kept:
        raise InputFileError(f"{folder} holds no files to push: give another folder")
    return dict(sorted(kept.items()))


def _refuse_secrets(folder: Path, contents: Mapping[str, Path | bytes]) -> None:
    """Refuse a text file with a token in it."""
    for name, content in contents.items():
        if not name.lower().endswith(TEXT):
            continue
        try:
            data = content if isinstance(content, bytes) else content.read_bytes()
        except OSError as error:
            raise InputFileError(f"cannot read {folder / name}: {error.strerror}") from error
        line = secret_line(data.decode("utf-8", errors="replace"))
        if line is not None:
            raise InputFileError(
                f"{folder / name}, line {line}: holds a token, or a URL with a password, which would be public: remove "
                "it from the file (and revoke it, if others may have seen it); nothing was uploaded"
            )


def _repository(api: HfApi, target: Target, token: str, advice: str = "") -> tuple[bool, str | None]:
    """Create the repository and the branch if needed; return whether the former was, and the head of the branch."""
    name, kind, branch = target.repo_id, target.repo_type, None if target.create_pr else target.revision

    def find_or_create() -> tuple[bool, str | None]:
        created = not api.repo_exists(name, repo_type=kind)
        if created:
            api.create_repo(name, repo_type=kind, private=target.private or None, exist_ok=True)
        info = api.repo_info(name, repo_type=kind)
        if target.private and not info.private:
            raise InputValueError(
                f"{name} exists already and is public: make it private in its settings, push without private, or give "
                "another name; nothing was uploaded"
            )
        if branch is None:
            return created, info.sha
        if not api.revision_exists(name, branch, repo_type=kind):
            api.create_branch(name, branch=branch, repo_type=kind, exist_ok=True)
        return created, api.repo_info(name, repo_type=kind, revision=branch).sha

    return with_retries(find_or_create, f"preparing the repository {name}", token=token, advice=advice)
