"""What organisers have told everybody."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator

from accounts.references import show_rows
from leagues.models import Announcement, League
from leagues.pages.who import Who, who
from leagues.selectors import leagues as found

A_PAGE = 20


class AnnouncementLine(NamedTuple):
    """Who announced what, and when."""

    who: Who
    at: datetime
    text: str


def line(announcement: Announcement) -> AnnouncementLine:
    return AnnouncementLine(who(announcement.who), announcement.at, announcement.text)


def latest(league: League) -> AnnouncementLine | None:
    """What was announced last in *league*."""
    last = found.announcements_of(league).first()
    return line(*show_rows([last])) if last is not None else None


def page_of(league: League, number: str | int | None) -> tuple[Page[Announcement], list[AnnouncementLine]]:
    """The part of the archive of *league* with this *number*, the latest first."""
    page = Paginator(found.announcements_of(league), A_PAGE).get_page(number)
    return page, [line(one) for one in show_rows(page)]
