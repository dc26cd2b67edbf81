"""Tests of organisers' acts: each has a reason and a log entry, and everything that depends on it is
recomputed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Player
from accounts.services import close_account
from games import play
from games.clocks import DAY
from games.models import Ending, Game, Status
from games.rules import RuleSet
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.effects import describe_admitting
from leagues.models import Announcement, EntryState, Fixture, League, Match, Phase, Season
from leagues.schedules.rounds import Round
from leagues.schedules.swiss import SwissRound, pair_swiss_round
from leagues.seasons import drawing
from leagues.seasons.drawing import draw_next_round
from leagues.selectors.division_lines import build_line
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules, Withdrawn
from tests.games.factories import NOW, make_player, play_turns
from tests.leagues import oracle
from tests.leagues.organising_helpers import (
    LATER,
    admit_player,
    get_fixture_between,
    get_organiser,
    replace_player,
    settle_fixture,
)
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    get_numbered_player,
    list_names,
    make_league,
    play_out_season,
    register_players,
    resign_all_games,
)

pytestmark = pytest.mark.django_db


def agree_with_the_oracle(season: Season) -> None:
    divisions = list(season.divisions.order_by("level"))
    for division in divisions:
        ends = {"highest": division == divisions[0], "lowest": division == divisions[-1]}
        assert oracle.check(build_line(division), **ends) == []


def draw_and_list_played(season: Season, monkeypatch: pytest.MonkeyPatch) -> Sequence[SwissRound[int]]:
    """Draw the next round; return the rounds from which it was drawn."""
    drawn_from: list[Sequence[SwissRound[int]]] = []

    def pair(players: Any, played: Sequence[SwissRound[int]], rounds: int, **more: Any) -> Round[int]:
        drawn_from.append(played)
        return pair_swiss_round(players, played, rounds, **more)

    monkeypatch.setattr(drawing, "pair_swiss_round", pair)
    assert draw_next_round(season.divisions.get().pk, LATER)
    return drawn_from[0]


class TestSettle:
    def test_a_game_that_was_broken_off(self) -> None:
        season = begin_season(2, division_size=2)
        fixture = Fixture.objects.get()
        assert fixture.game is not None
        play.abort(game_id=fixture.game.pk, seat=0, now=LATER)
        settle_fixture(fixture, {get_numbered_player(0): 2, get_numbered_player(1): 1})
        advance_seasons(LATER)
        season.refresh_from_db()
        assert season.phase == Phase.CLOSED
        assert list_names(season.divisions.get()) == ["Player01", "Player00"]
        agree_with_the_oracle(season)

    def test_one_that_runs_is_called_off_first(self) -> None:
        season = begin_season(3, division_size=4)
        fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        assert fixture.game is not None
        play_turns(fixture.game, 5, now=LATER)
        settle_fixture(fixture, {get_numbered_player(0): 1, get_numbered_player(1): 2})
        game = Game.objects.get(pk=fixture.game.pk)
        assert (game.status, game.ending) == (Status.ABORTED, Ending.CALLED_OFF)
        fixture.refresh_from_db()
        assert fixture.seats is not None and fixture.settled_by == get_organiser()
        assert all(seat["forfeit"] and seat["score"] is None for seat in fixture.seats)
        assert not seasons.record_result(game.pk, LATER), "the result stays"
        assert season.entries.get(player=get_numbered_player(0)).points == "2"

    def test_one_that_is_settled_is_corrected_and_may_count_again_as_it_was_played(self) -> None:
        season = begin_season(3, division_size=4)
        fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        resign_all_games(LATER, choose_later_name, played=True)
        advance_seasons(LATER)
        season = Season.objects.get(pk=season.pk)
        assert season.phase == Phase.CLOSED
        settle_fixture(fixture, {get_numbered_player(0): 2, get_numbered_player(1): 1})
        points = {entry.player.username: entry.points for entry in season.entries.select_related("player")}
        assert points == {"Player00": "2", "Player01": "4", "Player02": "0"}
        settle_fixture(fixture, None)
        fixture.refresh_from_db()
        assert fixture.seats is not None and not any(seat["forfeit"] for seat in fixture.seats)
        assert season.entries.get(player=get_numbered_player(0)).points == "4"
        agree_with_the_oracle(season)

    def test_a_match_that_is_open_again_gets_its_next_game(self) -> None:
        begin_season(2, division_size=2, rules=Rules.usual(2, best_of=3))
        first = Fixture.objects.get()
        settle_fixture(first, {get_numbered_player(0): 1, get_numbered_player(1): 2})
        advance_seasons(LATER)
        second = Fixture.objects.get(number=2)
        settle_fixture(first, {get_numbered_player(0): 2, get_numbered_player(1): 1})
        advance_seasons(LATER)
        assert Fixture.objects.count() == 2, "one game of a match at a time"
        Season.objects.update(phase=Phase.RUNNING)
        settle_fixture(second, {get_numbered_player(0): 2, get_numbered_player(1): 1})
        match = Match.objects.get()
        assert match.decided
        settle_fixture(first, {get_numbered_player(0): 1, get_numbered_player(1): 2})
        match.refresh_from_db()
        assert match.decided is None and match.waits
        advance_seasons(LATER)
        assert Fixture.objects.get(number=3).game is not None

    def test_is_refused_in_words(self) -> None:
        season = begin_season(3, division_size=4)
        fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        right = {get_numbered_player(0): 1, get_numbered_player(1): 2}
        season.league.organisers.add(get_numbered_player(0))
        for other, told in (
            ({"who": make_player("Zoe")}, "Only this league's organisers"),
            ({"who": get_numbered_player(0)}, "another organiser"),
            ({"reason": " "}, "Give a reason"),
        ):
            with pytest.raises(LeagueRefused, match=told):
                settle_fixture(fixture, right, **other)
        for wrong in (
            {get_numbered_player(0): 1},
            {get_numbered_player(0): 1, get_numbered_player(1): 3},
            {get_numbered_player(0): 0, get_numbered_player(1): 1},
            {},
        ):
            with pytest.raises(LeagueRefused, match="a rank"):
                settle_fixture(fixture, wrong)
        with pytest.raises(LeagueRefused, match="wasn't played to the end"):
            settle_fixture(fixture, None)
        fixture.refresh_from_db()
        assert fixture.settled is None
        assert Game.objects.get(pk=fixture.game_id).status == Status.PLAYING
        assert not season.league.log.filter(act="settle").exists()

    def test_whoever_runs_the_site_may_but_for_their_own_games(self) -> None:
        begin_season(3, division_size=4)
        admin = make_player("Admin", is_superuser=True)
        settle_fixture(
            get_fixture_between(get_numbered_player(0), get_numbered_player(1)),
            {get_numbered_player(0): 1, get_numbered_player(1): 1},
            who=admin,
        )
        Player.objects.filter(username="Player00").update(is_superuser=True)
        with pytest.raises(LeagueRefused, match="another organiser"):
            settle_fixture(
                get_fixture_between(get_numbered_player(0), get_numbered_player(2)),
                {get_numbered_player(0): 1, get_numbered_player(2): 2},
                who=get_numbered_player(0),
            )

    def test_what_was_drawn_because_of_a_result_stands(self) -> None:
        season = begin_season(4, schedule=Schedule.SWISS, rounds=3, division_size=8)
        first = Fixture.objects.order_by("pk").first()
        assert first is not None
        resign_all_games(LATER, choose_later_name)
        for game in Game.objects.all():
            seasons.record_result(game.pk, LATER)
        assert first.game is not None
        one, other = (seat.player for seat in first.game.seats.all())
        assert one is not None and other is not None
        settle_fixture(first, {one: 1, other: 2})
        advance_seasons(LATER)
        drawn = list(Match.objects.filter(round=2).values_list("seats__player", flat=True))
        settle_fixture(first, {one: 2, other: 1})
        assert list(Match.objects.filter(round=2).values_list("seats__player", flat=True)) == drawn != []
        play_out_season(season, LATER)
        agree_with_the_oracle(season)

    def test_the_log_keeps_before_and_after(self) -> None:
        season = begin_season(3, division_size=4)
        fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        settle_fixture(fixture, {get_numbered_player(0): 1, get_numbered_player(1): 2})
        settle_fixture(
            fixture, {get_numbered_player(0): 2, get_numbered_player(1): 2}, reason="On second thoughts"
        )
        entry = season.league.log.filter(act="settle").latest("pk")
        assert entry.who == get_organiser() and entry.reason == "On second thoughts"
        assert entry.details["before"] == [[get_numbered_player(0).pk, 1], [get_numbered_player(1).pk, 2]]
        assert {tuple(one) for one in entry.details["after"]} == {
            (get_numbered_player(0).pk, 2),
            (get_numbered_player(1).pk, 2),
        }

    @pytest.mark.parametrize(("rank", "points"), [(1, (1, 1)), (2, (0, 0))])
    def test_in_the_swiss_system_the_next_draw_has_the_points_of_the_table(
        self, rank: int, points: tuple[int, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        season = begin_season(4, schedule=Schedule.SWISS, rounds=3, division_size=8)
        for fixture in Fixture.objects.all():
            settle_fixture(fixture, {seat.player: rank for seat in fixture.match.seats.all()})
        (first_round,) = draw_and_list_played(season, monkeypatch)
        assert {match.points for match in first_round.matches} == {points}
        assert set(season.entries.values_list("points", flat=True)) == {str(points[0])}


def test_a_swiss_draw_leaves_struck_matches_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = replace(Rules.usual(2), withdrawn=Withdrawn.STRIKE)
    season = begin_season(4, schedule=Schedule.SWISS, rounds=3, division_size=8, rules=rules)
    gone = get_numbered_player(0)
    (struck,) = Fixture.objects.filter(match__seats__player=gone)
    seasons.withdraw(season_id=season.pk, player=gone, now=LATER)
    resign_all_games(LATER, choose_later_name, played=True)
    for game in Game.objects.all():
        seasons.record_result(game.pk, LATER)
    struck.refresh_from_db()
    assert struck.struck
    (first_round,) = draw_and_list_played(season, monkeypatch)
    assert len(first_round.matches) == 1 and gone.pk not in first_round.matches[0].players


class TestReplace:
    @pytest.mark.parametrize("rule", Withdrawn)
    def test_what_had_not_well_begun_is_the_substitutes(self, rule: Withdrawn) -> None:
        usual = Rules.usual(2)
        rules = Rules(usual.points, 1, usual.tie_breaks, rule)
        season = begin_season(4, division_size=4, rules=rules)
        played = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        assert played.game is not None
        play_turns(played.game, 4, now=LATER)
        zoe = make_player("Zoe")
        replace_player(season, get_numbered_player(0), zoe)
        advance_seasons(LATER)
        division = season.divisions.get()
        assert division.entries.count() == 5
        assert Match.objects.filter(seats__player=zoe, division=division).count() == 2
        assert Game.objects.filter(seats__player=zoe, status=Status.PLAYING).count() == 2
        assert not Game.objects.filter(seats__player=get_numbered_player(0), status=Status.PLAYING).exists()
        play_out_season(season, LATER + DAY, played=True)
        assert season.entries.get(player=get_numbered_player(1)).points == "6"
        assert not Fixture.objects.filter(struck=True).exists()
        agree_with_the_oracle(season)
        following = Season.objects.get(number=2)
        registered = set(following.entries.values_list("player__username", flat=True))
        assert "Zoe" in registered and "Player00" not in registered

    def test_forfeits_of_who_had_withdrawn_are_played_after_all(self) -> None:
        season = begin_season(4, division_size=4)
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(3), now=LATER)
        advance_seasons(LATER)
        assert Fixture.objects.exclude(settled=None).count() == 3
        zoe = make_player("Zoe")
        Match.objects.update(warned=True)
        replace_player(season, get_numbered_player(3), zoe)
        assert Fixture.objects.exclude(settled=None).count() == 0
        taken_over = Match.objects.filter(seats__player=zoe)
        assert set(taken_over.values_list("winner", "warned")) == {(None, False)}
        advance_seasons(LATER)
        assert Game.objects.filter(seats__player=zoe, status=Status.PLAYING).count() == 3
        agree_with_the_oracle(season)

    def test_a_win_by_the_forfeit_of_another_stays(self) -> None:
        season = begin_season(4, division_size=4)
        won = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        assert won.game is not None
        play.resign(
            game_id=won.game.pk, seat=won.game.seats.get(player=get_numbered_player(1)).index, now=LATER
        )
        advance_seasons(LATER)
        replace_player(season, get_numbered_player(0), make_player("Zoe"))
        won.refresh_from_db()
        assert won.settled is not None and season.entries.get(player=get_numbered_player(0)).points == "2"

    def test_in_the_swiss_system_only_the_round_that_is_played(self) -> None:
        season = begin_season(6, schedule=Schedule.SWISS, rounds=3, division_size=8)
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(0), now=LATER)
        resign_all_games(LATER, choose_later_name)
        advance_seasons(LATER)
        assert season.divisions.get().drawn == 2
        zoe = make_player("Zoe")
        replace_player(season, get_numbered_player(0), zoe)
        assert not Match.objects.filter(seats__player=zoe).exists()
        resign_all_games(LATER, choose_later_name)
        advance_seasons(LATER)
        assert Match.objects.get(seats__player=zoe).round == 3
        play_out_season(season, LATER + DAY)
        agree_with_the_oracle(season)

    def test_is_refused_in_words(self) -> None:
        season = begin_season(4, division_size=4)
        zoe, yan = make_player("Zoe"), make_player("Yan")
        for leaving, substitute, other, told in (
            (get_numbered_player(0), get_numbered_player(1), {}, "is playing this season"),
            (zoe, yan, {}, "isn't playing"),
            (get_numbered_player(0), make_player("Robot", is_bot=True), {}, "no player"),
            (get_numbered_player(0), zoe, {"who": yan}, "Only this league's organisers"),
            (get_numbered_player(0), zoe, {"reason": ""}, "Give a reason"),
        ):
            with pytest.raises(LeagueRefused, match=told):
                replace_player(season, leaving, substitute, **other)
        replace_player(season, get_numbered_player(0), zoe)
        with pytest.raises(LeagueRefused, match="already"):
            replace_player(season, get_numbered_player(0), yan)
        replace_player(season, zoe, yan)
        assert Match.objects.filter(seats__player=yan).count() == 3, "a substitute may be replaced, too"


class TestJoining:
    @pytest.mark.parametrize("number", [4, 5])
    def test_who_comes_late_meets_everybody_once(self, number: int) -> None:
        season = begin_season(number, division_size=8)
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(1), now=LATER)
        for name in ("Yan", "Zoe"):
            admit_player(season, make_player(name))
        advance_seasons(LATER)
        division = season.divisions.get()
        pairs = [frozenset(match.seats.values_list("player", flat=True)) for match in division.matches.all()]
        assert len(pairs) == len(set(pairs)) == (number + 2) * (number + 1) // 2
        play_out_season(season, LATER + DAY)
        agree_with_the_oracle(season)

    @pytest.mark.parametrize(("rule", "matches"), [(Withdrawn.KEEP, 4), (Withdrawn.STRIKE, 3)])
    def test_nothing_that_was_played_is_struck_because_somebody_comes(
        self, rule: Withdrawn, matches: int
    ) -> None:
        usual = Rules.usual(2)
        season = begin_season(4, division_size=8, rules=Rules(usual.points, 1, usual.tie_breaks, rule))
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(0), now=LATER)
        zoe = make_player("Zoe")
        admit_player(season, zoe)
        assert Match.objects.filter(seats__player=zoe).count() == matches

    @pytest.mark.parametrize(("rule", "matches"), [(Withdrawn.KEEP, 4), (Withdrawn.STRIKE, 3)])
    def test_the_preview_counts_who_is_met(self, rule: Withdrawn, matches: int) -> None:
        season = begin_season(4, division_size=8, rules=replace(Rules.usual(2), withdrawn=rule))
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(0), now=LATER)
        zoe = make_player("Zoe")
        assert f"{matches} more matches will be played." in describe_admitting(
            season, zoe, get_organiser(), LATER
        )
        admit_player(season, zoe)
        assert Match.objects.filter(seats__player=zoe).count() == matches

    def test_first_seats_differ_by_at_most_one(self) -> None:
        season = begin_season(5, division_size=8)
        for name in ("Yan", "Zoe"):
            admit_player(season, make_player(name))
        first = [
            Match.objects.filter(seats__player=entry.player, seats__index=0).count()
            for entry in season.entries.all()
        ]
        assert set(first) == {3}

    def test_in_the_swiss_system_the_next_draw_has_them(self) -> None:
        season = begin_season(6, schedule=Schedule.SWISS, rounds=3, division_size=8)
        zoe = make_player("Zoe")
        admit_player(season, zoe)
        assert not Match.objects.filter(seats__player=zoe).exists()
        play_out_season(season, LATER)
        meetings = Match.objects.filter(seats__player=zoe).count()
        assert meetings + season.divisions.get().byes.filter(player=zoe).count() == 2
        agree_with_the_oracle(season)

    def test_a_swiss_division_has_at_most_as_many_rounds_as_a_player_has_opponents(self) -> None:
        season = begin_season(3, schedule=Schedule.SWISS, rounds=5, division_size=8)
        admit_player(season, make_player("Zoe"))
        assert season.divisions.get().rounds == 3

    def test_players_join_by_themselves_as_long_as_the_league_lets_them(self) -> None:
        season = begin_season(3, division_size=5, late_until=50, length=40 * DAY)
        zoe = make_player("Zoe")
        seasons.wait(season_id=season.pk, player=zoe, now=LATER)
        seasons.join(season_id=season.pk, player=zoe, now=BEGINS + 20 * DAY)
        seasons.join(season_id=season.pk, player=zoe, now=BEGINS + 20 * DAY)
        assert season.entries.filter(player=zoe).count() == 1
        assert not season.waiting.exists()
        yan = make_player("Yan")
        with pytest.raises(LeagueRefused, match="too late"):
            seasons.join(season_id=season.pk, player=yan, now=BEGINS + 21 * DAY)
        admit_player(season, yan, BEGINS + 21 * DAY)
        with pytest.raises(LeagueRefused, match="full"):
            admit_player(season, make_player("Xena"))

    def test_at_larger_tables_nobody_can(self) -> None:
        season = begin_season(3, seats=3, rounds=2, division_size=8, rules=Rules.usual(3))
        with pytest.raises(LeagueRefused, match="three or more"):
            admit_player(season, make_player("Zoe"))

    def test_a_swiss_division_that_was_cut_short_goes_on(self) -> None:
        season = begin_season(4, schedule=Schedule.SWISS, rounds=3, division_size=8)
        for number in (1, 2, 3):
            seasons.withdraw(season_id=season.pk, player=get_numbered_player(number), now=LATER)
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(0), now=LATER)
        for game in Game.objects.all():
            seasons.record_result(game.pk, LATER)
        division = season.divisions.get()
        draw_next_round(division.pk, LATER)
        division.refresh_from_db()
        assert (division.drawn, division.rounds) == (1, 1)
        assert season.league.log.filter(act="cut_short").exists()
        for name in ("Yan", "Zoe"):
            admit_player(season, make_player(name))
        assert draw_next_round(division.pk, LATER)
        assert Match.objects.filter(round=2).count() == 1


class TestWaiting:
    def test_who_comes_too_late_plays_the_next_season(self) -> None:
        season = begin_season(4, division_size=4)
        zoe, yan = make_player("Zoe"), make_player("Yan")
        seasons.wait(season_id=season.pk, player=zoe, now=LATER)
        seasons.wait(season_id=season.pk, player=yan, now=LATER, substitute=True, following=False)
        play_out_season(season, LATER)
        following = Season.objects.get(number=2)
        there = set(following.entries.values_list("player__username", flat=True))
        assert "Zoe" in there and "Yan" not in there

    def test_when_all_places_are_taken_the_first_who_waits_gets_the_next(self) -> None:
        season = make_league(most_players=2).seasons.get()
        first, _second = register_players(season, 2)
        zoe, yan = make_player("Zoe"), make_player("Yan")
        with pytest.raises(LeagueRefused, match="All places are taken"):
            seasons.register(season_id=season.pk, player=zoe, now=NOW)
        seasons.register(season_id=season.pk, player=first, now=NOW)
        seasons.wait(season_id=season.pk, player=zoe, now=NOW)
        seasons.wait(season_id=season.pk, player=yan, now=NOW)
        seasons.withdraw(season_id=season.pk, player=first, now=NOW)
        there = season.entries.filter(state="registered").values_list("player__username", flat=True)
        assert set(there) == {"Player01", "Zoe"}
        assert season.waiting.get().player == yan
        seasons.stop_waiting(season_id=season.pk, player=yan)
        assert not season.waiting.exists()

    def test_is_refused_in_words(self) -> None:
        season = begin_season(4, division_size=6)
        with pytest.raises(LeagueRefused, match="is playing this season"):
            admit_player(season, get_numbered_player(0))
        assert not season.league.log.filter(act="join").exists()
        with pytest.raises(LeagueRefused, match="is playing this season"):
            seasons.wait(season_id=season.pk, player=get_numbered_player(0), now=LATER)
        with pytest.raises(LeagueRefused, match="Only people"):
            seasons.wait(season_id=season.pk, player=make_player("Robot", is_bot=True), now=LATER)
        Season.objects.update(phase=Phase.CLOSED)
        with pytest.raises(LeagueRefused, match="over"):
            seasons.wait(season_id=season.pk, player=make_player("Zoe"), now=LATER)

    def test_a_closed_account_leaves_its_place_to_the_first_who_waits(self) -> None:
        season = make_league(most_players=2).seasons.get()
        gone, _other = register_players(season, 2)
        zoe, away = make_player("Zoe"), make_player("Yan")
        for order, player in enumerate((away, zoe)):
            seasons.wait(season_id=season.pk, player=player, now=NOW + timedelta(minutes=order))
        for player in (away, gone):
            close_account(player=player, now=NOW + timedelta(hours=1))
        assert season.entries.get(player=zoe).state == EntryState.REGISTERED
        assert not season.waiting.exists()
        advance_seasons(BEGINS)
        season.refresh_from_db()
        assert season.phase == Phase.RUNNING

    def test_who_waits_for_a_place_that_has_become_free_gets_it(self) -> None:
        season = make_league(most_players=2).seasons.get()
        gone, _other = register_players(season, 2)
        seasons.withdraw(season_id=season.pk, player=gone, now=NOW)
        zoe = make_player("Zoe")
        seasons.wait(season_id=season.pk, player=zoe, now=NOW)  # on a page that showed it full
        assert season.entries.get(player=zoe).state == EntryState.REGISTERED
        assert not season.waiting.exists()


class TestSeasons:
    def test_too_few_wait_for_more_and_at_last_it_is_cancelled(self) -> None:
        season = make_league().seasons.get()
        register_players(season, 1)
        for turn in range(1, 4):
            advance_seasons(season.begins)
            advance_seasons(season.begins)
            before = season.begins
            season.refresh_from_db()
            assert (season.phase, season.postponed) == (Phase.REGISTRATION, turn)
            assert season.begins == before + 7 * DAY and season.ends == season.begins + 90 * DAY
        advance_seasons(season.begins)
        season.refresh_from_db()
        assert season.phase == Phase.CANCELLED
        acts = list(season.league.log.order_by("pk").values_list("act", flat=True))
        assert acts == ["found", "open", "postpone", "postpone", "postpone", "cancel"]

    def test_without_registration_it_waits_for_a_day(self) -> None:
        season = make_league(registration=timedelta()).seasons.get()
        advance_seasons(NOW)
        season.refresh_from_db()
        assert season.begins == NOW + DAY

    def test_the_next_one_is_opened_by_hand_with_who_was_registered(self) -> None:
        season = make_league().seasons.get()
        (one,) = register_players(season, 1)
        given = {"who": get_organiser(), "now": LATER}
        with pytest.raises(LeagueRefused, match="open or in progress"):
            seasons.open_next(league=season.league, reason="Again", **given)
        seasons.cancel_season(season_id=season.pk, reason="Holidays", **given)
        seasons.open_next(league=season.league, reason="Again", **given)
        assert list(Season.objects.get(number=2).entries.values_list("player", flat=True)) == [one.pk]

    def test_a_closed_league_opens_none_before_it_is_opened_again(self) -> None:
        season = begin_season(4, division_size=4)
        given = {"league": season.league, "who": get_organiser(), "now": LATER}
        seasons.close_league(reason="Enough", **given)
        with pytest.raises(LeagueRefused, match="already closed"):
            seasons.close_league(reason="Enough", **given)
        play_out_season(season, LATER, played=True)
        assert Season.objects.count() == 1
        following = seasons.open_next(reason="People ask", **given)
        assert following.entries.count() == 4
        assert League.objects.get().closed is None

    def test_one_that_runs_is_not_cancelled(self) -> None:
        season = begin_season(4, division_size=4)
        with pytest.raises(LeagueRefused, match="has started"):
            seasons.cancel_season(season_id=season.pk, who=get_organiser(), reason="No", now=LATER)

    def test_its_end_is_moved_with_that_of_its_games(self) -> None:
        season = begin_season(3, division_size=4)
        given = {"season_id": season.pk, "who": get_organiser(), "reason": "Holidays", "now": LATER}
        later = season.ends + 10 * DAY
        for wrong, told in ((0 * DAY, "later day"), (400 * DAY, "400 days")):
            with pytest.raises(LeagueRefused, match=told):
                seasons.extend(by=wrong, **given)
        seasons.extend(by=10 * DAY, **given)
        season.refresh_from_db()
        assert season.ends == later
        assert {game.clock.ends for game in Game.objects.all()} == {later}
        assert season.league.log.latest("pk").details["games"] == 3


class TestLeague:
    def test_announcements(self) -> None:
        made = make_league()
        seasons.announce(league=made, text=" Welcome ", who=get_organiser(), now=NOW)
        assert Announcement.objects.get().text == "Welcome"
        for text in ("", "x" * 2001):
            with pytest.raises(LeagueRefused):
                seasons.announce(league=made, text=text, who=get_organiser(), now=NOW)
        with pytest.raises(LeagueRefused, match="Only this league's organisers"):
            seasons.announce(league=made, text="Hello", who=make_player("Zoe"), now=NOW)

    def test_organisers_come_and_go_but_one_stays(self) -> None:
        made, zoe = make_league(), make_player("Zoe")
        given = {"league": made, "who": get_organiser(), "reason": "They help", "now": NOW}
        with pytest.raises(LeagueRefused, match="at least one"):
            seasons.remove_organiser(player=get_organiser(), **given)
        seasons.name_organiser(player=zoe, **given)
        with pytest.raises(LeagueRefused, match="already"):
            seasons.name_organiser(player=zoe, **given)
        seasons.remove_organiser(player=get_organiser(), **given)
        assert list(made.organisers.all()) == [zoe]
        assert not seasons.may_organise(made, get_organiser())
        with pytest.raises(LeagueRefused, match="Only this league's organisers"):
            seasons.name_organiser(player=get_organiser(), **given)

    def test_what_is_agreed_changes_for_seasons_to_come(self) -> None:
        made = make_league()
        register_players(made.seasons.get(), 1)
        settings = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2), rounds=2)
        given = {"league": made, "name": "Cup", "text": "New", "who": get_organiser(), "now": NOW}
        seasons.edit(settings=settings, reason="Wished for", **given)
        made.refresh_from_db()
        assert (made.settings.rounds, made.name, made.slug) == (2, "Cup", "cup-of-foix")
        assert made.seasons.get().settings.rounds == 1
        assert made.log.latest("pk").details["changed"]["rounds"] == [1, 2]
        wrong = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2), rounds=0)
        with pytest.raises(LeagueRefused):
            seasons.edit(settings=wrong, reason="Oops", **given)

    def test_until_somebody_registers_the_open_season_changes_too(self) -> None:
        made = make_league()
        settings = LeagueSettings(
            rules=RuleSet.of(seats=2), standings=Rules.usual(2), rounds=2, length=50 * DAY
        )
        given = {"league": made, "name": "Cup", "text": "", "who": get_organiser(), "reason": "Mistaken"}
        seasons.edit(settings=settings, now=NOW + DAY, begins=NOW + 30 * DAY, **given)
        season = made.seasons.get()
        assert season.settings == settings
        assert (season.begins, season.ends) == (NOW + 30 * DAY, NOW + 80 * DAY)
        before, after = made.log.latest("pk").details["changed"]["begins"]
        assert (before, after) == (BEGINS.isoformat(), season.begins.isoformat())
        longer = replace(settings, registration=3 * DAY)
        seasons.edit(settings=longer, now=NOW + DAY, **given)
        assert made.seasons.get().begins == NOW + 3 * DAY
        with pytest.raises(LeagueRefused, match="a day after today"):
            seasons.edit(settings=settings, now=NOW + DAY, begins=NOW, **given)

    def test_another_text_moves_neither_the_beginning_nor_what_it_was_extended_by(self) -> None:
        made = make_league()
        given = {"league": made, "name": made.name, "who": get_organiser(), "reason": "Clearer", "now": NOW}
        seasons.edit(settings=made.settings, text="-", begins=NOW + 30 * DAY, **given)
        season = made.seasons.get()
        ends = season.ends + 5 * DAY
        seasons.extend(season_id=season.pk, by=5 * DAY, who=get_organiser(), reason="Holidays", now=NOW)
        seasons.edit(settings=made.settings, text="Welcome", **given)
        season.refresh_from_db()
        assert (season.begins, season.ends) == (NOW + 30 * DAY, ends)
        assert "begins" not in made.log.latest("pk").details["changed"]

    def test_of_two_who_take_a_name_at_once_the_second_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        make_league()
        manager = League.objects
        monkeypatch.setattr(type(manager.all()), "exists", lambda self: False)
        settings = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2))
        with pytest.raises(LeagueRefused, match="This name"):
            seasons.found_league(founder=get_organiser(), name="Cup of Foix", settings=settings, now=NOW)


def test_a_swiss_draw_leaves_closed_accounts_out() -> None:
    season = begin_season(5, schedule=Schedule.SWISS, rounds=3, division_size=8)
    resign_all_games(LATER, choose_later_name)
    Player.objects.filter(username="Player02").update(is_active=False)
    advance_seasons(LATER)
    assert not Match.objects.filter(round=2, seats__player=get_numbered_player(2)).exists()
    assert not season.divisions.get().byes.filter(round=2, player=get_numbered_player(2)).exists()
