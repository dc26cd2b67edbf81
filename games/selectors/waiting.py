"""The games that wait for a player, the next of them, and whether anything has happened.

Every page shows the number, and open pages poll for news. Each is one query that starts from the player's own
seats and invitations, however many games there are on the site.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import inf
from typing import Any, NamedTuple

from django.db.models import (
    BooleanField,
    Case,
    DateTimeField,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce, Concat

from accounts.models import Player
from games.models import (
    Answer,
    FollowedGame,
    Game,
    Invitation,
    Seat,
    SeatState,
    Status,
    Visibility,
)
from games.selectors.pending_invitations import find_pending

JUST_FINISHED = timedelta(days=14)
WORDS_AGE = timedelta(minutes=15)
"""Interval after which a page must show the times left anew."""

MOST_FINISHED = 20
"""Maximum number of recently finished games that are read."""


def load_waiting_games(player: Player) -> list[Game]:
    """Return the games awaiting *player*, least time left first: codes, names and times. One query."""
    games = Game.objects.filter(pk__in=_waiting(player).values("game"))
    told = games.only("code", "name", "version", "turn_version", "turn_began", "deadline")
    return list(told.order_by(F("deadline").asc(nulls_last=True), "pk"))


def count_waiting_games(player: Player) -> int:
    """Count the games in which it is *player*'s turn, for every page. One query."""
    return _waiting(player).count()


def _waiting(player: Player) -> QuerySet[Seat]:
    """The seats of *player* that are on turn."""
    return Seat.objects.filter(
        player=player,
        ended=None,
        state=SeatState.PLAYING,
        index=F("game__awaited"),
        game__status=Status.PLAYING,
        game__settles=None,
    )


def find_next_waiting_game(player: Player, after: str = "") -> Game | None:
    """Return the game after the one with the code *after* in which it is *player*'s turn, cyclically by
    urgency; the most urgent one if *after* is not among them. ``None`` if there is no other."""
    return find_following(load_waiting_games(player), after)


def find_following(games: Sequence[Game], after: str) -> Game | None:
    """Return the game after that with the code *after*, cyclically; the first if it isn't among *games*."""
    at = next((index for index, game in enumerate(games) if game.code == after), -1)
    others = [*games[at + 1 :], *games[: max(at, 0)]]
    return others[0] if others else None


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a player's list as primary keys: games, and invitations to open tables."""

    stamp: str = ""  # changes whenever something has happened that the list shows
    turn: list[int] = field(default_factory=list)  # theirs to play, least time left first, or latest turn
    waiting: list[int] = field(default_factory=list)  # for others likewise, then for programs
    lost: list[int] = field(default_factory=list)  # the bot stands in, until they come back or are replaced
    invited: list[int] = field(default_factory=list)  # invitations, the first one first
    open: list[int] = field(default_factory=list)  # the newest first
    finished: list[int] = field(default_factory=list)  # lately, the last one first
    followed: list[int] = field(default_factory=list)  # games of others, the latest turn or end first
    asked: list[int] = field(default_factory=list)  # invitations elsewhere, the last one first
    names: dict[int, str] = field(default_factory=dict)  # of games that are not over, by primary key


class _Row(NamedTuple):
    """An entry of the list, or without a *part* something that only changes its stamp."""

    pk: int
    part: str
    name: str
    number: int
    told: str
    deadline: datetime | None
    since: datetime | None


def load_parts_of_my_games(player: Player, now: datetime, latest: bool = False) -> Parts:
    """Load the parts of *player*'s list; running games by time left, or with *latest* by the latest turn. One
    query."""
    first, *others = _sources(player, now)
    rows = [_Row(*row) for row in first.union(*others, all=True)]
    told = now.timestamp() // WORDS_AGE.total_seconds()
    parts = Parts(stamp=hashlib.sha256(f"{told} {sorted(map(str, rows))}".encode()).hexdigest()[:16])
    for row in sorted(rows, key=_latest_first if latest else _urgent_first):
        if row.part:
            getattr(parts, row.part).append(row.pk)
        if row.name:
            parts.names[row.pk] = row.name
    parts.invited.reverse()
    return parts


def _urgent_first(row: _Row) -> tuple[float, float, int]:
    return row.deadline.timestamp() if row.deadline else inf, *_latest_first(row)


