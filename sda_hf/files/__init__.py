"""Files in and out: whole files, written atomically, and the rows of text, CSV, TSV, JSON lines and Parquet."""

from sda_hf.files.atomic import replacing, write_whole

__all__ = ["replacing", "write_whole"]
