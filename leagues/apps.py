from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from games.selectors.strength import Standing


class LeaguesConfig(AppConfig):
    name = "leagues"
    verbose_name = _("Leagues")

    def ready(self) -> None:
        from games.selectors import strength
        from games.signals import game_ended

        game_ended.connect(_follow, dispatch_uid="leagues")
        strength.register(_standings, _expected)


def _standings(players: Collection[int], now: datetime) -> Mapping[int, Standing]:
    from leagues.selectors import strengths

    return strengths.standings(players, now)


def _expected(player: int, opponents: Collection[int], seats: int, now: datetime) -> float:
    from leagues.selectors import strengths

    return strengths.expected_of(player, opponents, seats, now)


def _follow(*, game: int, **kwargs: Any) -> None:
    """Games know nothing of leagues, so they say when one has ended and we listen."""
    from carcassonne.celery import on_commit
    from leagues import ratings
    from leagues.models import Fixture

    ratings.follow(game)
    if Fixture.objects.filter(game=game).exists():
        on_commit("leagues.tasks.advance")
