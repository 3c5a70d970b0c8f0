"""Rewrite the sentences of Parquet files on Spark, which this library does not depend on.

    spark-submit recipes/engines/spark.py IN OUT [--column text]

Each Python worker of Spark loads the parser once. What a row becomes depends on the augmenter and the text alone, so
tasks that Spark retries, or runs twice, give the same rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sda_hf import ModalVerbs, Negation, Triplets

if TYPE_CHECKING:
    import pandas
    from pyspark.sql import SparkSession

NEW = ("anchor", "positive", "negative")


class Rewritten:
    """A function for `mapInPandas`: the rows that have a negative, with the columns of triplets."""

    def __init__(self, column: str) -> None:
        self.column = column
        # "null" keeps the rows aligned with the other columns; those without a negative are left out afterwards.
        self.triplets = Triplets(ModalVerbs(), Negation(), input_column=column, on_skip="null")

    def __call__(self, batches: Iterator[pandas.DataFrame]) -> Iterator[pandas.DataFrame]:
        for batch in batches:
            new = self.triplets({self.column: batch[self.column].tolist()})
            yield batch.assign(**new).dropna(subset=["negative"])


def rewrite(session: SparkSession, source: str, target: str, column: str = "text") -> None:
    """Add triplets to the rows of Parquet files."""
    rows = session.read.parquet(source)
    fields = [field.simpleString() for field in rows.schema.fields if field.name not in NEW]
    schema = ", ".join([*fields, *(f"{name}:string" for name in NEW)])
    rows.mapInPandas(Rewritten(column), schema).write.parquet(target)


def main() -> None:
    from pyspark.sql import SparkSession

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", help="a folder of Parquet files, or its URL")
    parser.add_argument("target", help="a new folder, or its URL")
    parser.add_argument("--column", default="text", help="the column of the sentences")
    args = parser.parse_args()
    session = SparkSession.builder.appName("sda-hf").getOrCreate()
    try:
        rewrite(session, args.source, args.target, args.column)
    finally:
        session.stop()


if __name__ == "__main__":
    main()
