"""The frames of `antonym_contexts.tsv`: constructions of a word, and conditions on them.

- Verbs: what follows ("obj", "intr", "pass", "to", "ing", "that", "wh", "xcomp", "obj-to", "pass-xcomp"); "oblique":
  the nouns of the line are those of the preposition that changes; conditions: "person", "singular", "uncounted",
  "agent", "event" (past), "now" (not past), "dated", "alone" (no verb beside it or below), "born", "died",
  "killed".
- Adjectives: "pred"; "attr", where no determiner makes the noun known; "def", after any determiner; "name", before
  names; "compound", before compounds; "to" and "that", where a clause may follow; "sup", in comparatives and
  superlatives alone; "quant", a quantity; "same"; conditions: "degree", "objonly", "predonly", "toonly" (a clause does
  follow), "firstadj", "present", "past", "plural", "objobl".
- Adverbs: the part of speech of what they modify; "degr", with the next word; "ago", after a span of time; "best";
  "first", where it may open the sentence; "pred"; conditions: "pre" (between subject and predicate), "aux", "present",
  "past", "nodate", "habit", "degree".
- Determiners: "det". Prepositions: see `antonym_adpositions`.
- Nouns: "obl" and "nmod", after the prepositions that the line allows; "obj", of the verbs that it allows; "pred";
  "subj"; condition: "indef".
"""

from __future__ import annotations

import re

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import POS_OF_TAG
from sda_hf.grammar.english.rules.antonym_adpositions import fits_adposition
from sda_hf.grammar.english.rules.antonym_context import (
    DATES,
    TIMES,
    Context,
    contexts,
    key,
    prepositions_fit,
    subject_of,
)
from sda_hf.grammar.english.rules.antonym_scope import BLAME, PRAISE
from sda_hf.grammar.english.rules.antonym_verbs import fits_verb
from sda_hf.grammar.english.rules.substitution import base_form
from sda_hf.syntax.clause import Clause, Word

DOWNTONERS = lexicon.words("antonyms", "downtoners")
YEAR = re.compile(r"1\d{3}|20\d\d")
SOME = frozenset({"some", "several", "many", "most", "few", "other", "others"})
NEGATIVE_PREFIXES = ("un", "in", "im", "dis")
DEFINITE = lexicon.words("antonyms", "definite")
MEASURED = ("obl:npmod", "nmod:npmod", "obl:unmarked", "nmod:unmarked", "nummod")


def fits(clause: Clause, word: Word, pos: str, context: Context) -> bool:
    """Whether a word stands in a context."""
    test = {
        "DET": _fits_determiner,
        "ADP": fits_adposition,
        "VERB": fits_verb,
        "ADJ": _fits_adjective,
        "ADV": _fits_adverb,
        "NOUN": _fits_noun,
    }[pos]
    return test(clause, word, context)


# -- adjectives ----------------------------------------------------------------------------------


def _fits_adjective(clause: Clause, word: Word, context: Context) -> bool:
    frames = context.frames
    if word.lower == "latest" or ("quant" in frames and clause.mood == "fragment"):
        return False
    if "quant" in frames:
        return _fits_quantity(clause, word, context)
    if "same" in frames:
        return _fits_same(clause, word)
    if ("sup" in frames) != (word.tag in ("JJR", "JJS") and _has_superlative(word)):
        return False
    if word.index and clause.words[word.index - 1].lower == "even":
        return False
    before_word = clause.words[word.index - 1].lower if word.index else ""
    if (word.tag == "JJR" or before_word in ("more", "most")) and context.antonym.startswith(NEGATIVE_PREFIXES):
        return False
    if ("degree" not in frames and _has_degree(clause, word)) or _is_coordinated(clause, word):
        return False
    if "present" in frames and not (clause.verbs and clause.verbs.first.lower in ("is", "are", "'s")):
        return False
    if "past" in frames and not (clause.verbs and clause.verbs.first.tag == "VBD"):
        return False
    return (_fits_attribute if word.label == "amod" else _fits_predicate)(clause, word, context)


