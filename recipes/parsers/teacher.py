"""A large parser that labels raw text for the small embedded one.

A pretrained encoder under a biaffine head (Dozat and Manning, 2017, arXiv 1611.01734), fine-tuned on
the treebanks; its trees over raw sentences are the extra training data of the embedded pipeline.

    python teacher.py train --encoder sentence-transformers/all-MiniLM-L6-v2 --output teacher.pt \
        --dev en_ewt-dev.conllu.gz en_ewt-train.conllu.gz en_pud.conllu.gz
    python teacher.py parse --model teacher.pt --output silver.spacy en_wiki.txt.gz
"""

from __future__ import annotations

import argparse
import gzip
import random
import time
from dataclasses import dataclass
from pathlib import Path

import spacy
import torch
from spacy.tokens import Doc, DocBin
from torch import nn
from torch.nn.functional import cross_entropy
from transformers import AutoModel, AutoTokenizer
from treebank import read_sentences, words_and_spaces

IGNORED = -100
SHAPES = ("lower", "title", "upper", "mixed", "digit", "other")


def shape_of(word: str) -> int:
    """Return the case class of a word: the encoder may be uncased, but tags need case."""
    if any(c.isdigit() for c in word):
        return SHAPES.index("digit")
    if not any(c.isalpha() for c in word):
        return SHAPES.index("other")
    for name in ("lower", "title", "upper"):
        if getattr(word, f"is{name}")():
            return SHAPES.index(name)
    return SHAPES.index("mixed")


@dataclass
class Sentence:
    words: list[str]
    tags: list[int]
    heads: list[int]  # 0 is the artificial root, words count from 1
    labels: list[int]


def with_one(x: torch.Tensor) -> torch.Tensor:
    """Append a constant feature, so that a bilinear form includes linear terms."""
    return torch.cat([x, x.new_ones(*x.shape[:-1], 1)], -1)


