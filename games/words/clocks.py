"""Clocks and timeouts in words, for cards, tables, boards and mails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy, pgettext, pgettext_lazy

from games.clocks import (
    DAY,
    HOUR,
    USUAL_CLOCK,
    AtEnd,
    ClockSettings,
    Counting,
    Ladder,
    TimeoutStep,
    compute_worst_case_end,
    holidays_help,
)
from games.rules import RuleSet, count_most_decisions
from games.words.times import format_day, format_when

from .grammar import capitalise
from .times import format_span

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NAMES: Mapping[str, StrOrPromise] = {
    "relaxed": pgettext_lazy("a clock", "Relaxed"),
    "steady": pgettext_lazy("a clock", "Steady"),
    "brisk": pgettext_lazy("a clock", "Brisk"),
    "classic": pgettext_lazy("a clock", "Classic"),
}
"""Names of the clocks (CLOCK-2)."""

FAULTS: Mapping[str, StrOrPromise] = {
    "start": gettext_lazy("Choose from 1 hour to 60 days."),
    "gain": gettext_lazy("Choose from 1 hour to 60 days."),
    "cap": gettext_lazy("Choose from 1 hour to 60 days, and no less than there is at first."),
    "grace": gettext_lazy("Choose 60 days at most."),
    "surcharge_after": gettext_lazy("Choose from 1 hour to 60 days, or nothing."),
    "total": gettext_lazy("Choose no less than there is at first and no more than 60 days, or nothing."),
}
"""Messages about values that no table may have, by their name in ``ClockSettings.faults``."""

LAST: Mapping[TimeoutStep, StrOrPromise] = {
    TimeoutStep.LOSS: gettext_lazy("the seat is lost, and the house bot plays on for it"),
    TimeoutStep.SUBSTITUTE: gettext_lazy("the seat is offered to a substitute"),
    TimeoutStep.CLAIM: gettext_lazy("the opponents may claim the win or give more time"),
}
"""Last steps at a time-out that nothing excuses, in a game for more than two (CLOCK-19)."""

LAST_OF_TWO: Mapping[TimeoutStep, StrOrPromise] = {
    **LAST,
    TimeoutStep.LOSS: gettext_lazy("the game is lost"),
    TimeoutStep.CLAIM: gettext_lazy("the opponent may claim the win or give more time"),
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
"""Half-sentences with a span, by the value that they tell: in days, or in hours if it is no whole days."""

_PACES: Mapping[bool, tuple[Any, Any]] = {
    False: (
        ngettext_lazy("{n} day a move", "{n} days a move", "n"),
        ngettext_lazy("{n} hour a move", "{n} hours a move", "n"),
    ),
    True: (
        ngettext_lazy("about {n} day a move", "about {n} days a move", "n"),
        ngettext_lazy("about {n} hour a move", "about {n} hours a move", "n"),
    ),
}
"""Usual times of a turn, by whether unused time is saved: in days, or in hours."""

UNFORGIVEN: Mapping[TimeoutStep, StrOrPromise] = {
    TimeoutStep.LOSS: gettext_lazy("missing a deadline costs your seat"),
    TimeoutStep.SUBSTITUTE: gettext_lazy("after a missed deadline the bot stands in"),
    TimeoutStep.CLAIM: gettext_lazy("after a missed deadline the opponents may claim the win"),
}
"""Consequences of a missed deadline if none is excused, in a game for more than two (CLOCK-19)."""

UNFORGIVEN_OF_TWO: Mapping[TimeoutStep, StrOrPromise] = {
    **UNFORGIVEN,
    TimeoutStep.LOSS: gettext_lazy("missing a deadline loses the game"),
    TimeoutStep.CLAIM: gettext_lazy("after a missed deadline the opponent may claim the win"),
}

PLENTY = 4
"""Number of gains above which a bank at the beginning is told apart: it is spent long before it is filled."""

_STOPS: Mapping[tuple[Counting, Counting], StrOrPromise] = {
    (Counting.STOP, Counting.STOP): gettext_lazy("weekends and holidays stop the clock"),
    (Counting.COUNT, Counting.STOP): gettext_lazy("holidays stop the clock"),
    (Counting.STOP, Counting.COUNT): gettext_lazy("weekends stop the clock, holidays don't"),
    (Counting.COUNT, Counting.COUNT): gettext_lazy("holidays don't stop the clock"),
}
"""Half-sentences by ``weekends`` and ``holidays``."""


class ClockAgreement(NamedTuple):
    """The terms of a table's clock that players must know before they sit down, in the same words
    everywhere."""

    line: str  # for everybody: "About 3 days a move; being late once is fine."
    clock: str  # in one sentence, for the folded details
    time_out: str  # consequences of a missed deadline
    latest_end: str  # empty where there is none
    reliability: str  # reliability required of new players; empty for none
    ratings: str  # ratings required of new players; empty for any

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences except the line."""
        return tuple(
            filter(None, (self.clock, self.time_out, self.latest_end, self.reliability, self.ratings))
        )

    @property
    def brief(self) -> str:
        """The line, and the requirements for sitting down."""
        return " ".join(filter(None, (self.line, self.reliability, self.ratings)))

    @property
    def text(self) -> str:
        """The line, and the sentences."""
        return " ".join([self.line, *self.sentences])


