"""The clause of a Chinese sentence, from raw text with the embedded pipeline."""

import pytest

from sda_hf import Negation
from sda_hf.grammar.base import grammar_of
from sda_hf.grammar.chinese.doubts import doubt_about

CHINESE = grammar_of("zh")


@pytest.fixture(scope="module")
def parser():
    return CHINESE.parser()


@pytest.fixture(scope="module")
def clause(parser):
    def build(text):
        (sentences,) = parser.sentences([text])
        return CHINESE.clause(text, next(sentences))

    return build


def span(text, phrase):
    return None if phrase is None else text[phrase.first.start : phrase.last.end]


@pytest.mark.parametrize(
    ("text", "predicate", "verbs", "subject", "mood"),
    [
        ("他去了北京。", "去", ["去"], "他", "declarative"),
        ("鲸鱼是哺乳动物。", "动物", ["是"], "鲸鱼", "declarative"),
        ("当前的经济形势相当严峻。", "严峻", ["严峻"], "当前的经济形势", "declarative"),
        ("这件大衣我买得起。", "买", ["买"], "我", "declarative"),
        ("大楼被大火烧毁。", "烧毁", ["被", "烧毁"], "大楼", "declarative"),
        ("调查人员未能找到起火原因。", "找到", ["未能", "找到"], "调查人员", "declarative"),
        ("你可以走了。", "走", ["可以", "走"], "你", "declarative"),
        ("他必須離開家鄉。", "離開", ["必須", "離開"], "他", "declarative"),
        ("OPPO手机支持NFC", "支持", ["支持"], "OPPO手机", "declarative"),
        ("虽然很累，他还是完成了任务。", "完成", ["完成"], "他", "declarative"),
        ("你喜欢喝茶吗？", "喜欢", ["喜欢"], "你", "interrogative"),
        ("百度云网盘怎么删除回收站", "删除", ["删除"], "百度云网盘", "interrogative"),
        ("快跑！", "跑", ["跑"], None, "imperative"),
        ("别说话！", "说", ["说"], None, "imperative"),
        ("微积分的极限", "极限", None, None, "fragment"),
    ],
)
def test_the_claim(clause, text, predicate, verbs, subject, mood):
    found = clause(text)
    assert found.predicate.text == predicate
    assert (found.verbs and [w.text for w in found.verbs.words]) == verbs
    assert span(text, found.subject) == subject
    assert found.mood == mood


@pytest.mark.parametrize(
    ("text", "predicate", "why"),
    [
        ("图书馆在邮局对面。", "在", "the root is a noun after 在"),
        ("新系统自动识别人脸。", "识别", "the root is an adverb"),
        ("周末奶奶给我们包饺子。", "包", "the root is a preposition"),
        ("如果你不影响大家，我是不会阻止你的。", "是", "the root is in the condition"),
        ("这間餐廳很貴。", "貴", "很 is part of the word"),
        ("他并非不努力。", "努力", "the root is a negator"),
    ],
)
def test_wrong_parses_are_repaired(clause, text, predicate, why):
    assert clause(text).predicate.text == predicate, why


@pytest.mark.parametrize(
    ("text", "kind", "word"),
    [
        ("我明天不去学校。", "不", "不"),
        ("衣服没干。", "没", "没"),
        ("房间里没有灯。", "没有", "没有"),
        ("調查人員未能找到原因。", "未", "未能"),
        ("别说话！", "别", "别"),
        ("请勿触摸展品。", "别", "请勿"),
        ("这件事非办不可。", "double", "非"),
        ("他并非不努力。", "double", "并非"),
    ],
)
def test_negations(clause, text, kind, word):
    found = clause(text)
    assert found.polarity == "negative"
    assert (found.negation.kind, found.negation.word.text) == (kind, word)


@pytest.mark.parametrize(
    "text", ["这部电影不错。", "这是非法行为。", "未来三天有雨。", "你去不去？", "他对别人很好。", "我听得懂。"]
)
def test_words_that_only_look_negative(clause, text):
    assert clause(text).polarity == "positive"


def test_there_is_no_clause_without_chinese():
    assert Negation(language="zh").explain("He came.").skipped == "not in language 'zh': give language='en'"
    assert Negation(language="en").explain("他去了北京。").skipped == "not in language 'en': give language='zh'"


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("他去了北京。", ""),
        ("OPPO手机支持NFC", ""),
        ("员工8:30前到公司.", ""),
        ("电话：12345", "not a clause: a heading or a field of a form"),
        ("请访问www.example.com。", "not a clause: an address, a handle or a hashtag"),
        ("**注意**他来了。", "not a clause: Markdown or HTML"),
        ("微积分的极限", "not a clause: no predicate"),
        ("举行会议的犹太家庭。", "not a clause: it may be a noun phrase"),
        ("一个坐在长凳上的年轻女孩。", "not a clause: it may be a noun phrase"),
        ("她有一双漂亮的眼睛。", ""),
        ("他买了一辆漂亮的车。", ""),
        ("今天星期一。", ""),
        ("祝你生日快乐！", "greeting or wish"),
        ("1998年5月3日", "not a clause: a date or a time"),
    ],
)
def test_doubts(clause, text, doubt):
    assert doubt_about(clause(text), "negate") == doubt
