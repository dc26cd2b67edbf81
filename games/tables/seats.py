"""Seats at a table that has not begun: sitting down, leaving, the house bot.

Taking the last seat begins the game.
"""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import Player
from core.task_queue import queue_on_commit
from games import access, outbox, play
from games.conduct import active_sanctions, blocks, contacts, limits
from games.exceptions import Refused
from games.models import BOT, Answer, Colour, Game, Invitation, Removal, Seat, Visibility
from games.play import requirements
from games.play.locks import lock_player, lock_players_of
from games.tables.locks import lock_game, must_be_open

KEPT_AWAY = timedelta(days=1)


@transaction.atomic
def sit(*, game_id: int, player: Player, now: datetime, colour: str = "") -> Game:
    """Let *player* take the seat kept for them, or a free one. Idempotent; the last seat begins the game."""
    lock_player(player)
    game = lock_game(game_id)
    if access.find_seat(player, game) is not None:
        return game
    active_sanctions.must_be_free_to_act(player, now)
    must_be_open(game)
    invitation = game.invitations.filter(player=player, answer=Answer.PENDING).first()
    if invitation is None and game.visibility == Visibility.PRIVATE:
        raise Refused("private_table")
    if invitation is None:
        if player.provisional:
            raise Refused("guest_not_invited")
        if game.removals.filter(player=player, at__gt=now - KEPT_AWAY).exists():
            raise Refused("removed_lately")
        limits.check_seats_held(player)
        requirements.must_be_met(player, game)
    return take_seat(game, player, invitation, colour, now)


@transaction.atomic
def leave(*, game_id: int, player: Player, now: datetime) -> Game:
    """Free the seat of *player* at a table that has not begun."""
    game = lock_game(game_id)
    must_be_open(game)
    seat = access.find_seat(player, game)
    if seat is None:
        raise Refused("not_seated")
    if game.host_id == player.pk:
        raise Refused("host_cancels")
    seat.player, seat.colour = None, ""
    seat.save(update_fields=["player", "colour"])
    return game


@transaction.atomic
def remove_guest(*, game_id: int, player: Player, seat: int, now: datetime) -> Game:
    """Free the *seat* of a guest before the game begins, for *player*, the host. The guest is notified, and
    can't sit down there without an invitation for a day.

    :raises Refused: *player* is not the host, no guest sits there, or the table is not open
    """
    lock_players_of(game_id)
    game = lock_game(game_id)
    if game.host_id != player.pk:
        raise Refused("not_host")
    must_be_open(game)
    taken = game.seats.select_related("player").filter(index=seat).first()
    guest = taken.player if taken is not None else None
    if taken is None or guest is None or guest == player:
        raise Refused("not_a_guest")
    contacts.record_contacts(limits.REMOVE_GUEST, player, [guest], now=now)
    taken.player, taken.colour = None, ""
    taken.save(update_fields=["player", "colour"])
    Removal.objects.update_or_create(game=game, player=guest, defaults={"at": now})
    outbox.tell_removal(game, guest, now=now)
    queue_on_commit("games.tasks.deliver_notices")
    return game


@transaction.atomic
def add_bot(*, game_id: int, player: Player, now: datetime) -> Game:
    """Put the house bot on a free seat. Only the host may."""
    lock_player(player)
    game = lock_game(game_id)
    if game.host_id != player.pk:
        raise Refused("not_host")
    active_sanctions.must_be_free_to_act(player, now)
    must_be_open(game)
    if game.rated:
        raise Refused("rated_with_bot")
    seat = find_free_seat(game)
    limits.check_bot_games(player, now)
    seat.bot = BOT
    seat.save(update_fields=["bot"])
    begin_if_full(game, now)
    return game


def find_free_seat(game: Game) -> Seat:
    """Return the first seat that is neither taken nor kept for an invitation."""
    kept = game.invitations.filter(answer=Answer.PENDING).values("seat")
    seat = game.seats.filter(player=None, bot="").exclude(pk__in=kept).order_by("index").first()
    if seat is None:
        raise Refused("table_full")
    return seat


def take_seat(game: Game, player: Player, invitation: Invitation | None, colour: str, now: datetime) -> Game:
    if player.provisional and not access.takes_guests(game):
        raise Refused("guest_in_rated")
    blocks.must_not_be_kept_apart(player, game)
    seat = invitation.seat if invitation is not None else find_free_seat(game)
    seat.colour = known_colour(colour)
    if colour and game.seats.filter(colour=colour).exists():
        raise Refused("colour_taken")
    seat.player, seat.notice_timing = player, ""  # not that of who has left it
    seat.save(update_fields=["player", "colour", "notice_timing"])
    if invitation is not None:
        invitation.player = player
        answer_invitation(invitation, Answer.ACCEPTED, now)
    # An invitation to an address stays: withdrawing it would reveal whose address it is.
    by_name = game.invitations.filter(player=player, address_mark="", answer=Answer.PENDING)
    by_name.update(answer=Answer.WITHDRAWN, answered=now)
    begin_if_full(game, now)
    return game


def known_colour(colour: str) -> str:
    if colour and colour not in Colour.values:
        raise Refused("colour")
    return colour


def begin_if_full(game: Game, now: datetime) -> None:
    if not game.seats.filter(player=None, bot="").exists():
        play.begin(game, now=now)


def answer_invitation(invitation: Invitation, answer: Answer, now: datetime) -> None:
    invitation.answer, invitation.answered = answer, now
    invitation.save(update_fields=["answer", "answered", "player"])


def save_notice_timing(seat: Seat, timing: str) -> None:
    """Set when the player at *seat* is notified of the game; empty: as in their settings."""
    Seat.objects.filter(pk=seat.pk).update(notice_timing=timing)
