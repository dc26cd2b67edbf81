"""Turns that players plan before their tile is drawn, and playing them.

Plans are for the next turn of their seat. When it comes they are tried once, in order, by
``take_planned_turn``, which ``turns.py`` calls after each draw; then all are settled, whether one was played
or not. Only their player can see them; a turn played by a plan is an ordinary move.

A plan is due if its tile may be placed and, where it waits for a tile on some space, one has been laid there.
It is dropped if the rules refuse it, or if its grounds have changed: the figures on the cities, roads and
buildings that its tile joins and on the field where its figure goes, and what it completes
(``games.rules.planning``). The space next to another player's tile can't be predicted, so there only the
rules are checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max

from accounts.models import Player
from games import rules
from games.conduct import active_sanctions
from games.exceptions import GameOver, Refused, StaleTurn
from games.models import Game, Plan, PlanDropReason, Seat, Status
from games.play.ledger import Ledger
from games.play.positions import load_visible_position
from games.rules import Place
from games.rules.geometry import get_cell
from games.rules.planning import (
    find_grounds,
    find_plan_fault,
    grounds_to_json,
    list_neighbours,
    list_next_tiles,
    suppose_turn,
)

MOST_PLANS = 60
"""Maximum number of plans of a seat for a turn: two for each kind of tile of the base game, and some more."""


class PlanSelection(NamedTuple):
    """Selection among the plans of a seat whose turn has come: the one to play, and those that are
    dropped."""

    plan: Plan | None = None  # the one to be played
    place: Place | None = None  # its turn
    dropped: Mapping[int, str] = {}  # reasons for not playing the plans before it, by their number


def select_due_plan(position: rules.Game, plans: Iterable[Plan]) -> PlanSelection:
    """Find the first of *plans*, in order, that can be played in *position* and whose grounds are unchanged.

    Pure: reads the plans, and changes nothing.
    """
    state = position.state
    dropped: dict[int, str] = {}
    for plan in plans:
        if plan.after is not None and get_cell(*plan.after) not in state.board.tiles:
            continue
        tile = next((id for id in state.playable if id in plan.rests_on), None)
        if tile is None:
            continue
        place = plan.place._replace(tile=tile)
        reason = find_plan_fault(position, place, plan.rests_on[tile])
        if reason is None:
            return PlanSelection(plan, place, dropped)
        dropped[plan.number] = reason
    return PlanSelection(dropped=dropped)


def take_planned_turn(ledger: Ledger) -> Place | None:
    """Return the turn that the seat awaited has planned, if one is due; ``None`` if its player must decide.

    Settles the seat's plans. A suspended player's plans are dropped. Two queries; none where the seat has no
    plans.
    """
    game, index = ledger.game, ledger.game.awaited
    if index not in ledger.planning or ledger.position.decision.kind != "place":
        return None
    ledger.planning.discard(index)
    seat = ledger.seats[index]
    if seat.played_by_program:
        return None
    plans = list(Plan.objects.in_force().filter(seat=seat).order_by("number"))
    assert seat.player is not None
    if active_sanctions.find_suspension_end(seat.player, ledger.now) is not None:
        selection = PlanSelection(
            dropped=dict.fromkeys((plan.number for plan in plans), PlanDropReason.SUSPENDED)
        )
    else:
        selection = select_due_plan(ledger.position, plans)
    for plan in plans:
        plan.settled = game.turn_version
        plan.dropped = selection.dropped.get(plan.number, "")
        plan.played = game.version + 1 if plan is selection.plan else None
    Plan.objects.bulk_update(plans, ["settled", "dropped", "played"])
    return selection.place


@transaction.atomic
def make(
    *,
    game_id: int,
    seat: int,
    place: Place,
    expected_version: int,
    now: datetime,
    any_tile: bool = False,
    after: tuple[int, int] | None = None,
) -> Plan:
    """Add *place* to the plans of *seat* for its next turn, as the last one.

    With *any_tile* it is for every tile that may lie like that; with *after*, only if a tile has been laid in
    that column and row by then. Repeating an existing plan succeeds and changes nothing.

    :raises Refused: the seat can't plan now, or this is not legal on the board as it is
    :raises StaleTurn: the game has moved on since ``expected_version``
    """
    game = Game.objects.select_for_update().get(pk=game_id)
    mine = planning_seat(game, seat)
    assert mine.player is not None
    active_sanctions.must_be_free_to_act(mine.player, now)
    if expected_version != game.version:
        raise StaleTurn(game)
    stored = rules.action_to_json(place)
    tile, (x, y) = "" if any_tile else place.tile, after or (None, None)
    there = Plan.objects.in_force().filter(seat=mine)
    same = there.filter(tile=tile, after_x=x, after_y=y).order_by("number")
    for plan in same:
        if plan.action == stored:
            return plan
    if there.count() >= MOST_PLANS:
        raise Refused("too_many_plans")
    rested = _find_tile_grounds(game, seat, place, any_tile=any_tile, after=after)
    Plan.objects.filter(seat=mine).exclude(settled=None).delete()  # settled plans of earlier turns
    last = there.aggregate(last=Max("number"))["last"]
    return Plan.objects.create(
        seat=mine,
        number=0 if last is None else last + 1,
        tile=tile,
        after_x=x,
        after_y=y,
        action=stored,
        rests_on=rested,
        schema=rules.SCHEMA,
        made_at=game.version,
        created=now,
    )


@transaction.atomic
def remove(*, game_id: int, seat: int, plan: int) -> None:
    """Delete the plan with this primary key, if it is still there and belongs to *seat*."""
    Game.objects.select_for_update().get(pk=game_id)
    Plan.objects.in_force().filter(seat__game=game_id, seat__index=seat, pk=plan).delete()


@transaction.atomic
def move_up(*, game_id: int, seat: int, plan: int) -> None:
    """Swap the plan with this primary key with the one before it, if there is one."""
    Game.objects.select_for_update().get(pk=game_id)
    plans = list(Plan.objects.in_force().filter(seat__game=game_id, seat__index=seat).order_by("number"))
    for before, this in pairwise(plans):
        if this.pk == plan:
            numbers = before.number, this.number
            Plan.objects.filter(pk=this.pk).update(number=plans[-1].number + 1)  # no two have the same
            Plan.objects.filter(pk=before.pk).update(number=numbers[1])
            Plan.objects.filter(pk=this.pk).update(number=numbers[0])


def forget(*, player: Player) -> None:
    """Remove all plans of *player*, whose account is being closed."""
    Plan.objects.filter(seat__player=player).delete()


def forget_seat(seat: Seat) -> None:
    """Delete the plans of *seat*, which has no more turns."""
    Plan.objects.in_force().filter(seat=seat).delete()


def planning_seat(game: Game, index: int) -> Seat:
    """Return the seat *index* of *game*, if its player may plan its next turn.

    :raises GameOver: the game or the seat is over
    :raises Refused: the game has not begun, or waits for this seat
    """
    if game.status != Status.PLAYING:
        raise Refused("not_begun") if game.status == Status.OPEN else GameOver
    seat: Seat = game.seats.select_related("player").get(index=index)
    if seat.left:
        raise GameOver
    if game.awaited == index:
        raise Refused("awaited_already")
    return seat


def _find_tile_grounds(
    game: Game, seat: int, place: Place, *, any_tile: bool, after: tuple[int, int] | None
) -> dict[str, Any]:
    """The grounds of *place* for each tile for which it is planned.

    :raises Refused: *place* is not legal, *after* is not free, or no tile is left to plan for
    """
    seen = load_visible_position(game, game.version, seat)
    if after is not None and get_cell(*after) not in seen.state.board.needs:
        raise Refused("plan_after_taken")
    tiles = list_next_tiles(seen.state, seat)
    if not tiles:
        raise Refused("nothing_to_plan")
    mine = suppose_turn(seen, seat, after)
    legal = mine.legal_actions()
    unknown = after is not None and get_cell(place.x, place.y) in list_neighbours(after)
    grounds: dict[str, Any] = {}
    for tile in tiles if any_tile else (place.tile,):
        moved = place._replace(tile=tile)
        if moved in legal:
            grounds[tile] = None if unknown else grounds_to_json(find_grounds(mine.state, moved))
    if place.tile not in grounds:
        raise Refused("plan_not_legal")
    return grounds
