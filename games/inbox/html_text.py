"""HTML as the lines that a mail program would show (REPLY-7).

Tags are found here: ``html.parser`` starts again at every ``<`` that nothing ends, and takes half a minute
for 64 KiB of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape

from games.inbox.lines import MailLine, clean_line

MAX_ATTRIBUTE = 4096

_BLOCKS = {
    *(
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
    ),
    *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5"),
    *("h6", "header", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section"),
    *("summary", "table", "tbody", "tfoot", "thead", "tr", "ul"),
}
_VOID = {
    *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track"),
    "wbr",
}
_OF_HEAD = {"head", "base", "link", "meta", "script", "style", "title", "noscript", "template"}
_UNSEEN = {
    *("script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp", "template", "svg"),
    *("math", "object"),
}
"""Elements without text up to their end tag: their content need not be HTML."""

_MANGLED = r"(?:x_|m_-?\d+|ydp[0-9a-f]{1,16}|yiv\d+)*"
"""Prefixes that mail programs add to the class names and ids of others."""

_QUOTE_CLASS = re.compile(
    _MANGLED
    + r"(?:gmail_quote(?:_container)?|yahoo_quoted|protonmail_quote|moz-cite-prefix|moz-forward-container)"
)
_QUOTE_ID = re.compile(_MANGLED + r"(?:mail-editor-reference-message-container|olk_src_body_section)")
_REST_ID = re.compile(_MANGLED + r"(?:appendonsend|divrplyfwdmsg)")
_REST_RULE = re.compile(_MANGLED + r"(?:zwchr|stopspelling)")
_SIGNATURE_CLASS = re.compile(_MANGLED + r"(?:gmail_signature|moz-signature|protonmail_signature_block)")
_SIGNATURE_ID = re.compile(_MANGLED + r"(?:signature|ms-outlook-mobile-signature)")
_OUTLOOK_COLORS = ("#e1e1e1", "#b5c4df", "rgb(225,225,225)", "rgb(181,196,223)")
_HIDDEN = re.compile(r"(?:display:none|visibility:hidden|mso-hide:all)")
_NO_MARGIN = re.compile(r"(?:^|;)margin(?:-bottom)?:0(?:\.0+)?(?:px|pt|cm|in|em)?(?:;|!|$)")

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_END_TAG = re.compile(r"</([a-zA-Z]{1,20})")
_ATTRIBUTE = re.compile(r"""[\s/]*([^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?""")
_BETWEEN_ATTRIBUTES = re.compile(r"[\s/=]*")
_DATA = re.compile(r"data:[^\s\"'<>)]{200,}")


@dataclass(frozen=True, slots=True)
class _Element:
    """An open element, with the properties of the text in it."""

    name: str
    quoted: bool = False
    signature: bool = False
    hidden: bool = False
    preformatted: bool = False
    quotes: bool = False  # whether the quote begins with it
    spaced: bool = False  # whether an empty line parts it from its neighbours


def strip_data(source: str) -> str:
    """Remove embedded pictures, which are not text and can be long."""
    return _DATA.sub("", source)


def read_html(source: str, max_tags: int) -> tuple[list[MailLine], bool]:
    """Return the lines of *source*, and whether it has more than *max_tags* tags.

    >>> lines, _ = read_html("<p>8d</p><div>See<br>you<blockquote>pass", 100)
    >>> [line.text for line in lines if not line.quoted]
    ['8d', '', 'See', 'you']
    """
    page = _Page()
    read_all = _read_tags(page, source, max_tags)
    page.end_line()
    return page.lines, not read_all


def _read_tags(page: _Page, source: str, max_tags: int) -> bool:
    """Feed the tags and texts of *source* to *page*; return whether all were read."""
    place = tags = 0
    while not page.rest and place < len(source):
        begin = source.find("<", place)
        page.add_text(source[place : begin if begin >= 0 else len(source)])
        if begin < 0:
            break
        tag = _TAG.match(source, begin)
        if tag is None:
            end = _end_of_no_tag(page, source, begin)
            if end is None:
                break
            place = end
            continue
        tags += 1
        if tags > max_tags:
            return False
        name = tag[2][:40].lower()
        attributes, place = _read_attributes(source, tag.end())
        if tag[1]:
            page.end(name)
            continue
        page.start(name, attributes)
        if name in _UNSEEN:
            place = _find_end(source, place, name)
    return True


def _find_end(source: str, place: int, name: str) -> int:
    closing = (tag.start() for tag in _END_TAG.finditer(source, place) if tag[1].lower() == name)
    return next(closing, len(source))


def _end_of_no_tag(page: _Page, source: str, begin: int) -> int | None:
    """The end of a comment or a declaration, or of a ``<`` that is text; ``None`` if nothing ends it."""
    if source.startswith("<!--", begin):
        end = source.find("-->", begin + 2)  # "<!-->" is a whole one
        return end + 3 if end >= 0 else None
    if source.startswith(("<!", "<?", "</"), begin):
        end = source.find(">", begin)
        return end + 1 if end >= 0 else None
    page.add_text("<")
    return begin + 1


def _read_attributes(source: str, place: int) -> tuple[dict[str, str], int]:
    """The attributes of the tag whose name ends at *place*, and where the tag ends."""
    attributes: dict[str, str] = {}
    while place < len(source):
        match = _ATTRIBUTE.match(source, place)
        if match is not None:
            place = match.end()
            name = match[1].lower()
            if name in ("class", "id", "name", "style", "hidden"):
                attributes.setdefault(name, _unescape((match[2] or "")[:MAX_ATTRIBUTE].strip("\"'")))
            continue
        gap = _BETWEEN_ATTRIBUTES.match(source, place)
        place = gap.end() if gap else place
        if source.startswith(">", place):
            return attributes, place + 1
    return attributes, place


def _unescape(text: str) -> str:
    try:
        return unescape(text)
    except ValueError:  # a character's number of thousands of digits
        return text


class _Page:
    """The lines read so far, and the open elements."""

    def __init__(self) -> None:
        self.lines: list[MailLine] = []
        self.rest = False
        self._text: list[str] = []
        self._stack = [_Element("")]
        self._open: dict[str, list[int]] = {}  # by name, places in the stack
        self._blocks: list[int] = []

    def add_text(self, text: str) -> None:
        element = self._stack[-1]
        if not text or element.hidden:
            return
        text = _unescape(text)
        if element.preformatted:
            *ended, text = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            for line in ended:
                self._text.append(line)
                self._break_line()
        self._text.append(text)

    def end_line(self) -> None:
        """End the current line, unless it has only spaces; no-break spaces count as text."""
        text = "".join(self._text)
        if text.strip(" \t\r\n\f"):
            self._add_line(text)
        self._text.clear()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "br":
            self._break_line()
            return
        if name not in _OF_HEAD and "head" in self._open:
            self.end("head")
        if name in _BLOCKS:
            if self._stack[-1].name == "p":
                self.end("p")
            self.end_line()
        elif name in ("td", "th"):
            self._text.append(" ")
        element = _element(name, attributes, self._stack[-1])
        if _begins_rest(name, attributes) and not self._stack[-1].quoted:
            self._begin_rest()
        if name in _VOID:
            return
        if element.quotes or element.signature:
            self.end_line()
        if element.spaced:
            self._add_space()
        if name in _BLOCKS or name in ("td", "th"):
            self._blocks.append(len(self._stack))
        self._open.setdefault(name, []).append(len(self._stack))
        self._stack.append(element)

    def end(self, name: str) -> None:
        if name not in self._open:
            if name in ("p", "br"):
                self._break_line()
            return
        place = self._open[name][-1]
        block = self._blocks[-1] if self._blocks else 0
        if place < block and name not in _BLOCKS and name not in ("td", "th", "head"):
            return  # a misplaced end of an inline element ends no block
        unended = False
        while len(self._stack) > place:
            element = self._stack[-1]
            if element.name in _BLOCKS or element.quotes or element.signature:
                self.end_line()
            self._stack.pop()
            unended |= element.quotes and len(self._stack) > place
            if element.spaced:
                self._add_space()
            self._forget(element.name)
        if unended:  # the end tag of the quote is missing, so the rest may belong to it
            self._begin_rest()

    def _forget(self, name: str) -> None:
        places = self._open[name]
        places.pop()
        if not places:
            del self._open[name]
        if self._blocks and self._blocks[-1] == len(self._stack):
            self._blocks.pop()

    def _break_line(self) -> None:
        if not self._stack[-1].hidden:
            self._add_line("".join(self._text))
        self._text.clear()

    def _add_space(self) -> None:
        if self.lines and self.lines[-1].text and not self._stack[-1].hidden:
            self._add_line("")

    def _add_line(self, text: str) -> None:
        element = self._stack[-1]
        line = clean_line(text)
        self.lines.append(MailLine(line, quoted=element.quoted, signature=element.signature, whole=True))

    def _begin_rest(self) -> None:
        self.end_line()
        self.rest = True
        self.lines.append(MailLine("", rest=True))


def _element(name: str, attributes: Mapping[str, str], within: _Element) -> _Element:
    classes = attributes.get("class", "").lower().split()
    identity = attributes.get("id", "").lower().strip()
    style = _style(attributes)
    quotes = (
        name == "blockquote"
        or attributes.get("name", "").lower() == "quote"
        or any(_QUOTE_CLASS.fullmatch(name) for name in classes)
        or _QUOTE_ID.fullmatch(identity) is not None
    )
    return _Element(
        name,
        quoted=quotes or within.quoted,
        quotes=quotes,
        signature=within.signature
        or any(_SIGNATURE_CLASS.fullmatch(name) for name in classes)
        or _SIGNATURE_ID.fullmatch(identity) is not None,
        hidden=within.hidden
        or name in _UNSEEN
        or name == "head"
        or "hidden" in attributes
        or _HIDDEN.search(style) is not None,
        preformatted=within.preformatted or name == "pre",
        # Outlook's paragraphs are lines: they have no margin.
        spaced=name == "p"
        and not any(name.startswith("mso") for name in classes)
        and not _NO_MARGIN.search(style),
    )


def _begins_rest(name: str, attributes: Mapping[str, str]) -> bool:
    """Return whether a quote that goes to the end of the message begins at the element."""
    identity = attributes.get("id", "").lower().strip()
    return (
        _REST_ID.fullmatch(identity) is not None
        or (name == "hr" and _REST_RULE.fullmatch(identity) is not None)
        or (name == "div" and _has_outlook_border(_style(attributes)))
    )


def _has_outlook_border(style: str) -> bool:
    """Return whether the element has a line in Outlook's colour at the top, and nowhere else."""
    borders = [
        rule
        for rule in style.split(";")
        if rule.startswith(("border-top:", "border-color:", "border-top-color:"))
    ]
    return any(color in border for border in borders for color in _OUTLOOK_COLORS)


def _style(attributes: Mapping[str, str]) -> str:
    return "".join(attributes.get("style", "").lower().split())
