"""Handlers of allauth's signals."""

from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.account.signals import (
    authentication_step_completed,
    email_changed,
    email_confirmed,
    email_verification_code_rejected,
    login_code_rejected,
    password_changed,
    password_reset,
    password_reset_code_rejected,
    password_set,
    user_logged_in,
    user_signed_up,
)
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import (
    authentication_failed,
    authenticator_added,
    authenticator_removed,
    authenticator_reset,
)
from django.contrib import messages
from django.contrib.auth.signals import user_logged_out
from django.dispatch import Signal
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import addresses, mail_pauses
from accounts.models import Player
from accounts.security import log_security_event
from accounts.services import end_password
from accounts.signals import session_renewed

SIGNED_UP = "signed_up"  # in a session: the account that was made in it


def address_confirmed(*, request: HttpRequest, email_address: EmailAddress, **kwargs: Any) -> None:
    """End a password that the owner of the confirmed address may not have chosen.

    Anybody can sign up with any address and a password of their own. So the password stays only if this very
    session knows it: by the sign-up, by a sign-in with it, or because somebody signed in changes the address.
    """
    player: Player = email_address.user
    mail_pauses.lift(player)
    if request.user == player or _knows_password(request, player):
        return
    had_one = player.has_usable_password()
    end_password(player)
    if had_one:
        messages.warning(
            request,
            _(
                "The password from the sign-up is no longer valid, because someone else may "
                "have chosen it. You can choose a new one at any time."
            ),
        )


def _knows_password(request: HttpRequest, player: Player) -> bool:
    records = get_authentication_records(request, player)
    by_password = any(record["method"] == "password" for record in records)
    return by_password or request.session.get(SIGNED_UP) == player.pk


def address_changed(
    *,
    user: Player,
    from_email_address: EmailAddress | None,
    to_email_address: EmailAddress,
    **kwargs: Any,
) -> None:
    """Notify the old address if it was confirmed; an unconfirmed one may be anybody's mailbox."""
    if from_email_address is not None and from_email_address.verified:
        old, new = from_email_address.email, to_email_address.email
        addresses.record_change(player=user, old=old, new=new, now=timezone.now())


def password_replaced(*, user: Player, request: HttpRequest, **kwargs: Any) -> None:
    """Send ``session_renewed``: the session, which knows the new password, goes on under another key."""
    session_renewed.send(sender=Player, player=user, request=request)


NOTED: dict[str, Signal] = {
    "signed-up": user_signed_up,
    "signed-in": user_logged_in,
    "signed-out": user_logged_out,
    "password-changed": password_changed,
    "password-set": password_set,
    "password-reset": password_reset,
    "code-wrong": login_code_rejected,
    "reset-code-wrong": password_reset_code_rejected,
    "address-code-wrong": email_verification_code_rejected,
    "second-factor-wrong": authentication_failed,
}
"""Signals of allauth by event of the security log."""

NOTED_OF_FACTORS: dict[str, Signal] = {
    "second-factor-added": authenticator_added,
    "second-factor-removed": authenticator_removed,
    "second-factor-reset": authenticator_reset,
}


def listen() -> None:
    """Connect all handlers; called once, when the application is ready."""
    email_confirmed.connect(address_confirmed, dispatch_uid="accounts")
    email_changed.connect(address_changed, dispatch_uid="accounts")
    authentication_step_completed.connect(_step, dispatch_uid="accounts")
    for replaced in (password_changed, password_set):
        replaced.connect(password_replaced, dispatch_uid="accounts session")
    for event, signal in NOTED.items():
        signal.connect(_noting(event), weak=False, dispatch_uid=f"accounts {event}")
    for event, signal in NOTED_OF_FACTORS.items():
        signal.connect(_noting_factor(event), weak=False, dispatch_uid=f"accounts {event}")


def _step(*, request: HttpRequest, user: Player, method: str, **kwargs: Any) -> None:
    anew = bool(kwargs.get("reauthenticated"))
    log_security_event("shown-who", player=user, request=request, method=method, anew=anew)


def _noting(event: str) -> Any:
    def tell(*, user: Player | None, request: HttpRequest, **kwargs: Any) -> None:
        log_security_event(event, player=user, request=request)

    return tell


def _noting_factor(event: str) -> Any:
    def tell(*, user: Player, request: HttpRequest, authenticator: Authenticator, **kwargs: Any) -> None:
        log_security_event(event, player=user, request=request, kind=authenticator.type)

    return tell
