"""Claims that have no negation: the reasons for which a sentence stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary
from sda_hf.grammar.chinese.mood import ALTERNATIVES, final_particles, is_a_not_a
from sda_hf.grammar.chinese.polarity import FIXED
from sda_hf.grammar.chinese.predicates import copula_of
from sda_hf.grammar.chinese.rules.negation.focus import tag_of
from sda_hf.grammar.chinese.rules.negation.words import segment_of
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.syntax.clause import Clause

POSSIBILITY = lexicon.words("doubts", "possibility")
COMMENTS = ("很好", "好", "对", "行", "可以", "不错", "没错", "当然", "说实话", "老实说", "坦白说", "说真的")
OPPOSITES = lexicon.pairs("adjectives", "opposites")
SUBORDINATE = lexicon.words("conjunctions", "subordinate")
TIMING = ("后", "时", "以后", "之后", "以前", "之前", "前", "时候", "之际", "开始", "起", "下")
WISHING = lexicon.words("verbs", "wishing")
WARNING = lexicon.words("verbs", "warning")
NOT_ONLY = lexicon.words("negation", "not-only")
REQUESTING = lexicon.words("questions", "requesting")
DEGREE = lexicon.words("questions", "degree")
PLACE = lexicon.words("questions", "place")
MANNER = lexicon.words("questions", "manner")
IDENTITY = lexicon.words("questions", "identity")
EITHER_OR = tuple(tuple(pair) for pair in lexicon.pairs("negation", "paired").items())
HARDLY = lexicon.words("negation", "hardly")
A_NOT_A = re.compile(r"([^\W不没])[不没]\1(?!\1)|有没有|[是能可会]否|(\w\w)不\2")
YOU = ("你", "您", "你们", "谁", "有人")


def refusal(clause: Clause) -> str:
    """Return why a clause is not negated; empty if it can be."""
    return next((reason for reason, holds in REASONS if holds(clause)), "")


def _is_fragment(clause: Clause) -> bool:
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    if clause.mood == "interrogative" and clause.verbs is None:
        return True
    return clause.mood == "fragment" or (
        (len(spoken) <= 2 and bool(spoken) and form(spoken[-1]) in ("呢", "哈"))
        or (bool(spoken) and clause.verbs is None and form(spoken[-1]) == "呢")
    )


def _is_wish(clause: Clause) -> bool:
    spoken = [form(w) for w in clause.words if w.pos != "PUNCT"]
    return spoken[0] in WISHING or spoken[-1] == "万岁" or clause.text.rstrip("！!。").endswith("万岁")


def _is_warning(clause: Clause) -> bool:
    return form(clause.words[0]) in WARNING and clause.subject is None


def _is_possibility(clause: Clause) -> bool:
    if forms(clause.words).startswith(tuple(POSSIBILITY)):
        return True
    return any(form(w) in POSSIBILITY for w in clause.words[: clause.predicate.index + 1])


def _is_not_only(clause: Clause) -> bool:
    following = clause.text.replace("，", ",")
    for word in clause.words[: clause.predicate.index + 1]:
        if form(word) in NOT_ONLY:
            return True
        if form(word) in ("不只", "不光", "不单", "不仅仅") and "," in following:
            return True
    return False


def _is_a_not_a(clause: Clause) -> bool:
    if tag_of(clause):
        return False
    before = clause.words[: clause.predicate.index + 2]
    asked = any(form(w) in ALTERNATIVES - {"还是"} for w in before)
    if clause.mood != "interrogative":
        asked = asked or form([w for w in clause.words if w.pos != "PUNCT"][-1]) in ("不", "否")
        return asked or A_NOT_A.search(forms(before)) is not None
    if is_a_not_a(clause.words) or asked or A_NOT_A.search(forms(clause.words)):
        return True
    spoken = [form(w) for w in clause.words if w.pos != "PUNCT"]
    last = spoken[-2] if spoken[-1] == "吗" and spoken[0] not in ("没有", "没") else spoken[-1]
    return last in ("没有", "没", "不", "否") and len(spoken) > 2


def _is_alternative(clause: Clause) -> bool:
    asks = clause.mood == "interrogative" and not final_particles(clause.words)
    return asks and any(form(w) == "还是" and w.index > 1 for w in clause.words)


def _is_request(clause: Clause) -> bool:
    if clause.mood != "interrogative":
        return form(clause.words[0]) == "麻烦"
    spoken = [form(w) for w in clause.words if w.pos != "PUNCT"]
    if spoken[0] in ("麻烦", "请", "可否", "能否") or "".join(spoken).endswith(("好吗", "行吗", "可以吗")):
        return not any(w.text in ("，", ",") for w in clause.words[clause.predicate.index :])
    modal = spoken[0] if spoken[0] in REQUESTING else spoken[1] if len(spoken) > 1 and spoken[0] in YOU else ""
    return (
        modal in REQUESTING and spoken[-1] in ("吗", "么") and any(s in ("我", "我们", "一下", "一点") for s in spoken)
    )


def _asks(words: frozenset[str]) -> Callable[[Clause], bool]:
    return lambda clause: clause.mood == "interrogative" and any(form(w) in words for w in clause.words)


def _asks_which(clause: Clause) -> bool:
    """Whether a question asks for the object: 出自哪个电影, 是谁."""
    asked = [
        w for w in clause.words[clause.predicate.index + 1 :] if form(w) in ("哪个", "哪", "谁", "哪些", "哪种", "哪家")
    ]
    return clause.mood == "interrogative" and bool(asked)


def _is_thanks(clause: Clause) -> bool:
    return form(clause.predicate) in ("感谢", "谢谢", "多谢", "抱歉", "对不起")


def _is_remote(clause: Clause) -> bool:
    """Whether a modal in an earlier part of the sentence belongs to the predicate."""
    start = segment_of(clause, clause.predicate)[0].index
    return any(w.tag == "MD" and w.index < start for w in clause.children(clause.predicate, "aux"))


def _is_noun_phrase(clause: Clause) -> bool:
    """Whether all is one noun with a relative clause before it: 穿褐色外套的人."""
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    if clause.predicate.index != spoken[0].index or len(spoken) < 3 or clause.subject is not None:
        return False
    return form(spoken[-2]) == "的" and spoken[-1].pos in ("NOUN", "PROPN", "PART")


def unsure(clause: Clause) -> str:
    """Return why the predicate of an affirmative claim is not one to negate; empty if it is."""
    text = form(clause.predicate)
    if text[0] in "不没未" and text not in FIXED | OPPOSITES.keys():
        return "a word that holds a negation"
    after = clause.words[clause.predicate.index + 1 : clause.predicate.index + 3]
    if text == "有" and forms(after) in ("一次", "一天", "一回", "一年", "时", "时候"):
        return "uncertain predicate: a comment"
    segment = segment_of(clause, clause.predicate)
    if forms(segment) in COMMENTS and len(segment) < len(clause.words) - 1:
        return "uncertain predicate: a comment"
    if form(segment[0]) in ("像", "就像", "正如", "如同") and segment[-1].index + 2 < len(clause.words):
        return "uncertain predicate: a comparison before the claim"
    later = segment[-1].index + 1 < len(clause.words) and clause.words[segment[-1].index + 1].text in ("，", ",")
    if later and (form(segment[0]) in SUBORDINATE or form(segment[-1]) in TIMING or "从" in form(segment[0])):
        return "uncertain predicate: in a clause before the main one"
    after = clause.words[clause.predicate.index + 1 : clause.predicate.index + 2]
    named = dictionary().get(text, "") in ("n", "nz", "nr", "ns", "nt") and clause.predicate.tag == "VV"
    if (
        named
        and clause.end_mark is None
        and not any(w.tag == "AS" for w in after)
        and not clause.children(clause.predicate, "aux")
    ):
        return "uncertain predicate: a noun"
    return ""


def _is_comment(clause: Clause) -> bool:
    """Whether the predicate is 是 of 是的 or 幸运的是, before a comma."""
    copula = copula_of(clause) or clause.predicate
    after = [form(w) for w in clause.words[copula.index + 1 : copula.index + 3]]
    alone = form(copula) == "是" and bool(after)
    return alone and (after[0] in ("，", ",") or (after[0] == "的" and after[-1] in ("，", ",", "。")))


def _asks_identity(clause: Clause) -> bool:
    """Whether a question asks what or who somebody or something is."""
    if clause.mood != "interrogative":
        return False
    found = [
        w for w in clause.words if form(w) in IDENTITY and (not w.index or form(clause.words[w.index - 1]) != "为")
    ]
    if not found:
        return copula_of(clause) is not None and any(form(w) in ("谁", "哪") for w in clause.words)
    first = found[0]
    after = clause.words[first.index + 1 :]
    named = bool(after) and after[0].pos in ("NOUN", "PROPN")
    return not named or first.index > clause.predicate.index or copula_of(clause) is not None


def _is_paired(clause: Clause) -> bool:
    texts = [form(w) for w in clause.words]
    for first, second in EITHER_OR:
        if first in texts and any(t.startswith(second) for t in texts[texts.index(first) + 1 :]):
            return True
    return False


def _is_hardly(clause: Clause) -> bool:
    return any(form(w) in HARDLY for w in clause.words[: clause.predicate.index + 1])


def _goes_on(clause: Clause) -> bool:
    """Whether a later part of the sentence goes on with the negation: 没去, 也没来."""
    if clause.negation is None:
        return False
    for comma, first, second in zip(clause.words, clause.words[1:], clause.words[2:], strict=False):
        if comma.text in ("，", ",") and comma.index > clause.predicate.index and form(first) in ("也", "更", "亦"):
            return form(second)[0] in "没不未无"
    return False


REASONS: tuple[tuple[str, Callable[[Clause], bool]], ...] = (
    ("no claim to negate", _is_fragment),
    ("wish", _is_wish),
    ("warning", _is_warning),
    ("request", _is_request),
    ("A-not-A question", _is_a_not_a),
    ("alternative question", _is_alternative),
    ("question of degree", _asks(DEGREE)),
    ("question of place", _asks(PLACE)),
    ("question of manner", _asks(MANNER)),
    ("question of identity", _asks_identity),
    ("question of identity", _asks_which),
    ("thanks", _is_thanks),
    ("uncertain predicate: a comment", _is_comment),
    ("uncertain predicate: a modal far before it", _is_remote),
    ("not a clause: it may be a noun phrase", _is_noun_phrase),
    ("only a possibility", _is_possibility),
    ("'not only' negates nothing", _is_not_only),
    ("two negations or claims in a pair", _is_paired),
    ("hardly: neither yes nor no", _is_hardly),
    ("a second negation follows", _goes_on),
)
