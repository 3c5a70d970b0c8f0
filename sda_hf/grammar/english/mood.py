"""Mood: whether a sentence is a statement, a question, a command, or not a clause at all."""

from __future__ import annotations

from collections.abc import Sequence

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import PARTICIPLES, PLAIN, WH
from sda_hf.grammar.english.morphology import DO, FINITE_BE
from sda_hf.syntax.clause import Mood, Phrase, VerbGroup, Word

NEGATORS = lexicon.words("adverbs", "negators")
OPERATORS = FINITE_BE | lexicon.words("verbs", "operators")
FORMULAE = lexicon.words("verbs", "formulae")
FEELINGS = lexicon.words("verbs", "feelings")
SUBJECT_PRONOUNS = lexicon.words("pronouns", "subjects")
TAG_PRONOUNS = lexicon.words("pronouns", "in-tags")
CLOSING = frozenset("\"'”’)]»")  # noqa: RUF001
END_MARKS = frozenset(".!?…。！？")  # noqa: RUF001


def end_mark_of(words: Sequence[Word]) -> Word | None:
    """Return the mark that ends the sentence, before any closing quotes and brackets."""
    for word in reversed(words):
        if word.text and all(c in END_MARKS for c in word.text):
            return word
        if word.text not in CLOSING and word.text != "''":
            return None
    return None


def tag_question(words: Sequence[Word], end_mark: Word | None, predicate: Word) -> tuple[Word, ...]:
    """Return the words of a tag question, between the last comma and the question mark."""
    if end_mark is None or "?" not in end_mark.text:
        return ()
    for length in (2, 3):
        start = end_mark.index - length
        if start > predicate.index + 1 and words[start - 1].text == "," and _is_tag(words[start : end_mark.index]):
            return tuple(words[start : end_mark.index])
    return ()


def _is_tag(words: Sequence[Word]) -> bool:
    operator, *rest = (w.lower for w in words)
    pronouns = [w for w in rest if w in TAG_PRONOUNS]
    return operator in OPERATORS and len(pronouns) == 1 and all(w in NEGATORS for w in rest if w not in pronouns)


def mood_of(
    verbs: VerbGroup | None, subject: Phrase | None, inverted: bool, end_mark: Word | None, words: Sequence[Word]
) -> Mood:
    """Return the mood of a sentence.

    Args:
        verbs: the verb group of the claim; None if there is none.
        subject: its subject.
        inverted: whether the finite verb precedes the subject.
        end_mark: the mark that ends the sentence; None if there is a tag question.
        words: the words of the sentence.
    """
    if verbs is None:
        return "fragment"
    first = verbs.first
    if subject is None and (first.tag in PARTICIPLES or first.lower in FORMULAE):
        return "fragment"
    if first.tag == "VBG" or _is_infinitive(first, words):
        return "fragment"
    if first.tag == "VBN" and len(verbs.words) == 1 and subject is not None and _is_headline(subject, first, words):
        return "fragment"  # a headline: "Ten trapped in mine"
    if subject is None and first.lower in ("let", "lets") and first.tag in ("VB", "VBP", "VBZ"):
        return "imperative"
    negated = any(w.lower in NEGATORS for w in words[first.index + 1 : first.index + 2])
    if subject is None and first.lower == "do" and negated and not inverted and len(verbs.words) > 1:
        return "imperative"
    question = end_mark is not None and "?" in end_mark.text
    asked = subject is not None and subject.head.tag in ("WP", "WDT") and subject.head.label.startswith("nsubj")
    if question or (words[0].tag in WH and (inverted or asked)):
        return "interrogative"
    if first.lower in OPERATORS and _opens_question(first, subject, inverted, words):
        return "interrogative"  # without its question mark
    if subject is None and first.tag in PLAIN and _commands(verbs, words):
        return "imperative"
    return "declarative"


def _opens_question(verb: Word, subject: Phrase | None, inverted: bool, words: Sequence[Word]) -> bool:
    """Whether the finite verb comes first, or follows a question word, and precedes its subject: "Was it good"."""
    following = words[verb.index + 1 : verb.index + 2]
    missed = subject is None and verb.lower in FINITE_BE and following and following[0].lower in TAG_PRONOUNS
    before = words[: verb.index]
    asks = inverted and verb.lower in DO and any(w.tag in WH for w in before)
    return asks or (bool(inverted or missed) and all(w.tag in ("CC", "UH") for w in before))


def _is_headline(subject: Phrase, verb: Word, words: Sequence[Word]) -> bool:
    """Whether the clause is a passive without its auxiliary."""
    active = any(w.label == "obj" and w.head == verb.index for w in words)
    return subject.head.label == "nsubj:pass" and not active


def asks_politely(verbs: VerbGroup | None, words: Sequence[Word]) -> bool:
    """Whether "please" precedes a verb in its base form."""
    if verbs is None or verbs.first.index == 0 or verbs.first.tag not in PLAIN:
        return False
    return words[verbs.first.index - 1].lower == "please"


def _is_infinitive(verb: Word, words: Sequence[Word]) -> bool:
    return verb.index > 0 and verb.tag == "VB" and words[verb.index - 1].lower == "to"


def _commands(verbs: VerbGroup, words: Sequence[Word]) -> bool:
    """Whether the clause is a command: a base form, without a subject pronoun, of a verb that can be commanded."""
    if verbs.first is verbs.main and verbs.first.lower in FEELINGS:
        return False
    if verbs.first.lower in FINITE_BE or (verbs.first.label.startswith("aux") and verbs.first.lower != "do"):
        return False
    own = {w.index for w in verbs.words}
    return not any(w.lower in SUBJECT_PRONOUNS and w.head in own for w in words[: verbs.first.index])
