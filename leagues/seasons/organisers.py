"""Permissions of organisers, and confirmation of previewed acts.

Superusers may organise every league, and other staff those that have no acting organiser.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts import texts
from accounts.models import Player
from games.access import Visitor
from leagues.exceptions import LeagueRefused
from leagues.models import League, Phase, PrivateReason, Season
from leagues.seasons.locks import lock_league

Act = Callable[[], object]


def may_organise(league: League, who: Player) -> bool:
    """Return whether *who* organises *league*."""
    if who.is_superuser or league.organisers.filter(pk=who.pk).exists():
        return True
    return league.is_inherited_by(who, timezone.now())


def may_settle(season: Season, visitor: Visitor) -> bool:
    """Return whether *visitor* may settle games of *season*, running or closed (STAND-17)."""
    begun = season.phase in (Phase.RUNNING, Phase.CLOSED)
    return begun and isinstance(visitor, Player) and may_organise(season.league, visitor)


def check_organiser(league: League, who: Player, reason: str) -> str:
    """Return the normalised public *reason* that *who* gives for an act in *league*.

    :raises LeagueRefused: *who* is no organiser, or gives no reason
    """
    if not may_organise(league, who):
        raise LeagueRefused("not_organiser")
    said = " ".join(texts.normalize_text("reason", reason).split())[: texts.KINDS["reason"].most]
    if not said:
        raise LeagueRefused("reason")
    return said


def compute_version(league: League) -> str:
    """Return a version of *league* that changes with every act in it: the key of the last line of its log."""
    return str(league.log.order_by("-pk").values_list("pk", flat=True).first() or 0)


@transaction.atomic
def confirm(
    act: Act, *, league: League, version: str, who: Player, now: datetime, private_reason: str = ""
) -> None:
    """Do *act*, of *who* and *now*, if *league* still has the *version* that was previewed. Only organisers
    can read the *private_reason*.

    :raises LeagueRefused: the league has changed since, by another organiser or in a second tab
    """
    locked = lock_league(league.pk)  # locked first, so that organisers act one after the other
    if version != compute_version(locked):
        raise LeagueRefused("stale")
    act()
    if private_reason:
        entry = locked.log.filter(who=who, at=now).latest("pk")
        PrivateReason.objects.create(entry=entry, text=private_reason)
