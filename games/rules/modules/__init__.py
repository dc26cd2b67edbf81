"""The expansions, one module each, by the name of their set; the house rules; and where expansions meet."""

from __future__ import annotations

from collections.abc import Mapping

from ..module import Module
from .abbot import Abbot
from .cult import Cult
from .inns_and_cathedrals import InnsAndCathedrals
from .king_and_robber import KingAndRobber
from .river import BothRivers, River1, River2

EXPANSIONS: tuple[Module, ...] = (Abbot(), Cult(), InnsAndCathedrals(), KingAndRobber(), River1(), River2())

MODULES: Mapping[str, Module] = {module.name: module for module in EXPANSIONS}

HOUSE_RULES: tuple[Module, ...] = ()
"""In every game; each plays only with an option that asks for it."""

MEETINGS: tuple[Module, ...] = (BothRivers(),)
"""In play where all sets are that meet."""
