from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts.signals import account_closed
        from core import hooks
        from games.conduct.interests import find_shared_games
        from games.selectors import invitation_recipients

        account_closed.connect(_say_goodbye, dispatch_uid="games")
        if settings.MAIL_WEBHOOKS:
            from games.mail_in import webhooks

            webhooks.connect()
        hooks.OWN_DATA.register("games", _own_data)
        hooks.ADDRESS_PROOFS.register(
            invitation_recipients.MAILED_LINK, invitation_recipients.find_invited_address
        )
        hooks.INTERESTS.register("games", find_shared_games)


def _own_data(player: Any) -> Iterable[tuple[str, Any]]:
    from games.pages import own_data

    return own_data.export_files(player)


def _say_goodbye(*, player: Any, now: datetime, **kwargs: Any) -> None:
    """Accounts must not know of games, so they say when one is closed and we listen."""
    from games import tables
    from games.mail_in import receiving
    from games.notices import own_webhooks

    tables.say_goodbye(player=player, now=now)
    receiving.forget_mails(player)  # after the games are locked, as where a mail is answered
    own_webhooks.forget_webhooks(player)
