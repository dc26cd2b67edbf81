"""Invitations: keeping a seat for somebody, notifying them, their answer, and withdrawal."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import texts
from accounts.address_hashes import hash_address
from accounts.models import Player
from core.task_queue import queue_on_commit
from games import access, outbox
from games.conduct import active_sanctions, blocks, contacts, limits
from games.exceptions import Refused
from games.models import Answer, Game, Invitation, Seat
from games.play.locks import lock_player, select_players_for_update
from games.tables.locks import lock_game, must_be_open
from games.tables.seats import answer_invitation, find_free_seat, take_seat

LONGEST_GREETING = texts.KINDS["greeting"].most


def find_greeting_refusal(text: str) -> Refused | None:
    """Return why an inviter may not write *text* as the greeting. It is mailed to strangers in the site's
    name, so it may hold no links."""
    if len(texts.normalize_text("greeting", text)) > LONGEST_GREETING:
        return Refused("greeting_too_long")
    return Refused("greeting_link") if texts.holds_link(text) else None


@transaction.atomic
def invite(
    *,
    game_id: int,
    inviter: Player,
    now: datetime,
    player: Player | None = None,
    address: str = "",
    greeting: str = "",
) -> Invitation:
    """Keep a free seat for *player*, or for the reader of mail to *address*, and notify them.

    An address that belongs to an account invites that account, too. But the inviter gets the same answer
    whoever owns the address, even if that player sits at the table, is invited by name, or is blocked: the
    seat is kept, but nobody is notified.
    """
    greeting = texts.normalize_text("greeting", greeting)
    if greeting:
        active_sanctions.must_be_free_to_speak(inviter, now)
    active_sanctions.must_be_free_to_act(inviter, now)
    if refused := find_greeting_refusal(greeting):
        raise refused
    by_name, address = player is not None, address.strip().lower()
    asked = Q(pk=player.pk) if player is not None else ~Q(email="") & Q(email=address)
    confirmed = Player.objects.confirmed()
    accounts = select_players_for_update(
        Q(pk=inviter.pk) | asked & Q(pk__in=confirmed, is_active=True, is_bot=False)
    )
    account = next(
        (account for account in accounts if (account == player if by_name else account.email == address)),
        None,
    )
    if account is None and (by_name or not address):
        raise Refused("nobody_invited")
    game = lock_game(game_id)
    must_be_open(game)
    if access.find_seat(inviter, game) is None:
        raise Refused("not_seated")
    pending = game.invitations.filter(answer=Answer.PENDING)
    apart = account is not None and blocks.are_kept_apart(inviter.pk, [account.pk])
    if by_name:
        if apart:
            raise Refused("may_not_invite")
        _must_not_be_there(game, account, pending)
    elif address == inviter.email:
        raise Refused("seated_already")
    elif pending.filter(address=address).exists():
        raise Refused("invited_already")
    if by_name:
        address = ""
    group, silent = contacts.build_host_group(game.host_id), apart
    if account is not None and by_name:
        contacts.record_contacts(limits.INVITE, inviter, [account], now=now, group=group)
        # Declined by an answer to their address: to say so would tell whose address it is.
        silent = contacts.has_declined(
            inviter, [account.pk], now=now, group=group, act=contacts.DECLINED_ADDRESS
        )
        player = account
        # A player has one invitation; an earlier one to their address becomes open to any reader of the mail.
        pending.filter(player=player).update(player=None)
    else:
        limits.check_address_invitations(inviter, address, game.host_id, rest=contacts.REST, now=now)
        silent = silent or (account is not None and _has_had_enough(inviter, account, group, now))
        reached = account is not None and not silent
        if reached and not _is_there(game, account, pending):
            player = account
        contacts.record_contacts(
            limits.INVITE_ADDRESS, inviter, [account if reached else None], now=now, group=group
        )
    seat = find_free_seat(game)
    invitation = keep_seat(game, seat, inviter, player, address, now, greeting=greeting)
    if not silent:
        outbox.tell_invitation(invitation, account, now=now)
    queue_on_commit("games.tasks.deliver_notices")
    return invitation


@transaction.atomic
def invite_by_link(*, game_id: int, inviter: Player, now: datetime) -> Invitation:
    """Keep a free seat for the first who accepts by the link of the invitation, with or without an account.
    Nobody is notified."""
    lock_player(inviter)
    active_sanctions.must_be_free_to_act(inviter, now)
    game = lock_game(game_id)
    must_be_open(game)
    if access.find_seat(inviter, game) is None:
        raise Refused("not_seated")
    group = contacts.build_host_group(game.host_id)
    contacts.record_contacts(limits.INVITE_BY_LINK, inviter, [None], now=now, group=group)
    return keep_seat(game, find_free_seat(game), inviter, None, "", now, by_link=True)


def invite_again(game: Game, host: Player, others: Sequence[tuple[int, Player]], now: datetime) -> None:
    """Keep the seats of a rematch for those who had them, by index, and notify them. All rows are locked.

    :raises TooMany: *host* has invited one of them too often, or one has declined lately
    """
    players = [player for _, player in others]
    group = contacts.build_host_group(host.pk)
    contacts.record_contacts(limits.REMATCH, host, players, now=now, group=group)
    for index, player in others:
        seat = game.seats.get(index=index)
        outbox.tell_invitation(keep_seat(game, seat, host, player, "", now), player, now=now)


@transaction.atomic
def accept(*, token: str, player: Player, now: datetime, colour: str = "") -> Game:
    """Seat *player* by the invitation with this *token*. Idempotent."""
    lock_player(player)
    invitation, game = _invitation(token)
    if invitation.player_id not in (None, player.pk):
        raise Refused("not_yours")
    if access.find_seat(player, game) is not None:
        return game
    active_sanctions.must_be_free_to_act(player, now)
    must_be_open(game)
    if invitation.answer != Answer.PENDING:
        raise Refused("no_invitation")
    return take_seat(game, player, invitation, colour, now)


@transaction.atomic
def decline(*, token: str, player: Player | None, now: datetime) -> Game:
    """Decline an invitation: its seat is free again, and the inviter and the host are notified."""
    invitation, game = _invitation(token)
    if invitation.player_id is not None and (player is None or invitation.player_id != player.pk):
        raise Refused("not_yours")
    if invitation.answer == Answer.PENDING:
        answer_invitation(invitation, Answer.DECLINED, now)
        declined_by = invitation.player or player
        if declined_by is not None:
            act = contacts.DECLINED_ADDRESS if invitation.address else contacts.DECLINED
            group = contacts.build_host_group(game.host_id)
            contacts.note_declined(invitation.inviter, declined_by, now=now, group=group, act=act)
        outbox.tell_decline(invitation, now=now)
        queue_on_commit("games.tasks.deliver_notices")
    elif invitation.answer != Answer.DECLINED:
        raise Refused("no_invitation")
    return game


@transaction.atomic
def withdraw_invitation(*, invitation_id: int, player: Player, now: datetime) -> Game:
    """Withdraw an invitation, which the inviter and the host may do."""
    invitation = Invitation.objects.get(pk=invitation_id)
    game = lock_game(invitation.game_id)
    if player.pk not in (invitation.inviter_id, game.host_id):
        raise Refused("not_host")
    invitation.refresh_from_db()
    if invitation.answer == Answer.PENDING:
        answer_invitation(invitation, Answer.WITHDRAWN, now)
    return game


def keep_seat(
    game: Game,
    seat: Seat,
    inviter: Player,
    player: Player | None,
    address: str,
    now: datetime,
    *,
    greeting: str = "",
    by_link: bool = False,
) -> Invitation:
    """Keep *seat* for *player*, for *address*, or for whoever has the link."""
    return Invitation.objects.create(
        game=game,
        seat=seat,
        inviter=inviter,
        player=player,
        address=address,
        address_mark=hash_address(address),
        by_link=by_link,
        greeting=texts.normalize_text("greeting", greeting),
        created=now,
    )


def _invitation(token: str) -> tuple[Invitation, Game]:
    """The invitation with this *token*, read after its game was locked."""
    game_id = Invitation.objects.filter(token=token).values_list("game", flat=True).first()
    if game_id is None:
        raise Refused("no_invitation")
    game = lock_game(game_id)
    return Invitation.objects.select_related("seat").get(token=token), game


def _has_had_enough(inviter: Player, account: Player, group: str, now: datetime) -> bool:
    """Return whether *account* is not notified; to refuse would tell whose the invited address is."""
    if contacts.is_at_limit(limits.INVITE, inviter, account, now=now):
        return True
    answers = (contacts.DECLINED, contacts.DECLINED_ADDRESS)
    return any(contacts.has_declined(inviter, [account.pk], now=now, group=group, act=act) for act in answers)


def _must_not_be_there(game: Game, player: Player | None, pending: QuerySet[Invitation]) -> None:
    if game.seats.filter(player=player).exists():
        raise Refused("seated_already")
    if pending.filter(player=player, address_mark="").exists():
        raise Refused("invited_already")


def _is_there(game: Game, player: Player | None, pending: QuerySet[Invitation]) -> bool:
    """Return whether *player* sits at the table of *game*, or is invited to it already."""
    return game.seats.filter(player=player).exists() or pending.filter(player=player).exists()
