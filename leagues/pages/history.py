"""How the rating of a player went, as a chart and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from carcassonne.numerals import signed
from games.access import Visitor
from games.selectors.lists import profile_url
from games.selectors.strength import Strength
from games.words.ranks import ordinal
from leagues.models import Pool, RatingChange
from leagues.pages.history_chart import history_chart
from leagues.pages.tabs import Tab, tabs
from leagues.selectors import history
from leagues.selectors.strengths import strength_of
from leagues.skill import shown


class Opponent(NamedTuple):
    name: str
    url: str  # empty for a closed account


class Step(NamedTuple):
    """What a rated game was for the player."""

    ended: datetime
    game: str  # its name; empty where whoever looks may not find it
    url: str
    opponents: tuple[Opponent, ...]
    place: str
    expected: str
    number: int
    spread: int
    change: str


@dataclass(frozen=True, slots=True)
class History:
    """The latest games of a player in a pool."""

    tabs: tuple[Tab, ...]
    heading: str
    strength: Strength | None
    games: int
    steps: tuple[Step, ...]  # the latest first
    chart: SafeString


def history_of(player: Player, pool: Pool, visitor: Visitor, now: datetime) -> History:
    """How *player* came to their rating in *pool*, as *visitor* may know it."""
    rating = history.ratings_of(player).get(pool)
    changes = history.latest_changes(player, pool, visitor) if rating else []
    named = tabs(reverse("leagues:history", args=[player.username]), pool)
    return History(
        tabs=named,
        heading=next(tab.name for tab in named if tab.here),
        strength=strength_of(rating, now) if rating else None,
        games=rating.games if rating else 0,
        steps=tuple(_step(seen) for seen in reversed(changes)),
        chart=_chart([seen.change for seen in changes]),
    )


def _step(seen: history.SeenChange) -> Step:
    change, found = seen.change, seen.found
    before, after = shown(change.before), shown(change.career.strength)
    seats = sorted(change.rated_game.changes.all(), key=lambda one: one.seat)
    others = [one.player for one in seats if one.player_id != change.player_id]
    return Step(
        ended=change.ended,
        game=seen.game if found else "",
        url=reverse("games:table", args=[change.code]) if found else "",
        opponents=tuple(Opponent(one.username, profile_url(one)) for one in others) if found else (),
        place=_("{place} of {seats}").format(place=ordinal(change.rank), seats=len(seats)),
        expected=f"{change.expected:.0%}",
        number=after.number,
        spread=after.spread,
        change=signed(after.number - before.number),
    )


def _chart(changes: Sequence[RatingChange]) -> SafeString:
    if not changes:
        return SafeString()
    points = [shown(change.career.strength) for change in changes]
    numbers = [one.number for one in points]
    said = ngettext(
        "{n} game: from {first} to {last}, at least {least}, at most {most}",
        "{n} games: from {first} to {last}, at least {least}, at most {most}",
        len(numbers),
    ).format(n=len(numbers), first=numbers[0], last=numbers[-1], least=min(numbers), most=max(numbers))
    drawn = history_chart(
        [(one.low, one.number, one.high) for one in points],
        first=changes[0].games,
        title=_("The rating after each of the latest games"),
        description=said,
        axis=_("rated game"),
    )
    return mark_safe(drawn)  # the drawing escapes what it is given
