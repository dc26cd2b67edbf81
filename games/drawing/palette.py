"""The colours of the map, and the six seats."""

from __future__ import annotations

from dataclasses import dataclass

GRASS = "#a9c272"
GRASS_LIGHT = "#b4cb7f"
GRASS_DARK = "#8fac5b"
TREE_DARK, TREE, TREE_LIGHT, TREE_SHADE = "#3f5f30", "#638a45", "#7fa557", "#8ca45c"
CITY, CITY_LIGHT, CITY_DARK = "#dcb67f", "#e6c595", "#c49a61"
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


@dataclass(frozen=True, slots=True)
class Look:
    """How the figures of one seat look. The emblem tells seats apart where colours don't."""

    name: str  # an English word; what shows it to people translates it
    colour: str
    dark: str  # for outlines and text on a light ground
    ink: str  # for the emblem on the colour
    emblem: str


SEATS = (
    Look("blue", "#2a6bd1", "#17489a", "#ffffff", "cross"),
    Look("red", "#d5402c", "#9c2416", "#ffffff", "chevron"),
    Look("yellow", "#f6c61c", "#8a6500", "#3a2d00", "dot"),
    Look("black", "#2c2c31", "#1a1a1d", "#ffffff", "ring"),
    Look("white", "#f7f3ea", "#6b6457", "#57503f", "stripe"),
    Look("pink", "#d873bd", "#8f3a76", "#40102f", "diamond"),
)
"""By the index of a seat's colour."""
