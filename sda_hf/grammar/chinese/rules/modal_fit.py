"""Which phrases of modality fit which claims, and which fit best."""

from __future__ import annotations

import functools

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.predicates import aspect_of, copula_of
from sda_hf.grammar.chinese.rules.modal_claims import ClaimKind, is_planned, is_pointed, is_state, tends
from sda_hf.grammar.chinese.rules.modal_questions import MANNER, alternative_of, asks_openly
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.syntax.clause import Clause

SECTION = "modal phrases"
KINDS = ("infer", "sure", "affirm", "focus", "forecast", "intend", "consent", "oblige", "enable", "succeed", "suppose")
PHRASES = {kind: lexicon.words(SECTION, kind) for kind in (*KINDS, "inquire")}
COMMAND = lexicon.words(SECTION, "command")
POLITE = lexicon.words(SECTION, "polite")
ACHIEVEMENTS = lexicon.words(SECTION, "achievements")
LONGEST_OFFER = 8  # words
FIRST = frozenset("我 我们 咱们 咱 本人 俺".split())
COMMENTS = frozenset("infer sure affirm focus suppose inquire".split())
# The kinds of phrases that fit each kind of claim, from the best to the worst.
ORDER: dict[ClaimKind, tuple[str, ...]] = {
    "fact": ("affirm", "sure", "infer", "focus", "suppose"),
    "narrative": ("affirm", "sure", "succeed", "infer", "focus", "suppose"),
    "state": ("affirm", "sure", "infer", "focus", "suppose"),
    "plan": ("forecast", "intend", "sure", "oblige", "affirm", "enable", "infer", "consent", "suppose"),
    "habit": ("forecast", "affirm", "oblige", "intend", "enable", "infer", "sure", "consent", "suppose"),
    "effect": ("enable", "forecast", "affirm", "infer", "succeed", "oblige", "intend", "sure", "consent", "suppose"),
    "open": (
        "affirm",
        "succeed",
        "forecast",
        "enable",
        "intend",
        "oblige",
        "infer",
        "sure",
        "consent",
        "focus",
        "suppose",
    ),
    "whether": ("forecast", "affirm", "enable", "intend", "infer"),
    "which": ("inquire", "forecast", "intend", "infer", "enable", "oblige"),
}


@functools.lru_cache(maxsize=256)
def kinds_of(phrase: str) -> tuple[str, ...]:
    """Return the kinds of a phrase; one that is on no list is taken as a modal verb of obligation.

    Example:
        >>> kinds_of("能够")
        ('enable', 'succeed')
    """
    return tuple(kind for kind, phrases in PHRASES.items() if phrase in phrases) or ("oblige",)


def is_comment(phrase: str) -> bool:
    """Whether a phrase is an adverb that comments on the claim, such as 确实, rather than a modal verb."""
    return kinds_of(phrase)[0] in COMMENTS


class Ranker:
    """How well phrases fit a claim; what depends on the kind of a phrase alone is found out once.

    Args:
        clause: the main clause.
        kind: the kind of its claim.
    """

    def __init__(self, clause: Clause, kind: ClaimKind) -> None:
        self.clause = clause
        self.kind = kind
        self._ranks: dict[str, int | None] = {}

    def rank(self, phrase: str) -> int | None:
        """Return how well a phrase fits the claim: 0 is best; None if it does not fit."""
        if self.kind == "command":
            return int(phrase != "一定要") if phrase in COMMAND else None
        if self.kind == "request":
            return 0 if phrase in POLITE else None
        kinds = kinds_of(phrase)
        best = min((r for r in map(self._of, kinds) if r is not None), default=None)
        # 真的 suits questions better than 的确 does.
        if best is not None and (phrase == "真的") != (self.kind == "whether") and "affirm" in kinds:
            return 2 * best + 1
        return 2 * best if best is not None else None

    def _of(self, of: str) -> int | None:
        if of not in self._ranks:
            self._ranks[of] = _rank(self.clause, self.kind, of)
        return self._ranks[of]


def _rank(clause: Clause, kind: ClaimKind, of: str) -> int | None:
    if kind in ("which", "whether"):
        return ORDER[kind].index(of) if of in ORDER[kind] and _fits_question(clause, kind, of) else None
    if of == "forecast" and kind == "state":
        return 5 if tends(clause) else None
    if of not in ORDER[kind] or not _suits(clause, kind, of):
        return None
    if is_pointed(clause) and _can_be_inferred(clause, kind, of):
        return -1
    return ORDER[kind].index(of)


def _can_be_inferred(clause: Clause, kind: ClaimKind, of: str) -> bool:
    """Whether an inference is what one would say: 他应该去了北京, 他应该是医生, but not 他应该觉得冷."""
    linked = copula_of(clause) is not None
    if kind == "fact" or (kind == "state" and (linked or form(clause.predicate) == "在")):
        return of == "infer" or (of == "sure" and not linked)
    return False


def _suits(clause: Clause, kind: ClaimKind, of: str) -> bool:
    """Whether a kind of phrase goes with the predicate and the subject of a statement."""
    if of == "succeed":
        return form(clause.predicate) in ACHIEVEMENTS and clause.negation is None
    if of == "focus":
        return not any("是" in form(w) for w in clause.words)
    if of == "affirm" and kind == "open" and _is_offered(clause):
        return False
    return not (of in ("oblige", "intend", "consent", "enable") and clause.negation is not None)


def _is_offered(clause: Clause) -> bool:
    """Whether the speaker may tell what he or she is about to do: 我去拿给你."""
    first = clause.subject is not None and form(clause.subject.head) in FIRST
    whole = not any(w.text in "，,；;" for w in clause.words)
    return first and whole and aspect_of(clause).kind == "none" and len(clause.words) <= LONGEST_OFFER


def _fits_question(clause: Clause, kind: ClaimKind, of: str) -> bool:
    texts = [form(w) for w in clause.words]
    if of == "inquire":
        return not any(t in ("到底", "究竟", "难道") for t in texts)
    if kind == "whether" and of == "affirm":
        return "真的" not in texts and not any(t in MANNER for t in texts)
    if aspect_of(clause).kind in ("perfective", "experiential", "change") or alternative_of(clause) is not None:
        return False
    if kind == "whether":
        raining = form(clause.predicate) == "下雨" or forms(clause.words[-3:]).startswith("下雨")
        return of == "forecast" and (is_planned(clause) or raining) and not is_state(clause)
    return asks_openly(clause)
