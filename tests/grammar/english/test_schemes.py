"""Both label schemes lead to the same clause, and so to the same rewrites."""

import pytest

from sda_hf import DoubleNegation, ModalVerbs, Negation, PunctuationInsertion
from sda_hf.errors import InputValueError
from sda_hf.grammar.base import Parsed, grammar_of
from sda_hf.grammar.english.schemes import CORE
from sda_hf.syntax.parsers import SpacyParser
from sda_hf.syntax.schemes import UNIVERSAL, scheme_of

ENGLISH = grammar_of("en")

EXPECTED = {
    "copula": "The house isn't old.",
    "noun predicate": "She is a doctor.",
    "place": "He isn't in the garden.",
    "passive": "The bridge wasn't built by monks.",
    "negated": "They saw us.",
    "existential": "There isn't a way.",
    "question": "Isn't he coming?",
    "command": "Don't close the door.",
    "coordinated": "He didn't come, see or win.",
    "relative clause": "The man who called didn't leave when it rained.",
    "modal perfect passive": "It couldn't have been stolen.",
    "wh-question": "Why didn't she leave?",
    "quantified subject": "Not all students passed.",
    "used to": "He didn't use to smoke.",
    "adverb": "She doesn't often sing.",
    "negative word": "Somebody came.",
    "polite command": "Please don't sit down.",
    "object with some": "He doesn't have any money.",
    "copula and verb": "She isn't tall but has friends.",
    "fragment": "Not great food.",
    "small clause": "The news didn't make us happy.",
    "place question": "Where are the keys?",
    "fronted phrase": "After lunch, we didn't leave.",
    "fronted clause as the root": "If it snows we won't stay.",
}


def facts(clause):
    """Return a clause as word positions, which do not depend on the labels of single words."""

    def span(phrase):
        return phrase and (phrase.head.index, phrase.first.index, phrase.last.index)

    def group(verbs):
        return verbs and ([w.index for w in verbs.words], verbs.main and verbs.main.index)

    return {
        "predicate": clause.predicate.index,
        "verbs": group(clause.verbs),
        "subject": span(clause.subject),
        "expletive": clause.expletive and clause.expletive.index,
        "negators": [w.index for w in clause.negators],
        "mood": clause.mood,
        "inverted": clause.inverted,
        "coordinated": [group(g) for g in clause.coordinated],
        "subordinate": [span(p) for p in clause.subordinate],
        "end_mark": clause.end_mark and clause.end_mark.index,
    }


def clauses(doc, sentence):
    ud, spacy_core = doc(sentence, "ud"), doc(sentence, "core")
    return read(ud, UNIVERSAL), read(spacy_core, CORE)


def read(doc, scheme):
    parser = SpacyParser(None, scheme, ENGLISH.tags, ENGLISH.normalize)
    return Parsed.of(ENGLISH, doc.text, parser.read(doc.text, doc)).main


def test_same_clause(doc, sentence):
    from_ud, from_core = clauses(doc, sentence)
    assert facts(from_ud) == facts(from_core)


def test_same_rewrites(doc, sentence):
    from_ud, from_core = clauses(doc, sentence)
    augmenters = (Negation, ModalVerbs, DoubleNegation, PunctuationInsertion)
    for augmenter in (kind(coverage="full") for kind in augmenters):
        assert (
            augmenter.rewrite_views([(from_ud.text, Parsed(iter([from_ud])))])[0]
            == augmenter.rewrite_views([(from_core.text, Parsed(iter([from_core])))])[0]
        )


def test_negation(doc, sentence):
    for clause in clauses(doc, sentence):
        assert (
            Negation(coverage="full").rewrite_views([(clause.text, Parsed(iter([clause])))])[0].text
            == EXPECTED[sentence]
        )


def test_clause_of_a_passive(doc):
    clause, _ = clauses(doc, "passive")
    assert facts(clause) == {
        "predicate": 3,
        "verbs": ([2, 3], 3),
        "subject": (1, 0, 1),
        "expletive": None,
        "negators": [],
        "mood": "declarative",
        "inverted": False,
        "coordinated": [],
        "subordinate": [],
        "end_mark": 6,
    }


def test_scheme_is_recognized_by_its_labels():
    assert scheme_of(["nsubj", "obj", "obl"], [CORE]) is UNIVERSAL
    assert scheme_of(["nsubj", "dobj", "nsubjpass"], [CORE]) is CORE
    with pytest.raises(InputValueError, match=r"belong to no known scheme \(OA, SB \.\.\.\): use a pipeline"):
        scheme_of(["SB", "OA"], [CORE])
