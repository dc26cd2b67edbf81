"""Setting up a table, and closing one that has not begun."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import Player
from core.task_queue import queue_on_commit
from games import outbox
from games.clocks import DAY, PRESETS, ClockSettings, TimeoutStep
from games.conduct import active_sanctions, limits
from games.exceptions import Refused
from games.models import BOT, Answer, Deal, Ending, Game, Seat, Status, Visibility
from games.play.locks import lock_player
from games.rules import RuleSet
from games.tables.locks import lock_game, must_be_open
from games.tables.seats import begin_if_full, leave
from games.tables.settings import TableSettings, check_name

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


def choose_town_name() -> str:
    """Return a random town as the proposed name of a table."""
    return secrets.choice(TOWNS)


@transaction.atomic
def create_table(*, host: Player, settings: TableSettings, now: datetime) -> Game:
    """Create a table with these *settings* and seat *host* first. It begins at once if bots fill the rest.

    :raises Refused: there can't be such a table, see ``TableSettings.refusals``; or *host* is suspended, has
        a warning to read first, or is muted and has given it a name of their own
    """
    active_sanctions.must_be_free_to_act(host, now)
    if settings.name and settings.name not in TOWNS:
        active_sanctions.must_be_free_to_speak(host, now)
    settings.check()
    _time_is_left(settings.clock, now)
    game = create_table_row(host, replace(settings, name=settings.name or choose_town_name()), now)
    seats = [Seat(game=game, index=index) for index in range(game.places)]
    seats[0].player, seats[0].colour = host, settings.colour
    for seat in seats[game.places - settings.bots :]:
        seat.bot = BOT
    Seat.objects.bulk_create(seats)
    begin_if_full(game, now)
    return game


@transaction.atomic
def begin_game(
    *,
    players: Sequence[Player],
    settings: TableSettings,
    now: datetime,
    deal: Deal | None = None,
    contest: str = "",
) -> Game:
    """Begin a game of *players*, who sit in this order: the first one begins, at once.

    For callers that arrange games and have the players' consent. Games that share a *deal* draw the same
    tiles, and until all of them are over the board is visible to the players alone, so no seat can go to a
    substitute. *contest* is the kind of contest that the game belongs to (``games.selectors.contests``).

    :raises Refused: there can't be such a table, see ``TableSettings.refusals``
    :raises ValueError: it can't share this *deal*, see ``play.deals.join``
    """
    if deal is not None and settings.time_out.last == TimeoutStep.SUBSTITUTE:
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
    named = replace(settings, name=settings.name or choose_town_name(), rules=as_arranged)
    game = create_table_row(players[0], named, now, deal=deal, contest=contest)
    Seat.objects.bulk_create(
        Seat(game=game, index=index, player=player) for index, player in enumerate(players)
    )
    begin_if_full(game, now)
    return game


@transaction.atomic
def set_up(*, host: Player, settings: TableSettings, now: datetime) -> tuple[Game, bool]:
    """Create a table for *host*, see ``create_table``. Return it and whether it is new: a second click gets
    the table of the first.

    :raises Refused: there can't be such a table, or *host* has too many
    """
    lock_player(host)  # both clicks may come at once
    for game in Game.objects.filter(host=host, created__gt=now - SECOND_CLICK).exclude(status=Status.ABORTED):
        before = TableSettings.of(game)
        if before.rules == settings.rules and settings.name in ("", before.name):
            return game, False
    limits.check_tables(host, public=settings.visibility == Visibility.PUBLIC, now=now)
    if settings.bots:
        limits.check_bot_games(host, now)
    return create_table(host=host, settings=settings, now=now), True


def play_the_bot(*, host: Player, now: datetime) -> Game:
    """Begin a game for *host* alone against the house bot.

    :raises TooMany: *host* has too many games with it
    """
    alone = TableSettings(
        rules=RuleSet.of(seats=2), clock=PRESETS["relaxed"], visibility=Visibility.PRIVATE, bots=1
    )
    game, _new = set_up(host=host, settings=alone, now=now)
    return game


@transaction.atomic
def cancel(*, game_id: int, player: Player, now: datetime) -> Game:
    """Close a table that has not begun. Only its host may; idempotent."""
    game = lock_game(game_id)
    if game.host_id != player.pk:
        raise Refused("not_host")
    if game.status == Status.ABORTED and game.ending == Ending.CANCELLED:
        return game
    must_be_open(game)
    _close(game, Ending.CANCELLED, now)
    return game


def leave_open_tables(player: Player, now: datetime) -> None:
    """Close the tables of *player* that have not begun, and free their seats at others. Games are locked."""
    for game in Game.objects.filter(host=player, status=Status.OPEN):
        cancel(game_id=game.pk, player=player, now=now)
    for game in Game.objects.filter(seats__player=player, status=Status.OPEN):
        leave(game_id=game.pk, player=player, now=now)


def find_tables_to_close(now: datetime) -> QuerySet[Game]:
    """Return the open tables that ``expire`` would close, or whose hosts it would ask."""
    due = Q(expires__lt=now) | Q(nudged=None)
    return Game.objects.filter(due, status=Status.OPEN, expires__lt=now + NUDGE_BEFORE)


@transaction.atomic
def expire(*, game_id: int, now: datetime) -> None:
    """Close a table that has been open for too long. A week before, ask its host whether to keep it."""
    game = lock_game(game_id)
    if game.status != Status.OPEN or game.expires is None:
        return
    if game.expires < now:
        _close(game, Ending.EXPIRED, now)
    elif game.expires - NUDGE_BEFORE <= now and game.nudged is None:
        game.nudged = now
        game.save(update_fields=["nudged"])
        outbox.nudge_host(game, now=now)
        queue_on_commit("games.tasks.deliver_notices")


@transaction.atomic
def rename(*, game_id: int, player: Player, name: str, now: datetime) -> Game:
    """Rename a table that has not begun. Only its host may.

    :raises Refused: *player* is not the host, the table is not open, or the name is refused
    """
    game = lock_game(game_id)
    if game.host_id != player.pk:
        raise Refused("not_host")
    must_be_open(game)
    game.name = check_name(name) or game.name
    game.save(update_fields=["name"])
    return game


@transaction.atomic
def keep_open(*, game_id: int, player: Player, now: datetime) -> Game:
    """Keep a table that has not begun open for another four weeks from *now*, at most until its hard end.
    Only its host may."""
    game = lock_game(game_id)
    if game.host_id != player.pk:
        raise Refused("not_host")
    must_be_open(game)
    game.expires = compute_latest_begin(game.clock, now)
    if game.expires > now + NUDGE_BEFORE:  # else the host has been asked for the last time
        game.nudged = None
    game.save(update_fields=["expires", "nudged"])
    return game


def _time_is_left(clock: ClockSettings, now: datetime) -> None:
    if clock.ends is not None and clock.ends < now + DAY:
        raise Refused("ends_too_soon")


def create_table_row(
    host: Player, settings: TableSettings, now: datetime, **more: Game | Deal | str | None
) -> Game:
    """Create the row of a table, unchecked; the caller fills its seats. *more* is the game or draw to which
    it belongs."""
    expires = compute_latest_begin(settings.clock, now)
    return Game.objects.create(host=host, created=now, expires=expires, **more, **settings.columns())


def compute_latest_begin(clock: ClockSettings, now: datetime) -> datetime:
    """Return until when a table that is set up or kept *now* stays open: at most until its hard end."""
    return now + OPEN_FOR if clock.ends is None else min(now + OPEN_FOR, clock.ends)


def _close(game: Game, ending: Ending, now: datetime) -> None:
    game.status, game.ending, game.finished, game.expires = Status.ABORTED, ending, now, None
    game.save(update_fields=["status", "ending", "finished", "expires"])
    game.seats.update(ended=now)
    pending = game.invitations.filter(answer=Answer.PENDING)
    pending.update(answer=Answer.WITHDRAWN if ending == Ending.CANCELLED else Answer.EXPIRED, answered=now)
