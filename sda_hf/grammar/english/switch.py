"""Subject and object of the main claim in each other's places."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Skip, decapitalise, swap
from sda_hf.grammar.english.morphology import inflect, is_third_singular, plain_form
from sda_hf.syntax.clause import Clause, Phrase, Word
from sda_hf.syntax.english.tree import Tree

AS_OBJECT = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them", "who": "whom"}
AS_SUBJECT = {new: old for old, new in AS_OBJECT.items()}
REFLEXIVE = ("self", "selves")
RULE = "subject and object switched"
AGREEING = {"have": ("has", "have"), "do": ("does", "do")}


def switch(clause: Clause) -> list[Edit] | Skip:
    """The subject where the object was and the object where the subject was, in their cases, the verb agreeing.

    Args:
        clause: the main clause.
    """
    subject, verbs = clause.subject, clause.verbs
    if clause.mood != "declarative" or clause.inverted or verbs is None or verbs.main is None:
        return Skip("no statement with a verb")
    if subject is None or clause.expletive is not None:
        return Skip("no subject to switch")
    objects = [w for w in clause.children(verbs.main, "obj") if w.index > verbs.main.index]
    if not objects:
        return Skip("no object")
    target = Tree(clause.words).phrase(objects[0])
    if subject.last.index >= verbs.first.index or target.first.index <= verbs.main.index:
        return Skip("subject and object not on two sides of the verb")
    if any(_is_open(clause, phrase) for phrase in (subject, target)):
        return Skip("where a phrase ends cannot be told")
    if target.head.lower.endswith(REFLEXIVE) or target.head.tag in ("WP", "WDT"):
        return Skip("reflexive or relative object")
    agreement = _agreement(clause, target)
    if agreement is None:
        return Skip("number of the object cannot be told")
    front = _text(clause, target, AS_SUBJECT)
    back = _text(clause, subject, AS_OBJECT)
    if clause.opens(subject.first):
        front = front[:1].upper() + front[1:]
        back = back[:1].lower() + back[1:] if decapitalise(clause, subject.first, RULE) else back
    return [
        Edit(subject.first.start, subject.last.end, front, RULE),
        *agreement,
        Edit(target.first.start, target.last.end, back, RULE),
    ]


def _is_open(clause: Clause, phrase: Phrase) -> bool:
    """The phrase begins with "and", or has a comma inside: small parsers cut such phrases at the wrong place."""
    inside = clause.words[phrase.first.index : phrase.last.index + 1]
    return phrase.first.tag == "CC" or any(word.text in (",", ";", ":") for word in inside)


def _text(clause: Clause, phrase: Phrase, cases: dict[str, str]) -> str:
    """The words of a phrase as they stand; a pronoun alone in its other case."""
    if phrase.first is phrase.last and phrase.head.lower in cases:
        new = cases[phrase.head.lower]
        return "I" if new == "i" else new
    return clause.text[phrase.first.start : phrase.last.end]


def _agreement(clause: Clause, subject: Phrase) -> list[Edit] | None:
    """The edits that make the finite verb agree with another subject; None where its number cannot be told."""
    assert clause.verbs is not None
    finite = clause.verbs.first
    plain = plain_form(finite)
    if finite.tag == "MD" or (finite.tag in ("VBD", "VBN") and plain != "be") or finite.lower in ("'ll", "'d"):
        return []
    pronoun = AS_SUBJECT.get(subject.head.lower, subject.head.lower) if subject.first is subject.last else ""
    plural = bool(clause.children(subject.head, "conj")) or pronoun in ("i", "you", "we", "they")
    third = False if plural else True if pronoun in ("he", "she", "it") else is_third_singular(subject)
    if third is None:
        return None
    return _swapped(finite, _form(finite, plain, pronoun, third))


def _form(finite: Word, plain: str, pronoun: str, third: bool) -> str:
    if plain == "be":
        if finite.lower in ("was", "were"):
            return "was" if third or pronoun == "i" else "were"
        return "am" if pronoun == "i" else "is" if third else "are"
    if plain in AGREEING:
        return AGREEING[plain][not third]
    return inflect(plain, "VBZ" if third else "VBP", finite.lower)


def _swapped(finite: Word, new: str) -> list[Edit]:
    same = {"'s": "is", "'re": "are", "'m": "am", "'ve": "have"}.get(finite.lower, finite.lower) == new
    if same:
        return []
    space = " " if finite.text.startswith(("'", "’")) else ""  # noqa: RUF001
    return [Edit(finite.start, finite.end, f"{space}{new}", RULE)] if space else [swap(finite, new, RULE)]
