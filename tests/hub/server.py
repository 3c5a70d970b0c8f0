"""A Hub on this machine for the tests: the real client of huggingface_hub talks to it over HTTP.

It follows what huggingface_hub 2.4 asks, with the plain LFS transfer. Not here: Xet storage, spaces' own calls,
discussions, tags, pages of long listings, .gitignore rules, gated repositories, and any check of a model card beyond
its YAML.
"""

from __future__ import annotations

import dataclasses
import os
import re
import socket
import socketserver
import struct
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

from .api import READ_TOKEN, WRITE_TOKEN, Answer, Api, Call, refusal
from .store import HubError, Repo

# Settings of the caller's own that would lead the client elsewhere.
OWN = ("HF_", "HUGGINGFACE_", "HUGGING_FACE_", "TRANSFORMERS_", "SENTENCE_TRANSFORMERS_")


@dataclasses.dataclass(frozen=True)
class Request:
    """A request as it was served.

    Args:
        method: the HTTP method.
        path: path and query, unquoted.
        status: of the answer; None when the connection was cut before one.
        token: whether a token came with it.
        size: bytes of its body that were read.
    """

    method: str
    path: str
    status: int | None
    token: bool
    size: int


@dataclasses.dataclass
class Fault:
    """What goes wrong with the next `times` requests of a method whose path and query match.

    Args:
        kind: "answer" (another answer), "cut" (the request is not read to its end), "cut response".
        answer: the other answer.
        after: how many bytes of the body pass before the cut; None: not even the answer's headers.
    """

    method: str
    pattern: re.Pattern[str]
    times: int
    kind: str
    answer: Answer | None = None
    after: int | None = None


