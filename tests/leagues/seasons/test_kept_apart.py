"""Tests of blocks in a season of each format: which count, and that blocked pairs don't meet (STAND-18)."""

from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest
from django.test import Client

from accounts.models import Player
from games.clocks import DAY
from games.models import Block
from leagues import seasons
from leagues.models import BoardPlayers, Kind, MatchSeat, Season
from leagues.seasons.kept_apart import load_blocked_pairs
from leagues.settings import CupRules, Schedule
from leagues.standings import Rules
from tests.games.factories import NOW
from tests.html import Page
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    choose_later_name,
    get_numbered_player,
    make_league,
    register_players,
    resign_all_games,
)
from tests.leagues.team_season_helpers import FIRST_ROUND, get_player, make_team, make_team_season

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
NOBODY_MOVES = {"rules": Rules.usual(2)}


def block(one: int, other: int, since: timedelta = HOUR) -> None:
    """Let *one* have blocked the *other* so long after registration opened."""
    Block.objects.create(
        player=get_numbered_player(one), blocked=get_numbered_player(other), since=NOW + since
    )


def register(number: int, **settings: Any) -> Season:
    season = make_league(**settings).seasons.get()
    register_players(season, number)
    return season


def begin(season: Season) -> None:
    advance_seasons(BEGINS)
    season.refresh_from_db()
    assert season.running


def find_meetings(season: Season, round: int | None = None) -> set[str]:
    """The pairs who meet, by the numbers in their names: "03"."""
    seats = MatchSeat.objects.filter(match__division__season=season).select_related("player")
    people: dict[int, list[str]] = {}
    for seat in seats if round is None else seats.filter(match__round=round):
        people.setdefault(seat.match_id, []).append(str(int(str(seat.player)[-2:])))
    return {"".join(sorted(two)) for match in people.values() for two in combinations(match, 2)}


def test_blocks_of_before_the_end_of_registration_count_and_two_of_a_player() -> None:
    season = register(6)
    for order, other in enumerate((1, 2, 3)):
        block(0, other, HOUR * (3 - order))
    block(4, 5, BEGINS - NOW)
    block(4, 1, BEGINS - NOW - HOUR)
    block(1, 4, HOUR)
    names = dict(Player.objects.values_list("pk", "username"))
    pairs = [{int(names[pk][-2:]) for pk in pair} for pair in load_blocked_pairs(season)]
    assert pairs == [{0, 3}, {1, 4}, {0, 2}]


def test_who_left_before_the_beginning_uses_up_no_block() -> None:
    season = register(4)
    for other in (1, 2, 3):
        block(0, other, HOUR * other)
    seasons.withdraw(season_id=season.pk, player=get_numbered_player(1), now=NOW + DAY)
    assert len(load_blocked_pairs(season)) == 2
    begin(season)
    seasons.withdraw(season_id=season.pk, player=get_numbered_player(2), now=BEGINS + DAY)
    assert len(load_blocked_pairs(season)) == 2, "who leaves later makes no other count"


def test_a_team_that_is_left_out_uses_up_no_block() -> None:
    season = make_team_season()
    for name, players in (("A", 4), ("B", 4), ("C", 1)):
        make_team(season, name, players)
    left_out, *others = (get_player(name) for name in ("C0", "B0", "B1"))
    for order, other in enumerate((left_out, *others)):
        Block.objects.create(player=get_player("A0"), blocked=other, since=NOW + order * HOUR)
    advance_seasons(BEGINS)
    a0 = get_player("A0").pk
    assert load_blocked_pairs(season) == tuple(frozenset((a0, other.pk)) for other in others)


def test_a_block_that_was_lifted_counts_no_more() -> None:
    season = register(4)
    block(0, 1)
    Block.objects.all().delete()
    assert load_blocked_pairs(season) == ()


def test_newcomers_are_in_different_divisions() -> None:
    season = register(8, division_size=4)
    block(1, 3)
    begin(season)
    assert "13" not in find_meetings(season) and len(find_meetings(season)) == 12


def test_in_one_division_they_meet() -> None:
    season = register(4, division_size=4)
    block(1, 3)
    begin(season)
    assert "13" in find_meetings(season)


def test_groups_and_the_knock_out_after_them() -> None:
    season = register(
        8, schedule=Schedule.GROUPS, division_size=4, cup=CupRules(from_group=2), **NOBODY_MOVES
    )
    block(0, 3)  # would be in one group
    block(0, 2)  # would meet in the semi-final
    begin(season)
    assert "03" not in find_meetings(season)
    resign_all_games(BEGINS + DAY, choose_later_name)
    advance_seasons(BEGINS + DAY)
    bracket = season.divisions.get(kind=Kind.KNOCK_OUT)
    semi_finals = {
        "".join(sorted(str(int(str(seat.player)[-2:])) for seat in match.seats.all()))
        for match in bracket.matches.all()
    }
    assert len(semi_finals) == 2 and "02" not in semi_finals


def test_a_knock_out() -> None:
    season = register(4, schedule=Schedule.KNOCK_OUT, **NOBODY_MOVES)
    block(3, 0)
    begin(season)
    assert find_meetings(season) == {"02", "13"}


def test_swiss_rounds() -> None:
    season = register(4, schedule=Schedule.SWISS, rounds=2)
    block(0, 2)
    block(0, 3)
    begin(season)
    assert find_meetings(season) == {"01", "23"}
    resign_all_games(BEGINS + DAY, choose_later_name, played=True)
    advance_seasons(BEGINS + DAY)
    assert len(find_meetings(season, 2) & {"02", "03"}) == 1, "no other is left to meet"


def test_tables_of_three() -> None:
    season = register(6, seats=3, division_size=6)
    block(0, 1)
    block(2, 3)
    begin(season)
    assert find_meetings(season).isdisjoint({"01", "23"})


def test_boards_of_teams() -> None:
    season = make_team_season()
    for name in "AB":
        make_team(season, name, 3)
    Block.objects.create(player=get_player("A0"), blocked=get_player("B0"), since=NOW)
    Block.objects.create(player=get_player("A0"), blocked=get_player("B1"), since=NOW)
    for now in (BEGINS, FIRST_ROUND):
        advance_seasons(now)
    boards = BoardPlayers.objects.order_by("board__number").select_related("first", "second")
    met = [{str(one.first), str(one.second)} for one in boards]
    assert len(met) == 3 and {"A0", "B2"} in met
    assert [one.first for one in boards] == sorted((one.first for one in boards), key=str), "by rating"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "If neither of you can be in another division"),
        ({"schedule": Schedule.SWISS}, "If no round can be drawn without it"),
        ({"schedule": Schedule.KNOCK_OUT}, "You don't meet in the first round"),
        ({"schedule": Schedule.GROUPS}, "If there is no other way to draw the groups"),
        ({"schedule": Schedule.LADDER}, "A challenge between you counts as declined"),
        ({"seats": 3}, "If everyone meets everyone"),
    ],
)
def test_the_page_of_registration_says_what_blocks_do(client: Client, settings: Any, said: str) -> None:
    standing = {} if set(settings) <= {"seats"} or settings["schedule"] == Schedule.SWISS else NOBODY_MOVES
    make_league(**settings, **standing)
    page = Page(client.get("/leagues/cup-of-foix/"))
    assert said in page.text("main")
    assert "Only the two oldest blocks of each player count." in page.text("main")
