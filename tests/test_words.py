"""Tests of the site's English: one word for a thing, and natural sentences.

``RETIRED`` is the table of phrases to avoid, with replacements and the contexts in which they are right.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.extract import extract
from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[1]
SOURCES = ("core", "accounts", "ratings", "games", "moderation", "leagues", "carcassonne", "templates")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}


class Retired(NamedTuple):
    """*phrase* that no text may hold, with a replacement *instead*; *right* are contexts that may hold it."""

    phrase: str
    instead: str
    right: tuple[str, ...] = ()


RETIRED = (
    # clocks
    Retired(r"\bPauses aside\b", "holidays and pauses come on top"),
    Retired(r"\bfree, from\b", "of free time from"),
    Retired(r"\bdays of the bank\b", "days from the time bank"),
    # one word for a thing
    Retired(
        r"\b[Tt](?:ake|akes|aken|aking|ook)\b(?: \S+){0,4}? back\b",
        "start over, undo, return, cancel, remove",
    ),
    Retired(r"\b[Aa]bort", "ended early"),
    Retired(r"\b(?:[Bb]roken|[Bb]reaks?)\b[^.]*? off\b", "ended early"),
    Retired(r"\b[Ff]riendly\b", "unrated"),
    Retired(r"\bnot rated\b", "unrated"),
    Retired(r"\b[Mm]y page\b|\b[Yy]our page\b", "Your profile"),
    Retired(
        r"(?<!time )(?<![{(])\bbanks?\b", "time bank", right=("both banks", "the two banks")
    ),  # a river's
    Retired(r"\b[Ss](?:eek|eeks|ought)\b[^.]*? substitute", "need a substitute"),
    Retired(r"\btakes? one over\b", "substitute"),
    Retired(r"\bcaretaker\b|\b(?:kept|keeps?)\b[^.]*? warm\b", "the bot is standing in"),
    Retired(r"\b[Pp]lace (?:\{|%\()", "1st, 2nd, 3rd (games.words.grammar.format_ordinal)"),
    Retired(r"\b[Ss]oonest full\b", "nearly full"),
    Retired(r"\b[Ss]its? here\b", "Players; you're in"),
    # sentences
    Retired(r"\b[Hh]ere stands?\b", "name what the page shows"),
    Retired(r"\b(?:is|are|was|were) (?:then )?(?:asked|told)\b", "we've asked, we tell"),
    Retired(r"(?<!\S)Whoever\b", "anyone who, the player who, if you"),
    Retired(r"^(?:[^?]*[.:;] )?(?:Who|Whom)\b(?![^.]*\?)", "the players who, if you"),
    Retired(r"\b[Tt]hese are (?:very )?many\b", "that's a lot of"),
    Retired(r"\b[Aa]ll the same\b", "still, anyway"),
)

PLANTED = (
    "Take back",
    "{player} takes a turn back.",
    "%(name)s was aborted: it ended before everybody had moved.",
    "A moderator has broken the game off.",
    "A friendly game for {n} players",
    "The game is not rated.",
    "My page",
    "{time} of the bank",
    "Seats that seek a substitute",
    "Whoever takes one over plays on from the position as it stands.",
    "Pauses aside, it ends by 3 May.",
    "12 hours free, from Wed 3 May",
    "3 days of the bank",
    "kept warm by the house bot",
    "place {n}",
    "soonest full first",
    "you sit here",
    "Here stand the players whom you follow.",
    "The others are asked.",
    "Nobody is told.",
    "Whoever misses the deadline has lost.",
    "Who behaves badly towards others can be reported.",
    "A ladder. Who wins the challenge takes the place.",
    "These are many invitations for one day.",
    "Turns may be played all the same.",
)
"""Old texts, each with a retired word."""

RIGHT = (
    "Blue's farmer has both banks: the field goes around the spring.",
    "{bank} in the time bank, {gain} more with each turn",
    "Who are you reporting?",
    "Your chance of beating this player: {n}%",
)
"""Texts in which a retired word is right."""


class Text(NamedTuple):
    """Text for players, with the file that holds it."""

    text: str
    where: str


@cache
def texts() -> tuple[Text, ...]:
    """All English texts of the sources that a translator sees."""
    return tuple(sorted({text for folder in SOURCES for text in _texts_under(ROOT / folder)}))


def _texts_under(folder: Path) -> Iterator[Text]:
    for path in sorted(folder.rglob("*")):
        if path.suffix not in {".py", ".html", ".txt", ".svg", ".js"} or "migrations" in path.parts:
            continue
        source = path.read_text()
        if path.suffix != ".py":
            source = f"(\n{templatize(source)}\n)"  # in brackets, indentation says nothing
        elif "gettext" not in source:
            continue
        for _line, message, _comments, _context in extract(
            "python", io.BytesIO(source.encode()), keywords=KEYWORDS, options={"encoding": "utf-8"}
        ):
            for text in (message,) if isinstance(message, str) else message:
                if text:
                    yield Text(text, str(path.relative_to(ROOT)))


def faults(text: str) -> list[str]:
    """The retired phrases in *text*, with replacements."""
    said = []
    for retired in RETIRED:
        found = re.search(retired.phrase, text)
        if found and not any(context in text for context in retired.right):
            said.append(f"“{found.group()}” → {retired.instead}")
    return said


def test_the_texts_are_found() -> None:
    """Of templates and of Python, single and plural, in one line and in several."""
    known = {text.text for text in texts()}
    assert len(known) > 3000
    assert "Seats needing a substitute" in known  # {% translate %}
    assert "%(n)s table" in known and "%(n)s tables" in known  # {% blocktranslate count %}
    assert "It's your turn." in known  # _()
    assert "{n} point" in known and "{n} points" in known  # ngettext()
    assert "{n}st" in known  # pgettext()


def test_no_text_holds_a_retired_phrase() -> None:
    told = [f"{one.where}: {one.text!r}: {fault}" for one in texts() for fault in faults(one.text)]
    assert not told, "\n".join(told)


@pytest.mark.parametrize("text", PLANTED)
def test_a_planted_phrase_is_noticed(text: str) -> None:
    assert faults(text)


@pytest.mark.parametrize("text", RIGHT)
def test_a_phrase_in_its_context_is_right(text: str) -> None:
    assert not faults(text)


def test_each_phrase_has_been_said_once() -> None:
    """So that no row of the table can be mistyped and notice nothing."""
    for retired in RETIRED:
        assert any(re.search(retired.phrase, text) for text in PLANTED), retired.phrase


def test_each_context_is_still_there() -> None:
    for retired in RETIRED:
        for context in retired.right:
            assert any(context in one.text for one in texts()), context
