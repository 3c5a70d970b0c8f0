"""Corrections of common parser errors, in one pass over the words before a clause is built from them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import AUXILIARIES, PRENOMINAL, SUBJECTS
from sda_hf.syntax.clause import Tree, Word

PREFIXES = lexicon.words("verbs", "prefixes")


def repaired(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words of a sentence with obvious parser errors corrected."""
    return with_verb(with_prefixes(words))


def with_prefixes(words: Sequence[Word]) -> Sequence[Word]:
    """Merge "co", "-", "founded", which tokenizers split, into one word."""
    if all(w.text != "-" for w in words):
        return words
    group_of = list(range(len(words)))
    for i in range(len(words) - 2):
        prefix, hyphen, stem = words[i : i + 3]
        glued = prefix.end == hyphen.start and hyphen.end == stem.start and stem.text.isalpha()
        if hyphen.text == "-" and glued and prefix.text.lower() in PREFIXES:
            group_of[i] = group_of[i + 1] = i + 2
    kept = sorted(set(group_of))
    if len(kept) == len(words):
        return words
    tree = Tree(words)
    place = {old: new for new, old in enumerate(kept)}
    merged = []
    for last in kept:
        parts = [w for w in words if group_of[w.index] == last]
        outer = min(parts, key=lambda w: len(tree.above(w)))
        merged.append(
            replace(
                parts[-1],
                index=place[last],
                text="".join(w.text for w in parts),
                label=outer.label,
                head=place[group_of[outer.head]],
                start=parts[0].start,
            )
        )
    return merged


def with_verb(words: Sequence[Word]) -> Sequence[Word]:
    """Retag a root that has a subject but no verb as a verb, if its form allows it.

    In "Nothing changes", small parsers find the subject and still tag the verb as a noun.
    """
    root = next((w for w in words if w.label == "root"), words[0])
    if root.tag not in ("NN", "NNS") or not _is_verb_form(root.lower):
        return words
    children = [w for w in words if w.head == root.index and w.index != root.index]
    subjects = [w for w in children if w.label.startswith("nsubj") and w.index < root.index]
    nominal = any(w.label.split(":")[0] in ("det", "amod", "case", "nummod", *AUXILIARIES) for w in children)
    inner = [w for w in children if w.label in PRENOMINAL and w.index < root.index]
    finite = any(w.label == "conj" and w.tag.startswith("VB") and not _has_subject(w, words) for w in children)
    verbal = finite or any(w.label == "obj" for w in children)
    if not (subjects and not nominal) and not (verbal and inner and words[root.index - 1].tag.startswith("NN")):
        return words
    tag = "VBZ" if root.lower.endswith("s") else "VBD" if root.lower.endswith("ed") else "VBP"
    return [replace(w, tag=tag, pos="VERB", feats="VerbForm=Fin") if w is root else w for w in words]


def _has_subject(word: Word, words: Sequence[Word]) -> bool:
    return any(w.head == word.index and w.label.split(":")[0] in (*SUBJECTS, "expl") for w in words)


@functools.lru_cache(maxsize=65_536)
def _is_verb_form(form: str) -> bool:
    import lemminflect  # slow to import

    return "VERB" in lemminflect.getAllLemmas(form.rpartition("-")[2])
