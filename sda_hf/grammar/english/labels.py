"""Groups of Penn Treebank tags and of Universal Dependencies labels that the rules of English ask for."""

from __future__ import annotations

# Penn Treebank tags of finite verbs; a participle without its auxiliary is a past form that was read wrongly.
LEXICAL_FINITE = frozenset({"VBD", "VBZ", "VBP"})
FINITE = LEXICAL_FINITE | {"MD"}
LEXICAL = LEXICAL_FINITE | {"VBN"}
PLAIN = ("VB", "VBP")
PARTICIPLES = ("VBN", "VBG")
NOUNS = ("NN", "NNS", "NNP", "NNPS")
PLURAL_NOUNS = ("NNS", "NNPS")
WH = ("WP", "WRB", "WDT")
# Tags of the words that a describing phrase opens with.
OPENINGS = frozenset({"JJ", "JJR", "JJS", "RB", "RBR", "RBS", "DT", "PRP$", "CD", "GW", *NOUNS})
POS_OF_TAG = {"JJ": "ADJ", "RB": "ADV", "NN": "NOUN", "VB": "VERB"}

# Universal Dependencies labels.
SUBJECTS = ("nsubj", "csubj")
AUXILIARIES = ("aux", "cop")
SUBORDINATE = ("advcl", "ccomp", "acl:relcl", "advcl:relcl")
CLAUSAL = frozenset({*SUBORDINATE, "csubj", "csubj:pass", "acl", "parataxis", "conj", "list"})
EMBEDDED = frozenset({"acl", "advcl", "ccomp", "csubj", "xcomp", "parataxis"})
# What stands inside a noun phrase, before its head.
PRENOMINAL = ("compound", "nmod:poss", "det", "amod")
# Clauses that may be the claim where the root is a heading or a name.
LOOSE_CLAUSES = ("parataxis", "list", "appos", "ccomp", "dislocated")
# What stands outside of a claim.
OUTSIDE = ("cc", "discourse", "vocative", "parataxis", "list", "dislocated", "punct", "dep", "mark")
ARGUMENTS = ("nsubj", "nsubj:pass", "obj", "iobj", "xcomp", "root")
# Where a quantifier takes another form under a negation; "some" not in the last.
QUANTIFIED = ("obj", "iobj", "nsubj", "xcomp", "obl")
