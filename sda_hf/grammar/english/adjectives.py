"""Intensifiers on gradable adjectives.

The code published with SDA (LREC-COLING 2024) does this too, on any adjective; here only on those that
have degrees: "a very old house", but not "very public transport".
"""

from __future__ import annotations

import random

from sda_hf.grammar.edits import Edit, Skip, before, swap
from sda_hf.syntax.clause import Clause, Word
from sda_hf.syntax.english.lexicon import CLAUSAL, NEGATORS

INTENSIFIERS = ("very", "really")
NO_ADJECTIVE = Skip("no gradable adjective")
# Adjectives with degrees, as predicates and before a noun.
EVALUATIVE = frozenset(
    "accurate affordable aggressive ambitious amusing angry annoying anxious attractive awkward bad beautiful "
    "boring brave brief bright brilliant busy calm careful careless caring charming cheerful clean clear clever "
    "clumsy colorful colourful comfortable common competent competitive complex complicated confident confusing "
    "convenient convincing cosy courteous cozy crazy creative creepy cruel curious cute dangerous dedicated "
    "delicate demanding depressing detailed difficult dirty disappointing dry dull durable eager easy "
    "effective efficient elegant embarrassing enjoyable enthusiastic exciting expensive experienced extensive "
    "famous fancy fashionable fierce flexible formal fortunate fragile frequent fresh friendly frightening "
    "frustrating fun funny generous gentle good graceful grateful greasy handsome handy happy harmful harsh "
    "healthy heavy helpful honest hostile humble hungry important impressive influential informative intelligent "
    "intense interesting jealous kind knowledgeable large lazy lively lonely loud lovely lucky lush messy modest "
    "mysterious nasty neat nervous nice noisy odd old painful patient peaceful pleasant pleased polite poor "
    "popular powerful practical precise pretty productive professional profitable promising proud prominent quick "
    "quiet rare realistic reasonable reliable relaxing respectful rich romantic rude sad safe scary selfish "
    "sensible sensitive serious shy sick significant silly simple skilful skillful sleepy slow small smart smooth "
    "soft spacious special spicy steep strange stressful strict strong stubborn stupid stylish successful sunny "
    "supportive surprising suspicious sweet talented tall tasty tender tense thick thin thoughtful tidy tired "
    "tiring tough touching tricky ugly unclear uncomfortable uneasy unfair unfortunate unfriendly unhappy "
    "unhealthy unlikely unpleasant unpopular unprofessional unreliable unsafe unusual upsetting useful useless "
    "valuable varied violent vague warm weak wealthy weird welcoming wide wise witty wonderful young".split()
)
# Adjectives with degrees that make fixed terms with many nouns ("high school", "hot dog"): as predicates only.
PREDICATIVE = frozenset(
    "afraid alert alike bitter bored broad busy cheap close cold cool confused crowded dark deep disappointed early "
    "embarrassed excited fair far fast fat firm flat frightened glad hard high hot impressed interested keen late "
    "light likely long loose low mild narrow near new pale rough satisfied scared sharp short sorry sure "
    "surprised thankful tight touched upset wet worried".split()
)
# Adjectives of judgement without degrees: "Great food." says something of the food, "Italian food." what it is.
EXTREME = frozenset(
    "amazing appalling awesome awful delicious delightful disgusting dreadful excellent fabulous fantastic fine "
    "gorgeous great hilarious horrible huge ideal impeccable incredible magnificent marvelous outrageous outstanding "
    "perfect phenomenal ridiculous spectacular splendid stunning sufficient superb superior terrible terrific tiny top "
    "unbelievable worthless enough much real true sorry okay ok".split()
)
JUDGEMENTS = EVALUATIVE | PREDICATIVE | EXTREME
GREETING_NOUNS = frozenset("morning afternoon evening night day luck friday news".split())


def intensify(clause: Clause, rng: random.Random) -> list[Edit] | Skip:
    """An intensifier before the first gradable adjective of the main claim.

    Args:
        clause: the main clause.
        rng: draws the intensifier.
    """
    word = next((w for w in clause.words if _is_gradable(clause, w)), None)
    if word is None:
        return NO_ADJECTIVE
    new = rng.choice(INTENSIFIERS)
    rule = "intensifier on an adjective"
    edits = before(clause, word, new, rule)
    previous = clause.words[word.index - 1] if word.index > 0 else None
    if previous is not None and previous.lower == "an":  # "very" and "really" begin with a consonant
        edits.append(swap(previous, "a", rule))
    return edits


def _is_gradable(clause: Clause, word: Word) -> bool:
    if word.tag != "JJ" or not _in_main_claim(clause, word) or _is_modified(clause, word):
        return False
    if word.label == "amod":
        noun = clause.words[word.head]
        common = word.lower in EVALUATIVE and noun.tag in ("NN", "NNS") and noun.lower not in GREETING_NOUNS
        return common and word.index < noun.index and not clause.words[word.index - 1].tag.startswith("JJ")
    predicate = word.index == clause.predicate.index or word.label in ("xcomp", "conj")
    return predicate and word.lower in EVALUATIVE | PREDICATIVE


def _is_modified(clause: Clause, word: Word) -> bool:
    """A degree, a negation or a comparison stands with the adjective, or it is part of a compound."""
    previous = clause.words[word.index - 1] if word.index > 0 else None
    if previous is not None and (previous.tag.startswith("RB") or previous.lower in ("how", "so", "as", "that", "no")):
        return True
    if any(w.index < word.index for w in clause.children(word, "advmod", "compound", "obl")):
        return True
    glued = clause.text[word.end : word.end + 1] in ("-", "'", "’") or (previous and previous.end == word.start)  # noqa: RUF001
    return bool(glued)


def _in_main_claim(clause: Clause, word: Word) -> bool:
    """No negation governs the adjective, and no clause stands between it and the predicate."""
    if clause.negators or any(w.lower in (*NEGATORS, "no", "never", "without") for w in clause.words[: word.index]):
        return False
    while word.index != clause.predicate.index:
        if word.label in CLAUSAL - {"conj"} or word.head == word.index:
            return False
        word = clause.words[word.head]
    return True
