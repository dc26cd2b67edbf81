"""Where allauth asks this project."""

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as request_context
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import TAKEN, Player
from accounts.services import CLOSED

logger = logging.getLogger(__name__)

RESERVED = {
    "admin",
    "administrator",
    "bot",
    "house",
    "house-bot",
    "housebot",
    "moderator",
    "nobody",
    "system",
}
RESERVED_LOOKS = {names.looks(name) for name in RESERVED}
CLOSED_LOOKS = names.looks(CLOSED)


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up and sign-in as this site wants them."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Beside allauth's checks: no name that looks like one of ours, or like another player's."""
        username = names.normal(username)
        looks = names.looks(username)
        reserved = names.key(username) in RESERVED or looks in RESERVED_LOOKS
        if reserved or looks.startswith(CLOSED_LOOKS):
            raise ValidationError(_("This name is reserved. Please take another."), code="reserved")
        clean: str = super().clean_username(username, shallow)
        if not shallow and Player.objects.resembling(clean).exists():
            raise ValidationError(TAKEN, code="username_taken")
        return clean

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail server that is away must not break the page: it says so, and offers to send again.

        Links lead to SITE_URL: allauth would make them from the Host that the request brought.
        """
        context = {
            **context,
            "site_name": settings.SITE_NAME,
            "site_url": settings.SITE_URL,
            "signup_url": settings.SITE_URL + reverse("account_signup"),
            "password_reset_url": settings.SITE_URL + reverse("account_reset_password"),
        }
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError):
            logger.exception("The mail %s could not be sent", template_prefix)
            messages.error(
                request_context.request,
                _("The mail could not be sent just now. Please try again in a few minutes."),
            )

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Player | None:
        """The player with these credentials; who has not confirmed the address signs in by code only.

        Else a sign-up with somebody's address, and a sign-in with the password from it, would tell whether
        the address had an account before.
        """
        player: Player | None = super().authenticate(request, **credentials)
        if player is not None and player.awaits_confirmation():
            self.pre_authenticate(request, **credentials)  # it counts as the failure that it looks like
            return None
        return player

    def login(self, request: HttpRequest, user: Player) -> None:
        """Tie the session to the password as it is now: confirming the address may just have ended it."""
        user.refresh_from_db(fields=["password"])
        super().login(request, user)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Under which guesses at one account are counted. allauth's begins with the Host that the request
        brought, so that every other way to write it would give five guesses more."""
        return f"{settings.SITE_HOST}:{credentials.get('email', '').lower()}"

    def is_safe_url(self, url: str) -> bool:
        """Whether *url* may be gone to after sign-in; not if it is no address at all."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:  # "http://[" and the like
            return False

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("accounts:settings")
