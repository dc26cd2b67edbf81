"""Tests of the sprite: up to date, complete, small, and free of what browsers may refuse."""

from __future__ import annotations

import gzip
import re
import xml.etree.ElementTree as ET

import pytest
from PIL import ImageColor

from games.drawing import palette, sprite
from games.drawing.board import find_set_pictures
from games.drawing.decor import variants
from games.drawing.figures import SYMBOLS, get_figure_symbol
from games.drawing.picture import STATIC
from games.rules.ruleset import EXPANSIONS
from games.rules.tiles import list_sets_with_tiles, load_tile_set


@pytest.fixture(scope="module")
def built() -> dict[str, str]:
    return {name: sprite.build(name) for name in list_sets_with_tiles()}


def names(svg: str) -> list[str]:
    return re.findall(r'id="([^"]+)"', svg)


def test_written_sprites_are_what_the_code_draws(built: dict[str, str]) -> None:
    data = sprite.generated_data(built)
    assert sprite.load_generated() == data, "run `python manage.py sprite`"
    for name, svg in built.items():
        assert (STATIC / data["sprites"][name]).read_text(encoding="utf-8") == svg, name


def test_only_one_sprite_of_each_set_is_kept_and_one_of_their_pictures() -> None:
    kept = {f"games/{path.name}" for path in (STATIC / "games").glob("*.svg")}
    data = sprite.load_generated()
    assert kept == {*data["sprites"].values(), *data["pictures"].values()}


def test_every_set_has_a_picture_of_its_own() -> None:
    svg = sprite.build_pictures()
    drawn = dict(re.findall(r'<g id="([\w-]+)">(.*?)</g>(?=<g id|</defs)', svg))
    for name in ("base", *EXPANSIONS):
        assert [other for other in drawn if drawn[other] == drawn[name]] == [name]
    assert (STATIC / find_set_pictures()).read_text(encoding="utf-8") == svg
    assert len(gzip.compress(svg.encode(), 9)) < 10_000


def test_name_changes_with_the_content(built: dict[str, str]) -> None:
    svg = built["cult"]
    assert sprite.file_name("cult", svg) != sprite.file_name("cult", svg.replace("M0 0", "M0 1", 1))


def test_every_tile_has_a_symbol_in_each_rotation_and_for_each_segment(built: dict[str, str]) -> None:
    for name, svg in built.items():
        symbols = names(svg)
        assert len(symbols) == len(set(symbols))
        for tile in load_tile_set(name).tiles:
            for rotation in sprite.rotations(tile):
                assert sprite.build_symbol_name(tile.id, rotation) in symbols
                for copy in range(variants(tile)):
                    assert sprite.decor_symbol(tile.id, rotation, copy) in symbols
            for segment in tile.segments:
                if segment.kind != "river":
                    assert sprite.segment_symbol(tile.id, segment.index) in symbols


def test_meeples_are_in_the_base_sprite_and_tokens_in_those_of_their_sets(built: dict[str, str]) -> None:
    assert {get_figure_symbol(seat, meeple, "field") for seat in range(6) for meeple in SYMBOLS} <= set(
        names(built["base"])
    )
    assert {"count", "carcassonne", "quarter-castle"} <= set(names(built["count"]))
    assert "gingerbread" in names(built["winter"])
    assert {"king", "robber"} <= set(names(built["king-and-robber"]))
    assert {"wine", "grain", "cloth"} <= set(names(built["traders-and-builders"]))


def test_sprites_are_xml_and_refer_to_nothing_outside_themselves(built: dict[str, str]) -> None:
    for svg in built.values():
        root = ET.fromstring(svg)
        known = {element.get("id") for element in root.iter()}
        used = {href for element in root.iter() if (href := element.get("href"))}
        assert used and {name.removeprefix("#") for name in used} <= known
        for unsafe in ("url(", "<style", "style=", "class="):
            assert unsafe not in svg


