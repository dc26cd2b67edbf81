"""Organisers, who may do what they do: those whom the league names, and whoever runs the site."""

from __future__ import annotations

from accounts import texts
from accounts.models import Player
from games.access import Visitor
from leagues.exceptions import LeagueRefused
from leagues.models import League, Phase, Season


def may_organise(league: League, who: Player) -> bool:
    """Return whether *who* organises *league*."""
    return who.is_superuser or league.organisers.filter(pk=who.pk).exists()


def may_settle(season: Season, visitor: Visitor) -> bool:
    """Return whether *visitor* may settle games of *season*: also after it (STAND-17)."""
    begun = season.phase in (Phase.RUNNING, Phase.CLOSED)
    return begun and isinstance(visitor, Player) and may_organise(season.league, visitor)


def check_organiser(league: League, who: Player, reason: str) -> str:
    """The *reason* that *who* gives for an act in *league*, which everybody can read.

    :raises LeagueRefused: *who* is no organiser, or says nothing
    """
    if not may_organise(league, who):
        raise LeagueRefused("not_organiser")
    said = " ".join(texts.normalize_text("reason", reason).split())[: texts.KINDS["reason"].most]
    if not said:
        raise LeagueRefused("reason")
    return said
