"""A crawl of the pages and messages about one game of a league, and whom they call its winner (STAND-21)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

import time_machine
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from accounts.models import Player
from games.models import Channel, Game, Kind, Notice
from games.notices import email
from games.notices.letters import NothingToTell
from games.notices.summaries import summarise_notice
from tests.html import Page
from tests.leagues.organising_helpers import get_organiser
from tests.leagues.season_helpers import get_numbered_player
from tests.leagues.views.league_page_helpers import LEAGUE_URL

FIRST, SECOND = "Player00", "Player01"
BOTH = frozenset({FIRST, SECOND})
Winners = frozenset[str]

ABOUT_GAME = ("board", "end", "text")
"""Names of pages that say how the game counts, whoever looks at them."""

SAID = (
    (r"(?<!has )\b(You|Player0\d) (?:has |have )?won\b", False),
    (r"\b(You|Player0\d) and (You|Player0\d) (?:drew|tied)", False),
    (r"\b(Player0\d), (Player0\d) (?:drew|tied|have tied)", False),
    (r"\b1(?:\.|st:) (Player0\d)(?:, 1(?:\.|st:) (Player0\d))?(?=, 2|: \d|\.|$)", False),
    (r"\bforfeits? of (Player0\d)(?:, (Player0\d))?", True),
    (r"\bforfeits? of the player who left()", True),
)
"""Sentences that name winners, or with true those who lost; groups are names."""

NOBODY = re.compile(r"[Nn]obody (?:has )?won|counts for nobody", re.IGNORECASE)


@dataclass(frozen=True)
class Document:
    """A page or message as *reader* gets it."""

    name: str
    reader: str
    text: str
    claims: Mapping[str, Winners] = field(default_factory=dict)  # by where they stand

    def __str__(self) -> str:
        return f"{self.name} for {self.reader or 'a visitor'}"


def make_document(name: str, reader: str, text: str, page: Page | None = None) -> Document:
    claims = dict(read_sentences(text, reader))
    if page is not None:
        claims.update(read_marks(page, name, reader))
    return Document(name, reader, text, claims)


def read_sentences(text: str, reader: str) -> Iterator[tuple[str, Winners]]:
    """Yield the sentences in *text* that name winners, without those of the log about what was before."""
    told = re.sub(r"Before: .*? After:|By time used: .*?\.", "", text)
    for pattern, loses in SAID:
        for found in re.finditer(pattern, told):
            names = frozenset(reader if name == "You" else name for name in found.groups() if name)
            if names:
                yield found.group(), (BOTH - names if loses else names)
    for found in NOBODY.finditer(told):
        yield found.group(), frozenset()
    if "Congratulations" in told:
        yield "Congratulations", frozenset({reader})


def read_marks(page: Page, name: str, reader: str) -> Iterator[tuple[str, Winners]]:
    """Yield the winners that *page* marks, where it marks any."""
    for selector in (".winner", ".ranking .winner"):
        marked = [row for row in page.texts(selector) if any(one in row for one in BOTH)]
        if marked:
            yield selector, frozenset(one for one in BOTH if any(one in row for row in marked))
    for podium in page.all("svg[role=img] title, svg > title"):
        for said, winners in read_sentences(podium.get_text(), reader):
            yield f"podium: {said}", winners
    if name == "mine":
        for said in page.texts(".ended p"):
            yield from read_outcome(said, reader)
    if name.startswith("profile of "):
        owner = name.removeprefix("profile of ")
        for said in page.texts(".form-line li .hidden-text"):
            yield from read_outcome(said, owner)
        for said in page.texts(".totals p"):
            won, drawn, lost = map(int, re.findall(r"\d+", said))
            yield from ((f"totals: {said}", winners) for winners in name_winners(owner, won, drawn, lost))
        for said in page.texts(".fact.between p"):
            yield f"between: {said}", read_encounter(said, reader, owner)


def read_outcome(said: str, owner: str) -> Iterator[tuple[str, Winners]]:
    for word, winners in (("tied", BOTH), ("won", {owner}), ("lost", BOTH - {owner})):
        if re.match(rf"{word}\b", said):
            yield f"{owner}: {said}", frozenset(winners)


def name_winners(owner: str, won: int, drawn: int, lost: int) -> Iterator[Winners]:
    if won:
        yield frozenset({owner})
    if drawn:
        yield BOTH
    if lost:
        yield BOTH - {owner}


def read_encounter(said: str, reader: str, other: str) -> Winners:
    """Read "you won 1, Player01 0", perhaps followed by ", 1 drawn"."""
    own, theirs, *drawn = map(int, re.findall(r"(?<!Player)\b\d+\b", said))
    if own == theirs and drawn:
        return BOTH
    return frozenset({reader} if own else {other} if theirs else ())


def crawl_pages(game: Game, now: datetime) -> list[Document]:
    """Read every page that words the result of *game*, as players, an organiser and a visitor see it."""
    found: list[Document] = []
    readers = [get_numbered_player(0), get_numbered_player(1), get_organiser(), AnonymousUser()]
    with time_machine.travel(now, tick=False):
        for reader in readers:
            client = Client()
            called = ""
            if isinstance(reader, Player):
                client.force_login(reader)
                called = str(reader)
            for name, url in list_pages(game, called):
                answer = client.get(url)
                assert answer.status_code == 200, f"{url}: {answer.status_code}"
                page = Page(answer)
                found.append(make_document(name, called, page.all_text, page))
    return found


def list_pages(game: Game, reader: str) -> Iterator[tuple[str, str]]:
    yield "board", f"/g/{game.code}/"
    yield "end", f"/g/{game.code}/end/"
    yield "text", f"/g/{game.code}/text/"
    yield "scores", f"/g/{game.code}/scores/"
    yield "archive", "/archive/"
    for name in (FIRST, SECOND):
        yield f"profile of {name}", f"/players/{name}/"
        yield f"career of {name}", f"/careers/{name}/"
    yield "league", LEAGUE_URL
    yield "season", f"{LEAGUE_URL}1/"
    yield "division", f"{LEAGUE_URL}1/1/"
    yield "log", f"{LEAGUE_URL}log/"
    yield "feed", f"{LEAGUE_URL}feed/"
    if reader:
        yield "mine", "/games/"
    if reader == str(get_organiser()):
        yield "desk", f"{LEAGUE_URL}desk/"


def send_messages(now: datetime) -> list[Document]:
    """Write all emails that are due, each also as a push message and a section of a digest, and mark them as
    sent."""
    found: list[Document] = []
    due = Notice.objects.filter(channel=Channel.EMAIL, sent=None, dropped=None, due__lte=now)
    for notice in due.exclude(kind__in=[Kind.YOUR_TURN, Kind.STARTED, Kind.REMINDER]).order_by("pk"):
        found += write_messages(notice, now)
    due.update(sent=now)
    return found


def write_messages(notice: Notice, now: datetime) -> Iterable[Document]:
    reader = str(notice.recipient)
    kind = notice.about.get("topic", notice.kind) if notice.about else notice.kind
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
