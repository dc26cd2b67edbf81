"""Tests of rounds that are drawn late, and of matches for which there is no time (STAND-20)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from games.clocks import DAY, HOUR
from games.models import Game, Notice
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Entry, Fixture, LogEntry, Match, MatchSeat, Season
from leagues.seasons.round_times import compute_least_time, list_late_rounds
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.games.factories import heart_beats
from tests.leagues.knock_out_helpers import begin_cup, get_bracket
from tests.leagues.organising_helpers import get_organiser
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    get_numbered_player,
    resign_all_games,
)

pytestmark = pytest.mark.django_db


def begin_swiss(**settings: object) -> Season:
    agreed = {"schedule": Schedule.SWISS, "rounds": 3, "division_size": 8, **settings}
    return begin_season(6, **agreed)


def test_a_final_drawn_ten_days_after_the_season_ended_is_played() -> None:
    season = begin_cup(4)
    planned = season.ends
    late = season.ends + 10 * DAY
    resign_all_games(BEGINS + DAY, choose_later_name)
    bracket = get_bracket(season)
    bracket.matches.filter(round=1).update(decided=None)  # as if organisers had not decided
    Fixture.objects.update(seats=None, settled=None)
    advance_seasons(late)
    final = bracket.matches.get(round=2)
    assert final.fixtures.get().game is not None
    season.refresh_from_db()
    least = compute_least_time(get_bracket(season))
    assert final.ends == season.ends == late + least
    game = Game.objects.get(pk=final.fixtures.get().game_id)
    assert game.clock.ends == final.ends
    assert {seed.rank for seed in bracket.seeds.all()} == {1, 3}
    log = LogEntry.objects.get(act="move_end")
    assert (log.who, log.details["round"]) == (None, 2)
    assert log.details["before"] == planned.isoformat() and log.details["after"] == season.ends.isoformat()
    told = Notice.objects.filter(about__topic="end-moved")
    assert set(told.values_list("recipient__username", flat=True)) == {f"Player{n:02}" for n in range(4)}


def test_a_round_with_enough_time_moves_nothing() -> None:
    season = begin_cup(4)
    resign_all_games(BEGINS + DAY, choose_later_name)
    advance_seasons(BEGINS + DAY)
    final = get_bracket(season).matches.get(round=2)
    season.refresh_from_db()
    assert final.ends == season.ends == BEGINS + season.settings.length
    assert not LogEntry.objects.filter(act="move_end").exists()


def test_a_swiss_round_drawn_late_has_games_and_nobody_meets_twice() -> None:
    season = begin_swiss(rounds=5)
    division = season.divisions.get()
    for number in range(1, 6):
        ends = division.matches.filter(round=number).first().ends
        resign_all_games(ends - HOUR, choose_later_name, played=True)
        season.refresh_from_db()
        advance_seasons(max(season.ends - DAY, ends + 10 * DAY))  # too late for a round of that season
    season.refresh_from_db()
    division.refresh_from_db()
    assert season.phase == "closed"
    assert division.drawn == 5
    assert all(fixture.game is not None for fixture in Fixture.objects.all())
    pairs = [tuple(sorted(match.seats.values_list("player", flat=True))) for match in division.matches.all()]
    assert len(pairs) == len(set(pairs)) == 15


def test_late_rounds_are_foreseen() -> None:
    season = begin_swiss()
    assert not list(list_late_rounds(season, BEGINS))
    late = season.ends - DAY
    (found,) = list_late_rounds(season, late)
    assert found.name == "Round 2"
    assert found.missing == found.least - DAY + HOUR, "the draw takes an hour"


class TestNotPlayed:
    def test_a_match_without_time_has_no_result(self) -> None:
        season = begin_season(4, division_size=6)
        match = _forget_game(season.divisions.get().matches.first())
        seasons.advance(season.ends - HOUR, seconds=600)
        match.refresh_from_db()
        assert match.decided is not None and match.is_unplayed
        assert match.winner is None
        players = [seat.player for seat in match.seats.all()]
        for entry in Entry.objects.filter(player__in=players):
            assert entry.points == "0"
            assert entry.record in ([], [0, 0, 0])

    def test_the_season_closes_all_the_same(self) -> None:
        season = begin_season(4, division_size=6)
        _forget_game(season.divisions.get().matches.first())
        resign_all_games(season.ends - 2 * HOUR, choose_later_name)
        advance_seasons(season.ends - HOUR)
        season.refresh_from_db()
        assert season.phase == "closed"
        assert Fixture.objects.count() == 5

    def test_whoever_withdrew_still_forfeits(self) -> None:
        season = begin_season(4, division_size=6)
        match = _forget_game(season.divisions.get().matches.first())
        gone, there = (seat.player for seat in match.seats.order_by("index"))
        seasons.withdraw(season_id=season.pk, player=gone, now=season.ends - HOUR)
        match.refresh_from_db()
        assert match.winner == there

    def test_a_match_of_a_knock_out_gets_time_instead(self) -> None:
        season = begin_cup(4)
        match = _forget_game(get_bracket(season).matches.get(round=1, number=1))
        late = match.ends - HOUR
        advance_seasons(late)
        match.refresh_from_db()
        assert match.fixtures.get().game is not None
        assert match.ends == late + compute_least_time(match.division)

    def test_the_rest_of_a_series_is_won_by_nobody(self) -> None:
        season = begin_season(2, rules=Rules.usual(2, best_of=3))
        match = season.divisions.get().matches.get()
        resign_all_games(season.ends - HOUR, choose_later_name)
        advance_seasons(season.ends - HOUR)
        match.refresh_from_db()
        assert match.winner == get_numbered_player(0)
        assert match.fixtures.count() == 3

    def test_nobody_is_the_winner_of_a_final_that_both_have_left(self) -> None:
        season = begin_cup(4)
        resign_all_games(BEGINS + DAY, choose_later_name)
        heart_beats(BEGINS + DAY)
        for player in (get_numbered_player(0), get_numbered_player(1)):
            seasons.withdraw(season_id=season.pk, player=player, now=BEGINS + DAY)
        advance_seasons(BEGINS + DAY)
        season.refresh_from_db()
        assert season.phase == "closed"
        ranks = dict(get_bracket(season).seeds.values_list("player__username", "rank"))
        assert ranks == {"Player00": 2, "Player01": 2, "Player02": 3, "Player03": 3}


def _forget_game(match: Match | None) -> Match:
    """Let *match* wait for its first game again, as if no worker had begun it."""
    assert match is not None
    match.fixtures.all().delete()
    Match.objects.filter(pk=match.pk).update(waits=True)
    assert MatchSeat.objects.filter(match=match).count() == 2
    match.refresh_from_db()
    return match


class TestEndingEarly:
    def begin_late(self) -> Season:
        """A Swiss season whose second round is drawn a day before the season's end."""
        season = begin_swiss()
        first = season.divisions.get().matches.filter(round=1)[0]
        resign_all_games(first.ends - HOUR, choose_later_name, played=True)
        return season

    def test_places_are_by_the_table_and_the_reason_is_given(self) -> None:
        season = self.begin_late()
        now = season.ends - DAY
        log = end_early(season, now)
        assert log.details["rounds"] == [[1, 1]]
        told = Notice.objects.filter(about__topic="ended-early")
        assert told.count() == 6
        advance_seasons(now)
        season.refresh_from_db()
        division = season.divisions.get()
        assert (season.phase, division.drawn, division.rounds) == ("closed", 1, 3)
        assert season.ends == now + DAY, "nothing moves"
        assert (
            list(division.entries.order_by("row").values_list("points", flat=True)) == ["2"] * 3 + ["0"] * 3
        )

    def test_finalists_share_the_first_place(self) -> None:
        season = begin_cup(4)
        bracket = get_bracket(season)
        resign_all_games(bracket.matches.first().ends - HOUR, choose_later_name)
        end_early(season, season.ends - DAY)
        advance_seasons(season.ends - DAY)
        season.refresh_from_db()
        assert season.phase == "closed"
        assert sorted(seed.rank for seed in bracket.seeds.all()) == [1, 1, 3, 3]
        assert not bracket.matches.filter(round=2).exists()

    def test_a_knock_out_after_groups_does_not_begin(self) -> None:
        season = begin_season(6, rules=Rules.usual(2), schedule=Schedule.GROUPS, division_size=3)
        resign_all_games(season.divisions.first().matches.first().ends - HOUR, choose_later_name)
        log = end_early(season, season.ends - DAY)
        assert log.details["rounds"] == [[1, 3], [2, 3]]
        advance_seasons(season.ends - DAY)
        season.refresh_from_db()
        assert (season.phase, season.divisions.count()) == ("closed", 2)

    def test_is_refused_while_there_is_time(self) -> None:
        season = begin_swiss()
        with pytest.raises(LeagueRefused) as refused:
            end_early(season, BEGINS + DAY)
        assert refused.value.code == "not_late"

    def test_is_for_organisers_and_needs_a_reason(self) -> None:
        season = self.begin_late()
        for code, given in (("not_organiser", {"who": get_numbered_player(0)}), ("reason", {"reason": " "})):
            with pytest.raises(LeagueRefused) as refused:
                end_early(season, season.ends - DAY, **given)
            assert refused.value.code == code
        assert not season.divisions.exclude(ended_early=None).exists()


def end_early(season: Season, now: datetime, **other: Any) -> LogEntry:
    given = {"who": get_organiser(), "reason": "Holidays begin", **other}
    return seasons.end_early(season_id=season.pk, now=now, **given)
