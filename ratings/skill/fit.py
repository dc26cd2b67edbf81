"""Comparison of betas by how well they would have predicted results (RATE-7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ratings.skill.calibration import compute_log_loss
from ratings.skill.careers import BEGINNING, Career, apply_game, compute_first_share

BETAS = tuple(float(beta) for beta in range(4, 13))


@dataclass(frozen=True, slots=True)
class Duel:
    """A rated duel: its two players by primary key, in the order of their seats."""

    players: tuple[int, int]
    ranks: tuple[int, int]
    ended: datetime


@dataclass(frozen=True, slots=True)
class Fit:
    """Log loss of a beta over so many games, in nats; ``None`` without any."""

    beta: float
    games: int
    loss: float | None


def compare_betas(duels: Iterable[Duel], beta: float, betas: Sequence[float] = BETAS) -> list[Fit]:
    """The log loss of each of *betas* and of *beta*, which is in force, in ascending order of betas.

    All are measured on the same games, to be comparable: those before which neither player was provisional
    by *beta*. *duels* are read once, and must come in the order of rating.
    """
    tried = sorted({beta, *betas})
    careers: dict[float, defaultdict[int, Career]] = {beta: defaultdict(lambda: BEGINNING) for beta in tried}
    losses, games = dict.fromkeys(tried, 0.0), 0
    for duel in duels:
        share = compute_first_share(duel.ranks)
        changes = {
            beta: apply_game([careers[beta][player] for player in duel.players], duel.ranks, duel.ended, beta)
            for beta in tried
        }
        settled = not any(change.before.provisional for change in changes[beta])
        games += settled
        for tested, (first, second) in changes.items():
            careers[tested].update(zip(duel.players, (first.after, second.after), strict=True))
            if settled:
                losses[tested] += compute_log_loss(first.expected, share)
    return [Fit(beta, games, losses[beta] / games if games else None) for beta in tried]
