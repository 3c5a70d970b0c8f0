"""Marks that a writer could have put there: between clauses, after what is fronted, in lists.

The rules of the papers put a comma between subject and predicate. These stand in their place where only what is right
is wanted.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import FINITE
from sda_hf.grammar.english.polarity import NEGATING
from sda_hf.grammar.english.rules.marks import comma_at, is_mark, last_word, word_at
from sda_hf.syntax.clause import Clause, Phrase, Word

Phrases: TypeAlias = Mapping[str, Sequence[tuple[str, ...]]]


def by_first_word(phrases: Sequence[str]) -> Phrases:
    """Return phrases as lists of words, by their first word, so that few are compared at each place."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        words = tuple(phrase.split())
        table.setdefault(words[0], []).append(words)
    return table


INTERJECTIONS = lexicon.words("marks", "interjections")
OPENING_ADVERBS = lexicon.words("marks", "opening-adverbs") | lexicon.words("adverbs", "of-sentences")
LOOSE = lexicon.words("marks", "loose")
TIMES = lexicon.words("marks", "times")
YEAR = re.compile(r"(?:1\d|20)\d\ds?")
ADDITIONS = by_first_word(lexicon.phrases("marks", "additions"))
REASONS = by_first_word(lexicon.phrases("marks", "reasons"))
BE = lexicon.words("verbs", "be")
TAKING_CLAUSES = lexicon.words("marks", "taking-clauses")
CLOSING = lexicon.words("marks", "closing")
SUBORDINATORS = lexicon.words("conjunctions", "subordinating") | {"as"}
# Adverbs that belong to the clause after them, or the clause to them: "mainly because", "as long as".
NARROWING = lexicon.words("adverbs", "focus") | lexicon.words("marks", "narrowing")
COORDINATORS = frozenset({"and", "but", "or", "so", "yet"})

AFTER_INTERJECTION = Rule("interjection-comma", "comma after the interjection")
AFTER_FRONTED = Rule("fronted-comma", "comma after what is fronted")
BETWEEN_CLAUSES = Rule("clause-comma", "comma between two clauses")
BETWEEN_PREDICATES = Rule("predicate-comma", "comma between two predicates")
IN_LIST = Rule("list-comma", "comma before the last item of a list")
BEFORE_ADDITION = Rule("addition-comma", "comma before an addition")
BEFORE_SUBORDINATE = Rule("subordinate-comma", "comma before the subordinate clause")
BEFORE_RELATIVE = Rule("relative-comma", "comma before the relative clause")
BEFORE_CLOSING = Rule("closing-comma", "comma before the last word")


def after_interjection(clause: Clause) -> list[Edit] | None:
    """Rewrite "Yes I know." as "Yes, I know."."""
    first = word_at(clause, 0)
    if first is None or first.lower not in INTERJECTIONS or first.label not in ("discourse", "advmod"):
        return None
    following = word_at(clause, 1)
    if following is None or (first.lower == "please" or following.tag not in ("PRP", "EX", "DT", "PRP$")):
        return None
    if first.lower in ("no", "so") and following.tag != "PRP":
        return None
    return comma_at(clause, 1, AFTER_INTERJECTION)


def after_fronted(clause: Clause) -> list[Edit] | None:
    """Rewrite "In 1996 the band split up." as "In 1996, the band split up."."""
    start = _claim_start(clause)
    if start is None or start < 1:
        return None
    for child in clause.children(clause.predicate, "advcl", "obl", "advmod"):
        phrase = _fronted_phrase(clause, child)
        if phrase is None or phrase.last.index != start - 1 or _lost_object(clause, phrase):
            continue
        if _can_be_set_off(clause, phrase):
            return comma_at(clause, start, AFTER_FRONTED)
    return None


def _claim_start(clause: Clause) -> int | None:
    """The position of the first word of the main clause proper: its subject, or the verb of a question or command."""
    if clause.verbs is None or (clause.inverted and clause.mood != "interrogative"):
        return None
    places = [clause.verbs.first.index]
    places += [clause.subject.first.index] if clause.subject is not None else []
    places += [clause.expletive.index] if clause.expletive is not None else []
    start = min(places)
    if clause.subject is None and clause.expletive is None and clause.mood != "imperative":
        return None
    previous = word_at(clause, start - 1)
    return start - 1 if previous is not None and previous.lower == "please" else start


