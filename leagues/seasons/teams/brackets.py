"""Knock-outs of teams: each match is drawn with the time for its line-ups, and begins by the calendar."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from leagues import outbox
from leagues.models import Division, Entry, Team, TeamMatch, TeamMember
from leagues.seasons.brackets import end_of_next_round, next_ties, write_ranks, write_seeds
from leagues.seasons.teams.squads import team_rules
from leagues.seasons.teams.tables import counted_matches


def begin_team_bracket(division: Division, seeds: Sequence[int], now: datetime) -> None:
    """Seed *division* with teams and draw its first round."""
    write_seeds(division, seeds)
    _draw(division, now)
    restand_team_bracket(division)


def draw_team_round(division: Division, now: datetime) -> bool:
    """Draw the next round of *division*, which is locked with its season, once all matches before it are
    decided: also if boards that can't change who wins go on. Answers whether one was drawn."""
    if division.team_matches.filter(Q(round__gt=division.drawn) | Q(decided=False)).exists():
        return False
    _draw(division, now)
    return True


def restand_team_bracket(division: Division) -> None:
    """Work out anew how the boards and matches of *division* stand, which is locked, and how far all have
    come. Where teams don't come from groups, they and their players have these ranks, too."""
    counted_matches(division)
    ranks = write_ranks(division)
    rows = {team: row for row, team in enumerate(ranks, start=1)}
    teams = {team.pk: team for team in division.teams.all()}
    for team in teams.values():
        team.rank, team.row = ranks[team.pk], rows[team.pk]
    Team.objects.bulk_update(teams.values(), ["rank", "row"])
    members = TeamMember.objects.filter(team__in=teams, joined__isnull=False)
    team_of = dict(members.values_list("player", "team"))
    entries = sorted(division.entries.all(), key=lambda entry: (rows[team_of[entry.player_id]], entry.pk))
    for row, entry in enumerate(entries, start=1):
        entry.rank, entry.row = ranks[team_of[entry.player_id]], row
    Entry.objects.bulk_update(entries, ["rank", "row"])


def _draw(division: Division, now: datetime) -> None:
    """Write down who meets in the next round. There is as much time for line-ups as before the first round of
    a season, but half of the time of the round at most."""
    ends = end_of_next_round(division, now)
    begins = min(now + team_rules(division.season).begins(1), now + (ends - now) / 2)
    TeamMatch.objects.bulk_create(
        TeamMatch(
            division=division,
            round=division.drawn + 1,
            number=tie.number + 1,
            begins=max(begins, now),
            best_of=tie.best_of,
            ends=ends,
            first_id=tie.pairing.players[0],
            second_id=tie.pairing.players[1],
        )
        for tie in next_ties(division)
        if tie.pairing is not None
    )
    outbox.line_ups_due(division, now=now)
