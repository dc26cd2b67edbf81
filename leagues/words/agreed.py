"""What a league agrees on, in words: all that players must know before they register."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.words import clocks, rule_sets, times
from games.words.grammar import capital
from leagues.settings import LeagueSettings
from leagues.standings import Withdrawn

from .criteria import NAMES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WITHDRAWN: Mapping[Withdrawn, StrOrPromise] = {
    Withdrawn.KEEP: gettext_lazy(
        "Whoever withdraws from a season that runs resigns the games under way and loses by forfeit all that "
        "have not begun. What was played counts."
    ),
    Withdrawn.STRIKE: gettext_lazy(
        "Whoever withdraws from a season that runs resigns the games under way and loses by forfeit all that "
        "have not begun. If less than half of their games were finished, all of them are struck from the "
        "table; otherwise what was played counts."
    ),
}
"""What withdrawing does (STAND-4)."""

Facts = list[tuple[str, str]]


def in_short(settings: LeagueSettings) -> str:
    """A league on one line, for lists."""
    told = [players_at_a_table(settings), clocks.short(settings.clock), rule_sets.sets(settings.rules)]
    if settings.standings.series:
        told.insert(1, _("best of {n}").format(n=settings.standings.best_of))
    return " · ".join(told)


def facts(settings: LeagueSettings) -> Facts:
    """All that is agreed, as pairs of heading and text."""
    time = clocks.agreement(settings.clock, settings.ladder, settings.rules, began=None)
    return [
        (_("Table"), players_at_a_table(settings)),
        *rule_sets.brief(settings.rules),
        (_("Time"), f"{time.text} {_('No turn goes beyond the end of the season.')}"),
        (_("Who meets whom"), schedule(settings)),
        (_("Match"), match(settings)),
        (_("Divisions"), " ".join(_divisions(settings))),
        (_("Points"), points(settings)),
        (_("Who is level"), level(settings)),
        (_("Withdrawing"), str(WITHDRAWN[settings.standings.withdrawn])),
        (_("Calendar"), " ".join(_calendar(settings))),
        (_("Rating"), _("The games are rated.") if settings.rated else _("The games are not rated.")),
    ]


def players_at_a_table(settings: LeagueSettings) -> str:
    if settings.seats == 2:
        return _("Duels")
    return _("Tables of {n} players").format(n=settings.seats)


def schedule(settings: LeagueSettings) -> str:
    n = settings.rounds
    if settings.swiss:
        told = ngettext(
            "Swiss system: {n} round, in which players of like points meet and nobody meets twice.",
            "Swiss system: {n} rounds, in which players of like points meet and nobody meets twice.",
            n,
        )
    elif settings.seats == 2:
        told = ngettext(
            "Everybody meets everybody in the division once.",
            "Everybody meets everybody in the division {n} times.",
            n,
        )
    else:
        told = ngettext(
            "{n} round of tables, where everybody meets everybody about equally often.",
            "{n} rounds of tables, where everybody meets everybody about equally often.",
            n,
        )
    return told.format(n=n)


def match(settings: LeagueSettings) -> str:
    if not settings.standings.series:
        return _("One game.")
    return _("Best of {n} games. Players take turns in beginning.").format(n=settings.standings.best_of)


def _divisions(settings: LeagueSettings) -> Iterator[str]:
    yield _("Up to {n} players each.").format(n=settings.division_size)
    up, down = settings.standings.up, settings.standings.down
    if up:
        yield ngettext("The first moves up.", "The first {n} move up.", up).format(n=up)
    if down:
        yield ngettext("The last moves down.", "The last {n} move down.", down).format(n=down)


def points(settings: LeagueSettings) -> str:
    if settings.standings.series:
        return _("2 for a match won, 1 for an even one.")
    listed = " – ".join(map(str, settings.standings.points))
    return _("From the first place to the last: {points}. Who shares places shares their points.").format(
        points=listed
    )


def level(settings: LeagueSettings) -> str:
    """In which order criteria decide between players with the same points."""
    listed = ", ".join(str(NAMES[name]) for name in settings.standings.tie_breaks)
    return _("These decide, one after the other: {criteria}.").format(criteria=listed) if listed else ""


def _calendar(settings: LeagueSettings) -> Iterator[str]:
    yield _("Registration is open for {time}.").format(time=times.span_in_words(settings.registration))
    yield _("A season lasts {time} at most.").format(time=times.span_in_words(settings.length))
    if settings.again:
        yield capital(_("the next one opens by itself, and who stays is registered for it."))
