"""The Spark example: its function on data frames, and the whole of it where Spark is installed."""

import importlib.util
from pathlib import Path

import pytest

from sda_hf.augmentation import Negation, Triplets
from sda_hf.augmentation.sda import ModalVerbs
from sda_hf.files import read_rows, write_rows

PATH = Path(__file__).parents[2] / "recipes" / "engines" / "spark.py"
SPEC = importlib.util.spec_from_file_location("spark_example", PATH)
example = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(example)

ROWS = [{"id": i, "text": text} for i, text in enumerate(["He left.", "Hello!", "She won.", "It rains."])]


def expected():
    columns = Triplets(ModalVerbs(), Negation(), on_skip="null")({"text": [row["text"] for row in ROWS]})
    rows = [{**row, **{name: columns[name][i] for name in columns}} for i, row in enumerate(ROWS)]
    return [row for row in rows if row["negative"] is not None]


def test_rows_keep_their_ids_and_lose_none_but_the_dropped():
    import pandas

    batches = [pandas.DataFrame(ROWS[:3]), pandas.DataFrame(ROWS[3:])]
    found = [row for batch in example.Rewritten("text")(iter(batches)) for row in batch.to_dict("records")]
    assert found == expected()
    assert [row["id"] for row in found] == [0, 2, 3]


@pytest.mark.slow
def test_on_spark(tmp_path):
    pyspark = pytest.importorskip("pyspark.sql", reason="Spark is not installed: pip install pyspark, and Java")
    write_rows(tmp_path / "in.parquet", ROWS)
    session = pyspark.SparkSession.builder.master("local[2]").getOrCreate()
    try:
        example.rewrite(session, str(tmp_path / "in.parquet"), str(tmp_path / "out"))
    finally:
        session.stop()
    rows = [row for path in (tmp_path / "out").glob("*.parquet") for _, row in read_rows(path)]
    assert sorted(rows, key=lambda row: row["id"]) == expected()
