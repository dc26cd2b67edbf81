"""Incidents: the queue, their reports, earlier ones of a person, and records of reporters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import Player
from accounts.references import show_rows
from moderation.access import find_incidents_of_others
from moderation.interests import OpenCase, find_concerned_staff, find_recused_moderators
from moderation.models import Incident, Report, Verdict
from moderation.selectors.desk import SHOWN, Queue, QueueEntry

PREVIOUS = 10

REPORTS = 20
"""Maximum number of reports of an incident on its page, the latest ones."""


class ReporterRecord(NamedTuple):
    """Numbers of somebody's decided and upheld reports."""

    decided: int
    upheld: int


def _waiting(now: datetime) -> Sequence[QueueEntry]:
    """The open incidents, the oldest first; eleven queries."""
    rows = list(
        annotate_reports(Incident.objects.filter(closed=None))
        .select_related("about", "game", "looked_at_by")
        .order_by("opened")[: SHOWN + 1]
    )
    concerned = find_concerned_staff(rows)
    kept = find_recused_moderators([OpenCase(row.about, row.opened, concerned[row.pk]) for row in rows])
    return [
        QueueEntry(
            what=_describe_incident(row),
            since=row.opened,
            url=row.get_absolute_url(),
            hidden_from=hidden,
        )
        for row, hidden in zip(rows, kept, strict=True)
    ]


QUEUE = Queue(
    "reports",
    gettext_lazy("Reports"),
    gettext_lazy("Reports by players. Others decide what concerns you."),
    _waiting,
)


def annotate_reports(incidents: QuerySet[Incident]) -> QuerySet[Incident]:
    """Annotate *incidents* with the number of reports as ``reported`` and the category of the first one as
    ``category``."""
    reports = Report.objects.filter(incident=OuterRef("pk"))
    number = reports.order_by().values("incident").annotate(n=Count("pk")).values("n")
    return incidents.annotate(
        reported=Coalesce(Subquery(number), 0),
        category=Subquery(reports.order_by("pk").values("category")[:1]),
    )


def annotate_verdict(reports: QuerySet[Report]) -> QuerySet[Report]:
    """Annotate *reports* with ``verdict_of_it``: their own verdict, or for old ones that of their
    incident."""
    own = When(~Q(verdict=""), then=F("verdict"))
    return reports.annotate(verdict_of_it=Case(own, default=F("incident__verdict")))


def _describe_incident(incident: Incident) -> str:
    number: int = incident.reported  # type: ignore[attr-defined]
    reports = ngettext("{n} report", "{n} reports", number).format(n=number)
    facts = {
        "name": incident.about.username,
        "category": incident.get_category_display(),
        "reports": reports,
    }
    if incident.looked_at_by is not None:
        sentence = _("{name}: {category} ({reports}), {moderator} is looking at it")
        return sentence.format(**facts, moderator=incident.looked_at_by.username)
    return _("{name}: {category} ({reports})").format(**facts)


def load_reports(incident: Incident) -> list[tuple[Report, ReporterRecord]]:
    """The latest reports of *incident* with their messages and names, and the records of their reporters; at
    most four queries."""
    queryset = incident.reports.select_related("reporter", "message").prefetch_related("reported_names")
    reports = show_rows(queryset.order_by("-pk")[:REPORTS])
    records = load_records({report.reporter_id for report in reports})
    return [(report, records.get(report.reporter_id, ReporterRecord(0, 0))) for report in reports]


def find_previous(incident: Incident, viewer: Player) -> list[Incident]:
    """The other incidents about the same person that don't concern *viewer*, the latest first, each with
    ``reported`` and ``category``; one query."""
    others = find_incidents_of_others(viewer).filter(about=incident.about_id).exclude(pk=incident.pk)
    return list(annotate_reports(others).select_related("game").order_by("-opened")[:PREVIOUS])


def load_records(reporters: Collection[int]) -> Mapping[int, ReporterRecord]:
    """Count the decided and upheld reports of each of *reporters*, by key; one query."""
    decided = annotate_verdict(Report.objects.filter(reporter__in=reporters, incident__closed__isnull=False))
    upheld = Count("pk", filter=Q(verdict_of_it=Verdict.UPHELD))
    rows = decided.order_by().values("reporter").annotate(n=Count("pk"), upheld=upheld)
    return {
        reporter: ReporterRecord(n, kept) for reporter, n, kept in rows.values_list("reporter", "n", "upheld")
    }
