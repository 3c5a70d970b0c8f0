"""The frames of verbs in `antonym_contexts.tsv`: see `sda_hf.grammar.english.rules.antonym_frames`."""

from __future__ import annotations

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.rules.antonym_context import (
    Context,
    adjuncts,
    has_date,
    is_time,
    prepositions_after,
    prepositions_fit,
    subject_of,
)
from sda_hf.grammar.english.rules.antonym_scope import TEMPORAL, is_denied_below
from sda_hf.grammar.english.rules.modal_phrases import PERSONS
from sda_hf.grammar.english.rules.substitution import base_form
from sda_hf.syntax.clause import Clause, Word

PARTICLES = lexicon.words("antonyms", "particles")
PEOPLE = lexicon.words("antonym-nouns", "people")
WH = ("WP", "WRB", "WDT", "WP$")
# Verbs whose past forms are their base forms.
UNCHANGED = frozenset({"become", "come", "beat"})
CLOCK = frozenset({"noon", "midnight", "dawn", "dusk", "sunrise", "sunset", "o'clock"})
PAST = ("VBD", "VBN")
FINITE = ("VBZ", "VBP", "VBD", "MD")
NOMINAL = ("DT", "PRP", "PRP$", "NN", "NNS", "NNP", "NNPS", "EX")
PLACED = frozenset({"in", "on", "at"})


def fits_verb(clause: Clause, word: Word, context: Context) -> bool:
    """Whether a verb stands in a context."""
    if not _is_predicate(clause, word):
        return False
    frame, noun = _verb_frame(clause, word)
    if is_denied_below(clause, word):
        return False
    if _is_phrase(clause, word, frame, context):
        return False
    special = next((name for name in ("born", "died", "killed") if name in context.frames), None)
    if special is not None:
        return _fits_participle(clause, word, context, special, frame)
    if noun is not None and any(w.lower in ("more", "less", "fewer") for w in clause.children(noun, "amod")):
        return False
    if noun is not None and any(_is_valency(clause, w, context) for w in clause.children(noun, "nmod")):
        return False
    if "oblique" in context.frames:
        noun = _oblique(clause, word, context)
        if noun is None:
            return False
    return (
        frame in context.frames
        and context.allows(noun)
        and prepositions_fit(clause, word, context)
        and _meets(clause, word, noun, context.frames)
    )


def _is_phrase(clause: Clause, word: Word, frame: str, context: Context) -> bool:
    """Whether a verb is part of what is said as it is: "I have to say that ...", "seriously injured"."""
    if frame == "that" and context.antonym == "deny" and clause.words[word.index + 1].lower != "that":
        return True
    return (frame == "that" and word.label == "xcomp") or (
        context.antonym == "unharmed" and bool(clause.children(word, "advmod"))
    )


def _oblique(clause: Clause, word: Word, context: Context) -> Word | None:
    """Return the noun whose preposition changes; one that loses it must follow the verb."""
    noun = next((w for w in adjuncts(clause, word) if _changes(clause, w, context)), None)
    if noun is None or "Ø" not in context.prepositions.values():
        return noun
    return noun if all(case.index == word.index + 1 for case in clause.children(noun, "case")[:1]) else None


def _meets(clause: Clause, word: Word, noun: Word | None, conditions: frozenset[str]) -> bool:
    """Whether a verb meets the conditions of a context."""
    subject = subject_of(clause, word)
    return (
        ("person" not in conditions or _is_person(subject))
        and ("dated" not in conditions or _has_time(clause, word))
        and ("alone" not in conditions or _is_alone(clause, word))
        and ("event" not in conditions or word.tag in PAST)
        and ("now" not in conditions or word.tag not in PAST)
        and ("agent" not in conditions or any(w.lower == "by" for w in prepositions_after(clause, word)))
        and ("uncounted" not in conditions or noun is None or not clause.children(noun, "nummod"))
        and ("singular" not in conditions or not _is_plural(subject))
    )


def _is_predicate(clause: Clause, word: Word) -> bool:
    """Whether a verb is the predicate of a statement on which no other clause depends."""
    label = word.label.split(":")[0]
    if label in ("amod", "nmod", "obl", "advmod", "nsubj") or (label == "acl" and word.tag == "VB"):
        return False
    if clause.mood in ("imperative", "fragment") and word.label != "ccomp":
        return False
    if any(_is_particle(following) for following in clause.words[word.index + 1 : word.index + 2]):
        return False
    if word.tag in ("VBD", "VBN") and word.lower == base_form(word, "VERB") and word.lower not in UNCHANGED:
        return False
    return not any(_depends(clause, word, child) for child in clause.children(word))


def _is_particle(word: Word) -> bool:
    return word.tag == "RP" or (word.lower in PARTICLES and word.label != "case")


def _depends(clause: Clause, word: Word, child: Word) -> bool:
    """Whether a clause says why, how or with what result something is done: "sold it to pay his debts"."""
    label = child.label.split(":")[0]
    if label == "advcl" and child.index > word.index:
        return not any(w.lower in TEMPORAL for w in clause.children(child, "mark", "advmod"))
    if label == "advcl" and any(w.lower in ("to", "in") for w in clause.children(child, "mark")):
        return True  # "To pay his debts, he sold it"
    return label == "parataxis" and child.index < word.index


