"""Acts on all running games of a player, with previews."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import Player
from games.exceptions import Refused, StaleTurn
from games.models import Game, ModerationAct, Seat, SeatState, Status
from games.play import moderation
from games.play.moderation import ModerationRequest
from games.play.moderation.base import Preview
from moderation.interests import find_case_opening

LEFT = (SeatState.RESIGNED, SeatState.TIMED_OUT)

SeatAct = Callable[[int], Callable[[ModerationRequest], ModerationAct]]
"""Returns the act on a game in which the player has that seat."""


def find_seats(player: Player) -> QuerySet[Seat]:
    """Return the seats of *player* in running games."""
    seats = Seat.objects.filter(player=player, game__status=Status.PLAYING).exclude(state__in=LEFT)
    return seats.select_related("game").order_by("game")


def preview_all(
    act: SeatAct, player: Player, *, who: Player, reason: str, now: datetime
) -> list[tuple[Game, Preview | Refused]]:
    """Preview *act* by *who* in each game of *player*."""
    previews: list[tuple[Game, Preview | Refused]] = []
    for seat in find_seats(player):
        opened = find_case_opening(seat.game)
        asked = ModerationRequest(seat.game_id, who, reason, now, None, opened)
        try:
            previews.append((seat.game, moderation.preview(asked, act(seat.index))))
        except Refused as refused:
            previews.append((seat.game, refused))
    return previews


def act_in_all(
    act: SeatAct, player: Player, *, who: Player, reason: str, now: datetime, versions: Mapping[int, int]
) -> tuple[int, int]:
    """Perform *act* in each game of *player* that was previewed, at one of *versions* by its key, where it is
    possible. Return the number of these games, and of those that had changed since."""
    count = overtaken = 0
    for seat in find_seats(player):
        if seat.game_id not in versions:
            continue
        opened = find_case_opening(seat.game)
        asked = ModerationRequest(seat.game_id, who, reason, now, versions[seat.game_id], opened)
        try:
            act(seat.index)(asked)
        except StaleTurn:
            overtaken += 1
        except Refused:
            continue  # as the preview said
        else:
            count += 1
    return count, overtaken
