"""Tables: setting one up, sitting down and leaving, inviting, starting when full, rematch, talk."""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import Player
from carcassonne.celery import on_commit
from games import access, clocks, play
from games.models import (
    BOT,
    Answer,
    Colour,
    Ending,
    Game,
    Invitation,
    Message,
    Room,
    Seat,
    Status,
    Visibility,
)
from games.notices import owing
from games.presets import barred_from_rated
from games.refusals import Refused
from games.rules import RuleSet

OPEN_FOR = timedelta(days=28)
SECOND_CLICK = timedelta(seconds=5)
LONGEST_NAME = 60
LONGEST_MESSAGE = 1000
MESSAGES_A_MINUTE = 10
INVITATIONS_A_DAY = 30

TOWNS = (
    "Agde",
    "Albi",
    "Arles",
    "Avignon",
    "Béziers",
    "Cahors",
    "Carcassonne",
    "Castres",
    "Collioure",
    "Conques",
    "Cordes",
    "Fanjeaux",
    "Foix",
    "Gaillac",
    "Gruissan",
    "Lagrasse",
    "Lastours",
    "Leucate",
    "Limoux",
    "Lodève",
    "Mazamet",
    "Minerve",
    "Mirepoix",
    "Moissac",
    "Montauban",
    "Montolieu",
    "Montségur",
    "Narbonne",
    "Nîmes",
    "Pamiers",
    "Perpignan",
    "Pézenas",
    "Prades",
    "Puivert",
    "Quillan",
    "Rodez",
    "Saissac",
    "Sète",
    "Sigean",
    "Toulouse",
    "Trèbes",
    "Uzès",
)


def town_name() -> str:
    """A name to propose for a table."""
    return secrets.choice(TOWNS)


@transaction.atomic
def create_table(
    *,
    host: Player,
    rules: RuleSet,
    now: datetime,
    name: str = "",
    days_per_move: int = 3,
    visibility: str = Visibility.PUBLIC,
    rated: bool = False,
    bots: int = 0,
    colour: str = "",
    purist: bool = False,
) -> Game:
    """A table for *rules*: *host* has the first seat, *bots* the last ones. Begins at once if full."""
    name = _legible(name) or town_name()
    if len(name) > LONGEST_NAME:
        raise Refused("name_too_long")
    if days_per_move not in clocks.DAYS_PER_MOVE:
        raise Refused("clock")
    if not 0 <= bots < rules.seats:
        raise Refused("bots")
    if rated and bots:
        raise Refused("rated_with_bot")
    if rated and barred_from_rated(rules):
        raise Refused("rated_house_rules")
    game = _new_table(host, rules, name, days_per_move, Visibility(visibility), rated, now, purist=purist)
    seats = [Seat(game=game, index=index) for index in range(rules.seats)]
    seats[0].player, seats[0].colour = host, _known(colour)
    for seat in seats[rules.seats - bots :]:
        seat.bot = BOT
    Seat.objects.bulk_create(seats)
    _begin_if_full(game, now)
    return game


@transaction.atomic
def set_up(
    *, host: Player, rules: RuleSet, now: datetime, name: str = "", **settings: Any
) -> tuple[Game, bool]:
    """The table that *host* asks for, see ``create_table``, and whether it is new: a second click gets the
    table of the first."""
    Player.objects.select_for_update(no_key=True).get(pk=host.pk)  # both may come at once
    for game in Game.objects.filter(host=host, created__gt=now - SECOND_CLICK).exclude(status=Status.ABORTED):
        if game.rules == rules and _legible(name) in ("", game.name):
            return game, False
    return create_table(host=host, rules=rules, now=now, name=name, **settings), True


def play_the_bot(*, host: Player, now: datetime) -> Game:
    """A game for *host* alone against the house bot, begun."""
    rules, private = RuleSet.of(seats=2), Visibility.PRIVATE
    game, _new = set_up(host=host, rules=rules, now=now, visibility=private, bots=1)
    return game


