"""Switch: subject and object exchanged, or the two sides of 把, 被 and a comparison."""

from __future__ import annotations

from dataclasses import replace

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary
from sda_hf.grammar.chinese.predicates import COMPLEMENTS, HAVING, copula_of
from sda_hf.grammar.chinese.rules.antonym_conditions import PERSONS, is_person
from sda_hf.grammar.chinese.spans import is_time
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.grammar.edits import Coverage, Result, Rule, Skip
from sda_hf.syntax.clause import Clause, Word

SWITCHED = Rule("subject-object-switch", "subject and object switched")
FINAL = lexicon.words("particles", "final") | {"了"}
ACTING = tuple(lexicon.words("switch", "acting"))
UNEQUAL = lexicon.words("switch", "unequal")
UNEQUAL_KINDS = "subject and object of different kinds"
# Before the family name of someone one knows well: 小王.
FAMILIAR = ("小", "老", "阿")
SYMMETRIC = lexicon.words("switch", "symmetric")
MARKED = ("把", "将", "被")
COMPARING = ("比",)
REFLEXIVE = ("自己", "彼此", "对方", "互相", "之间", "双方")
OWNING = ("他的", "她的", "它的", "他们的", "她们的", "自己的", "其")
ASKING = lexicon.words("pronouns", "asking")
NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "DET", "ADJ", "PART", "X")
LONGEST = 6  # words
Words = tuple[Word, ...]


def switch(clause: Clause, coverage: Coverage) -> Result:
    """Exchange subject and object.

    Args:
        clause: the main clause.
        coverage: "sound" or "full".
    """
    if clause.mood == "interrogative" or any(form(w) in ASKING for w in clause.words):
        return Skip("question")
    if clause.mood == "imperative" or clause.subject is None:
        return Skip("no subject to switch")
    copula = copula_of(clause)
    if (copula is not None and form(copula) not in COMPARING and form(copula) != "快") or form(
        clause.predicate
    ) in SYMMETRIC:
        return Skip("symmetric claim")
    sides = _compared(clause) or _marked(clause) or _plain(clause)
    if sides is None:
        return Skip("no object")
    front, back = sides
    if any(form(w) in REFLEXIVE for w in back) or forms(back).startswith(OWNING):
        return Skip("reflexive or relative object")
    if not all(map(_is_phrase, sides)):
        return Skip("end of a phrase unclear")
    rule = replace(SWITCHED, doubt=_doubt_about(clause, front, back))
    one, other = (slice(side[0].start, side[-1].end) for side in sides)
    return [
        rule.edit(one.start, one.stop, clause.text[other]),
        rule.edit(other.start, other.stop, clause.text[one]),
    ]


def _doubt_about(clause: Clause, front: Words, back: Words) -> str:
    """Return why a switch is not sound; empty if it is."""
    opening = clause.words[: front[0].index]
    if not all(is_time(w) or w.pos in ("ADV", "SCONJ", "INTJ") or w.text in "，," for w in opening):
        return "end of a phrase unclear"
    if any(is_time(w) for w in (*front, *back)):
        return UNEQUAL_KINDS
    if any(form(w) in COMPARING for w in clause.words) or form(clause.predicate) == "没有":
        return "" if _acts(front) == _acts(back) else UNEQUAL_KINDS
    if form(clause.predicate) in UNEQUAL:
        return "a verb whose subject and object have roles of their own"
    return "" if _acts(front) and _acts(back) else UNEQUAL_KINDS


def _acts(words: Words) -> bool:
    """Whether a noun phrase names someone who can do things, as 那个女人, 她, 小王 or 这家公司."""
    last, text = words[-1], forms(words)
    if text.startswith(FAMILIAR) and len(text) == 2:
        return True
    if form(last) not in PERSONS and dictionary().get(form(last), "").startswith("v"):
        return False
    return last.pos == "PROPN" or last.text[0].isupper() or is_person(last) or form(last).endswith(ACTING)


def _subject(clause: Clause, end: int) -> Words:
    """Return the words of the subject: those up to the adverbs before `end`, without a time or a topic before them."""
    while end > 0 and clause.words[end - 1].pos in ("ADV", "AUX", "SCONJ"):
        end -= 1
    start = end
    while start > 0 and _is_in_phrase(clause.words[start - 1]):
        start -= 1
    while start < end and is_time(clause.words[start]):
        start += 1
    return clause.words[start:end]


def _is_in_phrase(word: Word) -> bool:
    return word.pos in NOMINAL or (word.label == "case" and word.tag in ("PFA", "DEC"))


def _plain(clause: Clause) -> tuple[Words, Words] | None:
    """Return the subject and what follows the verb."""
    predicate = clause.predicate
    if predicate.pos != "VERB" or form(predicate) in HAVING:
        return None
    start = predicate.index + 1
    while start < len(clause.words) and _belongs_to_verb(clause.words[start]):
        start += 1
    front, back = _subject(clause, predicate.index), _rest(clause, start)
    return (front, back) if front and back else None


def _belongs_to_verb(word: Word) -> bool:
    return form(word) in ("了", "过", "着") or (word.label == "compound:vv" and form(word) in COMPLEMENTS)


def _rest(clause: Clause, start: int) -> Words:
    """Return the words up to the end of the sentence, without its particles and marks; none if there is a mark."""
    words = clause.words[start:]
    while words and (words[-1].pos == "PUNCT" or form(words[-1]) in FINAL):
        words = words[:-1]
    return words


def _marked(clause: Clause) -> tuple[Words, Words] | None:
    """Return what stands before 把 or 被, and between it and the verb."""
    marker = next((w for w in clause.words[: clause.predicate.index] if form(w) in MARKED and w.pos != "NOUN"), None)
    return None if marker is None else _around(clause, marker, clause.predicate.index)


def _compared(clause: Clause) -> tuple[Words, Words] | None:
    """Return the two sides of a comparison: 他比我高, 他没有我高."""
    marker = next((w for w in clause.words if form(w) in COMPARING and w.index > 0), None)
    if marker is None and form(clause.predicate) == "没有":
        adjective = next((w for w in clause.children(clause.predicate, "ccomp", "xcomp") if w.pos == "ADJ"), None)
        return None if adjective is None else _around(clause, clause.predicate, adjective.index)
    if marker is None or marker.index > clause.predicate.index:
        return None
    end = next((w.index for w in clause.words[marker.index :] if w.pos in ("ADJ", "ADV")), clause.predicate.index)
    return _around(clause, marker, end)


def _around(clause: Clause, marker: Word, end: int) -> tuple[Words, Words] | None:
    inner = clause.words[marker.index + 1 : end]
    while inner and inner[-1].pos in ("ADV", "AUX"):
        inner = inner[:-1]
    front = _subject(clause, marker.index)
    return (front, inner) if front and inner else None


def _is_preposition(word: Word) -> bool:
    return word.pos == "ADP" and word.tag != "PFA"


def _is_phrase(words: Words) -> bool:
    """Whether words are one noun phrase, with nothing beside it."""
    if len(words) > LONGEST or any(w.pos in ("PUNCT", "VERB", "CCONJ") or _is_preposition(w) for w in words):
        return len(words) == 1 and words[0].pos == "VERB"
    if not all(w.text.isalnum() for w in words):
        return False
    return words[-1].pos in ("NOUN", "PROPN", "PRON", "PART", "X") and form(words[-1]) not in ("的", "之")
