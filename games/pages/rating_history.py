"""The history of a player's rating, as a chart and as a table."""

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
from core.numerals import format_signed
from games.access import Visitor
from games.pages.rating_chart import draw_history_chart
from games.selectors import rating_history
from games.selectors.lists import build_profile_url
from games.words.grammar import format_ordinal
from ratings.models import Pool, RatingChange
from ratings.pages.leaderboard import Tab, build_tabs
from ratings.skill import round_strength
from ratings.strengths import ShownStrength, compute_strength


class Opponent(NamedTuple):
    name: str
    url: str  # empty for a closed account


class RatedGameRow(NamedTuple):
    """A rated game from the player's side."""

    ended: datetime
    game: str  # its name; empty if the viewer may not find it
    url: str
    opponents: tuple[Opponent, ...]
    place: str
    expected: str
    number: int
    spread: int
    change: str


@dataclass(frozen=True, slots=True)
class RatingHistoryPage:
    """The latest games of a player in a pool."""

    tabs: tuple[Tab, ...]
    heading: str
    strength: ShownStrength | None
    games: int
    steps: tuple[RatedGameRow, ...]  # the latest first
    chart: SafeString


def build_rating_history_page(
    player: Player, pool: Pool, visitor: Visitor, now: datetime
) -> RatingHistoryPage:
    """Build the history of *player*'s rating in *pool*, as far as *visitor* may see it."""
    rating = rating_history.load_ratings(player).get(pool)
    changes = rating_history.load_latest_changes(player, pool, visitor) if rating else []
    named = build_tabs(reverse("games:rating_history", args=[player.username]), pool)
    return RatingHistoryPage(
        tabs=named,
        heading=next(tab.name for tab in named if tab.here),
        strength=compute_strength(rating, now) if rating else None,
        games=rating.games if rating else 0,
        steps=tuple(_step(seen) for seen in reversed(changes)),
        chart=_chart([seen.change for seen in changes]),
    )


def _step(seen: rating_history.SeenChange) -> RatedGameRow:
    change, found = seen.change, seen.found
    before, after = round_strength(change.before), round_strength(change.career.strength)
    seats = sorted(change.rated_game.changes.all(), key=lambda one: one.seat)
    others = [one.player for one in seats if one.player_id != change.player_id]
    return RatedGameRow(
        ended=change.ended,
        game=seen.game if found else "",
        url=reverse("games:table", args=[change.code]) if found else "",
        opponents=tuple(Opponent(one.username, build_profile_url(one)) for one in others) if found else (),
        place=_("{place} of {seats}").format(place=format_ordinal(change.rank), seats=len(seats)),
        expected=f"{change.expected:.0%}",
        number=after.number,
        spread=after.spread,
        change=format_signed(after.number - before.number),
    )


def _chart(changes: Sequence[RatingChange]) -> SafeString:
    if not changes:
        return SafeString()
    points = [round_strength(change.career.strength) for change in changes]
    numbers = [one.number for one in points]
    said = ngettext(
        "{n} game: from {first} to {last}, at least {least}, at most {most}",
        "{n} games: from {first} to {last}, at least {least}, at most {most}",
        len(numbers),
    ).format(n=len(numbers), first=numbers[0], last=numbers[-1], least=min(numbers), most=max(numbers))
    drawn = draw_history_chart(
        [(one.low, one.number, one.high) for one in points],
        first=changes[0].games,
        title=_("The rating after each of the latest games"),
        description=said,
        axis=_("rated game"),
    )
    return mark_safe(drawn)  # the drawing escapes what it is given
