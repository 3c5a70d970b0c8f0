"""Doubts about every rule: texts that are not clauses, idioms and fixed forms.

`DOUBTS` is for every rule; `CLAIM_DOUBTS` for those that change the claim, which is not safe in a fragment or an idiom
where a mark of punctuation still is. The predicates are also for rules that have a doubt about one of these classes
alone.
"""

from __future__ import annotations

import itertools
import re

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.grammar.english.doubts.language import FOREIGN
from sda_hf.grammar.english.labels import FINITE
from sda_hf.syntax.clause import Clause, Word, once_per_clause


def _any_of(phrases: tuple[str, ...]) -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


OPERATORS = lexicon.words("verbs", "operators") | lexicon.words("verbs", "finite-be")
PRONOUNS = "i|you|he|she|it|we|they|there"
COMPARATIVE = r"the (?:more|less|fewer|better|worse|further|farther|\w{2,}er)\b"
DATES = lexicon.words("fixed-forms", "dates")
# Characters with which marks of Markdown and HTML, handles and hashtags begin.
SIGNS = frozenset("@#<&*_`[|~=^")
MARKUP = re.compile(
    r"</?[a-zA-Z][^<>]*>|&(?:#\d+|[a-z]+);|\*\*|(?<!\w)[*_]\w[^*]*\w[*_](?!\w)|__|`|\]\(|^\s*(?:#{1,6}|>|\||=+|~+)\s|\|"
)
HANDLE = re.compile(r"(?<![\w.@/])[@#][A-Za-z_]")
HEADER = re.compile(rf"(?:{_any_of(lexicon.phrases('fixed-forms', 'headers'))})\s?:(?!//)")
FIXED = re.compile(
    rf"\b(?:{_any_of(lexicon.phrases('fixed-forms', 'anywhere'))})\b|"
    rf"^\W*(?:(?:and|but|well|oh|so|hey),? )?(?:(?:{_any_of(lexicon.phrases('fixed-forms', 'opening'))})\b|"
    rf"(?:{_any_of(lexicon.phrases('fixed-forms', 'whole'))})\W*$)"
)
COMPARED = re.compile(rf"(?:(?:and|but|so|because|that) )?{COMPARATIVE}[^,]*, {COMPARATIVE}")
CONDITION = re.compile(
    rf"(?:(?:and|but),? )?(?:had|were|should) (?:{PRONOUNS}|any|anyone|the|this|that|these|those) .*,"
)
# No pronoun stands between the first words and the verb: "So they did it." is not inverted.
ADVERBS_FIRST = re.compile(
    rf"(?:(?:and|but),? )?(?:{_any_of(lexicon.phrases('fixed-forms', 'inverting'))})\b"
    rf"(?:(?!\b(?:{PRONOUNS}|that|who|which)\b).)*?"
    rf"\b(?:(?:{_any_of(tuple(OPERATORS))})(?:n't)? (?:{PRONOUNS})|"
    r"(?<!so )(?:do|does|did) (?:the|an?|his|her|their))\b|"
    rf"(?:hardly|scarcely|barely|no sooner|never|rarely|seldom|nowhere|little) (?:{_any_of(tuple(OPERATORS))}) "
)
AGREEMENT = re.compile(
    rf"(?:(?:and|but|yeah|yes|no|well),? )?(?:so|nor|neither) (?:{_any_of(tuple(OPERATORS))}) "
    r"(?:i|you|he|she|it|we|they|this|that|these|those|the|an?|my|your|his|her|its|our|their|[a-z]+$)\b[\w ]*\W*$"
)
AS_WELL_AS = re.compile(r"\bas well as\b")
COMMENTS = lexicon.pairs("fixed-forms", "comments")
EXCLAIMING = frozenset({"what", "how"})


def is_short_answer(clause: Clause) -> bool:
    """Whether "not" is the answer and a clause its condition: "Most likely not, if it rains."."""
    cut = next((w.index for w in clause.words[:6] if w.text == ","), 0)
    return cut > 0 and clause.words[cut - 1].lower == "not" and clause.predicate.index > cut


def sentence_of(clause: Clause) -> str:
    """Return the text of the sentence that a clause belongs to."""
    return clause.text[clause.words[0].start : clause.words[-1].end]


@once_per_clause
def lowered(clause: Clause) -> str:
    """Return the text of the sentence in lower case, with straight apostrophes."""
    return sentence_of(clause).lower().replace("’", "'")  # noqa: RUF001


