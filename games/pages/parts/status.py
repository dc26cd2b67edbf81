"""The status of a game: what it waits for, the deadline, and how an open page polls for news."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from games.access import is_on_turn
from games.models import Game, Status
from games.pages.parts.hard_end import tell_hard_end
from games.pages.parts.story import format_events, format_result
from games.pages.scene import Scene
from games.play.standstill import Standstill, find_standstill
from games.play.timing import find_running_turn
from games.selectors.moves import load_recent_moves
from games.words import deadlines, times
from games.words.decisions import format_question, format_waiting

DAY = timedelta(days=1)


class StatusClock(NamedTuple):
    """The deadline of the seat awaited, and its explanation."""

    left: str
    short: str  # the same in short: "2 d 14 h"
    until: str  # empty while the clock stands still without an end
    soon: bool
    why: tuple[str, ...]  # terms that add up (CLOCK-18)
    stands: str  # remark that the clock stands still now, and why; mostly empty
    hard_end: tuple[str, ...]  # result of the game if it ended now; empty until its hard end is near


class Watch(NamedTuple):
    """The polling of htmx: interval and address, which says what the page has shown."""

    often: str
    url: str


class StatusLine(NamedTuple):
    """The line over the board."""

    headline: str
    short: str  # the headline for narrow screens
    clock: StatusClock | None
    watch: Watch | None  # none when nothing more can happen
    refused: str  # reason of a refusal
    sent: str  # the viewer's turn that has just been played
    news: str  # acts of others since the last request


def build_status_line(
    scene: Scene, said: int, *, refused: str = "", sent: str = "", news: str = ""
) -> StatusLine:
    """Build the line over the board; *said* is the primary key of the newest message on the page."""
    time = build_clock(scene)
    return StatusLine(
        format_headline(scene), short_headline(scene), time, build_watch(scene, said), refused, sent, news
    )


def format_headline(scene: Scene) -> str:
    """Say what the game waits for, or how it ended."""
    game = scene.game
    if find_standstill(game, timezone.now()) is Standstill.HELD:
        return _("A moderator has stopped the game.")
    if game.status == Status.PLAYING:
        assert game.awaited is not None
        awaited, name = scene.seats[game.awaited], scene.names[game.awaited]
        if is_on_turn(scene.me, game):
            return format_question(scene.state) or _("It's your turn.")
        if awaited.bot:
            return _("It's the house bot's turn.")
        if awaited.offered:
            return _("The bot is standing in for {player} and is playing right now.").format(player=name)
        if awaited.played_by_program:
            return _("The house bot is playing for {player}.").format(player=name)
        return format_waiting(scene.state, name) or _("It's {player}'s turn.").format(player=name)
    if game.status == Status.SCORING:
        return _("The last tile has been placed. The final scoring follows in a moment.")
    return format_result(scene)


def short_headline(scene: Scene) -> str:
    """The headline in two words where the viewer is awaited; the dock says the rest."""
    standstill = find_standstill(scene.game, timezone.now())
    if standstill is not None:
        return _("Stopped") if standstill is Standstill.HELD else _("Paused")
    if not is_on_turn(scene.me, scene.game):
        return format_headline(scene)
    return _("Your answer") if format_question(scene.state) else _("Your turn")


def build_clock(scene: Scene) -> StatusClock | None:
    """Build the deadline in the viewer's time zone, which is named for anonymous viewers."""
    game, now = scene.game, timezone.now()
    turn = find_running_turn(game, scene.seats)
    if turn is None:
        return None
    why, stands = deadlines.explain_deadline(turn), deadlines.explain_standstill(turn, now)
    hard_end = tell_hard_end(scene, now)
    if game.deadline is None:
        return StatusClock(stands, _("the clock is stopped"), "", False, why, stands, hard_end)
    local = timezone.localtime(game.deadline)
    late = game.deadline <= now
    zone = "" if scene.viewer.is_authenticated else f" {local:%Z}"
    return StatusClock(
        left=_("time is up") if late else _("{time} left").format(time=timeuntil(game.deadline)),
        short=_("time is up") if late else times.format_compact(game.deadline - now),
        until=date_format(local, "SHORT_DATETIME_FORMAT") + zone,
        soon=game.deadline - now < DAY,
        why=why,
        stands=stands,
        hard_end=hard_end,
    )


def build_watch(scene: Scene, said: int) -> Watch | None:
    """Build the polling of the page; *said* is the primary key of the newest message on it."""
    often = choose_poll_interval(scene)
    stamp = build_stamp(scene.game, None if scene.me is None else scene.me.index)
    more = f"&as={stamp}" if stamp else ""
    return Watch(often, f"{scene.urls.table}?since={scene.game.version}.{said}{more}") if often else None


def build_stamp(game: Game, seat: int | None) -> str:
    """Return what an open page shows besides moves and messages: the viewer's *seat*, and whether the game
    stands still, which may end by itself."""
    standstill = find_standstill(game, timezone.now())
    return ("" if seat is None else str(seat)) + ("" if standstill is None else standstill.value)


def choose_poll_interval(scene: Scene) -> str:
    """Return how often an open page looks for news: soon where a program is at work, rarely where a person
    is, and not at all when nothing more can happen."""
    game = scene.game
    if game.ended:
        return ""
    if is_on_turn(scene.me, game):
        return "every 60s"
    if game.settles is not None:
        return "every 5s"
    by_program = game.awaited is not None and scene.seats[game.awaited].played_by_program
    return "every 3s" if game.status == Status.SCORING or by_program else "every 25s"


def format_news(scene: Scene, *, after: int) -> str:
    """Say what has happened in the game after the version *after*, and what it waits for now."""
    return (
        f"{format_events(scene, load_recent_moves(scene.game), after=after)} {format_headline(scene)}".strip()
    )
