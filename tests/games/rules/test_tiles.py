"""Tests of the base tiles against the rules (BASE-2, BASE-3)."""

import re
from collections import Counter
from dataclasses import FrozenInstanceError

import pytest

from games.rules import RuleSet, get_tile
from games.rules.geometry import PORTS, ROTATIONS, get_cell, get_coordinates, get_opposite_place, rotate_side
from games.rules.tiles import load_tile_set
from tests.cases import for_each

TABLE = """
    A 2 ffrf  B 4 ffff  C 1 cccc  D 4 crfr  E 5 cfff  F 2 fcfc  G 1 fcfc  H 3 cfcf
    I 2 cffc  J 3 crrf  K 3 cfrr  L 3 crrr  M 2 cffc  N 3 cffc  O 2 crrc  P 3 crrc
    Q 1 ccfc  R 3 ccfc  S 2 ccrc  T 1 ccrc  U 8 frfr  V 9 ffrr  W 4 frrr  X 1 rrrr
"""
ROWS = [(letter, int(count), sides) for letter, count, sides in re.findall(r"(\w) (\d) (\w{4})", TABLE)]


@for_each(("letter", "count", "sides"), ROWS)
def test_copies_and_sides(letter, count, sides):
    assert RuleSet.of().composition[f"base.{letter}"] == count
    assert get_tile(f"base.{letter}").sides == sides


@pytest.mark.parametrize("edition", ["C1", "C2", "J20", "C3"])
def test_every_edition_has_72_tiles_with_the_same_letters(edition):
    copies = RuleSet.of(edition=edition).composition
    letters = Counter()
    for id, count in copies.items():
        letters[id.removeprefix("base.").removesuffix("g")] += count
    assert letters == {letter: count for letter, count, _ in ROWS}
    assert sum(copies.values()) == 72
    gardens = sorted(id for id in copies if id.endswith("g"))
    assert gardens == ([] if edition == "C1" else [f"base.{letter}g" for letter in "EHIMNRUV"])
    assert all(copies[id] == 1 for id in gardens)


def test_nobody_can_change_a_tile():
    """One is shared by all games of a process."""
    this = get_tile("base.D")
    for value in (this, this.segments[0], this.at(90).lies[0]):
        for name in type(value).__slots__:
            with pytest.raises(FrozenInstanceError):
                setattr(value, name, None)


def test_the_bag_holds_all_but_the_start_tile():
    """BASE-4."""
    rules = RuleSet.of()
    (bag,) = rules.bag
    assert sum(bag.values()) == 71
    assert bag["base.D"] == 3
    assert [(one.id, x, y) for one, x, y in rules.start] == [("base.D", 0, 0)]


@for_each("id", [tile.id for tile in load_tile_set("base").tiles])
def test_every_port_of_a_tile_belongs_to_one_segment_that_fits_its_side(id):
    one = get_tile(id)
    ports = Counter(port for segment in one.segments for port in segment.ports)
    for side, kind in enumerate(one.sides):
        halves = [3 * side, 3 * side + 2]
        middle = 3 * side + 1
        assert ports[middle] == (kind in "cr")
        assert [ports[half] for half in halves] == ([0, 0] if kind == "c" else [1, 1])
    for segment in one.segments:
        assert all(one.segments[index].kind == "city" for index in segment.touches)


@for_each("id", [tile.id for tile in load_tile_set("base").tiles])
def test_four_quarter_turns_are_none(id):
    one = get_tile(id)
    for rotation in ROTATIONS:
        turned = one.at(rotation)
        assert turned.sides == "".join(one.sides[(side - rotation // 90) % 4] for side in range(4))
        for segment, lie in zip(one.segments, turned.lies, strict=True):
            assert {PORTS[rotate_side(port, rotation // 90)] for port in segment.ports} == set(lie.sides)
    for segment in one.segments:
        assert tuple(rotate_side(port, 4) for port in segment.ports) == segment.ports


def test_mates_touch_each_other():
    for port in range(12):
        assert get_opposite_place(get_opposite_place(port)) == port
        assert (port // 3 + 2) % 4 == get_opposite_place(port) // 3


def test_a_cell_is_a_position():
    for x in range(-40, 41, 8):
        for y in range(-40, 41, 8):
            assert get_coordinates(get_cell(x, y)) == (x, y)
