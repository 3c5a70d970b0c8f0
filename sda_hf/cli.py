"""The command line: parses the arguments, calls the library and prints the results."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import typer

from sda_hf.commands.augment import augment
from sda_hf.commands.environment import check_matplotlib, fewer_bars
from sda_hf.commands.explain import explain
from sda_hf.commands.lists import augmenters, recipes
from sda_hf.commands.option_names import in_option_names
from sda_hf.commands.play import play
from sda_hf.commands.printing import print_table, push_line, say, split_names
from sda_hf.errors import InputError, InputValueError, shown_path
from sda_hf.training.processes import is_main_process

T = TypeVar("T")
# What the system refuses about a path that the user named.
REFUSED = frozenset({errno.ENAMETOOLONG, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EROFS, errno.ELOOP})
RECIPE = "A YAML file, or the name of one of the recipes that `sda-hf recipes` lists."
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
        _fail(in_option_names(" ".join(str(error).split()), next(iter(sys.argv[1:]), "")))
    except OSError as error:
        if error.errno not in REFUSED or error.filename is None:
            raise
        _fail(f"{shown_path(error.filename)}: {error.strerror}")


def _fail(message: str) -> NoReturn:
    if is_main_process():
        say(f"error: {message}", err=True)
    sys.exit(2)


def _version(wanted: bool) -> None:
    if wanted:
        import sda_hf

        say(f"sda-hf {sda_hf.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def train(  # noqa: PLR0913 - each is an option
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help=RECIPE)],
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
    plots: Annotated[
        bool, typer.Option("--plots", help="Plot dev scores over steps and shares of rewrites, in DIR.")
    ] = False,
    trust_parser: Annotated[bool, typer.Option("--trust-parser", help=TRUST_PARSER)] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print the logs of the trainer, and every progress bar.")
    ] = False,
) -> None:
    """Train, score and save the model that a recipe describes."""
    from sda_hf.run_files import SEEDS
    from sda_hf.training.recipe import Recipe
    from sda_hf.training.sweep.seeds import parse_seeds, run_seeds, seed_rows

    if plots:
        check_matplotlib()
    # Before the slow imports, to report mistakes at once.
    loaded = Recipe.load(recipe, settings or (), trust_parser=trust_parser)
    how = {
        "output": output,
        "resume": resume,
        "overwrite": overwrite,
        "on_interrupt": _announce,
        "verbose": verbose,
    }
    if seeds is not None:
        with fewer_bars(unless=verbose):
            summary = _until_interrupted(run_seeds, loaded, parse_seeds(seeds), **how)
        if is_main_process():
            print_table("Before and after training", seed_rows(summary))
            say(f"Runs and {SEEDS}: {output or loaded.output}")
            if plots:
                _draw_run(output or loaded.output)
        return
    from sda_hf.evaluation import comparison_table
    from sda_hf.training.runner import run

    with fewer_bars(unless=verbose):
        result = _until_interrupted(run, loaded, **how)
    if is_main_process():
        if result.after:
            print_table(
                "Before and after training",
                comparison_table(result.before, result.after),
                ("title", "metric", "before", "after", "change"),
            )
        say(f"Model, card and metrics: {result.output}")
        if plots:
            _draw_run(result.output)
        if result.pushed is not None:
            say(push_line(result.pushed))


def _draw_run(folder: object) -> None:
    from sda_hf.training.illustrations import draw_run

    drawn = draw_run(str(folder))
    say(f"Plots: {', '.join(map(str, drawn))}" if drawn else "Nothing to plot: there are no dev scores and no rewrites")


def _until_interrupted(function: Callable[..., T], *args: Any, **options: Any) -> T:
    """Call a function; if it was interrupted and saved, print one line and exit with code 130."""
    from sda_hf.training.interruption import Interrupted

    try:
        return function(*args, **options)
    except Interrupted as interrupted:
        say(f"interrupted: {interrupted}", err=True)
        raise typer.Exit(130) from None


def _announce() -> None:
    say("Interrupted: finishing and saving this step; interrupt again to stop at once.", err=True)


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
    batch_size: Annotated[int, typer.Option(min=1, help="Sentences of typical length to embed at a time.")] = 64,
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
    if plots or sentence:
        check_matplotlib("--plots and --sentence need")
    if report is not None:
        make_folder(report)  # before the slow part
    result = make_report(
        models,
        split_names(tasks),
        data_dir,
        aggregate=aggregate,
        skip_missing=skip_missing,
        batch_size=batch_size,
        show_progress=True,
        cache_dir=None if no_cache else cache or default_folder(),
    )
    for title, rows in result.summary():
        print_table(title, rows)
    for line in (*result.changes(), *result.origins()):
        say(line)
    if report is not None:
        written = result.write(report)
        if plots or sentence:
            from sda_hf.evaluation.report.illustrations import draw

            drawn = draw(result, models, report, sentence or ())
            if not drawn:
                say("Nothing to plot: neither cosines nor the geometry were measured, and no model has dev scores")
            written += drawn
        say(f"Written: {', '.join(map(str, written))}")


@app.command()
def sweep(  # noqa: PLR0913 - each is an option
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help=RECIPE)],
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
    from sda_hf.training.sweep.grid import grid_points, parse_grid
    from sda_hf.training.sweep.seeds import parse_seeds

    if plots:
        check_matplotlib()
    # Before the slow imports, to report mistakes at once.
    folder = output or Recipe.load(recipe, settings or (), trust_parser=trust_parser).output
    values, numbers = parse_grid(grid), parse_seeds(seeds)
    grid_points(recipe, values, settings or (), trust_parser=trust_parser)
    from sda_hf.training.sweep.run import run_sweep
    from sda_hf.training.sweep.tables import readable_rows, write_tables

    with fewer_bars(unless=False):
        summary = _until_interrupted(
            run_sweep,
            recipe,
            values,
            numbers,
            output=output,
            settings=settings or (),
            resume=resume,
            overwrite=overwrite,
            on_interrupt=_announce,
            trust_parser=trust_parser,
        )
    if is_main_process():
        print_table("Mean over the seeds, and standard deviation", readable_rows(summary))
        written = write_tables(summary, str(folder), plots=plots)
        say(f"Written: {', '.join(map(str, written))}")


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
    say(push_line(pushed))


@app.command()
def card(
    run_dir: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="Folder of a finished run.")],
) -> None:
    """Update the section of sda-hf in the model card of a run from its files; the rest of the card stays."""
    from sda_hf.training.card import rewrite_card

    changed = rewrite_card(run_dir)
    say(f"{'Written' if changed else 'Nothing to change'}: {run_dir / 'README.md'}")


for command in (augment, explain, augmenters, recipes, play):
    app.command()(command)
