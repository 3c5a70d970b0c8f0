"""Dashes, brackets and commas that set off a part of a sentence which could be left out."""

from __future__ import annotations

import re

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import FINITE
from sda_hf.grammar.english.rules.marks import DASHES, comma_at, is_balanced, is_mark, last_word, word_at
from sda_hf.syntax.clause import Clause, Phrase, Word

ADJUNCTS = lexicon.words("marks", "adjuncts")
TIMES = lexicon.words("marks", "times")
YEAR = re.compile(r"(?:1\d|20)\d\ds?|\d{1,2}(?:st|nd|rd|th)")
RELATIVE = frozenset({"which", "who", "whose", "where"})
PARTICIPLES = lexicon.words("marks", "participles")
TAIL_OPENINGS = lexicon.words("marks", "tails")
PLACES = frozenset({"in", "on", "near", "at", "from"})
DASH = " –"  # noqa: RUF001
BEFORE_TAIL = Rule("tail-dash", "comma before the last part → dash")
AROUND_ASIDE = Rule("aside-dashes", "commas around an aside → dashes")
AROUND_NAME = Rule("aside-brackets", "commas around a name → brackets")
FOR_SEMICOLON = Rule("semicolon-dash", "semicolon → dash")
BEFORE_ADJUNCT = Rule("adjunct-comma", "comma before the last adjunct")
BEFORE_PARTICIPLE = Rule("participle-comma", "comma before the participle clause")


def aside_dashes(clause: Clause) -> list[Edit] | None:
    """Rewrite "The mayor, who was born here, opened it." as "The mayor – who was born here – opened it."."""  # noqa: RUF002
    if _has_dash(clause):
        return None
    for word in clause.words:
        if word.label.split(":")[0] not in ("acl", "appos", "nmod", "obl", "advcl"):
            continue
        phrase = clause.tree.phrase(word)
        before, behind = word_at(clause, phrase.first.index - 1), word_at(clause, phrase.last.index + 1)
        if before is None or behind is None or before.text != "," or behind.text != ",":
            continue
        noun = clause.words[word.head]
        follows = noun.index < before.index and not any(w.text == "," for w in clause.words[noun.index : before.index])
        if not follows or not _is_aside(clause, phrase) or not is_balanced(clause, phrase):
            continue
        following = word_at(clause, behind.index + 1)
        if following is not None and following.tag.startswith(("VB", "MD")):
            return [AROUND_ASIDE.edit(mark.start, mark.end, DASH) for mark in (before, behind)]
    return None


def _is_aside(clause: Clause, phrase: Phrase) -> bool:
    """Whether a phrase is a relative clause, a participle clause, or an apposition with an article."""
    if phrase.last.index - phrase.first.index < 2:
        return False
    first = phrase.first
    if phrase.head.label == "appos":
        return first.tag in ("DT", "PRP$")
    if phrase.head.label.startswith(("nmod", "obl", "advcl")):
        return first.lower in TAIL_OPENINGS and first.tag != "WDT"
    return first.lower in RELATIVE or first.tag in ("VBN", "VBG")


def aside_brackets(clause: Clause) -> list[Edit] | None:
    """Rewrite "His father, Peter Hill, was a judge." as "His father (Peter Hill) was a judge."."""
    if any(c in clause.text for c in "()[]"):
        return None
    for word in clause.words:
        noun = clause.words[word.head]
        if word.label != "appos" or not word.tag.startswith("NNP") or noun.tag not in ("NN", "NNS"):
            continue
        phrase = clause.tree.phrase(word)
        before, behind = word_at(clause, phrase.first.index - 1), word_at(clause, phrase.last.index + 1)
        if (
            before is None
            or behind is None
            or before.text != ","
            or behind.text != ","
            or noun.index != before.index - 1
        ):
            continue
        names = clause.words[phrase.first.index : phrase.last.index + 1]
        following = word_at(clause, behind.index + 1)
        claimed = following is not None and following.tag.startswith(("VB", "MD", "W"))  # not ", Arizona did"
        if claimed and all(w.tag.startswith("NNP") for w in names):
            return [
                AROUND_NAME.edit(before.start, phrase.first.start, " ("),
                AROUND_NAME.edit(behind.start, behind.end, ")"),
            ]
    return None


def semicolon_dash(clause: Clause) -> list[Edit] | None:
    """Rewrite "It was late; we left." as "It was late – we left."."""  # noqa: RUF002
    marks = [w for w in clause.words if w.text in (";", ":")]
    if len(marks) != 1 or _has_dash(clause) or clause.verbs is None or clause.verbs.first.index > marks[0].index:
        return None
    mark, tail = marks[0], clause.words[marks[0].index + 1 :]
    finite = any(w.tag in FINITE for w in tail) and any(w.label.startswith(("nsubj", "expl")) for w in tail)
    spaced = clause.text[mark.end : mark.end + 1] == " " and not clause.text[mark.start - 1].isspace()
    return [FOR_SEMICOLON.edit(mark.start, mark.end, DASH)] if finite and spaced else None


def tail_dash(clause: Clause) -> list[Edit] | None:
    """Rewrite "He calls for help, but no one is around." as "He calls for help – but no one is around."."""  # noqa: RUF002
    last = last_word(clause)
    claim = clause.verbs.first.index if clause.verbs is not None else 0
    if _has_dash(clause) or sum(w.text == "," for w in clause.words[claim:]) != 1:
        return None  # a second comma may close what the first one opens
    for comma in clause.words[max(2, claim) :]:
        following = word_at(clause, comma.index + 1)
        if comma.text != "," or following is None or not following.text[:1].isalnum():
            continue
        head = _tail_head(clause, comma, last)
        if head is None:
            continue
        phrase = Phrase(head, following, last)
        if last.index - comma.index > 2 and is_balanced(clause, phrase) and _is_tail(clause, head, following):
            return [BEFORE_TAIL.edit(comma.start, comma.end, DASH)]
    return None


