"""Train the component that corrects the heads of the embedded Chinese pipeline, over its shared vectors.

    python zh_heads.py words/model-best train-words.spacy --dev dev-words.spacy --output heads

A bidirectional LSTM with a biaffine scorer of heads and labels, as in `zh_teacher.py`, and a tagger beside them that
only helps it to learn. The vectors are those that the tagger and the parser share; they do not change.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import spacy
import torch
from spacy.tokens import DocBin
from teacher import IGNORED, batches, padded, with_one
from torch import nn
from torch.nn.functional import cross_entropy, leaky_relu
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

import sda_hf.grammar.chinese.pipes  # noqa: F401 - registers with spaCy
from sda_hf.grammar.chinese.heads import Heads, single_root

HIDDEN, ARC, LABEL = 88, 96, 32


@dataclass
class Sentence:
    words: torch.Tensor
    tags: list[int]
    heads: list[int]  # 0 is the artificial root, words count from 1
    labels: list[int]


class Scorer(nn.Module):
    def __init__(self, width: int, tags: int, labels: int) -> None:
        super().__init__()
        size = 2 * HIDDEN
        self.lstm = nn.LSTM(width, HIDDEN, num_layers=2, bidirectional=True, batch_first=True, dropout=0.33)
        self.root = nn.Parameter(torch.randn(size) * 0.02)
        self.arc_head, self.arc_child = nn.Linear(size, ARC), nn.Linear(size, ARC)
        self.label_head, self.label_child = nn.Linear(size, LABEL), nn.Linear(size, LABEL)
        self.arc = nn.Parameter(torch.zeros(ARC + 1, ARC + 1))
        self.label = nn.Parameter(torch.zeros(labels, LABEL + 1, LABEL + 1))
        self.tag = nn.Linear(size + width, tags)
        self.before, self.after = nn.Dropout(0.2), nn.Dropout(0.33)

    def part(self, layer: nn.Linear, states: torch.Tensor) -> torch.Tensor:
        return self.after(leaky_relu(layer(states), 0.1))

    def forward(self, batch: list[Sentence]) -> tuple[torch.Tensor, ...]:
        """Return scores of tags and heads, and what the scores of labels need."""
        lengths = torch.tensor([len(s.words) for s in batch])
        vectors = torch.zeros(len(batch), int(lengths.max()), batch[0].words.shape[1])
        for i, s in enumerate(batch):
            vectors[i, : len(s.words)] = s.words
        vectors = self.before(vectors)
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        states = self.after(pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0])
        nodes = torch.cat([self.root.expand(len(batch), 1, -1), states], 1)
        heads = with_one(self.part(self.arc_head, nodes)).transpose(1, 2)
        arcs = with_one(self.part(self.arc_child, states)) @ self.arc @ heads
        missing = torch.arange(nodes.shape[1]) > lengths[:, None]
        arcs = arcs.masked_fill(missing.unsqueeze(1), -1e9)
        tags = self.tag(torch.cat([states, vectors], -1))
        return tags, arcs, self.part(self.label_head, nodes), self.part(self.label_child, states)

    def labels_of(self, head: torch.Tensor, child: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """Return label scores of each word given its head: (batch, words, labels)."""
        chosen = head.gather(1, heads.clamp(min=0).unsqueeze(-1).expand(-1, -1, head.shape[-1]))
        return torch.einsum("bci,oij,bcj->bco", with_one(child), self.label, with_one(chosen))


def load(nlp: spacy.Language, path: Path, labels: list[str]) -> list[Sentence]:
    """Return the sentences with their vectors; labels that are not in the list are added to it."""
    tags = {tag: i for i, tag in enumerate(nlp.get_pipe("tagger").labels)}
    sentences = []
    docs = [doc for doc in DocBin().from_disk(path).get_docs(nlp.vocab) if len(doc) > 1]
    for start in range(0, len(docs), 500):
        some = docs[start : start + 500]
        for doc, vectors in zip(some, nlp.get_pipe("tok2vec").predict(some), strict=True):
            heads = [0 if t.head.i == t.i else t.head.i + 1 for t in doc]
            if heads.count(0) != 1:
                continue
            names = ["ROOT" if t.head.i == t.i else t.dep_ for t in doc]
            labels.extend(name for name in dict.fromkeys(names) if name not in labels)
            sentences.append(
                Sentence(
                    torch.tensor(np.asarray(vectors)),
                    [tags.get(t.tag_, IGNORED) for t in doc],
                    heads,
                    [labels.index(name) for name in names],
                )
            )
    return sentences


def loss_of(model: Scorer, batch: list[Sentence]) -> torch.Tensor:
    tags, arcs, head, child = model(batch)
    heads = padded([s.heads for s in batch])
    labels = model.labels_of(head, child, heads)
    targets = ((tags, padded([s.tags for s in batch])), (arcs, heads), (labels, padded([s.labels for s in batch])))
    total = torch.zeros(())
    for scores, gold in targets:
        total = total + cross_entropy(scores.flatten(0, 1), gold.flatten(), ignore_index=IGNORED)
    # The words of a sentence compete for its root, too.
    roots = arcs[..., 0].masked_fill(heads == IGNORED, -1e9)
    return total + 0.3 * cross_entropy(roots, (heads == 0).int().argmax(1))


def evaluate(model: Scorer, dev: list[Sentence]) -> str:
    """Return accuracies on gold words, without the parser's votes."""
    model.eval()
    right = np.zeros(4)
    with torch.inference_mode():
        for batch in batches(dev, 4000, None):
            tags, arcs, head, child = model(batch)
            scores = arcs.log_softmax(-1)
            missing = torch.arange(arcs.shape[1]) >= torch.tensor([len(s.words) for s in batch])[:, None]
            roots = arcs[..., 0].masked_fill(missing, -1e9).log_softmax(-1)
            found = [
                single_root(scores[i, : len(s.words), : len(s.words) + 1].numpy(), roots[i, : len(s.words)].numpy())
                for i, s in enumerate(batch)
            ]
            labels = model.labels_of(head, child, padded([heads.tolist() for heads in found])).argmax(-1)
            for i, s in enumerate(batch):
                n = len(s.words)
                hits = found[i] == np.array(s.heads)
                right[0] += (tags[i, :n].argmax(-1).numpy() == s.tags).sum()
                right[1] += hits.sum()
                right[2] += (hits & (labels[i, :n].numpy() == s.labels)).sum()
                right[3] += found[i][s.heads.index(0)] == 0
    shares = 100 * right / ([sum(len(s.words) for s in dev)] * 3 + [len(dev)])
    return "gold words: tag {:.2f}  UAS {:.2f}  LAS {:.2f}  root {:.1f}".format(*shares)