class Parser(nn.Module):
    def __init__(self, encoder: str, tags: list[str], labels: list[str]) -> None:
        super().__init__()
        self.config = {"encoder": encoder, "tags": tags, "labels": labels}
        self.encoder = AutoModel.from_pretrained(encoder)
        self.tokenizer = AutoTokenizer.from_pretrained(encoder)
        size = self.encoder.config.hidden_size
        self.shape = nn.Embedding(len(SHAPES), 32)
        self.root = nn.Parameter(torch.randn(size + 32) * 0.02)
        self.tag = nn.Linear(size + 32, len(tags))

        def mlp(out: int) -> nn.Module:
            return nn.Sequential(nn.Linear(size + 32, out), nn.LeakyReLU(0.1), nn.Dropout(0.33))

        self.arc_head, self.arc_child = mlp(384), mlp(384)
        self.label_head, self.label_child = mlp(128), mlp(128)
        self.arc = nn.Parameter(torch.zeros(385, 385))
        self.label = nn.Parameter(torch.zeros(len(labels), 129, 129))
        self.dropout = nn.Dropout(0.33)

    def forward(self, batch: list[list[str]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        encoded = self.tokenizer(batch, is_split_into_words=True, padding=True, truncation=True, return_tensors="pt")
        hidden = self.encoder(**encoded).last_hidden_state
        length = max(map(len, batch))
        # A word is the mean of its pieces.
        piece_word = torch.full(encoded["input_ids"].shape, length)
        for i in range(len(batch)):
            for j, word in enumerate(encoded.word_ids(i)):
                if word is not None:
                    piece_word[i, j] = word
        weight = torch.nn.functional.one_hot(piece_word, length + 1)[..., :length].to(hidden.dtype)
        words = weight.transpose(1, 2) @ hidden / weight.sum(1).clamp(min=1).unsqueeze(-1)
        shapes = torch.zeros(len(batch), length, dtype=torch.long)
        for i, sentence in enumerate(batch):
            shapes[i, : len(sentence)] = torch.tensor([shape_of(w) for w in sentence])
        words = self.dropout(torch.cat([words, self.shape(shapes).to(words.dtype)], -1))
        tags = self.tag(words)
        root = self.root.to(words.dtype).expand(len(batch), 1, -1)
        nodes = torch.cat([root, words], 1)
        arcs = with_one(self.arc_child(words)) @ self.arc @ with_one(self.arc_head(nodes)).transpose(1, 2)
        missing = torch.ones(len(batch), length + 1, dtype=torch.bool)
        for i, sentence in enumerate(batch):
            missing[i, : len(sentence) + 1] = False
        arcs = arcs.float().masked_fill(missing.unsqueeze(1), -1e9)
        return tags, arcs, self.label_head(nodes), self.label_child(words)

    def labels_of(self, head: torch.Tensor, child: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """Return label scores of each word given its head: (batch, words, labels)."""
        chosen = head.gather(1, heads.clamp(min=0).unsqueeze(-1).expand(-1, -1, head.shape[-1]))
        return torch.einsum("bci,oij,bcj->bco", with_one(child), self.label, with_one(chosen))


def padded(rows: list[list[int]]) -> torch.Tensor:
    length = max(map(len, rows))
    return torch.tensor([row + [IGNORED] * (length - len(row)) for row in rows])


def loss_of(model: Parser, batch: list[Sentence]) -> torch.Tensor:
    tags, arcs, head, child = model([s.words for s in batch])
    heads = padded([s.heads for s in batch])
    labels = model.labels_of(head, child, heads)
    pairs = ((tags, [s.tags for s in batch]), (arcs, None), (labels, [s.labels for s in batch]))
    total = torch.zeros(())
    for scores, gold in pairs:
        target = heads if gold is None else padded(gold)
        total = total + cross_entropy(scores.float().flatten(0, 1), target.flatten(), ignore_index=IGNORED)
    return total


def batches(items: list, size: int, rng: random.Random | None, length=lambda s: len(s.words)) -> list[list]:
    """Yield batches of about `size` words, with sentences of similar length."""
    order = sorted(items, key=lambda s: length(s) + (rng.random() * 3 if rng else 0))
    result: list[list] = [[]]
    for item in order:
        if result[-1] and (len(result[-1]) + 1) * length(item) > size:
            result.append([])
        result[-1].append(item)
    if rng:
        rng.shuffle(result)
    return result


def load(paths: list[Path], tags: list[str], labels: list[str], grow: bool) -> list[Sentence]:
    def index(names: list[str], name: str) -> int:
        if name not in names:
            if not grow:
                return IGNORED
            names.append(name)
        return names.index(name)

    sentences = []
    for path in paths:
        for tokens in read_sentences(path):
            words, _ = words_and_spaces(tokens)
            sentences.append(
                Sentence(
                    [w["form"] for w in words],
                    [index(tags, w["xpos"] or "") for w in words],
                    [w["head"] for w in words],
                    [index(labels, "ROOT" if w["head"] == 0 else w["deprel"]) for w in words],
                )
            )
    return sentences


def predict(model: Parser, texts: list[list[str]]) -> list[tuple[list[int], list[int], list[int], float]]:
    """Return the tags, heads, labels and the probability of the least probable arc of each sentence."""
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        tags, arcs, head, child = model(texts)
        probability, heads = arcs.softmax(-1).max(-1)
        labels = model.labels_of(head, child, heads).argmax(-1)
        tags = tags.argmax(-1)
    return [
        (tags[i, :n].tolist(), heads[i, :n].tolist(), labels[i, :n].tolist(), float(probability[i, :n].min()))
        for i, n in enumerate(map(len, texts))
    ]


def evaluate(model: Parser, dev: list[Sentence]) -> str:
    model.eval()
    right = [0, 0, 0]
    words = 0
    for batch in batches(dev, 4000, None):
        for gold, (tags, heads, labels, _) in zip(batch, predict(model, [s.words for s in batch]), strict=True):
            words += len(gold.words)
            for t, gt, h, gh, lab, gl in zip(tags, gold.tags, heads, gold.heads, labels, gold.labels, strict=True):
                right[0] += t == gt
                right[1] += h == gh
                right[2] += h == gh and lab == gl
    return "tag {:.2f}  UAS {:.2f}  LAS {:.2f}".format(*(100 * r / words for r in right))


def train(args: argparse.Namespace) -> None:
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    tags: list[str] = []
    labels: list[str] = []
    data = load(args.treebanks, tags, labels, grow=True)
    dev = load([args.dev], tags, labels, grow=False)
    model = Parser(args.encoder, tags, labels)
    encoder = set(model.encoder.parameters())
    groups = [
        {"params": list(encoder), "lr": args.encoder_rate},
        {"params": [p for p in model.parameters() if p not in encoder], "lr": 2e-3},
    ]
    steps = args.epochs * len(batches(data, args.words, None))
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min((s + 1) / (0.1 * steps), max(0.0, (steps - s) / (0.9 * steps)))
    )
    step, began = 0, time.time()
    for epoch in range(args.epochs):
        model.train()
        for batch in batches(data, args.words, rng):
            with torch.autocast("cpu", torch.bfloat16):
                loss = loss_of(model, batch)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
            step += 1
            if step % 100 == 0:
                print(f"step {step}/{steps}  loss {loss.item():.3f}  {time.time() - began:.0f} s", flush=True)
        print(f"epoch {epoch + 1}: {evaluate(model, dev)}", flush=True)
        torch.save({"config": model.config, "state": model.state_dict()}, args.output)
        if epoch + 1 == args.stop_after:
            break


def is_tree(heads: list[int]) -> bool:
    """Whether there is one root, and every word leads to it."""
    if heads.count(0) != 1:
        return False
    for start in range(1, len(heads) + 1):
        node, seen = start, 0
        while node:
            node, seen = heads[node - 1], seen + 1
            if seen > len(heads):
                return False
    return True


def parse(args: argparse.Namespace) -> None:
    saved = torch.load(args.model, weights_only=True)
    model = Parser(**saved["config"])
    model.load_state_dict(saved["state"])
    model.eval()
    nlp = spacy.blank(args.language)
    texts = [line for path in args.texts for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    docs = [doc for doc in nlp.tokenizer.pipe(texts) if 2 <= len(doc) <= 80]
    bin_ = DocBin(attrs=["TAG", "HEAD", "DEP"])
    for batch in batches(docs, 4000, None, length=len):
        for doc, (tags, heads, labels, sure) in zip(
            batch, predict(model, [[t.text for t in d] for d in batch]), strict=True
        ):
            if not is_tree(heads) or sure < args.least:
                continue
            bin_.add(
                Doc(
                    nlp.vocab,
                    words=[t.text for t in doc],
                    spaces=[bool(t.whitespace_) for t in doc],
                    tags=[model.config["tags"][t] for t in tags],
                    heads=[i if h == 0 else h - 1 for i, h in enumerate(heads)],
                    deps=[model.config["labels"][name] for name in labels],
                )
            )
    bin_.to_disk(args.output)
    print(f"{len(bin_)} of {len(texts)} sentences kept")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.add_argument("treebanks", type=Path, nargs="+")
    training.add_argument("--dev", type=Path, required=True)
    training.add_argument("--encoder", default="sentence-transformers/all-MiniLM-L6-v2")
    training.add_argument("--encoder-rate", type=float, default=2e-4)
    training.add_argument("--epochs", type=int, default=6)
    training.add_argument("--stop-after", type=int, help="end after this epoch, on the schedule of all of them")
    training.add_argument("--words", type=int, default=1200)
    training.add_argument("--seed", type=int, default=0)
    training.add_argument("--output", type=Path, required=True)
    training.set_defaults(run=train)
    parsing = commands.add_parser("parse")
    parsing.add_argument("texts", type=Path, nargs="+")
    parsing.add_argument("--model", type=Path, required=True)
    parsing.add_argument("--language", default="en")
    parsing.add_argument("--least", type=float, default=0.0, help="skip a sentence with an arc less probable than this")
    parsing.add_argument("--output", type=Path, required=True)
    parsing.set_defaults(run=parse)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
