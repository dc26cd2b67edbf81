"""Knowledge of moderators about a person: a query for each kind, whatever there is. Nothing of it concerns
whoever looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Player
from accounts.references import show_rows
from games.models import Sanction
from moderation.access import find_incidents_of_others
from moderation.models import IMPOSING, ConductAct, ModeratorNote, NameChange, Report, Signal
from moderation.selectors.incidents import annotate_reports

SHOWN = 20
"""Entries of a kind, the newest ones."""

MOST_SANCTIONS = 100
"""So many are read, as an old one may be in force."""


class NewestRows(NamedTuple):
    """The newest rows of a kind, and whether there are more."""

    rows: tuple[Any, ...]
    more: bool


def find_incidents_about(player: Player, viewer: Player) -> NewestRows:
    """With their games, and ``reported`` and ``category``."""
    found = annotate_reports(find_incidents_of_others(viewer).filter(about=player)).select_related("game")
    return _newest(found.order_by("-pk"))


def find_reports_by(player: Player, viewer: Player) -> NewestRows:
    """Return what *player* has reported, with whom it is about."""
    found = Report.objects.filter(reporter=player, incident__in=find_incidents_of_others(viewer))
    return _newest(found.select_related("incident__about", "incident__game").order_by("-pk"))


def find_signals(player: Player, viewer: Player) -> NewestRows:
    """Return what may speak against fair play, two accounts of one person among it."""
    found = Signal.objects.filter(Q(subject=player) | Q(other=player))
    others = found.exclude(Q(subject=viewer) | Q(other=viewer))
    return _newest(others.select_related("subject", "other").order_by("-found", "-pk"))


def find_sanctions(player: Player) -> NewestRows:
    """With who did it, the appeal, and whether it was an own matter."""
    acts = ConductAct.objects.filter(sanction=OuterRef("pk"), kind__in=IMPOSING, own_matter=True)
    found = Sanction.objects.filter(player=player).annotate(own_matter=Exists(acts))
    return _newest(found.select_related("who", "appeal").order_by("-pk"), MOST_SANCTIONS)


def find_notes_about(player: Player) -> NewestRows:
    """With their authors."""
    found = ModeratorNote.objects.filter(player=player)
    return _newest(found.select_related("author").order_by("-pk"))


def find_name_changes(player: Player) -> NewestRows:
    """Names of tables, teams and leagues of *player* that moderators have changed."""
    found = NameChange.objects.filter(owner=player)
    return _newest(found.select_related("who").order_by("-pk"))


def _newest(rows: QuerySet[Any], most: int = SHOWN) -> NewestRows:
    read: Sequence[Any] = show_rows(rows[: most + 1])
    return NewestRows(tuple(read[:most]), len(read) > most)
