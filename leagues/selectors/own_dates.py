"""Dates of a player's leagues, each with a fixed number of queries however many leagues there are."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Prefetch, Q

from accounts.models import Player
from leagues.models import Entry, EntryState, Match, MatchSeat, Phase, Season, Team, TeamMatch, TeamMember

ALIVE = (Phase.REGISTRATION, Phase.RUNNING)


def load_own_seasons(player: Player) -> list[Season]:
    """Return the open and running seasons in which *player* is and has not withdrawn, with their leagues."""
    entries = Entry.objects.filter(player=player).exclude(state=EntryState.WITHDRAWN)
    members = TeamMember.objects.filter(player=player, joined__isnull=False)  # members get an entry later
    withdrawn = Entry.objects.filter(player=player, state=EntryState.WITHDRAWN)
    own = Q(pk__in=entries.values("season")) | Q(pk__in=members.values("season"))
    found = Season.objects.filter(own, phase__in=ALIVE).exclude(pk__in=withdrawn.values("season"))
    return list(found.select_related("league").order_by("begins", "pk"))


def load_own_team_matches(player: Player, seasons: Collection[Season]) -> list[TeamMatch]:
    """The matches in *seasons* of the teams of *player*, with both teams; past ones, too."""
    teams = Team.objects.filter(season__in=seasons, members__player=player, members__joined__isnull=False)
    theirs = teams.values("pk")
    found = TeamMatch.objects.filter(Q(first__in=theirs) | Q(second__in=theirs))
    return list(found.select_related("division__season__league", "first", "second").order_by("begins", "pk"))


def load_ending_matches(player: Player, seasons: Collection[Season]) -> list[Match]:
    """Return the undecided matches of *player* in *seasons* that end before their season, with players and
    challenges; not those at boards, whose teams' matches have the end."""
    own = Match.objects.filter(
        division__season__in=seasons, seats__player=player, decided=None, ends__isnull=False, at_board=None
    )
    seats = MatchSeat.objects.select_related("player").order_by("index")
    with_all = own.select_related("division__season__league", "challenge")
    return list(with_all.prefetch_related(Prefetch("seats", seats)).order_by("ends", "pk"))
