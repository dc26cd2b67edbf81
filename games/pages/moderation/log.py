"""What moderators did in a game, as its players read it, and moderators with who it was."""

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
from games.pages.moderation.effects import effects, names_in
from games.pages.scene.addresses import Urls, urls_of
from games.selectors.seats import mine, seat_names, seats_of
from games.words.acts import moderation_sentence

A_PAGE = 50


class LogLine(NamedTuple):
    """One act."""

    kind: str
    seat: int | None  # that it is about
    at: datetime
    said: str
    reason: str
    effects: tuple[str, ...]
    undone: bool
    branch_url: str  # of what was withdrawn; empty where nothing was, or it is not for the reader
    who: str  # for moderators only
    own_matter: bool  # the same


class LogPage(NamedTuple):
    """All that moderators did in a game."""

    game: Game
    urls: Urls
    lines: tuple[LogLine, ...]
    desk_url: str  # for who may moderate it


def log_of(game: Game, viewer: Visitor) -> LogPage:
    """The page for *viewer*, who sees *game*."""
    seats, moderates = seats_of(game), access.may_moderate(viewer, game)
    lines = log_lines(
        game, seat_names(seats), branches=moderates or mine(seats, viewer) is not None, named=moderates
    )
    desk_url = reverse("games:desk_game", args=[game.code]) if moderates else ""
    return LogPage(game, urls_of(game), lines, desk_url)


def log_lines(game: Game, names: Sequence[str], *, branches: bool, named: bool) -> tuple[LogLine, ...]:
    """The acts in *game*, the last one first, whose seats have these *names*; three queries. With *branches*
    each leads to what it withdrew, and *named* says who did it."""
    undone = Exists(ModerationAct.objects.filter(undoes=OuterRef("pk")))
    acts = show_rows(
        game.moderation.select_related("who").annotate(is_undone=undone).order_by("-version")[:A_PAGE]
    )
    if not acts:
        return ()
    moves = game.moves.filter(version__in=[act.version for act in acts])
    rows = moves.values_list("version", "action", "seat")
    told = {version: (action, seat) for version, action, seat in rows}
    people = names_in(acts)
    lines = []
    for act in acts:
        action, seat = told[act.version]
        withdrew = act.kind == ActKind.ROLL_BACK and action["moves"]
        lines.append(
            LogLine(
                kind=act.kind,
                seat=seat,
                at=act.at,
                said=moderation_sentence(action, "" if seat is None else names[seat], names),
                reason=act.reason,
                effects=effects(act, people),
                undone=act.is_undone,
                branch_url=reverse("games:branch", args=[game.code, act.version])
                if branches and withdrew
                else "",
                who=act.who.username if named else "",
                own_matter=named and bool(act.own_matter),
            )
        )
    return tuple(lines)
