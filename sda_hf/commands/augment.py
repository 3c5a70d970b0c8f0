"""`sda-hf augment`: rewrites the sentences of files."""

from __future__ import annotations

import json
import logging
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sda_hf.commands import options
from sda_hf.commands.augmenter_options import chosen_augmenters
from sda_hf.commands.lists import augmenters
from sda_hf.commands.printing import print_table, push_line, say
from sda_hf.commands.progress import ProgressLine
from sda_hf.commands.share_plot import check_plot, plot_shares
from sda_hf.commands.streams import STREAM, plain_input, whole_output
from sda_hf.errors import InputValueError
from sda_hf.files import check_target, count_rows
from sda_hf.files.places import is_url

if TYPE_CHECKING:
    from sda_hf.augmentation.base import Augmenter
    from sda_hf.augmentation.counts import Summary
    from sda_hf.hub.upload import Target

# Seconds above which a rate says more about the rewriting than about the start.
MEASURABLE = 10


def _list_augmenters(context: typer.Context, wanted: bool) -> None:
    if wanted:
        augmenters(context.params.get("language", "en"))  # it is there if it was given before --list
        raise typer.Exit


def augment(  # noqa: PLR0913 - each is an option
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A .txt, .csv, .tsv, .jsonl or .parquet file, optionally .gz, or its URL (hf://, s3://, ...), or - "
            "for the standard input. With --engine, also a folder of such files.",
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="The file to write, in any of these formats, or - for the standard output; with --engine, a folder.",
        ),
    ],
    augmenter: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,...", help="Augmenters (see --list), or .yaml files that describe one; each adds a column."
        ),
    ] = None,
    triplets: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME", help="A positive and a negative augmenter; rows without a negative are left out."
        ),
    ] = None,
    settings: options.Settings = None,
    on_skip: Annotated[
        str | None,
        typer.Option(
            metavar="keep|null|drop|raise",
            help="What to write for a text that an augmenter skips: the text itself (the default of positives), "
            "nothing (of negatives), no row, or stop.",
        ),
    ] = None,
    copies: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="Write every row N times, each time with other draws.")
    ] = 1,
    encoding: Annotated[str | None, typer.Option(metavar="NAME", help="Encoding of IN; default: UTF-8.")] = None,
    delimiter: Annotated[
        str | None, typer.Option(metavar="CHARACTER", help="What separates the cells of IN, e.g. ';'.")
    ] = None,
    input_format: Annotated[
        str | None, typer.Option(metavar="txt|csv|...", help="Format of the standard input; default: txt.")
    ] = None,
    column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Column of the texts; by default text, sentence, anchor or sentence1."),
    ] = None,
    seed: options.Seed = 0,
    language: options.Language = "en",
    parser: options.Parser = None,
    coverage: options.Coverage = None,
    sentences: options.Sentences = None,
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
        typer.Option(
            "--num-proc",
            min=1,
            metavar="N",
            help="Number of processes, or of Ray's workers. The same command resumes a killed job.",
        ),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(metavar="ray", help="Run on Ray; the same command resumes a killed job. Needs sda-hf\\[ray]."),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="The Ray cluster; default: RAY_ADDRESS, or else this machine alone."),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="jsonl|parquet|...",
            help="Format of the files in OUT, or of the standard output; default: that of IN if Parquet, else jsonl.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Plot the shares of rewritten and of skipped texts, as .png, .svg or .pdf."),
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
    fields = {"seed": seed, "language": language, "parser": parser, "coverage": coverage, "sentences": sentences}
    check_plot(plot)
    built = chosen_augmenters(augmenter, triplets, settings or [], fields, on_skip)
    streams = {"encoding": encoding, "delimiter": delimiter, "input-format": input_format}
    if engine is not None:
        others = {"push": push, "private": private, "safe-csv": safe_csv, "copies": copies > 1, **streams}
        _check_engine(engine, others, (source, target))
        how: dict[str, Any] = {"format": format, "overwrite": overwrite}
        summary = _on_ray(source, target, built, column, quiet, how, address, num_proc)
        _report(summary, target, quiet, as_json)
        plot_shares(summary, plot, quiet=quiet or as_json, err=False)
        return
    if address is not None or (format is not None and target != STREAM):
        given = "address" if address is not None else "format"
        raise InputValueError(f"--{given} has no effect without --engine ray: leave it out, or add that")
    if copies > 1 and num_proc is not None:
        raise InputValueError("--copies and --num-proc do not go together: give one of them")
    destination = _dataset(push, private, Path(target))  # before the slow part, to report mistakes at once
    how = {"safe_csv": safe_csv, "overwrite": overwrite, "num_proc": num_proc, "copies": copies}
    if STREAM not in (source, target) and not is_url(source):
        check_target(target, overwrite or num_proc is not None, source)  # what is read may be a copy of it
    with whole_output(target, format) as written:
        with plain_input(source, encoding, delimiter, input_format) as read:
            summary = _on_this_machine(read, Path(written), built, column, quiet, how)
        _report(summary, target, quiet, as_json)
    plot_shares(summary, plot, quiet=quiet or as_json, err=target == STREAM)
    if destination is not None:
        from sda_hf.augmentation.publishing import push_file

        chosen = {"augmenter": augmenter, "triplets": triplets, "on-skip": on_skip}
        command = _command(source, Path(target), chosen | {"column": column} | fields, settings or [])
        pushed = push_file(Path(target), destination, summary, command)
        if not quiet and not as_json:
            say(push_line(pushed))


