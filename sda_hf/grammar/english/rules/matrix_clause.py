"""A matrix clause before a statement: "It is not true that ..."."""

from __future__ import annotations

from dataclasses import dataclass

from sda_hf.grammar.edits import Edit, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import FINITE, OUTSIDE, WH
from sda_hf.grammar.english.surface import before
from sda_hf.syntax.clause import Clause, Word, once_per_clause

# SDA 2024, section 4.3.
NOT_TRUE = "It is not true that"
CONNECTIVES = lexicon.words("conjunctions", "connectives")
CONJUNCTIONS = lexicon.words("conjunctions", "coordinating")
# What stays in front of a whole statement: with a comma, and also without one.
CONNECTING_ALONE = lexicon.words("denials", "conjunctions")
CONNECTING = lexicon.words("denials", "connectives") | CONNECTING_ALONE | set(lexicon.phrases("denials", "phrases"))
# What belongs to the claim, and is set off by commas after such a phrase.
INSIDE = lexicon.words("frames", "run-in") | set(lexicon.phrases("frames", "inside-phrases"))
ALONE = ("cc", "advmod", "discourse")
OPENING_QUOTES = {'"': '"', "“": "”", "``": "''", "«": "»"}
NO_STATEMENT = {"interrogative": "question", "imperative": "command", "fragment": "no verb"}


@dataclass(frozen=True, slots=True)
class Site:
    """Where a matrix clause goes.

    Attributes:
        word: the first word of the statement.
        pronoun: the subject that a telegraphic statement leaves out; None if it has one.
        set_off: whether a comma goes before the statement: "that, having won, she left".
    """

    word: Word
    pronoun: str | None
    set_off: bool = False

    def put(self, phrase: str, rule: Rule) -> Edit:
        """Return the edit that puts a phrase before the statement."""
        comma = "," if self.set_off and phrase.endswith(" that") else ""
        return before(self.word, f"{phrase}{comma} {self.pronoun}" if self.pronoun else f"{phrase}{comma}", rule)


@once_per_clause
def site_of(clause: Clause) -> Site | Skip:
    """Return where a matrix clause can precede a clause, or why it cannot."""
    if not is_statement(clause):
        return Skip(NO_STATEMENT.get(clause.mood, "question"))
    pronoun = missing_subject(clause)
    if clause.subject is None and clause.expletive is None and pronoun is None:
        return Skip("no subject")
    word = opening(clause)
    return Site(word, pronoun, needs_comma(clause, word))


def is_statement(clause: Clause) -> bool:
    """Whether the clause has the form of a statement, even if it is a question: "You know him?"."""
    return not clause.tag and (clause.mood == "declarative" or _asks_like_a_statement(clause))


def _asks_like_a_statement(clause: Clause) -> bool:
    """Whether a question has the word order of a statement and no question word: "You know him?"."""
    words = (clause.words[0], *clause.words[: clause.predicate.index])
    asking = any(w.tag in WH for w in words)
    return clause.mood == "interrogative" and not clause.inverted and clause.subject is not None and not asking


def missing_subject(clause: Clause) -> str | None:
    """Return the subject that a telegraphic sentence leaves out: "Looks good.", "Loved it."; None if it has one."""
    verbs = clause.verbs
    if clause.subject is not None or clause.expletive is not None or verbs is None:
        return None
    if not clause.opens(verbs.first) or (verbs.first is clause.predicate and verbs.first.tag not in FINITE):
        return None
    return "it" if verbs.first.tag == "VBZ" else "I"


def opening(clause: Clause) -> Word:
    """Return the first word of the claim, after "But", "However," and vocatives."""
    subject = clause.subject
    limit = min(w.index for w in (clause.predicate, subject.first if subject else clause.predicate))
    tops = [w for w in clause.words[: limit + 1] if _top(clause, w).index == w.index]
    starts = [_start(clause, w) for w in tops if not _is_outside(clause, w)]
    last_outside = max((w.index for w in tops if _is_outside(clause, w)), default=-1)
    inside = [w for w in starts if w.index > last_outside]
    first = min(inside, key=lambda w: w.index) if inside else clause.words[limit]
    spoken = (w for w in clause.words[first.index :] if w.text[:1].isalnum() and w.lower not in CONJUNCTIONS)
    return next(spoken, first)


