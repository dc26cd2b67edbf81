"""The colours of the map by day and by night, and the six seats."""

from __future__ import annotations

import re
from dataclasses import dataclass

GRASS = "#a0bd6b"
GRASS_LIGHT, GRASS_DEEP = "#abc777", "#97b462"
GRASS_DARK = "#86a354"
TREE_DARK, TREE, TREE_LIGHT, TREE_SHADE = "#3f5f30", "#638a45", "#7fa557", "#829d54"
CITY, CITY_LIGHT, CITY_DARK = "#e6c690", "#eed3a3", "#c9a067"
STONE, STONE_FACE, STONE_DARK, INK = "#e9e0cf", "#b3a58e", "#6d6152", "#4a3d31"
ROAD, ROAD_RIM, ROAD_TRACK = "#f3e7c9", "#94754c", "#dfcda3"
PLAZA = "#e2cfa4"
ROOF, ROOF_DARK, ROOF_BLUE, ROOF_BLUE_DARK = "#bd5238", "#8f3a29", "#6d7f97", "#4f6078"
PLASTER, PLASTER_DARK = "#fbf1dc", "#e2cda7"
WATER, WATER_LIGHT, BANK = "#7fb2c9", "#a5cddc", "#5b8aa0"
SHIELD, SHIELD_TRIM = "#2f5fa8", "#f7ecd2"
SHRINE, SHRINE_DARK = "#7d4f9a", "#5d3878"
CLOISTER, CLOISTER_RIM = "#cfd49a", "#7c9150"
FLOWER = ("#d9577a", "#f6d34f", "#fbf6ec")
PINE, PINE_LIGHT, PINE_DARK = "#4f7a4a", "#6f9a5c", "#35532f"
CORN, CORN_ROW, PLOUGH = "#d9c872", "#9c8549", "#bfa56d"
LEAF = "#8fb05a"
WOOL, BLOSSOM = "#fbf7ea", "#f6efd6"
WINDOW = "#4a3d32"
"""Windows and doors: dark by day, lit by night."""
PRECINCT, PRECINCT_RIM = "#d9c79a", "#b39a66"
FLOORS = ("#cdc3b8", "#eed9a0", "#c9a58a", "#ccd3a0")
"""Floors of the quarters of Carcassonne."""

NIGHT = {
    GRASS: ("grass", "#3c5649"),
    GRASS_LIGHT: ("meadow", "#456250"),
    GRASS_DEEP: ("dip", "#365044"),
    GRASS_DARK: ("tuft", "#2d443a"),
    TREE_SHADE: ("shade", "#2b4038"),
    TREE_DARK: ("tree-rim", "#192d24"),
    TREE: ("tree", "#315846"),
    TREE_LIGHT: ("tree-top", "#4b7a61"),
    PINE: ("pine", "#284a3f"),
    PINE_LIGHT: ("pine-top", "#3f6c59"),
    PINE_DARK: ("pine-rim", "#14251f"),
    CORN: ("corn", "#71703f"),
    CORN_ROW: ("row", "#4a4a30"),
    PLOUGH: ("plough", "#5d5540"),
    LEAF: ("leaf", "#40614a"),
    WOOL: ("wool", "#c3c6c4"),
    BLOSSOM: ("blossom", "#a3ab98"),
    CITY: ("city", "#8a6848"),
    CITY_LIGHT: ("street", "#a98354"),
    CITY_DARK: ("cobble", "#6c4f38"),
    STONE: ("stone", "#b7b5b6"),
    STONE_FACE: ("face", "#77757e"),
    STONE_DARK: ("merlon", "#4b4850"),
    ROAD: ("road", "#c0b093"),
    ROAD_RIM: ("road-rim", "#4a3d31"),
    ROAD_TRACK: ("track", "#a08f74"),
    PLAZA: ("plaza", "#a58d68"),
    ROOF: ("roof", "#96473a"),
    ROOF_DARK: ("roof-shade", "#6b322b"),
    ROOF_BLUE: ("slate", "#50617c"),
    ROOF_BLUE_DARK: ("slate-shade", "#3b4961"),
    PLASTER: ("plaster", "#d2bf9d"),
    PLASTER_DARK: ("plaster-shade", "#9b8668"),
    WINDOW: ("window", "#ffe08a"),
    WATER: ("water", "#33658a"),
    WATER_LIGHT: ("ripple", "#6098b8"),
    BANK: ("bank", "#213d55"),
    CLOISTER: ("close", "#5f7457"),
    CLOISTER_RIM: ("close-rim", "#2f4636"),
    PRECINCT: ("precinct", "#857a63"),
    PRECINCT_RIM: ("precinct-rim", "#5a503f"),
    FLOORS[0]: ("castle", "#716d78"),
    FLOORS[1]: ("market", "#97805a"),
    FLOORS[2]: ("blacksmith", "#785e50"),
    FLOORS[3]: ("cathedral", "#62714f"),
}
"""Custom property, without ``--map-``, that a page may set for each colour of the map, and its value in the
dark scheme. Colours that inform players, such as those of shields, goods and meeples, stay as bright."""

_COLOUR = re.compile(r'"(#[0-9a-f]{6})"')
_VARIABLE = re.compile(r"var\(--map-[a-z-]+,(#[0-9a-f]{6})\)")


def variable(svg: str) -> str:
    """*svg* with its colours as custom properties, which also apply in files that a page refers to."""

    def open_(match: re.Match[str]) -> str:
        colour = match[1]
        return f'"var(--map-{NIGHT[colour][0]},{colour})"' if colour in NIGHT else match[0]

    return _COLOUR.sub(open_, svg)


def plain(svg: str) -> str:
    """Return *svg* without the custom properties of ``variable``."""
    return _VARIABLE.sub(r"\1", svg)


@dataclass(frozen=True, slots=True)
class SeatLook:
    """The look of one seat's figures. The emblem tells seats apart where colours don't."""

    name: str  # an English word; what shows it to people translates it
    colour: str
    ink: str  # for the emblem on the colour
    emblem: str


SEATS = (
    SeatLook("blue", "#2a6bd1", "#ffffff", "cross"),
    SeatLook("red", "#d5402c", "#ffffff", "chevron"),
    SeatLook("yellow", "#f6c61c", "#3a2d00", "dot"),
    SeatLook("black", "#2c2c31", "#ffffff", "ring"),
    SeatLook("white", "#f7f3ea", "#57503f", "stripe"),
    SeatLook("pink", "#d873bd", "#40102f", "diamond"),
)
"""Colours of seats, by index."""
