"""The same sentences as parsed by both kinds of parser: Universal Dependencies and the spaCy core models.

The core analyses follow the documented output of en_core_web_* (ClearNLP labels).
"""

import pytest
import spacy
from spacy.tokens import Doc

VOCAB = spacy.blank("en").vocab

# name: words, (PTB tag, UD label, UD head, core label, core head) for each
SENTENCES = {
    "copula": (
        "The house is old .",
        ["DT det 1 det 1", "NN nsubj 3 nsubj 2", "VBZ cop 3 ROOT 2", "JJ ROOT 3 acomp 2", ". punct 3 punct 2"],
    ),
    "noun predicate": (
        "She is not a doctor .",
        [
            "PRP nsubj 4 nsubj 1",
            "VBZ cop 4 ROOT 1",
            "RB advmod 4 neg 1",
            "DT det 4 det 4",
            "NN ROOT 4 attr 1",
            ". punct 4 punct 1",
        ],
    ),
    "place": (
        "He is in the garden .",
        [
            "PRP nsubj 4 nsubj 1",
            "VBZ cop 4 ROOT 1",
            "IN case 4 prep 1",
            "DT det 4 det 4",
            "NN ROOT 4 pobj 2",
            ". punct 4 punct 1",
        ],
    ),
    "passive": (
        "The bridge was built by monks .",
        [
            "DT det 1 det 1",
            "NN nsubj:pass 3 nsubjpass 3",
            "VBD aux:pass 3 auxpass 3",
            "VBN ROOT 3 ROOT 3",
            "IN case 5 agent 3",
            "NNS obl:agent 3 pobj 4",
            ". punct 3 punct 3",
        ],
    ),
    "negated": (
        "They did n't see us .",
        [
            "PRP nsubj 3 nsubj 3",
            "VBD aux 3 aux 3",
            "RB advmod 3 neg 3",
            "VB ROOT 3 ROOT 3",
            "PRP obj 3 dobj 3",
            ". punct 3 punct 3",
        ],
    ),
    "existential": (
        "There is a way .",
        ["EX expl 1 expl 1", "VBZ ROOT 1 ROOT 1", "DT det 3 det 3", "NN nsubj 1 attr 1", ". punct 1 punct 1"],
    ),
    "question": (
        "Is he coming ?",
        ["VBZ aux 2 aux 2", "PRP nsubj 2 nsubj 2", "VBG ROOT 2 ROOT 2", ". punct 2 punct 2"],
    ),
    "command": (
        "Close the door .",
        ["VB ROOT 0 ROOT 0", "DT det 2 det 2", "NN obj 0 dobj 0", ". punct 0 punct 0"],
    ),
    "coordinated": (
        "He came , saw and won .",
        [
            "PRP nsubj 1 nsubj 1",
            "VBD ROOT 1 ROOT 1",
            ", punct 3 punct 1",
            "VBD conj 1 conj 1",
            "CC cc 5 cc 3",
            "VBD conj 1 conj 3",
            ". punct 1 punct 1",
        ],
    ),
    "relative clause": (
        "The man who called left when it rained .",
        [
            "DT det 1 det 1",
            "NN nsubj 4 nsubj 4",
            "WP nsubj 3 nsubj 3",
            "VBD acl:relcl 1 relcl 1",
            "VBD ROOT 4 ROOT 4",
            "WRB advmod 7 advmod 7",
            "PRP nsubj 7 nsubj 7",
            "VBD advcl 4 advcl 4",
            ". punct 4 punct 4",
        ],
    ),
    "modal perfect passive": (
        "It could have been stolen .",
        [
            "PRP nsubj:pass 4 nsubjpass 4",
            "MD aux 4 aux 4",
            "VB aux 4 aux 4",
            "VBN aux:pass 4 auxpass 4",
            "VBN ROOT 4 ROOT 4",
            ". punct 4 punct 4",
        ],
    ),
    "wh-question": (
        "Why did she leave ?",
        ["WRB advmod 3 advmod 3", "VBD aux 3 aux 3", "PRP nsubj 3 nsubj 3", "VB ROOT 3 ROOT 3", ". punct 3 punct 3"],
    ),
    "quantified subject": (
        "All students passed .",
        ["DT det 1 det 1", "NNS nsubj 2 nsubj 2", "VBD ROOT 2 ROOT 2", ". punct 2 punct 2"],
    ),
    "used to": (
        "He used to smoke .",
        ["PRP nsubj 1 nsubj 1", "VBD ROOT 1 ROOT 1", "TO mark 3 aux 3", "VB xcomp 1 xcomp 1", ". punct 1 punct 1"],
    ),
    "adverb": (
        "She often sings .",
        ["PRP nsubj 2 nsubj 2", "RB advmod 2 advmod 2", "VBZ ROOT 2 ROOT 2", ". punct 2 punct 2"],
    ),
    "negative word": ("Nobody came .", ["NN nsubj 1 nsubj 1", "VBD ROOT 1 ROOT 1", ". punct 1 punct 1"]),
    "polite command": (
        "Please sit down .",
        ["UH discourse 1 intj 1", "VB ROOT 1 ROOT 1", "RP compound:prt 1 prt 1", ". punct 1 punct 1"],
    ),
    "object with some": (
        "He has some money .",
        ["PRP nsubj 1 nsubj 1", "VBZ ROOT 1 ROOT 1", "DT det 3 det 3", "NN obj 1 dobj 1", ". punct 1 punct 1"],
    ),
    "copula and verb": (
        "She is tall and has friends .",
        [
            "PRP nsubj 2 nsubj 1",
            "VBZ cop 2 ROOT 1",
            "JJ ROOT 2 acomp 1",
            "CC cc 4 cc 1",
            "VBZ conj 2 conj 1",
            "NNS obj 4 dobj 4",
            ". punct 2 punct 1",
        ],
    ),
    "fragment": ("Great food .", ["JJ amod 1 amod 1", "NN ROOT 1 ROOT 1", ". punct 1 punct 1"]),
    "small clause": (
        "The news made us happy .",
        [
            "DT det 1 det 1",
            "NN nsubj 2 nsubj 2",
            "VBD ROOT 2 ROOT 2",
            "PRP obj 2 nsubj 4",
            "JJ xcomp 2 ccomp 2",
            ". punct 2 punct 2",
        ],
    ),
    "place question": (
        "Where are the keys ?",
        ["WRB ROOT 0 advmod 1", "VBP cop 0 ROOT 1", "DT det 3 det 3", "NNS nsubj 0 nsubj 1", ". punct 0 punct 1"],
    ),
    "fronted phrase": (
        "After lunch , we left .",
        [
            "IN case 1 prep 4",
            "NN obl 4 pobj 0",
            ", punct 1 punct 4",
            "PRP nsubj 4 nsubj 4",
            "VBD ROOT 4 ROOT 4",
            ". punct 4 punct 4",
        ],
    ),
    "fronted clause as the root": (
        "If it snows we will stay .",
        [
            "IN mark 2 mark 2",
            "PRP nsubj 2 nsubj 2",
            "VBZ advcl 5 ROOT 2",
            "PRP nsubj 5 nsubj 5",
            "MD aux 5 aux 5",
            "VB ROOT 5 ccomp 2",
            ". punct 5 punct 2",
        ],
    ),
}


@pytest.fixture
def doc():
    return build


def build(name: str, scheme: str) -> Doc:
    text, rows = SENTENCES[name]
    cells = [row.split() for row in rows]
    label, head = (1, 2) if scheme == "ud" else (3, 4)
    words = text.split()
    spaces = [i + 1 < len(words) and words[i + 1] not in (".", "?", "n't", ",") for i in range(len(words))]
    return Doc(
        VOCAB,
        words=words,
        spaces=spaces,
        tags=[c[0] for c in cells],
        deps=[c[label] for c in cells],
        heads=[int(c[head]) for c in cells],
    )


def pytest_generate_tests(metafunc):
    if "sentence" in metafunc.fixturenames:
        metafunc.parametrize("sentence", SENTENCES)
