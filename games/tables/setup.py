"""Setting up a table, a rematch of one, and closing one that has not begun."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import Player
from carcassonne.celery import on_commit
from games import access, outbox
from games.clocks import DAY, PRESETS, ClockSettings, Step
from games.exceptions import Refused
from games.models import BOT, Answer, Deal, Ending, Game, Seat, Status, Visibility
from games.play.locks import lock_player, locked_players
from games.rules import RuleSet
from games.tables.invitations import keep_seat
from games.tables.locks import locked, must_be_open
from games.tables.seats import begin_if_full, sit
from games.tables.settings import TableSettings

OPEN_FOR = timedelta(days=28)
NUDGE_BEFORE = timedelta(days=7)
SECOND_CLICK = timedelta(seconds=5)

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
def create_table(*, host: Player, settings: TableSettings, now: datetime) -> Game:
    """A table with these *settings*: *host* has the first seat. Begins at once if bots take the others.

    :raises Refused: there can't be such a table, see ``TableSettings.refusals``
    """
    settings.check()
    _time_is_left(settings.clock, now)
    game = _new_table(host, replace(settings, name=settings.name or town_name()), now)
    seats = [Seat(game=game, index=index) for index in range(game.places)]
    seats[0].player, seats[0].colour = host, settings.colour
    for seat in seats[game.places - settings.bots :]:
        seat.bot = BOT
    Seat.objects.bulk_create(seats)
    begin_if_full(game, now)
    return game


@transaction.atomic
def begin_game(
    *, players: Sequence[Player], settings: TableSettings, now: datetime, deal: Deal | None = None
) -> Game:
    """A game of *players*, who sit in this order: the first one begins, at once.

    For whoever arranges games for others and has their word; nobody is asked. With a *deal* it draws the same
    tiles as the other games of it, and until all of them are over its board is for its players alone: so no
    seat can be given to a substitute, who could not look at it.

    :raises Refused: there can't be such a table, see ``TableSettings.refusals``
    :raises ValueError: it can't share this *deal*, see ``play.deals.join``
    """
    if deal is not None and settings.time_out.last == Step.SUBSTITUTE:
        raise ValueError("nobody could take over a seat whose board is hidden")
    settings.check()
    _time_is_left(settings.clock, now)
    rules = settings.rules
    as_arranged = RuleSet.of(
        sets=rules.sets,
        edition=rules.edition,
        options={**rules.options, "first_player": "creator"},
        seats=len(players),
    )
    named = replace(settings, name=settings.name or town_name(), rules=as_arranged)
    game = _new_table(players[0], named, now, deal=deal)
    Seat.objects.bulk_create(
        Seat(game=game, index=index, player=player) for index, player in enumerate(players)
    )
    begin_if_full(game, now)
    return game


@transaction.atomic
def set_up(*, host: Player, settings: TableSettings, now: datetime) -> tuple[Game, bool]:
    """The table that *host* asks for, see ``create_table``, and whether it is new: a second click gets the
    table of the first."""
    lock_player(host)  # both clicks may come at once
    for game in Game.objects.filter(host=host, created__gt=now - SECOND_CLICK).exclude(status=Status.ABORTED):
        before = TableSettings.of(game)
        if before.rules == settings.rules and settings.name in ("", before.name):
            return game, False
    return create_table(host=host, settings=settings, now=now), True


def play_the_bot(*, host: Player, now: datetime) -> Game:
    """A game for *host* alone against the house bot, begun."""
    alone = TableSettings(
        rules=RuleSet.of(seats=2), clock=PRESETS["relaxed"], visibility=Visibility.PRIVATE, bots=1
    )
    game, _new = set_up(host=host, settings=alone, now=now)
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


def soon_closed(now: datetime) -> QuerySet[Game]:
    """Open tables that ``expire`` would close, or ask about."""
    due = Q(expires__lt=now) | Q(expires__lt=now + NUDGE_BEFORE, nudged=None)
    return Game.objects.filter(due, status=Status.OPEN)


@transaction.atomic
def expire(*, game_id: int, now: datetime) -> None:
    """Close a table that has been open for too long. A week before, ask its host whether to keep it."""
    game = locked(game_id)
    if game.status != Status.OPEN or game.expires is None:
        return
    if game.expires < now:
        _close(game, Ending.EXPIRED, now)
    elif game.expires - NUDGE_BEFORE <= now and game.nudged is None:
        game.nudged = now
        game.save(update_fields=["nudged"])
        outbox.nudged(game, now=now)
        on_commit("games.tasks.deliver_notices")


@transaction.atomic
def keep_open(*, game_id: int, player: Player, now: datetime) -> Game:
    """Keep a table that has not begun open for another four weeks from *now*. Only its host may."""
    game = locked(game_id)
    if game.host_id != player.pk:
        raise Refused("not_host")
    must_be_open(game)
    game.expires, game.nudged = now + OPEN_FOR, None
    game.save(update_fields=["expires", "nudged"])
    return game


@transaction.atomic
def rematch(*, game_id: int, player: Player, now: datetime) -> Game:
    """The same table again with the seats rotated: who began is now last. The others are invited.

    What was agreed once is not checked anew, but a hard end was that of one game. The second one who asks
    sits down at the table of the first.
    """
    list(locked_players(Q(seats__game=game_id)))  # those who will be invited, too
    lock_player(player)
    old = locked(game_id)
    if access.seat_of(player, old) is None:
        raise Refused("not_seated")
    if not old.ended or old.started is None:
        raise Refused("not_ended")
    there = old.rematches.exclude(status=Status.ABORTED).first()
    if there is not None:
        return sit(game_id=there.pk, player=player, now=now) if there.status == Status.OPEN else there
    agreed = TableSettings.of(old)
    again = replace(agreed, clock=replace(agreed.clock, ends=None))
    game = _new_table(player, again, now, rematch_of=old)
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
        keep_seat(game, Seat.objects.get(game=game, index=seat.index), player, other, "", now, account=other)
    begin_if_full(game, now)
    on_commit("games.tasks.deliver_notices")
    return game


def _time_is_left(clock: ClockSettings, now: datetime) -> None:
    if clock.ends is not None and clock.ends < now + DAY:
        raise Refused("ends_too_soon")


def _new_table(host: Player, settings: TableSettings, now: datetime, **more: Game | Deal | None) -> Game:
    """The row alone: who sits where is written by the caller. *more* are the game or draw it belongs to."""
    expires = latest_begin(settings.clock, now)
    return Game.objects.create(host=host, created=now, expires=expires, **more, **settings.columns())


def latest_begin(clock: ClockSettings, now: datetime) -> datetime:
    """Until when a table that is set up *now* is open: to its hard end at most."""
    return now + OPEN_FOR if clock.ends is None else min(now + OPEN_FOR, clock.ends)


def _close(game: Game, ending: Ending, now: datetime) -> None:
    game.status, game.ending, game.finished, game.expires = Status.ABORTED, ending, now, None
    game.save(update_fields=["status", "ending", "finished", "expires"])
    pending = game.invitations.filter(answer=Answer.PENDING)
    pending.update(answer=Answer.WITHDRAWN if ending == Ending.CANCELLED else Answer.EXPIRED, answered=now)
