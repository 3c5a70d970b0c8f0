"""The command line: parses the arguments, calls the library and prints the results."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from sda_hf.errors import InputError, InputValueError
from sda_hf.terminal import printable
from sda_hf.training.processes import is_main_process

if TYPE_CHECKING:
    from sda_hf.hub.upload import Pushed, Target

T = TypeVar("T")
TRUST_PARSER = "Let the recipe name a parser other than the embedded one; loading it runs its code."

app = typer.Typer(
    name="sda-hf",
    help="Sentences in, a trained and scored sentence-embedding model out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line; an error that the user can fix is printed as one line, with exit code 2."""
    try:
        app()
    except InputError as error:
        if is_main_process():
            _say(f"error: {' '.join(str(error).split())}", err=True)
        sys.exit(2)


def _say(line: str, err: bool = False) -> None:
    """Print a line, in which control characters of texts and file names are shown."""
    typer.echo(printable(line), err=err)


def _version(wanted: bool) -> None:
    if wanted:
        import sda_hf

        _say(f"sda-hf {sda_hf.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def train(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A YAML recipe.")],
    output: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the run; by default the one in the recipe.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a field, e.g. training.learning_rate=3e-5."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run in DIR from its last checkpoint.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Remove the run in DIR first.")] = False,
    seeds: Annotated[
        str | None,
        typer.Option(metavar="0,1,2", help="Train with each seed, in DIR/seed-0 and so on; report mean ± deviation."),
    ] = None,
    trust_parser: Annotated[bool, typer.Option("--trust-parser", help=TRUST_PARSER)] = False,
) -> None:
    """Train, score and save the model that a recipe describes."""
    from sda_hf.run_files import SEEDS
    from sda_hf.training.recipe import Recipe
    from sda_hf.training.sweep.seeds import parse_seeds, run_seeds, seed_rows

    # Before the slow imports, to report mistakes at once.
    loaded = Recipe.load(recipe, settings or (), trust_parser=trust_parser)
    how = {"output": output, "resume": resume, "overwrite": overwrite, "on_interrupt": _announce}
    if seeds is not None:
        summary = _until_interrupted(run_seeds, loaded, parse_seeds(seeds), **how)
        if is_main_process():
            _print_table("Before and after training", seed_rows(summary))
            _say(f"Runs and {SEEDS}: {output or loaded.output}")
        return
    from sda_hf.evaluation import comparison_table
    from sda_hf.training.runner import run

    result = _until_interrupted(run, loaded, **how)
    if is_main_process():
        if result.after:
            _print_table(
                "Before and after training",
                comparison_table(result.before, result.after),
                ("title", "metric", "before", "after", "change"),
            )
        _say(f"Model, card and metrics: {result.output}")
        if result.pushed is not None:
            _say(_pushed(result.pushed))


def _until_interrupted(function: Callable[..., T], *args: Any, **options: Any) -> T:
    """Call a function; if it was interrupted and saved, print one line and exit with code 130."""
    from sda_hf.training.interruption import Interrupted

    try:
        return function(*args, **options)
    except Interrupted as interrupted:
        _say(f"interrupted: {interrupted}", err=True)
        raise typer.Exit(130) from None


def _announce() -> None:
    _say("Interrupted: finishing and saving this step; interrupt again to stop at once.", err=True)


