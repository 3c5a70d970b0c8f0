"""Doubts about double negation.

`DOUBTS` holds for every form, `OF_NEGATED_CLAUSES` only for phrases that deny the negation of a statement: "It is not
true that he didn't leave". That the two negations cancel out is sure there only for a simple clause, in which no
quantifier, modal, adverb or second clause can be in the scope of one and outside the scope of the other.
"""

from __future__ import annotations

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.grammar.english.doubts.frames import is_informal, promises
from sda_hf.grammar.english.labels import FINITE, NOUNS, PLURAL_NOUNS
from sda_hf.grammar.english.morphology import FINITE_BE, plain_form
from sda_hf.grammar.english.rules.matrix_clause import start_of_statement
from sda_hf.syntax.clause import Clause, Word

PERFORMATIVE = lexicon.phrases("denials", "performative")
WITHOUT_IT = lexicon.words("denials", "without-it")
WITHOUT_I = lexicon.words("denials", "without-i")
OF_WRITER = frozenset({"i", "me", "it", "them"})
OPERATORS = lexicon.words("verbs", "operators") | lexicon.words("verbs", "finite-be")
INVERTING = lexicon.words("denials", "inverting")
NOT_FAILED = lexicon.words("denials", "not-failed")
NOT_FAILED_PHRASES = frozenset(lexicon.phrases("denials", "not-failed-phrases"))
BEFORE_COMMANDS = lexicon.words("denials", "before-commands") | {","}
NARROW = lexicon.words("denials", "narrow")
NEG_RAISING = lexicon.words("denials", "neg-raising")
SENSITIVE = lexicon.words("denials", "sensitive")
DENIED = lexicon.pairs("quantifiers", "denied")
LICENSED = lexicon.words("denials", "licensed")
GIVING_REASONS = lexicon.words("conjunctions", "subordinating") | {"as", "so", "lest", "given"}
INDEFINITE = lexicon.words("denials", "indefinite")
NOMINAL = frozenset({*NOUNS, "PRP", "DT", "CD", "EX", "WP", "WDT", "WRB", "VBG"})
SMALL = frozenset({"DT", "PRP", "PRP$", "EX"})
DETERMINERS = ("det", "nmod:poss", "nummod")
LONGEST = 28  # words of a clause that is negated under a phrase
APART = frozenset((*';:()[]"“”-–—…/«»', "--"))  # noqa: RUF001
NEGATIVE = frozenset({"not", "n't", "never", "nothing", "nobody", "none", "neither", "nor", "hardly"})
QUOTES = frozenset('"“”„«»')
KNOWN_NEGATIONS = ("particle", "leading", "pronoun", "determiner")


def _statement(clause: Clause) -> tuple[Word, ...]:
    """Return the words of the statement, without "But", "However," and the like before it."""
    return clause.words[start_of_statement(clause).index :]


def _is_part_of_speech(clause: Clause) -> bool:
    """Whether the claim is quoted or follows a heading: "..., he said", "Note: ..."."""
    root, predicate = clause.tree.root, clause.predicate
    if clause.words[0].text in QUOTES and _is_interrupted(clause):
        return True
    if predicate is root:
        return False
    if root.tag.startswith("VB") and root.index > predicate.index:
        return True
    start = start_of_statement(clause)
    return start is not predicate and predicate not in clause.tree.above(start)


def _is_interrupted(clause: Clause) -> bool:
    """Whether a quotation ends with a comma before the sentence does: '"Yes," he said'."""
    inner = clause.words[1:-2]
    return any(w.text == "," and clause.words[w.index + 1].text in QUOTES for w in inner)


def _is_left_out(clause: Clause) -> bool:
    """Whether a statement begins with its verb, and what the subject would be is unclear."""
    verbs = clause.verbs
    if clause.mood != "declarative" or clause.subject is not None or clause.expletive is not None or verbs is None:
        return False
    start = start_of_statement(clause)
    if start is verbs.first and start.lower in WITHOUT_IT | WITHOUT_I and clause.opens(start):
        return start.lower in WITHOUT_I and any(w.tag == "PRP" and w.lower not in OF_WRITER for w in clause.words)
    return not any(w.tag in NOMINAL for w in clause.words[start.index : verbs.first.index])


