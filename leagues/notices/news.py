"""Common parts of mails of leagues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from games.notices.letters import NoticeLetter
from leagues.models import Division, League, Season
from leagues.pages.season import build_url
from leagues.words import settings_text


class NoticeContext(NamedTuple):
    """Context of a notice: recipient, subject and time."""

    reader: Player
    about: dict[str, Any]
    now: datetime


@dataclass(frozen=True, kw_only=True)
class LeagueMail:
    """Content of a mail of a league, with one main link."""

    league: League
    subject: str
    paragraphs: Sequence[str]
    facts: settings_text.Facts | None = None
    button: str
    path: str
    why: str = ""

    def letter(self) -> NoticeLetter:
        """Build the letter. All mails of a league share one thread in mail programs."""
        part = _("You're getting this mail because you're playing in {league}.").format(
            league=self.league.name
        )
        context = {
            "paragraphs": self.paragraphs,
            "facts": self.facts or [],
            "button": self.button,
            "board_url": settings.SITE_URL + self.path,
            "why": self.why or part,
        }
        return NoticeLetter(f"{self.league.name}: {self.subject}", context, thread=f"league.{self.league.pk}")


def load_season(told: NoticeContext) -> Season:
    """Load the season of the notice."""
    return Season.objects.select_related("league").get(pk=told.about["season"])


def build_league_path(season: Season) -> str:
    """Return the path of the page to register, withdraw and see what comes next."""
    return reverse("league:league", args=[season.league.slug])


def build_division_path(division: Division) -> str:
    return build_url(division.season, division)
