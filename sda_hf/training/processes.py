"""Which of several processes this is, known before torch is loaded."""

import os


def is_main_process() -> bool:
    """Return whether this process prints and writes: the first that a launcher started, or a lone one."""
    return os.environ.get("RANK", "0") == "0"
