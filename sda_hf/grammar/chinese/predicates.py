"""What several rules ask about the predicate of a claim: its place, kind, aspect and time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.mood import FINAL
from sda_hf.grammar.chinese.spans import is_modal, is_progressive, is_time, left_edge
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

STATIVE = lexicon.words("verbs", "stative")
HAVING = lexicon.words("verbs", "having")
EXPERIENCED = lexicon.words("verbs", "experienced")
COPULA = lexicon.words("verbs", "copula")
COMPLEMENTS = lexicon.words("verbs", "complements")
WITH_DE = lexicon.words("verbs", "with-de")
DEGREE = lexicon.words("adverbs", "degree")
PERFECT = lexicon.words("adverbs", "perfect")
PAST = lexicon.words("time", "past")
FUTURE = lexicon.words("time", "future")
HABITUAL = lexicon.words("time", "habitual")
YEAR = re.compile(r"(?:1\d|20)\d\d|[一二][九零〇]..年")
BOUND = ("于", "为")
PARTICLES = ("了", "过", "着", "著")
AspectKind = Literal["perfective", "change", "experiential", "durative", "progressive", "none"]


@dataclass(frozen=True, slots=True)
class Aspect:
    """The aspect of a claim.

    Attributes:
        kind: "perfective" (了 after the verb), "change" (了 at the end alone), "experiential" (过), "durative" (着),
            "progressive" (在, 正在 or 呢), or "none".
        marker: the particle after the verb: 了, 过 or 着.
        final: 了 at the end of the sentence; the same word as `marker` where the verb is last.
        adverb: the adverb that goes with it: 已经, 曾, 正在.
    """

    kind: AspectKind
    marker: Word | None = None
    final: Word | None = None
    adverb: Word | None = None


# -- the place -----------------------------------------------------------------------------------


def negation_site(clause: Clause) -> Word:
    """Return the word before which a negator goes: after times, topics and comments, before coverbs and manner."""
    return clause.words[left_edge(clause.tree, clause.predicate)]


def modal_site(clause: Clause) -> Word:
    """Return the word before which a modal goes: as a negator, but before 已经, 正在, 不 and the like, too."""
    return clause.words[left_edge(clause.tree, clause.predicate, aspectual=True)]


def before_site(clause: Clause) -> tuple[Word, ...]:
    """Return the words before the place of a modal: subject, times, topics, comments."""
    return clause.words[: modal_site(clause).index]


# -- the kind ------------------------------------------------------------------------------------


def copula_of(clause: Clause) -> Word | None:
    """Return 是 (or 为, 就是) of the claim."""
    group = clause.verbs.words if clause.verbs else ()
    return next((w for w in group if w.label == "cop" or (form(w) in COPULA and w.tag.startswith("VC"))), None)


def modal_of(clause: Clause) -> Word | None:
    """Return the first modal of the claim: 会, 应该, 可以."""
    group = clause.verbs.words if clause.verbs else ()
    return next((w for w in group if is_modal(w) and w is not clause.predicate), None)


def verb_of(clause: Clause) -> str:
    """Return the predicate in simplified script, with 于 or 为 where the segmenter took it for a word: 位于."""
    after = clause.words[clause.predicate.index + 1 : clause.predicate.index + 2]
    joined = bool(after) and form(after[0]) in BOUND and after[0].end - after[0].start == 1
    return form(clause.predicate) + (form(after[0]) if joined and len(form(clause.predicate)) == 1 else "")


def is_having(clause: Clause) -> bool:
    """Whether the claim is that there is, or that somebody has, something."""
    return form(clause.predicate) in HAVING


def is_stative(clause: Clause) -> bool:
    """Whether the claim is about a state: 喜欢, 是, 有, 位于."""
    text = verb_of(clause)
    return text in STATIVE or text in HAVING or copula_of(clause) is not None or (len(text) > 1 and text[-1] == "于")


def is_adjectival(clause: Clause) -> bool:
    """Whether the predicate is an adjective: by its tag, or with 很 before it and no object, or with 太 and 了."""
    if copula_of(clause) is not None or form(clause.predicate) in STATIVE:
        return False
    if is_excessive(clause):
        return True
    return clause.predicate.pos == "ADJ" or (
        degree_of(clause) is not None and not clause.children(clause.predicate, "obj")
    )


def is_excessive(clause: Clause) -> bool:
    """Whether 太 and an adjective are one word, before 了: 太贵了."""
    text = form(clause.predicate)
    return len(text) == 2 and text[0] == "太" and final_le(clause) is not None


def degree_of(clause: Clause) -> Word | None:
    """Return the adverb of degree right before the predicate: 很, 非常."""
    index = clause.predicate.index
    before = clause.words[index - 1] if index else None
    return before if before is not None and form(before) in DEGREE else None


# -- after the verb ------------------------------------------------------------------------------


def complement_of(clause: Clause) -> tuple[Word, ...]:
    """Return the complements of result or direction right after the verb: 完, 起来; without 得 and 不."""
    found = []
    for word in clause.words[clause.predicate.index + 1 : clause.predicate.index + 4]:
        if word.label != "compound:vv" and not (
            form(word) in COMPLEMENTS and word.pos == "VERB" and word.label != "obj"
        ):
            break
        found.append(word)
    return tuple(found)


def de_of(clause: Clause) -> Word | None:
    """Return 得 between the verb and its complement: 看得懂, 跑得快."""
    after = clause.words[clause.predicate.index + 1 : clause.predicate.index + 2]
    return after[0] if after and form(after[0]) == "得" else None


def final_le(clause: Clause) -> Word | None:
    """Return 了 at the end of the sentence, before its particles and its mark."""
    for word in reversed(clause.words):
        if form(word) == "了":
            return word
        if word.pos != "PUNCT" and form(word) not in FINAL:
            return None
    return None


def aspect_of(clause: Clause) -> Aspect:
    """Return the aspect of the claim, by the particles after its verb and the adverbs before it."""
    verb_end = clause.predicate.index + len(complement_of(clause))
    after = clause.words[verb_end + 1 : verb_end + 2]
    marker = after[0] if after and form(after[0]) in PARTICLES and after[0].pos in ("AUX", "PART", "VERB") else None
    final = final_le(clause)
    adverbs = clause.words[: clause.predicate.index]
    adverb = next((w for w in adverbs if form(w) in PERFECT), None)
    progressive = next((w for w in adverbs[modal_site(clause).index :] if is_progressive(clause.tree, w)), None)
    if form(clause.predicate) in EXPERIENCED and marker is None:
        return Aspect("experiential", None, final, adverb)
    kinds: dict[str, AspectKind] = {"了": "perfective", "过": "experiential", "着": "durative", "著": "durative"}
    if marker is not None and marker is final and clause.predicate.pos == "ADJ":
        return Aspect("change", marker, final, adverb)
    if marker is not None:
        return Aspect(kinds[form(marker)], marker, final, adverb or progressive)
    if progressive is not None:
        return Aspect("progressive", None, final, progressive)
    if final is not None:
        return Aspect("change", None, final, adverb)
    return Aspect("perfective" if adverb is not None else "none", None, None, adverb)


# -- time ----------------------------------------------------------------------------------------


def times_of(clause: Clause) -> tuple[Word, ...]:
    """Return the words that tell a time."""
    return tuple(w for w in clause.words if is_time(w))


def is_past(clause: Clause) -> bool:
    """Whether a word sets the claim in the past: 昨天, 1998年, 后来."""
    return any(form(w) in PAST for w in clause.words) or is_dated(clause)


def is_dated(clause: Clause) -> bool:
    """Whether the claim has a year: 1998年, 于2001年."""
    return YEAR.search("".join(map(form, clause.words))) is not None


def is_future(clause: Clause) -> bool:
    """Whether a word sets the claim in the future: 明天, 下周."""
    return any(form(w) in FUTURE for w in clause.words)


def is_habitual(clause: Clause) -> bool:
    """Whether a word says that the claim is a habit: 每天, 经常."""
    return any(form(w) in HABITUAL for w in clause.words)
