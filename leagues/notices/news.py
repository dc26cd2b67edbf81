"""A mail of a league, as its template and its subject need it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import Player
from games.notices.letters import Letter
from leagues.models import Division, League, Season
from leagues.pages.season import url_of
from leagues.words import agreed


class Told(NamedTuple):
    """Whom a notice tells what, and when."""

    reader: Player
    about: dict[str, Any]
    now: datetime


@dataclass(frozen=True, kw_only=True)
class News:
    """What is told, with the one link that matters."""

    league: League
    subject: str
    paragraphs: Sequence[str]
    facts: agreed.Facts | None = None
    button: str
    path: str
    why: str = ""

    def letter(self) -> Letter:
        """All mails of a league stand together in mail programs."""
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
        return Letter(f"{self.league.name}: {self.subject}", context, thread=f"league.{self.league.pk}")


def season_told(told: Told) -> Season:
    """The season that *told* is about."""
    return Season.objects.select_related("league").get(pk=told.about["season"])


def moment(at: datetime) -> str:
    """As the reader writes it, in their own zone."""
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")


def league_path(season: Season) -> str:
    """Where one registers, withdraws, and sees what comes next."""
    return reverse("league:league", args=[season.league.slug])


def division_path(division: Division) -> str:
    return url_of(division.season, division)
