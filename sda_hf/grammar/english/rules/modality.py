"""Modal verbs and phrases on the predicate of the main clause, with tense and agreement kept.

SDA (LREC-COLING 2024), section 4.2 and Table 1: "must have travelled", whereas Algorithm 2 puts the base
form after the phrase.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from sda_hf.grammar.edits import Coverage, Edit, Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.morphology import (
    DO,
    FINITE_BE,
    FUSED,
    adverb_of_operator,
    is_before_to,
    is_fused,
    is_operator,
    plain_form,
)
from sda_hf.grammar.english.rules import fragments, modal_predicates, modal_questions
from sda_hf.grammar.english.rules.commands import OF_COMMANDS, command_opening, proposal
from sda_hf.grammar.english.rules.matrix_clause import Site, is_participle_first, start_of_statement
from sda_hf.grammar.english.rules.modal_claims import claim_of
from sda_hf.grammar.english.rules.modal_fit import NOT_SUITED, doubt_of, rank_of
from sda_hf.grammar.english.rules.modal_phrases import ModalPhrase
from sda_hf.grammar.english.surface import before
from sda_hf.syntax.clause import Clause

ALREADY_MODAL = Skip("already modal")
NO_FIT = Skip("no phrase fits the verb group")
CONNECTIVES = lexicon.words("conjunctions", "connectives")
ON_COMMAND = Rule("modal-on-command", "modal phrase on a command")
ON_FRAGMENT = Rule("modal-on-fragment", "modal phrase on a fragment: this must be")
BEFORE_CLAIM = Rule("modal-before-claim", "comment with a modal verb before the claim")


def modalise(
    clause: Clause,
    phrases: Sequence[ModalPhrase],
    rng: random.Random,
    coverage: Coverage,
    doubts_of: Mapping[str, str] = MappingProxyType({}),
) -> Result:
    """Return the edits that add one of the phrases to the predicate: a random one of those that suit it best.

    Args:
        clause: the main clause.
        phrases: the phrases to draw from.
        rng: shuffles the phrases.
        coverage: "sound" leaves out the phrases that there is a doubt about; "full" draws from them, too.
        doubts_of: the doubts about kinds of phrases: "predicate" for any modal on it, "comment",
            and for some the phrase or its last word: "must", "that".
    """
    unfit = _unfit(clause)
    if unfit is not None:
        phrases = [phrase for phrase in phrases if phrase.kind == "comment"]
    doubts = []
    for phrase, against in _ranked(clause, rng.sample(list(phrases), len(phrases)), coverage, doubts_of):
        if coverage == "sound" and against and len(phrases) > 1:
            continue
        edits = _rewrite(clause, phrase)
        if edits is None:
            continue
        if coverage == "sound" and against:
            doubts.append(against)
            continue
        return [replace(edit, doubt=edit.doubt or against) for edit in edits]
    if unfit is not None:
        return unfit
    if clause.mood == "declarative" and modal_predicates.is_obligation(clause):
        return ALREADY_MODAL
    reason = {"fragment": "no verb", "interrogative": "question"}.get(clause.mood, "")
    if coverage == "sound" and not reason:
        only = doubts[0] if len(phrases) == 1 and doubts else ""  # of several phrases, none has the reason
        reason = only or (doubts_of.get("predicate", "") if clause.mood == "declarative" else "")
    return Skip(reason) if reason else NO_FIT


def _ranked(
    clause: Clause, phrases: Sequence[ModalPhrase], coverage: Coverage, doubts_of: Mapping[str, str]
) -> list[tuple[ModalPhrase, str]]:
    """Return the phrases that can precede the verb, with the doubt about each, from the best to the worst."""
    claim = claim_of(clause)
    ranked = []
    for phrase in phrases:
        rank = phrase.rank(clause)
        doubt = doubt_of(phrase, claim, clause)
        if rank is not None and not (doubt and phrase.kind == "comment"):
            doubt = doubt or doubts_of.get("comment" if phrase.kind == "comment" else "predicate", "")
            doubt = doubt or doubts_of.get(phrase.words, "") or doubts_of.get(phrase.words.split()[-1], "")
            key = rank if coverage == "full" else rank + rank_of(phrase, claim)
            ranked.append(((doubt == NOT_SUITED, key), phrase, doubt))
    return [(phrase, doubt) for _, phrase, doubt in sorted(ranked, key=lambda r: r[0])]


def _rewrite(clause: Clause, phrase: ModalPhrase) -> list[Edit] | None:
    if phrase.kind == "comment":
        start = start_of_statement(clause)
        return [Site(start, None, is_participle_first(clause, start)).put(phrase.words, BEFORE_CLAIM)]
    if clause.mood == "fragment":
        return _fragment(clause, phrase)
    if clause.mood == "imperative":
        return _command(clause, phrase)
    if clause.mood == "interrogative" and not _keeps_word_order(clause):
        return modal_questions.ask(clause, phrase)
    return modal_predicates.add(clause, phrase)


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
        replaced = clause.mood == "declarative" and modal_predicates.is_obligation(clause)
        return ALREADY_MODAL if plain_form(verb) in ("have", "need", "use") and not replaced else None
    return None


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
