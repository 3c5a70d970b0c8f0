"""What goes wrong between here and the Hub: what is tried again, and what the user is told."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from huggingface_hub.errors import (
    HfHubHTTPError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils import parse_ratelimit_headers  # type: ignore[attr-defined]  # exported in its own way

from sda_hf.errors import InputError, InputFileError, InputValueError

T = TypeVar("T")

logger = logging.getLogger(__name__)

# The base of all errors of the HTTP library that the client uses: which library that is depends on its version.
HttpError: type[Exception] = HfHubHTTPError.__bases__[0]

WAITS = (1.0, 2.0, 4.0, 8.0)  # seconds before the second, third, ... try
LONGEST_WAIT = 300.0  # the Hub counts requests in windows of five minutes
PASSING = (408, 429, 500, 502, 503, 504)
# With these the request may have been done all the same, as when the connection was cut.
DOUBTFUL = (408, 502, 504)

# Requests that the client itself has tried six times when their error comes here: with a status, with a cut connection.
TRIED = re.compile(r"POST .*/(preupload|lfs)/|GET .*/tree/|HEAD .*/resolve/")
TRIED_WHEN_CUT = re.compile(r"POST .*/(preupload|lfs)/|GET .*/(tree|resolve)/")
COMMIT = re.compile(r"POST .*/commit/")

LATER = "try again later"
ADVICE = {
    401: "the token was refused: log in again with `hf auth login`, or set HF_TOKEN to one that is valid",
    403: "the token may not do this: use one with write permission for this repository",
}


def patiently(
    call: Callable[[], T], what: str, *, token: str | None = None, after: str = "", doubtful: str | None = None
) -> T:
    """Calls the Hub, and again where that can help and the client does not do it by itself.

    That is up to five tries, after 1, 2, 4 and 8 seconds or as long as the Hub says; more than five minutes are not
    waited. What the client has already tried again (uploads, listings) is not tried once more.

    Args:
        call: what calls the client; it may be called several times.
        what: what it does, for messages: "creating me/name".
        token: the token in use, which is kept out of messages.
        after: what the user is told after every failure.
        doubtful: for a commit that must not be made twice: what the user is told, instead, when nobody knows whether
            it was made; such a commit is not tried again.

    Raises:
        InputFileError: it failed; the message says what the Hub said and what can be done.
        InputValueError: what was given is refused whatever one tries.

    Example:
        >>> patiently(lambda: "me", "asking for the name")
        'me'
    """
    waits = iter(WAITS)
    while True:
        try:
            return call()
        except (HttpError, OSError, RuntimeError, ValueError) as raised:
            failure = _judged(raised, waits, commit_once=doubtful is not None)
            if failure is None:
                raise
        # Out of the except clause: the client's own error may quote the token, so it is not kept as the context.
        text = _clean(f"{what} failed: {failure.reason}", token)
        if failure.wait is None:
            ends = doubtful if failure.doubtful else after
            raise failure.kind(f"{text}; {ends}" if ends else text)
        logger.warning("%s: next try in %g s", text, failure.wait)
        time.sleep(failure.wait)


class Failure(NamedTuple):
    """What to do about an error: which one to raise, why, after how many seconds to try again if at all."""

    kind: type[InputError]
    reason: str
    wait: float | None
    doubtful: bool


def _judged(raised: Exception, waits: Iterator[float], *, commit_once: bool) -> Failure | None:
    """None for what is a bug."""
    error = _below(raised)
    explained = _explained(error)
    if explained is None:
        return None
    doubtful = commit_once and _is_doubtful(error)
    once = doubtful or type(raised) is RuntimeError  # large files, which the client has tried again
    return Failure(*explained, None if once else _wait(error, next(waits, None)), doubtful)


def _below(error: Exception) -> Exception:
    """The error of the request: the client wraps those of large files and of downloads, after tries of its own."""
    wraps = isinstance(error, LocalEntryNotFoundError) or type(error) is RuntimeError
    return error.__cause__ if wraps and isinstance(error.__cause__, Exception) else error


def _explained(error: Exception) -> tuple[type[InputError], str] | None:
    """The error to raise, and what happened and can be done; None for what is a bug."""
    if isinstance(error, HfHubHTTPError):
        return InputFileError, f"{_answer(error)}: {_advice(error)}"
    if isinstance(error, HttpError):
        return InputFileError, f"the connection to {_host(error)} failed: {str(error).rstrip('.')}: {LATER}"
    if isinstance(error, OfflineModeIsEnabled):
        return InputValueError, "HF_HUB_OFFLINE is set: unset it to use the Hub"
    if isinstance(error, json.JSONDecodeError):
        return InputFileError, f"what answered is not the Hub: check HF_ENDPOINT and proxies, or {LATER}"
    if isinstance(error, OSError) and error.filename is not None:
        return InputFileError, f"{error.filename}: {error.strerror}"
    if isinstance(error, OSError):  # of the Xet storage, among others
        return InputFileError, f"{error}: {LATER}"
    if isinstance(error, ValueError) and str(error).startswith("Invalid metadata in README.md"):
        return InputValueError, f"{error}: correct the YAML at its top"
    if isinstance(error, ValueError) and str(error).startswith("LFS batch API returned errors"):
        return InputFileError, f"{error}: {LATER}"
    return None


def _answer(error: HfHubHTTPError) -> str:
    response = error.response
    said = error.server_message or response.reason_phrase
    return f"the Hub answered {response.status_code}: {' '.join(said.split()).rstrip('.')}"


def _advice(error: HfHubHTTPError) -> str:
    if isinstance(error, RepositoryNotFoundError):
        return "check the name and the type, and that the token may see it"
    if isinstance(error, RevisionNotFoundError):
        return "check the name of the revision"
    seconds = _asked_to_wait(error)
    if seconds is not None:
        return f"try again in {seconds:g} s"
    status: int = error.response.status_code
    return ADVICE.get(status, LATER if status in PASSING else "correct what it says")


def _wait(error: Exception, planned: float | None) -> float | None:
    """Seconds until the next try; None where there is to be none."""
    if isinstance(error, json.JSONDecodeError):
        return planned
    if not isinstance(error, HttpError) or planned is None:
        return None
    if not isinstance(error, HfHubHTTPError):
        return None if TRIED_WHEN_CUT.match(_request(error)) else planned
    if error.response.status_code not in PASSING or TRIED.match(_request(error)):
        return None
    asked = _asked_to_wait(error)
    wait = planned if asked is None else asked
    return wait if wait <= LONGEST_WAIT else None


def _asked_to_wait(error: HfHubHTTPError) -> float | None:
    """Seconds that the Hub asks for."""
    headers = error.response.headers
    limit = parse_ratelimit_headers(headers)
    if error.response.status_code == 429 and limit is not None and limit.remaining == 0:
        return float(limit.reset_in_seconds)
    after = headers.get("Retry-After", "").strip()
    return float(after) if after.isdigit() else None


def _is_doubtful(error: Exception) -> bool:
    if not isinstance(error, HttpError) or not COMMIT.match(_request(error)):
        return False
    return not isinstance(error, HfHubHTTPError) or error.response.status_code in DOUBTFUL


def _request(error: Exception) -> str:
    """The method and the path."""
    request = error.response.request if isinstance(error, HfHubHTTPError) else error.request  # type: ignore[attr-defined]
    return f"{request.method} {request.url.path}"


def _host(error: Exception) -> str:
    return str(error.request.url.host)  # type: ignore[attr-defined]


def _clean(text: str, token: str | None) -> str:
    """On one line, and without the token, which a server might send back."""
    line = " ".join(text.split())
    return line.replace(token, "<token>") if token else line
