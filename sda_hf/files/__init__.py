"""Reading and writing files: atomic writes, and the rows of text, CSV, TSV, JSON lines and Parquet files."""

from sda_hf.files.atomic import new_folder, replacing, write_whole
from sda_hf.files.formats import WRITTEN, format_of
from sda_hf.files.reading import Row, read_columns, read_rows, read_schema, schema_of
from sda_hf.files.untrusted import check_plain, read_small_json, read_small_text, text_problem
from sda_hf.files.writing import write_rows

__all__ = [
    "WRITTEN",
    "Row",
    "check_plain",
    "format_of",
    "new_folder",
    "read_columns",
    "read_rows",
    "read_schema",
    "read_small_json",
    "read_small_text",
    "replacing",
    "schema_of",
    "text_problem",
    "write_rows",
    "write_whole",
]
