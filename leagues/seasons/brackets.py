"""Knock-outs: the bracket follows from the seeds and from who won, and is drawn round by round.

Those who play it are players, or teams (``seasons.teams.brackets``); what is the same for both is here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from leagues.models import Bye, Division, Entry, Match, MatchSeat, Seed, TeamMatch
from leagues.schedules import KnockOut, Tie


def write_seeds(division: Division, seeds: Sequence[int]) -> None:
    """Seed *division*, in which nothing is drawn yet; the *seeds* by primary key, the strongest first."""
    kind = "player_id" if division.season.settings.teams is None else "team_id"
    Seed.objects.bulk_create(
        Seed(division=division, number=number, **{kind: key}) for number, key in enumerate(seeds, start=1)
    )
    division.rounds = len(knock_out_of(division).rounds())
    division.save(update_fields=["rounds"])


def next_ties(division: Division) -> tuple[Tie[int], ...]:
    """The matches of the next round, of which all before are decided."""
    return knock_out_of(division).rounds()[division.drawn]


def end_of_next_round(division: Division, now: datetime) -> datetime:
    """When the games of the next round end at the latest: the rounds that are left share equally the time
    that is left."""
    season = division.season
    left = division.rounds - division.drawn
    return min(season.ends, now + max(season.ends - now, timedelta()) / left)


def knock_out_of(division: Division) -> KnockOut[int]:
    """The knock-out of *division*, as far as its matches are decided."""
    settings = division.season.settings
    matches: Iterable[Match | TeamMatch]
    if settings.teams is None:
        matches = division.matches.filter(decided__isnull=False)
    else:
        matches = division.team_matches.filter(decided=True)
    return KnockOut(
        tuple(seed.holder for seed in division.seeds.order_by("number")),
        {(match.round - 1, match.number - 1): match.winner_id for match in matches},
        settings.standings.best_of,
        dict(settings.cup.longer),
        settings.cup.third_place,
    )


def write_ranks(division: Division) -> dict[int, int]:
    """Write down how far everybody has come; whoever calls holds a lock on *division*. Answers the ranks by
    primary key, in their order."""
    ranks = knock_out_of(division).ranks()
    seeds = list(division.seeds.all())
    for seed in seeds:
        seed.rank = ranks[seed.holder]
    Seed.objects.bulk_update(seeds, ["rank"])
    return ranks


def begin_bracket(division: Division, seeds: Sequence[int], now: datetime) -> None:
    """Seed *division* with players and draw its first round."""
    write_seeds(division, seeds)
    draw_bracket(division, now)
    restand_bracket(division)


def draw_bracket(division: Division, now: datetime) -> None:
    """Draw the next round; whoever calls holds a lock, and all matches before it are decided."""
    ties, ends = next_ties(division), end_of_next_round(division, now)
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


def restand_bracket(division: Division) -> None:
    """The same of players, whose entries say it, too, where they don't come from groups."""
    ranks = write_ranks(division)
    rows = {player: row for row, player in enumerate(ranks, start=1)}
    entries = list(division.entries.all())
    for entry in entries:
        entry.rank, entry.row = ranks[entry.player_id], rows[entry.player_id]
    Entry.objects.bulk_update(entries, ["rank", "row"])
