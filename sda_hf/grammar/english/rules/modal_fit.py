"""Which modal phrases suit a claim: what is doubtful about each of them, and which are the best.

"must have done" infers a fact and "had to do" reports one, whereas "should have done" says that it did not happen.
"""

from __future__ import annotations

from collections.abc import Callable

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import WH
from sda_hf.grammar.english.morphology import DO, FINITE_BE, full_operator, plain_form
from sda_hf.grammar.english.rules.commands import OF_COMMANDS, command_opening, proposal, unlike_instruction
from sda_hf.grammar.english.rules.intensifiers import JUDGEMENTS
from sda_hf.grammar.english.rules.matrix_clause import start_of_statement
from sda_hf.grammar.english.rules.modal_claims import Claim
from sda_hf.grammar.english.rules.modal_phrases import ModalPhrase
from sda_hf.grammar.english.surface import opening_word
from sda_hf.syntax.clause import Clause, Word, once_per_clause

# What a command can follow, besides connectives.
OPENINGS = frozenset(",;.()\"'“‘*-–—!")  # noqa: RUF001
HEADING_MARKS = frozenset({":", "...", "-", "--", "(", ")", "*"})
# Shorter texts without an end mark are often headlines.
SHORTEST_UNMARKED = 8
QUOTES = frozenset('"“”«»')

DELIBERATE = lexicon.words("modality", "deliberate")
ACHIEVED = lexicon.words("modality", "achieved")
NOT_ACHIEVED = lexicon.words("modality", "not-achieved") | ACHIEVED
LIGHT = frozenset({"take", "make", "have", "get", "give", "put", "go", "come"})  # "didn't take a dislike"
ADMITTED = lexicon.words("modality", "admitted")
ASKED_POLITELY = lexicon.words("modality", "asked-politely")
RECOMMENDED = lexicon.words("modality", "recommended")
PERFORMED = lexicon.words("modality", "performed")
WISHES = lexicon.words("modality", "wishes")
OWN = lexicon.words("modality", "own")
FORCED = lexicon.words("modality", "forced")
DONE_IF_NEEDED = lexicon.words("modality", "done-if-needed")
POSSIBLE = lexicon.words("modality", "possible")
OPINIONS = lexicon.words("modality", "opinions")
ACKNOWLEDGED = lexicon.words("modality", "acknowledged")
MISTAKES = lexicon.words("modality", "mistakes")
FELT = lexicon.words("modality", "felt")
IDIOMS_OF_CAN = lexicon.words("modality", "idioms-of-can")
HAPPENING = lexicon.words("modality", "happening")
STATES = lexicon.words("verbs", "states")
STANDS_FOR = {phrase: modals.split() for phrase, modals in lexicon.pairs("modality", "stands-for").items()}
OBLIGATIONS = frozenset(lexicon.phrases("modality", "obligations"))
OBLIGATION_VERBS = frozenset({"have", "need"})
CONNECTIVES = lexicon.words("conjunctions", "connectives")
NARRATED = lexicon.words("modality", "narrated")
DUTIES = lexicon.words("modality", "narrated-duties")
CHANCES = lexicon.words("modality", "narrated-chances")
HABITUAL = frozenset({"usually", "often", "always", "sometimes", "normally", "typically", "generally"})
PAST_TIMES = frozenset({"ago", "yesterday", "earlier"})
NOT_A_FACT = "should and ought to say what is right or likely, not what is a fact"
NOT_DELIBERATE = "necessity suits only deliberate actions"
NOT_ACHIEVEMENT = "ability suits only what someone succeeds in"
OF_SPEAKER = "speakers do not infer what they know of themselves"
NO_EXTENSION = "the phrase would change what the modal says"
ONLY_INVOLUNTARY = "the phrase suits only what people feel or do involuntarily"
NOT_SUITED = "the phrase does not suit the claim"


