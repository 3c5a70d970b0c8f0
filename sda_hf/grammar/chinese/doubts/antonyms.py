"""Doubts about antonyms: claims that the antonym of a word does not contradict, or leaves without sense."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.claims import is_verbal
from sda_hf.grammar.chinese.doubts import common
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.polarity import FIXED
from sda_hf.grammar.chinese.spans import NEGATORS
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

UNCLAIMED = lexicon.words("antonyms", "unclaimed")
CONTRASTING = lexicon.words("antonyms", "contrasting")
PARTIAL = lexicon.words("antonyms", "partial")
NEGATIVE_STARTS = tuple("不没无未非别")
A_NOT_A = re.compile(r"(.)[不没](?:有)?\1")
ANSWERING = re.compile(r"\W*(?:可|但|而|却|卻|不过|不過|然而|只是|因为|因為|所以|因此)")
QUOTES = frozenset('“”「」『』"《》‘’')


def _asks(clause: Clause) -> bool:
    if A_NOT_A.search(clause.text[clause.words[0].start : clause.words[-1].end]):
        return True
    return clause.mood == "interrogative" or any(w.text[:1] in "?？" for w in clause.words)


def _is_negative(clause: Clause) -> bool:
    """Whether anything in the sentence negates: an antonym under a negation does not contradict."""
    return clause.negation is not None or any(_negates(w) for w in clause.words)


def _negates(word: Word) -> bool:
    text = form(word)
    if text in FIXED:
        return False
    return text in NEGATORS or (text.startswith(("不", "没")) and len(text) > 1) or text in ("毫不", "很少", "几乎")


def _is_unclaimed(clause: Clause) -> bool:
    """Whether the claim is only possible, one of several, or holds under a condition."""
    return any(form(w) in UNCLAIMED for w in clause.words)


def _is_linked(clause: Clause) -> bool:
    """Whether the claim stands beside another with which it contrasts or from which it follows."""
    return any(form(w) in CONTRASTING for w in clause.words)


def _is_shared(clause: Clause) -> bool:
    """Whether the predicate stands beside another one."""
    predicate = clause.predicate
    return predicate.label == "conj" or any(is_verbal(w) for w in clause.children(predicate, "conj", "parataxis"))


def _is_partial(clause: Clause) -> bool:
    """Whether the claim is one about some of several."""
    return any(form(w) in PARTIAL or w.text.endswith(("%", "％")) for w in clause.words[: clause.predicate.index])


def _is_answered(clause: Clause) -> bool:
    """Whether the next sentence of the text contrasts with the claim: 他有鸦片。可我们没有."""
    return ANSWERING.match(clause.text[clause.words[-1].end :]) is not None


def _has_quotes(clause: Clause) -> bool:
    return any(w.text in QUOTES for w in clause.words)


DOUBTS: tuple[Doubt, ...] = (
    *(d for d in (*common.DOUBTS, *common.CLAIM_DOUBTS) if d.holds is not common.is_fragment),
    Doubt("question", _asks),
    Doubt("negated: both may be true", _is_negative),
    Doubt("not claimed: a possibility, a condition or a wish", _is_unclaimed),
    Doubt("a contrast or a consequence", _is_linked),
    Doubt("a contrast or a consequence", _is_answered),
    Doubt("another predicate beside the claim", _is_shared),
    Doubt("a claim about some of several", _is_partial),
    Doubt("a quotation or a title", _has_quotes),
)
