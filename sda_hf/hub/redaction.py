"""What stays private when configs go to the Hub: local folders and tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar, cast

T = TypeVar("T")

TOKEN = re.compile(r"\bhf_\w{8,}")
HIDDEN = "not shown"
# An absolute path, of which only the last part is kept, and what a task on a file or a file URL puts before it.
LOCAL_PATH = re.compile(
    r"(?P<prefix>file://|[\w-]{2,}:)?(?P<path>/(?!/)|~[^/\\]*[/\\]|[A-Za-z]:[\\/]|\\\\).*", re.ASCII | re.DOTALL
)


def redacted(value: T) -> T:
    """Return a config without tokens and with absolute paths cut to their last part.

    Args:
        value: strings, numbers, lists and mappings of any depth; keys are kept.

    Example:
        >>> redacted({"files": ["/home/me/a.txt"], "test": "triples:/data/t.tsv", "hub_token": "abc"})
        {'files': ['a.txt'], 'test': 'triples:t.tsv', 'hub_token': 'not shown'}
    """
    result: object = value
    if isinstance(value, Mapping):
        result = {
            key: HIDDEN if key.endswith("_token") and isinstance(item, str) else redacted(item)
            for key, item in value.items()
        }
    elif isinstance(value, (list, tuple)):
        result = [redacted(item) for item in value]
    elif isinstance(value, str):
        result = TOKEN.sub(HIDDEN, _last_part(value))
    return cast(T, result)


def _last_part(text: str) -> str:
    match = LOCAL_PATH.fullmatch(text)
    if match is None:
        return text
    prefix = (match["prefix"] or "").removesuffix("file://")
    return prefix + re.split(r"[/\\]", text.rstrip("/\\"))[-1]
