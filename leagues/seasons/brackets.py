"""Knock-outs: the bracket follows from the seeds and from who won, and is drawn round by round."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from leagues.models import Bye, Division, Entry, Match, MatchSeat, Seed
from leagues.schedules import KnockOut


def begin_bracket(division: Division, seeds: Sequence[int], now: datetime) -> None:
    """Seed *division* and draw its first round; the *seeds* by primary key, the strongest first."""
    Seed.objects.bulk_create(
        Seed(division=division, number=number, player_id=player)
        for number, player in enumerate(seeds, start=1)
    )
    division.rounds = len(knock_out_of(division).rounds())
    draw_bracket(division, now)
    restand_bracket(division)


def draw_bracket(division: Division, now: datetime) -> None:
    """Draw the next round; whoever calls holds a lock, and all matches before it are decided.

    The rounds that are left share equally the time that is left: each ends then at the latest.
    """
    season = division.season
    ties = knock_out_of(division).rounds()[division.drawn]
    left = division.rounds - division.drawn
    ends = min(season.ends, now + max(season.ends - now, timedelta()) / left)
    division.drawn += 1
    division.save(update_fields=["rounds", "drawn"])
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


def knock_out_of(division: Division) -> KnockOut[int]:
    """The knock-out of *division*, as far as its matches are decided."""
    settings = division.season.settings
    decided = division.matches.filter(decided__isnull=False).values_list("round", "number", "winner")
    return KnockOut(
        tuple(division.seeds.order_by("number").values_list("player", flat=True)),
        {(round_number - 1, number - 1): winner for round_number, number, winner in decided},
        settings.standings.best_of,
        dict(settings.cup.longer),
        settings.cup.third_place,
    )


def restand_bracket(division: Division) -> None:
    """Write down how far everybody has come; whoever calls holds a lock on *division*."""
    ranks = knock_out_of(division).ranks()
    seeds = list(division.seeds.all())
    for seed in seeds:
        seed.rank = ranks[seed.player_id]
    Seed.objects.bulk_update(seeds, ["rank"])
    rows = {player: row for row, player in enumerate(ranks, start=1)}
    entries = list(division.entries.all())  # nobody's where they come from groups
    for entry in entries:
        entry.rank, entry.row = ranks[entry.player_id], rows[entry.player_id]
    Entry.objects.bulk_update(entries, ["rank", "row"])