def _lost_object(clause: Clause, phrase: Phrase) -> bool:
    """Whether a fronted verb seems to end its clause because its object was read as part of the subject.

    "To service | the building the viaduct was built": two noun phrases follow, or nothing follows an infinitive.
    """
    following = word_at(clause, phrase.last.index + 1)
    if following is not None and following.lower == "that":
        return True
    if phrase.last is not phrase.head or not phrase.head.tag.startswith("VB") or clause.subject is None:
        return False
    if phrase.first.tag in ("TO", "VBG", "IN") and phrase.head.tag in ("VB", "VBG"):
        return True
    if phrase.last.lower in TAKING_CLAUSES:
        return True  # "If you feel this guy is worth it ..."
    inside = clause.words[clause.subject.first.index : clause.subject.last.index + 1]
    return any(b.tag in ("DT", "PRP", "PRP$") and a.tag.startswith("NN") for a, b in itertools.pairwise(inside))


def _fronted_phrase(clause: Clause, head: Word) -> Phrase | None:
    phrase = clause.tree.phrase(head)
    wider = next((p for p in clause.subordinate if p.head is head), phrase)
    return wider if wider.first.index < phrase.first.index else phrase


def _can_be_set_off(clause: Clause, phrase: Phrase) -> bool:
    """Whether a comma can follow a phrase at the start of a sentence."""
    before = clause.words[: phrase.first.index]
    if any(w.tag != "CC" and w.text[:1].isalnum() for w in before[-1:]) or any(is_mark(w.text) for w in before[-1:]):
        return False
    words = clause.words[phrase.first.index : phrase.last.index + 1]
    if phrase.head.label.startswith("advcl"):
        return words[0].lower in SUBORDINATORS or words[0].tag in ("VBG", "IN", "TO")
    if any(w.tag in ("WDT", "WP", "WRB") for w in words):
        return False
    if len(words) == 1:
        return words[0].lower in OPENING_ADVERBS
    if words[0].lower in ("only", "not", "never", "no", "nor", "so", "such", "how", "than"):
        return False
    return phrase.head.label.startswith("obl") and not any(w.tag in FINITE for w in words)


# -- between clauses -----------------------------------------------------------------------------


def between_clauses(clause: Clause) -> list[Edit] | None:
    """Rewrite "It rained and we went home." as "It rained, and we went home."."""
    for conjunct in clause.children(clause.predicate, "conj"):
        joint = _joint(clause, conjunct)
        if joint is None or not _has_own_subject(clause, conjunct, joint):
            continue
        if edits := comma_at(clause, joint.index, BETWEEN_CLAUSES):
            return edits
    return None


def _joint(clause: Clause, conjunct: Word) -> Word | None:
    """The conjunction that begins a conjunct after the predicate."""
    if clause.verbs is None or conjunct.index < clause.predicate.index:
        return None
    joints = [w for w in clause.children(conjunct, "cc") if w.index < conjunct.index and w.lower in COORDINATORS]
    return joints[0] if joints and clause.tree.phrase(conjunct).first is joints[0] else None


def _has_own_subject(clause: Clause, conjunct: Word, joint: Word) -> bool:
    following = word_at(clause, joint.index + 1)
    if following is None or following.tag.startswith(("IN", "W", "CD")):
        return False
    subjects = clause.children(conjunct, "nsubj", "csubj", "expl")
    return _is_verbal(clause, conjunct) and any(joint.index < w.index < conjunct.index for w in subjects)


def _is_verbal(clause: Clause, word: Word) -> bool:
    return word.tag in (*FINITE, "VB") or any(w.tag in FINITE for w in clause.children(word, "cop", "aux"))


def before_but(clause: Clause) -> list[Edit] | None:
    """Rewrite "He came but left early." as "He came, but left early."."""
    return _between_predicates(clause, frozenset({"but", "yet"}), 2)


