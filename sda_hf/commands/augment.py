"""`sda-hf augment`: rewrites the sentences of files."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sda_hf.commands.lists import augmenters
from sda_hf.commands.printing import print_table, push_line, say, split_names
from sda_hf.errors import InputValueError

if TYPE_CHECKING:
    from sda_hf.hub.upload import Target


def _list_augmenters(context: typer.Context, wanted: bool) -> None:
    if wanted:
        augmenters(context.params.get("language", "en"))  # it is there if it was given before --list
        raise typer.Exit


def augment(  # noqa: PLR0913 - each is an option
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="A .txt, .csv, .tsv, .jsonl or .parquet file, optionally .gz.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write, in any of these formats.")],
    augmenter: Annotated[str, typer.Option(help="Names of augmenters, separated by commas; see --list.")],
    column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Column of the texts; by default text, sentence, anchor or sentence1."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random draws.")] = 0,
    language: Annotated[str, typer.Option(is_eager=True, help="Language of the texts: en or zh.")] = "en",
    parser: Annotated[
        str | None, typer.Option(help="A spaCy pipeline (package or folder); by default the embedded one.")
    ] = None,
    coverage: Annotated[
        str | None, typer.Option(metavar="sound|full", help="sound skips what a rule is not sure of: the default.")
    ] = None,
    sentences: Annotated[
        str | None, typer.Option(metavar="first|all|random", help="Sentences of a text to rewrite: by default, first.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace OUT if it exists.")] = False,
    push: Annotated[
        str | None, typer.Option(metavar="ID", help="Also push the rows to a dataset on the Hub, e.g. me/pairs.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Make the dataset private.")] = False,
    safe_csv: Annotated[
        bool,
        typer.Option("--safe-csv", help="Put an apostrophe before cells that a spreadsheet would run as formulas."),
    ] = False,
    listed: Annotated[
        bool,
        typer.Option(
            "--list",
            callback=_list_augmenters,
            is_eager=True,
            help="Show every augmenter and exit; for another language, give --language first.",
        ),
    ] = False,
) -> None:
    """Rewrite the sentences of a file; every augmenter adds a column."""
    from rich.console import Console

    from sda_hf.augmentation.files import augment_file
    from sda_hf.augmentation.options import augmenters_of

    chosen = split_names(augmenter)
    if not chosen:
        raise InputValueError(
            f"--augmenter {augmenter!r} is empty: give names separated by commas, such as negation,modal-verbs; "
            "sda-hf augmenters lists them all"
        )
    augmenters = augmenters_of(
        chosen, seed=seed, language=language, parser=parser, coverage=coverage, sentences=sentences
    )
    destination = _dataset(push, private, target)  # before the slow part, to report mistakes at once
    with Console(stderr=True).status("Augmenting"):
        summary = augment_file(source, target, augmenters, column=column, safe_csv=safe_csv, overwrite=overwrite)
    rows = [
        {"augmenter": name, "rule": rule or "changed", "sentences": count, "share (%)": share}
        for name, rule, count, share in summary.table_rows()
    ]
    print_table(f"{summary.rows:,} sentences, {summary.rows / max(summary.seconds, 1e-9):,.0f} a second", rows)
    say(f"Written: {target}")
    if destination is not None:
        from sda_hf.augmentation.publishing import push_file

        options = {"column": column, "seed": seed, "language": language, "parser": parser, "coverage": coverage}
        command = _command(source, target, {"augmenter": augmenter, **options, "sentences": sentences})
        pushed = push_file(target, destination, summary, command)
        say(push_line(pushed))


def _dataset(repo_id: str | None, private: bool, target: Path) -> Target | None:
    """Return the repository that a file is pushed to, if any."""
    if repo_id is None:
        if private:
            raise InputValueError("--private has no effect without --push: add --push me/pairs")
        return None
    from sda_hf.augmentation.publishing import check_format
    from sda_hf.hub.upload import Target

    check_format(target)
    return Target(repo_id, "dataset", private=private)


def _command(source: Path, target: Path, options: Mapping[str, object]) -> str:
    """Return the command that rewrote a file, with file names but without folders."""
    given = [(f"--{name}", Path(str(value)).name) for name, value in options.items() if value is not None]
    return shlex.join(["sda-hf", "augment", source.name, target.name, *(word for pair in given for word in pair)])
