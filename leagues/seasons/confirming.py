"""Confirmation of what an organiser has previewed: refused if something was done in the league since."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from accounts.models import Player
from leagues.exceptions import LeagueRefused
from leagues.models import League, PrivateReason
from leagues.seasons.locks import lock_league

Act = Callable[[], object]


def compute_version(league: League) -> str:
    """Return what changes with everything that is done in *league*: the key of the last line of its log."""
    return str(league.log.order_by("-pk").values_list("pk", flat=True).first() or 0)


@transaction.atomic
def confirm(
    act: Act, *, league: League, version: str, who: Player, now: datetime, private_reason: str = ""
) -> None:
    """Do *act*, of *who* and *now*, if *league* still has the *version* that was previewed. Organisers alone
    read the *private_reason*.

    :raises LeagueRefused: something was done meanwhile, by another organiser or in a second tab
    """
    locked = lock_league(league.pk)  # before anything else: organisers act one after the other
    if version != compute_version(locked):
        raise LeagueRefused("stale")
    act()
    if private_reason:
        entry = locked.log.filter(who=who, at=now).latest("pk")
        PrivateReason.objects.create(entry=entry, text=private_reason)
