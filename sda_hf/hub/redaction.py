"""What stays private when files go to the Hub: local folders, tokens, and the credentials in URLs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar, cast

T = TypeVar("T")

HIDDEN = "not shown"
# Tokens whose issuers gave them a shape that secret scanners can recognize.
SHAPES = (
    r"(?:hf|api_org)_[A-Za-z0-9]{20,}",  # Hugging Face
    r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}",  # GitHub
    r"glpat-[\w-]{20,}",  # GitLab
    r"sk-[A-Za-z0-9_-]{20,}",  # OpenAI, Anthropic
    r"wandb_v\d+_\w{20,}",  # Weights & Biases
    r"(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])",  # Amazon
    r"AIza[\w-]{35}|ya29\.[\w-]{20,}",  # Google
    r"xox[abeoprs]-[\w-]{10,}",  # Slack
    r"pypi-AgE[\w-]{16,}",  # PyPI
    r"eyJ(?:(?!-eyJ)[\w-]){10,}\.eyJ[\w-]{10,}\.[\w-]{10,}",  # JSON web tokens
)
KEY_BLOCK = r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
SECRET = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(SHAPES)})|{KEY_BLOCK}", re.DOTALL | re.ASCII)
URL_USER = re.compile(
    r"(?P<scheme>https?://|\b[a-z][a-z0-9+.-]{1,20}://(?=[^/?#\s\"'<>@:]*:))(?:[^/?#\s\"'<>@]*@)+(?=[\w\[])",
    re.IGNORECASE,
)
# In settings, even what may be a word or a harmless parameter is hidden.
SHORT_TOKEN = re.compile(r"(?<![A-Za-z0-9])hf_\w{8,}", re.ASCII)
URL_PARAMETER = re.compile(
    r"(?P<name>[?&;](?:x-amz-|x-goog-)?(?:(?:access|auth|api|id|refresh|security|session)[_-])?"
    r"(?:token|api_?key|key|password|secret|signature|sig|credential)=)[^&;#\s\"'<>]+",
    re.IGNORECASE,
)
# Keys of settings that hold a secret, whatever it looks like.
PRIVATE_KEY = re.compile(
    r"(?:.*[_-])?(?:token|api_?key|password|passwd|secret|access_key|secret_key|credentials?)", re.IGNORECASE
)
# An absolute path, of which only the last part is kept, and what a task on a file or a file URL puts before it.
LOCAL_PATH = re.compile(
    r"(?P<prefix>file://|[\w-]{2,}:)?(?P<path>/(?!/)|~[^/\\]*[/\\]|[A-Za-z]:[\\/]|\\\\).*", re.ASCII | re.DOTALL
)


def redacted(value: T) -> T:
    """Return a config without tokens and credentials, and with absolute paths cut to their last part.

    Args:
        value: strings, numbers, lists and mappings of any depth.

    Example:
        >>> redacted({"files": ["/home/me/a.txt"], "test": "triples:/data/t.tsv", "hub_token": "abc"})
        {'files': ['a.txt'], 'test': 'triples:t.tsv', 'hub_token': 'not shown'}
    """
    result: object = value
    if isinstance(value, Mapping):
        result = {
            redacted(key): HIDDEN if _is_private(key) and isinstance(item, str) else redacted(item)
            for key, item in value.items()
        }
    elif isinstance(value, (list, tuple)):
        result = [redacted(item) for item in value]
    elif isinstance(value, str):
        text = SHORT_TOKEN.sub(HIDDEN, without_secrets(_last_part(value)))
        result = URL_PARAMETER.sub(rf"\g<name>{HIDDEN}", text)
    return cast(T, result)


def without_secrets(text: str) -> str:
    """Return a text without tokens and without the names and passwords in its URLs.

    Example:
        >>> without_secrets("see https://me:secret@example.org/a")
        'see https://example.org/a'
    """
    return URL_USER.sub(r"\g<scheme>", SECRET.sub(HIDDEN, text))


def secret_line(text: str) -> int | None:
    r"""Return the number of the first line with something that `without_secrets` removes; None if there is none.

    Example:
        >>> secret_line("nothing here"), secret_line("a comment\nhttps://me:secret@example.org/")
        (None, 2)
    """
    found = [match.start() for pattern in (SECRET, URL_USER) if (match := pattern.search(text))]
    return text.count("\n", 0, min(found)) + 1 if found else None


def _is_private(key: object) -> bool:
    return isinstance(key, str) and PRIVATE_KEY.fullmatch(key) is not None


def _last_part(text: str) -> str:
    match = LOCAL_PATH.fullmatch(text)
    if match is None:
        return text
    prefix = (match["prefix"] or "").removesuffix("file://")
    return prefix + re.split(r"[/\\]", text.rstrip("/\\"))[-1]
