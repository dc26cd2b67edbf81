"""Leagues of every format, simulated, looked at before they begin, while they run, and at their end."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import time_machine
from django.urls import reverse

from accounts.models import Player
from games.models import Notice
from leagues.forms import desk as league_desk
from leagues.management.league_simulation import LeagueSimulation, LeagueSimulationPlan
from leagues.models import Phase, Season, Team
from leagues.settings import CupRules, Schedule
from leagues.standings import ComparisonRule
from leagues.views import teams as team_views
from tests.games.factories import make_player
from tests.golden.asking import Record, describe_kind, get_last_notice, record_all, record_mails, sign_in_as
from tests.permissions.world import patterns

_CUP = {"schedule": Schedule.KNOCK_OUT, "divisions": 1, "cup": CupRules(third_place=True)}
_GROUPS = {"schedule": Schedule.GROUPS, "divisions": 2}
FORMATS: Mapping[str, Mapping[str, Any]] = {
    "duels": {"divisions": 2, "players": 4},
    "Swiss": {"schedule": Schedule.SWISS, "divisions": 1, "players": 6, "penalties": True},
    "tables of four": {"seats": 4, "divisions": 1, "players": 8, "penalties": True},
    "same tiles": {
        "duplicate": True,
        "divisions": 2,
        "players": 4,
        "comparison": ComparisonRule.ALONE,
    },
    "knock-out": {**_CUP, "players": 8},
    "groups": {**_GROUPS, "players": 4},
    "ladder": {"schedule": Schedule.LADDER, "divisions": 1, "players": 8, "faults": True},
    "corrected": {
        "divisions": 2,
        "players": 4,
        "protest": timedelta(hours=24),
        "corrections": True,
        "penalties": True,
    },
    "teams": {"teams": 4, "boards": 3, "best_of": 3, "divisions": 1, "penalties": True},
    "groups of teams": {**_GROUPS, "teams": 4, "boards": 3},
}
"""Formats with what makes them small (``LeagueSimulationPlan``)."""

ROLES = {"organiser": "Founder", "member": "Player0002", "anonymous": None}
DAYS = (1, 3)
"""Days of the season on which its pages are looked at."""

MAILS = 3
"""Most mails of a kind from a league that are written down."""


class Onlooker(LeagueSimulation):
    """A simulation that records its pages and mails on the way."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.records: list[Record] = []
        self._told: Counter[str] = Counter()
        self._last = 0
        self._day = 0
        usual: dict[str, Any] = {"turns": 3, "seasons": 1, "seed": 4}
        super().__init__(LeagueSimulationPlan(**usual | dict(FORMATS[name])))

    def watch(self) -> list[Record]:
        """Play the season; return everything recorded."""
        for _line in self.run():
            pass
        self._look("over", acts=False)
        return self.records

    def _register(self, season: Season) -> None:
        super()._register(season)
        self._record_mails()
        self._look("registration", acts=True)

    def _advance(self) -> None:
        super()._advance()
        running = Season.objects.filter(league=self.league, phase=Phase.RUNNING).exists()
        self._day += running
        self._record_mails()
        if running and self._day in DAYS:
            self._look(f"day {self._day}", acts=self._day == DAYS[0])

    def _person(self, name: str) -> Player:
        return make_player(name)  # mails are for those who have an address

    def _record_mails(self) -> None:
        with time_machine.travel(self.now, tick=False):
            owed = Notice.objects.filter(pk__gt=self._last).order_by("pk")
            for notice in owed.select_related("recipient", "game"):
                kind = describe_kind(notice)
                self._told[kind] += 1
                if self._told[kind] <= MAILS:
                    self.records += record_mails(f"{self.name} | {notice.pk}", [notice])
        self._last = get_last_notice()

    def _look(self, when: str, *, acts: bool) -> None:
        with time_machine.travel(self.now, tick=False):
            for role, player in ROLES.items():
                methods = ("GET", "POST") if acts and player else ("GET",)
                addresses = [*self._list_addresses(), *(self._list_acts() if acts and player else ())]
                self.records += record_all(
                    f"{self.name} | {when}", addresses, sign_in_as(player), role, methods
                )

    def _list_addresses(self) -> Iterator[tuple[str, str, dict[str, object]]]:
        values = self._list_values()
        for name, wanted in patterns():
            if not name.startswith(("league:", "leagues:")) or not wanted <= values.keys():
                continue
            for chosen in itertools.product(*(values[part] for part in sorted(wanted))):
                yield name, reverse(name, kwargs=dict(zip(sorted(wanted), chosen, strict=True))), {}
        for name in ("games:mine", "games:home", "games:my_games", "games:lobby"):
            if name in dict(patterns()):
                yield name, reverse(name), {}

    def _list_values(self) -> dict[str, list[Any]]:
        season = self.league.seasons.order_by("number")[0]
        team = Team.objects.order_by("pk").first()
        return {
            "slug": [self.league.slug],
            "number": [season.number],
            "level": list(season.divisions.values_list("level", flat=True)[:3]),
            "round": [1],
            "match": [1],
            "username": ["Player0002"],
            **({"key": [team.pk], "token": [team.token]} if team else {}),
        }

    def _list_acts(self) -> Iterator[tuple[str, str, dict[str, object]]]:
        """Every act of organisers and captains, with data that are enough for most of them."""
        season = self.league.seasons.order_by("number")[0]
        players = list(season.entries.order_by("pk").values_list("player", flat=True)[:2])
        sent: dict[str, object] = {
            **dict.fromkeys(("reason", "why", "remark", "words"), "None"),
            **{"text": "Hello", "confirmed": "yes", "sure": "yes", "days": 2, "points": "1"},
            **{"name": "Newcomer", "player": players[0], "leaving": players[0], "substitute": "Player0003"},
        }
        for act in league_desk.ACTS:
            yield f"act {act}", reverse("league:act", args=[self.league.slug, act]), sent
        for team in Team.objects.filter(season=season).order_by("pk")[:1]:
            for act in team_views.ACTS:
                address = reverse("league:team_act", args=[self.league.slug, season.number, team.pk, act])
                yield f"team act {act}", address, sent


def record_format(name: str) -> list[Record]:
    """Simulate a season of the format *name*, and record its pages and mails."""
    return Onlooker(name).watch()
