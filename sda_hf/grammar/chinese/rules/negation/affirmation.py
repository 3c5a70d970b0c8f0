"""Affirmation: a negated claim without its negation."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary
from sda_hf.grammar.chinese.polarity import COMPLEMENTS, NEGATIVE_WORDS
from sda_hf.grammar.chinese.predicates import final_le
from sda_hf.grammar.chinese.rules.negation.commands import allowed
from sda_hf.grammar.chinese.rules.negation.events_restored import happened
from sda_hf.grammar.chinese.rules.negation.words import is_intensifier, word_after, word_before
from sda_hf.grammar.chinese.surface import delete, form, replace
from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.syntax.clause import Clause, Negator, Word

REMOVED = Rule("negation-removed", "the negation removed")
HAVING = Rule("negation-removed-having", "the negation of having removed: 没有 → 有")
POTENTIAL = Rule("negation-removed-potential", "the negation of a potential form removed: 看不见 → 看得见")
LEXICAL = Rule("negation-removed-word", "a negative word replaced by its opposite")
DOUBLE = Rule("negation-removed-double", "one of two negations removed")
OPPOSITES = lexicon.pairs("negation", "opposites")
TWO_TO_ONE = lexicon.pairs("negation", "two-to-one")
DROPPED = lexicon.words("negation", "dropped-in-affirmation")
GRADABLE = lexicon.words("adjectives", "gradable") | frozenset("多 少 差 远 近 久".split())
EVENT_KINDS = ("没", "没有", "未")
ALL = lexicon.words("quantifiers", "universal")
ABLE = lexicon.words("modals", "ability") | lexicon.words("modals", "duty") | {"愿意", "敢", "肯", "可能"}
ASSETS = lexicon.words("negation", "assets")
DIRECTIONS = ("上", "下", "进", "出", "过", "回")
WHO = frozenset("谁 什么 哪儿 哪里 哪个 哪".split())


def affirmed(clause: Clause) -> Result:
    """Remove the negation of a claim, and restore its aspect."""
    negation = clause.negation
    if negation is None:
        return Skip("no negation to remove")
    word = negation.word
    if negation.kind == "double":
        return _one_of_two(clause, word)
    reason = _reason(clause, word)
    if reason:
        return Skip(reason)
    positive = _positive_of(clause, negation)
    if positive is not None:
        rule = HAVING if positive == "有" else LEXICAL
        return [replace(clause, rule, word, positive)]
    if negation.kind in ("resultative", "complement"):
        return _after_verb(clause, word, negation.kind)
    if clause.mood == "imperative" or negation.kind == "别":
        return allowed(clause, word)
    if negation.kind in ("没", "没有", "无") and _is_main(clause, word):
        return [*_have(clause, word), *_around(clause, word)]
    if negation.kind in EVENT_KINDS:
        return happened(clause, word)
    return _state(clause, word)


def _positive_of(clause: Clause, negation: Negator) -> str | None:
    """Return the word that takes the place of a negator alone: 比 of 没有, 有 of 没有, 有关 of 无关."""
    if negation.kind == "lexical":
        return NEGATIVE_WORDS[form(negation.word)]
    if _compares(clause, negation.word):
        return "比"
    return "有" if negation.kind in ("没", "没有") and _precedes_subject(clause, negation.word) else None


def _precedes_subject(clause: Clause, word: Word) -> bool:
    """Whether 没有 says that there is nobody who does it: 没有东西被运走."""
    subject = clause.subject
    opens = word.index == 0 and word is not clause.predicate
    return opens and subject is not None and 0 < subject.first.index <= subject.last.index < clause.predicate.index


def _compares(clause: Clause, word: Word) -> bool:
    """Whether 没有 compares: 没有去年高."""
    between = clause.words[word.index + 1 : clause.predicate.index]
    if any(w.tag.startswith("BB") for w in between):
        return False
    nominal = any(w.pos in ("NOUN", "PRON", "PROPN") for w in between)
    return form(word) in ("没有", "没") and clause.predicate.pos == "ADJ" and nominal


def _reason(clause: Clause, word: Word) -> str:
    """Return why a negation is not removed; empty if it is."""
    previous = word_before(clause, word)
    before = form(previous) if previous is not None else ""
    if before in ("而", "但") and form(word) == "不是":
        return "two negations or claims in a pair"
    if form(clause.words[0]) in ("与", "和", "跟", "同") and clause.negation and clause.negation.kind == "lexical":
        return "a comparison before the claim"
    amount = [form(w) for w in clause.words[max(0, word.index - 4) : word.index]]
    if before in ("都", "也") and form(word) in ("没有", "没") and word is clause.predicate and "一" in "".join(amount):
        return "not one: what there is follows from no word"
    return ""


def _is_main(clause: Clause, word: Word) -> bool:
    """Whether 没有, 没 or 无 is the verb: what follows is what there is not."""
    if form(word) not in ("没有", "没", "无", "毫无"):
        return False
    after = word_after(clause, word)
    if after is None or after.pos == "PUNCT" or form(after) in ("了", "的", "吗"):
        return word is clause.predicate
    if form(after) in ASSETS:
        return True
    beyond = word_after(clause, after)
    done = after.pos == "VERB" and beyond is not None and form(beyond) in ("过", "到", "完")
    if done or form(after) in ("把", "被"):
        return False  # 还没查过
    return word is clause.predicate and after.label != "compound:vv"


def _have(clause: Clause, word: Word) -> list[Edit]:
    edits = [replace(clause, HAVING, word, "有")]
    after = word_after(clause, word)
    if after is not None and form(after) == "什么":
        edits.append(delete(clause, HAVING, after))
    if after is not None and form(after) == "多少":
        edits.append(replace(clause, HAVING, after, "很多"))
    final = final_le(clause)
    return [*edits, delete(clause, HAVING, final)] if final is not None else edits


def _around(clause: Clause, word: Word) -> list[Edit]:
    """Take away adverbs that stand with a negation alone (并, 从来), and put 都 for 也 after 谁."""
    edits = []
    previous = word_before(clause, word)
    while previous is not None and previous.pos in ("ADV", "SCONJ", "ADP", "NOUN", "CCONJ"):
        text = form(previous)
        earlier = word_before(clause, previous)
        ended = text in ("已经", "已") and form(word) in ("不再", "不")
        if text in DROPPED or ended or (text in ("还", "尚") and word.tag == "RB"):
            edits.append(delete(clause, REMOVED, previous))
        elif text == "也" and earlier is not None and (form(earlier) in WHO or earlier.tag == "NNB"):
            edits.append(replace(clause, REMOVED, previous, "都"))
        elif text not in ("都", "也"):
            break
        previous = earlier
    return edits


def _state(clause: Clause, word: Word) -> Result:
    """不: away; what goes with it becomes its opposite: 不太 → 很, 不再 → 仍然, 从不 → 总是."""
    text = form(word)
    after = word_after(clause, word)
    around = _around(clause, word)
    previous = word_before(clause, word)
    if previous is not None and form(previous) == "从" and len(text) == 2 and text[0] == "不":
        return [replace(clause, REMOVED, previous, "总是" + text[1], word)]  # 从不用
    final = final_le(clause)
    if final is not None and "不再" in (text, text + (form(after) if after is not None else "")):
        around = [*around, delete(clause, REMOVED, final)]
    if text in OPPOSITES:
        return [replace(clause, REMOVED, word, OPPOSITES[text]), *around]
    if text == "不" and after is not None and text + form(after) in OPPOSITES:
        new = OPPOSITES[text + form(after)]
        return [replace(clause, REMOVED, word, new, after), *around]
    if text == "不是" and after is not None and (form(after) in ALL or is_intensifier(after)):
        return [delete(clause, REMOVED, word), *around]
    if len(text) > 1 and text[0] == "不":
        return [replace(clause, REMOVED, word, text[1:]), *around]
    if text != "不":
        return Skip("a negation of another kind")
    if _is_infix(clause, word):
        return [replace(clause, POTENTIAL, word, "得")]
    return [*_plain_state(clause, word), *around]


def _is_infix(clause: Clause, word: Word) -> bool:
    """Whether 不 stands between a verb and its result: 进不去."""
    before, after = word_before(clause, word), word_after(clause, word)
    if before is None or after is None:
        return False
    if before.tag not in ("VV", "MD"):
        beyond = word_after(clause, after)
        ends = beyond is None or beyond.pos == "PUNCT"
        moves = ends and form(before) in DIRECTIONS and form(after) in ("去", "来")
        return moves or (form(after) in ("出", "清", "见") and dictionary().get(form(before), "").startswith("v"))
    return form(after) in COMPLEMENTS and form(before) not in ABLE


def _plain_state(clause: Clause, word: Word) -> list[Edit]:
    """Take 不 away, with 了 at the end and 一点也; 很 takes its place before an adjective."""
    after = word_after(clause, word)
    final = final_le(clause)
    if final is not None and clause.mood == "declarative":
        return [replace(clause, REMOVED, word, "还"), delete(clause, REMOVED, final)]
    beyond = word_after(clause, after) if after is not None else None
    ends = form(clause.words[-1]) != "的" and (clause.end_mark is None or form(clause.words[-2]) != "的")
    if after is not None and beyond is not None and form(after) == "是" and is_intensifier(beyond) and ends:
        return [delete(clause, REMOVED, word, after)]  # 不是很好
    little = _not_a_bit(clause, word)
    if little is not None:
        return [replace(clause, REMOVED, little, "很", word)]
    previous = word_before(clause, word)
    described = previous is not None and form(previous) == "是" and not ends  # 是不正确的
    graded = after is not None and after is clause.predicate and form(after) in GRADABLE
    if graded and not described and clause.mood == "declarative":
        return [replace(clause, REMOVED, word, "很")]
    return [delete(clause, REMOVED, word)]


def _not_a_bit(clause: Clause, word: Word) -> Word | None:
    """Return 一点 of 一点也不."""
    at = word.index - 1
    if at > 0 and form(clause.words[at]) in ("也", "都"):
        at -= 1
        text = form(clause.words[at])
        if text in ("儿",) and at > 0:
            at -= 1
            text = form(clause.words[at])
        if text in ("一点", "一点儿", "丝毫"):
            return clause.words[at]
        if text in ("点", "点儿") and at > 0 and form(clause.words[at - 1]) == "一":
            return clause.words[at - 1]
    return None


def _after_verb(clause: Clause, word: Word, kind: str) -> Result:
    """看不见: 看得见; 跑得不快: 跑得很快."""
    if kind == "complement":
        after = word_after(clause, word)
        graded = after is not None and form(after) in GRADABLE
        if after is not None and form(after) == "太":
            return [replace(clause, POTENTIAL, word, "很", after)]
        return [replace(clause, POTENTIAL, word, "很") if graded else delete(clause, POTENTIAL, word)]
    if form(word) == "不":
        return [replace(clause, POTENTIAL, word, "得")]
    text = form(word)
    if text.startswith("不"):
        return [POTENTIAL.edit(word.start, word.start + 1, "得")]
    at = text.index("不")
    return [POTENTIAL.edit(word.start + at, word.start + at + 1, "得")]


def _one_of_two(clause: Clause, word: Word) -> Result:
    """不得不: 不必; 不会不: 不会; 非...不可: 不必."""
    text = form(word)
    if text in ("非", "非得"):
        closing = [w for w in clause.words[word.index + 1 :] if form(w) in ("不可", "不行")]
        return [replace(clause, DOUBLE, word, "不必"), delete(clause, DOUBLE, closing[-1])]
    if text in TWO_TO_ONE:
        return [replace(clause, DOUBLE, word, TWO_TO_ONE[text])]
    found = "".join(map(form, clause.words[word.index : word.index + 4]))
    for phrase, new in TWO_TO_ONE.items():
        last = _last_of(clause, word, phrase)
        if found.startswith(phrase) and last is not None:
            return [replace(clause, DOUBLE, word, new, last)]
    return Skip("two negations: which of them goes is unclear")


def _last_of(clause: Clause, first: Word, phrase: str) -> Word | None:
    """Return the word with which a phrase that begins with a word ends."""
    text = ""
    for word in clause.words[first.index :]:
        text += form(word)
        if text == phrase:
            return word
        if not phrase.startswith(text):
            return None
    return None
