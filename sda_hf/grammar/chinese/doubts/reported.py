"""Doubts of a statement after 有人说: what it begins with, and speech that is bound to who speaks."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese.doubts import common
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.script import simplified
from sda_hf.syntax.clause import Clause

CONVERB = re.compile(r"^(?:[一-鿿]{1,3}[着完毕罢]|[说想笑喊叫问答看听][^，。]{0,3}[着完毕罢了到][^，。]{0,4})[，,]")
# What 说 before it would be read with: 说过了, 说好.
MISREAD = re.compile(r"^(?:过[了去]|[着说话好谎笑完]|起来|出来)")
INTERJECTION = re.compile(
    r"^(?:[唔嗯哦噢喔啊哎唉哟呀哈嘿喂嗨咦哼呸嘘欸喏嚯嗳呵]+|很好|好极了|好|行|得了|不|是|对|当然|那好|可不|就是|算了|瞧|你看|你瞧|听着|看|原来如此|真的|老实说|说真的|说实话"
    r"|天[哪啊]|我的[天神]|上帝|老天|主啊|请?放心|没错|不错|实话说|坦白说)[，,！!、]"
)
VOCATIVE = re.compile(
    r"^(?:亲爱的|敬爱的|尊敬的|我的)[^，。]{0,8}[，,]|[，,](?:再见|晚安|谢谢|拜托|[真太](?:可惜|好了|棒了)|可惜|好极了|我的?(?:爱人?|天|上帝|孩子|朋友|先生|小姐|大人|宝贝)|伙计们?|诸位|各位)\W*$"
)
# What somebody does by saying it, or says of the talk itself: 我正有话要说, 我承认.
PERFORMED = re.compile(
    r"正有话|有话[跟对和]|^我(?:们)?(?:正[要想]|也?(?:承认|保证|发誓|答应|宣布|命令|警告|奉劝|劝|恳求|请求|求|祝|谢|敬|告诉|对[你您]说|向[你您]))|[跟和对向][你您]们?(?:谈|说|讲|商量|打听)|这就[去来]"
)
TOLD = re.compile(r"^[^，。]{1,6}(?:想|心想|说|道|问|喊|叫)[，,]")
EXCLAMATION = re.compile(
    r"真(?:把|是[个一太的])|难得|^(?:毕竟|幸而|幸好|幸亏|好在|反正|果然|果真|终于)|才不|—|^[^，。]{0,4}准[是会]"
)
PARTICLE = re.compile(r"[呐哩啰喽哇罗咧哪呃么]\W*$|[嘛呀啊吧呢][，,]")
ALTERNATIVE = re.compile(r"或者|要么|还是[^，。]*[，。]?$")
NAMED = re.compile(r"^(?:那些|这些|那个|这个|那位|这位)[^，。]*的(?:人|人们|女人|男人|孩子|东西)\W*$")
VERBS = re.compile(r"[是有在了着]|(?:喜欢|看到|看见|需要)(?!的)")


def is_converb(clause: Clause) -> bool:
    """Whether it opens with what is done at the same time, with no subject: 说着，朝儿子跑过去."""
    return CONVERB.search(_text(clause)) is not None


def is_misread(clause: Clause) -> bool:
    """Whether 说 before the first word would be read as one word with it: 说过了一会."""
    return MISREAD.search(_text(clause)) is not None


def is_interjected(clause: Clause) -> bool:
    """Whether it begins with an interjection or an answer: 唔，."""
    return INTERJECTION.search(_text(clause)) is not None


def is_addressed(clause: Clause) -> bool:
    """Whether somebody is addressed, greeted or pitied: 亲爱的苔丝，; ，再见."""
    return VOCATIVE.search(_text(clause)) is not None


def is_performed(clause: Clause) -> bool:
    """Whether the speaker does something by saying it, or speaks of the talk: 我正有话要跟您谈."""
    return PERFORMED.search(_text(clause)) is not None


def is_exclamation(clause: Clause) -> bool:
    """Whether the speaker judges: 你真是个小傻子."""
    return EXCLAMATION.search(_text(clause)) is not None


def is_told(clause: Clause) -> bool:
    """Whether somebody is said to think or say the rest of it, or a particle of speech ends it: 皮埃尔想，."""
    text = _text(clause)
    return TOLD.search(text) is not None or PARTICLE.search(text) is not None


def is_alternative(clause: Clause) -> bool:
    """Whether the claim is one of two."""
    return ALTERNATIVE.search(_text(clause)) is not None


def is_named(clause: Clause) -> bool:
    """Whether the text only names people: 那些知道上帝的工作的人."""
    found = NAMED.search(_text(clause))
    return found is not None and VERBS.search(_text(clause).rsplit("的", 1)[0]) is None


def _text(clause: Clause) -> str:
    return simplified(common.sentence_of(clause))


DOUBTS: tuple[Doubt, ...] = (
    Doubt("no subject", is_converb),
    Doubt("the first word would be read with 说", is_misread),
    Doubt("an answer or an interjection", is_interjected),
    Doubt("somebody is addressed", is_addressed),
    Doubt("said to somebody", is_performed),
    Doubt("an exclamation", is_exclamation),
    Doubt("told speech", is_told),
    Doubt("one of two claims", is_alternative),
    Doubt("not a clause: it may be a noun phrase", is_named),
)
