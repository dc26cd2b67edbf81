"""Links and forms of a page, found by regular expressions: an HTML parser would take too long."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

LINKS = {
    name: re.compile(rf'<a\b(?=[^>]*\bclass="{name}")[^>]*?\bhref="([^"]+)"'.encode())
    for name in ("mark", "choice", "spot", "turn", "button whole")
}
FORM = re.compile(rb'<form\b[^>]*\baction="([^"]+)"[^>]*>(.*?)</form>', re.DOTALL)
HIDDEN = re.compile(rb'<input type="hidden" name="(\w+)" value="([^"]*)"')
WATCH = re.compile(rb'<div id="watch"[^>]*\bhx-get="([^"]+)"')
THUMBNAIL = re.compile(rb'<img class="thumbnail" src="([^"]+)"')


class OfferedForm(NamedTuple):
    """URL and hidden fields of a form."""

    address: str
    fields: dict[str, str]


def find_links(page: bytes, name: str) -> list[str]:
    """The URLs of all links of a class."""
    return [_decode(address) for address in LINKS[name].findall(page)]


def find_thumbnails(page: bytes) -> list[str]:
    return [_decode(address) for address in THUMBNAIL.findall(page)]


def find_form(page: bytes, end: str, *, with_field: str = "") -> OfferedForm | None:
    """The first form whose address has this *end*, with a hidden field of this name."""
    for address, inside in FORM.findall(page):
        if address.endswith(end.encode()):
            fields = {_decode(name): _decode(value) for name, value in HIDDEN.findall(inside)}
            if not with_field or with_field in fields:
                return OfferedForm(_decode(address), fields)
    return None


def find_watch(page: bytes) -> str | None:
    """The URL at which the page polls for news."""
    found = WATCH.search(page)
    return _decode(found[1]) if found else None


def _decode(raw: bytes) -> str:
    return html.unescape(raw.decode())
