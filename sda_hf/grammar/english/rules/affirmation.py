"""Remove a negation: the positive of a negated clause."""

from __future__ import annotations

from collections.abc import Callable

from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import PLURAL_NOUNS
from sda_hf.grammar.english.morphology import DO, FULL_FORM, inflect, is_before_to, is_third_singular, plain_form
from sda_hf.grammar.english.polarity import RESTORED, in_claim
from sda_hf.grammar.english.rules.quantifiers import MASS, article, is_last, positive_determiner
from sda_hf.grammar.english.surface import before, remove, swap
from sda_hf.syntax.clause import Clause, VerbGroup, Word

POLARITY = lexicon.pairs("quantifiers", "polarity")
PLURAL = lexicon.pairs("verbs", "plural-forms")
# Adverbs whose opposite is "often"; the others only before "ever".
OFTEN = lexicon.words("adverbs", "seldom")
NEARLY_NEVER = lexicon.words("adverbs", "nearly-not")
TENSE = {"did": "VBD", "does": "VBZ", "do": "VB"}


def affirm(clause: Clause) -> Result:
    """Return the edits that restore the positive of a negated clause."""
    assert clause.negation is not None
    kind, word = clause.negation.kind, clause.negation.word
    if kind == "exclusive":
        return Skip("'not only' negates nothing")
    return REMOVALS[kind](clause, word)


def _removed(word: str) -> Rule:
    return Rule("negation-removed", f"negation removed: {word}")


def _replaced(old: str, new: str) -> Rule:
    return Rule("negation-replaced", f"{old} → {new}")


def _without_leading(clause: Clause, leading: Word) -> Result:
    return [remove(clause, leading, leading, _removed("not"))]


def _without_particle(clause: Clause, negator: Word) -> Result:
    verbs = clause.verbs
    assert verbs is not None
    operator = [w for w in verbs.words if w.index < negator.index][-1]
    if operator.lower in DO and operator is not verbs.main and not clause.inverted:
        following = clause.words[negator.index + 1 : negator.index + 2]
        last = following[0] if following and following[0].lower == "ever" else negator
        return _without_do(clause, verbs, operator, negator, last) + _polarity(clause, last)
    return _without_not(clause, operator, negator) + _polarity(clause, negator)


def _without_not(clause: Clause, operator: Word, negator: Word) -> list[Edit]:
    rule = _removed(negator.lower)
    if operator.end != negator.start:  # a word of its own
        return [remove(clause, negator, negator, rule)]
    full = operator.lower
    if full == "ai":
        third = is_third_singular(clause.subject)
        first_person = clause.subject is not None and clause.subject.head.lower == "i"
        full = "am" if first_person else "are" if third is False else "is"
    full = FULL_FORM.get(full, full)
    if full == "ought" and not is_before_to(clause, negator):
        full = "ought to"
    if full in ("need", "dare"):  # lexical verbs unless negated
        full = f"{full}s to" if is_third_singular(clause.subject) else f"{full} to"
    return [rule.edit(operator.start, negator.end, full)]


def _without_do(clause: Clause, verbs: VerbGroup, operator: Word, negator: Word, last: Word) -> list[Edit]:
    tag = TENSE[operator.lower]
    rule = _removed("do-support undone")
    if negator.index == operator.index + 1:
        edits = [remove(clause, operator, last, rule)]
    else:  # "did indeed not go": keep what is in between
        edits = [remove(clause, operator, operator, rule), remove(clause, negator, last, rule)]
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
    """Replace words that need a negation by their positive counterparts: any → some."""
    edits: list[Edit] = []
    for word in clause.words[negator.index + 1 :]:
        low = word.lower
        if low not in POLARITY and low not in ("ever", "all", "much", "until"):
            continue
        if not in_claim(clause, word) and not (low == "until" and _limits(clause, word)):
            continue
        previous = clause.words[word.index - 1]
        late = is_last(clause, word) or word.label == "advmod"
        if (low == "until" and clause.mood == "declarative") or (low == "much" and word.label == "amod"):
            new = "before" if low == "until" else "a lot of"
            edits.append(swap(word, new, _replaced(low, new)))
        elif low == "anymore" and (opening := _before_verb(clause)) is not None:
            edits += [before(opening, "still", _replaced(low, "still")), remove(clause, word, word, _removed(low))]
        elif low in POLARITY and (low not in ("either", "yet") or late):
            new = _indefinite(clause, word) if low == "any" else POLARITY[low]
            edits.append(swap(word, new, _replaced(low, new)))
        elif (low == "ever" and word.label == "advmod") or (low == "all" and previous.lower == "at"):
            start = previous if low == "all" else word
            edits.append(remove(clause, start, word, Rule("polarity-dropped", f"{low} dropped without negation")))
    return edits


