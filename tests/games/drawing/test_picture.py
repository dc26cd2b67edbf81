"""Tests of boards as PNG: correct, small and quick."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

from PIL import Image, ImageChops, ImageColor, ImageStat

from games.drawing import colours
from games.drawing.board import BoardPicture, CandidateSpot, CandidateTile, Figure, Label, LaidTile, Outline
from games.drawing.palette import GRASS, SEATS
from games.drawing.picture import (
    EDGE,
    build_board_image,
    choose_close_up,
    encode_png,
    render_board_png,
    render_standalone_svg,
    render_svg,
    render_tile_png,
)
from games.drawing.spots import spot_point
from tests.cases import count_calls

from .boards import board_picture
from .picture_helpers import count_changed_pixels, open_picture

START = (LaidTile("base.D", 0, 0, 0),)


def near(pixel: tuple[int, ...], colour: str, slack: int = 24) -> bool:
    return all(abs(a - b) <= slack for a, b in zip(pixel, ImageColor.getrgb(colour), strict=True))


def count(image: Image.Image, colour: str) -> int:
    return sum(many for many, pixel in image.getcolors(image.width * image.height) if near(pixel, colour))


def test_hundred_tiles_at_1200_pixels_are_small_and_take_few_calls() -> None:
    first = board_picture(72, meeples=20, marks=0)
    right = max(tile.x for tile in first.laid) - min(tile.x for tile in first.laid) + 1
    more = tuple(replace(tile, x=tile.x + right) for tile in first.laid[:28])
    picture = replace(first, laid=first.laid + more)
    render_board_png(picture, width=1200)  # renders each tile once
    data = b""

    def render() -> None:
        nonlocal data
        data = render_board_png(picture, width=1200)

    assert count_calls(render) < 12_000
    assert open_picture(data).width == 1200
    assert len(data) <= 300_000


def test_meeples_stand_on_their_spots_in_their_colours() -> None:
    for seat, look in enumerate(SEATS):
        plain = BoardPicture(START)
        taken = replace(plain, meeples=(Figure(seat, "follower", 0, 0, "city", "N"),))
        image = open_picture(render_board_png(taken, width=400, margin=0))
        x, y = spot_point("base.D", 0, "city", "N")
        around = image.crop((4 * x - 40, 4 * y - 40, 4 * x + 40, 4 * y + 40))
        before = open_picture(render_board_png(plain, width=400, margin=0)).crop(
            (4 * x - 40, 4 * y - 40, 4 * x + 40, 4 * y + 40)
        )
        assert count(around, look.colour) > count(before, look.colour) + 800


def test_text_is_inked_from_the_font_that_we_ship() -> None:
    """A font that is not found drops the text without an error."""
    plain = render_board_png(BoardPicture(START, labels=(Label(0, 1, ""),)), width=300)
    for text in ("12", "Ð", "Ж", "ř"):
        labelled = render_board_png(BoardPicture(START, labels=(Label(0, 1, text),)), width=300)
        assert count_changed_pixels(plain, labelled) > 150, text


def test_a_window_shows_its_part_of_a_board_as_large_as_there_is_room() -> None:
    row = BoardPicture(tuple(LaidTile("base.D", x, 0, 0) for x in range(12)))
    window = choose_close_up(row, [(0, 0, 1), (9, 0, 0), (11, 0, 1)])
    assert window == (7, 0, 12, 1), "the first placement lies too far away"
    close_up = open_picture(render_board_png(row, width=500, margin=0, window=window))
    assert close_up.size == (500, 100)
    whole = open_picture(render_board_png(row, width=1200, margin=0))
    assert ImageChops.difference(close_up, whole.crop((700, 0, 1200, 100))).getbbox() is None
    assert choose_close_up(row, []) is None, "nothing has happened"
    assert choose_close_up(replace(row, laid=row.laid[:11]), [(0, 0, 1)]) is None, "it can be read as it is"


def test_last_moves_are_outlined_in_the_movers_colour() -> None:
    image = open_picture(
        render_board_png(BoardPicture(START, outlines=(Outline(0, 0, 5),)), width=300, margin=0)
    )
    assert count(image, SEATS[5].colour) > 1500


def test_several_last_moves_are_numbered() -> None:
    plain, first, tenth = (
        render_board_png(BoardPicture(START, outlines=(Outline(0, 0, 5, text=text),)), width=300, margin=0)
        for text in ("", "1", "10")
    )
    assert count_changed_pixels(plain, first) > 400
    assert count_changed_pixels(first, tenth) > 50


def test_few_tiles_come_out_no_wider_than_they_may() -> None:
    image = open_picture(render_board_png(BoardPicture(START), width=900, largest=140))
    assert image.size == (900, round(1.7 * 140))


def test_tile_in_hand_shows_where_a_meeple_may_go() -> None:
    spots = (CandidateSpot("city", "N", "", "", text="1"), CandidateSpot("field", "ENE", "", "", text="2"))
    plain = render_tile_png("base.E", 0, width=160)
    marked = render_tile_png(
        "base.E", 0, width=160, candidate=CandidateTile("base.E", 0, 0, 0, seat=0, spots=spots)
    )
    assert count_changed_pixels(plain, marked) > 800


def test_tiles_join_without_gaps() -> None:
    row = tuple(LaidTile("base.B", x, 0, 0) for x in range(7))
    image = open_picture(render_board_png(BoardPicture(row), width=1000, margin=0.35))
    cell = int(1000 / 7.7)
    left = (1000 - 7 * cell) // 2
    y = round(0.35 * cell) + 3
    assert all(near(image.getpixel((x, y)), GRASS) for x in range(left, left + 7 * cell))


def test_a_table_with_edges_shows_them() -> None:
    """HR-10."""
    limited = BoardPicture(START, room=(-1, 2, 0, 1))
    assert '<rect class="room" x="-106" y="-6" width="412" height="212"/>' in render_standalone_svg(limited)
    image = open_picture(
        render_board_png(limited, width=400, margin=1.5)
    )  # 100 pixels to a cell, the tile in the middle
    assert [near(image.getpixel((x, 200)), EDGE) for x in (46, 150, 200, 354)] == [True, False, False, False]
    assert near(image.getpixel((100, 146)), EDGE)
    far = BoardPicture(START, room=(-9, 9, -9, 9))
    assert not count_changed_pixels(
        render_board_png(far, width=400), render_board_png(BoardPicture(START), width=400)
    )


def test_svg_file_needs_no_other_file() -> None:
    picture = replace(board_picture(30), title="Anna & <Bert>", description="A board")
    svg = render_standalone_svg(picture)
    root = ET.fromstring(svg)
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Anna & <Bert>"
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'href="([^"]*)"', svg))
    assert used == {f"#{name}" for name in ids}
    assert not re.search(r"url\(|var\(|@import|<a |<script|static|http(?!://www.w3.org/2000/svg)", svg)


def test_svg_file_shows_the_board_and_its_meeples() -> None:
    laid = (*START, LaidTile("traders-and-builders.corner-grain", 1, 0, 0))
    meeples = (Figure(1, "follower", 0, 0, "city", "N"),)
    picture = BoardPicture(laid, meeples, outlines=(Outline(0, 0, 0),), margin=0, sprite="/static/x.svg")
    image = render_svg(render_standalone_svg(picture), 400).convert("RGB")
    assert image.size == (400, 200)
    assert count(image, GRASS) > 10_000
    assert count(image, SEATS[0].colour) > 1000
    assert count(image, SEATS[1].colour) > 200


def error(image: Image.Image, png: bytes) -> float:
    """The mean squared difference of channels between *png* and *image*."""
    squares = ImageStat.Stat(ImageChops.difference(image, open_picture(png))).sum2
    return sum(squares) / (3 * image.width * image.height)


def test_the_colours_of_pictures_suit_what_is_drawn_today() -> None:
    """They are chosen anew by ``python manage.py sprite``. Choosing them for one picture alone was worse."""
    drawn = colours.sheet()
    kept = json.loads(colours.COLOURS.read_text())
    assert len(kept) == len(set(kept)) <= colours.MOST and set(colours.EXACT) <= set(kept)
    alone = io.BytesIO()
    drawn.quantize(128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(alone, "PNG")
    assert error(drawn, encode_png(drawn)) < error(drawn, alone.getvalue())


def test_what_tells_players_apart_keeps_its_colour() -> None:
    for colour in colours.EXACT:
        plain = Image.new("RGB", (8, 8), colour)
        assert error(plain, encode_png(plain)) == 0, colour


def test_a_board_of_tiles_in_few_colours_looks_as_if_it_had_been_matched_as_a_whole() -> None:
    laid = tuple(LaidTile("base.D", x, y, 90 * (x % 4)) for x in range(6) for y in range(4))
    meeples = tuple(
        Figure((tile.x + tile.y) % 6, "follower", tile.x, tile.y, "city", "NESW"[tile.x % 4]) for tile in laid
    )
    outlines = tuple(Outline(x, 2, x, text=str(x)) for x in range(1, 4))
    picture = BoardPicture(laid, meeples, outlines)
    whole = build_board_image(picture, 80).convert("RGB")
    data = render_board_png(picture, width=whole.width, margin=0)
    assert count_changed_pixels(data, encode_png(whole)) < 0.001 * whole.width * whole.height
    assert error(whole, data) < 1.01 * error(whole, encode_png(whole))
