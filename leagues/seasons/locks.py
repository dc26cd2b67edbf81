"""Row locks, always taken in this order: league, season, match, division. The league is locked only where its
own row changes."""

from leagues.models import Division, League, Match, Season


def lock_league(league: int) -> League:
    """Lock the league with this primary key until the transaction ends."""
    # Lines of its log, which refer to it, can still be inserted.
    return League.objects.select_for_update(no_key=True).get(pk=league)


def lock_season(season: int) -> Season:
    """Lock the season with this primary key until the transaction ends."""
    return Season.objects.select_for_update(of=("self",)).select_related("league").get(pk=season)


def lock_division(division: int) -> Division:
    """Lock the division with this primary key until the transaction ends."""
    divisions = Division.objects.select_for_update(of=("self",)).select_related("season__league")
    return divisions.get(pk=division)


def lock_match(match: int) -> Match:
    """Lock the match with this primary key until the transaction ends."""
    matches = Match.objects.select_for_update(of=("self",)).select_related("division__season__league")
    return matches.get(pk=match)
