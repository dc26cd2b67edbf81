"""Strengths of players: pure functions of results, by the openskill library (RATE-1 to 7)."""

from ratings.skill.calibration import TENTHS, Calibration, Share, compute_log_loss, compute_wilson_interval
from ratings.skill.careers import BEGINNING, Career, CareerChange, apply_game, compute_first_share
from ratings.skill.elo import ELO, expect_elo, update_elo
from ratings.skill.fit import BETAS, Duel, Fit, compare_betas
from ratings.skill.model import BETA, compute_expectation, compute_table_expectation, update_strengths
from ratings.skill.strength import (
    LEAST_GAMES,
    NEWCOMER,
    PROVISIONAL,
    RoundedStrength,
    Strength,
    apply_rest,
    count_settled_days,
    round_strength,
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
    "CareerChange",
    "Duel",
    "Fit",
    "RoundedStrength",
    "Share",
    "Strength",
    "apply_game",
    "apply_rest",
    "compare_betas",
    "compute_expectation",
    "compute_first_share",
    "compute_log_loss",
    "compute_table_expectation",
    "compute_wilson_interval",
    "count_settled_days",
    "expect_elo",
    "round_strength",
    "update_elo",
    "update_strengths",
]
