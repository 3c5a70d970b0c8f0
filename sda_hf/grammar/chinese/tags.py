"""The tags of the embedded pipeline, those of UD Chinese GSD, and of zh_core_web_*, those of the Chinese Treebank."""

from __future__ import annotations

from sda_hf.syntax.schemes import TagTable

# XPOS → its usual universal part of speech. With another one the tag of a word is "XPOS-UPOS".
UPOS: dict[str, str] = {
    "NN": "NOUN",  # noun
    "NNB": "NOUN",  # classifier, unit of measure or time
    "NNP": "PROPN",  # name
    "VV": "VERB",  # verb
    "VC": "VERB",  # 是, 为 as a verb; VC-AUX is the copula
    "MD": "AUX",  # modal verb
    "AS": "AUX",  # aspect: 了, 着, 过
    "BB": "AUX",  # 被; BB-ADP is 把, 将
    "JJ": "ADJ",  # adjective
    "RB": "ADV",  # adverb; RB-SCONJ is one that links clauses: 也, 而, 就, 但
    "DEC": "PART",  # 的, 之 after a noun; DEC-SCONJ after a relative clause or an adjective
    "DEV": "PART",  # 得; DEV-SCONJ is 地
    "SFN": "PART",  # suffix that makes a noun: 者, 们, 市
    "SFV": "PART",  # suffix that makes a verb: 化
    "SFA": "PART",  # suffix that makes an adjective
    "PFA": "PART",  # prefix: 副, 总, 第
    "PFN": "PART",  # prefix of a noun
    "UH": "PART",  # sentence-final particle: 吗, 呢, 吧
    "IN": "ADP",  # preposition, or localizer: 在, 里, 后
    "CC": "CCONJ",  # conjunction
    "CD": "NUM",  # number
    "DT": "DET",  # determiner
    "PRP": "PRON",  # personal pronoun
    "PRD": "PRON",  # demonstrative pronoun: 这, 此
    "WP": "PRON",  # interrogative pronoun: 谁, 什么
    "FW": "X",  # word in another script
    "XX": "X",  # other
    "ADD": "NOUN",  # address
    "LS": "NUM",  # number of a list item
    "SYM": "SYM",  # symbol
    ",": "PUNCT",
    ".": "PUNCT",
    "EC": "PUNCT",  # 、
    ":": "PUNCT",
    "(": "PUNCT",
    ")": "PUNCT",
    "``": "PUNCT",
    "''": "PUNCT",
    "/": "PUNCT",
    "HYPH": "PUNCT",
    "...": "PUNCT",
    '"': "PUNCT",
}
UNUSUAL = ("VC-AUX", "BB-ADP", "RB-SCONJ", "DEC-SCONJ", "DEV-SCONJ")
# The tags of the Chinese Treebank that GSD has not; those with the same name mean the same.
TREEBANK: dict[str, str] = {
    "AD": "ADV",
    "BA": "ADP",
    "CS": "SCONJ",
    "DEG": "PART",
    "DER": "PART",
    "ETC": "PART",
    "IJ": "INTJ",
    "LB": "AUX",
    "LC": "ADP",
    "M": "NOUN",
    "MSP": "PART",
    "NR": "PROPN",
    "NT": "NOUN",
    "OD": "NUM",
    "ON": "INTJ",
    "P": "ADP",
    "PN": "PRON",
    "PU": "PUNCT",
    "SB": "AUX",
    "SP": "PART",
    "URL": "X",
    "VA": "ADJ",
    "VE": "VERB",
    "X": "X",
}
# What a treebank that has no XPOS gets.
XPOS_OF_UPOS: dict[str, str] = {
    "ADV": "RB",
    "ADJ": "JJ",
    "PROPN": "NNP",
    "NUM": "CD",
    "DET": "DT",
    "CCONJ": "CC",
    "SCONJ": "RB",
    "INTJ": "UH",
    "SYM": "SYM",
    "X": "XX",
}


def tag_table() -> TagTable:
    """Return UPOS and features for each tag.

    Example:
        >>> tag_table()["RB-SCONJ"]
        ('SCONJ', '')
    """
    usual = {tag: (upos, "") for tag, upos in (UPOS | TREEBANK).items()}
    return usual | {tag: (tag.partition("-")[2], "") for tag in UNUSUAL}


def upos_of(tag: str, label: str) -> str:
    """Return the universal part of speech, which in GSD follows from the tag and the label together.

    Example:
        >>> upos_of("VC", "cop"), upos_of("DEC-SCONJ", "case")
        ('AUX', 'PART')
    """
    xpos = tag.partition("-")[0]
    if xpos == "VC":
        return "AUX" if label == "cop" else "VERB"
    if xpos == "RB":
        return "SCONJ" if label == "mark" else "ADV"
    if xpos in ("DEC", "DEV"):
        return "SCONJ" if label in ("mark:rel", "mark:adv") else "PART"
    if xpos == "BB":
        return "ADP" if label == "case" else "AUX"
    return UPOS[xpos]
