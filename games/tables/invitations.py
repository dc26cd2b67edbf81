"""Invitations: keeping a seat for somebody, telling them, their answer, taking it back."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from accounts.models import Player
from carcassonne.celery import on_commit
from games import access, outbox
from games.exceptions import Refused
from games.models import Answer, Game, Invitation, Seat
from games.tables.locks import lock_player, locked, locked_players, must_be_open
from games.tables.seats import answer_invitation, free_seat, take_seat

INVITATIONS_A_DAY = 30


@transaction.atomic
def invite(
    *, game_id: int, inviter: Player, now: datetime, player: Player | None = None, address: str = ""
) -> Invitation:
    """Keep a free seat for *player*, or for whoever reads the mail to *address*, and tell them.

    An address that belongs to an account invites that account; the inviter is not told that there is one.
    """
    address = address.strip().lower()
    if player is not None or address:
        asked = Q(pk=player.pk) if player is not None else Q(email=address)
        confirmed = Player.objects.confirmed()
        player = locked_players(asked, pk__in=confirmed, is_active=True, is_bot=False).first()
    if player is None and not address:
        raise Refused("nobody_invited")
    game = locked(game_id)
    must_be_open(game)
    if access.seat_of(inviter, game) is None:
        raise Refused("not_seated")
    _must_not_be_there(game, player, address)
    today = inviter.invited.filter(created__gt=now - timedelta(days=1)).count()
    if today >= INVITATIONS_A_DAY:
        raise Refused("too_many_invitations")
    invitation = keep_seat(game, free_seat(game), inviter, player, address, now)
    on_commit("games.tasks.deliver_notices")
    return invitation


@transaction.atomic
def accept(*, token: str, player: Player, now: datetime, colour: str = "") -> Game:
    """Let *player* take the seat that the invitation with this *token* keeps. Again is harmless."""
    lock_player(player)
    invitation, game = _invitation(token)
    if invitation.player_id not in (None, player.pk):
        raise Refused("not_yours")
    if access.seat_of(player, game) is not None:
        return game
    must_be_open(game)
    if invitation.answer != Answer.PENDING:
        raise Refused("no_invitation")
    return take_seat(game, player, invitation, colour, now)


@transaction.atomic
def decline(*, token: str, player: Player | None, now: datetime) -> Game:
    """Turn an invitation down; its seat is free again."""
    invitation, game = _invitation(token)
    if invitation.player_id is not None and (player is None or invitation.player_id != player.pk):
        raise Refused("not_yours")
    if invitation.answer == Answer.PENDING:
        answer_invitation(invitation, Answer.DECLINED, now)
    elif invitation.answer != Answer.DECLINED:
        raise Refused("no_invitation")
    return game


@transaction.atomic
def withdraw_invitation(*, invitation_id: int, player: Player, now: datetime) -> Game:
    """Take an invitation back. The inviter and the host may."""
    invitation = Invitation.objects.get(pk=invitation_id)
    game = locked(invitation.game_id)
    if player.pk not in (invitation.inviter_id, game.host_id):
        raise Refused("not_host")
    invitation.refresh_from_db()
    if invitation.answer == Answer.PENDING:
        answer_invitation(invitation, Answer.WITHDRAWN, now)
    return game


def keep_seat(
    game: Game, seat: Seat, inviter: Player, player: Player | None, address: str, now: datetime
) -> Invitation:
    invitation = Invitation.objects.create(
        game=game,
        seat=seat,
        inviter=inviter,
        player=player,
        address=address,
        created=now,
    )
    outbox.invited(invitation, now=now)
    return invitation


def _invitation(token: str) -> tuple[Invitation, Game]:
    """The invitation with this *token*, read after its game was locked."""
    game_id = Invitation.objects.filter(token=token).values_list("game", flat=True).first()
    if game_id is None:
        raise Refused("no_invitation")
    game = locked(game_id)
    return Invitation.objects.select_related("seat").get(token=token), game


def _must_not_be_there(game: Game, player: Player | None, address: str) -> None:
    pending = game.invitations.filter(answer=Answer.PENDING)
    if player is not None:
        if game.seats.filter(player=player).exists():
            raise Refused("seated_already")
        if pending.filter(player=player).exists():
            raise Refused("invited_already")
    elif pending.filter(address=address).exists():
        raise Refused("invited_already")
