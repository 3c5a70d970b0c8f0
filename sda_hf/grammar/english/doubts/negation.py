"""Doubts about negation."""

from __future__ import annotations

import itertools

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts import common, requests
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.grammar.english.labels import PLURAL_NOUNS
from sda_hf.grammar.english.morphology import plain_form
from sda_hf.grammar.english.polarity import NEGATING, NEGATORS, in_claim
from sda_hf.grammar.english.rules import coordination, quantifiers
from sda_hf.grammar.english.rules.adverbs import OF_CERTAINTY
from sda_hf.grammar.english.surface import opening_word
from sda_hf.syntax.clause import Clause, Word

# By their first word, so that few have to be looked for.
FIXED_EXPRESSIONS = {
    first: tuple(f" {phrase} " for phrase in phrases)
    for first, phrases in itertools.groupby(
        sorted(lexicon.phrases("negation", "fixed-expressions")), key=lambda phrase: phrase.split()[0]
    )
}
NEEDING_NEGATION = lexicon.words("negation", "needing-negation")
FUSED = lexicon.words("negation", "fused-with-to")
OF_RESULTS = lexicon.words("negation", "of-results")
INTRODUCING = lexicon.words("negation", "introducing")
ATTITUDES = lexicon.words("negation", "attitudes")
PERCENT = frozenset({"percent", "%"})
APPROXIMATING = lexicon.words("negation", "approximating")
PARTS = lexicon.words("negation", "parts")
ADDING = ("in addition to", "besides", "apart from", "aside from", "as well as", "along with")
NEARLY_NOT = lexicon.words("adverbs", "nearly-not")
FREQUENT = frozenset(
    {"sometimes", "occasionally", "often", "usually", "generally", "always", "once", "still", "already"}
)
PRONOUNS_BACK = frozenset({"it", "this", "that", "they", "these", "those", "he", "she", "which"})


def _is_fixed(clause: Clause) -> bool:
    text = requests.spelled_out(clause)
    begun = FIXED_EXPRESSIONS.keys() & set(text.split())
    return any(phrase in text for first in begun for phrase in FIXED_EXPRESSIONS[first])


