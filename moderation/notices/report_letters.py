"""Mails that something that their reader has reported is decided."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Notice
from games.notices.letters import NoticeLetter
from moderation.models import Incident, Verdict
from moderation.words.reports import OUTCOMES


def compose_decision_letter(notice: Notice) -> NoticeLetter | None:
    """Tell that an incident is decided, but not what was done to somebody; nothing if it is open again."""
    incident = Incident.objects.select_related("about", "game").get(pk=notice.about["incident"])
    if incident.closed is None:
        return None
    return NoticeLetter(
        _("Your report has been decided"),
        {
            "reported": _describe_report(incident),
            "outcome": str(OUTCOMES[_verdict_for(incident, notice)]),
            "board_url": settings.SITE_URL + reverse("moderation:moderation_years"),
        },
        thread=f"report.{incident.pk}",
    )


def _verdict_for(incident: Incident, notice: Notice) -> str:
    """What came of what this reader has reported: upheld if any of it was; the incident's, where no report
    has a verdict of its own."""
    own = set(incident.reports.filter(reporter=notice.recipient).values_list("verdict", flat=True)) - {""}
    if not own:
        return incident.verdict
    return next(verdict for verdict in Verdict.values if verdict in own)


def _describe_report(incident: Incident) -> str:
    name = incident.about.username
    if incident.game is None:
        return _("You reported {name}.").format(name=name)
    return _("You reported {name} in {game}.").format(name=name, game=incident.game.name)
