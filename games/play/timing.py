"""The clock of the turn that a game waits for, converted from the game's row to a value and back.

Nothing here locks or saves: the caller does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from accounts.models import Player
from games import outbox
from games.clocks import FOREVER, Calendar, Charge, ClockSettings, Counting, Stretch, TimedTurn, parse_instant
from games.models import Game, Holiday, Seat, Status

HOLIDAY, EMERGENCY, HOLD = "holiday", "emergency", "hold"


def build_calendar(player: Player) -> Calendar:
    """Return the current time zone, rest hours and weekend days of *player*."""
    rest = None
    if player.rest_from is not None and player.rest_to is not None:
        rest = player.rest_from, player.rest_to
    return Calendar(player.time_zone, rest, frozenset(player.weekend_days))


def load_holidays(players: Iterable[int], since: datetime) -> dict[int, tuple[Stretch, ...]]:
    """Return the holidays of *players*, by primary key, that end after *since*; one query."""
    holidays: dict[int, tuple[Stretch, ...]] = {pk: () for pk in players}
    rows = Holiday.objects.filter(player__in=holidays, end__gt=since)
    for pk, begin, end in rows.values_list("player", "begin", "end"):
        holidays[pk] += (Stretch(begin, end, HOLIDAY),)
    return holidays


def build_turn(game: Game, seat: Seat, holidays: tuple[Stretch, ...] | None = None) -> TimedTurn:
    """Return the timed turn of *seat*, for which *game* waits; loads the player's *holidays* if they are not
    given and stop the clock."""
    assert game.turn_began is not None and game.calendar is not None
    clock = game.clock
    if holidays is None:
        holidays = ()
        if clock.holidays == Counting.STOP and seat.player_id is not None:
            holidays = load_holidays([seat.player_id], game.turn_began)[seat.player_id]
    return TimedTurn(
        clock=clock,
        began=game.turn_began,
        bank=seat.bank,
        spent=seat.spent,
        calendar=Calendar.from_json(game.calendar),
        holidays=holidays,
        stops=read_stops(game),
        floors=tuple(parse_instant(at) for at, _why in game.floors),
    )


def find_running_turn(game: Game, seats: Sequence[Seat]) -> TimedTurn | None:
    """Return the turn for which *game* waits, from which board, mails and admin explain its deadline
    (CLOCK-18); ``None`` where no clock runs. *seats* are all seats, in order.

    Mostly no query; otherwise one, for holidays.
    """
    if game.status != Status.PLAYING or game.awaited is None or game.calendar is None:
        return None
    seat, clock = seats[game.awaited], game.clock
    plain = build_turn(game, seat, ())
    only_by_time = clock.ends is None and not game.floors
    if clock.holidays == Counting.COUNT or (only_by_time and plain.deadline() == game.deadline):
        return plain  # no holiday has moved the deadline, so there is none in it
    return build_turn(game, seat)


def begin(game: Game, seat: Seat, now: datetime) -> None:
    """Start the clock of *seat*, for which *game* waits from *now* on; programs have no clock. A pause that
    is not over yet continues."""
    game.turn_began = now
    game.floors = []
    game.claimable = None
    game.stops = [_serialize_stretch(stop) for stop in read_stops(game) if stop.end > now]
    if seat.played_by_program or seat.player is None:
        game.calendar = game.deadline = game.remind_at = game.remind_again = None
        return
    game.calendar = build_calendar(seat.player).to_json()
    set_deadline(game, seat)
    outbox.plan_reminders(game, seat.player, now)


def set_deadline(game: Game, seat: Seat, holidays: tuple[Stretch, ...] | None = None) -> None:
    """Compute and set the deadline of the turn of *seat*; a program has none."""
    game.deadline = None if game.calendar is None else build_turn(game, seat, holidays).deadline()


def charge(game: Game, seat: Seat, played: datetime) -> dict[str, Any] | None:
    """Charge *seat* for the turn that it *played* at that time. Return the details for the record, or
    ``None`` where no clock ran.

    An accepted action is not late: default answers, and what the site delayed, count as received in time.
    """
    if game.calendar is None:
        return None
    if game.deadline is not None:
        played = min(played, game.deadline)
    timed = build_turn(game, seat)
    cost = timed.compute_charge(played)
    details = {
        "began": timed.began.isoformat(),
        "played": played.isoformat(),
        "running": timed.running(played).total_seconds(),
        "bank": timed.bank.total_seconds(),
        "charged": cost.charged.total_seconds(),
        "after": cost.after.total_seconds(),
        "deadline": None if game.deadline is None else game.deadline.isoformat(),
        "calendar": game.calendar,
        "holidays": [_serialize_stretch(holiday) for holiday in timed.holidays if holiday.begin < played],
        "stops": game.stops,
        "floors": game.floors,
        "claimable": None if game.claimable is None else game.claimable.isoformat(),
    }
    _book(seat, cost)
    game.calendar = None
    return details


def uncharge(seat: Seat, timing: Mapping[str, Any]) -> None:
    """Give *seat* back the cost of a turn that is taken back; *timing* is its record."""
    seat.bank += timedelta(seconds=timing["bank"]) - timedelta(seconds=timing["after"])
    seat.spent -= timedelta(seconds=timing["charged"])


def restore(game: Game, seat: Seat, timing: Mapping[str, Any]) -> None:
    """Restore the clock of *game* to its state before *seat* played the turn recorded in *timing*. Stops and
    floors that were recorded since then, such as those of an emergency, still count."""
    game.turn_began = parse_instant(timing["began"])
    game.calendar = timing["calendar"]
    since = read_stops(game)
    game.stops = timing["stops"]
    for move in since:
        stop(game, *move)
    game.floors = [*timing["floors"], *game.floors]
    claimable = timing.get("claimable")
    game.claimable = None if claimable is None else parse_instant(claimable)
    set_deadline(game, seat)


def recompute_charge(timing: Mapping[str, Any], clock: ClockSettings, spent: timedelta) -> Charge:
    """Compute again the cost of a turn from its recorded *timing*, as made by ``charge``.

    :param spent: what the earlier turns of the seat were charged
    """
    again = TimedTurn(
        clock=clock,
        began=parse_instant(timing["began"]),
        bank=timedelta(seconds=timing["bank"]),
        spent=spent,
        calendar=Calendar.from_json(timing["calendar"]),
        holidays=_read(timing["holidays"]),
        stops=_read(timing["stops"]),
        floors=tuple(parse_instant(at) for at, _why in timing["floors"]),
    )
    return again.compute_charge(parse_instant(timing["played"]))


def begin_again(game: Game, seat: Seat, at: datetime, bank: timedelta) -> None:
    """Excuse *seat*: charge it all its time, and begin its turn again *at* the deadline with *bank*."""
    _book(seat, Charge(True, build_turn(game, seat).allowed, timedelta()))
    seat.bank = bank
    game.turn_began = at
    game.floors = []
    set_deadline(game, seat)


def read_stops(game: Game) -> tuple[Stretch, ...]:
    """Return the pauses of the clock that are stored with *game*."""
    return _read(game.stops)


def find_hold(game: Game, now: datetime) -> Stretch | None:
    """Return the moderator's stop of *game* that is in force *now*: nobody can play during it."""
    return next(
        (stop for stop in read_stops(game) if stop.cause == HOLD and stop.begin <= now < stop.end), None
    )


def stop(game: Game, begin: datetime, end: datetime, cause: str) -> None:
    """Record that the clock of *game* stands still from *begin* to *end*; replaces a pause with the same
    beginning and *cause*. The caller must set the deadline."""
    kept = [stop for stop in read_stops(game) if (stop.begin, stop.cause) != (begin, cause)]
    game.stops = [_serialize_stretch(stop) for stop in sorted([*kept, Stretch(begin, end, cause)])]


def add_floor(game: Game, at: datetime, why: str) -> None:
    """Keep the deadline of the turn from lying before *at* (CLOCK-13). The caller must set the deadline."""
    game.floors = [*game.floors, [at.isoformat(), why]]


def _read(stored: Iterable[Sequence[Any]]) -> tuple[Stretch, ...]:
    return tuple(
        Stretch(parse_instant(begin), FOREVER if end is None else parse_instant(end), cause)
        for begin, end, cause in stored
    )


def _serialize_stretch(stretch: Stretch) -> list[str | None]:
    end = None if stretch.end == FOREVER else stretch.end.isoformat()
    return [stretch.begin.isoformat(), end, stretch.cause]


def _book(seat: Seat, cost: Charge) -> None:
    seat.bank = cost.after
    seat.spent += cost.charged
