"""The contract of every registered augmenter in all of its languages; registering one adds it to these tests."""

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

from sda_hf.augmentation import Triplets, from_config
from sda_hf.augmentation.base import views
from sda_hf.augmentation.hub import from_pretrained
from sda_hf.registry import AUGMENTERS

from .languages import KINDS, NAMES, RULES, SAMPLES, WRITERS, make, names_in, offered

CASES = Path(__file__).parents[1] / "cases"


def read_cases(name: str) -> list[tuple[dict, str, str]]:
    with open(CASES / f"{name}.tsv", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(json.loads(row["config"] or "{}"), row["text"], row["expected"]) for row in rows]


@pytest.mark.parametrize("name", NAMES)
def test_has_cases_source_and_limits(name):
    cases = read_cases(name)
    skips = [e for _, _, e in cases if e.startswith("skip: ")]
    enough = (1, 1) if name in ("chain", "one-of", "sometimes") else (10, 4)
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


@pytest.mark.parametrize(("language", "name"), offered())
def test_every_text_is_rewritten_or_skipped_with_a_reason(language, name, viewed):
    random.seed(1)
    before = random.getstate()
    rewrites = make(name, language).rewrite_views(viewed[language])
    assert random.getstate() == before
    assert [r.original for r in rewrites] == SAMPLES[language].texts + SAMPLES[language].nasty
    assert any(r.skipped is None for r in rewrites)
    for r in rewrites:
        assert (r.text == r.original) == (r.skipped is not None) == (r.rule is None) == (not r.edits)
        assert not (r.skipped or "").startswith("internal error"), r.skipped


@pytest.mark.parametrize(("language", "name"), offered(RULES))
@pytest.mark.parametrize("coverage", ["sound", "full"])
def test_everything_outside_the_edits_stays_byte_for_byte(language, name, coverage, viewed):
    for r in make(name, language, coverage=coverage).rewrite_views(viewed[language]):
        end, kept = 0, []
        for edit in sorted(r.edits, key=lambda edit: edit.start):
            kept.append(r.original[end : edit.start])
            end = edit.end
        position = 0
        for piece in [*kept, r.original[end:]]:
            position = r.text.index(piece, position) + len(piece)
        assert "\u0020\u0020" in r.original or "\u0020\u0020" not in r.text
        for foreign in SAMPLES[language].foreign:
            assert (foreign in r.original) == (foreign in r.text)


