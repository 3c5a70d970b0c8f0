"""Replace words by others of the same part of speech, in the same form: "hotter" → "colder", "bought" → "sold"."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection

from sda_hf.grammar.base import INSERTED, Candidate, Relation
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import POS_OF_TAG
from sda_hf.grammar.english.morphology import inflect, lemma
from sda_hf.grammar.english.rules.modal_phrases import PERSONS
from sda_hf.grammar.english.rules.quantifiers import article
from sda_hf.grammar.english.surface import APOSTROPHES, keeps_capital, swap
from sda_hf.grammar.english.thesaurus import related
from sda_hf.syntax.clause import Clause, Word

FIXED = lexicon.words("compounds", "fixed")
FIXED_PAIRS = frozenset(lexicon.phrases("compounds", "pairs"))
ADJECTIVES_IN_LY = lexicon.words("adjectives", "in-ly")
NO_ENDING = lexicon.words("adjectives", "without-endings")
WITH_ENDING = lexicon.words("adjectives", "with-endings")
AS_WRITTEN = lexicon.words("antonyms", "as-written")
DEGREES = {"R": "more", "S": "most"}
SYLLABLE = re.compile(r"[aeiouy]+")


def candidates(clause: Clause, relation: Relation, source: str, parts: Collection[str]) -> list[Candidate]:
    """Return the words of a sentence that have antonyms or synonyms, with the base forms of these.

    Args:
        clause: the main clause; all words of its sentence are considered.
        relation: "antonym" or "synonym".
        source: "embedded" or "wordnet".
        parts: the parts of speech to consider: ADJ, ADV, NOUN, VERB.
    """
    found = []
    for word in clause.words:
        pos = POS_OF_TAG.get(word.tag[:2])
        if pos is None or pos not in parts or not is_free(clause, word):
            continue
        base = base_form(word, pos)
        others = () if base in FIXED else related(relation, source, pos, base)
        if base == "old":
            others = tuple(other for other in others if (other == "young") == _describes_person(clause, word))
        if others:
            found.append((word, others))
    return found


def _describes_person(clause: Clause, adjective: Word) -> bool:
    """Whether the adjective describes a person, before a noun or as a predicate."""
    if adjective.label == "amod":
        head = clause.words[adjective.head]
    elif clause.subject is not None:
        head = clause.subject.head
    else:
        return False
    return head.lower in PERSONS or head.tag in ("NNP", "PRP")


def base_form(word: Word, pos: str) -> str:
    """Return the base form of a noun, verb, adjective or adverb in a text."""
    return word.lower if word.tag in ("JJ", "RB", "NN") else _lemma(word.lower, word.tag, pos)


@functools.lru_cache(maxsize=65_536)
def _lemma(form: str, tag: str, pos: str) -> str:
    import lemminflect  # slow to import

    return lemma(form, tag) if pos == "VERB" else next(iter(lemminflect.getLemma(form, upos=pos)), form)


def replaced(clause: Clause, word: Word, base: str, rule: Rule) -> list[Edit]:
    """Return the edits that replace a word by another base form, inflected to match.

    Degrees and articles are adapted: "cheaper" → "more expensive", "more expensive" → "cheaper", "an easy" → "a
    difficult".
    """
    first, tag = word, _tag(word)
    previous = _before(clause, word)
    if previous is not None and previous.lower in ("more", "most") and tag in ("JJ", "RB") and takes_ending(base):
        first, tag = previous, tag + ("R" if previous.lower == "more" else "S")
    new = inflected(base, tag)
    edits = [rule.edit(first.start, word.end, new)]
    determiner = _before(clause, first)
    if determiner is not None and determiner.lower in ("a", "an") and article(new) != determiner.lower:
        edits.insert(0, swap(determiner, article(new), rule))
    return edits


def _tag(word: Word) -> str:
    """Return the tag of a word; that of a base form if a comparative or plural has no other ("later", "people")."""
    own = word.tag in ("JJR", "JJS", "RBR", "RBS", "NNS") and base_form(word, POS_OF_TAG[word.tag[:2]]) == word.lower
    return word.tag[:2] if own else word.tag


def _before(clause: Clause, word: Word) -> Word | None:
    return clause.words[word.index - 1] if word.index else None


def is_free(clause: Clause, word: Word) -> bool:
    """Whether a word can be replaced: not a name or auxiliary, nor part of a compound, fixed phrase or address."""
    label = word.label.split(":")[0]
    if label in ("aux", "cop", "case", "mark", "fixed", "flat", "det", "cc", "compound"):
        return False
    if any(child.label == "compound:prt" for child in clause.children(word)) or clause.children(word, "fixed", "flat"):
        return False
    if word.tag.startswith("JJ") and label in ("obl", "obj", "nsubj", "nmod"):
        return False  # "in total", "the poor"
    following = clause.words[word.index + 1 : word.index + 2]
    if following and f"{word.lower} {following[0].lower}" in FIXED_PAIRS:
        return False
    if not word.lower.isalpha() or (not clause.opens(word) and word.text[0].isupper()) or keeps_capital(word):
        return False
    text = clause.text
    return not (_joins(text[word.start - 1 : word.start]) or _joins(text[word.end : word.end + 1]))


def _joins(character: str) -> bool:
    return character.isalnum() or character in ("-", "/", "@", "_", *APOSTROPHES)


def inflected(base: str, tag: str) -> str:
    """Return the form of a word for a Penn Treebank tag.

    Example:
        >>> inflected("cold", "JJR"), inflected("expensive", "JJS"), inflected("sell", "VBD"), inflected("loss", "NNS")
        ('colder', 'most expensive', 'sold', 'losses')
    """
    import lemminflect  # slow to import

    if base in AS_WRITTEN:
        return base
    if tag.startswith("VB"):
        verb, _, rest = base.partition(" ")
        return f"{inflect(verb, tag)} {rest}".rstrip()
    if tag in ("NN", "JJ", "RB"):
        return base
    if tag != "NNS" and not takes_ending(base):
        return f"{DEGREES[tag[-1]]} {base}"
    return next(iter(lemminflect.getInflection(base, tag)), base)


def takes_ending(base: str) -> bool:
    """Whether an adjective or adverb is compared with -er and -est.

    Example:
        >>> [takes_ending(word) for word in ("cold", "happy", "expensive", "narrow")]
        [True, True, False, True]
    """
    if base in NO_ENDING or (base.endswith("ly") and base not in ADJECTIVES_IN_LY):
        return False
    syllables = len(SYLLABLE.findall(base)) - (base.endswith("e") and not base.endswith("le"))
    return syllables <= 1 or base in WITH_ENDING or (syllables == 2 and base.endswith(("y", "le", "ow")))


def places(clause: Clause) -> list[int]:
    """Return the offsets after the words of a sentence at which another word can be inserted."""
    return [word.end for word in clause.words if word.text[:1].isalnum() and _ends(clause.text, word.end)]


def inserted(place: int, word: Word, base: str) -> Edit:
    """Return the edit that inserts a base form, inflected like `word`, at an offset."""
    return INSERTED.edit(place, place, f" {inflected(base, word.tag)}")


def _ends(text: str, place: int) -> bool:
    """Whether a word ends at this offset."""
    following = text[place : place + 1]
    return not (following.isalnum() or following in (*APOSTROPHES, "-", "_"))
