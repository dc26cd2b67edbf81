"""Whole leagues written down as rows, which is quick: for pages and benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from datetime import datetime, timedelta
from itertools import count
from typing import NamedTuple

from allauth.account.models import EmailAddress

from accounts.models import Player
from games.clocks import DAY
from games.models import Game, new_code
from games.rules import RuleSet
from leagues.models import (
    Division,
    Entry,
    EntryState,
    Fixture,
    League,
    LogEntry,
    Match,
    MatchSeat,
    Phase,
    Season,
)
from leagues.schedules.round_robin import pair_round_robin
from leagues.settings import LeagueSettings
from leagues.standings import Rules

AT_ONCE = 5000


class Size(NamedTuple):
    """Size of a league."""

    divisions: int
    players: int  # in each of them
    seasons: int  # number of seasons; the last one runs

    @property
    def games(self) -> int:
        return self.divisions * self.seasons * self.players * (self.players - 1) // 2


def people(number: int, prefix: str) -> list[Player]:
    """Create so many players with confirmed addresses."""
    named = [(f"{prefix}{n:04}", f"{prefix.lower()}{n}@example.org") for n in range(number)]
    players = Player.objects.bulk_create(Player(username=name, email=email) for name, email in named)
    EmailAddress.objects.bulk_create(
        EmailAddress(user=player, email=player.email, verified=True, primary=True) for player in players
    )
    return players


def write_league(slug: str, players: Sequence[Player], size: Size, game: Game, now: datetime) -> League:
    """A league in which the earlier of *players* wins every game, each a copy of *game* without its moves;
    the last season is half through."""
    league = _league(slug, players[0], size.players, now)
    for number in range(1, size.seasons + 1):
        _season(league, number, players, size, game, now - (size.seasons - number) * 70 * DAY)
    LogEntry.objects.bulk_create(
        LogEntry(league=league, who=player, at=now - n * DAY / 50, act="withdraw", details={})
        for n, player in enumerate(players)
    )
    return league


def open_league(slug: str, players: Sequence[Player], size: Size, now: datetime) -> League:
    """Create a league for whose second season *players* have registered, after a first in divisions."""
    league = _league(slug, players[0], size.players, now)
    season = Season.objects.create(
        league=league,
        number=2,
        agreed=league.agreed,
        opened=now - 2 * DAY,
        begins=now + 5 * DAY,
        ends=now + 60 * DAY,
    )
    Entry.objects.bulk_create(
        Entry(
            season=season,
            player=player,
            registered=now - 2 * DAY + timedelta(seconds=n),
            seeded=1 + n // size.players,
            order=n % size.players,
        )
        for n, player in enumerate(players)
    )
    return league


def _league(slug: str, founder: Player, division_size: int, now: datetime) -> League:
    settings = LeagueSettings(
        rules=RuleSet.of(seats=2),
        standings=Rules.usual(2, up=1, down=1),
        division_size=division_size,
        length=60 * DAY,
    )
    return League.objects.create(
        slug=slug, name=slug.title(), founder=founder, agreed=settings.to_json(), created=now - 900 * DAY
    )


def _season(
    league: League, number: int, players: Sequence[Player], size: Size, game: Game, middle: datetime
) -> None:
    over = number < size.seasons
    season = Season.objects.create(
        league=league,
        number=number,
        agreed=league.agreed,
        phase=Phase.CLOSED if over else Phase.RUNNING,
        opened=middle - 37 * DAY,
        begins=middle - 30 * DAY,
        ends=middle + 30 * DAY,
        closed=middle + 30 * DAY if over else None,
    )
    rounds = pair_round_robin(range(size.players), 1)
    played = len(rounds) if over else len(rounds) // 2
    divisions = Division.objects.bulk_create(
        Division(season=season, level=level, rounds=len(rounds), drawn=len(rounds))
        for level in range(1, size.divisions + 1)
    )
    tables = [players[at * size.players : (at + 1) * size.players] for at in range(size.divisions)]
    Entry.objects.bulk_create(
        _entry(season, division, table, row, over)
        for division, table in zip(divisions, tables, strict=True)
        for row in range(size.players)
    )
    pairings = [
        (division, table, number, place, pairing.players)
        for division, table in zip(divisions, tables, strict=True)
        for number, each in enumerate(rounds, start=1)
        for place, pairing in enumerate(each.pairings, start=1)
    ]
    matches = Match.objects.bulk_create(
        [
            Match(
                division=division,
                round=number,
                number=place,
                waits=False,
                decided=middle if number <= played else None,
            )
            for division, _, number, place, _ in pairings
        ],
        batch_size=AT_ONCE,
    )
    games = _games(game, len(matches))
    MatchSeat.objects.bulk_create(
        [
            MatchSeat(match=match, index=index, player=table[player])
            for match, (_, table, _, _, pair) in zip(matches, pairings, strict=True)
            for index, player in enumerate(pair)
        ],
        batch_size=AT_ONCE,
    )
    Fixture.objects.bulk_create(
        [
            Fixture(
                match=match,
                number=1,
                game=one,
                seats=_result(table, pair) if match.decided else None,
                settled=match.decided,
            )
            for match, one, (_, table, _, _, pair) in zip(matches, games, pairings, strict=True)
        ],
        batch_size=AT_ONCE,
    )


def _entry(season: Season, division: Division, table: Sequence[Player], row: int, over: bool) -> Entry:
    below = table[row + 1] if row + 1 < len(table) else None
    points = 2 * (len(table) - row - 1)
    why = below and {"ahead_of": below.pk, "by": "points", "own": str(points), "other": str(points - 2)}
    return Entry(
        season=season,
        player=table[row],
        division=division,
        state=EntryState.PLAYING,
        registered=season.opened,
        rank=row + 1,
        row=row + 1,
        points=str(points),
        explained=why,
        outlook=None if over else {"up": {"chance": "open", "needs": None, "left": 3}},
    )


def _games(game: Game, number: int) -> list[Game]:
    copies = [copy(game) for _ in range(number)]
    for one, serial in zip(copies, count(1), strict=False):
        one.pk, one.code, one.name = None, new_code(), f"Game {serial}"
    return Game.objects.bulk_create(copies, batch_size=500)


def _result(table: Sequence[Player], pair: Sequence[int]) -> list[dict[str, object]]:
    first = min(pair)
    return [
        {
            "player": table[player].pk,
            "rank": 1 if player == first else 2,
            "score": 90 if player == first else 70,
            "forfeit": False,
        }
        for player in pair
    ]
