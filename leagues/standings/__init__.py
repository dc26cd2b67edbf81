"""Standings of a division with explanations, in exact fractions (STAND-1 to 12, ``docs/standings.md``)."""

from leagues.standings.criteria import CRITERIA, Criterion, Value
from leagues.standings.cross_table import CrossTable, CrossTableCell, build_cross_table
from leagues.standings.division_json import (
    division_from_json,
    game_to_json,
    rules_from_json,
    rules_to_json,
    standings_to_json,
)
from leagues.standings.field import SeatField, compare
from leagues.standings.matches import (
    Contest,
    compute_match_result,
    find_struck_games,
    is_decided,
    list_contests,
    share_points,
)
from leagues.standings.outlook import Chance, PlaceOutlook, compute_chances
from leagues.standings.ranking import (
    POINTS,
    Explanation,
    Movement,
    TableStanding,
    compute_movement,
    compute_standings,
)
from leagues.standings.record import Record, count_records
from leagues.standings.values import (
    DEFAULT_POINTS,
    DUEL_TIE_BREAKS,
    DUPLICATE,
    TABLE_TIE_BREAKS,
    TIE_BREAKS,
    ComparisonRule,
    DivisionResults,
    DrawId,
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
    "DUPLICATE",
    "POINTS",
    "TABLE_TIE_BREAKS",
    "TIE_BREAKS",
    "Chance",
    "ComparisonRule",
    "Contest",
    "Criterion",
    "CrossTable",
    "CrossTableCell",
    "DivisionResults",
    "DrawId",
    "Entrant",
    "Explanation",
    "GameResult",
    "Movement",
    "PlaceOutlook",
    "Record",
    "Rules",
    "SeatField",
    "SeatResult",
    "TableStanding",
    "UnplayedGame",
    "Value",
    "Withdrawn",
    "build_cross_table",
    "compare",
    "compute_chances",
    "compute_match_result",
    "compute_movement",
    "compute_standings",
    "count_records",
    "division_from_json",
    "find_struck_games",
    "game_to_json",
    "is_decided",
    "list_contests",
    "rules_from_json",
    "rules_to_json",
    "share_points",
    "standings_to_json",
]