@app.command()
def evaluate(  # noqa: PLR0913 - each is an option
    models: Annotated[
        list[str], typer.Argument(metavar="MODEL...", help="Folders or Hub ids; all are compared with the first one.")
    ],
    tasks: Annotated[
        str,
        typer.Option(
            help="Comma-separated: sts, transfer, zh, negation, polarity, geometry, augcse, names of tasks, mteb:NAME, "
            "files of graded pairs, or triples:FILE, ordered-pairs:FILE, candidates:FILE, negated:FILE, squares:FILE."
        ),
    ] = "sts",
    data_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder with the files of the tasks; default: the Hub.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write results.md, .csv and .json, with published results.")
    ] = None,
    plots: Annotated[bool, typer.Option("--plots", help="Write plots to the folder of the report.")] = False,
    sentence: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="Plot the weights of the words of a sentence; repeatable.")
    ] = None,
    aggregate: Annotated[
        str, typer.Option(help="Aggregate for subsets of STS12 to STS16: all, mean or wmean.")
    ] = "all",
    skip_missing: Annotated[bool, typer.Option("--skip-missing", help="Leave out tasks with missing files.")] = False,
    batch_size: Annotated[int, typer.Option(min=1, help="Typical sentences to embed at a time.")] = 64,
    cache: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for cached measurements; default: in HF_HOME.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor write cached measurements.")] = False,
) -> None:
    """Measure models on the papers' tasks, and tabulate the results next to the published ones."""
    from sda_hf.evaluation.report.build import make_report
    from sda_hf.evaluation.report.results import make_folder
    from sda_hf.evaluation.scoring.cache import default_folder

    if report is None and (plots or sentence):
        raise InputValueError("--plots and --sentence need a folder: add --report DIR")
    if report is not None:
        make_folder(report)  # before the slow part
    result = make_report(
        models,
        _names(tasks),
        data_dir,
        aggregate=aggregate,
        skip_missing=skip_missing,
        batch_size=batch_size,
        show_progress=True,
        cache_dir=None if no_cache else cache or default_folder(),
    )
    for title, rows in result.summary():
        _print_table(title, rows)
    for line in (*result.changes(), *result.origins()):
        _say(line)
    if report is not None:
        written = result.write(report)
        if plots or sentence:
            from sda_hf.evaluation.report.illustrations import draw

            drawn = draw(result, models, report, sentence or ())
            if not drawn:
                _say("Nothing to plot: the task geometry was not measured, and no model has dev scores")
            written += drawn
        _say(f"Written: {', '.join(map(str, written))}")


@app.command()
def sweep(  # noqa: PLR0913 - each is an option
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A YAML recipe.")],
    grid: Annotated[
        list[str], typer.Option(metavar="KEY=A,B,...", help="Values of a field, e.g. loss.margin=0.1,0.3,0.5.")
    ],
    seeds: Annotated[str, typer.Option(metavar="0,1,2", help="Seeds to run each point with.")] = "0",
    output: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the runs; by default the one in the recipe.")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Override a field at every point.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Keep finished runs, and continue the others.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Remove the runs in DIR first.")] = False,
    plots: Annotated[bool, typer.Option("--plots", help="Plot the scores over each setting.")] = False,
    trust_parser: Annotated[bool, typer.Option("--trust-parser", help=TRUST_PARSER)] = False,
) -> None:
    """Train every combination of settings with every seed, and tabulate the scores."""
    from sda_hf.training.recipe import Recipe
    from sda_hf.training.sweep.grid import parse_grid
    from sda_hf.training.sweep.run import run_sweep
    from sda_hf.training.sweep.seeds import parse_seeds
    from sda_hf.training.sweep.tables import readable_rows, write_tables

    folder = output or Recipe.load(recipe, settings or (), trust_parser=trust_parser).output
    summary = _until_interrupted(
        run_sweep,
        recipe,
        parse_grid(grid),
        parse_seeds(seeds),
        output=output,
        settings=settings or (),
        resume=resume,
        overwrite=overwrite,
        on_interrupt=_announce,
        trust_parser=trust_parser,
    )
    if is_main_process():
        _print_table("Mean over the seeds, and standard deviation", readable_rows(summary))
        written = write_tables(summary, str(folder), plots=plots)
        _say(f"Written: {', '.join(map(str, written))}")


