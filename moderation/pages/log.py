"""The log of moderators' acts in a game, for players, and for moderators with names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef
from django.urls import reverse

from accounts.references import show_rows
from games import access
from games.access import Visitor
from games.models import ActKind, Game, ModerationAct
from games.pages.scene.addresses import Urls, build_urls
from games.selectors.seats import find_own_seat, list_seat_names, load_seats_of
from games.words.acts import format_moderation_act
from moderation.pages.effects import describe_act, load_names

A_PAGE = 50


class ActLine(NamedTuple):
    """An act of the log."""

    kind: str
    seat: int | None  # seat it concerns
    at: datetime
    said: str
    reason: str
    effects: tuple[str, ...]
    undone: bool
    branch_url: str  # of withdrawn moves; empty if there are none, or the reader may not see them
    who: str  # for moderators only
    own_matter: bool  # for moderators only


class LogPage(NamedTuple):
    """The log of a game."""

    game: Game
    urls: Urls
    lines: tuple[ActLine, ...]
    desk_url: str  # for viewers who may moderate it


def build_log(game: Game, viewer: Visitor) -> LogPage:
    """The page for *viewer*, who sees *game*."""
    seats, moderates = load_seats_of(game), access.may_moderate(viewer, game)
    lines = build_log_lines(
        game,
        list_seat_names(seats),
        branches=moderates or find_own_seat(seats, viewer) is not None,
        named=moderates,
    )
    desk_url = reverse("moderation:desk_game", args=[game.code]) if moderates else ""
    return LogPage(game, build_urls(game), lines, desk_url)


def build_log_lines(game: Game, names: Sequence[str], *, branches: bool, named: bool) -> tuple[ActLine, ...]:
    """Build the lines of acts in *game*, the last one first; three queries.

    :param names: of the seats
    :param branches: whether lines link to the moves they withdrew
    :param named: whether lines name the moderator
    """
    undone = Exists(ModerationAct.objects.filter(undoes=OuterRef("pk")))
    acts = show_rows(
        game.moderation.select_related("who").annotate(is_undone=undone).order_by("-version")[:A_PAGE]
    )
    if not acts:
        return ()
    moves = game.moves.filter(version__in=[act.version for act in acts])
    rows = moves.values_list("version", "action", "seat")
    told = {version: (action, seat) for version, action, seat in rows}
    people = load_names(acts)
    lines = []
    for act in acts:
        action, seat = told[act.version]
        withdrew = act.kind == ActKind.ROLL_BACK and action["moves"]
        lines.append(
            ActLine(
                kind=act.kind,
                seat=seat,
                at=act.at,
                said=format_moderation_act(action, "" if seat is None else names[seat], names),
                reason=act.reason,
                effects=describe_act(act, people),
                undone=act.is_undone,
                branch_url=reverse("moderation:branch", args=[game.code, act.version])
                if branches and withdrew
                else "",
                who=act.who.username if named else "",
                own_matter=named and bool(act.own_matter),
            )
        )
    return tuple(lines)
