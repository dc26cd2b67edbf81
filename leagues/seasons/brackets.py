"""Brackets of players and of teams. A bracket follows from the seeds and the winners, and is drawn round
by round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from operator import attrgetter

from django.db.models import Exists, OuterRef, Q

from leagues.mails.teams import LineUpDue
from leagues.models import Bye, Division, Entry, Fixture, Match, MatchSeat, Seed, Team, TeamMatch
from leagues.schedules import Elimination, Tie
from leagues.seasons.protests import have_results_stood
from leagues.seasons.round_times import claim_round_time
from leagues.seasons.teams.squads import require_team_rules


def write_seeds(division: Division, seeds: Sequence[int]) -> None:
    """Store the *seeds* of *division*, by primary key and the strongest first; nothing may be drawn yet."""
    field = division.contenders.seed_field
    Seed.objects.bulk_create(
        Seed(division=division, number=number, **{field: key}) for number, key in enumerate(seeds, start=1)
    )
    division.rounds = len(build_bracket(division).rounds())
    division.save(update_fields=["rounds"])


def list_next_ties(division: Division) -> tuple[Tie[int], ...]:
    """The ties of the next round; all rounds before it must be decided."""
    return build_bracket(division).rounds()[division.drawn]


def build_bracket(division: Division, seeds: Iterable[Seed] | None = None) -> Elimination[int]:
    """Build the bracket of *division* from its decided matches; *seeds* are loaded unless given."""
    numbered = sorted(division.seeds.all() if seeds is None else seeds, key=attrgetter("number"))
    contenders = division.contenders
    games = Fixture.objects.filter(**{contenders.match_of_games: OuterRef("pk")}, game__isnull=False)
    decided = contenders.find_decided_matches(division).annotate(has_games=Exists(games))
    matches = {(match.round - 1, match.number - 1): match for match in decided}
    return division.format.build_bracket(
        division.season.settings,
        tuple(seed.holder for seed in numbered),
        {tie: match.winner_id for tie, match in matches.items()},
        [tie for tie, match in matches.items() if not match.has_games],
    )


def write_ranks(division: Division) -> dict[int, int]:
    """Store how far everybody has come, and return the ranks by primary key, in their order.

    The caller holds a lock on *division*.
    """
    ranks = build_bracket(division).ranks()
    seeds = list(division.seeds.all())
    for seed in seeds:
        seed.rank = ranks[seed.holder]
    Seed.objects.bulk_update(seeds, ["rank"])
    return ranks


def begin_bracket(division: Division, seeds: Sequence[int], now: datetime) -> None:
    """Seed *division* with players or teams and draw its first round."""
    write_seeds(division, seeds)
    draw_bracket(division, now)
    update_bracket_standings(division)


def draw_bracket(division: Division, now: datetime) -> None:
    """Draw the next round; the caller holds a lock, and all matches before it are decided."""
    ends = claim_round_time(division, now)
    division.contenders.draw_ties(division, list_next_ties(division), ends, now)


def draw_matches(division: Division, ties: Iterable[Tie[int]], ends: datetime) -> None:
    """Create the matches of players of the next round, and its byes."""
    division.drawn += 1
    division.save(update_fields=["drawn"])
    seats: list[MatchSeat] = []
    for tie in ties:
        if tie.pairing is not None:
            match = Match.objects.create(
                division=division,
                round=division.drawn,
                number=tie.number + 1,
                best_of=tie.best_of,
                ends=ends,
            )
            players = enumerate(tie.pairing.players)
            seats += [MatchSeat(match=match, index=index, player_id=player) for index, player in players]
    MatchSeat.objects.bulk_create(seats)
    byes = [pk for tie in ties if tie.bye for pk in tie.players if pk is not None]
    Bye.objects.bulk_create(Bye(division=division, round=division.drawn, player_id=pk) for pk in byes)


def draw_team_bracket(division: Division, now: datetime) -> bool:
    """Draw the next round of teams once all their matches are decided and have stood (STAND-17), even if
    boards that can't change the winner go on. Return whether one was drawn."""
    if division.team_matches.filter(Q(round__gt=division.drawn) | Q(decided=False)).exists():
        return False
    if not have_results_stood(division.season, now, division):
        return False
    draw_bracket(division, now)
    return True


def update_bracket_standings(division: Division) -> None:
    """Store how far all have come, also in their teams and entries."""
    entries = list(division.entries.order_by("pk"))
    division.contenders.update_matches(division)
    holders = division.contenders.find_holders(division, entries)
    ranks = write_ranks(division)
    rows = {holder: row for row, holder in enumerate(ranks, start=1)}
    for row, entry in enumerate(sorted(entries, key=lambda one: rows[holders[one.pk]]), start=1):
        entry.rank, entry.row = ranks[holders[entry.pk]], row
    Entry.objects.bulk_update(entries, ["rank", "row"])
    teams = list(division.teams.all())
    for team in teams:
        team.rank, team.row = ranks[team.pk], rows[team.pk]
    Team.objects.bulk_update(teams, ["rank", "row"])


def draw_team_matches(division: Division, ties: Iterable[Tie[int]], ends: datetime, now: datetime) -> None:
    """Create the team matches of the next round. Captains get as much time for line-ups as before the first
    round of a season, but at most half of the time of the round."""
    begins = min(now + require_team_rules(division.season).begins(1), now + (ends - now) / 2)
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
        for tie in ties
        if tie.pairing is not None
    )
    LineUpDue.tell(division, now=now)
