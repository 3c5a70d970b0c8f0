"""The contract of every registered augmenter; registering one adds it to these tests."""

import csv
import dataclasses
import json
import os
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from datasets import Dataset, IterableDataset
from datasets.fingerprint import Hasher
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from sda_hf.augmentation import Augmenter, TfidfNegatives, Triplets, from_config
from sda_hf.augmentation.base import views
from sda_hf.augmentation.hub import from_pretrained
from sda_hf.registry import AUGMENTERS

CASES = Path(__file__).parents[1] / "cases"
# Arguments that some of them need.
NEEDS = {
    "one-of": {"augmenters": [{"name": "punctuation-insertion"}, {"name": "modal-verbs"}]},
    "sometimes": {"augmenter": {"name": "modal-verbs"}, "proportion": 0.5},
}
# The composites of several columns have tests of their own.
NAMES = sorted(set(AUGMENTERS) - {"triplets", "opposition-squares"})
# One of each kind, to test the behaviour of the base class.
KINDS = ["negation", "punctuation-noise", "one-of", "tfidf-negatives", "random-contextual-words"]
# Augmenters that rewrite many texts at once or draw among parts, so that a result could depend on the other texts.
BATCHED = ["one-of", "sometimes", "tfidf-negatives", "random-contextual-words", "paraphrase", "back-translation"]
TEXTS = [
    "He travelled widely in Europe.",
    "She sold the old house to her brother.",
    "The small dog bit him.",
    "Is the shop open on Sundays?",
    "",
    "Close the window before you leave.",
    "We can't wait, but they never come on time.",
    "Great food!",
    "The man who lives next door has been painting his fence since Monday.",
    "🙂",
]
NASTY = [
    "   ",
    "\u0000\u0007 control \u200b characters",
    "🙂🙂 He likes it 🙂",
    "\ud800 lone \udfff surrogate is here.",
    "שלום עולם. He is here.",
    "<p>He <b>is</b> here.</p><br/>",
    "今天天气很好。",
    "I'm\r\nhere.\u2028And there.",
    "x" * 5000,
    "He said so. " * 400,
    "Don't don't don't",
    "'s 'll n't",
    ".",
    "\t\tTabs\tare\there .",
]


@pytest.fixture(scope="session", autouse=True)
def _needed(tmp_path_factory, made_models):
    """Provide the vocabulary and the models that some augmenters need."""
    folder = tmp_path_factory.mktemp("contract") / "vocabulary"
    TfidfNegatives().fit([text for text in TEXTS if text]).save_pretrained(folder)
    NEEDS.update(made_models)
    NEEDS["tfidf-negatives"] = {"vocabulary": str(folder)}


def make(name: str, **fields: object) -> Augmenter:
    return from_config({"name": name, **NEEDS.get(name, {}), **fields})


def read_cases(name: str) -> list[tuple[dict, str, str]]:
    with open(CASES / f"{name}.tsv", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(json.loads(row["config"] or "{}"), row["text"], row["expected"]) for row in rows]


@pytest.mark.parametrize("name", NAMES)
def test_has_cases_source_and_limits(name):
    cases = read_cases(name)
    skips = [e for _, _, e in cases if e.startswith("skip: ")]
    enough = (1, 1) if name in ("one-of", "sometimes") else (10, 4)
    assert (len(cases) - len(skips), len(skips)) >= enough, f"tests/cases/{name}.tsv: too few rewrites or skips"
    cls = AUGMENTERS.get(name)
    assert cls.source
    assert cls.limits
    assert all(isinstance(limit, str) for limit in cls.limits)


@pytest.mark.parametrize(
    ("name", "config", "text", "expected"),
    [pytest.param(name, *case, id=f"{name}-{i}") for name in NAMES for i, case in enumerate(read_cases(name))],
)
def test_case(name, config, text, expected):
    rewrite = make(name, **config).explain(text)
    if expected.startswith("skip: "):
        assert rewrite.skipped == expected.removeprefix("skip: ")
        assert rewrite.text == text
    else:
        assert rewrite.skipped is None
        assert rewrite.text == expected


@pytest.fixture(scope="session")
def viewed():
    """All texts, parsed once for every augmenter."""
    return list(views(TEXTS + NASTY, [make("negation")]))


@pytest.mark.parametrize("name", NAMES)
def test_every_text_is_rewritten_or_skipped_with_a_reason(name, viewed):
    random.seed(1)
    before = random.getstate()
    rewrites = make(name).rewrite_views(viewed)
    assert random.getstate() == before
    assert [r.original for r in rewrites] == TEXTS + NASTY
    assert any(r.skipped is None for r in rewrites)
    for r in rewrites:
        assert (r.text == r.original) == (r.skipped is not None) == (r.rule is None) == (not r.edits)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.text(st.characters(exclude_categories=()), max_size=80))
