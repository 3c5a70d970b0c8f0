"""The tokens, tags and trees of texts by the weights of a spaCy pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sda_hf.syntax.arrays.decisions import clear_best
from sda_hf.syntax.arrays.embedding import PADDING, Embedding
from sda_hf.syntax.arrays.tokens import Tokenizer, Tokens
from sda_hf.syntax.arrays.transitions import Arcs, Transitions
from sda_hf.syntax.arrays.trees import DELIMITER, lowered, sentence_starts
from sda_hf.syntax.arrays.window import WindowEncoder
from sda_hf.syntax.arrays.workspace import Floats, Ints, Workspace

if TYPE_CHECKING:
    from spacy.language import Language

# Tokens that are encoded at once: few enough for the cache of a processor core.
ENCODED = 512
# Tokens that are parsed at once: enough that the time goes into arrays, not into Python; each takes 4 KiB of memory.
PARSED = 4096
# Texts that a step has to parse on average: for fewer, spaCy takes less time.
FEWEST = 8

LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "upstream": "*"}
# What this module computes; "width", "rows" and the like may have any value.
KNOWN: Mapping[str, Any] = {
    "tokenizer": {"@tokenizers": "spacy.Tokenizer.v1"},
    "tok2vec": {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {"@architectures": "spacy.MultiHashEmbed.v2", "include_static_vectors": False},
        "encode": {"@architectures": "spacy.MaxoutWindowEncoder.v2", "window_size": 1, "maxout_pieces": 2},
    },
    "tagger": {"@architectures": "spacy.Tagger.v2", "tok2vec": LISTENER},
    "parser": {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "parser",
        "extra_state_tokens": False,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": LISTENER,
    },
}


def is_known(nlp: Language) -> bool:
    """Whether a pipeline has an architecture that `Pipeline` computes, and no other component."""
    config = nlp.config
    if nlp.pipe_names != ["tok2vec", "tagger", "parser"] or not _fits(config["nlp"]["tokenizer"], KNOWN["tokenizer"]):
        return False
    parser: Any = nlp.get_pipe("parser")
    greedy = parser.cfg["beam_width"] == 1 and not parser.cfg["learn_tokens"]
    return greedy and all(_fits(config["components"][name]["model"], KNOWN[name]) for name in nlp.pipe_names)


def _fits(config: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    return all(
        _fits(config[key], value) if isinstance(value, Mapping) else config[key] == value
        for key, value in known.items()
    )


@dataclass(frozen=True, slots=True)
class Parse:
    """What was found in a text.

    Attributes:
        tokens: its tokens.
        tags: the tag of each token.
        labels: the dependency label of each token.
        heads: the position of the head of each token, its own for a root.
        starts: whether a sentence starts at each token.
    """

    tokens: Tokens
    tags: list[str]
    labels: list[str]
    heads: list[int]
    starts: list[bool]


class Pipeline:
    """A pipeline of a known architecture: see `is_known`.

    Attributes:
        tags: the tags that it may give.
        labels: the dependency labels that it may give.
    """

    def __init__(self, nlp: Language) -> None:
        components: list[Any] = [component for _, component in nlp.pipeline]
        encoder, tagger, parser = components
        self._embedding = Embedding(encoder.model.get_ref("embed"))
        self._encode = WindowEncoder(encoder.model.get_ref("encode"))
        self._tokenize = Tokenizer(nlp, self._embedding)
        softmax = tagger.model.get_ref("softmax")
        self._tagger: tuple[Floats, Floats] = np.ascontiguousarray(softmax.get_param("W").T), softmax.get_param("b")
        self._transitions = Transitions(parser)
        self._work = Workspace()
        self.tags: tuple[str, ...] = tagger.labels
        self.labels = frozenset(label.partition(DELIMITER)[0] for label in self._transitions.labels)

    def __call__(self, texts: Sequence[str]) -> list[Parse | None]:
        """Return what is found in each text.

        None is for a text that spaCy has to parse: a decision was nearly a tie, so that it may be another one, or there
        are too few others of its length.

        Args:
            texts: texts as the pipeline takes them.
        """
        self._tokenize.forget()
        tokens = [self._tokenize(text) for text in texts]
        parses: list[Parse | None] = [None] * len(texts)
        for group in _groups([len(found.rows) for found in tokens]):
            for i, parse in zip(group, self._parsed([tokens[i] for i in group]), strict=True):
                parses[i] = parse
        return parses

    def _parsed(self, texts: Sequence[Tokens]) -> Iterator[Parse | None]:
        lengths = np.array([len(tokens.rows) for tokens in texts])
        ends = np.cumsum(lengths)
        vectors = self._encoded(texts, int(ends[-1]))
        weights, bias = self._tagger
        tags, clear = clear_best(np.dot(vectors, weights) + bias)
        arcs = self._transitions(vectors, lengths, self._work)
        is_clear = np.logical_and.reduceat(clear, ends - lengths) & arcs.clear
        yield from self._split(texts, tags, arcs, (ends - lengths), is_clear.tolist())

    def _encoded(self, texts: Sequence[Tokens], count: int) -> Floats:
        """Return the vectors of all tokens in their context, of shape (tokens, width)."""
        table, between = self._embedding.table(), [PADDING] * self._encode.padding
        vectors = self._work.floats("tokens", count, table.shape[1])
        at, rows = 0, list(between)
        for i, tokens in enumerate(texts, start=1):
            rows += tokens.rows
            rows += between
            if len(rows) >= ENCODED or i == len(texts):
                encoded = self._encode(table, rows, self._work)[np.array(rows) != PADDING]
                vectors[at : at + len(encoded)] = encoded
                at, rows = at + len(encoded), list(between)
        return vectors

    def _split(
        self, texts: Sequence[Tokens], tags: Ints, arcs: Arcs, offsets: Ints, clear: Sequence[bool]
    ) -> Iterator[Parse | None]:
        tag_names, names = self.tags, self._transitions.labels
        decorated = {name for name in names if DELIMITER in name}
        starts = sentence_starts(arcs.heads)
        for tokens, start, is_clear in zip(texts, offsets.tolist(), clear, strict=True):
            here = slice(start, start + len(tokens.rows))
            heads: list[int] = (arcs.heads[here] - start).tolist()
            labels = [names[label] for label in arcs.labels[here].tolist()]
            begins: list[bool] = starts[here].tolist()
            if not decorated.isdisjoint(labels):
                heads, labels = lowered(heads, labels, tokens.spaces or [False] * len(heads))
                begins = sentence_starts(np.array(heads)).tolist()
            found = Parse(tokens, [tag_names[tag] for tag in tags[here].tolist()], labels, heads, begins)
            yield found if is_clear else None


def _groups(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the positions of texts of similar length, which end in nearly as many steps.

    Texts without a token are left out, and those that are much longer than the others.

    Args:
        lengths: the number of tokens of each text.
    """
    group: list[int] = []
    size = 0
    for i in sorted((i for i, length in enumerate(lengths) if length), key=lengths.__getitem__):
        if size + lengths[i] > PARSED:
            yield from _worthwhile(group, lengths)
            group, size = [], 0
        group.append(i)
        size += lengths[i]
    yield from _worthwhile(group, lengths)


def _worthwhile(group: list[int], lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield a group, if it is not empty without its longest texts, for which there would be too many steps."""
    size = sum(lengths[i] for i in group)
    while group and size < FEWEST * lengths[group[-1]]:
        size -= lengths[group.pop()]
    if group:
        yield group
