"""A visitor's ways to take part in a season."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from accounts.models import Player
from games.access import Visitor
from leagues.models import Entry, Season, Waiting
from leagues.seasons.admission import is_admitted
from leagues.seasons.joining import may_join_late
from leagues.seasons.registration import takes_newcomers
from leagues.seasons.waiting_list import is_full
from leagues.selectors.leagues import find_waiting_place
from leagues.settings import Admission


@dataclass(frozen=True, slots=True)
class Taking:
    """A visitor's ways to take part in a season."""

    season: Season
    entry: Entry | None
    register: bool
    leave: bool
    join: bool  # whether a running season can be joined
    wait: bool  # for a place in the next season, or in this one if it is full
    substitute: bool  # whether the visitor can offer to substitute
    waiting: Waiting | None
    place: int  # in the waiting list
    needs_link: bool  # whether registration requires the league's link
    token: str  # of that link
    asks: bool  # whether organisers must admit the visitor


def find_ways_to_take_part(
    season: Season, visitor: Visitor, entry: Entry | None, now: datetime, token: str = ""
) -> Taking | None:
    """Return the ways of *visitor* to take part in *season*; None for strangers, programs, and when it is
    over.

    :param entry: of *visitor* in *season*
    :param token: of the league's link, if they came by it
    """
    if not isinstance(visitor, Player) or visitor.is_bot or season.closed is not None:
        return None
    there = entry is not None and not entry.has_withdrawn
    waiting, place = (None if there else find_waiting_place(season, visitor)) or (None, 0)
    by_organisers = season.settings.admission == Admission.APPROVAL
    crowded = season.is_open and not there and (by_organisers or is_full(season))
    late = season.running and entry is None and season.settings.seats == 2 and may_join_late(season, now)
    newcomers = takes_newcomers(season, now)
    alone = not season.contenders.in_teams
    admitted = there or is_admitted(season, token)
    may_wait = alone and (admitted or by_organisers)
    register = ((season.is_open and not crowded) or newcomers) and not there and alone and admitted
    return Taking(
        season=season,
        entry=entry,
        register=register,
        leave=there and (season.is_open or season.running),
        join=late and admitted,
        wait=not (there or register or waiting) and (crowded or season.running) and may_wait,
        substitute=season.running and entry is None and may_wait and season.settings.substitutes,
        waiting=waiting,
        place=place,
        needs_link=not (admitted or by_organisers) and alone and (season.is_open or newcomers),
        token=token if admitted else "",
        asks=by_organisers and season.is_open,
    )
