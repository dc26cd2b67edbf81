"""Decisions in own matters: organisers leave games that they play or gain by to others (STAND-18)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import IntEnum

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Player
from leagues.exceptions import LeagueRefused
from leagues.models import (
    Division,
    Entry,
    EntryState,
    League,
    Match,
    MatchSeat,
    Season,
    Seed,
    TeamMatch,
    TeamMember,
)


class Stake(IntEnum):
    """Stakes of an organiser in a decision, the least first."""

    NONE = 0
    RANK = 1  # the own rank in the same division may change
    TEAM = 2  # concerns a match of the own team
    GAME = 3  # concerns an own game


@dataclass(frozen=True, slots=True)
class Matter:
    """The subject of an organiser's decision: *matches* of *divisions*, also *team_matches* that have not
    begun, and *players* whose places change."""

    divisions: Collection[Division]
    matches: QuerySet[Match]
    players: Collection[int] = ()
    team_matches: QuerySet[TeamMatch] = field(default_factory=TeamMatch.objects.none)


def build_season_matter(season: Season) -> Matter:
    """Return the matter of an act on all games of *season* that are left to play."""
    undecided = Match.objects.filter(division__season=season, decided=None)
    team_matches = TeamMatch.objects.filter(division__season=season, decided=False)
    return Matter(list(season.divisions.all()), undecided, team_matches=team_matches)


def build_player_matter(division: Division, *players: Player) -> Matter:
    """Return the matter of adding *players* to *division* or removing them, with their matches of a knock-out
    after its groups."""
    keys = [player.pk for player in players]
    theirs = Match.objects.filter(division__season=division.season_id, seats__player__in=keys)
    of_others = Q(pk__in=theirs.exclude(division=division).values("division"))
    divisions = Division.objects.filter(Q(pk=division.pk) | of_others).select_related("season")
    return Matter(list(divisions), theirs, keys)


def build_seeding_matter(season: Season) -> Matter:
    """Return the matter of an order of seeds: everybody registered has a stake."""
    there = season.entries.exclude(state=EntryState.WITHDRAWN)
    return Matter((), Match.objects.none(), there.values_list("player", flat=True))


def check_own_matter(league: League, who: Player, matter: Matter) -> bool:
    """Return whether *who* decides in own matters, which is allowed if no organiser has a smaller stake in
    *matter*.

    :raises LeagueRefused: another organiser has
    """
    organisers = set(league.find_deciders(timezone.now()).values_list("pk", flat=True))
    stakes = find_stakes({who.pk} | organisers, matter)
    stake = stakes.pop(who.pk)
    if any(other < stake for other in stakes.values()):
        raise LeagueRefused(f"own_{stake.name.lower()}")
    return stake > Stake.NONE


def find_stakes(players: Collection[int], matter: Matter) -> dict[int, Stake]:
    """Return the stakes of *players*, by primary key, in *matter*. Six queries at most."""
    stakes = dict.fromkeys(players, Stake.NONE)
    stakes |= dict.fromkeys(_find_ranked(players, matter.divisions), Stake.RANK)
    stakes |= dict.fromkeys(_find_team_mates(players, matter), Stake.TEAM)
    seats = MatchSeat.objects.filter(match__in=matter.matches.values("pk"), player__in=players)
    sitting = {*seats.values_list("player", flat=True), *matter.players} & stakes.keys()
    return stakes | dict.fromkeys(sitting, Stake.GAME)


def _find_team_mates(players: Collection[int], matter: Matter) -> set[int]:
    """Those of *players* whose team plays one of the matches."""
    at_boards = Q(boards__players__match__in=matter.matches.values("pk"))
    meetings = TeamMatch.objects.filter(at_boards | Q(pk__in=matter.team_matches.values("pk")))
    teams = {team for two in meetings.values_list("first", "second") for team in two}
    mates = TeamMember.objects.filter(team__in=teams, player__in=players, joined__isnull=False)
    return set(mates.values_list("player", flat=True))


def _find_ranked(players: Collection[int], divisions: Collection[Division]) -> set[int]:
    """Those of *players* whose rank results of others can still change; in a knock-out those who are still
    in."""
    tables = [division.pk for division in divisions if not division.format.moves_winners_on]
    ranked = Entry.objects.filter(division__in=tables, player__in=players, rank__isnull=False)
    cups = [division.pk for division in divisions if division.format.moves_winners_on]
    still_in = Seed.objects.filter(division__in=cups, rank=1)
    members = TeamMember.objects.filter(
        team__in=still_in.values("team"), player__in=players, joined__isnull=False
    )
    alone = still_in.filter(player__in=players)
    return {
        key for found in (ranked, members, alone) for key in found.values_list("player", flat=True) if key
    }
