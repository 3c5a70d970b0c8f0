import numpy as np

from sda_hf.syntax.arrays.decisions import TIE, clear_best
from sda_hf.syntax.arrays.trees import lowered, sentence_starts


def test_sentences_start_at_the_leftmost_token_of_each_tree():
    assert sentence_starts(np.array([0])).tolist() == [True]
    assert sentence_starts(np.array([2, 0, 2, 2, 6, 4, 6])).tolist() == [True, False, False, False, True, False, False]
    # Token 1 depends on a token of the second tree, which then starts before the first one ends.
    assert sentence_starts(np.array([0, 3, 0, 3])).tolist() == [True, True, False, False]
    chain = np.maximum(np.arange(1000) - 1, 0)
    assert np.flatnonzero(sentence_starts(chain)).tolist() == [0]


def test_an_arc_goes_to_the_nearest_label_below_its_head():
    labels = ["ROOT", "obj", "conj", "conj", "acl||conj"]
    assert lowered([0, 0, 1, 0, 0], labels, [False] * 5) == ([0, 0, 1, 0, 3], ["ROOT", "obj", "conj", "conj", "acl"])
    spaces = [False, False, False, True, False]
    assert lowered([0, 0, 1, 0, 0], labels, spaces) == ([0, 0, 1, 0, 2], ["ROOT", "obj", "conj", "conj", "acl"])


def test_an_arc_stays_where_no_such_label_is_below():
    assert lowered([0, 0, 0], ["ROOT", "obj", "acl||conj"], [False] * 3) == ([0, 0, 0], ["ROOT", "obj", "acl"])
    # Not to itself, and not to a word above.
    assert lowered([1, 1, 1], ["obl||obl", "ROOT", "punct"], [False] * 3) == ([1, 1, 1], ["obl", "ROOT", "punct"])


def test_a_decision_is_clear_where_no_other_score_is_near():
    scores = np.array([[1, 2, 2 - TIE / 2], [1, 2, 2 - 2 * TIE], [-np.inf, 5, -np.inf]], dtype=np.float32)
    best, clear = clear_best(scores)
    assert (best.tolist(), clear.tolist()) == ([1, 1, 1], [False, True, True])
