"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME.FIELD=VALUE", help="Set a field, e.g. negation.contractions=false."),
]
Seed = Annotated[int, typer.Option(help="Seed of the random draws.")]
Language = Annotated[str, typer.Option(is_eager=True, help="Language of the texts: en or zh.")]
Parser = Annotated[str | None, typer.Option(help="A spaCy pipeline (package or folder); by default the embedded one.")]
Coverage = Annotated[
    str | None, typer.Option(metavar="sound|full", help="sound skips what a rule is not sure of: the default.")
]
Sentences = Annotated[
    str | None, typer.Option(metavar="first|all|random", help="Sentences of a text to rewrite: by default, first.")
]