def test_what_several_sprites_hold_is_the_same_in_each(built: dict[str, str]) -> None:
    """Mails take symbols from all of them together."""
    seen: dict[str, str] = {}
    for svg in built.values():
        for name, drawn in re.findall(r'<g id="([a-z_-]+)">(.*?)</g>(?=<g id|<path id|</defs)', svg):
            assert seen.setdefault(name, drawn) == drawn, name


def test_sprites_stay_light(built: dict[str, str]) -> None:
    for name, svg in built.items():
        tiles = len(load_tile_set(name).tiles)
        assert len(gzip.compress(svg.encode(), 9)) < 1000 + 2000 * tiles, name


def test_copies_of_a_tile_differ_and_rotations_too(built: dict[str, str]) -> None:
    symbols = dict(re.findall(r'<g id="(V\d[ab])">(.*?)</g>(?=<g id|<path id|</defs)', built["base"]))
    assert len(symbols) == 8 and len(set(symbols.values())) == 8


def test_buildings_and_shields_stand_upright_in_every_rotation(built: dict[str, str]) -> None:
    """They are used as drawn: no tile turns or mirrors them."""
    for svg in built.values():
        uses = re.findall(r"<use [^>]*>", svg)
        assert uses and not any("transform" in use for use in uses)
    for rotation in range(4):
        symbol = re.search(rf'<g id="M{rotation}">(.*?)</g><g id="M{rotation}a">', built["base"])
        assert symbol and symbol[1].count('href="#shield"') == 1
        church = re.search(rf'<g id="A{rotation}">(.*?)</g><g id="A{rotation}a">', built["base"])
        assert church and 'href="#monastery"' in church[1]


def test_style_sheet_gives_every_colour_of_the_night(built: dict[str, str]) -> None:
    night = (STATIC / "css" / "night.css").read_text(encoding="utf-8")
    set_ = dict(re.findall(r"--map-([a-z-]+): (#[0-9a-f]{6})", night))
    assert set_ == dict(palette.NIGHT.values())
    used = {name for svg in built.values() for name in re.findall(r"var\(--map-([a-z-]+),", svg)}
    assert used == set(set_)


def test_on_paper_fields_are_paler_than_by_day_and_nothing_else_changes() -> None:
    css = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
    paper = dict(re.findall(r"--map-([a-z-]+): #([0-9a-f]{6})", css.partition("@media print")[2]))
    day = {name: colour[1:] for colour, (name, _night) in palette.NIGHT.items()}
    assert set(paper) == {"grass", "meadow", "dip", "tuft", "shade", "corn", "plough", "leaf", "close"}
    for name, colour in paper.items():
        assert sum(bytes.fromhex(colour)) > sum(bytes.fromhex(day[name])), name


def test_colours_of_the_day_stand_in_the_sprite_itself() -> None:
    drawn = f'<path fill="{palette.GRASS}" stroke="{palette.INK}"/>'
    open_ = palette.variable(drawn)
    assert open_ == f'<path fill="var(--map-grass,{palette.GRASS})" stroke="{palette.INK}"/>'
    assert palette.plain(open_) == drawn


def test_meeples_and_signs_keep_their_colours_at_night(built: dict[str, str]) -> None:
    for name in ("m0", "m5", "shield"):
        symbol = re.search(rf'<g id="{name}">(.*?)</g>(?=<g id|<path id)', built["base"])
        assert symbol and "var(" not in symbol[1]


def test_city_and_field_differ_in_lightness_too() -> None:
    """For eyes that see little difference between tan and green, and on paper in black and white."""
    css = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
    paper = dict(re.findall(r"--map-([a-z-]+): (#[0-9a-f]{6})", css.partition("@media print")[2]))
    night = dict(palette.NIGHT.values())
    day = (palette.GRASS, palette.CITY)
    for field, city in (day, (night["grass"], night["city"]), (paper["grass"], palette.CITY)):
        assert abs(grey(field) - grey(city)) >= 20
    assert grey(paper["grass"]) > grey(palette.GRASS)  # it saves ink


def grey(colour: str) -> float:
    """The brightness of *colour* in greyscale, up to 255."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return 0.299 * red + 0.587 * green + 0.114 * blue