def _tail_head(clause: Clause, comma: Word, last: Word) -> Word | None:
    """The one word among those after a comma, up to the end, that depends on a word before it."""
    outside = [
        w for w in clause.words[comma.index + 1 : last.index + 1] if w.head <= comma.index and not is_mark(w.text)
    ]
    backwards = any(w.head > comma.index for w in clause.words[: comma.index] if not is_mark(w.text))
    return outside[0] if len(outside) == 1 and not backwards else None


def _is_tail(clause: Clause, head: Word, first: Word) -> bool:
    label = head.label.split(":")[0]
    if label == "conj":
        following = word_at(clause, first.index + 1)
        finite = any(w.tag in FINITE for w in (head, *clause.children(head, "aux", "cop")))
        joined = first.lower in ("but", "yet") and following is not None and following.tag[0] != "W"
        listed = any(w.text == "," for w in clause.words[head.head : first.index - 1])
        own = bool(clause.children(head, "nsubj", "expl"))
        return joined and finite and (own or not listed)
    if label not in ("acl", "advcl") and any(w.text == "," for w in clause.words[head.head : first.index - 1]):
        return False  # the comma may end an apposition
    if label == "appos":
        return first.tag == "DT" and not clause.children(head, "conj")
    if head.tag in ("NN", "NNS") and first.lower in ("a", "an", "the") and not clause.children(head, "cop", "conj"):
        return True
    if label in ("acl", "advcl"):
        busy = first.lower == "while" and head.tag == "VBG"  # "while taking care of her children"
        return first.lower in TAIL_OPENINGS and not busy
    following = word_at(clause, first.index + 1)
    adverbial = first.tag == "RB" and following is not None and following.tag == "IN"
    return first.lower in TAIL_OPENINGS or adverbial


def before_participle(clause: Clause) -> list[Edit] | None:
    """Rewrite "The river flooded making it worse." as "The river flooded, making it worse."."""
    last = last_word(clause)
    for word in clause.words[2:]:
        if word.tag != "VBG" or word.lower not in PARTICIPLES or clause.words[word.index - 1].tag in ("IN", "CC"):
            continue
        loose = word.lower in ("including", "featuring", "starring") and word.label == "acl"
        adverbial = (loose or word.label.startswith("advcl")) and word.head < word.index
        phrase = clause.tree.phrase(word)
        if adverbial and phrase.first is word and phrase.last is last and not clause.children(word, "aux", "mark"):
            return comma_at(clause, word.index, BEFORE_PARTICIPLE)
    return None


def adjunct_comma(clause: Clause) -> list[Edit] | None:
    """Rewrite "He moved to England with his brother." as "He moved to England, with his brother."."""
    phrase = _last_adjunct(clause)
    if phrase is None or phrase.first.lower not in ("with", "without", "despite", "following", "alongside"):
        return None
    words = clause.words[phrase.first.index : phrase.last.index + 1]
    if phrase.first.lower == "with" and all(w.tag not in ("PRP$", "NNP") for w in words):
        return None
    return comma_at(clause, phrase.first.index, BEFORE_ADJUNCT)


def _last_adjunct(clause: Clause) -> Phrase | None:
    """The prepositional phrase that ends the sentence, if the claim is complete without it."""
    last = last_word(clause)
    if clause.verbs is None or clause.predicate.index >= last.index:
        return None
    if any(w.tag in ("JJS", "RBS") or w.lower in ("only", "first") for w in clause.words):
        return None  # "the oldest church in Rome"
    for head in (last, *clause.tree.above(last)):
        if head.label.split(":")[0] not in ("obl", "nmod") or head.index <= clause.predicate.index:
            continue
        phrase = clause.tree.phrase(head)
        words = clause.words[phrase.first.index : phrase.last.index + 1]
        if phrase.last is not last or phrase.first.lower not in ADJUNCTS:
            continue
        if any(w.tag.startswith("W") or w.label.startswith(("acl", "advcl")) or w.text == "," for w in words):
            continue
        if _can_be_left_out(clause, head, phrase, words):
            return phrase
    return None


def _can_be_left_out(clause: Clause, head: Word, phrase: Phrase, words: tuple[Word, ...]) -> bool:
    above = clause.words[head.head]
    if head.label.startswith("nmod"):  # "a library in the state of Delhi"
        return above is clause.predicate and any(w.tag == "NNP" for w in words) and phrase.first.lower in PLACES
    if above is not clause.predicate:
        return _says_when(words) and phrase.first.index - above.index > 1
    return _is_complete(clause, head, phrase)


def _says_when(words: tuple[Word, ...]) -> bool:
    return any(w.lower in TIMES or YEAR.fullmatch(w.text) for w in words)


def _is_complete(clause: Clause, adjunct: Word, phrase: Phrase) -> bool:
    """Whether something between the verb and an adjunct, or a copula, makes the adjunct one that can be left out."""
    between = clause.children(clause.predicate, "obj", "obl", "xcomp")
    return any(clause.predicate.index < w.index < phrase.first.index and w is not adjunct for w in between)


def _has_dash(clause: Clause) -> bool:
    return any(all(c in DASHES for c in w.text) for w in clause.words)