def _lacks_finite_verb(clause: Clause) -> bool:
    """Whether the verb is no finite form, which is a tagger's mistake only in a sentence with a subject and an end."""
    if clause.mood != "declarative" or clause.verbs is None or clause.verbs.first.tag in FINITE:
        return False
    return clause.subject is None or clause.end_mark is None or clause.verbs.first.tag not in ("VBN", "VB")


def _is_inverted(clause: Clause) -> bool:
    return clause.inverted and clause.mood == "declarative" and start_of_statement(clause).lower not in INVERTING


def _commands_otherwise(clause: Clause) -> bool:
    """Whether a command is not of the form "(Please) call me"."""
    if clause.mood != "imperative" or clause.verbs is None:
        return False
    verb = clause.verbs.first
    if any(w.lower == "or" for w in clause.words[verb.index + 1 :]):
        return True  # "Don't fail to keep or return it" seems to forbid the second
    before = [w.lower for w in clause.words[: verb.index] if w.text not in QUOTES]
    known = verb.tag in ("VB", "VBP") and verb is clause.predicate
    placed = not before or before[-1] in BEFORE_COMMANDS
    following = clause.words[verb.index + 1 : verb.index + 3]
    if verb.lower in ("let", "lets"):
        suited = [w.lower for w in following] in (["me", "know"], ["us", "know"])
    elif verb.lower in ("go", "come"):
        suited = bool(following) and following[0].lower == "to"
    else:
        two = f"{verb.lower} {following[0].lower}" if following else verb.lower
        suited = verb.lower not in NOT_FAILED and two not in NOT_FAILED_PHRASES
    if len(before) > 1 and before[-1] in BEFORE_COMMANDS - {",", "please"}:
        placed = before[-2] in (",", "and", "but")  # "children also gain": a statement
    told = any(
        w.tag == "VBZ" and w.label in ("conj", "ccomp") for w in clause.children(verb)
    )  # "Carry leaves and wanders"
    if _is_shouted(clause) or is_informal(clause) or _is_name(clause, verb):
        return True
    return not known or not placed or not suited or told or clause.negation is not None


def _is_shouted(clause: Clause) -> bool:
    """Whether a command ends with an exclamation mark or is in capitals: "MIX IT", "Act now!"."""
    letters = [w.text for w in clause.words if w.text.isalpha() and len(w.text) > 1]
    return any("!" in w.text for w in clause.words) or (bool(letters) and all(text.isupper() for text in letters))


def _is_name(clause: Clause, verb: Word) -> bool:
    """Whether a later verb without a conjunction is the predicate, and a name opens: "Show Dog Music is a label"."""
    later = clause.words[verb.index + 1 :]
    found = next((w for w in later if w.lower in FINITE_BE), None)
    if found is None:
        return False
    between = clause.words[verb.index + 1 : found.index]
    return not any(w.tag in ("WDT", "WP", "WRB", "PRP", "EX") or w.label in ("mark", "cc") for w in between)


def _does_something(clause: Clause) -> bool:
    start = start_of_statement(clause)
    opening = " ".join(w.lower for w in clause.words[start.index : start.index + 5]) + " "
    return any(opening.startswith(f"{words} ") for words in PERFORMATIVE)


def _is_headline(clause: Clause) -> bool:
    """Whether a text without an end mark is in the style of headlines: "Emir hands power to son"."""
    if clause.end_mark is not None or clause.verbs is None or clause.mood != "declarative":
        return False
    return clause.verbs.first.tag in ("VBZ", "VBN", "VBP") and not any(w.tag in SMALL for w in clause.words)


def _announces(clause: Clause) -> bool:
    return clause.words[-1].text in (":", ",", "-", "–", "—")  # noqa: RUF001


