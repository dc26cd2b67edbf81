"""Tests of the first lines of a league's page for its players."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Q
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import play
from games.clocks import DAY
from games.models import Game
from leagues import seasons
from leagues.models import Entry, Fixture, TeamMatch
from leagues.settings import CupRules, Schedule
from leagues.standings import Rules
from tests.games.factories import make_player
from tests.html import Page
from tests.leagues.double_helpers import begin_double, lose_rounds
from tests.leagues.knock_out_helpers import begin_cup, play_round
from tests.leagues.ladder_helpers import challenge_player
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    get_numbered_player,
    play_out_season,
    register_players,
)
from tests.leagues.team_season_helpers import FIRST_ROUND, begin_team_season, get_player
from tests.leagues.views.ladder_page_helpers import make_running_ladder
from tests.leagues.views.league_page_helpers import LEAGUE_URL, make_open_season
from tests.leagues.views.team_page_helpers import TEAM_LEAGUE_URL

pytestmark = pytest.mark.django_db


def see(client: Client, player: Player, url: str = LEAGUE_URL) -> Page:
    client.force_login(player)
    return Page(client.get(url))


def find_game(*players: Player) -> Game:
    first, other = players
    game = Fixture.objects.filter(match__seats__player=first).get(match__seats__player=other).game
    assert game is not None
    return game


class TestRoundRobin:
    def test_begins_with_place_and_games(self, client: Client) -> None:
        begin_season(4, division_size=4)
        first = get_numbered_player(0)
        games = Game.objects.filter(seats__player=first)
        page = see(client, first)
        assert page.texts("h2")[0] == "You Season 1"
        assert page.links(".own-place a") == [f"{LEAGUE_URL}1/1/"]
        theirs = [game for game in games if game.seats.get(player=first).index == game.awaited]
        assert sorted(page.links(".turns a")) == sorted(f"/g/{game.code}/" for game in theirs)
        others = [game for game in games if game not in theirs]
        assert sorted(page.links(".others a")) == sorted(f"/g/{game.code}/" for game in others)
        assert theirs and others

    def test_games_are_named_by_opponent_and_round(self, client: Client) -> None:
        begin_season(2, division_size=4)
        game = Game.objects.get()
        on_turn, other = (game.seats.get(index=index).player for index in (game.awaited, 1 - game.awaited))
        page = see(client, on_turn)
        assert page.texts(".turns li a") == [str(other)] and "Round 1" in page.text(".turns li")
        assert not page.has(".others")
        page = see(client, other)
        assert page.texts(".others li") == [f"{on_turn} Round 1 · waiting for {on_turn}"]
        assert not page.has(".turns")

    def test_says_where_one_stands_and_what_is_still_possible(self, client: Client) -> None:
        season = begin_season(4, division_size=4)
        game = find_game(get_numbered_player(0), get_numbered_player(1))
        seat = game.seats.get(player=get_numbered_player(1))
        play.resign(game_id=game.pk, seat=seat.index, now=BEGINS + DAY)
        advance_seasons(BEGINS + DAY)
        page = see(client, get_numbered_player(0))
        assert page.text(".own-place") == "Division 1 1st of 4 Points: 2"
        entry = Entry.objects.get(season=season, player=get_numbered_player(0))
        assert entry.outlook is not None
        assert page.text(".own-hope summary").startswith("What's still possible: first with")

    def test_a_broken_off_game_waits_for_organisers(self, client: Client) -> None:
        begin_season(2, division_size=4)
        play.abort(game_id=Game.objects.get().pk, seat=0, now=BEGINS + DAY)
        page = see(client, get_numbered_player(0))
        assert "ended early; the organisers decide how it counts" in page.text(".others li")

    def test_many_games_of_others_are_folded(self, client: Client) -> None:
        begin_season(12, division_size=12)
        pages = [see(client, get_numbered_player(number)) for number in range(12)]
        for page in pages:
            others = page.all(".others li")
            assert len(others) + len(page.all(".turns li")) == 11
            assert page.has(".own-others[open]") == (0 < len(others) <= 4)

    def test_a_table_of_four(self, client: Client) -> None:
        begin_season(4, seats=4, division_size=4, rules=Rules.usual(4))
        game = Game.objects.first()
        assert game is not None
        on_turn = game.seats.get(index=game.awaited).player
        names = see(client, on_turn).texts(".turns li a")[0].split(", ")
        assert len(names) == 3 and str(on_turn) not in names


class TestOthers:
    def test_who_plays_all_is_told_so(self, client: Client) -> None:
        begin_season(4, division_size=4)
        for other in (1, 2, 3):
            game = find_game(get_numbered_player(0), get_numbered_player(other))
            seat = game.seats.get(player=get_numbered_player(other))
            play.resign(game_id=game.pk, seat=seat.index, now=BEGINS + DAY)
        advance_seasons(BEGINS + DAY)
        assert see(client, get_numbered_player(0)).text(".you .note") == "You've played all your matches."

    def test_who_registered_is_told_when_it_begins(self, client: Client) -> None:
        (zoe,) = register_players(make_open_season(), 1)
        page = see(client, zoe)
        assert page.text(".you .note").startswith("You're registered. It begins ")
        assert not page.has(".own-place")

    def test_who_has_withdrawn(self, client: Client) -> None:
        season = begin_season(4, division_size=4)
        gone = get_numbered_player(2)
        seasons.withdraw(season_id=season.pk, player=gone, now=BEGINS + DAY)
        page = see(client, gone)
        assert page.texts(".you p") == ["You've withdrawn from this season."]

    def test_after_the_last_season_there_is_its_place(self, client: Client) -> None:
        season = begin_season(4, division_size=4, again=False)
        play_out_season(season, BEGINS + DAY, played=True)
        page = see(client, get_numbered_player(1))
        assert page.text(".own-place").startswith("Division 1 2nd of 4 Points: 4")
        assert not page.has(".own-games")

    def test_nobody_else_has_it(self, client: Client) -> None:
        begin_season(4, division_size=4)
        assert not Page(client.get(LEAGUE_URL)).has(".you")
        assert not see(client, make_player("Zoe")).has(".you")


class TestSwiss:
    def test_who_sits_out_and_who_waits_for_the_next_round(self, client: Client) -> None:
        season = begin_season(5, schedule=Schedule.SWISS, division_size=8, rounds=3)
        division = season.divisions.get()
        idle = division.byes.get().player
        assert see(client, idle).text(".you .note") == "You sit out, which counts as a win."
        match = division.matches.first()
        assert match is not None
        game = match.fixtures.get().game
        assert game is not None
        play.resign(game_id=game.pk, seat=0, now=BEGINS + DAY)
        advance_seasons(BEGINS + DAY)
        told = see(client, match.seats.first().player).text(".you .note")  # type: ignore[union-attr]
        assert told == "You'll meet your next opponent when all matches of this round are decided."


class TestKnockOut:
    def test_says_whom_one_can_meet_and_who_is_out(self, client: Client) -> None:
        season = begin_cup(4)
        game = find_game(get_numbered_player(0), get_numbered_player(3))
        seat = game.seats.get(player=get_numbered_player(3))
        play.resign(game_id=game.pk, seat=seat.index, now=BEGINS + DAY)
        advance_seasons(BEGINS + DAY)
        page = see(client, get_numbered_player(0))
        assert page.text(".own-place") == "Knock-out still in"
        assert page.text(".you .note") == "Next you meet the winner of Player01 – Player02."
        assert see(client, get_numbered_player(3)).text(".you .note") == "You're out of the knock-out."
        play_round(season, days=2)
        page = see(client, get_numbered_player(0))
        assert "Final, by " in page.text(".own-games li")

    def test_who_has_won_the_match_for_third_place_no_longer_plays_for_it(self, client: Client) -> None:
        season = begin_cup(4, cup=CupRules(third_place=True))
        play_round(season)
        third, fourth = get_numbered_player(2), get_numbered_player(3)
        assert see(client, third).text(".own-place") == "Knock-out plays for third place"
        game = find_game(third, fourth)
        play.resign(game_id=game.pk, seat=game.seats.get(player=fourth).index, now=BEGINS + 2 * DAY)
        advance_seasons(BEGINS + 2 * DAY)
        assert see(client, third).text(".own-place") == "Knock-out Third place"
        assert see(client, get_numbered_player(0)).text(".own-place") == "Knock-out still in"

    def test_of_three_nobody_plays_for_third_place(self, client: Client) -> None:
        play_round(begin_cup(3, cup=CupRules(third_place=True)))
        assert see(client, get_numbered_player(2)).text(".own-place") == "Knock-out Third place"

    def test_a_bye(self, client: Client) -> None:
        begin_cup(3)
        page = see(client, get_numbered_player(0))
        assert page.text(".you .note") == "Next you meet the winner of Player01 – Player02."


class TestDoubleElimination:
    def test_says_whom_one_can_meet_in_which_bracket(self, client: Client) -> None:
        season = begin_double(4)
        play_round(season)
        lower = find_game(get_numbered_player(2), get_numbered_player(3))
        loser = lower.seats.get(player=get_numbered_player(3))
        play.resign(game_id=lower.pk, seat=loser.index, now=BEGINS + 2 * DAY)
        advance_seasons(BEGINS + 2 * DAY)
        page = see(client, get_numbered_player(2))
        assert page.text(".own-place") == "Double elimination still in"
        assert page.text(".you .note") == "Next you meet the loser of Player00 – Player01."
        assert see(client, get_numbered_player(3)).text(".you .note") == "You've lost twice, so you're out."
        play_round(season, days=3)
        page = see(client, get_numbered_player(0))
        assert page.text(".you .note") == "Next you meet the winner of Player01 – Player02."
        assert "Losers' final, by " in see(client, get_numbered_player(1)).text(".own-games li")

    def test_who_is_not_known_yet_is_not_named(self, client: Client) -> None:
        season = begin_double(8)
        lose_rounds(season, 3)
        final = find_game(get_numbered_player(0), get_numbered_player(1))
        loser = final.seats.get(player=get_numbered_player(1))
        play.resign(game_id=final.pk, seat=loser.index, now=BEGINS + 4 * DAY)
        advance_seasons(BEGINS + 4 * DAY)
        assert not see(client, get_numbered_player(0)).has(".you .note")
        told = see(client, get_numbered_player(1)).text(".you .note")
        assert told == "Next you meet the winner of Player02 – Player03."


class TestLadder:
    def test_a_challenge_and_none(self, client: Client) -> None:
        season = make_running_ladder(4)
        page = see(client, get_numbered_player(2))
        assert page.text(".own-place") == "Ladder 3rd of 4"
        assert page.link("Challenge someone") == f"{LEAGUE_URL}1/1/"
        assert "at the top" in see(client, get_numbered_player(0)).text(".you .note")
        challenge_player(season, 2, 1, now=timezone.now())
        page = see(client, get_numbered_player(2))
        assert page.texts(".own-games a") == ["Player01"] and "Challenge, by " in page.text(".own-games li")


class TestTeams:
    def test_own_team_its_next_match_and_own_board(self, client: Client) -> None:
        begin_team_season("ABCD")
        captain = get_player("A0")
        page = see(client, captain, TEAM_LEAGUE_URL)
        assert page.text(".own-place").startswith("A Division 1, ")
        one = TeamMatch.objects.filter(Q(first__name="A") | Q(second__name="A")).get(round=1)
        other = one.second if one.first.name == "A" else one.first
        assert page.texts(".ahead a") == [other.name]
        assert page.links(".ahead a") == [f"{TEAM_LEAGUE_URL}1/1/1/{one.number}/"]
        advance_seasons(FIRST_ROUND)
        page = see(client, captain, TEAM_LEAGUE_URL)
        assert len(page.texts(".turns a") + page.texts(".others a")) == 1
        assert "being played" in page.text(".ahead li")


@pytest.mark.parametrize("players", [4, 12])
def test_costs_the_same_however_many_play(
    client: Client, django_assert_max_num_queries: Any, players: int
) -> None:
    begin_season(players, division_size=players)
    client.force_login(get_numbered_player(0))
    with django_assert_max_num_queries(17):
        assert client.get(LEAGUE_URL).status_code == 200
