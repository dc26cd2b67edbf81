"""What moderators know of a person: a query for each kind, whatever there is. Nothing of it concerns whoever
looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from accounts.models import Player
from accounts.references import show_rows
from games import access
from games.models import ModeratorNote, NameChange, Report, Sanction, Signal
from games.selectors.incidents import with_reports

SHOWN = 20
"""Entries of a kind, the newest ones."""

MOST_SANCTIONS = 100
"""So many are read, as an old one may be in force."""


class Newest(NamedTuple):
    """The newest rows of a kind, and whether there are more."""

    rows: tuple[Any, ...]
    more: bool


def incidents_about(player: Player, viewer: Player) -> Newest:
    """With their games, and ``reported`` and ``category``."""
    found = with_reports(access.incidents_of_others(viewer).filter(about=player)).select_related("game")
    return _newest(found.order_by("-pk"))


def reports_by(player: Player, viewer: Player) -> Newest:
    """What *player* has reported, with whom it is about."""
    found = Report.objects.filter(reporter=player, incident__in=access.incidents_of_others(viewer))
    return _newest(found.select_related("incident__about", "incident__game").order_by("-pk"))


def signals_of(player: Player, viewer: Player) -> Newest:
    """What may speak against fair play, two accounts of one person among it."""
    found = Signal.objects.filter(Q(subject=player) | Q(other=player))
    others = found.exclude(Q(subject=viewer) | Q(other=viewer))
    return _newest(others.select_related("subject", "other").order_by("-found", "-pk"))


def sanctions_of(player: Player) -> Newest:
    """With who did it, the appeal, and whether it was an own matter."""
    found = Sanction.objects.filter(player=player).with_own_matter()
    return _newest(found.select_related("who", "appeal").order_by("-pk"), MOST_SANCTIONS)


def notes_about(player: Player) -> Newest:
    """With their authors."""
    found = ModeratorNote.objects.filter(player=player)
    return _newest(found.select_related("author").order_by("-pk"))


def names_changed(player: Player) -> Newest:
    """Names of tables, teams and leagues of *player* that moderators have changed."""
    found = NameChange.objects.filter(owner=player)
    return _newest(found.select_related("who").order_by("-pk"))


def _newest(rows: QuerySet[Any], most: int = SHOWN) -> Newest:
    read: Sequence[Any] = show_rows(rows[: most + 1])
    return Newest(tuple(read[:most]), len(read) > most)
