"""The expansions, one module each, by the name of their set."""

from __future__ import annotations

from collections.abc import Mapping

from ..module import Module

MODULES: Mapping[str, Module] = {}
