"""Who meets whom, and who begins: pure functions of players and of rounds played (``docs/schedules.md``).

Swiss rounds are in ``leagues.schedules.swiss``, which loads their library.
"""

from leagues.schedules.bracket import bracket_order, seeds_from_groups
from leagues.schedules.knock_out import KnockOut, Tie
from leagues.schedules.ladder import (
    Challenge,
    LadderRules,
    after_challenge,
    may_challenge,
    with_entrant,
    without,
)
from leagues.schedules.ladder import refusals as challenge_refusals
from leagues.schedules.round_robin import round_robin, with_newcomer
from leagues.schedules.rounds import Pairing, Round, first_seats, meetings
from leagues.schedules.series import Series, decided_series
from leagues.schedules.tables import table_sizes, tables

__all__ = [
    "Challenge",
    "KnockOut",
    "LadderRules",
    "Pairing",
    "Round",
    "Series",
    "Tie",
    "after_challenge",
    "bracket_order",
    "challenge_refusals",
    "decided_series",
    "first_seats",
    "may_challenge",
    "meetings",
    "round_robin",
    "seeds_from_groups",
    "table_sizes",
    "tables",
    "with_entrant",
    "with_newcomer",
    "without",
]
