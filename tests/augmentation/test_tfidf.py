"""TfidfNegatives: scores, probabilities and draws term by term, fitting, and errors."""

import dataclasses
import gzip
import json
import math
import os
import pickle
import subprocess
import sys
import tracemalloc
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from datasets import Dataset, IterableDataset
from hypothesis import given, settings
from hypothesis import strategies as st

from sda_hf import OneOf, TfidfNegatives, Triplets
from sda_hf.augmentation import ModalVerbs, from_config
from sda_hf.augmentation.vocabulary import Vocabulary, terms_of
from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.seeding import uniform

CORPUS = [
    "The cat sleeps on the mat.",
    "The dog sleeps, too: the dog barks!",
    "A bird sings all day",
    "Birds don't bark.",
    "The mat is old and the cat is young.",
    "",
    "It cost 3.50 in 1999.",
]
WIKI = Path(__file__).parents[3] / "shared" / "data" / "text" / "en_wiki.txt.gz"


@pytest.fixture(scope="module")
def fitted():
    return TfidfNegatives(radius=3).fit(CORPUS)


# -- against plain Python ------------------------------------------------------------------------


def words(text):
    return [term.lower() for term in terms_of(text)]


def score(term, terms, frequency, documents, tf):
    share = terms.count(term) / len(terms)
    idf = math.log(documents / frequency.get(term, 1))
    return (math.log(1 + share) if tf == "log" else share) * idf


def statistics(corpus):
    texts = [words(text) for text in corpus if words(text)]
    frequency = Counter(term for terms in texts for term in set(terms))
    return texts, frequency, len(texts)


def probabilities(text, corpus, beta, tf):
    """Eq. 3 and 4, term by term."""
    _, frequency, documents = statistics(corpus)
    terms = words(text)
    scores = [score(term, terms, frequency, documents, tf) for term in terms]
    above = [value - min(scores) for value in scores]
    mean = sum(above) / len(above)
    found = [min(beta * value / mean, 1) if mean else 0.0 for value in above]
    found[scores.index(max(scores))] = 1.0
    return found


def scale(corpus, tf):
    """Return the terms ordered by their largest scores, and these scores."""
    texts, frequency, documents = statistics(corpus)
    largest = {t: max(score(t, terms, frequency, documents, tf) for terms in texts if t in terms) for t in frequency}
    order = sorted(sorted(largest), key=lambda term: largest[term])
    return order, [largest[term] for term in order]


def replacement(term, own_score, draw, corpus, radius, tf):
    order, largest = scale(corpus, tf)
    if term in order:
        place = order.index(term)
        near = [i for i in range(max(place - radius, 0), min(place + radius + 1, len(order))) if i != place]
    else:
        place = sum(value < own_score for value in largest)
        near = list(range(max(place - radius, 0), min(place + radius, len(order))))
    aim = draw * sum(largest[i] for i in near)
    for i in near:
        aim -= largest[i]
        if aim < 0:
            return order[i]
    raise AssertionError


def expected(augmenter, text, corpus):
    """Return the rewrite for the draws of the text."""
    tf, terms = augmenter.tf, words(text)
    key = augmenter._draws.generator(text).getrandbits(64)
    draws = uniform([key], np.array([len(terms)]), columns=2)
    _, frequency, documents = statistics(corpus)
    new = []
    for term, probability, (first, second) in zip(
        terms, probabilities(text, corpus, augmenter.beta, tf), draws, strict=True
    ):
        own = score(term, terms, frequency, documents, tf)
        new.append(replacement(term, own, second, corpus, augmenter.radius, tf) if first < probability else term)
    return new


@pytest.mark.parametrize("tf", ["log", "ratio"])
@pytest.mark.parametrize("radius", [1, 3, 100])
@pytest.mark.parametrize("seed", range(5))
def test_matches_the_algorithm_term_by_term(tf, radius, seed):
    augmenter = TfidfNegatives(tf=tf, radius=radius, seed=seed).fit(CORPUS)
    texts = [*filter(None, CORPUS), "The cat, unheard-of, sleeps again.", "Birds sing: birds!"]
    assert [words(new) for new in augmenter.augment(texts)] == [expected(augmenter, text, CORPUS) for text in texts]


def test_terms_are_ordered_by_their_largest_scores(fitted):
    order, largest = scale(CORPUS, "log")
    assert fitted._scale.terms == order
    np.testing.assert_allclose(fitted._scale.largest, largest)


@settings(max_examples=200, derandomize=True)  # by logarithms of two libraries: a tie may go either way
@given(st.lists(st.text(alphabet="abc dE.", min_size=1, max_size=20), min_size=1, max_size=6), st.integers(0, 50))
def test_matches_the_algorithm_on_any_corpus(corpus, seed):
    if len({word for text in corpus for word in words(text)}) < 2:
        with pytest.raises(InputValueError, match="different term"):
            TfidfNegatives().fit(corpus)
        return
    augmenter = TfidfNegatives(seed=seed, radius=2).fit(corpus)
    for text, new in zip(corpus, augmenter.augment(corpus), strict=True):
        if words(text):
            assert new != text
            _, largest = scale(corpus, "log")
            if min(largest) > 0:  # without any weight the draw is even
                assert words(new) == expected(augmenter, text, corpus)


