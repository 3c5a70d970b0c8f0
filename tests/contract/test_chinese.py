"""The contract of every registered augmenter that offers Chinese; registering one adds it to these tests."""

import json
import os
import pickle
import random
import subprocess
import sys

import pytest
from datasets import Dataset, IterableDataset
from datasets.fingerprint import Hasher
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from sda_hf.augmentation import Augmenter, Triplets, from_config
from sda_hf.augmentation.base import views
from sda_hf.augmentation.listing import PARTS, in_language
from sda_hf.registry import AUGMENTERS

OF_COLUMNS = {"triplets", "opposition-squares"}
NAMES = sorted(name for name in {*AUGMENTERS} - OF_COLUMNS if "zh" in AUGMENTERS.get(name).languages)
ENGLISH_ONLY = {"tfidf-negatives", "random-contextual-words"}
# Arguments that some of them need.
NEEDS = dict(PARTS)
# Their models are for English.
MODELS = {"paraphrase", "back-translation"}
RULES = sorted(name for name in NAMES if AUGMENTERS.get(name).needs == "clause")
# One of each kind, to test the behaviour of the base class.
KINDS = ["negation", "punctuation-noise", "one-of"]
TEXTS = [
    "他昨天去了北京。",
    "她把旧房子卖给了她的哥哥。",
    "这家公司关闭了两家商店。",
    "商店星期天开门吗？",
    "",
    "请把窗户关上。",
    "今天的天气很好，我们都很高兴。",
    "雨",
    "他還沒有讀過這本書。",
    "🙂",
]
NASTY = [
    "   ",
    "\u0000\u0007 控制符 \u200b",
    "🙂🙂 他喜欢这个 🙂",
    "\ud800 半个字符\udfff 在这里。",
    "我用GPT-4写了3.5页，见 https://a.b/c?d=1 和 a@b.cn！",
    "<p>他<b>在</b>这里。</p><br/>",
    "He is here.",
    "他说：“我在\r\n这里。”\u2028还有。",
    "好" * 400,
    "他来了。" * 400,
    "不不不没没没",
    "。",
    "\t\t制表符\t在\t这里 。",
    "她在台灣大學讀書，他在台湾大学读书。",
    "ＡＢＣ　１２３　他走了。",
    "𠮷野家开门了。",
]


def make(name: str, language: str = "zh", **fields: object) -> Augmenter:
    return from_config(in_language({"name": name, **NEEDS.get(name, {})}, language) | fields)


@pytest.fixture(scope="session", autouse=True)
def _needed(made_models):
    """Provide models in the place of those that read English."""
    NEEDS.update({name: made_models[name] for name in MODELS})


@pytest.fixture(scope="session")
def viewed():
    """All texts, parsed once for every augmenter."""
    return list(views(TEXTS + NASTY, [make("negation")]))


def test_every_augmenter_offers_chinese_but_for_those_that_cannot():
    assert set(AUGMENTERS) - OF_COLUMNS == {*NAMES, *ENGLISH_ONLY}
    assert len(RULES) >= 9


@pytest.mark.parametrize("name", NAMES)
def test_every_text_is_rewritten_or_skipped_with_a_reason(name, viewed):
    random.seed(1)
    before = random.getstate()
    rewrites = make(name).rewrite_views(viewed)
    assert random.getstate() == before
    assert [r.original for r in rewrites] == TEXTS + NASTY
    for r in rewrites:
        assert (r.text == r.original) == (r.skipped is not None) == (r.rule is None) == (not r.edits)
        assert not (r.skipped or "").startswith("internal error"), r.skipped


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("coverage", ["sound", "full"])
def test_everything_outside_the_edits_stays_byte_for_byte(name, coverage, viewed):
    for r in make(name, coverage=coverage).rewrite_views(viewed):
        end, kept = 0, []
        for edit in sorted(r.edits, key=lambda edit: edit.start):
            kept.append(r.original[end : edit.start])
            end = edit.end
        position = 0
        for piece in [*kept, r.original[end:]]:
            position = r.text.index(piece, position) + len(piece)
        assert "\u0020\u0020" in r.original or "\u0020\u0020" not in r.text
        for foreign in ("GPT-4", "3.5", "https://a.b/c?d=1", "a@b.cn", "🙂🙂", "台灣", "台湾", "１２３"):
            assert (foreign in r.original) == (foreign in r.text)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    text=st.text(
        st.one_of(
            st.characters(exclude_categories=()),
            st.sampled_from("他她我的了过着不没是有在把被会能要很都也去来看见人书天大家，。！？“”：；、 aB1\n"),
        ),
        max_size=60,
    )
)
def test_takes_any_string(text):
    parsed = list(views([text], [make("negation")]))
    for name in sorted(set(NAMES) - MODELS):  # those take most of the time
        note(name)
        for fields in [{"coverage": "full"}, {}] if name in RULES else [{}]:
            (rewrite,) = make(name, **fields).rewrite_views(parsed)
            assert (rewrite.text == text) == (rewrite.skipped is not None)
            assert not (rewrite.skipped or "").startswith("internal error"), rewrite.skipped


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(RULES) - MODELS))
def test_takes_100000_characters(name):
    assert len(make(name).augment(["他喜欢海边的老房子。" * 10_000, "他走了。"])) == 2


