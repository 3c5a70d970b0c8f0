"""The predicate negated: the negator that it takes, and its place."""

from __future__ import annotations

from collections.abc import Callable

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.polarity import FIXED
from sda_hf.grammar.chinese.predicates import (
    STATIVE,
    WITH_DE,
    aspect_of,
    complement_of,
    copula_of,
    de_of,
    final_le,
    is_future,
    is_having,
    is_stative,
    modal_of,
    negation_site,
)
from sda_hf.grammar.chinese.rules.negation import copula, events, quality
from sda_hf.grammar.chinese.rules.negation.aspect import indefinite, unmarked
from sda_hf.grammar.chinese.rules.negation.refusals import unsure
from sda_hf.grammar.chinese.rules.negation.sites import negated_event, negated_state, site_of
from sda_hf.grammar.chinese.rules.negation.words import (
    MODALS,
    RESTRICTIVE,
    WHOLE,
    is_intensifier,
    segment_of,
    word_after,
    word_before,
)
from sda_hf.grammar.chinese.spans import COVERBS, NEGATORS, is_modal
from sda_hf.grammar.chinese.surface import before, delete, form, forms, replace
from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.syntax.clause import Clause, Word

MODAL = Rule("negation-modal", "a modal negated")
RESTRICTED = Rule("negation-restriction", "a restriction negated: not only")
WHOLE_ADVERB = Rule("negation-adverb", "an adverb negated: not always")
STATE = Rule("negation-state", "a state negated with 不")
HAVING = Rule("negation-having", "having negated with 没有")
PLACE = Rule("negation-place", "being in a place negated with 不")
LITTLE = Rule("negation-quality", "a quality negated with 不; 有点 goes")
SITUATED = Rule("negation-copula", "a fact about a time or place negated with 不是")
SPECIAL = Rule("negation-word", "a word with a negator of its own")
FORECASTS = frozenset("将 将会 即将 将要 必将 必须 须 应 可".split())
FACTS = lexicon.words("verbs", "facts")
WANTING = lexicon.words("modals", "will")
WILLING = frozenset("我 他 她 我们 他们 她们 咱们".split())
OWN = lexicon.pairs("negation", "own-negators")
WITH_OBJECT = lexicon.words("negation", "having-words")
PERMISSION = 5  # words: 你可以走; a longer sentence with 可以 tells what somebody is able to do
FEELING = ("对", "对于")


def denied(clause: Clause) -> Result:
    """Negate the predicate of an affirmative claim with 不, 没(有) or 不是."""
    reason = unsure(clause)
    if reason:
        return Skip(reason)
    inside = () if copula_of(clause) else clause.words[site_of(clause).index : clause.predicate.index]
    if any(form(w) in NEGATORS and form(w) not in FIXED for w in inside):
        return Skip("another negation before the predicate")
    for rule in RULES:
        edits = rule(clause)
        if edits is not None:
            return edits
    return Skip("no predicate to negate")


def _restricted(clause: Clause) -> Result | None:
    """只, 仅: 不只; nothing else changes."""
    site = negation_site(clause)
    inside = clause.words[site.index : clause.predicate.index]
    word = next((w for w in inside if form(w) in RESTRICTIVE and w.pos in ("ADV", "SCONJ")), None)
    if word is None:
        return None
    return [before(clause, RESTRICTED, word, "不是" if form(word) == "只有" else "不")]


def _adverbial(clause: Clause) -> Result | None:
    """总是, 一直, 天天: 不总是, 并非一直; nothing else changes."""
    site = clause.words[max(0, negation_site(clause).index - 2) : clause.predicate.index]
    word = next((w for w in site if form(w) in WHOLE and w.pos in ("ADV", "NOUN", "DET", "PRON")), None)
    if word is None or clause.children(word, "case"):
        return None
    after = word_after(clause, word)
    if after is not None and form(after) == "的":
        return None
    return [before(clause, WHOLE_ADVERB, word, WHOLE[form(word)])]


def _modal_of(clause: Clause) -> Word | None:
    """Return the first modal before the predicate; 将 and 得 may be tagged as adverbs."""
    modal = modal_of(clause)
    if modal is not None and not modal.tag.startswith("BB") and not _is_of_another(clause, modal):
        return modal
    start = clause.subject.last.index if clause.subject else -1
    for word in segment_of(clause, clause.predicate):
        if start < word.index < clause.predicate.index and not word.tag.startswith("BB"):
            led = is_modal(word) and word.tag == "MD" and word.head == clause.predicate.index
            if led or (form(word) in FORECASTS and word.pos in ("ADV", "AUX") and word.label == "advmod"):
                return word
            if form(word) == "得" and word.index == clause.predicate.index - 1 and word.label == "advmod":
                return word
    after = word_after(clause, clause.predicate)
    leads = clause.predicate.tag == "MD" and form(clause.predicate) in MODALS and after is not None
    return clause.predicate if leads and after is not None and after.pos == "VERB" else None  # 我们得让他走


