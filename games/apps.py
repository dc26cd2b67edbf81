from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts import export, proofs
        from accounts.signals import account_closed
        from games.conduct import interests
        from games.models import Kind
        from games.notices import elsewhere
        from games.selectors import desk_queues, invited
        from games.tables import renaming

        renaming.register()
        account_closed.connect(_say_goodbye, dispatch_uid="games")
        export.register("games", _own_data)
        proofs.register(invited.MAILED_LINK, invited.find_invited_address)
        interests.register_sources()
        elsewhere.register(Kind.REPORT, _mail_about_report)
        desk_queues.register(_signals)


def _own_data(player: Any) -> Iterable[tuple[str, Any]]:
    from games.pages import own_data

    return own_data.files(player)


def _mail_about_report(notice: Any, now: datetime) -> Any:
    from games.notices import report_letters

    return report_letters.decided(notice, now)


def _signals(now: datetime) -> Sequence[Any]:
    from games.pages.moderation import signals

    return signals.waiting()


def _say_goodbye(*, player: Any, now: datetime, **kwargs: Any) -> None:
    """Accounts must not know of games, so they say when one is closed and we listen."""
    from games import tables
    from games.fair_play import signals

    tables.say_goodbye(player=player, now=now)
    signals.forget(player)
