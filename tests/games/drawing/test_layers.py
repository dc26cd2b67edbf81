"""Tests of the layers over a board for inspection."""

import re
from dataclasses import replace

import pytest

from games.drawing.board import BoardPicture, Figure, LaidTile, Outline, draw_board
from games.drawing.layers import (
    TEXTURES,
    Area,
    SegmentShape,
    SpaceNumber,
    draw_dead_spaces,
    draw_features,
    draw_fields,
    draw_layer,
    draw_lit_feature,
    draw_recent_moves,
    draw_spaces,
)
from games.drawing.palette import SEATS
from games.drawing.sprite import segment_symbol
from games.rules.tiles import FIELD, GARDEN, get_tile
from tests.html import Page

ROAD = (SegmentShape("base.U", 0, 0, 0, 0), SegmentShape("base.U", 0, 1, 0, 180))


def picture(*meeples: Figure) -> BoardPicture:
    laid = (LaidTile("base.U", 0, 0, 0), LaidTile("base.U", 1, 0, 180))
    return BoardPicture(laid=laid, meeples=meeples, sprite="s.svg", window=(-1, -1, 3, 2))


def test_a_sheet_lies_on_the_window_of_the_board_and_is_hidden_when_empty() -> None:
    assert 'viewBox="-100 -100 400 300"' in draw_layer("lit", picture(), "<g/>")
    assert draw_layer("lit", picture(), "", attributes={"hx-target": "#facts"}) == (
        '<svg id="lit" hidden hx-target="#facts"></svg>'
    )


def test_a_feature_is_a_link_with_all_its_segments_and_room_for_a_finger_along_roads() -> None:
    area = Area(ROAD, (1,), "/there/?a=1&b", 'Road of "2" tiles')
    drawn = draw_features([area], [], picture(), by_keyboard=False)
    assert drawn.count("<use ") == drawn.count('class="way"') == 2
    assert 'class="light seat1"' in drawn and 'transform="translate(100 0)rotate(180 50 50)"' in drawn
    assert 'href="/there/?a=1&amp;b"' in drawn and 'aria-label="Road of &quot;2&quot; tiles"' in drawn


def test_what_is_shared_is_striped_and_what_is_nobody_s_is_pale() -> None:
    shared = draw_features([Area(ROAD, (0, 2))], [], picture(), by_keyboard=False)
    assert 'id="shared-0-2-0"' in shared and 'fill="url(#shared-0-2-180)"' in shared
    assert 'class="light nobody"' in draw_features([Area(ROAD)], [], picture(), by_keyboard=False)


@pytest.mark.parametrize("owners", [2, 3, 4, 5, 6])
def test_stripes_meet_again_from_tile_to_tile(owners: int) -> None:
    drawn = draw_features([Area(ROAD, tuple(range(owners)))], [], picture(), by_keyboard=False)
    scale = re.search(r'width="(\d+)" height="20"[^>]*rotate\(45\)scale\(([\d.]+)\)"', drawn)
    assert scale is not None
    slant = 100 / 2**0.5  # from tile to tile, across the stripes
    repeats = slant / (int(scale[1]) * float(scale[2]))
    assert repeats == pytest.approx(round(repeats), abs=0.001)


def test_whoever_stands_on_what_is_lit_stays_in_sight() -> None:
    on_it = Figure(0, "follower", 1, 0, "road", "W", title="Anna")
    beside = Figure(1, "follower", 1, 0, "field", "NNE", title="Bruno")
    lit = draw_lit_feature(Area(ROAD, (0,)), picture(on_it, beside))
    assert "Anna" in lit and "Bruno" not in lit


def test_whoever_stands_on_the_board_stays_in_sight_above_the_fields() -> None:
    farmer = Figure(0, "follower", 1, 0, "field", "NNE", title="Anna")
    beside = Figure(1, "follower", 1, 0, "road", "W", title="Bruno")
    fields = draw_fields([Area((SegmentShape("base.U", 1, 0, 0, 0),), (0,))], picture(farmer, beside))
    assert "Anna" in fields and "Bruno" in fields
    wide = BoardPicture(laid=tuple(LaidTile("base.U", x, 0, 0) for x in range(20)), window=(-1, -1, 21, 2))
    assert re.search(r'^<svg [^>]*class="board wide"', draw_board(wide))
    assert 'class="board layer wide shown"' in draw_layer("shown", wide, fields, css="shown"), (
        "figures as large"
    )


def test_fields_of_one_owner_are_cut_out_of_one_pattern() -> None:
    north = SegmentShape("base.U", 1, 0, 0, 0), SegmentShape("base.U", 1, 1, 0, 180)
    areas = [Area(north[:1], (0,)), Area(north[1:], (0,)), Area(ROAD[:1])]
    drawn = draw_fields(areas, picture())
    assert drawn.count("<mask ") == drawn.count("<pattern ") == 1
    assert drawn.count("<use ") == 2


def test_gardens_are_no_part_of_the_field_round_them() -> None:
    tile = "base.Eg"
    lies = get_tile(tile).at(0).lies
    field, garden = (next(lie.index for lie in lies if lie.kind == kind) for kind in (FIELD, GARDEN))
    laid = BoardPicture(laid=(LaidTile(tile, 0, 0, 0),), window=(-1, -1, 2, 2))
    drawn = Page(draw_fields([Area((SegmentShape(tile, field, 0, 0, 0),), (0,))], laid))
    white, black = (one["fill"] for one in drawn.all("mask > g"))
    assert (white, black) == ("#fff", "#000")
    symbols = [one["href"].rpartition("#")[2] for one in drawn.all("mask use")]
    assert symbols == [segment_symbol(tile, field), segment_symbol(tile, garden)]


def test_what_lately_happened_is_drawn_by_itself() -> None:
    shown = replace(picture(), outlines=(Outline(1, 0, 0, text="2"),))
    drawn = Page(draw_recent_moves(shown))
    assert drawn.texts(".last text") == ["2"] and not drawn.has(".meeples")


def test_every_seat_has_a_texture_of_its_own() -> None:
    assert len(set(TEXTURES)) == len(TEXTURES) == len(SEATS)


def test_spaces_have_numbers_and_dead_ones_a_cross() -> None:
    drawn = draw_spaces([SpaceNumber(2, 0, "/a/", "a", "7"), SpaceNumber(-1, 0, "/b/", "b", dead=True)])
    assert ">7</text>" in drawn and 'class="space none"' in drawn
    assert draw_dead_spaces([(-1, 0)]) == '<path class="dead" d="M-64 36l28 28m0-28l-28 28"/>'
    assert draw_dead_spaces([]) == ""
