"""Pages reduced to what their readers meet: elements with their attributes, and words; a line for each."""

import json
import re
from collections.abc import Iterator
from typing import Any

from bs4 import BeautifulSoup
from bs4.element import PreformattedString, Tag

VARYING = (
    (re.compile(r"(/g/)[0-9a-z]{12}\b"), r"\1CODE"),
    (re.compile(r"(/static/[\w/-]+)[-.][0-9a-f]{10,12}(\.\w+)"), r"\1\2"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "UUID"),
    (re.compile(r'"(challenge|x-csrftoken)": ?"[^"]+"'), r'"\1": "RANDOM"'),
    (re.compile(r"\b(\d+(?:\.\d+)?)( ?ms\b)"), r"N\2"),
)
"""Patterns of what differs from one run or release to the next by itself, with what stands for it."""

SECRET = ("csrfmiddlewaretoken", "nonce", "csrf-token")


def reduce_response(response: Any) -> list[str]:
    """Reduce a response: its redirect, its page, its JSON, or its text; pictures by their size."""
    if "Location" in response:
        return [f"-> {response['Location']}"]
    content = b"".join(response.streaming_content) if response.streaming else response.content
    kind = response.get("Content-Type", "").split(";")[0]
    if kind.startswith(("image/png", "application/zip", "font/", "application/octet")):
        return [kind]
    text = content.decode(errors="replace")
    if kind == "application/json":
        return mask_varying(json.dumps(json.loads(text), indent=1, sort_keys=True).splitlines())
    return reduce_markup(text) if kind == "text/html" else mask_varying(text.splitlines())


def reduce_markup(markup: str) -> list[str]:
    """Reduce HTML: white space and the order of attributes and classes don't matter."""
    return mask_varying(_walk(BeautifulSoup(markup, "html.parser"), ""))


def mask_varying(lines: Any) -> list[str]:
    masked = []
    for line in lines:
        for pattern, replacement in VARYING:
            line = pattern.sub(replacement, line)
        masked.append(line)
    return masked


def _walk(element: Tag, inside: str) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, Tag):
            yield f"{inside}<{child.name}{_format_attributes(child)}>"
            yield from _walk(child, inside + " ")
        elif not isinstance(child, PreformattedString) and (words := " ".join(str(child).split())):
            yield inside + words


def _format_attributes(element: Tag) -> str:
    if SECRET[0] == element.get("name"):
        return ""
    return "".join(
        f" {name}={' '.join(sorted(value)) if isinstance(value, list) else ' '.join(str(value).split())!r}"
        for name, value in sorted(element.attrs.items())
        if name not in SECRET
    )
