"""Drawing divisions and rounds of players; formats say how."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction

from django.db import transaction

from leagues.mails.seasons import RoundDrawn, SeasonBegan
from leagues.models import Bye, Division, Entry, EntryState, Match, MatchSeat, Phase, Season
from leagues.schedules.rounds import Round
from leagues.schedules.swiss import NoPairing, SwissMatch, SwissRound, pair_swiss_round
from leagues.seasons.founding import write_log_entry
from leagues.seasons.kept_apart import load_blocked_pairs
from leagues.seasons.locks import lock_division, lock_season
from leagues.seasons.moves import settle_moves
from leagues.seasons.postponing import put_off
from leagues.seasons.protests import have_results_stood
from leagues.seasons.registration import UNRATED, load_ratings
from leagues.seasons.results import find_winner
from leagues.seasons.round_times import claim_round_time
from leagues.seasons.tables import update_standings
from leagues.standings import Rules

FEWEST = 2
"""Minimum number of players for a season to begin, and for a Swiss round."""


@transaction.atomic
def begin_season(season_id: int, now: datetime) -> bool:
    """Begin a season whose registration is over: draw its divisions and matches. Return whether anything was
    done.

    With fewer than two players it is postponed, and after the third time cancelled.
    """
    season = lock_season(season_id)
    if season.phase != Phase.REGISTRATION or now < season.begins:
        return False
    season.contenders.begin_season(season, now)
    return True


def begin_with_players(season: Season, now: datetime) -> None:
    """Begin *season*, which is locked, with the registered players; or postpone it."""
    entries = load_registered(season)
    if len(entries) < FEWEST:
        put_off(season, now, players=len(entries))
        return
    _rate(season, entries, now)
    by_player = {entry.player_id: entry for entry in entries}
    apart = load_blocked_pairs(season)
    divided = season.format.divide(entries, season.settings, apart)
    divisions = []
    for level, players in enumerate(divided, start=1):
        divisions.append(Division.objects.create(season=season, level=level, kind=season.format.kind))
        _fill(divisions[-1], [by_player[player] for player in players])
    for division, players in zip(divisions, divided, strict=True):  # ends depend on how many play in all
        season.format.draw_first(division, players, now, apart)
    settle_moves(season, now)
    season.phase = Phase.RUNNING
    season.save(update_fields=["phase"])
    write_log_entry(season.league, "begin", season=season, now=now, players=len(entries))
    SeasonBegan.tell(season, now=now)


def load_registered(season: Season) -> list[Entry]:
    """Return the entries of *season* that would begin it now, in order of registration."""
    there = season.entries.filter(state=EntryState.REGISTERED, player__is_active=True)
    return list(there.select_related("player").order_by("registered", "pk"))


def draw_next_round(division_id: int, now: datetime) -> bool:
    """Draw the next round of a Swiss division or a knock-out, once all matches of the rounds before are
    decided and have stood (STAND-17). Return whether one was drawn."""
    with transaction.atomic():
        # The lock keeps results on which the round rests from being settled meanwhile.
        season = lock_season(Division.objects.values_list("season", flat=True).get(pk=division_id))
        division = lock_division(division_id)
        if season.phase != Phase.RUNNING or not division.awaits_round:
            return False
        return season.contenders.draw_next_round(division, now)


def draw_next_of_players(division: Division, now: datetime) -> bool:
    """Draw the next round of *division*, which is locked, if it is time. Return whether it was."""
    season = division.season
    if division.matches.filter(decided=None).exists() or not have_results_stood(season, now, division):
        return False
    before = division.drawn
    division.format.draw_next(division, now)
    update_standings(division)  # a bye counts at once
    if division.drawn > before:
        RoundDrawn.tell(division, now=now)
    return True


def _rate(season: Season, entries: Sequence[Entry], now: datetime) -> None:
    ratings = load_ratings(season, [entry.player_id for entry in entries], now)
    for entry in entries:
        entry.rating = ratings.get(entry.player_id, UNRATED)


def _fill(division: Division, entries: Sequence[Entry]) -> None:
    for row, entry in enumerate(entries, start=1):
        rank = division.format.get_first_rank(row)
        entry.division, entry.state, entry.rank, entry.row = division, EntryState.PLAYING, rank, row
        entry.order = row  # order of the draw; newcomers come after it
    Entry.objects.bulk_update(entries, ["division", "state", "rank", "row", "order", "rating"])


def draw_all_rounds(
    division: Division, rounds: Sequence[Round[int]], *, ends: datetime | None = None
) -> None:
    """Create the matches of all *rounds* of *division*; their games end at *ends* at the latest, or with the
    season."""
    division.rounds = division.drawn = len(rounds)
    division.save(update_fields=["rounds", "drawn"])
    write_rounds(division, rounds, first=1, ends=ends)


def count_swiss_rounds(division: Division, players: int) -> int:
    """Return the number of rounds of a Swiss *division* with this number of *players*."""
    return min(division.season.settings.rounds, players - 1)


def draw_swiss(division: Division, now: datetime) -> None:
    entries = list(division.entries.select_related("player").order_by("-rating", "player"))
    players = [entry.player_id for entry in entries]
    absent = {
        entry.player_id
        for entry in entries
        if entry.state == EntryState.WITHDRAWN or not entry.player.is_active
    }
    if len(players) - len(absent) < FEWEST:
        _cut_short(division, now)
    else:
        try:
            apart = load_blocked_pairs(division.season)
            drawn = pair_swiss_round(
                players,
                _load_rounds(division),
                division.rounds,
                absent=absent,
                apart=apart,
                penalties=_count_penalties(entries, division.season.settings.standings),
            )
        except NoPairing:  # after withdrawals, all remaining players have met
            _cut_short(division, now)
            return
        ends = claim_round_time(division, now)
        division.drawn += 1
        write_rounds(division, [drawn], first=division.drawn, ends=ends)
        byes = [Bye(division=division, round=division.drawn, player_id=player) for player in drawn.byes]
        Bye.objects.bulk_create(byes)
    division.save(update_fields=["rounds", "drawn"])


def _count_penalties(entries: Iterable[Entry], rules: Rules) -> dict[int, Fraction]:
    """The penalties in match points (STAND-2), by player. A win is worth 2 match points more than a loss,
    however many points of the table that is."""
    loss = 0 if rules.series else rules.points[1]
    win = rules.bye - loss or rules.bye
    return {entry.player_id: Fraction(entry.penalty) * 2 / win for entry in entries if entry.penalty}


def _cut_short(division: Division, now: datetime) -> None:
    """End *division* with the rounds drawn so far. If organisers admit somebody, the next round can be
    drawn."""
    season = division.season
    write_log_entry(
        season.league,
        "cut_short",
        season=season,
        now=now,
        division=division.level,
        rounds=division.rounds,
        drawn=division.drawn,
    )
    division.rounds = division.drawn
    division.save(update_fields=["rounds"])


def _load_rounds(division: Division) -> list[SwissRound[int]]:
    """The rounds so far, in the form that ``leagues.schedules`` draws the next one from. Struck matches are
    left out (STAND-4)."""
    rules = division.season.settings.standings
    rounds: dict[int, list[SwissMatch[int]]] = {number: [] for number in range(1, division.drawn + 1)}
    for match in division.matches.prefetch_related("seats", "fixtures"):
        first, second = (seat.player_id for seat in match.seats.all())
        results = [fixture.seats or [] for fixture in match.fixtures.all() if not fixture.struck]
        if not results:
            continue
        wins = [find_winner(result) for result in results]
        lead = wins.count(first) - wins.count(second)
        points = (2, 0) if lead > 0 else (0, 2) if lead < 0 else (1, 1)
        seats = [seat for result in results for seat in result]
        if not rules.series and all(seat["rank"] > 1 for seat in seats):
            points = (0, 0)  # nobody came; a series ends even then (STAND-2)
        forfeit = all(seat["forfeit"] for seat in seats)
        rounds[match.round].append(SwissMatch((first, second), points, forfeit))
    byes: dict[int, list[int]] = {}
    for number, player in division.byes.values_list("round", "player"):
        byes.setdefault(number, []).append(player)
    return [SwissRound(tuple(rounds[number]), tuple(byes.get(number, ()))) for number in sorted(rounds)]


def write_rounds(
    division: Division, rounds: Iterable[Round[int]], *, first: int, ends: datetime | None = None
) -> None:
    """Create the matches of *rounds*, numbered from *first*; their games end at *ends* at the latest, or with
    the season."""
    seats = []
    for number, each in enumerate(rounds, start=first):
        for table, pairing in enumerate(each.pairings, start=1):
            match = Match.objects.create(division=division, round=number, number=table, ends=ends)
            seats += [
                MatchSeat(match=match, index=index, player_id=player)
                for index, player in enumerate(pairing.players)
            ]
    MatchSeat.objects.bulk_create(seats)
