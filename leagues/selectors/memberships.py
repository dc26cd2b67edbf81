"""Matches and places of a player in a season, each with a fixed number of queries."""

from __future__ import annotations

from django.db.models import Count, F, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce

from games.access import Visitor
from leagues.models import Bye, Entry, Fixture, Match, MatchSeat, Season, Seed, Team, TeamMatch


def find_membership(season: Season, visitor: Visitor) -> Entry | None:
    """Return the entry of *visitor* for *season*, even if withdrawn, with its division and the number of
    ``others`` in its table."""
    if not visitor.is_authenticated:
        return None
    there = Entry.objects.filter(division=OuterRef("division"), rank__isnull=False).order_by()
    counted = there.values("division").annotate(n=Count("pk")).values("n")
    own = season.entries.filter(player=visitor.pk).select_related("division", "player")
    entry = own.annotate(others=Coalesce(Subquery(counted), 0)).first()
    if entry is not None and entry.division is not None:
        entry.division.season = season
    return entry


def load_undecided_matches(entry: Entry) -> list[Match]:
    """Return the drawn, undecided matches of the player of *entry*, with players and unfinished games."""
    fixtures = (
        Fixture.objects.filter(settled=None, game__isnull=False).select_related("game").order_by("number")
    )
    seats = MatchSeat.objects.select_related("player").order_by("index")
    own = Match.objects.filter(
        division__season=entry.season_id, decided=None, seats__player=entry.player_id
    ).select_related("division", "at_board__board__team_match")
    matches = own.order_by("round", "division__level", "number")
    matches = matches.prefetch_related(Prefetch("seats", seats), Prefetch("fixtures", fixtures))
    for match in matches:
        match.division.season = entry.season
    return list(matches)


def find_bye(entry: Entry) -> Bye | None:
    """The bye of the player of *entry* in a round that is the last one drawn of its division."""
    own = Bye.objects.filter(division__season=entry.season_id, player=entry.player_id)
    return own.filter(round=F("division__drawn")).select_related("division").first()


def find_seed(entry: Entry) -> Seed | None:
    """Return the seed of the player of *entry* in a knock-out, with its division, and the number of seeds
    that ``share`` its rank."""
    same = Seed.objects.filter(division=OuterRef("division"), rank=OuterRef("rank")).order_by()
    own = Seed.objects.filter(division__season=entry.season_id, player=entry.player_id)
    counted = Subquery(same.values("division").annotate(n=Count("pk")).values("n"))
    seed = own.select_related("division").annotate(share=counted).first()
    if seed is not None:
        seed.division.season = entry.season
    return seed


def find_next_team_match(team: Team) -> TeamMatch | None:
    """The first match of *team* that is drawn and not decided."""
    own = TeamMatch.objects.filter(Q(first=team) | Q(second=team), decided=False)
    return own.select_related("division", "first", "second").order_by("begins", "pk").first()
