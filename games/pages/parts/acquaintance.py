"""What one should know of people with whom one plays: how strong they are, how they keep time, and whether
they are away.

Where the players were read with their ``personal_time``, nothing here asks a query but one for the strengths
of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.models import Player
from games.access import Visitor
from games.models import Game
from games.play.timing import EMERGENCY
from games.selectors import holidays, reliability
from games.selectors.strength import UNKNOWN, Standing, Strength, expected, standings
from games.words import holidays as words


class Rating(NamedTuple):
    """How strong somebody is, and at which tables; empty where the page says so anyhow."""

    strength: Strength
    tables: str = ""


class Acquaintance(NamedTuple):
    """A player in a few words, each of them empty where there is nothing to say."""

    reliability: str = ""
    usual_time: str = ""
    away: str = ""
    share: int | None = None  # of turns in time, in hundredths
    ratings: tuple[Rating, ...] = ()

    @property
    def habits(self) -> list[str]:
        """How they keep time."""
        return [said for said in (self.reliability, self.usual_time) if said]


def acquaintance(player: Player | None, now: datetime, ratings: tuple[Rating, ...] = ()) -> Acquaintance:
    """What there is to know of *player*, whose *ratings* somebody has asked; nothing of nobody."""
    if player is None:
        return Acquaintance()
    known = reliability.known(player)
    return Acquaintance(
        words.reliability(known), words.usual_time(known), away(player, now), known.per_cent, ratings
    )


def acquaintances(*lists: Iterable[Player], now: datetime) -> list[list[tuple[Player, Acquaintance]]]:
    """The *lists* of a page, each player with what there is to know of them, at tables of any size."""
    shown = [list(players) for players in lists]
    known = standings([player for players in shown for player in players], now)
    return [
        [
            (player, acquaintance(player, now, _everywhere(known.get(player.pk, UNKNOWN))))
            for player in players
        ]
        for players in shown
    ]


def acquaintances_at_tables(people: Sequence[tuple[Player | None, int]], now: datetime) -> list[Acquaintance]:
    """What there is to know of *people*, each of whom is asked about for a table of so many seats."""
    known = standings([player for player, _seats in people], now)
    return [
        acquaintance(player, now, _at(known.get(player.pk, UNKNOWN) if player else UNKNOWN, seats))
        for player, seats in people
    ]


def prospect(visitor: Visitor, game: Game, people: Sequence[Player | None], now: datetime) -> str:
    """What *visitor* may expect of the rated *game* that *people* wait for, by the ratings; empty where that
    can't be said."""
    if not visitor.is_authenticated or not game.rated:
        return ""
    chance = expected(visitor, people, game.places, now)
    if chance is None:
        return ""
    if game.places == 2:
        return _("Your chance of winning: {n}%").format(n=round(100 * chance))
    said = _("Your chance of beating this player: {n}%")
    return said.format(n=round(100 * chance))


def _everywhere(standing: Standing) -> tuple[Rating, ...]:
    both = ((standing.duel, _("in two-player games")), (standing.table, _("in games for three or more")))
    return tuple(Rating(strength, tables) for strength, tables in both if strength)


def _at(standing: Standing, seats: int) -> tuple[Rating, ...]:
    strength = standing.at(seats)
    return (Rating(strength),) if strength else ()


def away(player: Player, now: datetime) -> str:
    """That *player* is away, or will be; empty for who isn't."""
    time = holidays.away(player, now)
    if time is None:
        return ""
    if time.kind == EMERGENCY:
        return words.in_emergency(time.end, now)
    return words.on_holiday(time.begin, time.end, now)