def test_a_text_that_is_too_long_to_parse_is_skipped():
    reasons = [r.skipped for r in make("negation").rewrite(["他喜欢海边的老房子。" * 2100, "他走了。"])]
    assert reasons == ["over 20,000 characters", None]


@pytest.mark.parametrize("name", NAMES)
def test_draws_depend_only_on_seed_text_and_epoch(name):
    augmenter = make(name)
    whole = augmenter.augment(TEXTS * 2)
    assert whole == [augmenter.augment([text])[0] for text in TEXTS] * 2
    assert augmenter.augment(TEXTS[::-1])[::-1] == whole[: len(TEXTS)]
    assert augmenter.with_epoch(0) == augmenter != augmenter.with_epoch(1)


@pytest.mark.parametrize("name", NAMES)
def test_config_fingerprint_and_pickle(name, viewed):
    augmenter, equal, other = make(name), make(name), make(name, seed=1)
    config = json.loads(json.dumps(augmenter.get_config_dict()))
    assert from_config(config) == augmenter
    fresh = Hasher.hash(augmenter)
    augmenter.rewrite_views(viewed[:2])
    assert Hasher.hash(augmenter) == fresh == Hasher.hash(equal) != Hasher.hash(other)
    if name not in MODELS and "augmenter" not in config and "augmenters" not in config:
        assert Hasher.hash(from_config({**config, "language": "en"})) != fresh
    pickled = pickle.dumps(augmenter)
    assert len(pickled) < 4000
    assert pickle.loads(pickled) == augmenter


def test_another_process_draws_the_same():
    names = sorted(set(NAMES) - MODELS)
    configs = [make(name).get_config_dict() for name in names]
    code = (
        "import json, sys; from datasets.fingerprint import Hasher; from sda_hf.augmentation import from_config; "
        "configs, texts = json.load(sys.stdin); made = [from_config(c) for c in configs]; "
        "print(json.dumps([[a.augment(texts), Hasher.hash(a)] for a in made]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps([configs, TEXTS]),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    here = [from_config(c) for c in configs]
    assert json.loads(done.stdout) == [[a.augment(TEXTS), Hasher.hash(a)] for a in here]


@pytest.mark.parametrize("name", KINDS)
def test_datasets_map_in_every_form(name):
    augmenter = make(name)
    expected = [augmenter.value(r) for r in augmenter.rewrite(TEXTS)]
    ds = Dataset.from_dict({"text": TEXTS, "id": list(range(len(TEXTS)))})
    column = augmenter.column
    assert list(ds.map(augmenter)[column]) == expected
    assert list(ds.map(augmenter, batched=True, batch_size=3)[column]) == expected
    assert list(ds.map(augmenter, batched=True, num_proc=2)[column]) == expected
    stream = IterableDataset.from_generator(lambda: iter(ds)).map(augmenter, batched=True)
    assert [row[column] for row in stream] == expected
    assert list(ds.with_transform(augmenter)[:][column]) == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_negative_is_never_its_own_anchor(name, viewed):
    augmenter = make(name)
    assert augmenter.policy == ("null" if augmenter.role == "negative" else "keep")
    if augmenter.role == "negative":
        assert all(augmenter.value(r) != r.original for r in augmenter.rewrite_views(viewed))


def test_triplets_share_one_parse():
    triplets = Triplets(make("punctuation-noise"), make("negation"))
    rows = Dataset.from_dict({"text": TEXTS}).map(triplets, batched=True, remove_columns=["text"])
    assert set(rows["anchor"]) <= set(TEXTS)
    assert all(anchor != negative for anchor, negative in zip(rows["anchor"], rows["negative"], strict=True))


# -- the language is given, never guessed ----------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("language", "text", "other"),
    [
        ("en", "今天的天气很好。", "zh"),
        ("en", "我用GPT-4写了一页。", "zh"),
        ("en", "今天 OK。", "zh"),
        ("en", "他還沒有讀過這本書。", "zh"),
        ("zh", "He travelled widely in Europe.", "en"),
        ("zh", "OK!", "en"),
    ],
)
def test_a_text_in_another_language_is_skipped_with_a_reason_that_says_so(name, language, text, other):
    rewrite = make(name, language).explain(text)
    assert rewrite.skipped == f"not in language {language!r}: give language={other!r}"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The word 中文 means Chinese."),
        ("en", "12:30"),
        ("en", "Привет, мир"),
        ("zh", "我用iPhone 14 Pro Max拍了照。"),
        ("zh", "12:30"),
        ("zh", "Привет, мир"),
    ],
)
def test_a_text_that_may_be_in_the_language_is_not_skipped_for_its_script(language, text):
    for name in ("punctuation-noise", "negation"):
        assert "not in language" not in (make(name, language).explain(text).skipped or "")


@pytest.mark.parametrize("name", sorted(ENGLISH_ONLY))
def test_an_augmenter_without_chinese_refuses_it(name):
    with pytest.raises(ValueError, match="language='zh' is not allowed: give .*'en'"):
        from_config({"name": name, "language": "zh"})
