"""Folders to the Hub and back: one commit for a push, and a clear line for whatever goes wrong."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from huggingface_hub import CommitOperationAdd, HfApi, get_token, snapshot_download
from huggingface_hub.errors import HFValidationError, RepositoryNotFoundError, RevisionNotFoundError
from huggingface_hub.utils import (  # type: ignore[attr-defined]  # exported in its own way
    filter_repo_objects,
    validate_repo_id,
)

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.hub.faults import patiently

TYPES = ("model", "dataset")
AGAIN = "nothing was lost: pushing again finishes it"


@dataclasses.dataclass(frozen=True)
class Target:
    """Where on the Hub something is pushed to.

    Args:
        repo_id: "me/name", with a user or an organisation.
        repo_type: "model" or "dataset".
        private: only its owner sees it; a public repository that is there already is refused.
        revision: a branch, which is made if it is not there; the default branch by default.
        create_pr: open a pull request on the default branch instead of changing it.
        token: by default HF_TOKEN, or that of `hf auth login`.

    Raises:
        InputValueError: no name of a repository, another type, or a pull request on a revision.

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
            raise InputValueError(f"repository {self.repo_id!r} has no owner: give one, as me/name")
        if self.repo_type not in TYPES:
            raise InputValueError(f"repository type {self.repo_type!r}: give one of {', '.join(TYPES)}")
        if self.create_pr and self.revision not in (None, "main"):
            raise InputValueError(
                f"a pull request goes to the default branch, not to {self.revision!r}: give a revision or create_pr"
            )


