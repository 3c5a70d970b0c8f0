"""Reading and writing files: atomic writes, and the rows of text, CSV, TSV, JSON lines and Parquet files."""

from sda_hf.files.atomic import new_folder, replacing, write_whole
from sda_hf.files.formats import WRITTEN, format_of
from sda_hf.files.reading import Row, read_columns, read_rows, read_schema, schema_of
from sda_hf.files.writing import write_rows

__all__ = [
    "WRITTEN",
    "Row",
    "format_of",
    "new_folder",
    "read_columns",
    "read_rows",
    "read_schema",
    "replacing",
    "schema_of",
    "write_rows",
    "write_whole",
]
