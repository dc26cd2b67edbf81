"""Who meets whom, and who begins: pure functions of players and of rounds played (``docs/schedules.md``).

Swiss rounds are in ``leagues.schedules.swiss``, which loads their library.
"""

from leagues.schedules.bracket import bracket_order, seeds_from_groups
from leagues.schedules.groups import drawn_groups, groups_of_at_most
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
from leagues.schedules.series import Points, Series, decided_series
from leagues.schedules.tables import table_sizes, tables
from leagues.schedules.team_rules import TeamRules
from leagues.schedules.teams import (
    TeamScore,
    board_matches,
    board_series,
    filled_line_up,
    line_up_refusals,
    points_of_teams,
    team_score,
)

__all__ = [
    "Challenge",
    "KnockOut",
    "LadderRules",
    "Pairing",
    "Points",
    "Round",
    "Series",
    "TeamRules",
    "TeamScore",
    "Tie",
    "after_challenge",
    "board_matches",
    "board_series",
    "bracket_order",
    "challenge_refusals",
    "decided_series",
    "drawn_groups",
    "filled_line_up",
    "first_seats",
    "groups_of_at_most",
    "line_up_refusals",
    "may_challenge",
    "meetings",
    "points_of_teams",
    "round_robin",
    "seeds_from_groups",
    "table_sizes",
    "tables",
    "team_score",
    "with_entrant",
    "with_newcomer",
    "without",
]