def _fits_participle(clause: Clause, word: Word, context: Context, special: str, frame: str) -> bool:
    auxiliary = clause.words[word.index - 1].lower if word.index else ""
    nouns, cases = adjuncts(clause, word), prepositions_after(clause, word)
    if special == "died":
        return word.lower == special and frame == "intr" and _is_dated(clause, word)
    if special == "born":
        return word.lower == special and auxiliary in ("was", "were") and _is_dated(clause, word)
    if frame != "pass" or len(nouns) != 1 or not cases or cases[0].lower not in context.prepositions:
        return False
    return auxiliary in (("was", "were") if special == "killed" else ("is", "are")) and context.allows(nouns[0])


def _is_dated(clause: Clause, word: Word) -> bool:
    """Whether nothing but a date and a place follows a verb."""
    after = {w.label.split(":")[0] for w in clause.children(word) if w.index > word.index}
    places = {case.lower for case in prepositions_after(clause, word)}
    aged = any(noun.lower == "age" for noun in adjuncts(clause, word))
    return after <= {"obl", "punct", "nummod", "nmod"} and places <= PLACED and not aged and has_date(clause, word)


def _has_time(clause: Clause, word: Word) -> bool:
    """Whether a verb says when something happens: "in 1914", "on Monday", "at noon"."""
    return has_date(clause, word) or any(noun.lower in CLOCK for noun in adjuncts(clause, word))


def _is_alone(clause: Clause, word: Word) -> bool:
    """Whether no other verb shares the subject or tells more of what is named: "built and opened", "a bar that ..."."""
    if word.label == "conj" and not clause.children(word, "nsubj", "nsubj:pass"):
        return False
    if any(w.tag[:2] == "VB" and not clause.children(w, "nsubj", "nsubj:pass") for w in clause.children(word, "conj")):
        return False
    return not any(
        w.label.split(":")[0] in ("acl", "advcl", "parataxis") and word in clause.tree.above(w)
        for w in clause.words[word.index + 1 :]
    )


def _changes(clause: Clause, noun: Word, context: Context) -> bool:
    """Whether the preposition of a noun changes with the antonym."""
    cases = clause.children(noun, "case")
    return not is_time(noun) and any(context.prepositions.get(case.lower, case.lower) != case.lower for case in cases)


def _is_valency(clause: Clause, noun: Word, context: Context) -> bool:
    """Whether a preposition after the object belongs to the verb, and does not fit the antonym: "lost it to them"."""
    foreign = any(
        w.lower in ("to", "from") and w.lower not in context.prepositions for w in clause.children(noun, "case")
    )
    return foreign or _changes(clause, noun, context)


def _is_person(subject: Word | None) -> bool:
    if subject is None or subject.lower == "it":
        return False
    names = {subject.lower, base_form(subject, "NOUN") if subject.tag == "NNS" else subject.lower}
    return subject.tag == "NNP" or bool(names & (PEOPLE | PERSONS))


def _is_plural(subject: Word | None) -> bool:
    return subject is None or subject.tag in ("NNS", "NNPS")


def _verb_frame(clause: Clause, word: Word) -> tuple[str, Word | None]:
    """Return the construction of a verb, and the noun that says most about its sense."""
    subject = subject_of(clause, word)
    if clause.children(word, "iobj"):
        return "iobj", None
    if any(child.label.endswith(":pass") for child in clause.children(word)):
        return ("pass-xcomp" if clause.children(word, "xcomp", "obj", "ccomp") else "pass"), subject
    obj = next(iter(clause.children(word, "obj")), None)
    complement = next(iter(clause.children(word, "xcomp", "ccomp")), None)
    if complement is None:
        return ("obj", obj) if obj is not None else ("intr", subject)
    if complement.index < word.index or word.label == "parataxis":
        return "before", None
    if base_form(word, "VERB") == "become":
        return ("xcomp" if _is_role(clause, complement) else "other"), None
    marks = {child.lower for child in clause.children(complement, "mark", "case")}
    if complement.label == "xcomp":
        kind = "to" if "to" in marks else "ing" if complement.tag == "VBG" else "other"
        return (f"obj-{kind}" if obj is not None else kind), obj or subject
    return _clause_frame(clause, word, complement), subject


def _clause_frame(clause: Clause, word: Word, complement: Word) -> str:
    """Return the construction of a verb with a finite clause: "that", "wh"; else "other"."""
    quoted = any(w.text == ":" or w.tag == "``" for w in clause.words[word.index + 1 :])
    following = clause.words[word.index + 1]
    if quoted or (word.tag == "VB" and clause.children(word, "aux")) or following.text == ",":
        return "other"  # "I must say that ..."
    if following.tag in WH or following.lower in ("if", "whether"):
        return "wh"
    finite = [complement, *clause.children(complement, "aux", "cop", "aux:pass")]
    opens = following.lower == "that" or following.tag in NOMINAL  # rather than "I think compared to mine, ..."
    return "that" if opens and any(w.tag in FINITE for w in finite) else "other"


def _is_role(clause: Clause, noun: Word) -> bool:
    """Whether a complement is a plain adjective or a noun phrase with "a" or "the" that compares nothing."""
    children = clause.children(noun)
    if noun.tag == "JJ":
        return not noun.lower.endswith("ed") and not any(child.tag.startswith("RB") for child in children)
    return (
        noun.tag in ("NN", "NNP")
        and any(child.lower in ("a", "an", "the") for child in children)
        and not any(child.tag in ("JJS", "JJR", "RB", "RBS", "RBR", "CD") for child in children)
        and not any(child.lower in ("first", "last", "second", "new", "third") for child in children)
    )
