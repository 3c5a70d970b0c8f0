import random

import pytest

from sda_hf.grammar.base import Corner
from sda_hf.grammar.english import square_contexts, square_patterns
from sda_hf.grammar.english.square_parts import Line, Subject

CORNERS = (Corner("It is hot."), Corner("It is hot.", "n't"), Corner("It is cold."), Corner("It is cold.", "not"))
NAMES = ("claim", "denial", "contrary", "equivalent")
HOT = Line("ADJ", "hot", "cold", frozenset({"very", "more", "stage"}), ("soup",))
SOUP = Subject("the soup", "3")


@pytest.mark.parametrize(
    ("text", "frame", "context", "expected"),
    [
        ("The soup is hot.", "", ("", ""), "The soup is hot."),
        ("The soup is hot.", "it is not true that", ("", ""), "It is not true that the soup is hot."),
        ("I'm tired.", "", ("He told me that", ""), "He told me that I'm tired."),
        ("Mrs Lee is kind.", "", ("Although it rained,", ""), "Although it rained, Mrs Lee is kind."),
        ("It's hot.", "", ("", ", but we stayed"), "It's hot, but we stayed."),
    ],
)
def test_placed(text, frame, context, expected):
    assert square_contexts.placed(text, frame, context) == expected


def flips(corner, word):
    """Return the side of a corner: how many flips it is from the sentence with a word, modulo 2."""
    denied = (corner.denial is not None) + (corner.frame in square_contexts.FRAMES)
    return (denied + (word not in corner.text)) % 2


def test_frames_keep_the_side_of_each_corner():
    rng = random.Random(0)
    frames = set()
    for _ in range(400):
        framed = square_contexts.framed(rng, CORNERS)
        assert [flips(corner, "hot") for corner in framed] == [0, 1, 1, 0]
        assert len({(corner.text, corner.denial, corner.frame) for corner in framed}) == 4
        frames |= {corner.frame for corner in framed}
    assert frames == {"", *square_contexts.FRAMES, *square_contexts.AFFIRMING}


def test_no_that_that():
    rng = random.Random(0)
    corners = tuple(corner._replace(text=corner.text.replace("It", "That idea")) for corner in CORNERS)
    for _ in range(200):
        assert square_contexts.framed(rng, corners) == corners
        opening, _ = square_contexts.draw(rng, "train", "past", corners)
        assert not opening.endswith("that")


def test_contexts_of_a_tense():
    contexts = [square_contexts.draw(random.Random(i), "train", "future", CORNERS) for i in range(300)]
    assert {closing for _, closing in contexts} == {""}
    assert len({opening for opening, _ in contexts}) > 30


def test_patterns_of_an_adjective():
    found = {
        square
        for i in range(200)
        for square in square_patterns.of_adjective(random.Random(i), HOT, ("hot", "cold"), SOUP, "soup")
    }
    assert {
        (
            "The soup is hot enough.",
            "The soup isn't hot enough.",
            "The soup is too cold.",
            "The soup isn't too cold.",
        ),
        (
            "The soup was still hot.",
            "The soup was no longer hot.",
            "The soup was already cold.",
            "The soup was not yet cold.",
        ),
    } <= found
    for square in found:
        assert len(set(square)) == 4
        assert ["hot" in text for text in square] == [True, True, False, False]


def test_not_all_goes_with_all_without_exception():
    rooms = Line("ADJ", "clean", "dirty", frozenset(), ("rooms*",))
    squares = {
        square_patterns.of_adjective(random.Random(i), rooms, ("clean", "dirty"), SOUP, "rooms*")[0] for i in range(300)
    }
    denied_in_part = [square for square in squares if square[1].startswith("Not all")]
    assert denied_in_part
    assert all(claim.startswith(("All the", "All of the")) for claim, *_ in denied_in_part)
    assert any(claim.startswith("Most of the rooms") for claim, *_ in squares)
    assert any(equivalent.startswith("Hardly any of the rooms") for *_, equivalent in squares)


def test_patterns_of_a_verb():
    passed = Line("VERB", "pass", "fail", frozenset({"event"}), ("@person>the exam",))
    kept = Line("VERB", "keep", "lose", frozenset({"event"}), ("@person>the key",))
    she = Subject("she", "3", pronoun=True, person=True)
    one = square_patterns.of_verb(random.Random(0), passed, ("pass", "fail"), (she, "@person", "the exam"))
    assert len(one) == 1
    assert one[0][0].endswith("passed the exam.")
    assert one[0][2].endswith("failed the exam.")
    _, managed = square_patterns.of_verb(random.Random(0), kept, ("keep", "lose"), (she, "@person", "the key"))
    assert managed[:3] == ("She managed to keep the key.", "She failed to keep the key.", "She lost the key.")
    assert managed[3] in ("She didn't lose the key.", "She did not lose the key.")