def test_only_terms_change(fitted):
    text = "  The CAT, who is   Old — sleeps… on a x-45c; 3.50€!\n"
    for seed in range(30):
        rewrite = dataclasses.replace(fitted, seed=seed).explain(text)
        assert rewrite.text != text
        for edit in rewrite.edits:
            old = text[edit.start : edit.end]
            assert old in terms_of(text)
            assert edit.new.lower() != old.lower()
            assert edit.new.lower() in fitted._scale.numbers
            assert not old.isupper() or len(old) == 1 or edit.new == edit.new.upper()
            assert not old[0].isupper() or edit.new[0] == edit.new[0].upper()


# -- ablations -----------------------------------------------------------------------------------


def test_random_choice_and_random_replacement(fitted):
    text = CORPUS[4]
    seen, replaced = Counter(), Counter()
    for seed in range(2000):
        rewrite = dataclasses.replace(fitted, choose="random", replacement="random", seed=seed).explain(text)
        assert rewrite.skipped is None
        seen.update(text[edit.start : edit.end].lower() for edit in rewrite.edits)
        replaced.update(edit.new.lower() for edit in rewrite.edits if text[edit.start : edit.end] == "old")
    count = Counter(words(text))
    for term, times in seen.items():
        assert times / count[term] / 2000 == pytest.approx(0.5, abs=0.05)
    others = len(fitted._scale.terms) - 1
    assert len(replaced) == others
    assert max(replaced.values()) < 2.2 * 1000 / others


def test_at_least_one_term_is_replaced(fitted):
    rare = dataclasses.replace(fitted, beta=1e-9, choose="random")
    assert all(len(rewrite.edits) == 1 for rewrite in rare.rewrite([text for text in CORPUS if text]))


def test_unknown_terms_alone(fitted):
    rewrite = fitted.explain("Quixotic zephyrs")
    assert rewrite.skipped is None
    assert all(edit.new.lower() in fitted._scale.numbers for edit in rewrite.edits)


# -- fitting -------------------------------------------------------------------------------------


def stream():
    yield from ({"text": text} for text in CORPUS)


@pytest.mark.parametrize(
    "corpus",
    [
        tuple(CORPUS),
        (text for text in CORPUS),
        stream(),
        Dataset.from_dict({"text": CORPUS}),
        Dataset.from_dict({"text": CORPUS})["text"],
        IterableDataset.from_generator(stream),
    ],
    ids=["tuple", "generator", "rows", "dataset", "column", "stream"],
)
def test_fits_any_kind_of_corpus(corpus, fitted):
    again = TfidfNegatives(radius=3).fit(corpus)
    assert again == fitted
    assert again.augment(CORPUS) == fitted.augment(CORPUS)


def test_results_do_not_depend_on_chunks(fitted, monkeypatch):
    monkeypatch.setattr("sda_hf.augmentation.vocabulary.CHUNK", 2)
    assert TfidfNegatives(radius=3).fit(CORPUS) == fitted


def test_the_rarest_terms_are_dropped_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr("sda_hf.augmentation.vocabulary.CHUNK", 1)
    texts = [f"common number{i}" for i in range(50)]
    vocabulary = Vocabulary.of(texts, most_terms=10)
    assert "common" in vocabulary.terms
    assert len(vocabulary.terms) <= 10
    assert vocabulary.frequency[vocabulary.terms.index("common")] == 50


def test_save_and_load(fitted, tmp_path):
    fitted.save_pretrained(tmp_path / "una")
    assert sorted(path.name for path in (tmp_path / "una").iterdir()) == [
        "augmenter.json",
        "vocabulary.json",
        "vocabulary.safetensors",
    ]
    loaded = TfidfNegatives.from_pretrained(tmp_path / "una")
    assert loaded == fitted
    assert TfidfNegatives(radius=3, vocabulary=tmp_path / "una") == fitted
    assert loaded.radius == 3
    assert loaded.augment(CORPUS) == fitted.augment(CORPUS)
    config = loaded.get_config_dict()
    assert json.loads(json.dumps(config)) == config
    assert from_config(config) == loaded
    assert len(pickle.dumps(loaded)) < 4000
    assert pickle.loads(pickle.dumps(fitted)).augment(CORPUS) == fitted.augment(CORPUS)
    with pytest.raises(InputFileError, match="already exists: give a new folder"):
        fitted.save_pretrained(tmp_path / "una")


def test_a_saved_augmenter_rewrites_the_same_in_another_process(fitted, tmp_path):
    fitted.save_pretrained(tmp_path / "una")
    code = (
        "import json, sys; from sda_hf import TfidfNegatives; "
        "print(json.dumps(TfidfNegatives.from_pretrained(sys.argv[1]).augment(json.load(sys.stdin))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "una")],
        input=json.dumps(CORPUS),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "5"},
    )
    assert json.loads(done.stdout) == fitted.augment(CORPUS)


