"""Tests that all pages and messages about a game of a league tell one result (STAND-21)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

import pytest

from games import heartbeat, play
from games.clocks import DAY, HOUR, AtEnd, ClockSettings
from games.models import Game
from leagues.models import Fixture
from tests.games.factories import play_turns
from tests.leagues.organising_helpers import settle_fixture
from tests.leagues.season_helpers import BEGINS, advance_seasons, begin_season, get_numbered_player
from tests.leagues.selectors.verdict_helpers import (
    FIRST,
    SECOND,
    Document,
    Winners,
    crawl_pages,
    send_messages,
)

pytestmark = pytest.mark.django_db


def find_disagreements(found: list[Document], winners: Winners) -> list[str]:
    """The claims of other winners, with where they stand."""
    return [
        f"{one}: {where!r} says {sorted(claim)}"
        for one in found
        for where, claim in one.claims.items()
        if claim != winners
    ]


def reach_hard_end(at_end: AtEnd, turns: int = 3) -> tuple[Game, datetime]:
    clock = ClockSettings(start=60 * DAY, gain=DAY, cap=60 * DAY, at_end=at_end)
    season = begin_season(2, division_size=4, clock=clock)
    game = Game.objects.get()
    send_messages(BEGINS + HOUR)
    for number in range(turns):
        game = play_turns(game, 1, now=BEGINS + (number + 1) * HOUR)
    now = season.ends + HOUR
    heartbeat.set_beat(now)
    assert play.lose_on_time(game_id=game.pk, now=now)
    return Game.objects.get(), now


def test_a_hard_end_left_to_organisers_until_they_decide() -> None:
    game, now = reach_hard_end(AtEnd.ORGANISER)
    found = send_messages(now) + crawl_pages(game, now)
    assert [f"{one}: {dict(one.claims)}" for one in found if one.claims] == []
    second, first = get_numbered_player(1), get_numbered_player(0)
    settle_fixture(Fixture.objects.get(), {first: 2, second: 1}, now=now + DAY)
    after = send_messages(now + DAY) + crawl_pages(game, now + DAY)
    assert find_disagreements(after, frozenset({SECOND})) == []
