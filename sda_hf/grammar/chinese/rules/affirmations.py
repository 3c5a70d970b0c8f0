"""Affirmations before a whole statement, and which clauses show plainly where one goes inside: 的确，… or 他的确…."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary, divides
from sda_hf.grammar.chinese.mood import QUESTION_WORDS
from sda_hf.grammar.chinese.predicates import aspect_of, copula_of, is_adjectival, is_stative, modal_of
from sda_hf.grammar.chinese.rules.modal_claims import claim_kind
from sda_hf.grammar.chinese.rules.modal_sites import AFTER, site_of, stretch
from sda_hf.grammar.chinese.rules.statement_frames import LINKING, linking_word, put_before, start_of_statement
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.spans import JOINING, MODALS, SCOPE, SPEAKER, is_modal, is_negator, is_progressive, is_time
from sda_hf.grammar.chinese.surface import form
from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.syntax.clause import Clause, Word

FRAMING = lexicon.words("modal phrases", "framing")
COMMENTS = lexicon.words("modal phrases", "comments")
CLASHING = lexicon.words("modal phrases", "clashing")
LINKED = lexicon.words("modal phrases", "linked")
THINKING = lexicon.words("verbs", "thinking")
COVERBS = lexicon.words("prepositions", "coverbs")
DEGREES = lexicon.words("adverbs", "degree")
ASPECTUAL = lexicon.words("adverbs", "perfect")
VERB_CLASSES = ("v", "vn", "vi", "a", "an", "vd")
PLAIN = frozenset("也 都 是 有 在 没 没有 不 很 非常 十分 太 最 更 比较 已经 已 正在 正 被 把 给 比".split())
SAID = frozenset("想 说 问 猜 道 答 喊 叫 讲".split())
ADVERBS = "正将已也都在就还又不没可"
BUT = ("但", "但是")  # 但的确，…
NAMING = ("NOUN", "PROPN", "PRON", "PART", "X")
PLACES = frozenset("这里 那里 这儿 那儿 附近 外面 里面 上面 下面 旁边 周围 屋里 山上".split())
SIDES = frozenset("上 里 中 旁 下 外 内 旁边 里面 上面".split())
COMMAS = "，,；;：:"
SHORT = 14  # words of a statement that the parser rarely gets wrong
LONGEST_SUBJECT = 8  # words before the place
MOST_COMMAS = 1  # after the predicate: with more, the sentence is a list of facts
AFFIRMED = Rule("modal-affirmation", "affirmation before a statement")


def framing(phrases: Sequence[str]) -> list[str]:
    """Return the phrases that can go before a whole statement."""
    return [phrase for phrase in phrases if simplified(phrase) in FRAMING]


def affirmed(clause: Clause, rng: random.Random, phrases: Sequence[str]) -> Result:
    """Put one of the phrases before a statement, set off by a comma.

    Args:
        clause: the main clause.
        rng: draws the phrase.
        phrases: the phrases to draw from, as `framing` returns them.
    """
    if any(form(w) in CLASHING for w in clause.words):
        return Skip("already modal")
    if form(start_of_statement(clause)) in COMMENTS:
        return Skip("already modal")
    link = linking_word(clause)
    if link is not None and (form(link) not in BUT or clause.words[link.index + 1].pos == "PUNCT"):
        return Skip("the statement is linked to another one")
    return [put_before(clause, AFFIRMED, simplified(rng.choice(phrases)))]


def is_plain(clause: Clause) -> bool:
    """Whether the place of a phrase inside a statement is beyond doubt.

    The subject, plain adverbs and the predicate follow each other in the first part of the sentence that has a verb,
    and the dictionary confirms the boundary between the words.
    """
    site = site_of(clause, comment=True)
    named = _named(clause, site)
    start = stretch(clause, clause.predicate.index)
    if named is None or start > named[0].index or not named[1].index < site.index <= clause.predicate.index:
        return False
    if sum(w.text in COMMAS for w in clause.words[clause.predicate.index :]) > MOST_COMMAS:
        return False
    return (
        not any(w.pos == "VERB" for w in clause.words[: named[1].index + 1])
        and site.index - start <= LONGEST_SUBJECT
        and all(is_time(w) or form(w) == "也" for w in clause.words[named[1].index + 1 : site.index])
        and _is_clear_of_links(clause.words[: named[0].index])
        and named[1].pos in NAMING
        and not _ends_in_adverb(named[1])
        and not _is_subject_clause(clause)
        and not _is_accompanied(clause, start, site)
        and not any(form(w) in QUESTION_WORDS for w in clause.words[: site.index])
        and not any(form(w) in CLASHING for w in clause.words[: clause.predicate.index])
        and not any(form(w) in LINKED for w in clause.words[start : clause.predicate.index + 1])
        and _begins_predicate(clause, site)
        and not _is_cut(clause, site)
        and not _is_dated(clause, site)
        and not _is_opinion(clause)
        and not _is_bare(clause)
    )


def _is_clear_of_links(words: tuple[Word, ...]) -> bool:
    """Whether only times, topics, links and marks stand before the subject."""
    return all(is_time(w) or w.pos in (*NAMING, "NUM", "DET", "PUNCT") or form(w) in SPEAKER | LINKING for w in words)


def _is_dated(clause: Clause, site: Word) -> bool:
    """Whether the verb after a place only sets the time of another one: 被抓前春风得意."""
    words = clause.words[site.index : clause.predicate.index + 2]
    return any(b.pos == "VERB" and form(a) in AFTER for b, a in itertools.pairwise(words))


def _ends_in_adverb(word: Word) -> bool:
    """Whether a word is a verb, a modal or an adverb, or one that the dictionary lacks and that ends in one: 车要."""
    text = form(word)
    if dictionary().get(text, "") == "v":
        return True  # a verb that the tagger took for a noun: 女人学会
    return (
        text in MODALS or text in DEGREES or (text not in dictionary() and (text[-1] in MODALS or text[-1] in ADVERBS))
    )


def _is_subject_clause(clause: Clause) -> bool:
    """Whether a copula after the predicate makes the whole clause its subject: 他打球是因为喜欢."""
    following = clause.words[clause.predicate.index + 1 :]
    end = next((i for i, w in enumerate(following) if w.text in COMMAS), len(following))
    return any(w.tag.startswith("VC") for w in following[:end]) and not _is_opinion(clause)


def _is_accompanied(clause: Clause, start: int, site: Word) -> bool:
    """Whether 和 or 与 may begin what the predicate is about, rather than join two subjects: 他和我谈话."""
    words = clause.words
    if form(site) in JOINING and any(form(w) == "的" for w in words[site.index : clause.predicate.index]):
        return True
    return not is_stative(clause) and any(form(w) in JOINING for w in words[start : site.index])


def _named(clause: Clause, site: Word) -> tuple[Word, Word] | None:
    """Return the first and the last word of the subject, or of the place in a sentence without one: 这里, 桌子上."""
    if clause.subject is not None:
        return clause.subject.first, clause.subject.last
    before = clause.words[: site.index]
    placed = bool(before) and (form(before[-1]) in PLACES or (len(before) > 1 and form(before[-1]) in SIDES))
    plain = all(is_time(w) or w.pos in ("NOUN", "PROPN", "PRON", "DET", "ADP", "PART") for w in before)
    return (before[0], before[-1]) if placed and plain and form(before[0]) not in COVERBS else None


def is_hidden(clause: Clause) -> bool:
    """Whether the place of a phrase in a long statement is not plain."""
    return clause.mood == "declarative" and len(clause.words) > SHORT and not is_plain(clause)


def _begins_predicate(clause: Clause, word: Word) -> bool:
    """Whether a word is known to begin a predicate: a verb of the dictionary, a modal, or an adverb of scope."""
    text = form(word)
    if form(clause.predicate) in SAID:
        return False
    if text in PLAIN or is_negator(word) or is_modal(word) or is_progressive(clause.tree, word):
        return True
    if text in ASPECTUAL or text in SCOPE or (text in COVERBS and word.pos == "ADP"):
        return True
    if clause.end_mark is None and aspect_of(clause).kind == "none" and len(clause.words) < SHORT:
        return False  # it may be a heading or a query
    if clause.subject is not None and clause.subject.head.pos == "PRON":
        return word.pos in ("VERB", "ADJ")
    return word.pos in ("VERB", "ADJ") and len(text) > 1 and dictionary().get(text, "") in VERB_CLASSES


def _is_cut(clause: Clause, site: Word) -> bool:
    """Whether a word of the dictionary contains the boundary before a place: 公交车|站为."""
    pronoun = site.index > 0 and clause.words[site.index - 1].pos == "PRON"
    return not pronoun and divides([form(w) for w in clause.words], site.index)


def _is_opinion(clause: Clause) -> bool:
    """Whether the predicate only says that somebody thinks so: 我想这儿没有人."""
    return form(clause.predicate) in THINKING and bool(clause.children(clause.predicate, "ccomp"))


def _is_bare(clause: Clause) -> bool:
    """Whether nothing follows a verb of an event, which 的确 does not suit: 他的父亲去世."""
    after = clause.words[clause.predicate.index + 1 : clause.predicate.index + 2]
    if after and after[0].pos != "PUNCT":
        return False
    if copula_of(clause) is not None or modal_of(clause) is not None or clause.negation is not None:
        return False
    if claim_kind(clause) not in ("narrative", "open"):
        return False
    return not (is_stative(clause) or is_adjectival(clause)) and aspect_of(clause).kind == "none"