def before_and(clause: Clause) -> list[Edit] | None:
    """Rewrite "He moved to Boston and became a lawyer there." as "He moved to Boston, and became a lawyer there.".

    Two bare verbs stay together: "hit and miss", "came and went".
    """
    if clause.predicate is clause.words[-1]:
        return None
    joints = frozenset({"and"})
    return None if clause.words[clause.predicate.index + 1].lower in joints else _between_predicates(clause, joints, 3)


def _between_predicates(clause: Clause, joints: frozenset[str], least: int) -> list[Edit] | None:
    """Put a comma before a conjunct without a subject, if both predicates have a number of words."""
    conjuncts = clause.children(clause.predicate, "conj")
    if clause.verbs is None or len(conjuncts) != 1 or not _is_verbal(clause, conjuncts[0]):
        return None
    joint = _joint(clause, conjuncts[0])
    if joint is None or joint.lower not in joints:
        return None
    phrase = clause.tree.phrase(conjuncts[0])
    before = clause.words[clause.verbs.first.index : joint.index]
    short = len(before) < 2 or phrase.last.index - joint.index < least
    joined = any(w.text == "," or w.lower in ("both", "either", "neither", "between") for w in before)
    return None if short or joined else comma_at(clause, joint.index, BETWEEN_PREDICATES)


def before_loose_clause(clause: Clause) -> list[Edit] | None:
    """Rewrite "He finished the race although his knee hurt." as "He finished the race, although his knee hurt."."""
    return _before_subordinate(clause, LOOSE)


def before_when(clause: Clause) -> list[Edit] | None:
    """Rewrite "It stood until 1871 when it burned down." as "It stood until 1871, when it burned down."."""
    for word in clause.words[2:-1]:
        date = clause.words[word.index - 1]
        if word.lower == "when" and (YEAR.fullmatch(date.text) or date.lower in TIMES):
            return comma_at(clause, word.index, BEFORE_SUBORDINATE)
    return None


def _before_subordinate(clause: Clause, openings: frozenset[str]) -> list[Edit] | None:
    if not NEGATING.isdisjoint({w.lower for w in clause.words}):
        return None  # "He didn't leave because ..." denies the reason
    for head in clause.words:
        if not head.label.startswith("advcl") or head.index < clause.predicate.index or not _is_finite(clause, head):
            continue
        first = clause.tree.phrase(head).first
        if first.index < clause.predicate.index or first.lower not in openings or not _is_of_claim(clause, head):
            continue
        previous = word_at(clause, first.index - 1)
        if previous is None or previous.lower in NARROWING or previous.tag in ("IN", "CC", "JJR", "TO"):
            continue
        aside = word_at(clause, first.index - 2)
        if aside is not None and is_mark(aside.text):
            continue  # ", significant because ..."
        if edits := comma_at(clause, first.index, BEFORE_SUBORDINATE):
            return edits
    return None


def _is_of_claim(clause: Clause, head: Word) -> bool:
    """Whether an adverbial clause depends on the predicate, or on a verb that the predicate governs."""
    above = clause.words[head.head]
    while above is not clause.predicate and above.label in ("xcomp", "conj"):
        above = clause.words[above.head]
    return above is clause.predicate


def _is_finite(clause: Clause, head: Word) -> bool:
    subjects = clause.children(head, "nsubj", "expl", "csubj")
    verbs = [head, *clause.children(head, "aux", "cop")]
    return bool(subjects) and any(w.tag in FINITE for w in verbs)


# -- lists, additions and names ------------------------------------------------------------------


def in_list(clause: Clause) -> list[Edit] | None:
    """Rewrite "bread, cheese and wine" as "bread, cheese, and wine"."""
    for joint in clause.words:
        if joint.label != "cc" or joint.lower not in ("and", "or") or joint.head < joint.index:
            continue
        last = clause.words[joint.head]
        following = word_at(clause, joint.index + 1)
        if following is None or is_mark(following.text):
            continue
        if last.label == "conj" and _is_list(clause, joint, last) and (e := comma_at(clause, joint.index, IN_LIST)):
            return e
    return None


