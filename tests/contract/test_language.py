"""The language is given, never guessed."""

import pytest

from sda_hf.augmentation import from_config

from .languages import NAMES, RULES, make, names_in

CHINESE = names_in("zh")
ENGLISH_ONLY = {"tfidf-negatives", "random-contextual-words"}


def test_every_augmenter_offers_chinese_but_for_those_that_cannot():
    assert {*NAMES} == {*CHINESE, *ENGLISH_ONLY}
    assert len(RULES) >= 9


@pytest.mark.parametrize("name", CHINESE)
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
