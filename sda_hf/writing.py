"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import uuid
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a file under another name and gives it its own when it is complete.

    Args:
        path: the file; one that is there is replaced.
        content: text, which is written as UTF-8, or bytes.

    Raises:
        OSError: the file cannot be written; what was there stays.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     write_whole(Path(folder) / "note.txt", "It rains.")
        ...     [file.name for file in Path(folder).iterdir()]
        ['note.txt']
    """
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        partial.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        os.replace(partial, path)
    except BaseException:
        if partial.parent.is_dir():
            partial.unlink(missing_ok=True)
        raise
