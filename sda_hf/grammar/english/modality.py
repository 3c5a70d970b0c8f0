"""Modal verbs and phrases on the predicate of the main clause, with tense and agreement kept.

SDA (LREC-COLING 2024), section 4.2 and Table 1: "must have travelled", where Algorithm 2 prints the
phrase and the plain form.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sda_hf.grammar.edits import Edit, Skip, lead_in, like, swap
from sda_hf.grammar.english.morphology import (
    DO,
    FINITE_BE,
    FUSED,
    HAVE,
    adverb_of_operator,
    be_form,
    full_operator,
    inflect,
    is_fused,
    is_operator,
    plain_form,
    tense_of,
)
from sda_hf.syntax.clause import Clause, VerbGroup, Word

# SDA 2024, section 4.2; 2022, Algorithm 2.
MODAL_VERBS = ("must", "should", "ought to", "have to", "need to", "can't but", "cannot help but", "can't help")
AFFIRMATIVE_AUXILIARIES = ("have to", "can't but", "can't help", "have no choice but to")

ALREADY_MODAL = Skip("already modal")
OBLIGATION = frozenset({"must", "should", "ought", "shall"})
# A verb phrase of obligation can stand behind these: "will have to go".
FUTURE = frozenset({"will", "would", "may", "might"})
# "You must" stands before these: "Just call me" → "You must just call me".
COMMAND_ADVERBS = frozenset({"please", "just", "simply", "always", "never", "also", "only"})
PAST_OF = {"can't": "couldn't", "cannot": "could not", "can": "could"}
PAST_BE = frozenset({"was", "were"})


@dataclass(frozen=True, slots=True)
class ModalPhrase:
    """A phrase that takes a verb, and how it behaves.

    Attributes:
        words: the phrase before its verb, in the plain form.
        kind: "modal" never inflects and takes "have" for the past (must); "verb" inflects its first
            word (have to); "ability" is "can" with a negation (can't but).
        form: the tag of the verb that it takes: VB or VBG.
    """

    words: str
    kind: Literal["modal", "verb", "ability"]
    form: Literal["VB", "VBG"]

    @classmethod
    def parse(cls, phrase: str) -> ModalPhrase:
        """Tell from its words how a phrase behaves.

        Example:
            >>> ModalPhrase.parse("be bound to").kind, ModalPhrase.parse("can't help").form
            ('verb', 'VBG')
        """
        first, last = phrase.split()[0].lower(), phrase.split()[-1].lower()
        kind: Literal["modal", "verb", "ability"] = "verb"
        if first in PAST_OF:
            kind = "ability"
        elif first in ("must", "should", "ought", "may", "might", "will", "shall", "would", "could"):
            kind = "modal"
        return cls(phrase, kind, "VBG" if last in ("help", "resist", "avoid", "stop") else "VB")

    def inflected(self, tag: str, near: str = "") -> str:
        """The phrase in a tense (VBD, VBZ, VBP or VB); `near` is the form of "be" that it replaces."""
        first, *rest = self.words.split()
        if self.kind == "ability" and tag == "VBD":
            first = PAST_OF[first]
        elif self.kind == "verb":
            first = (near or inflect("be", tag)) if first == "be" else inflect(first, tag)
        return " ".join([first, *rest])


def modalise(clause: Clause, phrases: Sequence[ModalPhrase], rng: random.Random) -> list[Edit] | Skip:
    """The edits that put one of the phrases on the predicate; the first that fits, in random order.

    Args:
        clause: the main clause.
        phrases: what to draw from.
        rng: orders the phrases.
    """
    if clause.mood in ("fragment", "interrogative"):
        return Skip("no verb" if clause.mood == "fragment" else "question")
    if clause.inverted:
        return Skip("inversion")
    reason = _unfit(clause)
    if reason is not None:
        return reason
    for phrase in rng.sample(list(phrases), len(phrases)):
        edits = _command(clause, phrase) if clause.mood == "imperative" else _declarative(clause, phrase)
        if edits is not None:
            return edits
    return Skip("no phrase fits the verb group")


def _unfit(clause: Clause) -> Skip | None:
    verbs = clause.verbs
    assert verbs is not None
    first = verbs.first
    if is_fused(clause, first):
        return FUSED
    if adverb_of_operator(clause, first) is not None:
        return ALREADY_MODAL
    if clause.negators and not is_operator(first, verbs) and clause.mood != "imperative":
        return ALREADY_MODAL  # "needn't"
    if first is verbs.main and _is_before_to(clause, first) and plain_form(first) in ("have", "need", "use", "ought"):
        return ALREADY_MODAL
    return None


def _command(clause: Clause, phrase: ModalPhrase) -> list[Edit] | None:
    verbs = clause.verbs
    assert verbs is not None
    first = verbs.first
    rule = "modal phrase on a command"
    if first.lower == "let":
        following = clause.words[first.index + 1] if first.index + 1 < len(clause.words) else None
        if following is None or following.lower != "'s" or phrase.form != "VB":
            return None
        new = f"we {phrase.inflected('VBP', 'are')}"
        return [Edit(first.start, following.end, like(first, new), rule)]
    if clause.negators:
        if phrase.kind != "modal":
            return None
        return [Edit(first.start, clause.negators[0].end, like(first, f"you {_negated(phrase)}"), rule)]
    if phrase.form != "VB":
        return None
    at = first
    while at.index > 0 and clause.words[at.index - 1].lower in COMMAND_ADVERBS:
        at = clause.words[at.index - 1]
    return lead_in(clause, f"you {phrase.inflected('VBP', 'are')}", [], at, rule)


def _negated(phrase: ModalPhrase) -> str:
    first, *rest = phrase.words.split()
    return " ".join([first, "not", *rest])


def _declarative(clause: Clause, phrase: ModalPhrase) -> list[Edit] | None:
    verbs = clause.verbs
    assert verbs is not None
    first = verbs.first
    full = full_operator(first, verbs) if is_operator(first, verbs) else ""
    if first.tag == "MD" or full in OBLIGATION:
        return _behind_modal(clause, verbs, phrase, full)
    if clause.negators and phrase.kind != "modal":
        return None
    if first.lower in FINITE_BE and full != "has":
        return _on_be(clause, first, phrase)
    if is_operator(first, verbs) and (first.lower in HAVE or full == "has"):
        return _on_perfect(clause, first, phrase)
    if is_operator(first, verbs) and first.lower in DO:
        return _on_do(clause, verbs, phrase)
    return _on_verb(clause, verbs, phrase)


def _behind_modal(clause: Clause, verbs: VerbGroup, phrase: ModalPhrase, full: str) -> list[Edit] | None:
    first = verbs.first
    following = next((w for w in verbs.words if w.index > first.index), None)
    if clause.negators or following is None or following.tag not in ("VB", "VBP"):
        return None
    if following.lower in ("have", "'ve", "need") and (following is not verbs.main or _is_before_to(clause, following)):
        return None
    if full in FUTURE and phrase.kind == "verb" and phrase.form == "VB":
        return [Edit(first.end, first.end, f" {phrase.words}", "modal phrase behind a modal")]
    if full == "can" and phrase.kind == "modal":
        return [_over(first, f"{phrase.words} be able to", "can → modal phrase + be able to")]
    if full in ("must", "should") and phrase.kind == "modal" and phrase.words != full:
        return [_over(first, phrase.words, "one modal for another")]
    return None


def _is_before_to(clause: Clause, word: Word) -> bool:
    return word.index + 1 < len(clause.words) and clause.words[word.index + 1].lower == "to"


def _over(word: Word, new: str, rule: str, until: Word | None = None) -> Edit:
    """Replace an operator (and what follows it, up to `until`), which may be a short form without a space."""
    short = word.text[:1] in ("'", "’")  # noqa: RUF001
    return Edit(word.start, (until or word).end, f" {new}" if short else like(word, new), rule)


def _phrase_for(clause: Clause, phrase: ModalPhrase) -> str:
    return _negated(phrase) if clause.negators else phrase.words


def _tense(past: bool) -> str:
    return "past tense" if past else "present tense"


def _on_be(clause: Clause, be: Word, phrase: ModalPhrase) -> list[Edit] | None:
    past = be.lower in PAST_BE
    if phrase.kind == "ability" and clause.expletive is not None:
        return None  # nothing that could help it
    until = clause.negators[0] if clause.negators else None
    if until is not None and until.index != be.index + 1:
        return None
    form = "being" if phrase.form == "VBG" else "be"
    if phrase.kind == "modal":
        new = f"{_phrase_for(clause, phrase)} {'have been' if past else 'be'}"
    else:
        tag = "VBD" if past else "VBZ" if be.lower in ("is", "'s") else "VBP"
        near = {"'s": "is", "'re": "are", "'m": "am"}.get(be.lower, be.lower)
        new = f"{phrase.inflected(tag, near)} {form}"
    rule = f"modal phrase on be: {_tense(past)}"
    return [_over(be, new, rule, until), *_conjuncts(clause, phrase, past, rule)]


def _on_perfect(clause: Clause, have: Word, phrase: ModalPhrase) -> list[Edit] | None:
    until = clause.negators[0] if clause.negators else None
    if phrase.kind != "modal" or (until is not None and until.index != have.index + 1):
        return None
    new = f"{_phrase_for(clause, phrase)} have"
    rule = "modal phrase on a perfect"
    return [_over(have, new, rule, until), *_conjuncts(clause, phrase, True, rule)]


def _on_do(clause: Clause, verbs: VerbGroup, phrase: ModalPhrase) -> list[Edit] | None:
    do, main = verbs.first, verbs.main
    until = clause.negators[0] if clause.negators else do
    if main is None or main.index <= until.index or until.index > do.index + 1 or phrase.form != "VB":
        return None
    past = do.lower == "did"
    plain = plain_form(main)
    if phrase.kind == "modal":
        new = _phrase_for(clause, phrase) + (" have" if past else "")
        form = inflect(plain, "VBN") if past else plain
    else:
        tag = {"did": "VBD", "does": "VBZ"}.get(do.lower, "VBP")
        new, form = phrase.inflected(tag, be_form(tag, clause.subject)), plain
    rule = f"modal phrase on do: {_tense(past)}"
    return [_over(do, new, rule, until), swap(main, form, rule), *_conjuncts(clause, phrase, past, rule)]


def _on_verb(clause: Clause, verbs: VerbGroup, phrase: ModalPhrase) -> list[Edit] | None:
    verb = verbs.first
    tag = tense_of(verb, clause.subject)
    past = tag == "VBD"
    plain = plain_form(verb)
    if phrase.kind == "modal":
        new = f"{phrase.words} have {inflect(plain, 'VBN', verb.lower)}" if past else f"{phrase.words} {plain}"
    else:
        new = f"{phrase.inflected(tag, be_form(tag, clause.subject))} {inflect(plain, phrase.form, verb.lower)}"
    rule = f"modal phrase on a verb: {_tense(past)}"
    return [swap(verb, new, rule), *_conjuncts(clause, phrase, past, rule)]


def _conjuncts(clause: Clause, phrase: ModalPhrase, past: bool, rule: str) -> list[Edit]:
    """Coordinated verbs take the form that the phrase governs: "must have come and seen"."""
    edits = []
    tag = "VBN" if past and phrase.kind == "modal" else phrase.form
    for group in clause.coordinated:
        first = group.first
        if first.tag not in ("VBD", "VBZ", "VBP", "VBN") or (first is not group.main and first.lower in HAVE):
            continue
        if first.tag == "VBN" and clause.verbs is not None and len(clause.verbs.words) > 1:
            continue  # a participle under the same auxiliary keeps its form
        form = inflect(plain_form(first), tag, first.lower)
        if form != first.lower:
            edits.append(swap(first, form, rule))
    return edits
