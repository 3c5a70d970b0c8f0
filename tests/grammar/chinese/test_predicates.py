"""Where negators and modals go in a Chinese sentence, and what its predicate is, from raw text."""

import pytest

from sda_hf.grammar.base import grammar_of
from sda_hf.grammar.chinese.predicates import (
    aspect_of,
    is_adjectival,
    is_dated,
    is_future,
    is_past,
    is_stative,
    modal_site,
    negation_site,
)

CHINESE = grammar_of("zh")


@pytest.fixture(scope="module")
def clause():
    parser = CHINESE.parser()

    def build(text):
        (sentences,) = parser.sentences([text])
        return CHINESE.clause(text, next(sentences))

    return build


@pytest.mark.parametrize(
    "marked",  # "^" where a modal goes, "|" where a negator does
    [
        "他^|去了北京。",
        "会议^已经|结束了。",
        "昨晚我^|睡得很晚。",
        "政府^|把这座老楼改成了博物馆。",
        "大楼^|被大火烧毁。",
        "两个女孩^|在公园里跳舞。",
        "他^|在看书。",
        "我们几乎天天^|见面。",
        "他果然^|来了。",
        "鲸鱼^|是哺乳动物。",
        "他^|按时交了报告。",
        "他连名字都^|不会写。",
        "从此，两家人^|成为了好朋友。",
        "2010年，公司^|在上海成立。",
        "他^|比我高。",
        "每个孩子都^|会游泳。",
        "这時候^已經|是十點多鐘。",
        "我^|会邀请大家发言。",
    ],
)
def test_the_places_of_modals_and_negators(clause, marked):
    found = clause(marked.replace("^", "").replace("|", ""))
    text, modal, negator = found.text, modal_site(found).start, negation_site(found).start
    assert f"{text[:modal]}^{text[modal:negator]}|{text[negator:]}" == marked


@pytest.mark.parametrize(
    ("text", "kind", "marker", "final"),
    [
        ("他去了北京。", "perfective", "了", False),
        ("会议已经结束了。", "perfective", "了", True),
        ("我见过这个人。", "experiential", "过", False),
        ("桌上放着一封信。", "durative", "着", False),
        ("他在看书。", "progressive", None, False),
        ("这群人正在参加葬礼。", "progressive", None, False),
        ("我忘带钥匙了", "change", None, True),
        ("我明天去上海。", "none", None, False),
        ("为了孩子，他很努力。", "none", None, False),
    ],
)
def test_aspect(clause, text, kind, marker, final):
    aspect = aspect_of(clause(text))
    assert aspect.kind == kind
    assert (aspect.marker and aspect.marker.text) == marker
    assert (aspect.final is not None) == final


def test_kinds_of_predicates(clause):
    assert is_stative(clause("我们需要更多的时间。"))
    assert is_stative(clause("香港位於珠江口東岸。"))
    assert is_stative(clause("他是医生。"))
    assert not is_stative(clause("他去了北京。"))
    assert is_adjectival(clause("当前的经济形势相当严峻。"))
    assert not is_adjectival(clause("他很喜欢她。"))
    assert not is_adjectival(clause("他去了北京。"))


def test_times(clause):
    assert is_past(clause("我们昨天开会。"))
    assert is_dated(clause("2010年，公司在上海成立。"))
    assert is_future(clause("总统下周访问法国。"))
    assert not is_past(clause("我明天去上海。"))
    assert not is_future(clause("我们昨天开会。"))
