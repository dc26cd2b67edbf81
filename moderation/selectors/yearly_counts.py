"""Public counts of moderators' acts, by year in UTC.

They are computed at most once an hour and cached for all readers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.core.cache import cache
from django.db.models import Count, DurationField, ExpressionWrapper, F, QuerySet
from django.db.models.functions import ExtractYear
from django.utils.translation import gettext_lazy as _

from games.models import ActKind, ModerationAct, Sanction, SanctionKind
from moderation.models import Appeal, AppealOutcome, Incident, Report, Verdict
from moderation.selectors.incidents import annotate_verdict

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

KEY, SECONDS = "moderation-years", 3600
"""Cache key of the counts, and seconds for which they are cached."""

OPEN = "open"
"""Kind of appeals that are not answered yet."""

YEARS = 10
"""Maximum number of years shown, the latest ones."""


class YearlyTally(NamedTuple):
    """A tally; ``find`` returns year, kind and number, by one query."""

    slug: str
    title: StrOrPromise
    labels: Mapping[str, StrOrPromise]  # by kind, in the order shown
    find: Callable[[], Iterable[tuple[int, str, int]]]


class ReportCounts(NamedTuple):
    """Numbers of reports of a category, in total and by verdict."""

    reports: int = 0
    upheld: int = 0
    not_upheld: int = 0
    nothing: int = 0


class Year(NamedTuple):
    """The counts of a year."""

    number: int
    reports: Mapping[str, ReportCounts]  # by category
    median: timedelta | None  # from first report to decision, for decisions of that year
    counts: Mapping[str, Mapping[str, int]]  # by the slug of a tally, then by kind


def year_of(instant: str) -> ExtractYear:
    """The year of *instant*, in UTC."""
    return ExtractYear(instant, tzinfo=UTC)


def _acts() -> Iterable[tuple[int, str, int]]:
    by_year = ModerationAct.objects.order_by().annotate(year=year_of("at")).values("year", "kind")
    return by_year.annotate(n=Count("pk")).values_list("year", "kind", "n")


ACTS = YearlyTally("acts", _("Moderator actions in games"), dict(ActKind.choices), _acts)


def _sanctions() -> Iterable[tuple[int, str, int]]:
    return _count_by_year(Sanction.objects.annotate(year=year_of("begun")), "kind")


def _appeals() -> Iterable[tuple[int, str, int]]:
    found = _count_by_year(Appeal.objects.annotate(year=year_of("at")), "outcome")
    return [(year, outcome or OPEN, number) for year, outcome, number in found]


def _count_by_year(rows: QuerySet[Sanction] | QuerySet[Appeal], by: str) -> Iterable[tuple[int, str, int]]:
    return rows.order_by().values("year", by).annotate(n=Count("pk")).values_list("year", by, "n")


SANCTIONS = YearlyTally(
    "sanctions", _("Moderator actions on players"), dict(SanctionKind.choices), _sanctions
)
APPEALS = YearlyTally(
    "appeals",
    _("Appeal outcomes"),
    {**dict(AppealOutcome.choices), OPEN: _("not yet answered")},
    _appeals,
)
"""Outcomes of appeals, by the year in which they were made."""

TALLIES = (ACTS, SANCTIONS, APPEALS)


def load_years() -> list[Year]:
    """Return the latest years with any counts, the last one first; no query if they are cached."""
    found: list[Year] | None = cache.get(KEY)
    if found is None:
        found = _years()
        cache.set(KEY, found, SECONDS)
    return found


def _years() -> list[Year]:
    reports = _reports()
    counts: dict[int, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for tally in TALLIES:
        for year, kind, number in tally.find():
            counts[year][tally.slug][kind] = number
    medians = _medians()
    known = sorted({*reports, *counts, *medians}, reverse=True)[:YEARS]
    return [
        Year(
            year,
            reports.get(year, {}),
            medians.get(year),
            {slug: dict(kinds) for slug, kinds in counts.get(year, {}).items()},
        )
        for year in known
    ]


def _reports() -> dict[int, dict[str, ReportCounts]]:
    """Counts by year and category; one query."""
    rows = (
        annotate_verdict(Report.objects.order_by())
        .annotate(year=year_of("at"))
        .values("year", "category", "verdict_of_it")
        .annotate(n=Count("pk"))
        .values_list("year", "category", "verdict_of_it", "n")
    )
    found: dict[int, dict[str, ReportCounts]] = defaultdict(dict)
    for year, category, verdict, number in rows:
        known = found[year].get(category, ReportCounts())
        known = known._replace(reports=known.reports + number)
        if verdict in Verdict.values:
            known = known._replace(**{verdict: number})
        found[year][category] = known
    return dict(found)


def _medians() -> dict[int, timedelta]:
    """The median time to a decision, by the year of the decision; one query for each year, and one more."""
    took = ExpressionWrapper(F("closed") - F("opened"), output_field=DurationField())
    decided = Incident.objects.filter(closed__isnull=False).order_by().annotate(year=year_of("closed"))
    numbers = dict(decided.values("year").annotate(n=Count("pk")).values_list("year", "n"))
    found = {}
    for year in sorted(numbers, reverse=True)[:YEARS]:
        lasted = decided.filter(year=year).annotate(took=took).order_by("took")
        middle = (numbers[year] - 1) // 2
        found[year] = lasted.values_list("took", flat=True)[middle]
    return found
