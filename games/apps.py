from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts.signals import account_closed

        account_closed.connect(_say_goodbye, dispatch_uid="games")


def _say_goodbye(*, player: Any, now: datetime, **kwargs: Any) -> None:
    """Accounts must not know of games, so they say when one is closed and we listen."""
    from games import tables
    from games.play import holidays, plans
    from games.tables import follows, notes, visits

    tables.say_goodbye(player=player, now=now)
    notes.forget(player=player)
    visits.forget(player)
    follows.forget(player)
    plans.forget(player=player)
    holidays.forget(player)
