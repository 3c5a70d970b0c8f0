"""Doubts about a phrase before a whole statement: "It should be noted that", "It would not be untrue to say that".

Such a frame is formal, and what follows it must be one whole clause, whose first word loses its capital.
"""

from __future__ import annotations

import re

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts.common import is_short_answer, sentence_of
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.grammar.english.labels import FINITE, PLURAL_NOUNS
from sda_hf.grammar.english.morphology import FINITE_BE, is_operator, is_third_singular
from sda_hf.grammar.english.rules.matrix_clause import is_participle_first, opens_participle, start_of_statement
from sda_hf.grammar.english.surface import loses_capital
from sda_hf.syntax.clause import Clause, Word, once_per_clause

CHAT = lexicon.words("frames", "chat")
INFORMAL = re.compile(
    r"(?:^|\s)[:;=]-?[()DP]|(?:\.\.|…)(?=.*\w)|[@?]|!.*\w|&amp;|(?<![\w'\"(-])i(?![\w.)'\"-])|\bits an?\b|\w ,\w"
)
SPEECH_ACT = re.compile("|".join(rf"\b{phrase}\b" for phrase in lexicon.phrases("frames", "speech-acts")))
GUSHING = re.compile(
    r"\b(?:is|are|was|were|am|'s|'re)(?: always)? so (?!that|far|called|named|much|many)\w+(?!.*\bthat\b)"
)
EXCLAIMING = frozenset({"what", "how"})
ATTITUDE = lexicon.words("frames", "attitude")
RUN_IN = lexicon.words("frames", "run-in")
SURE = lexicon.words("frames", "sure")
SURE_PHRASES = lexicon.phrases("frames", "sure-phrases")
STORY = lexicon.words("frames", "story")
STORY_PHRASES = tuple(lexicon.phrases("frames", "story-phrases"))
RUN_IN_PHRASES = frozenset(lexicon.phrases("frames", "run-in-phrases"))
MASS = lexicon.words("frames", "mass")
MASS_ENDINGS = tuple(lexicon.words("frames", "mass-endings"))
COUNTABLE = lexicon.words("frames", "countable")
PRONOUNS = lexicon.words("frames", "noun-pronouns")
COMMON = MASS | PRONOUNS | lexicon.words("frames", "common-first")
CLOSED = ("DT", "PRP", "PRP$", "IN", "EX", "CD", "CC", "WDT", "WP", "WRB", "RB", "RBR", "RBS", "TO", "MD", "PDT", "UH")
DETERMINERS = ("det", "det:predet", "nmod:poss", "nummod")
NOMINATIVE = frozenset({"i", "you", "he", "she", "we", "they"})
DASHES = frozenset({"-", "--", "–", "—", ":", "*", ">", "/"})  # noqa: RUF001


def may_begin_with_name(clause: Clause) -> bool:
    """Whether the first word, which loses its capital, may be a name: "Love also wrote", "Skip is known"."""
    word = start_of_statement(clause)
    following = clause.words[word.index + 1 : word.index + 2]
    joined = clause.words[word.index + 2 : word.index + 3]
    if following and following[0].text == "&" and joined and joined[0].text[:1].isupper():
        return loses_capital(clause, word)  # "Knights & Lords"
    if word.tag == "NNP" and following and following[0].lower == "like":
        return True  # "Crap like this"
    if word.tag == "NNP" and word.label == "amod" and clause.words[word.head].text.islower():
        return True  # "Raw data"
    known = word.tag in CLOSED or word.lower in COMMON or opens_participle(clause, word) or word.label.startswith("obl")
    verb = clause.verbs is not None and word is clause.verbs.first  # the subject is left out
    if known or verb or not loses_capital(clause, word):
        return False
    if re.search(rf"\b{re.escape(word.lower)}\b", clause.text):
        return False  # the text has it in lower case
    following = clause.words[word.index + 1 : word.index + 3]
    if (
        [w.lower for w in following][:1] == ["of"]
        and following[-1].text.islower()
        and word.lower.endswith(MASS_ENDINGS)
    ):
        return False  # "Cultivation of hemp"
    noun = clause.words[word.head]
    modifies = word.label in ("amod", "compound", "advmod") and noun.index > word.index and noun.text.islower()
    if modifies:
        return False
    if word.tag in PLURAL_NOUNS:
        verbs = clause.verbs
        paired = [w.lower for w in following[:1]] == ["&"]
        third = verbs is not None and (verbs.first.lower in ("is", "was", "has", "'s") or verbs.first.tag == "VBZ")
        return paired or not _is_word(word.lower) or third
    return not (word.tag == "VBG" and bool(following) and following[0].text.islower())


def _is_word(noun: str) -> bool:
    """Whether a dictionary has a noun."""
    import lemminflect  # slow to import

    return "NOUN" in lemminflect.getAllLemmas(noun)


