"""What an antonym needs beside its place in the claim: the conditions that `antonym_contexts.tsv` names."""

from __future__ import annotations

from collections.abc import Callable

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.claims import is_verbal
from sda_hf.grammar.chinese.predicates import STATIVE, copula_of
from sda_hf.grammar.chinese.rules.antonym_frames import DEGREE, after, before, frame_of
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

PERSONAL = lexicon.words("pronouns", "personal")
PERSONS = lexicon.words("nouns", "persons")
PERSON_ENDINGS = tuple(lexicon.words("nouns", "person-endings"))
GRADUAL = lexicon.words("antonyms", "gradual")
POSED = ("在", "着")
PASSIVE = ("被", "遭", "受")
UNLASTING = frozenset({"在", "着", "了", "过", "正在", "会", "能", "可以", "将", "要", "为", "得", "从"})
UNDONE = frozenset({"有", "是", "达", "达到", "属", "知道", "够", "没有", "为", "超过"})
SAYING = lexicon.words("verbs", "saying")
LOCATING = lexicon.words("antonyms", "locating")
PURPOSES = frozenset("准备 打算 以便 以 为了 来 预备 试图".split())
BENEFITING = frozenset("为 给 替 对".split())
OTHERS = frozenset("其他 其它 别的 更多 所有 全 整个 另外 另".split())
SOME = frozenset("一些 些 几 许多 很多 不少".split())
AGREED = frozenset({"同意", "赞成", "符合", "理解", "恢复", "开放", "接受", "拆除", "毁坏", "消失", "支持"})
Condition = Callable[[Clause, Word], bool]


def is_person(noun: Word) -> bool:
    """Whether a noun or pronoun names a person."""
    text = form(noun)
    if noun.pos == "PRON":
        return text in PERSONAL - {"它", "它们"}
    return text in PERSONS or text.endswith(PERSON_ENDINGS)


def holds(name: str, clause: Clause, word: Word) -> bool:
    """Whether a condition holds: one of `CONDITIONS`, or an object or subject of a word list, such as "@doors"."""
    if name.startswith("@"):
        return _is_about(clause, word, tuple(lexicon.phrases("antonym nouns", name[1:])))
    return CONDITIONS[name](clause, word)


def _is_about(clause: Clause, word: Word, nouns: tuple[str, ...]) -> bool:
    """Whether the object of a verb, or the noun that an adjective is said of, is one of a list."""
    noun = object_of(clause, word) or _patient(clause)
    if noun is None or clause.words[word.index].pos == "ADJ":
        noun = said_of(clause, word)
    return noun is not None and form(noun).endswith(nouns)


def object_of(clause: Clause, word: Word) -> Word | None:
    """Return the last noun of the object after a verb, up to the next verb or mark."""
    found = None
    for other in clause.words[word.index :]:
        if (
            other.start < word.end
            or other.label.startswith(("aux", "case:aspect"))
            or form(other) in ("了", "着", "过")
        ):
            continue
        if other.pos == "PUNCT" or (is_verbal(other) and found is not None and not _modifies(clause, other)):
            break
        if other.pos in ("NOUN", "PROPN", "PRON", "PART", "X") and form(other) not in ("的", "之"):
            found = other
    return found


def _modifies(clause: Clause, word: Word) -> bool:
    following = after(clause, word)
    return following is not None and (form(following) in ("的", "之") or following.pos == "NOUN")


def _patient(clause: Clause) -> Word | None:
    """Return the noun after 把."""
    return next((w for w in clause.words[: clause.predicate.index] if w.label == "obl:patient"), None)


def said_of(clause: Clause, word: Word) -> Word | None:
    """Return the noun that an adjective modifies, or the subject."""
    if frame_of(clause, word, "ADJ") == "attribute":
        return next((w for w in clause.words[word.index + 1 :] if w.pos in ("NOUN", "PROPN")), None)
    return clause.subject.head if clause.subject is not None else None


