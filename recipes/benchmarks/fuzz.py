"""Odd strings through every augmenter: none may raise, hang, lose a row, cut a word or depend on its batch.

    OMP_NUM_THREADS=1 python recipes/benchmarks/fuzz.py [--strings 1000000] [--seed 0] [--failures failures.jsonl]

Strings are drawn from the seed: sentences of the quickstart with characters put in, taken out, doubled and exchanged,
and strings that are odd all the way through. Every augmenter that needs no model runs on them with on_error="raise".
Prints the strings, rewrites, failures and the slowest text of each augmenter, and the memory at start and end; a string
that fails is written to a file with its seed and number, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from sda_hf.augmentation import Rewrite, from_config
from sda_hf.augmentation.base import Augmenter, views
from sda_hf.augmentation.listing import OF_PARTS
from sda_hf.registry import AUGMENTERS

SENTENCES = Path(__file__).parents[1] / "quickstart" / "sentences.txt"
BATCH = 500
WORD = re.compile(r"\w+(?:['’\-]\w+)*")  # noqa: RUF001
# What is put into sentences: marks, spaces of all kinds, controls, combining and right-to-left characters, emoji,
# lone surrogates, other scripts, and snippets that mean something elsewhere.
SNIPPETS = [
    *"-'\"\u2019\u201c\u201d.,;:!?()[]{}<>/\\|@#$%^&*_~`+=\t\n\r\0\x1b\u00a0\u200b\u200d\u202e\u2028\u3000\ufeff\u0301\ufffd",
    *("\ud800", "\udfff", "n't", "'s", "N'T", "not", "Not", "no", "--", "...", "!?", "n\u2019t", "i", "I", "a", "A"),
    *("你好", "не", "لا", "日本語", "🙂", "👨\u200d👩\u200d👧", "é", "ß", "İ", "ﬁ", "\uff11\uff12", "http://a.b/c?d=e"),
    *("3.14", "1,000", "4:30", "$5", "50%", "<b>", "**x**", "[x](y)", "- ", "1. ", "> ", "RT", "LOL", "e.g.", "U.S."),
    *("a@b.co", "#tag", "@me"),
]
ODD = "".join(snippet for snippet in SNIPPETS if len(snippet) == 1) + " " * 20 + "abcXYZ019"


def strings(seed: int, count: int) -> Iterator[str]:
    """The strings of a seed; the first ones of a seed are the same for any count."""
    rng = random.Random(seed)
    sentences = SENTENCES.read_text(encoding="utf-8").splitlines()
    for _ in range(count):
        yield odd(rng) if rng.random() < 0.2 else mutated(rng, rng.choice(sentences))


def odd(rng: random.Random) -> str:
    kind = rng.randrange(4)
    if kind == 0:
        return "".join(rng.choices(ODD, k=rng.randint(0, 60)))
    if kind == 1:
        return " ".join(rng.choices(SNIPPETS, k=rng.randint(1, 12)))
    if kind == 2:
        return rng.choice(SNIPPETS) * rng.randint(1, 80)
    return "".join(chr(rng.randrange(0x110000)) for _ in range(rng.randint(1, 30)))


def mutated(rng: random.Random, sentence: str) -> str:
    for _ in range(rng.randint(0, 4)):
        kind = rng.randrange(7)
        place = rng.randint(0, len(sentence))
        words = sentence.split(" ")
        if kind <= 1:
            sentence = sentence[:place] + rng.choice(SNIPPETS) + sentence[place:]
        elif kind == 2:
            sentence = sentence[:place] + sentence[place + 1 :]
        elif kind == 3:
            word = rng.randrange(len(words))
            words[word] += rng.choice(["-", "'", "'s", "n't", ",", ".", "?", "!", "-ish", "/or"])
            sentence = " ".join(words)
        elif kind == 4:
            rng.shuffle(words)
            sentence = " ".join(words)
        elif kind == 5:
            sentence = rng.choice([str.upper, str.lower, str.title, str.swapcase])(sentence)
        else:
            sentence = " ".join(words[: rng.randint(1, len(words))])
    return sentence


def augmenters(fit_on: Sequence[str]) -> dict[str, Augmenter]:
    """Every augmenter that needs no model, and the variants of the rules."""
    parts = {
        "chain": {"augmenters": [{"name": "negation"}, {"name": "punctuation-insertion"}]},
        "one-of": {"augmenters": [{"name": "punctuation-insertion"}, {"name": "modal-verbs"}]},
        "sometimes": {"augmenter": {"name": "modal-verbs"}, "proportion": 0.9},
        "double negation, v1": {"name": "double-negation", "variant": "v1"},
        "punctuation, v1": {"name": "punctuation-insertion", "variant": "v1", "strategy": "random"},
        "negation, prefix": {"name": "negation", "method": "prefix"},
        "negation, full forms": {"name": "negation", "contractions": False},
        "intensifier": {"name": "modal-verbs", "scope": ["adjective", "verb"]},
    }
    for name in ("punctuation-insertion", "modal-verbs", "double-negation", "negation", "antonym-substitute"):
        parts[f"{name}, full"] = {"name": name, "coverage": "full"}
    found = {}
    for name in [*AUGMENTERS, *(name for name in parts if name not in AUGMENTERS)]:
        if name in OF_PARTS:  # of several columns; their parts are in the list
            continue
        augmenter = from_config({"name": name, **parts.get(name, {})})
        if not augmenter.models:
            fitted = augmenter if augmenter.is_fitted else augmenter.fit(fit_on)
            found[name] = dataclasses.replace(fitted, on_error="raise")
    return found


def faults(augmenter: Augmenter, name: str, text: str, rewrite: Rewrite) -> Iterator[str]:
    """What is wrong with the outcome of one text."""
    if rewrite.original != text:
        yield "another original"
    if rewrite.skipped is not None:
        if rewrite.text != text or rewrite.edits:
            yield "skipped, but changed"
        return
    position = 0
    for edit in sorted(rewrite.edits, key=lambda e: (e.start, e.end)):
        if not position <= edit.start <= edit.end <= len(text):
            yield "an edit outside of its span"
        position = edit.end
    if rewrite.text == text:
        yield "unchanged, but not skipped"
    rule = "punctuation" in name and name not in ("punctuation-noise", "random-punctuation")
    if rule and WORD.findall(rewrite.text) != WORD.findall(text):
        yield "a word is split or changed"


def checked(
    name: str, augmenter: Augmenter, viewed: list, slowest: dict[str, float], together: bool
) -> Iterator[tuple[str, str]]:
    """The faults of one augmenter on one batch, with their texts."""
    rewrites = []
    for view in viewed:
        began = time.process_time()
        try:
            rewrites += augmenter.rewrite_views([view])
        except Exception as error:  # noqa: BLE001 - it is what this looks for
            yield view[0], f"{type(error).__name__}: {error}"
            return
        slowest[name] = max(slowest.get(name, 0.0), time.process_time() - began)
    if together and augmenter.rewrite_views(viewed) != rewrites:
        yield viewed[0][0], "a batch gives another rewrite than its texts alone"
    if len(rewrites) != len(viewed):
        yield "", "another number of rows"
    for (text, _), rewrite in zip(viewed, rewrites, strict=False):
        for fault in faults(augmenter, name, text, rewrite):
            yield text, fault


def memory() -> float:
    """Peak memory of the process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fuzz(seed: int, count: int) -> tuple[Counter[str], dict[str, float], list[dict[str, object]]]:
    """Run every augmenter on the strings of a seed."""
    tools = augmenters(SENTENCES.read_text(encoding="utf-8").splitlines())
    rewritten: Counter[str] = Counter()
    slowest: dict[str, float] = {}
    failures: list[dict[str, object]] = []
    drawn = strings(seed, count)
    done = reported = 0
    while batch := [text for _, text in zip(range(BATCH), drawn, strict=False)]:
        parsed = list(views(batch, [tools["negation"]]))
        together = done % (10 * BATCH) == 0  # whether batches make a difference is looked at in one of ten
        clauses = [each and each.main for _, each in parsed]
        if together and [each and each.main for _, each in views(batch[::-1], [tools["negation"]])][::-1] != clauses:
            failures.append({"seed": seed, "from": done, "fault": "the parse depends on the batch"})
        for name, augmenter in tools.items():
            viewed = parsed if augmenter.parses else [(text, None) for text in batch]
            for text, fault in checked(name, augmenter, viewed, slowest, together):
                failures.append({"seed": seed, "from": done, "augmenter": name, "fault": fault, "text": text})
            rewritten[name] += len(batch)
        done += len(batch)
        if done % (100 * BATCH) == 0:
            print(f"{done:,} strings, {len(failures)} failures, {memory():.0f} MiB", file=sys.stderr, flush=True)
        for failure in failures[reported:]:
            print(json.dumps(failure), file=sys.stderr, flush=True)
        reported = len(failures)
    return rewritten, slowest, failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strings", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures.jsonl"))
    given = parser.parse_args()
    fuzz(given.seed + 1_000_000, 10 * BATCH)  # what is loaded and cached once
    before = memory()
    rewritten, slowest, failures = fuzz(given.seed, given.strings)
    print(f"{'augmenter':28} {'strings':>10} {'failures':>9} {'slowest text, ms':>17}")
    for name, count in rewritten.items():
        failed = sum(failure.get("augmenter") == name for failure in failures)
        print(f"{name:28} {count:10,} {failed:9,} {slowest[name] * 1e3:17,.1f}")
    print(f"memory: {before:.0f} MiB after the first {10 * BATCH:,} strings, {memory():.0f} MiB at the end")
    if failures:
        lines = (json.dumps(failure) + "\n" for failure in failures)
        given.failures.write_text("".join(lines), encoding="utf-8", errors="surrogatepass")
        print(f"{len(failures)} failures, in {given.failures}")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
