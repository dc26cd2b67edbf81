"""Settings of leagues and their calendars, some of them at random."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from games.clocks import DAY, PRESETS
from games.rules import RuleSet
from leagues.calendar import SeasonCalendar, build_calendar
from leagues.schedules import TeamRules
from leagues.settings import ChallengeRules, LeagueSettings, Schedule
from leagues.standings import Rules

BEGINS = datetime(2026, 3, 2, 12, tzinfo=UTC)


def make_settings(seats: int = 2, best_of: int = 1, **other: object) -> LeagueSettings:
    return LeagueSettings(
        rules=RuleSet.of(seats=seats),
        standings=Rules.usual(seats, best_of=best_of),
        **other,  # type: ignore[arg-type]
    )


def build(players: int, **settings: object) -> SeasonCalendar:
    return build_calendar(make_settings(**settings), players=players, begins=BEGINS)  # type: ignore[arg-type]


def draw_settings(lot: random.Random) -> tuple[LeagueSettings, int]:
    """Draw settings and a number of players, or teams; the season may be long or short."""
    schedule = lot.choice(list(Schedule))
    seats = lot.choice([2, 2, 3, 4, 5, 6]) if schedule == Schedule.ROUND_ROBIN else 2
    teams = None
    if seats == 2 and schedule not in (Schedule.SWISS, Schedule.LADDER) and lot.random() < 0.3:
        teams = TeamRules(boards=3, least=3, round=lot.randint(7, 60) * DAY)
    settings = make_settings(
        seats=seats,
        best_of=lot.choice([1, 1, 3]) if seats == 2 else 1,
        clock=PRESETS[lot.choice(["steady", "steady", "brisk", "relaxed"])],
        schedule=schedule,
        rounds=lot.randint(1, 6) if seats > 2 or schedule == Schedule.SWISS else 1,
        division_size=lot.randint(max(4, seats), 10),
        length=lot.randint(30, 400) * DAY,
        challenges=ChallengeRules(length=lot.randint(20, 200) * DAY),
        teams=teams,
    )
    assert not list(settings.faults()) or settings.teams is not None or settings.format.seeded
    return settings, lot.randint(4 if teams is None else 3, 12)