def doubt_of(phrase: ModalPhrase, claim: Claim, clause: Clause) -> str:
    """Return why a phrase does not suit a claim; empty if it does, or if nothing is known about the phrase."""
    if phrase.kind == "comment":
        return _commented(phrase.words, claim, clause)
    if claim.kind in ELSEWHERE:
        return ELSEWHERE[claim.kind](phrase.words, claim, clause)
    if phrase.kind == "ability":
        felt = claim.acts and claim.kind == "verb" and claim.verb in FELT and not claim.others
        return "" if felt else ONLY_INVOLUNTARY
    doubt = ON_STATEMENTS.get(phrase.words)
    return doubt(claim) if doubt is not None else ""


def _as_obligation(words: str, claim: Claim, clause: Clause) -> str:
    return "" if words in OBLIGATIONS else NOT_SUITED


def _is_no_fact(claim: Claim) -> str:
    return NOT_A_FACT


def _is_not_suited(claim: Claim) -> str:
    return NOT_SUITED


def _softened(claim: Claim) -> str:
    """Return what is doubtful about "would": "I would think"."""
    opinion = claim.speaker and not claim.past and claim.kind in ("verb", "do") and claim.verb in OPINIONS
    return "" if opinion else NOT_SUITED


def _possible(claim: Claim) -> str:
    """Return what is doubtful about "can": "can be found"."""
    able = claim.kind == "be" and claim.passive and not claim.past and not claim.negated and not claim.spread
    return "" if able and claim.verb in POSSIBLE else NOT_SUITED


def _forced(claim: Claim) -> str:
    """Return what is doubtful about "have no choice but to": "had no choice but to resign"."""
    forced = claim.acts and claim.past and claim.kind == "verb" and {claim.verb, *claim.others} <= FORCED
    return "" if forced else NOT_DELIBERATE


def _commented(words: str, claim: Claim, clause: Clause) -> str:
    """Return what is doubtful about a comment on the claim: "I must say", "It should be noted that"."""
    if not _can_be_embedded(clause):
        return NOT_SUITED
    described = claim.kind == "be" and clause.verbs is not None and clause.verbs.main is None
    described = described and clause.predicate.tag.startswith("JJ") and clause.predicate.lower in JUDGEMENTS - {"fine"}
    if not words.startswith("I "):
        exclaims = clause.end_mark is not None and "!" in clause.end_mark.text
        return NOT_SUITED if claim.speaker or (not described if "said" in words else exclaims) else ""
    if not claim.speaker or claim.verb in PERFORMED or any(w.text in QUOTES for w in clause.words):
        return NOT_SUITED
    if words.endswith("that"):
        return ""
    if clause.subject is not None and start_of_statement(clause).index < clause.subject.first.index:
        return NOT_SUITED  # "I must say when they left I cried"
    if claim.kind == "modal":
        wishes = claim.verb in ("like", "love", "prefer") and not claim.complemented
        return "" if wishes else NOT_SUITED
    state = claim.kind in ("verb", "do") and claim.verb in ADMITTED
    return "" if state or described else NOT_SUITED


@once_per_clause
def _can_be_embedded(clause: Clause) -> bool:
    """Whether the whole sentence can follow "that": a statement without a heading or a name before it."""
    subject = clause.subject
    if clause.mood != "declarative" or clause.tag or (clause.end_mark is not None and "?" in clause.end_mark.text):
        return False
    if subject is None or clause.predicate.label != "root" or (clause.inverted and clause.expletive is None):
        return False
    if clause.end_mark is None and len(clause.words) < SHORTEST_UNMARKED:
        return False
    if any(w.index < subject.first.index for w in clause.children(clause.predicate, "vocative", "parataxis", "list")):
        return False
    opening = opening_word(clause)
    quotes = [w.index for w in clause.words if w.text in QUOTES]
    if opening is not None and quotes and quotes[0] < opening.index and len(quotes) > 1 and not _closes(clause, quotes):
        return False
    if opening is None or not clause.opens(opening) or opening.lower == "that":
        return False
    return not any(_sets_apart(clause, w) for w in clause.words[: subject.first.index])


