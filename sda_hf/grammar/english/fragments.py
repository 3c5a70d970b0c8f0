"""Texts without a finite verb: headings, labels, answers."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Skip, after, before, lead_in, swap
from sda_hf.grammar.english.adjectives import JUDGEMENTS
from sda_hf.syntax.clause import Clause, Word

NO_CLAIM = Skip("no claim to negate")
# What is said without a claim, and what says the opposite of it.
OPPOSITE = {"yes": "no", "yeah": "no", "yep": "nope", "no": "yes", "nope": "yep"}
THANKS = frozenset({"thanks", "thank", "thanx", "thx", "ty"})
SET_PHRASES = frozenset(
    "hello hi hey dear please congratulations congrats wow welcome bye goodbye cheers regards sincerely oh ah hmm um "
    "umm aww ugh huh eh lol ps cc re fwd attn yes yeah yep no nope thanks thank thanx thx ty".split()
)
WISHES = frozenset("good happy merry kind best warm many kindest".split())
WISHED = frozenset("morning afternoon evening night day luck birthday christmas easter regards wishes thanks".split())
IS_NOT = {True: ("isn't", "aren't"), False: ("is not", "are not")}
NEGATIVE_OF = {
    "any": "no",
    "some": "no",
    "anyone": "no one",
    "anybody": "nobody",
    "anything": "nothing",
    "someone": "no one",
    "somebody": "nobody",
    "something": "nothing",
}
NOT_DESCRIBING = frozenset({"what", "how", "not", "no", "never", "hardly", *NEGATIVE_OF})
SIGNS = frozenset("$£€#+~.@")
NOUNS = ("NN", "NNS", "NNP", "NNPS")
# Tags of the words that a describing phrase opens with.
OPENINGS = frozenset({"JJ", "JJR", "JJS", "RB", "RBR", "RBS", "DT", "PRP$", "CD", "GW", *NOUNS})
ARTICLES = frozenset("a an the this that these those my your his her its our their".split())


def negate(clause: Clause, contractions: bool) -> list[Edit] | Skip:
    """ "Great food." → "Not great food."; a name or a noun phrase is presented: "This isn't a menu.".

    Args:
        clause: a fragment.
        contractions: "isn't" rather than "is not".
    """
    first = opening_word(clause)
    if first is None or is_greeting(clause, first):
        return _set_phrase(clause, first)
    if first.lower == "why" and not any(w.text[:1].isalnum() for w in clause.words[first.index + 1 :]):
        return [after(clause, first, "not", "why → why not")]
    if first.tag in ("WP", "WRB", "WDT") and clause.end_mark is not None and "?" in clause.end_mark.text:
        return Skip("question without a verb")
    following = clause.words[first.index + 1 : first.index + 2]
    if first.lower == "what" and following and following[0].lower in ("a", "an"):
        return [swap(first, "not", "exclamation: what a → not a")]
    if first.lower in NEGATIVE_OF and (first.label == "det" or first.lower not in ("any", "some")):
        return [swap(first, NEGATIVE_OF[first.lower], f"fragment: {first.lower} → {NEGATIVE_OF[first.lower]}")]
    if _is_its(clause, first):
        return [after(clause, first, "not", "not on be")]
    if not has_words(clause) and not _is_figure(clause):
        address = any(_is_address(w.text) for w in clause.words)
        return presented(clause, *IS_NOT[contractions], "fragment: this isn't") if address else Skip("marks only")
    subject, predicate = clause.subject, clause.predicate
    if subject is not None and predicate.tag == "VBN" and subject.last.index < predicate.index:
        return before(clause, predicate, "not", "fragment: not before the participle")
    if is_label(clause, first):
        return presented(clause, *IS_NOT[contractions], "fragment: this isn't")
    return before(clause, first, "not", "fragment: not in front")


def _set_phrase(clause: Clause, first: Word | None) -> list[Edit] | Skip:
    if first is None:
        return NO_CLAIM
    if first.lower in OPPOSITE and (first.index == len(clause.words) - 1 or first.label == "root"):
        return [swap(first, OPPOSITE[first.lower], f"{first.lower} → {OPPOSITE[first.lower]}")]
    if first.lower in THANKS:
        return before(clause, first, "no", "no thanks")
    return NO_CLAIM


def is_greeting(clause: Clause, first: Word) -> bool:
    """The fragment greets, thanks or answers."""
    if clause.predicate.lower in SET_PHRASES or first.lower in SET_PHRASES:
        return True
    second = clause.words[first.index + 1 : first.index + 2]
    return first.lower in WISHES and bool(second) and second[0].lower in WISHED


def opening_word(clause: Clause) -> Word | None:
    """The first word of the sentence that is no mark, or the currency sign and the like in front of it."""
    spoken = [w for w in clause.words if w.text[:1].isalnum()]
    first = next((w for w in spoken if w.tag != "LS"), spoken[0] if spoken else None)
    if first is not None and clause.mood == "fragment":
        colon = next((w for w in clause.words[first.index + 1 : first.index + 3] if w.text == ":"), None)
        if colon is not None:  # "Subject: Great food"
            first = next((w for w in spoken if w.index > colon.index), first)
    while first is not None and first.index > 0:
        previous = clause.words[first.index - 1]
        if previous.end != first.start or previous.text not in SIGNS:
            break
        first = previous
    return first


def has_words(clause: Clause) -> bool:
    """There is more than numbers, marks and addresses."""
    return any(
        sum(c.isalpha() for c in w.text) > 1 and w.tag not in ("LS", "SYM", "ADD") and not _is_address(w.text)
        for w in clause.words
    )


def _is_address(text: str) -> bool:
    return any(part in text.lower() for part in ("://", "www.", "@", ".com", ".net", ".org"))


def _is_its(clause: Clause, first: Word) -> bool:
    """ "its" for "it's": "its the only place"."""
    following = clause.words[first.index + 1 : first.index + 2]
    return first.lower == "its" and bool(following) and following[0].tag in ("DT", "PDT", "RB", "IN")


def _is_figure(clause: Clause) -> bool:
    """Numbers, dates, times, prices, with no address among them."""
    figure = any(any(c.isdigit() for c in w.text) for w in clause.words)
    return figure and not _is_address(clause.text)


def is_label(clause: Clause, first: Word) -> bool:
    """A noun phrase that names rather than judges: it can be said of something by "this is"."""
    if not clause.predicate.tag.startswith("NN") or clause.words[-1].text in (",", ":") or _asks(clause):
        return False
    classifies = first.tag == "JJ" and first.lower not in JUDGEMENTS
    return first.tag.startswith("NN") or first.lower in ARTICLES or classifies


def describes(clause: Clause) -> bool:
    """The fragment can be said of something by "this is": a noun or adjective phrase, no greeting."""
    first = opening_word(clause)
    if first is None or not has_words(clause) or clause.words[-1].text in (",", ":") or _asks(clause):
        return False
    if is_greeting(clause, first) or _is_its(clause, first) or first.lower in NOT_DESCRIBING:
        return False
    if clause.predicate.tag == "VBN" and first.tag == "RB":
        return True  # "Highly recommended!"
    if first.text.isdigit() or first.tag not in OPENINGS:
        return False
    return clause.predicate.tag in ("JJ", "JJS", "GW", *NOUNS) or clause.predicate.lower == "one"


def presented(clause: Clause, singular: str, plural: str, rule: str, phrase: str = "") -> list[Edit]:
    """The fragment behind "this" or "these" and a verb: "This isn't a menu.", "These must be fresh eggs.".

    Args:
        clause: the fragment.
        singular: the verb behind "this".
        plural: the verb behind "these".
        rule: the name of the rule.
        phrase: what stands before "this", with a space behind.
    """
    first = opening_word(clause)
    assert first is not None
    many = clause.predicate.tag in ("NNS", "NNPS") and first.lower not in ("a", "an", "one")
    return lead_in(clause, f"{phrase}these {plural}" if many else f"{phrase}this {singular}", [], first, rule)


def _asks(clause: Clause) -> bool:
    return clause.end_mark is not None and "?" in clause.end_mark.text
