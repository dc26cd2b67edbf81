"""A preview of the hard end of a game: how it would be decided if it ended now (CLOCK-24)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from games.clocks import AtEnd
from games.models import Game, Seat
from games.pages.scene import Scene
from games.play import hard_ends
from games.play.positions import load_position
from games.play.timing import find_hold
from games.selectors.lists import GameLine
from games.selectors.seats import load_seats_of_all
from games.words.scores import format_points
from games.words.times import format_compact, format_instant


def tell_hard_end(
    scene: Scene, now: datetime, format_end: Callable[[datetime], str] = format_instant
) -> tuple[str, ...]:
    """Say when the game ends, and who would be ahead if it ended *now*. Return nothing earlier than two weeks
    before, or while a moderator's hold moves the end."""
    result = _decide_if_soon(scene.game, scene.seats, now)
    if result is None:
        return ()
    said = _("The game ends by {time}. If it ended now, these would be the standings:")
    places = sorted(
        zip(result.ranks, scene.names, scene.seats, strict=True), key=lambda row: (row[0], row[2].index)
    )
    return (
        said.format(time=_format_end(scene.game, format_end)),
        *(f"{place}. {name} ({_tell_reason(result, seat)})" for place, name, seat in places),
    )


def list_near_ends(lines: Iterable[GameLine]) -> dict[int, str]:
    """Return short previews, by primary key, for those of *lines* whose game ends within two weeks.
    Two queries if there are any, and one for each position needed that isn't cached."""
    near = {
        line.game.pk: line
        for line in lines
        if line.hard_end is not None and line.game.running and line.hard_end - line.now <= hard_ends.SOON
    }
    if not near:
        return {}
    games = Game.objects.in_bulk(near)
    seats = load_seats_of_all(games.values())
    ends = {}
    for key, game in games.items():
        result = _decide_if_soon(game, seats[key], near[key].now)
        if result is not None:
            names = [seat.name for seat in near[key].seats]
            ranked = sorted(zip(result.ranks, names, strict=True))
            places = ", ".join(f"{rank}. {name}" for rank, name in ranked)
            said = _("Ends by {time}. As it stands: {places}.")
            ends[key] = said.format(time=_format_end(game, format_instant), places=places)
    return ends


def _decide_if_soon(game: Game, seats: Sequence[Seat], now: datetime) -> hard_ends.HardEndResult | None:
    ends = game.clock.ends
    if not game.running or ends is None or ends - now > hard_ends.SOON or find_hold(game, now) is not None:
        return None
    return hard_ends.decide(game, seats, lambda: load_position(game), min(now, ends))


def _format_end(game: Game, format_end: Callable[[datetime], str]) -> str:
    assert game.clock.ends is not None
    return format_end(game.clock.ends)


def _tell_reason(result: hard_ends.HardEndResult, seat: Seat) -> str:
    if result.by == AtEnd.SCORE:
        return format_points(result.scores[seat.index])
    if seat.left or not seat.played_by_person:
        return _("not playing")
    return _("time used: {time}").format(time=format_compact(result.charged[seat.index]))
