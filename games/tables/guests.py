"""Addresses of people without an account: they are kept as long as an invitation needs them, and a while."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from games.models import Invitation, Notice

KEPT = timedelta(days=28)
"""How long an address outlasts the answer, or the end of the table that it was invited to. Longer than any
limit looks back, and enough to find out why a mail did not arrive."""


def forget_addresses(now: datetime) -> int:
    """Forget the addresses of guests who answered, or whose table ended, :data:`KEPT` ago. Answers how many
    invitations had one. Their hashes stay (``accounts.address_hashes``): limits and wishes go by these."""
    long_ago = now - KEPT
    over = Q(answered__lt=long_ago) | Q(game__finished__lt=long_ago)
    keys = list(Invitation.objects.filter(over).exclude(address="").values_list("pk", flat=True))
    Invitation.objects.filter(pk__in=keys).update(address="")
    settled = Notice.objects.exclude(sent=None, dropped=None)
    gone = settled.filter(invitation__isnull=False, invitation__address="").exclude(address="")
    gone.update(address="", last_error="")
    return len(keys)