def build_agreement(
    clock: ClockSettings,
    ladder: Ladder,
    rules: RuleSet,
    *,
    began: datetime | None,
    min_reliability: int = 0,
    min_rating: int | None = None,
    max_rating: int | None = None,
) -> ClockAgreement:
    """Return the clock agreement of a game by *rules*.

    :param began: when the game began, or will begin at the latest; ``None`` once it is over
    :param min_reliability: in hundredths, required for a free seat
    :param min_rating: required for it too, like ``max_rating``
    """
    asked = ""
    if min_reliability:
        asked = _("You need a reliability of at least {n}% to take a seat.").format(n=min_reliability)
    return ClockAgreement(
        format_clock_line(clock, ladder, rules.seats),
        format_clock(clock),
        explain_time_out(clock, ladder, rules.seats),
        "" if began is None else _latest_end(clock, ladder, rules, began),
        asked,
        f"{capitalise(rated)}." if (rated := format_rating_range(min_rating, max_rating)) else "",
    )


def format_rating_range(least: int | None, most: int | None) -> str:
    """Say for which ratings a table is: "for ratings 1400 to 1700"; empty where it is for any."""
    if least is None and most is None:
        return ""
    if most is None:
        sentence = _("for ratings from {least}")
    elif least is None:
        sentence = _("for ratings up to {most}")
    else:
        sentence = _("for ratings {least} to {most}")
    return sentence.format(least=least, most=most)


def _latest_end(clock: ClockSettings, ladder: Ladder, rules: RuleSet, began: datetime) -> str:
    """Format the worst-case end (CLOCK-23); empty if it is decades away."""
    end = compute_worst_case_end(
        clock, ladder, seats=rules.seats, decisions=count_most_decisions(rules), began=began
    )
    if end is None:
        return ""
    day = format_day(end)
    return _("Not counting pauses, it ends by {day}.").format(day=day)


def saves_time(clock: ClockSettings) -> bool:
    """Return whether unused time is saved for later turns; otherwise each turn has the same time."""
    return not clock.start == clock.gain == clock.cap


def format_clock_line(clock: ClockSettings, ladder: Ladder, seats: int) -> str:
    """Sum up *clock* and *ladder* for so many *seats*: "About 3 days a move; missing one deadline is
    forgiven"."""
    clauses = [capitalise(format_usual_time(clock)), _describe_excuses(ladder, seats)]
    if clock.ends is not None:
        day = format_day(clock.ends)
        over = {
            AtEnd.TIME: _("it's over by {day}; if unfinished, less time used wins"),
            AtEnd.SCORE: _("it's over by {day}; if unfinished, the board is scored as it stands"),
            AtEnd.ORGANISER: _("it's over by {day}; if unfinished, the league's organisers decide"),
        }
        clauses.append(over[clock.at_end].format(day=day))
    return f"{'; '.join(clauses)}."


