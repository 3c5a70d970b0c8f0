"""Verb forms. The lexicon is that of LemmInflect; only closed classes are listed here."""

from __future__ import annotations

import functools

from sda_hf.grammar.edits import Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import PLAIN, PLURAL_NOUNS
from sda_hf.syntax.clause import Clause, Phrase, VerbGroup, Word

BE = lexicon.words("verbs", "be")
FINITE_BE = lexicon.words("verbs", "finite-be")
HAVE = lexicon.words("verbs", "have")
DO = lexicon.words("verbs", "do")
FULL_FORM = lexicon.pairs("verbs", "full-forms")
NEGATIVE_FORM = lexicon.pairs("verbs", "negative-forms")
PLURAL_PRONOUNS = lexicon.words("pronouns", "plural")
SINGULAR_PRONOUNS = lexicon.words("pronouns", "singular")
FUSED = Skip("contraction without an apostrophe")


@functools.lru_cache(maxsize=65_536)
def lemma(form: str, tag: str) -> str:
    """Return the base form of a verb form; if there are several, the one whose `tag` form it is ("found": find)."""
    import lemminflect  # slow to import

    if "-" in form:  # "co-founded", "walked-"
        prefix, _, stem = form.rpartition("-")
        if not stem:
            return f"{lemma(prefix, tag)}-" if prefix else form
        return f"{prefix}-{lemma(stem, tag)}"
    candidates: tuple[str, ...] = lemminflect.getLemma(form, upos="VERB")
    for candidate in candidates if tag.startswith("VB") else ():
        if form in lemminflect.getInflection(candidate, tag):
            return candidate
    return candidates[0] if candidates else form


@functools.lru_cache(maxsize=65_536)
def inflect(plain: str, tag: str, near: str = "") -> str:
    """Return the form of a verb for a tag (VBD, VBN, VBG, VBZ, VB, VBP).

    If several spellings exist, the one used in `near` is chosen; without such a hint a final -l is doubled, as in the
    examples of the papers ("travelled").

    Example:
        >>> inflect("travel", "VBN", near="travelled"), inflect("go", "VBG")
        ('travelled', 'going')
    """
    import lemminflect  # slow to import

    if tag in PLAIN and plain != "be":
        return plain
    if "-" in plain:
        prefix, _, stem = plain.rpartition("-")
        if not stem:
            return f"{inflect(prefix, tag, near.removesuffix('-'))}-" if prefix else plain
        return f"{prefix}-{inflect(stem, tag, near.rpartition('-')[2])}"
    forms: tuple[str, ...] = lemminflect.getInflection(plain, tag) or (plain,)
    if near in forms or (tag in ("VBD", "VBN") and near.endswith("ed")):
        return near
    doubled = plain + plain[-1:]  # if one form has the British spelling, so do the others
    if near.startswith(doubled) or (plain.endswith("l") and not near.startswith(plain)):
        return next((f for f in forms if f.startswith(doubled)), forms[0])
    return forms[0]


def plain_form(word: Word) -> str:
    """Return the base form of a verb in a text."""
    if word.lower in BE:
        return "be"
    if word.lower in HAVE and word.lower != "'s":
        return "have"
    return lemma(word.lower, word.tag)


def is_operator(word: Word, verbs: VerbGroup) -> bool:
    """Whether the word takes "not" itself: "be", a modal, or "have" or "do" as an auxiliary."""
    if word.lower in FINITE_BE or word.tag == "MD":
        return True
    return word is not verbs.main and (word.lower in HAVE or word.lower in DO)


def is_fused(clause: Clause, verb: Word) -> bool:
    """Whether the verb is written together with the word before it: "im", "youre"."""
    glued = verb.index > 0 and clause.words[verb.index - 1].end == verb.start
    return glued and verb.text[:1].isalpha() and clause.text[verb.start - 1].isalnum()


def is_before_to(clause: Clause, word: Word) -> bool:
    """Whether "to" follows the word."""
    return word.index + 1 < len(clause.words) and clause.words[word.index + 1].lower == "to"


def adverb_of_operator(clause: Clause, operator: Word) -> Word | None:
    """Return the "better" of "had better go" or the "rather" of "would rather stay", which "not" follows."""
    following = clause.words[operator.index + 1 : operator.index + 3]
    if operator.lower not in ("had", "would", "'d") or len(following) < 2:
        return None
    adverb, verb = following
    return adverb if adverb.lower in ("better", "rather") and verb.tag in PLAIN else None


def full_operator(word: Word, verbs: VerbGroup) -> str:
    """Return an operator in full: "will" for "wo" or "'ll", "is" or "has" for "'s", "had" or "would" for "'d"."""
    low = word.lower
    following = next((w for w in verbs.words if w.index > word.index), None)
    if low == "'s":
        return "has" if word is not verbs.main and word.label == "aux" and _is_past(following) else "is"
    if low == "'d":
        return "had" if _is_past(following) else "would"
    return FULL_FORM.get(low, low)


def _is_past(word: Word | None) -> bool:
    return word is not None and word.tag in ("VBN", "VBD")


def is_third_singular(subject: Phrase | None) -> bool | None:
    """Whether the subject takes a verb in -s; None if unknown."""
    if subject is None:
        return None
    head = subject.head
    if head.lower in PLURAL_PRONOUNS or head.tag in PLURAL_NOUNS:
        return False
    if head.lower in SINGULAR_PRONOUNS or head.tag in ("NN", "NNP"):
        return True
    return None


def be_form(tag: str, subject: Phrase | None) -> str:
    """Return the form of "be" for a tense (VBD, VBZ or VBP) that agrees with a subject."""
    first_person = subject is not None and subject.head.lower == "i"
    if tag == "VBD":
        return "was" if first_person or is_third_singular(subject) else "were"
    return "is" if tag == "VBZ" else "am" if first_person else "are"


def _looks_third_singular(verb: str) -> bool:
    """Whether a form ends like "thanks", rather than like "focus" or "miss"."""
    if not verb.endswith("s") or verb.endswith(("ss", "us", "is", "as")):
        return False
    return lemma(verb, "VBZ") != verb


@functools.lru_cache(maxsize=65_536)
def _is_past_alone(form: str) -> bool:
    import lemminflect  # slow to import

    bases = lemminflect.getAllLemmas(form, upos="VERB").get("VERB", ())
    return form not in bases and any(form in lemminflect.getInflection(base, "VBD") for base in bases)


def tense_of(verb: Word, subject: Phrase | None) -> str:
    """Return the tag of a finite lexical verb (VBD, VBZ or VBP), even if the tagger gave it another one.

    A form like "put" with a singular subject is past; so are a participle without an auxiliary, and a form that is not
    a base form, too, as "found" is.
    """
    if verb.tag in ("VBD", "VBN") or _is_past_alone(verb.lower):
        return "VBD"
    if verb.tag == "VBZ" and verb.lower.endswith("s"):
        return "VBZ"
    if subject is not None and is_third_singular(subject) and _looks_third_singular(verb.lower):
        return "VBZ"
    if is_third_singular(subject) and inflect(lemma(verb.lower, "VBD"), "VBD") == verb.lower:
        return "VBD"
    pronoun = subject is not None and subject.first is subject.last and subject.head.lower in ("he", "she", "it")
    return "VBZ" if pronoun else "VBP"
