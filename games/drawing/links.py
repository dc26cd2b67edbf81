"""Links in a drawing."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape


def _attributes(attributes: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())


def link(href: str, label: str, css: str, attributes: Mapping[str, str], body: str, links: bool) -> str:
    """*body* as a link to *href* with this *label*; a mere group without *links*, or with no *href*."""
    if not links or not href:
        return f'<g class="{css}">{body}</g>'
    more = _attributes(attributes)
    return f'<a href="{escape(href)}" class="{css}"{more}><title>{escape(label)}</title>{body}</a>'