@once_per_clause
def start_of_statement(clause: Clause) -> Word:
    """Return the first word of a statement, or the quotation mark before it, after "But", "However," and the like."""
    words = clause.words
    start = next((w.index for w in words if w.text[:1].isalnum()), 0)
    while start + 2 < len(words):
        word = words[start]
        comma = next((w.index for w in words[start : start + 5] if w.text == ","), start)
        before_comma = " ".join(w.lower for w in words[start:comma])
        if (before_comma in CONNECTING or _addresses(clause, word, comma)) and words[comma + 1].text[:1].isalnum():
            start = comma + 1
        elif word.lower in (CONNECTING if word.label == "discourse" else CONNECTING_ALONE) and word.label in ALONE:
            start += 1
        else:
            break
    opening = _quotation(clause, words[start])
    return opening or words[start]


def needs_comma(clause: Clause, word: Word) -> bool:
    """Whether a word opens what commas set off after "that": "that, having won, she left", "that, therefore, he"."""
    return is_participle_first(clause, word) or _is_run_in(clause, word)


def is_participle_first(clause: Clause, word: Word) -> bool:
    """Whether a word opens a participial clause that a comma sets off from the subject: "Having won, she left"."""
    subject = clause.expletive or (clause.subject.first if clause.subject is not None else None)
    if not opens_participle(clause, word) or subject is None:
        return False
    return word.index < subject.index and clause.words[subject.index - 1].text == ","


def opens_participle(clause: Clause, word: Word) -> bool:
    """Whether a word opens an adverbial clause with a participle: "Leaving ...", "Having left ..."."""
    verb = clause.words[word.head] if word.label.split(":")[0] in ("aux", "cop") else word
    return word.tag in ("VBG", "VBN", "JJ") and verb.label == "advcl"


def _is_run_in(clause: Clause, word: Word) -> bool:
    words = [w.lower for w in clause.words[word.index : word.index + 5]]
    comma = words.index(",") if "," in words else 0
    adverb = comma == 1 and word.tag == "RB" and word.label == "advmod"
    return adverb or " ".join(words[:comma]) in INSIDE


def _addresses(clause: Clause, word: Word, comma: int) -> bool:
    """Whether a name or an interjection stands before a comma: "Anna, ...", "Hi, ..."."""
    if comma != word.index + 1:
        return False
    if word.label == "discourse":
        return True
    if word.tag != "NNP":
        return False
    subjects = [clause.tree.phrase(w) for w in clause.children(clause.predicate, "nsubj") if w.index > comma]
    last = next((phrase.last for phrase in subjects if phrase.first.index == comma + 1), None)
    # "Mary, John's wife, left."
    return last is not None and clause.words[last.index + 1].text != ","


def _quotation(clause: Clause, word: Word) -> Word | None:
    """Return the mark before a word that opens a quotation within the sentence."""
    if word.index == 0 or not word.text[:1].isalnum():
        return word if word.text in OPENING_QUOTES else None
    mark = clause.words[word.index - 1]
    closing = OPENING_QUOTES.get(mark.text)
    if closing is None:
        return None
    ends = [w.index for w in clause.words[word.index :] if w.text == closing]
    following = clause.words[ends[0] + 1 :] if ends else ()
    return mark if any(w.text[:1].isalnum() for w in following) else None


def _top(clause: Clause, word: Word) -> Word:
    """Return the direct dependent of the predicate that a word belongs to; for the predicate, the predicate."""
    while word.head not in (clause.predicate.index, word.index) and word.index != clause.predicate.index:
        word = clause.words[word.head]
    return word


def _start(clause: Clause, word: Word) -> Word:
    """Return the first word of the run that belongs to `word`, ignoring punctuation at its start."""
    if word.index == clause.predicate.index:
        return word
    first = word
    while first.index > 0 and _top(clause, clause.words[first.index - 1]).index == word.index:
        first = clause.words[first.index - 1]
    while not first.text[:1].isalnum() and first.index < word.index:
        first = clause.words[first.index + 1]
    return first


def _is_outside(clause: Clause, word: Word) -> bool:
    """Whether the word is not part of the claim: a conjunction, an interjection or a connective adverb."""
    if word.index == clause.predicate.index:
        return False
    if word.label.split(":")[0] in OUTSIDE or not word.text[:1].isalnum():
        return True
    return word.lower in CONNECTIVES and word.label == "advmod"
