"""What a clock is, and what happens when it has run out, in the words that stand everywhere: on cards,
tables, boards and in mails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy, pgettext, pgettext_lazy

from games.clocks import (
    DAY,
    HOUR,
    PRESETS,
    ClockSettings,
    Counting,
    Ladder,
    Step,
    holidays_help,
    worst_case_end,
)
from games.rules import RuleSet, most_decisions

from .grammar import capital
from .times import compact

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NAMES: Mapping[str, StrOrPromise] = {
    "relaxed": pgettext_lazy("a clock", "Relaxed"),
    "steady": pgettext_lazy("a clock", "Steady"),
    "brisk": pgettext_lazy("a clock", "Brisk"),
    "classic": pgettext_lazy("a clock", "Classic"),
}
"""The clocks that have a name (CLOCK-2)."""

FAULTS: Mapping[str, StrOrPromise] = {
    "start": gettext_lazy("Choose from 1 hour to 60 days."),
    "gain": gettext_lazy("Choose from 1 hour to 60 days."),
    "cap": gettext_lazy("Choose from 1 hour to 60 days, and no less than there is at first."),
    "grace": gettext_lazy("Choose 60 days at most."),
    "surcharge_after": gettext_lazy("Choose from 1 hour to 60 days, or nothing."),
    "total": gettext_lazy("Choose no less than there is at first and no more than 60 days, or nothing."),
}
"""What is wrong with a value that no table may have, by its name in ``ClockSettings.faults``."""

LAST: Mapping[Step, StrOrPromise] = {
    Step.LOSS: gettext_lazy("the seat is lost, and the house bot plays on for it"),
    Step.SUBSTITUTE: gettext_lazy("the seat is offered to a substitute"),
    Step.CLAIM: gettext_lazy("the opponents may claim the win or give more time"),
}
"""What comes when nothing excuses a time-out any more, in a game for more than two (CLOCK-19)."""

LAST_OF_TWO: Mapping[Step, StrOrPromise] = {
    **LAST,
    Step.LOSS: gettext_lazy("the game is lost"),
    Step.CLAIM: gettext_lazy("the opponent may claim the win or give more time"),
}

_COUNTED: Mapping[str, tuple[Any, Any]] = {
    "each": (
        ngettext_lazy("{n} day for each turn", "{n} days for each turn", "n"),
        ngettext_lazy("{n} hour for each turn", "{n} hours for each turn", "n"),
    ),
    "start": (
        ngettext_lazy("{n} day at first", "{n} days at first", "n"),
        ngettext_lazy("{n} hour at first", "{n} hours at first", "n"),
    ),
    "gain": (
        ngettext_lazy("{n} day more with each turn", "{n} days more with each turn", "n"),
        ngettext_lazy("{n} hour more with each turn", "{n} hours more with each turn", "n"),
    ),
    "cap": (
        ngettext_lazy("up to {n} day", "up to {n} days", "n"),
        ngettext_lazy("up to {n} hour", "up to {n} hours", "n"),
    ),
    "grace": (
        ngettext_lazy("the first day of a turn is free", "the first {n} days of a turn are free", "n"),
        ngettext_lazy("the first hour of a turn is free", "the first {n} hours of a turn are free", "n"),
    ),
    "surcharge_after": (
        ngettext_lazy(
            "what a turn takes beyond {n} day counts double",
            "what a turn takes beyond {n} days counts double",
            "n",
        ),
        ngettext_lazy(
            "what a turn takes beyond {n} hour counts double",
            "what a turn takes beyond {n} hours counts double",
            "n",
        ),
    ),
    "total": (
        ngettext_lazy("{n} day for the whole game", "{n} days for the whole game", "n"),
        ngettext_lazy("{n} hour for the whole game", "{n} hours for the whole game", "n"),
    ),
}
"""Half-sentences with a span, by the value that they tell: in days, or in hours where it is no whole days."""

_STOPS: Mapping[tuple[Counting, Counting], StrOrPromise] = {
    (Counting.STOP, Counting.STOP): gettext_lazy("weekends and holidays stop the clock"),
    (Counting.COUNT, Counting.STOP): gettext_lazy("holidays stop the clock"),
    (Counting.STOP, Counting.COUNT): gettext_lazy("weekends stop the clock, holidays don't"),
    (Counting.COUNT, Counting.COUNT): gettext_lazy("holidays don't stop the clock"),
}
"""By ``weekends`` and ``holidays``."""


class Agreement(NamedTuple):
    """What everybody must know of a table's time before sitting down; the same words wherever it is told."""

    short: str  # for cards: "Steady: 3 d + 1 d a turn"
    clock: str  # as one sentence
    time_out: str  # what happens then
    latest_end: str  # empty where there is none
    reliability: str  # what is asked of whoever sits down; empty for nothing
    ratings: str  # for which of them the table is; empty for any

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that is to be said."""
        return tuple(
            filter(None, (self.clock, self.time_out, self.latest_end, self.reliability, self.ratings))
        )

    @property
    def text(self) -> str:
        """The sentences in one."""
        return " ".join(self.sentences)


def agreement(
    clock: ClockSettings,
    ladder: Ladder,
    rules: RuleSet,
    *,
    began: datetime | None,
    min_reliability: int = 0,
    min_rating: int | None = None,
    max_rating: int | None = None,
) -> Agreement:
    """What is agreed about the time of a game by *rules*.

    :param began: when the game began, or will begin at the latest; ``None`` once it is over
    :param min_reliability: in hundredths, of whoever takes a free seat
    :param min_rating: of them, too, as ``max_rating``
    """
    asked = ""
    if min_reliability:
        asked = _("You need a reliability of at least {n}% to take a seat.").format(n=min_reliability)
    return Agreement(
        short(clock),
        sentence(clock),
        time_out(clock, ladder, rules.seats),
        "" if began is None else _latest_end(clock, ladder, rules, began),
        asked,
        f"{capital(rated)}." if (rated := rating_range(min_rating, max_rating)) else "",
    )


def rating_range(least: int | None, most: int | None) -> str:
    """For which ratings a table is: "for ratings 1400 to 1700"; empty where it is for any."""
    if least is None and most is None:
        return ""
    if most is None:
        told = _("for ratings from {least}")
    elif least is None:
        told = _("for ratings up to {most}")
    else:
        told = _("for ratings {least} to {most}")
    return told.format(least=least, most=most)


def _latest_end(clock: ClockSettings, ladder: Ladder, rules: RuleSet, began: datetime) -> str:
    """The worst-case end (CLOCK-23); nothing where it is decades away."""
    end = worst_case_end(clock, ladder, seats=rules.seats, decisions=most_decisions(rules), began=began)
    if end is None:
        return ""
    day = date_format(timezone.localtime(end), "DATE_FORMAT")
    return _("Pauses aside, the game ends on {day} at the latest.").format(day=day)


def saves_time(clock: ClockSettings) -> bool:
    """Whether what a turn leaves is kept for later ones; otherwise each turn has the same time."""
    return not clock.start == clock.gain == clock.cap


def name(clock: ClockSettings) -> str:
    """What players call *clock*; most have no name. A hard end changes none."""
    plain = replace(clock, ends=None)
    return next((str(NAMES[preset]) for preset, known in PRESETS.items() if known == plain), "")


def short(clock: ClockSettings) -> str:
    """*clock* in a few letters, after its name if it has one."""
    if called := name(clock):
        return pgettext("a clock and its time", "{name}: {time}").format(name=called, time=pace(clock))
    return pace(clock)


def pace(clock: ClockSettings) -> str:
    """*clock* in a few letters: "7 d a turn", "3 d + 1 d a turn"."""
    if saves_time(clock):
        both = pgettext("a clock", "{start} + {gain} a turn")
        return both.format(start=compact(clock.start), gain=compact(clock.gain))
    return pgettext("a clock", "{time} a turn").format(time=compact(clock.gain))


def sentence(clock: ClockSettings) -> str:
    """*clock* as one sentence: "3 days at first, 1 day more with each turn, up to 7 days; holidays stop
    the clock."."""
    return f"{capital('; '.join(_clauses(clock)))}."


