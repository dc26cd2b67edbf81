"""Cost of drawing a Swiss system of 400 players: ``python -m benchmarks.pairing``, in processor time."""

from __future__ import annotations

import random
import sys
import time

from leagues.schedules.swiss import SwissMatch, SwissRound, pair_swiss_round

PLAYERS, ROUNDS = 400, 9
SECONDS = 10.0  # a round


def main() -> bool:
    """Draw and play all rounds, print the time of each draw; return whether the bound holds."""
    chance = random.Random(400)
    strength = sorted((chance.gauss(0, 1) for _ in range(PLAYERS)), reverse=True)
    played: list[SwissRound[int]] = []
    slowest = 0.0
    for number in range(1, ROUNDS + 1):
        began = time.process_time()
        drawn = pair_swiss_round(range(PLAYERS), played, ROUNDS)
        took = time.process_time() - began
        slowest = max(slowest, took)
        print(f"Swiss system of {PLAYERS}, round {number}: {took:.1f} s")
        matches = []
        for one, other in (pairing.players for pairing in drawn.pairings):
            lead = strength[one] - strength[other] + chance.gauss(0, 1)
            points = (1, 1) if abs(lead) < 0.1 else (2, 0) if lead > 0 else (0, 2)
            matches.append(SwissMatch((one, other), points))
        played.append(SwissRound(tuple(matches), drawn.byes))
    return slowest <= SECONDS


if __name__ == "__main__":
    sys.exit(not main())
