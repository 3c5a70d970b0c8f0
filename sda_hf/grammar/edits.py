"""Edits on the original text: what is not named in one stays byte for byte as it was."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sda_hf.syntax.clause import Clause, Word

# Words that are written with a capital anywhere, beside names: nations, faiths, days and months.
CAPITALISED = frozenset(
    "i i'm i'd i'll i've afghan african albanian algerian american arab arabic argentine argentinian armenian "
    "asian australian austrian bangladeshi belgian bolivian bosnian brazilian british bulgarian burmese "
    "californian cambodian canadian caribbean catalan chilean chinese colombian croatian cuban cypriot czech "
    "danish dutch ecuadorian egyptian english estonian ethiopian european filipino finnish flemish french "
    "georgian german ghanaian greek hawaiian hispanic hungarian icelandic indian indonesian iranian iraqi irish "
    "islamic israeli italian jamaican japanese jewish jordanian kenyan korean kurdish kuwaiti latin latino "
    "latvian lebanese libyan lithuanian malaysian mexican mongolian moroccan muslim nepalese nigerian norwegian "
    "pakistani palestinian persian peruvian polish portuguese puerto roman romanian russian saudi scandinavian "
    "scottish serbian sicilian singaporean slovak slovenian somali soviet spanish sri sudanese swedish swiss "
    "syrian taiwanese thai tibetan tunisian turkish ugandan ukrainian venezuelan vietnamese welsh yemeni "
    "zimbabwean catholic protestant christian buddhist hindu sikh jesuit victorian elizabethan byzantine ottoman "
    "monday tuesday wednesday thursday friday saturday sunday january february april june july august september "
    "october november december christmas easter americans arabs australians canadians germans indians iranians "
    "iraqis israelis italians muslims jews christians catholics hindus koreans mexicans pakistanis palestinians "
    "russians saudis syrians turks ukrainians britons europeans africans asians".split()
)


PLACE = operator.attrgetter("start", "end")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `text[start:end]` by `new`, by the rule named in words that a user understands."""

    start: int
    end: int
    new: str
    rule: str


@dataclass(frozen=True, slots=True)
class Skip:
    """No rewrite, and why: a value, never a text that looks like a rewrite."""

    reason: str


def apply(text: str, edits: Sequence[Edit]) -> str:
    """The text after the edits; edits at the same place apply in their order.

    Raises:
        ValueError: two edits overlap, or one lies outside the text.

    Example:
        >>> apply("He came.", [Edit(3, 7, "didn't come", "do-support: past tense")])
        "He didn't come."
    """
    parts = []
    position = 0
    for edit in sorted(edits, key=PLACE):
        if edit.start < position or edit.end < edit.start or edit.end > len(text):
            raise ValueError(f"{edit} overlaps another edit or leaves the text of {len(text)} characters")
        parts += [text[position : edit.start], edit.new]
        position = edit.end
    return "".join([*parts, text[position:]])


def swap(word: Word, new: str, rule: str) -> Edit:
    """Another word in the place of one, in the case of the old one."""
    return Edit(word.start, word.end, like(word, new), rule)


def before(clause: Clause, word: Word, new: str, rule: str) -> list[Edit]:
    """New words and a space before a word; at the start of the sentence they take over its capital."""
    edits = [Edit(word.start, word.start, f"{opening(clause, word, new)} ", rule)]
    return edits + (decapitalise(clause, word, rule) if clause.opens(word) and not is_shouted(clause) else [])


def after(clause: Clause, word: Word, new: str, rule: str) -> Edit:
    """A space and new words after a word."""
    glued = clause.text[word.end : word.end + 1].isalnum()  # "I'ma fan"
    new = new.upper() if is_shouted(clause) else new
    return Edit(word.end, word.end, f" {new} " if glued else f" {new}", rule)


def opening(clause: Clause, word: Word, new: str) -> str:
    """Words that come to stand before `word`: with a capital at the start of a sentence that has one."""
    if is_shouted(clause):
        return new.upper()
    if clause.opens(word):
        return like(word, new) if not word.text.isupper() else new[:1].upper() + new[1:]
    return new[:1].lower() + new[1:]


def remove(clause: Clause, first: Word, last: Word, rule: str) -> list[Edit]:
    """Take out a run of words with the space that separated it; the next word takes over a capital."""
    text = clause.text
    if not clause.opens(first):
        return [Edit(first.start - text[first.start - 1].isspace(), last.end, "", rule)]
    if last.index + 1 == len(clause.words):
        return [Edit(first.start, last.end, "", rule)]
    following = clause.words[last.index + 1]
    edits = [Edit(first.start, following.start, "", rule)]
    if first.text[:1].isupper() and following.text[:1].islower():
        edits.append(Edit(following.start, following.start + 1, following.text[:1].upper(), rule))
    return edits


