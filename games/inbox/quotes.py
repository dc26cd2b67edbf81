"""The player's own words: a text without quotes, signatures and what programs add (REPLY-9 to 13)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from games.inbox.lines import MailLine
from games.inbox.phrases import (
    begins_forward,
    holds_address,
    holds_date,
    holds_time,
    holds_wrote,
    is_added,
    opens_introduction,
)
from games.inbox.vocabulary import is_answer

MAX_PATTERN = 1000
"""Maximum number of characters in a line that is matched against patterns."""

MAX_INTRODUCTION = 4
MAX_ADDED = 200
MAX_HEADER_BLOCK = 12
_DASHES = "-–—―−"
_RULE = re.compile(r"(?:_{5,}|-{5,}|={5,})")
_HEADER_ROW = re.compile(r"\*?[^\W\d_][\w .'’()/-]{0,30}\*?\s?[:：](?!//)\*?(?:\s.*|\S.*|)")


class LineRole(Enum):
    OWN = "own"
    EMPTY = "empty"
    QUOTE = "quote"  # marked, with its introduction
    REST = "rest"  # a quote that is not marked: all to the end
    SIGNATURE = "signature"
    ADDED = "added"  # added by the mail program


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The lines that count, empty ones among them, and all other lines of one's own."""

    counted: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    to_the_end: bool = False  # a quote goes to the end of the message: there can't be more of them


def find_own_words(lines: Sequence[MailLine]) -> OwnWords:
    """The player's own words among *lines* (REPLY-13)."""
    roles = _assign_roles(lines)
    own = [place for place, role in enumerate(roles) if role is LineRole.OWN]
    quotes = [place for place, role in enumerate(roles) if role in (LineRole.QUOTE, LineRole.REST)]
    marked = LineRole.REST not in roles
    begin, end = 0, quotes[0] if quotes else len(lines)
    if not own or (own[0] > end and not (marked and _is_below(lines, roles, quotes[-1], own[0]))):
        return OwnWords(others=tuple(lines[place].text for place in own), to_the_end=not marked)
    if own[0] > end:
        begin, end = own[0], len(lines)
    counted = tuple(
        _counted_text(lines[place], roles[place])
        for place in range(begin, end)
        if roles[place] is not LineRole.ADDED
    )
    others = tuple(lines[place].text for place in own if not begin <= place < end)
    return OwnWords(counted, others, to_the_end=not marked)


def _is_below(lines: Sequence[MailLine], roles: Sequence[LineRole], last_quoted: int, first_own: int) -> bool:
    """Return whether the own words are below all quotes, and can't be the end of a quoted line."""
    if first_own < last_quoted:
        return False
    parted = LineRole.EMPTY in roles[last_quoted:first_own]
    return parted or (lines[last_quoted].whole and lines[first_own].whole)


def _counted_text(line: MailLine, role: LineRole) -> str:
    return line.text if role is LineRole.OWN else ""


def _assign_roles(lines: Sequence[MailLine]) -> list[LineRole]:
    roles: list[LineRole] = []
    in_signature = False
    while len(roles) < len(lines):
        place = len(roles)
        line = lines[place]
        if _is_marked(line):
            roles.append(LineRole.QUOTE)
            in_signature = False
        elif line.rest:
            break
        elif not line.text:
            roles.append(LineRole.EMPTY)
        elif _begins_unmarked(lines, place, in_signature):
            break
        elif length := _measure_introduction(lines, place) or _measure_rule(lines, place):
            quoted = _next_text(lines, place + length)
            if quoted is None or not _is_marked(lines[quoted]):
                break
            roles.extend([LineRole.QUOTE] * (quoted - place))
            in_signature = False
        elif line.signature or in_signature or line.text == "--":
            roles.append(LineRole.SIGNATURE)
            in_signature |= not line.signature
        else:
            roles.append(LineRole.ADDED if _is_added_line(line.text) else LineRole.OWN)
    return roles + [LineRole.REST] * (len(lines) - len(roles))


def _is_marked(line: MailLine) -> bool:
    """Return whether the line is marked as a quote (REPLY-9)."""
    return line.quoted or line.text.startswith(">")


def _is_plain(line: MailLine) -> bool:
    """Return whether *line* may be part of an introduction or a header block."""
    return (
        bool(line.text)
        and not (_is_marked(line) or line.rest)
        and len(line.text) <= MAX_PATTERN
        and not is_answer(line.text)
    )


