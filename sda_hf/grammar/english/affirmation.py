"""Taking a negation out: the positive of a negated clause."""

from __future__ import annotations

import itertools

from sda_hf.grammar.edits import Edit, Skip, like, remove, swap
from sda_hf.grammar.english.fragments import opening_word
from sda_hf.grammar.english.morphology import FULL_FORM, inflect, is_third_singular, plain_form
from sda_hf.grammar.english.quantifiers import (
    MASS,
    NEGATIVE_ADVERBS,
    POLARITY,
    POSITIVE,
    UNIVERSAL,
    article,
    is_last,
    positive_determiner,
)
from sda_hf.syntax.clause import Clause, VerbGroup, Word
from sda_hf.syntax.english.lexicon import CLAUSAL, DO, NEGATORS

PLURAL = {"is": "are", "was": "were", "has": "have", "does": "do"}
TENSE = {"did": "VBD", "does": "VBZ", "do": "VB"}
ARGUMENTS = ("nsubj", "nsubj:pass", "obj", "iobj", "xcomp", "root")


def affirm(clause: Clause) -> list[Edit] | Skip | None:
    """The edits that restore the positive; None if the claim is not negated."""
    if _says_not_only(clause):
        return Skip("not only")
    if clause.negators:
        return _without_negator(clause)
    leading = _leading_not(clause)
    if leading is not None:
        return remove(clause, leading, leading, "negation removed: not")
    return _without_negative_word(clause)


def _says_not_only(clause: Clause) -> bool:
    """ "not only ... but also" denies nothing."""
    return any(
        word.lower in NEGATORS and following.lower in ("only", "just", "merely", "simply") and _in_claim(clause, word)
        for word, following in itertools.pairwise(clause.words)
    )


def _leading_not(clause: Clause) -> Word | None:
    """ "not" outside of the verb group: in front of a fragment, of a quantified subject, behind "Let's"."""
    if clause.verbs is not None and clause.verbs.first.lower == "let":
        behind = clause.words[clause.verbs.first.index + 2 : clause.verbs.first.index + 3]
        return behind[0] if behind and behind[0].lower == "not" else None
    first = opening_word(clause)
    if first is not None and first.lower == "not" and first is not clause.words[-1] and first.label != "discourse":
        return first
    subject = clause.subject
    if subject is None:
        return None
    heads = (subject.head.index, subject.first.index)
    previous = clause.words[max(0, subject.first.index - 1)]
    if previous.lower == "not" and subject.first.lower in UNIVERSAL:
        return previous
    near = clause.words[max(0, subject.first.index - 1) : subject.head.index]
    return next((w for w in near if w.lower == "not" and w.head in heads), None)


def _without_negator(clause: Clause) -> list[Edit] | Skip:
    verbs = clause.verbs
    assert verbs is not None
    negator = clause.negators[0]
    operator = _operator_of(negator, verbs)
    if operator.lower in DO and operator is not verbs.main and not clause.inverted:
        edits = _without_do(clause, verbs, operator, negator)
    else:
        edits = _without_not(clause, operator, negator)
    return edits + _polarity(clause, negator)


def _operator_of(negator: Word, verbs: VerbGroup) -> Word:
    """The verb that the negator stands behind."""
    return [w for w in verbs.words if w.index < negator.index][-1]


def _without_not(clause: Clause, operator: Word, negator: Word) -> list[Edit]:
    rule = f"negation removed: {negator.lower}"
    if operator.end != negator.start:  # a word of its own
        return remove(clause, negator, negator, rule)
    full = operator.lower
    if full == "ai":
        third = is_third_singular(clause.subject)
        first_person = clause.subject is not None and clause.subject.head.lower == "i"
        full = "am" if first_person else "are" if third is False else "is"
    full = FULL_FORM.get(full, full)
    if full in ("need", "dare"):  # without a negation they are full verbs
        full = f"{full}s to" if is_third_singular(clause.subject) else f"{full} to"
    return [Edit(operator.start, negator.end, like(operator, full), rule)]


def _without_do(clause: Clause, verbs: VerbGroup, operator: Word, negator: Word) -> list[Edit]:
    tag = TENSE[operator.lower]
    rule = "negation removed: do-support undone"
    if negator.index == operator.index + 1:
        edits = remove(clause, operator, negator, rule)
    else:  # "did indeed not go": what stands between them stays
        edits = remove(clause, operator, operator, rule) + remove(clause, negator, negator, rule)
    if clause.mood == "imperative" or tag == "VB":
        return edits
    main = verbs.main
    if main is None or main.tag not in ("VB", "VBP", "VBD"):
        return _without_not(clause, operator, negator)
    plain = plain_form(main)
    if plain == "be":
        return edits
    edits.append(swap(main, "used" if plain == "use" and tag == "VBD" else inflect(plain, tag), rule))
    for group in clause.coordinated:
        if group.first.tag == "VB":
            edits.append(swap(group.first, inflect(plain_form(group.first), tag), rule))
            edits += [swap(w, "and", rule) for w in clause.children(group.first, "cc") if w.lower == "or"]
    return edits


