"""Doubts about modality."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.claims import COMMAS, QUOTES
from sda_hf.grammar.chinese.doubts.double_negation import ASKED
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.doubts.patterns import class_of
from sda_hf.grammar.chinese.predicates import STATIVE, degree_of, is_adjectival, is_having, is_stative, modal_of
from sda_hf.grammar.chinese.rules.modal_claims import US, YOU, claim_kind
from sda_hf.grammar.chinese.rules.modal_questions import MANNER, alternative_of, is_marked
from sda_hf.grammar.chinese.rules.modal_sites import has_topic, is_stray, is_subordinate, site_of
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.spans import is_modal, is_time
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.syntax.clause import Clause

SAYING = lexicon.words("verbs", "saying")
SPEAKER = re.compile(r"[，,][^，,。]{0,24}(?:说|说道|问道|表示|写道|喊道|叫道|指出|补充|补充道|警告)(?:[，,。.！!]|$)")
ASKING = re.compile(r"(?:是|要|去|在|有)(?:什么|谁|哪)")
KNOWING = re.compile(r"知道|问|看|想|听|说|清楚|明白|告诉|懂|无论|不管|任何")
LONGEST_PLAN = 24  # words
SHORTEST_STATEMENT = 4  # words
SHORTEST_COMMAND = 2  # words
SHORTEST = 9  # characters
SHORTEST_OF_NEWS = 3  # words before the verb of saying
LONGEST_REQUEST = 30  # words
LONGEST_COMMAND = 14  # words
LINKING = lexicon.words("conjunctions", "subordinate")
RHETORICAL = re.compile(
    r"谁[知会能敢不]|怎么可能|怎么会|怎么[这那]么|怎么可以[这那]|怎[能会]|哪[能有]|何必|何尝|何况|岂|难道"
)
PLEADING = re.compile(r"请(?:[你您大家各位]{1,2})?(?:千万)?(?:别|勿|不要)|千万别")
ANSWERS = frozenset("是的 对 好的 行 感谢 谢谢 多谢 谢 拜托".split())


def has_stray_site(clause: Clause) -> bool:
    """Whether the place of a modal is in the middle of a phrase."""
    return clause.mood != "interrogative" and is_stray(clause, site_of(clause, comment=True))


def is_query(clause: Clause) -> bool:
    """Whether a bare verb without a mark may be a heading or what is typed into a search."""
    if clause.end_mark is not None or modal_of(clause) is not None:
        return False
    if form(clause.predicate) == "求" or any(form(w) == "求" and w.pos == "VERB" for w in clause.words):
        return True
    subject = clause.subject
    if form(clause.predicate) == "在" or (subject is not None and subject.first.pos in ("PRON", "NUM", "DET")):
        return False
    taken = clause.children(clause.predicate, "obj", "obl:patient") and len(forms(clause.words)) >= SHORTEST
    if subject is not None and subject.head.label.startswith("nsubj") and taken:
        return False
    return claim_kind(clause) in ("open", "effect", "command", "habit", "plan")


def is_embedded(clause: Clause) -> bool:
    """Whether the words of a question stand in a statement: 他想知道谁来."""
    if clause.mood == "interrogative":
        return not is_marked(clause)
    alternative = alternative_of(clause)
    if clause.words[-1].text in ("不", "没", "没有") and clause.end_mark is None:
        return True
    if alternative is not None and claim_kind(clause) != "which" and alternative.index <= clause.predicate.index:
        return True
    site = site_of(clause, comment=True).index
    return any(form(w) in MANNER for w in clause.words[site : clause.predicate.index + 2])


def is_modifier(clause: Clause) -> bool:
    """Whether the sentence may be a noun with a modifier before it: 熨褐色外套的人."""
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    if clause.subject is not None or clause.mood == "interrogative" or is_having(clause) or is_adjectival(clause):
        return False
    if clause.verbs is None or clause.verbs.main is None:
        return False
    last = spoken[-1]
    if clause.predicate.index == 0 and any(form(w) == "的" for w in clause.words[:-3]):
        return True
    if last.pos != "NOUN" or last.index < 2:
        return False
    before = clause.words[last.index - 2 : last.index]
    return form(before[1]) == "的" and before[0].pos != "PRON" and not has_topic(clause)


def is_odd_command(clause: Clause) -> bool:
    """Whether what looks like a command has a copula, or is too long for one."""
    if claim_kind(clause) not in ("command", "request"):
        return False
    if clause.predicate.pos != "VERB" or form(clause.words[0]) in ("快", "快点", "赶快", "赶紧"):
        return True
    if claim_kind(clause) == "command" and class_of("uncommanded", simplified(clause.text)):
        return True
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    if len(spoken) < SHORTEST_COMMAND or _has_second_claim(clause):
        return True
    if form(spoken[-1]) == "的" or (clause.subject is not None and is_marked_off(clause)):
        return True
    marks = [w for w in clause.words if w.text in "。；：…？?"]
    if claim_kind(clause) == "request":
        return clause.end_mark is None or len(clause.words) > LONGEST_REQUEST or len(marks) > 1
    return is_stative(clause) or len(clause.words) > LONGEST_COMMAND or len(marks) > 1 or clause.end_mark is None


def _has_second_claim(clause: Clause) -> bool:
    """Whether another predicate follows in the same part of the sentence, so that the first is its subject."""
    for word in clause.words[clause.predicate.index + 1 :]:
        if word.text in COMMAS:
            return False
        stative = word.pos == "VERB" and form(word) in STATIVE and word.label not in ("compound:vv", "xcomp")
        if stative or is_modal(word) or word.tag.startswith("VC"):
            return True
    return False


def ends_with_speaker(clause: Clause) -> bool:
    """Whether the sentence names who says it at its end, or between two commas."""
    return SPEAKER.search(simplified(clause.text[clause.words[0].start : clause.words[-1].end])) is not None


def is_vocative(clause: Clause) -> bool:
    """Whether the sentence begins by calling somebody."""
    words = clause.words
    named = len(words) > 2 and words[0].pos in ("NOUN", "PROPN") and not is_time(words[0])
    return named and words[1].text in COMMAS


def is_spoken_to(clause: Clause) -> bool:
    """Whether a bare verb may be a command or an offer: it is about the person spoken to, or the speaker."""
    subject = form(clause.subject.head) if clause.subject is not None else ""
    if subject in YOU:
        return claim_kind(clause) in ("open", "command")
    offered = subject in US and len(clause.words) <= LONGEST_PLAN and not is_marked_off(clause)
    return offered and claim_kind(clause) == "open"


def is_exclaimed(clause: Clause) -> bool:
    """Whether an exclamation or a few words have no subject."""
    lively = clause.end_mark is not None and any(c in "!！" for c in clause.end_mark.text)
    return clause.subject is None and (lively or len(clause.words) <= SHORTEST_STATEMENT)


def may_ask(clause: Clause) -> bool:
    """Whether a statement by its mark may be a question."""
    if clause.mood == "interrogative":
        return False
    text = forms(clause.words)
    if clause.end_mark is None and ASKED.search(text) is not None:
        return KNOWING.search(text) is None
    return ASKING.search(text) is not None and KNOWING.search(text) is None


def is_quoting(clause: Clause) -> bool:
    """Whether the predicate only tells who speaks: 他说."""
    after = clause.words[clause.predicate.index + 1 : clause.predicate.index + 2]
    verb = form(clause.predicate)
    if after and form(after[0]) == "道":
        return True
    saying = verb in SAYING or (verb.endswith("道") and len(verb) > 1 and verb not in STATIVE)
    if not saying or (after and after[0].pos != "PUNCT"):
        return False
    quoted = any(w.text in QUOTES for w in clause.words)
    return quoted or not after or after[0].text not in COMMAS or clause.predicate.index < SHORTEST_OF_NEWS


def is_answer(clause: Clause) -> bool:
    """Whether the predicate is an answer or thanks: 是的, 非常感谢."""
    text = forms(clause.words)
    if text.startswith(("瞧", "天哪", "天啊")):
        return True
    if clause.predicate.pos == "INTJ":
        return True
    if form(clause.predicate) in ("一样", "相同", "一般") and any(
        form(w) in ("和", "跟", "像") for w in clause.words[:2]
    ):
        return True
    return (form(clause.predicate) in ANSWERS and clause.subject is None) or text.startswith(("是的", "对不起", "对，"))


def is_conditional_question(clause: Clause) -> bool:
    """Whether a condition in a question has no mark after it: 如果忘记了密码该怎么办."""
    return (
        clause.mood == "interrogative" and any(form(w) in LINKING for w in clause.words) and not is_marked_off(clause)
    )


def is_marked_off(clause: Clause) -> bool:
    """Whether a comma divides the sentence."""
    return any(w.text in COMMAS for w in clause.words)


def is_rhetorical(clause: Clause) -> bool:
    """Whether a question or an exclamation asserts something: 不是……吗, 多么."""
    text = forms(clause.words)
    degree = degree_of(clause)
    if RHETORICAL.search(text) is not None or (text.startswith("谁") and clause.mood != "interrogative"):
        return True
    if "多么" in text or "可不是" in text or (degree is not None and form(degree) == "真"):
        return True
    return clause.mood == "interrogative" and "不是" in text and "是不是" not in text


def is_performed(clause: Clause) -> bool:
    """Whether the speaker asks somebody in saying so: 我请各位坐下."""
    subject = clause.subject
    return form(clause.predicate) in ("请", "命令") and subject is not None and form(subject.head) in ("我", "我们")


def is_tagged(clause: Clause) -> bool:
    """Whether a question asks for consent at its end: 行吗, 好吗."""
    text = forms(clause.words).rstrip("？?！!。")
    return clause.mood == "interrogative" and text.endswith(
        ("你呢", "您呢", "行吗", "好吗", "好么", "行么", "对吗", "可以吗", "好不好")
    )


def is_pleading(clause: Clause) -> bool:
    """Whether somebody is asked not to do something: 请别走."""
    return PLEADING.search(simplified(clause.text)) is not None


DOUBTS: tuple[Doubt, ...] = (
    Doubt("uncertain place of the modal", has_stray_site),
    Doubt("uncertain predicate: in a subordinate clause", is_subordinate),
    Doubt("condition and question without a comma", is_conditional_question),
    Doubt("rhetorical question or exclamation", is_rhetorical),
    Doubt("request", is_performed),
    Doubt("request", is_pleading),
    Doubt("question of consent", is_tagged),
    Doubt("question within a statement", is_embedded),
    Doubt("question without its mark", may_ask),
    Doubt("not a clause: it may be a heading or a query", is_query),
    Doubt("not a clause: it may be a noun phrase", is_modifier),
    Doubt("command: it may be a statement", is_odd_command),
    Doubt("verb of saying before or after a quotation", is_quoting),
    Doubt("an answer or thanks", is_answer),
)
# Those of an affirmation before a whole statement.
FRAME_DOUBTS: tuple[Doubt, ...] = (
    Doubt("question without its mark", may_ask),
    Doubt("rhetorical question or exclamation", is_rhetorical),
    Doubt("verb of saying before or after a quotation", is_quoting),
    Doubt("somebody is called", is_vocative),
    Doubt("it may be a command or an offer", is_spoken_to),
    Doubt("an exclamation without a subject", is_exclaimed),
    Doubt("verb of saying after what is said", ends_with_speaker),
    Doubt("an answer or thanks", is_answer),
    Doubt("request", is_performed),
)
