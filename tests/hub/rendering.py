"""What a Markdown renderer makes of a card, and text that wants to be more than text."""

import re
from html.parser import HTMLParser

from hypothesis import strategies as st
from markdown_it import MarkdownIt

JOINER = "\u2060"
PARTS = [
    *"![]()<>*_`$|\\#-+=~:/.@&; \n\t\r\x00\x1b\u202e",
    "![t](http://evil.example/pixel.png)",
    "[t](javascript:alert(1))",
    "[a]: http://evil.example",
    "<img src=http://evil.example/a.png>",
    "<script>alert(1)</script>",
    "<!--",
    "-->",
    "<http://evil.example>",
    "https://evil.example/a",
    "www.evil.example",
    "evil.com",
    "me@evil.com",
    "mailto:me@evil.com",
    "ftp://evil.example",
    "$x$",
    "$$x$$",
    "\\(x\\)",
    "```",
    "~~~",
    "\n---\n",
    "# a",
    "- a",
    "1. a",
    "| a |",
    "\n===\n",
    "> a",
    "&lt;img&gt;",
    "&#60;b&#62;",
    "a",
    "1",
    "\ud800",
]
LIVELY = st.lists(st.one_of(st.sampled_from(PARTS), st.characters()), max_size=12).map("".join)
# What GFM renderers turn into a link although no Markdown marks it, also after entities are decoded.
AUTOLINK = re.compile(r"(?:https?|ftp)://|www\.\S|[\w.+-]@[\w-]+\.\w|mailto:[\w.+-]+@", re.IGNORECASE)
MATH = re.compile(r"\$\$|\\[(\[]")


class Page(HTMLParser):
    """The tags of a page, its links, and its text outside of code."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.targets, self.text, self.prose, self.inside = [], [], "", "", 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.targets += [value for name, value in attributes if name in ("href", "src") or name.startswith("on")]
        self.inside += tag == "code"

    def handle_endtag(self, tag):
        self.inside -= tag == "code"

    def handle_comment(self, data):
        self.tags.append("!--")

    def handle_data(self, data):
        self.text += data
        self.prose += "" if self.inside else data


def rendered(markdown):
    """The page of a card without its metadata."""
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return Page(renderer.render(markdown))
