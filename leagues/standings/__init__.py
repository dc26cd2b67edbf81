"""Who stands where in a division, and why, in exact fractions (STAND-1 to 12, ``docs/standings.md``)."""

from leagues.standings.by_round import points_by_round, running_totals
from leagues.standings.criteria import CRITERIA, Criterion, Value
from leagues.standings.cross_table import Cell, CrossTable, cross_table
from leagues.standings.explanation import POINTS, Explanation
from leagues.standings.field import SeatField, compare
from leagues.standings.forfeits import struck_games
from leagues.standings.line import (
    division_from_json,
    game_to_json,
    rules_from_json,
    rules_to_json,
    standings_to_json,
)
from leagues.standings.matches import Contest, contests, decided, match_result
from leagues.standings.movement import Movement, movement
from leagues.standings.outlook import Chance, Outlook, outlooks
from leagues.standings.points import shared_points
from leagues.standings.ranking import Standing, standings
from leagues.standings.values import (
    DEFAULT_POINTS,
    DUEL_TIE_BREAKS,
    TABLE_TIE_BREAKS,
    TIE_BREAKS,
    Division,
    Entrant,
    GameResult,
    Rules,
    SeatResult,
    UnplayedGame,
    Withdrawn,
)

__all__ = [
    "CRITERIA",
    "DEFAULT_POINTS",
    "DUEL_TIE_BREAKS",
    "POINTS",
    "TABLE_TIE_BREAKS",
    "TIE_BREAKS",
    "Cell",
    "Chance",
    "Contest",
    "Criterion",
    "CrossTable",
    "Division",
    "Entrant",
    "Explanation",
    "GameResult",
    "Movement",
    "Outlook",
    "Rules",
    "SeatField",
    "SeatResult",
    "Standing",
    "UnplayedGame",
    "Value",
    "Withdrawn",
    "compare",
    "contests",
    "cross_table",
    "decided",
    "division_from_json",
    "game_to_json",
    "match_result",
    "movement",
    "outlooks",
    "points_by_round",
    "rules_from_json",
    "rules_to_json",
    "running_totals",
    "shared_points",
    "standings",
    "standings_to_json",
    "struck_games",
]
