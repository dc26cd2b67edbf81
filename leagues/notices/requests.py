"""Mails about requests to organisers."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.references import show_text
from leagues.models import OrganiserRequest
from leagues.notices.news import LeagueMail, NoticeContext


def compose_request(told: NoticeContext) -> LeagueMail | None:
    """Tell an organiser of a request; None once it is answered, or if they don't organise the league any
    more."""
    request = _load(told)
    if request is None or request.answered is not None:
        return None
    league = request.league
    if not league.organisers.filter(pk=told.reader.pk).exists():
        return None
    return LeagueMail(
        league=league,
        subject=_("{player} asks the organisers").format(player=request.player),
        paragraphs=[show_text(request.text)],
        facts=[(_("About"), str(request.get_kind_display()))],
        button=_("Answer"),
        path=reverse("league:answer", args=[league.slug, request.pk]),
        why=_("You're getting this mail because you organise {league}.").format(league=league.name),
    )


def compose_answer(told: NoticeContext) -> LeagueMail | None:
    """Tell a player the answer to their request."""
    request = _load(told)
    if request is None:
        return None
    return LeagueMail(
        league=request.league,
        subject=_("the organisers have answered you"),
        paragraphs=[
            _("{player} has answered your question:").format(player=request.answered_by),
            show_text(request.answer),
        ],
        facts=[(_("Your question"), show_text(request.text))],
        button=_("See your questions"),
        path=reverse("league:ask", args=[request.league.slug]),
        why=_("You're getting this mail because you've asked the organisers of {league}.").format(
            league=request.league.name
        ),
    )


def _load(told: NoticeContext) -> OrganiserRequest | None:
    """The request of the notice; None once it is deleted."""
    rows = OrganiserRequest.objects.select_related("league", "player", "answered_by")
    return rows.filter(pk=told.about["request"]).first()
