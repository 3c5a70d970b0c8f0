"""Text from elsewhere, shown on a terminal: control characters are seen, not obeyed."""

from __future__ import annotations

import re

# C0 and C1 controls and DEL; marks, overrides and isolates of the writing direction; line and paragraph separators;
# and lone surrogates, which no terminal can encode.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff]")


def printable(value: object) -> str:
    r"""Return a value as text on one line, with control characters as Python escapes them.

    It is safe to call twice: what is escaped is not escaped again.

    Example:
        >>> print(printable("\x1b[2Ja\nb\u202etxt"))
        \x1b[2Ja\nb\u202etxt
    """
    return CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), str(value))