class HubServer:
    """The server. A context manager: it serves inside the block, and raises at the end what failed in itself.

    Args:
        large_files: False: every file is a regular one, so that a client with hf_xet can push without Xet storage.

    Attributes:
        url: where it listens; the same after `stop` and `start`.
        repos: "me/name", "datasets/me/name" → the repository.
        uploads: sha256 of a large file → how often its bytes came whole.
        requests: all requests, in the order of their answers.

    Example:
        >>> with HubServer() as hub:
        ...     hub.fail("POST", "/commit/", status=503, times=2)
        ...     hub.cut("PUT", "/lfs/", after_bytes=1_000_000)
        ...     hub.asked("POST", "/commit/"), dict(hub.repos)
        ([], {})
    """

    write_token, read_token = WRITE_TOKEN, READ_TOKEN

    def __init__(self, large_files: bool = True) -> None:
        self.api = Api(large_files)
        self.requests: list[Request] = []
        self.errors: list[BaseException] = []
        self._faults: list[Fault] = []
        self._lock = threading.Lock()
        self._port = 0
        self._listener: _Listener | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> HubServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self.errors:
            raise RuntimeError(f"the server of the tests failed: {self.errors!r}") from self.errors[0]

    @property
    def url(self) -> str:
        return self.api.url

    @property
    def repos(self) -> dict[str, Repo]:
        return self.api.repos

    @property
    def uploads(self) -> Mapping[str, int]:
        return self.api.uploads

    def start(self) -> None:
        """Serves on a free port, or on that of before."""
        self._listener = _Listener(self, self._port)
        self._port = self._listener.server_address[1]
        self.api.url = f"http://127.0.0.1:{self._port}"
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.02,))
        self._thread.start()

    def stop(self) -> None:
        """Refuses connections and drops those that are open; what is stored stays. Does nothing when stopped."""
        if self._listener is None or self._thread is None:
            return
        self._listener.shutdown()
        self._thread.join()
        self._listener.drop()
        self._listener.server_close()
        self._listener = self._thread = None

    def fail(
        self, method: str, pattern: str, status: int = 500, times: int = 1, headers: Mapping[str, str] | None = None
    ) -> None:
        """Answers the next requests with an error, without doing what they ask."""
        answer = refusal(HubError(status, "Internal Error - We're working hard to fix this as soon as possible!"))
        answer = dataclasses.replace(answer, status=status, headers={**answer.headers, **(headers or {})})
        self._faults.append(Fault(method, re.compile(pattern), times, "answer", answer))

    def cut(self, method: str, pattern: str, after_bytes: int = 0, times: int = 1) -> None:
        """Resets the connection once so many bytes of the request's body came; what it asks is not done."""
        self._faults.append(Fault(method, re.compile(pattern), times, "cut", after=after_bytes))

    def cut_response(self, method: str, pattern: str, after_bytes: int | None = None, times: int = 1) -> None:
        """Does what is asked, and closes after the headers and so many bytes of the answer's body.

        With None, nothing of the answer leaves: it is lost.
        """
        self._faults.append(Fault(method, re.compile(pattern), times, "cut response", after=after_bytes))

    @property
    def proxies(self) -> dict[str, str]:
        """Settings that send what a library asks of other hosts here, where it is noted and refused."""
        upper = {"HTTP_PROXY": self.url, "HTTPS_PROXY": self.url, "ALL_PROXY": self.url, "NO_PROXY": "127.0.0.1"}
        return upper | {name.lower(): value for name, value in upper.items()}

    def environment(self, home: str | os.PathLike[str], token: str | None = WRITE_TOKEN) -> dict[str, str]:
        """The environment of a process whose libraries use this server, and write below `home` only."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
        found = kept | {
            "HF_ENDPOINT": self.url,
            "HF_HOME": str(home),
            "HF_HUB_OFFLINE": "0",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "HF_UPDATE_DOWNLOAD_COUNTS": "0",  # load_dataset would ask another server
        }
        found |= self.proxies
        # With hf_xet installed the client uploads large files to Xet storage, whatever the server says.
        found |= {"HF_HUB_DISABLE_XET": "1"} if self.api.large_files else {}
        return found | ({} if token is None else {"HF_TOKEN": token})

    def asked(self, method: str, pattern: str) -> list[Request]:
        """The requests of a method whose path and query match."""
        return [one for one in self.requests if one.method == method and re.search(pattern, one.path)]

    def _take(self, method: str, path: str) -> Fault | None:
        with self._lock:
            for fault in self._faults:
                if fault.times and fault.method == method and fault.pattern.search(path):
                    fault.times -= 1
                    return fault
        return None


class _Listener(ThreadingHTTPServer):
    """Knows its open connections, so that they can be dropped."""

    daemon_threads = False  # server_close waits for the threads

    def __init__(self, hub: HubServer, port: int) -> None:
        self.hub = hub
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", port), _Handler)

    def server_bind(self) -> None:
        # As HTTPServer does, without asking a name server for the host's name.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, ConnectionError):  # a client may go when it likes
            self.hub.errors.append(error)

    def drop(self) -> None:
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # its client was faster


class _Handler(BaseHTTPRequestHandler):
    """Reads a request, lets the API answer it, and does what a fault says."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listener

    def serve(self) -> None:
        path = unquote(self.path)
        fault = self.server.hub._take(self.command, path)
        kind = fault.kind if fault else ""
        body = self._body(fault.after if fault and kind == "cut" else None)
        if kind == "cut":
            self._note(path, None, body)
            # Closing now sends a reset instead of an orderly end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            return
        answer = fault.answer if fault and fault.answer else self._answer(body)
        self._note(path, answer.status, body)
        self.close_connection = self.close_connection or kind == "cut response"
        if kind != "cut response":
            self._send(answer, len(answer.body))
        elif fault and fault.after is not None:
            self._send(answer, fault.after)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_CONNECT = serve

    def log_message(self, format: str, *args: Any) -> None:
        """Tests read `requests` instead."""

    def _answer(self, body: bytes) -> Answer:
        try:
            return self.server.hub.api.answer(Call(self.command, self.path, self.headers, body))
        except Exception as error:  # noqa: BLE001 - raised where the server ends
            self.server.hub.errors.append(error)
            return refusal(HubError(501, f"The server of the tests failed: {error!r}"))

    def _note(self, path: str, status: int | None, body: bytes) -> None:
        token = "Authorization" in self.headers
        self.server.hub.requests.append(Request(self.command, path, status, token, len(body)))

    def _send(self, answer: Answer, size: int) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body[:size])

    def _body(self, limit: int | None) -> bytes:
        """The body, or its first bytes."""
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            return self._chunks(limit)
        length = int(self.headers.get("Content-Length", 0))
        return self._read(length if limit is None else min(length, limit))

    def _chunks(self, limit: int | None) -> bytes:
        found = b""
        while limit is None or len(found) < limit:
            size = int(self.rfile.readline().split(b";")[0] or b"-1", 16)
            found += self._read(size)
            self.rfile.readline()  # the end of the line after a chunk
            if size == 0:
                break
        return found[:limit]

    def _read(self, size: int) -> bytes:
        found = self.rfile.read(size) if size >= 0 else b""
        if len(found) != size:  # a part of a body is never taken for the whole
            self._note(unquote(self.path), None, found)
            raise ConnectionResetError("the client went in the middle of its request")
        return found
