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
from games.pages.parts.story import result
from games.pages.scene import Scene
from games.words.decisions import asked, waiting_for

DAY = timedelta(days=1)


class Clock(NamedTuple):
    """Until when the seat awaited may play."""

    left: str
    short: str  # the same, as short as it goes: "2 d 14 h"
    until: str
    soon: bool


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
            return asked(scene.state) or _("It is your turn.")
        if awaited.bot:
            return _("It is the house bot's turn.")
        if awaited.left:
            return _("The house bot is playing for {player}.").format(player=name)
        return waiting_for(scene.state, name) or _("It is {player}'s turn.").format(player=name)
    if game.status == Status.SCORING:
        return _("The last tile is placed. The final scoring comes in a moment.")
    return result(scene)


def short_headline(scene: Scene) -> str:
    """The headline in two words where the viewer is awaited; the dock says the rest."""
    if not on_turn(scene.me, scene.game):
        return headline(scene)
    return _("Your answer") if asked(scene.state) else _("Your turn")


def time_in_short(time: timedelta) -> str:
    """*time* in its two largest units: "2 d 14 h", "14 h 5 min", "5 min"."""
    minutes = max(0, int(time.total_seconds()) // 60)
    days, hours = divmod(minutes // 60, 24)
    if days:
        return _("{d} d {h} h").format(d=days, h=hours)
    if hours:
        return _("{h} h {m} min").format(h=hours, m=minutes % 60)
    return _("{m} min").format(m=minutes)


def clock(scene: Scene) -> Clock | None:
    """The deadline in the viewer's zone; to strangers, whose zone nobody knows, it is named."""
    game = scene.game
    if game.status != Status.PLAYING or game.deadline is None:
        return None
    local = timezone.localtime(game.deadline)
    late = game.deadline <= timezone.now()
    zone = "" if scene.viewer.is_authenticated else f" {local:%Z}"
    return Clock(
        left=_("time is up") if late else _("{time} left").format(time=timeuntil(game.deadline)),
        short=_("time is up") if late else time_in_short(game.deadline - timezone.now()),
        until=date_format(local, "SHORT_DATETIME_FORMAT") + zone,
        soon=game.deadline - timezone.now() < DAY,
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
    by_program = game.awaited is not None and scene.seats[game.awaited].played_by_program
    return "every 3s" if game.status == Status.SCORING or by_program else "every 25s"
