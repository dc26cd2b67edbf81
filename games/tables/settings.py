"""The settings of a table as one value, converted from the form and to and from the game's row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ValidationError

from accounts import texts
from games.clocks import USUAL_CLOCK, ClockSettings, Ladder, compute_worst_case_end
from games.exceptions import Refused
from games.models import Colour, Game, Visibility
from games.rules import RuleSet, count_most_decisions
from games.tables.presets import list_rating_obstacles

LONGEST_NAME = texts.KINDS["table"].most
HIGHEST_RATING = 4000  # that a table can require; no player comes near it
ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)


def find_name_refusal(name: str) -> Refused | None:
    """Return why a table may not have *name*, which is normalized; ``None`` if it may."""
    try:
        texts.check("table", name)
    except ValidationError as error:
        if error.code == "length":
            return Refused("name_too_long")
        return Refused("name_link") if error.code == "link" else Refused("text", what=error.messages[0])
    return None


def check_name(text: str) -> str:
    """Return *text* normalized as the name of a table.

    :raises Refused: no table can be called so
    """
    name = texts.normalize_text("table", text)
    if refused := find_name_refusal(name):
        raise refused
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """The settings that the host of a table decides on, with their defaults.

    Only ``refusals`` checks them.
    """

    rules: RuleSet  # the number of seats among them
    name: str = ""  # in one line; empty for that of a town
    clock: ClockSettings = USUAL_CLOCK
    ladder: Ladder | None = None  # time-out rules; None for the usual ones
    min_reliability: int = 0  # of players who take a free seat, in hundredths
    min_rating: int | None = None  # of players who take a free seat, as displayed
    max_rating: int | None = None
    visibility: Visibility = Visibility.PUBLIC
    rated: bool = False
    purist: bool = False  # without aids that compute
    bots: int = 0  # number of seats of the house bot: the last ones
    colour: str = ""  # of the host's figures; empty for any

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", texts.normalize_text("table", self.name))

    def refusals(self) -> Iterator[Refused]:
        """Yield the reasons why there can't be such a table."""
        if refused := find_name_refusal(self.name):
            yield refused
        if next(self.clock.faults(), None) or next(self.time_out.faults(), None):
            yield Refused("clock")
        elif self._endless:
            yield Refused("endless")
        if not 0 <= self.min_reliability <= 100:
            yield Refused("reliability")
        lowest, highest = self.min_rating or 0, HIGHEST_RATING if self.max_rating is None else self.max_rating
        if not 0 <= lowest <= highest <= HIGHEST_RATING:
            yield Refused("rating_range")
        if not 0 <= self.bots < self.rules.seats:
            yield Refused("bots")
        if self.rated and self.bots:
            yield Refused("rated_with_bot")
        if self.rated and (barred := list_rating_obstacles(self.rules)):
            yield Refused("rated_house_rules", barred=barred)
        if self.colour and self.colour not in Colour.values:
            yield Refused("colour")

    @property
    def _endless(self) -> bool:
        """Return whether the game has no bound on its length (CLOCK-23), whenever it begins."""
        decisions = count_most_decisions(self.rules)
        seats = self.rules.seats
        return (
            compute_worst_case_end(
                self.clock, self.time_out, seats=seats, decisions=decisions, began=ANY_TIME
            )
            is None
        )

    @property
    def time_out(self) -> Ladder:
        """The ladder of steps when a seat's time is over."""
        return self.ladder or Ladder.usual(self.rules.seats)

    def check(self) -> None:
        """Raise the first of the refusals, if there is one."""
        for refused in self.refusals():
            raise refused

    def columns(self) -> dict[str, Any]:
        """Return the values for the game's row; ``bots`` and ``colour`` are kept by its seats."""
        return {
            "name": self.name,
            "rule_set": self.rules.to_json(),
            "places": self.rules.seats,
            "clock_settings": self.clock.to_json(),
            "ladder_steps": self.time_out.to_json(),
            "min_reliability": self.min_reliability,
            "min_rating": self.min_rating,
            "max_rating": self.max_rating,
            "visibility": self.visibility,
            "rated": self.rated,
            "purist": self.purist,
        }

    @classmethod
    def of(cls, game: Game) -> TableSettings:
        """Return the settings of the table of *game*, with its bots and its host's colour as they are now."""
        seats = list(game.seats.all())
        return cls(
            rules=game.rules,
            name=game.name,
            clock=game.clock,
            ladder=game.ladder,
            min_reliability=game.min_reliability,
            min_rating=game.min_rating,
            max_rating=game.max_rating,
            visibility=Visibility(game.visibility),
            rated=game.rated,
            purist=game.purist,
            bots=sum(bool(seat.bot) for seat in seats),
            colour=next((seat.colour for seat in seats if seat.player_id == game.host_id), ""),
        )
