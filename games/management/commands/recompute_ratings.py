"""``manage.py recompute_ratings``: rates every game again, or checks whether that would change anything."""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games import rated_games
from ratings import calibration_months, progress, rows
from ratings.rows import RatedOutcome
from ratings.skill import Strength


class Command(BaseCommand):
    help = (
        "Rates all games anew. The site may go on meanwhile: a rating is replaced by the new one when its"
        " last game comes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        instead = parser.add_mutually_exclusive_group()
        instead.add_argument(
            "--check", action="store_true", help="change nothing; list what is otherwise, and exit 1"
        )
        instead.add_argument(
            "--fit", action="store_true", help="change nothing; the log loss of duels for beta from 4 to 12"
        )
        parser.add_argument(
            "--json", action="store_true", help="a line of JSON for each rated game, in order"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["fit"]:
            self._fit(as_json=options["json"])
        elif options["check"]:
            self._check(as_json=options["json"])
        else:
            self._rebuild(as_json=options["json"])

    def _rebuild(self, *, as_json: bool) -> None:
        progress.rebuild()
        rated_games.rate_games(seconds=math.inf)
        calibration_months.count_months(seconds=math.inf)
        if not as_json:
            self.stdout.write(f"{rows.count_games()} games are rated")
            return
        for outcome in rows.iterate_outcomes():
            self.stdout.write(line(outcome))

    def _check(self, *, as_json: bool) -> None:
        """Print the outcomes of a rebuild as lines of JSON; differences then go to standard error."""

        def tell(outcome: RatedOutcome) -> None:
            if as_json:
                self.stdout.write(line(outcome))

        out = self.stderr if as_json else self.stdout
        faults = 0
        for difference in rated_games.find_differences(tell):
            out.write(difference)
            faults += 1
        if not as_json:
            self.stdout.write(f"{rows.count_games()} games are rated, {faults} differences")
        if faults:
            sys.exit(1)

    def _fit(self, *, as_json: bool) -> None:
        for candidate in rated_games.fit_beta():
            if as_json:
                fit = {"beta": candidate.beta, "games": candidate.games, "log_loss": candidate.loss}
                self.stdout.write(json.dumps(fit))
                continue
            loss = "-" if candidate.loss is None else f"{candidate.loss:.6f}"
            in_force = "  in force" if candidate.beta == settings.RATING_BETA else ""
            self.stdout.write(
                f"beta {candidate.beta:5.2f}  log loss {loss}  over {candidate.games} duels{in_force}"
            )


def line(outcome: RatedOutcome) -> str:
    """Format a rated game as JSON: its code, pool and end; and for each seat the player's primary key, the
    rank, and mu and sigma before the game, after resting, and after it."""
    played = outcome.played
    seats = [
        {
            "player": player,
            "rank": change.rank,
            "before": _pair(change.before),
            "after": _pair(change.after.strength),
        }
        for player, change in zip(played.players, outcome.changes, strict=True)
    ]
    return json.dumps(
        {
            "game": played.place.code,
            "pool": played.pool,
            "finished": played.place.ended.isoformat(),
            "seats": seats,
        }
    )


def _pair(strength: Strength) -> list[float]:
    return [strength.mu, strength.sigma]
