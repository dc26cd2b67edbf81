"""A player's notice preferences: a table of timings by event and channel.

``Player.notice_timings`` holds the cells that differ from the defaults, by channel and event. A seat can
have a timing of its own for all notices of its game (``Seat.notice_timing``).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db import models
from django.db.models.functions import Concat
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Player
from core.time_zones import load_zone

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

FOLDED_FOR = timedelta(minutes=10)
"""Time for which a notice waits for others that go out in the same mail."""


class Channel(models.TextChoices):
    EMAIL = "email", _("email")
    PUSH = "push", _("notification")
    WEBHOOK = "webhook", _("webhook")


class NoticeEvent(models.TextChoices):
    """Events that players are notified of, as rows of the table."""

    YOUR_TURN = "your_turn", _("It's my turn")
    REMINDER = "reminder", _("My time is running out")
    TIME_OUT = "time_out", _("My time has run out, but I can still play")
    STARTED = "started", _("A game starts")
    GAME_OVER = "game_over", _("A game is over")
    INVITATION = "invitation", _("I'm invited, or somebody declines")
    TABLE = "table", _("Offers, pauses, changed seats, tables that nobody joins")
    LEAGUE = "league", _("My leagues and tournaments")


class Timing(models.TextChoices):
    """Times at which players are notified of an event."""

    AT_ONCE = "at_once", pgettext_lazy("when mails come", "at once")
    FOLDED = "folded", pgettext_lazy("when mails come", "gathered")
    ONCE = "once", pgettext_lazy("when mails come", "once")
    DAILY = "daily", pgettext_lazy("when mails come", "daily")
    NEVER = "never", pgettext_lazy("when mails come", "never")


TOGETHER: tuple[Timing, ...] = (Timing.FOLDED, Timing.DAILY)
"""Timings of notices that share a mail with others."""


class MailPreset(models.TextChoices):
    EVERY_TURN = "every_turn", _("Every turn")
    ONCE_A_DAY = "once_a_day", _("Once a day")
    BEFORE_TIME_RUNS_OUT = "before_time_runs_out", _("Only before my time runs out")


class PresetChoice(NamedTuple):
    """A preset with its explanation."""

    preset: MailPreset
    explanation: StrOrPromise


def list_presets() -> list[PresetChoice]:
    """Return all presets with their explanations."""
    return [
        PresetChoice(
            MailPreset.EVERY_TURN, _("An email right away whenever something happens in your games.")
        ),
        PresetChoice(
            MailPreset.ONCE_A_DAY, _("One email with everything that's new. Reminders still arrive in time.")
        ),
        PresetChoice(MailPreset.BEFORE_TIME_RUNS_OUT, _("Reminders, and nothing else.")),
    ]


URGENT = (NoticeEvent.REMINDER, NoticeEvent.TIME_OUT)
PRESETS: Mapping[MailPreset, Mapping[NoticeEvent, Timing]] = {
    MailPreset.EVERY_TURN: dict.fromkeys(NoticeEvent, Timing.AT_ONCE),
    MailPreset.ONCE_A_DAY: {
        event: Timing.AT_ONCE if event in URGENT else Timing.DAILY for event in NoticeEvent
    },
    MailPreset.BEFORE_TIME_RUNS_OUT: {
        event: Timing.AT_ONCE if event in URGENT else Timing.NEVER for event in NoticeEvent
    },
}
"""Timings of mails by preset; the first preset is the default."""


def list_timings(event: NoticeEvent, channel: Channel) -> tuple[Timing, ...]:
    """Return the choices for a cell. Only mails can hold several notices, and urgent events have no "once":
    reminders are sent even if an earlier one went unread."""
    left_out = () if channel == Channel.EMAIL else TOGETHER
    return tuple(
        timing
        for timing in Timing
        if timing not in left_out and not (timing == Timing.ONCE and event in URGENT)
    )


def choose_timing(
    player: Player, event: NoticeEvent | None, channel: Channel, *, override: str = ""
) -> Timing:
    """Return when *player* is notified of *event* by *channel*. What is no event (``None``) goes by mail.

    :param override: the player's timing for the game; it replaces that of the table, but enables no channel
        other than mail
    """
    if event is None:
        return Timing.AT_ONCE if channel == Channel.EMAIL else Timing.NEVER
    chosen = read_timing(player, event, channel)
    if not override or (chosen == Timing.NEVER and channel != Channel.EMAIL):
        return chosen
    return Timing(override) if override in list_timings(event, channel) else chosen


def read_timing(player: Player, event: NoticeEvent, channel: Channel) -> Timing:
    """Return the timing in the cell of *event* and *channel*."""
    cell = player.notice_timings.get(channel, {}).get(event)
    if cell in list_timings(event, channel):
        return Timing(cell)
    return Timing.AT_ONCE if channel == Channel.EMAIL else Timing.NEVER


def set_timings(player: Player, timings: Mapping[tuple[NoticeEvent, Channel], Timing]) -> None:
    """Set *timings* in the table of *player*, without saving the row."""
    table: dict[str, dict[str, str]] = {
        channel.value: dict(player.notice_timings.get(channel, {})) for channel in Channel
    }
    for (event, channel), timing in timings.items():
        table[channel.value][event.value] = timing.value
    player.notice_timings = {channel: cells for channel, cells in table.items() if cells}


def apply_preset(player: Player, preset: MailPreset) -> None:
    """Set the mails of *player* to *preset*, without saving the row."""
    set_timings(player, {(event, Channel.EMAIL): timing for event, timing in PRESETS[preset].items()})


def find_preset(player: Player) -> MailPreset | None:
    """Return the preset that the mails of *player* equal, if any."""
    mails = {event: read_timing(player, event, Channel.EMAIL) for event in NoticeEvent}
    return next((preset for preset, timings in PRESETS.items() if timings == mails), None)


def stop_all(player: Player) -> None:
    """Set all cells of *player* to "never", without saving the row."""
    set_timings(player, {(event, channel): Timing.NEVER for event in NoticeEvent for channel in Channel})


def switch_on_channel(player: Player, channel: str) -> None:
    """Notify *player* of turns, reminders, invitations and ends of games by *channel*, which is new to them.

    Nothing changes if any of the channel's cells differs from "never".
    """
    known = Channel(channel)
    if any(read_timing(player, event, known) != Timing.NEVER for event in NoticeEvent):
        return
    events = (*URGENT, NoticeEvent.YOUR_TURN, NoticeEvent.INVITATION, NoticeEvent.GAME_OVER)
    set_timings(player, {(event, known): Timing.AT_ONCE for event in events})
    player.save(update_fields=["notice_timings"])


def compute_due(
    player: Player, timing: Timing, at: datetime, *, deadline: datetime | None = None, last: bool = False
) -> datetime:
    """Return when to notify *player* of an event *at* some time, by the rules of their time zone.

    A notice that would wait for more than half of the time until a *deadline* goes out at once, and so does
    a reminder that is the *last* before it; all others wait until rest hours are over.
    """
    if last:
        return at
    if timing == Timing.DAILY:
        due = _find_next_hour(player, at)
    else:
        due = _skip_rest(player, at + FOLDED_FOR if timing == Timing.FOLDED else at)
    return at if deadline is not None and due - at > (deadline - at) / 2 else due


def _find_next_hour(player: Player, at: datetime) -> datetime:
    """The next time after *at* that is the hour of the player's daily mail."""
    zone = load_zone(player.time_zone)
    day = at.astimezone(zone).date()
    while (due := datetime.combine(day, time(player.digest_hour), zone)) <= at:
        day += timedelta(days=1)
    return due.astimezone(at.tzinfo)


