"""The expansions, one module each, by the name of their set; the house rules; and where expansions meet."""

from __future__ import annotations

from collections.abc import Mapping

from ..module import Module
from .abbot import Abbot
from .count import BesideRiver1, BesideRiver2, Count
from .cult import Cult
from .hands import Hands
from .house_rules import BackInBag, BoardLimit, HoleBonus, StartInBag
from .inns_and_cathedrals import InnsAndCathedrals
from .king_and_robber import KingAndRobber
from .river import BothRivers, River1, River2
from .traders_and_builders import TradersAndBuilders
from .winter import Winter

EXPANSIONS: tuple[Module, ...] = (
    Abbot(),
    Count(),
    Cult(),
    InnsAndCathedrals(),
    KingAndRobber(),
    River1(),
    River2(),
    TradersAndBuilders(),
    Winter(),
)

MODULES: Mapping[str, Module] = {module.name: module for module in EXPANSIONS}

HOUSE_RULES: tuple[Module, ...] = (Hands(), StartInBag(), BackInBag(), HoleBonus(), BoardLimit())
"""In every game; each plays only with an option that asks for it."""

MEETINGS: tuple[Module, ...] = (BothRivers(), BesideRiver1(), BesideRiver2())
"""In play where all sets are that meet."""
