from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_out

        from accounts import hooks
        from accounts.signals import account_closed, session_renewed
        from games.conduct.interests import find_shared_games
        from games.notices import letter_writers
        from games.selectors import invitation_recipients

        account_closed.connect(_say_goodbye, dispatch_uid="games")
        session_renewed.connect(_follow_session, dispatch_uid="games")
        user_logged_out.connect(_forget_session, dispatch_uid="games")
        if settings.MAIL_WEBHOOKS:
            from games.mail_in import webhooks

            webhooks.connect()
        hooks.OWN_DATA.register("games", _own_data)
        hooks.ADDRESS_PROOFS.register(
            invitation_recipients.MAILED_LINK, invitation_recipients.find_invited_address
        )
        hooks.INTERESTS.register("games", find_shared_games)
        letter_writers.register_letters()


def _own_data(player: Any) -> Iterable[tuple[str, Any]]:
    from games.pages import own_data

    return own_data.export_files(player)


def _say_goodbye(*, player: Any, now: datetime, **kwargs: Any) -> None:
    """Withdraw a closed account from its games. Accounts don't know games, so they send a signal."""
    from games import tables
    from games.mail_in import receiving
    from games.notices import own_webhooks, push_subscriptions

    tables.say_goodbye(player=player, now=now)
    push_subscriptions.forget(player)
    receiving.forget_mails(player)  # after the games are locked, as where a mail is answered
    own_webhooks.forget_webhooks(player)


def _follow_session(*, player: Any, request: HttpRequest, **kwargs: Any) -> None:
    """Keep push notifications in a browser whose session has got a new key."""
    from games.notices import push_subscriptions

    pk = request.session.get(push_subscriptions.IN_SESSION)
    if isinstance(pk, int) and request.session.session_key:
        push_subscriptions.follow_session(player, pk, request.session.session_key)


def _forget_session(*, request: HttpRequest | None, **kwargs: Any) -> None:
    """Stop push notifications in a browser where a player has signed out."""
    from games.notices import push_subscriptions

    session = getattr(request, "session", None)
    if session is not None and session.session_key:
        push_subscriptions.forget_session(session.session_key)
