"""Look-ups of formats and contenders.

Formats stand above the rows, steps and words that ask them. So nobody imports them: they are found by being
in ``leagues/formats/``, as expansions are.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from core.lost_choices import LostChoice

if TYPE_CHECKING:
    from leagues.formats.base import Format
    from leagues.formats.contenders import Contenders


@cache
def list_formats() -> tuple[Format, ...]:
    """Return all formats."""
    formats: tuple[Format, ...] = import_module("leagues.formats").FORMATS
    return formats


@cache
def find_format(schedule: str, seats: int, kind: str | None = None) -> Format:
    """Return the format of the first divisions of a season with this *schedule* and so many *seats* at a
    table, or of its divisions of this *kind*: after groups there is a knock-out.

    :raises LostChoice: this release doesn't know the schedule
    """
    first = next((each for each in list_formats() if each.plays(schedule, seats)), None)
    if first is None:
        raise LostChoice(schedule)
    if kind is None or first.kind == kind:
        return first
    return next(each for each in list_formats() if each.kind == kind)


@cache
def find_contenders(*, in_teams: bool) -> Contenders:
    """Return the contenders of a season: teams or single players."""
    module: Any = import_module("leagues.formats.contenders")
    contenders: Contenders = module.TEAMS if in_teams else module.PLAYERS
    return contenders
