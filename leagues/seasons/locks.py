"""Rows that are locked while something of a season changes, always in this order: league, season, match,
division. The league is locked only where it changes itself."""

from leagues.models import Division, League, Match, Season


def lock_league(league: int) -> League:
    """The league with this primary key; nobody else changes it before this transaction has ended."""
    # Lines of its log, which refer to it, are written meanwhile.
    return League.objects.select_for_update(no_key=True).get(pk=league)


def lock_season(season: int) -> Season:
    """The season with this primary key; nobody else changes it before this transaction has ended."""
    return Season.objects.select_for_update(of=("self",)).select_related("league").get(pk=season)


def lock_division(division: int) -> Division:
    """The division with this primary key, in the same way."""
    divisions = Division.objects.select_for_update(of=("self",)).select_related("season__league")
    return divisions.get(pk=division)


def lock_match(match: int) -> Match:
    """The match with this primary key, in the same way."""
    matches = Match.objects.select_for_update(of=("self",)).select_related("division__season__league")
    return matches.get(pk=match)
