"""`sda-hf augment`: rewrites the sentences of files."""

from __future__ import annotations

import json
import logging
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sda_hf.commands.lists import augmenters
from sda_hf.commands.printing import print_table, push_line, say, split_names
from sda_hf.commands.progress import ProgressLine
from sda_hf.errors import InputValueError
from sda_hf.files import count_rows

if TYPE_CHECKING:
    from sda_hf.augmentation.base import Augmenter
    from sda_hf.augmentation.counts import Summary
    from sda_hf.hub.upload import Target


def _list_augmenters(context: typer.Context, wanted: bool) -> None:
    if wanted:
        augmenters(context.params.get("language", "en"))  # it is there if it was given before --list
        raise typer.Exit


def augment(  # noqa: PLR0913 - each is an option
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A .txt, .csv, .tsv, .jsonl or .parquet file, optionally .gz, or its URL (hf://, s3://, ...). With "
            "--engine, also a folder of such files.",
        ),
    ],
    target: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write, in any of these formats; with --engine, a folder.")
    ],
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
    num_proc: Annotated[
        int | None,
        typer.Option("--num-proc", min=1, metavar="N", help="Processes, or Ray's workers; the same command goes on."),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(metavar="ray", help="Work on Ray; the same command goes on if it was killed. Needs sda-hf[ray]."),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="The Ray cluster; default: RAY_ADDRESS, or else this machine alone."),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(metavar="jsonl|parquet|...", help="Of the files in OUT; default: parquet if IN is, else jsonl."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print errors only.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as one line of JSON.")] = False,
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
    from sda_hf.augmentation.options import augmenters_of

    chosen = split_names(augmenter)
    if not chosen:
        raise InputValueError(
            f"--augmenter {augmenter!r} is empty: give names separated by commas, such as negation,modal-verbs; "
            "sda-hf augmenters lists them all"
        )
    built = augmenters_of(chosen, seed=seed, language=language, parser=parser, coverage=coverage, sentences=sentences)
    if engine is None:
        if address is not None or format is not None:
            given = "address" if address is not None else "format"
            raise InputValueError(f"--{given} has no effect without --engine ray: leave it out, or add that")
        destination = _dataset(push, private, Path(target))  # before the slow part, to report mistakes at once
        options: dict[str, Any] = {"safe_csv": safe_csv, "overwrite": overwrite, "num_proc": num_proc}
        summary = _on_this_machine(source, Path(target), built, column, quiet, options)
    else:
        destination = None
        _check_engine(engine, {"--push": push, "--private": private, "--safe-csv": safe_csv})
        options = {"format": format, "overwrite": overwrite}
        summary = _on_ray(source, target, built, column, quiet, options, address, num_proc)
    _report(summary, target, quiet, as_json)
    if destination is not None:
        from sda_hf.augmentation.publishing import push_file

        given_options = {"column": column, "seed": seed, "language": language, "parser": parser, "coverage": coverage}
        command = _command(source, Path(target), {"augmenter": augmenter, **given_options, "sentences": sentences})
        pushed = push_file(Path(target), destination, summary, command)
        if not quiet and not as_json:
            say(push_line(pushed))


def _on_this_machine(
    source: str, target: Path, built: Mapping[str, Augmenter], column: str | None, quiet: bool, options: dict[str, Any]
) -> Summary:
    """Rewrite a file in this process or in several."""
    from sda_hf.augmentation.files import augment_file

    if options["num_proc"] is not None:
        import datasets

        datasets.disable_progress_bars()  # there is a line for all processes
    if quiet:
        return augment_file(source, target, built, column, **options)
    done, line = [0, 0, 0], ProgressLine()
    line.tell(*done)

    def tell(rows: int, changed: int) -> None:
        if not done[2]:
            done[2] = count_rows(source)  # not before it is clear that the file can be read and written
        done[0] += rows
        done[1] += changed
        line.tell(*done)

    try:
        return augment_file(source, target, built, column, tell, **options)
    finally:
        line.end()


def _on_ray(
    source: str,
    target: str,
    built: Mapping[str, Augmenter],
    column: str | None,
    quiet: bool,
    options: dict[str, Any],
    address: str | None,
    workers: int | None,
) -> Summary:
    """Rewrite the files of a folder on Ray."""
    from sda_hf.engines.ray import Cluster, ray_data
    from sda_hf.engines.ray_job import augment_files

    ray_data()
    for handler in logging.getLogger("ray.data").handlers:
        if isinstance(handler, logging.StreamHandler):  # plans and timings, which go to its files as well
            handler.setLevel(logging.ERROR)
    line = None if quiet else ProgressLine()
    try:
        return augment_files(
            source,
            target,
            built,
            column=column,
            cluster=Cluster(address, workers),
            progress=None if line is None else line.tell,
            **options,
        )
    finally:
        if line is not None:
            line.end()


def _check_engine(engine: str, others: Mapping[str, object]) -> None:
    if engine != "ray":
        raise InputValueError(f"--engine {engine!r} is not known: give ray, or leave it out and give --num-proc N")
    given = [name for name, value in others.items() if value]
    if given:
        raise InputValueError(f"{given[0]} takes a file, but --engine ray writes a folder: leave it out")


def _report(summary: Summary, target: str, quiet: bool, as_json: bool) -> None:
    """Print how the job went."""
    if as_json:
        say(json.dumps({**summary.to_dict(), "output": target}))
    if quiet or as_json:
        return
    rows = [
        {"augmenter": name, "rule": rule or "changed", "sentences": count, "share (%)": share}
        for name, rule, count, share in summary.table_rows()
    ]
    print_table(f"{summary.rows:,} sentences, {summary.rows / max(summary.seconds, 1e-9):,.0f} a second", rows)
    say(f"Written: {target}")


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


def _command(source: str, target: Path, options: Mapping[str, object]) -> str:
    """Return the command that rewrote a file, with file names but without folders."""
    given = [(f"--{name}", Path(str(value)).name) for name, value in options.items() if value is not None]
    return shlex.join(["sda-hf", "augment", Path(source).name, target.name, *(word for pair in given for word in pair)])