def test_takes_any_string(text):
    parsed = list(views([text], [make("negation")]))
    for name in sorted(set(NAMES) - {"paraphrase", "back-translation"}):  # those take most of the time
        note(name)
        (rewrite,) = make(name).rewrite_views(parsed)
        assert (rewrite.text == text) == (rewrite.skipped is not None)


@pytest.mark.parametrize("name", sorted({*NAMES} - {n for n in NAMES if AUGMENTERS.get(n).needs == "clause"}))
def test_takes_100000_characters(name):
    text = "He likes the old house by the sea. " * 3000
    assert len(make(name).augment([text, "He left."])) == 2


def test_a_text_that_is_too_long_to_parse_is_skipped():
    text = "He likes the old house by the sea. " * 600
    assert [r.skipped for r in make("negation").rewrite([text, "He left."])] == ["over 20,000 characters", None]


@pytest.mark.parametrize("name", [*KINDS[:2], *BATCHED])
def test_draws_depend_only_on_seed_text_and_epoch(name):
    augmenter = make(name)
    whole = augmenter.augment(TEXTS * 2)
    assert whole == [augmenter.augment([text])[0] for text in TEXTS] * 2
    assert augmenter.augment(TEXTS[::-1])[::-1] == whole[: len(TEXTS)]
    assert augmenter.with_epoch(0) == augmenter != augmenter.with_epoch(1)


@pytest.mark.parametrize("name", NAMES)
def test_config_round_trip(name):
    augmenter = make(name, seed=3, output_column="new")
    config = json.loads(json.dumps(augmenter.get_config_dict()))
    again = from_config(config)
    assert again == augmenter
    assert again.get_config_dict() == config
    with pytest.raises(ValueError, match=r"unknown field of .* 'sed': did you mean 'seed'"):
        from_config({**config, "sed": 1})


@pytest.mark.parametrize("name", NAMES)
def test_save_and_load_round_trip(name, tmp_path):
    augmenter = make(name, seed=3, output_column="new")
    augmenter.save_pretrained(tmp_path / "saved")
    loaded = type(augmenter).from_pretrained(tmp_path / "saved")
    assert loaded == augmenter
    again = from_pretrained(str(tmp_path / "saved"))
    assert Hasher.hash(again) == Hasher.hash(loaded)
    # A vocabulary is identified by its folder, which has changed.
    assert Hasher.hash(loaded) == Hasher.hash(augmenter) or name == "tfidf-negatives"
    loaded.save_pretrained(tmp_path / "again")
    for path in (tmp_path / "saved").rglob("*"):
        assert path.read_bytes() == (tmp_path / "again" / path.relative_to(tmp_path / "saved")).read_bytes()
        assert path.suffix in (".json", ".safetensors")


@pytest.mark.parametrize("name", NAMES)
def test_fingerprint_and_pickle_are_those_of_the_config(name, viewed):
    augmenter, equal, other = make(name), make(name), make(name, seed=1)
    fresh = Hasher.hash(augmenter)
    augmenter.rewrite_views(viewed[:2])
    assert Hasher.hash(augmenter) == fresh == Hasher.hash(equal) != Hasher.hash(other)
    pickled = pickle.dumps(augmenter)
    assert len(pickled) < 4000
    assert pickle.loads(pickled) == augmenter


def test_a_new_version_is_not_served_from_the_cache_of_an_old_one(monkeypatch):
    old = Hasher.hash(make("negation"))
    monkeypatch.setattr("sda_hf.augmentation.config.package_version", lambda: "99")
    assert Hasher.hash(make("negation")) != old


def test_fingerprints_are_equal_in_another_process_with_another_hash_seed():
    code = (
        "import json, sys; from datasets.fingerprint import Hasher; from sda_hf.augmentation import from_config; "
        "print(json.dumps([Hasher.hash(from_config(c)) for c in json.load(sys.stdin)]))"
    )
    configs = [make(name).get_config_dict() for name in NAMES]
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(configs),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert json.loads(done.stdout) == [Hasher.hash(from_config(c)) for c in configs]


@pytest.mark.parametrize("name", KINDS)
def test_datasets_map_in_every_form(name):
    augmenter = make(name)
    expected = [augmenter.value(r) for r in augmenter.rewrite(TEXTS)]
    ds = Dataset.from_dict({"text": TEXTS, "id": list(range(len(TEXTS)))})
    column = augmenter.column
    single = ds.map(augmenter)
    assert single.column_names == ["text", "id", column]
    assert list(single[column]) == expected
    assert list(ds.map(augmenter, batched=True, batch_size=3)[column]) == expected
    assert list(ds.map(augmenter, batched=True, num_proc=2)[column]) == expected
    stream = IterableDataset.from_generator(lambda: iter(ds)).map(augmenter, batched=True)
    assert [row[column] for row in stream] == expected
    assert list(ds.with_transform(augmenter)[:][column]) == expected


