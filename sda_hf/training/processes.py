"""Which of several processes this is, told before torch is loaded."""

import os


def is_main_process() -> bool:
    """The process that prints and writes, of those that a launcher started; true for a lone one."""
    return os.environ.get("RANK", "0") == "0"