@pytest.mark.parametrize("language", SAMPLES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_takes_any_string(language, data):
    characters = st.one_of(st.characters(exclude_categories=()), st.sampled_from(SAMPLES[language].letters))
    text = data.draw(st.text(characters, max_size=80))
    parsed = list(views([text], [make("negation", language)]))
    for name in names_in(language, sorted({*NAMES} - WRITERS)):
        note(name)
        for fields in [{"coverage": "full"}, {}] if name in RULES else [{}]:
            (rewrite,) = make(name, language, **fields).rewrite_views(parsed)
            assert (rewrite.text == text) == (rewrite.skipped is not None)
            assert not (rewrite.skipped or "").startswith("internal error"), rewrite.skipped


@pytest.mark.parametrize(("language", "name"), offered(sorted({*NAMES} - {*RULES})))
def test_takes_100000_characters(language, name):
    sample = SAMPLES[language]
    text = sample.sentence * (100_000 // len(sample.sentence))
    assert len(make(name, language).augment([text, sample.short])) == 2


@pytest.mark.parametrize("language", SAMPLES)
def test_a_text_that_is_too_long_to_parse_is_skipped(language):
    sample = SAMPLES[language]
    text = sample.sentence * (21_000 // len(sample.sentence))
    reasons = [r.skipped for r in make("negation", language).rewrite([text, sample.short])]
    assert reasons == ["over 20,000 characters", None]


@pytest.mark.parametrize(("language", "name"), offered())
def test_draws_depend_only_on_seed_text_and_epoch(language, name):
    augmenter, texts = make(name, language), SAMPLES[language].texts
    whole = augmenter.augment(texts * 2)
    assert whole == [augmenter.augment([text])[0] for text in texts] * 2
    assert augmenter.augment(texts[::-1])[::-1] == whole[: len(texts)]
    assert augmenter.with_epoch(0) == augmenter != augmenter.with_epoch(1)


@pytest.mark.parametrize(("language", "name"), offered())
def test_config_round_trip(language, name):
    augmenter = make(name, language, seed=3, output_column="new")
    config = json.loads(json.dumps(augmenter.get_config_dict()))
    again = from_config(config)
    assert again == augmenter
    assert again.get_config_dict() == config
    with pytest.raises(ValueError, match=r"unknown field of .* 'sed': did you mean 'seed'"):
        from_config({**config, "sed": 1})


@pytest.mark.parametrize(("language", "name"), offered())
def test_save_and_load_round_trip(language, name, tmp_path):
    augmenter = make(name, language, seed=3, output_column="new")
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


@pytest.mark.parametrize(("language", "name"), offered())
def test_fingerprint_and_pickle_are_those_of_the_config(language, name, viewed):
    augmenter, equal, other = make(name, language), make(name, language), make(name, language, seed=1)
    fresh = Hasher.hash(augmenter)
    augmenter.rewrite_views(viewed[language][:2])
    assert Hasher.hash(augmenter) == fresh == Hasher.hash(equal) != Hasher.hash(other)
    pickled = pickle.dumps(augmenter)
    assert len(pickled) < 4000
    assert pickle.loads(pickled) == augmenter


@pytest.mark.parametrize("name", [name for name in NAMES if len(AUGMENTERS.get(name).languages) > 1])
def test_another_language_has_another_fingerprint(name):
    prints = {Hasher.hash(make(name, language)) for language in AUGMENTERS.get(name).languages}
    assert len(prints) == len(AUGMENTERS.get(name).languages)


def test_a_new_version_is_not_served_from_the_cache_of_an_old_one(monkeypatch):
    old = Hasher.hash(make("negation"))
    monkeypatch.setattr("sda_hf.augmentation.config.package_version", lambda: "99")
    assert Hasher.hash(make("negation")) != old


@pytest.mark.parametrize("language", SAMPLES)
def test_another_process_with_another_hash_seed_has_the_same_fingerprints_and_draws(language):
    made = [make(name, language) for name in names_in(language)]
    configs = [augmenter.get_config_dict() for augmenter in made]
    # To load a model takes too long.
    texts = [[] if augmenter.models else SAMPLES[language].texts for augmenter in made]
    code = (
        "import json, sys; from datasets.fingerprint import Hasher; from sda_hf.augmentation import from_config; "
        "made = [(from_config(config), texts) for config, texts in json.load(sys.stdin)]; "
        "print(json.dumps([[Hasher.hash(a), a.augment(texts)] for a, texts in made]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(list(zip(configs, texts, strict=True))),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    here = [(from_config(config), given) for config, given in zip(configs, texts, strict=True)]
    assert json.loads(done.stdout) == [[Hasher.hash(a), a.augment(given)] for a, given in here]


@pytest.mark.parametrize(("language", "name"), offered(KINDS))
def test_datasets_map_in_every_form(language, name):
    augmenter, texts = make(name, language), SAMPLES[language].texts
    expected = [augmenter.value(r) for r in augmenter.rewrite(texts)]
    ds = Dataset.from_dict({"text": texts, "id": list(range(len(texts)))})
    column = augmenter.column
    single = ds.map(augmenter)
    assert single.column_names == ["text", "id", column]
    assert list(single[column]) == expected
    assert list(ds.map(augmenter, batched=True, batch_size=3)[column]) == expected
    assert list(ds.map(augmenter, batched=True, num_proc=2)[column]) == expected
    stream = IterableDataset.from_generator(lambda: iter(ds)).map(augmenter, batched=True)
    assert [row[column] for row in stream] == expected
    assert list(ds.with_transform(augmenter)[:][column]) == expected


@pytest.mark.parametrize(("language", "name"), offered(KINDS))
def test_map_is_cached(language, name, tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("\n".join(t or "-" for t in SAMPLES[language].texts), encoding="utf-8")
    ds = Dataset.from_text(str(source), cache_dir=str(tmp_path / "cache"))
    once = ds.map(make(name, language), batched=True)
    again = ds.map(make(name, language), batched=True)
    assert once._fingerprint == again._fingerprint
    assert once.cache_files == again.cache_files
    assert once.cache_files


@pytest.mark.parametrize(("language", "name"), offered(KINDS))
def test_skips_by_policy(language, name):
    augmenter = make(name, language)
    first, last = [text for text in SAMPLES[language].texts if augmenter.explain(text).skipped is None][:2]
    rows = {"text": [first, "", last], "id": [0, 1, 2]}
    keep = "" if augmenter.role == "positive" else None
    assert augmenter(rows)[augmenter.column][1] == keep
    assert make(name, language, on_skip="null")(rows)[augmenter.column][1] is None
    dropped = make(name, language, on_skip="drop")(rows)
    assert dropped["id"] == [0, 2]
    assert None not in dropped[augmenter.column]
    with pytest.raises(ValueError, match="no rewrite of '': empty text"):
        make(name, language, on_skip="raise")({"text": ""})
    with pytest.raises(ValueError, match="on_skip='drop' needs batches"):
        make(name, language, on_skip="drop")({"text": first})


@pytest.mark.parametrize(("language", "name"), offered())
def test_a_negative_is_never_its_own_anchor(language, name, viewed):
    augmenter = make(name, language)
    assert augmenter.policy == ("null" if augmenter.role == "negative" else "keep")
    if augmenter.role != "negative":
        return
    with pytest.raises(ValueError, match="its own negative"):
        dataclasses.replace(augmenter, on_skip="keep")
    for rewrite in augmenter.rewrite_views(viewed[language]):
        assert augmenter.value(rewrite) != rewrite.original


@pytest.mark.parametrize(("language", "name"), offered(KINDS))
def test_augment_gives_what_the_column_of_map_would_hold(language, name):
    augmenter, texts = make(name, language), ["", *SAMPLES[language].texts[:3]]  # nothing rewrites an empty text
    column = list(Dataset.from_dict({"text": texts}).map(augmenter, batched=True)[augmenter.column])
    assert augmenter.augment(texts) == column
    assert column[0] == ("" if augmenter.role == "positive" else None)
    for policy in ("null", "drop"):
        assert make(name, language, on_skip=policy).augment(texts)[0] is None
        assert len(make(name, language, on_skip=policy).augment(texts)) == len(texts)
    with pytest.raises(ValueError, match=r"no rewrite of '': empty text \(on_skip='raise'\)"):
        make(name, language, on_skip="raise").augment(texts)


def test_refuses_values_that_are_not_texts():
    augmenter = make("negation")
    with pytest.raises(TypeError, match="expected a list of texts, got a single str: 'He left.'"):
        augmenter.augment("He left.")
    with pytest.raises(TypeError, match=r"row 1 is None \(NoneType\), not a string"):
        augmenter.augment(["He left.", None])
    with pytest.raises(TypeError, match=r"column 'text', in row 1 of this batch, is 3 \(int\), not a string"):
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


@pytest.mark.parametrize("language", SAMPLES)
def test_triplets_round_trip_and_hash(language):
    triplets = Triplets(make("modal-verbs", language), make("negation", language))
    config = json.loads(json.dumps(triplets.get_config_dict()))
    assert config["name"] == "triplets"
    assert from_config(config) == triplets
    fresh = Hasher.hash(triplets)
    triplets({"text": SAMPLES[language].texts})
    assert Hasher.hash(triplets) == fresh
    assert isinstance(pickle.loads(pickle.dumps(triplets)), Triplets)


@pytest.mark.parametrize("language", SAMPLES)
def test_triplets_share_one_parse(language):
    triplets = Triplets(make("punctuation-noise", language), make("negation", language))
    texts = SAMPLES[language].texts
    rows = Dataset.from_dict({"text": texts}).map(triplets, batched=True, remove_columns=["text"])
    assert set(rows["anchor"]) <= set(texts)
    assert all(anchor != negative for anchor, negative in zip(rows["anchor"], rows["negative"], strict=True))