def lacks_article(clause: Clause) -> bool:
    """Whether the subject is a singular noun that needs an article: "Salad bar is open", "Hyatt site improved"."""
    subject = clause.subject
    if subject is None or clause.expletive is not None:
        return False
    head = subject.head
    if head.tag != "NN" or not head.text.isalpha() or head.lower in PRONOUNS:
        return False
    if clause.children(head, *DETERMINERS) or subject.first.tag in ("DT", "PRP$", "PDT", "CD", "WP$"):
        return False
    inside = clause.words[subject.first.index : head.index + 1]
    if any(w.tag in ("POS", "DT", "PRP$", "CD") or w.text in "\"'“" for w in inside):
        return False
    if head.text[0].isupper() and not clause.opens(head):
        return False  # part of a name
    return not is_uncountable(head.lower)


def is_uncountable(noun: str) -> bool:
    """Whether a noun needs no article: "water", "construction", "independence"."""
    return noun in MASS or (noun.endswith(MASS_ENDINGS) and noun not in COUNTABLE)


def is_informal(clause: Clause) -> bool:
    """Whether the text is chatty: emoticons, dots, chat spelling, questions after the statement."""
    text = sentence_of(clause)
    return (
        INFORMAL.search(text) is not None
        or GUSHING.search(text.lower()) is not None
        or any(w.text in CHAT or (w.lower in CHAT and w.text.capitalize() == w.text) for w in clause.words)
    )


def is_lively(clause: Clause) -> bool:
    """Whether the statement is an exclamation or begins in lower case, which a formal phrase does not suit."""
    if any("!" in w.text for w in clause.words[-3:]):
        return True
    first = next((w for w in clause.words if w.text[:1].isalnum()), clause.words[0])
    return first.index == 0 and first.text.islower() and first.text.isalpha()


def exclaims(clause: Clause) -> bool:
    """Whether the statement is an exclamation: "What a neat place you have."."""
    return start_of_statement(clause).lower in EXCLAIMING


def does_something(clause: Clause) -> bool:
    """Whether the speaker asks, offers, thanks, welcomes or recommends by saying so: "It would be appreciated if"."""
    text = " ".join(w.lower for w in clause.words)
    return SPEECH_ACT.search(text.replace(" '", "'").replace(" n't", "n't").replace("’", "'")) is not None  # noqa: RUF001


def promises(clause: Clause) -> bool:
    """Whether "I" or "we" say what they will do."""
    verbs, subject = clause.verbs, clause.subject
    promised = verbs is not None and verbs.first.lower in ("will", "'ll", "shall", "wo")
    return promised and subject is not None and subject.head.lower in ("i", "we")


def has_adverb_of_clause(clause: Clause) -> bool:
    """Whether an adverb that no comma sets off opens the statement and could be taken to belong to the frame."""
    start = start_of_statement(clause)
    words = [w.lower for w in clause.words[start.index : start.index + 5]]
    if words[1:2] == ["that"]:
        return False  # "now that"
    if words[0] in ATTITUDE:
        return True
    comma = words[1:2] == [","]
    if words[0] in RUN_IN:
        return not comma
    return any(
        " ".join(words[:n]) in RUN_IN_PHRASES and words[n] not in (",", "of", "to") for n in (2, 3, 4) if words[n:]
    )


def is_loose(clause: Clause) -> bool:
    """Whether the statement is not one clause after one subject: a dash after a name, a vocative, several sentences."""
    start = start_of_statement(clause)
    subject = clause.expletive or (clause.subject.first if clause.subject is not None else None)
    if subject is None:
        return False
    if start.tag == "CD" and start.head > subject.index and start.index < subject.index:
        return True  # "3 to 4 days if you are lucky it takes a week."
    between = clause.words[start.index + 1 : subject.index]
    if any(w.text in DASHES and " " in clause.text[w.start - 1 : w.end + 1] for w in between):
        return True
    taken_up = (w for w in clause.words[start.index : clause.predicate.index] if w.text in DASHES)
    if any(clause.words[w.index + 1].lower in NOMINATIVE | {"it", "this"} for w in taken_up):
        return True
    addressed = start.tag.startswith("NNP") and clause.words[start.index + 1 : start.index + 2]
    if addressed and addressed[0].lower in NOMINATIVE:
        return True
    later = (w for w in clause.words[clause.predicate.index + 1 :] if w.label in ("parataxis", "list"))
    return any(_runs_on(clause, w) for w in later)


def _runs_on(clause: Clause, word: Word) -> bool:
    """Whether a note after a comma, or a second sentence without any mark, follows."""
    phrase = clause.tree.phrase(word)
    previous = clause.words[phrase.first.index - 1]
    marks = {previous.text, phrase.first.text}
    if clause.children(word, "nsubj", "nsubj:pass", "expl"):
        joined = clause.children(word, "cc", "mark") or previous.lower == "so"
        return not joined and all(mark[:1].isalnum() for mark in marks)
    noted = "," in marks and not word.tag.startswith(("VB", "NNP", "CD", "JJ", "RB"))
    finite = any(w.tag in FINITE for w in clause.words[phrase.first.index : phrase.last.index + 1])
    return noted and (finite or clause.end_mark is None or "." not in clause.end_mark.text)


