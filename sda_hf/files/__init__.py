"""Reading and writing files: atomic writes, and the rows of text, CSV, TSV, JSON lines and Parquet files."""

from sda_hf.files.atomic import check_target, new_folder, publish, replacing, write_whole
from sda_hf.files.disk import DiskFullError, disk_is_full, give_usual_permissions
from sda_hf.files.formats import WRITTEN, format_of
from sda_hf.files.owners import Owner
from sda_hf.files.parts import is_part, part_beside, remove, remove_dead_parts
from sda_hf.files.reading import Row, count_rows, read_columns, read_rows, read_schema, schema_of
from sda_hf.files.untrusted import check_plain, read_small_json, read_small_text, text_problem
from sda_hf.files.writing import write_rows

__all__ = [
    "WRITTEN",
    "DiskFullError",
    "Owner",
    "Row",
    "check_plain",
    "check_target",
    "count_rows",
    "disk_is_full",
    "format_of",
    "give_usual_permissions",
    "is_part",
    "new_folder",
    "part_beside",
    "publish",
    "read_columns",
    "read_rows",
    "read_schema",
    "read_small_json",
    "read_small_text",
    "remove",
    "remove_dead_parts",
    "replacing",
    "schema_of",
    "text_problem",
    "write_rows",
    "write_whole",
]
