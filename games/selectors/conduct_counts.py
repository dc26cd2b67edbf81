"""How often moderators did something about people, and what came of appeals, for everybody to read."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, QuerySet
from django.utils.translation import gettext_lazy as _

from games.models import Appeal, AppealOutcome, Sanction, SanctionKind
from games.selectors.yearly import Tally, year_of

OPEN = "open"


def _sanctions() -> Iterable[tuple[int, str, int]]:
    return _counted(Sanction.objects.annotate(year=year_of("begun")), "kind")


def _appeals() -> Iterable[tuple[int, str, int]]:
    found = _counted(Appeal.objects.annotate(year=year_of("at")), "outcome")
    return [(year, outcome or OPEN, number) for year, outcome, number in found]


def _counted(rows: QuerySet[Sanction] | QuerySet[Appeal], by: str) -> Iterable[tuple[int, str, int]]:
    return rows.order_by().values("year", by).annotate(n=Count("pk")).values_list("year", by, "n")


SANCTIONS = Tally("sanctions", _("What moderators did about people"), dict(SanctionKind.choices), _sanctions)
APPEALS = Tally(
    "appeals",
    _("What came of appeals"),
    {**dict(AppealOutcome.choices), OPEN: _("not yet answered")},
    _appeals,
)
"""By the year in which they were made."""
