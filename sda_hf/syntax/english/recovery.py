"""Verbs that a small parser read as nouns."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from sda_hf.syntax.clause import Word
from sda_hf.syntax.english.lexicon import AUXILIARIES, INNER


def with_verb(words: Sequence[Word]) -> Sequence[Word]:
    """The words with a root that has a subject but no verb read as the verb that its form can be.

    "Nothing changes": small parsers find the subject and still tag the verb as a noun.
    """
    root = next((w for w in words if w.label == "root"), words[0])
    children = [w for w in words if w.head == root.index and w.index != root.index]
    subjects = [w for w in children if w.label.startswith("nsubj") and w.index < root.index]
    nominal = any(w.label.split(":")[0] in ("det", "amod", "case", "nummod", *AUXILIARIES) for w in children)
    inner = [w for w in children if w.label in INNER and w.index < root.index]
    finite = any(w.label == "conj" and w.tag.startswith("VB") and not _has_subject(w, words) for w in children)
    verbal = finite or any(w.label == "obj" for w in children)
    if root.tag not in ("NN", "NNS") or not _is_verb_form(root.lower):
        return words
    if not (subjects and not nominal) and not (verbal and inner and words[root.index - 1].tag.startswith("NN")):
        return words
    tag = "VBZ" if root.lower.endswith("s") else "VBD" if root.lower.endswith("ed") else "VBP"
    return [replace(w, tag=tag) if w is root else w for w in words]


def _has_subject(word: Word, words: Sequence[Word]) -> bool:
    return any(w.head == word.index and w.label.split(":")[0] in ("nsubj", "csubj", "expl") for w in words)


@functools.lru_cache(maxsize=65_536)
def _is_verb_form(form: str) -> bool:
    import lemminflect

    return "VERB" in lemminflect.getAllLemmas(form.rpartition("-")[2])
