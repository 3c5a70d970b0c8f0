"""What negates a claim, and what only looks like it."""

import pytest

from sda_hf import Negation
from sda_hf.grammar.base import clauses


@pytest.mark.parametrize(
    ("text", "kind", "word"),
    [
        ("He did not come.", "particle", "not"),
        ("She isn't here.", "particle", "n't"),
        ("Not all birds can fly.", "leading", "Not"),
        ("Let's not wait.", "leading", "not"),
        ("He never came.", "adverb", "never"),
        ("They hardly speak.", "adverb", "hardly"),
        ("Nobody came.", "pronoun", "Nobody"),
        ("He said nothing.", "pronoun", "nothing"),
        ("No bird can read.", "determiner", "No"),
        ("Neither of them came.", "neither", "Neither"),
        ("He no longer works here.", "no longer", "no"),
        ("He not only sings but also dances.", "exclusive", "not"),
    ],
)
def test_a_negative_claim_names_what_negates_it(text, kind, word):
    (clause,) = clauses([text])
    assert (clause.negation.kind, clause.negation.word.text) == (kind, word)
    assert clause.polarity == "negative"


@pytest.mark.parametrize(
    "text",
    [
        "He came.",
        "I know that he did not come.",  # in a subordinate clause
        "The man who never sleeps left early.",
        "She left because nobody called.",
    ],
)
def test_a_negation_in_a_subordinate_clause_leaves_the_claim_positive(text):
    (clause,) = clauses([text])
    assert clause.negation is None
    assert clause.polarity == "positive"


@pytest.mark.parametrize(
    "text",
    [
        "Its not any of you lol",
        "So,don't put both of them in one cage.",
        "The only rodent not affected is the gerbil, which has tougher feet and can safely walk on mesh and wire.",
    ],
)
def test_no_second_negation_next_to_one_missed_by_the_parser(text):
    assert Negation().explain(text).skipped == "already negated"
