"""Doubts about negating questions, requests and commands."""

from __future__ import annotations

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts import common
from sda_hf.grammar.english.labels import FINITE, WH
from sda_hf.grammar.english.rules import negation
from sda_hf.syntax.clause import Clause, once_per_clause

IDIOMATIC_COMMANDS = lexicon.words("negation", "idiomatic-commands")
FIXED_COMMANDS = lexicon.phrases("negation", "fixed-commands")
OF_LEAVE = negation.REQUESTED | {"have", "come", "go", "use", "borrow", "see", "join", "buy", "order"}
ASKED_OF_ALL = frozenset({"why", "who", "whom", "whose", "which"})


@once_per_clause
def spelled_out(clause: Clause) -> str:
    """Return the words of the sentence in lower case between single spaces, to look for phrases in."""
    return f" {' '.join(w.lower for w in clause.words)} ".replace(" n't ", "n't ").replace(" 's ", "'s ")


def asks_for_detail(clause: Clause) -> bool:
    """Whether a question asks for a place, a time, a degree, a manner or a kind: "Where is he going?"."""
    if clause.mood != "interrogative" or clause.verbs is None:
        return False
    end = max(clause.verbs.first.index, clause.subject.first.index if clause.subject else 0)
    asked = next((w for w in clause.words[: end + 1] if w.tag in WH), None)
    if asked is None:
        return False
    if asked.lower == "what":
        subject = clause.subject
        acts = subject is not None and asked in subject and not clause.inverted and clause.predicate.lower != "happened"
        return not (acts and clause.predicate.tag.startswith("VB"))
    chooses = clause.subject is not None and asked in clause.subject and not clause.inverted
    return asked.lower not in ASKED_OF_ALL or not (
        chooses or clause.predicate.tag.startswith("VB") or asked.lower == "why"
    )


def is_request(clause: Clause) -> bool:
    """Whether a question may be a request, an offer or a question of ability: "Can you hear me?", "May I come in?"."""
    verbs, subject = clause.verbs, clause.subject
    if clause.mood != "interrogative" or not clause.inverted or verbs is None or subject is None:
        return False
    if clause.negation is None and negation.is_request(clause):
        return False
    operator, asked = verbs.first.lower, subject.head.lower
    if clause.predicate.lower == "possible" and clause.children(clause.predicate, "csubj", "ccomp", "xcomp", "advcl"):
        return True  # "Is it possible that you ...?"
    if asked == "you" and operator in negation.REQUESTING:
        return True
    able = operator in ("can", "could") and verbs.main is not None
    leave = operator in ("may", "shall") or (able and verbs.main is not None and verbs.main.lower in OF_LEAVE)
    asks_leave = leave and asked in ("i", "we")
    return asks_leave or (operator in negation.REQUESTING and subject.first.lower.startswith(("any", "some")))


def is_clipped(clause: Clause) -> bool:
    """Whether a question has no subject before its verb: "Want to go?"; "He left?" can be negated."""
    if not common.is_clipped_question(clause):
        return False
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or subject is None or verbs.first.tag not in FINITE:
        return True
    return subject.first.index > verbs.first.index or clause.words[0].tag == "MD"


def is_idiomatic_command(clause: Clause) -> bool:
    """Whether nobody would forbid what a command says: "Enjoy!", "Take care."."""
    if clause.verbs is None or clause.subject is not None or clause.mood not in ("imperative", "declarative"):
        return False
    if common.sentence_of(clause).isupper() and clause.end_mark is None:
        return True
    verb = clause.verbs.main or clause.verbs.first
    if clause.mood == "imperative" and verb.index > 0 and clause.words[verb.index - 1].tag.startswith("NN"):
        return True  # "Towards the end come the events" is inverted
    if verb.lower in IDIOMATIC_COMMANDS or clause.verbs.first.lower in IDIOMATIC_COMMANDS:
        return True
    text = spelled_out(clause)
    return any(f" {phrase} " in text for phrase in FIXED_COMMANDS)


def is_offer(clause: Clause) -> bool:
    """Whether a claim of ability is an offer: "If you would like, we can call you."."""
    text = spelled_out(clause)
    verbs = clause.verbs
    able = verbs is not None and verbs.first.lower in ("can", "could", "'ll", "will", "would")
    wanted = any(f" {offer} " in text for offer in ("if you would like", "if you like", "if you want", "if you wish"))
    return able and clause.mood == "declarative" and wanted


def commands_go_on(clause: Clause) -> bool:
    """Whether a command goes together with what follows: "Try it, you won't regret it.", "Don't buy it, rent it."."""
    if clause.mood != "imperative" or clause.verbs is None:
        return False
    following = clause.words[clause.verbs.words[-1].index + 1 :]
    if clause.negation is not None and any(w.lower in ("because", "instead", "unless") for w in following):
        return True
    for word in following:
        if word.tag.startswith(("VB", "MD")) and word.label in ("parataxis", "conj", "ccomp"):
            subject = clause.children(word, "nsubj", "expl")
            previous = clause.words[clause.tree.phrase(word).first.index - 1].text
            if subject and word.head == clause.predicate.index and word.label != "ccomp":
                return True
            if previous in (",", ";", "-", "...", ":") and word.tag in ("VB", "VBP") and word.label != "conj":
                return True
    return False
