"""Mood: whether a sentence is a statement, a question, a command, or not a clause at all."""

from __future__ import annotations

from collections.abc import Sequence

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.spans import is_negator, is_time
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Mood, Phrase, VerbGroup, Word

END_MARKS = frozenset("。！？!?….")
CLOSING = frozenset("”’」』）)》】\"'")
FINAL = lexicon.words("particles", "final")
ASPECT = lexicon.words("particles", "aspect")
ASKING = lexicon.words("particles", "asking")
YOU = lexicon.words("pronouns", "you")
US = lexicon.words("pronouns", "us")
QUESTION_WORDS = lexicon.words("pronouns", "asking")
ALTERNATIVES = lexicon.words("pronouns", "alternatives")
COMMANDING = lexicon.words("verbs", "commanding")
NOT_COMMANDED = lexicon.words("verbs", "not-commanded")
STATIVE = lexicon.words("verbs", "stative")
COVERBS = lexicon.words("prepositions", "coverbs")
INDEFINITE_AFTER = frozenset("无论 不论 不管 任何 都 也".split())
AMBIGUOUS = frozenset("几 多少 谁 什么 何 还是".split())


def end_mark_of(words: Sequence[Word]) -> Word | None:
    """Return the mark that ends the sentence, before any closing quotes and brackets."""
    for word in reversed(words):
        if word.text and all(c in END_MARKS for c in word.text):
            return word
        if word.text not in CLOSING:
            return None
    return None


def final_particles(words: Sequence[Word]) -> list[Word]:
    """Return the particles at the end of a sentence, before its mark: 吗, 吧; 了 is not one of them."""
    found: list[Word] = []
    for word in reversed(words):
        if form(word) in FINAL and word.pos in ("PART", "INTJ", "AUX", "X"):
            found.insert(0, word)
        elif word.pos != "PUNCT":
            break
    return found


def is_a_not_a(words: Sequence[Word]) -> bool:
    """Whether a verb is asked together with its negation: 去不去, 好不好, 吃没吃."""
    for before, negator, after in zip(words, words[1:], words[2:], strict=False):
        if form(negator) in ("不", "没") and form(before)[:1] == form(after)[:1] and before.pos != "PUNCT":
            return True
    return any(len(f) == 3 and f[1] in "不没" and f[0] == f[2] for f in map(form, words))


def asks(words: Sequence[Word], end_mark: Word | None) -> bool:
    """Whether a sentence is a question, by its mark, its particles or its question words."""
    if end_mark is not None and any(c in "?？" for c in end_mark.text):
        return True
    if any(form(w) in ASKING for w in final_particles(words)) or is_a_not_a(words):
        return True
    if end_mark is not None:
        return False
    # Without its mark, as questions are typed.
    found = [w for w in words if form(w) in QUESTION_WORDS | ALTERNATIVES]
    if not found or any(form(w) in INDEFINITE_AFTER for w in words):
        return False
    return any(form(w) not in AMBIGUOUS for w in found) or len(words) <= 12


def mood_of(verbs: VerbGroup | None, subject: Phrase | None, words: Sequence[Word], predicate: Word) -> Mood:
    """Return the mood of a sentence.

    Args:
        verbs: the verb group of the claim; None if there is none.
        subject: its subject.
        words: the words of the sentence.
        predicate: the predicate.
    """
    if asks(words, end_mark_of(words)) and (verbs is not None or len(words) > 3):
        return "interrogative"
    if verbs is None:
        # 今天星期一, 他二十岁: a noun or a number is the predicate.
        nominal = subject is not None and subject.head.label.startswith("nsubj") and predicate.pos in ("NOUN", "NUM")
        nominal = nominal or (is_time(predicate) and words[0] is not predicate and is_time(words[0]) and len(words) < 6)
        return "declarative" if nominal and end_mark_of(words) is not None else "fragment"
    return "imperative" if commands(subject, words, predicate) else "declarative"


def commands(subject: Phrase | None, words: Sequence[Word], predicate: Word) -> bool:
    """Whether a sentence is a command: without a subject or with one that is addressed, and a bare verb."""
    spoken = [w for w in words if w.pos != "PUNCT"]
    texts = [form(w) for w in spoken]
    if not texts:
        return False
    addressed = subject is None or form(subject.head) in YOU
    opener = texts[1] if len(texts) > 1 and texts[0] in YOU | US else texts[0]
    if any(is_negator(w) and form(w) not in COMMANDING for w in words[: predicate.index + 1]):
        return False
    if addressed and (opener in COMMANDING or texts[0].startswith("请")):
        return True
    if (addressed or (subject is not None and form(subject.head) in US)) and texts[-1] == "吧":
        return True
    end = end_mark_of(words)
    exclaimed = end is not None and any(c in "!！" for c in end.text)
    if subject is not None and form(subject.head) in YOU | US and exclaimed and subject.first.index == 0:
        return texts[-1] != "了" and form(predicate) not in STATIVE and not any(form(w) in ASPECT for w in words)
    if subject is not None or predicate.pos != "VERB" or form(predicate) in NOT_COMMANDED | STATIVE:
        return False
    follows = words[predicate.index + 1 : predicate.index + 2]
    aspect = any(form(w) in ASPECT for w in follows) or texts[-1] == "了"
    leads = spoken[0] is predicate or (form(spoken[0]) in COVERBS and spoken[0].pos in ("VERB", "ADP"))
    joined = not any(w.pos == "PUNCT" for w in words[spoken[0].index : predicate.index])
    return not aspect and leads and joined and end is not None