def _on_this_machine(
    source: str, target: Path, built: Mapping[str, Augmenter], column: str | None, quiet: bool, how: dict[str, Any]
) -> Summary:
    """Rewrite a file in this process or in several."""
    from sda_hf.augmentation.files import augment_file

    if how["num_proc"] is not None:
        import datasets

        datasets.disable_progress_bars()  # there is a line for all processes
    if quiet:
        return augment_file(source, target, built, column, **how)
    done, line = [0, 0, 0], ProgressLine()
    line.tell(*done)

    def tell(rows: int, changed: int) -> None:
        if not done[2]:  # not before it is clear that the file can be read and written
            done[2] = count_rows(source) * how["copies"]
        done[0] += rows
        done[1] += changed
        line.tell(*done)

    try:
        return augment_file(source, target, built, column, tell, **how)
    finally:
        line.end()


def _on_ray(
    source: str,
    target: str,
    built: Mapping[str, Augmenter],
    column: str | None,
    quiet: bool,
    how: dict[str, Any],
    address: str | None,
    workers: int | None,
) -> Summary:
    """Rewrite the files of a folder on Ray."""
    from sda_hf.engines.ray import Cluster, ray_data
    from sda_hf.engines.ray_job import augment_files

    ray_data()
    for handler in logging.getLogger("ray.data").handlers:
        # Plans and timings, which go to its files as well; and tracebacks of errors, which are raised here in any case.
        if isinstance(handler, logging.StreamHandler):
            handler.setLevel(logging.CRITICAL)
    line = None if quiet else ProgressLine()
    try:
        return augment_files(
            source,
            target,
            built,
            column=column,
            cluster=Cluster(address, workers),
            progress=None if line is None else line.tell,
            **how,
        )
    finally:
        if line is not None:
            line.end()


def _check_engine(engine: str, others: Mapping[str, object], files: tuple[str, str]) -> None:
    if engine != "ray":
        raise InputValueError(f"--engine {engine!r} is not known: give ray, or leave it out and give --num-proc N")
    given = [name for name, value in others.items() if value]
    if given:
        raise InputValueError(f"--{given[0]} takes a file, but --engine ray works on a folder: leave it out")
    if STREAM in files:
        raise InputValueError("--engine ray works on files: name them in the place of -")


def _report(summary: Summary, target: str, quiet: bool, as_json: bool) -> None:
    """Print how the job went."""
    err = target == STREAM  # the rows go to the standard output
    if as_json:
        say(json.dumps({**summary.to_dict(), "output": target}), err=err)
    if quiet or as_json:
        return
    rows = [
        {"augmenter": name, "rule": rule or "changed", "sentences": count, "share (%)": share}
        for name, rule, count, share in summary.table_rows()
    ]
    print_table(_title(summary), rows, err=err)
    if not err:
        say(f"Written: {target}")


def _title(summary: Summary) -> str:
    """Return the number of sentences, and how fast they were rewritten unless the start took most of the time."""
    title = "1 sentence" if summary.rows == 1 else f"{summary.rows:,} sentences"
    return title if summary.seconds < MEASURABLE else f"{title}, {summary.rows / summary.seconds:,.0f} a second"


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


def _command(source: str, target: Path, options: Mapping[str, object], settings: Sequence[str]) -> str:
    """Return the command that rewrote a file, with file names but without folders."""
    given = [(f"--{name}", Path(str(value)).name) for name, value in options.items() if value is not None]
    given += [("--set", setting) for setting in settings]
    return shlex.join(["sda-hf", "augment", Path(source).name, target.name, *(word for pair in given for word in pair)])
