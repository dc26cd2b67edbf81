"""Requests of players to organisers; deleted after a year."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import Player
from games.conduct import active_sanctions, contacts
from games.play.locks import lock_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.organisers import RequestMade
from leagues.mails.players import RequestAnswered
from leagues.models import League, OrganiserRequest, RequestKind
from leagues.seasons.organisers import may_organise

REQUESTS_KEPT = timedelta(days=365)
"""Time for which a request and its answer are kept, unless the player's account is closed before."""


@transaction.atomic
def ask(*, league: League, player: Player, kind: RequestKind, text: str, now: datetime) -> OrganiserRequest:
    """Send a request of *player* to the organisers of *league*, who are notified by mail.

    It appears at the desk for all organisers, but those kept apart from *player* by a block get no mail.

    :raises LeagueRefused: a request of this kind is open already, or *player* is a program
    :raises Refused: *player* is suspended or muted, has a warning to read, or no confirmed address
    :raises TooMany: *player* or the players of this league ask too much
    """
    lock_players(player)
    if player.is_bot:
        raise LeagueRefused("bot")
    active_sanctions.must_be_free_to_speak(player, now)
    if league.requests.filter(player=player, kind=kind, answered=None).exists():
        raise LeagueRefused("asked_already")
    group = limits.format_league_group(league.pk)
    contacts.record_contacts(limits.ASK, player, [None], now=now, group=group)
    request = OrganiserRequest.objects.create(league=league, player=player, kind=kind, text=text, asked=now)
    RequestMade.tell(request)
    return request


@transaction.atomic
def answer(*, request_id: int, who: Player, text: str, now: datetime) -> OrganiserRequest:
    """Answer a request, which closes it; its player is notified by mail.

    :raises LeagueRefused: *who* may not, has sent it, or somebody else has answered before
    """
    request = (
        OrganiserRequest.objects.select_for_update(of=["self"]).select_related("league").get(pk=request_id)
    )
    if not may_organise(request.league, who):
        raise LeagueRefused("not_organiser")
    if request.player_id == who.pk:
        raise LeagueRefused("own_request")
    if request.answered is not None:
        raise LeagueRefused("answered_already", player=str(request.answered_by))
    request.answer, request.answered, request.answered_by = text, now, who
    request.save(update_fields=["answer", "answered", "answered_by"])
    RequestAnswered.tell(request)
    return request


def forget_requests(now: datetime) -> None:
    """Delete requests older than ``REQUESTS_KEPT``, answered or not."""
    OrganiserRequest.objects.filter(asked__lt=now - REQUESTS_KEPT).delete()


def forget_requests_of(player: Player) -> None:
    """Delete the requests of *player*, whose account is being closed."""
    OrganiserRequest.objects.filter(player=player).delete()