@app.command()
def push(
    run_dir: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="Folder of a finished run, or of a saved model.")],
    repo_id: Annotated[
        str, typer.Option("--repo-id", metavar="ME/NAME", help="The repository; created if it does not exist.")
    ],
    private: Annotated[bool, typer.Option("--private", help="Make the repository private.")] = False,
    revision: Annotated[
        str | None, typer.Option(metavar="BRANCH", help="The branch; created if it does not exist.")
    ] = None,
    create_pr: Annotated[bool, typer.Option("--create-pr", help="Open a pull request instead.")] = False,
) -> None:
    """Push a run to the Hugging Face Hub: model, card, recipe and metrics."""
    from sda_hf.hub.push import push_run
    from sda_hf.hub.upload import Target

    pushed = push_run(run_dir, Target(repo_id, private=private, revision=revision, create_pr=create_pr))
    _say(_pushed(pushed))


def _pushed(pushed: Pushed) -> str:
    """Return a line that says what a push did."""
    if pushed.unchanged:
        return f"Nothing has changed: {pushed.url}"
    if pushed.pull_request is not None:
        return f"Pull request: {pushed.pull_request}"
    return f"{'Created' if pushed.created else 'Updated'}: {pushed.url}"


def _list_augmenters(context: typer.Context, wanted: bool) -> None:
    if wanted:
        from sda_hf.augmentation.listing import entries, example_of

        language = context.params.get("language", "en")  # it is there if it was given before --list
        _print_table(f"Rewrites of: {example_of(language)}", [vars(entry) for entry in entries(language)])
        raise typer.Exit


@app.command()
def card(
    run_dir: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="Folder of a finished run.")],
) -> None:
    """Rewrite our section of a run's model card from the files of the run; the rest of the card stays the same."""
    from sda_hf.training.card import rewrite_card

    changed = rewrite_card(run_dir)
    _say(f"{'Written' if changed else 'Nothing to change'}: {run_dir / 'README.md'}")


@app.command()
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

    names = _names(augmenter)
    if not names:
        raise InputValueError(
            f"--augmenter {augmenter!r} is empty: give names separated by commas, such as negation,modal-verbs; "
            "sda-hf augment --list shows all"
        )
    augmenters = augmenters_of(
        names, seed=seed, language=language, parser=parser, coverage=coverage, sentences=sentences
    )
    destination = _dataset(push, private, target)  # before the slow part, to report mistakes at once
    with Console(stderr=True).status("Augmenting"):
        summary = augment_file(source, target, augmenters, column=column, safe_csv=safe_csv, overwrite=overwrite)
    rows = [
        {"augmenter": name, "rule": rule or "changed", "sentences": count, "share (%)": share}
        for name, rule, count, share in summary.table_rows()
    ]
    _print_table(f"{summary.rows:,} sentences, {summary.rows / max(summary.seconds, 1e-9):,.0f} a second", rows)
    _say(f"Written: {target}")
    if destination is not None:
        from sda_hf.augmentation.publishing import push_file

        options = {"column": column, "seed": seed, "language": language, "parser": parser, "coverage": coverage}
        command = _command(source, target, {"augmenter": augmenter, **options, "sentences": sentences})
        pushed = push_file(target, destination, summary, command)
        _say(_pushed(pushed))


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


def _names(joined: str) -> list[str]:
    names = [name.strip() for name in joined.split(",")]
    return list(dict.fromkeys(name for name in names if name))


def _print_table(title: str, rows: Iterable[Mapping[str, Any]], columns: Iterable[str] | None = None) -> None:
    from rich.console import Console
    from rich.table import Table

    rows = list(rows)
    keys = list(columns or (rows[0] if rows else ()))
    table = Table(title=printable(title), title_justify="left")
    for key in keys:
        numeric = all(isinstance(row[key], (int, float)) for row in rows)
        table.add_column("task" if key == "title" else printable(key), justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*(printable(_cell(key, row[key])) for key in keys))
    Console(markup=False, emoji=False).print(table)  # names may look like markup


def _cell(key: str, value: Any) -> str:
    if isinstance(value, float):
        return f"{value:+.2f}" if key == "change" else f"{value:.2f}"
    return "not measured" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