def _sets_apart(clause: Clause, word: Word) -> bool:
    """Whether a mark separates a heading from the statement, unlike the hyphen of "2008-09"."""
    joined = word.start > 0 and clause.text[word.start - 1 : word.start].isalnum()
    return word.text in HEADING_MARKS and not (word.text == "-" and joined and clause.text[word.end :][:1].isalnum())


def _closes(clause: Clause, quotes: list[int]) -> bool:
    """Whether a quotation that opens the sentence also ends it."""
    return not any(w.text[:1].isalnum() for w in clause.words[quotes[1] + 1 :])


def _inferred(claim: Claim) -> str:
    """Return what is doubtful about "must": "must have left"."""
    if claim.kind == "fragment":
        return "not a clause"
    if claim.speaker:
        if claim.kind == "verb" and not claim.past and claim.verb in ACKNOWLEDGED:
            return ""
        return "" if claim.past and claim.verb in MISTAKES and not claim.passive else OF_SPEAKER
    if claim.experienced and claim.past and not claim.addressed:
        return OF_SPEAKER
    if claim.mixed:
        return "a coordinated verb keeps its tense"
    if claim.kind == "do" and not claim.past and claim.verb not in STATES:
        return "must not forbids what someone does not do"
    return ""


def _necessary(claim: Claim) -> str:
    """Return what is doubtful about "have to": "had to leave"."""
    if claim.negated or claim.never:
        return NOT_DELIBERATE
    if claim.passive:
        return "" if claim.kind == "be" and claim.past and claim.verb in DONE_IF_NEEDED else NOT_DELIBERATE
    reported = claim.past or claim.addressed
    told = claim.kind == "verb" and claim.acts and not claim.addressed and not claim.complemented
    if told and not claim.past and {claim.verb, *claim.others} <= DUTIES:
        return ""
    return "" if claim.kind == "verb" and reported and _is_deliberate(claim) else NOT_DELIBERATE


def _by_chance(claim: Claim) -> str:
    """Return what is doubtful about "happen to": "happens to meet"."""
    told = claim.kind == "verb" and claim.acts and not claim.addressed and not claim.past and not claim.complemented
    return "" if told and not claim.others and claim.verb in CHANCES else NOT_SUITED


def _needed(claim: Claim) -> str:
    """Return what is doubtful about "need to": "needed to leave" does not say that it happened."""
    return NOT_DELIBERATE if claim.past or not claim.addressed else _necessary(claim)


def _is_deliberate(claim: Claim) -> bool:
    """Whether a person does something on purpose, alone or in a series of such actions."""
    told = claim.experienced and not claim.addressed
    return claim.acts and not told and not claim.complemented and {claim.verb, *claim.others} <= DELIBERATE


def _achieved(claim: Claim) -> str:
    """Return what is doubtful about "be able to": "was able to win", "wasn't able to win"."""
    if not claim.acts:
        return NOT_ACHIEVEMENT
    if claim.others or claim.never or claim.modified or claim.complemented:
        return NOT_ACHIEVEMENT
    if claim.negated:
        return "" if claim.kind == "do" and claim.verb in NOT_ACHIEVED - LIGHT else NOT_ACHIEVEMENT
    told = claim.past or (claim.verb in NARRATED and not claim.addressed)
    return "" if claim.kind == "verb" and told and claim.verb in ACHIEVED else NOT_ACHIEVEMENT


