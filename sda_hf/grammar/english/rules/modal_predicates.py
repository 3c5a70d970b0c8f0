"""Modal phrases on the predicate of a statement: "left" → "must have left", "will go" → "is going to go"."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import PLAIN
from sda_hf.grammar.english.morphology import (
    DO,
    FINITE_BE,
    HAVE,
    be_form,
    full_operator,
    inflect,
    is_before_to,
    is_operator,
    is_third_singular,
    plain_form,
    tense_of,
)
from sda_hf.grammar.english.rules import coordination
from sda_hf.grammar.english.rules.adverbs import adverb_site
from sda_hf.grammar.english.rules.modal_claims import OBLIGATION_VERBS
from sda_hf.grammar.english.rules.modal_fit import OBLIGATIONS, STANDS_FOR
from sda_hf.grammar.english.rules.modal_phrases import ModalPhrase
from sda_hf.grammar.english.surface import before, is_short, swap
from sda_hf.syntax.clause import Clause, VerbGroup, Word

OBLIGATION = lexicon.words("verbs", "obligation")
FUTURE = lexicon.words("verbs", "future")
MOBILE = lexicon.words("adverbs", "mobile")
PAST_BE = frozenset({"was", "were"})
AFTER_MODAL = Rule("modal-behind-modal", "modal phrase after a modal")
FOR_MODAL = Rule("modal-for-modal", "modal replaced by another")
ON_ABILITY = Rule("modal-on-ability", "can → modal phrase + be able to")
ON_PERFECT = Rule("modal-on-perfect", "modal phrase on the perfect")


def add(clause: Clause, phrase: ModalPhrase) -> list[Edit] | None:
    """Return the edits that add a phrase to the finite verb of a statement; None if it cannot precede the verb."""
    verbs = clause.verbs
    assert verbs is not None
    first = verbs.first
    full = full_operator(first, verbs) if is_operator(first, verbs) else ""
    if first.tag == "MD" or full in OBLIGATION:
        return _after_modal(clause, verbs, phrase, full)
    if is_obligation(clause):
        return _for_obligation(clause, first, phrase)
    if clause.negators and phrase.kind != "modal" and phrase.words != "be able to":
        return None
    if first.lower in FINITE_BE and full != "has":
        return _on_be(clause, first, full, phrase)
    if is_operator(first, verbs) and (first.lower in HAVE or full == "has"):
        return _on_perfect(clause, first, phrase)
    if is_operator(first, verbs) and first.lower in DO:
        return _on_do(clause, verbs, phrase)
    return _on_verb(clause, verbs, phrase)


def is_obligation(clause: Clause) -> bool:
    """Whether the finite verb is the "have" or "need" of "has to go"."""
    verbs = clause.verbs
    if verbs is None or verbs.first is not verbs.main:
        return False
    return plain_form(verbs.first) in OBLIGATION_VERBS and is_before_to(clause, verbs.first)


def _for_obligation(clause: Clause, have: Word, phrase: ModalPhrase) -> list[Edit] | None:
    """Rewrite "has to go" as "must go", and "needs to go" as "has to go"."""
    tag = tense_of(have, clause.subject)
    same = phrase.words.split()[0] == plain_form(have)
    if same or phrase.words not in OBLIGATIONS or (tag == "VBD" and phrase.words == "must"):
        return None
    return [_over(have, phrase.inflected(tag), FOR_MODAL, clause.words[have.index + 1])]


def _for_same_modal(clause: Clause, modal: Word, phrase: ModalPhrase, past: bool = False) -> list[Edit] | None:
    """Rewrite "will go" as "is going to go", "can't go" as "isn't able to go", and "should go" as "ought to go"."""
    until = _negator_after(clause, modal)
    if clause.negators and until is None:
        return None
    if phrase.kind == "modal":
        return [_over(modal, _phrase_for(clause, phrase), FOR_MODAL, until)]
    singular = _is_singular(clause)
    if singular is None:
        return None
    tag = "VBD" if past else "VBZ" if singular else "VBP"
    first, *rest = phrase.inflected(tag, _be_form(tag, clause)).split()
    new = " ".join([first, "not", *rest] if clause.negators else [first, *rest])
    if clause.negators and first not in ("is", "am", "are", "was", "were"):
        return None
    verb = next((w for w in clause.words[modal.index + 1 :] if w.tag in PLAIN), None)
    if verb is not None and not clause.negators and first != "have" and verb.index > modal.index + 1:
        moved = " ".join(rest)  # "will also go" → "is also going to go"
        return [_over(modal, first, FOR_MODAL), before(verb, moved, FOR_MODAL)]
    return [_over(modal, new, FOR_MODAL, until)]


def _is_singular(clause: Clause) -> bool | None:
    """Whether the subject takes a verb in -s; None if that is not certain."""
    subject = clause.subject
    if subject is None or (clause.expletive is not None and clause.expletive.lower != "there"):
        return None
    if clause.children(subject.head, "conj"):
        inside = clause.words[subject.first.index : subject.last.index + 1]
        return None if any(w.lower in ("or", "nor", "/") for w in inside) else False
    if subject.head.lower == "i":
        return False
    if subject.first.lower in ("all", "most", "some") and subject.head.tag == "NN":
        return None  # "all offspring"
    return is_third_singular(subject)


def _after_modal(clause: Clause, verbs: VerbGroup, phrase: ModalPhrase, full: str) -> list[Edit] | None:
    first = verbs.first
    following = next((w for w in verbs.words if w.index > first.index), None)
    if following is not None and following.tag in PLAIN and not is_before_to(clause, first):
        if phrase.words == "be able to" and full == "could" and clause.negators:
            return _for_same_modal(clause, first, phrase, past=True)
        if full in STANDS_FOR.get(phrase.words, ()):
            return _for_same_modal(clause, first, phrase)
    return _with_modal(clause, verbs, following, phrase, full)


def _with_modal(
    clause: Clause, verbs: VerbGroup, following: Word | None, phrase: ModalPhrase, full: str
) -> list[Edit] | None:
    """Rewrite "will go" as "will have to go", and "can go" as "must be able to go"."""
    first = verbs.first
    if full == "ought" and is_before_to(clause, first) and phrase.kind == "modal" and phrase.words != "ought to":
        return [_over(first, phrase.words, FOR_MODAL, clause.words[first.index + 1])]
    if following is None or following.tag not in PLAIN:
        return None
    if full in ("can", "could") and phrase.kind == "modal" and following.lower != "have":
        return _on_ability(clause, first, phrase)
    if clause.negators:
        return _on_refusal(clause, first, full, phrase)
    if following.lower in ("have", "'ve", "need") and (following is not verbs.main or is_before_to(clause, following)):
        return None
    if full in FUTURE and phrase.kind == "verb" and phrase.form == "VB":
        return [AFTER_MODAL.edit(first.end, first.end, f" {phrase.words}")]
    if full in ("must", "should") and phrase.kind == "modal" and phrase.words != full:
        return [_over(first, phrase.words, FOR_MODAL)]
    return None


def _on_ability(clause: Clause, can: Word, phrase: ModalPhrase) -> list[Edit] | None:
    """Rewrite "can swim" as "must be able to swim", and "can't swim" as "must not be able to swim"."""
    until = _negator_after(clause, can)
    if clause.negators and until is None:
        return None
    new = _phrase_for(clause, phrase)
    adverb = clause.words[(until or can).index + 1]
    if adverb.lower in MOBILE and adverb.label == "advmod":  # "can also swim" → "must also be able to swim"
        return [_over(can, new, ON_ABILITY, until), ON_ABILITY.edit(adverb.end, adverb.end, " be able to")]
    return [_over(can, f"{new} be able to", ON_ABILITY, until)]


def _on_refusal(clause: Clause, will: Word, full: str, phrase: ModalPhrase) -> list[Edit] | None:
    """Rewrite "won't accept" as "must not accept"."""
    until = _negator_after(clause, will)
    if full not in ("will", "would") or phrase.kind != "modal" or until is None:
        return None
    return [_over(will, phrase.negated(), FOR_MODAL, until)]


def _negator_after(clause: Clause, operator: Word) -> Word | None:
    """Return the only negator if it directly follows the operator."""
    adjacent = len(clause.negators) == 1 and clause.negators[0].index == operator.index + 1
    return clause.negators[0] if adjacent else None


def _over(word: Word, new: str, rule: Rule, until: Word | None = None) -> Edit:
    """Replace an operator, and what follows it up to `until`; a short form such as "'s" gets a space before it."""
    return rule.edit(word.start, (until or word).end, f" {new}" if is_short(word) else new)


def _phrase_for(clause: Clause, phrase: ModalPhrase) -> str:
    return phrase.negated() if clause.negators else phrase.words


def _be_form(tag: str, clause: Clause) -> str:
    """Return the form of "be" that agrees with the subject, which a second noun makes plural: "my wife and I"."""
    subject = clause.subject
    if subject is not None and tag != "VBZ" and clause.children(subject.head, "conj"):
        return "were" if tag == "VBD" else "are"
    return be_form(tag, subject)


def _tense(past: bool) -> str:
    return "past tense" if past else "present tense"


def _on_be(clause: Clause, be: Word, full: str, phrase: ModalPhrase) -> list[Edit] | None:
    past = be.lower in PAST_BE
    following = " ".join(w.lower for w in clause.words[be.index + 1 : be.index + 3])
    if phrase.words.split(maxsplit=1)[1:] == [following]:
        return None  # "is supposed to"
    if phrase.kind == "ability" and clause.expletive is not None:
        return None  # the subject is nobody who could help it
    until = clause.negators[0] if clause.negators else None
    if until is not None and until.index != be.index + 1:
        return None
    form = "being" if phrase.form == "VBG" else "be"
    if phrase.kind == "modal":
        new, form = _phrase_for(clause, phrase), "have been" if past else "be"
    else:
        tag = "VBD" if past else "VBZ" if full == "is" else "VBP"
        new = phrase.inflected(tag, full)
    rule = Rule("modal-on-be", f"modal phrase on be: {_tense(past)}")
    adverb = _mobile_adverb(clause, until or be)
    conjuncts = _conjuncts(clause, phrase, past, rule)
    if adverb is None:
        return [_over(be, f"{new} {form}", rule, until), *conjuncts]
    return [_over(be, new, rule, until), rule.edit(adverb.end, adverb.end, f" {form}"), *conjuncts]


def _mobile_adverb(clause: Clause, word: Word) -> Word | None:
    """Return an adverb after "be" that moves before it under a modal: "is also" → "must also be"."""
    following = clause.words[word.index + 1 : word.index + 3]
    if len(following) < 2 or following[0].lower not in MOBILE or not following[1].text[:1].isalnum():
        return None
    return following[0] if following[0].head == clause.predicate.index and clause.expletive is None else None


def _on_perfect(clause: Clause, have: Word, phrase: ModalPhrase) -> list[Edit] | None:
    until = clause.negators[0] if clause.negators else None
    if phrase.kind != "modal" or (until is not None and until.index != have.index + 1):
        return None
    new = f"{_phrase_for(clause, phrase)} have"
    return [_over(have, new, ON_PERFECT, until), *_conjuncts(clause, phrase, True, ON_PERFECT)]


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
        new, form = phrase.inflected(tag, _be_form(tag, clause)), plain
        if clause.negators:  # "didn't win" → "was not able to win"
            new = new.replace(" ", " not ", 1)
    rule = Rule("modal-on-do", f"modal phrase on do: {_tense(past)}")
    return [_over(do, new, rule, until), swap(main, form, rule), *_conjuncts(clause, phrase, past, rule)]


def _on_verb(clause: Clause, verbs: VerbGroup, phrase: ModalPhrase) -> list[Edit] | None:
    verb = verbs.first
    tag = tense_of(verb, clause.subject)
    past = tag == "VBD"
    plain = plain_form(verb)
    rule = Rule("modal-on-verb", f"modal phrase on a verb: {_tense(past)}")
    if phrase.kind != "modal":
        new = f"{phrase.inflected(tag, _be_form(tag, clause))} {inflect(plain, phrase.form, verb.lower)}"
        return [swap(verb, new, rule), *_conjuncts(clause, phrase, past, rule)]
    modal, form = (f"{phrase.words} have", inflect(plain, "VBN", verb.lower)) if past else (phrase.words, plain)
    site = _modal_site(clause, verb)
    if site is verb:
        edits = [swap(verb, f"{modal} {form}", rule)]
    elif past and site.lower in MOBILE:  # "also went" → "must also have gone"
        edits = [before(site, phrase.words, rule), swap(verb, f"have {form}", rule)]
    else:  # "always goes" → "must always go"
        edits = [before(site, modal, rule), swap(verb, form, rule)]
    return [*edits, *_conjuncts(clause, phrase, past, rule)]


def _modal_site(clause: Clause, verb: Word) -> Word:
    """Return the word before which a modal goes: "also served" → "must also have served"."""
    site = adverb_site(clause, verb)
    previous = clause.words[site.index - 1] if site.index > 0 else None
    if previous is None or previous.lower not in MOBILE or previous.label != "advmod" or previous.head != verb.index:
        return site
    subject = clause.subject
    return previous if subject is not None and subject.last.index == previous.index - 1 else site


def _conjuncts(clause: Clause, phrase: ModalPhrase, past: bool, rule: Rule) -> list[Edit]:
    """Give coordinated verbs the form that the phrase requires: "must have come and seen"."""
    return coordination.in_form(clause, "VBN" if past and phrase.kind == "modal" else phrase.form, rule)
