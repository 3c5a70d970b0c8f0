"""Commands negated with 别, and forbidden things asked for."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.mood import US, YOU
from sda_hf.grammar.chinese.polarity import FIXED
from sda_hf.grammar.chinese.predicates import aspect_of, modal_of
from sda_hf.grammar.chinese.rules.negation.words import segment_of, word_after
from sda_hf.grammar.chinese.spans import TOPICAL, is_time
from sda_hf.grammar.chinese.surface import before, delete, form, replace
from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.syntax.clause import Clause, Word

COMMAND = Rule("negation-command", "a command negated with 别")
URGENT = Rule("negation-command", "an urgent command negated: 快, 务必 → 别")
ALLOWED = Rule("negation-command-removed", "the negation of a command removed")
URGING = lexicon.words("commands", "urging")
FORBIDDING = lexicon.words("commands", "forbidding")
BANS = ("禁止", "严禁", "不许", "不准", "不得")
LET = ("让", "让我们", "让咱们")
SOFT = ("吧", "呗", "呀", "啊")
LONGEST = 14  # words; a longer sentence without a subject is more often a statement


def asks_for(clause: Clause) -> bool:
    """Whether a sentence asks for something: 请使用电梯, 你回去吧, 你等等我."""
    text = form(clause.predicate)
    if clause.mood == "imperative" or (text == "请" and clause.subject is None):
        return True
    addressed = clause.subject is not None and form(clause.subject.head) in YOU
    if (
        not addressed
        or clause.mood == "interrogative"
        or aspect_of(clause).kind != "none"
        or modal_of(clause) is not None
    ):
        return False
    if any(form(w) == "了" for w in clause.words):
        return False
    last = [form(w) for w in clause.words if w.pos != "PUNCT"][-1]
    return last in SOFT[:2] or (len(text) == 2 and text[0] == text[1])


def forbids(clause: Clause) -> Word | None:
    """Return the negator of a command: 别, 不要, 请勿, 禁止."""
    for word in segment_of(clause, clause.predicate):
        if word.index <= clause.predicate.index + 1 and form(word) in FORBIDDING:
            return word
    return None


def forbidden(clause: Clause) -> Result:
    """Negate a command with 别, after 请."""
    segment = [w for w in segment_of(clause, clause.predicate) if w.pos != "PUNCT"]
    texts = [form(w) for w in segment]
    if len(texts) == 1 and (len(texts[0]) == 1 or texts[0][0] == texts[0][1]):
        return Skip("a call, or a command of one syllable")
    if texts[0] in TOPICAL:
        return Skip("a command or a statement without its subject")
    polite = next((w for w in segment if form(w) in ("请", "请你", "请您")), None)
    if polite is not None:
        after = word_after(clause, polite)
        if after is not None and form(after) in YOU:
            after = word_after(clause, after)
        return _before(clause, after)
    proposed = texts[0] in US or texts[-1] == "吧" or texts[0] in LET
    if not proposed and len(clause.words) > LONGEST:
        return Skip("a command or a statement without its subject")
    if form(clause.predicate) in FIXED or texts[-1] == "的":
        return Skip("uncertain predicate: a comment")
    first = _first(clause, segment)
    if first is None:
        return Skip("no verb to forbid")
    if form(first) in URGING:
        return [replace(clause, URGENT, first, "别"), *_softened(clause, first)]
    return _before(clause, first)


def _before(clause: Clause, word: Word | None) -> Result:
    if word is None or word.pos == "PUNCT":
        return Skip("no verb to forbid")
    if form(word) in URGING:
        return [replace(clause, URGENT, word, "不要"), *_softened(clause, word)]
    return [before(clause, COMMAND, word, "别"), *_softened(clause, word)]


def _first(clause: Clause, segment: list[Word]) -> Word | None:
    """Return the first word of a command after those addressed, 让我们, and times."""
    for word in segment:
        text = form(word)
        if text in YOU | US or text in ("让我们", "让咱们") or is_time(word) or text in TOPICAL:
            continue
        after = word_after(clause, word)
        if text == "让" and after is not None and form(after) in US:
            continue
        return word
    return None


def _softened(clause: Clause, first: Word) -> list[Edit]:
    """Take 一下 from a command: 等我一下 → 别等我."""
    rest = clause.words[first.index + 1 :]
    return [delete(clause, COMMAND, w) for w in rest if form(w) == "一下"]


def allowed(clause: Clause, negator: Word) -> Result:
    """Remove the negation of a command: 别, 不要, 请勿."""
    text = form(negator)
    if text == "请勿":
        return [replace(clause, ALLOWED, negator, "请")]
    if text in BANS:
        return [replace(clause, ALLOWED, negator, "可以")]
    after = word_after(clause, negator)
    if after is None:
        return Skip("no verb to ask for")
    if form(after) in ("忘", "忘记", "忘了"):
        following = word_after(clause, after)
        last = following if following is not None and form(following) in ("了", "记") else after
        return [delete(clause, ALLOWED, after, last)]
    final = [w for w in segment_of(clause, negator) if w.pos != "PUNCT"][-1:]
    changed = [w for w in final if form(w) == "了"]
    if form(after) == "想":
        return Skip("别想: no claim to restore")
    edits = [delete(clause, ALLOWED, negator)]
    if changed and form(clause.words[0]) in US:
        return [*edits, replace(clause, ALLOWED, changed[0], "吧")]
    return [*edits, *(delete(clause, ALLOWED, w) for w in changed)]
