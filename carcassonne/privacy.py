"""Page on privacy: which data are kept, who sees them, and for how long (docs/privacy.md)."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts import addresses, closing, export, multi_account, services
from games.conduct import contacts
from games.models.inbound_mail import MAILS_KEPT
from games.models.notice import KEPT as NOTICES_KEPT
from games.tables import guests
from leagues.seasons.requests import REQUESTS_KEPT
from moderation.acts import evidence


def periods() -> dict[str, int]:
    """Return how many days each kind of data is kept, from the constants that the code uses."""
    kept = {
        "session": timedelta(seconds=settings.SESSION_COOKIE_AGE),
        "push": timedelta(seconds=settings.SESSION_COOKIE_AGE),
        "unconfirmed": services.TIME_TO_CONFIRM,
        "closing": closing.TIME_TO_THINK,
        "old_address": addresses.TIME_TO_UNDO,
        "export": export.KEPT,
        "traces": multi_account.KEPT,
        "guests": guests.KEPT,
        "notices": NOTICES_KEPT,
        "inbound_mails": MAILS_KEPT,
        "evidence": evidence.KEPT,
        "open_evidence": evidence.LONGEST_KEPT,
        "deleted_messages": evidence.COPIES_KEPT,
        "contacts": contacts.KEPT,
        "requests": REQUESTS_KEPT,
    }
    return {name: span.days for name, span in kept.items()}


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show the page, or redirect to the operator's own."""
    if settings.PRIVACY_URL:
        return redirect(settings.PRIVACY_URL)
    return render(request, "privacy.html", {"days": periods()})