def _after_modal(words: str, claim: Claim, clause: Clause) -> str:
    """Return what is doubtful about a phrase with a modal: "will have to go", "is going to go"."""
    verbs = clause.verbs
    assert verbs is not None
    full = full_operator(verbs.first, verbs)
    if words == "be able to" and any(w.lower == "be" for w in verbs.words):
        return NO_EXTENSION
    stands = STANDING.get((words, full))
    if full == "will" and any(w.lower in HABITUAL for w in clause.words):
        return NO_EXTENSION  # "they will usually sleep"
    if stands is not None and words == "might" and any(w.tag == "VBD" or w.lower in PAST_TIMES for w in clause.words):
        return NO_EXTENSION  # "could be killed years ago"
    if stands is not None:
        return "" if stands(claim) and not (full == "can" and _is_idiom_of_can(claim, clause)) else NO_EXTENSION
    if words not in ("have to", "need to") or full not in ("will", "would"):
        return NO_EXTENSION
    if full == "will" and (claim.speaker or claim.verb in ("tell", "teach", "speak", "talk", "do")):
        return NO_EXTENSION  # a promise or a habit
    modified = verbs.words[-1].index != verbs.first.index + 1
    softened = full == "would" and words == "have to" and claim.speaker and claim.verb in OPINIONS
    meant = not claim.negated and not modified and (_is_deliberate(claim) or softened)
    return "" if meant else NO_EXTENSION


# For each phrase that can stand for a modal, when it can.
STANDING: dict[tuple[str, str], Callable[[Claim], bool]] = {
    ("might", "could"): lambda claim: not claim.negated and not claim.acts and not claim.dated,
    ("may", "can"): lambda claim: claim.passive and not claim.negated,
    ("can", "would"): lambda claim: claim.speaker and not claim.negated and claim.verb in RECOMMENDED,
    ("be able to", "can"): lambda claim: not claim.passive and claim.verb != "be",
    ("be able to", "could"): lambda claim: claim.negated and claim.acts and claim.verb in NOT_ACHIEVED - {"agree"},
    ("may", "might"): lambda claim: not claim.addressed,
    ("might", "may"): lambda claim: not claim.negated and not (claim.addressed and claim.verb in DELIBERATE),
    ("must", "can"): lambda claim: claim.acts and not claim.speaker,
    ("be going to", "will"): lambda claim: True,
    ("ought to", "should"): lambda claim: True,
    ("should", "ought"): lambda claim: True,
    ("have to", "must"): lambda claim: not claim.negated,
}


def _is_idiom_of_can(claim: Claim, clause: Clause) -> bool:
    """Whether "can" makes an idiom with its verb or the adverb after it: "can't wait", "can only"."""
    assert clause.verbs is not None
    following = clause.words[clause.verbs.first.index + 1 : clause.verbs.first.index + 3]
    last = clause.verbs.words[-1].index
    if claim.verb == "get" and any(w.lower == "enough" for w in clause.words[last + 1 : last + 2]):
        return True  # "can't get enough"
    return claim.verb in IDIOMS_OF_CAN or any(w.lower in IDIOMS_OF_CAN for w in following)


def _on_command(words: str, claim: Claim, clause: Clause) -> str:
    assert clause.verbs is not None
    if proposal(clause) is not None:
        return "" if words in ("must", "should", "have to", "ought to", "need to") else NOT_SUITED
    if clause.subject is not None or clause.words[clause.verbs.first.index + 1 :][:1] == ():
        return NOT_SUITED
    at = command_opening(clause, OF_COMMANDS | {"please", "never", "kindly"}).index
    if at > 0 and clause.words[at - 1].text[:1] not in OPENINGS and clause.words[at - 1].lower not in CONNECTIVES:
        return "the command does not open its clause"
    if plain_form(clause.verbs.words[-1]) in WISHES:
        return "a wish or a set phrase"
    if words != "be sure to" and any(w.lower in ("please", "pls", "plz", "kindly") for w in clause.words):
        return "a request stays a request"
    unlike = unlike_instruction(clause)
    if unlike:
        return unlike
    if words == "be sure to":
        return NOT_SUITED if clause.verbs.words[-1].lower == "be" else ""
    if clause.verbs.words[-1].lower == "let":
        return "a request stays a request"  # "Let me know"
    return "" if words in ("must", "have to", "need to", "should", "ought to") else NOT_SUITED


