"""Print the share of sentences that each rule changes, sound and full, with the commonest reasons of the skips.

    python recipes/benchmarks/coverage.py [--wiki SENTENCES.txt[.gz]] [--web TREEBANK.conllu[.gz]] \
        [--language zh] [--sentences 2000] [--lines N] [--seed 0] [--reasons 5] [--parser NAME]

Of a treebank, the sentences whose gold tree has a predicate count. In English, that is a finite main verb: the root is
finite itself, or has a finite auxiliary or copula. In Chinese, the root is a verb or an adjective, or has a subject or
a copula; and of the other file, only sentences count in which the parser finds a predicate. The rewrites are made of
the raw text.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import conllu

from sda_hf import AntonymSubstitute, DoubleNegation, ModalVerbs, Negation, PunctuationInsertion
from sda_hf.augmentation.base import CHUNK, COVERAGES, ClauseAugmenter, views
from sda_hf.grammar.base import clauses
from sda_hf.syntax.clause import Clause

RULES: dict[str, type[ClauseAugmenter]] = {
    "Punctuation": PunctuationInsertion,
    "Modal": ModalVerbs,
    "Double": DoubleNegation,
    "Negation": Negation,
    "Antonym": AntonymSubstitute,
}


def lines_of(path: Path, most: int | None) -> list[str]:
    """Return the first lines of a file that are not blank."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [line.strip() for line in itertools.islice(lines, most) if line.strip()]


def predicated_lines(path: Path, most: int | None, language: str, parser: str | None) -> list[str]:
    """Return the first lines of a file; in Chinese, those in which the parser finds a predicate."""
    texts = lines_of(path, most)
    if language == "en":
        return texts
    found = zip(texts, clauses(texts, language, parser), strict=True)
    return [text for text, clause in found if isinstance(clause, Clause) and clause.mood != "fragment"]


def predicated_trees(path: Path, language: str) -> list[str]:
    """Return the sentences of a treebank that have a predicate."""
    has_predicate = is_finite if language == "en" else is_predicated
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [tree.metadata["text"] for tree in conllu.parse_incr(lines) if has_predicate(tree)]


def is_predicated(tree: conllu.TokenList) -> bool:
    root = next((token for token in tree if token["head"] == 0), None)
    return root is not None and (
        root["upos"] in ("VERB", "ADJ", "AUX")
        or any(t["head"] == root["id"] and t["deprel"].split(":")[0] in ("nsubj", "csubj", "cop") for t in tree)
    )


def is_finite(tree: conllu.TokenList) -> bool:
    root = next((token["id"] for token in tree if token["head"] == 0), None)
    return any(
        (token["feats"] or {}).get("VerbForm") == "Fin"
        and (token["id"] == root or (token["head"] == root and token["deprel"].split(":")[0] in ("aux", "cop")))
        for token in tree
    )


def outcomes(texts: list[str], tools: dict[tuple[str, str], ClauseAugmenter]) -> dict[tuple[str, str], Counter[str]]:
    """Return how many sentences each rule changes ("") and skips for each reason, all from one parse."""
    counts: dict[tuple[str, str], Counter[str]] = {key: Counter() for key in tools}
    for chunk in chunks(texts):
        viewed = list(views(chunk, list(tools.values())))
        for key, tool in tools.items():
            counts[key].update(rewrite.skipped or "" for rewrite in tool.rewrite_views(viewed))
    return counts


def chunks(texts: list[str]) -> Iterator[list[str]]:
    remaining = iter(texts)
    while chunk := list(itertools.islice(remaining, CHUNK)):
        yield chunk


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--wiki", type=Path, help="a file with a sentence a line")
    args.add_argument("--web", type=Path, help="a treebank, of which the sentences with a finite main verb are read")
    args.add_argument("--sentences", type=int, default=2000, help="how many to draw of each")
    args.add_argument("--lines", type=int, help="read only the first lines of --wiki")
    args.add_argument("--seed", type=int, default=0, help="seed of the draw")
    args.add_argument("--reasons", type=int, default=5, help="how many reasons of skips to print")
    args.add_argument("--parser", help="a spaCy pipeline; by default the embedded one")
    args.add_argument("--language", default="en", help="en or zh")
    given = args.parse_args()
    tools = {
        (name, coverage): rule(coverage=coverage, parser=given.parser, language=given.language)
        for name, rule in RULES.items()
        for coverage in COVERAGES
    }
    found: dict[str, tuple[int, dict[tuple[str, str], Counter[str]]]] = {}
    for kind, texts in (
        ("text", predicated_lines(given.wiki, given.lines, given.language, given.parser) if given.wiki else []),
        ("treebank", predicated_trees(given.web, given.language) if given.web else []),
    ):
        drawn = random.Random(given.seed).sample(texts, min(given.sentences, len(texts)))
        if drawn:
            found[kind] = len(drawn), outcomes(drawn, tools)
    print("| rule | " + " | ".join(f"{kind}, {coverage} (%)" for kind in found for coverage in COVERAGES) + " |")
    print("|---" + "|---:" * (len(found) * len(COVERAGES)) + "|")
    for name in RULES:
        shares = (
            100 * counts[name, coverage][""] / total for total, counts in found.values() for coverage in COVERAGES
        )
        print(f"| {name} | " + " | ".join(f"{share:.1f}" for share in shares) + " |")
    for kind, (total, counts) in found.items():
        for (name, coverage), reasons in counts.items():
            print(f"\n{name}, {coverage}, {kind} ({total:,} sentences):")
            for reason, count in (Counter(reasons) - Counter({"": reasons[""]})).most_common(given.reasons):
                print(f"  {100 * count / total:5.1f} %  {reason}")


if __name__ == "__main__":
    main()