@once_per_clause
def first_word(clause: Clause) -> Word:
    """Return the first word of the sentence that is not punctuation."""
    return next((w for w in clause.words if w.text[:1].isalnum()), clause.words[0])


@once_per_clause
def is_asked(clause: Clause) -> bool:
    """Whether there is a question mark."""
    return any("?" in w.text for w in clause.words)


# -- texts that are not clauses ------------------------------------------------------------------


@once_per_clause
def has_markup(clause: Clause) -> bool:
    """Whether there are marks of Markdown or HTML: "**Note**", "<b>", "`code`", "# Title"."""
    return not SIGNS.isdisjoint(clause.text) and MARKUP.search(clause.text) is not None


def has_handle(clause: Clause) -> bool:
    """Whether there is a handle or a hashtag: "@anna", "#news"."""
    return not SIGNS.isdisjoint(clause.text) and HANDLE.search(sentence_of(clause)) is not None


def is_header(clause: Clause) -> bool:
    """Whether the sentence is a line of a mail header or a form: "Subject: ...", "Price: $5"."""
    return ":" in clause.text and HEADER.match(lowered(clause)) is not None


@once_per_clause
def is_time_stamp(clause: Clause) -> bool:
    """Whether there are only numbers and the names of days and months: "12/03/2009 11:20 AM", "3 May"."""
    return all(_is_of_date(word) for word in clause.words)


def _is_of_date(word: Word) -> bool:
    form = word.lower.strip(".")
    return form in DATES or form[:1].isdigit() or not any(map(str.isalpha, word.text))


@once_per_clause
def is_list(clause: Clause) -> bool:
    """Whether the sentence is a heading and a list: "Colours: red, blue, green"."""
    colon = next((w for w in clause.words if w.text == ":"), None)
    if colon is None or (clause.verbs is not None and clause.verbs.first.index < colon.index):
        return False
    end = clause.verbs.first.index if clause.verbs is not None else len(clause.words)
    marks = sum(w.text in (",", ";") for w in clause.words[colon.index : end])
    return marks >= (1 if clause.verbs is None else 2)


def is_fragment(clause: Clause) -> bool:
    """Whether there is no finite verb: a heading, a name, an address, a noun phrase, a clipped question."""
    return clause.mood == "fragment"


@once_per_clause
def is_title(clause: Clause) -> bool:
    """Whether the sentence is a headline, whose longer words all have capitals and which has no end mark."""
    if clause.end_mark is not None or len(clause.words) < 3 or clause.text.isupper():
        return False
    verb = clause.verbs.first if clause.verbs is not None else clause.words[0]
    if verb.index > 0 and verb.text[0].isupper() and not verb.text.isupper():
        return True
    long = [w.text for w in clause.words if len(w.text) > 3 and w.text.isalpha()]
    return len(long) > 1 and all(text[0].isupper() for text in long)


@once_per_clause
def has_reduced_relative(clause: Clause) -> bool:
    """Whether the subject is two noun phrases: "The best the shop has to offer" is no claim about the shop."""
    subject = clause.subject
    if subject is None:
        return False
    inside = clause.words[subject.first.index : subject.last.index + 1]
    if any(w.tag in FINITE for w in inside):
        return False
    fronted = clause.words[max(0, subject.first.index - 1) : subject.first.index]
    if any(w.label == "obj" and w.head > subject.last.index and not w.tag.startswith("W") for w in fronted):
        return True
    return any(
        second.tag in ("DT", "PRP") and first.tag in ("NN", "NNS", "JJS")
        for first, second in itertools.pairwise(inside)
    )


def is_lone_subordinate(clause: Clause) -> bool:
    """Whether the sentence is a subordinate clause without its main clause: "Because it was late."."""
    marks = clause.children(clause.predicate, "mark")
    verbs = clause.verbs
    return bool(marks) and verbs is not None and marks[0].index < verbs.first.index and marks[0].lower != "to"


# -- questions -----------------------------------------------------------------------------------


def is_clipped_question(clause: Clause) -> bool:
    """Whether a question has neither inversion nor a question word as its subject: "Want to go?", "He left?"."""
    if clause.mood != "interrogative" or not is_asked(clause) or clause.inverted or clause.verbs is None:
        return False
    return not any(w.tag.startswith("W") for w in clause.words[: clause.verbs.first.index])


def is_unasked_question(clause: Clause) -> bool:
    """Whether something looks like a question but has no question mark: "Whoever wins", "Had she known"."""
    return clause.mood == "interrogative" and not is_asked(clause)


# -- inversion and conditionals ------------------------------------------------------------------


