"""Tests that nobody decides in their own matters while another organiser has less at stake (STAND-18)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from decimal import Decimal
from typing import Any

import pytest

from accounts.models import Player
from games.clocks import DAY
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.desk import ACTS
from leagues.models import BoardPlayers, Division, Entry, Fixture, Kind, Match, Season
from leagues.seasons.own_matters import Matter, Stake, build_season_matter, find_stakes
from leagues.selectors.leagues import read_log
from leagues.settings import Schedule
from leagues.standings import Rules
from leagues.templatetags.leagues import change
from tests.games.factories import make_player
from tests.leagues.knock_out_helpers import begin_cup
from tests.leagues.organising_helpers import (
    LATER,
    get_fixture_between,
    get_organiser,
    replace_player,
    settle_fixture,
)
from tests.leagues.season_helpers import (
    advance_seasons,
    begin_season,
    choose_later_name,
    get_numbered_player,
    resign_all_games,
)
from tests.leagues.team_cup_helpers import begin_team_cup
from tests.leagues.team_season_helpers import FIRST_ROUND, begin_team_season, get_player

pytestmark = pytest.mark.django_db

Act = Callable[[Season, Player], object]


def settle(season: Season, who: Player) -> None:
    others = get_fixture_between(get_numbered_player(1), get_numbered_player(2))
    settle_fixture(others, {get_numbered_player(1): 1, get_numbered_player(2): 2}, who=who)


def settle_several(season: Season, who: Player) -> None:
    others = get_fixture_between(get_numbered_player(1), get_numbered_player(2))
    ranks = {get_numbered_player(1).pk: 1, get_numbered_player(2).pk: 2}
    seasons.settle_several(decisions={others.pk: ranks}, who=who, reason="They agreed", now=LATER)


def replace(season: Season, who: Player) -> None:
    replace_player(season, get_numbered_player(1), make_player("Zoe"), who=who)


def take_out(season: Season, who: Player) -> None:
    out = get_numbered_player(1)
    seasons.take_out_player(season_id=season.pk, player=out, who=who, reason="Never answers", now=LATER)


def admit(season: Season, who: Player) -> None:
    seasons.admit(season_id=season.pk, player=make_player("Zoe"), who=who, reason="Room", now=LATER)


def extend(season: Season, who: Player) -> None:
    seasons.extend(season_id=season.pk, by=DAY, who=who, reason="Slow games", now=LATER)


def end_early(season: Season, who: Player) -> None:
    late = season.ends + 400 * DAY
    seasons.end_early(season_id=season.pk, who=who, reason="Too late", now=late)


def set_penalty(season: Season, who: Player) -> None:
    entry = season.entries.get(player=get_numbered_player(1))
    seasons.set_penalty(contender=entry, points=Decimal(2), who=who, reason="Came late", now=LATER)


DECIDING: dict[str, Act] = {
    "settle": settle,
    "settle-several": settle_several,
    "replace": replace,
    "take-out": take_out,
    "penalty": set_penalty,
    "admit": admit,
    "extend": extend,
    "end-early": end_early,
}
"""Acts that can move ranks of a season that runs, by their names on the desk."""

ABOUT_NO_GAME = {
    *("announce", "name-organiser", "remove-organiser", "close", "accept", "seeds"),
    *("cancel", "open", "edit"),  # before a season begins, or for the next one
}


def begin_with_playing_organiser(act: str = "") -> Season:
    late: dict[str, Any] = {"schedule": Schedule.SWISS, "rounds": 3} if act == "end-early" else {}
    season = begin_season(4, division_size=6, **late)
    season.league.organisers.add(get_numbered_player(0))
    return season


def test_every_act_of_the_desk_is_known_here() -> None:
    assert DECIDING.keys() | ABOUT_NO_GAME == ACTS.keys()
    assert not DECIDING.keys() & ABOUT_NO_GAME


@pytest.mark.parametrize("act", DECIDING)
def test_who_plays_in_the_division_leaves_it_to_another_organiser(act: str) -> None:
    season = begin_with_playing_organiser(act)
    before = season.league.log.count()
    with pytest.raises(LeagueRefused, match="another organiser"):
        DECIDING[act](season, get_numbered_player(0))
    assert season.league.log.count() == before
    assert Season.objects.get(pk=season.pk).ends == season.ends
    assert not Fixture.objects.exclude(settled=None).exists()


@pytest.mark.parametrize("act", DECIDING)
def test_a_neutral_organiser_decides_and_the_log_marks_nothing(act: str) -> None:
    season = begin_with_playing_organiser(act)
    DECIDING[act](season, get_organiser())
    entry = season.league.log.latest("pk")
    assert entry.details["own_matter"] is False
    assert "own matters" not in change(read_log([entry])[0])


@pytest.mark.parametrize("act", DECIDING)
@pytest.mark.parametrize("gone", ["no organiser", "account closed"])
def test_the_only_organiser_decides_and_the_log_says_so(act: str, gone: str) -> None:
    season = begin_with_playing_organiser(act)
    if gone == "no organiser":
        season.league.organisers.remove(get_organiser())
    else:
        Player.objects.filter(pk=get_organiser().pk).update(is_active=False)
    DECIDING[act](season, get_numbered_player(0))
    (line,) = read_log([season.league.log.latest("pk")])
    assert "own matters" in change(line)


def test_of_two_who_play_the_one_with_less_at_stake_decides() -> None:
    season = begin_season(4, division_size=4)
    one, other = get_numbered_player(0), get_numbered_player(2)
    season.league.organisers.set([one, other])
    fixture = get_fixture_between(one, get_numbered_player(1))
    ranks = {one: 1, get_numbered_player(1): 2}
    with pytest.raises(LeagueRefused, match="You're playing in this"):
        settle_fixture(fixture, ranks, who=one)
    settle_fixture(fixture, ranks, who=other)
    assert season.league.log.latest("pk").details["own_matter"] is True


def test_nobody_lets_themselves_in() -> None:
    season = begin_season(4, division_size=6)
    newcomer = make_player("Zoe")
    season.league.organisers.add(newcomer)
    with pytest.raises(LeagueRefused, match="You're playing in this"):
        seasons.admit(season_id=season.pk, player=newcomer, who=newcomer, reason="Room", now=LATER)
    with pytest.raises(LeagueRefused, match="You're playing in this"):
        replace_player(season, get_numbered_player(1), newcomer, who=newcomer)


def find_stake_in_fixture(player: Player, fixture: Fixture) -> Stake:
    division = fixture.match.division
    matter = Matter([division], division.matches.filter(pk=fixture.match_id))
    return find_stakes({player.pk}, matter)[player.pk]


def test_another_division_is_no_own_matter() -> None:
    begin_season(8, division_size=4)
    below = Division.objects.get(level=2)
    fixture = Fixture.objects.filter(match__division=below).latest("pk")
    assert find_stake_in_fixture(get_numbered_player(0), fixture) == Stake.NONE


def test_who_is_out_of_a_knock_out_is_neutral() -> None:
    begin_cup(4)
    own, others = Fixture.objects.order_by("pk")
    out, winner = (seat.player for seat in own.match.seats.order_by("index"))
    assert find_stake_in_fixture(out, others) == Stake.RANK
    assert find_stake_in_fixture(out, own) == Stake.GAME
    settle_fixture(own, {winner: 1, out: 2})
    assert find_stake_in_fixture(out, others) == Stake.NONE
    assert find_stake_in_fixture(winner, others) == Stake.RANK


def test_a_match_of_the_knock_out_is_an_own_matter_of_taking_out_from_a_group() -> None:
    season = begin_season(8, schedule=Schedule.GROUPS, division_size=4, rules=Rules.usual(2))
    advance_seasons(LATER)
    resign_all_games(LATER, choose_later_name)
    advance_seasons(season.ends - 20 * DAY)
    match = Match.objects.filter(division__kind=Kind.KNOCK_OUT).first()
    assert match is not None
    gone, other = (seat.player for seat in match.seats.order_by("index"))
    season.league.organisers.add(other)
    with pytest.raises(LeagueRefused, match="You're playing in this"):
        seasons.take_out_player(
            season_id=season.pk, player=gone, who=other, reason="Never answers", now=season.ends - 19 * DAY
        )


def test_a_match_of_the_own_team_is_an_own_matter() -> None:
    begin_team_season("ABCD")
    advance_seasons(FIRST_ROUND)
    boards = BoardPlayers.objects.select_related("match", "first", "second").order_by("pk")
    board = boards.filter(board__number=1).first()
    assert board is not None and board.match is not None and board.first is not None
    fixture = board.match.fixtures.get()
    team = board.board.team_match.first
    others = Entry.objects.filter(season=team.season).exclude(player=board.first)
    mate = others.filter(player__teams__team=team).latest("pk").player
    stranger = team.season.teams.exclude(pk__in=[team.pk, board.board.team_match.second_id])[0].captain
    assert find_stake_in_fixture(board.first, fixture) == Stake.GAME
    assert find_stake_in_fixture(mate, fixture) == Stake.TEAM
    assert find_stake_in_fixture(stranger, fixture) == Stake.RANK
    assert find_stake_in_fixture(get_organiser(), fixture) == Stake.NONE


def test_a_round_of_the_own_team_that_has_not_begun_is_an_own_matter() -> None:
    season = begin_team_cup("ABCD")
    season.league.organisers.add(get_player("A0"))
    with pytest.raises(LeagueRefused, match="Your own team"):
        extend(season, get_player("A0"))
    extend(season, get_organiser())


def test_stakes_of_all_organisers_cost_the_same_queries(
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    season = begin_season(12, division_size=4)
    matter = build_season_matter(season)
    for players in ({1}, {get_numbered_player(number).pk for number in range(12)}):
        with django_assert_num_queries(3):
            find_stakes(players, matter)
