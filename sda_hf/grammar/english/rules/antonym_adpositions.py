"""The frames of prepositions and conjunctions in `antonym_contexts.tsv`.

- "noun": before a noun; "clause": before a clause with its own verb, or before "-ing".
- Conditions: "event", what the verb of the line says happened once; "place", what is somewhere; "open", at the
  beginning of the sentence; "cause", of a reason; "bare", before a noun without a determiner; "example", of a plural.
"""

from __future__ import annotations

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.rules.antonym_context import TIMES, Context
from sda_hf.grammar.english.rules.substitution import base_form
from sda_hf.syntax.clause import Clause, Word

STATIC = lexicon.words("antonyms", "placed")
CAUSES = {"because": ("of",), "due": ("to",)}
PAST = ("VBD", "VBN")


def fits_adposition(clause: Clause, word: Word, context: Context) -> bool:
    """Whether a preposition or conjunction stands in a context."""
    inner = clause.words[word.head]
    outer = clause.words[inner.head]
    frames, label = context.frames, inner.label.split(":")[0]
    if word.label == "mark":
        if "clause" not in frames or label != "advcl" or not _happens(clause, inner):
            return False
    elif word.label != "case" or "noun" not in frames or label not in ("obl", "nmod", "root"):
        return False
    if "event" in frames:
        return _is_event(clause, word, inner, outer, context)
    if "cause" in frames:
        return (
            label == "obl"
            and _follows(clause, word, CAUSES.get(word.lower, ()))
            and _is_cause(clause, word, inner, outer)
        )
    if clause.children(word):
        return False
    return _fits_noun(clause, word, inner, outer, context)


def _fits_noun(clause: Clause, word: Word, inner: Word, outer: Word, context: Context) -> bool:
    """Whether a noun may follow the new preposition."""
    frames, label = context.frames, inner.label.split(":")[0]
    if "open" in frames:
        return clause.opens(word) and label == "obl" and inner.tag in ("NN", "NNP")
    if "example" in frames:
        comma = word.index > 0 and clause.words[word.index - 1].text == ","
        return comma and label == "nmod" and outer.tag == "NNS" and not clause.children(inner, "conj", "amod", "nummod")
    if "place" in frames and not _is_place(clause, inner, outer, label):
        return False
    if "bare" in frames and clause.children(inner, "det", "amod", "nummod", "nmod", "conj", "compound", "acl"):
        return False
    if context.antonym == "for":
        return label == "obl" and base_form(outer, "VERB") in context.only
    return (label == "obl" or "place" in frames) and context.allows(inner)


def _is_event(clause: Clause, word: Word, inner: Word, outer: Word, context: Context) -> bool:
    """Whether a verb tells of something that happens once, and the rest of its time."""
    if outer.tag not in PAST or base_form(outer, "VERB") not in context.only or outer is not clause.predicate:
        return False
    if {inner.lower, inner.lower.rstrip("s")} & context.never or inner.lower in TIMES or inner.tag == "WDT":
        return False
    inside = [clause.words[i] for i in clause.tree.subtree(inner)]
    if word.label == "case" and any(w.lower in TIMES or w.lower in ("a", "an") or w.text == "-" for w in inside):
        return False  # "after a two year tour"
    before = clause.words[word.index - 1].lower if word.index else ""
    return not clause.children(word) and before not in ("soon", "long", "even", "just", "and", "or", "until")


def _is_cause(clause: Clause, word: Word, inner: Word, outer: Word) -> bool:
    if word.index and clause.words[word.index - 1].tag == "RB":
        return False  # "primarily because of"
    return outer is clause.predicate and (inner.tag != "NN" or bool(clause.children(inner, "det", "nmod:poss")))


def _happens(clause: Clause, verb: Word) -> bool:
    """Whether a clause after a conjunction of time has a verb in the past."""
    having = any(child.lower in ("having", "had") for child in clause.children(verb, "aux"))
    return verb.tag in ("VBD", "VBN") and not having


def _follows(clause: Clause, word: Word, rest: tuple[str, ...]) -> bool:
    """Whether the rest of a fixed preposition follows its first word."""
    return tuple(w.lower for w in clause.words[word.index + 1 : word.index + 1 + len(rest)]) == rest


def _is_place(clause: Clause, inner: Word, outer: Word, label: str) -> bool:
    """Whether a noun is where something is, rather than where it happens, and no time."""
    if inner.tag == "CD" or inner.lower in TIMES or clause.children(inner, "nummod", "conj"):
        return False
    if label == "root":
        return True
    if label == "nmod":
        return outer is clause.predicate and bool(clause.children(outer, "cop"))
    return base_form(outer, "VERB") in STATIC if outer.tag.startswith("VB") else bool(clause.children(outer, "cop"))


def end(clause: Clause, word: Word) -> int:
    """Return the offset at which a preposition ends, with the rest of a fixed one: "because of"."""
    rest = CAUSES.get(word.lower, ())
    return clause.words[word.index + (len(rest) if _follows(clause, word, rest) else 0)].end
