"""A crawl of the pages and messages about one game of a league, and whom they call its winner (STAND-21)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

import time_machine
from django.test import Client

from accounts.models import Player
from games.models import Channel, Game, Kind, Notice
from games.notices import email
from games.notices.letters import NothingToTell
from games.notices.summaries import summarise_notice
from tests.html import Page
from tests.leagues.organising_helpers import get_organiser
from tests.leagues.views.league_page_helpers import LEAGUE_URL

FIRST, SECOND = "Player00", "Player01"
BOTH = frozenset({FIRST, SECOND})
Winners = frozenset[str]

OF_GAME = ("board", "end", "text", "scores")
OF_LEAGUE = ("league", "season", "division", "log", "feed")
OF_PLAYERS = (*(f"profile of {name}" for name in (FIRST, SECOND)), f"career of {FIRST}", "archive")
"""Names of pages."""

SAID = (
    (r"(?<!has )\b(You|Player0\d) (?:has |have )?won\b", False),
    (r"\b(You|Player0\d) and (You|Player0\d) (?:drew|tied)", False),
    (r"\b(Player0\d), (Player0\d) (?:drew|tied|have tied)", False),
    (r"\b1(?:\.|st:) (Player0\d)(?:, 1(?:\.|st:) (Player0\d))?(?=, 2|\.|$)", False),
    (r"\bforfeits? of (Player0\d)(?:, (Player0\d))?", True),
    (r"\bforfeits? of the player who left()", True),
)
"""Sentences that name winners, or with true those who lost; groups are names."""

NOBODY = re.compile(r"nobody (?:has )?won|counts for nobody|(?:there's|has) no winner", re.IGNORECASE)


class Claim(NamedTuple):
    """Winners and losers by what a document says."""

    won: Winners = frozenset()
    lost: Winners = frozenset()

    def agrees_with(self, winners: Winners) -> bool:
        return self.won <= winners and not self.lost & winners


def say_won(names: Winners) -> Claim:
    return Claim(names, BOTH - names)


def say_lost(names: Winners) -> Claim:
    return Claim(BOTH - names, names)


@dataclass(frozen=True)
class Document:
    """A page or message as *reader* gets it."""

    name: str
    reader: str
    text: str
    claims: Mapping[str, Claim] = field(default_factory=dict)  # by where they stand

    @property
    def is_about_game(self) -> bool:
        """Return whether it says how the game counts, whoever reads it."""
        kind = self.name.rpartition(" ")[2]
        return self.name in ("board", "end", "text") or kind in ("game_over", "settled", "lapsed")

    def __str__(self) -> str:
        return f"{self.name} for {self.reader or 'a visitor'}"


def make_document(name: str, reader: str, text: str, page: Page | None = None) -> Document:
    claims = dict(read_sentences(text, reader))
    if page is not None:
        claims.update(read_marks(page, name, reader))
    return Document(name, reader, text, claims)


def read_sentences(text: str, reader: str) -> Iterator[tuple[str, Claim]]:
    """Yield the sentences in *text* that name winners, without those of the log about what was before."""
    told = re.sub(r"Before: .*? After:|By time used: .*?\.", "", text)
    for pattern, loses in SAID:
        for found in re.finditer(pattern, told):
            names = frozenset(reader if name == "You" else name for name in found.groups() if name)
            if names:
                yield found.group(), (say_lost(names) if loses else say_won(names))
    ranked = frozenset(re.findall(r"^1\. (Player0\d): ", told, re.MULTILINE))
    if ranked:
        yield "the first lines of the scores", say_won(ranked)
    for found in NOBODY.finditer(told):
        yield found.group(), say_won(frozenset())
    if "Congratulations" in told:
        yield "Congratulations", Claim(won=frozenset({reader}))


def read_marks(page: Page, name: str, reader: str) -> Iterator[tuple[str, Claim]]:
    """Yield the winners that *page* marks, where it marks any."""
    marked = [row for row in page.texts(".winner") if any(one in row for one in BOTH)]
    if marked:
        yield "the marked rows", say_won(frozenset(one for one in BOTH if any(one in row for row in marked)))
    for podium in page.all("svg > title"):
        for said, claim in read_sentences(podium.get_text(), reader):
            yield f"podium: {said}", claim
    if name == "mine":
        for said in page.texts(".ended p"):
            yield from read_outcome(said, reader)
    if name.startswith("profile of "):
        owner = name.removeprefix("profile of ")
        for said in page.texts(".form-line li .hidden-text"):
            yield from read_outcome(said, owner)
        for said in page.texts(".totals p"):
            won, drawn, lost = map(int, re.findall(r"\d+", said))
            for number, word in ((won, "won"), (drawn, "tied"), (lost, "lost")):
                if number:
                    yield from read_outcome(f"{word} by totals", owner)
        for said in page.texts(".fact.between p"):
            yield f"between: {said}", read_encounter(said, reader, owner)


def read_outcome(said: str, owner: str) -> Iterator[tuple[str, Claim]]:
    """Read the outcome of *owner*: "won", "tied for first place" or "lost", whatever follows."""
    name = frozenset({owner})
    for word, claim in (("tied", say_won(BOTH)), ("won", say_won(name)), ("lost", Claim(lost=name))):
        if re.match(rf"{word}\b", said):
            yield f"{owner}: {said}", claim


def read_encounter(said: str, reader: str, other: str) -> Claim:
    """Read "you won 1, Player01 0", perhaps followed by ", 1 drawn"."""
    own, theirs, *drawn = map(int, re.findall(r"(?<!Player)\b\d+\b", said))
    if drawn:
        return say_won(BOTH)
    return say_won(frozenset({reader} if own else ()) | frozenset({other} if theirs else ()))


def crawl_pages(game: Game, now: datetime) -> list[Document]:
    """Read every page that words the result of *game*, as players, an organiser and a visitor see it."""
    readers = {
        FIRST: (*OF_GAME, *OF_LEAGUE, *OF_PLAYERS, "mine"),
        SECOND: ("board", "end", "mine", f"profile of {FIRST}"),
        str(get_organiser()): ("desk",),
        "": ("board", "text", "archive"),
    }
    addresses = dict(list_pages(game))
    with time_machine.travel(now, tick=False):
        return [
            read_page(name, addresses[name], reader) for reader, names in readers.items() for name in names
        ]


def read_page(name: str, url: str, reader: str) -> Document:
    client = Client()
    if reader:
        client.force_login(Player.objects.get(username=reader))
    answer = client.get(url)
    assert answer.status_code == 200, f"{url}: {answer.status_code}"
    page = Page(answer)
    return make_document(name, reader, page.all_text, page)


def list_pages(game: Game) -> Iterator[tuple[str, str]]:
    yield "board", f"/g/{game.code}/"
    yield "end", f"/g/{game.code}/end/"
    yield "text", f"/g/{game.code}/text/"
    yield "scores", f"/g/{game.code}/scores/"
    yield "archive", "/archive/"
    yield "mine", "/games/"
    for name in (FIRST, SECOND):
        yield f"profile of {name}", f"/players/{name}/"
        yield f"career of {name}", f"/careers/{name}/"
    yield "league", LEAGUE_URL
    yield "season", f"{LEAGUE_URL}1/"
    yield "division", f"{LEAGUE_URL}1/1/"
    yield "log", f"{LEAGUE_URL}log/"
    yield "feed", f"{LEAGUE_URL}feed/"
    yield "desk", f"{LEAGUE_URL}desk/"


def send_messages(now: datetime) -> list[Document]:
    """Write all emails that are due, each also as a push message and a section of a digest, and mark them as
    sent."""
    found: list[Document] = []
    due = Notice.objects.filter(channel=Channel.EMAIL, sent=None, dropped=None, due__lte=now)
    of_season = {"kind": Kind.LEAGUE, "about__topic": "over"}
    shown = due.exclude(kind__in=[Kind.YOUR_TURN, Kind.STARTED, Kind.REMINDER]).exclude(**of_season)
    for notice in shown.filter(recipient__username__in=BOTH).order_by("pk"):
        found += write_messages(notice, now)
    due.update(sent=now)
    return found


def write_messages(notice: Notice, now: datetime) -> Iterable[Document]:
    reader = str(notice.recipient)
    kind = notice.about["topic"] if notice.kind == Kind.LEAGUE else notice.kind
    with time_machine.travel(now, tick=False):
        try:
            written = email.compose(notice)
        except NothingToTell:
            return
        section, push = email.compose_section(notice), summarise_notice(notice)
    html = Page(str(written.alternatives[0][0]))
    yield make_document(f"email {kind}", reader, f"{written.subject}\n{written.body}")
    yield make_document(f"html {kind}", reader, html.all_text, html)
    yield make_document(f"digest {kind}", reader, section.text)
    yield make_document(f"push {kind}", reader, f"{push.title}\n{push.text}")
