"""Commands: where words can be added before the verb."""

from __future__ import annotations

from collections.abc import Collection

from sda_hf.grammar.english import lexicon
from sda_hf.syntax.clause import Clause, Word

OF_COMMANDS = lexicon.words("adverbs", "of-commands")
PERMITTED = lexicon.words("verbs", "permitted")


def proposal(clause: Clause) -> Word | None:
    """Return the last word of a "let's", "lets" or "let us" that makes a proposal; None in any other command."""
    assert clause.verbs is not None
    let = clause.verbs.first
    if let.lower == "lets":  # written without its apostrophe
        return let
    following = clause.words[let.index + 1 : let.index + 3]
    if let.lower != "let" or not following:
        return None
    proposes = len(following) == 2 and following[0].lower == "us" and following[1].lower not in PERMITTED
    return following[0] if following[0].lower == "'s" or proposes else None


def command_opening(clause: Clause, adverbs: Collection[str] = OF_COMMANDS) -> Word:
    """Return the verb of a command, or the first of the adverbs directly before it."""
    assert clause.verbs is not None
    word = clause.verbs.first
    while word.index > 0 and clause.words[word.index - 1].lower in adverbs:
        word = clause.words[word.index - 1]
    return word