def settle(edits: Sequence[Edit]) -> list[Edit]:
    """A change of the first letter's case goes into the edit that replaces the whole word, if there is one.

    Example:
        >>> [e.new for e in settle([Edit(0, 1, "S", "capital"), Edit(0, 3, "some", "any → some")])]
        ['Some']
    """
    whole = {e.start: e for e in edits if e.end > e.start + 1 and e.new}
    settled = []
    for edit in edits:
        if edit.end == edit.start + 1 and len(edit.new) == 1 and edit.start in whole:
            continue
        letter = next(
            (e.new for e in edits if e.start == edit.start and e.end == e.start + 1 and len(e.new) == 1), None
        )
        if letter is not None and whole.get(edit.start) is edit:
            settled.append(replace(edit, new=letter_case(edit.new, letter)))
        else:
            settled.append(edit)
    return settled


def letter_case(new: str, letter: str) -> str:
    """`new` with its first letter in the case of `letter`."""
    return (new[:1].upper() if letter.isupper() else new[:1].lower()) + new[1:]


def overlap(edits: Sequence[Edit]) -> bool:
    """Two of the edits change the same characters."""
    end = 0
    for edit in sorted(edits, key=PLACE):
        if edit.start < end:
            return True
        end = edit.end
    return False


def decapitalise(clause: Clause, word: Word, rule: str) -> list[Edit]:
    """Lower-case the first letter of a word that moves inside, unless its capital is its own."""
    if not word.text[:1].isupper() or keeps_capital(word) or _begins_title(clause, word):
        return []
    return [Edit(word.start, word.start + 1, word.text[:1].lower(), rule)]


def _begins_title(clause: Clause, word: Word) -> bool:
    """An open-class word with a capitalised word behind it: "New Scientist", "Great Service"."""
    following = clause.words[word.index + 1 : word.index + 2]
    open_class = word.tag.startswith(("JJ", "NN", "VB"))
    return open_class and bool(following) and following[0].text[:1].isupper() and following[0].lower not in CAPITALISED


def keeps_capital(word: Word) -> bool:
    """A name, "I", an acronym or a word with capitals inside keeps its capital anywhere."""
    named = word.lower in CAPITALISED and not word.tag.startswith("VB")  # "Polish the table."
    if named or word.tag in ("NNP", "NNPS"):
        return True
    return any(c.isupper() or c.isdigit() for c in word.text[1:])


def is_shouted(clause: Clause) -> bool:
    """The text is in capitals altogether."""
    return len(clause.text) > 2 and clause.text.isupper()


def like(word: Word, new: str) -> str:
    """`new` with the capitals of `word`: none, the first, or all."""
    if word.index == 0 and word.text[:1].isdigit():
        return new[:1].upper() + new[1:]
    return cased_like(word.text, new)


def cased_like(old: str, new: str) -> str:
    """`new` with the capitals of `old`: none, the first, or all.

    Example:
        >>> cased_like("HOT", "cold"), cased_like("Hot", "cold"), cased_like("hot", "cold")
        ('COLD', 'Cold', 'cold')
    """
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def apostrophe(clause: Clause, form: str) -> str:
    """A form with the apostrophe that the text uses."""
    curly = "’"  # noqa: RUF001
    return form.replace("'", curly) if curly in clause.text and "'" not in clause.text else form


def lead_in(clause: Clause, phrase: str, edits: Sequence[Edit], at: Word, rule: str) -> list[Edit]:
    """A phrase in front of the word `at` of an edited sentence, which loses its capital there."""
    result = [Edit(at.start, at.start, f"{opening(clause, at, phrase)} ", rule)]
    if is_shouted(clause):
        return [*result, *edits]
    touched = next((e for e in edits if e.start == at.start and e.new), None)
    removed = next((e for e in edits if e.start == at.start and not e.new), None)
    if removed is not None:  # the word that comes first now need not take over the capital
        return result + [e for e in edits if not (e.start == removed.end and e.end == e.start + 1)]
    for edit in edits:
        lowered = edit is touched and clause.opens(at)
        result.append(replace(edit, new=edit.new[:1].lower() + edit.new[1:]) if lowered else edit)
    if touched is None and (clause.opens(at) or not clause.words[at.index - 1].text[-1:].isalnum()):
        result += decapitalise(clause, at, rule)
    return result
