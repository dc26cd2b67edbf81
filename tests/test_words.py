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

from tests.cases import for_each

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


MAIL_COUNTED = (
    r"\b(?:[Aa]|[Tt]his|[Tt]hat|[Oo]ne|[Ee]ach|[Yy]our|[Oo]ther|[Aa]nother|last|daily|newer) mail\b"
    r"(?! (?:servers?|programs?|providers?)\b)"
    r"|(?<![/`])\b[Mm]ails\b(?!/)|\b[Mm]ail (?:me|you|a)\b|\b[Mm]ailed\b|\b[Bb]y mail\b|\b[Ee]-mail"
)
"""A message called a mail; mail servers and mail as such are right."""


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
    Retired(MAIL_COUNTED, "an email, emails, this email, email me"),
    Retired(
        r"\b[Tt]urn(?:ed|s)? (?:the|a) tile\b|\bto turn it\b|\bturned by\b",
        "rotate, rotated, turned 90° clockwise",
    ),
    Retired(
        r"^(?:better|worse|equal)$|\bYou did better\b|\b(?:match|board|one) is even\b", "won, drawn, lost"
    ),
    # sentences
    Retired(r"\b[Hh]ere stands?\b", "name what the page shows"),
    Retired(r"\b(?:is|are|was|were) (?:then )?(?:asked|told)\b", "we've asked, we tell"),
    Retired(r"(?<!\S)Whoever\b", "anyone who, the player who, if you"),
    Retired(r"^(?:[^?]*[.:;] )?(?:Who|Whom)\b(?![^.]*\?)", "the players who, if you"),
    Retired(r"\b[Tt]hese are (?:very )?many\b", "that's a lot of"),
    Retired(r"\b[Aa]ll the same\b", "still, anyway"),
    Retired(r"\b[Aa]t the moment\b|^The latest$|^All of them$", "right now, current; latest; all"),
    Retired(r"\bby (?:it|him|her|them)sel(?:f|ves)\b", "automatically, on its own"),
    Retired(r"\bNobody is late\b", "no deadline falls"),
    Retired(r"\bdeadlines? (?:is|are) forgiven\b", "being late once is fine"),
    Retired(r"\b[Ss]o says\b", "name who decided"),
    Retired(r"\bSettings of\b|\bLive your life\b|\bWay \{n\}", "your settings; play at your pace; rotation"),
    Retired(
        r"\bas it is printed\b|\b(?:is|are) left to draw\b|\bNobody has scored\b",
        "as shown; tiles left; no points scored",
    ),
    Retired(
        r"\bout of date by the time\b|\bas out of time\b|\bturns in time\b",
        "had already played; ran out of time; on time",
    ),
    Retired(
        r"\b(?:undoes a|invites you|challenges you|treats \{player\})\b",
        "the past tense: has invited you, undid",
    ),
    Retired(r"\b[Mm]ostly left open\b|\bgoes? beyond (?:it|the end|\{)", "usually left empty; can run past"),
    Retired(
        r"\bweighs? more\b|^They end\b|\bextends nothing\b", "count more; turns them off; no meeples affected"
    ),
    Retired(r"\baddress yours\b|\bnot the right address\b", "confirm your email; wrong address?"),
    Retired(r"\b(?:letters? at most|at most \{n\} letters?|within \d+ letters)\b", "characters"),
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
    "Mail me a code",
    "You're getting this mail because you play in Albi.",
    "Turn the tile",
    "turned by {n}°",
    "You did better: {won}, worse: {lost}, equal: {even}.",
    "better",
    "At the moment",
    "begin a holiday by itself when my time runs out",
    "A moderator lets the game go on. Nobody is late in the next twelve hours.",
    "missing one deadline is forgiven",
    "So says a standing answer of {player}.",
    "Settings of {name}",
    "as it is printed",
    "A moderator treats {player} as out of time.",
    "{player} undoes a turn.",
    "No turn goes beyond it, for no reason at all. Mostly left open.",
    "Recent turns weigh more.",
    "Is this address yours?",
    "Keep the reason within 500 letters.",
)
"""Old texts, each with a retired word."""

RIGHT = (
    "Blue's farmer has both banks: the field goes around the spring.",
    "{bank} in the time bank, {gain} more with each turn",
    "Who are you reporting?",
    "Your chance of beating this player: {n}%",
    "your mail server didn't accept it",
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


@for_each("text", PLANTED)
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


def test_documents_count_emails() -> None:
    """In prose: code, addresses and names in code stay."""
    told = []
    for path in (*(ROOT / "docs").rglob("*.md"), *map(ROOT.joinpath, ("README.md", "SECURITY.md"))):
        code = False
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            code ^= line.startswith("```")
            prose = "" if code or line.startswith("    ") else re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)
            told += [f"{path.relative_to(ROOT)}:{number}: {one}" for one in re.findall(MAIL_COUNTED, prose)]
    assert not told, "\n".join(told)
