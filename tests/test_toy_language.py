"""A made-up language in one file: parser and four rules, and everything works on it without a change elsewhere."""

import datasets
import pytest

import sda_hf
from sda_hf.grammar.base import GRAMMARS, Grammar
from sda_hf.syntax.clause import Clause, Negator, Phrase, Tree, VerbGroup, Word
from sda_hf.training import Recipe

# Verbs end in -as and stand behind their subject; "ne" denies, and "devas" obliges.
LABELS = {"ne": "advmod", ".": "punct"}


class ToyParser:
    def sentences(self, texts):
        for text in texts:
            words, start = [], 0
            for i, form in enumerate(text.split()):
                start = text.index(form, start)
                label = LABELS.get(form, "root" if form.endswith("as") else "nsubj")
                words.append(Word(i, form, form[-2:], label, i, start, start := start + len(form)))
            root = next((w.index for w in words if w.label == "root"), 0)
            heads = [Word(w.index, w.text, w.tag, w.label, root, w.start, w.end) for w in words]
            yield iter([heads] if heads else [])


class Toy(Grammar):
    phrases = {"modal-verbs": ("devas",), "double-negation": ("malveras ke",)}

    def parser(self, name=None):
        return ToyParser()

    def clause(self, text, words):
        verb, subject = next(w for w in words if w.label == "root"), words[0]
        no = next((w for w in words if w.text == "ne"), None)
        return Clause(
            text, tuple(words), verb, VerbGroup((verb,), verb), Phrase(subject, subject, subject), None,
            (no,) if no else (), "declarative", False, (), (), words[-1], negation=no and Negator("particle", no),
            tree=Tree(words),
        )  # fmt: skip

    def punctuate(self, clause, rng, *, variant, strategy):
        end = clause.subject.last.end
        return [sda_hf.Edit(end, end, ",", "comma")]

    def modalise(self, clause, rng, *, phrases, scope):
        return [sda_hf.Edit(clause.predicate.start, clause.predicate.start, f"{rng.choice(phrases)} ", "modal")]

    def negate(self, clause, *, method, contractions):
        if clause.negation is not None:
            return [sda_hf.Edit(clause.negation.word.start, clause.predicate.start, "", "ne removed")]
        return [sda_hf.Edit(clause.predicate.start, clause.predicate.start, "ne ", "ne")]

    def negate_twice(self, clause, rng, *, variant, phrases, contractions):
        inner = self.negate(clause, method="syntactic", contractions=contractions)
        return [sda_hf.Edit(clause.start, clause.start, f"{rng.choice(phrases)} ", "double"), *inner]


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setattr(GRAMMARS, "_entries", dict(GRAMMARS.load()))
    GRAMMARS.register("toy")(Toy())


def test_a_new_language_has_every_rule(tmp_path):
    positive, negative = sda_hf.ModalVerbs(language="toy"), sda_hf.Negation(language="toy")
    assert sda_hf.PunctuationInsertion(language="toy").augment(["kato kuras ."]) == ["kato, kuras ."]
    assert sda_hf.DoubleNegation(language="toy").augment(["kato kuras ."]) == ["malveras ke kato ne kuras ."]
    assert str(negative.explain("kato ne kuras .")) == "kato ne kuras .\n→ kato kuras .\n  'ne ' → ''  (ne removed)"
    rows = datasets.Dataset.from_dict({"text": ["kato kuras ."] * 4}).map(sda_hf.Triplets(positive, negative))
    assert rows[0] | {"text": ""} == {
        "text": "", "anchor": "kato kuras .", "positive": "kato devas kuras .", "negative": "kato ne kuras .",
    }  # fmt: skip
    (tmp_path / "in.txt").write_text("kato kuras .\n" * 8, encoding="utf-8")
    parts = {"positive": positive.get_config_dict(), "negative": negative.get_config_dict()}
    assert Recipe.from_dict(RECIPE | {"data": {"files": [str(tmp_path / "in.txt")]}, "augmentation": parts})
