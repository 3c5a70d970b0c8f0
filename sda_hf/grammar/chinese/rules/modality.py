"""Modality: a modal verb or an adverb of affirmation before the predicate."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.mood import final_particles
from sda_hf.grammar.chinese.predicates import copula_of, modal_of, modal_site
from sda_hf.grammar.chinese.rules.modal_asked import asked_site
from sda_hf.grammar.chinese.rules.modal_claims import ClaimKind, claim_kind, inner_claim, proposes
from sda_hf.grammar.chinese.rules.modal_fit import COMMAND as OBLIGING
from sda_hf.grammar.chinese.rules.modal_fit import Ranker, is_comment, kinds_of
from sda_hf.grammar.chinese.rules.modal_sites import (
    has_topic,
    inquiry_site,
    question_site,
    request_site,
    site_of,
    stretch,
)
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.spans import MODALS
from sda_hf.grammar.chinese.surface import after, before, form
from sda_hf.grammar.edits import Coverage, Result, Rule, Skip
from sda_hf.syntax.clause import Clause, Word

ALREADY_MODAL = Skip("already modal")
NO_FIT = Skip("no phrase fits the clause")
COMMENTS = lexicon.words("modal phrases", "comments")
IMMINENT = lexicon.words("modal phrases", "imminent")
INFERABLE = lexicon.words("modal phrases", "inferable")
WISHING = lexicon.words("verbs", "wishing")
GREETINGS = lexicon.words("doubts", "greeting")
LONGEST_COMMAND = 10  # words
YOU = lexicon.words("pronouns", "you")
STATEMENT = Rule("modal", "modal before the predicate")
AFFIRMED = Rule("modal-comment", "adverb of affirmation before the predicate")
UNCLAIMED = Rule(AFFIRMED.id, AFFIRMED.words, doubt="statement or command: there is no subject")
QUESTION = Rule("modal-question", "modal in a question")
UNASKED = Rule(QUESTION.id, QUESTION.words, doubt="question: it is uncertain what is asked about")
COMMAND = Rule("modal-command", "modal on a command")
RULES: dict[ClaimKind, Rule] = {
    "command": COMMAND,
    "request": COMMAND,
    "which": QUESTION,
    "whether": QUESTION,
}


def modalise(clause: Clause, rng: random.Random, phrases: Sequence[str], coverage: Coverage) -> Result:
    """Put one of the phrases before the predicate: a random one of those that suit it best.

    Args:
        clause: the main clause.
        rng: draws the phrase.
        phrases: the phrases to draw from, in either script.
        coverage: "sound" or "full".
    """
    unfit = _unfit(clause)
    if unfit is not None:
        return unfit
    kind = claim_kind(clause)
    setting = _setting(clause)
    ranker = Ranker(clause, kind)
    ranked = []
    excluded: list[int] = []
    for phrase in rng.sample(list(phrases), len(phrases)):
        phrase = simplified(phrase)
        value = ranker.rank(phrase)
        if value is None:
            continue
        if _excludes(setting, kind, phrase):
            excluded.append(value)
        else:
            ranked.append((value, phrase))
    if ranked and kind == "open" and excluded and min(excluded) < min(ranked)[0]:
        return ALREADY_MODAL
    if not ranked:
        if excluded or setting.modal is not None or setting.commented:
            return ALREADY_MODAL
        return {"request": Skip("request"), "which": Skip("question"), "whether": Skip("question")}.get(kind, NO_FIT)
    return _put(clause, kind, min(ranked, key=lambda entry: entry[0])[1])


def _unfit(clause: Clause) -> Skip | None:
    spoken = [form(w) for w in clause.words if w.pos != "PUNCT"]
    if spoken and spoken[0] in WISHING:
        return Skip("wish")
    if clause.verbs is None and clause.mood == "interrogative":
        return Skip("no verb")
    if clause.verbs is None and (clause.mood == "fragment" or (spoken[:1] and spoken[0] in GREETINGS)):
        return Skip("no verb")
    if clause.negation is not None and clause.negation.kind == "别":
        return Skip("command")
    if spoken[-1:] in (["吧"], ["呗"]) and proposes(clause):
        return Skip("request")
    return None


def _comment_of(clause: Clause) -> Word | None:
    """Return a comment on the claim that it has already: in the same part of the sentence, or at the beginning."""
    start = stretch(clause, clause.predicate.index)
    near = (*clause.words[:1], *clause.words[start : clause.predicate.index])
    return next((w for w in near if form(w) in COMMENTS), None)


@dataclass(frozen=True, slots=True)
class _Setting:
    """What stands beside the place of a phrase, whichever phrase it is.

    Attributes:
        modal: the first modal of the claim.
        commented: whether the claim has a comment already.
        answering: whether 就, 便 or 则 precedes the place of a comment.
        led: whether a modal precedes the place of a modal verb.
        imminent: whether an adverb before the predicate says how soon or how often it happens, as 即将 and 常 do.
        guessed: whether a comment stands anywhere before a question word.
        obliged: whether a command has a modal anywhere.
    """

    modal: Word | None
    commented: bool
    answering: bool
    led: bool
    imminent: bool
    guessed: bool
    obliged: bool


def _setting(clause: Clause) -> _Setting:
    words, at = clause.words, modal_site(clause).index
    site = site_of(clause, comment=True).index
    start = stretch(clause, clause.predicate.index)
    return _Setting(
        modal=modal_of(clause),
        commented=_comment_of(clause) is not None,
        answering=site > 0 and form(words[site - 1]) in ("就", "便", "则"),
        led=any(form(w) in MODALS for w in words[stretch(clause, at) : at]),
        imminent=any(form(w) in IMMINENT for w in words[start : clause.predicate.index]),
        obliged=any(form(w) in OBLIGING for w in words),
        guessed=any(form(w) in COMMENTS for w in words),
    )


def _excludes(setting: _Setting, kind: ClaimKind, phrase: str) -> bool:
    """Whether the claim has a modal that the phrase cannot precede."""
    kinds = kinds_of(phrase)
    if "inquire" in kinds:
        return setting.guessed
    if setting.commented or (setting.imminent and kinds[0] == "forecast"):
        return True
    if kind == "command" and setting.obliged:
        return True
    comment = is_comment(phrase)
    if comment and setting.answering:
        return True
    if setting.modal is None:
        return setting.led and not comment
    if kinds[0] == "affirm":
        return False
    inferable = form(setting.modal) in INFERABLE and kind not in ("command", "request")
    return kinds[0] not in ("infer", "sure", "suppose") or not inferable


def _put(clause: Clause, kind: ClaimKind, phrase: str) -> Result:
    comment = is_comment(phrase)
    if not comment:
        clause = inner_claim(clause)
    rule = RULES.get(kind, AFFIRMED if comment else STATEMENT)
    if kind == "request":
        asked = request_site(clause)
        return [before(clause, rule, asked, phrase)] if asked is not None else Skip("request")
    if kind == "which":
        asked = inquiry_site(clause) if "inquire" in kinds_of(phrase) else question_site(clause)
        return [before(clause, rule, asked, phrase)] if asked is not None else Skip("question")
    if kind == "whether" and kinds_of(phrase)[0] == "affirm":
        asked = asked_site(clause)
        return [before(clause, rule if asked else UNASKED, asked or site_of(clause, comment=True), phrase)]
    site = site_of(clause, comment=comment and not (kinds_of(phrase)[0] == "infer" and kind in ("open", "habit")))
    if kind == "narrative" and phrase in ("应该", "应当") and copula_of(clause) is None:
        phrase += "是"
    if not comment and kinds_of(phrase)[0] == "forecast" and clause.negation is not None:
        return [after(clause, rule, clause.negation.word, phrase)]
    if phrase == "会" and kind == "habit" and site.index and form(clause.words[site.index - 1])[:1] in "每天":
        phrase = "都会"
    if kinds_of(phrase)[0] in ("affirm", "sure") and kind == "open" and _may_command(clause):
        rule = UNCLAIMED
    return [before(clause, rule, site, phrase)]


def _may_command(clause: Clause) -> bool:
    """Whether a bare verb may be a command: without a subject in a short sentence, or addressed to somebody."""
    written = clause.end_mark is not None and clause.end_mark.text == "。" and len(clause.words) > LONGEST_COMMAND
    if any(form(w) in ("吧", "呗") for w in final_particles(clause.words)):
        return True
    return _addressed(clause) or not (has_topic(clause) or written)


def _addressed(clause: Clause) -> bool:
    """Whether the subject is the person spoken to, so that a bare verb may be a command."""
    return clause.subject is not None and form(clause.subject.head) in YOU and modal_of(clause) is None
