"""Which sentences of a text are rewritten."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Literal, TypeAlias

from sda_hf.grammar.base import Parsed
from sda_hf.grammar.edits import Edit, Failure, Result, Skip
from sda_hf.syntax.clause import Clause

Role = Literal["positive", "negative"]
EditClause: TypeAlias = Callable[[Clause, random.Random], Result]


def edits_of_several(
    parsed: Parsed, edit: EditClause, rng: random.Random, *, at_random: bool, role: Role
) -> list[Edit] | Skip:
    """Return the edits of all sentences of a text or of a random one, or why the main clause cannot be rewritten.

    Sentences that make no claim, such as "Hello!", are rewritten only if the text makes none. A negative denies one
    claim, because two denials may cancel out: the first that can be rewritten without a doubt, or else with one.

    Args:
        parsed: the clauses of the text, with at least one.
        edit: returns the edits of one of them.
        rng: the only source of randomness.
        at_random: rewrite one random sentence among those that can be rewritten.
        role: "positive" or "negative".
    """
    failure = next((clause for clause in parsed.clauses if isinstance(clause, Failure)), None)
    if failure is not None:
        return failure
    clauses = [clause for clause in parsed.clauses if isinstance(clause, Clause)]
    clauses = [clause for clause in clauses if clause.mood != "fragment"] or clauses
    if at_random and len(clauses) > 1:
        rng.shuffle(clauses)
    found: list[list[Edit]] = []
    reason = parsed.main
    for clause in clauses:
        result = edit(clause, rng)
        if isinstance(result, Skip):
            reason = result if clause is parsed.main else reason
            continue
        found.append(result)
        if at_random or (role == "negative" and not any(each.doubt for each in result)):
            return result
    if found:
        return (
            found[0] if role == "negative" else list(dict.fromkeys(each for edits in found for each in edits))
        )  # marks around the text come from each sentence
    assert isinstance(reason, Skip)  # the main clause is one of those tried, or could not be parsed
    return reason
