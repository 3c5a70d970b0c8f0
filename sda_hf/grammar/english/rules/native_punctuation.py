"""Sound punctuation: of the marks that a sentence can take, the one that a native writer would most likely add."""

from __future__ import annotations

import itertools
import random
import re

from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import WH
from sda_hf.grammar.english.rules import natural_marks, quoted_names, set_off
from sda_hf.grammar.english.rules.fragments import is_greeting
from sda_hf.grammar.english.rules.marks import DOUBLE_QUOTES, Insertion, is_balanced, is_mark
from sda_hf.grammar.english.surface import opening_word
from sda_hf.syntax.clause import Clause, Phrase

LIVELY = lexicon.words("marks", "lively")
SOBER = lexicon.words("marks", "sober")
SPEAKERS = frozenset({"i", "you", "we", "my", "your", "our", "me", "us"})
# Up to how many words and marks a sentence can be exclaimed, for a word of judgement or a speaker in it.
SHORT = 14
LONG = 18
LONGEST_IN_BRACKETS = 40
FULL_STOP = Rule("full-stop", "full stop appended")
QUESTION_MARK = Rule("question-mark", "question mark appended")
EXCLAIMED = Rule("exclamation-mark", "end mark → exclamation mark")
DOUBLED_END = Rule("end-mark-doubled", "end mark doubled")
IN_BRACKETS = Rule("sentence-brackets", "brackets around the sentence")
BRACKETS = frozenset("()[]")
# A single quotation mark at the edge of a word, or two that stand for a double one.
SINGLE_QUOTE = re.compile(r"''|``|(?<!\w)['‘]\w|[.,!?]['’](?!\w)")  # noqa: RUF001
PAIRED = Rule("quotes-paired", "second quotation mark added")
AROUND_SENTENCE = Rule("sentence-quotes", "double quotes around the sentence")
NO_PLACE = Skip("no place for a mark that is natural")

# From the most to the least natural.
CLEAR: tuple[Insertion, ...] = (
    natural_marks.after_interjection,
    natural_marks.after_fronted,
    natural_marks.between_clauses,
    quoted_names.around_name,
    natural_marks.before_addition,
    natural_marks.before_relative,
    set_off.before_participle,
    natural_marks.before_but,
    natural_marks.in_list,
    set_off.aside_dashes,
    set_off.aside_brackets,
    set_off.semicolon_dash,
    natural_marks.before_loose_clause,
    natural_marks.before_when,
    set_off.tail_dash,
    natural_marks.before_closing,
)


def punctuate(clause: Clause, rng: random.Random, strategy: str) -> Result:
    """Insert the mark that is most natural, or with "random" one of those that are clearly so.

    Args:
        clause: the main clause.
        rng: draws with "random".
        strategy: "first" or "random".
    """
    clear = (edits for insertion in CLEAR if (edits := insertion(clause)))
    found = list(clear if strategy == "random" else itertools.islice(clear, 1))
    if exclaims(clause) and (strategy == "random" or not found) and (ended := at_the_end(clause)):
        found.append(ended)
    if found:
        return found[0] if strategy == "first" else rng.choice(found)
    return next((edits for insertion in POSSIBLE if (edits := insertion(clause))), NO_PLACE)


def exclaims(clause: Clause) -> bool:
    """Whether a sentence ends naturally with an exclamation mark, or has no end mark yet."""
    asks = clause.mood == "interrogative" or (clause.end_mark is not None and "?" in clause.end_mark.text)
    return clause.end_mark is None or (is_lively(clause) and not asks)


def around_sentence(clause: Clause) -> list[Edit] | None:
    """Put the whole sentence in double quotes, as something that is cited, or in brackets if it has quotes."""
    first, last = clause.words[0], clause.words[-1]
    if clause.end_mark is None or not is_balanced(clause, Phrase(clause.predicate, first, last)):
        return None
    before, behind = clause.text[first.start - 1 : first.start], clause.text[last.end : last.end + 1]
    if (first.start and not before.isspace()) or (behind and not behind.isspace()):
        return None
    start, end = first.start, last.end
    if DOUBLE_QUOTES.isdisjoint(clause.text) and (clause.text[:start].strip() or clause.text[end:].strip()):
        return _around_text(clause)
    if DOUBLE_QUOTES.isdisjoint(clause.text) and clause.end_mark is last and first.text[:1].isalnum():
        return [AROUND_SENTENCE.edit(start, start, '"'), AROUND_SENTENCE.edit(end, end, '"')]
    brief = len(clause.words) <= LONGEST_IN_BRACKETS and first.text[:1].isupper()
    if BRACKETS.isdisjoint(clause.text) and brief:
        return [IN_BRACKETS.edit(start, start, "("), IN_BRACKETS.edit(end, end, ")")]
    return None


