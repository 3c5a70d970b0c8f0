"""Script and width of Chinese texts, and edits that keep them."""

import pytest

from sda_hf.grammar.base import grammar_of
from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.surface import (
    after,
    before,
    delete,
    half_width,
    in_script_of,
    insert,
    is_traditional,
    mark,
    replace,
)
from sda_hf.grammar.edits import Rule, apply

RULE = Rule("test", "test")


@pytest.fixture(scope="module")
def clause():
    chinese = grammar_of("zh")
    parser = chinese.parser()

    def build(text):
        (sentences,) = parser.sentences([text])
        return chinese.clause(text, next(sentences))

    return build


@pytest.mark.parametrize(
    ("new", "traditional"),
    [
        ("并非", "並非"),
        ("没有", "沒有"),
        ("还没", "還沒"),
        ("说", "說"),
        ("应该", "應該"),
        ("会", "會"),
        ("确实", "確實"),
        ("必须", "必須"),
        ("不", "不"),
        ("没什么", "沒什麼"),
    ],
)
def test_what_is_inserted_is_in_the_script_of_the_text(new, traditional):
    assert in_script_of("他沒有讀過這本書。", new) == traditional
    assert in_script_of("他没有读过这本书。", new) == new
    assert in_script_of("他去了。", new) == new


def test_scripts():
    assert is_traditional("他來了。")
    assert not is_traditional("他去了。")
    assert not is_traditional("这本名著乾隆年间出版。")


def test_phrases_become_traditional_and_back():
    inserted = [p for name in ("modal-verbs", "double-negation") for p in lexicon.phrases(f"phrases {name}", "default")]
    assert [p for p in inserted if simplified(in_script_of("沒", p)) != p] == []


@pytest.mark.parametrize(
    ("text", "half", "comma"),
    [
        ("他来了。", False, "，"),
        ("他来了", False, "，"),
        ("他来了.", True, ","),
        ("他来了, 我走了.", True, ", "),
        ("他来了,我走了.", True, ","),
        ("他来了，我走了.", False, "，"),
        ("价格是3.5元", False, "，"),
    ],
)
def test_width(text, half, comma):
    assert half_width(text) is half
    assert mark(text, "，") == comma


def test_edits(clause):
    found = clause("他去了北京。")
    _, verb, aspect, *_ = found.words
    edits = [before(found, RULE, verb, "没"), delete(found, RULE, aspect)]
    assert apply(found.text, edits) == "他没去北京。"
    assert apply(found.text, [replace(found, RULE, verb, "到过", aspect)]) == "他到过北京。"
    assert apply(found.text, [after(found, RULE, verb, "过"), insert(found, RULE, 0, "听说")]) == "听说他去过了北京。"
    traditional = clause("他來了。")
    assert apply(traditional.text, [before(traditional, RULE, traditional.words[1], "应该")]) == "他應該來了。"


def test_a_deletion_leaves_one_space(clause):
    found = clause("我 不 去。")
    negator = next(w for w in found.words if w.text == "不")
    assert apply(found.text, [delete(found, RULE, negator)]) == "我 去。"
