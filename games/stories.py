"""What happened in a game, in words: the last turns, and how the end came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import rules, words
from games.models import Game, How, Seat
from games.names import seat_names
from games.rules import (
    Answered,
    Asked,
    Dealing,
    Dealt,
    Drawn,
    HandReady,
    LastTurnPlayed,
    Scored,
    TurnPassed,
)
from games.sheets import place_of, scored

Stored = Mapping[str, Any]
"""A move as :func:`recent_moves` reads it."""

FIELDS = ("version", "ply", "seat", "action", "events", "how")
ACTS: Mapping[str, Any] = {
    "resign": gettext_lazy("{player} resigned."),
    "time_out": gettext_lazy("{player} lost on time."),
}


UNTOLD = (Answered, Asked, Dealing, Dealt, Drawn, HandReady, LastTurnPlayed, TurnPassed)
"""What a page or a mail says in other words, or not at all: that a turn begins, or a tile is drawn."""


def tells(event: rules.Event) -> bool:
    """Whether *event* belongs into a story."""
    return not isinstance(event, UNTOLD) and not (isinstance(event, Scored) and not event.points)


def answered(action: str, how: str, player: str) -> tuple[str, ...]:
    """What is to be said of an answer besides its events: that it declines, and why it came by itself."""
    if action == "pass":
        said = {
            How.TIME_OUT: _("{player} does not answer, and so declines."),
            How.PLAN: _("{player} declines, by a standing answer."),
        }.get(How(how), _("{player} declines."))
    elif action == "transfer" and how == How.PLAN:
        said = _("So says a standing answer of {player}.")
    elif action == "gingerbread" and how == How.TIME_OUT:
        said = _("{player} has not answered in time, so the rules say where.")
    else:
        return ()
    return (said.format(player=player),)


class Told(NamedTuple):
    """One turn, or an act of the table, in words."""

    ply: int | None
    look: int | None
    heading: str
    sentences: tuple[str, ...]
    url: str


def recent_moves(game: Game) -> list[dict[str, Any]]:
    """The moves of at least the last two rounds, oldest first. Their number doesn't grow with the game."""
    newest = game.moves.filter(withdrawn=None).order_by("-version").values(*FIELDS)
    return list(reversed(newest[: 4 * game.places + 6]))


def since(recent: Sequence[Stored], me: Seat | None, seats: int) -> tuple[int, str]:
    """The version after which to tell what happened, and the heading of it."""
    placed = [move for move in recent if move["ply"] is not None]
    if me is not None:
        own = [move["version"] for move in placed if move["seat"] == me.index]
        if own:
            return own[-1] - 1, _("Since your last turn")
    return (placed[-seats]["version"] - 1 if len(placed) > seats else 0), _("The last turns")


def told(game: Game, moves: Sequence[Stored], seats: Sequence[Seat], *, after: int = 0) -> list[Told]:
    """The *moves* after that version in words, oldest first."""
    names = seat_names(seats)
    found: list[Told] = []
    for move in moves:
        if move["version"] <= after or move["action"]["type"] == "final":
            continue
        seat = move["seat"]
        act = ACTS.get(move["action"]["type"])
        sentences = tuple(
            words.event_sentence(event, names)
            for event in map(rules.event_from_json, move["events"])
            if tells(event)
        )
        if seat is not None:
            sentences += answered(move["action"]["type"], move["how"], names[seat])
        if act is not None:
            sentences = (str(act).format(player=names[seat]),)
        if not sentences:
            continue
        ply = move["ply"]
        heading = names[seat] if seat is not None else ""
        look = seats[seat].look if seat is not None else None
        found.append(
            Told(ply, look, heading, sentences, reverse("games:ply", args=[game.code, ply]) if ply else "")
        )
    return found


def final_scoring(moves: Sequence[Stored], seats: Sequence[Seat]) -> tuple[Told, ...]:
    """What the end of the game brought to each seat, feature by feature; nothing before the end."""
    end = next((move for move in moves if move["action"]["type"] == "final"), None)
    if end is None:
        return ()
    names = seat_names(seats)
    found = []
    for seat in seats:
        lines = [line for line in scored(end["events"]) if line.seat == seat.index]
        total = sum(line.points for line in lines)
        sentences = tuple(
            (_("{kind} at {place}: {terms}") if place_of(line) else _("{kind}: {terms}")).format(
                kind=words.kind(line.on).capitalize(),
                place=place_of(line),
                terms=", ".join(words.term(term) for term in line.terms),
            )
            for line in lines
        )
        heading = _("{player}: {points}").format(player=names[seat.index], points=words.points(total))
        found.append(Told(None, seat.look, heading, sentences, ""))
    return tuple(found)


def last_placements(moves: Sequence[Stored], count: int) -> list[tuple[int, int, int]]:
    """Where the last *count* tiles were placed, and by whom."""
    placed = [
        (event["x"], event["y"], event["seat"])
        for move in moves
        for event in move["events"]
        if event["type"] == "placed"
    ]
    return placed[-count:]
