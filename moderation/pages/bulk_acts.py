"""Acts on all running games of a player, with previews."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple, Protocol

from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import Player
from games.exceptions import Refused, StaleTurn
from games.models import ModerationAct, Seat, SeatState, Status
from games.play import moderation
from games.play.moderation import ModerationRequest
from moderation.interests import find_case_opening
from moderation.pages.effects import describe_preview

LEFT = (SeatState.RESIGNED, SeatState.TIMED_OUT)


class BulkActForm(Protocol):
    """A valid form of an act on all games."""

    cleaned_data: dict[str, str]

    def versions(self) -> dict[int, int]:
        """The version at which each game was shown, by its key."""

    def show_anew(self, versions: Mapping[int, int]) -> None:
        """Set the *versions* of the games to confirm."""

    def act(self, seat: int) -> Callable[[ModerationRequest], ModerationAct]:
        """Return the act on a game in which the player has that *seat*."""


class BulkLine(NamedTuple):
    """Effects on one game, or a refusal."""

    game: str
    url: str
    effects: tuple[str, ...]
    refused: str


def find_seats(player: Player) -> QuerySet[Seat]:
    """Return the seats of *player* in running games."""
    seats = Seat.objects.filter(player=player, game__status=Status.PLAYING).exclude(state__in=LEFT)
    return seats.select_related("game").order_by("game")


def preview_all(form: BulkActForm, player: Player, who: Player, now: datetime) -> list[BulkLine]:
    """Preview the act of *form* by *who* in each game of *player*."""
    lines = []
    seats = list(find_seats(player))
    for seat in seats:
        effects: tuple[str, ...] = ()
        refused = ""
        try:
            effects = describe_preview(
                moderation.preview(_build_request(form, seat, who, now), form.act(seat.index))
            ).sentences
        except Refused as why:
            refused = why.message
        url = reverse("moderation:desk_game", args=[seat.game.code])
        lines.append(BulkLine(seat.game.name, url, effects, refused))
    form.show_anew({seat.game_id: seat.game.version for seat in seats})
    return lines


def act_in_all(form: BulkActForm, player: Player, who: Player, now: datetime) -> tuple[int, int]:
    """Perform the act in each previewed game of *player* where it is possible. Return the number of these
    games, and of those that had changed since."""
    count = overtaken = 0
    versions = form.versions()
    for seat in find_seats(player):
        if seat.game_id not in versions:
            continue
        try:
            form.act(seat.index)(_build_request(form, seat, who, now, versions[seat.game_id]))
        except StaleTurn:
            overtaken += 1
        except Refused:
            continue  # as the preview said
        else:
            count += 1
    return count, overtaken


def _build_request(
    form: BulkActForm, seat: Seat, who: Player, now: datetime, version: int | None = None
) -> ModerationRequest:
    opened = find_case_opening(seat.game)
    return ModerationRequest(seat.game_id, who, form.cleaned_data["reason"], now, version, opened)
