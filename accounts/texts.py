"""Validation of every text that users type: a normal form, and the limits of each kind of text.

docs/texts.md shows the table. ``tests/test_text_fields.py`` finds every field of a form that is bound to no
kind.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import names
from accounts.names import FOREIGN_DOTS

LINK = re.compile(rf"://|\bwww\.|\w[.{FOREIGN_DOTS}][^\W\d_]{{2}}", re.IGNORECASE)
"""Text that mail programs make a link of: an address, or a name with a dot in it, or with a sign that stands
for a dot."""

MOST_MARKS = 2
"""Maximum number of combining marks per character; more pile up over the neighbouring lines."""

LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
PILED = re.compile(r"\n{3,}")
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159")
"""Invisible characters that Unicode counts neither as format nor as control characters."""

UNSEEN_RANGES = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))
JOINER, AS_PICTURE = "\u200d", "\ufe0f"


@dataclass(frozen=True, slots=True)
class TextKind:
    """Limits of a kind of texts."""

    most: int  # characters
    lines: bool = False  # whether several lines are allowed
    links: bool = True
    name: bool = False  # in one alphabet, without reserved names


KINDS: Mapping[str, TextKind] = {
    "player": TextKind(30, links=False, name=True),
    "table": TextKind(60, links=False, name=True),
    "team": TextKind(40, links=False, name=True),
    "league": TextKind(60, links=False, name=True),
    "key": TextKind(100),  # a passkey, for its owner
    "about": TextKind(120, links=False),  # a line about oneself, which everybody reads
    "greeting": TextKind(200, links=False),  # sent to strangers in the name of the site
    "talk": TextKind(1000, lines=True),
    "note": TextKind(4000, lines=True),
    "description": TextKind(4000, lines=True),  # of a league
    "prize": TextKind(200),  # of a league
    "announcement": TextKind(2000, lines=True),
    "reason": TextKind(500, lines=True),  # of acts of moderators, organisers and administrators
    "words": TextKind(1000, lines=True),  # to or from a moderator
    "appeal": TextKind(2000, lines=True),
    "subject": TextKind(100),  # of a sanction, for moderators
    "search": TextKind(1000),  # kept nowhere
    "webhook": TextKind(500),  # an address, kept encrypted
    "turn": TextKind(500),  # a line of notation, which becomes an action
    "shown": TextKind(20_000),  # what a page has shown, sent back to be compared
    "code": TextKind(100),  # mailed, or of a device
}
"""Limits by kind of text. Seasons, divisions and rounds have numbers, not names of their own."""


def clean(kind: str, text: str) -> str:
    """Return *text* in its normal form.

    :raises ValidationError: *text* breaks the limits of its *kind*
    """
    text = normalize_text(kind, text)
    check(kind, text)
    return text


def normalize_text(kind: str, text: str) -> str:
    """*text* in the normal form of its *kind*: in NFC, without invisible characters, changes of direction,
    and piles of combining marks."""
    of = KINDS[kind]
    text = visible(text, lines=of.lines, joined=not of.name)
    return text.translate(names.APOSTROPHES) if kind == "player" else text


def check(kind: str, text: str) -> None:
    """Refuse a normalised *text* that breaks the limits of its *kind*.

    :raises ValidationError: with the code ``length``, ``link``, or one for names
    """
    of = KINDS[kind]
    if len(text) > of.most:
        sentence = ngettext("{n} character at most.", "{n} characters at most.", of.most)
        raise ValidationError(sentence.format(n=of.most), code="length")
    check_content(kind, text)


def check_content(kind: str, text: str) -> None:
    """Apply :func:`check` without the length, for which form fields have their own messages."""
    of = KINDS[kind]
    if of.name and text:
        _check_name(kind, text)
    elif not of.links and holds_link(text):
        raise ValidationError(_("No links or website names, please."), code="link")


def _check_name(kind: str, name: str) -> None:
    if kind == "player":
        names.validate(name)
        reserved = names.passes_for_staff(name)
    else:
        names.check_dots(name)
        names.check_letters(name)
        reserved = names.claims_authority(name)
        if name[0] in names.FORMULA:
            sentence = _("A name can't begin with {character}.").format(
                character=names.describe_character(name[0])
            )
            raise ValidationError(sentence, code="edges")
    if reserved:
        raise ValidationError(_("This name is reserved. Please choose another."), code="reserved")


def visible(text: str, *, lines: bool = False, joined: bool = True) -> str:
    """*text* in NFC without control, invisible and direction characters; all that readers see stays.

    With *lines* it keeps its lines; pictures made of several characters stay *joined*.

    >>> visible("  a\\u200b\\tb\\u202e \\x08c\\n"), visible("a\\r\\n\\n\\n\\nb", lines=True)
    ('a b c', 'a\\n\\nb')
    >>> len(visible("Z\\u0335\\u0321\\u0334\\u0322o"))
    4
    """
    text = unicodedata.normalize("NFC", text.encode("utf-8", "ignore").decode())
    text = LINE_ENDS.sub("\n", text)
    kept: list[str] = []
    marks = MOST_MARKS  # a leading mark would combine with what precedes the text
    for at, character in enumerate(text):
        if character == "\n":
            kept.append("\n" if lines else " ")
            marks = MOST_MARKS
        elif character == "\t" or unicodedata.category(character) == "Zs":
            kept.append(" ")
            marks = MOST_MARKS
        elif character in (JOINER, AS_PICTURE):
            if joined and _joins(text, at):
                kept.append(character)
        elif not _is_unseen(character):
            marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
            if marks <= MOST_MARKS:
                kept.append(character)
    visible_text = "".join(kept)
    if not lines:
        return " ".join(visible_text.split())
    return PILED.sub("\n\n", "\n".join(line.rstrip() for line in visible_text.split("\n"))).strip()


def holds_link(text: str) -> bool:
    """Return whether a reader, or their mail program, may take a part of *text* for a link.

    >>> [holds_link(text) for text in ("evil.example", "www.a", "x://y", "St. Malo", "e.g. now", "3.5 days")]
    [True, True, True, False, False, False]
    """
    return LINK.search(visible(text)) is not None


def _is_unseen(character: str) -> bool:
    code = ord(character)
    if character in UNSEEN or unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return True
    if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:  # no characters
        return True
    return any(first <= code <= last for first, last in UNSEEN_RANGES)


def _joins(text: str, at: int) -> bool:
    """Return whether the character at *at* joins two pictures, or makes a picture of the one before it."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] == AS_PICTURE:
        return _is_picture(before) or after == "\u20e3"
    return (_is_picture(before) or before == AS_PICTURE) and _is_picture(after)


def _is_picture(character: str) -> bool:
    return character != "" and (
        unicodedata.category(character) == "So" or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


class TextField(forms.CharField):
    """Form field for a text of a kind, which it normalises and validates."""

    def __init__(self, kind: str, **options: Any) -> None:
        self.kind = kind
        self.kept = ""  # an old text that may stay, even if it breaks current rules
        options.setdefault("max_length", KINDS[kind].most)
        super().__init__(**options)

    def clean(self, value: Any) -> str:
        if self.kept and value == self.kept:
            return self.kept
        cleaned: str = super().clean(value)
        return cleaned

    def to_python(self, value: Any) -> str:
        return normalize_text(self.kind, super().to_python(value) or "")

    def run_validators(self, value: Any) -> None:
        super().run_validators(value)
        check_content(self.kind, value)
