"""Clocks: pure functions of settings, calendar and record (``docs/clocks.md``). All instants are UTC."""

from core.undo_window import LONGEST_UNDO
from games.clocks.calendar import FOREVER, LONGEST_REST, MOST_WEEKEND_DAYS, Calendar, Stretch
from games.clocks.holidays import (
    A_YEAR,
    AT_A_STRETCH,
    BETWEEN_EMERGENCIES,
    EMERGENCY,
    MUTUAL_PAUSE,
    SHORTEST_PIECE,
    Piece,
)
from games.clocks.holidays import compute_holiday_left as holiday_left
from games.clocks.holidays import find_holiday_refusals as holiday_refusals
from games.clocks.holidays import shorten_holiday as holiday_shortened
from games.clocks.ladder import (
    CLAIM_FOR,
    CLAIM_GIVES,
    LAST_STEPS,
    MOST_EXCUSES,
    Ladder,
    TimeoutStep,
    compute_refill,
    holidays_help,
    mark_rated_timeouts,
)
from games.clocks.reliability import Reliability
from games.clocks.reminders import (
    AFTER_STOP,
    ARRIVAL,
    BETWEEN_REMINDERS,
    LATE_NOTICE,
    OUTAGE,
    compute_reminder_times,
    find_outage,
    is_expired,
    is_late,
    is_too_soon,
)
from games.clocks.settings import (
    DAY,
    HOUR,
    LONGEST,
    PRESETS,
    SHORTEST,
    USUAL_CLOCK,
    AtEnd,
    ClockSettings,
    Counting,
    parse_instant,
)
from games.clocks.turn import Charge, DeadlineTerm, TimedTurn, compute_allowed_charge
from games.clocks.usual_end import USUAL_ANSWER, compute_load_factor, compute_usual_length
from games.clocks.worst_case import TAKEOVERS, compute_worst_case_end

__all__ = [
    "AFTER_STOP",
    "ARRIVAL",
    "AT_A_STRETCH",
    "A_YEAR",
    "BETWEEN_EMERGENCIES",
    "BETWEEN_REMINDERS",
    "CLAIM_FOR",
    "CLAIM_GIVES",
    "DAY",
    "EMERGENCY",
    "FOREVER",
    "HOUR",
    "LAST_STEPS",
    "LATE_NOTICE",
    "LONGEST",
    "LONGEST_REST",
    "LONGEST_UNDO",
    "MOST_EXCUSES",
    "MOST_WEEKEND_DAYS",
    "MUTUAL_PAUSE",
    "OUTAGE",
    "PRESETS",
    "SHORTEST",
    "SHORTEST_PIECE",
    "TAKEOVERS",
    "USUAL_ANSWER",
    "USUAL_CLOCK",
    "AtEnd",
    "Calendar",
    "Charge",
    "ClockSettings",
    "Counting",
    "DeadlineTerm",
    "Ladder",
    "Piece",
    "Reliability",
    "Stretch",
    "TimedTurn",
    "TimeoutStep",
    "compute_allowed_charge",
    "compute_load_factor",
    "compute_refill",
    "compute_reminder_times",
    "compute_usual_length",
    "compute_worst_case_end",
    "find_outage",
    "holiday_left",
    "holiday_refusals",
    "holiday_shortened",
    "holidays_help",
    "is_expired",
    "is_late",
    "is_too_soon",
    "mark_rated_timeouts",
    "parse_instant",
]
