"""Who meets whom, and who begins: pure functions of players and of rounds played (``docs/schedules.md``)."""

from leagues.schedules.bracket import bracket_order, seeds_from_groups
from leagues.schedules.knock_out import KnockOut, Tie
from leagues.schedules.round_robin import round_robin, with_newcomer
from leagues.schedules.rounds import Pairing, Round, first_seats, meetings
from leagues.schedules.series import Series, decided_series
from leagues.schedules.tables import table_sizes, tables

__all__ = [
    "KnockOut",
    "Pairing",
    "Round",
    "Series",
    "Tie",
    "bracket_order",
    "decided_series",
    "first_seats",
    "meetings",
    "round_robin",
    "seeds_from_groups",
    "table_sizes",
    "tables",
    "with_newcomer",
]