def paired_quote(clause: Clause) -> list[Edit] | None:
    """Add the second quotation mark to a text that has one alone, at its start or its end."""
    text = clause.text.strip()
    start = clause.text.find(text)
    if text.count('"') != 1 or not DOUBLE_QUOTES.isdisjoint(text.replace('"', "")) or "\n" in text:
        return None
    if SINGLE_QUOTE.search(text):  # the partner of the double one: "We should have told them,'' he said.
        return None
    if text[0] == '"' and text[1:2].isalnum() and text[-1] in ".!?":
        end = start + len(text)
        return [PAIRED.edit(end, end, '"')]
    if text[-1] == '"' and text[-2:-1] in (".", "!", "?") and text[0].isalnum():
        return [PAIRED.edit(start, start, '"')]
    return None


def _around_text(clause: Clause) -> list[Edit] | None:
    """Put a text of several sentences in double quotes, whose speaker goes on after the first of them."""
    text = clause.text.rstrip()
    start = len(text) - len(text.lstrip())
    if text[-1] not in ".!?" or not text[start].isalnum() or "\n" in text[start:]:
        return None
    return [AROUND_SENTENCE.edit(start, start, '"'), AROUND_SENTENCE.edit(len(text), len(text), '"')]


def is_lively(clause: Clause) -> bool:
    """Whether the sentence speaks of oneself or to somebody, commands or judges: "!" is at home there."""
    if not DOUBLE_QUOTES.isdisjoint(clause.text):
        return False
    words = {w.lower for w in clause.words if w.text != "US"}
    if not SOBER.isdisjoint(words) or clause.words[0].text in BRACKETS:
        return False
    if clause.mood == "imperative":
        return True
    spoken = len(clause.words) <= LONG and not SPEAKERS.isdisjoint(words)
    return spoken or (len(clause.words) <= SHORT and not LIVELY.isdisjoint(words))


def at_the_end(clause: Clause) -> list[Edit] | None:
    """Replace the full stop by "!", double another end mark, or add one where there is none."""
    mark = clause.end_mark
    if mark is not None:
        behind = clause.text[mark.end :].lstrip()
        glued = clause.text[mark.end : mark.end + 1].isalnum() or behind[:1].islower()  # "S.p.A.", "Inc. said"
        if glued or clause.words[mark.index - 1].text in (",", ":", ";"):
            return None
    if mark is not None:
        if mark.text == ".":
            return [EXCLAIMED.edit(mark.start, mark.end, "!")]
        if mark.text in ("!", "?"):
            return [DOUBLED_END.edit(mark.end, mark.end, mark.text)]
        return [EXCLAIMED.edit(mark.end, mark.end, "!")] if "?" in mark.text else None
    last = clause.words[-1]
    if clause.mood == "fragment":
        first = opening_word(clause)
        if first is None or not (is_lively(clause) or is_greeting(clause, first)):
            return None
        return None if is_mark(last.text) else [EXCLAIMED.edit(last.end, last.end, "!")]
    bracketed = last.text == ")" and "(" in clause.text and clause.words[-2].text[-1:].isalnum()
    if (
        not (last.text[-1:].isalnum() or bracketed)
        or clause.text[last.end : last.end + 1].isalnum()
        or "/" in last.text
    ):
        return None
    asks = clause.mood == "interrogative" and (clause.inverted or clause.words[0].tag in WH)
    return [QUESTION_MARK.edit(last.end, last.end, "?")] if asks else [FULL_STOP.edit(last.end, last.end, ".")]


def natural_end(clause: Clause) -> list[Edit] | None:
    """Change the end mark where "!" is at home, and double one that is not a full stop."""
    mark = clause.end_mark
    return at_the_end(clause) if mark is None or mark.text != "." or is_lively(clause) else None


POSSIBLE: tuple[Insertion, ...] = (
    natural_marks.before_and,
    set_off.adjunct_comma,
    paired_quote,
    around_sentence,
    natural_end,
)