def _limits(clause: Clause, until: Word) -> bool:
    """Whether a clause with "until" belongs to the predicate."""
    return until.label == "mark" and clause.words[until.head].head == clause.predicate.index


def _indefinite(clause: Clause, word: Word) -> str:
    """Return what "any" is in a positive claim: "some", or an article before a noun in the singular."""
    noun = clause.words[word.head]
    counted = word.label == "det" and word.index < noun.index and noun.tag == "NN" and noun.lower not in MASS
    return article(clause.words[word.index + 1].text) if counted else "some"


def _before_verb(clause: Clause) -> Word | None:
    """Return the verb that "still" can precede; None if the claim has an auxiliary, which it follows."""
    verbs = clause.verbs
    assert verbs is not None
    main = verbs.main
    lexical = main is not None and all(w.lower in DO for w in verbs.words if w is not main)
    return main if lexical and clause.mood == "declarative" else None


def _without_neither(clause: Clause, neither: Word) -> Result:
    """Turn "neither ... nor" into "both ... and", with a plural verb if it is the subject."""
    rule = _replaced("neither", "both")
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


def _without_adverb(clause: Clause, adverb: Word) -> Result:
    if clause.inverted and clause.mood != "interrogative":
        return Skip("negative inversion")
    last = adverb
    following = clause.words[adverb.index + 1] if adverb.index + 1 < len(clause.words) else None
    if following is not None and following.lower == "ever":
        last = following
    first = min([adverb, *clause.children(adverb, "advmod")], key=lambda w: w.index)  # "very seldom"
    if adverb.lower in OFTEN or (last is not adverb and adverb.lower in NEARLY_NEVER):
        return [_replaced(adverb.lower, "often").edit(first.start, last.end, "often"), *_polarity(clause, last)]
    return [remove(clause, first, last, _removed(adverb.lower)), *_polarity(clause, last)]


def _without_no_longer(clause: Clause, no: Word) -> Result:
    return [_removed("no").edit(no.start, clause.words[no.index + 1].end, "still")]


def _without_pronoun(clause: Clause, word: Word) -> Result:
    low = word.lower
    return [swap(word, RESTORED[low], _replaced(low, RESTORED[low])), *_polarity(clause, word)]


def _without_no(clause: Clause, no: Word) -> Result:
    following, head = clause.words[no.index + 1], clause.words[no.head]
    if following.lower == "one" and head.index == following.index:
        edit = _replaced("no one", "someone").edit(no.start, following.end, "someone")
        return [edit, *_polarity(clause, following)]
    if following.lower == "such":  # "no such plan" → "such a plan"
        after_such = clause.words[following.index + 1 : following.index + 2]
        bare = head.tag in PLURAL_NOUNS or head.lower in MASS or not after_such
        new = "such" if bare else f"such {article(after_such[0].text)}"
        edit = _replaced("no such", new).edit(no.start, following.end, new)
        return [edit, *_polarity(clause, no)]
    if clause.mood == "fragment" or following.tag == "CD":
        return [remove(clause, no, no, _removed("no"))]
    new = positive_determiner(clause, no, head)
    return [swap(no, new, _replaced("no", new)), *_polarity(clause, no)]


REMOVALS: dict[str, Callable[[Clause, Word], Result]] = {
    "particle": _without_particle,
    "leading": _without_leading,
    "neither": _without_neither,
    "adverb": _without_adverb,
    "no longer": _without_no_longer,
    "pronoun": _without_pronoun,
    "determiner": _without_no,
}