def _introduces(clause: Clause) -> bool:
    """Whether the clause only introduces a claim: "The thing is, it works."."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or subject is None or verbs.first.lower not in ("is", "'s"):
        return False
    following = clause.words[verbs.first.index + 1 : verbs.first.index + 2]
    return subject.last.lower in INTRODUCING and bool(following) and following[0].text in (",", ":")


# -- scope ---------------------------------------------------------------------------------------


def _presupposes(clause: Clause) -> bool:
    """Whether what follows presupposes the claim: "..., so that there was peace", "..., doubtless excelling"."""
    words = clause.words
    for word in words[clause.predicate.index + 1 : -1]:
        if word.text != ",":
            continue
        following = words[word.index + 1]
        so_that = following.lower == "so" and words[min(following.index + 1, len(words) - 1)].lower == "that"
        if following.lower in ("thus", "thereby", "hence") or so_that:
            return True
        adverb = following.lower in OF_CERTAINTY or following.lower.endswith("ly")
        if adverb and words[min(following.index + 1, len(words) - 1)].lower.endswith("ing"):
            return True
        if following.lower in OF_RESULTS and following.label == "advcl":
            return True
    return False


def _corrects(clause: Clause) -> bool:
    """Whether "not" sets something apart from the claim: "the blue coat, not the red one", "not a cat but a dog"."""
    for word in clause.words[1:-1]:
        if word.lower != "not" or word in clause.negators:
            continue
        previous, head = clause.words[word.index - 1], clause.words[word.head]
        apart = previous.text in (",", "–", "—") or previous.lower in ("and", "but", "or")  # noqa: RUF001
        if apart and not head.tag.startswith(("VB", "MD")) and in_claim(clause, _first_conjunct(clause, head)):
            return True
    return False


def _first_conjunct(clause: Clause, word: Word) -> Word:
    while word.label in ("conj", "appos", "parataxis") and word.head != word.index:
        word = clause.words[word.head]
    return word


def _mixes_polarity(clause: Clause) -> bool:
    """Whether a coordinated object or predicate is negative: "some money and no friends"."""
    if clause.negation is not None:
        return False
    heads = {clause.predicate.index, *(w.index for w in clause.children(clause.predicate, "obj", "obl"))}
    conjuncts = [w for w in clause.words if w.label == "conj" and w.head in heads]
    own = [w for w in conjuncts if not clause.children(w, "nsubj", "csubj", "expl")]
    if clause.mood != "imperative":
        own = [w for w in own if w.head != clause.predicate.index or not clause.children(w, "aux", "cop")]
    return any(child.lower in NEGATING and child not in clause.tag for w in own for child in (*clause.children(w), w))


def _repeats_operator(clause: Clause) -> bool:
    """Whether an elliptical clause contrasts with the claim: "..., but Paul can't"."""
    words = [w for w in clause.words if w.text[:1].isalnum() or w.lower in NEGATORS]
    return (
        clause.tag == ()
        and clause.mood == "declarative"
        and len(words) > 4
        and words[-1].lower in NEGATORS
        and words[-1] not in clause.negators
    )


def _is_new(clause: Clause, noun: Word) -> bool:
    """Whether an object is indefinite, so that a claim that denies it leaves nothing to refer to."""
    if noun.lower in ("someone", "somebody", "something", "one"):
        return True
    determiners = clause.children(noun, "det", "nmod:poss")
    return noun.tag in PLURAL_NOUNS if not determiners else determiners[0].lower in ("a", "an", "some", "this")


def _denies_subject(clause: Clause) -> bool:
    """Whether the subject is denied: "No one came."."""
    edits = quantifiers.negate_subject(clause) if clause.negation is None and clause.mood == "declarative" else None
    return bool(edits) and edits is not None and edits[0].new.split()[0] in ("no", "none", "nobody", "nothing")


def _is_taken_up(clause: Clause, joined: Word) -> bool:
    """Whether the subject of a coordinated clause is a pronoun."""
    return any(w.lower in PRONOUNS_BACK for w in clause.children(joined, "nsubj"))


def _refers_to_what_is_denied(clause: Clause) -> bool:
    """Whether a second clause speaks of what the first introduces: "I bought a car and it was great."."""
    if _denies_subject(clause):
        return any(clause.children(w, "nsubj") for w in coordination.joined_clauses(clause) if _is_taken_up(clause, w))
    objects = [w for w in clause.children(clause.predicate, "obj") if _is_new(clause, w)]
    if clause.negation is not None or not objects:
        return False
    for joined in coordination.joined_clauses(clause):
        subject = next(iter(clause.children(joined, "nsubj", "expl")), None)
        if subject is not None and subject.lower in ("it", "they", "this", "that", "these", "those"):
            own = clause.subject.head.lower if clause.subject else ""
            if own != subject.lower:
                return True
    return False


def _is_still(clause: Clause) -> bool:
    return any(w.lower == "still" for w in clause.children(clause.predicate, "advmod"))


def _denies_a_part(clause: Clause) -> bool:
    subject = clause.subject
    if subject is None or clause.negation is not None or clause.expletive is not None:
        return False
    first = subject.first
    if first.lower == "both":
        return all(w.lower != "of" for w in clause.words[first.index + 1 : first.index + 2])
    if any(w.tag == "CD" for w in clause.words[first.index : subject.head.index]) and _is_still(clause):
        return True  # "A thousand of them are still here": other ones may not be
    return first.lower in PARTS or any(w.lower in PERCENT for w in clause.words[first.index : subject.head.index + 1])


def _is_attitude(clause: Clause) -> bool:
    """Whether the claim only expresses what the speaker hopes or guesses."""
    verbs = clause.verbs
    if verbs is None or verbs.main is None or clause.negation is not None or clause.mood != "declarative":
        return False
    speaker = clause.subject is None or clause.subject.head.lower in ("i", "we")
    return speaker and plain_form(verbs.main) in ATTITUDES


def _is_hedged_quantifier(clause: Clause) -> bool:
    """Whether the subject begins with a quantifier that has no negative: "almost every", "only John"."""
    return clause.subject is not None and clause.negation is None and clause.subject.first.lower in APPROXIMATING


def _is_alone(clause: Clause) -> bool:
    """Whether the sentence begins with a conjunction and has no main clause: "If you are sure."."""
    if not common.is_lone_subordinate(clause):
        return False
    opening = [w for w in clause.words[:2] if w.label == "mark"]
    return bool(opening) and opening[0].lower != "whether"


def _is_hedged(clause: Clause) -> bool:
    """Whether the claim is only said to be possible: "Maybe someone will help."."""
    return clause.mood == "declarative" and any(
        w.lower in ("maybe", "perhaps") and (w.head == clause.predicate.index or w.index == 0)
        for w in clause.words[: clause.predicate.index]
    )


def _tells_briefly(clause: Clause) -> bool:
    """Whether a statement without a subject goes on with a clause: "Stopped here and it was great!"."""
    lacking = clause.subject is None and clause.expletive is None and clause.mood == "declarative"
    beside = [w for w in clause.children(clause.predicate, "parataxis", "ccomp") if clause.children(w, "nsubj", "expl")]
    return lacking and clause.negation is None and bool(coordination.joined_clauses(clause) or beside)


def _keeps_contrast(clause: Clause) -> bool:
    """Whether "but" contrasts with a negation that is removed: "It isn't a park, but is beautiful."."""
    if clause.negation is None or clause.negation.kind == "exclusive":
        return False
    predicates = [w for w in clause.children(clause.predicate, "conj") if w.tag.startswith(("VB", "JJ", "NN"))]
    return any(w.lower == "but" for p in predicates for w in clause.children(p, "cc"))


def _adds_to_others(clause: Clause) -> bool:
    """Whether the claim adds to others: "In addition to tea, they sell coffee."."""
    opening = " ".join(w.lower for w in clause.words[:3])
    return clause.negation is None and opening.startswith(ADDING)


def _names_the_one(clause: Clause) -> bool:
    """Whether the one of several is named: "One of his grandsons, Yukio, became minister"."""
    subject = clause.subject
    if subject is None or subject.first.lower != "one":
        return False
    return any(w.text == "," for w in clause.words[subject.first.index : clause.predicate.index])


def _exclaims(clause: Clause) -> bool:
    """Whether a question without a question mark is an exclamation: "Boy was that good"."""
    inverted = clause.mood == "interrogative" and clause.inverted
    return (
        inverted and clause.verbs is not None and clause.verbs.first.index > 0 and "?" not in common.sentence_of(clause)
    )


def _is_unlikely_verb(clause: Clause) -> bool:
    """Whether what was read as the verb is none: "be" as a present tense, a letter, a verb after a modal's adverb."""
    verbs = clause.verbs
    if verbs is None or clause.negation is not None or clause.mood == "imperative":
        return False
    first = verbs.first
    if first.lower == "born" and verbs.words == (first,):
        return True
    before = [w for w in clause.words[max(0, first.index - 2) : first.index]]
    if before and before[-1].tag != "MD" and not before[-1].tag.startswith("RB"):
        before = []
    apart = first.index == 0 or clause.words[first.index - 1].end < first.start
    if first.lower == "be" or (len(first.text) == 1 and first.text.isalpha() and apart):  # "r", "i s"
        return True
    return first.tag in ("VBP", "VB") and any(w.tag == "MD" and w not in verbs.words for w in before)


