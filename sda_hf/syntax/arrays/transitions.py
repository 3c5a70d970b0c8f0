"""Arc-eager parsing (Nivre, 2003) of many sentences at once, one transition of each sentence in a step.

Stacks and buffers are linked lists over the tokens of all sentences, so that a state is two numbers: the token on top
of the stack and the first one of the buffer. Tokens are numbered from 1; number 0 is a token that is not there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sda_hf.syntax.arrays.decisions import clear_best
from sda_hf.syntax.arrays.workspace import Floats, Ints, Workspace

KINDS = "SDLRB"
SHIFT, REDUCE, LEFT, RIGHT, BREAK = range(5)
NONE = 0


class Arcs(NamedTuple):
    """What the parser found.

    Attributes:
        heads: the position of each token's head among all tokens, its own for a root; of shape (tokens,).
        labels: the number of each token's label in `Transitions.labels`; of shape (tokens,).
        clear: whether no decision was nearly a tie, of shape (sentences,).
    """

    heads: Ints
    labels: Ints
    clear: npt.NDArray[np.bool_]


class State:
    """The state of all sentences; arrays have an element for each token, after one for the token that is not there.

    Attributes:
        following: the next token of the buffer.
        below: the next token of the stack.
        heads: the head, if there is one yet.
        labels: the label of the arc from the head.
        left: the last dependent on the left.
        right: the last dependent on the right.
        previous: the dependent on the right that the head of this one had before it.
        starts: whether a sentence begins here.
        returned: whether the token went back from the stack to the buffer, from which it must not be shifted again.
    """

    def __init__(self, lengths: Ints) -> None:
        tokens = int(lengths.sum())
        last = np.cumsum(lengths)
        self.following = np.arange(1, tokens + 2)
        self.following[last] = self.following[NONE] = NONE
        self.below, self.heads, self.labels, self.left, self.right, self.previous = np.zeros((6, tokens + 1), np.int64)
        self.starts, self.returned = np.zeros((2, tokens + 1), dtype=bool)
        self.starts[last - lengths + 1] = True


class Transitions:
    """The weights of a `spacy.TransitionBasedParser.v2` with eight features, and its transitions.

    Attributes:
        labels: the dependency labels; the first one is that of a root.
    """

    def __init__(self, parser: Any) -> None:
        """Take the layers of a parser: vectors to narrower ones, these to a hidden layer, and this to scores."""
        reduced, lower, upper = parser.model.layers
        (linear,) = (layer for layer in reduced.walk() if layer.name == "linear")
        self._reduce = np.ascontiguousarray(linear.get_param("W").T), linear.get_param("b")
        weights, bias, padding = (lower.get_param(name) for name in ("W", "b", "pad"))
        self._features, self._hidden, _, width = weights.shape
        # One piece after the other, so that the larger of the two is that of two halves.
        self._lower = np.ascontiguousarray(weights.transpose(3, 0, 2, 1).reshape(width, -1))
        self._padding = padding[0].transpose(0, 2, 1).reshape(-1)
        self._bias = bias.T.reshape(-1)
        self._upper = np.ascontiguousarray(upper.get_param("W").T)
        kinds, labels = zip(*(name.partition("-")[::2] for name in parser.move_names), strict=True)
        self.labels = tuple(dict.fromkeys(("ROOT", *labels)))
        self._kinds = np.array([KINDS.index(kind) for kind in kinds])
        self._label_of = np.array([self.labels.index(label) for label in labels])
        # What is added to the scores of the moves, for each combination of kinds that are allowed: see `_allowed`.
        allowed = (np.arange(16)[:, None] >> np.array([0, 1, 2, 2, 3])[self._kinds]) & 1
        self._added = np.where(allowed, upper.get_param("b"), np.float32(-np.inf))

    def __call__(self, vectors: Floats, lengths: Ints, work: Workspace) -> Arcs:
        """Parse sentences.

        Args:
            vectors: the vectors of all tokens, of shape (tokens, width).
            lengths: the number of tokens of each sentence, above 0.
            work: memory to work in.
        """
        state = State(lengths)
        parts = self._parts(vectors, work)
        top, first = np.zeros(len(lengths), dtype=np.int64), np.cumsum(lengths) - lengths + 1
        sentences, clear = np.arange(len(lengths)), np.ones(len(lengths), dtype=bool)
        while len(sentences):
            second, under = state.following[first], state.below[top]
            scores = self._scores(parts, state, (first, second, top, under), work)
            scores += self._added[_allowed(state, top, first, second)]
            moves, is_clear = clear_best(scores)
            clear[sentences[~is_clear]] = False
            top, first = self._moved(state, moves, (first, second, top, under))
            unfinished = (top != NONE) | (first != NONE)
            if not unfinished.all():
                top, first, sentences = top[unfinished], first[unfinished], sentences[unfinished]
        heads = state.heads[1:]
        return Arcs(np.where(heads == NONE, np.arange(len(heads)), heads - 1), state.labels[1:], clear)

    def _parts(self, vectors: Floats, work: Workspace) -> Floats:
        """Return what each token adds to the hidden layer as each feature.

        Returns:
            An array of shape ((tokens + 1) * features, pieces * hidden).
        """
        weights, bias = self._reduce
        parts = work.floats("parts", len(vectors) + 1, len(self._padding))
        parts[NONE] = self._padding
        np.dot(np.dot(vectors, weights) + bias, self._lower, out=parts[1:])
        return parts.reshape(-1, len(self._bias))

    def _scores(self, parts: Floats, state: State, tokens: tuple[Ints, Ints, Ints, Ints], work: Workspace) -> Floats:
        """Return the score of every move without its bias, of shape (sentences, moves)."""
        first, second, top, under = tokens
        count = len(first)
        places = np.empty((count, self._features), dtype=np.int64)
        for feature, found in enumerate(
            (first, second, top, under, state.below[under], state.left[first], state.left[top], state.right[top])
        ):
            places[:, feature] = found
        places *= self._features
        places += np.arange(self._features)
        chosen = work.floats("chosen", count, self._features, len(self._bias))
        np.take(parts, places, axis=0, out=chosen, mode="clip")  # "raise" would copy
        hidden = np.einsum("sfh->sh", chosen)
        hidden += self._bias
        scores: Floats = np.dot(np.maximum(hidden[:, : self._hidden], hidden[:, self._hidden :]), self._upper)
        return scores

    def _moved(self, state: State, moves: Ints, tokens: tuple[Ints, Ints, Ints, Ints]) -> tuple[Ints, Ints]:
        """Apply a move to each sentence; return the tops of the stacks and the first tokens of the buffers after it."""
        first, second, top, under = tokens
        kinds, labels = self._kinds[moves], self._label_of[moves]
        new_top, new_first = top.copy(), first.copy()

        (at,) = np.nonzero(kinds == LEFT)
        head, child = first[at], top[at]
        # An arc that was there before goes; its head has no later one on that side.
        old = state.heads[child]
        state.right[old] = np.where(old == NONE, NONE, state.previous[child])
        state.heads[child], state.labels[child], state.left[head] = head, labels[at], child
        state.returned[head] = False
        new_top[at] = under[at]

        (at,) = np.nonzero(kinds == RIGHT)
        head, child = top[at], first[at]
        state.heads[child], state.labels[child] = head, labels[at]
        state.previous[child], state.right[head] = state.right[head], child

        (at,) = np.nonzero((kinds == SHIFT) | (kinds == RIGHT))
        child = first[at]
        state.below[child] = top[at]
        new_top[at], new_first[at] = child, second[at]

        (at,) = np.nonzero(kinds == REDUCE)
        new_top[at] = under[at]
        # Without a head, and not alone on the stack, a token goes back to the buffer.
        at = at[(state.heads[top[at]] == NONE) & (under[at] != NONE)]
        child = top[at]
        state.returned[child], state.following[child], new_first[at] = True, first[at], child

        state.starts[second[kinds == BREAK]] = True
        return new_top, new_first


def _allowed(state: State, top: Ints, first: Ints, second: Ints) -> Ints:
    """Return which kinds of moves are allowed: the sum of 1 for shift, 2 for reduce, 4 for arcs and 8 for break."""
    stacked, more = top != NONE, second != NONE
    begins = state.starts[first]
    shift = ~stacked | (more & ~begins & ~state.returned[first])
    arcs = stacked & (first != NONE) & ~begins
    breaks = more & (second == first + 1) & ~state.starts[second]
    allowed: Ints = shift + 2 * stacked + 4 * arcs + 8 * breaks
    return allowed
