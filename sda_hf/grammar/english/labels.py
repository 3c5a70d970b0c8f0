"""Groups of Penn Treebank tags and Universal Dependencies labels used by the rules of English."""

from __future__ import annotations

# Penn Treebank tags of finite verbs. LEXICAL adds VBN: a participle without an auxiliary is a mistagged past form.
LEXICAL_FINITE = frozenset({"VBD", "VBZ", "VBP"})
FINITE = LEXICAL_FINITE | {"MD"}
LEXICAL = LEXICAL_FINITE | {"VBN"}
PLAIN = ("VB", "VBP")
PARTICIPLES = ("VBN", "VBG")
NOUNS = ("NN", "NNS", "NNP", "NNPS")
PLURAL_NOUNS = ("NNS", "NNPS")
WH = ("WP", "WRB", "WDT")
# Tags of the words that a descriptive phrase can begin with.
OPENINGS = frozenset({"JJ", "JJR", "JJS", "RB", "RBR", "RBS", "DT", "PRP$", "CD", "GW", *NOUNS})
POS_OF_TAG = {"JJ": "ADJ", "RB": "ADV", "NN": "NOUN", "VB": "VERB"}

# Universal Dependencies labels.
SUBJECTS = ("nsubj", "csubj")
AUXILIARIES = ("aux", "cop")
SUBORDINATE = ("advcl", "ccomp", "acl:relcl", "advcl:relcl")
CLAUSAL = frozenset({*SUBORDINATE, "csubj", "csubj:pass", "acl", "parataxis", "conj", "list"})
EMBEDDED = frozenset({"acl", "advcl", "ccomp", "csubj", "xcomp", "parataxis"})
# Dependents inside a noun phrase, before its head.
PRENOMINAL = ("compound", "nmod:poss", "det", "amod")
# Clauses that may be the claim when the root is a heading or a name.
LOOSE_CLAUSES = ("parataxis", "list", "appos", "ccomp", "dislocated")
# Dependents that are not part of the claim.
OUTSIDE = ("cc", "discourse", "vocative", "parataxis", "list", "dislocated", "punct", "dep", "mark")
ARGUMENTS = ("nsubj", "nsubj:pass", "obj", "iobj", "xcomp", "root")
# Where a quantifier changes its form under a negation; the last one does not apply to "some".
QUANTIFIED = ("obj", "iobj", "nsubj", "xcomp", "obl")
