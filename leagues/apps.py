from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeaguesConfig(AppConfig):
    name = "leagues"
    verbose_name = _("Leagues")

    def ready(self) -> None:
        from games.signals import game_ended

        game_ended.connect(_follow, dispatch_uid="leagues")


def _follow(*, game: int, **kwargs: Any) -> None:
    """Games know nothing of leagues, so they say when one has ended and we listen."""
    from carcassonne.celery import on_commit
    from leagues import ratings
    from leagues.models import Fixture

    ratings.follow(game)
    if Fixture.objects.filter(game=game).exists():
        on_commit("leagues.tasks.advance")
