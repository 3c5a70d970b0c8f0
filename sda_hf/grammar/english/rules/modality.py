"""Modal verbs and phrases on the predicate of the main clause, with tense and agreement kept.

SDA (LREC-COLING 2024), section 4.2 and Table 1: "must have travelled", whereas Algorithm 2 puts the base
form after the phrase.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from sda_hf.grammar.edits import Coverage, Edit, Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import PLAIN
from sda_hf.grammar.english.morphology import (
    DO,
    FINITE_BE,
    FUSED,
    HAVE,
    adverb_of_operator,
    be_form,
    full_operator,
    inflect,
    is_before_to,
    is_fused,
    is_operator,
    is_third_singular,
    plain_form,
    tense_of,
)
from sda_hf.grammar.english.rules import coordination, fragments, modal_questions
from sda_hf.grammar.english.rules.adverbs import adverb_site
from sda_hf.grammar.english.rules.commands import OF_COMMANDS, command_opening, proposal
from sda_hf.grammar.english.rules.modal_claims import OBLIGATION_VERBS, claim_of
from sda_hf.grammar.english.rules.modal_fit import NOT_SUITED, OBLIGATIONS, STANDS_FOR, doubt_of, rank_of
from sda_hf.grammar.english.rules.modal_phrases import ModalPhrase
from sda_hf.grammar.english.surface import before, is_short, opening_word, swap
from sda_hf.syntax.clause import Clause, VerbGroup, Word

ALREADY_MODAL = Skip("already modal")
NO_FIT = Skip("no phrase fits the verb group")
OBLIGATION = lexicon.words("verbs", "obligation")
FUTURE = lexicon.words("verbs", "future")
MOBILE = lexicon.words("adverbs", "mobile")
CONNECTIVES = lexicon.words("conjunctions", "connectives")
PAST_BE = frozenset({"was", "were"})
ON_COMMAND = Rule("modal-on-command", "modal phrase on a command")
ON_FRAGMENT = Rule("modal-on-fragment", "modal phrase on a fragment: this must be")
AFTER_MODAL = Rule("modal-behind-modal", "modal phrase after a modal")
FOR_MODAL = Rule("modal-for-modal", "modal replaced by another")
ON_ABILITY = Rule("modal-on-ability", "can → modal phrase + be able to")
BEFORE_CLAIM = Rule("modal-before-claim", "modal comment before the claim: I must say")
ON_PERFECT = Rule("modal-on-perfect", "modal phrase on the perfect")


def modalise(
    clause: Clause, phrases: Sequence[ModalPhrase], rng: random.Random, coverage: Coverage, doubt: str = ""
) -> Result:
    """Return the edits that add one of the phrases to the predicate: a random one of those that suit it best.

    Args:
        clause: the main clause.
        phrases: the phrases to draw from.
        rng: shuffles the phrases.
        coverage: "sound" leaves out the phrases that there is a doubt about; "full" draws from them, too.
        doubt: a doubt about any modal on the predicate.
    """
    unfit = _unfit(clause)
    if unfit is not None:
        phrases = [phrase for phrase in phrases if phrase.kind == "comment"]
    doubts = []
    for phrase, against in _ranked(clause, rng.sample(list(phrases), len(phrases)), coverage, doubt):
        edits = _rewrite(clause, phrase)
        if edits is None:
            continue
        if coverage == "sound" and against:
            doubts.append(against)
            continue
        return [replace(edit, doubt=edit.doubt or against) for edit in edits]
    if unfit is not None:
        return unfit
    if clause.mood == "declarative" and _is_obligation(clause):
        return ALREADY_MODAL
    reason = {"fragment": "no verb", "interrogative": "question"}.get(clause.mood, "")
    if coverage == "sound" and not reason:
        only = doubts[0] if len(phrases) == 1 and doubts else ""  # of several phrases, none has the reason
        reason = only or (doubt if clause.mood == "declarative" else "")
    return Skip(reason) if reason else NO_FIT


def _ranked(
    clause: Clause, phrases: Sequence[ModalPhrase], coverage: Coverage, on_predicate: str
) -> list[tuple[ModalPhrase, str]]:
    """Return the phrases that can precede the verb, with the doubt about each, from the best to the worst."""
    claim = claim_of(clause)
    ranked = []
    for phrase in phrases:
        rank = phrase.rank(clause)
        doubt = doubt_of(phrase, claim, clause) or (on_predicate if phrase.kind != "comment" else "")
        if rank is not None and not (doubt and phrase.kind == "comment"):
            key = rank if coverage == "full" else rank + rank_of(phrase, claim)
            ranked.append(((doubt == NOT_SUITED, key), phrase, doubt))
    return [(phrase, doubt) for _, phrase, doubt in sorted(ranked, key=lambda r: r[0])]


def _rewrite(clause: Clause, phrase: ModalPhrase) -> list[Edit] | None:
    if phrase.kind == "comment":
        opening = _claim_opening(clause)
        return [before(opening, phrase.words, BEFORE_CLAIM)] if opening is not None else None
    if clause.mood == "fragment":
        return _fragment(clause, phrase)
    if clause.mood == "imperative":
        return _command(clause, phrase)
    if clause.mood == "interrogative" and not _keeps_word_order(clause):
        return modal_questions.ask(clause, phrase)
    return _declarative(clause, phrase)


def _keeps_word_order(clause: Clause) -> bool:
    """Whether the subject precedes the verb: "Who came?", "You know him?"."""
    verbs, subject = clause.verbs, clause.subject
    assert verbs is not None
    return not clause.inverted and subject is not None and verbs.first.lower not in DO


def _fragment(clause: Clause, phrase: ModalPhrase) -> list[Edit] | None:
    """Rewrite "Great food." as "This must be great food."."""
    if phrase.kind == "ability" or not fragments.describes(clause):
        return None
    singular, plural = f"{phrase.inflected('VBZ', 'is')} be", f"{phrase.inflected('VBP', 'are')} be"
    return fragments.presented(clause, singular, plural, ON_FRAGMENT)


def _unfit(clause: Clause) -> Skip | None:
    verbs = clause.verbs
    if verbs is None:
        return None
    first = verbs.first
    if clause.tag:
        return Skip("question")
    if clause.inverted and clause.mood != "interrogative" and (len(verbs.words) > 1 or first.lower not in FINITE_BE):
        return Skip("inverted word order")
    if is_fused(clause, first):
        return FUSED
    if adverb_of_operator(clause, first) is not None:
        return ALREADY_MODAL
    if clause.negators and not is_operator(first, verbs) and clause.mood != "imperative":
        return ALREADY_MODAL  # "needn't"
    verb = verbs.main if first.lower in DO else first
    if verb is not None and verb is verbs.main and is_before_to(clause, verb):
        replaced = clause.mood == "declarative" and _is_obligation(clause)
        return ALREADY_MODAL if plain_form(verb) in ("have", "need", "use") and not replaced else None
    return None


def _is_obligation(clause: Clause) -> bool:
    """Whether the finite verb is the "have" or "need" of "has to go"."""
    verbs = clause.verbs
    if verbs is None or verbs.first is not verbs.main:
        return False
    return plain_form(verbs.first) in OBLIGATION_VERBS and is_before_to(clause, verbs.first)


def _command(clause: Clause, phrase: ModalPhrase) -> list[Edit] | None:
    verbs = clause.verbs
    assert verbs is not None
    first = verbs.first
    proposed = proposal(clause)
    if proposed is not None:
        new = f"we {phrase.inflected('VBP', 'are')}"
        return [ON_COMMAND.edit(first.start, proposed.end, new)] if phrase.form == "VB" else None
    negated = bool(clause.negators) and first.lower in DO  # but not "Try not to worry."
    if phrase.words == "be sure to":
        if negated:
            return [ON_COMMAND.edit(first.start, clause.negators[0].end, "be sure not to")]
        return [before(command_opening(clause, OF_COMMANDS | {"never"}), phrase.words, ON_COMMAND)]
    if negated:
        if phrase.kind != "modal":
            return None
        return [ON_COMMAND.edit(first.start, clause.negators[0].end, f"you {phrase.negated()}")]
    if phrase.form != "VB":
        return None
    at = command_opening(clause, OF_COMMANDS | {"please", "never"})
    return [before(at, f"you {phrase.inflected('VBP', 'are')}", ON_COMMAND)]


def _declarative(clause: Clause, phrase: ModalPhrase) -> list[Edit] | None:
    verbs = clause.verbs
    assert verbs is not None
    first = verbs.first
    full = full_operator(first, verbs) if is_operator(first, verbs) else ""
    if first.tag == "MD" or full in OBLIGATION:
        return _after_modal(clause, verbs, phrase, full)
    if _is_obligation(clause):
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


def _claim_opening(clause: Clause) -> Word | None:
    """Return the word before which a comment of the speaker's goes: the first one that does not connect sentences."""
    subject = clause.subject
    word = opening_word(clause)
    while word is not None and subject is not None and word.index < subject.first.index:
        if word.lower not in CONNECTIVES and word.label not in ("cc", "discourse"):
            return word
        word = next((w for w in clause.words[word.index + 1 :] if w.text[:1].isalnum()), None)
    return word


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
        return False
    if subject.head.lower == "i":
        return False
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
    return [_over(can, f"{_phrase_for(clause, phrase)} be able to", ON_ABILITY, until)]


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
