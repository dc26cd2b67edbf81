"""What a game waits for, until when, and how an open page learns that something has happened."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from games import rules
from games.access import Visitor, on_turn
from games.models import Game, Seat, Status
from games.pages.parts.addresses import urls_of
from games.pages.parts.story import result
from games.words.decisions import asked as asks
from games.words.decisions import waiting_for

DAY = timedelta(days=1)


class Clock(NamedTuple):
    """Until when the seat awaited may play."""

    left: str
    until: str
    iso: str
    soon: bool


class Watch(NamedTuple):
    """How htmx looks for news: how often and where; the address says what the page knows."""

    often: str
    url: str


def headline(
    game: Game, state: rules.State, names: Sequence[str], me: Seat | None, seats: Sequence[Seat]
) -> str:
    """What the game waits for, or how it ended."""
    if game.status == Status.PLAYING:
        assert game.awaited is not None
        if on_turn(me, game):
            return asks(state) or _("It is your turn.")
        if seats[game.awaited].bot:
            return _("It is the house bot's turn.")
        if seats[game.awaited].left:
            return _("The house bot is playing for {player}.").format(player=names[game.awaited])
        waits = waiting_for(state, names[game.awaited])
        return waits or _("It is {player}'s turn.").format(player=names[game.awaited])
    if game.status == Status.SCORING:
        return _("The last tile is placed. The final scoring comes in a moment.")
    return result(game, seats)


def clock(game: Game, viewer: Visitor) -> Clock | None:
    """The deadline in the viewer's zone; to strangers, whose zone nobody knows, it is named."""
    if game.status != Status.PLAYING or game.deadline is None:
        return None
    local = timezone.localtime(game.deadline)
    late = game.deadline <= timezone.now()
    zone = "" if viewer.is_authenticated else f" {local:%Z}"
    return Clock(
        left=_("time is up") if late else _("{time} left").format(time=timeuntil(game.deadline)),
        until=date_format(local, "SHORT_DATETIME_FORMAT") + zone,
        iso=local.isoformat(timespec="minutes"),
        soon=game.deadline - timezone.now() < DAY,
    )


def watch(game: Game, seats: Sequence[Seat], me: Seat | None, said: int) -> Watch | None:
    """How the page of *game* looks for news; *said* is the newest message that it shows."""
    often = how_often(game, seats, me)
    return Watch(often, f"{urls_of(game).table}?since={game.version}.{said}") if often else None


def how_often(game: Game, seats: Sequence[Seat], me: Seat | None) -> str:
    """How often an open page looks for news: soon where a program is at work, rarely where a person is, and
    not at all when nothing more can happen."""
    if game.ended:
        return ""
    if on_turn(me, game):
        return "every 60s"
    if game.status == Status.SCORING or (game.awaited is not None and seats[game.awaited].played_by_program):
        return "every 3s"
    return "every 25s"
