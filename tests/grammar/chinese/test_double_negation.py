"""Double negation of Chinese statements by phrases that hold both negations, and what no such phrase suits."""

import pytest

from sda_hf.augmentation import DoubleNegation
from sda_hf.grammar.base import grammar_of
from sda_hf.grammar.chinese.rules.denial_phrases import denies_twice, parsed


def negated(text: str, *phrases: str, coverage: str = "sound"):
    chosen = phrases or None
    return DoubleNegation(language="zh", phrases=chosen, coverage=coverage).explain(text)


@pytest.mark.parametrize("name", ["default", "sda2022", "sda2024"])
def test_every_phrase_of_a_list_holds_a_negation(name):
    for phrase in grammar_of("zh").phrases["double-negation"][name]:
        kind = parsed(phrase).kind
        assert kind != "denied" or not denies_twice(phrase)
        assert name != "default" or kind != "denied", phrase


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("不可否认", "他在北京工作。", "不可否认，他在北京工作。"),
        ("不可否认", "他没来。", "不可否认，他没来。"),
        ("不可否认", "但他在北京工作。", "但不可否认，他在北京工作。"),
        ("不可否认", "他來過這裡。", "不可否認，他來過這裡。"),
        ("不可否认", "但是，他在北京工作。", "但是，不可否认，他在北京工作。"),
        ("不可否认", "他在北京工作,我在上海工作.", "不可否认,他在北京工作,我在上海工作."),
        ("…，这一点不假", "他在北京工作。", "他在北京工作，这一点不假。"),
        ("没有人能否认", "“他在北京工作。”", "“没有人能否认，他在北京工作。”"),
    ],
)
def test_a_phrase_with_two_negations_leaves_the_statement(phrase, text, expected):
    assert negated(text, phrase).text == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("是的，他在北京工作。", "an answer or an interjection"),
        ("于是他去了北京。", "goes on from another sentence"),
        ("难道他没去北京？", "question"),
        ("昨天下午他在电话里告诉我：我在北京工作。", "speech or a list after a colon"),
        ("公爵小姐惊奇地问。", "quoted speech"),
        ("导航去北京", "no mark at the end: it may be a query or a heading"),
    ],
)
def test_what_no_phrase_suits_is_skipped(text, reason):
    assert negated(text, "不可否认").skipped == reason


def test_full_coverage_names_the_doubt():
    rewrite = negated("于是他去了北京。", "不可否认", coverage="full")
    assert {edit.doubt for edit in rewrite.edits} == {"goes on from another sentence"}


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("一个女人走在街上。", {"不难看出", "不难发现", "不难看到", "没错"}),
        ("这家饭馆的服务非常好。", {"不得不说", "不能不说", "不得不承认", "不可否认", "没错"}),
    ],
)
def test_phrases_of_the_default_list_suit_the_claim(text, phrases):
    drawn = {DoubleNegation(language="zh", seed=seed).explain(text).text.partition("，")[0] for seed in range(8)}
    assert drawn <= phrases


def test_two_negations_in_the_clause_come_first():
    assert negated("大家都知道这个道理。").text == "没有人不知道这个道理。"
