"""Sentences of other languages, and English ones that look like them."""

import gzip
from pathlib import Path

import pytest

import sda_hf

REASON = "not in English"
DEV = Path(__file__).parents[3].parent / "shared" / "data" / "ud" / "en_ewt-dev.conllu.gz"
FOREIGN = """
Das ist ein Haus.
Die Kinder spielen im Garten.
Er hat gestern ein neues Auto gekauft.
Im Jahr 1996 wurde die Band gegründet.
Le chat dort sur le lit.
Nous avons mangé dans un petit restaurant.
Où est la gare ?
Los niños juegan en el jardín.
No tengo tiempo.
I bambini giocano in giardino.
De kinderen spelen in de tuin.
Barnen leker i trädgården.
Dzieci bawią się w ogrodzie.
"""
# Names, loans, slips and short sentences.
ENGLISH = """
Pho tastes great.
Renato Russo was a Brazilian composer.
Ludwig van Beethoven died in Vienna.
Sushi and sashimi taste good.
He ordered spaghetti alla puttanesca.
i luv dis place
Wifi works.
Kowalski lives nearby.
Maria speaks four languages.
Thursday, 6 June 2013, 7.30 pm
She said "auf Wiedersehen" twice.
Run!
"""
AUGMENTERS = (
    sda_hf.Negation(),
    sda_hf.ModalVerbs(),
    sda_hf.DoubleNegation(),
    sda_hf.StatementDenial(),
    sda_hf.PunctuationInsertion(),
    sda_hf.AntonymSubstitute(),
    sda_hf.SynonymReplacement(),
)


@pytest.mark.parametrize("text", FOREIGN.strip().splitlines())
def test_no_rule_rewrites_another_language(text):
    rewrites = [augmenter.explain(text) for augmenter in AUGMENTERS]
    assert [rewrite.text for rewrite in rewrites if rewrite.skipped is None] == []
    assert REASON in [rewrite.skipped for rewrite in rewrites]


@pytest.mark.parametrize("text", ENGLISH.strip().splitlines())
def test_unknown_words_alone_are_not_another_language(text):
    assert REASON not in [augmenter.explain(text).skipped for augmenter in AUGMENTERS]


def test_full_coverage_rewrites_it_all_the_same():
    assert sda_hf.Negation(coverage="full").explain("Das ist ein Haus.").skipped is None


@pytest.mark.skipif(not DEV.exists(), reason=f"no real sentences: {DEV}")
def test_fewer_than_three_in_a_thousand_english_sentences_are_lost():
    with gzip.open(DEV, "rt", encoding="utf-8") as lines:
        texts = [line.removeprefix("# text = ").rstrip("\n") for line in lines if line.startswith("# text = ")]
    lost = [rewrite.original for rewrite in sda_hf.Negation().rewrite(texts) if rewrite.skipped == REASON]
    assert "A la guerre c'est comme a la guerre!" in lost
    assert len(lost) < 0.003 * len(texts)
