"""Announcements of organisers to everybody."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator

from accounts.references import show_rows
from leagues.models import Announcement, League
from leagues.pages.names import NameLink, link_player
from leagues.selectors import leagues as found

A_PAGE = 20


class AnnouncementLine(NamedTuple):
    """Announcement with its author, time and text."""

    who: NameLink
    at: datetime
    text: str


def line(announcement: Announcement) -> AnnouncementLine:
    return AnnouncementLine(link_player(announcement.who), announcement.at, announcement.text)


def find_latest(league: League) -> AnnouncementLine | None:
    """Return the latest announcement of *league*."""
    last = found.load_announcements(league).first()
    return line(*show_rows([last])) if last is not None else None


def build_page(league: League, number: str | int | None) -> tuple[Page[Announcement], list[AnnouncementLine]]:
    """Build page *number* of the announcements of *league*, the latest first."""
    page = Paginator(found.load_announcements(league), A_PAGE).get_page(number)
    return page, [line(one) for one in show_rows(page)]
