"""A mail of a league: who gets it, what it is about, and when it still matters. Its template says it.

The rows that a mail is about are stored by primary key in ``Notice.about``, under the names of ``ROWS``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any, ClassVar

from django.conf import settings
from django.db.models import Model
from django.template import Context, Engine
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.references import show_rows
from core.task_queue import queue_on_commit
from games import outbox
from games.models import Kind, Notice
from games.notices.letters import NoticeLetter
from leagues.models import (
    Announcement,
    Challenge,
    Division,
    Entry,
    EntryState,
    Fixture,
    League,
    LogEntry,
    OrganiserRequest,
    Season,
    Team,
    TeamMatch,
    TeamMember,
)
from moderation.models import NameChange


@dataclass(frozen=True)
class MailRow:
    """A model of which mails tell, the lookup of its league, if it has one, and what is read with it."""

    model: type[Model]
    league: str | None
    joins: tuple[str, ...] = ()


ROWS: Mapping[str, MailRow] = {
    "league": MailRow(League, ""),
    "log": MailRow(LogEntry, "league", ("who",)),
    "announcement": MailRow(Announcement, "league", ("who",)),
    "request": MailRow(OrganiserRequest, "league", ("player", "answered_by")),
    "season": MailRow(Season, "league"),
    "division": MailRow(Division, "season__league"),
    "entry": MailRow(Entry, "season__league", ("player", "division__season__league", "replaces__player")),
    "team": MailRow(Team, "season__league", ("captain",)),
    "member": MailRow(TeamMember, "team__season__league", ("player", "inviter", "team__captain")),
    "challenge": MailRow(
        Challenge, "division__season__league", ("match__division__season", "challenger", "challenged")
    ),
    "fixture": MailRow(Fixture, "match__division__season__league", ("game",)),
    "match": MailRow(TeamMatch, "division__season__league"),
    "player": MailRow(Player, None),
    "change": MailRow(NameChange, None),
}
"""Rows by their names in ``Notice.about``. The first that a mail has says to which league it belongs."""

MAILS: dict[str, type[LeagueMail]] = {}
"""All kinds of mails, by the ``topic`` of ``Notice.about``."""


@dataclass
class LetterParts:
    """Parts of a letter, collected by the tags of its template (``leagues/templatetags/league_mail.py``)."""

    subject: str = ""
    paragraphs: list[str] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    button: str = ""
    path: str = ""
    why: str = ""

    def build_letter(self, league: League) -> NoticeLetter:
        """Build the letter. All mails of *league* share one thread in mail programs."""
        usual = _("You're getting this email because you're playing in {league}.").format(league=league.name)
        context = {
            "paragraphs": self.paragraphs,
            "facts": self.facts,
            "button": self.button,
            "board_url": settings.SITE_URL + self.path,
            "why": self.why or usual,
        }
        return NoticeLetter(f"{league.name}: {self.subject}", context, thread=f"league.{league.pk}")


class LeagueMail:
    """A kind of mail. Its class method ``tell`` queues it, in the transaction of its cause.

    The stored kind is an argument of the class; the template has the same name, with underscores.
    """

    kind: ClassVar[str]
    template: ClassVar[str]

    league: League
    season: Season
    division: Division
    log: LogEntry
    entry: Entry
    team: Team
    member: TeamMember
    match: TeamMatch
    challenge: Challenge
    fixture: Fixture
    request: OrganiserRequest
    player: Player

    def __init_subclass__(cls, *, kind: str = "", template: str = "") -> None:
        if kind:
            cls.kind, cls.template = kind, f"leagues/mail/{template or kind.replace('-', '_')}.txt"
            MAILS[kind] = cls

    @classmethod
    def owe(
        cls,
        players: Iterable[Player],
        once: Model | str,
        *,
        now: datetime,
        due: datetime | None = None,
        **about: Model | int | str,
    ) -> None:
        """Queue the mail for those of *players* who want it, to be sent when it is *due*, or at once.

        Nobody gets it twice for the same event or row *once*. It is *about* these rows and values.
        """
        of = once.pk if isinstance(once, Model) else once
        stored = {name: value.pk if isinstance(value, Model) else value for name, value in about.items()}
        told = {"topic": cls.kind, **stored}
        owed = outbox.tell(players, Kind.LEAGUE, f"{cls.kind}.{of}", now=now, due=due, about=told)
        if owed and due is None:
            queue_on_commit("games.tasks.deliver_notices")

    def __init__(self, notice: Notice, now: datetime) -> None:
        assert notice.recipient is not None
        self.reader, self.about, self.now = notice.recipient, notice.about, now

    def write(self) -> NoticeLetter | None:
        """Write the mail as things stand; None if it matters no more, or says nothing."""
        rows = self._load_rows()
        if rows is None or not self.matters():
            return None
        parts = LetterParts()
        values = {**self.about, **rows, "league": self.league, "reader": self.reader, "now": self.now}
        context = Context({**values, **self.read(), "parts": parts}, autoescape=False)
        Engine.get_default().get_template(self.template).render(context)
        return parts.build_letter(self.league) if parts.paragraphs else None

    def matters(self) -> bool:
        """Return whether it is still news to the reader."""
        return True

    def read(self) -> dict[str, Any]:
        """Return what its template needs besides its rows."""
        return {}

    def is_registered(self, season: Season) -> bool:
        """Return whether *season* is open for registration and the reader is registered for it."""
        if not season.is_open:
            return False
        return season.entries.filter(player=self.reader, state=EntryState.REGISTERED).exists()

    def find_playing(self, season: Season) -> Entry | None:
        """Return the entry of the reader, if they play in *season* and it is running."""
        if not season.running:
            return None
        playing = season.entries.filter(player=self.reader, state=EntryState.PLAYING)
        return playing.select_related("division__season__league", "player").first()

    def _load_rows(self) -> dict[str, Any] | None:
        """Read the rows that the mail is about, which become attributes; None if one is deleted."""
        rows: dict[str, Any] = {}
        for name, about in ROWS.items():
            if not self.about.get(name):
                continue
            joins = [*([about.league] if about.league else []), *about.joins]
            found = about.model._default_manager.filter(pk=self.about[name])
            row = found.select_related(*joins).first() if joins else found.first()
            if row is None:
                return None
            rows[name] = row
        first = next(name for name in rows if ROWS[name].league is not None)
        way = ROWS[first].league
        self.league = attrgetter(way.replace("__", "."))(rows[first]) if way else rows[first]
        vars(self).update(rows)
        show_rows(rows.values())
        return rows


def find_active_players(entries: Iterable[Entry]) -> list[Player]:
    """Return the players of *entries* whose accounts are open."""
    keys = [entry.player_id for entry in entries]
    return list(Player.objects.filter(pk__in=keys, is_active=True))


def at_second(row: Model, now: datetime) -> str:
    """Return a key of events that can recur for *row*, but not in the same second."""
    return f"{row.pk}.{int(now.timestamp())}"


def find_protest_end(season: Season, decided: datetime | None) -> datetime | None:
    """Return the end of the protest time after a decision in *season*; each one restarts it (STAND-17)."""
    if not season.running or not season.settings.protest_time or decided is None:
        return None
    return decided + season.settings.protest_time


def list_first_facts(entry: Entry) -> list[tuple[str, str]]:
    """Return whom the player of *entry*, which has a division, meets first."""
    assert entry.division is not None
    return list(entry.division.contenders.list_first_facts(entry.division, entry))


def find_nearest_end(entry: Entry) -> datetime:
    """Return the nearest end that rules games of the player of *entry*, which has a division."""
    assert entry.division is not None
    return entry.division.contenders.find_nearest_end(entry.division, entry)
