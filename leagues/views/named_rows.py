"""Lookups of rows named by URLs and forms."""

from django.shortcuts import get_object_or_404

from accounts.models import Player
from accounts.requests import PlayerRequest
from core.numerals import parse_key
from leagues.models import Division, Season


def get_player_or_404(request: PlayerRequest) -> Player:
    return get_object_or_404(Player, pk=parse_key(request.POST.get("player")))


def get_season_or_404(slug: str, number: int) -> Season:
    return get_object_or_404(Season.objects.select_related("league"), league__slug=slug, number=number)


def get_division_or_404(slug: str, number: int, level: int) -> Division:
    divisions = Division.objects.select_related("season__league")
    return get_object_or_404(divisions, season__league__slug=slug, season__number=number, level=level)