def _is_list(clause: Clause, joint: Word, last: Word) -> bool:
    """Whether at least two items, with commas between them, precede the conjunction, all of one kind."""
    first = clause.words[last.head]
    middle = [w for w in clause.children(first, "conj") if first.index < w.index < joint.index]
    if not middle or clause.tree.phrase(last).first is not joint:
        return False
    items = [first, *middle, last]
    if any(clause.children(first, "nummod")) and any(w.lower in ("a", "an") for w in clause.children(last, "det")):
        return False  # "two children, a son and a daughter"
    if len({w.tag.rstrip("S") for w in items}) > 1:
        return False
    behind = word_at(clause, clause.tree.phrase(last).last.index + 1)
    if behind is not None and behind.text == ",":
        return False
    openings = [clause.tree.phrase(w).first.index for w in middle]
    return all(clause.words[i].text == "," or (i > 0 and clause.words[i - 1].text == ",") for i in openings)


def before_addition(clause: Clause) -> list[Edit] | None:
    """Rewrite "They saw several cities including Bonn." as "They saw several cities, including Bonn."."""
    if clause.verbs is None or any(w.lower in ("more", "less") for w in clause.words):
        return None
    for index in range(clause.verbs.first.index + 2, len(clause.words) - 1):
        tag = clause.words[index - 1].tag
        nominal = tag.startswith(("NN", "CD")) and bool(match(clause.words, index, ADDITIONS))
        verbal = tag in ("VBD", "VBN", "RP", "PRP", "JJ") and bool(match(clause.words, index, REASONS))
        if not nominal and not (verbal and clause.words[index - 1].lower not in BE):
            continue
        if not _closes(clause, index) and (edits := comma_at(clause, index, BEFORE_ADDITION)):
            return edits
    return None


def _closes(clause: Clause, index: int) -> bool:
    """Whether the sentence goes on after what begins at a position: "cities such as Bonn are", "took her along to"."""
    head = clause.words[index]
    while clause.words[head.head].index > index and clause.words[head.head] is not head:
        head = clause.words[head.head]
    behind = word_at(clause, clause.tree.phrase(head).last.index + 1)
    if behind is not None and not is_mark(behind.text):
        return True
    for word in clause.words[index:]:
        if word.text in (",", ";", "("):
            return False
        if word.tag in FINITE:
            return not any(w.label in ("mark", "advmod") or w.tag[0] == "W" for w in clause.words[index : word.index])
    return False


def match(words: Sequence[Word], index: int, phrases: Phrases) -> int:
    """Return the length of the phrase that begins at a position; 0 if there is none."""
    for phrase in phrases.get(words[index].lower, ()):
        if tuple(w.lower for w in words[index : index + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def before_relative(clause: Clause) -> list[Edit] | None:
    """Rewrite "at Otterbein College where he studied" as "at Otterbein College, where he studied"."""
    for word in clause.words[2:]:
        previous = clause.words[word.index - 1]
        if word.tag not in ("WDT", "WP", "WRB") or word.lower not in ("which", "who", "where"):
            continue
        above = clause.words[word.head]
        named = (
            previous.tag == "NNP" and previous.text[0].isupper()
        )  # after a common noun, the clause may say which one is meant
        if named and above.label.startswith("acl") and above.index > word.index:
            noun = clause.words[above.head]
            near = noun is previous or (noun.index < previous.index and previous.tag == "NNP")
            if near and (edits := _set_off_relative(clause, word, above)):
                return edits
    return None


def _set_off_relative(clause: Clause, pronoun: Word, head: Word) -> list[Edit] | None:
    """A comma before a relative clause that ends the sentence."""
    if clause.tree.phrase(head).last.index < last_word(clause).index:
        return None
    return comma_at(clause, pronoun.index, BEFORE_RELATIVE)


def before_closing(clause: Clause) -> list[Edit] | None:
    """Rewrite "He came too." as "He came, too."."""
    last = last_word(clause)
    if last.lower not in CLOSING or last.index < 2 or clause.words[last.index - 1].tag in ("IN", "RB", "TO"):
        return None
    return comma_at(clause, last.index, BEFORE_CLOSING)
