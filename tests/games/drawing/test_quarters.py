"""Tests of the city of Carcassonne: each quarter holds all figures, on its own ground."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from games.drawing.board import (
    BoardPicture,
    LaidTile,
    MarkedQuarter,
    QuarterToken,
    Resident,
    TokenFigure,
    draw_board,
    standing,
)
from games.drawing.expansions.count import FLOORS, QUARTERS, count_point, quarter_outline, quarter_point
from games.drawing.layout import layout
from games.drawing.palette import SEATS
from games.drawing.picture import render_board_png
from games.drawing.places import STANDING
from games.drawing.quarters import CityBlock, find_block
from games.drawing.spots import spot_point
from games.rules.modules import count
from games.rules.tiles import load_tile_set

from .picture_helpers import count_changed_pixels

BLOCK = tuple(
    LaidTile(tile.id, tile.block[0] - 2, tile.block[1] - 1, 0)
    for tile in load_tile_set("count").tiles
    if tile.block is not None
)
FILES = {"count": "/static/count.svg", "winter": "/static/winter.svg"}
CITY = BoardPicture(BLOCK, sprite="/static/base.svg", sprites=FILES)


def within(quarter: str, point: tuple[float, float]) -> bool:
    """Return whether *point* is in the quarter's rectangle and outside the rounded corner of the wall."""
    west, north = quarter in ("castle", "cathedral"), quarter in ("castle", "market")
    x, y = (point[0] if west else 400 - point[0]), (point[1] if north else 300 - point[1])
    corner = x >= 100 or y >= 100 or (x - 100) ** 2 + (y - 100) ** 2 < 43**2
    return 57 < x < 193 and 57 < y < 144 and corner


def test_quarters_are_those_of_the_rules() -> None:
    assert QUARTERS == count.QUARTERS and set(FLOORS) == set(QUARTERS)
    with pytest.raises(KeyError):
        quarter_outline("harbour")
    with pytest.raises(KeyError):
        quarter_point("harbour", 0)


@pytest.mark.parametrize("quarter", QUARTERS)
def test_meeples_stand_on_the_ground_of_their_quarter_and_see_each_other(quarter: str) -> None:
    points = [quarter_point(quarter, n) for n in range(13)]
    assert all(within(quarter, point) for point in [*points, count_point(quarter)])
    for one, other in combinations([*points[:8], count_point(quarter)], 2):
        beside, above = abs(one[0] - other[0]) / STANDING[0], abs(one[1] - other[1]) / STANDING[1]
        assert max(beside, above) > 1.7


@pytest.mark.parametrize("quarter", QUARTERS)
def test_a_crowd_of_all_seats_finds_room(quarter: str) -> None:
    """Six seats with eight meeples each: nobody stands on the very spot of another, or outside."""
    points = [quarter_point(quarter, n) for n in range(48)]
    assert len(set(points)) == len(points)
    assert all(50 < x < 350 and 50 < y < 250 for x, y in points)


def test_gates_and_walls_meet_where_the_rim_says() -> None:
    plans = {tile.id: layout(tile) for tile in load_tile_set("count").tiles}
    assert [name for name, plan in plans.items() if plan.gates] == ["count.1", "count.4", "count.11"]
    assert all(plan.rampart is not None for plan in plans.values())
    assert [name for name, plan in plans.items() if not plan.rampart.walls] == ["count.6", "count.7"]
    assert layout(load_tile_set("base").tiles[0]).rampart is None


def test_those_in_the_city_are_drawn_where_the_block_lies() -> None:
    crowd = tuple(Resident(seat, "follower", name) for name in QUARTERS for seat in range(len(SEATS)))
    picture = replace(
        CITY,
        residents=(*crowd, Resident(0, "large", "market")),
        quarter_token=QuarterToken("count", "castle"),
    )
    svg = draw_board(picture)
    assert find_block(BLOCK) == CityBlock("count", -2, -1)
    assert svg.count('href="/static/count.svg#carcassonne" x="-200" y="-100"') == 1
    assert svg.count('href="/static/count.svg#count"') == 1
    assert svg.count('href="/static/base.svg#large0"') == 1
    assert Counter(re.findall(r"base.svg#m(\d)", svg)) == {str(seat): 4 for seat in range(6)}
    ordered = [one.y for one in standing(picture)]
    assert ordered == sorted(ordered) and len(ordered) == 26


def test_without_the_block_nobody_is_in_the_city() -> None:
    elsewhere = BoardPicture((LaidTile("base.D", 0, 0, 0),), residents=(Resident(0, "follower", "castle"),))
    assert standing(elsewhere) == []


def test_a_quarter_can_be_chosen() -> None:
    quarters = (MarkedQuarter("market", "/enter/?a=1&b=2", "Enter the market", attributes={"hx-get": "/e"}),)
    svg = draw_board(replace(CITY, quarters=quarters))
    assert '<a href="/enter/?a=1&amp;b=2" class="quarter" hx-get="/e"><title>Enter the market</title>' in svg
    assert 'href="/static/count.svg#quarter-market"' in svg


def test_tokens_stand_beside_a_knight() -> None:
    laid = (LaidTile("base.E", 0, 0, 0),)
    picture = BoardPicture(
        laid,
        sprites=FILES,
        tokens=(TokenFigure("gingerbread", 0, 0, "city", "N", title="The Gingerbread Man"),),
    )
    (one,) = standing(picture)
    assert one.symbol == "/static/winter.svg#gingerbread"
    assert (one.x, one.y) != spot_point("base.E", 0, "city", "N")


def test_pictures_for_mails_show_the_city_and_who_is_in_it() -> None:
    plain = BoardPicture(BLOCK)
    taken = replace(
        plain, residents=(Resident(2, "follower", "castle"),), quarter_token=QuarterToken("count", "market")
    )
    lit = replace(plain, quarters=(MarkedQuarter("castle", text="1"),))
    one, two, three = (render_board_png(picture, width=600) for picture in (plain, taken, lit))
    assert count_changed_pixels(one, two) > 1000
    assert count_changed_pixels(one, three) > 8000