def _begins_with_frequency(clause: Clause) -> bool:
    """Whether the claim is said to hold at times only: "Sometimes my knee hurts."."""
    first = opening_word(clause)
    return clause.negation is None and first is not None and first.lower in ("sometimes", "occasionally", "often")


# -- parses that are not to be trusted -----------------------------------------------------------


def is_inverted(clause: Clause) -> bool:
    """Whether the verb precedes the subject of a statement, other than in "Attached is the file."."""
    first = clause.words[0]
    attached = (
        first.tag == "VBN" and clause.verbs is not None and clause.verbs.first.lower in ("is", "are", "was", "were")
    )
    return not attached and common.is_inverted(clause)


def _is_participle(clause: Clause) -> bool:
    """Whether the only verb may be a participle: "The firm, considered the best, ..."."""
    verbs = clause.verbs
    if verbs is None or len(verbs.words) > 1 or verbs.first.tag != "VBN" or clause.negation is not None:
        return False
    previous = clause.words[verbs.first.index - 1] if verbs.first.index else None
    following = clause.words[verbs.first.index + 1 : verbs.first.index + 2]
    return (previous is not None and previous.text in (",", "(", "-")) or bool(following and following[0].lower == "by")


def _is_title(clause: Clause) -> bool:
    """Whether the verb is capitalized inside the sentence, as in a title."""
    if clause.verbs is None or clause.negation is not None:
        return False
    verb = clause.verbs.first
    if clause.opens(verb) or not verb.text[:1].isupper() or verb.text.isupper():
        return False
    return clause.words[verb.index - 1].text[-1:].isalnum() or clause.mood != "imperative"