def is_misread(clause: Clause) -> bool:
    """Whether verb and subject do not agree, or the subject holds a finite verb without a subject of its own."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or subject is None or clause.expletive is not None:
        return False
    first, head = verbs.first, subject.head
    if first.lower == "be":
        return True
    inside = clause.words[subject.first.index : subject.last.index + 1]
    bracketed = any(w.text == "(" for w in inside)
    if (
        not bracketed
        and any(w.tag in FINITE for w in inside)
        and not any(w.tag in ("WDT", "WP", "WRB", "WP$", "PRP", "IN", "EX") for w in inside)
    ):
        return True
    if any(w.text == "," or w.lower == "and" for w in clause.words[: first.index]):
        return False  # "Mary, Tom and Sue left"
    bare = head.tag in ("NN", "NNS") and head.lower not in PRONOUNS and not clause.children(head, *DETERMINERS)
    if bare and first.tag in ("VBN", "VB") and not is_operator(first, verbs):
        return True
    if is_operator(first, verbs) or first.lower in FINITE_BE or clause.children(head, "conj"):
        return False
    if first.tag == "VBZ":
        return head.tag == "NNS"
    name = head.tag == "NNP" and not head.lower.endswith("s") and clause.subject is not None
    return first.tag == "VBP" and (name or (head.tag == "NN" and is_third_singular(subject) is True))


def is_dangling(clause: Clause) -> bool:
    """Whether a participle opens the statement and no comma precedes the subject."""
    start = start_of_statement(clause)
    subject = clause.expletive or (clause.subject.first if clause.subject is not None else None)
    if subject is None or not opens_participle(clause, start):
        return False
    return not is_participle_first(clause, start)


def is_already_sure(clause: Clause) -> bool:
    """Whether the statement itself says how sure it is: "It clearly worked", "It is true that", "That should do"."""
    start = start_of_statement(clause).index
    words = [w.lower for w in clause.words[start:]]
    own = {clause.predicate.index, *(w.index for w in clause.verbs.words)} if clause.verbs else set()
    if any(w.lower in SURE and (w.head in own or w.index == start) for w in clause.words):
        return True
    opening = " ".join(words[:4]).replace(" '", "'")
    return any(opening.startswith(phrase) for phrase in SURE_PHRASES)


def tells_story(clause: Clause) -> bool:
    """Whether a story begins or a train of thought goes on: "Now that's", "Most of all", "Last night"."""
    start = start_of_statement(clause)
    words = [w.lower for w in clause.words[start.index : start.index + 3]]
    aside = start.lower in STORY and not (words[0] == "now" and words[1:2] == ["that"] and start.label == "mark")
    return aside or " ".join(words).startswith(STORY_PHRASES)


def opens_quoted(clause: Clause) -> bool:
    """Whether a quotation that ends inside the statement opens it: "'Electric' blankets do not heat"."""
    start = start_of_statement(clause)
    before = clause.words[start.index - 1].text if start.index else ""
    closed = (w.text for w in clause.words[start.index + 1 : clause.predicate.index])
    return before in ("'", "\u2018", "``") and any(mark in ("'", "\u2019", "''") for mark in closed)


DOUBTS: tuple[Doubt, ...] = (
    Doubt("a short answer", is_short_answer),
    Doubt("the first word may be a name", may_begin_with_name),
    Doubt("a noun without an article", lacks_article),
    Doubt("too informal for a phrase before the statement", is_informal),
    Doubt("an exclamation", exclaims),
    Doubt("request, offer, promise or opinion", does_something),
    Doubt("an adverb of the clause before the subject", has_adverb_of_clause),
    Doubt("more than one sentence, or a name before it", is_loose),
    Doubt("verb and subject do not agree", is_misread),
    Doubt("a participle without a comma", is_dangling),
    Doubt("the statement says how sure it is", is_already_sure),
    Doubt("a story or a train of thought goes on", tells_story),
    Doubt("quoted words open the statement", opens_quoted),
)
LIVELY = Doubt("too lively for a formal phrase before the statement", is_lively)


def doubt_about_formal(clause: Clause) -> str:
    """Return the doubt about a formal phrase before a lively statement; empty if there is none."""
    return LIVELY.reason if clause.mood != "imperative" and LIVELY.holds(clause) else ""


@once_per_clause
def doubt_about_frame(clause: Clause) -> str:
    """Return the first doubt about any phrase before a statement; empty if there is none, or if it is a command."""
    if clause.mood == "imperative":
        return ""
    return next((doubt.reason for doubt in DOUBTS if doubt.holds(clause)), "")
