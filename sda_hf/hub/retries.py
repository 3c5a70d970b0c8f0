"""Calls to the Hub: transient failures are retried, all others become a message for the user."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from huggingface_hub.errors import (  # type: ignore[attr-defined]  # HTTPError: of the HTTP library that it uses
    HfHubHTTPError,
    HTTPError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
)
from huggingface_hub.utils import parse_ratelimit_headers  # type: ignore[attr-defined]  # imported lazily there

from sda_hf.errors import InputError, InputFileError, InputValueError
from sda_hf.terminal import printable

T = TypeVar("T")

logger = logging.getLogger(__name__)

WAITS = (1.0, 2.0, 4.0, 8.0)  # seconds before the second, third, ... attempt
LONGEST_WAIT = 300.0  # the Hub limits requests in windows of five minutes
TRANSIENT = (408, 429, 500, 502, 503, 504)
NOT_DONE = (429, 503)  # with these, the Hub has certainly not done what it was asked to do

LATER = "try again later"
ADVICE = {
    401: "log in with `hf auth login`, or set HF_TOKEN to a valid token",
    403: "use a token with write permission for this repository",
    404: "check the name and the revision, and whether your token can see the repository",
}


def with_retries(
    call: Callable[[], T], what: str, *, token: str | None = None, advice: str = "", repeatable: bool = True
) -> T:
    """Call the Hub up to five times, as long as the failures are transient.

    The waits are 1, 2, 4 and 8 seconds, or what the Hub asks for if that is at most five minutes. A failed upload of a
    large file is not retried, because huggingface_hub has done that already.

    Args:
        call: a function that calls huggingface_hub; it may be called several times.
        what: what the call does, for messages: "creating me/name".
        token: the token in use, which is kept out of messages.
        advice: added to the message of the final failure.
        repeatable: whether the call can be repeated when it is not known if the Hub has carried it out.

    Raises:
        InputFileError: the call failed; the message has the Hub's answer and what to do.
        InputValueError: the call was refused for something that no retry changes.

    Example:
        >>> with_retries(lambda: "me", "asking for the name")
        'me'
    """
    waits = iter(WAITS)
    while True:
        try:
            return call()
        except InputError:
            raise
        except (HTTPError, OSError, RuntimeError, ValueError) as error:
            failure = _failure(error, repeatable)
            if failure is None:
                raise
        # Outside of the except clause: the client's error may quote the token, so it must not become the context.
        message = " ".join(f"{what} failed: {failure.reason}".split())
        message = message.replace(token, "<token>") if token else message
        planned = next(waits, None)
        if not failure.transient or planned is None or (failure.wait or 0) > LONGEST_WAIT:
            raise failure.kind(f"{message}; {advice}" if advice else message)
        wait = failure.wait or planned
        logger.warning("%s: retrying in %g s", printable(message), wait)
        time.sleep(wait)


class _Failure(NamedTuple):
    """What a failure means: the error to raise, the reason, and whether and when a retry can help."""

    kind: type[InputError]
    reason: str
    transient: bool = False
    wait: float | None = None  # seconds that the Hub asked for


def _failure(error: Exception, repeatable: bool) -> _Failure | None:
    """Judge an error of the client; None stands for a bug."""
    uploaded = type(error) is RuntimeError  # how the client reports the upload of a large file that failed
    if isinstance(error.__cause__, Exception) and (uploaded or isinstance(error, LocalEntryNotFoundError)):
        error = error.__cause__
    if isinstance(error, HfHubHTTPError):
        return _refusal(error, TRANSIENT if repeatable else NOT_DONE, retried=uploaded)
    if isinstance(error, HTTPError):
        return _Failure(InputFileError, f"no connection to the Hub: {error}: {LATER}", repeatable and not uploaded)
    if isinstance(error, OfflineModeIsEnabled):
        return _Failure(InputValueError, "HF_HUB_OFFLINE is set: unset it to use the Hub")
    if isinstance(error, json.JSONDecodeError):  # a proxy's page, for instance
        reason = f"the answer is not one of the Hub: check HF_ENDPOINT and proxies, or {LATER}"
        return _Failure(InputFileError, reason, repeatable)
    if isinstance(error, OSError):
        return _Failure(InputFileError, f"{error}: {LATER}" if error.filename is None else str(error))
    if isinstance(error, ValueError):  # such as metadata in README.md that are not valid
        return _Failure(InputValueError, str(error))
    return None


def _refusal(error: HfHubHTTPError, transient: tuple[int, ...], *, retried: bool) -> _Failure:
    status: int = error.response.status_code
    said = (error.server_message or error.response.reason_phrase).strip().rstrip(".")
    seconds = _requested_wait(error)
    advice = LATER if status in TRANSIENT else ADVICE.get(status, "correct what it refers to")
    advice = advice if seconds is None else f"try again in {seconds:g} s"
    return _Failure(
        InputFileError, f"the Hub answered {status}: {said}: {advice}", status in transient and not retried, seconds
    )


def _requested_wait(error: HfHubHTTPError) -> float | None:
    headers = error.response.headers
    limit = parse_ratelimit_headers(headers)
    if limit is not None and limit.remaining == 0:
        return float(limit.reset_in_seconds)
    after = headers.get("Retry-After", "")
    return float(after) if after.isdigit() else None
