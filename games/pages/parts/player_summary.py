"""Summaries of players: their strength, how they keep time, and whether they are away.

If the players were loaded with their ``personal_time``, the only query here is one for all their strengths.
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
from games.selectors import holidays
from games.words import holidays as words
from ratings.skill import RoundedStrength
from ratings.strengths import UNKNOWN, PlayerStrengths, compute_expected, load_standings


class PlayerRating(NamedTuple):
    """A player's strength, and the tables for which it holds, unless the page says so elsewhere."""

    strength: RoundedStrength
    tables: str = ""


class PlayerSummary(NamedTuple):
    """A player in a few words, each of them empty where there is nothing to say."""

    reliability: str = ""
    usual_time: str = ""
    away: str = ""
    share: int | None = None  # of turns in time, in hundredths
    ratings: tuple[PlayerRating, ...] = ()
    country: str = ""  # its code

    @property
    def habits(self) -> list[str]:
        """Sentences on how the player keeps time."""
        return [said for said in (self.reliability, self.usual_time) if said]


def build_player_summary(
    player: Player | None, now: datetime, ratings: tuple[PlayerRating, ...] = ()
) -> PlayerSummary:
    """Build the summary of *player*, with *ratings* that the caller has loaded; an empty one for ``None``."""
    if player is None:
        return PlayerSummary()
    known = holidays.load_reliability(player)
    return PlayerSummary(
        words.format_reliability(known),
        words.format_usual_time(known),
        format_absence(player, now),
        known.per_cent,
        ratings,
        player.country,
    )


def build_player_summaries(
    *lists: Iterable[Player], now: datetime
) -> list[list[tuple[Player, PlayerSummary]]]:
    """Return the *lists* of players with their summaries, and their strengths at tables of any size."""
    shown = [list(players) for players in lists]
    known = load_standings([player for players in shown for player in players], now)
    return [
        [
            (player, build_player_summary(player, now, _everywhere(known.get(player.pk, UNKNOWN))))
            for player in players
        ]
        for players in shown
    ]


def build_summaries_at_tables(
    people: Sequence[tuple[Player | None, int]], now: datetime
) -> list[PlayerSummary]:
    """Return the summaries of *people*, each with the number of seats for which their strength is wanted."""
    known = load_standings([player for player, _seats in people], now)
    return [
        build_player_summary(player, now, _at(known.get(player.pk, UNKNOWN) if player else UNKNOWN, seats))
        for player, seats in people
    ]


def format_winning_chance(
    visitor: Visitor, game: Game, people: Sequence[Player | None], now: datetime
) -> str:
    """Format *visitor*'s chance in the rated *game* against *people*; empty if none can be computed."""
    if not visitor.is_authenticated or not game.rated:
        return ""
    chance = compute_expected(visitor, people, game.places, now)
    if chance is None:
        return ""
    if game.places == 2:
        return _("Your chance of winning: {n}%").format(n=round(100 * chance))
    said = _("Your chance of beating this player: {n}%")
    return said.format(n=round(100 * chance))


def _everywhere(standing: PlayerStrengths) -> tuple[PlayerRating, ...]:
    both = ((standing.duel, _("in two-player games")), (standing.table, _("in games for three or more")))
    return tuple(PlayerRating(strength, tables) for strength, tables in both if strength)


def _at(standing: PlayerStrengths, seats: int) -> tuple[PlayerRating, ...]:
    strength = standing.at(seats)
    return (PlayerRating(strength),) if strength else ()


def format_absence(player: Player, now: datetime) -> str:
    """Say that *player* is or will be away; empty if not."""
    time = holidays.find_absence(player, now)
    if time is None:
        return ""
    if time.kind == EMERGENCY:
        return words.format_emergency(time.end, now)
    return words.format_holiday(time.begin, time.end, now)
