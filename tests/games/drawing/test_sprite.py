"""The sprite: as written, complete, small, and nothing in it that a browser may refuse."""

from __future__ import annotations

import gzip
import re
import xml.etree.ElementTree as ET

import pytest

from games.drawing import sprite
from games.drawing.decor import variants
from games.drawing.picture import STATIC
from games.rules.geometry import ROTATIONS


@pytest.fixture(scope="module")
def built() -> str:
    return sprite.build()


def test_written_sprite_is_what_the_code_draws(built: str) -> None:
    data = sprite.generated_data(built)
    assert sprite.generated() == data, "run `python manage.py sprite`"
    assert (STATIC / data["sprite"]).read_text(encoding="utf-8") == built


def test_only_one_sprite_is_kept() -> None:
    assert [path.name for path in (STATIC / "games").glob("tiles-*.svg")] == [
        sprite.generated()["sprite"][6:]
    ]


def test_name_changes_with_the_content(built: str) -> None:
    assert sprite.file_name(built) != sprite.file_name(built.replace("M0 0", "M0 1", 1))


def test_every_tile_has_a_symbol_in_each_rotation_and_for_each_segment(built: str) -> None:
    names = re.findall(r'id="([^"]+)"', built)
    assert len(names) == len(set(names))
    for tile in sprite.tiles():
        for rotation in ROTATIONS:
            assert sprite.symbol(tile.id, rotation) in names
            for copy in range(variants(tile)):
                assert sprite.decor_symbol(tile.id, rotation, copy) in names
        for segment in tile.segments:
            if segment.kind != "river":
                assert sprite.segment_symbol(tile.id, segment.index) in names


def test_sprite_is_xml_and_refers_to_nothing_outside_itself(built: str) -> None:
    root = ET.fromstring(built)
    names = {element.get("id") for element in root.iter()}
    used = {element.get("href") for element in root.iter() if element.get("href")}
    assert used and {name.removeprefix("#") for name in used} <= names
    for unsafe in ("url(", "<style", "style=", "class="):
        assert unsafe not in built


def test_sprite_stays_light(built: str) -> None:
    tiles = sum(1 for _ in sprite.tiles())
    assert len(gzip.compress(built.encode(), 9)) < 1900 * tiles


def test_copies_of_a_tile_differ_and_rotations_too(built: str) -> None:
    symbols = dict(re.findall(r'<g id="(V\d[ab])">(.*?)</g>(?=<g id|<path id|</defs)', built))
    assert len(symbols) == 8 and len(set(symbols.values())) == 8


def test_buildings_and_shields_stand_upright_in_every_rotation(built: str) -> None:
    """They are used as drawn: no tile turns or mirrors them."""
    uses = re.findall(r"<use [^>]*>", built)
    assert uses and not any("transform" in use for use in uses)
    for rotation in range(4):
        symbol = re.search(rf'<g id="M{rotation}">(.*?)</g><g id="M{rotation}a">', built)
        assert symbol and symbol[1].count('href="#shield"') == 1
        church = re.search(rf'<g id="A{rotation}">(.*?)</g><g id="A{rotation}a">', built)
        assert church and 'href="#monastery"' in church[1]
