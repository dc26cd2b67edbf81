"""The turning point of a game, in one short sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from core.numerals import format_minus
from games.rules.turning_point import TurningPoint

from .grammar import capitalise
from .scores import format_count, format_points
from .vocabulary import name_kind

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MOST_LETTERS = 90
"""Maximum length of the sentence, with the number of the turn."""
SLOT = "\N{INVISIBLE TIMES}"
"""Stands for the place in a sentence that is put together; no name and no text contains it."""

YOU_COMPLETED: Mapping[str, StrOrPromise] = {
    "city": gettext_lazy("You completed the city at {place}: {points}."),
    "road": gettext_lazy("You completed the road at {place}: {points}."),
    "monastery": gettext_lazy("You completed the monastery at {place}: {points}."),
    "garden": gettext_lazy("You completed the garden at {place}: {points}."),
    "shrine": gettext_lazy("You completed the shrine at {place}: {points}."),
}
COMPLETED: Mapping[str, StrOrPromise] = {
    "city": gettext_lazy("{player} completed the city at {place}: {points}."),
    "road": gettext_lazy("{player} completed the road at {place}: {points}."),
    "monastery": gettext_lazy("{player} completed the monastery at {place}: {points}."),
    "garden": gettext_lazy("{player} completed the garden at {place}: {points}."),
    "shrine": gettext_lazy("{player} completed the shrine at {place}: {points}."),
}
BY_TILE: Mapping[str, StrOrPromise] = {
    "city": gettext_lazy("The tile at {place} completed the city: {points} for {player}."),
    "road": gettext_lazy("The tile at {place} completed the road: {points} for {player}."),
    "monastery": gettext_lazy("The tile at {place} completed the monastery: {points} for {player}."),
    "garden": gettext_lazy("The tile at {place} completed the garden: {points} for {player}."),
    "shrine": gettext_lazy("The tile at {place} completed the shrine: {points} for {player}."),
}
SHARED: Mapping[str, StrOrPromise] = {
    "city": gettext_lazy("The knight at {place} shared an unfinished city: {points} for {player}."),
    "road": gettext_lazy("The highwayman at {place} shared an unfinished road: {points} for {player}."),
    "field": gettext_lazy("The farmer at {place} shared the field: {points} for {player}."),
}
YOURS_STOOD: Mapping[str, StrOrPromise] = {
    "city": gettext_lazy("Your knight at {place} held an unfinished city: {points}."),
    "road": gettext_lazy("Your highwayman at {place} held an unfinished road: {points}."),
    "field": gettext_lazy("Your farmer at {place} won the field: {points}."),
    "monastery": gettext_lazy("Your monk at {place} held an unfinished monastery: {points}."),
    "shrine": gettext_lazy("Your heretic at {place} held an unfinished shrine: {points}."),
}
STOOD: Mapping[str, StrOrPromise] = {
    "city": gettext_lazy("{player}'s knight at {place} held an unfinished city: {points}."),
    "road": gettext_lazy("{player}'s highwayman at {place} held an unfinished road: {points}."),
    "field": gettext_lazy("{player}'s farmer at {place} won the field: {points}."),
    "monastery": gettext_lazy("{player}'s monk at {place} held an unfinished monastery: {points}."),
    "shrine": gettext_lazy("{player}'s heretic at {place} held an unfinished shrine: {points}."),
}


class TurningPointWords(NamedTuple):
    """A turning point in words."""

    label: str
    before: str
    place: str  # between the words before and after, for a page to link it
    after: str

    @property
    def sentence(self) -> str:
        return f"{self.before}{self.place}{self.after}"

    @property
    def text(self) -> str:
        """The whole, for mails."""
        return f"{self.label} {self.sentence}"


def format_turning_point(point: TurningPoint, names: Sequence[str], me: int | None) -> TurningPointWords:
    """Tell *point* to the player of the seat *me*, or to an onlooker; *names* are those of the seats."""
    place = pgettext("a place on the board: column, row", "{x}, {y}").format(
        x=format_minus(point.x), y=format_minus(point.y)
    )
    told = _("turn {n}").format(n=point.turn)
    room = MOST_LETTERS - len(f"{told}. ") - len(place) + len(SLOT)
    sentences = list(_list_sentences(point, names, me))
    sentence = next((one for one in sentences if len(one) <= room), sentences[-1])
    before, _slot, after = sentence.partition(SLOT)
    return TurningPointWords(_("Turning point: turn {n}.").format(n=point.turn), before, place, after)


def _list_sentences(point: TurningPoint, names: Sequence[str], me: int | None) -> Iterator[str]:
    """Yield sentences that say the same, the longest first, and at last one without names."""
    first = point.scored[0]
    most = max(point.points.values())
    seats = sorted((seat for seat, n in point.points.items() if n == most), key=lambda seat: seat != me)
    total = format_points(most)
    if len(seats) > 1:
        total = _("{points} each").format(points=total)
    counted = format_count(first.terms[0]) if first.terms else ""
    sums = [f"{counted}, {total}", total] if counted else [total]
    who = [pgettext("who got points", "you") if seat == me else names[seat] for seat in seats]
    player = get_text_list(who, _("and"))
    for said in _choose_sentences(point, me):
        for points in sums:
            yield str(said).format(player=player, place=SLOT, points=points)
    kind = capitalise(name_kind(point.spot.on))
    said = _("{kind} at {place}: {points} for {player}.")
    yield said.format(kind=kind, place=SLOT, points=total, player=player)
    yield _("{kind} at {place}: {points}.").format(kind=kind, place=SLOT, points=total)


def _choose_sentences(point: TurningPoint, me: int | None) -> list[StrOrPromise]:
    on = point.scored[0].on
    own = list(point.points) == [point.seat]
    if point.at_end:
        choices = [YOURS_STOOD if point.seat == me else STOOD] if own else [SHARED]
    elif point.scored[0].complete:
        choices = [YOU_COMPLETED if point.seat == me else COMPLETED] if own else [BY_TILE]
    else:
        choices = []  # a figure that was returned
    return [sentences[on] for sentences in choices if on in sentences]