@once_per_clause
def is_agreement(clause: Clause) -> bool:
    """Whether the sentence agrees with another one: "So do I.", "Neither did he."."""
    return AGREEMENT.match(lowered(clause)) is not None


def is_inverted(clause: Clause) -> bool:
    """Whether the verb precedes the subject of a statement: "Only then did he leave.", "Here comes the bus."."""
    if is_agreement(clause):
        return False
    if is_asked(clause):
        return False
    if clause.mood == "declarative" and clause.inverted and clause.expletive is None:
        return True
    return ADVERBS_FIRST.match(lowered(clause)) is not None


def has_fronted_place(clause: Clause) -> bool:
    """Whether a statement without a subject begins with a place or time: "In the garden stood a statue."."""
    if clause.mood != "declarative" or clause.subject is not None or clause.expletive is not None:
        return False
    return first_word(clause).tag in ("IN", "RB", "EX") and clause.verbs is not None and clause.verbs.first.index > 1


@once_per_clause
def is_conditional(clause: Clause) -> bool:
    """Whether the sentence begins with a condition without "if": "Were it not for ...", "Should you need help, ..."."""
    return not is_asked(clause) and CONDITION.match(lowered(clause)) is not None


# -- idioms and fixed forms ----------------------------------------------------------------------


@once_per_clause
def has_fixed_form(clause: Clause) -> bool:
    """Whether there is one of the expressions of the lexicon that do not bear changes: "how dare", "if any"."""
    return FIXED.search(lowered(clause)) is not None


@once_per_clause
def is_exclamative(clause: Clause) -> bool:
    """Whether a question word begins no question: "What a day it is!", "How nice she looks!", "Why we left"."""
    first = first_word(clause)
    if not first.tag.startswith("W") or is_asked(clause) or clause.inverted:
        return False
    if clause.subject is not None and first in clause.subject:
        return False
    return first.lower in EXCLAIMING or (first.head == clause.predicate.index and first.lower != "when")


@once_per_clause
def is_compared(clause: Clause) -> bool:
    """Whether the sentence compares two clauses: "The more you eat, the fatter you get."."""
    return COMPARED.match(lowered(clause)) is not None


def is_comment(clause: Clause) -> bool:
    """Whether the claim was read as "I mean" or "you know", which only comment on what follows."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or subject is None or len(verbs.words) > 1 or clause.mood != "declarative":
        return False
    if COMMENTS.get(subject.head.lower) != verbs.first.lower and verbs.first.lower not in ("mean", "know", "see"):
        return False
    if subject.head.lower not in ("i", "you") or clause.predicate is not verbs.first:
        return False
    following = clause.words[verbs.first.index + 1 : verbs.first.index + 2]
    return not following or following[0].text in (",", ".", "-", "...", "!", "?")


def adds_a_verb(clause: Clause) -> bool:
    """Whether "as well as" joins two verbs: "He sings as well as dances."."""
    match = AS_WELL_AS.search(lowered(clause))
    if match is None:
        return False
    end = clause.words[0].start + match.end()
    return any(w.tag.startswith("VB") for w in clause.words if end < w.start <= end + 1)


DOUBTS: tuple[Doubt, ...] = (
    Doubt("not a clause: Markdown or HTML", has_markup),
    Doubt("not a clause: a handle or a hashtag", has_handle),
    FOREIGN,
    Doubt("not a clause: a mail header or a field of a form", is_header),
    Doubt("not a clause: a heading and a list", is_list),
    Doubt("not a clause: a date or a time", is_time_stamp),
    Doubt("not a clause: a headline", is_title),
)
# For the rules that change the claim: modality, negation, double negation.
CLAIM_DOUBTS: tuple[Doubt, ...] = (
    Doubt("not a clause: no finite verb", is_fragment),
    Doubt("noun phrase with a reduced relative clause", has_reduced_relative),
    Doubt("clipped question", is_clipped_question),
    Doubt("exclamation or indirect question", is_exclamative),
    Doubt("free relative or condition without a question mark", is_unasked_question),
    Doubt("condition without if", is_conditional),
    Doubt("inverted word order", is_inverted),
    Doubt("inverted word order: place or time first", has_fronted_place),
    Doubt("comparison of two clauses", is_compared),
    Doubt("comment, not a claim", is_comment),
    Doubt("as well as between verbs", adds_a_verb),
    Doubt("fixed form", has_fixed_form),
)
# For modality and double negation: negation knows these answers ("Neither did he." → "So did he.").
AGREEMENTS: tuple[Doubt, ...] = (Doubt("agreement with another statement", is_agreement),)
