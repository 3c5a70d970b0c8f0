"""Doubts of all rules: texts that are not clauses, and predicates that the parser is unsure of."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.claims import ASPECT, COMMAS, NOT_PREDICATES, can_be_predicate, is_verbal
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.spans import TIMES
from sda_hf.grammar.chinese.surface import form, has_han
from sda_hf.syntax.clause import Clause

MARKUP = re.compile(r"</?[a-zA-Z][^>]*>|\*\*|`|^#+ |\|\s*\||\{\{|\[\[")
ADDRESS = re.compile(r"https?:|www\.|\.com|\.cn|[\w.]+@[\w.]+|[@#][\w]+")
HEADER = re.compile(r"[^\s，。,：:“”「」]{1,10}(?:：|:(?!\d))(?![“「\"])")
GREETINGS = lexicon.words("doubts", "greeting")
HAVING = lexicon.words("verbs", "having")
WISHING = lexicon.words("verbs", "wishing")
OPENING = ("【", "[", "《")
APART = re.compile(r"[^\x00-\xff]\s+(?=[^\x00-\xff])")
LONGEST = 60  # words


def sentence_of(clause: Clause) -> str:
    """Return the text of the sentence."""
    return clause.text[clause.words[0].start : clause.words[-1].end]


def has_markup(clause: Clause) -> bool:
    """Whether there are marks of Markdown, HTML or a wiki."""
    return MARKUP.search(clause.text) is not None


def has_address(clause: Clause) -> bool:
    """Whether there is a web or mail address, a handle or a hashtag."""
    return ADDRESS.search(sentence_of(clause)) is not None


def is_header(clause: Clause) -> bool:
    """Whether the sentence is a field of a form, a line of a dialogue or a heading, with a colon."""
    return HEADER.match(sentence_of(clause)) is not None


def is_list(clause: Clause) -> bool:
    """Whether there is a list of four items or more, or an item number at the beginning."""
    text = sentence_of(clause)
    return (
        text.count("、") >= 4
        or re.match(r"\s*(?:[（(]?[\d一二三四五六七八九十]{1,2}[)）、.．]|[•●·▪-])", text) is not None
    )


def is_title(clause: Clause) -> bool:
    """Whether the sentence is a heading in brackets, or consists of parts between white space."""
    text = sentence_of(clause)
    return (text.startswith(OPENING) and clause.end_mark is None) or len(APART.findall(text)) > 1


def is_foreign(clause: Clause) -> bool:
    """Whether most of the words are not Chinese."""
    spoken = [w for w in clause.words if w.text[:1].isalpha()]
    return 2 * sum(has_han(w.text) for w in spoken) < len(spoken)


def is_date(clause: Clause) -> bool:
    """Whether there are only numbers and times."""
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    return clause.mood == "fragment" and all(
        w.pos in ("NUM", "SYM") or form(w) in TIMES or form(w) in ("年", "月", "日", "号", "点") for w in spoken
    )


def is_long(clause: Clause) -> bool:
    """Whether the sentence is too long for the parser to be trusted."""
    return len(clause.words) > LONGEST


# -- the claim -----------------------------------------------------------------------------------


def is_fragment(clause: Clause) -> bool:
    """Whether there is no predicate: a heading, a name, a noun phrase."""
    return clause.mood == "fragment"


def is_greeting(clause: Clause) -> bool:
    """Whether the sentence is a greeting, thanks or a wish."""
    spoken = [form(w) for w in clause.words if w.pos != "PUNCT"]
    return bool(spoken) and (spoken[0] in GREETINGS or "".join(spoken) in GREETINGS or spoken[0] in WISHING)


def has_stray_root(clause: Clause) -> bool:
    """Whether the predicate was found in place of a root that cannot be one."""
    root = clause.tree.root
    if clause.predicate is root or form(root) in NOT_PREDICATES or form(clause.predicate) == "在":
        return False
    return not can_be_predicate(clause.tree, root)


def has_rival(clause: Clause) -> bool:
    """Whether another verb of the same clause has an aspect, and the predicate has none."""
    predicate = clause.predicate
    if not is_verbal(predicate):
        return False
    own = clause.words[predicate.index + 1 : predicate.index + 4]
    if any(form(w) in ASPECT for w in own):
        return False
    for word, after in zip(clause.words, clause.words[1:], strict=False):
        if (
            form(after) in ASPECT
            and after.tag == "AS"
            and is_verbal(word)
            and word.label in ("nsubj", "nmod", "obl", "obj", "dep")
        ):
            return True
    return False


def ends_before_de(clause: Clause) -> bool:
    """Whether 的 right after the predicate makes a modifier of it: 他写的书."""
    after = clause.words[clause.predicate.index + 1 : clause.predicate.index + 3]
    return (
        len(after) == 2 and form(after[0]) == "的" and after[1].pos in ("NOUN", "PROPN") and is_verbal(clause.predicate)
    )


def may_be_noun_phrase(clause: Clause) -> bool:
    """Whether the verb may only modify the noun after 的: 举行会议的家庭, 一个坐在长凳上的女孩."""
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    places = [i for i, w in enumerate(spoken) if form(w) == "的"]
    if not places or form(clause.predicate) in HAVING or spoken[-1].pos not in ("NOUN", "PROPN", "PART"):
        return False
    counted = next((w for w in spoken if w.pos not in ("NUM", "DET") and w.label != "clf"), spoken[0])
    if counted is not spoken[0] and counted.pos in ("VERB", "ADP"):
        return not any(w.pos == "VERB" for w in spoken[places[0] + 1 :])
    if clause.subject is not None or clause.negation is not None or any(w.text in COMMAS for w in clause.words):
        return False
    bare = not any(form(w) in ASPECT for w in clause.words[clause.predicate.index : clause.predicate.index + 3])
    last = places[-1]
    return bare and spoken[last].index > clause.predicate.index and not any(w.pos == "VERB" for w in spoken[last:])


DOUBTS: tuple[Doubt, ...] = (
    Doubt("not a clause: Markdown or HTML", has_markup),
    Doubt("not a clause: an address, a handle or a hashtag", has_address),
    Doubt("not a clause: a heading or a field of a form", is_header),
    Doubt("not a clause: a list", is_list),
    Doubt("not a clause: a heading", is_title),
    Doubt("not a clause: a date or a time", is_date),
    Doubt("mostly in another script", is_foreign),
    Doubt("a long sentence", is_long),
)
# For the rules that change the claim: modality, negation, double negation.
CLAIM_DOUBTS: tuple[Doubt, ...] = (
    Doubt("not a clause: no predicate", is_fragment),
    Doubt("not a clause: it may be a noun phrase", may_be_noun_phrase),
    Doubt("greeting or wish", is_greeting),
    Doubt("uncertain predicate: the parse has none", has_stray_root),
    Doubt("uncertain predicate: another verb has an aspect", has_rival),
    Doubt("uncertain predicate: before 的", ends_before_de),
)
