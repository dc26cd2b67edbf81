"""Admission to seasons: open to all, by the league's link, or with an organiser's approval; never while
suspended."""

from __future__ import annotations

from datetime import datetime

from django.core.signing import Signer
from django.utils.crypto import constant_time_compare

from accounts.models import Player
from games.conduct import active_sanctions
from games.words.times import format_when
from leagues.exceptions import LeagueRefused
from leagues.models import EntryState, Season
from leagues.settings import Admission

SIGNER = Signer(salt="leagues.admission")


def build_join_token(league: int) -> str:
    """Return the last part of the link to register for the league with this primary key."""
    return SIGNER.signature(str(league))


def is_admitted(season: Season, token: str) -> bool:
    """Return whether *token* lets somebody register for *season*."""
    match season.settings.admission:
        case Admission.OPEN:
            return True
        case Admission.LINK:
            return constant_time_compare(token, build_join_token(season.league_id))
    return False


def must_be_admitted(season: Season, player: Player, token: str) -> None:
    """Require the league's link or an organiser's approval, except of players who are registered already.

    :raises LeagueRefused: *player* has neither
    """
    there = season.entries.filter(player=player, state__in=[EntryState.REGISTERED, EntryState.PLAYING])
    if not is_admitted(season, token) and not there.exists():
        by_link = season.settings.admission == Admission.LINK
        raise LeagueRefused("link_only" if by_link else "approval_only")


def must_not_be_suspended(player: Player, now: datetime) -> None:
    """:raises LeagueRefused: *player* is suspended"""
    until = active_sanctions.find_suspension_end(player, now)
    if until is not None:
        raise LeagueRefused("suspended", until=format_when(until))