def _polarity(clause: Clause, negator: Word) -> list[Edit]:
    """Words that need a negation give way to their positive partners: any → some."""
    edits: list[Edit] = []
    for word in clause.words[negator.index + 1 :]:
        if not _in_claim(clause, word):
            continue
        low = word.lower
        previous = clause.words[word.index - 1]
        late = is_last(clause, word) or word.label == "advmod"
        if low in POLARITY and (low not in ("either", "yet") or late):
            edits.append(swap(word, POLARITY[low], f"{low} → {POLARITY[low]}"))
        elif (low == "ever" and word.label == "advmod") or (low == "all" and previous.lower == "at"):
            start = previous if low == "all" else word
            edits += remove(clause, start, word, f"{low} dropped without negation")
    return edits


def _in_claim(clause: Clause, word: Word) -> bool:
    """The word hangs on the predicate without a clause between them."""
    while word.index != clause.predicate.index:
        if word.label in CLAUSAL or word.head == word.index:
            return False
        word = clause.words[word.head]
    return True


def _without_negative_word(clause: Clause) -> list[Edit] | Skip | None:
    for word in clause.words:
        low = word.lower
        if low == "neither" and _in_claim(clause, word):
            return _without_neither(clause, word)
        if not _in_claim(clause, word) or low in NEGATORS:
            continue
        if low in NEGATIVE_ADVERBS and word.head == clause.predicate.index:
            return _without_adverb(clause, word)
        if low == "no" or low in POSITIVE:
            edits = _without_no(clause, word)
            if edits is not None:
                return edits
    return None


def _without_neither(clause: Clause, neither: Word) -> list[Edit]:
    """ "neither ... nor" → "both ... and", with a plural verb if it is the subject."""
    rule = "neither → both"
    edits = [swap(neither, "both", rule)]
    edits += [swap(w, "and", rule) for w in clause.words[neither.index :] if w.lower == "nor"]
    verbs = clause.verbs
    if clause.subject is None or verbs is None or neither not in clause.subject:
        return edits
    first = verbs.first
    if first.lower in PLURAL:
        edits.append(swap(first, PLURAL[first.lower], rule))
    elif first.tag == "VBZ" and first is verbs.main:
        edits.append(swap(first, plain_form(first), rule))
    return edits


def _without_adverb(clause: Clause, adverb: Word) -> list[Edit] | Skip:
    if clause.inverted and clause.mood != "interrogative":
        return Skip("negative inversion")
    last = adverb
    following = clause.words[adverb.index + 1] if adverb.index + 1 < len(clause.words) else None
    if following is not None and following.lower == "ever":
        last = following
    first = min([adverb, *clause.children(adverb, "advmod")], key=lambda w: w.index)  # "very seldom"
    edits = remove(clause, first, last, f"negation removed: {adverb.lower}")
    return edits + _polarity(clause, last)


def _without_no(clause: Clause, word: Word) -> list[Edit] | None:
    low = word.lower
    following = clause.words[word.index + 1] if word.index + 1 < len(clause.words) else None
    head = clause.words[word.head]
    rule = f"negation removed: {low}"
    if low == "no" and following is not None and following.lower == "longer":
        return [Edit(word.start, following.end, like(word, "still"), rule)]
    if low in POSITIVE:
        if word.label in ARGUMENTS or word.label == "advmod":
            return [swap(word, POSITIVE[low], f"{low} → {POSITIVE[low]}"), *_polarity(clause, word)]
        return None
    if word.label != "det" or head.label not in ARGUMENTS or following is None:
        return None
    if following.lower == "one" and head.index == following.index:
        return [
            Edit(word.start, following.end, like(word, "someone"), "no one → someone"),
            *_polarity(clause, following),
        ]
    if following.lower == "such":  # "no such plan" → "such a plan"
        behind = clause.words[following.index + 1 : following.index + 2]
        plural = head.tag in ("NNS", "NNPS") or head.lower in MASS or not behind
        new = "such" if plural else f"such {article(behind[0].text)}"
        return [Edit(word.start, following.end, like(word, new), f"no such → {new}"), *_polarity(clause, word)]
    if clause.mood == "fragment" or following.tag == "CD":
        return remove(clause, word, word, rule)
    new = positive_determiner(clause, word, head)
    return [swap(word, new, f"no → {new}"), *_polarity(clause, word)]
