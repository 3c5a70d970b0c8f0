"""Heads chosen over the whole sentence, to correct those that the parser has chosen from left to right.

A bidirectional LSTM over the vectors that the tagger and the parser share scores every word as the head of every other
and of the root (Dozat and Manning, 2017, arXiv 1611.01734). The parser's own choice counts as one more vote. The
weights are trained by `recipes/parsers/zh_heads.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from scipy.special import softmax
from spacy.attrs import DEP, HEAD, IS_SPACE  # type: ignore[import-not-found]
from spacy.language import Language
from spacy.tokens import Doc

Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
Ints: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
FILE = "weights.npz"
TINY = np.float32(1e-6)
LONGEST = 200  # words of a sentence; the parser's tree of a longer one stays
ROOTS = 4  # the words that are tried as the root


def with_one(x: Floats) -> Floats:
    """Append a one to each vector, for the bias of a bilinear form."""
    return np.concatenate([x, np.ones((*x.shape[:-1], 1), dtype=x.dtype)], axis=-1)


def sigmoid(x: Floats) -> Floats:
    """Return the logistic function, written so that it never overflows."""
    return cast("Floats", np.tanh(x / 2) / 2 + np.float32(0.5))


def single_root(scores: Floats, roots: Floats) -> Ints:
    """Return the best head of each word, exactly one of them the artificial root.

    Args:
        scores: log probabilities, (words, words + 1); column 0 is the root, and column 1 the first word.
        roots: log probabilities of each word to be the root of the sentence.
    """
    best, best_total = np.zeros(len(scores), dtype=np.int64), -np.inf
    for root in np.argsort(-roots)[:ROOTS]:
        tried = scores.copy()
        tried[:, 0] = -np.inf
        tried[root] = -np.inf
        tried[root, 0] = scores[root, 0]
        total = tried.max(axis=1).sum() + roots[root]
        if total > best_total:
            best, best_total = tried.argmax(axis=1), total
    return opened(scores, best)


def opened(scores: Floats, heads: Ints) -> Ints:
    """Return the heads without circles: one word of each gets a head that the root reaches."""
    while True:
        reached = np.zeros(len(heads) + 1, dtype=bool)
        reached[0] = True
        for _ in range(len(heads)):
            reached[1:] = reached[heads]
        outside = np.flatnonzero(~reached[1:])
        if not len(outside):
            return heads
        to = np.flatnonzero(reached)[1:]
        loss = scores[outside, heads[outside]][:, None] - scores[np.ix_(outside, to)]
        word, head = np.unravel_index(loss.argmin(), loss.shape)
        heads[outside[word]] = to[head]


class Heads:
    """A component that corrects the heads, the labels and the tags of parsed documents."""

    def __init__(self, weight: float) -> None:
        self.weight = weight
        self.weights: dict[str, Floats] = {}
        self.labels: list[str] = []

    def __call__(self, doc: Doc) -> Doc:
        """Return the document with corrected heads."""
        return next(self.pipe([doc]))

    def pipe(self, docs: Iterable[Doc], batch_size: int = 256) -> Iterator[Doc]:
        """Yield the documents with corrected heads."""
        waiting = iter(docs)
        while batch := list(islice(waiting, batch_size)):
            sentences = [list(sentences_of(doc)) for doc in batch]
            vectors = [doc.tensor[words] for doc, found in zip(batch, sentences, strict=True) for words in found]
            states = iter(self.encoded(cast("list[Floats]", vectors)))
            for doc, found in zip(batch, sentences, strict=True):
                yield self.corrected(doc, [(words, next(states)) for words in found])

    def corrected(self, doc: Doc, sentences: list[tuple[Ints, Floats]]) -> Doc:
        """Return a document with the heads that its sentences get, given the indices and the states of their words."""
        if not sentences:
            return doc
        values = doc.to_array([HEAD, DEP])
        every = np.arange(len(doc))
        heads = values[:, 0].astype(np.int64) + every
        strings = doc.vocab.strings
        names = np.array([strings.add(label) for label in self.labels], dtype=np.uint64)
        for words, states in sentences:
            place = np.zeros(len(doc), dtype=np.int64)
            place[words] = np.arange(1, len(words) + 1)
            parsed = np.where(heads[words] == words, 0, place[heads[words]])
            found, labels = self.tree(parsed, states)
            old, root = words[0], words[found.argmin()]
            while heads[old] != old:
                old = heads[old]
            heads[old] = root  # also where it is white space
            heads[words] = np.where(found == 0, words, words[found - 1])
            values[words, 1] = np.where(labels < 0, values[words, 1], names[labels])
            values[root, 1] = strings.add("ROOT")
        values[:, 0] = (heads - every).astype(np.uint64)
        return doc.from_array([HEAD, DEP], cast("Any", values))

    def encoded(self, sentences: list[Floats]) -> list[Floats]:
        """Return the state of each word of each sentence."""
        order = np.argsort([-len(x) for x in sentences], kind="stable")
        lengths = np.array([len(sentences[i]) for i in order])
        if not len(order):
            return []
        x = np.zeros((lengths[0], len(order), sentences[0].shape[1]), dtype=np.float32)
        for column, i in enumerate(order):
            x[: len(sentences[i]), column] = sentences[i]
        layer = 0
        while f"lstm.weight_ih_l{layer}" in self.weights:
            x = self.lstm(x, lengths, layer)
            layer += 1
        result = [x[:0, 0]] * len(order)
        for column, i in enumerate(order):
            result[i] = x[: lengths[column], column]
        return result

    def lstm(self, x: Floats, lengths: Ints, layer: int) -> Floats:
        """Return the states of one layer in both directions, (time, sentences, size); the longest sentence is first."""
        times = np.arange(len(x))[:, None]
        back = np.where(times < lengths, lengths - 1 - times, times)  # each sentence from its end
        columns = np.arange(len(lengths))
        w = self.weights
        inputs, recurrent = [], []
        for suffix, values in (("", x), ("_reverse", x[back, columns])):
            inputs.append(values @ w[f"lstm.weight_ih_l{layer}{suffix}"].T + w[f"lstm.bias_l{layer}{suffix}"])
            recurrent.append(w[f"lstm.weight_hh_l{layer}{suffix}"].T)
        gates, turn = np.stack(inputs), np.stack(recurrent)
        size = turn.shape[1]
        states = np.zeros((2, *x.shape[:2], size), dtype=np.float32)
        hidden = np.zeros((2, len(lengths), size), dtype=np.float32)
        cell = np.zeros_like(hidden)
        for t in range(len(x)):
            n = int(np.searchsorted(-lengths, -t, side="left"))  # sentences that are longer than t
            z = gates[:, t, :n] + hidden[:, :n] @ turn
            sigmoids = sigmoid(z)
            now = sigmoids[..., size : 2 * size] * cell[:, :n] + sigmoids[..., :size] * np.tanh(
                z[..., 2 * size : 3 * size]
            )
            cell[:, :n] = now
            hidden[:, :n] = sigmoids[..., 3 * size :] * np.tanh(now)
            states[:, t, :n] = hidden[:, :n]
        return np.concatenate([states[0], states[1][back, columns]], axis=-1)

    def part(self, name: str, x: Floats) -> Floats:
        """Return a layer of the states."""
        y = x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return cast("Floats", np.where(y > 0, y, np.float32(0.1) * y))

    def tree(self, parsed: Ints, states: Floats) -> tuple[Ints, Ints]:
        """Return the head of each word (0 is the root, 1 the first word), and its label; -1 is the label that it has.

        Args:
            parsed: the parser's heads.
            states: the states of the words.
        """
        nodes = np.concatenate([self.weights["root"][None], states])
        arcs = with_one(self.part("arc_child", states)) @ self.weights["arc"] @ with_one(self.part("arc_head", nodes)).T
        votes = self.weight * softmax(arcs, axis=1)
        votes[np.arange(len(parsed)), parsed] += 1 - self.weight
        roots = self.weight * softmax(arcs[:, 0]) + (1 - self.weight) * (parsed == 0)
        heads = single_root(np.log(votes + TINY), np.log(roots + TINY))
        labels = np.full(len(heads), -1)
        changed = np.flatnonzero((heads != parsed) & (heads > 0))
        if len(changed):
            child = with_one(self.part("label_child", states[changed]))
            head = with_one(self.part("label_head", states[heads[changed] - 1]))
            scores = np.tensordot(child, self.weights["label"], axes=(1, 1))
            labels[changed] = (scores * head[:, None]).sum(axis=-1).argmax(axis=1)
        return heads, labels

    def to_disk(self, path: str | Path, **kwargs: object) -> None:
        """Save the weights."""
        folder = Path(path)
        folder.mkdir(exist_ok=True)
        arrays: dict[str, Any] = {name: values.astype(np.float16) for name, values in self.weights.items()}
        np.savez_compressed(folder / FILE, labels=np.array(self.labels), **arrays)

    def from_disk(self, path: str | Path, **kwargs: object) -> Heads:
        """Load the weights."""
        with np.load(Path(path) / FILE) as saved:
            self.labels = saved["labels"].tolist()
            self.weights = {name: saved[name].astype(np.float32) for name in saved.files if name != "labels"}
        return self


def sentences_of(doc: Doc) -> Iterator[Ints]:
    """Yield the indices of the words of each sentence, without white space, if a scorer of pairs of words suits it."""
    space = doc.to_array(IS_SPACE)
    for span in doc.sents:
        words = np.arange(span.start, span.end)
        words = words[space[span.start : span.end] == 0]
        if 1 < len(words) <= LONGEST:
            yield words


@Language.factory("zh_heads", default_config={"weight": 0.7})
def create_heads(nlp: Language, name: str, weight: float) -> Heads:
    """Return the component.

    Args:
        nlp: the pipeline.
        name: the name of the component in it.
        weight: the share of the scores; the rest is the parser's vote.
    """
    return Heads(weight)
