"""Shared seasons, as conflicts of interest of moderators, and as links between players for fair play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.interests import Interest
from leagues.models import Entry, EntryState, Phase


def find_shared_seasons(staff: Collection[int], players: Collection[int]) -> Iterable[Interest]:
    """Return the running seasons in which both play, each since it began or the later of them registered. One
    query."""
    entries = (
        Entry.objects.filter(player__in={*staff, *players}, season__phase=Phase.RUNNING)
        .exclude(state=EntryState.WITHDRAWN)
        .values_list(
            "season", "season__league__name", "season__begins", "player", "player__username", "registered"
        )
    )
    seasons: dict[int, list[tuple[str, datetime, int, str, datetime]]] = defaultdict(list)
    for season, league, begins, player, name, registered in entries:
        seasons[season].append((league, begins, player, name, registered))
    for rows in seasons.values():
        for _league, _begins, member, _name, here in rows:
            if member not in staff:
                continue
            for league, begins, player, name, there in rows:
                if player in players and player != member:
                    why = _("You and {name} are both playing in “{league}”.").format(name=name, league=league)
                    yield Interest(member, player, why, max(begins, here, there))


def group_by_season(players: Collection[int]) -> Iterable[Collection[int]]:
    """Return those of *players* who play or played in each season. One query."""
    found: dict[int, set[int]] = defaultdict(set)
    entries = Entry.objects.filter(player__in=players).exclude(division=None)
    for season, player in entries.values_list("season", "player"):
        found[season].add(player)
    return found.values()
