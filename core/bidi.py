"""Isolation of texts that run from right to left, so that they don't turn what stands beside them.

In "דוד −6, 4" a browser shows the figures before the name, and in another order: "4 ,6−" (Unicode Standard
Annex 9). A name in Hebrew or Arabic may stand in any sentence, so pages and mails isolate every run of such
letters where they are finished, instead of each template.
"""

import re

RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
RUN = re.compile(f"[{RIGHT_TO_LEFT}](?:[{RIGHT_TO_LEFT} ._'’0-9-]*[{RIGHT_TO_LEFT}])?")
"""A name: letters from right to left, with what may stand between them in a name."""

TAG = re.compile(r"""(<!--.*?-->|<(?:[^<>"']|"[^"]*"|'[^']*')+>)""", re.DOTALL)
TAG_NAME = re.compile(r"<(/?)([a-zA-Z][\w-]*)")
PLAIN = frozenset({"script", "style", "textarea", "template"})
"""Elements whose content is no text of the page, or a text as it was typed."""

WITHOUT_ELEMENTS = frozenset({"title", "option"})
VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
FIRST_STRONG_ISOLATE, END = "\u2068", "\u2069"


def isolate_text(text: str) -> str:
    """Isolate runs from right to left in a *text* without markup, by characters (UAX 9, FSI and PDI).

    >>> isolate_text("Anna: 4") == "Anna: 4"
    True
    >>> ascii(isolate_text("\u05d3\u05d5\u05d3: 4"))
    "'\\\\u2068\\\\u05d3\\\\u05d5\\\\u05d3\\\\u2069: 4'"
    """
    return RUN.sub(lambda run: f"{FIRST_STRONG_ISOLATE}{run[0]}{END}", text)


def isolate_html(html: str) -> str:
    """Isolate runs from right to left in the texts of a page by ``<bdi>``.

    Elements with a ``dir`` of their own hold texts of one author, which already are isolated as a whole.

    >>> ascii(isolate_html("<p>\u05d3 4</p>"))
    "'<p><bdi>\\\\u05d3</bdi> 4</p>'"
    """
    pieces = TAG.split(html)
    held: list[str] = []  # open elements, from the outermost that is left as it is
    for at, piece in enumerate(pieces):
        if at % 2:
            _follow(piece, held)
        elif RUN.search(piece):
            if not held:
                pieces[at] = RUN.sub(lambda run: f"<bdi>{run[0]}</bdi>", piece)
            elif held[0] in WITHOUT_ELEMENTS:
                pieces[at] = isolate_text(piece)
    return "".join(pieces)


def _follow(tag: str, held: list[str]) -> None:
    """Keep in *held* the open elements after *tag*: the first one that is left as it is, and those in it."""
    named = TAG_NAME.match(tag)
    if named is None:
        return
    name = named[2].lower()
    if named[1]:
        if name in held:
            del held[len(held) - 1 - held[::-1].index(name) :]
    elif name in VOID or tag.endswith("/>"):
        return
    elif held or name in PLAIN | WITHOUT_ELEMENTS or name == "bdi" or " dir=" in tag:
        held.append(name)