def _in_question(words: str, claim: Claim, clause: Clause) -> str:
    asks = clause.words[0].lower
    if not _is_plainly_asked(clause):
        return "question"
    if words in ("have to", "need to"):
        why = asks == "why" and clause.inverted and claim.acts and claim.verb in DELIBERATE
        return "" if why and words == "have to" else "question"
    if words == "would":
        return "" if _is_asked_politely(claim, clause) else "question"
    if words == "be able to":
        modal = clause.verbs is not None and clause.verbs.first.tag == "MD"
        return "" if modal and not claim.negated and claim.verb != "be" and not claim.passive else "question"
    anyone = clause.subject is not None and clause.subject.head.lower in ("you", "anyone", "anybody")
    opened = clause.verbs is not None and clause.verbs.first.lower in DO and clause.opens(clause.verbs.first)
    return "" if words == "happen to" and anyone and opened and claim.verb in HAPPENING else "question"


def _is_plainly_asked(clause: Clause) -> bool:
    """Whether a short subject directly follows the finite verb, or a question word is the subject."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None:
        return False
    following = clause.words[verbs.first.index + 1 : verbs.first.index + 2]
    if clause.inverted:
        return bool(following) and (
            following[0].tag in ("PRP", "PRP$", "DT", "EX", "NNP") or following[0].lower in ("anyone", "anybody")
        )
    asking = subject is not None and any(
        w.tag in WH for w in clause.words[subject.first.index : subject.head.index + 1]
    )
    return asking and (len(verbs.words) == 1 or verbs.words[1].index == verbs.first.index + 1)


def rank_of(phrase: ModalPhrase, claim: Claim) -> int:
    """Return how well a phrase without doubts suits a claim: 0 if it says more than an inference would, else 1."""
    words = phrase.words
    if claim.kind == "command":
        return 0 if words in ("be sure to", "need to") else 1
    if phrase.kind == "comment":
        loose = claim.judges or claim.dated or claim.defined
        told = claim.speaker or (claim.past and not loose) or claim.kind in ("modal", "perfect")
        return 3 if told and words.endswith("that") else 1
    if claim.kind == "modal" and words in ("have to", "need to"):
        return 1
    if words == "must" and (claim.judges or claim.defined):
        return 2
    if words == "must" and claim.past and claim.dated:
        return 1
    if words == "must" and not claim.past and claim.kind in ("be", "verb", "do"):
        return 1 if (claim.kind == "be" and not claim.passive) or claim.verb in STATES or claim.speaker else 2
    return 0


def _is_asked_politely(claim: Claim, clause: Clause) -> bool:
    """Whether "would" makes a question polite: "Would you have a map?", "What would the rate be?"."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or subject is None or not clause.inverted or claim.past or claim.negated or claim.speaker:
        return False
    low = verbs.first.lower
    if low in DO:
        return clause.opens(verbs.first) and claim.verb in ASKED_POLITELY
    return low in FINITE_BE and not claim.passive and clause.words[0].lower not in ("why", "how", "who", "when")


ELSEWHERE: dict[str, Callable[[str, Claim, Clause], str]] = {
    "modal": _after_modal,
    "command": _on_command,
    "question": _in_question,
    "obligation": _as_obligation,
}
ON_STATEMENTS: dict[str, Callable[[Claim], str]] = {
    "must": _inferred,
    "should": _is_no_fact,
    "ought to": _is_no_fact,
    "have to": _necessary,
    "need to": _needed,
    "have no choice but to": _forced,
    "be able to": _achieved,
    "would": _softened,
    "can": _possible,
    "happen to": _by_chance,
    **dict.fromkeys(("be going to", "may", "might", "be sure to"), _is_not_suited),
}
