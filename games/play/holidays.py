"""Holidays and emergencies: entering and ending them, and updating the clocks of games (CLOCK-22).

A player's act is one short transaction on rows of their own. The deadlines of their games follow after the
commit, each under its game's lock in a transaction of its own (``tasks.follow_holidays``). That task is
idempotent and may be interrupted: ``PersonalTime`` stores up to which change the clocks have followed.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from accounts.models import Player
from games import clocks, outbox
from games.clocks import Counting, Piece
from games.conduct import active_sanctions
from games.exceptions import Refused
from games.models import Emergency, Game, Holiday, PersonalTime, Seat, SeatState, Status
from games.play import allowance, emergencies, timing
from games.play.ledger import Ledger


@transaction.atomic
def enter_holiday(*, player: Player, begin: datetime, end: datetime, now: datetime) -> Holiday:
    """Enter a holiday of *player* from *begin* up to *end*.

    :raises Refused: for a reason given by ``holiday_refusals``, or *player* is suspended
    """
    allowance.lock(player.pk)
    active_sanctions.must_not_be_suspended(player, now)
    piece = Piece(begin.astimezone(UTC), end.astimezone(UTC))  # in one zone a day has 24 hours by its clocks
    for code in clocks.holiday_refusals(piece, allowance.load_pieces(player.pk), now=now):
        raise Refused(code)
    return allowance.enter(player.pk, piece, now=now)


@transaction.atomic
def cancel_holiday(*, player: Player, holiday_id: int, now: datetime) -> Holiday | None:
    """Cancel as much of a holiday of *player* as ``holiday_shortened`` allows. Return what remains of it.

    :raises Refused: ``no_holiday``, ``holiday_over``, ``holiday_nearly_over``
    """
    allowance.lock(player.pk)
    holiday = Holiday.objects.filter(player=player, pk=holiday_id).first()
    if holiday is None:
        raise Refused("no_holiday")
    if holiday.end <= now:
        raise Refused("holiday_over")
    left = clocks.holiday_shortened(holiday.piece, now=now)
    if left is None:
        holiday.delete()
    elif left.end == holiday.end:
        raise Refused("holiday_nearly_over")
    else:
        holiday.end = left.end
        holiday.save(update_fields=["end"])
    allowance.record_change(player.pk, now)
    return None if left is None else holiday


@transaction.atomic
def forgo(*, player: Player, now: datetime) -> None:
    """Cancel the holidays of *player*, who is suspended, that have not begun. Idempotent."""
    allowance.lock(player.pk)
    taken, _rows = Holiday.objects.filter(player=player, begin__gt=now).delete()
    if taken:
        allowance.record_change(player.pk, now)


@transaction.atomic
def begin_emergency(*, player: Player, days: int, now: datetime) -> Emergency:
    """Stop all games that *player* plays now for so many *days*. Moderators can see it.

    :raises Refused: ``emergency_days``, ``emergency_again``, ``nothing_to_stop``, ``suspended``
    """
    allowance.lock(player.pk)
    active_sanctions.must_not_be_suspended(player, now)
    if not timedelta() < days * clocks.DAY <= clocks.EMERGENCY:
        raise Refused("emergency_days")
    again = find_next_emergency_time(player)
    if again is not None and now < again:
        raise Refused("emergency_again")
    games = list(find_running_games(player).values_list("pk", flat=True))
    if not games:
        raise Refused("nothing_to_stop")
    emergency = Emergency.objects.create(player=player, begin=now, end=now + days * clocks.DAY)
    emergency.games.set(games)
    allowance.record_change(player.pk, now)
    return emergency


@transaction.atomic
def end_emergency(*, player: Player, now: datetime) -> Emergency:
    """Resume the games of *player*; every deadline is at least twelve hours away.

    :raises Refused: ``no_emergency``
    """
    allowance.lock(player.pk)
    emergency = Emergency.objects.filter(player=player, begin__lte=now, end__gt=now).first()
    if emergency is None:
        raise Refused("no_emergency")
    emergency.end = now
    emergency.save(update_fields=["end"])
    allowance.record_change(player.pk, now)
    return emergency


def find_next_emergency_time(player: Player) -> datetime | None:
    """Return when *player* may next stop all games; ``None`` if they never did."""
    last = Emergency.objects.filter(player=player).order_by("-begin").first()
    return None if last is None else last.begin + clocks.BETWEEN_EMERGENCIES


def find_running_games(player: Player) -> QuerySet[Game]:
    """Return the games in which *player* plays, whichever seat is awaited, by primary key."""
    seats = Seat.objects.filter(player=player, state=SeatState.PLAYING)
    return Game.objects.filter(status=Status.PLAYING, pk__in=seats.values("game")).order_by("pk")


@transaction.atomic
def follow_holidays(*, game_id: int, now: datetime) -> bool:
    """Update the clock of a game to the current holidays and emergencies of its players. Return whether
    anything changed. Idempotent."""
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.status != Status.PLAYING:
        return False
    unnoted = emergencies.find_unnoted_emergencies(game)
    if unnoted:
        ledger = Ledger(game, now)
        emergencies.record_emergencies(ledger, unnoted)
        ledger.write()
        return True
    if game.calendar is None or game.clock.holidays == Counting.COUNT:
        return False
    assert game.awaited is not None
    before, seat = game.deadline, game.seats.select_related("player").get(index=game.awaited)
    timing.set_deadline(game, seat)
    if game.deadline == before:
        return False
    game.save(update_fields=["deadline"])
    outbox.remind_anew(game, seat, now=now)
    return True


def find_players_to_follow() -> QuerySet[PersonalTime, int]:
    """Return the primary keys of the players whose games' clocks don't follow their holidays yet."""
    return PersonalTime.objects.filter(changes__gt=F("followed")).values_list("pk", flat=True)


def count_changes(player: int) -> int:
    """Return how often the holidays of *player*, by primary key, have changed up to now."""
    return PersonalTime.objects.filter(player=player).values_list("changes", flat=True).first() or 0


def mark_followed(player: int, change: int) -> None:
    """Store that the clocks of the games of *player* follow all changes up to number *change*."""
    PersonalTime.objects.filter(player=player, followed__lt=change).update(followed=change)


def forget(player: Player) -> None:
    """Delete the holidays, emergencies and times of *player*, who no longer plays anywhere."""
    Holiday.objects.filter(player=player).delete()
    Emergency.objects.filter(player=player).delete()
    PersonalTime.objects.filter(player=player).delete()
