"""The server of `sda-hf play`."""

from __future__ import annotations

import contextlib
import errno
import socket
import webbrowser
from collections.abc import Callable

from sda_hf.demo.app import gradio, page_options, playground
from sda_hf.demo.embedded import TRAINED, UNTRAINED
from sda_hf.errors import InputValueError

FIRST_PORT, PORTS = 7860, 100  # as gradio has them
PATIENCE = 1  # seconds that open pages get when the server ends


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
    before: str = UNTRAINED,
    after: str = TRAINED,
    on_start: Callable[[str], None] | None = None,
) -> None:
    """Show the playground until it is interrupted.

    It does not use `launch` of gradio, which gives up where the server needs more than five seconds to start.

    Args:
        host: the address to listen at; "0.0.0.0" for all of this machine.
        port: the port to listen at; None for the first free one from 7860.
        browser: whether to open it in the browser.
        before: the model that the first text box names when the app opens, as in `playground`.
        after: the one that the second names.
        on_start: called with the URL once it can be opened.

    Raises:
        InputValueError: there is no such address, or the port is not free.
        MissingPackageError: gradio is not installed.
    """
    mount = gradio().mount_gradio_app
    import fastapi  # gradio brings both
    import uvicorn

    with listening(host, port) as listener:
        app = mount(fastapi.FastAPI(), playground(before, after), path="/", **page_options())
        url = url_of(*listener.getsockname()[:2])
        if on_start is not None:
            on_start(url)
        if browser:
            webbrowser.open(url)
        # Without a configuration of its own, so that the logging of the process stays as it is.
        config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=PATIENCE)
        with contextlib.suppress(KeyboardInterrupt):  # that is how it ends
            uvicorn.Server(config).run(sockets=[listener])


def url_of(host: str, port: int) -> str:
    """Return what a browser on this machine opens.

    Example:
        >>> url_of("0.0.0.0", 7860), url_of("::1", 7861)
        ('http://127.0.0.1:7860', 'http://[::1]:7861')
    """
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def listening(host: str, port: int | None) -> socket.socket:
    """Return a socket to which browsers can connect from now on.

    Args:
        host: the address to listen at.
        port: the port; None for the first free one.

    Raises:
        InputValueError: there is no such address, or the port is not free.

    Example:
        >>> with listening("127.0.0.1", None) as found:
        ...     found.getsockname()[0]
        '127.0.0.1'
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(FIRST_PORT, FIRST_PORT + PORTS) if port is None else [port]:
        try:
            return socket.create_server((host, candidate), family=family)
        except OSError as error:
            if port is None and error.errno == errno.EADDRINUSE:
                continue
            raise InputValueError(
                f"cannot listen at {host}, port {candidate} ({error.strerror}): give an address of this machine as "
                "--host, and a free --port"
            ) from error
    raise InputValueError(f"no port from {FIRST_PORT} to {FIRST_PORT + PORTS - 1} is free: give another --port")