def component(model: Scorer, labels: list[str]) -> Heads:
    """Return what the pipeline needs of the model, without the tagger."""
    state = {name: values.detach().numpy() for name, values in model.state_dict().items()}
    heads = Heads(0.7)
    kept = [i for i, label in enumerate(labels) if label != "ROOT"]
    heads.labels = [labels[i] for i in kept]
    state["label"] = state["label"][kept]
    for name, values in state.items():
        if name.startswith("lstm.bias_ih"):
            values = values + state[name.replace("_ih", "_hh")]
        if not name.startswith(("tag", "lstm.bias_hh")):
            heads.weights[name.replace("bias_ih", "bias")] = values
    return heads


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", type=Path, help="the trained tagger and parser")
    parser.add_argument("train", type=Path)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", action="store_true", help="start from the weights in the output folder")
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    nlp = spacy.load(args.words)
    labels: list[str] = []
    data = load(nlp, args.train, labels)
    known = len(labels)
    dev = load(nlp, args.dev, labels)
    labels = labels[:known]
    model = Scorer(data[0].words.shape[1], len(nlp.get_pipe("tagger").labels), known)
    if args.resume:
        model.load_state_dict(torch.load(args.output / "model.pt", weights_only=True))
    per_epoch = len(batches(data, 1500, None))
    steps = args.epochs * per_epoch
    print(f"{len(data)} sentences, {sum(p.numel() for p in model.parameters())} weights, {steps} steps", flush=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2.5e-3, betas=(0.9, 0.95), weight_decay=0.01)
    step, began = 0, time.time()
    for epoch in range(args.epochs):
        model.train()
        for batch in batches(data, 1500, random.Random(args.seed * 1000 + epoch)):
            for group in optimizer.param_groups:
                group["lr"] = 2.5e-3 * min(1.0, (step + 1) / 100, max(0.02, 1.15 * (1 - step / steps)))
            loss = loss_of(model, batch)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            optimizer.zero_grad()
            step += 1
            if step % 100 == 0:
                print(f"step {step}/{steps}  loss {loss.item():.3f}  {time.time() - began:.0f} s", flush=True)
        print(f"epoch {epoch + 1}: {evaluate(model, dev)}", flush=True)
        args.output.mkdir(exist_ok=True)
        component(model, labels).to_disk(args.output)
        torch.save(model.state_dict(), args.output / "model.pt")


if __name__ == "__main__":
    main()
