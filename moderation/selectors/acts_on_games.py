"""Moderators' acts on games in words: what they change, and the log of a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.references import show_rows
from games.models import ActKind, Game, ModerationAct
from games.words.acts import format_moderation_act
from moderation.words.effects import describe_act

A_PAGE = 50
"""Maximum number of acts in the log of a game, the latest ones."""


class LoggedAct(NamedTuple):
    """An act in the log of a game, with what its move says."""

    act: ModerationAct
    seat: int | None  # seat it concerns
    sentence: str
    effects: tuple[str, ...]
    is_undone: bool
    withdrew: bool  # whether there are moves that it rolled back


def load_logged_acts(game: Game, names: Sequence[str]) -> list[LoggedAct]:
    """Load the acts in *game*, the last one first; three queries.

    :param names: of the seats
    """
    undone = Exists(ModerationAct.objects.filter(undoes=OuterRef("pk")))
    acts = show_rows(
        game.moderation.select_related("who").annotate(is_undone=undone).order_by("-version")[:A_PAGE]
    )
    if not acts:
        return []
    moves = game.moves.filter(version__in=[act.version for act in acts])
    moves_by_version = {version: move for version, *move in moves.values_list("version", "action", "seat")}
    logged = []
    for act, effects in zip(acts, describe_effects(acts), strict=True):
        action, seat = moves_by_version[act.version]
        sentence = format_moderation_act(action, "" if seat is None else names[seat], names)
        withdrew = act.kind == ActKind.ROLL_BACK and bool(action["moves"])
        logged.append(LoggedAct(act, seat, sentence, effects, act.is_undone, withdrew))
    return logged


def describe_effects(acts: Iterable[ModerationAct]) -> list[tuple[str, ...]]:
    """Describe the changes of each of *acts*, a sentence for each; one query."""
    acts = list(acts)
    involved = {seat["player"] for act in acts for kept in (act.before, act.after) for seat in kept["seats"]}
    players = Player.objects.filter(pk__in=involved - {None}).values_list("pk", "username")
    names: dict[int | None, str] = {None: _("House bot"), **dict(players)}
    return [describe_act(act, names) for act in acts]
