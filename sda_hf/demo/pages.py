"""What augmenters make of a text, as HTML."""

from __future__ import annotations

from sda_hf.augmentation.differences import Piece, differences_as_html, paragraph, pieces
from sda_hf.augmentation.explanation import Explanation, explain, rule_names
from sda_hf.augmentation.options import augmenters_of
from sda_hf.augmentation.rewrite import Rewrite, described
from sda_hf.demo.drawing import escaped, note
from sda_hf.grammar.base import GRAMMARS

ROLES = {"positive": "Means the same (positives)", "negative": "Means something else (negatives)"}
# What is shown of a long text on each side of an edit, in characters.
AROUND = 200
NAMES = {"en": "English", "zh": "中文"}


def languages() -> list[tuple[str, str]]:
    """Return the languages that have rules: what to show, and the code.

    Example:
        >>> languages()
        [('English', 'en'), ('中文', 'zh')]
    """
    return [(NAMES.get(code, code), code) for code in GRAMMARS if rule_names(code)]


def explained(text: str, language: str, coverage: str = "sound", seed: int = 0) -> Explanation:
    """Return what all rules of a language make of a text.

    Args:
        text: a sentence or a few.
        language: its ISO 639-1 code.
        coverage: "sound", or "full" for rewrites that the rules doubt, too.
        seed: of the random draws.

    Raises:
        InputValueError: an unknown language or coverage.

    Example:
        >>> explained("She can't swim.", "en").rewrites["negation"].text
        'She can swim.'
    """
    names = rule_names(language)
    return explain(text, augmenters_of(names, seed=seed, language=language, coverage=coverage))


def rewrites_page(explanation: Explanation) -> str:
    """Return each rewrite with its differences and its rule, and why there are no others.

    Example:
        >>> page = rewrites_page(explained("She can't swim.", "en"))
        >>> "She can swim." in page, "Skipped" in page
        (True, True)
    """
    if not explanation.text.strip():
        return note("Type a sentence, or choose an example.")
    found = {name: rewrite for name, rewrite in explanation.rewrites.items() if rewrite.skipped is None}
    skipped = {name: rewrite for name, rewrite in explanation.rewrites.items() if rewrite.skipped is not None}
    if not found:
        return note("No rule rewrites this text.") + _skips(skipped)
    columns = [
        "".join(_card(name, role, rewrite) for name, rewrite in found.items() if explanation.roles[name] == role)
        for role in ROLES
    ]
    shown = "".join(
        f"<section><h3>{heading}</h3>{cards or note('None for this text.')}</section>"
        for heading, cards in zip(ROLES.values(), columns, strict=True)
    )
    return f'<div class="sda-columns">{shown}</div>{_skips(skipped)}'


def _card(name: str, role: str, rewrite: Rewrite) -> str:
    parts = _shortened(pieces(rewrite.original, rewrite.edits))
    rules = "; ".join(dict.fromkeys(described(edit) for edit in rewrite.edits))
    return (
        f'<article class="sda-rewrite sda-{role}"><header><strong>{escaped(name)}</strong></header>'
        f'<p class="sda-text" dir="auto">{escaped("".join(part.new for part in parts))}</p>'
        f"{paragraph(differences_as_html(parts), rules)}</article>"
    )


def _shortened(parts: list[Piece]) -> list[Piece]:
    """Leave out what is far from every edit."""
    shown = []
    for part in parts:
        if part.changed or len(part.old) <= 2 * AROUND:
            shown.append(part)
        else:
            text = f"{part.old[:AROUND]} … {part.old[-AROUND:]}"
            shown.append(Piece(text, text, False))
    return shown


def _skips(skipped: dict[str, Rewrite]) -> str:
    if not skipped:
        return ""
    rows = "".join(
        f'<li><strong>{escaped(name)}</strong> <span dir="auto">{escaped(rewrite.skipped or "")}</span></li>'
        for name, rewrite in skipped.items()
    )
    return f'<details class="sda-skips" open><summary>Skipped: {len(skipped)}</summary><ul>{rows}</ul></details>'
