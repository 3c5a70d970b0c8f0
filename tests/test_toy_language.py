"""A made-up language in one file: with a parser and four rules, everything works without a change elsewhere."""

import re

import datasets
import pytest
from sentence_transformers import SentenceTransformer

import sda_hf
from sda_hf.grammar.base import GRAMMARS, Grammar
from sda_hf.syntax.clause import Clause, Negator, Phrase, Tree, VerbGroup, Word
from sda_hf.training import Recipe, run

LABELS = {"ne": "advmod", ".": "punct"}  # verbs end in -as and follow their subject; "ne" denies, "devas" obliges


class Toy(Grammar):
    phrases = {"modal-verbs": {"default": ("devas",)}, "double-negation": {"default": ("malveras ke",)}}

    def parser(self, name=None):
        return self

    def sentences(self, texts):
        for text in texts:
            yield (self.words_of(sentence) for sentence in re.finditer(r"[^\s.][^.]*\.", text))

    def words_of(self, sentence):
        forms = list(re.finditer(r"\S+", sentence.group()))
        labels = [LABELS.get(form.group(), "root" if form.group().endswith("as") else "nsubj") for form in forms]
        root, start = labels.index("root"), sentence.start()
        return [
            Word(i, form.group(), form.group()[-2:], labels[i], root, start + form.start(), start + form.end())
            for i, form in enumerate(forms)
        ]

    def clause(self, text, words):
        verb, subject = next(w for w in words if w.label == "root"), words[0]
        no = next((w for w in words if w.text == "ne"), None)
        return Clause(
            text, tuple(words), verb, VerbGroup((verb,), verb), Phrase(subject, subject, subject), None,
            (no,) if no else (), "declarative", False, (), (), words[-1], negation=no and Negator("particle", no),
            tree=Tree(words),
        )  # fmt: skip

    def punctuate(self, clause, rng, *, variant, strategy, coverage):
        return [sda_hf.Edit(clause.subject.last.end, clause.subject.last.end, ",", "comma")]

    def modalise(self, clause, rng, *, phrases, scope, coverage):
        return [sda_hf.Edit(clause.predicate.start, clause.predicate.start, f"{rng.choice(phrases)} ", "modal")]

    def negate(self, clause, *, method, contractions, coverage):
        if clause.negation is not None:
            return [sda_hf.Edit(clause.negation.word.start, clause.predicate.start, "", "ne removed")]
        return [sda_hf.Edit(clause.predicate.start, clause.predicate.start, "ne ", "ne")]

    def negate_twice(self, clause, rng, *, variant, phrases, contractions, coverage):
        inner = self.negate(clause, method="syntactic", contractions=contractions, coverage=coverage)
        return [sda_hf.Edit(0, 0, f"{rng.choice(phrases)} ", "double"), *inner]


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setattr(GRAMMARS, "_entries", dict(GRAMMARS.load()))
    GRAMMARS.register("toy")(Toy())


def test_a_new_language_has_every_rule(tmp_path):
    positive, negative = sda_hf.ModalVerbs(language="toy"), sda_hf.Negation(language="toy")
    assert sda_hf.PunctuationInsertion(language="toy").augment(["kato kuras ."]) == ["kato, kuras ."]
    assert sda_hf.DoubleNegation(language="toy").augment(["kato kuras ."]) == ["malveras ke kato ne kuras ."]
    for sentences, expected in (
        ("first", "kato devas kuras . hundo ne dormas ."),
        ("all", "kato devas kuras . hundo ne devas dormas ."),
    ):
        augmenter = sda_hf.ModalVerbs(language="toy", sentences=sentences)
        assert augmenter.augment(["kato kuras . hundo ne dormas ."]) == [expected]
    assert str(negative.explain("kato ne kuras .")) == "kato ne kuras .\n→ kato kuras .\n  'ne ' → ''  (ne removed)"
    triplets = sda_hf.Triplets(positive, negative)
    rows = datasets.Dataset.from_dict({"text": ["kato kuras ."]}).map(triplets, batched=True, remove_columns=["text"])
    assert rows[0] == {"anchor": "kato kuras .", "positive": "kato devas kuras .", "negative": "kato ne kuras ."}
    (tmp_path / "in.txt").write_text("kato kuras .\nhundo dormas .\n" * 8, encoding="utf-8")
    recipe = {
        "model": {"build": {"layers": 1, "hidden_size": 8, "heads": 1, "intermediate_size": 8, "vocab_size": 100}},
        "data": {"files": str(tmp_path / "in.txt")},
        "augmentation": triplets.get_config_dict(),
        "loss": {"name": "margin-negation-infonce"},
        "training": {"batch_size": 8, "max_steps": 1, "arguments": {"disable_tqdm": True}},
    }
    result = run(Recipe.from_dict(recipe), output=tmp_path / "run")
    assert SentenceTransformer(str(result.output)).encode(["kato kuras ."]).shape == (1, 8)
