"""How English is written: capitals, spaces and apostrophes.

Rules build their edits in lower case; `recased` capitalizes them in one last pass.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.syntax.clause import Clause, Word, once_per_clause

CAPITALISED = lexicon.words("adjectives", "capitalised")
STEMS = "|".join(sorted(stem.upper() for stem in lexicon.words("verbs", "before-nt")))
SHOUTED_NOT = re.compile(rf"\b(?:{STEMS})N['’]?T\b")  # noqa: RUF001
# Signs that are written together with the word that follows them.
SIGNS = frozenset("$£€#+~.@")
# Rules that put a clause in front of a word, which loses its capital even after a mark inside the sentence.
CLAUSE_IN_FRONT = frozenset(
    {
        "negative-phrase",
        "negated-failure",
        "modal-on-command",
        "modal-on-fragment",
        "modal-before-claim",
        "fragment-presented",
    }
)
# A list marker or section number before a capital: "1.", "4.2(b)", "(a)", "iv)", "•", "-".
MARKER = re.compile(
    r"\s*(?:[#*(]?\d{1,3}(?:\.\d{1,3})*(?:\([a-z]{1,4}\)|[.):]|\.\))|\([A-Za-z]{1,3}\)|[a-zA-Z]\)|"
    r"[ivx]{1,4}[.)]|[•·●▪◦‣*>–—-]+)\s+(?=[\"'“‘(]?[A-Z])"  # noqa: RUF001
)
LATIN = re.compile(r"[A-Za-zÀ-ɏ]+")
OTHER_LETTER = re.compile(r"[^\W\d_A-Za-zÀ-ɏ]")
APOSTROPHES = ("'", "’")  # noqa: RUF001
CURLY = "’"  # noqa: RUF001


def legible(text: str) -> str:
    """Return the text in the form that an English parser handles best.

    It has the same length, is not all in capitals, and has spaces in place of a list marker.
    """
    marker = MARKER.match(text)
    if marker is not None:
        text = " " * marker.end() + text[marker.end() :]
    text = SHOUTED_NOT.sub(lambda match: match[0].lower(), text)
    lower = text.lower()
    return lower if text.isupper() and len(lower) == len(text) > 5 else text


@once_per_clause
def opening_word(clause: Clause) -> Word | None:
    """Return the first word of the sentence that is not punctuation, or the currency sign or the like before it."""
    spoken = [w for w in clause.words if w.text[:1].isalnum()]
    first = next((w for w in spoken if w.tag != "LS"), spoken[0] if spoken else None)
    if first is not None and clause.mood == "fragment":
        colon = next((w for w in clause.words[first.index + 1 : first.index + 3] if w.text == ":"), None)
        if colon is not None:  # "Subject: Great food"
            first = next((w for w in spoken if w.index > colon.index), first)
    while first is not None and first.index > 0:
        previous = clause.words[first.index - 1]
        if previous.end != first.start or previous.text not in SIGNS:
            break
        first = previous
    return first


def is_short(word: Word) -> bool:
    """Whether the word is a short form that is written together with the word before it: "'s", "'ll"."""
    return word.text[:1] in APOSTROPHES


def apostrophe(clause: Clause, form: str) -> str:
    """Return a form with the kind of apostrophe that the text uses."""
    return form.replace("'", CURLY) if CURLY in clause.text and "'" not in clause.text else form


# -- edits of words ------------------------------------------------------------------------------


def swap(word: Word, new: str, rule: Rule) -> Edit:
    """Replace a word."""
    return rule.edit(word.start, word.end, new)


def before(word: Word, new: str, rule: Rule) -> Edit:
    """Insert new words and a space before a word."""
    return rule.edit(word.start, word.start, f"{new} ")


def after(clause: Clause, word: Word, new: str, rule: Rule) -> Edit:
    """Insert a space and new words after a word."""
    return rule.edit(word.end, word.end, detached(clause, word, f" {new}"))


def detached(clause: Clause, word: Word, new: str) -> str:
    """Return what replaces a word, with a space after it if the next word has none before it: "I'ma fan"."""
    return f"{new} " if clause.text[word.end : word.end + 1].isalnum() else new


def remove(clause: Clause, first: Word, last: Word, rule: Rule) -> Edit:
    """Remove a run of words along with the space that separated it."""
    if not clause.opens(first):
        return rule.edit(first.start - clause.text[first.start - 1].isspace(), last.end, "")
    if last.index + 1 == len(clause.words):
        return rule.edit(first.start, last.end, "")
    return rule.edit(first.start, clause.words[last.index + 1].start, "")


# -- capitals ------------------------------------------------------------------------------------


def cased_like(old: str, new: str) -> str:
    """Return `new` with the capitalization of `old`: none, the first letter, or all of them.

    Example:
        >>> cased_like("HOT", "cold"), cased_like("Hot", "cold"), cased_like("hot", "cold")
        ('COLD', 'Cold', 'cold')
    """
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


@once_per_clause
def is_shouted(clause: Clause) -> bool:
    """Whether the text is all in capitals."""
    return len(clause.text) > 2 and clause.text.isupper()


def keeps_capital(word: Word) -> bool:
    """Whether a word is capitalized anywhere: a name, "I", an acronym, or a word with capitals inside."""
    named = word.lower in CAPITALISED and not word.tag.startswith("VB")  # "Polish the table."
    if named or word.tag in ("NNP", "NNPS"):
        return True
    return any(c.isupper() or c.isdigit() for c in word.text[1:])


def recased(clause: Clause, edits: Sequence[Edit]) -> list[Edit]:
    """Capitalize edits that are in lower case.

    A replacement takes over the capitals of the word that it replaces. Whatever comes to begin the sentence takes over
    the capital there, and the word that used to begin it loses its capital unless it always has one. If the text is
    all in capitals, so are the edits.

    Args:
        clause: the clause that the edits change.
        edits: edits of its text, in lower case.
    """
    if is_shouted(clause):
        return [replace(edit, new=edit.new.upper()) for edit in edits]
    places = {place for edit in edits for place in (edit.start, edit.end)}
    starts = {word.start: word for word in clause.words if word.start in places}
    leading: set[int] = set()
    preceded = {edit.start for edit in edits if _precedes(edit)}
    replaced = {edit.start for edit in edits if edit.end > edit.start}
    raised = {edit.end for edit in edits if _uncovers(clause, edit, starts, preceded)}
    cased = []
    for edit in edits:
        word = starts.get(edit.start)
        if word is None or (_precedes(edit) and edit.start in leading):
            cased.append(edit)
        elif _precedes(edit):
            leading.add(edit.start)
            cased.append(replace(edit, new=_opening(clause, word, edit.new)))
            cased += [] if edit.start in replaced else _lowered(clause, word, edit)
        elif edit.end > edit.start and edit.new:
            new = _like(word, edit.new)
            if edit.start in preceded and clause.opens(word):
                new = new[:1].lower() + new[1:]
            elif edit.start in raised:
                new = new[:1].upper() + new[1:]
            cased.append(replace(edit, new=new))
        else:
            cased.append(edit)
            if edit.end in raised and edit.end not in replaced:
                cased.append(replace(edit, start=edit.end, end=edit.end + 1, new=clause.text[edit.end].upper()))
    return cased


def _precedes(edit: Edit) -> bool:
    """Whether the edit inserts words before a word."""
    return edit.start == edit.end and edit.new.endswith(" ") and not edit.new.startswith(" ")


def _uncovers(clause: Clause, edit: Edit, starts: Mapping[int, Word], preceded: Collection[int]) -> bool:
    """Whether the edit removes the first words of a sentence, so that a lowercase word comes first."""
    word, following = starts.get(edit.start), starts.get(edit.end)
    if edit.new or word is None or following is None or edit.start in preceded or not clause.opens(word):
        return False
    return word.text[:1].isupper() and following.text[:1].islower()


def _like(word: Word, new: str) -> str:
    """Return a replacement with the capitalization of the word; the replacement of an initial number has a capital."""
    if word.index == 0 and word.text[:1].isdigit():
        return new[:1].upper() + new[1:]
    return cased_like(word.text, new)


def _opening(clause: Clause, word: Word, new: str) -> str:
    """Return words inserted before a word, with a capital if the sentence begins with one."""
    if not clause.opens(word):
        return new if new.startswith("I ") else new[:1].lower() + new[1:]
    return new[:1].upper() + new[1:] if word.text.isupper() else _like(word, new)


def _lowered(clause: Clause, word: Word, edit: Edit) -> list[Edit]:
    """Return the edit that lowercases a word that no longer begins the sentence, unless it is always capitalized."""
    after_mark = edit.id in CLAUSE_IN_FRONT and not clause.words[word.index - 1].text[-1:].isalnum()
    if not (clause.opens(word) or after_mark) or not loses_capital(clause, word):
        return []
    return [replace(edit, start=word.start, end=word.start + 1, new=word.text[:1].lower())]


def loses_capital(clause: Clause, word: Word) -> bool:
    """Whether a word has a capital that it would lose inside a sentence."""
    return word.text[:1].isupper() and not keeps_capital(word) and not _begins_title(clause, word)


def _begins_title(clause: Clause, word: Word) -> bool:
    """Whether a capitalised word follows an open-class word: "New Scientist", "Great Service"."""
    following = clause.words[word.index + 1 : word.index + 2]
    commands = clause.mood == "imperative" and clause.verbs is not None and word is clause.verbs.first  # "Try Rome."
    open_class = word.tag.startswith(("JJ", "NN", "VB")) and not commands
    return open_class and bool(following) and following[0].text[:1].isupper() and following[0].lower not in CAPITALISED