def test_map_with_processes_and_in_memory(fitted):
    dataset = Dataset.from_dict({"text": CORPUS * 5})
    expected = [fitted.value(rewrite) for rewrite in fitted.rewrite(CORPUS * 5)]
    assert list(dataset.map(fitted, batched=True, num_proc=2)["negative"]) == expected


def test_composites_fit_their_parts():
    triplets = Triplets(ModalVerbs(), OneOf(TfidfNegatives(), TfidfNegatives(beta=0.3)))
    assert not triplets.is_fitted
    fitted = triplets.fit(CORPUS)
    assert fitted.is_fitted
    assert fitted({"text": CORPUS})["negative"]
    assert ModalVerbs().fit(CORPUS) == ModalVerbs()


# -- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"beta": 0}, InputValueError, "beta=0: give a number greater than 0 and at most 1"),
        ({"beta": 1.5}, InputValueError, "beta=1.5: give a number greater than 0 and at most 1"),
        ({"beta": "0.5"}, InputTypeError, "beta='0.5' is not a number"),
        ({"radius": 0}, InputValueError, "radius=0: give an integer from 1 to 1,000,000,000"),
        ({"radius": 2.0}, InputTypeError, r"radius=2\.0: give an integer from 1 to 1,000,000,000"),
        ({"tf": "raw"}, InputValueError, "tf='raw' is not allowed: give one of 'log', 'ratio'"),
        ({"choose": "all"}, InputValueError, "choose='all' is not allowed"),
        ({"replacement": "all"}, InputValueError, "replacement='all' is not allowed"),
        ({"vocabulary": 3}, InputTypeError, "vocabulary=3: give a folder that save_pretrained wrote, or call fit"),
        (
            {"vocabulary": "/no/such"},
            InputFileError,
            r"/no/such: no readable vocabulary: vocabulary\.json",
        ),
    ],
)
def test_refuses_bad_values(config, error, message):
    with pytest.raises(error, match=message):
        TfidfNegatives(**config)


def test_refuses_to_rewrite_before_it_is_fitted():
    with pytest.raises(InputValueError, match=r"is not fitted: call fit\(sentences\), or from_pretrained\(folder"):
        TfidfNegatives().augment(["He left."])


def test_refuses_a_config_of_a_vocabulary_in_memory(fitted):
    with pytest.raises(InputValueError, match=r"only in memory, where no config can refer to it: use save_pretrained"):
        fitted.get_config_dict()


@pytest.mark.parametrize(
    ("corpus", "error", "message"),
    [
        ("One sentence.", InputTypeError, "a corpus is a list of sentences, .* got str"),
        (3, InputTypeError, "got int"),
        ([], InputValueError, r"0 different term\(s\) in 0 sentence\(s\)"),
        (["same same", "..."], InputValueError, r"1 different term\(s\) in 1 sentence\(s\)"),
        (["fine", None], InputTypeError, r"row 1 is None \(NoneType\)"),
        ([{"body": "x"}], InputValueError, "no text column"),
    ],
)
def test_refuses_a_corpus(corpus, error, message):
    with pytest.raises(error, match=message):
        TfidfNegatives().fit(corpus)


def test_refuses_a_broken_folder(fitted, tmp_path):
    folder, other = tmp_path / "una", tmp_path / "other"
    fitted.save_pretrained(folder)
    TfidfNegatives().fit(CORPUS[:3]).save_pretrained(other)
    table = folder / "vocabulary.safetensors"
    whole = table.read_bytes()
    table.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputFileError, match="no readable vocabulary"):
        TfidfNegatives.from_pretrained(folder).augment(CORPUS)
    table.write_bytes((other / "vocabulary.safetensors").read_bytes())
    with pytest.raises(InputFileError, match=r"does not belong to vocabulary\.json: save the vocabulary again"):
        TfidfNegatives.from_pretrained(folder).augment(CORPUS)
    (folder / "augmenter.json").unlink()
    with pytest.raises(InputFileError, match=r"does not hold a readable augmenter: augmenter\.json"):
        TfidfNegatives.from_pretrained(folder)


# -- on real text --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wiki():
    if not WIKI.is_file():
        pytest.skip("needs shared/data/text")
    with gzip.open(WIKI, "rt", encoding="utf-8") as lines:
        return [line.strip() for line in lines][:10_000]


@pytest.mark.parametrize("beta", [0.3, 0.5])
def test_the_share_of_replaced_terms_is_beta(wiki, beta):
    augmenter = TfidfNegatives(beta=beta).fit(wiki)
    rewrites = augmenter.rewrite(wiki)
    assert all(rewrite.skipped is None for rewrite in rewrites)
    share = sum(len(rewrite.edits) for rewrite in rewrites) / sum(len(terms_of(text)) for text in wiki)
    assert share == pytest.approx(beta, abs=0.02)


def test_memory_depends_on_the_terms_alone(wiki):
    def repeated(times):
        for _ in range(times):
            yield from wiki

    peaks = []
    for times in (2, 6):
        tracemalloc.start()
        Vocabulary.of(repeated(times))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]