@pytest.mark.parametrize("name", KINDS)
def test_map_is_cached(name, tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("\n".join(t or "-" for t in TEXTS), encoding="utf-8")
    ds = Dataset.from_text(str(source), cache_dir=str(tmp_path / "cache"))
    once = ds.map(make(name), batched=True)
    again = ds.map(make(name), batched=True)
    assert once._fingerprint == again._fingerprint
    assert once.cache_files == again.cache_files
    assert once.cache_files


@pytest.mark.parametrize("name", KINDS)
def test_skips_by_policy(name):
    augmenter = make(name)
    first, last = [text for text in TEXTS if augmenter.explain(text).skipped is None][:2]
    rows = {"text": [first, "", last], "id": [0, 1, 2]}
    keep = "" if augmenter.role == "positive" else None
    assert augmenter(rows)[augmenter.column][1] == keep
    assert make(name, on_skip="null")(rows)[augmenter.column][1] is None
    dropped = make(name, on_skip="drop")(rows)
    assert dropped["id"] == [0, 2]
    assert None not in dropped[augmenter.column]
    with pytest.raises(ValueError, match="no rewrite of '': empty text"):
        make(name, on_skip="raise")({"text": ""})
    with pytest.raises(ValueError, match="on_skip='drop' needs batches"):
        make(name, on_skip="drop")({"text": first})


@pytest.mark.parametrize("name", NAMES)
def test_a_negative_is_never_its_own_anchor(name, viewed):
    augmenter = make(name)
    if augmenter.role != "negative":
        assert augmenter.policy == "keep"
        return
    with pytest.raises(ValueError, match="its own negative"):
        dataclasses.replace(augmenter, on_skip="keep")
    for rewrite in augmenter.rewrite_views(viewed):
        assert augmenter.value(rewrite) != rewrite.original


@pytest.mark.parametrize("name", KINDS)
def test_augment_gives_what_the_column_of_map_would_hold(name):
    texts = ["", *TEXTS[:3]]  # nothing rewrites an empty text
    column = list(Dataset.from_dict({"text": texts}).map(make(name), batched=True)[make(name).column])
    assert make(name).augment(texts) == column
    assert column[0] == ("" if make(name).role == "positive" else None)
    for policy in ("null", "drop"):
        assert make(name, on_skip=policy).augment(texts)[0] is None
        assert len(make(name, on_skip=policy).augment(texts)) == len(texts)
    with pytest.raises(ValueError, match=r"no rewrite of '': empty text \(on_skip='raise'\)"):
        make(name, on_skip="raise").augment(texts)


def test_refuses_values_that_are_not_texts():
    augmenter = make("negation")
    with pytest.raises(TypeError, match="expected a list of texts, got a single str: 'He left.'"):
        augmenter.augment("He left.")
    with pytest.raises(TypeError, match=r"row 1 is None \(NoneType\), not a string"):
        augmenter.augment(["He left.", None])
    with pytest.raises(TypeError, match=r"row 1 of column 'text' is 3 \(int\), not a string"):
        augmenter({"text": ["He left.", 3]})
    with pytest.raises(TypeError, match=r"row 0 is b'x' \(bytes\)"):
        augmenter.augment([b"x"])
    with pytest.raises(ValueError, match="no text column: looked for 'text', .* the columns are 'body'"):
        augmenter({"body": ["He left."]})
    with pytest.raises(ValueError, match="no column 'body': the columns are 'text'"):
        make("negation", input_column="body")({"text": ["He left."]})
    with pytest.raises(TypeError, match="use augmenter.augment"):
        augmenter(["He left."])


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("proportion", 1.5, "proportion=1.5 is outside the range from 0 to 1"),
        ("proportion", "all", "proportion='all' is not a number"),
        ("seed", 0.5, "seed=0.5 is not an integer"),
        ("epoch", None, "epoch=None is not an integer"),
        ("on_skip", "skip", "on_skip='skip' is not allowed: give one of"),
        ("output_column", "", "output_column='' is not a column name"),
    ],
)
def test_refuses_bad_fields(field, value, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make("negation", **{field: value})


@pytest.mark.parametrize("name", NAMES)
def test_checks_the_shared_fields_and_documents_them(name):
    with pytest.raises(ValueError, match=r"proportion=1\.5 is outside the range from 0 to 1"):
        make(name, proportion=1.5)
    documented = re.findall(r"^    \*?(\w+): ", AUGMENTERS.get(name).__doc__, re.MULTILINE)
    fields = [field.name for field in dataclasses.fields(AUGMENTERS.get(name))]
    assert sorted(set(documented) & set(fields)) == sorted(fields)
    assert len(set(documented)) == len(documented)


def test_triplets_round_trip_and_hash():
    config = {"name": "triplets", "positive": {"name": "modal-verbs"}, "negative": {"name": "negation"}}
    triplets = from_config(config)
    assert from_config(json.loads(json.dumps(triplets.get_config_dict()))) == triplets
    fresh = Hasher.hash(triplets)
    triplets({"text": TEXTS})
    assert Hasher.hash(triplets) == fresh
    assert isinstance(pickle.loads(pickle.dumps(triplets)), Triplets)