def _takes_object(clause: Clause, word: Word) -> bool:
    if _is_verbal(clause, word):
        return True
    return object_of(clause, word) is not None or _patient(clause) is not None or _is_passive(clause)


def _is_passive(clause: Clause) -> bool:
    return any(form(w) in PASSIVE and w.pos in ("AUX", "ADP") for w in clause.words)


def _is_bare(clause: Clause, word: Word) -> bool:
    """Whether nothing follows a verb but particles."""
    following = after(clause, word)
    while following is not None and form(following) in ("了", "过", "着", "啊", "吧", "呢", "啦", "的"):
        following = after(clause, following)
    return following is None or following.pos == "PUNCT"


def _rest(clause: Clause, word: Word) -> list[Word]:
    """Return the words after a word, up to the next mark."""
    found: list[Word] = []
    for other in clause.words[word.index :]:
        if other.start >= word.end:
            if other.pos == "PUNCT":
                break
            found.append(other)
    return found


def _is_nominal(clause: Clause, word: Word) -> bool:
    """Whether the object is a noun phrase rather than a clause."""
    return all(not is_verbal(w) or _modifies(clause, w) for w in _rest(clause, word)) and not any(
        w.label == "cop" for w in _rest(clause, word)
    )


def _is_verbal(clause: Clause, word: Word) -> bool:
    """Whether a verb follows right away: 继续工作."""
    following = after(clause, word)
    return following is not None and following.pos == "VERB" and form(following) not in STATIVE


def _is_of_person(clause: Clause, word: Word) -> bool:
    noun = said_of(clause, word)
    return noun is not None and is_person(noun)


def _is_of_thing(clause: Clause, word: Word) -> bool:
    noun = said_of(clause, word)
    return noun is not None and not is_person(noun) and noun.pos != "PROPN"


def _has_person_object(clause: Clause, word: Word) -> bool:
    noun = object_of(clause, word) or _patient(clause)
    if _is_passive(clause):
        return clause.subject is None or is_person(clause.subject.head)
    return noun is not None and (is_person(noun) or (noun.pos == "PROPN" and len(noun.text) > 1))


def _has_placed_object(clause: Clause, word: Word) -> bool:
    noun = object_of(clause, word)
    return noun is not None and not is_person(noun) and noun.pos != "PRON"


def _has_degree(clause: Clause, word: Word) -> bool:
    """Whether an adverb of degree, 比 or a complement of degree goes with an adjective, or nothing but its subject."""
    previous, following = before(clause, word), after(clause, word)
    if previous is None:
        return False
    comparing = any(form(w) == "比" for w in clause.words[: word.index])
    much = following is not None and form(following) in ("极", "得", "多", "极了")
    return form(previous) in DEGREE or comparing or much or word.text != clause.words[word.index].text


def _measures(clause: Clause, word: Word) -> bool:
    following = after(clause, word)
    return following is not None and (following.pos == "NUM" or form(following) == "有")


def _is_posed(clause: Clause, word: Word) -> bool:
    following = after(clause, word)
    return following is not None and form(following) in POSED


def _is_gradual(clause: Clause, word: Word) -> bool:
    return form(clause.predicate) in GRADUAL


def _is_experiential(clause: Clause, word: Word) -> bool:
    return any(form(w) == "过" for w in clause.words[clause.predicate.index + 1 : clause.predicate.index + 3])


def _is_lasting(clause: Clause, word: Word) -> bool:
    """Whether a claim holds for a time: no progressive, aspect or modal goes with it."""
    between = clause.words[word.index + 1 : clause.predicate.index]
    texts = {form(w) for w in (*between, *clause.words[clause.predicate.index + 1 : clause.predicate.index + 3])}
    return not texts & UNLASTING and not any(w.pos == "NUM" for w in clause.words[clause.predicate.index :])


