"""Two negations inside the clause: 不得不 for 必须, 没有人不 for 人人都, 不会不 for 一定会, 并非不."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.mood import FINAL
from sda_hf.grammar.chinese.polarity import FIXED
from sda_hf.grammar.chinese.predicates import aspect_of, copula_of, de_of, modal_of, negation_site
from sda_hf.grammar.chinese.rules.denial_phrases import DenialPhrase
from sda_hf.grammar.chinese.rules.negation.predicates import denied
from sda_hf.grammar.chinese.rules.negation.quantifiers import quantified
from sda_hf.grammar.chinese.rules.negation.sites import negated_state, site_of
from sda_hf.grammar.chinese.rules.negation.words import COMMAS, segment_of
from sda_hf.grammar.chinese.surface import delete, form, insert, replace
from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.syntax.clause import Clause, Word

NO_PLACE = Skip("no place for two negations that cancel out")
ALREADY_NEGATED = Skip("already negated")
MUST = lexicon.words("double-negation", "must")
MUST_BE = frozenset("一定要 必须要 必须得 务必要 只能够".split())
SURELY = lexicon.words("double-negation", "surely")
SKILLS = lexicon.words("double-negation", "skills")
EVERYBODY = lexicon.words("double-negation", "everybody")
EACH_TIME = lexicon.pairs("double-negation", "each-time")
SOME = lexicon.words("quantifiers", "existential") | lexicon.words("quantifiers", "many")
STILL = frozenset("还是 还 又 终于 才".split())
GRADABLE = lexicon.words("adjectives", "gradable")
NOT = frozenset("不 没 没有 沒 沒有".split())
ALL = frozenset("所有 一切 全体 每 每个 每位 每名 每一个 每一位 各".split())
DOU = frozenset("都 均 全 全都 皆".split())
TOGETHER = frozenset("我们 他们 她们 你们 咱们 它们".split())
DUTY = Rule("inner-negations", "must: 不得不, 不能不, 非...不可")
CERTAIN = Rule("inner-negations", "surely: 不会不, 不可能不")
NOBODY = Rule("inner-negations", "all: 没有 ... 不")
NEVER = Rule("inner-negations", "each time: 没有一次不")
DENIED = Rule("inner-negations", "the negated predicate denied: 并非不")


def inside(clause: Clause, phrase: DenialPhrase) -> Result:
    """Put a phrase that holds one or two negations into the clause."""
    if clause.negation is not None:
        return ALREADY_NEGATED
    result = RULES[phrase.kind](clause, phrase)
    return NO_PLACE if result is None else result


def universal(clause: Clause) -> Result | None:
    """Rewrite 人人都知道 as 没有人不知道, and 每天都练琴 as 没有一天不练琴; None if the claim is not about all."""
    return _each_time(clause) or _all(clause, DenialPhrase("all", "没有不", ""))


# -- obligation ----------------------------------------------------------------------------------


def obliging(clause: Clause) -> tuple[Word, Word] | None:
    """Return the first and the last word that says that something must be done: 必须, 一定要."""
    words = clause.words
    segment = [w for w in segment_of(clause, clause.predicate) if w.index < clause.predicate.index]
    for word in segment:
        after = words[word.index + 1]
        if form(word) + form(after) in MUST_BE and after is not clause.predicate:
            return word, after
        if form(word) + form(after) in MUST:  # 只能, 被迫 in two words
            return word, after
        if form(word) in MUST and word.pos in ("AUX", "ADV", "VERB") and not _is_noun_of(clause, word):
            return word, word
    return None


def _is_noun_of(clause: Clause, word: Word) -> bool:
    """Whether 需要 or 得 is not a modal: before a noun, after a verb."""
    if form(word) == "得":
        return modal_of(clause) is not word
    return form(word) == "需要" and clause.words[word.index + 1].pos not in ("VERB", "ADP", "ADV")


def _duty(clause: Clause, phrase: DenialPhrase) -> Result | None:
    found = obliging(clause)
    return None if found is None else [replace(clause, DUTY, found[0], phrase.opening, found[1])]


def _frame_of_duty(clause: Clause, phrase: DenialPhrase) -> Result | None:
    found = obliging(clause)
    if found is None:
        return None
    end = segment_of(clause, clause.predicate)[-1]
    while end.pos == "PUNCT" or form(end) in FINAL | {"了", "的"}:
        end = clause.words[end.index - 1]
    if end.index <= found[1].index:
        return None
    return [replace(clause, DUTY, found[0], phrase.opening, found[1]), insert(clause, DUTY, end.end, phrase.closing)]


# -- certainty -----------------------------------------------------------------------------------


def _certain(clause: Clause, phrase: DenialPhrase) -> Result | None:
    segment = [w for w in segment_of(clause, clause.predicate) if w.index < clause.predicate.index]
    sure = next((w for w in segment if form(w) in SURELY), None)
    will = next((w for w in segment if form(w) == "会" and w.pos != "NOUN"), None)
    if phrase.opening.startswith("不可能"):
        return None if sure is None else _impossible(clause, sure, will)
    if will is None or (sure is None and form(clause.predicate) in SKILLS):
        return None
    first = sure if sure is not None and sure.index == will.index - 1 else will
    return [replace(clause, CERTAIN, first, phrase.opening, will)]


def _impossible(clause: Clause, sure: Word, will: Word | None) -> Result | None:
    last = will if will is not None and will.index == sure.index + 1 else sure
    de = de_of(clause)
    if de is not None and last.index < clause.predicate.index:
        return [replace(clause, CERTAIN, sure, "不可能", last), replace(clause, CERTAIN, de, "不")]
    aspect = aspect_of(clause).kind
    if aspect == "experiential" or form(clause.predicate).endswith("过"):
        return [replace(clause, CERTAIN, sure, "不可能没", last)]
    return [replace(clause, CERTAIN, sure, "不可能不", last)] if aspect == "none" else None


# -- all and always ------------------------------------------------------------------------------


def _each_time(clause: Clause) -> Result | None:
    site = site_of(clause)
    for word in clause.words[: clause.predicate.index]:
        after = clause.words[word.index + 1]
        if form(word) == "总是" or (form(word) == "总" and word.pos == "ADV"):
            return [replace(clause, NEVER, word, "没有一刻不")] if after is clause.predicate else None
        last = after if form(word) == "每" and form(word) + form(after) in EACH_TIME else word
        unit = EACH_TIME.get(form(word) if last is word else form(word) + form(after))
        if unit is None or last.index >= clause.predicate.index:
            continue
        all_of = [w for w in clause.words[last.index + 1 : clause.predicate.index] if form(w) in DOU]
        between = clause.words[last.index + 1 : site.index]
        if any(form(w) not in DOU for w in between):
            return None
        subject = clause.subject
        if subject is None or subject.first.index > word.index:
            return None
        removed = [delete(clause, NEVER, w) for w in all_of]
        return [replace(clause, NEVER, word, f"没有一{unit}", last), *removed, *negated_state(clause, NEVER, site)]
    return None


def _all(clause: Clause, phrase: DenialPhrase) -> Result | None:
    """Rewrite 所有学生都交了作业 as 没有一个学生没交作业."""
    del phrase
    edits = _nobody(clause)
    if edits is None:
        return None
    all_of = [w for w in segment_of(clause, clause.predicate) if w.index < clause.predicate.index and form(w) in DOU]
    copula = copula_of(clause)
    if copula is not None and form(copula) in ("都是", "均是", "均为"):
        return [*edits, replace(clause, NOBODY, copula, "不是")]
    if not all_of:
        return None
    second = denied(clause)
    if isinstance(second, Skip):
        return second
    places = {(w.start, w.end) for w in all_of}
    kept = [e for e in second if (e.start, e.end) not in places]
    return [*edits, *(delete(clause, NOBODY, w) for w in all_of), *kept]


def _nobody(clause: Clause) -> list[Edit] | None:
    """Return the edit that makes nobody of a subject about all; None if it is not about all."""
    subject = clause.subject
    if subject is None or subject.last.index >= clause.predicate.index:
        return None
    text = "".join(form(w) for w in clause.words[subject.first.index : subject.last.index + 1])
    if text in EVERYBODY:
        return [replace(clause, NOBODY, subject.first, "没有人", subject.last)]
    if text in TOGETHER:
        return [insert(clause, NOBODY, subject.last.end, "没有一个")]
    first = subject.first
    if form(first) not in ALL and not (form(first)[:1] == "每" and len(form(first)) <= 3):
        return None
    rest = clause.words[first.index + 1 : subject.last.index + 1]
    counted = form(first)
    while rest and (form(rest[0]) in ("的", "一") or rest[0].tag == "NNB"):
        counted += form(rest[0])
        rest = rest[1:]
    if not rest:
        return None
    classifier = counted.lstrip("每一") if counted.startswith("每") else "个"
    return [NOBODY.edit(first.start, rest[0].start, replace(clause, NOBODY, first, f"没有一{classifier or '个'}").new)]


# -- the predicate -------------------------------------------------------------------------------


def _predicate(clause: Clause, phrase: DenialPhrase) -> Result | None:
    """Rewrite 他知道 as 他并非不知道."""
    if quantified(clause) is not None or _is_indefinite(clause):
        return None
    edits = denied(clause)
    if isinstance(edits, Skip):
        return edits
    if form(clause.predicate) in GRADABLE and any(e.rule.startswith("an event") for e in edits):
        edits = [insert(clause, DENIED, clause.predicate.start, "不")]
    place = min(negation_site(clause).start, *(edit.start for edit in edits))
    dropped = [delete(clause, DENIED, w) for w in _before(clause, place) if form(w) in STILL]
    segment = segment_of(clause, clause.predicate)
    if any(form(w) == "就" for w in segment if w.index < clause.predicate.index):
        return None
    place = min([place, *(e.start for e in dropped)])
    edits = _without_having(clause, sorted([*dropped, *edits], key=lambda edit: edit.start))
    return [insert(clause, DENIED, place, phrase.opening), *edits]


def _without_having(clause: Clause, edits: list[Edit]) -> list[Edit]:
    """Return the edits with 没 for 没有 and 不 before a word that begins with 有: 没有用."""
    gone = {edit.start for edit in edits if not edit.new}
    kept = []
    for edit in edits:
        after = next((w for w in clause.words if w.start >= edit.end and w.start not in gone), None)
        having = after is not None and form(after).startswith("有") and edit.start == edit.end
        kept.append(insert(clause, DENIED, edit.start, "没") if having and edit.new in NOT else edit)
    return kept


def _before(clause: Clause, place: int) -> list[Word]:
    return [w for w in clause.words if w.end == place]


def _is_indefinite(clause: Clause) -> bool:
    """Whether the claim is about some, or its predicate is a fixed word with 不: 有些人支持, 不错."""
    if form(clause.predicate) in FIXED:
        return True
    return clause.subject is not None and form(clause.subject.first) in SOME


RULES = {"duty": _duty, "frame-of-duty": _frame_of_duty, "certain": _certain, "all": _all, "predicate": _predicate}


def ends_with_claim(clause: Clause) -> bool:
    """Whether no other part of the sentence follows that of the predicate."""
    last = segment_of(clause, clause.predicate)[-1]
    return not any(w.text in COMMAS for w in clause.words[last.index + 1 :])
