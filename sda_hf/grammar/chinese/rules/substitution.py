"""Substitution: a word replaced by an antonym or a synonym."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Collection, Iterator

from sda_hf.grammar.base import Candidate, Relation
from sda_hf.grammar.chinese import lexicon, thesaurus
from sda_hf.grammar.chinese.dictionary import dictionary
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.surface import form, forms, in_script_of
from sda_hf.grammar.edits import Coverage, Edit, Rule
from sda_hf.syntax.clause import Clause, Word

# How the tagger tags the words of a part of speech: it confuses verbs with nouns, and adjectives with both.
PARTS = {
    "ADJ": ("ADJ", "VERB"),
    "ADV": ("ADV",),
    "NOUN": ("NOUN",),
    "VERB": ("VERB",),
}
PREFIXES = lexicon.words("adverbs", "degree")
# The pipeline splits a few words of the tables: 本地|人.
MOST_WORDS = 3
# It leaves an emoji on the word before it, too.
SPOKEN = re.compile("[\u3400-\u9fff]+(?![\u3400-\u9fffA-Za-z0-9])")
UNSOUND = frozenset(lexicon.pair_list("synonyms", "unsound"))
QUOTES = frozenset("《》〈〉“”「」『』")
# What did not happen has no 了: 已经走了 > 尚未走.
UNFINISHED = ("尚未",)


def candidates(clause: Clause, relation: Relation, parts: Collection[str], coverage: Coverage) -> list[Candidate]:
    """Return the words of a sentence that have antonyms or synonyms, with these, in simplified script.

    Args:
        clause: the main clause; all words of its sentence are considered.
        relation: "antonym" or "synonym".
        parts: the parts of speech to consider: ADJ, ADV, NOUN, VERB.
        coverage: with "sound", only synonyms that mean the same in most sentences.
    """
    found: list[Candidate] = []
    for word, known in entries(clause, relation):
        fitting = [pos for pos in known if pos in parts and word.pos in PARTS[pos]]
        others = tuple(dict.fromkeys(new for pos in fitting for new in thesaurus.related(relation, pos, form(word))))
        if coverage == "sound":
            others = tuple(new for new in others if (form(word), new) not in UNSOUND) if is_free(clause, word) else ()
        if others and not word.label.startswith(("aux", "case", "mark", "cop", "cc", "flat")):
            found.append((word, others))
    return found


def is_free(clause: Clause, word: Word) -> bool:
    """Whether a word is no part of a compound, a title or a name."""
    first, last = word.index, next(w.index for w in clause.words[word.index :] if w.end >= word.end)
    around = (*clause.words[max(first - 1, 0) : first], *clause.words[last + 1 : last + 2])
    if any(w.text in QUOTES or form(w) == "被" or w.pos in ("PROPN", "X") for w in around) or word.label == "compound":
        return False
    nominal = clause.words[last].pos == "NOUN"
    return not nominal or not any(w.pos == "NOUN" or w.tag in ("SFN", "PFA") for w in around)


def entries(clause: Clause, relation: Relation) -> Iterator[tuple[Word, tuple[str, ...]]]:
    """Yield the words of a sentence that a table has, with the parts of speech that it gives.

    Words that the pipeline splits are joined, with the label of the last: 本地 + 人. An adverb of degree that it leaves
    on an adjective is cut off: 太贵.
    """
    index = 0
    while index < len(clause.words):
        word, count = _entry(clause, relation, index)
        if word is not None and not _is_fixed(clause, index, count):
            yield word, thesaurus.parts_of(relation, form(word))
        index += count


def _is_fixed(clause: Clause, index: int, count: int) -> bool:
    """Whether a word is a part of one of the dictionary that the pipeline has split: 大 + 学生."""
    word = forms(clause.words[index : index + count])
    before, after = clause.words[max(index - 1, 0) : index], clause.words[index + count : index + count + 1]
    nominal = clause.words[index + count - 1].pos in ("NOUN", "PART")
    return (nominal and (forms(before) + word if before else "") in dictionary()) or (
        nominal and bool(after) and after[0].pos in ("NOUN", "PART") and word + forms(after) in dictionary()
    )


def _entry(clause: Clause, relation: Relation, index: int) -> tuple[Word | None, int]:
    for count in range(MOST_WORDS, 0, -1):
        words = clause.words[index : index + count]
        word = _joined(words)
        if len(words) == count and word is not None and thesaurus.parts_of(relation, form(word)):
            return word, count
    word = clause.words[index]
    spoken = SPOKEN.match(word.text)
    if spoken and spoken.end() < len(word.text) and thesaurus.parts_of(relation, simplified(spoken[0])):
        return dataclasses.replace(word, text=spoken[0], end=word.start + spoken.end()), 1
    rest = dataclasses.replace(word, text=word.text[1:], start=word.start + 1)
    if form(word)[:1] in PREFIXES and word.pos in ("ADJ", "VERB") and "ADJ" in thesaurus.parts_of(relation, form(rest)):
        return rest, 1
    return None, 1


def _joined(words: tuple[Word, ...]) -> Word | None:
    """Return words without a space between them as one."""
    if any(a.end != b.start for a, b in itertools.pairwise(words)):
        return None
    last = words[-1]
    text = "".join(w.text for w in words)
    if len(words) == 1:
        return last
    # A one-character word of the table is never joined, and a mark never is part of a word.
    if any(w.pos in ("PUNCT", "SYM") for w in words) or any(w.pos == "ADP" for w in words[:-1]):
        return None
    return dataclasses.replace(words[0], text=text, end=last.end, tag=last.tag, pos=last.pos, label=last.label)


def replaced(clause: Clause, word: Word, base: str, rule: Rule) -> list[Edit]:
    """Replace a word by another one, in the script of the text; without 了 where the new word rules it out."""
    edits = [rule.edit(word.start, word.end, in_script_of(clause.text, base))]
    if base in UNFINISHED:
        edits += [rule.edit(w.start, w.end, "") for w in clause.words if form(w) == "了" and w.index > word.index]
    return edits