@transaction.atomic
def sit(*, game_id: int, player: Player, now: datetime, colour: str = "") -> Game:
    """Let *player* take the seat kept for them, or a free one. Again is harmless; the last one begins."""
    game = _locked(game_id)
    if access.seat_of(player, game) is not None:
        return game
    _must_be_open(game)
    invitation = game.invitations.filter(player=player, answer=Answer.PENDING).first()
    if invitation is None and game.visibility == Visibility.PRIVATE:
        raise Refused("private_table")
    return _sit(game, player, invitation, colour, now)


@transaction.atomic
def accept(*, token: str, player: Player, now: datetime, colour: str = "") -> Game:
    """Let *player* take the seat that the invitation with this *token* keeps. Again is harmless."""
    invitation, game = _invitation(token)
    if invitation.player_id not in (None, player.pk):
        raise Refused("not_yours")
    if access.seat_of(player, game) is not None:
        return game
    _must_be_open(game)
    if invitation.answer != Answer.PENDING:
        raise Refused("no_invitation")
    return _sit(game, player, invitation, colour, now)


@transaction.atomic
def decline(*, token: str, player: Player | None, now: datetime) -> Game:
    """Turn an invitation down; its seat is free again."""
    invitation, game = _invitation(token)
    if invitation.player_id is not None and (player is None or invitation.player_id != player.pk):
        raise Refused("not_yours")
    if invitation.answer == Answer.PENDING:
        _answer(invitation, Answer.DECLINED, now)
    elif invitation.answer != Answer.DECLINED:
        raise Refused("no_invitation")
    return game


@transaction.atomic
def leave(*, game_id: int, player: Player, now: datetime) -> Game:
    """Free the seat of *player* at a table that has not begun."""
    game = _locked(game_id)
    _must_be_open(game)
    seat = access.seat_of(player, game)
    if seat is None:
        raise Refused("not_seated")
    if game.host_id == player.pk:
        raise Refused("host_cancels")
    seat.player, seat.colour = None, ""
    seat.save(update_fields=["player", "colour"])
    return game


@transaction.atomic
def cancel(*, game_id: int, player: Player, now: datetime) -> Game:
    """Close a table that has not begun. Only its host may; again is harmless."""
    game = _locked(game_id)
    if game.host_id != player.pk:
        raise Refused("not_host")
    if game.status == Status.ABORTED and game.ending == Ending.CANCELLED:
        return game
    _must_be_open(game)
    _close(game, Ending.CANCELLED, now)
    return game


@transaction.atomic
def expire(*, game_id: int, now: datetime) -> None:
    """Close a table that has been open for too long."""
    game = _locked(game_id)
    if game.status == Status.OPEN and game.expires is not None and game.expires < now:
        _close(game, Ending.EXPIRED, now)


@transaction.atomic
def add_bot(*, game_id: int, player: Player, now: datetime) -> Game:
    """Put the house bot on a free seat. Only the host may."""
    game = _locked(game_id)
    if game.host_id != player.pk:
        raise Refused("not_host")
    _must_be_open(game)
    if game.rated:
        raise Refused("rated_with_bot")
    seat = _free_seat(game)
    seat.bot = BOT
    seat.save(update_fields=["bot"])
    _begin_if_full(game, now)
    return game


@transaction.atomic
def invite(
    *, game_id: int, inviter: Player, now: datetime, player: Player | None = None, address: str = ""
) -> Invitation:
    """Keep a free seat for *player*, or for whoever reads the mail to *address*, and tell them.

    An address that belongs to an account invites that account; the inviter is not told that there is one.
    """
    game = _locked(game_id)
    _must_be_open(game)
    if access.seat_of(inviter, game) is None:
        raise Refused("not_seated")
    address = address.strip().lower()
    if player is None and address:
        player = Player.objects.filter(email=address, is_active=True, is_bot=False).first()
    if player is None and not address:
        raise Refused("nobody_invited")
    if player is not None and (player.is_bot or not player.is_active):
        raise Refused("nobody_invited")
    _must_not_be_there(game, player, address)
    today = inviter.invited.filter(created__gt=now - timedelta(days=1)).count()
    if today >= INVITATIONS_A_DAY:
        raise Refused("too_many_invitations")
    invitation = _keep_seat(game, _free_seat(game), inviter, player, address, now)
    on_commit("games.tasks.deliver_notices")
    return invitation


