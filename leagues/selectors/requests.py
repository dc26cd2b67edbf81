"""Requests to the organisers of a league."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.models import Player
from leagues.models import League, OrganiserRequest


def load_open_requests(league: League) -> QuerySet[OrganiserRequest]:
    """What nobody has answered yet, the oldest first."""
    return league.requests.filter(answered=None).select_related("player").order_by("asked", "pk")


def load_own_requests(league: League, player: Player) -> QuerySet[OrganiserRequest]:
    """What *player* has asked, the latest first."""
    return league.requests.filter(player=player).select_related("answered_by").order_by("-asked", "-pk")


def load_organisers(league: League) -> QuerySet[Player]:
    """Who organises *league* and has not closed the account, by name."""
    return league.organisers.filter(is_active=True).order_by("username")
