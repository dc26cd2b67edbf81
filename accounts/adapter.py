"""This site's adapter of django-allauth."""

import ipaddress
import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.account.models import EmailAddress
from allauth.core import context as request_context
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import codes, hashing, limits, multi_account, names, provisional, sessions, texts
from accounts.models import TAKEN, BarredAddress, ClosedName, Player
from accounts.reauthentication import has_signed_in_recently
from accounts.security import log_security_event
from accounts.services import CLOSED
from core.mail_errors import load_mail_errors
from core.outputs import clean_for_subject

logger = logging.getLogger(__name__)

FOR_ANYBODY = {
    "account_already_exists",
    "email_confirmation",
    "email_confirmation_signup",
    "login_code",
    "password_reset_code",
    "reauthentication_code",
    "unknown_account",
}
"""Templates of mails that anybody can have sent to any address by typing it."""
EXISTS = "account/email/account_already_exists"
CLOSED_LOOKS = names.build_lookalike_key(CLOSED)


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up, sign-in and mails of allauth with this site's rules."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Refuse reserved names, too, and names that look like another player's."""
        username = texts.clean("player", username)
        closed = names.build_lookalike_key(username).startswith(CLOSED_LOOKS)
        if closed or Player.objects.of_staff(username).exists():
            raise ValidationError(_("This name is reserved. Please choose another."), code="reserved")
        clean: str = super().clean_username(username, shallow)
        if not shallow and (
            Player.objects.resembling(clean).exists() or ClosedName.objects.like(clean, timezone.now())
        ):
            raise ValidationError(TAKEN, code="username_taken")
        return clean

    def format_email_subject(self, subject: str) -> str:
        return clean_for_subject(super().format_email_subject(subject))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Report a mail server's failure as a message on the page, instead of an error 500.

        Links lead to ``SITE_URL``; allauth would build them from the request's Host header.
        """
        if template_prefix.removeprefix("account/email/") in FOR_ANYBODY:
            limits.enforce_mail_limit(request_context.request, email)
        barred = BarredAddress.objects.until(email, timezone.now()) if template_prefix == EXISTS else None
        if barred is not None:
            template_prefix = "account/email/address_barred"
        user = request_context.request.user
        by_guest = template_prefix == EXISTS and user.is_authenticated and user.provisional
        context = {
            **codes.insert_code(request_context.request, context),
            "barred_until": barred,
            "guest": template_prefix == EXISTS
            and Player.objects.filter(email=email.lower(), provisional=True).exists(),
            "seats_url": provisional.build_seats_link(user, email) if by_guest else "",
            "site_name": settings.SITE_NAME,
            "site_url": settings.SITE_URL,
            "signup_url": settings.SITE_URL + reverse("account_signup"),
            "login_code_url": settings.SITE_URL + reverse("account_request_login_code"),
            "password_reset_url": settings.SITE_URL + reverse("account_reset_password"),
        }
        try:
            super().send_mail(template_prefix, email, context)
        except load_mail_errors():
            logger.exception("The mail %s could not be sent", template_prefix)
            messages.error(
                request_context.request,
                _("We couldn't send the email just now. Please try again in a few minutes."),
            )

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Player | None:
        """Return the player with these credentials; with an unconfirmed address they sign in by code only.

        Otherwise somebody could sign up with a foreign address, try the password, and learn whether the
        address already had an account.
        """
        hashing.check(request, credentials.get("email", ""))
        try:
            player: Player | None = super().authenticate(request, **credentials)
        except hashing.TooManyHashes:
            self._rollback_login_failed_rl_usage()  # no password was guessed
            raise
        if player is not None and player.awaits_confirmation():
            self.pre_authenticate(request, **credentials)  # it counts as the failure that it looks like
            return None
        if player is not None and not limits.count_right_password(request, player.email):
            raise self.validation_error("too_many_login_attempts")
        return player

    def login(self, request: HttpRequest, user: Player) -> None:
        """Reload the password first: confirming the address may just have ended it."""
        user.refresh_from_db(fields=["password"])
        super().login(request, user)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a guess: by browser if it is known, else by network, and over all unknown browsers together.

        Right passwords are limited as well, so that nobody creates sessions or hashes without end.
        """
        email = credentials.get("email", "")
        unknown = limits.find_known_browser(request, email) is None
        if not limits.may_sign_in(request, email, unknown=unknown):
            raise self.validation_error("too_many_login_attempts")
        self._guess = limits.allow(request, "guess_address", email.lower()) if unknown else None
        if unknown and self._guess is None:
            raise self.validation_error("too_many_login_attempts")
        super().pre_authenticate(request, **credentials)

    def _rollback_login_failed_rl_usage(self) -> None:
        super()._rollback_login_failed_rl_usage()
        if self._guess is not None:
            self._guess.rollback()

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        player = Player.objects.filter(email=credentials.get("email", "").lower()).first()
        log_security_event("password-wrong", player=player, request=request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """The cache key for guesses at one account. allauth's begins with the request's Host header: every
        other spelling of the host would allow five more guesses."""
        return f"{settings.SITE_HOST}:{limits.build_guess_key(request, credentials.get('email', ''))}"

    def get_client_ip(self, request: HttpRequest) -> str:
        """Unwrap IPv4 addresses that are mapped into IPv6: else all would count as one /64."""
        address: str = super().get_client_ip(request)
        try:
            mapped = getattr(ipaddress.ip_address(address), "ipv4_mapped", None)
        except ValueError:
            return address
        return str(mapped or address)

    def generate_login_code(self) -> str:
        return codes.store_code(request_context.request, super().generate_login_code())

    def generate_password_reset_code(self) -> str:
        return codes.store_code(request_context.request, super().generate_password_reset_code())

    def generate_email_verification_code(self) -> str:
        return codes.store_code(request_context.request, super().generate_email_verification_code())

    def post_login(self, request: HttpRequest, user: Player, **kwargs: Any) -> HttpResponse:
        """End the oldest sessions, remember the browser, and ask players who are leaving whether to stay."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        sessions.end_oldest(user, now=timezone.now())
        if user.closes is not None:
            response = redirect("accounts:close")
        limits.remember(request, response, user)
        multi_account.begin(request, response, user, timezone.now())
        return response

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Require it unless the sign-in is recent; allauth alone lets pass those who only have mailed codes.

        :raises ReauthenticationRequired: the account has neither password nor second factor
        """
        if has_signed_in_recently(self.request):
            return False
        if not get_reauthentication_flows(self.request.user):
            raise ReauthenticationRequired
        return True

    def get_reauthentication_methods(self, user: Player | AnonymousUser) -> list[dict[str, Any]]:
        """Offer a mailed code to players who have neither password nor second factor."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if user.is_authenticated and not methods:
            url = reverse("accounts:reauthenticate_by_code")
            return [{"id": "code", "description": _("Email me a code"), "url": url}]
        return methods

    def send_notification_mail(self, template_prefix: str, user: Player, *args: Any, **kwargs: Any) -> None:
        """Skip the mail about a changed address, for which there is a letter (``accounts.letters``)."""
        if template_prefix != "account/email/email_changed":
            super().send_notification_mail(template_prefix, user, *args, **kwargs)

    def is_safe_url(self, url: str) -> bool:
        """Return whether sign-in may redirect to *url*; ``False`` if it can't be parsed."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:  # "http://[" and the like
            return False

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """Lead guests, whose address is confirmed now, to the page that creates an account."""
        user = self.request.user
        if isinstance(user, Player) and user.provisional:
            return reverse("accounts:create_account")
        url: str = super().get_email_verification_redirect_url(email_address)
        return url

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("accounts:settings")