def time_out(clock: ClockSettings, ladder: Ladder, seats: int) -> str:
    """What happens when the time of a seat is over, at a table with so many *seats* (CLOCK-19)."""
    steps = []
    if ladder.excuses:
        times = ngettext("{n} time-out is excused", "{n} time-outs are excused", ladder.excuses)
        steps.append(times.format(n=ladder.excuses))
    if ladder.holiday and holidays_help(clock):
        steps.append(_("a day of holiday begins by itself"))
    steps.append(str((LAST_OF_TWO if seats == 2 else LAST)[ladder.last]))
    told = steps[0]
    for step in steps[1:]:
        told = pgettext("steps one after the other", "{steps}; then {step}").format(steps=told, step=step)
    return _("When a player's time is over: {steps}.").format(steps=told)


def _clauses(clock: ClockSettings) -> Iterator[str]:
    if saves_time(clock):
        yield ", ".join(_told(one, getattr(clock, one)) for one in ("start", "gain", "cap"))
    else:
        yield _told("each", clock.gain)
    for one in ("grace", "surcharge_after", "total"):
        if span := getattr(clock, one):
            yield _told(one, span)
    if clock.ends is not None:
        when = date_format(timezone.localtime(clock.ends), "DATETIME_FORMAT")
        yield _("no turn goes beyond {when}").format(when=when)
    yield str(_STOPS[clock.weekends, clock.holidays])


def _told(what: str, span: timedelta) -> str:
    days, hours = _COUNTED[what]
    return str(hours.format(n=round(span / HOUR)) if span % DAY else days.format(n=span // DAY))
