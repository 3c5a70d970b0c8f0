"""Corrections of common parser errors, in one pass over the words before a clause is built from them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import AUXILIARIES, FINITE, LEXICAL_FINITE, NOUNS, PRENOMINAL, SUBJECTS, WH
from sda_hf.syntax.clause import Tree, Word

PREFIXES = lexicon.words("verbs", "prefixes")


def repaired(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words of a sentence with obvious parser errors corrected."""
    return with_main_clause(with_predicate(with_verb(with_prefixes(words))))


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


def with_predicate(words: Sequence[Word]) -> Sequence[Word]:
    """Make the subject and the predicate of a noun with a "reduced relative clause" whose verb is finite.

    In "A carburetor produced an increase", small parsers read "produced" as in "an increase produced by a carburetor",
    although they tag it as a past form and find its object.
    """
    root = _root(words)
    if root.tag not in NOUNS or _is_verbal(root, words):
        return words
    nouns = {root.index, *(w.index for w in words if w.label == "conj" and w.head == root.index)}
    verb = next((w for w in words if w.head in nouns and w.label == "acl" and w.index > w.head), None)
    if verb is None or verb.tag not in LEXICAL_FINITE or not _has_child(verb, words, ("obj", "xcomp", "ccomp")):
        return words
    if _has_child(verb, words, ("obl:agent", "mark", *SUBJECTS)) or any(w.tag in FINITE for w in words[: verb.index]):
        return words
    return _with_root(words, verb, verb.index, "nsubj")


def with_main_clause(words: Sequence[Word]) -> Sequence[Word]:
    """Make the clause after an opening phrase and a comma the main clause, where the phrase was read as the root.

    "Born in Gorey, Fortune was the eldest son.", "To begin the season, the team defeated Bayern."
    """
    root = _root(words)
    if not _opens_phrase(root, words):
        return words
    tree: Tree | None = None
    for comma in words[root.index + 1 : -2]:
        if comma.text != ",":
            continue
        tree = tree or Tree(words)
        for subject in words[comma.index + 1 :]:
            if subject.label.split(":")[0] not in (*SUBJECTS, "expl") or subject.head < subject.index:
                continue
            phrase, verb = tree.phrase(subject), words[subject.head]
            if phrase.first.index == comma.index + 1 and _is_main(verb, comma.index, words):
                return _with_root(words, verb, comma.index, "advcl")
    return words


def _root(words: Sequence[Word]) -> Word:
    return next((w for w in words if w.label == "root"), words[0])


def _opens_phrase(root: Word, words: Sequence[Word]) -> bool:
    """Whether the root is an adjective, participle or infinitive near the start, without a finite verb or a subject."""
    if root.tag not in ("JJ", "JJS", "VBN", "VBG", "VB") or _has_subject(root, words):
        return False
    if any(c in '"“”:;?' for w in words for c in w.text) or any(w.tag in (*FINITE, *WH) for w in words[: root.index]):
        return False
    if any(w.head == root.index and w.tag in FINITE and w.label.split(":")[0] in AUXILIARIES for w in words):
        return False
    return root.tag != "VB" or any(w.tag == "TO" and w.head == root.index for w in words[: root.index])


def _is_main(verb: Word, comma: int, words: Sequence[Word]) -> bool:
    """Whether a verb after a comma has a finite form and nothing that makes its clause a subordinate one."""
    if verb.index <= comma or verb.label.split(":")[0] == "conj":
        return False
    own = [w for w in words[comma + 1 :] if w.head == verb.index]
    if any(w.label in ("mark", "cc") or w.tag in WH for w in own if w.index < verb.index):
        return False
    if words[comma + 1].tag in WH or words[verb.head].index > comma:
        return False
    return verb.tag in LEXICAL_FINITE or any(
        w.tag in FINITE and w.label.split(":")[0] in AUXILIARIES for w in own if w.index < verb.index
    )


def _with_root(words: Sequence[Word], root: Word, start: int, label: str) -> Sequence[Word]:
    """Attach the old root to a new one, with all that depends on the old root from a position on."""
    old = _root(words)

    def moved(word: Word) -> Word:
        if word is root:
            return replace(word, label="root", head=root.index)
        if word is old:
            return replace(word, label=label, head=root.index)
        return replace(word, head=root.index) if word.head == old.index and word.index >= start else word

    return [moved(w) for w in words]


def _is_verbal(word: Word, words: Sequence[Word]) -> bool:
    return _has_child(word, words, (*AUXILIARIES, *SUBJECTS))


def _has_child(word: Word, words: Sequence[Word], labels: Sequence[str]) -> bool:
    heads = [w for w in words if w.head == word.index and w is not word]
    return any(w.label in labels or w.label.split(":")[0] in labels for w in heads)


def _has_subject(word: Word, words: Sequence[Word]) -> bool:
    return any(w.head == word.index and w.label.split(":")[0] in (*SUBJECTS, "expl") for w in words)


@functools.lru_cache(maxsize=65_536)
def _is_verb_form(form: str) -> bool:
    import lemminflect  # slow to import

    return "VERB" in lemminflect.getAllLemmas(form.rpartition("-")[2])
