"""Public yearly statistics of moderation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.words.times import format_compact
from moderation.models import Category
from moderation.selectors import yearly_counts
from moderation.selectors.yearly_counts import ReportCounts, Year, YearlyTally
from moderation.words.reports import CATEGORIES


class ReportRow(NamedTuple):
    """Counts of a category of reports."""

    name: str
    counts: ReportCounts


class YearTable(NamedTuple):
    """Counts by kind."""

    slug: str
    title: str
    rows: tuple[tuple[str, int], ...]


class YearPage(NamedTuple):
    """Statistics of a year."""

    number: int
    reports: tuple[ReportRow, ...]
    median: str  # empty without decisions
    tables: tuple[YearTable, ...]


def build_pages() -> tuple[YearPage, ...]:
    """Build the statistics of all years, the last one first."""
    return tuple(_page(year) for year in yearly_counts.load_years())


def _page(year: Year) -> YearPage:
    return YearPage(
        number=year.number,
        reports=tuple(
            ReportRow(str(CATEGORIES[category][0]), year.reports[category])
            for category in Category
            if category in year.reports
        ),
        median="" if year.median is None else format_compact(year.median),
        tables=tuple(
            _table(tally, year.counts[tally.slug])
            for tally in yearly_counts.TALLIES
            if tally.slug in year.counts
        ),
    )


def _table(tally: YearlyTally, counts: Mapping[str, int]) -> YearTable:
    rows = ((str(label), counts[kind]) for kind, label in tally.labels.items() if kind in counts)
    return YearTable(tally.slug, str(tally.title), tuple(rows))
