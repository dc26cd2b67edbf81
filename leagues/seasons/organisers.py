"""Who may do what an organiser does: those whom the league names, and whoever runs the site."""

from __future__ import annotations

from accounts import texts
from accounts.models import Player
from leagues.exceptions import LeagueRefused
from leagues.models import League


def may_organise(league: League, who: Player) -> bool:
    """Whether *who* organises *league*."""
    return who.is_superuser or league.organisers.filter(pk=who.pk).exists()


def checked(league: League, who: Player, reason: str) -> str:
    """The *reason* that *who* gives for an act in *league*, which everybody can read.

    :raises LeagueRefused: *who* is no organiser, or says nothing
    """
    if not may_organise(league, who):
        raise LeagueRefused("not_organiser")
    said = " ".join(texts.normal("reason", reason).split())[: texts.KINDS["reason"].most]
    if not said:
        raise LeagueRefused("reason")
    return said
