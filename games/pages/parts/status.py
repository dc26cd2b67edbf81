"""What a game waits for, until when, and how an open page learns that something has happened."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from games.access import on_turn
from games.models import Status
from games.pages.parts.running_turn import running_turn
from games.pages.parts.story import result
from games.pages.scene import Scene
from games.words import deadlines, times
from games.words.decisions import asked, waiting_for

DAY = timedelta(days=1)


class Clock(NamedTuple):
    """Until when the seat awaited may play, and why until then."""

    left: str
    short: str  # the same, as short as it goes: "2 d 14 h"
    until: str  # empty while it stands still without an end
    soon: bool
    why: tuple[str, ...]  # terms that add up (CLOCK-18)
    stands: str  # that it stands still just now, and why; mostly empty


class Watch(NamedTuple):
    """How htmx looks for news: how often and where; the address says what the page knows."""

    often: str
    url: str


class StatusLine(NamedTuple):
    """What stands over the board."""

    headline: str
    short: str  # the headline where there is little room
    clock: Clock | None
    watch: Watch | None  # none when nothing more can happen
    refused: str  # why something was refused
    sent: str  # what of the viewer has just been played
    news: str  # what others have done since the page was asked last


def status_line(scene: Scene, said: int, *, refused: str = "", sent: str = "", news: str = "") -> StatusLine:
    """How the game stands; *said* is the newest message that the page shows."""
    time = clock(scene)
    return StatusLine(headline(scene), short_headline(scene), time, watch(scene, said), refused, sent, news)


def headline(scene: Scene) -> str:
    """What the game waits for, or how it ended."""
    game = scene.game
    if game.status == Status.PLAYING:
        assert game.awaited is not None
        awaited, name = scene.seats[game.awaited], scene.names[game.awaited]
        if on_turn(scene.me, game):
            return asked(scene.state) or _("It's your turn.")
        if awaited.bot:
            return _("It's the house bot's turn.")
        if awaited.offered:
            return _("The bot is standing in for {player} and is playing right now.").format(player=name)
        if awaited.played_by_program:
            return _("The house bot is playing for {player}.").format(player=name)
        return waiting_for(scene.state, name) or _("It's {player}'s turn.").format(player=name)
    if game.status == Status.SCORING:
        return _("The last tile has been placed. The final scoring follows in a moment.")
    return result(scene)


def short_headline(scene: Scene) -> str:
    """The headline in two words where the viewer is awaited; the dock says the rest."""
    if not on_turn(scene.me, scene.game):
        return headline(scene)
    return _("Your answer") if asked(scene.state) else _("Your turn")


def clock(scene: Scene) -> Clock | None:
    """The deadline in the viewer's zone; to strangers, whose zone nobody knows, it is named."""
    game, now = scene.game, timezone.now()
    turn = running_turn(game, scene.seats)
    if turn is None:
        return None
    why, stands = deadlines.explanation(turn), deadlines.standing(turn, now)
    if game.deadline is None:
        return Clock(stands, _("the clock is stopped"), "", False, why, stands)
    local = timezone.localtime(game.deadline)
    late = game.deadline <= now
    zone = "" if scene.viewer.is_authenticated else f" {local:%Z}"
    return Clock(
        left=_("time is up") if late else _("{time} left").format(time=timeuntil(game.deadline)),
        short=_("time is up") if late else times.compact(game.deadline - now),
        until=date_format(local, "SHORT_DATETIME_FORMAT") + zone,
        soon=game.deadline - now < DAY,
        why=why,
        stands=stands,
    )


def watch(scene: Scene, said: int) -> Watch | None:
    """How the page looks for news; *said* is the newest message that it shows."""
    often = how_often(scene)
    return Watch(often, f"{scene.urls.table}?since={scene.game.version}.{said}") if often else None


def how_often(scene: Scene) -> str:
    """How often an open page looks for news: soon where a program is at work, rarely where a person is, and
    not at all when nothing more can happen."""
    game = scene.game
    if game.ended:
        return ""
    if on_turn(scene.me, game):
        return "every 60s"
    if game.settles is not None:
        return "every 5s"
    by_program = game.awaited is not None and scene.seats[game.awaited].played_by_program
    return "every 3s" if game.status == Status.SCORING or by_program else "every 25s"
