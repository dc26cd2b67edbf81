"""Tests of the board as inline SVG: complete, compact, quick, and safe to embed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from games.drawing import sprite
from games.drawing.board import (
    BoardPicture,
    CandidateSpot,
    CandidateTile,
    Figure,
    Highlight,
    Label,
    LaidTile,
    Mark,
    Outline,
    draw_board,
    draw_overlay,
    find_sprite_name,
    squares,
    standing,
)
from games.drawing.picture import STATIC
from games.drawing.spots import spot_point
from games.rules.tiles import get_tile
from tests.cases import count_calls

from .boards import board_picture

SVG = "{http://www.w3.org/2000/svg}"
START = (LaidTile("base.D", 0, 0, 0),)


@pytest.fixture(scope="module")
def symbols() -> set[str]:
    return set(re.findall(r'id="([^"]+)"', (STATIC / find_sprite_name()).read_text(encoding="utf-8")))


def test_every_symbol_that_a_board_uses_is_in_the_sprite(symbols: set[str]) -> None:
    used = re.findall(r'href="/static/[^#"]*#([^"]+)"', draw_board(board_picture()))
    assert len(used) >= 2 * 72
    assert set(used) <= symbols


def test_page_of_72_tiles_stays_small() -> None:
    board = draw_board(board_picture(72, meeples=14, marks=40))
    assert len(board.encode()) < 35_000


def test_board_is_drawn_in_few_calls() -> None:
    picture = board_picture()
    draw_board(picture)
    assert count_calls(lambda: draw_board(picture)) < 3000


def test_board_is_xml_without_styles_scripts_or_repeated_paths() -> None:
    board = draw_board(board_picture())
    ET.fromstring(board)
    for unsafe in ("style=", "<script", "hx-on", "onclick"):
        assert unsafe not in board
    assert board.count("<path") == 2


def test_cell_x_y_lies_at_100_x_100_y() -> None:
    laid = (*START, LaidTile("base.U", 2, -1, 90, copy=1))
    board = draw_board(BoardPicture(laid, sprite="/s.svg"))
    assert '<use href="/s.svg#U1" x="200" y="-100"/>' in board
    assert f'<use href="/s.svg#{sprite.decor_symbol("base.U", 90, 1)}" x="200" y="-100"/>' in board


def test_view_stays_the_same_while_a_turn_is_composed() -> None:
    plain = BoardPicture(START, sprite="/s.svg")
    marked = replace(plain, marks=(Mark(0, -1, "?x=0&y=-1", "north"),))
    composing = replace(plain, candidate=CandidateTile("base.E", 0, -1, 180, seat=0))
    boxes = {ET.fromstring(draw_board(picture)).get("viewBox") for picture in (plain, marked, composing)}
    assert boxes == {"-110 -110 320 320"}


def test_marks_are_links_with_a_name_and_their_attributes() -> None:
    mark = Mark(1, 0, "/g/?x=1&y=0", 'East of "D" <b>', attributes={"hx-get": "/g/?x=1&y=0"})
    root = ET.fromstring(draw_board(BoardPicture(START, marks=(mark,), sprite="/s.svg")))
    link = next(root.iter(f"{SVG}a"))
    assert link.get("href") == "/g/?x=1&y=0" == link.get("hx-get")
    assert link.findtext(f"{SVG}title") == 'East of "D" <b>'
    area = link.find(f"{SVG}rect")
    assert area is not None and float(area.get("width", "0")) > 90


def test_names_that_people_chose_are_escaped() -> None:
    evil = '"><script>alert(1)</script>'
    picture = BoardPicture(
        START,
        meeples=(Figure(0, "follower", 0, 0, "city", "N", title=evil, css='"x'),),
        outlines=(Outline(0, 0, 1, title=evil, text=evil),),
        marks=(Mark(0, 1, evil, evil, text=evil, attributes={"hx-get": evil}),),
        labels=(Label(0, 0, evil),),
        title=evil,
        description=evil,
        sprite="/s.svg",
    )
    board = draw_board(picture)
    ET.fromstring(board)
    assert "<script" not in board


def test_farmer_lies_and_knight_stands_on_its_spot() -> None:
    picture = BoardPicture(
        START,
        meeples=(
            Figure(2, "follower", 0, 0, "field", "ESE"),
            Figure(1, "follower", 0, 0, "city", "N"),
        ),
        sprite="/s.svg",
    )
    board = draw_board(picture)
    x, y = spot_point("base.D", 0, "city", "N")
    assert f'<g transform="translate({x} {y})">' in board and '<use href="/s.svg#m1"/></g>' in board
    assert 'href="/s.svg#l2"' in board


def test_candidate_offers_its_spots_as_links() -> None:
    spots = tuple(
        CandidateSpot(
            lie.kind, lie.side, f"?spot={lie.kind}", f"{lie.kind} {lie.side}", chosen=lie.kind == "road"
        )
        for lie in get_tile("base.U").at(90).lies
    )
    candidate = CandidateTile("base.U", 1, 0, 90, seat=3, spots=spots, href="?turn", label="Turn", scale=1.6)
    board = draw_overlay(BoardPicture(START, candidate=candidate, sprite="/s.svg"))
    root = ET.fromstring(board)
    links = list(root.iter("a"))
    assert [link.get("href") for link in links] == ["?turn", "?spot=road", "?spot=field", "?spot=field"]
    assert [link.get("class") for link in links] == ["turn", "spot chosen", "spot", "spot"]
    assert [link.get("aria-current") for link in links] == [None, "true", None, None]
    assert 'transform="translate(70 -30) scale(1.6)"' in board
    assert "#m3" in board and "#l3" in board


def test_overlay_alone_is_the_one_in_the_board() -> None:
    picture = board_picture()
    overlay = draw_overlay(picture)
    assert overlay in draw_board(picture)
    assert len(overlay.encode()) < 15_000


def test_highlight_turns_with_its_tile_and_shows_its_owner() -> None:
    laid = (LaidTile("base.E", 3, 1, 90),)
    highlights = (Highlight(3, 1, "city", "E", seat=4), Highlight(3, 1, "field", "SSE"))
    board = draw_board(BoardPicture(laid, highlights=highlights, sprite="/s.svg"))
    assert (
        '<use class="lit seat4" href="/s.svg#E-0" transform="translate(300 100)rotate(90 50 50)"/>' in board
    )
    assert 'class="lit nobody" href="/s.svg#E-1"' in board


def test_four_tiles_of_one_city_around_a_corner_show_no_hole() -> None:
    corner = tuple(
        LaidTile("base.N", x, y, rotation)
        for x, y, rotation in ((0, 0, 180), (1, 0, 270), (1, 1, 0), (0, 1, 90))
    )
    assert squares(corner) == ((1, 1),)
    assert squares(corner[:3]) == ()
    assert '<use href="/s.svg#square" x="100" y="100"/>' in draw_board(BoardPicture(corner, sprite="/s.svg"))


def test_those_who_share_a_segment_stand_beside_each_other() -> None:
    picture = BoardPicture(
        (LaidTile("base.E", 0, 0, 0),),
        tuple(Figure(seat, "follower", 0, 0, "city", "N") for seat in range(4)),
    )
    places = [(one.x, one.y) for one in standing(picture)]
    assert len(set(places)) == 4
    assert spot_point("base.E", 0, "city", "N") in places


def test_numbers_in_attributes_stand_apart_as_every_browser_needs() -> None:
    """Path data may run together, as in ``M-110-410``; Firefox takes no ``viewBox`` like that."""
    sprites = [
        (STATIC / find_sprite_name(name)).read_text(encoding="utf-8")
        for name in sprite.load_generated()["sprites"]
    ]
    for svg in (draw_board(board_picture()), *sprites):
        boxes = re.findall(r'viewBox="([^"]*)"', svg)
        boxes += re.findall(r"(?:translate|scale|rotate)\(([^)]*)\)", svg)
        assert boxes
        for numbers in boxes:
            assert [float(number) for number in numbers.split(" ")], numbers
