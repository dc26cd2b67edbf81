"""Rematches."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from accounts.models import Player
from core.task_queue import queue_on_commit
from games import access
from games.conduct import active_sanctions, blocks, limits
from games.exceptions import Refused
from games.models import Game, Seat, Status, Visibility
from games.play.locks import lock_player, lock_players_of
from games.tables.invitations import invite_again
from games.tables.locks import lock_game
from games.tables.seats import begin_if_full, sit
from games.tables.settings import TableSettings, find_name_refusal
from games.tables.setup import choose_town_name, create_table_row


class RematchCompany(NamedTuple):
    """Opponents of a game that is over: whether one is there for a rematch, and whether one has left."""

    possible: bool
    incomplete: bool


def find_rematch_company(seats: Iterable[Seat], player: int | None) -> RematchCompany:
    """Return which of the other *seats* are there for a rematch that *player*, by primary key, asks for."""
    others = [seat for seat in seats if seat.player_id != player]
    there = [seat.bot != "" or (seat.player is not None and seat.player.is_active) for seat in others]
    return RematchCompany(any(there), not all(there))


@transaction.atomic
def rematch(*, game_id: int, player: Player, now: datetime) -> Game:
    """Set up the same table again with the seats rotated, so that who began is now last; invite the others.

    The old settings are not checked again, but the hard end is dropped. The second player who asks sits down
    at the table that the first one set up.
    """
    lock_players_of(game_id)  # those who will be invited, too
    lock_player(player)
    active_sanctions.must_be_free_to_act(player, now)
    old = lock_game(game_id)
    if access.find_seat(player, old) is None:
        raise Refused("not_seated")
    if not old.ended or old.started is None:
        raise Refused("not_ended")
    there = old.rematches.exclude(status=Status.ABORTED).first()
    if there is not None:
        return sit(game_id=there.pk, player=player, now=now) if there.status == Status.OPEN else there
    if blocks.find_blocked_pairs(list(old.seats.exclude(player=None).values_list("player", flat=True))):
        raise Refused("no_rematch")
    if not find_rematch_company(old.seats.select_related("player"), player.pk).possible:
        raise Refused("rematch_alone")
    agreed = TableSettings.of(old)
    limits.check_rematches(old, player, now)
    limits.check_tables(player, public=agreed.visibility == Visibility.PUBLIC, now=now)
    if agreed.bots:
        limits.check_bot_games(player, now)
    name = (
        choose_town_name() if find_name_refusal(agreed.name) else agreed.name
    )  # an old name may be refused today
    again = replace(agreed, name=name, clock=replace(agreed.clock, ends=None))
    game = create_table_row(player, again, now, rematch_of=old)
    others = []
    seats = []
    for before in old.seats.select_related("player"):
        seat = Seat(game=game, index=(before.index - 1) % old.places, bot=before.bot)
        seats.append(seat)
        if before.player_id == player.pk:
            seat.player, seat.colour = player, before.colour
        elif before.player is not None and before.player.is_active:
            others.append((seat.index, before.player))
    Seat.objects.bulk_create(seats)
    invite_again(game, player, others, now)
    begin_if_full(game, now)
    queue_on_commit("games.tasks.deliver_notices")
    return game