def _is_subordinate(clause: Clause) -> bool:
    """Whether the sentence begins with a conjunction of its main clause: "While the shop is open."."""
    start = start_of_statement(clause)
    return start.lower == "which" or (
        start in clause.children(clause.predicate, "mark", "advmod") and start.tag in ("IN", "WRB")
    )


def _has_odd_quotes(clause: Clause) -> bool:
    """Whether a quotation begins or ends inside the sentence, and not at its edges."""
    inner = clause.words[1:-2]
    straight = sum(w.text == '"' for w in clause.words)
    curly = sum(w.text == "“" for w in clause.words) - sum(w.text == "”" for w in clause.words)
    edges = sum(w.text in QUOTES for w in (clause.words[0], *clause.words[-2:]))
    return bool(inner) and (straight % 2 == 1 or curly != 0) and edges != 1


DOUBTS: tuple[Doubt, ...] = (
    Doubt("question", lambda clause: clause.mood == "interrogative" or bool(clause.tag)),
    Doubt("command", _commands_otherwise),
    Doubt("no verb", lambda clause: clause.mood == "fragment"),
    Doubt("speech or heading", _is_part_of_speech),
    Doubt("subject left out", _is_left_out),
    Doubt("no finite verb", _lacks_finite_verb),
    Doubt("inversion", _is_inverted),
    Doubt("subordinate clause alone", _is_subordinate),
    Doubt("not a claim: a wish, promise, thanks or opinion", _does_something),
    Doubt("quotation marks without a partner", _has_odd_quotes),
    Doubt("introduces a list or a quotation", _announces),
    Doubt("headline", _is_headline),
)


# -- under a phrase that denies the negation ------------------------------------------------------


def _is_complex(clause: Clause) -> bool:
    """Whether a second claim, or a clause that says why, when or what for, may be in the scope of the negation."""
    beside = clause.children(clause.predicate, "conj", "parataxis", "list", "discourse", "vocative", "advcl")
    start = start_of_statement(clause).index
    verbs = any(
        (w.label == "mark" and w.lower in GIVING_REASONS)
        or (w.label == "conj" and w.tag in FINITE)  # which verb it belongs to is easily misread
        or (w.tag == "VBG" and clause.words[w.index - 1].text == ",")  # "..., concluding that"
        for w in clause.words[1:]
    )
    return bool(clause.coordinated) or verbs or any(w.index > start for w in beside)


def _is_long(clause: Clause) -> bool:
    """Whether the second negation would be forgotten at the end, or a mark other than a comma sets something apart."""
    return len(clause.words) > LONGEST or any(w.text in APART for w in _statement(clause)[:-1])


def _has_other_subject(clause: Clause) -> bool:
    """Whether the subject is quantified or indefinite, so that its scope relative to "not" is unclear."""
    if clause.negation is not None and clause.negation.kind != "particle":
        return False  # it was "not all" or "no", and is "all" or "any"
    if clause.subject is None or clause.expletive is not None:
        return any(w.tag == "CD" for w in clause.words)
    first, head = clause.subject.first, clause.subject.head
    bare = head.tag in PLURAL_NOUNS and not clause.children(head, *DETERMINERS)
    return first.lower in INDEFINITE or first.tag == "CD" or head.tag == "CD" or bare


def _has_narrow_verb(clause: Clause) -> bool:
    verbs = clause.verbs
    if verbs is None:
        return False
    raising = plain_form(clause.predicate) in NEG_RAISING and clause.children(clause.predicate, "xcomp", "ccomp") != []
    return raising or any(w.lower in NARROW for w in verbs.words)


def _has_sensitive_words(clause: Clause) -> bool:
    negator = clause.negation.word if clause.negation is not None else None
    subject = clause.subject.first if clause.subject is not None and clause.expletive is None else None
    quantifier = subject if subject is not None and subject.lower in DENIED else None
    allowed = LICENSED if negator is not None else frozenset()
    return any(
        (w.lower in SENSITIVE or (w.lower == "one" and w.tag == "CD"))
        and w.lower not in allowed
        and w is not negator
        and w is not quantifier
        for w in _statement(clause)
    )


