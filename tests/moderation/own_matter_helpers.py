"""People with a stake in each other's matters, and refusals."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group

from accounts.models import Player
from accounts.roles import ADMINISTRATOR
from games import tables
from games.exceptions import Refused
from games.rules import RuleSet
from leagues.models import Division, Entry, EntryState, League, Phase, Season
from leagues.settings import LeagueSettings
from leagues.standings import Rules
from tests.games.factories import NOW, make_table
from tests.moderation.sanctioning import DAY, moderator


def administrator(name: str = "Ada") -> Player:
    """A moderator who is an administrator, too."""
    player = moderator(name)
    player.groups.add(Group.objects.get_or_create(name=ADMINISTRATOR)[0])
    return player


def beside(*people: Player, now: Any = NOW, **settings: Any) -> Any:
    """Start a game between these people."""
    table = make_table(seats=len(people), host=people[0], now=now, **settings)
    for player in people[1:]:
        tables.sit(game_id=table.pk, player=player, now=now)
    table.refresh_from_db()
    return table


def season_of(*people: Player, phase: Phase = Phase.RUNNING, registered: Any = NOW) -> Season:
    agreed = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2)).to_json()
    league = League.objects.create(slug="albi", name="Albi", founder=people[0], created=NOW, agreed=agreed)
    season = Season.objects.create(
        league=league,
        number=1,
        phase=phase,
        agreed=agreed,
        opened=NOW - 9 * DAY,
        begins=NOW - DAY,
        ends=NOW + 90 * DAY,
    )
    division = Division.objects.create(season=season, level=1)
    for player in people:
        Entry.objects.create(
            season=season,
            player=player,
            division=division,
            state=EntryState.PLAYING,
            registered=registered,
        )
    return season


def refused(act: Any, *args: Any, **kwargs: Any) -> str:
    with pytest.raises(Refused) as why:
        act(*args, **kwargs)
    assert why.value.message
    return why.value.code