def _fits_predicate(clause: Clause, word: Word, context: Context) -> bool:
    if word.label == "xcomp" and base_form(clause.words[word.head], "VERB") in ("become", "make"):
        return False
    if "pred" not in context.frames or word.label not in ("root", "conj", "xcomp", "ccomp", "parataxis"):
        return False
    copula = bool(clause.children(word, "cop"))
    if word.label != "xcomp" and not copula and word is not clause.predicate:
        return False
    if clause.mood == "fragment" and not copula and (word.tag != "JJ" or clause.opens(word)):
        return False
    has_clause = bool(clause.children(word, "xcomp", "ccomp", "csubj", "advcl"))
    if (has_clause and not context.frames & {"to", "that"}) or (not has_clause and "toonly" in context.frames):
        return False
    return context.allows(subject_of(clause, word)) and prepositions_fit(clause, word, context)


def _fits_attribute(clause: Clause, word: Word, context: Context) -> bool:
    noun, frames = clause.words[word.head], context.frames
    if noun.index < word.index or not noun.tag.startswith("NN") or not frames & {"attr", "def"}:
        return False
    before, after = clause.words[max(word.index - 1, 0)], clause.words[word.index + 1]
    if noun.tag in ("NNP", "NNPS") and "name" not in frames:
        return False
    if after.tag == "CD" or (before.tag.startswith("NN") and before is not word):
        return False
    if word.tag == "JJS" and not clause.children(noun, "det", "nmod:poss"):
        return False
    if after.label == "compound" and not frames & {"name", "compound"}:
        return False
    if "objonly" in frames and noun.label != "obj":
        return False
    if "predonly" in frames and not noun.label.startswith("xcomp") and not clause.children(noun, "cop"):
        return False
    if "firstadj" in frames and before.tag not in ("DT", "PRP$"):
        return False
    known = any(d.lower in DEFINITE or d.label == "nmod:poss" for d in clause.children(noun, "det", "nmod:poss"))
    superlative = word.tag == "JJS" or before.lower == "most"
    if known and not superlative and "def" not in frames and noun.label != "obj":
        return False
    widely = word.tag == "JJS" and "sup" not in frames and key(word, "ADJ") not in PRAISE | BLAME
    return context.allows(noun, widely)


def _has_superlative(word: Word) -> bool:
    """Whether comparatives and superlatives of an adjective have contexts of their own."""
    return any("sup" in context.frames for context in contexts()["ADJ", key(word, "ADJ")])


def is_partitive(clause: Clause, word: Word) -> bool:
    """Whether a quantity is one of several things: "most of the houses"."""
    following = clause.words[word.index + 1 : word.index + 2]
    if word.lower not in ("most", "many") or not following or following[0].lower != "of":
        return False
    things = clause.children(word, "nmod")
    plural = bool(things) and (things[0].tag in ("NNS", "NNPS") or things[0].lower in ("them", "us", "these", "those"))
    free = word.label.split(":")[0] in ("nsubj", "obj") and not clause.children(word, "det", "advmod", "conj")
    return plural and free


def _fits_quantity(clause: Clause, word: Word, context: Context) -> bool:
    if is_partitive(clause, word):
        return context.antonym == "few"
    noun, frames = clause.words[word.head], context.frames
    before = clause.words[word.index - 1].lower if word.index else ""
    return (
        word.label == "amod"
        and noun.index > word.index
        and noun.label.split(":")[0] not in ("obl", "nmod")
        and noun.tag in (("NNS",) if "plural" in frames else ("NN", "NNS"))
        and not clause.children(noun, "det", "nmod:poss", "nummod")
        and not clause.children(word)
        and not any(w.lower in ("such", "other") for w in clause.words)
        and before not in DOWNTONERS | {"very", "a", "and", "or", "great", "good", "of"}
        and ("obj" not in frames or (noun.label == "obj" and not clause.children(noun, "conj")))
        and ("objobl" not in frames or noun.label in ("obj", "root"))
        and context.allows(noun)
    )


def _fits_same(clause: Clause, word: Word) -> bool:
    noun = clause.words[word.head]
    return (
        word.label == "amod"
        and noun.index == word.index + 1
        and clause.words[word.index - 1].lower == "the"
        and noun.tag in ("NN", "NNS")
        and noun.lower not in TIMES
        and not any(w.lower in ("as", "that", "which", "who") for w in clause.words[noun.index + 1 : noun.index + 3])
    )


