"""Doubts of negation in every form: texts that belong to a talk or a layout, by what they begin or end with."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese.doubts import common
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause

HEADING = re.compile(
    r"^\W*(?:[（(]?(?:\d{1,3}|[一二三四五六七八九十]{1,3})(?:[)）、．]|\.(?!\d))|第[一二三四五六七八九十百\d]+[章节回卷幕场][^，。]{0,12}$"
    r"|[一二三四五六七八九十百]{1,4}(?=[我你他她它这那][^一二三四五六七八九十]))"
    r"|(?:选词|看图|根据[^，。]{0,8})?填(?:空|上|植物|动物|[一-鿿]{0,2}[名词字])|造句|连线题|连一连|读一读|写一写|判断(?:题|对错|正误)|[下上]列[^，。]*(?:的是|[)）])\W*$"
)
SET_PHRASE = re.compile(
    r"话[又再]?说回来|话虽如此|俗话说|常言道|言归正传|长话短说|说来话长|闲话少说|不用说|别提了|话说到这|换句话说"
)
TAG = (
    r"(?:暗想|心想|暗自想|想道|想着|想了想|寻思|思忖|自忖|暗忖|思量|嘀咕|嘟哝|嘟囔|咕哝|嗫嚅|低语|耳语|低声说|大声说|高声说|轻声说|回答着|"
    r"开始说|继续说|接着说|又说|接口|插嘴|插话|(?:说|喊|叫|问|答|笑|叹|嚷|吼|骂|讲|念|唱|写|哭|应|接|插|补充|回答|重复|解释|吩咐|哀求|央求|恳求|命令)[道着]|[着地]说|[着地]问|"
    r"[高低大小轻柔厉]声(?:喊|叫|嚷|问|答|说|吼|哭)[道着叫]?)"
)
SPEECH_TAG = re.compile(rf"(?:{TAG}|[^听对跟向和替给][我你他她它](?:说|道|想|喊|叫|答))\W*$|^[—–-]")
EXCLAMATION = re.compile(
    r"简直|真(?:可惜|倒霉|遗憾|该死|了不起|想不到|没想到|见鬼)|^真[是叫够让把]|不愧"
    r"|[，,](?:真|多么)[^，。]{1,5}[！!。]*$"
)
# What is quoted is a remark, with its own mark, rather than a claim: “好吧！”他喊道.
QUOTED_REMARK = re.compile(r"^[“「\"](?:[^”」\"]{1,8}[！!…]|[^”」\"]{1,4}[，,。])[”」\"]\s*[^\s]")
UNBALANCED = re.compile(r"^[^“”]*“[^”]*$|^[^“]*”|“[^”]*“|”[^“]*”$|“$")
# A noun with what tells which one it is, and no claim.
DESCRIBED = re.compile(
    r"^一[个群位][我你他她][^，。]*的(?:人|孩子|女人|男人)\W*$|^[一两三几]?[个群位名些只][^，。是]*是[^，。]*的[^，。是]{0,2}(?:人|孩|者|狗)们?\W*$|^(?:和|与|跟|关于)[^，。是]*[有相]关的[^，。是有]*$|[和与跟][^，。是有]*的(?:区别|关系|差别|不同|对比|联系)$|^一[个位名群](?:站|坐|躺|拿|穿|戴|骑|走|跑|在|正在|带|抱)[^，。是的]*的(?:人|男人|女人|孩子|女孩|男孩)\W*$|^没有人的[^，。是有]{1,4}$|^没有人的[^，。是有]{1,4}。|^还有(?=[我你他她它])"
)
RUNNING = re.compile(r"是的\W*$")


def is_heading(clause: Clause) -> bool:
    """Whether the sentence begins with the number of an item or a chapter, or is an exercise."""
    words = clause.words
    numbered = (
        words[0].pos == "NUM"
        and len(words) > 1
        and (
            words[1].pos in ("PROPN", "X", "PRON")
            or (words[1].pos == "NOUN" and len(form(words[0])) > 2 and words[1].tag != "NNB")
        )
    )
    plain = numbered and not words[0].text.isascii() and words[0].text not in "一两几半"
    return plain or HEADING.search(_text(clause)) is not None


def is_set_phrase(clause: Clause) -> bool:
    """Whether there is a phrase that only leads the talk: 话又说回来."""
    return SET_PHRASE.search(_text(clause)) is not None


def is_speech_tag(clause: Clause) -> bool:
    """Whether the sentence ends with who says or thinks it, or tells how somebody speaks: …，他暗想."""
    return SPEECH_TAG.search(_text(clause)) is not None


def is_exclamation(clause: Clause) -> bool:
    """Whether the sentence exclaims: 简直, 真可惜."""
    return EXCLAMATION.search(_text(clause)) is not None


def is_quoted_remark(clause: Clause) -> bool:
    """Whether a remark in quotes opens the sentence, or its quotes are not balanced."""
    text = simplified(clause.text)
    return QUOTED_REMARK.search(text) is not None or UNBALANCED.search(text) is not None


def is_described(clause: Clause) -> bool:
    """Whether the text names something by what it is: 一群背景是消防车的人."""
    return DESCRIBED.search(_text(clause)) is not None


def ends_with_assent(clause: Clause) -> bool:
    """Whether the sentence ends with 是的, which assents to it or stands for a lost word."""
    return RUNNING.search(_text(clause)) is not None


def _text(clause: Clause) -> str:
    return simplified(common.sentence_of(clause))


DOUBTS: tuple[Doubt, ...] = (
    Doubt("not a clause: a heading or an exercise", is_heading),
    Doubt("a phrase that leads the talk", is_set_phrase),
    Doubt("told speech", is_speech_tag),
    Doubt("an exclamation", is_exclamation),
    Doubt("a remark in quotes", is_quoted_remark),
    Doubt("not a clause: it may be a noun phrase", is_described),
    Doubt("an answer or an interjection", ends_with_assent),
)
