"""Cases as JSON, and their answers: the contract of ``manage.py clock``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from core.time_zones import list_zones
from games.clocks.calendar import FOREVER, Calendar, Stretch
from games.clocks.settings import ClockSettings, parse_instant, parse_seconds
from games.clocks.turn import NOTHING, TimedTurn

SECOND = timedelta(seconds=1)


class InvalidCase(ValueError):
    """Error for a line that is not a valid case."""


def answer(text: str) -> dict[str, Any]:
    """Return the answer to the case in *text*, one line of JSON.

    :raises InvalidCase: it is not a valid case
    """
    try:
        return _answer(json.loads(text))
    except KeyError as error:
        raise InvalidCase(f"{error.args[0]!r} is missing") from None
    except (AttributeError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidCase(str(error)) from None


def _answer(case: Mapping[str, Any]) -> dict[str, Any]:
    clock, calendar = ClockSettings.from_json(case["clock"]), Calendar.from_json(case["calendar"])
    if calendar.zone not in list_zones():
        raise ValueError(f"there is no time zone {calendar.zone!r}")
    for fault in calendar.faults():
        raise ValueError(f"{fault} is not as a calendar may be (CLOCK-4)")
    if clock.start > clock.cap:
        raise ValueError("start is more than cap (CLOCK-1)")
    holidays = tuple(_stretch(pair, "holiday") for pair in case["calendar"]["holidays"])
    bank, spent = clock.start, NOTHING
    answers: list[dict[str, Any]] = []
    for stored in case["turns"]:
        turn = TimedTurn(
            clock=clock,
            began=parse_instant(stored["began"]),
            bank=bank + parse_seconds(stored["given"]),
            spent=spent,
            calendar=calendar,
            holidays=holidays,
            stops=tuple(_stretch(pair, "stop") for pair in stored["stops"]),
            floors=tuple(parse_instant(floor) for floor in stored["floors"]),
        )
        answer: dict[str, Any] = {
            "bank": turn.bank // SECOND,
            "deadline": _format_deadline(turn.deadline()),
            "late": None,
            "charged": None,
            "after": None,
        }
        answers.append(answer)
        if stored["played"] is None:
            break
        charge = turn.compute_charge(parse_instant(stored["played"]))
        answer |= {"late": charge.late, "charged": charge.charged // SECOND, "after": charge.after // SECOND}
        if charge.late:
            break
        bank, spent = charge.after, spent + charge.charged
    return {"turns": answers}


def _stretch(pair: list[str | None], cause: str) -> Stretch:
    begin, end = pair
    return Stretch(parse_instant(str(begin)), FOREVER if end is None else parse_instant(end), cause)


def _format_deadline(deadline: datetime | None) -> str | None:
    return None if deadline is None else deadline.strftime("%Y-%m-%dT%H:%M:%SZ")
