"""Notice preferences for tests."""

from __future__ import annotations

from accounts.models import Player
from accounts.notice_preferences import Channel, NoticeEvent, Timing, read_timing

Table = dict[str, dict[str, str]]


def mail_timing(timing: str, *events: str) -> Table:
    """The preferences of a player with *timing* for mails of *events*, or of all."""
    return {Channel.EMAIL.value: dict.fromkeys(events or NoticeEvent.values, timing)}


def never(*events: str) -> Table:
    """The preferences of a player who wants no mails of *events*."""
    return mail_timing(Timing.NEVER.value, *events)


def wants_mails(player: Player, event: str) -> bool:
    return read_timing(player, NoticeEvent(event), Channel.EMAIL) != Timing.NEVER
