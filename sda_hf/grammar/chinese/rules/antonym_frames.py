"""Where in a claim a word stands: an antonym there contradicts the claim. The names are those of the contexts."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon, thesaurus
from sda_hf.grammar.chinese.claims import is_verbal
from sda_hf.grammar.chinese.predicates import COMPLEMENTS, copula_of
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

# In the order of nearness to the claim.
FRAMES = ("predicate", "complement", "modal", "inner", "manner", "noun", "attribute", "place", "serial", "quantity")
DEFAULTS = {
    "ADJ": frozenset({"predicate", "complement", "attribute"}),
    "ADV": frozenset({"manner"}),
    "NOUN": frozenset({"noun", "place"}),
    "VERB": frozenset({"predicate", "complement", "inner", "modal"}),
}
PARTS = {
    "ADJ": ("ADJ", "VERB"),
    "ADV": ("ADV", "ADJ", "NOUN"),
    "NOUN": ("NOUN", "PART"),
    "VERB": ("VERB", "AUX"),
}
DEGREE = lexicon.words("adverbs", "degree")
SLIGHT = lexicon.words("antonyms", "slight")
WEARING = lexicon.words("antonyms", "wearing")
CONTROLLING = lexicon.words("antonyms", "controlling")
THINKING = lexicon.words("antonyms", "reporting")
LOCATING = lexicon.words("antonyms", "locating")
LOCALIZERS = lexicon.words("antonyms", "localizers")
PLACE_ENDINGS = tuple(lexicon.words("antonyms", "place-endings"))
ABLE = ("能", "能够", "必须", "无须")
PURPOSES = ("来", "去", "以")
POSTURES = ("坐", "站", "躺", "坐在", "站在", "躺在")
DE = ("的", "之")


def frame_of(clause: Clause, word: Word, pos: str) -> str | None:
    """Return where in the claim a word stands; None if it is no part of it.

    Args:
        clause: the main clause.
        word: a word, or several that a table has as one.
        pos: the part of speech with which the table has it.
    """
    last = _last(clause, word)
    if thesaurus.is_quantity(form(word)):
        return "quantity" if _is_in_claim(clause, word) else None
    if not _has_part(clause, word, last, pos):
        return None
    if pos in ("ADJ", "VERB"):
        return _of_predicate(clause, word, last) or (_of_attribute(clause, word, last) if pos == "ADJ" else None)
    if pos == "ADV":
        return "manner" if _is_adverb(clause, word, last) else None
    return _of_noun(clause, word, last)


def _last(clause: Clause, word: Word) -> Word:
    """Return the last of the words that a table has as one."""
    return next(w for w in clause.words[word.index :] if w.end >= word.end)


def after(clause: Clause, word: Word) -> Word | None:
    """Return the word after one."""
    index = _last(clause, word).index + 1
    return clause.words[index] if index < len(clause.words) else None


def before(clause: Clause, word: Word) -> Word | None:
    """Return the word before one."""
    return clause.words[word.index - 1] if word.index else None


def _has_part(clause: Clause, word: Word, last: Word, pos: str) -> bool:
    previous = before(clause, word)
    if pos == "ADJ" and previous is not None and (form(previous) in DEGREE or previous.label == "cop"):
        return last.pos != "PROPN"
    if pos == "ADJ" and len(word.text) > 1:
        return last.pos in ("ADJ", "VERB", "NOUN", "ADV")
    compared = word is clause.predicate and any(form(w) == "比" for w in clause.words[: word.index])
    return last.pos in PARTS[pos] or clause.words[word.index].pos in PARTS[pos] or (pos == "ADJ" and compared)


# -- the predicate -------------------------------------------------------------------------------


def _of_predicate(clause: Clause, word: Word, last: Word) -> str | None:
    predicate = clause.predicate
    if form(word) in POSTURES:
        return "serial" if _is_serial(clause, word) or word.index == predicate.index else None
    if _is_doubled(clause, word):
        return "predicate"
    if word.index <= predicate.index <= last.index:
        return "predicate" if _ends_verb(clause, word) and not _is_result(clause, word) else None
    if form(word) in ABLE and last.pos == "AUX" and clause.verbs is not None and word is clause.verbs.first:
        return "modal"
    if _is_complement(clause, word):
        return "complement"
    heads = [w for w in (word, last) if w.label in ("xcomp", "ccomp") and w.head == predicate.index]
    if not heads or word.index <= predicate.index or not _ends_verb(clause, word):
        return None
    between = clause.words[predicate.index + 1 : word.index]
    if any(w.pos == "PUNCT" or form(w) in DE for w in between):
        return None
    text = form(predicate)
    if text in CONTROLLING and not any(w.label.startswith("nsubj") for w in between):
        return "inner"
    return "inner" if text in THINKING and any(w.label.startswith("nsubj") for w in between) else None


def _ends_verb(clause: Clause, word: Word) -> bool:
    """Whether a verb or adjective stands without a complement of direction and is no modifier of a noun."""
    following = after(clause, word)
    if following is None:
        return True
    if form(following) in DE:
        beyond = after(clause, following)
        return copula_of(clause) is not None and (beyond is None or beyond.pos == "PUNCT")
    if len(word.text) > 1 and len(form(following)) == 1:
        beyond = after(clause, following)
        if form(following) in ("到", "至", "在") or (beyond is not None and beyond.pos in ("NOUN", "PROPN")):
            return True
    if form(following) == "在":
        return True
    return following.label != "compound:vv" and not (
        form(following) in COMPLEMENTS - {"了"} and following.pos == "VERB" and following.label != "obj"
    )


def _is_result(clause: Clause, word: Word) -> bool:
    """Whether an adjective goes with the verb or adjective before it, or a verb tells a purpose: 清理干净, 来盈利."""
    previous = before(clause, word)
    if previous is None:
        return False
    pos = clause.words[word.index].pos
    return (pos == "ADJ" and previous.pos in ("VERB", "ADJ")) or (pos == "VERB" and form(previous) in PURPOSES)


def _is_serial(clause: Clause, word: Word) -> bool:
    """Whether a verb between the subject and the predicate says how the subject does it: 坐在沙发上看书."""
    subject = clause.subject
    if subject is None or not subject.last.index < word.index < clause.predicate.index or word.label == "ccomp":
        return False
    between = clause.words[subject.last.index + 1 : clause.predicate.index]
    return not any(form(w) in DE or w.pos == "PUNCT" for w in between)


def _is_doubled(clause: Clause, word: Word) -> bool:
    """Whether an adjective stands in 又...又..., with the predicate."""
    previous = before(clause, word)
    twice = sum(form(w) == "又" for w in clause.words) == 2
    return twice and previous is not None and form(previous) == "又" and clause.predicate.pos == "ADJ"


def _is_complement(clause: Clause, word: Word) -> bool:
    """Whether a word follows the predicate and 得, with no more than an adverb of degree before it."""
    index = word.index - 1
    while index > 0 and form(clause.words[index]) in DEGREE:
        index -= 1
    if index <= 0 or form(clause.words[index]) != "得" or clause.words[index - 1] is not clause.predicate:
        return False
    following = after(clause, word)
    return following is None or following.pos == "PUNCT" or form(following) in ("了", "多", "啊", "呢", "一些", "一点")


# -- attributes and nouns ------------------------------------------------------------------------


def _of_attribute(clause: Clause, word: Word, last: Word) -> str | None:
    """Whether an adjective modifies the predicate noun, or an object that is one of its kind."""
    following = after(clause, word)
    if following is None or last.label.startswith("xcomp"):
        return None
    noun = after(clause, following) if form(following) in DE else following
    if noun is None or noun.pos not in ("NOUN", "PART") or any(w.pos == "PUNCT" for w in (following, noun)):
        return None
    if noun is following and len(form(noun)) < 2:
        return None  # 安全帽, 大门
    head = _head_of(clause, noun)
    if head is clause.predicate and copula_of(clause) is not None:
        return "attribute" if _is_plain(clause, word, head) else None
    if head is None or head.head != clause.predicate.index or head.label not in ("obj", "xcomp"):
        return None
    return "attribute" if _is_single(clause, word) and _is_plain(clause, word, head) else None


def _head_of(clause: Clause, noun: Word) -> Word | None:
    """Return the noun that ends the noun phrase in which an adjective stands."""
    for word in clause.words[noun.index :]:
        if word.pos not in ("NOUN", "PART", "PROPN") or form(word) in DE:
            return None
        if word.head == clause.predicate.index or word is clause.predicate:
            following = after(clause, word)
            if following is not None and form(following) in ("、", "和", "与", "及"):
                return None
            ends = (
                following is None or following.pos not in ("NOUN", "PART", "PROPN") or form(following) in ("吗", "了")
            )
            return word if ends else None
    return None


def _is_plain(clause: Clause, word: Word, head: Word) -> bool:
    """Whether nothing stands beside an attribute: "高大英俊的男人", "又高又瘦的人"."""
    between = clause.words[clause.predicate.index + 1 : word.index]
    if clause.predicate is head:
        copula = copula_of(clause)
        between = clause.words[copula.index + 1 : word.index] if copula else ()
    allowed = ("NUM", "DET", "PRON", "ADV", "AUX")
    return all(w.pos in allowed or w.label in ("clf", "case", "nummod", "aux") for w in between) and not any(
        w.label in ("conj", "cc") for w in clause.children(head)
    )


def _is_single(clause: Clause, word: Word) -> bool:
    """Whether an object is one of its kind, or what somebody wears: 一件便宜的大衣."""
    between = clause.words[clause.predicate.index + 1 : word.index]
    texts = [form(w) for w in between]
    one = any(t in ("一", "这", "那", "这个", "那个", "一个") for t in texts)
    return one or form(clause.predicate) in WEARING


def _of_noun(clause: Clause, word: Word, last: Word) -> str | None:
    following = after(clause, word)
    if following is not None and form(following) in ("、", "和", "与", "及"):
        return None
    nominal = following is not None and (following.pos in ("NOUN", "PROPN", "PART") or form(following) in DE)
    if following is not None and nominal and form(following) not in LOCALIZERS | {"吗", "了", "呢", "吧", "啊"}:
        return None
    if following is not None and following.label.startswith("case") and form(following) not in LOCALIZERS:
        return None
    previous = before(clause, word)
    if previous is not None and previous.pos == "ADJ":
        return None
    predicate = clause.predicate
    if last is predicate and copula_of(clause) is not None:
        copula = copula_of(clause)
        return "noun" if copula is not None and copula.index < word.index else None
    if not form(word).endswith(PLACE_ENDINGS):
        return None
    if form(predicate) in LOCATING and word.index > predicate.index and _is_located(clause, word, last):
        return "place"
    if last.head == predicate.index and last.label.startswith("obl") and word.index < predicate.index:
        return "place" if _after_zai(clause, word) else None
    return None


def _is_located(clause: Clause, word: Word, last: Word) -> bool:
    between = clause.words[clause.predicate.index + 1 : word.index]
    return last.label in ("obj", "obl", "root", "nmod") and not any(
        w.pos == "PUNCT" or (is_verbal(w) and form(w) not in ("在", "于")) for w in between
    )


def _after_zai(clause: Clause, word: Word) -> bool:
    """Whether the place follows 在, with no more than a noun that it belongs to."""
    for other in reversed(clause.words[: word.index]):
        if form(other) == "在":
            return True
        if other.pos not in ("NOUN", "PROPN", "PRON", "DET", "NUM", "PART"):
            return False
    return False


def _is_in_claim(clause: Clause, word: Word) -> bool:
    """Whether a quantity belongs to the claim, rather than to a clause inside it."""
    for part in clause.tree.above(clause.words[word.index]):
        if part is clause.predicate:
            return True
        if is_verbal(part) or part.label.split(":")[0] in ("acl", "advcl", "ccomp", "appos", "parataxis", "conj"):
            return False
    return True


def _is_adverb(clause: Clause, word: Word, last: Word) -> bool:
    """Whether an adverb belongs to the predicate."""
    between = clause.words[last.index + 1 : clause.predicate.index]
    return last.index < clause.predicate.index and all(
        w.pos in ("ADV", "SCONJ", "AUX") or form(w) == "地" for w in between
    )
