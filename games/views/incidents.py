"""Incidents at the desk of moderators: what was reported, and what is decided."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import PlayerRequest
from games import access
from games.conduct import reports
from games.conduct.messages import delete_reported
from games.exceptions import Refused
from games.forms.reports import CloseForm, ReopenForm
from games.models import Incident, Verdict
from games.pages.moderation.incident import page_of
from games.selectors.incidents import with_reports
from games.views.desk import staff

LARGEST = 2**63 - 1
"""Number that databases take for a key."""


@staff
@require_safe
def incident(request: PlayerRequest, pk: int) -> HttpResponse:
    """All that is known of an incident."""
    return _page(request, _decided(request, pk))


@staff
@require_POST
def act(request: PlayerRequest, pk: int, act: str) -> HttpResponse:
    """Something that a moderator does about an incident."""
    if act not in ACTS:
        raise Http404
    incident = _decided(request, pk)
    form_class = FORMS.get(act)
    form = None if form_class is None else form_class(request.POST)
    if form is not None and not form.is_valid():
        return _page(request, incident, form)
    try:
        said = ACTS[act](request, incident, form)
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, said)
    return redirect("games:desk_incident", pk)


FORMS: dict[str, type[Form]] = {"close": CloseForm, "reopen": ReopenForm}
"""What an act asks for, if anything."""


def _take(request: PlayerRequest, incident: Incident, form: Form | None) -> str:
    reports.take(incident_id=incident.pk, who=request.user, now=timezone.now())
    return _("Other moderators see that you look at it.")


def _close(request: PlayerRequest, incident: Incident, form: Form | None) -> str:
    assert form is not None
    reports.close(
        incident_id=incident.pk,
        who=request.user,
        verdict=Verdict(form.cleaned_data["verdict"]),
        remark=form.cleaned_data["remark"],
        now=timezone.now(),
    )
    return _("It is decided. Those who have reported it are told so by mail.")


def _reopen(request: PlayerRequest, incident: Incident, form: Form | None) -> str:
    assert form is not None
    remark = form.cleaned_data["remark"]
    reports.reopen(incident_id=incident.pk, who=request.user, remark=remark, now=timezone.now())
    return _("It is open again.")


def _delete(request: PlayerRequest, incident: Incident, form: Form | None) -> str:
    key = request.POST.get("message", "")
    if not key.isdecimal() or int(key) > LARGEST or not incident.reports.filter(message=int(key)).exists():
        raise Http404
    delete_reported(message_id=int(key), incident_id=incident.pk, who=request.user, now=timezone.now())
    return _("The message is deleted. What it said stays in the evidence.")


ACTS: dict[str, Callable[[PlayerRequest, Incident, Form | None], str]] = {
    "take": _take,
    "close": _close,
    "reopen": _reopen,
    "delete": _delete,
}
"""By what stands in the address; each answers what the moderator then reads."""


def _decided(request: PlayerRequest, pk: int) -> Incident:
    """The incident, for who may decide it; to moderators whom it concerns it is not there at all."""
    if not access.moderates(request.user):
        raise PermissionDenied
    found = with_reports(access.decided_by(request.user))
    people = found.select_related("about", "game__deal", "looked_at_by", "closed_by")
    return get_object_or_404(people, pk=min(pk, LARGEST))


def _page(request: PlayerRequest, incident: Incident, form: Form | None = None) -> HttpResponse:
    form = form or (ReopenForm() if incident.closed else CloseForm())
    context = {"page": page_of(incident, request.user), "incident": incident, "form": form}
    return render(request, "games/moderation/incident.html", context)
