"""Sanctions and stops of games in force, sorted by their end."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.urls import reverse

from accounts.models import Player
from moderation.selectors import current_measures


class InForceLine(NamedTuple):
    """A warning, a mute, a suspension, or a stop of a game."""

    what: str
    name: str  # of the person or the game
    url: str
    person_url: str  # of a person at the desk
    since: datetime | None
    ends: datetime | None
    who: str


class InForcePage(NamedTuple):
    """A page of sanctions in force; the first one also has the stopped games."""

    sanctions: tuple[InForceLine, ...]
    games: tuple[InForceLine, ...]
    previous_url: str  # empty on the first page
    next_url: str  # empty on the last one


def build_in_force_page(viewer: Player, now: datetime, number: int) -> InForcePage:
    """The page with this *number* for *viewer*, a moderator; two queries."""
    begin = (number - 1) * current_measures.A_PAGE
    rows = list(
        current_measures.find_sanctions_in_force(viewer, now)[begin : begin + current_measures.A_PAGE + 1]
    )
    sanctions = tuple(
        InForceLine(
            what=one.get_kind_display(),
            name=one.player.username,
            url=reverse("moderation:desk_sanction", args=[one.pk]),
            person_url=reverse("moderation:desk_person", args=[one.player.username]),
            since=one.begun,
            ends=one.ends,
            who=one.who.username,
        )
        for one in rows[: current_measures.A_PAGE]
    )
    stopped = current_measures.find_stopped_games(viewer, now) if number == 1 else []
    games = tuple(
        InForceLine(
            what="",
            name=one.game.name,
            url=reverse("moderation:desk_game", args=[one.game.code]),
            person_url="",
            since=one.since,
            ends=one.ends,
            who="",
        )
        for one in stopped
    )
    previous_url = f"?page={number - 1}" if number > 1 else ""
    next_url = f"?page={number + 1}" if len(rows) > current_measures.A_PAGE else ""
    return InForcePage(sanctions, games, previous_url, next_url)
