"""Pauses of a turn's clock for faults of the site: outages, and notices that could not be sent (CLOCK-7).

Outages are credited to the games afterwards, in chunks, each in a short transaction. A game that is played,
or whose deadline passes, before its chunk is reached is credited at once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime
from enum import Enum, auto
from functools import partial

from django.db import connection, transaction
from django.db.models import DateTimeField, QuerySet

from core import attempts, batches
from games import clocks, heartbeat, outbox
from games.clocks import Stretch
from games.heartbeat import Outage
from games.models import Channel, Game, Heartbeat, Kind, Seat, Status
from games.models.raw_sql import MultiModelQuery
from games.play import timing

OUTAGE = "outage"
UNSENT = "unsent"
CHUNK = 200  # games; a transaction of some 100 ms
_TIME = ["deadline", "remind_at", "remind_again", "stops", "floors"]

UNSENT_SINCE = MultiModelQuery(
    """
SELECT due FROM games_notice
 WHERE game_id = %s AND version = %s AND kind = %s AND channel = %s AND due <= %s
   AND sent IS NULL AND dropped IS NULL
 ORDER BY id
""",
    {},
    [DateTimeField()],
)


def note_outages(game: Game, seat: Seat, now: datetime) -> None:
    """Stop the clock of *seat*, which runs in *game*, during the outages that are recorded or still last."""
    if not game.may_have_outage:
        return
    noted = [_note(game, outage) for outage in heartbeat.list_outages(now)]
    if any(noted):
        timing.set_deadline(game, seat)


def note_unsent(game: Game, seat: Seat, now: datetime) -> bool:
    """Return whether the notice of the turn of *seat* is due and unsent; if it is late, stop the clock."""
    assert game.awaited is not None
    # By mail alone: a webhook of the player's own could fail as long as they like.
    at = connection.ops.adapt_datetimefield_value(now)
    asked = [game.pk, game.turn_version, Kind.YOUR_TURN.value, Channel.EMAIL.value, at]
    owed = UNSENT_SINCE.rows(asked)
    if not owed:
        return False
    (due,) = owed[0].more
    if now - due >= clocks.LATE_NOTICE:
        _stop_for_notice(game, seat, due, now)
    return True


def note_late_notice(*, game_id: int, version: int, due: datetime, sent: datetime) -> None:
    """Credit the player if the notice of the turn that began with *version* was *sent* an hour or more after
    it was *due*. Runs in the caller's transaction."""
    if sent - due < clocks.LATE_NOTICE:
        return
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.turn_version != version or game.calendar is None or game.awaited is None:
        return
    seat = game.seats.get(index=game.awaited)
    _stop_for_notice(game, seat, due, sent)
    game.save(update_fields=_TIME)


def _stop_for_notice(game: Game, seat: Seat, due: datetime, sent: datetime) -> None:
    before = game.deadline
    timing.stop(game, due, sent, UNSENT)
    timing.set_deadline(game, seat)
    if before is not None and game.deadline is not None:
        outbox.push_reminders(game, game.deadline - before)


def note_all_outages(*, seconds: float) -> bool:
    """Credit all clocks that ran in an outage, for about so many *seconds*; return whether all are done.

    May be interrupted at any time: each chunk is a transaction that also stores how far it got. Games that
    fail are retried later.
    """
    stop = time.monotonic() + seconds
    for unit in batches.list_to_retry("outage_in"):
        batches.run_row(unit, partial(_note_later, unit))
    for outage in heartbeat.list_noted_outages():
        note = _note_next if attempts.must_go_one_by_one() else _note_some
        while (some := note(outage)) is not OutageProgress.DONE:
            if some is OutageProgress.TAKEN or time.monotonic() > stop:
                return False
    return True


class OutageProgress(Enum):
    """Outcome of crediting an outage to a chunk of games."""

    SOME = auto()  # some games are done; there may be more
    TAKEN = auto()  # another worker is crediting it
    DONE = auto()  # all games are done


