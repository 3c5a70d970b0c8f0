"""Squares of opposition from a lexicon: short sentences with an adjective, verb, adverb or noun and its antonym."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sda_hf.augmentation.checks import check_choice, check_count, check_integer
from sda_hf.augmentation.config import portable
from sda_hf.augmentation.rewrite import outcome
from sda_hf.augmentation.trust import check_parsers
from sda_hf.errors import InputTypeError, InputValueError, shown, unknown
from sda_hf.files import check_plain
from sda_hf.grammar.base import SquareSeed, grammar_of, languages_offering, parsed
from sda_hf.grammar.edits import Skip
from sda_hf.grammar.splits import SPLITS
from sda_hf.registry import GENERATORS
from sda_hf.seeding import Stream
from sda_hf.syntax.clause import Clause
from sda_hf.syntax.parsers import ParserName, check_parser

if TYPE_CHECKING:
    from datasets import Dataset
    from typing_extensions import Self

COLUMNS = ("claim", "denial", "contrary", "equivalent")
MOST = 1_000_000
# Seeds that are drawn and parsed together.
BATCH = 512
# Batches that bring less than this share of new squares end in an error.
LEAST_NEW = 0.01

register = GENERATORS.register


@register("lexicon-squares")
@dataclass(frozen=True, kw_only=True)
class LexiconSquares:
    """Rows of claim, denial, contrary and equivalent, made from pairs of antonyms.

    Claims are short sentences with various subjects, tenses and degrees; the contrary has the antonym, and the
    language negates both in various ways: "The soup was hot", "The soup wasn't hot", "The soup was cold", "The soup was
    far from cold". A row depends only on the seed, the language, the split and its number, so that a larger count
    begins with the rows of a smaller one.

    The pairs are split by lemma: words that are linked by antonymy, directly or through others, are in the same split,
    so that no word of a test pair is in a training pair.

    Args:
        count: the number of squares.
        split: the pairs to take: "train", "dev" or "test".
        language: ISO 639-1 code.
        parser: None for the embedded pipeline; or the name of a spaCy package, a path, or a loaded `Language`.
        seed: the seed of all draws.

    Raises:
        InputValueError: a value outside what is allowed.
        InputTypeError: a value of the wrong type.

    Example:
        >>> squares = LexiconSquares(count=100, split="test")
        >>> len(squares.to_dataset()), list(next(iter(squares)))
        (100, ['claim', 'denial', 'contrary', 'equivalent'])
    """

    count: int = 10_000
    split: str = "train"
    language: str = "en"
    parser: ParserName = None
    seed: int = 0

    languages = languages_offering("square_seed")
    new_columns = COLUMNS

    def __post_init__(self) -> None:
        check_count("LexiconSquares", "count", self.count, MOST)
        check_choice("LexiconSquares", "split", self.split, SPLITS)
        check_choice("LexiconSquares", "language", self.language, self.languages)
        check_parser(self.parser)
        check_integer("LexiconSquares", "seed", self.seed)

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[dict[str, str]]:
        """Yield the rows.

        Raises:
            InputValueError: the pairs of the split do not give that many distinct squares.
        """
        made = 0
        seen: set[tuple[str, ...]] = set()
        for batch in self._batches():
            new = list({key: row for row in batch if (key := tuple(row.values())) not in seen}.values())
            seen.update(tuple(row.values()) for row in new)
            yield from new[: self.count - made]
            made += len(new)
            if made >= self.count:
                return
            if len(new) < LEAST_NEW * BATCH:
                raise InputValueError(
                    f"LexiconSquares: the {self.split} pairs of language {self.language!r} give no more than "
                    f"{made:,} distinct squares: ask for a smaller count than {self.count:,}"
                )

    def to_dataset(self) -> Dataset:
        """Return the rows as a dataset."""
        from datasets import Dataset  # slow to import

        return Dataset.from_list(list(self))

    def _batches(self) -> Iterator[list[dict[str, str]]]:
        """Yield rows, some of which may be equal, without end."""
        stream = Stream(self.seed, {"name": "lexicon-squares", "language": self.language, "split": self.split})
        number = 0
        while True:
            rng = stream.generator(str(number))
            yield list(self._rows(rng))
            number += 1

    def _rows(self, rng: random.Random) -> Iterator[dict[str, str]]:
        grammar = grammar_of(self.language)
        seeds = [grammar.square_seed(rng, self.split) for _ in range(BATCH)]
        texts = [corner.text for seed in seeds for corner in seed.corners if corner.denial is not None]
        denied = (text.main for text in parsed(texts, self.language, self.parser))
        for seed in seeds:
            clauses = [next(denied) if corner.denial is not None else None for corner in seed.corners]
            square = self._square(seed, clauses)
            if square is not None:
                yield square

    def _square(self, seed: SquareSeed, clauses: Sequence[Clause | Skip | None]) -> dict[str, str] | None:
        """Return the square of a seed; None if the language cannot deny one of its sentences."""
        grammar = grammar_of(self.language)
        texts = []
        for corner, clause in zip(seed.corners, clauses, strict=True):
            text = corner.text
            if corner.denial is not None:
                if not isinstance(clause, Clause):
                    return None
                rewrite = outcome(text, grammar.deny_as(clause, corner.denial))
                if rewrite.skipped is not None:
                    return None
                text = rewrite.text
            texts.append(grammar.placed(text, corner.frame, seed.context))
        return dict(zip(COLUMNS, texts, strict=True))

    # -- configuration ---------------------------------------------------------------------------

    def get_config_dict(self) -> dict[str, Any]:
        """Return the registered name and every field as JSON values.

        Raises:
            InputValueError: `parser` is a pipeline that was never saved, which no dictionary can name.
        """
        fields = {f.name: portable(getattr(self, f.name)) for f in dataclasses.fields(self)}
        return {"name": GENERATORS.name_of(type(self)), **fields}

    @classmethod
    def from_config(cls, config: Mapping[str, object], *, trust_parser: bool = False) -> Self:
        """Return the generator that `get_config_dict` described, which must be of this class.

        Args:
            config: the configuration.
            trust_parser: allow it to name a parser other than the embedded one; see `from_config` of augmenters.

        Raises:
            InputValueError: an unknown name or key; the message suggests the nearest one.
        """
        built = generator_from_config(config, trust_parser=trust_parser)
        if not isinstance(built, cls):
            raise InputValueError(f"the config is one of {type(built).__name__}, not of {cls.__name__}")
        return built


def generator_from_config(config: Mapping[str, object], *, trust_parser: bool = False) -> LexiconSquares:
    """Return the generator of a dictionary with its registered `name` and any of its fields.

    Args:
        config: the dictionary, which may come from a stranger.
        trust_parser: allow it to name a parser other than the embedded one; see `from_config` of augmenters.

    Raises:
        InputTypeError: it is not a mapping, or a value has the wrong type.
        InputValueError: an unknown name or key, a value that is not allowed, or a parser that is not trusted.

    Example:
        >>> generator_from_config({"name": "lexicon-squares", "count": 100, "split": "dev"}).split
        'dev'
    """
    if not isinstance(config, Mapping) or not isinstance(config.get("name"), str):
        raise InputTypeError(
            f"a generator's config is a mapping with a name, one of {', '.join(GENERATORS)}; got {shown(config)}"
        )
    check_plain(config)
    check_parsers(config, trusted=trust_parser)
    cls = GENERATORS.get(str(config["name"]))
    fields = [f.name for f in dataclasses.fields(cls)]
    for key in config:
        if key != "name" and key not in fields:
            raise unknown(f"field of {config['name']}", key, fields)
    generator: LexiconSquares = cls(**{key: value for key, value in config.items() if key != "name"})
    return generator
