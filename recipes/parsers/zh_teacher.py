"""A Chinese tagger and biaffine parser, trained from scratch, that labels raw text for the small embedded one.

Two bidirectional LSTM layers over words (Dozat and Manning, 2017, arXiv 1611.01734). A word is its embedding, the
embeddings of its first and last characters, and its class in the dictionary. Embeddings of words start from their
co-occurrences in the treebanks and in the raw text, which the segmenter of the embedded pipeline splits into words.

    python zh_teacher.py train --segmenter places/model-best --output teacher.pt --dev dev.conllu \
        --text simclue.txt.gz --treebanks gsd.conllu pud.conllu hk.conllu cfl.conllu
    python zh_teacher.py parse --segmenter places/model-best --model teacher.pt --output silver.conllu simclue.txt.gz

Several segmenters split the text together, and trained taggers and parsers (`--voters`) vote on tags, heads and labels.
Training saves its state after each epoch; the same command with `--resume` goes on from there.
"""

from __future__ import annotations

import argparse
import gzip
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import spacy
import torch
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import svds
from scipy.special import softmax
from spacy.tokens import Doc
from teacher import IGNORED, batches, is_tree, padded, with_one
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from treebank import read_sentences, words_and_spaces

from sda_hf.grammar.chinese.pipes import word_class
from sda_hf.grammar.chinese.pipes import words as grouped_words
from sda_hf.grammar.chinese.script import simplified

WORD_SIZE, CHARACTER_SIZE, CLASS_SIZE, SOURCE_SIZE = 100, 50, 25, 16
HIDDEN, ARC, LABEL = 200, 256, 64


@dataclass
class Sentence:
    words: list[str]
    spaces: list[bool] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)  # 0 is the artificial root, words count from 1
    labels: list[int] = field(default_factory=list)
    source: int = 0


class Features:
    """Numbers of words, characters and word classes; 0 is padding, 1 is unknown."""

    def __init__(self, words: list[str], characters: list[str], classes: list[str]) -> None:
        self.lists = [words, characters, classes]
        self.words, self.characters, self.classes = ({x: i + 2 for i, x in enumerate(xs)} for xs in self.lists)

    @classmethod
    def of(cls, sentences: list[list[str]]) -> Features:
        words = Counter(w for s in sentences for w in s)
        characters = Counter(c for w, n in words.items() for c in w for _ in range(n))
        frequent = [w for w, n in words.most_common() if n > 1]
        return cls(frequent, [c for c, n in characters.most_common() if n > 1], sorted({word_class(w) for w in words}))

    def of_word(self, word: str) -> tuple[int, ...]:
        chars = [self.characters.get(c, 1) for c in word]
        inner = chars[1] if len(chars) > 1 else 0
        return self.words.get(word, 1), self.classes.get(word_class(word), 1), chars[0], inner, chars[-1]


