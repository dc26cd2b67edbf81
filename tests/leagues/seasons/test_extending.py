"""More time for a season, a round, a match or a game, and what moves with it (STAND-16)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser

from games import access, play, tasks
from games.clocks import DAY, HOUR
from games.models import Game, Kind, Notice, Seat
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.extension import describe_extension, list_choices
from leagues.mails.seasons import EndSoon, Extended
from leagues.models import Fixture, Match, Season, TeamMatch
from leagues.seasons.extending import ExtensionPlan, PartKind, SeasonPart, plan_extension
from leagues.selectors.desk import list_slow_games
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.games.factories import make_player, play_turns
from tests.leagues.knock_out_helpers import begin_cup, get_bracket, play_round
from tests.leagues.ladder_helpers import begin_ladder, challenge_player
from tests.leagues.organising_helpers import LATER, get_organiser
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    make_league,
    register_players,
    resign_all_games,
)
from tests.leagues.team_cup_helpers import begin_team_cup, play_team_round
from tests.leagues.team_season_helpers import begin_team_season

pytestmark = pytest.mark.django_db


def extend(season: Season, kind: PartKind, key: int = 0, days: int = 5, **other: Any) -> None:
    given = {"who": get_organiser(), "reason": "Holidays", "now": LATER, **other}
    seasons.extend(season_id=season.pk, part=SeasonPart(kind, key), by=days * DAY, **given)
    season.refresh_from_db()


def plan(season: Season, kind: PartKind, key: int = 0, days: int = 5, now: datetime = LATER) -> ExtensionPlan:
    return plan_extension(season, SeasonPart(kind, key), days * DAY, now)


def clock_ends(*matches: Match) -> set[datetime | None]:
    return {game.clock.ends for game in Game.objects.filter(pk__in=games_of(*matches))}


def games_of(*matches: Match) -> list[int | None]:
    return list(Fixture.objects.filter(match__in=matches).values_list("game", flat=True))


def resign(game: Game, seat: int, now: datetime) -> None:
    play.resign(game_id=game.pk, seat=seat, now=now)
    play.score(game_id=game.pk, now=now)


def told() -> list[str]:
    """The recipients of mails about a later end."""
    notices = Notice.objects.filter(kind=Kind.LEAGUE, about__topic=Extended.kind)
    return sorted(notices.values_list("recipient__username", flat=True))


class TestSeason:
    def test_games_and_later_rounds_move_with_it_and_a_round_under_way_keeps_its_end(self) -> None:
        season = begin_cup(4)
        before = season.ends
        round_end = Match.objects.values_list("ends", flat=True).distinct().get()
        extend(season, PartKind.SEASON)
        assert season.ends == before + 5 * DAY
        assert (
            {match.ends for match in Match.objects.all()} == {round_end} == clock_ends(*Match.objects.all())
        )
        play_round(season, days=2)
        assert get_bracket(season).matches.get(round=2).ends == before + 5 * DAY
        assert told() == []

    def test_a_final_ends_with_its_season(self) -> None:
        season = begin_cup(2)
        final = Match.objects.get()
        assert final.ends == season.ends
        extend(season, PartKind.SEASON)
        final.refresh_from_db()
        assert final.ends == season.ends and clock_ends(final) == {season.ends}
        assert told() == ["Player00", "Player01"]

    def test_before_it_begins_everybody_registered_is_told(self) -> None:
        season = make_league().seasons.get()
        register_players(season, 2)
        extend(season, PartKind.SEASON, now=season.begins - DAY)
        assert told() == ["Player00", "Player01"]

    def test_of_a_ladder_all_are_told(self) -> None:
        extend(begin_ladder(3), PartKind.SEASON)
        assert told() == [f"Player0{n}" for n in range(3)]

    def test_players_of_teams_whose_round_has_not_begun_are_told(self) -> None:
        season = begin_team_season("AB", players=3)
        extend(season, PartKind.SEASON, now=BEGINS + HOUR)
        assert told() == ["A0", "A1", "A2", "B0", "B1", "B2"]
        with time_machine.travel(BEGINS + HOUR, tick=False):
            tasks.deliver_notices()
        assert not Notice.objects.filter(about__topic=Extended.kind).exclude(dropped=None).exists()

    def test_who_plays_much_is_told_once(self) -> None:
        season = begin_season(4)
        extend(season, PartKind.SEASON)
        assert told() == [f"Player0{n}" for n in range(4)]
        assert clock_ends(*Match.objects.all()) == {season.ends}
        assert not Match.objects.exclude(ends=None).exists(), "they go on ending with it"

    def test_a_game_whose_end_has_passed_is_untouched(self) -> None:
        season = begin_season(2, division_size=4)
        before = season.ends
        extend(season, PartKind.SEASON, now=before + HOUR)
        assert season.ends == before + 5 * DAY
        assert clock_ends(*Match.objects.all()) == {before}

    def test_a_match_with_more_time_still_has_more_and_a_challenge_keeps_its_own(self) -> None:
        season = begin_season(4)
        first = Match.objects.order_by("pk")[0]
        extend(season, PartKind.MATCH, first.pk, days=3)
        extend(season, PartKind.SEASON)
        first.refresh_from_db()
        assert first.ends == season.ends + 3 * DAY
        assert clock_ends(first) == {first.ends}


class TestRound:
    @pytest.mark.parametrize("schedule", [Schedule.KNOCK_OUT, Schedule.SWISS])
    def test_rounds_that_wait_for_it_move_by_the_same_span(self, schedule: Schedule) -> None:
        season = begin_season(4, schedule=schedule, rounds=2, rules=Rules.usual(2))
        before, division = season.ends, season.divisions.get()
        (end,) = set(Match.objects.values_list("ends", flat=True))
        assert end is not None and end < before
        extend(season, PartKind.ROUND, division.pk)
        assert {match.ends for match in Match.objects.all()} == {end + 5 * DAY}
        assert clock_ends(*Match.objects.all()) == {end + 5 * DAY}
        assert season.ends == before + 5 * DAY
        assert told() == [f"Player0{n}" for n in range(4)]
        resign_all_games(BEGINS + 2 * DAY, choose_later_name)
        advance_seasons(BEGINS + 2 * DAY)
        assert {match.ends for match in Match.objects.filter(round=2)} == {season.ends}

    def test_the_last_takes_its_season_with_it(self) -> None:
        season = begin_cup(2)
        before = season.ends
        extend(season, PartKind.ROUND, get_bracket(season).pk)
        assert season.ends == before + 5 * DAY == Match.objects.get().ends

    def test_of_groups_all_end_together_and_the_knock_out_follows(self) -> None:
        season = begin_season(8, schedule=Schedule.GROUPS, division_size=4, rules=Rules.usual(2))
        before = season.ends
        group, other = season.divisions.order_by("level")
        (end,) = set(Match.objects.values_list("ends", flat=True))
        assert end is not None
        shown = describe_extension(plan(season, PartKind.ROUND, group.pk))
        assert [line.partition(":")[0] for line in shown[:2]] == [
            "Group 1",
            "The season, with all rounds that haven't been drawn yet",
        ]
        extend(season, PartKind.ROUND, group.pk)
        assert clock_ends(*group.matches.all()) == {end + 5 * DAY}
        assert clock_ends(*other.matches.all()) == {end}
        assert season.ends == before + 5 * DAY

    def test_where_everybody_meets_everybody_only_the_season_has_an_end(self) -> None:
        season = begin_season(4)
        with pytest.raises(LeagueRefused, match="nothing left"):
            extend(season, PartKind.ROUND, season.divisions.get().pk)
        assert [one.part.kind for one in list_choices(season)] == [PartKind.SEASON]

    def test_of_teams_that_has_not_begun_ends_later_too(self) -> None:
        season = begin_team_cup("ABCD")
        end = TeamMatch.objects.values_list("ends", flat=True).distinct().get()
        assert end is not None
        extend(season, PartKind.ROUND, season.divisions.get().pk)
        assert set(TeamMatch.objects.values_list("ends", flat=True)) == {end + 5 * DAY}
        play_team_round(season, LATER)
        assert set(Match.objects.values_list("ends", flat=True)) == {end + 5 * DAY}


class TestMatch:
    def test_alone_is_extended_and_its_table_keeps_its_time(self) -> None:
        season = begin_season(4)
        before = season.ends
        first, *others = Match.objects.order_by("pk")
        extend(season, PartKind.MATCH, first.pk)
        first.refresh_from_db()
        assert first.ends == before + 5 * DAY and clock_ends(first) == {first.ends}
        assert clock_ends(*others) == {before} and season.ends == before
        assert told() == sorted(seat.player.username for seat in first.seats.all())
        details = season.league.log.latest("pk").details
        assert details["games"] == 1 and len(details["opponents"]) == 2

    def test_may_outlast_its_season_which_closes_after_it(self) -> None:
        season = begin_season(3, division_size=4)
        first = Match.objects.order_by("pk")[0]
        extend(season, PartKind.MATCH, first.pk)
        for fixture in Fixture.objects.exclude(match=first):
            game = fixture.game
            assert game is not None
            play_turns(game, 2 * game.places, now=season.ends - 2 * DAY)
            loser = Seat.objects.filter(game=game).order_by("-player__username")[0]
            resign(game, loser.index, season.ends - 2 * DAY)
        advance_seasons(season.ends + DAY)
        assert Season.objects.get().running
        game = Game.objects.get(pk=games_of(first)[0])
        play_turns(game, 1, now=season.ends + DAY)
        resign(game, 0, season.ends + 2 * DAY)
        advance_seasons(season.ends + 2 * DAY)
        season.refresh_from_db()
        assert not season.running

    def test_of_a_knock_out_moves_the_rounds_that_wait_for_it(self) -> None:
        season = begin_cup(4)
        before = season.ends
        first, second = Match.objects.order_by("pk")
        extend(season, PartKind.MATCH, first.pk)
        assert season.ends == before + 5 * DAY
        assert clock_ends(second) == {second.ends}

    def test_a_challenge(self) -> None:
        season = begin_ladder(3)
        match = challenge_player(season, 2, 1).match
        before = season.ends
        extend(season, PartKind.SEASON)
        assert clock_ends(match) == {match.ends}, "it has an end of its own"
        (chosen,) = (one.part for one in list_choices(season) if one.part.kind == PartKind.MATCH)
        extend(season, PartKind.MATCH, chosen.key)
        assert clock_ends(match) == {BEGINS + season.settings.challenges.length + 5 * DAY}
        assert season.ends == before + 5 * DAY

    def test_of_teams_or_a_single_board(self) -> None:
        season = begin_team_season("AB")
        advance_seasons(TeamMatch.objects.order_by("begins")[0].begins)
        meeting = TeamMatch.objects.order_by("begins")[0]
        first, *others = Match.objects.filter(at_board__board__team_match=meeting).order_by("pk")
        now = meeting.begins + DAY
        extend(season, PartKind.TEAM_MATCH, meeting.pk, now=now)
        assert clock_ends(first, *others) == {season.ends + 5 * DAY}
        extend(season, PartKind.MATCH, first.pk, days=1, now=now)
        assert clock_ends(first) == {season.ends + 6 * DAY}
        assert clock_ends(*others) == {season.ends + 5 * DAY}
        kinds = [one.part.kind for one in list_choices(season, str(first.pk))]
        assert kinds == [PartKind.MATCH, PartKind.TEAM_MATCH, PartKind.SEASON]

    def test_that_is_decided_or_of_another_league_is_refused(self) -> None:
        season = begin_season(2, division_size=4)
        resign_all_games(LATER, choose_later_name, played=True)
        match = Match.objects.get()
        seasons.record_result(games_of(match)[0] or 0, LATER)
        for key in (match.pk, 9999):
            with pytest.raises(LeagueRefused, match="nothing left"):
                extend(season, PartKind.MATCH, key)
        with pytest.raises(LeagueRefused, match="no such game"):
            list(list_choices(season, "9999"))


class TestPreview:
    def test_names_every_date_that_moves(self) -> None:
        season = begin_cup(4)
        shown = describe_extension(plan(season, PartKind.ROUND, get_bracket(season).pk))
        assert shown[0].startswith("Knock-out, Semi-finals: ")
        assert shown[1].startswith("The season, with all rounds that haven't been drawn yet: ")
        assert shown[2:] == ["2 games in progress get more time.", "We'll tell 4 players."]

    def test_a_second_organiser_is_told_that_dates_have_moved(self) -> None:
        season = begin_cup(4)
        key = get_bracket(season).pk
        seen = plan(season, PartKind.ROUND, key).version
        extend(season, PartKind.ROUND, key, version=seen)
        ends = season.ends
        with pytest.raises(LeagueRefused, match="changed in the meantime"):
            extend(season, PartKind.ROUND, key, version=seen)
        assert Season.objects.get().ends == ends

    def test_a_round_that_was_drawn_meanwhile_is_another(self) -> None:
        season = begin_cup(4)
        seen = plan(season, PartKind.ROUND, get_bracket(season).pk).version
        play_round(season)
        with pytest.raises(LeagueRefused, match="changed in the meantime"):
            extend(season, PartKind.ROUND, get_bracket(season).pk, version=seen, now=BEGINS + 2 * DAY)

    def test_strangers_extend_nothing(self) -> None:
        season = begin_season(2, division_size=4)
        with pytest.raises(LeagueRefused, match="organisers"):
            extend(season, PartKind.SEASON, who=make_player("Zoe"))


class TestNearestEnd:
    def test_players_are_warned_of_the_end_of_their_round(self) -> None:
        begin_cup(4)
        end = Match.objects.values_list("ends", flat=True).distinct().get()
        assert end is not None
        advance_seasons(end - DAY)
        warnings = Notice.objects.filter(about__topic=EndSoon.kind)
        assert {one.about["ends"] for one in warnings} == {end.isoformat()} and len(warnings) == 4
        advance_seasons(end - HOUR)
        assert warnings.count() == 4, "once"

    def test_games_too_slow_for_their_round_are_found(self) -> None:
        season = begin_cup(4)
        game = Game.objects.order_by("pk")[0]
        play_turns(game, 4, now=BEGINS + 2 * DAY)
        now = BEGINS + 2 * DAY
        game.refresh_from_db()
        lasts = (now - BEGINS) / game.ply * (game.tiles_left + 1)
        match = Match.objects.get(fixtures__game=game)
        Match.objects.filter(pk=match.pk).update(ends=now + lasts - DAY)
        Season.objects.update(ends=now + 10 * lasts)
        season.refresh_from_db()
        assert [fixture.game for fixture, _at in list_slow_games(season, now)] == [game]


def test_other_tables_of_a_draw_stay_sealed_until_the_extended_game_is_over() -> None:
    season = begin_season(4, duplicate=True)
    first, second = Match.objects.filter(round=1).order_by("pk")
    slow, quick = (Game.objects.get(pk=games_of(match)[0]) for match in (first, second))
    extend(season, PartKind.MATCH, first.pk)
    play_turns(quick, 2, now=LATER)
    resign(quick, 0, LATER)
    advance_seasons(season.ends + DAY)
    stranger = AnonymousUser()
    assert not access.may_see(stranger, Game.objects.get(pk=quick.pk))
    play_turns(slow, 1, now=season.ends + DAY)
    resign(slow, 0, season.ends + 2 * DAY)
    advance_seasons(season.ends + 2 * DAY)
    assert access.may_see(stranger, Game.objects.get(pk=quick.pk))