@transaction.atomic
def withdraw_invitation(*, invitation_id: int, player: Player, now: datetime) -> Game:
    """Take an invitation back. The inviter and the host may."""
    invitation = Invitation.objects.get(pk=invitation_id)
    game = _locked(invitation.game_id)
    if player.pk not in (invitation.inviter_id, game.host_id):
        raise Refused("not_host")
    invitation.refresh_from_db()
    if invitation.answer == Answer.PENDING:
        _answer(invitation, Answer.WITHDRAWN, now)
    return game


@transaction.atomic
def rematch(*, game_id: int, player: Player, now: datetime) -> Game:
    """The same table again with the seats rotated: who began is now last. The others are invited.

    The second one who asks sits down at the table of the first.
    """
    old = _locked(game_id)
    if access.seat_of(player, old) is None:
        raise Refused("not_seated")
    if not old.ended or old.started is None:
        raise Refused("not_ended")
    there = old.rematches.exclude(status=Status.ABORTED).first()
    if there is not None:
        return sit(game_id=there.pk, player=player, now=now) if there.status == Status.OPEN else there
    game = _new_table(
        player,
        old.rules,
        old.name,
        old.days_per_move,
        Visibility(old.visibility),
        old.rated,
        now,
        old,
        purist=old.purist,
    )
    others = []
    seats = []
    for before in old.seats.select_related("player"):
        seat = Seat(game=game, index=(before.index - 1) % old.places, bot=before.bot)
        seats.append(seat)
        if before.player_id == player.pk:
            seat.player, seat.colour = player, before.colour
        elif before.player is not None and before.player.is_active:
            others.append((seat, before.player))
    Seat.objects.bulk_create(seats)
    for seat, other in others:
        _keep_seat(game, Seat.objects.get(game=game, index=seat.index), player, other, "", now)
    _begin_if_full(game, now)
    on_commit("games.tasks.deliver_notices")
    return game


@transaction.atomic
def say(*, game_id: int, player: Player, text: str, now: datetime, room: Room = Room.TABLE) -> Message:
    """Add a line to the talk at the table, or to that of the spectators."""
    game = _locked(game_id)
    text = text.strip()
    seated = access.seat_of(player, game) is not None
    if not access.may_see(player, game) or access.speaks_in(player, game, seated=seated) != room:
        raise Refused("may_not_talk" if room == Room.TABLE else "may_not_comment")
    if not _legible(text):
        raise Refused("nothing_said")
    if len(text) > LONGEST_MESSAGE:
        raise Refused("talk_too_long", n=LONGEST_MESSAGE)
    lately = game.talk.filter(author=player, at__gt=now - timedelta(minutes=1)).count()
    if lately >= MESSAGES_A_MINUTE:
        raise Refused("talking_fast")
    return Message.objects.create(game=game, author=player, room=room, text=text, at=now)


def say_goodbye(*, player: Player, now: datetime) -> None:
    """Take *player*, whose account is being closed, from every table and out of every game."""
    for game in Game.objects.filter(host=player, status=Status.OPEN):
        cancel(game_id=game.pk, player=player, now=now)
    for game in Game.objects.filter(seats__player=player, status=Status.OPEN):
        leave(game_id=game.pk, player=player, now=now)
    theirs = Q(player=player)
    if player.email:  # they may have been invited before they signed up
        theirs |= Q(player=None, address=player.email)
    invitations = Invitation.objects.filter(theirs)
    for invitation in invitations.filter(answer=Answer.PENDING):
        decline(token=invitation.token, player=player, now=now)
    invitations.update(player=player, address="")
    owing.forget_address(player)
    play.resign_all(player=player, now=now)