class Teacher(nn.Module):
    def __init__(self, lists: list[list[str]], tags: list[str], labels: list[str], sources: int) -> None:
        super().__init__()
        self.config = {"lists": lists, "tags": tags, "labels": labels, "sources": sources}
        self.features = Features(*lists)
        self.word = nn.Embedding(len(lists[0]) + 2, WORD_SIZE, padding_idx=0)
        self.character = nn.Embedding(len(lists[1]) + 2, CHARACTER_SIZE, padding_idx=0)
        self.kind = nn.Embedding(len(lists[2]) + 2, CLASS_SIZE, padding_idx=0)
        self.source = nn.Embedding(sources, SOURCE_SIZE)
        width = WORD_SIZE + 3 * CHARACTER_SIZE + CLASS_SIZE + SOURCE_SIZE
        self.lstm = nn.LSTM(width, HIDDEN, num_layers=2, bidirectional=True, batch_first=True, dropout=0.33)
        size = 2 * HIDDEN
        self.root = nn.Parameter(torch.randn(size) * 0.02)
        self.tag = nn.Sequential(nn.Linear(size, 100), nn.LeakyReLU(0.1), nn.Dropout(0.33), nn.Linear(100, len(tags)))

        def mlp(out: int) -> nn.Module:
            return nn.Sequential(nn.Linear(size, out), nn.LeakyReLU(0.1), nn.Dropout(0.33))

        self.arc_head, self.arc_child = mlp(ARC), mlp(ARC)
        self.label_head, self.label_child = mlp(LABEL), mlp(LABEL)
        self.arc = nn.Parameter(torch.zeros(ARC + 1, ARC + 1))
        self.label = nn.Parameter(torch.zeros(len(labels), LABEL + 1, LABEL + 1))
        self.dropout = nn.Dropout(0.33)

    def encoded(self, batch: list[Sentence]) -> torch.Tensor:
        lengths = torch.tensor([len(s.words) for s in batch])
        ids = torch.zeros(len(batch), int(lengths.max()), 5, dtype=torch.long)
        for i, s in enumerate(batch):
            ids[i, : len(s.words)] = torch.tensor([self.features.of_word(w) for w in s.words])
        words = ids[..., 0]
        if self.training:  # so that unknown words are read by their characters
            words = torch.where((torch.rand(words.shape) < 0.2) & (words > 0), 1, words)
        source = self.source(torch.tensor([s.source for s in batch])).unsqueeze(1).expand(-1, ids.shape[1], -1)
        parts = [self.word(words), self.character(ids[..., 2:]).flatten(2), self.kind(ids[..., 1]), source]
        packed = pack_padded_sequence(
            self.dropout(torch.cat(parts, -1)), lengths, batch_first=True, enforce_sorted=False
        )
        return self.dropout(pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0])

    def forward(self, batch: list[Sentence]) -> tuple[torch.Tensor, ...]:
        """Return scores of tags and heads, and what the scores of labels need."""
        words = self.encoded(batch)
        nodes = torch.cat([self.root.expand(len(batch), 1, -1), words], 1)
        missing = torch.ones(len(batch), nodes.shape[1], dtype=torch.bool)
        for i, s in enumerate(batch):
            missing[i, : len(s.words) + 1] = False
        arcs = with_one(self.arc_child(words)) @ self.arc @ with_one(self.arc_head(nodes)).transpose(1, 2)
        arcs = arcs.masked_fill(missing.unsqueeze(1), -1e9)
        return self.tag(words), arcs, self.label_head(nodes), self.label_child(words)

    def labels_of(self, head: torch.Tensor, child: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """Return label scores of each word given its head: (batch, words, labels)."""
        chosen = head.gather(1, heads.clamp(min=0).unsqueeze(-1).expand(-1, -1, head.shape[-1]))
        return torch.einsum("bci,oij,bcj->bco", with_one(child), self.label, with_one(chosen))


def loss_of(model: Teacher, batch: list[Sentence]) -> torch.Tensor:
    tags, arcs, head, child = model(batch)
    heads = padded([s.heads for s in batch])
    labels = model.labels_of(head, child, heads)
    targets = ((tags, padded([s.tags for s in batch])), (arcs, heads), (labels, padded([s.labels for s in batch])))
    total = torch.zeros(())
    for scores, gold in targets:
        total = total + cross_entropy(scores.flatten(0, 1), gold.flatten(), ignore_index=IGNORED)
    return total


def load(paths: list[Path], tags: list[str], labels: list[str], grow: bool) -> list[Sentence]:
    def index(names: list[str], name: str) -> int:
        if name not in names:
            if not grow:
                return IGNORED
            names.append(name)
        return names.index(name)

    sentences = []
    for source, path in enumerate(paths):
        for tokens in read_sentences(path):
            words, spaces = words_and_spaces(tokens)
            s = Sentence([w["form"] for w in words], spaces, source=source)
            s.tags = [index(tags, w["xpos"]) for w in words]
            s.heads = [w["head"] for w in words]
            s.labels = [index(labels, "root" if w["head"] == 0 else w["deprel"]) for w in words]
            sentences.append(s)
    return sentences


def lines_of(path: Path) -> list[str]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    return [simplified(line.strip()) for line in text.decode().splitlines() if line.strip()]


def segmented(segmenters: list[Path], texts: list[Path]) -> Iterator[Sentence]:
    """Yield the raw sentences as words, each one once; the scores of several segmenters are added."""
    nlps = [spacy.load(path) for path in segmenters]
    places = nlps[0].get_pipe("places").labels
    for line in dict.fromkeys(line for path in texts for line in lines_of(path)):
        doc = nlps[0].make_doc(line)
        scores = sum(np.asarray(nlp.get_pipe("places").model.predict([doc])[0]) for nlp in nlps)
        for token, place in zip(doc, scores.argmax(-1), strict=True):
            token.tag_ = places[place]
        words = [t for t in grouped_words(doc) if not t.is_space]
        if 2 <= len(words) <= 80:
            yield Sentence([t.text for t in words], [bool(t.whitespace_) for t in words])


def embeddings(words: list[str], sentences: list[list[str]], window: int = 3) -> torch.Tensor:
    """Return vectors of words: the singular value decomposition of their positive pointwise mutual information."""
    index = {w: i for i, w in enumerate(words)}
    counts: Counter[tuple[int, int]] = Counter()
    for sentence in sentences:
        ids = [index[w] for w in sentence if w in index]
        for i, a in enumerate(ids):
            for b in ids[i + 1 : i + 1 + window]:
                counts[a, b] += 1
                counts[b, a] += 1
    rows, columns = np.array(list(counts)).T
    values = np.array(list(counts.values()), dtype=np.float64)
    total = np.bincount(rows, values, len(words))
    context = total**0.75 / (total**0.75).sum()
    information = np.log(values / total[rows] / context[columns])
    matrix = csr_matrix((information.clip(min=0), (rows, columns)), (len(words), len(words)))
    left, size, _ = svds(matrix, k=WORD_SIZE, random_state=0)
    vectors = left * np.sqrt(size)
    return torch.tensor(vectors / vectors.std(), dtype=torch.float32)


def trimmed(s: Sentence, rng: random.Random, mark: int) -> Sentence:
    """Return the sentence, now and then without the mark at its end."""
    n = len(s.words) - 1
    if n < 2 or s.tags[-1] != mark or n + 1 in s.heads or rng.random() > 0.3:
        return s
    return replace(s, words=s.words[:n], tags=s.tags[:n], heads=s.heads[:n], labels=s.labels[:n])


def one_root(scores: torch.Tensor) -> tuple[list[int], float]:
    """Return the best heads of a sentence with a single root, and the lowest probability of one of them.

    Args:
        scores: log probabilities of heads, (words, words + 1); column 0 is the artificial root.
    """
    best: tuple[float, torch.Tensor, torch.Tensor] | None = None
    for root in scores[:, 0].topk(min(4, len(scores))).indices.tolist():
        masked = scores.clone()
        masked[:, 0] = -torch.inf
        masked[root] = -torch.inf
        masked[root, 0] = scores[root, 0]
        chosen, heads = masked.max(-1)
        if best is None or chosen.sum().item() > best[0]:
            best = chosen.sum().item(), heads, chosen
    assert best is not None
    return best[1].tolist(), float(best[2].min().exp())


def predict(model: Teacher, batch: list[Sentence]) -> list[tuple[list[int], list[int], list[int], float]]:
    """Return tags, heads, labels and the lowest probability of a head of each sentence."""
    with torch.inference_mode():
        tags, arcs, head, child = model(batch)
        scores = arcs.log_softmax(-1)
        decoded = [one_root(scores[i, : len(s.words), : len(s.words) + 1]) for i, s in enumerate(batch)]
        labels = model.labels_of(head, child, padded([heads for heads, _ in decoded])).argmax(-1)
        tags = tags.argmax(-1)
    return [
        (tags[i, : len(s.words)].tolist(), heads, labels[i, : len(s.words)].tolist(), sure)
        for i, (s, (heads, sure)) in enumerate(zip(batch, decoded, strict=True))
    ]


def evaluate(model: Teacher, dev: list[Sentence]) -> str:
    """Return accuracies on gold words."""
    model.eval()
    right = np.zeros(4)
    for batch in batches(dev, 4000, None):
        for s, (tags, heads, labels, _) in zip(batch, predict(model, batch), strict=True):
            arcs = np.array(heads) == s.heads
            right += (np.array(tags) == s.tags).sum(), arcs.sum(), (arcs & (np.array(labels) == s.labels)).sum(), 0
            right[3] += heads.index(0) == s.heads.index(0)
    shares = 100 * right / ([sum(len(s.words) for s in dev)] * 3 + [len(dev)])
    return "gold words: tag {:.2f}  UAS {:.2f}  LAS {:.2f}  root {:.1f}".format(*shares)


def train(args: argparse.Namespace) -> None:
    torch.manual_seed(args.seed)
    tags: list[str] = []
    labels: list[str] = []
    data = load(args.treebanks, tags, labels, grow=True)
    dev = load([args.dev], tags, labels, grow=False)
    if args.resume:
        saved = torch.load(args.output, weights_only=True)
        model, done = Teacher(**saved["config"]), saved["epochs"]
        model.load_state_dict(saved["state"])
    else:
        forms = [s.words for s in data] + [s.words for s in segmented(args.segmenter, args.text)]
        features = Features.of(forms)
        model, done = Teacher(features.lists, tags, labels, len(args.treebanks)), 0
        model.word.weight.data[2:] = embeddings(features.lists[0], forms)
    per_epoch = len(batches(data, args.words, None))
    steps = args.epochs * per_epoch
    print(f"{len(data)} sentences, {len(model.features.words)} words, {steps} steps", flush=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.95), weight_decay=0.01)
    if args.resume:
        optimizer.load_state_dict(saved["optimizer"])
    step, began = done * per_epoch, time.time()
    for epoch in range(done, args.epochs):
        model.train()
        rng = random.Random(args.seed * 1000 + epoch)
        mark = tags.index(".")
        for batch in batches([trimmed(s, rng, mark) for s in data], args.words, rng):
            rate = 2e-3 * min(1.0, (step + 1) / 100, max(0.02, 1.3 * (1 - step / steps)))
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = loss_of(model, batch)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            optimizer.zero_grad()
            step += 1
            if step % 20 == 0:
                print(f"step {step}/{steps}  loss {loss.item():.3f}  {time.time() - began:.0f} s", flush=True)
        print(f"epoch {epoch + 1}: {evaluate(model, dev)}", flush=True)
        state = {"config": model.config, "state": model.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(state | {"epochs": epoch + 1}, args.output)


@dataclass
class Vote:
    tags: np.ndarray  # probabilities, in the order of the teacher's tags
    heads: list[int]
    labels: list[str]


def votes_of(nlp: spacy.Language, batch: list[Sentence], names: list[str]) -> list[Vote]:
    """Return what a trained tagger and parser find in the words of each sentence."""
    docs = [
        Doc(nlp.vocab, words=s.words, spaces=s.spaces, sent_starts=[i == 0 for i in range(len(s.words))]) for s in batch
    ]
    vectors, tagger, parser = (nlp.get_pipe(name) for name in ("tok2vec", "tagger", "parser"))
    vectors.set_annotations(docs, vectors.predict(docs))
    tags = [softmax(np.asarray(scores), axis=-1) for scores in tagger.model.predict(docs)]
    parser.set_annotations(docs, parser.predict(docs))
    order = [tagger.labels.index(name) if name in tagger.labels else -1 for name in names]
    return [
        Vote(
            np.where(np.array(order) < 0, 0, shares[:, order]),
            [0 if t.head.i == t.i else t.head.i + 1 for t in doc],
            [t.dep_ for t in doc],
        )
        for doc, shares in zip(docs, tags, strict=True)
    ]


def elected(
    model: Teacher, voters: list[spacy.Language], batch: list[Sentence]
) -> list[tuple[list[int], list[int], list[int], float]]:
    """Return what `predict` returns, when the teacher has 40 % of the votes on tags and 75 % of those on the tree."""
    if not voters:
        return predict(model, batch)
    names, labels = model.config["tags"], model.config["labels"]
    votes = list(zip(*(votes_of(nlp, batch, names) for nlp in voters), strict=True))
    with torch.inference_mode():
        tags, arcs, head, child = model(batch)
        shares = 0.75 * arcs.softmax(-1)
        for i, of_sentence in enumerate(votes):
            for vote in of_sentence:
                shares[i, torch.arange(len(vote.heads)), torch.tensor(vote.heads)] += 0.25 / len(voters)
        scores = (shares + 1e-6).log()
        decoded = [one_root(scores[i, : len(s.words), : len(s.words) + 1]) for i, s in enumerate(batch)]
        named = 0.75 * model.labels_of(head, child, padded([heads for heads, _ in decoded])).softmax(-1).numpy()
        tagged = 0.4 * tags.softmax(-1).numpy()
    result = []
    for i, (of_sentence, (heads, sure)) in enumerate(zip(votes, decoded, strict=True)):
        n = len(heads)
        for vote in of_sentence:
            tagged[i, :n] += 0.6 / len(voters) * vote.tags
            for word in range(n):
                if vote.heads[word] == heads[word] and vote.labels[word] in labels:
                    named[i, word, labels.index(vote.labels[word])] += 0.25 / len(voters)
        result.append((tagged[i, :n].argmax(-1).tolist(), heads, named[i, :n].argmax(-1).tolist(), sure))
    return result


def parse(args: argparse.Namespace) -> None:
    saved = torch.load(args.model, weights_only=True)
    model = Teacher(**saved["config"])
    model.load_state_dict(saved["state"])
    model.eval()
    voters = [spacy.load(path) for path in args.voters]
    sentences = list(segmented(args.segmenter, args.texts))
    kept = []
    for batch in batches(sentences, 4000, None):
        for s, (tags, heads, labels, sure) in zip(batch, elected(model, voters, batch), strict=True):
            if not is_tree(heads) or sure < args.least:
                continue
            lines = []
            for i, word in enumerate(s.words):
                tag, label = model.config["tags"][tags[i]], model.config["labels"][labels[i]]
                label = "root" if heads[i] == 0 else label
                misc = "_" if s.spaces[i] else "SpaceAfter=No"
                lines.append(f"{i + 1}\t{word}\t_\t_\t{tag}\t_\t{heads[i]}\t{label}\t_\t{misc}\n")
            kept.append("".join(lines) + "\n")
    args.output.write_text("".join(kept), encoding="utf-8")
    print(f"{len(kept)} of {len(sentences)} sentences kept")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.add_argument("--treebanks", type=Path, nargs="+", required=True, help="the first is the one to parse like")
    training.add_argument("--segmenter", type=Path, nargs="+", required=True)
    training.add_argument("--dev", type=Path, required=True)
    training.add_argument("--text", type=Path, nargs="*", default=[], help="raw text that will be parsed")
    training.add_argument("--epochs", type=int, default=10)
    training.add_argument("--words", type=int, default=1000, help="words in a batch")
    training.add_argument("--seed", type=int, default=0)
    training.add_argument("--resume", action="store_true")
    training.add_argument("--output", type=Path, required=True)
    training.set_defaults(run=train)
    parsing = commands.add_parser("parse")
    parsing.add_argument("texts", type=Path, nargs="+")
    parsing.add_argument("--segmenter", type=Path, nargs="+", required=True)
    parsing.add_argument("--voters", type=Path, nargs="*", default=[], help="trained taggers and parsers")
    parsing.add_argument("--model", type=Path, required=True)
    parsing.add_argument("--least", type=float, default=0.0, help="skip a sentence with an arc less probable")
    parsing.add_argument("--output", type=Path, required=True)
    parsing.set_defaults(run=parse)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