@dataclasses.dataclass(frozen=True)
class Pushed:
    """What a push did.

    Args:
        url: page of the repository, or of the revision.
        commit: the commit that now holds the files.
        pull_request: page of the pull request that was opened.
        unchanged: all files were there already, so there is no new commit and no pull request.
        created: the repository was made; otherwise one that was there was updated.
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
    instead: Mapping[str, bytes] | None = None,
) -> Pushed:
    """Puts the files of a folder on the Hub, all in one commit or none; the folder is only read.

    What fails for a moment is tried again, see `patiently`. After a push that failed, the next one sends only the large
    files that are not there yet. Files that are on the Hub and not in the folder stay there.

    Args:
        folder: the folder.
        target: where to.
        message: of the commit; title of the pull request.
        ignore: patterns of paths below the folder that are left out; `*` goes across folders.
        instead: path below the folder → what is put there in place of the file's own content.

    Returns:
        Where it is, and whether anything changed.

    Raises:
        InputFileError: no such folder, nothing in it, or the Hub could not be reached or refused.
        InputValueError: no token, or the repository is public and `private` was asked for.

    Example:
        >>> upload("no/such/folder", Target("me/name", token="hf_of_mine"))
        Traceback (most recent call last):
        sda_hf.errors.InputFileError: no/such/folder is no folder: give one that is there
    """
    token = _token(target)
    contents: dict[str, Any] = {**_files(Path(folder), ignore), **(instead or {})}
    api = HfApi(token=token, library_name="sda-hf")
    step = functools.partial(patiently, token=token, after=AGAIN)
    created, head = _make(api, target, step)
    page = f"{api.endpoint}/{'datasets/' if target.repo_type == 'dataset' else ''}{target.repo_id}"

    def commit() -> Any:
        # Made anew for each try: they remember what the repository held, which a try may have changed unheard.
        operations = [CommitOperationAdd(path, content) for path, content in contents.items()]
        return api.create_commit(
            target.repo_id,
            operations,
            commit_message=message,
            repo_type=target.repo_type,
            revision=target.revision,
            create_pr=target.create_pr,
        )

    opened = f"nothing was lost, but the pull request may be open: look at {page}/discussions before pushing again"
    made = step(commit, f"uploading {folder} to {target.repo_id}", doubtful=opened if target.create_pr else None)
    return Pushed(
        url=f"{page}/tree/{quote(target.revision, safe='')}" if target.revision else page,
        commit=made.oid,
        pull_request=made.pr_url,
        unchanged=made.oid == head,
        created=created,
    )


def prepare(target: Target) -> None:
    """Makes the repository and the branch where they are missing, and sees that the token may write; uploads nothing.

    For what takes long before it uploads: a mistake shows at once.

    Args:
        target: where something is going to be pushed to; for a pull request nothing has to be written to the branch.

    Raises:
        InputFileError: the Hub could not be reached, or refused.
        InputValueError: no token, or the repository is public and `private` was asked for.

    Example:
        >>> prepare(Target("me/name", token="not a token"))
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: the token for the Hub holds characters that no token has: copy it again
    """
    token = _token(target)
    api = HfApi(token=token, library_name="sda-hf")
    step = functools.partial(patiently, token=token)
    _make(api, target, step)
    if not target.create_pr:
        step(
            lambda: api.auth_check(target.repo_id, repo_type=target.repo_type, write=True),
            f"asking whether the token may write to {target.repo_id}",
        )


def download(
    repo_id: str,
    *,
    repo_type: Literal["model", "dataset"] = "model",
    revision: str | None = None,
    allow: Sequence[str] | None = None,
) -> Path:
    """A repository of the Hub as a folder of the client's cache; what is there already is not sent again.

    Without a connection, the client gives what the cache holds.

    Args:
        repo_id: "me/name".
        repo_type: "model" or "dataset".
        revision: a branch, tag or commit; the default branch by default.
        allow: patterns of the paths that are wanted; all by default.

    Raises:
        InputFileError: it is not there, or the Hub could not be reached or refused.
        InputValueError: no name of a repository.

    Example:
        >>> download("me/name.git")
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: Repo_id cannot end by '.git': 'me/name.git': give it as me/name
    """
    _check_name(repo_id)
    allowed = None if allow is None else list(allow)
    found = patiently(
        lambda: snapshot_download(repo_id, repo_type=repo_type, revision=revision, allow_patterns=allowed),
        f"downloading {repo_type} {repo_id}{f' at {revision}' if revision else ''}",
        token=get_token(),
    )
    return Path(found)


def _check_name(repo_id: str) -> None:
    try:
        validate_repo_id(repo_id)
    except HFValidationError as error:
        raise InputValueError(f"{str(error).rstrip('.')}: give it as me/name") from None


def _token(target: Target) -> str:
    token = target.token or get_token()
    if token is None:
        raise InputValueError("no token for the Hub: log in with `hf auth login`, or set HF_TOKEN")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise InputValueError("the token for the Hub holds characters that no token has: copy it again")
    return token


def _files(folder: Path, ignore: Sequence[str]) -> dict[str, str]:
    """Path below the folder → the file."""
    if not folder.is_dir():
        raise InputFileError(f"{folder} is no folder: give one that is there")
    found = {path.relative_to(folder).as_posix(): str(path) for path in sorted(folder.rglob("*")) if path.is_file()}
    kept = list(filter_repo_objects(found, ignore_patterns=list(ignore)))
    if not kept:
        raise InputFileError(f"{folder} holds nothing to push: give another folder")
    return {path: found[path] for path in kept}


def _make(api: HfApi, target: Target, step: Callable[..., Any]) -> tuple[bool, str | None]:
    """Makes what is missing: whether the repository was, and the commit that is going to be followed."""
    name, kind = target.repo_id, target.repo_type
    info = step(lambda: _look(api, target), f"looking for {name}")
    created = info is None
    if created:
        step(
            lambda: api.create_repo(name, repo_type=kind, private=target.private or None, exist_ok=True),
            f"creating {name}",
        )
        info = step(lambda: api.repo_info(name, repo_type=kind), f"looking for {name}")
    if target.private and not info.private:
        raise InputValueError(
            f"{name} is there already and public: make it private in its settings, push without private, or give "
            "another name; nothing was uploaded"
        )
    if target.revision is None or target.create_pr:
        return created, info.sha
    branch = step(lambda: _look(api, target, target.revision), f"looking for {target.revision} of {name}")
    if branch is None:
        step(
            lambda: api.create_branch(name, branch=target.revision or "", repo_type=kind, exist_ok=True),
            f"creating the branch {target.revision} of {name}",
        )
    return created, (branch or info).sha


def _look(api: HfApi, target: Target, revision: str | None = None) -> Any:
    """What the Hub knows of the repository or of its revision; None where there is none."""
    try:
        return api.repo_info(target.repo_id, repo_type=target.repo_type, revision=revision)
    except (RepositoryNotFoundError, RevisionNotFoundError):
        return None
