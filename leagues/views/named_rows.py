"""Rows that an address or a form names."""

from django.shortcuts import get_object_or_404

from accounts.models import Player
from accounts.requests import PlayerRequest
from leagues.models import Division, Season

MOST_DIGITS = 18
"""More than this don't fit into a column."""


def read_key(request: PlayerRequest, name: str) -> int:
    """Return the primary key that was sent as *name*; 0, which no row has, for anything else."""
    given = request.POST.get(name, "")
    return int(given) if given.isdecimal() and len(given) <= MOST_DIGITS else 0


def get_player_or_404(request: PlayerRequest) -> Player:
    return get_object_or_404(Player, pk=read_key(request, "player"))


def get_season_or_404(slug: str, number: int) -> Season:
    return get_object_or_404(Season.objects.select_related("league"), league__slug=slug, number=number)


def get_division_or_404(slug: str, number: int, level: int) -> Division:
    divisions = Division.objects.select_related("season__league")
    return get_object_or_404(divisions, season__league__slug=slug, season__number=number, level=level)
