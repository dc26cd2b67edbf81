"""Data of moderators about a person, one query for each kind. Nothing that concerns the viewer is
included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Player
from accounts.references import show_rows
from games.models import Sanction
from moderation.access import find_incidents_of_others
from moderation.models import IMPOSING, ConductAct, ModeratorNote, NameChange, Report, Signal
from moderation.selectors.incidents import annotate_reports, annotate_verdict

SHOWN = 20
"""Maximum number of rows of a kind, the newest ones."""

MOST_SANCTIONS = 100
"""Maximum number of sanctions. It is higher, as an old one may be in force."""


class NewestRows(NamedTuple):
    """The newest rows of a kind, and whether there are more."""

    rows: tuple[Any, ...]
    more: bool
    waiting: bool = False  # whether one of them is undecided


def find_incidents_about(player: Player, viewer: Player) -> NewestRows:
    """Return incidents with their games, and ``reported`` and ``category``."""
    rows = annotate_reports(find_incidents_of_others(viewer).filter(about=player)).select_related("game")
    return _newest(rows.order_by("-pk"), is_open=lambda incident: incident.closed is None)


def find_reports_by(player: Player, viewer: Player) -> NewestRows:
    """Return the reports by *player*, with the people they are about, and ``verdict_of_it``."""
    others = find_incidents_of_others(viewer)
    judged = annotate_verdict(Report.objects.filter(reporter=player, incident__in=others))
    rows = judged.select_related("incident__about", "incident__game").order_by("-pk")
    return _newest(rows, is_open=lambda report: not report.verdict_of_it)


def find_signals(player: Player, viewer: Player) -> NewestRows:
    """Return the signals of unfair play, including shared accounts."""
    signals_about = Signal.objects.filter(Q(subject=player) | Q(other=player))
    others = signals_about.exclude(Q(subject=viewer) | Q(other=viewer))
    rows = others.select_related("subject", "other").order_by("-found", "-pk")
    return _newest(rows, is_open=lambda signal: not signal.verdict)


def find_sanctions(player: Player) -> NewestRows:
    """Return sanctions with moderators, appeals, and whether they were in own matters."""
    acts = ConductAct.objects.filter(sanction=OuterRef("pk"), kind__in=IMPOSING.values(), own_matter=True)
    rows = Sanction.objects.filter(player=player).annotate(own_matter=Exists(acts))
    return _newest(rows.select_related("who", "appeal").order_by("-pk"), most=MOST_SANCTIONS)


def find_notes_about(player: Player) -> NewestRows:
    """Return notes with their authors."""
    rows = ModeratorNote.objects.filter(player=player)
    return _newest(rows.select_related("author").order_by("-pk"))


def find_name_changes(player: Player) -> NewestRows:
    """Names of tables, teams and leagues of *player* that moderators have changed."""
    rows = NameChange.objects.filter(owner=player)
    return _newest(rows.select_related("who").order_by("-pk"))


def _newest(
    rows: QuerySet[Any], *, most: int = SHOWN, is_open: Callable[[Any], bool] = lambda row: False
) -> NewestRows:
    read: Sequence[Any] = show_rows(rows[: most + 1])
    return NewestRows(tuple(read[:most]), len(read) > most, any(map(is_open, read[:most])))
