"""What moderators did, year by year, as everybody may read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.models import Category
from games.selectors import yearly
from games.selectors.yearly import ReportCounts, Tally, Year
from games.words.reports import CATEGORIES
from games.words.times import compact


class ReportRow(NamedTuple):
    """A category of reports."""

    name: str
    counts: ReportCounts


class Table(NamedTuple):
    """Something that is counted by its kinds."""

    slug: str
    title: str
    rows: tuple[tuple[str, int], ...]


class YearPage(NamedTuple):
    """A year."""

    number: int
    reports: tuple[ReportRow, ...]
    median: str  # empty where nothing was decided
    tables: tuple[Table, ...]


def pages() -> tuple[YearPage, ...]:
    """The years, the last one first."""
    return tuple(_page(year) for year in yearly.years())


def _page(year: Year) -> YearPage:
    return YearPage(
        number=year.number,
        reports=tuple(
            ReportRow(str(CATEGORIES[category][0]), year.reports[category])
            for category in Category
            if category in year.reports
        ),
        median="" if year.median is None else compact(year.median),
        tables=tuple(
            _table(tally, year.counts[tally.slug]) for tally in yearly.tallies() if tally.slug in year.counts
        ),
    )


def _table(tally: Tally, counts: Mapping[str, int]) -> Table:
    rows = ((str(label), counts[kind]) for kind, label in tally.labels.items() if kind in counts)
    return Table(tally.slug, str(tally.title), tuple(rows))
