"""`sda-hf play`: the playground in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from sda_hf.commands.printing import say


def play(
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen on; with 0.0.0.0, other machines can connect, and load models from your folders."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port to listen on; by default, the first free one from 7860.")
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address without opening a browser.")
    ] = False,
    before: Annotated[
        str, typer.Option(metavar="MODEL", help="The model before training: a folder or a Hub id.")
    ] = "quickstart, untrained",
    after: Annotated[str, typer.Option(metavar="MODEL", help="The model after training.")] = "quickstart, trained",
) -> None:
    """Open the playground: clauses, rewrites and similarities of what you type, and of files."""
    from sda_hf.demo.server import serve

    serve(host, port, not no_browser, before, after, lambda url: say(f"The playground is at {url}; Ctrl-C ends it."))
