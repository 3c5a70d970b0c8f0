"""Doubts about switches of subject and object."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.doubts import common
from sda_hf.grammar.chinese.doubts.antonyms import has_other_clause
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

PERSONAL = lexicon.words("pronouns", "personal")
ACTING = tuple(
    lexicon.words("nouns", "persons") | lexicon.words("nouns", "person-endings") | lexicon.words("switch", "acting")
)
UNEQUAL = lexicon.words("switch", "unequal")
COMPARING = ("比", "没有")


def _acts(word: Word) -> bool:
    """Whether a noun names someone who can do things, as 那个女人, 她 or 小王."""
    text = form(word)
    return (word.pos == "PRON" and text in PERSONAL) or word.pos in ("PROPN", "X") or text.endswith(ACTING)


def _is_unequal(clause: Clause) -> bool:
    """Whether subject and object are not both people, animals or groups."""
    if any(form(w) in COMPARING for w in clause.words):
        return False
    nouns = [w for w in clause.words if w.pos in ("NOUN", "PROPN", "PRON", "PART", "X") and form(w) not in ("的", "之")]
    subject = clause.subject.head if clause.subject is not None else None
    return subject is None or not nouns or not _acts(subject) or not (_acts(nouns[-1]) or _is_marked(clause))


def _is_marked(clause: Clause) -> bool:
    return any(form(w) in ("把", "被") for w in clause.words)


def _has_unequal_roles(clause: Clause) -> bool:
    return form(clause.predicate) in UNEQUAL


def _has_owner(clause: Clause) -> bool:
    """Whether the object belongs to the subject: 他爱他的家人."""
    texts = [form(w) for w in clause.words[clause.predicate.index :]]
    return any(a in PERSONAL and b == "的" for a, b in zip(texts, texts[1:], strict=False))


DOUBTS: tuple[Doubt, ...] = (
    *common.DOUBTS,
    *common.CLAIM_DOUBTS,
    Doubt("subject and object of different kinds", _is_unequal),
    Doubt("a verb whose subject and object have roles of their own", _has_unequal_roles),
    Doubt("subject or object with a possessive", _has_owner),
    Doubt("another clause beside the claim", has_other_clause),
)
