"""Doubts of a statement denied as a whole: texts that nobody would report as a claim of somebody else."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese.doubts import common
from sda_hf.grammar.chinese.doubts.common import sentence_of
from sda_hf.grammar.chinese.doubts.double_negation import FRAME_DOUBTS, TEXT_DOUBTS
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.rules.statement_frames import is_quoted_whole, linking_word
from sda_hf.grammar.chinese.script import simplified
from sda_hf.syntax.clause import Clause

REPORTED = re.compile(
    r"(?:有人|有的人|有些人|人们说|据|听说|相传|传说|众所周知|[^，。]{0,8}(?:我|我们|你|你们|您|咱们)"
    r"(?:个人|也|还|真|就|都|一直|总|现在|很|仍|倒|又|并|不)*(?:觉得|认为|想|相信|以为|希望|看|知道|怕|猜|记得|感到|建议|感觉|要|同意|怀疑))"
)
HEDGED = re.compile(
    r"可能|也许|或许|似乎|好像|大概|大约|恐怕|说不定|估计|不一定|未必|看来|看起来|想必|应该|应当|最好|建议|推荐"
)
OPINED = re.compile(r"(?:我|我们|你)(?:觉得|认为|以为|想|怕|希望)|^因此|主席|陛下|爹爹|^[^\w“「《（(]")
CONDITIONAL = re.compile(
    r"如果|要是|假如|倘若|若是|若[^干]|的话|即使|即便|哪怕|就算|只要|一旦|除非|万一|无论|不论|不管|与其|宁"
)
CONCESSIVE = re.compile(r"^(?:虽|尽管|固然|即便|即使|不管)|尽管如此")
ASIDE = re.compile(r"(?:稍后|日后|以后)便知|[你您]知道|要?注意的是|值得(?:注意|一提)|众所周知|这就够了|[没不]有?错")
CALLED = re.compile(
    r"^[^，。]{0,6}(?:先生|小姐|太太|女士|长官|大人|老爷|夫人|医生|老师|陛下|殿下|大夫|同志|老兄|伙计|朋友|亲爱的|孩子)们?[，,！!]"
)
GOING_ON = re.compile(r"^(?:后来|[他她它我你]们?又|[没不未](?!有人|有必要)|有时|喏|简直|也|还|又|再)")
CONTRASTED = re.compile(
    r"但|却|并不是|然而|不过|可是|只是|并非|事实|其实|不是[^。]*而是|实际上|不仅|不光|不但|不只|只有[^。]*才"
)
SPOKEN = re.compile(
    r"表示|认为|指出|声称|宣称|宣布|告诉|[一-鿿]说|报道|[说道问]，|他说|她说|说他|说她|[说道问喊叫答嚷][:：，,“「\"]|(?:说|说道|喊道|问道|答道)$|[啊呀吧吗呢嘛哦啦呗咯噢喔哈哟]\W*$|[～~…]"
)
RHETORICAL = re.compile(
    r"^(?:是|就是|还有|谁|什么|哪|怎|何|这么|那么|真|好|多|太|可见|总之|综上|以下|以上|下面|如图|参见|详见|例如|比如|正因|因为|接着|作为回报|主席|第[一二三四五六七八九十]题|像|这最多|诸位|各位|先生|那么)|多么|谢谢|感谢|《[^》]*$"
)
PARTS = 5


def is_reported(clause: Clause) -> bool:
    """Whether the statement is a report or an opinion of the writer already: 据说, 我觉得."""
    text = simplified(sentence_of(clause))
    return REPORTED.match(text) is not None or OPINED.search(text) is not None


def is_hedged(clause: Clause) -> bool:
    """Whether it is said to be possible or advisable only: 也许, 似乎, 应该."""
    return HEDGED.search(simplified(sentence_of(clause))) is not None


def is_conditional(clause: Clause) -> bool:
    """Whether it holds under a condition: 如果, 即使."""
    return CONDITIONAL.search(simplified(sentence_of(clause))) is not None


def is_conceded(clause: Clause) -> bool:
    """Whether it opens with a concession, which 但 would seem to answer: 虽然."""
    return CONCESSIVE.search(simplified(sentence_of(clause))) is not None


def has_aside(clause: Clause) -> bool:
    """Whether the writer turns to the reader: 稍后便知, 你知道的."""
    return ASIDE.search(simplified(sentence_of(clause))) is not None


def is_called(clause: Clause) -> bool:
    """Whether it opens by addressing somebody: 长官先生，."""
    return CALLED.search(simplified(sentence_of(clause))) is not None


def goes_on(clause: Clause) -> bool:
    """Whether it opens with what goes on from another sentence, or with a negation and no subject."""
    return GOING_ON.search(simplified(sentence_of(clause))) is not None


def has_more(clause: Clause) -> bool:
    """Whether another sentence of the text follows."""
    return any(c.isalnum() for c in clause.text[clause.words[-1].end :])


def is_contrasted(clause: Clause) -> bool:
    """Whether there is a contrast or an appeal to the facts inside: a second 但 would follow."""
    return CONTRASTED.search(simplified(sentence_of(clause))) is not None


def is_spoken(clause: Clause) -> bool:
    """Whether the sentence tells what somebody said, or ends with a particle of speech."""
    text = simplified(sentence_of(clause)).rstrip("。")
    return SPOKEN.search(text) is not None


def is_pointed(clause: Clause) -> bool:
    """Whether the sentence begins as an exclamation, a rhetorical question or a remark on the text."""
    return RHETORICAL.search(simplified(sentence_of(clause))) is not None


def lacks_stop(clause: Clause) -> bool:
    """Whether there is no full stop at the end."""
    return clause.end_mark is None or clause.end_mark.text not in ("。", ".", "．", "｡")


def has_many_parts(clause: Clause) -> bool:
    """Whether the statement has too many parts for one denial of all."""
    text = sentence_of(clause)
    return len(re.findall(r"[，,]", text)) >= PARTS or re.search(r"[；;]", text) is not None


def is_linked(clause: Clause) -> bool:
    """Whether a word links the statement to what precedes it: 但是, 因此."""
    return linking_word(clause) is not None


DOUBTS: tuple[Doubt, ...] = (
    *TEXT_DOUBTS,
    *FRAME_DOUBTS,
    Doubt("no full stop at the end", lacks_stop),
    Doubt("uncertain predicate: the parse has none", common.has_stray_root),
    Doubt("goes on from another sentence", is_linked),
    Doubt("quoted speech", is_quoted_whole),
    Doubt("a report or an opinion", is_reported),
    Doubt("only a possibility", is_hedged),
    Doubt("a condition", is_conditional),
    Doubt("a concession before the claim", is_conceded),
    Doubt("an aside to the reader", has_aside),
    Doubt("somebody is addressed", is_called),
    Doubt("goes on from another sentence", goes_on),
    Doubt("another sentence follows the claim", has_more),
    Doubt("a contrast inside", is_contrasted),
    Doubt("told speech", is_spoken),
    Doubt("an exclamation or a remark on the text", is_pointed),
    Doubt("many parts", has_many_parts),
)
