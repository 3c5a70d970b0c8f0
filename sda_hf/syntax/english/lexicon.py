"""Word classes of English that are closed, and groups of labels."""

from __future__ import annotations

FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
NEGATORS = frozenset({"not", "n't", "nt"})
SUBJECTS = ("nsubj", "csubj")
AUXILIARIES = ("aux", "cop")
SUBORDINATE = ("advcl", "ccomp", "acl:relcl", "advcl:relcl")
CLAUSAL = frozenset({*SUBORDINATE, "csubj", "csubj:pass", "acl", "parataxis", "conj", "list"})
EMBEDDED = frozenset({"acl", "advcl", "ccomp", "csubj", "xcomp", "parataxis"})
INNER = ("compound", "nmod:poss", "det", "amod")
NO_VERBS = frozenset({"am", "thank"})  # "11:45 AM"
LOOSE = ("parataxis", "list", "appos", "ccomp", "dislocated")
SUBJECT_PRONOUNS = frozenset("i you he she it we they there who this that these those".split())
# A plain form without a subject is a command, but for these set phrases.
FORMULAE = frozenset({"thank", "thanks", "congratulations", "welcome"})
FINITE_BE = frozenset({"am", "are", "is", "was", "were", "'m", "'re", "'s"})
DO = frozenset({"do", "does", "did"})
# What a tag question is made of: "doesn't he", "shall we", "is there".
OPERATORS = FINITE_BE | frozenset(
    "has have had do does did can ca could will wo would shall sha should must might may need".split()
)
TAG_PRONOUNS = frozenset("i you he she it we they there this that".split())
QUOTES = frozenset('"“”„«»')
# Without a subject these leave out "I": "Hope to see you soon."
FEELINGS = frozenset("hope wish guess miss agree hate love doubt suppose appreciate".split())
CLOSING = frozenset("\"'”’)]»")  # noqa: RUF001
END_MARKS = frozenset(".!?…。！？")  # noqa: RUF001
