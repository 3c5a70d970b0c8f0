"""Exchange the subject and the object of the main claim."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.morphology import inflect, is_third_singular, plain_form
from sda_hf.grammar.english.surface import cased_like, is_short, loses_capital
from sda_hf.syntax.clause import Clause, Phrase, Word

AS_OBJECT = lexicon.pairs("pronouns", "objects")
AS_SUBJECT = {new: old for old, new in AS_OBJECT.items()}
REFLEXIVE = ("self", "selves")
SWITCHED = Rule("subject-object-switch", "subject and object switched")
AGREEING = {"have": ("has", "have"), "do": ("does", "do")}


def switch(clause: Clause) -> Result:
    """Exchange subject and object, changing the case of pronouns and making the verb agree.

    Args:
        clause: the main clause.
    """
    subject, verbs = clause.subject, clause.verbs
    if clause.mood != "declarative" or clause.inverted or verbs is None or verbs.main is None:
        return Skip("not a statement with a verb")
    if subject is None or clause.expletive is not None:
        return Skip("no subject to switch")
    objects = [w for w in clause.children(verbs.main, "obj") if w.index > verbs.main.index]
    if not objects:
        return Skip("no object")
    target = clause.tree.phrase(objects[0])
    if subject.last.index >= verbs.first.index or target.first.index <= verbs.main.index:
        return Skip("verb not between subject and object")
    if any(_is_open(clause, phrase) for phrase in (subject, target)):
        return Skip("end of a phrase unclear")
    if target.head.lower.endswith(REFLEXIVE) or target.head.tag in ("WP", "WDT"):
        return Skip("reflexive or relative object")
    agreement = _agreement(clause, target)
    if agreement is None:
        return Skip("number of the object unclear")
    front = _text(clause, target, AS_SUBJECT)
    back = _text(clause, subject, AS_OBJECT)
    if clause.opens(subject.first):
        front = front[:1].upper() + front[1:]
        back = back[:1].lower() + back[1:] if loses_capital(clause, subject.first) else back
    return [
        SWITCHED.edit(subject.first.start, subject.last.end, front),
        *agreement,
        SWITCHED.edit(target.first.start, target.last.end, back),
    ]


def _is_open(clause: Clause, phrase: Phrase) -> bool:
    """Whether a phrase begins with "and" or contains a comma: small parsers end such phrases in the wrong place."""
    inside = clause.words[phrase.first.index : phrase.last.index + 1]
    return phrase.first.tag == "CC" or any(word.text in (",", ";", ":") for word in inside)


def _text(clause: Clause, phrase: Phrase, cases: dict[str, str]) -> str:
    """Return the words of a phrase unchanged; a single pronoun changes its case."""
    if phrase.first is phrase.last and phrase.head.lower in cases:
        new = cases[phrase.head.lower]
        return "I" if new == "i" else new
    return clause.text[phrase.first.start : phrase.last.end]


def _agreement(clause: Clause, subject: Phrase) -> list[Edit] | None:
    """Return the edits that make the finite verb agree with a new subject; None if its number is unclear."""
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
    new = f" {new}" if is_short(finite) else cased_like(finite.text, new)
    return [SWITCHED.edit(finite.start, finite.end, new)]
