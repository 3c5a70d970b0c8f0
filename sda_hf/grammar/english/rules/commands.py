"""Commands: where words can be added before the verb."""

from __future__ import annotations

from collections.abc import Collection

from sda_hf.grammar.english import lexicon
from sda_hf.syntax.clause import Clause, Word

COMPLEMENTS = ("obj", "iobj", "obl", "ccomp", "xcomp", "obl:npmod", "obl:tmod")
LIGHTENING = frozenset({"just", "simply", "only", "never", "then"})
QUOTES = frozenset('"“”')
FINITE_TAGS = ("VBZ", "VBP", "VBD")
SUBORDINATING = ("IN", "WDT", "WP", "WRB", "PRP", "CC", "WP$")
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


def unlike_instruction(clause: Clause) -> str:
    """Return why a command does not read like a plain instruction, which can become advice; empty if it does."""
    assert clause.verbs is not None
    verb = clause.verbs.words[-1]
    first = next((w for w in clause.words if w.text[:1].isalnum()), clause.words[0])
    if clause.end_mark is None or any(w.text in QUOTES for w in clause.words):
        return "a command without an end mark, or in quotation marks"
    if first.text.islower() or (clause.verbs.first.text.isupper() and len(clause.verbs.first.text) > 1):
        return "a command in a chat"
    if "..." in clause.text or "…" in clause.text or "&" in clause.text:
        return "a command in a chat"
    if (
        clause.predicate.tag.startswith("VB")
        and not clause.negators
        and not clause.children(clause.predicate, *COMPLEMENTS)
    ):
        return "a command without an object"
    if first.lower == "to" or clause.words[max(0, clause.verbs.first.index - 1)].lower in LIGHTENING:
        return "an instruction for a purpose, or one that is made light of"
    if _is_set_command(clause, verb):
        return "a wish or a set phrase"
    if any(clause.children(w, "nsubj", "nsubj:pass", "expl") for w in clause.children(clause.predicate, "conj")):
        return "a command that stands for a condition"
    return "misread as a command" if _has_finite_verb_after(clause, verb) else ""


def _is_set_command(clause: Clause, verb: Word) -> bool:
    """Whether a command points to something or speaks of the speaker: "See attached", "Let me try", "Let me in"."""
    following = [w.lower for w in clause.words[verb.index + 1 :]]
    if verb.lower == "see":
        return following[:1] == ["you"] or "attached" in following
    capital = clause.words[verb.index + 1 : verb.index + 2]
    if any(w.endswith("self") or w == "started" for w in following[:3]):
        return True  # "Do yourself a favour", "Don't get me started"
    slogan = bool(capital) and capital[0].text.istitle() and not capital[0].tag.startswith(("NNP", "PRP", "DT"))
    return slogan or (verb.lower == "let" and following[:2] != ["me", "know"])


def _has_finite_verb_after(clause: Clause, verb: Word) -> bool:
    """Whether a finite verb follows a noun that nothing separates from the "command": "Show Dog Music is a label."."""
    for word in clause.words[verb.index + 1 :]:
        if word.text in (",", ";", ":", "-", "(") or word.tag in SUBORDINATING:
            return False
        if word.tag in FINITE_TAGS:
            return True
    return False
