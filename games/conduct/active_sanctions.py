"""Sanctions in force, and what they forbid. Every act of a player checks them, under its own lock.

A player who was never sanctioned costs no query (``Player.sanctioned``). No task ends a sanction: its end is
compared with the time. ``moderation.acts.sanctions`` imposes and lifts them.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.urls import reverse

from accounts.models import Player
from accounts.references import show_text
from games.exceptions import Refused
from games.models import Sanction, SanctionKind
from games.words import sanctions as words_of


def find_active(player: Player, now: datetime) -> list[Sanction]:
    """Return the sanctions in force for *player*; one query, none for a player who was never sanctioned."""
    return list(Sanction.objects.filter(player=player).in_force(now)) if player.sanctioned else []


def find_unread_warning(player: Player) -> Sanction | None:
    """The oldest warning that *player* has not read yet; one query at most."""
    if not player.sanctioned:
        return None
    unread = Sanction.objects.filter(player=player, kind=SanctionKind.WARNING, acknowledged=None, lifted=None)
    return unread.order_by("pk").first()


def find_mute_end(player: Player, now: datetime) -> datetime | None:
    """Return until when *player* is muted; ``None`` if they are not; one query at most."""
    return _until(find_active(player, now), SanctionKind.MUTE)


def find_suspension_end(player: Player, now: datetime) -> datetime | None:
    """Return until when *player* is suspended; ``None`` if they are not; one query at most."""
    return _until(find_active(player, now), SanctionKind.SUSPENSION)


def must_not_be_suspended(player: Player, now: datetime) -> None:
    """:raises Refused: *player* is suspended"""
    _refuse_suspended(find_active(player, now))


def must_be_free_to_act(player: Player, now: datetime) -> None:
    """:raises Refused: *player* is suspended, or has a warning to read first"""
    _refuse_acts(find_active(player, now))


def must_be_free_to_speak(player: Player, now: datetime) -> None:
    """:raises Refused: the same, or *player* is muted"""
    sanctions = find_active(player, now)
    _refuse_acts(sanctions)
    until = _until(sanctions, SanctionKind.MUTE)
    if until is not None:
        raise Refused("muted", until=until, address=build_own_page_url())


def build_own_page_url() -> str:
    """Build the URL of the page where players read the messages of moderators and appeal."""
    return settings.SITE_URL + reverse("moderation:conduct")


def _until(sanctions: list[Sanction], kind: SanctionKind) -> datetime | None:
    return max(
        (sanction.ends for sanction in sanctions if sanction.kind == kind and sanction.ends is not None),
        default=None,
    )


def _refuse_suspended(sanctions: list[Sanction]) -> None:
    until = _until(sanctions, SanctionKind.SUSPENSION)
    if until is not None:
        raise Refused("suspended", until=until, address=build_own_page_url())


def _refuse_acts(sanctions: list[Sanction]) -> None:
    _refuse_suspended(sanctions)
    for sanction in sanctions:
        if sanction.kind == SanctionKind.WARNING:
            said = " ".join(
                words_of.list_paragraphs(sanction.template, show_text(sanction.words), sanction.texts)
            )
            raise Refused("unread_warning", warning=said, address=build_own_page_url())
