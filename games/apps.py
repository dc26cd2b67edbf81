from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts import export
        from accounts.signals import account_closed

        account_closed.connect(_say_goodbye, dispatch_uid="games")
        export.register("games", _own_data)


def _own_data(player: Any) -> Iterable[tuple[str, Any]]:
    from games.pages import own_data

    return own_data.files(player)


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
