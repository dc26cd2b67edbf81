"""What a mail says when something that its reader has reported is decided."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Incident, Notice
from games.notices.letters import Letter
from games.words.reports import OUTCOMES


def decided(notice: Notice, now: datetime) -> Letter | None:
    """That an incident is decided, but not what was done to somebody; nothing if it is open again."""
    incident = Incident.objects.select_related("about", "game").get(pk=notice.about["incident"])
    if incident.closed is None:
        return None
    return Letter(
        _("What you have reported is decided"),
        {
            "reported": _reported(incident),
            "outcome": str(OUTCOMES[incident.verdict]),
            "board_url": settings.SITE_URL + reverse("games:moderation_years"),
        },
        thread=f"report.{incident.pk}",
    )


def _reported(incident: Incident) -> str:
    name = incident.about.username
    if incident.game is None:
        return _("You have reported {name}.").format(name=name)
    return _("You have reported {name} in {game}.").format(name=name, game=incident.game.name)
