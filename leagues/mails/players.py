"""Mails to players about acts of organisers, moderators and challengers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from operator import itemgetter
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import Player
from games.models import Kind
from games.outbox import replace_game_ended
from leagues.mails.base import LeagueMail, find_nearest_end, find_protest_end, list_first_facts
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
)
from leagues.words.log import describe_change, format_ranking
from moderation.models import NameChange


class Announced(LeagueMail, kind="announcement"):
    """An announcement of an organiser."""

    @classmethod
    def tell(cls, announcement: Announcement) -> None:
        """Tell the players of the latest season and its waiting list."""
        audience = find_audience(announcement.league).exclude(pk=announcement.who_id)
        cls.owe(audience, announcement, now=announcement.at, announcement=announcement)


class RulesChanged(LeagueMail, kind="rules"):
    """Rules of seasons to come have changed."""

    @classmethod
    def tell(cls, log: LogEntry) -> None:
        """Tell the players of the latest season and its waiting list, with the *log* entry."""
        assert log.who is not None
        cls.owe(find_audience(log.league).exclude(pk=log.who.pk), log, now=log.at, log=log)

    def read(self) -> dict[str, Any]:
        return {"changed": describe_change(self.log.act, self.log.details, {})}


class Replaced(LeagueMail, kind="replaced"):
    """The reader has a substitute."""

    @classmethod
    def tell(cls, entry: Entry, *, now: datetime) -> None:
        """Tell the player whom the one of *entry* replaces, and the substitute."""
        assert entry.replaces is not None
        cls.owe([entry.replaces.player], entry, now=now, entry=entry)
        Admitted.tell(entry, now=now)

    def matters(self) -> bool:
        return self.entry.season.running


class Admitted(Replaced, kind="admitted"):
    """An organiser has admitted the reader to a running season, possibly as a substitute."""

    @classmethod
    def tell(cls, entry: Entry, *, now: datetime) -> None:
        cls.owe([entry.player], entry, now=now, entry=entry)

    def matters(self) -> bool:
        return super().matters() and self.entry.state == EntryState.PLAYING

    def read(self) -> dict[str, Any]:
        return {"first_facts": list_first_facts(self.entry), "first_end": find_nearest_end(self.entry)}


class TakenOut(LeagueMail, kind="taken-out"):
    """An organiser has taken the reader out of a season."""

    @classmethod
    def tell(cls, season: Season, player: Player, log: LogEntry) -> None:
        """Tell *player*, with the *log* entry."""
        cls.owe([player], log, now=log.at, season=season, log=log)


class Settled(LeagueMail, kind="settled"):
    """An organiser has settled a game of the reader."""

    @classmethod
    def tell(cls, fixture: Fixture, log: LogEntry) -> None:
        """Tell the players of *fixture*, with the *log* entry."""
        there = Player.objects.filter(pk__in=[seat["player"] for seat in fixture.seats or ()])
        players = list(there.exclude(pk=log.who_id or 0))
        if fixture.game is not None:
            replace_game_ended(fixture.game, players, Kind.LEAGUE, now=log.at)
        cls.owe(players, log, now=log.at, fixture=fixture, log=log)

    def matters(self) -> bool:
        return self.fixture.ruling_id == self.log.pk  # else another ruling has followed

    def read(self) -> dict[str, Any]:
        match = self.fixture.match
        names = {seat.player_id: str(seat.player) for seat in match.seats.select_related("player")}
        result = format_ranking(self.log.details["after"], names)
        return {"result": result, "tell_by": find_protest_end(match.division.season, self.fixture.settled)}


class Lapsed(LeagueMail, kind="lapsed"):
    """A game of the reader counts without a decision of the organisers, who had time for one."""

    @classmethod
    def tell(cls, fixture: Fixture, players: Iterable[Player], until: datetime, *, now: datetime) -> None:
        """Tell *players* of *fixture*, which organisers could decide *until* then."""
        cls.owe(players, fixture, now=now, fixture=fixture, until=until.isoformat())

    def matters(self) -> bool:
        return self.fixture.seats is not None and self.fixture.settled_by_id is None

    def read(self) -> dict[str, Any]:
        match = self.fixture.match
        names = {seat.player_id: str(seat.player) for seat in match.seats.select_related("player")}
        seats = self.fixture.seats or ()
        ranks = sorted(((seat["player"], seat["rank"]) for seat in seats), key=itemgetter(1))
        return {
            "until": datetime.fromisoformat(self.about["until"]),
            "result": format_ranking(ranks, names),
            "tell_by": find_protest_end(match.division.season, self.fixture.settled),
        }


class PenaltySet(LeagueMail, kind="penalty"):
    """An organiser has set the penalty points of the reader, or those of their team."""

    @classmethod
    def tell(cls, division: Division, players: Iterable[Player], log: LogEntry) -> None:
        """Tell *players*, with the *log* entry."""
        cls.owe(players, log, now=log.at, division=division, log=log)

    def read(self) -> dict[str, Any]:
        return {"tell_by": find_protest_end(self.division.season, self.log.at)}


class Challenged(LeagueMail, kind="challenge"):
    """The reader is challenged on a ladder."""

    @classmethod
    def tell(cls, challenge: Challenge) -> None:
        cls.owe([challenge.challenged], challenge, now=challenge.made, challenge=challenge)

    def matters(self) -> bool:
        return self.challenge.ended is None

    def read(self) -> dict[str, Any]:
        return {"place": self.challenge.division.entries.get(player=self.reader).row}


class ChallengeEnded(LeagueMail, kind="challenge-over"):
    """A challenge of the reader is decided."""

    @classmethod
    def tell(cls, challenge: Challenge) -> None:
        """Tell both players."""
        assert challenge.ended is not None
        both = [challenge.challenger, challenge.challenged]
        cls.owe(both, challenge, now=challenge.ended, challenge=challenge)

    def read(self) -> dict[str, Any]:
        entries = self.challenge.division.entries
        return {"entry": entries.filter(player=self.reader, row__isnull=False).first()}


class RequestAnswered(LeagueMail, kind="answered"):
    """The organisers have answered a request of the reader."""

    @classmethod
    def tell(cls, request: OrganiserRequest) -> None:
        assert request.answered is not None
        cls.owe([request.player], request, now=request.answered, request=request)


class Renamed(LeagueMail, kind="renamed"):
    """A moderator has renamed the league of the reader, or their team."""

    @classmethod
    def tell(
        cls, league: League, players: Iterable[Player], change: NameChange, *, now: datetime, team: int = 0
    ) -> None:
        """Tell *players*, who chose the name."""
        cls.owe(players, change, now=now, league=league, change=change, team=team)


def find_audience(league: League) -> QuerySet[Player]:
    """Return the players of the latest season of *league* and its waiting list."""
    season = league.seasons.order_by("-number").first()
    if season is None:
        return Player.objects.none()
    there = season.entries.exclude(state=EntryState.WITHDRAWN).values("player")
    return Player.objects.filter(Q(pk__in=there) | Q(pk__in=season.waiting.values("player")))
