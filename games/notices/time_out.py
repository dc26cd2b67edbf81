"""The mail about the price of a player's timeout, after which the turn may still be played (CLOCK-19)."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clocks import A_YEAR, compute_refill
from games.models import Holiday, Move, Notice
from games.notices.letters import NoticeLetter, load_scene, write_turn_letter
from games.selectors.holidays import load_holidays_left
from games.words.times import format_duration

ACTS = ("excuse", "holiday")


def write_time_out_letter(notice: Notice) -> NoticeLetter:
    """Write the letter about it, with the turn that still waits."""
    letter = write_turn_letter(notice, load_scene(notice), _subject(notice))
    letter.context["spent"] = " ".join(_sentences(notice))
    return letter


def _load_acts(notice: Notice) -> list[Move]:
    """Return the acts of *notice*: the last ones of its turn, at the same time."""
    acts = notice.of_game.moves.filter(version__gt=notice.version, action__type__in=ACTS).order_by("version")
    moves = list(acts)
    return [act for act in moves if act.at == moves[-1].at]


def _sentences(notice: Notice) -> list[str]:
    return [
        sentence
        for act in _load_acts(notice)
        for sentence in (
            _explain_excuse(notice) if act.action["type"] == "excuse" else _explain_holiday(notice)
        )
    ]


def _subject(notice: Notice) -> str:
    acts = _load_acts(notice)
    if acts and acts[-1].action["type"] == "holiday":
        return _("A day of your holiday has started in {game}").format(game=notice.of_game.name)
    return _("Your time ran out in {game}: excused this time").format(game=notice.of_game.name)


def _explain_excuse(notice: Notice) -> list[str]:
    game = notice.of_game
    seat = game.seats.get(player=notice.recipient)
    more = max(0, game.ladder.excuses - seat.excuses)
    sentence = _("Your time in {game} ran out. You're excused this time, and have another {time}.")
    if more:
        rest = ngettext(
            "You can be excused {n} more time in this game.",
            "You can be excused {n} more times in this game.",
            more,
        ).format(n=more)
    else:
        rest = _("You won't be excused again in this game.")
    return [sentence.format(game=game.name, time=format_duration(compute_refill(game.clock))), rest]


def _explain_holiday(notice: Notice) -> list[str]:
    holiday = Holiday.objects.filter(player=notice.recipient, automatic=True).order_by("-begin").first()
    if holiday is None:  # it has been deleted since
        return []
    sentence = _(
        "Your time in {game} ran out, so a day of your holiday started automatically. It "
        "lasts until {end} and stops the clock in all your games where holidays do."
    )
    year = holiday.begin.year  # in UTC, as the allowance counts
    left = _("It cost 1 of your {all} days a year; you have {time} left in {year}.")
    return [
        sentence.format(game=notice.of_game.name, end=_moment(holiday.end)),
        left.format(
            all=A_YEAR.days, time=format_duration(load_holidays_left(holiday.player_id, year)), year=year
        ),
        _("You can turn this off under “My time”, and enter holidays there yourself."),
    ]


def _moment(at: datetime) -> str:
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")
