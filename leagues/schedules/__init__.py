"""Schedules of pairings and first seats: pure functions of players and of rounds played
(``docs/schedules.md``).

Swiss rounds are in ``leagues.schedules.swiss``, which loads their library.
"""

from leagues.schedules.bracket import list_bracket_order, seed_from_groups
from leagues.schedules.double_elimination import DoubleElimination
from leagues.schedules.elimination import Elimination, Part, Tie
from leagues.schedules.groups import count_groups, draw_groups
from leagues.schedules.knock_out import KnockOut
from leagues.schedules.ladder import (
    LadderChallenge,
    LadderRules,
    add_entrant,
    apply_challenge,
    counts_as_declined,
    remove_player,
)
from leagues.schedules.ladder import list_refusals as challenge_refusals
from leagues.schedules.round_robin import add_newcomer, pair_round_robin
from leagues.schedules.rounds import Pairing, Round, count_first_seats, count_meetings
from leagues.schedules.series import Points, Series, find_decided_series
from leagues.schedules.tables import assign_tables, choose_table_sizes
from leagues.schedules.team_rules import TeamRules
from leagues.schedules.teams import (
    TeamScore,
    build_board_matches,
    build_board_series,
    count_team_score,
    fill_line_up,
    list_line_up_refusals,
)

__all__ = [
    "DoubleElimination",
    "Elimination",
    "KnockOut",
    "LadderChallenge",
    "LadderRules",
    "Pairing",
    "Part",
    "Points",
    "Round",
    "Series",
    "TeamRules",
    "TeamScore",
    "Tie",
    "add_entrant",
    "add_newcomer",
    "apply_challenge",
    "assign_tables",
    "build_board_matches",
    "build_board_series",
    "challenge_refusals",
    "choose_table_sizes",
    "count_first_seats",
    "count_groups",
    "count_meetings",
    "count_team_score",
    "counts_as_declined",
    "draw_groups",
    "fill_line_up",
    "find_decided_series",
    "list_bracket_order",
    "list_line_up_refusals",
    "pair_round_robin",
    "remove_player",
    "seed_from_groups",
]
