"""Setting up a table, a rematch of one, and closing one that has not begun."""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import Player
from carcassonne.celery import on_commit
from games import access, clocks
from games.exceptions import Refused
from games.models import BOT, Answer, Ending, Game, Seat, Status, Visibility
from games.rules import RuleSet
from games.tables.invitations import keep_seat
from games.tables.locks import locked, must_be_open
from games.tables.presets import barred_from_rated
from games.tables.seats import begin_if_full, known_colour, sit

OPEN_FOR = timedelta(days=28)
SECOND_CLICK = timedelta(seconds=5)
LONGEST_NAME = 60

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
    name = legible(name) or town_name()
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
    seats[0].player, seats[0].colour = host, known_colour(colour)
    for seat in seats[rules.seats - bots :]:
        seat.bot = BOT
    Seat.objects.bulk_create(seats)
    begin_if_full(game, now)
    return game


@transaction.atomic
def set_up(
    *, host: Player, rules: RuleSet, now: datetime, name: str = "", **settings: Any
) -> tuple[Game, bool]:
    """The table that *host* asks for, see ``create_table``, and whether it is new: a second click gets the
    table of the first."""
    Player.objects.select_for_update(no_key=True).get(pk=host.pk)  # both may come at once
    for game in Game.objects.filter(host=host, created__gt=now - SECOND_CLICK).exclude(status=Status.ABORTED):
        if game.rules == rules and legible(name) in ("", game.name):
            return game, False
    return create_table(host=host, rules=rules, now=now, name=name, **settings), True


def play_the_bot(*, host: Player, now: datetime) -> Game:
    """A game for *host* alone against the house bot, begun."""
    rules, private = RuleSet.of(seats=2), Visibility.PRIVATE
    game, _new = set_up(host=host, rules=rules, now=now, visibility=private, bots=1)
    return game


@transaction.atomic
def cancel(*, game_id: int, player: Player, now: datetime) -> Game:
    """Close a table that has not begun. Only its host may; again is harmless."""
    game = locked(game_id)
    if game.host_id != player.pk:
        raise Refused("not_host")
    if game.status == Status.ABORTED and game.ending == Ending.CANCELLED:
        return game
    must_be_open(game)
    _close(game, Ending.CANCELLED, now)
    return game


@transaction.atomic
def expire(*, game_id: int, now: datetime) -> None:
    """Close a table that has been open for too long."""
    game = locked(game_id)
    if game.status == Status.OPEN and game.expires is not None and game.expires < now:
        _close(game, Ending.EXPIRED, now)


@transaction.atomic
def rematch(*, game_id: int, player: Player, now: datetime) -> Game:
    """The same table again with the seats rotated: who began is now last. The others are invited.

    The second one who asks sits down at the table of the first.
    """
    old = locked(game_id)
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
        keep_seat(game, Seat.objects.get(game=game, index=seat.index), player, other, "", now)
    begin_if_full(game, now)
    on_commit("games.tasks.deliver_notices")
    return game


def legible(name: str) -> str:
    """*name* in one line, without what nobody sees and what turns the words after it round."""
    return " ".join("".join(filter(str.isprintable, " ".join(name.split()))).split())


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


def _close(game: Game, ending: Ending, now: datetime) -> None:
    game.status, game.ending, game.finished, game.expires = Status.ABORTED, ending, now, None
    game.save(update_fields=["status", "ending", "finished", "expires"])
    pending = game.invitations.filter(answer=Answer.PENDING)
    pending.update(answer=Answer.WITHDRAWN if ending == Ending.CANCELLED else Answer.EXPIRED, answered=now)
