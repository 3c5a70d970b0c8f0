"""Whether a sentence claims what a word says, and whether it makes sense without that."""

from __future__ import annotations

from sda_hf.grammar.english import lexicon
from sda_hf.syntax.clause import Clause, Word

NEGATIVE = lexicon.words("antonyms", "negative")
POSSIBILITY = lexicon.words("antonyms", "possibility")
REASONS = lexicon.words("antonyms", "reasons")
SEQUELS = lexicon.words("antonyms", "sequels")
IDIOMS = lexicon.phrases("antonyms", "idioms")
PRAISE, BLAME = lexicon.words("antonyms", "praise"), lexicon.words("antonyms", "blame")
REPORTING = lexicon.words("antonyms", "reporting")
CONTROLLING = lexicon.words("antonyms", "controlling")
POLAR = lexicon.words("antonyms", "polar")
UNCLAIMED = lexicon.words("antonyms", "unclaimed")
COMPARING = lexicon.words("antonyms", "comparing")
QUANTITIES = lexicon.words("antonyms", "quantities")
DENYING = frozenset({"never", "not yet", "no longer", "rarely"})
AFFIRMING = frozenset({"various", "numerous", "several", "some", "too", "already", "still"})
BACKGROUND = frozenset({"when", "after", "while", "where"})
TEMPORAL = BACKGROUND | {"as", "before", "until", "since"}
# From the claim down to a word that is part of it.
INSIDE = frozenset({"root", "conj", "obj", "obl", "nmod", "amod", "advmod", "xcomp", "nummod", "ccomp", "parataxis"})
CLAUSES = frozenset({"ccomp", "parataxis", "acl", "advcl", "appos", "nsubj"})
# "By the early 1990s" is no later than "by the late 1990s".
LIMITS = frozenset({"by", "until", "till", "since", "from", "before", "after", "to"})
ASIDE = frozenset({"acl", "advcl", "appos", "parataxis", "dep", "list"})
CONTRASTS = lexicon.words("antonyms", "contrasts")
QUOTES = ("``", "''")
# Some of several: what is said of them may be false of others.
PARTIAL = lexicon.words("antonyms", "partial")
# Where and when something is can be replaced, whatever else the sentence tells.
SETTING = lexicon.words("antonyms", "setting")
AROUND = 4  # words: the length of the longest idiom, without the word itself


def is_claimed(clause: Clause, word: Word, quantified: bool = False) -> bool:
    """Whether a word belongs to what the sentence claims, outside negations, conditions, questions and quotations.

    Args:
        clause: the main clause.
        word: the word.
        quantified: whether the quantity of the subject is what is replaced.
    """
    if clause.mood == "interrogative" or "?" in clause.text[word.end :]:
        return False
    if (
        _in_idiom(clause, word)
        or _in_quotes(clause, word)
        or any(w.lower in UNCLAIMED and w is not word for w in clause.words)
    ):
        return False
    return all(
        _is_open(clause, word, part) and (quantified or _is_of_all(clause, word, part)) for part in _up(clause, word)
    )


def is_central(clause: Clause, word: Word) -> bool:
    """Whether a word belongs to the claim itself, and nothing beside this claim depends on what it says."""
    path = _up(clause, word)
    labels = {part.label.split(":")[0] for part in path}
    if word.lower in ("early", "late", "beginning", "start", "end") and any(
        w.lower in LIMITS for noun in path[:2] for w in clause.children(noun, "case")
    ):
        return False
    if labels & (ASIDE - {"acl"} if word.lower in SETTING else ASIDE) or any(
        (w.lower in CONTRASTS and w is not word) or w.text in (";", ":") for w in clause.words
    ):
        return False
    if word.lower in SETTING:
        return True
    if word.label == "amod" and word.lower not in QUANTITIES | {"same"} and not _is_main_attribute(clause, word):
        return False
    if word.label == "amod" and word.lower not in QUANTITIES | PRAISE | BLAME and path[1].label != "conj":
        return True
    return not any(_is_shared(clause, part) for part in path if part.tag[:2] == "VB" or part is clause.predicate)


def _up(clause: Clause, word: Word) -> tuple[Word, ...]:
    return (word, *clause.tree.above(word))


def _is_shared(clause: Clause, part: Word) -> bool:
    """Whether a predicate stands beside another, or another clause goes on from it: "banned, and was replaced"."""
    if part.label == "conj":
        return True
    return any(
        child.label.split(":")[0] in ("parataxis", "list")
        or (child.label == "conj" and _is_predicate(clause, child))
        or (child.label.startswith("advcl") and child.index > part.index and child.tag == "VBG")
        for child in clause.children(part)
    )


def _is_predicate(clause: Clause, word: Word) -> bool:
    return word.tag[:2] in ("VB", "JJ") or bool(clause.children(word, "cop", "nsubj", "nsubj:pass"))


def _is_main_attribute(clause: Clause, word: Word) -> bool:
    """Whether an adjective, without another after a comma, is that of a predicate noun or of a known object."""
    noun = clause.words[word.head]
    label = noun.label.split(":")[0]
    superlative = word.tag == "JJS" or clause.words[word.index - 1].lower == "most"
    if any(w.text == "," for w in clause.words[max(word.index - 1, 0) : noun.index]) and not superlative:
        return False
    if any(w.lower == "there" for w in clause.children(noun, "expl")):
        return False
    determined = bool(clause.children(noun, "det", "nmod:poss"))
    if clause.children(noun, "cop"):
        return determined or noun.tag == "NNS"
    if label == "nsubj" or (label in ("obl", "nmod") and superlative):
        return determined
    if label == "obl" and [w.lower for w in clause.children(noun, "case")] != ["in"]:
        return False
    return label in ("obj", "obl") and determined and clause.words[noun.head] is clause.predicate


