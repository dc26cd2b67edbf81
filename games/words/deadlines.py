"""Explanations of a deadline, in words (CLOCK-18): the same on pages, in mails and for moderators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.clocks import FOREVER, DeadlineTerm, TimedTurn
from games.words.times import format_instant

from .grammar import capitalise
from .times import format_span

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

GIVEN = ("grace", "bank")
NOON = 12
"""Hour of the day before which rest hours end that are called a night's rest."""

_STRETCHES: Mapping[str, StrOrPromise] = {
    "weekend": gettext_lazy("{time} of weekend, until {end}"),
    "holiday": gettext_lazy("{time} of holiday, until {end}"),
    "pause": gettext_lazy("{time} of pause, until {end}"),
    "emergency": gettext_lazy("{time} of an emergency pause, until {end}"),
    "outage": gettext_lazy("{time} while this site was down, until {end}"),
    "unsent": gettext_lazy("{time} while the email about the turn couldn't be sent, until {end}"),
    "hold": gettext_lazy("{time} stopped by a moderator, until {end}"),
}
"""Time that is not counted, by its cause."""


def explain_deadline(turn: TimedTurn) -> tuple[str, ...]:
    """The terms of the deadline of *turn*, in the reader's language and zone; they add up."""
    terms = list(_together(turn.explanation()))
    if not terms or terms[0].kind not in GIVEN:
        return (
            _("no time left from {begin}").format(begin=format_instant(turn.began)),
            *_all_told(turn, terms),
        )
    began = _("{time} of free time from {begin}") if terms[0].kind == "grace" else _("{time} from {begin}")
    first = began.format(time=format_span(terms[0].span), begin=format_instant(turn.began))
    return (first, *_all_told(turn, terms[1:]))


def summarise_deadline(turn: TimedTurn) -> str:
    """Return the explanation as one sentence: "3 days from Fri 20 Nov, 18:10; a night's rest to 07:00."."""
    return f"{capitalise('; '.join(explain_deadline(turn)))}."


def explain_standstill(turn: TimedTurn, now: datetime) -> str:
    """Say that the clock of *turn* stands still *now*, and why; nothing while it runs."""
    for term in _together(turn.explanation()):
        if term.kind == "rest" or term.begin is None or term.end is None:
            continue
        if term.begin <= now < term.end:
            return _("The clock is stopped: {why}.").format(why=_explain_term(turn, term))
    return ""


def _together(terms: Iterable[DeadlineTerm]) -> Iterator[DeadlineTerm]:
    """Merge successive stretches of *terms* with the same cause, such as Saturday and Sunday."""
    last: DeadlineTerm | None = None
    for term in terms:
        if last is not None and term.begin is not None and (last.kind, last.end) == (term.kind, term.begin):
            last = last._replace(span=last.span + term.span, end=term.end)
            continue
        if last is not None:
            yield last
        last = term
    if last is not None:
        yield last


def _all_told(turn: TimedTurn, terms: Iterable[DeadlineTerm]) -> tuple[str, ...]:
    return tuple(_explain_term(turn, term) for term in terms)


def _explain_term(turn: TimedTurn, term: DeadlineTerm) -> str:
    time = format_span(abs(term.span))
    end = "" if term.end is None or term.end == FOREVER else format_instant(term.end)
    match term.kind:
        case "bank":
            return _("{time} from the time bank").format(time=time)
        case "total":
            return _("{time} less, as the time for the whole game allows no more").format(time=time)
        case "surcharge":
            assert turn.clock.surcharge_after is not None
            limit = format_span(turn.clock.surcharge_after)
            sentence = _("{time} less, as what a turn takes beyond {limit} counts double")
            return sentence.format(time=time, limit=limit)
        case "rest":
            return _rest(term)
        case "floor":
            return _("{time} more, so that it isn't before {end}").format(time=time, end=end)
        case "ends":
            return _("{time} less, as the game ends {end}").format(time=time, end=end)
    if not end:
        return _("the clock is stopped until further notice")
    stretch = _STRETCHES.get(term.kind) or _("{time} not counted, until {end}")
    return str(stretch).format(time=time, end=end)


def _rest(term: DeadlineTerm) -> str:
    assert term.end is not None
    end = timezone.localtime(term.end)
    sentence = _("a night's rest until {hour}") if end.hour < NOON else _("rest hours until {hour}")
    return sentence.format(hour=time_format(end, "TIME_FORMAT"))
