"""Decisions on whether and when to send a claimed notice, by later events and its reader's preferences."""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts.models import Player
from accounts.notice_preferences import Channel, Timing, read_reminder_hours
from games import clocks, heartbeat
from games.models import Answer, Game, Holiday, Kind, Notice, Seat, SilentAddress, Status
from games.notices import notice_facts, table_letters
from games.notices.fallback import stands_in
from games.outbox import EVENTS, NUDGED_BY, choose_timing

OUTAGE_PAUSE = timedelta(minutes=1)
HOLIDAY_PAUSE = timedelta(hours=1)


def find_postponement(notice: Notice, now: datetime) -> datetime | None:
    """Return when to try *notice* again if it shouldn't be sent *now*; ``None`` if it should."""
    if premature(notice, now):
        return now + OUTAGE_PAUSE
    if notice.recipient is None or Kind(notice.kind) not in EVENTS or _is_last_reminder(notice):
        return None
    if notice.game is None:
        holidays = Holiday.objects.filter(player=notice.recipient, begin__lte=now, end__gt=now)
        end = holidays.values_list("end", flat=True).first()
    else:
        end = notice_facts.load_facts(notice).holiday_ends
    # It may be ended early: look again after some time.
    return None if end is None else min(end, now + HOLIDAY_PAUSE)


def _is_last_reminder(notice: Notice) -> bool:
    by_clock = notice.kind == Kind.REMINDER and NUDGED_BY not in notice.about
    return by_clock and notice.of_game.remind_at is None


def premature(notice: Notice, now: datetime) -> bool:
    """Return whether *notice* reminds of a passed deadline that is about to be moved, with its reminders."""
    if notice.kind != Kind.REMINDER or not clocks.is_late(now, notice.of_game.deadline):
        return False
    return bool(heartbeat.list_outages(now))


def why_not(notice: Notice, now: datetime) -> str:
    """Return why not to send *notice*: ``stale``, ``unwanted``, ``paused``, ``told``; empty to send it."""
    player = notice.recipient
    if player is None:
        if SilentAddress.objects.filter(mark=notice.address_mark).exists():
            return "unwanted"
    elif not stands_in(notice) and _is_unwanted(notice, player):
        return "unwanted"
    elif player.mail_paused is not None and notice.channel == Channel.EMAIL:
        return "paused"
    elif notice.timing == Timing.ONCE and _was_told_once(player, notice.channel):
        return "told"
    if notice.game is None:
        return ""  # its writer decides whether it still matters
    return _why_not_in(notice.game, notice, now)


def _is_unwanted(notice: Notice, player: Player) -> bool:
    return choose_timing(player, notice.kind, notice.channel, _find_seat(notice)) == Timing.NEVER


def _find_seat(notice: Notice) -> Seat | None:
    """Return the reader's seat in the game of *notice*; ``None`` for notices about open tables."""
    if notice.game is None or notice.kind in (Kind.INVITATION, Kind.DECLINED, Kind.REMOVED, Kind.NUDGE):
        return None
    return notice_facts.load_facts(notice).seat


def _was_told_once(player: Player, channel: str) -> bool:
    """Return whether *player* got a one-time notice and has not been back; read now, as it may have been in
    the same batch."""
    return Player.objects.filter(pk=player.pk, told_once__contains=channel).exists()


def _why_not_in(game: Game, notice: Notice, now: datetime) -> str:
    if notice.kind == Kind.INVITATION:
        invitation = notice.invitation
        assert invitation is not None
        still = game.status == Status.OPEN and invitation.answer == Answer.PENDING
        return "" if still else "stale"
    if notice.kind == Kind.NUDGE:
        return "" if game.status == Status.OPEN and game.nudged is not None else "stale"
    if notice.kind == Kind.REMOVED:
        return "stale" if notice_facts.load_facts(notice).seat else ""  # the host has let the player in again
    if notice.kind == Kind.DECLINED:  # who has left the table need not know, and may not see it
        still = game.status == Status.OPEN and notice_facts.load_facts(notice).seat is not None
        return "" if still else "stale"
    if notice.kind == Kind.REPLY:
        return ""
    seat = notice_facts.load_facts(notice).seat
    if notice.kind == Kind.TABLE:
        return "" if game.running and table_letters.still_matters(notice, seat) else "stale"
    if notice.kind == Kind.MODERATION and seat is None:
        return ""  # the recipient has been replaced
    if seat is None:
        return "unwanted"
    if notice.kind == Kind.MODERATION:
        return ""
    if notice.kind == Kind.GAME_OVER:
        return ""
    if game.status != Status.PLAYING or seat.left:
        return "stale"
    if notice.kind == Kind.STARTED:
        moved = game.moves.filter(seat=seat.index, ply__isnull=False).exists()
        return "stale" if moved or game.awaited == seat.index else ""
    if game.awaited != seat.index or game.turn_version != notice.version:
        return "stale"
    if notice.kind != Kind.REMINDER:
        return ""
    if clocks.is_late(now, game.deadline):
        return "stale"
    if notice.recipient is not None and read_reminder_hours(notice.recipient):
        return ""  # the player has chosen the time
    return "stale" if clocks.is_too_soon(notice_facts.load_facts(notice).last_mail, now) else ""