def _next_text(lines: Sequence[MailLine], place: int) -> int | None:
    while place < len(lines):
        if lines[place].text or lines[place].quoted or lines[place].rest:
            return place
        place += 1
    return None


def _begins_unmarked(lines: Sequence[MailLine], place: int, in_signature: bool) -> bool:
    """Decide whether a quote begins at *place* without an introduction (REPLY-11)."""
    text = lines[place].text
    if len(text) > MAX_PATTERN:
        return False
    if _is_between_dashes(text):
        return True
    if begins_forward(text):
        return True
    if _RULE.fullmatch(text):
        place += 1
        if place < len(lines) and not lines[place].text:
            place += 1
    return _is_header_block(lines, place, in_signature)


def _is_between_dashes(text: str) -> bool:
    """Return whether *text* is words with three dashes or more on either side."""
    words = text.lstrip(_DASHES)
    before, words, length = len(text) - len(words), words.rstrip(_DASHES), len(words)
    return before >= 3 and length - len(words) >= 3 and any(map(str.isalpha, words))


def _is_header_block(lines: Sequence[MailLine], place: int, in_signature: bool) -> bool:
    rows: list[str] = []
    for line in lines[place : place + MAX_HEADER_BLOCK]:
        if not _is_plain(line) or not _HEADER_ROW.fullmatch(line.text):
            break
        rows.append(line.text)
    if len(rows) < 3:
        return False
    dates, addresses = any(map(holds_date, rows)), any(map(holds_address, rows))
    # A signature has an address among its rows and is no quote.
    return (dates and addresses) if in_signature else (dates or addresses)


def _measure_introduction(lines: Sequence[MailLine], place: int) -> int:
    """The number of lines of the introduction that begins at *place*, 0 if none does (REPLY-10)."""
    if not _is_plain(lines[place]) or not _opens_introduction(lines[place].text):
        return 0
    window: list[str] = []
    for line in lines[place : place + MAX_INTRODUCTION]:
        if not _is_plain(line):
            break
        window.append(line.text)
    length = next((n for n in range(1, len(window) + 1) if _ends_introduction(window[:n])), 0) or next(
        (n for n in range(1, len(window) + 1) if _names_writer(window[:n])), 0
    )
    if length > 1 and _is_complete(window[1:length]) and not _goes_on(window[0], window[1]):
        return 0  # only a line above an introduction, which is complete without it
    return length


def _measure_rule(lines: Sequence[MailLine], place: int) -> int:
    """Return 1 for a rule above a marked quote, which is part of it, else 0."""
    if len(lines[place].text) > MAX_PATTERN or not _RULE.fullmatch(lines[place].text):
        return 0
    quoted = _next_text(lines, place + 1)
    return int(quoted is not None and _is_marked(lines[quoted]))


def _opens_introduction(text: str) -> bool:
    return (
        holds_date(text)
        or holds_address(text)
        or holds_time(text)
        or holds_wrote(text)
        or opens_introduction(text)
    )


def _ends_introduction(window: Sequence[str]) -> bool:
    if not window[-1].endswith((":", "：")) or not any(map(_holds_origin, window)):
        return False
    last = window[-1]
    return _holds_origin(last) or holds_wrote(last) or (holds_address(window[-2]) and len(last) <= 40)


def _names_writer(window: Sequence[str]) -> bool:
    return any(map(holds_address, window)) and holds_wrote(" ".join(window))


def _is_complete(window: Sequence[str]) -> bool:
    """Return whether *window* says when, and by whom or that it was written."""
    dated = any(holds_date(text) or holds_time(text) for text in window)
    return dated and (any(map(holds_address, window)) or holds_wrote(" ".join(window)))


def _goes_on(text: str, following: str) -> bool:
    """Return whether a program broke the line between the two."""
    return text.endswith("<") or following.startswith("<") or holds_wrote(text) or opens_introduction(text)


def _holds_origin(text: str) -> bool:
    return holds_date(text) or holds_time(text) or holds_address(text)


def _is_added_line(text: str) -> bool:
    """Return whether a program added the line (REPLY-12)."""
    return len(text) <= MAX_ADDED and not is_answer(text) and is_added(text)
