"""The whole statement denied: 有人说 …，但事实并非如此."""

from __future__ import annotations

from sda_hf.grammar.chinese.rules.denial_phrases import DenialPhrase
from sda_hf.grammar.chinese.rules.statement_frames import put_around
from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.syntax.clause import Clause

CLAIM = Rule("claim-denied", "有人说 …，但事实并非如此")
SAID = DenialPhrase("denied", "有人说", "，但事实并非如此")


def statement_denied(clause: Clause) -> Result:
    """Rewrite 他去了北京 as 有人说他去了北京，但事实并非如此; the statement stays as it is."""
    if clause.mood != "declarative":
        return Skip("not a statement")
    return put_around(clause, SAID, CLAIM)