def _is_of_another(clause: Clause, modal: Word) -> bool:
    """Whether a modal belongs to a verb before the predicate: 要进去十分容易."""
    between = clause.words[modal.index + 1 : clause.predicate.index]
    return clause.predicate.pos == "ADJ" and any(w.tag == "VV" and form(w) not in ("来", "去") for w in between)


def _modal(clause: Clause) -> Result | None:
    """会, 必须, 要, 将: 不会, 不必, 不会."""
    modal = _modal_of(clause)
    if modal is None:
        return None
    kept = [e for e in unmarked(clause) if e.start > modal.start]
    restricted = _restricted(clause)
    previous = word_before(clause, modal)
    if restricted is not None and isinstance(restricted, list) and restricted[0].start < modal.start:
        return restricted
    if previous is not None and form(previous) in ("正在", "正"):
        return [replace(clause, events.PROGRESS, previous, "没在"), *kept]  # 正在准备点菜
    if previous is not None and form(previous) == "在" and previous.pos == "ADV":
        return [*negated_event(clause, events.PROGRESS, previous, "没"), *kept]
    if previous is not None and form(previous) in (
        "一定",
        "肯定",
        "必然",
        "必定",
        "总",
        "总是",
        "经常",
        "常常",
        "往往",
    ):
        return (
            [before(clause, MODAL, previous, "不"), *kept] if form(previous) == "一定" else _plain(clause, modal, kept)
        )
    return _plain(clause, modal, kept)


def _plain(clause: Clause, modal: Word, kept: list[Edit]) -> Result:
    text = form(modal)
    personal = clause.subject is not None and clause.subject.head.pos == "PRON"
    permits = personal and len(clause.words) <= PERMISSION and form(clause.predicate)[-1] not in "到见"
    if text == "可以" and clause.mood == "declarative" and not permits:
        return [replace(clause, MODAL, modal, "不能"), *kept]  # an ability rather than a permission
    if text != "要" and text not in MODALS:
        return [*negated_state(clause, MODAL, modal), *kept]
    after = clause.words[modal.index + 1]
    last = after if form(after) in ("会", "要") and text in ("将", "必", "必将") else modal
    previous = word_before(clause, modal)
    again = previous is not None and form(previous) in ("又", "还", "已经", "已")
    dropped = [delete(clause, MODAL, previous)] if again and previous is not None else []
    return [*dropped, replace(clause, MODAL, modal, MODALS.get(text) or _unwanted(clause), last), *kept]


def _unwanted(clause: Clause) -> str:
    """Return what 要 becomes: 不 for somebody's will, 不会 for a forecast, 不用 for a duty."""
    subject = form(clause.subject.head) if clause.subject else ""
    if "为什么" in forms(clause.words):
        return "不"
    if is_future(clause) or "下" in form(clause.predicate)[:1] or final_le(clause) is not None:
        return "不会"
    return "不" if subject in WILLING else "不用"


def _after_de(clause: Clause) -> Result | None:
    """看得见: 看不见; 跑得很快: 跑得不快; 来得及: 来不及."""
    text = form(clause.predicate)
    if len(text) == 2 and text in ("来得",) and (after := word_after(clause, clause.predicate)) is not None:
        at = clause.predicate.start
        return [quality.POTENTIAL.edit(at + 1, at + 2, "不")] if form(after) == "及" else None
    if len(text) == 3 and text[1] == "得" and text not in WITH_DE:
        at = clause.predicate.start
        return [quality.POTENTIAL.edit(at + 1, at + 2, "不")]
    de = de_of(clause) or _de_of_copy(clause)
    return quality.degree_complement(clause, de) if de is not None else None


def _de_of_copy(clause: Clause) -> Word | None:
    """Return 得 after the verb said again: 唱歌唱得很好."""
    verb = form(clause.predicate)[0]
    places = range(clause.predicate.index + 2, len(clause.words))
    return next(
        (clause.words[i] for i in places if form(clause.words[i]) == "得" and form(clause.words[i - 1])[-1] == verb),
        None,
    )


