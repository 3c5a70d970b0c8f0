"""Find the claim of a sentence: its predicate, verb group and subject."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary
from sda_hf.grammar.chinese.spans import SCOPE, SPEAKER, is_modal, is_negator, is_time, left_edge
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Phrase, Tree, VerbGroup, Word

ASPECT = lexicon.words("particles", "aspect")
REPORTING = lexicon.words("verbs", "reporting")
SAYING = lexicon.words("verbs", "saying")
SUBORDINATING = lexicon.words("conjunctions", "subordinate")
STATIVE = lexicon.words("verbs", "stative")
DEGREE = lexicon.words("adverbs", "degree")
VERB_CLASSES = ("v", "vn", "vi", "a", "z")
PREPOSITIONS = frozenset("给 跟 对 向 在 用 以 为 从 把 被 与 同 比 按 通过 由 替".split())
COUNTED_TIME = frozenset("上 下 个 这 那 本 每 上个 下个 这个 每个 第二 半".split())
NOT_PREDICATES = lexicon.words("verbs", "not-predicates")
QUOTES = frozenset('“”「」『』"')
COMMAS = frozenset("，,；;")
EMBEDDED = ("acl", "acl:relcl", "advcl", "csubj", "ccomp", "appos", "nmod", "mark", "case", "compound", "compound:vv")
CLAUSAL = ("parataxis", "conj", "ccomp", "advcl", "dep", "root")
SUBJECTS = ("nsubj", "csubj")
SUBORDINATE = ("advcl", "ccomp", "xcomp", "acl", "csubj", "parataxis")
NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "PART", "X", "DET", "SYM")


def predicate_of(tree: Tree) -> Word:
    """Return the predicate of the main claim.

    Where a verb only reports what others say, and with a quotation, it is that of the reported clause.
    """
    root = _placed(tree, tree.root)
    if root.label == "ccomp":
        return root
    text = form(root)
    inside = [w for w in tree.children(root, "ccomp", "parataxis") if is_verbal(w)]
    if inside and text in SAYING and any(w.text in QUOTES for w in tree.words):
        return inside[0]
    named = [w for w in inside if w.index > root.index and tree.children(w, *SUBJECTS)]
    if named and text in REPORTING and named[0].label == "ccomp":
        return named[0]
    return root


def _placed(tree: Tree, root: Word) -> Word:
    """Return the predicate of the main clause, where the parser chose another word as the root."""
    if not can_be_predicate(tree, root):
        return _stray_predicate(tree) or _place_verb(tree, root) or root
    root = _led(tree, root)
    comma = _next_comma(tree, root)
    if comma is not None and _opens_subordinate(tree, root):
        later = [w for w in tree.children(root) if w.index > comma and is_verbal(w) and w.label in CLAUSAL]
        return later[-1] if later else root
    return root


def is_verbal(word: Word) -> bool:
    """Whether a word is tagged as a verb or an adjective, or is one with an aspect that the tagger missed."""
    return word.pos in ("VERB", "ADJ") or word.tag in ("VV", "JJ", "VC", "VC-AUX")


def can_be_predicate(tree: Tree, word: Word) -> bool:
    """Whether a word can head a claim: a verb, an adjective, or what a copula links to the subject."""
    if form(word) in NOT_PREDICATES:
        return False
    if any(w.label == "mark:rel" and w.index > word.index for w in tree.children(word)) and word.label == "root":
        return False
    if is_verbal(word) or word.tag == "MD" or tree.children(word, "cop"):
        return True
    if word.pos != "ADP" and tree.children(word, "obj"):
        return True
    return _is_mistagged(tree, word)


def _is_mistagged(tree: Tree, word: Word) -> bool:
    """Whether a root that is not tagged as a verb is one by the dictionary or by the word before it."""
    before = tree.words[word.index - 1] if word.index else None
    own = [w for w in tree.children(word, "nsubj", "advmod", "aux") if w.index < word.index]
    if before is not None and form(before) == "的":
        return False
    if len(form(word)) > 1:
        return bool(own) and dictionary().get(form(word), "") in VERB_CLASSES
    listed = form(word) in STATIVE and word.pos != "ADP"
    led = before is not None and (is_negator(before) or is_modal(before) or form(before) in DEGREE)
    return (form(word) == "像" or listed or led) and bool(own)


def _stray_predicate(tree: Tree) -> Word | None:
    """Return the word that looks most like the predicate of a sentence whose root does not."""
    scored = [(_score(tree, word), -word.index, word) for word in tree.words if word.label != "compound:vv"]
    best = max(scored, default=None, key=lambda entry: entry[:2])
    return best[2] if best is not None and best[0] > 0 else None


def _score(tree: Tree, word: Word) -> int:
    """Return how much a word looks like a predicate by the words beside it; 0 if it is not one."""
    after = tree.words[word.index + 1] if word.index + 1 < len(tree.words) else None
    before = tree.words[word.index - 1] if word.index else None
    verb = is_verbal(word) and word.tag != "MD"
    mistaken = word.tag in ("NN", "RB") and _is_listed_verb(word)
    if not (verb or mistaken) or form(word) in NOT_PREDICATES:
        return 0
    if after is not None and form(after) in ("的", "地", "之"):
        return 0
    marked = after is not None and form(after) in ASPECT and after.pos in ("AUX", "PART")
    led = before is not None and (is_negator(before) or is_modal(before) or before.label.startswith("aux"))
    taking = after is not None and after.pos in ("NOUN", "PROPN", "PRON", "NUM", "DET")
    if mistaken and not (marked or led or (taking and not verb)):
        return 0
    embedded = any(w.label in EMBEDDED for w in [word, *tree.above(word)])
    owns = bool(tree.children(word, *SUBJECTS))
    return (
        2 * (mistaken and taking)
        + 4 * marked
        + 3 * led
        + 3 * owns
        + 2 * verb
        + (not embedded)
        - 2 * (word.label in ("acl:relcl", "acl"))
    )


def _place_verb(tree: Tree, root: Word) -> Word | None:
    """Return 在, the verb of a sentence that says where something is and has no other verb."""
    cases = [w for w in tree.children(root, "case") if form(w) == "在" and w.index > 0]
    return cases[0] if cases and cases[0].index < root.index else None


def _led(tree: Tree, root: Word) -> Word:
    """Return the verb after a root that is an adverb of manner (自动识别) or a preposition (给我们包饺子)."""
    text, place = form(root), root.index
    following = tree.words[place + 1 : place + 2]
    if text in SCOPE and following and (following[0].pos == "VERB" or _is_listed_verb(following[0])):
        return following[0]
    if text in PREPOSITIONS:
        for word in tree.words[place + 2 :]:
            if word.pos == "PUNCT":
                break
            after = tree.words[word.index + 1 : word.index + 2]
            if word.pos == "VERB" and word.label != "compound:vv" and not (after and form(after[0]) in ("的", "地")):
                return word
    return root


def _is_listed_verb(word: Word) -> bool:
    return dictionary().get(form(word), "") in ("v", "vn")


def _next_comma(tree: Tree, word: Word) -> int | None:
    return next((w.index for w in tree.words[word.index :] if w.text in COMMAS), None)


def _opens_subordinate(tree: Tree, word: Word) -> bool:
    """Whether a conjunction that makes a clause subordinate stands before a word, in the same part of the sentence."""
    for other in reversed(tree.words[: word.index]):
        if other.text in COMMAS:
            return False
        if form(other) in SUBORDINATING and other.pos != "NOUN":
            return True
    return False


def verb_group(tree: Tree, predicate: Word) -> VerbGroup | None:
    """Return the modals, 被 and copula of a predicate, and the predicate unless it is a noun; None if there is none."""
    start = left_edge(tree, predicate, aspectual=True)
    group = [w for w in tree.words[start : predicate.index] if _is_auxiliary(w, predicate)]
    if (can_be_predicate(tree, predicate) and not tree.children(predicate, "cop")) or form(predicate) == "在":
        group.append(predicate)
    elif not any(w.label == "cop" for w in group):
        if not group or predicate.pos in NOMINAL:
            return None
        group.append(predicate)
    return VerbGroup(tuple(group), predicate if group[-1] is predicate else None)


def _is_auxiliary(word: Word, predicate: Word) -> bool:
    if word.label in ("cop", "aux:pass"):
        return word.head == predicate.index or word.label == "aux:pass"
    return is_modal(word) and word.label != "advmod"


def subject_of(tree: Tree, predicate: Word) -> Phrase | None:
    """Return the subject: the nearest one before the predicate, or else the nominal words before it."""
    found = [w for w in tree.children(predicate, *SUBJECTS) if w.index < predicate.index]
    found = [w for w in found if not _is_agent(tree, w) and not is_time(w)]
    if found:
        pronouns = [w for w in found if w.pos == "PRON"]
        return _without_time(tree, tree.phrase(pronouns[-1] if pronouns else found[0]))
    return _stray_subject(tree, predicate)


def _without_time(tree: Tree, phrase: Phrase) -> Phrase:
    """Return a subject without the times before it: 周末奶奶."""
    first = phrase.first
    while first.index < phrase.head.index and is_time(first) and form(tree.words[first.index + 1]) != "的":
        first = tree.words[first.index + 1]
    return Phrase(phrase.head, first, phrase.last)


def _is_agent(tree: Tree, noun: Word) -> bool:
    """Whether a noun is the agent after 被."""
    first = tree.phrase(noun).first
    return first.index > 0 and form(tree.words[first.index - 1]) in ("被", "让", "叫", "给")


def _stray_subject(tree: Tree, predicate: Word) -> Phrase | None:
    """Return the nominal words right before the predicate and what belongs to it."""
    end = left_edge(tree, predicate, aspectual=True)
    while end > 0 and (is_time(tree.words[end - 1]) or form(tree.words[end - 1]) in SPEAKER):
        end -= 1
        while end > 0 and is_time(tree.words[end]) and form(tree.words[end - 1]) in COUNTED_TIME:
            end -= 1
    start = end
    while start > 0 and _is_in_subject(tree.words[start - 1]):
        start -= 1
    while start < end and (is_time(tree.words[start]) or form(tree.words[start]) in SPEAKER):
        start += 1
    if start == end or tree.words[end - 1].pos not in ("NOUN", "PROPN", "PRON", "PART", "X", "NUM"):
        return None
    if tree.words[end - 1].label.startswith("case") or form(tree.words[end - 1]) in ("的", "地"):
        return None
    return Phrase(tree.words[end - 1], tree.words[start], tree.words[end - 1])


def _is_in_subject(word: Word) -> bool:
    return word.pos in NOMINAL or form(word) in ("的", "和", "与", "及") or word.pos == "ADJ"


def coordinated_groups(tree: Tree, predicate: Word) -> tuple[VerbGroup, ...]:
    """Return the verb groups of coordinated predicates without a subject of their own."""
    found = []
    for word in tree.children(predicate, "conj"):
        group = verb_group(tree, word) if word.index > predicate.index and is_verbal(word) else None
        if group is not None and not tree.children(word, *SUBJECTS):
            found.append(group)
    return tuple(found)


def subordinate_clauses(tree: Tree, predicate: Word) -> tuple[Phrase, ...]:
    """Return the clauses that depend on the predicate, in text order."""
    return tuple(tree.phrase(w) for w in tree.children(predicate, *SUBORDINATE) if is_verbal(w))