def _is_of_all(clause: Clause, word: Word, part: Word) -> bool:
    """Whether what is said holds of a known subject or of all, rather than of some: "Two of the six are replaced"."""
    for subject in clause.children(part, "nsubj", "nsubj:pass"):
        if word is subject or subject in clause.tree.above(word):
            continue
        known = any(w.lower in ("the", "these", "those", "all", "both") for w in clause.children(subject, "det"))
        if subject.lower in PARTIAL or (subject.tag == "CD" and not known):
            return False
        if any(w.lower in PARTIAL for w in clause.children(subject, "det", "amod")):
            return False
        if not known and any(clause.children(subject, "nummod")):
            return False
        generic = bool(clause.children(part, "cop")) and part.tag[:2] == "NN"
        if not generic and any(w.lower in ("a", "an") for w in clause.children(subject, "det")):
            return False
    return not any(
        child.label == "expl" and child.lower == "there"
        for child in clause.children(part)
        if word.lower not in QUANTITIES
    )


def _is_open(clause: Clause, word: Word, part: Word) -> bool:
    """Whether a word keeps being claimed at one of the words above it, or at itself."""
    label = part.label.split(":")[0]
    head = clause.words[part.head].lower
    if label not in INSIDE and not _says_something_new(clause, word, part):
        return False
    if (label == "xcomp" and head not in CONTROLLING) or (label == "ccomp" and head not in REPORTING):
        return False
    for child in clause.children(part):
        if child.lower in NEGATIVE and child is not word:
            return False
        if child.label.startswith("nsubj") and _is_negative(clause, child, word):
            return False
        if child.tag == "WRB" and label in ("ccomp", "xcomp"):
            return False
        if child.label == "aux" and child.lower in POSSIBILITY:
            return False
        if child.label == "mark" and label in ("root", "conj", "ccomp") and child.lower not in ("that", "to"):
            return False
    return True


def _is_negative(clause: Clause, subject: Word, word: Word) -> bool:
    """Whether a subject denies what is said of it: "no pet", "few of them"."""
    return any(w.lower in NEGATIVE and w is not word for w in clause.children(subject, "det", "amod"))


def _says_something_new(clause: Clause, word: Word, part: Word) -> bool:
    """Whether a word of a subject, an apposition or a subordinate clause says more than what is known."""
    label = part.label.split(":")[0]
    if label == "nsubj":
        if word is part:
            return word.lower in QUANTITIES
        determiners = {child.lower for child in clause.children(part, "det")}
        new = word.lower in QUANTITIES or word.tag == "JJS" or bool(determiners & {"a", "an"})
        return new and word.label in ("amod", "advmod") and word.head == part.index
    if label == "appos":
        return word.label == "amod" and word.head == part.index
    if label == "acl":
        return part.label == "acl" or clause.words[part.head].label.split(":")[0] != "nsubj"
    if label == "advcl":
        marks = {child.lower for child in clause.children(part, "mark", "advmod")}
        follows = part.tag == "VBG" and part.index > part.head and not clause.children(part, "mark")
        if word is part:
            return follows and word.tag[:2] != "VB"
        return follows or bool(BACKGROUND & marks)
    return False


def _in_idiom(clause: Clause, word: Word) -> bool:
    around = " ".join(w.lower for w in clause.words[max(word.index - AROUND, 0) : word.index + AROUND + 1])
    return any(idiom in around and f" {idiom} " in f" {around} " and word.lower in idiom.split() for idiom in IDIOMS)


def _in_quotes(clause: Clause, word: Word) -> bool:
    before = any(w.tag in QUOTES for w in clause.words[: word.index])
    return before and any(w.tag in QUOTES for w in clause.words[word.index :])


def is_coherent(clause: Clause, word: Word, antonym: str) -> bool:
    """Whether the rest of the sentence still makes sense: no reasons, no judgement that agrees with the old word."""
    others = {w.lower for w in clause.words if w is not word} | _judgements_after(clause, word)
    if word.lower in others or antonym in others:
        return False
    if any(
        w.lower in REASONS and (w.label != "case" or w.lower not in TEMPORAL) for w in clause.words if w is not word
    ):
        return False
    if others & POLAR and word.tag not in ("JJS", "RBS"):
        return False
    if any(w.lower == "as" and w.label == "mark" and clause.words[w.head].label == "advcl" for w in clause.words):
        return False
    if others & COMPARING or (word.lower in ("first", "now", "still") and others & SEQUELS):
        return False
    if antonym in DENYING and others & AFFIRMING:
        return False
    if antonym == "few" and others & {"like", "also"}:
        return False
    if " " in antonym and antonym.split()[0] in others:
        return False
    if word.lower in PRAISE or antonym in BLAME:
        return not others & PRAISE
    return not (word.lower in BLAME or antonym in PRAISE) or not others & BLAME


def _judgements_after(clause: Clause, word: Word) -> set[str]:
    """Return the words that praise or blame in the text after a word, in other sentences, too."""
    if word.lower not in PRAISE | BLAME:
        return set()
    return set(clause.text[word.end :].lower().replace(".", " ").replace(",", " ").split()) & (PRAISE | BLAME)


def is_denied_below(clause: Clause, word: Word) -> bool:
    """Whether a negation follows a word and depends on it: "praised them for not coming"."""
    return any(w.lower in NEGATIVE and word in clause.tree.above(w) for w in clause.words[word.index + 1 :])


def rank(clause: Clause, word: Word) -> int:
    """Return how far a word is from the claim: 0 for its predicate, more in other clauses."""
    above = [word, *clause.tree.above(word)]
    embedded = sum(part.label.split(":")[0] in CLAUSES for part in above)
    return 2 * embedded + (word is not clause.predicate and word.label not in ("conj", "xcomp"))
