"""``manage.py simulate_league``: seasons of a league, played by bots in a separate database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from accounts.models import Player
from leagues.management.league_simulation import LeagueSimulation, LeagueSimulationPlan
from leagues.models import Team
from leagues.settings import CupRules, Schedule
from leagues.standings import ComparisonRule, Withdrawn

PLAIN = (
    "divisions", "players", "seats", "seasons", "seed", "rounds", "best_of", "teams", "boards", "turns",
    "faults", "duplicate", "corrections", "penalties", "late_decisions",
)  # fmt: skip
"""Options that the plan takes as they are."""


class Command(BaseCommand):
    help = "Plays seasons of a league by lot, in a database of its own, and prints how they ended."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        usual = LeagueSimulationPlan()
        for name in ("divisions", "players", "seats", "seasons", "seed"):
            parser.add_argument(f"--{name}", type=int, default=getattr(usual, name))
        parser.add_argument("--best-of", type=int, default=usual.best_of)
        parser.add_argument("--rounds", type=int, default=usual.rounds, help="0: as suits the schedule")
        schedules = [one.value for one in Schedule]
        parser.add_argument("--schedule", choices=schedules, default=usual.schedule)
        parser.add_argument("--third-place", action="store_true", help="of a knock-out it is played for")
        parser.add_argument(
            "--without-reset", action="store_true", help="the final of a double elimination decides"
        )
        parser.add_argument("--from-group", type=int, default=usual.cup.from_group, help="so many go on")
        parser.add_argument("--withdrawn", choices=[one.value for one in Withdrawn], default=usual.withdrawn)
        parser.add_argument(
            "--duplicate", action="store_true", help="all tables of a round draw the same tiles"
        )
        parser.add_argument(
            "--comparison",
            choices=[one.value for one in ComparisonRule],
            default=usual.comparison,
            help="with --duplicate: what it counts how others did with the same seat and tiles",
        )
        parser.add_argument("--teams", type=int, default=usual.teams, help="in each division; 0: no teams")
        parser.add_argument("--boards", type=int, default=usual.boards, help="of a match of teams")
        parser.add_argument("--protest", type=int, default=0, help="hours that results stand")
        parser.add_argument(
            "--corrections", action="store_true", help="organisers correct results, in time and later"
        )
        parser.add_argument(
            "--penalties", action="store_true", help="organisers set penalty points: players have a penalty"
        )
        parser.add_argument(
            "--late-decisions",
            action="store_true",
            help="games reach their hard end, organisers decide late, and rounds are drawn late",
        )
        parser.add_argument("--turns", type=int, help="resign after so many, instead of playing to the end")
        parser.add_argument(
            "--faults",
            action="store_true",
            help="people vanish, leave and come late, tasks run twice or are killed",
        )
        parser.add_argument("--json", action="store_true", help="a line of JSON for each division")
        parser.add_argument("--ratings", type=Path, metavar="FILE", help="the ratings of its games, as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        plan = _plan(options)
        own = connection.settings_dict["NAME"]
        connection.creation.create_test_db(verbosity=0)
        try:
            for line in LeagueSimulation(plan).run():
                self.stdout.write(json.dumps(line) if options["json"] else _table(line))
            if options["ratings"]:
                with options["ratings"].open("w") as file:
                    call_command("recompute_ratings", json=True, stdout=file)
        finally:
            connection.creation.destroy_test_db(own, verbosity=0)


def _plan(options: dict[str, Any]) -> LeagueSimulationPlan:
    for name in ("divisions", "players", "seasons"):
        if options[name] < 1:
            raise CommandError(f"--{name} {options[name]}: at least one")
    if not 2 <= options["seats"] <= 6:
        raise CommandError(f"--seats {options['seats']}: two to six")
    plan = LeagueSimulationPlan(
        **{name: options[name] for name in PLAIN},
        schedule=Schedule(options["schedule"]),
        withdrawn=Withdrawn(options["withdrawn"]),
        comparison=ComparisonRule(options["comparison"]),
        cup=CupRules(
            third_place=options["third_place"],
            from_group=options["from_group"],
            reset=not options["without_reset"],
        ),
        protest=timedelta(hours=options["protest"]),
    )
    fault = next(plan.settings.faults(), None)
    if fault is not None:
        raise CommandError(f"There is no league with this {fault.replace('_', ' ')}.")
    return plan


def _table(line: dict[str, Any]) -> str:
    names = dict(Player.objects.filter(entries__season=line["season"]).values_list("pk", "username"))
    rows = [f"Season {line['season']}, division {line['division']}: {len(line['games'])} games"]
    for one in line["standings"]:
        moves = "up" if one["player"] in line["up"] else "down" if one["player"] in line["down"] else ""
        gone = "withdrew" if one["player"] in line["withdrawn"] else ""
        values = " ".join(f"{name} {value}" for name, value in one["values"].items() if name != "lot")
        text = f"{one['rank']:4} {names[one['player']]:12} {one['points']:>6} {moves:5}{gone:9}{values}"
        rows.append(text.rstrip())
    return "\n".join([*rows, *_teams(line)]) + "\n"


def _teams(line: dict[str, Any]) -> list[str]:
    """The table of its teams, if there are any; in a knock-out without board points."""
    names = dict(Team.objects.filter(season=line["season"]).values_list("pk", "name"))
    standings = line.get("teams", {"standings": []})["standings"]
    return [
        f"{one['rank']:4} {names[one['player']]:12} {one['points']:>6} {one.get('board_points', ''):>6}"
        for one in standings
    ]
