"""Results of games in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import Ending

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from leagues.models import Fixture

LEFT: Mapping[str, StrOrPromise] = {
    Ending.RESIGNED: gettext_lazy("{winner} won: {loser} resigned"),
    Ending.TIME_OUT: gettext_lazy("{winner} won: {loser} ran out of time"),
}
"""Texts for duels that one of the players left. Points decided nothing there."""


def describe_result(fixture: Fixture, names: Mapping[int, str]) -> str:
    """Describe the result of *fixture*: scores in order of rank, and who forfeited."""
    if fixture.seats is None:
        return _("no result yet") if fixture.game is not None and fixture.game.ended else _("in progress")
    ranked = sorted(fixture.seats, key=lambda seat: seat["rank"])
    absent = [names[seat["player"]] for seat in ranked if seat["forfeit"] and seat["rank"] > 1]
    scores = [(names[seat["player"]], seat["score"]) for seat in ranked if seat["score"] is not None]
    ending = fixture.game.ending if fixture.game is not None else ""
    if ending in LEFT and len(scores) == 2:
        said = str(LEFT[ending]).format(winner=scores[0][0], loser=scores[1][0])
    elif scores:
        said = ", ".join(f"{name} {score}" for name, score in scores)
    else:
        said = _describe_winners(fixture.seats, names)
    if absent:
        forfeit = ngettext("forfeit of {names}", "forfeits of {names}", len(absent))
        said = "; ".join(filter(None, (said, forfeit.format(names=", ".join(absent)))))
    return _("{result} (removed)").format(result=said) if fixture.struck else said


def _describe_winners(seats: Sequence[Mapping[str, int]], names: Mapping[int, str]) -> str:
    """Describe a game without scores that nobody forfeited: it was decided by time (CLOCK-24), or evenly."""
    if any(seat["forfeit"] and seat["rank"] > 1 for seat in seats):
        return ""
    first = [names[seat["player"]] for seat in seats if seat["rank"] == 1]
    return ngettext("{names} won", "{names} tied", len(first)).format(names=", ".join(first))


def name_seat(index: int) -> str:
    """Name a seat by its index; seat 0 begins."""
    names = (
        _("First seat"),
        _("Second seat"),
        _("Third seat"),
        _("Fourth seat"),
        _("Fifth seat"),
        _("Sixth seat"),
    )
    return names[index]
