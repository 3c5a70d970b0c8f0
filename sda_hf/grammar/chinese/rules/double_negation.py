"""Double negation: two negations that cancel out.

SDA (LREC-COLING 2024), section 4.3: a negative phrase on the negated sentence, or one that holds two negations on the
sentence as it is. SDA 2022: two negative transformations inside the sentence, only where they cancel out.
"""

from __future__ import annotations

from sda_hf.grammar.chinese.mood import STATIVE
from sda_hf.grammar.chinese.predicates import aspect_of, negation_site
from sda_hf.grammar.chinese.rules import cancelling
from sda_hf.grammar.chinese.rules.denial_phrases import DenialPhrase, parsed
from sda_hf.grammar.chinese.rules.negation import negate
from sda_hf.grammar.chinese.rules.negation.commands import forbidden
from sda_hf.grammar.chinese.rules.statement_frames import end_of_statement, put_around, start_of_statement
from sda_hf.grammar.chinese.surface import form, insert, mark, replace
from sda_hf.grammar.edits import Coverage, Edit, Result, Rule, Skip
from sda_hf.syntax.clause import Clause

NO_PLACE = cancelling.NO_PLACE
QUESTION = Skip("question")
FRAGMENT = Skip("no claim to negate")
AROUND = Rule("negative-phrase", "negative phrase around the opposite claim")
REMINDED = Rule("negated-failure", "command: 别忘了")
AFTER_TIME = frozenset("前 后 之前 以前 之后 以后".split())
UNREMINDED = ("吧", "呗")
LONGEST = 12  # words of a command after a time


def with_phrase(clause: Clause, text: str, coverage: Coverage) -> Result:
    """Negate a claim twice by a phrase.

    Args:
        clause: the main clause.
        text: the phrase, such as 并非, 不得不, 不可否认 or 说…是不对的.
        coverage: that of the inner negation.
    """
    if clause.mood == "interrogative":
        return QUESTION
    if clause.mood == "fragment":
        return FRAGMENT
    if clause.mood == "imperative" or is_timed_command(clause):
        return reminded(clause)
    phrase = parsed(text)
    if phrase.kind == "kept":
        return put_around(clause, phrase)
    if phrase.kind == "denied":
        return _around_opposite(clause, phrase, coverage)
    return cancelling.inside(clause, phrase)


def _around_opposite(clause: Clause, phrase: DenialPhrase, coverage: Coverage) -> Result:
    """Rewrite 他去了北京 as 说他没去北京是不对的."""
    edits = negate(clause, "syntactic", coverage)
    if isinstance(edits, Skip):
        return edits
    comma = mark(clause.text, "，")
    found: list[Edit] = []
    if phrase.opening:
        found.append(insert(clause, AROUND, start_of_statement(clause).start, phrase.opening))
    found += edits
    if phrase.closing:
        found.append(insert(clause, AROUND, end_of_statement(clause), phrase.closing.replace("，", comma)))
    return found


def within(clause: Clause) -> Result:
    """Put both negations inside the sentence: 没有人不知道 for 人人都知道."""
    if clause.mood == "interrogative":
        return QUESTION
    if clause.mood == "imperative":
        return reminded(clause)
    if clause.mood == "fragment":
        return FRAGMENT
    if clause.negation is not None:
        return cancelling.ALREADY_NEGATED
    edits = cancelling.universal(clause)
    return edits if edits is not None else cancelling.inside(clause, parsed("不能不"))


def is_timed_command(clause: Clause) -> bool:
    """Whether a sentence is a command after a time: 下班前给我打个电话."""
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    timed = len(spoken) > 2 and spoken[0].pos == "VERB" and form(spoken[1]) in AFTER_TIME
    bare = clause.subject is None and clause.negation is None and aspect_of(clause).kind == "none"
    return timed and bare and len(spoken) <= LONGEST and form(clause.predicate) not in STATIVE


def reminded(clause: Clause) -> Result:
    """Rewrite 请关门 as 请别忘了关门."""
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    if clause.negation is not None or form(spoken[0]) in ("别", "不要", "请勿"):
        return Skip("negated command")
    if form(spoken[-1]) in UNREMINDED:
        return Skip("proposal")
    remember = next((w for w in spoken if form(w) in ("记得", "记住")), None)
    if remember is not None:
        return [replace(clause, REMINDED, remember, "别忘了")]
    edits = forbidden(clause) if clause.mood == "imperative" else NO_PLACE
    if isinstance(edits, Skip):
        return [insert(clause, REMINDED, negation_site(clause).start, "别忘了")]
    first = edits[0]
    return [REMINDED.edit(first.start, first.end, insert(clause, REMINDED, 0, "别忘了").new)]
