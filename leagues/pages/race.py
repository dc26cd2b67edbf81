"""The race of a division: places after each round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from leagues.models import TeamMatch
from leagues.pages.names import NameLink
from leagues.pages.race_chart import RaceLine, draw_race_chart
from leagues.standings import sum_by_round
from leagues.standings.round_totals import NO_PENALTIES
from leagues.standings.values import PlayerId
from leagues.words.criteria import format_number

FEWEST_ROUNDS = 2
"""Minimum number of rounds for a race."""


class Runner(NamedTuple):
    """A player or a team, in order of the table."""

    key: PlayerId
    who: NameLink
    own: bool  # whether it is the visitor


class RaceCell(NamedTuple):
    """Place and points after a round."""

    place: int
    points: str


class RaceRow(NamedTuple):
    """Places and points of a player or team, round by round."""

    who: NameLink
    cells: list[RaceCell]


@dataclass(frozen=True, slots=True)
class RacePage:
    """The race of a division as a chart, and as a table."""

    chart: SafeString
    rounds: range
    rows: list[RaceRow]


def build_race(runners: Sequence[Runner], points: Mapping[PlayerId, Sequence[Fraction]]) -> RacePage | None:
    """Build the race of *runners*, in order of the table, by their *points* after each round; None before the
    second.

    Places are by points alone. Ties are broken by the current table.
    """
    rounds = min((len(points[one.key]) for one in runners), default=0)
    if rounds < FEWEST_ROUNDS or len(runners) < 2:
        return None
    places: dict[PlayerId, list[int]] = {one.key: [] for one in runners}
    for at in range(rounds):
        order = sorted(runners, key=lambda one: -points[one.key][at])  # stable
        for place, one in enumerate(order, start=1):
            places[one.key].append(place)
    rows = [
        RaceRow(
            one.who,
            [
                RaceCell(place, format_number(had))
                for place, had in zip(places[one.key], points[one.key], strict=True)
            ],
        )
        for one in runners
    ]
    return RacePage(_chart(runners, places), range(1, rounds + 1), rows)


def build_team_race(
    runners: Sequence[Runner],
    matches: Iterable[TeamMatch],
    penalties: Mapping[PlayerId, Fraction] = NO_PENALTIES,
) -> RacePage | None:
    """Build the race of teams in *matches* by their match points (STAND-2) less *penalties*."""
    won = []
    for match in matches:
        if match.decided:
            lead = Fraction(match.first_points) - Fraction(match.second_points)
            points = (2, 0) if lead > 0 else (0, 2) if lead < 0 else (1, 1)
            both = zip((match.first_id, match.second_id), points, strict=True)
            won += [(match.round, team, Fraction(one)) for team, one in both]
    return build_race(runners, sum_by_round([one.key for one in runners], won, penalties))


def _chart(runners: Sequence[Runner], places: Mapping[PlayerId, Sequence[int]]) -> SafeString:
    lines = [RaceLine(one.who.name, places[one.key], one.own) for one in runners]
    drawn = draw_race_chart(
        lines,
        title=_("Places after each round"),
        description=_("From round 1 to the latest: {names}.").format(
            names=", ".join(f"{one.name} {one.places[0]}-{one.places[-1]}" for one in lines)
        ),
        axis=_("round"),
    )
    return mark_safe(drawn)  # the drawing escapes what it is given