def _note_next(outage: Outage) -> OutageProgress:
    """Credit *outage* to the next game alone, so that a game that kills the worker is identified and skipped
    from then on."""
    reached = Heartbeat.objects.filter(name=outage.name).values_list("reached", flat=True).first()
    game = _untold(outage, reached or 0).first()
    if game is None:
        return _note_some(outage)
    done: list[OutageProgress] = []
    batches.run_row(_name_unit(game, outage), lambda: done.append(_note_some(outage, most=1)))
    return done[0] if done else OutageProgress.SOME


def _name_unit(game: Game, outage: Outage) -> str:
    """Return the name of the work on *game*, which holds all of *outage* that must be known later."""
    return f"outage_in {game.pk} {_name_stretch(outage)}"


def _name_stretch(outage: Outage) -> str:
    return f"{outage.began.isoformat()} {outage.ended.isoformat()}"


@transaction.atomic
def _note_later(unit: str) -> None:
    """Credit the outage named in *unit* to its game, which failed before."""
    _kind, key, *times = unit.split()
    began, ended = map(datetime.fromisoformat, times)
    outage = Outage(unit, began, ended)
    games = list(_select_running(outage).filter(pk=key).select_for_update())
    if games:
        _note_in(games, outage)


def _select_running(outage: Outage) -> QuerySet[Game]:
    running = Game.objects.filter(status=Status.PLAYING, turn_began__lt=outage.ended)
    return running.exclude(calendar=None).order_by("pk")


def _untold(outage: Outage, reached: int) -> QuerySet[Game]:
    """The games to which *outage* is still to be credited, in order."""
    resting = {unit for unit in attempts.list_units(resting=True) if unit.endswith(_name_stretch(outage))}
    games = _select_running(outage).filter(pk__gt=reached)
    return games.exclude(pk__in=attempts.parse_keys(resting, "outage_in"))


@transaction.atomic
def _note_some(outage: Outage, most: int | None = None) -> OutageProgress:
    """Credit *outage* to *most* of the games, or to a chunk; delete its row if none is left."""
    skip = connection.features.has_select_for_update_skip_locked
    notes = Heartbeat.objects.filter(name=outage.name)
    note = notes.select_for_update(skip_locked=skip).first()
    if note is None:
        return OutageProgress.TAKEN if notes.exists() else OutageProgress.DONE
    games = list(_untold(outage, note.reached).select_for_update()[: most or CHUNK])
    if not games:
        note.delete()
        return OutageProgress.DONE
    if most == 1:
        _note_in(games, outage)
    else:
        batches.run_rows(games, partial(_note_in, outage=outage), partial(_name_unit, outage=outage))
    note.reached = games[-1].pk
    note.save(update_fields=["reached"])
    return OutageProgress.SOME


def _note_in(games: Sequence[Game], outage: Outage) -> None:
    """Credit *outage* to all of *games*, which are locked."""
    seats = {(seat.game_id, seat.index): seat for seat in Seat.objects.filter(game__in=games)}
    awaited = [(game, seats[game.pk, game.awaited or 0]) for game in games]
    players = {seat.player_id for _game, seat in awaited if seat.player_id is not None}
    earliest = min(game.turn_began for game in games if game.turn_began is not None)
    holidays = timing.load_holidays(players, earliest)
    for game, seat in awaited:
        before = game.deadline
        if _note(game, outage):
            timing.set_deadline(game, seat, holidays.get(seat.player_id or 0, ()))
            if before is not None and game.deadline is not None:
                outbox.push_reminders(game, game.deadline - before)
    Game.objects.bulk_update(games, _TIME)


def _note(game: Game, outage: Outage) -> bool:
    """Record *outage* in *game*, if it overlaps the turn and is not recorded yet; return whether it was. The
    caller must set the deadline."""
    assert game.turn_began is not None
    stop = Stretch(outage.began, outage.ended, OUTAGE)
    too_late = game.deadline is not None and game.deadline < outage.began
    if too_late or outage.ended <= game.turn_began or stop in timing.read_stops(game):
        return False
    timing.stop(game, *stop)
    timing.add_floor(game, outage.ended + clocks.AFTER_STOP, OUTAGE)
    return True