def _has_degree(clause: Clause, word: Word) -> bool:
    """Whether an adjective or adverb is measured, compared or weakened: "as big as", "too big to", "3 m tall"."""
    before = {w.lower for w in clause.words[max(word.index - 2, 0) : word.index]}
    if any(w.lower in ("over", "under", "more", "less") for w in clause.words[word.index + 1 : word.index + 2]):
        return True
    if "so" in before and clause.children(word, "advcl", "ccomp", "xcomp"):
        return True
    following = clause.words[word.index + 1 : word.index + 2]
    if before & DOWNTONERS or (following and following[0].lower == "enough"):
        return True
    return any(child.label in MEASURED or child.tag in ("CD", "WRB") for child in clause.children(word))


def _is_coordinated(clause: Clause, word: Word) -> bool:
    """Whether an adjective stands beside another: "small but good"."""
    if word.label == "conj" and clause.words[word.head].tag.startswith("JJ") and not clause.children(word, "cop"):
        return True
    others = clause.children(word, "conj")
    return any(w.tag[:2] in ("JJ", "VB") and not clause.children(w, "nsubj", "cop", "aux") for w in others)


# -- adverbs -------------------------------------------------------------------------------------


def _fits_adverb(clause: Clause, word: Word, context: Context) -> bool:
    frames, head = context.frames, clause.words[word.head]
    before = clause.words[word.index - 1] if word.index else None
    if "pred" in frames and word is clause.predicate and clause.children(word, "cop"):
        return prepositions_fit(clause, word, context)
    if (
        word.label != "advmod"
        or (word.tag == "RBR" and not frames & {"degr", "ago", "pre"})
        or clause.children(word, "conj", "cc")
        or ("degree" not in frames and _has_degree(clause, word))
    ):
        return False
    if "degr" in frames:
        return _fits_degree(clause, word, head, context)
    if "ago" in frames:
        return before is not None and before.lower in TIMES
    if "NUM" in frames:
        return (
            head.tag == "CD" and clause.words[head.head].label != "conj" and clause.words[head.head].lower not in TIMES
        )
    if "best" in frames:
        return head.lower == "known" and before is not None and before.label.split(":")[0] in ("aux", "cop")
    if not _is_head(head) or ("first" not in frames and clause.opens(word)):
        return False
    if not _frequency_fits(clause, word, head, context) or not _time_fits(clause, word, head, frames):
        return False
    return POS_OF_TAG.get(head.tag[:2], "") in frames and context.allows(head)


def _fits_degree(clause: Clause, word: Word, head: Word, context: Context) -> bool:
    """Whether "more" or "most" belongs to the next word alone: "the most popular sport"."""
    before = clause.words[word.index - 1] if word.index else None
    known = before is not None and (before.lower in DEFINITE or before.tag in ("POS", "PRP$"))
    if head.lower in ("recent", "common") or head.lower.startswith("un") or clause.words[head.head].tag == "NNS":
        return False
    return head.index == word.index + 1 and head.tag in ("JJ", "RB") and (context.antonym != "least" or known)


def _frequency_fits(clause: Clause, word: Word, head: Word, context: Context) -> bool:
    """Whether "never" or "rarely" can stand for an adverb where this stands."""
    if context.antonym == "never":
        return not clause.children(word) and not _is_of_some(clause, head) and not _goes_on(clause, head)
    return context.antonym != "rarely" or word.index < head.index


def _goes_on(clause: Clause, head: Word) -> bool:
    """Whether another verb tells what came of it, with the same subject: "It later surfaced and led to war"."""
    return any(
        w.tag[:2] == "VB" and not clause.children(w, "nsubj", "nsubj:pass") for w in clause.children(head, "conj")
    )


def _is_of_some(clause: Clause, head: Word) -> bool:
    """Whether the subject is some of several: what they do, others may never do."""
    subject = subject_of(clause, head)
    return subject is not None and bool(SOME & {w.lower for w in (subject, *clause.children(subject))})


