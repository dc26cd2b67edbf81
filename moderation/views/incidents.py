"""Views of incidents at the moderators' desk."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.interests import Recusal
from accounts.references import show_rows
from accounts.requests import PlayerRequest
from core.numerals import parse_key
from games.exceptions import Refused
from moderation.access import find_incidents
from moderation.acts import reports
from moderation.acts.messages import delete_reported
from moderation.forms.reports import CloseIncidentForm, IncidentForm, ReopenIncidentForm
from moderation.interests import find_recusal_from_incident
from moderation.models import Incident, Verdict
from moderation.selectors.evidence import load_evidence, load_names, load_reported_scene, tell_turns
from moderation.selectors.incidents import annotate_reports, find_previous, load_reports
from moderation.views.desk import render_left_to_others, require_moderator

LARGEST = 2**63 - 1
"""Maximum primary key that databases accept."""

ACTS_SHOWN = 20
"""Maximum number of moderators' acts on the page, the latest ones."""


@require_moderator
@require_safe
def incident(request: PlayerRequest, pk: int) -> HttpResponse:
    """Show an incident."""
    shown, recused = _get_incident(request, pk)
    if recused is not None and not recused.may_act:
        return render_left_to_others(request, recused)
    return _page(request, shown, recused)


@require_moderator
@require_POST
def act(request: PlayerRequest, pk: int, act: str) -> HttpResponse:
    """Perform one of ``ACTS`` on an incident."""
    if act not in ACTS:
        raise Http404
    incident, recused = _get_incident(request, pk)
    if recused is not None and not recused.may_act:
        return render_left_to_others(request, recused)
    form = _form(incident, act, request.POST)
    if not form.is_valid():
        return _page(request, incident, recused, form)
    try:
        said = ACTS[act](request, incident, form)
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, said)
    return redirect("moderation:desk_incident", pk)


def _form(incident: Incident, act: str, sent: QueryDict | None, **more: Any) -> IncidentForm:
    if act == "close":
        return CloseIncidentForm(sent, incident=incident, **more)
    return ReopenIncidentForm(sent, **more) if act == "reopen" else IncidentForm(sent, **more)


def _take(request: PlayerRequest, incident: Incident, form: IncidentForm) -> str:
    reports.take(
        incident_id=incident.pk,
        who=request.user,
        now=timezone.now(),
        expected_version=form.cleaned_data["version"],
    )
    return _("Other moderators can see that you're looking at it.")


def _close(request: PlayerRequest, incident: Incident, form: IncidentForm) -> str:
    reports.close(
        incident_id=incident.pk,
        who=request.user,
        verdict=Verdict(form.cleaned_data["verdict"]),
        upheld=form.chosen if isinstance(form, CloseIncidentForm) else (),
        expected_version=form.cleaned_data["version"],
        remark=form.cleaned_data["remark"],
        now=timezone.now(),
    )
    return _("Decided. We've emailed the people who reported it.")


def _reopen(request: PlayerRequest, incident: Incident, form: IncidentForm) -> str:
    remark = form.cleaned_data["remark"]
    reports.reopen(
        incident_id=incident.pk,
        who=request.user,
        remark=remark,
        now=timezone.now(),
        expected_version=form.cleaned_data["version"],
    )
    return _("It's open again.")


def _delete(request: PlayerRequest, incident: Incident, form: IncidentForm) -> str:
    key = parse_key(request.POST.get("message"))
    if not incident.reports.filter(message=key).exists():
        raise Http404
    delete_reported(
        message_id=key,
        incident_id=incident.pk,
        who=request.user,
        now=timezone.now(),
        expected_version=form.cleaned_data["version"],
    )
    return _("The message is deleted. What it said stays in the evidence.")


ACTS: dict[str, Callable[[PlayerRequest, Incident, IncidentForm], str]] = {
    "take": _take,
    "close": _close,
    "reopen": _reopen,
    "delete": _delete,
}
"""Functions by act in the URL; each returns the message for the moderator."""


def _get_incident(request: PlayerRequest, pk: int) -> tuple[Incident, Recusal | None]:
    """The incident, and the moderator's recusal; 404 for the person it is about."""
    rows = annotate_reports(find_incidents(request.user))
    people = rows.select_related("about", "game__deal", "looked_at_by", "closed_by")
    incident = get_object_or_404(people, pk=min(pk, LARGEST))
    return incident, find_recusal_from_incident(request.user, incident)


def _page(
    request: PlayerRequest, incident: Incident, recused: Recusal | None, form: IncidentForm | None = None
) -> HttpResponse:
    version = reports.load_version(incident)
    form = form or _form(
        incident, "reopen" if incident.closed else "close", None, initial={"version": version}
    )
    evidence = load_evidence(incident)
    scene = load_reported_scene(incident, request.user, evidence)
    context = {
        "incident": incident,
        "form": form,
        "version": version,
        "warning": "" if recused is None else recused.warning,
        "reports": load_reports(incident),
        "scene": scene,
        "packs": [(item, [*tell_turns(item, scene)] if scene else []) for item in evidence],
        "names": load_names(evidence),
        "previous": find_previous(incident, request.user),
        "acts": show_rows(incident.acts.select_related("who").order_by("-pk")[:ACTS_SHOWN]),
    }
    return render(request, "moderation/incident.html", context)
