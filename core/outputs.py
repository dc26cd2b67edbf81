"""Escaping of texts for formats that programs read: XML, calendars, CSV, mails, logs.

Texts were validated by :mod:`accounts.texts` when they were typed, but older rows may hold anything. HTML
pages need none of this: templates escape.
"""

import re
from email.header import Header
from typing import Any

from django.utils.feedgenerator import Atom1Feed

NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters not allowed in XML 1.0 (section 2.2, "Char")."""

UNSAFE_IN_LINES = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
FORMULA = re.compile(r"\s*[=+\-@\t\r]")
NUMBER = re.compile(r"-?\d+(?:[./]\d+)?\Z")


def clean_for_xml(text: str) -> str:
    """*text* without characters that XML can't hold, so that one old name does not break a whole feed.

    >>> clean_for_xml("Wil\\x08ki\\n"), clean_for_xml("A\\x1bB\\ufffe")
    ('Wilki\\n', 'AB')
    """
    return NO_XML.sub("", text)


def clean_for_calendar(text: str) -> str:
    """*text* in one line, without control characters (RFC 5545, section 3.1)."""
    return " ".join(NO_XML.sub("", text).split())


def clean_for_cell(value: Any) -> Any:
    """*value* as a cell that no spreadsheet runs as a formula (OWASP, "CSV injection").

    >>> [clean_for_cell(value) for value in ("=1+1", "\\t@home", "-1/2", "Anna", 3)]
    ["'=1+1", "'\\t@home", '-1/2', 'Anna', 3]
    """
    if not isinstance(value, str):
        return value
    text = NO_XML.sub("", value)
    return f"'{text}" if FORMULA.match(text) and not NUMBER.match(text) else text


def clean_for_line(text: str) -> str:
    """*text* in one line, without control characters and changes of text direction.

    >>> clean_for_line("Your\\nturn\\u202e ")
    'Your turn'
    """
    return " ".join(UNSAFE_IN_LINES.sub(" ", text).split())


def clean_for_subject(text: str) -> str:
    """*text* in one line, as the subject of a mail that is shown literally.

    ASCII that looks like an encoded word would be decoded (RFC 2047, section 7), so it is encoded as a whole.

    >>> clean_for_subject("Your turn\\n"), clean_for_subject("=?utf-8?q?a=2Eb?=")
    ('Your turn', '=?utf-8?b?PT91dGYtOD9xP2E9MkViPz0=?=')
    """
    line = clean_for_line(text)
    if "=?" in line and line.isascii():
        return " ".join(Header(line, "utf-8").encode().split())
    return line


def clean_for_log(text: str) -> str:
    """*text* in one line, with line breaks and control characters escaped.

    >>> print(clean_for_log("a\\n2026-01-01 INFO \\x1b[31mforged"))
    a\\n2026-01-01 INFO \\x1b[31mforged
    """
    return UNSAFE_IN_LINES.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


class PlainFeed(Atom1Feed):
    """An Atom feed that is well-formed whatever its titles and texts hold."""

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*map(_plain, args), **{name: _plain(value) for name, value in fields.items()})

    def add_item(self, *args: Any, **fields: Any) -> None:
        super().add_item(*map(_plain, args), **{name: _plain(value) for name, value in fields.items()})


def _plain(value: Any) -> Any:
    return clean_for_xml(value) if isinstance(value, str) else value