def _latest_first(row: _Row) -> tuple[float, int]:
    return -row.since.timestamp() if row.since else 0.0, row.pk


def _sources(player: Player, now: datetime) -> list[QuerySet[Any, Any]]:
    """Return the querysets of the list: own games, recently ended ones, invitations, and followed games; and
    what only changes its stamp: players at own open tables, and invitations to those."""
    lately = now - JUST_FINISHED
    mine = Seat.objects.filter(
        player=player, ended=None, game__status__in=[Status.OPEN, Status.PLAYING, Status.SCORING]
    )
    mine_open = mine.filter(game__status=Status.OPEN).values("game")
    over = Seat.objects.filter(player=player, ended__gt=lately).order_by("-ended", "-game")[:MOST_FINISHED]
    invitations = Invitation.objects.filter(answer=Answer.PENDING)
    to_me = Q(player=player) | (Q(address=player.email) & ~Q(address=""))
    followed = FollowedGame.objects.filter(player=player).filter(
        Q(game__status__in=[Status.PLAYING, Status.SCORING]) | Q(game__finished__gt=lately)
    )
    return [
        _values(
            mine,
            pk=F("game"),
            part=PART_OF_MINE,
            name=F("game__name"),
            number=F("game__version"),
            told=F("game__status"),
            deadline=F("game__deadline"),
            since=Coalesce("game__turn_began", "game__created"),
        ),
        _values(
            Seat.objects.filter(pk__in=over.values("pk")),
            pk=F("game"),
            part=Case(When(game__started=None, then=Value("")), default=Value("finished")),
            number=F("game__version"),
            told=F("game__status"),
            since=F("ended"),
        ),
        _values(
            Seat.objects.filter(game__in=mine_open),
            pk=F("pk"),
            number=Coalesce("player", 0),
            told=Concat("bot", Cast("game__expires", TextField()), output_field=TextField()),
            since=F("game__created"),
        ),
        _values(
            invitations.filter(to_me, game__status=Status.OPEN),
            pk=F("pk"),
            part=Value("invited"),
            number=F("game"),
            since=F("created"),
        ),
        _values(invitations.filter(game__in=mine_open), pk=F("pk"), number=F("game"), since=F("created")),
        _values(
            followed,
            pk=F("game"),
            part=Case(When(game__visibility=Visibility.PRIVATE, then=Value("")), default=Value("followed")),
            number=F("game__version"),
            told=F("game__status"),
            since=Coalesce("game__finished", "game__turn_began"),
        ),
        *(
            _values(found, pk=F("pk"), part=Value("asked"), since=F("since"))
            for found in find_pending(player)
        ),
    ]


PART_OF_MINE = Case(
    When(game__status=Status.OPEN, then=Value("open")),
    When(game__status=Status.PLAYING, state=SeatState.OFFERED, then=Value("lost")),
    When(
        state=SeatState.PLAYING,
        game__awaited=F("index"),
        game__settles=None,
        game__status=Status.PLAYING,
        then=Value("turn"),
    ),
    default=Value("waiting"),
)


def _values(found: QuerySet[Any], **columns: Any) -> QuerySet[Any, Any]:
    """Annotate the columns of :class:`_Row`; those not given are empty."""
    empty = {
        "part": Value(""),
        "name": Value(""),
        "number": Value(0),
        "told": Value(""),
        "deadline": Value(None, DateTimeField()),
    }
    # Names of annotations may not be those of the model's fields.
    named = {f"row_{name}": value for name, value in (empty | columns).items()}
    return found.order_by().annotate(**named).values_list(*(f"row_{name}" for name in _Row._fields))


def find_games_without_deadline() -> QuerySet[Game]:
    """Find running games without a running clock: a program is awaited (``by_program`` is true, else empty),
    the last turn can still be undone, or the game is paused.

    ``by_program`` is a value, not an ``Exists``: next to an "or", PostgreSQL would read all seats of the site
    instead of one seat for each of these few games.
    """
    awaited = Seat.objects.filter(game=OuterRef("pk"), index=OuterRef("awaited"))
    program = awaited.filter(~Q(bot="") | ~Q(state=SeatState.PLAYING)).values(awaits=Value(True))[:1]
    still = Game.objects.filter(status=Status.PLAYING, deadline=None)
    return still.alias(by_program=Subquery(program, output_field=BooleanField()))