def _is_fused(clause: Clause) -> bool:
    verbs = clause.verbs
    words = (*verbs.words, *clause.words[verbs.first.index : verbs.first.index + 2]) if verbs else ()
    joined = [f"{a.lower}{b.lower}" for a, b in itertools.pairwise(words) if a.end == b.start]
    return (
        any(w in FUSED for w in (*(w.lower for w in words[:1]), *joined))
        and clause.negation is None
        and not any(w.lower in ("'m", "'re", "'s", "am", "is", "are", "was", "were") for w in words[:1])
    )


def _lacks_subject(clause: Clause) -> bool:
    """Whether "do" has no subject it could agree with: "already have plans"."""
    if clause.mood != "imperative" or clause.verbs is None or clause.negation is not None:
        return False
    return clause.verbs.first.index > 0 and clause.words[clause.verbs.first.index - 1].lower in FREQUENT


# -- negations that are removed ------------------------------------------------------------------


def _stays_negative(clause: Clause) -> bool:
    """Whether the words around a negation do not fit the positive: "not a cat but a dog", "not that bad", "nor"."""
    if clause.negation is None:
        return False
    word, words = clause.negation.word, clause.words
    after = words[word.index + 1 : word.index + 2]
    if clause.words[0].lower == "until" or (clause.subject is not None and clause.subject.first.lower == "even"):
        return True
    if after and after[0].text == "-" and after[0].start == word.end:  # "a not-for-profit organization"
        return True
    if word.lower in NEARLY_NOT and not (after and after[0].lower == "ever"):
        return not any(w.lower in ("can", "could") for w in words[max(0, word.index - 1) : word.index])
    if clause.negation.kind == "particle" and after and after[0].lower in NEEDING_NEGATION and after[0].lower != "even":
        return True
    rest = words[word.index + 1 :]
    if clause.negation.kind != "neither" and any(w.lower in ("nor", "neither") for w in rest):
        return True
    modal = words[word.index - 1].lower if word.index else ""
    if modal in ("may", "might") and clause.negation.kind == "particle":
        return True
    if modal in ("ca", "can", "could") and any(w.lower in ("enough", "too") for w in rest):
        return True
    return _contrasts(clause, word)


def _contrasts(clause: Clause, negator: Word) -> bool:
    """Whether "but", "rather" or "instead" gives what holds in place of what is denied."""
    for word in clause.words[negator.index + 1 :]:
        if word.lower in ("rather", "instead") and clause.words[word.index - 1].text in (",", ";", "but", "."):
            return True
        if word.lower == "but" and word.label == "cc":
            joined = clause.words[word.head]
            if not joined.tag.startswith(("VB", "MD")) and not clause.children(joined, "cop", "aux", "nsubj"):
                return True
        if word.lower == "but" and word.label != "cc":
            return True
    return False


# Doubts about a negation of the verb, which a denial of the whole claim is free of.
OF_VERBS = frozenset(
    {
        "the claim is presupposed",
        "positive and negative parts",
        "what is denied is referred to",
        "as well as between verbs",
    }
)
DOUBTS: tuple[Doubt, ...] = (
    Doubt("fixed expression", _is_fixed),
    Doubt("question of degree, place, time or kind", requests.asks_for_detail),
    Doubt("request, offer or question of ability", requests.is_request),
    Doubt("comment, not a claim", _introduces),
    Doubt("command with no negative", requests.is_idiomatic_command),
    Doubt("the claim is presupposed", _presupposes),
    Doubt("contrast", _corrects),
    Doubt("positive and negative parts", _mixes_polarity),
    Doubt("contrast", _repeats_operator),
    Doubt("what is denied is referred to", _refers_to_what_is_denied),
    Doubt("quantified subject", _denies_a_part),
    Doubt("quantified subject", _is_hedged_quantifier),
    Doubt("hope or guess", _is_attitude),
    Doubt("subordinate clause alone", _is_alone),
    Doubt("claim of frequency", _begins_with_frequency),
    Doubt("hedged claim", _is_hedged),
    Doubt("request, offer or question of ability", requests.is_offer),
    Doubt("command that goes together with what follows", requests.commands_go_on),
    Doubt("no subject", _tells_briefly),
    Doubt("contrast", _keeps_contrast),
    Doubt("the claim is added to others", _adds_to_others),
    Doubt("quantified subject", _names_the_one),
    Doubt("an exclamation", _exclaims),
    Doubt("a short answer", common.is_short_answer),
    Doubt("not clearly a verb", _is_unlikely_verb),
    Doubt("participle", _is_participle),
    Doubt("title", _is_title),
    Doubt("verb written together with to", _is_fused),
    Doubt("no subject", _lacks_subject),
    Doubt("the words around the negation need it", _stays_negative),
)