def _legible(name: str) -> str:
    """*name* in one line, without what nobody sees and what turns the words after it round."""
    return " ".join("".join(filter(str.isprintable, " ".join(name.split()))).split())


def _locked(game_id: int) -> Game:
    return Game.objects.select_for_update().get(pk=game_id)


def _must_be_open(game: Game) -> None:
    if game.status != Status.OPEN:
        raise Refused("not_open")


def _new_table(
    host: Player,
    rules: RuleSet,
    name: str,
    days_per_move: int,
    visibility: Visibility,
    rated: bool,
    now: datetime,
    rematch_of: Game | None = None,
    *,
    purist: bool,
) -> Game:
    return Game.objects.create(
        name=name,
        host=host,
        rule_set=rules.to_json(),
        places=rules.seats,
        days_per_move=days_per_move,
        visibility=visibility,
        rated=rated,
        purist=purist,
        created=now,
        expires=now + OPEN_FOR,
        rematch_of=rematch_of,
    )


def _free_seat(game: Game) -> Seat:
    """The first seat that nobody sits on and that is kept for nobody."""
    kept = game.invitations.filter(answer=Answer.PENDING).values("seat")
    seat = game.seats.filter(player=None, bot="").exclude(pk__in=kept).order_by("index").first()
    if seat is None:
        raise Refused("table_full")
    return seat


def _sit(game: Game, player: Player, invitation: Invitation | None, colour: str, now: datetime) -> Game:
    seat = invitation.seat if invitation is not None else _free_seat(game)
    seat.colour = _known(colour)
    if colour and game.seats.filter(colour=colour).exists():
        raise Refused("colour_taken")
    seat.player = player
    seat.save(update_fields=["player", "colour"])
    if invitation is not None:
        invitation.player = player
        _answer(invitation, Answer.ACCEPTED, now)
    game.invitations.filter(player=player, answer=Answer.PENDING).update(
        answer=Answer.WITHDRAWN, answered=now
    )
    _begin_if_full(game, now)
    return game


def _known(colour: str) -> str:
    if colour and colour not in Colour.values:
        raise Refused("colour")
    return colour


def _begin_if_full(game: Game, now: datetime) -> None:
    if not game.seats.filter(player=None, bot="").exists():
        play.begin(game, now=now)


def _close(game: Game, ending: Ending, now: datetime) -> None:
    game.status, game.ending, game.finished, game.expires = Status.ABORTED, ending, now, None
    game.save(update_fields=["status", "ending", "finished", "expires"])
    pending = game.invitations.filter(answer=Answer.PENDING)
    pending.update(answer=Answer.WITHDRAWN if ending == Ending.CANCELLED else Answer.EXPIRED, answered=now)


def _invitation(token: str) -> tuple[Invitation, Game]:
    """The invitation with this *token*, read after its game was locked."""
    game_id = Invitation.objects.filter(token=token).values_list("game", flat=True).first()
    if game_id is None:
        raise Refused("no_invitation")
    game = _locked(game_id)
    return Invitation.objects.select_related("seat").get(token=token), game


def _answer(invitation: Invitation, answer: Answer, now: datetime) -> None:
    invitation.answer, invitation.answered = answer, now
    invitation.save(update_fields=["answer", "answered", "player"])


def _must_not_be_there(game: Game, player: Player | None, address: str) -> None:
    pending = game.invitations.filter(answer=Answer.PENDING)
    if player is not None:
        if game.seats.filter(player=player).exists():
            raise Refused("seated_already")
        if pending.filter(player=player).exists():
            raise Refused("invited_already")
    elif pending.filter(address=address).exists():
        raise Refused("invited_already")


def _keep_seat(
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
    owing.invited(invitation, now=now)
    return invitation
