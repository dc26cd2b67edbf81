"""Players without an account: their seats (``accounts.provisional``), and their e-mail addresses, which are
kept as long as an invitation needs them, and :data:`KEPT` longer."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import provisional
from accounts.models import BarredAddress, Player
from accounts.services import close_account
from core import batches
from games.exceptions import Refused
from games.models import Answer, Game, Invitation, Notice, Seat
from games.play.locks import lock_players
from games.tables.invitations import accept

KEPT = timedelta(days=28)
"""Time for which an address is kept after the answer, or after the end of the table that it was invited to.
Longer than any limit looks back, and long enough to find out why a mail did not arrive."""

BATCH = 200  # guests whom one task closes


@transaction.atomic
def sit_as_guest(
    *, token: str, name: str, language: str, time_zone: str, address: str, now: datetime, colour: str = ""
) -> tuple[Player, Game]:
    """Create a guest and seat them by the invitation with this *token*. *address* is the invited one, if the
    link in the mail has led here; empty otherwise.

    An invitation is good for one guest.

    :raises Refused: as :func:`accept`; or somebody who plays here has the *address*
    :raises IntegrityError: somebody else has taken the name meanwhile
    """
    if address and Player.objects.filter(email=address).exists():
        raise Refused("guest_known")
    if address and BarredAddress.objects.until(address, now) is not None:
        raise Refused("guest_barred")
    guest = provisional.create_guest(name=name, language=language, time_zone=time_zone, address=address)
    return guest, accept(token=token, player=guest, now=now, colour=colour)


def close_idle_guests(now: datetime, *, most: int = BATCH) -> int:
    """Close guests who have no account, no pending invitation and no game within :data:`KEPT`, at most so
    many. Return how many were found."""
    idle = _find_idle_guests(now).exclude(pk__in=batches.list_resting("player")).order_by("pk")
    keys = list(idle.values_list("pk", flat=True)[:most])
    for key in keys:
        batches.run_row(f"player {key}", partial(_close_if_idle, key, now))
    return len(keys)


@transaction.atomic
def _close_if_idle(key: int, now: datetime) -> None:
    """Close a guest, unless they made an account or sat down while others were closed."""
    lock_players(Player(pk=key))
    for guest in _find_idle_guests(now).filter(pk=key):
        close_account(player=guest, now=now)


def _find_idle_guests(now: datetime) -> QuerySet[Player]:
    long_ago = now - KEPT
    lately = Q(game__finished=None) | Q(game__finished__gt=long_ago)
    playing = Seat.objects.filter(lately, player=OuterRef("pk"))
    invited = Invitation.objects.filter(player=OuterRef("pk"), answer=Answer.PENDING)
    guests = Player.objects.filter(provisional=True, closed=None, date_joined__lt=long_ago)
    return guests.filter(~Exists(playing), ~Exists(invited))


def forget_addresses(now: datetime) -> int:
    """Delete the addresses of guests who answered, or whose table ended, :data:`KEPT` ago. Return from how
    many invitations. Their hashes stay (``accounts.address_hashes``), as limits and opt-outs go by them."""
    long_ago = now - KEPT
    over = Q(answered__lt=long_ago) | Q(game__finished__lt=long_ago)
    keys = list(Invitation.objects.filter(over).exclude(address="").values_list("pk", flat=True))
    Invitation.objects.filter(pk__in=keys).update(address="")
    settled = Notice.objects.exclude(sent=None, dropped=None)
    gone = settled.filter(invitation__isnull=False, invitation__address="").exclude(address="")
    gone.update(address="", last_error="")
    return len(keys)