def _skip_rest(player: Player, at: datetime) -> datetime:
    """*at*, or the end of the rest hours in which it lies."""
    begin, end = player.rest_from, player.rest_to
    if begin is None or end is None or begin == end:
        return at
    zone = load_zone(player.time_zone)
    local = at.astimezone(zone)
    clock = local.time()
    resting = begin <= clock < end if begin < end else clock >= begin or clock < end
    if not resting:
        return at
    day = local.date() + timedelta(days=begin > end and clock >= begin)
    return max(at, datetime.combine(day, end, zone).astimezone(at.tzinfo))


def note_told_once(player: Player, channel: str) -> None:
    """Note that *player* has got their one notice by *channel* until they return."""
    untold = Player.objects.filter(pk=player.pk).exclude(told_once__contains=channel)
    untold.update(told_once=Concat("told_once", models.Value(f"{channel} ")))


def note_return(player: Player) -> None:
    """Note that *player* is back, so that the next notice goes out again."""
    if player.told_once:
        Player.objects.filter(pk=player.pk).update(told_once="")
        player.told_once = ""


def read_reminder_hours(player: Player) -> tuple[int, ...]:
    """Return the hours before a deadline at which to remind *player*; empty for the usual times."""
    return tuple(hours for hours in player.reminder_hours if isinstance(hours, int))