def _is_done(clause: Clause, word: Word) -> bool:
    """Whether something has happened that could still be to come: 已经结束."""
    predicate = clause.predicate
    rest = clause.words[predicate.index + 1 :]
    plain = predicate.pos == "VERB" and form(predicate) not in UNDONE and copula_of(clause) is None
    sure = any(form(w) in ("一定", "肯定", "想必") for w in clause.words[: word.index])
    if sure or form(predicate).startswith("初") or any(form(w) in SOME for w in rest):
        return False
    return plain and not any(form(w) in ("着", "过", "多", "被", "再") or w.pos == "NUM" for w in (*rest, word))


def _is_calm(clause: Clause, word: Word) -> bool:
    """Whether the sentence neither exclaims nor assures, as 一定还有办法的！ does."""
    spoken = [form(w) for w in clause.words if w.pos != "PUNCT"]
    lively = clause.end_mark is not None and clause.end_mark.text[0] in "！!"
    return not lively and spoken[-1] not in ("的", "吧") and "还" not in spoken


def _has(clause: Clause, word: Word) -> bool:
    """Whether 有 is the predicate and tells of a thing without a number: 他有勇气."""
    following = after(clause, word)
    previous = before(clause, word)
    if previous is not None and previous.pos == "ADV":
        return False
    if word is not clause.predicate or following is None or following.tag != "NN" or clause.subject is None:
        return False
    rest = _rest(clause, word)
    return len(rest) <= 3 and all(w.pos in ("NOUN", "ADJ", "PART", "ADP") for w in rest) and form(rest[-1]) != "时"


def _quantifies_persons(clause: Clause, word: Word) -> bool:
    following = after(clause, word)
    return following is not None and is_person(following) and word.index < clause.predicate.index


def _is_described(clause: Clause, word: Word) -> bool:
    """Whether the verb has its subject before it."""
    return clause.subject is not None and clause.subject.last.index < word.index


CONDITIONS: dict[str, Condition] = {
    "object": _takes_object,
    "bare": _is_bare,
    "nominal": _is_nominal,
    "verbal": _is_verbal,
    "person": _is_of_person,
    "thing": _is_of_thing,
    "person-object": _has_person_object,
    "placed": _has_placed_object,
    "degree": _has_degree,
    "cop": lambda clause, word: copula_of(clause) is not None or _has_degree(clause, word),
    "no-le": lambda clause, word: not any(form(w) == "了" for w in _rest(clause, word)[:1]),
    "no-extent": lambda clause, word: (previous := before(clause, word)) is None or form(previous) != "得",
    "untold": lambda clause, word: not any(form(w) in SAYING for w in _rest(clause, word)[:2]),
    "purposeless": lambda clause, word: not any(form(w) in PURPOSES for w in _rest(clause, word)),
    "no-benefit": lambda clause, word: not any(form(w) in BENEFITING for w in clause.words[: word.index]),
    "located": lambda clause, word: form(clause.predicate) in LOCATING and word.index > clause.predicate.index,
    "no-other": lambda clause, word: not any(form(w) in OTHERS for w in _rest(clause, word)),
    "unexclaimed": _is_calm,
    "no-duty": lambda clause, word: not any(form(w) in ("要", "得", "会", "能") for w in clause.words),
    "measured": _measures,
    "posed": _is_posed,
    "gradual": _is_gradual,
    "experiential": _is_experiential,
    "ended": lambda clause, word: (
        clause.end_mark is not None
        and clause.subject is not None
        and not any(form(w) in ("才", "只", "祇", "只有", "你", "有", "唯一", "何", "了") for w in clause.words)
    ),
    "lasting": _is_lasting,
    "done": _is_done,
    "had": _has,
    "unnamed": lambda clause, word: (following := after(clause, word)) is None or following is clause.predicate,
    "agreed": lambda clause, word: form(clause.predicate) in AGREED,
    "person-noun": _quantifies_persons,
    "described": _is_described,
    "any": lambda clause, word: True,
}
