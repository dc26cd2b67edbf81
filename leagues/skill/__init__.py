"""How strong players are: pure functions of results, by the openskill library (RATE-1 to 7)."""

from leagues.skill.calibration import TENTHS, Calibration, Share, log_loss
from leagues.skill.careers import BEGINNING, Career, Change, after_game, share_of_first
from leagues.skill.elo import ELO, elo_after, elo_expected
from leagues.skill.fit import BETAS, Duel, Fit, fit
from leagues.skill.interval import wilson
from leagues.skill.model import BETA, expected, expected_at_table, rate
from leagues.skill.strength import (
    LEAST_GAMES,
    NEWCOMER,
    PROVISIONAL,
    Shown,
    Strength,
    days_settled,
    rested,
    shown,
)

__all__ = [
    "BEGINNING",
    "BETA",
    "BETAS",
    "ELO",
    "LEAST_GAMES",
    "NEWCOMER",
    "PROVISIONAL",
    "TENTHS",
    "Calibration",
    "Career",
    "Change",
    "Duel",
    "Fit",
    "Share",
    "Shown",
    "Strength",
    "after_game",
    "days_settled",
    "elo_after",
    "elo_expected",
    "expected",
    "expected_at_table",
    "fit",
    "log_loss",
    "rate",
    "rested",
    "share_of_first",
    "shown",
    "wilson",
]