def _fits_determiner(clause: Clause, word: Word, context: Context) -> bool:
    """Whether a determiner says how many there are: "every room", "all members"."""
    noun = clause.words[word.head]
    number = ("NNS",) if word.lower in ("all", "some") else ("NN",)
    return (
        word.label == "det"
        and noun.tag in number
        and noun.label.split(":")[0] in (("nsubj",) if word.lower == "all" else ("nsubj", "obj"))
        and clause.words[noun.head] is clause.predicate
        and not clause.children(clause.predicate, "conj", "advcl", "parataxis")
        and not any(w.lower in ("other", "others", "such") for w in clause.words)
        and not clause.children(word)
        and not clause.children(noun, "conj", "nummod", "acl", "acl:relcl", "nmod:poss", "appos")
        and clause.words[word.index + 1].tag.startswith(("NN", "JJ"))
        and noun.lower not in TIMES
        and len(clause.children(noun, "det")) == 1
        and clause.words[word.index - 1].lower not in ("almost", "nearly", "not", "at", "above", "after")
    )


def _is_head(head: Word) -> bool:
    """Whether a word heads a clause or an adjunct, and is not a mere attribute."""
    label = head.label.split(":")[0]
    if head.tag in ("JJR", "RBR") or (label == "conj" and head.tag[:2] != "VB"):
        return False
    return label in ("root", "conj", "ccomp", "xcomp", "acl", "advcl", "nmod", "obl")


def _time_fits(clause: Clause, word: Word, head: Word, frames: frozenset[str]) -> bool:
    """Whether an adverb of time stands where its antonym can stand, with a verb in the tense that this needs."""
    if "pre" in frames and not _followssubject_of(clause, word, head):
        return False
    if "aux" in frames and clause.words[word.index - 1].label.split(":")[0] not in ("aux", "cop"):
        return False
    if "habit" in frames and head.tag not in ("VBZ", "VBP"):
        return False
    finite = [w for w in (head, *clause.children(head, "aux", "cop")) if w.tag in ("VBZ", "VBP", "VBD", "MD")]
    tense = min(finite, key=lambda w: w.index, default=None)
    perfect = tense is not None and tense is not head and tense.lower in ("has", "have", "'ve")
    if "present" in frames:
        return tense is not None and tense.tag in ("VBZ", "VBP") and not perfect
    if "nodate" in frames and any(w.lower in DATES or YEAR.fullmatch(w.text) for w in clause.words):
        return False
    if "past" in frames:
        alone = not any(w.label.startswith("advcl") and w.index > head.index for w in clause.children(head))
        return tense is not None and alone and (tense.tag == "VBD" or perfect)
    return True


def _followssubject_of(clause: Clause, word: Word, head: Word) -> bool:
    """Whether an adverb stands between the subject, or its auxiliary, and the predicate."""
    if not word.index or word.index > head.index or clause.mood != "declarative":
        return False
    before, after = clause.words[word.index - 1], clause.words[word.index + 1]
    if after.label.startswith("nsubj") or after.tag in ("PRP", "EX"):
        return False
    if before.text == ")" or before.tag.startswith(("NN", "PRP", "W")):
        return True
    return before.label.split(":")[0] in ("aux", "cop", "nsubj", "flat", "cc", "advmod")


# -- nouns ---------------------------------------------------------------------------------------


def _fits_noun(clause: Clause, word: Word, context: Context) -> bool:
    label = word.label.split(":")[0]
    if label == "conj" or clause.children(word, "compound", "amod", "nummod", "conj", "appos"):
        return False
    if "indef" in context.frames and not {"a", "an"} & {child.lower for child in clause.children(word, "det")}:
        return False
    if label in ("obl", "nmod") and word.tag == "NN":
        cases = [case.lower for case in clause.children(word, "case")]
        return bool(cases) and cases[-1] in context.only and label in context.frames
    if label == "nsubj" and "subj" in context.frames:
        return not clause.children(word) and not clause.children(clause.words[word.head], "advcl", "conj", "parataxis")
    if label == "obj":
        return "obj" in context.frames and context.allows(clause.words[word.head])
    return label == "root" and "pred" in context.frames and bool(clause.children(word, "cop"))
