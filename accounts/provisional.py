"""Guests: people who play before they have an account.

A guest is a player whose row is ``provisional``. They are signed in by the session in which they sat down, or
by a code to their address once it is confirmed. The account made later is the same row: seats, mails and
links of the guest stay good.
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from allauth.account import app_settings
from allauth.account.models import EmailAddress
from allauth.account.utils import perform_login
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player

WHILE_PLAYING = """
abort answer change_plan claim come_back give leave notes nudge offers plan plan_after play resign resume
seat_notices sit talk text transfers undo
"""
OWN_AFFAIRS = """
begin_emergency block cancel_holiday end_emergency enter_holiday hours invitation renew_feeds resume_mails
spread_out switch_off_device switch_off_feeds switch_on_device try_device unsubscribe
"""
OF_ACCOUNTS = """
close end_session export keep create_account notices reauthenticate_by_code settings strength theme
undo_address
"""
OF_ALLAUTH = """
account_email account_email_verification_sent account_logout account_reauthenticate account_signup
"""
OF_MODERATION = """
acknowledge appeal report_game report_message report_name report_player
"""

MAY_CHANGE = frozenset(
    {
        *(f"games:{name}" for name in (WHILE_PLAYING + OWN_AFFAIRS).split()),
        *(f"accounts:{name}" for name in OF_ACCOUNTS.split()),
        *OF_ALLAUTH.split(),
        *(f"moderation:{name}" for name in OF_MODERATION.split()),
        *("set_language", "mailbox-reply"),
    }
)
"""Names of URLs under which a guest may change anything; all others require an account."""

FOR_ACCOUNTS = frozenset(
    {
        *("account_change_password", "account_set_password", "mfa_index"),
        *("games:new", "games:webhooks", "league:found", "league:join", "league:join_team"),
    }
)
"""Names of URLs of pages that only have a form which a guest may not send."""


class MailedLink(NamedTuple):
    """The salt of a signed link in a mail, and for how long it is good."""

    salt: str
    lasts: timedelta


SEATS_LINK = MailedLink("accounts.guest_seats", timedelta(days=14))
"""The link by which an account takes over the seats of a guest (``games.tables.guest_seats``)."""

RENEWED = "renewed"  # in a session: the day


def may_visit(name: str, *, changes: bool) -> bool:
    """Return whether a guest may request the URL of that *name*; *changes* is false for safe methods."""
    return name in MAY_CHANGE if changes else name not in FOR_ACCOUNTS


@transaction.atomic
def create_guest(*, name: str, language: str, time_zone: str, address: str = "") -> Player:
    """Create a guest. *name* has been validated; *address*, if there is one, is proved to be theirs.

    :raises IntegrityError: somebody else has taken the name or the address meanwhile
    """
    guest = Player.objects.create_user(
        name, address, language=language, time_zone=time_zone, provisional=True
    )
    if address:
        EmailAddress.objects.create(user=guest, email=guest.email, verified=True, primary=True)
    return guest


def sign_guest_in(request: HttpRequest, guest: Player, url: str) -> HttpResponse:
    """Begin the session of *guest*, who has just joined a table, and redirect to *url*."""
    unconfirmed = app_settings.EmailVerificationMethod.NONE  # a guest need not have an address
    response: HttpResponse = perform_login(request, guest, email_verification=unconfirmed, redirect_url=url)
    return response


def renew_session(request: HttpRequest, guest: Player) -> None:
    """Extend the session of a *guest* without an address to its full length, once a day: it is the only
    access to their seat, and a game may last longer."""
    today = timezone.now().date().isoformat()
    if not guest.email and request.session.get(RENEWED) != today:
        request.session[RENEWED] = today


def build_seats_link(guest: Player, address: str) -> str:
    """Return the link by which the account of *address* takes over the seats of *guest*, who has typed it;
    empty if there is no such account. For a mail to that address alone."""
    account = Player.objects.with_account().filter(email=address.lower(), is_active=True).first()
    if account is None:
        return ""
    token = signing.dumps([guest.pk, account.pk, account.email], salt=SEATS_LINK.salt)
    return settings.SITE_URL + reverse("games:guest_seats", args=[token])


@transaction.atomic
def create_account(guest: Player, *, name: str, password: str = "") -> bool:
    """Turn *guest*, who has confirmed an address, into an account of that *name*. Without a *password* they
    sign in by codes.

    Return ``False``, and do nothing, if the guest has an account already, or was closed: another window, or
    the end of idle guests, may have been first.

    :raises IntegrityError: somebody else has taken the name meanwhile
    """
    if password:  # hashed before the row is locked: others must not wait for that
        guest.set_password(password)
    locked = Player.objects.select_for_update(no_key=True).filter(pk=guest.pk, provisional=True)
    if not locked.exists():
        guest.refresh_from_db()
        return False
    guest.username, guest.provisional = name, False
    written = ["username", "name_key", "name_looks", "provisional"]
    guest.save(update_fields=[*written, "password"] if password else written)
    return True