def _having(clause: Clause) -> Result | None:
    """有: 没有, without 一个 of what there is; 拥有: 没有; 具有: 不具有."""
    if not is_having(clause):
        return None
    verb = clause.predicate
    aspect = aspect_of(clause)
    site = site_of(clause)
    rest = [*unmarked(clause), *indefinite(clause, verb)]
    if form(verb) == "有" and site is not verb and form(site) in COVERBS:
        site = verb  # 对这件事没有兴趣
    previous = word_before(clause, site)
    if form(verb) == "有" and previous is not None and form(previous) == "还":
        return [delete(clause, HAVING, previous), before(clause, HAVING, site, "没"), *rest]
    if form(verb) == "有" and (little := _little(clause)) is not None:
        return little
    if aspect.marker is not None and form(aspect.marker) in ("着", "著") and form(verb) == "有":
        return [*negated_state(clause, HAVING, site, "没"), delete(clause, HAVING, aspect.marker), *rest]
    if form(verb) == "拥有" and aspect.marker is None:
        return [*negated_state(clause, HAVING, verb, ""), replace(clause, HAVING, verb, "没有"), *rest]
    if form(verb) == "有":
        return [*negated_state(clause, HAVING, site, "没" if site is verb else "没有"), *rest]
    if aspect.marker is not None and form(aspect.marker) in ("着", "著"):
        return [*negated_state(clause, STATE, verb), delete(clause, HAVING, aspect.marker), *rest]
    if aspect.marker is not None:
        return [*negated_state(clause, HAVING, site, "没有"), *rest]
    return [*negated_state(clause, STATE, site), *rest]


def _having_word(clause: Clause) -> Result | None:
    """有钱: 没有钱, where verb and object are one word, whatever its tag; not after 很."""
    previous = word_before(clause, clause.predicate)
    graded = previous is not None and previous.pos == "ADV"
    if form(clause.predicate) not in WITH_OBJECT or graded or aspect_of(clause).marker is not None:
        return None
    return [*negated_state(clause, HAVING, clause.predicate, "没"), *unmarked(clause)]


def _little(clause: Clause) -> Result | None:
    """有点难: 不难."""
    after = word_after(clause, clause.predicate)
    follows = word_after(clause, after) if after is not None else None
    if (
        after is None
        or follows is None
        or form(after) not in ("点", "点儿", "些")
        or follows.pos not in ("ADJ", "VERB")
    ):
        return None
    return [replace(clause, LITTLE, clause.predicate, "不", after)]


def _special(clause: Clause) -> Result | None:
    """达: 未达; 建于1996年: 不是建于1996年; 显得很紧张: 不显得紧张."""
    text = forms([clause.predicate, *complement_of(clause)])
    site = site_of(clause)
    if text in OWN:
        return [*negated_state(clause, SPECIAL, site, OWN[text]), *unmarked(clause)]
    after = word_after(clause, clause.predicate)
    located = after is not None and form(after) == "于" and form(clause.predicate) + "于" not in STATIVE | events.HABITS
    if text in FACTS or (located and text not in STATIVE | events.HABITS):
        return [before(clause, SITUATED, site, "不是" if len(clause.words) <= 2 * events.SHORT else "并非")]
    return None


def _stative(clause: Clause) -> Result | None:
    """喜欢, 位于, 在: 不; 对...很满意: 对...不满意."""
    aspect = aspect_of(clause)
    whole = forms([clause.predicate, *complement_of(clause)])
    wanted = form(clause.predicate) in WANTING
    if not (is_stative(clause) or whole in STATIVE or wanted) or aspect.kind == "experiential":
        return None
    if aspect.marker is not None and form(aspect.marker) == "了" and aspect.marker is not aspect.final:
        return None
    if form(clause.predicate) == "叫" and events.is_pivotal(clause):
        return None
    previous = word_before(clause, clause.predicate)
    if form(clause.predicate) == "在" and previous is not None and form(previous) == "正":
        return [replace(clause, PLACE, previous, "没")]
    if form(clause.predicate) == "在" and events.is_under_way(clause):
        return negated_event(clause, events.PROGRESS, clause.predicate, "没")
    rule = PLACE if form(clause.predicate) == "在" else STATE
    site = site_of(clause)
    if form(site) in FEELING:
        site = quality.first_adverb(clause)
    after = word_after(clause, clause.predicate)
    softened = [delete(clause, STATE, after)] if after is not None and _intensifies(clause, after) else []
    return [*negated_state(clause, rule, site), *softened, *unmarked(clause)]


def _intensifies(clause: Clause, word: Word) -> bool:
    """Whether an adverb of degree stands before the adjective at the end: 显得很紧张."""
    after = word_after(clause, word)
    return is_intensifier(word) and word.pos == "ADV" and after is not None and after.pos == "ADJ"


RULES: tuple[Callable[[Clause], Result | None], ...] = (
    _having_word,
    copula.nominal,
    copula.timed,
    copula.copular,
    _modal,
    _restricted,
    _adverbial,
    _after_de,
    quality.compared,
    _having,
    _special,
    quality.adjectival,
    _stative,
    events.happening,
)
