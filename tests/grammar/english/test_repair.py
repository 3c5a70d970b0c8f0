"""Parser errors that the clause corrects, on parses of the embedded pipeline."""

import pytest

from sda_hf import Negation
from sda_hf.grammar.base import Parsed, grammar_of
from sda_hf.grammar.english.clauses import clause_of
from sda_hf.grammar.english.repair import repaired
from sda_hf.syntax.clause import Word


def clause(rows):
    """Return a clause from rows "text tag label head", with single spaces between the words."""
    words, start = [], 0
    for i, row in enumerate(rows):
        text, tag, label, head = row.split()
        words.append(Word(i, text, tag, label, int(head), start, start + len(text)))
        start += len(text) + 1
    return clause_of(" ".join(w.text for w in words), words)


@pytest.mark.parametrize(
    ("rows", "verb", "subject", "negated"),
    [
        (
            ["Nothing NN nsubj 1", "changes NNS root 1", ". . punct 1"],
            "changes",
            "Nothing",
            "Something changes .",
        ),
        (
            ["My PRP$ nmod:poss 2", "father NN compound 2", "cooks NNS root 2", "and CC cc 4", "cleans VBZ conj 2"],
            "cooks",
            "My father",
            "My father doesn't cook or clean",
        ),
        (
            ["In IN case 1", "response NN obl 4", "Cisco NNP compound 4", "cut VBD amod 4", "spending NN root 4"],
            "cut",
            None,
            "In response Cisco didn't cut spending",
        ),
        (
            ["The DT det 1", "work NN root 1", "was VBD cop 4", "about IN case 4", "trees NNS obl 1", ". . punct 1"],
            "was",
            "The work",
            "The work wasn't about trees .",
        ),
        (
            ["Attached VBN root 0", "is VBZ aux:pass 0", "the DT det 3", "plan NN nsubj:pass 0", ". . punct 0"],
            "is",
            "the plan",
            "Attached is not the plan .",
        ),
    ],
)
def test_verb_and_subject_are_found(rows, verb, subject, negated):
    found = clause(rows)
    assert found.verbs.first.text == verb
    text = found.subject and found.text[found.subject.first.start : found.subject.last.end]
    assert text == subject
    assert Negation(coverage="full").rewrite_views([(found.text, Parsed(iter([found])))])[0].text == negated


@pytest.mark.parametrize(
    ("rows", "subject"),
    [
        (
            ["Born VBN root 0", "here RB advmod 0", ", , punct 4", "he PRP nsubj 4", "stayed VBD parataxis 0"],
            "he",
        ),
        (
            ["Unique JJ root 0", "then RB advmod 0", ", , punct 4", "it PRP nsubj 4", "won VBD advcl 0", "b NN obj 4"],
            "it",
        ),
        (
            ["A DT det 1", "pump NN root 1", "produced VBD acl 1", "a DT det 4", "change NN obj 2", ". . punct 1"],
            "A pump",
        ),
    ],
)
def test_the_clause_after_an_opening_phrase_is_the_claim(rows, subject):
    found = clause(rows)
    assert found.mood == "declarative"
    assert found.text[found.subject.first.start : found.subject.last.end] == subject


def test_a_noun_phrase_with_a_participle_stays_a_fragment():
    assert (
        clause(["A DT det 1", "plan NN root 1", "written VBN acl 1", "by IN case 4", "us PRP obl 2"]).mood == "fragment"
    )


def test_a_headline_is_a_fragment():
    found = clause(["Ten CD nsubj:pass 1", "trapped VBN root 1", "in IN case 3", "mine NN obl 1"])
    assert found.mood == "fragment"
    assert (
        Negation(coverage="full").rewrite_views([(found.text, Parsed(iter([found])))])[0].text
        == "Ten not trapped in mine"
    )


def test_a_prefix_with_a_hyphen_is_one_word():
    (sentences,) = grammar_of("en").parser().sentences(["He co-founded the band."])
    words = repaired(next(sentences))
    assert [w.text for w in words] == ["He", "co-founded", "the", "band", "."]
    assert sum(w.head == w.index for w in words) == 1


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("I DON'T KNOW.", "I KNOW."),
        ("Please DON'T go there.", "Please go there."),
        ("THEY WORK HERE.", "THEY DON'T WORK HERE."),
    ],
)
def test_text_in_capitals_is_parsed_like_lower_case(text, negated):
    assert Negation().augment([text]) == [negated]