def _is_fronted(clause: Clause) -> bool:
    """Whether more than a conjunction precedes the subject."""
    subject = clause.expletive or (clause.subject.first if clause.subject is not None else None)
    if subject is None:
        return True
    start = start_of_statement(clause).index
    before = [w for w in clause.words[start : subject.index] if w.text[:1].isalnum()]
    negated = clause.negation is not None and clause.negation.word in before
    return bool(before) and not (negated and len(before) == 1)


def _is_cut_off(clause: Clause) -> bool:
    """Whether the verb lacks what it is about ("The address is ."), or the sentence its end."""
    verbs = clause.verbs
    if verbs is None or clause.end_mark is None:
        return True
    last = verbs.words[-1]
    alone = (last is clause.predicate and last.lower in OPERATORS) or last.tag == "MD"
    return alone and clause.negation is None and not any(w.text[:1].isalnum() for w in clause.words[last.index + 1 :])


def _has_early_adverb(clause: Clause) -> bool:
    """Whether an adverb precedes the verb: "he currently doesn't play" is not natural."""
    verbs, subject = clause.verbs, clause.expletive or (clause.subject.last if clause.subject is not None else None)
    if verbs is None or subject is None:
        return False
    own = {*clause.negators, clause.negation.word if clause.negation is not None else None}
    between = range(subject.index + 1, verbs.words[-1].index)
    return any(w.index in between and w not in own for w in clause.children(clause.predicate, "advmod"))


def _has_other_negation(clause: Clause) -> bool:
    own = (*clause.negators, clause.negation.word if clause.negation is not None else None)
    if any(w.lower in NEGATIVE and w not in own for w in clause.words):
        return True
    if clause.negation is None:
        return False
    present = clause.verbs is not None and clause.verbs.first.tag in ("VBZ", "VBP", "MD")
    if clause.negation.kind == "determiner" and clause.negation.word.lower == "no" and present:
        return True  # "any pet is easy to keep"
    return clause.negation.kind not in KNOWN_NEGATIONS and clause.negation.word.lower != "never"


def _trails(clause: Clause) -> bool:
    """Whether what follows a comma is no place or date: "born in Tahiti, the youngest of five"."""
    commas = (w for w in clause.words[clause.predicate.index : -1] if w.text == ",")
    return any(clause.words[w.index + 1].tag not in ("NNP", "CD") for w in commas)


def _is_of_most(clause: Clause) -> bool:
    """Whether the claim is about most: that most aren't so is more than that not most are."""
    subject = clause.subject
    inside = clause.words[subject.first.index : subject.head.index + 1] if subject is not None else ()
    return any(w.lower in ("most", "majority", "bulk") for w in inside)


OF_NEGATED_CLAUSES: tuple[Doubt, ...] = (
    Doubt("a quantified subject under a negation", _is_of_most),
    Doubt("several clauses under a negation", _is_complex),
    Doubt("a long sentence under a negation", _is_long),
    Doubt("words before the subject", _is_fronted),
    Doubt("an indefinite subject under a negation", _has_other_subject),
    Doubt("a verb that takes narrow scope", _has_narrow_verb),
    Doubt("words that a negation affects", _has_sensitive_words),
    Doubt("a weak or double negation", _has_other_negation),
    Doubt("an adverb before a negated verb", _has_early_adverb),
    Doubt("cut off", _is_cut_off),
    Doubt("exclamation", lambda clause: clause.end_mark is not None and "!" in clause.end_mark.text),
    Doubt("promise", promises),
    Doubt("more after a comma", _trails),
)


def doubt_about_negated(clause: Clause) -> str:
    """Return the first doubt about denying the negation of a clause; empty if there is none."""
    return next((doubt.reason for doubt in OF_NEGATED_CLAUSES if doubt.holds(clause)), "")
