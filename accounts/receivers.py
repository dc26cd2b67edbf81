"""What allauth tells us."""

from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services import end_password

SIGNED_UP = "signed_up"  # in a session: the account that was made in it


def address_confirmed(*, request: HttpRequest, email_address: EmailAddress, **kwargs: Any) -> None:
    """The owner of an address has shown up, for the first time perhaps.

    Anybody can sign up with any address and a password of their own. So the password stays only if this very
    session knows it: by the sign-up, by a sign-in with it, or because somebody signed in changes the address.
    """
    player: Player = email_address.user
    if request.user == player or _knows_password(request, player):
        return
    had_one = player.has_usable_password()
    end_password(player)
    if had_one:
        messages.warning(
            request,
            _(
                "The password from the sign-up is no longer valid, because somebody else may have chosen it. "
                "You can choose a new one at any time."
            ),
        )


def _knows_password(request: HttpRequest, player: Player) -> bool:
    records = get_authentication_records(request, player)
    by_password = any(record["method"] == "password" for record in records)
    return by_password or request.session.get(SIGNED_UP) == player.pk