def format_usual_time(clock: ClockSettings) -> str:
    """Format the usual time of a turn, and the time bank if that is much more."""
    days, hours = _PACES[saves_time(clock)]
    plenty = clock.start > PLENTY * clock.gain
    time = clock.gain if plenty else clock.start
    sentence = str(hours.format(n=round(time / HOUR)) if time % DAY else days.format(n=time // DAY))
    if not plenty:
        return sentence
    reserve = _("{pace}, with {time} in the time bank")
    return reserve.format(pace=sentence, time=format_span(clock.start))


def _describe_excuses(ladder: Ladder, seats: int) -> str:
    if not ladder.excuses:
        return str((UNFORGIVEN_OF_TWO if seats == 2 else UNFORGIVEN)[ladder.last])
    if ladder.excuses == 1:
        return _("being late once is fine")
    missed = ngettext("being late {n} time is fine", "being late {n} times is fine", ladder.excuses)
    return missed.format(n=ladder.excuses)


def format_clock(clock: ClockSettings) -> str:
    """*clock* as one sentence: "3 days at first, 1 day more with each turn, up to 7 days; holidays stop
    the clock."."""
    return f"{capitalise('; '.join(_clauses(clock)))}."


def explain_time_out(clock: ClockSettings, ladder: Ladder, seats: int) -> str:
    """Say what happens when the time of a seat is over, at a table with so many *seats* (CLOCK-19)."""
    steps = []
    if ladder.excuses:
        times = ngettext("{n} time-out is excused", "{n} time-outs are excused", ladder.excuses)
        steps.append(times.format(n=ladder.excuses))
    if ladder.holiday and holidays_help(clock):
        steps.append(_("a day of holiday starts automatically"))
    steps.append(str((LAST_OF_TWO if seats == 2 else LAST)[ladder.last]))
    sequence = steps[0]
    for step in steps[1:]:
        sequence = pgettext("steps one after the other", "{steps}; then {step}").format(
            steps=sequence, step=step
        )
    return _("When a player runs out of time: {steps}.").format(steps=sequence)


AT_END_CHOICES: Mapping[str, StrOrPromise] = {
    AtEnd.TIME.value: gettext_lazy("The player who used less time wins"),
    AtEnd.SCORE.value: gettext_lazy("The board is scored as it stands"),
    AtEnd.ORGANISER.value: gettext_lazy("The organisers decide"),
}
"""Labels of the organisers' choices for games that reach their hard end."""

AT_END: Mapping[AtEnd, StrOrPromise] = {
    AtEnd.TIME: gettext_lazy("a game that isn't finished by then is won by the player who used less time"),
    AtEnd.SCORE: gettext_lazy(
        "a game that isn't finished by then is scored as it stands, or if less than half of the tiles have "
        "been drawn, won by the player who used less time"
    ),
    AtEnd.ORGANISER: gettext_lazy(
        "the league's organisers decide how a game counts that isn't finished by then; if they don't within "
        "7 days, the player who used less time has won"
    ),
}
"""Half-sentences about a game that reaches its hard end (CLOCK-24)."""


def explain_hard_end(at_end: AtEnd) -> str:
    """Explain in a sentence how a game is decided at its hard end."""
    return f"{capitalise(str(AT_END[at_end]))}."


def _clauses(clock: ClockSettings) -> Iterator[str]:
    if saves_time(clock):
        yield ", ".join(_format_clause(name, getattr(clock, name)) for name in ("start", "gain", "cap"))
    else:
        yield _format_clause("each", clock.gain)
    for name in ("grace", "surcharge_after", "total"):
        if span := getattr(clock, name):
            yield _format_clause(name, span)
    if clock.ends is not None:
        when = format_when(clock.ends)
        yield _("no turn can run past {when}").format(when=when)
        yield str(AT_END[clock.at_end])
    yield str(_STOPS[clock.weekends, clock.holidays])


def _format_clause(what: str, span: timedelta) -> str:
    days, hours = _COUNTED[what]
    return str(hours.format(n=round(span / HOUR)) if span % DAY else days.format(n=span // DAY))


class UsualClock(NamedTuple):
    """The default clock in words, for the rules page (CLOCK-2, 19)."""

    line: str
    sentence: str
    time_out_of_two: str
    time_out: str


def build_usual_clock() -> UsualClock:
    """Return the default clock in words, with the effects of a timeout for two players and for more."""
    clock, two, more = USUAL_CLOCK, Ladder.usual(2), Ladder.usual(3)
    return UsualClock(
        format_clock_line(clock, two, 2),
        format_clock(clock),
        explain_time_out(clock, two, 2),
        explain_time_out(clock, more, 3),
    )
