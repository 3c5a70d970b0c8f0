"""`sda-hf explain`: what is found in a text, and what augmenters make of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from sda_hf.commands import options
from sda_hf.commands.printing import split_names
from sda_hf.errors import InputValueError
from sda_hf.terminal import printable

if TYPE_CHECKING:
    from rich.text import Text

    from sda_hf.augmentation.explanation import Explanation, FoundClause
    from sda_hf.augmentation.rewrite import Rewrite


def explain(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A sentence or a few, in quotation marks.")],
    augmenter: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="An augmenter, or several separated by commas; repeatable. By default, all rules."
        ),
    ] = None,
    language: options.Language = "en",
    seed: options.Seed = 0,
    parser: options.Parser = None,
    coverage: options.Coverage = None,
    sentences: options.Sentences = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the clauses found in a text, and each rewrite with its rule, or why there is none."""
    from sda_hf.augmentation.explanation import explain, rule_names
    from sda_hf.augmentation.options import augmenters_of
    from sda_hf.grammar.base import grammar_of

    grammar_of(language)  # to report an unknown one as such
    names = split_names(",".join(augmenter)) if augmenter is not None else rule_names(language)
    if not names:
        raise InputValueError("--augmenter is empty: give a name such as negation; sda-hf augmenters lists them all")
    augmenters = augmenters_of(
        names, seed=seed, language=language, parser=parser, coverage=coverage, sentences=sentences
    )
    unfitted = [name for name, one in augmenters.items() if not one.is_fitted]
    if unfitted:
        raise InputValueError(
            f"--augmenter {unfitted[0]} learns from a corpus, which one text is not: rewrite a file with sda-hf augment"
        )
    explained = explain(text, augmenters)
    if as_json:
        typer.echo(json.dumps(explained.to_dict(), indent=2))
        return
    from rich.console import Console

    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    for line in lines_of(explained):
        console.print(line)


def lines_of(explained: Explanation) -> list[Text]:
    """Return what the command prints; without colours, it says the same."""
    from rich.text import Text

    lines = [Text(printable(explained.text), style="bold")]
    for clause in explained.clauses:
        lines += _clause_lines(clause, only=len(explained.clauses) == 1)
    for name, rewrite in explained.rewrites.items():
        heading = Text.assemble((name, "bold"), f"  ({explained.roles[name]})")
        lines += [Text(), heading, *_rewrite_lines(rewrite)]
    return lines


def _clause_lines(clause: FoundClause, *, only: bool) -> list[Text]:
    from rich.text import Text

    lines = []
    if not only:
        lines.append(Text(f"  sentence   {printable(clause.text)}{' (the main one)' if clause.main else ''}"))
    if clause.skipped is not None:
        return [*lines, Text(f"  not read: {printable(clause.skipped)}", style="yellow")]
    facts = {"predicate": clause.predicate, "subject": clause.subject, "mood": clause.mood, "negation": clause.negation}
    return lines + [Text(f"  {name:<10} {printable(value or 'none')}") for name, value in facts.items()]


def _rewrite_lines(rewrite: Rewrite) -> list[Text]:
    from rich.text import Text

    from sda_hf.augmentation.differences import pieces
    from sda_hf.augmentation.rewrite import described

    if rewrite.skipped is not None:
        return [Text(f"  skipped: {printable(rewrite.skipped)}", style="yellow")]
    parts = pieces(rewrite.original, rewrite.edits)
    new = [(printable(part.new), "bold green" if part.changed else "") for part in parts]
    lines = [Text.assemble("→ ", *new)]
    for edit in rewrite.edits:
        old, new_words = repr(rewrite.original[edit.start : edit.end]), repr(edit.new)
        rule = f"  ({described(edit)})"
        lines.append(
            Text.assemble("  ", (printable(old), "red"), " → ", (printable(new_words), "green"), printable(rule))
        )
    return lines
