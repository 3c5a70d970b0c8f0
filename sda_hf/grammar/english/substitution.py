"""One word for another of the same part of speech, in the same form: "hotter" → "colder", "bought" → "sold"."""

from __future__ import annotations

import re

from sda_hf.grammar.edits import Edit, cased_like, keeps_capital, swap
from sda_hf.grammar.english.morphology import inflect, lemma
from sda_hf.grammar.english.quantifiers import article
from sda_hf.grammar.english.thesaurus import Relation, related
from sda_hf.syntax.clause import Clause, Word

POS_OF_TAG = {"JJ": "ADJ", "RB": "ADV", "NN": "NOUN", "VB": "VERB"}
DEGREES = {"R": "more", "S": "most"}
# A word, and the base forms that can stand for it.
Candidate = tuple[Word, tuple[str, ...]]
# Adverbs and adjectives that the grammar of a sentence hangs on, and auxiliaries.
FIXED = frozenset(
    "not never more most less least so too very as such same other own few many much be have do go get".split()
)
ADJECTIVES_IN_LY = frozenset("early friendly holy lively lonely lovely silly ugly unfriendly".split())
PEOPLE = frozenset(
    "man men woman women boy boys girl girls lady ladies gentleman guy guys person people couple son daughter brother "
    "sister father mother uncle aunt husband wife friend king queen professor teacher monk farmer actor".split()
)
# Two words that mean something together.
FIXED_PAIRS = frozenset(
    tuple(pair.split())
    for pair in (
        "high school,high schools,great deal,good deal,first name,last name,last year,last week,last month,last night,"
        "right hand,left hand,hot dog,old age,new year,next door,first lady,long term,short term,short story,"
        "short stories,high court,common sense,good luck,good morning,good night,best man,middle class,far east,"
        "middle east,at least,at most,as well,right now,early on,later on,well known,long time,full time,part time,"
        "real estate,open source,human rights,human being,human beings,civil rights,small talk,big deal,happy birthday"
    ).split(",")
)
SYLLABLE = re.compile(r"[aeiouy]+")
NO_ENDING = frozenset("real right wrong fun worth like just left".split())
WITH_ENDING = frozenset("quiet common clever polite stupid tender cruel".split())


def candidates(clause: Clause, relation: Relation, lexicon: str, parts: tuple[str, ...]) -> list[Candidate]:
    """The words of a sentence that have antonyms or synonyms, with the base forms of those.

    Args:
        clause: the main clause; every word of its sentence is looked at.
        relation: "antonym" or "synonym".
        lexicon: "embedded" or "wordnet".
        parts: parts of speech, of ADJ, ADV, NOUN, VERB.
    """
    found = []
    for word in clause.words:
        pos = POS_OF_TAG.get(word.tag[:2])
        if pos not in parts or not _is_free(clause, word):
            continue
        base = base_form(word, pos)
        others = () if base in FIXED else related(relation, lexicon, pos, base)
        if base == "old":
            others = tuple(other for other in others if (other == "young") == _says_of_a_person(clause, word))
        if others:
            found.append((word, others))
    return found


def _says_of_a_person(clause: Clause, adjective: Word) -> bool:
    """The adjective is one of a person, before the noun or behind the verb."""
    if adjective.label == "amod":
        head = clause.words[adjective.head]
    elif clause.subject is not None:
        head = clause.subject.head
    else:
        return False
    return head.lower in PEOPLE or head.tag in ("NNP", "PRP")


def base_form(word: Word, pos: str) -> str:
    """The base form of a noun, verb, adjective or adverb in a text."""
    import lemminflect

    if pos == "VERB":
        return lemma(word.lower, word.tag)
    if word.tag in ("JJ", "RB", "NN"):
        return word.lower
    return next(iter(lemminflect.getLemma(word.lower, upos=pos)), word.lower)


def replaced(clause: Clause, word: Word, base: str, rule: str) -> list[Edit]:
    """The edits that put another base form, inflected, in the place of a word.

    Degrees and articles go with it: "cheaper" → "more expensive", "more expensive" → "cheaper", "an easy" → "a
    difficult".
    """
    first, tag = word, _tag(word)
    previous = _before(clause, word)
    if previous is not None and previous.lower in ("more", "most") and tag in ("JJ", "RB") and takes_ending(base):
        first, tag = previous, tag + ("R" if previous.lower == "more" else "S")
    new = inflected(base, tag)
    edits = [Edit(first.start, word.end, cased_like(first.text, new), rule)]
    determiner = _before(clause, first)
    if determiner is not None and determiner.lower in ("a", "an") and article(new) != determiner.lower:
        edits.insert(0, swap(determiner, article(new), rule))
    return edits


def _tag(word: Word) -> str:
    """The word's tag; that of a plain form where a degree or a plural is a word of its own ("later", "people")."""
    own = word.tag in ("JJR", "JJS", "RBR", "RBS", "NNS") and base_form(word, POS_OF_TAG[word.tag[:2]]) == word.lower
    return word.tag[:2] if own else word.tag


def _before(clause: Clause, word: Word) -> Word | None:
    return clause.words[word.index - 1] if word.index else None


def _is_free(clause: Clause, word: Word) -> bool:
    """The word is no name, no auxiliary, and no part of a compound, a fixed phrase or a glued string."""
    label = word.label.split(":")[0]
    if label in ("aux", "cop", "case", "mark", "fixed", "flat", "det", "cc", "compound"):
        return False
    if any(child.label == "compound:prt" for child in clause.children(word)) or clause.children(word, "fixed", "flat"):
        return False
    if word.tag.startswith("JJ") and label in ("obl", "obj", "nsubj", "nmod"):
        return False  # "in total", "the poor"
    following = clause.words[word.index + 1 : word.index + 2]
    if following and (word.lower, following[0].lower) in FIXED_PAIRS:
        return False
    if not word.lower.isalpha() or (not clause.opens(word) and word.text[0].isupper()) or keeps_capital(word):
        return False
    text = clause.text
    return not (_joins(text[word.start - 1 : word.start]) or _joins(text[word.end : word.end + 1]))


def _joins(character: str) -> bool:
    return character.isalnum() or character in ("-", "/", "@", "_", "'", "’")  # noqa: RUF001


def inflected(base: str, tag: str) -> str:
    """The form of a base form for a tag of the Penn Treebank.

    Example:
        >>> inflected("cold", "JJR"), inflected("expensive", "JJS"), inflected("sell", "VBD"), inflected("loss", "NNS")
        ('colder', 'most expensive', 'sold', 'losses')
    """
    import lemminflect

    if tag.startswith("VB"):
        return inflect(base, tag)
    if tag in ("NN", "JJ", "RB"):
        return base
    if tag != "NNS" and not takes_ending(base):
        return f"{DEGREES[tag[-1]]} {base}"
    return next(iter(lemminflect.getInflection(base, tag)), base)


def takes_ending(base: str) -> bool:
    """The adjective or adverb has degrees in -er and -est.

    Example:
        >>> [takes_ending(word) for word in ("cold", "happy", "expensive", "narrow")]
        [True, True, False, True]
    """
    if base in NO_ENDING or (base.endswith("ly") and base not in ADJECTIVES_IN_LY):
        return False
    syllables = len(SYLLABLE.findall(base)) - (base.endswith("e") and not base.endswith("le"))
    return syllables <= 1 or base in WITH_ENDING or (syllables == 2 and base.endswith(("y", "le", "ow")))
