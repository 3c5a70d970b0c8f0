"""Modal affirmations: inside a clause whose predicate is in plain sight, before the whole statement otherwise."""

import pytest

from sda_hf.augmentation import ModalVerbs
from sda_hf.grammar.chinese.dictionary import divides


def affirmed(text: str, *phrases: str):
    return ModalVerbs(language="zh", phrases=phrases or ("确实",)).explain(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他去了北京。", "他确实去了北京。"),
        ("昨天这里发生了车祸。", "昨天这里确实发生了车祸。"),
        ("但是我没见过他。", "但是我确实没见过他。"),
    ],
)
def test_modal_affirmation_stands_before_a_plain_predicate(text, expected):
    assert affirmed(text).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "双井站位于北京市朝阳区，是北京地铁10号线的一个换乘车站。",
        "他躲入一条运兵船，终于到达重庆。",
        "一个女孩站在窗台上，挨着一扇敞开的窗户。",
        "我想这儿没有什么重要的东西了。",
        "这个人打球是因为他想要钱。",
        "当时，他的父亲去世，母亲对他十分溺爱。",
    ],
)
def test_modal_affirmation_stands_before_the_whole_statement(text):
    assert affirmed(text).text == f"确实，{text}"


def test_modal_affirmation_has_the_marks_and_the_script_of_the_text():
    assert affirmed("他躲入一條船,終於到達重慶.").text == "確實,他躲入一條船,終於到達重慶."


@pytest.mark.parametrize(
    "text",
    [
        "谁知道他会不会来。",
        "他确实去了，后来又回来了。",
        "爷爷，可以走了！",
        "这时一个穿黑衣服的人来了，总统说。",
        "珠海都有哪些公司",
    ],
)
def test_no_modal_affirmation_suits(text):
    assert affirmed(text).skipped


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("济南到秦皇岛哪家物流公司好", "济南到秦皇岛到底哪家物流公司好"),
        ("南北都是一家人是什么生肖", "南北都是一家人到底是什么生肖"),
    ],
)
def test_a_modal_question_is_asked_right_before_its_words(text, expected):
    assert affirmed(text, "到底").text == expected


@pytest.mark.parametrize("text", ["打扫卫生可以赚很多钱。", "选择婴儿性别在印度属于违法。", "急！", "你应当休息才对！"])
def test_no_modal_command_where_there_is_none(text):
    assert affirmed(text, "一定要").skipped


def test_a_boundary_inside_a_word_is_found():
    assert divides(["公交车", "站", "为"], 1)
    assert not divides(["他", "喜欢"], 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("天猫买手机安全吗？", "天猫买手机真的安全吗？"),
        ("用花呗能有优惠吗？", "用花呗真的能有优惠吗？"),
        ("你现在还在工作吗？", "你现在真的还在工作吗？"),
        ("这个手机支持上网卡吗？", "这个手机真的支持上网卡吗？"),
    ],
)
def test_modal_question_has_the_affirmation_before_what_is_asked_about(text, expected):
    assert affirmed(text, "真的").text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("喝什么茶可以美白？", "到底喝什么茶可以美白？"),
        ("用花呗支付能省多少钱？", "用花呗支付到底能省多少钱？"),
        ("这个模特叫什么？", "这个模特到底叫什么？"),
    ],
)
def test_modal_question_with_a_question_word_cuts_no_phrase(text, expected):
    assert affirmed(text, "到底").text == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("大多数的加长型礼车则是租车公司的财产。", "a contrast or a turn of the talk"),
        ("话又说回来了。", "a contrast or a turn of the talk"),
        ("小县城做什么生意好啊！", "a question or an exclamation with a question word"),
        ("彼得，你当心烧了我房子！", "a warning, or a call for attention"),
        ("四个女人，两个戴着警徽。", "not a clause: the first part has no verb"),
        ("不！不！她现在毫不犹豫地回答了自己。", "another sentence precedes the claim"),
        ("次年司马炎创立西晋，司马攸受封为齐王。", "a chronicle"),
        ("您说过他并不特别古怪的，费尔法克斯太太。", "somebody is called"),
        ("徐州哪里有好玩的地方吗？", "question: it is uncertain what is asked about"),
    ],
)
def test_modal_affirmation_skips_what_nobody_affirms(text, reason):
    assert affirmed(text, "的确", "真的").skipped == reason


@pytest.mark.parametrize("text", ["注意，我比你大20岁。", "吃好中饭已经一个钟点啦。", "去吧，德雷纳尔夫人说。"])
def test_modal_command_is_no_statement_warning_or_quotation(text):
    assert affirmed(text, "一定要").skipped == "command: it may be a statement"
