"""Views of sanctions: imposing with previews, lifting, and appeals."""

from datetime import datetime
from functools import partial
from http import HTTPStatus

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Player
from accounts.requests import PlayerRequest
from core.numerals import parse_key
from games.exceptions import Refused
from moderation.acts import sanctions
from moderation.forms.sanctions import IMPOSE, AnswerForm, ReasonForm
from moderation.models import AppealOutcome, Incident
from moderation.pages.sanctions import Foreseen, SanctionCase, build_case, build_imposing, preview_sanction
from moderation.views.desk import LEFT, require_moderator


@require_moderator
@require_http_methods(["GET", "HEAD", "POST"])
def impose(request: PlayerRequest, username: str, kind: str) -> HttpResponse:
    """Show the form of a warning, mute or suspension, preview it, and impose it when confirmed."""
    player, now = get_object_or_404(Player, username=username), timezone.now()
    if not sanctions.may_reach(request.user, player):
        raise PermissionDenied
    page = build_imposing(player, request.user, IMPOSE[kind].kind, _incident(request, player, now), now)
    if page.refused:
        context = {"refused": page.refused, "heading": IMPOSE[kind].title, "player": player}
        context["reported"] = page.reported
        return render(request, LEFT, context, status=HTTPStatus.FORBIDDEN)
    sent = request.POST if request.method == "POST" else None
    form = IMPOSE[kind](sent, initial=page.initial, stands=bool(page.stands), short=bool(page.short))
    shown: Foreseen | None = None
    if form.is_bound and form.is_valid() and "change" not in request.POST:
        asked = form.build_request(player, request.user, now)
        try:
            if "confirmed" in request.POST:
                form.impose(asked)
                messages.success(request, _("Done and logged, and we've told the player."))
                return redirect("moderation:desk_person", username)
            sanctions.preview(partial(form.impose, asked))
            shown = preview_sanction(player, form.kind, asked.template, asked.words, form.ends(now), now)
        except Refused as refused:
            form.add_error(None, refused.message)
            form.show_anew(sanctions.load_version(player))
    context = {"player": player, "form": form, "shown": shown, "page": page}
    return render(request, "moderation/impose.html", context)


def _incident(request: PlayerRequest, player: Player, now: datetime) -> Incident | None:
    """The incident of the URL or the form that leads to a sanction of *player*."""
    number = (request.POST if request.method == "POST" else request.GET).get("incident", "")
    if not number:
        return None
    try:
        return sanctions.find_incident(player, parse_key(number), now)
    except Refused as refused:
        raise Http404 from refused


@require_moderator
@require_safe
def sanction(request: PlayerRequest, pk: int) -> HttpResponse:
    """Show a sanction, with its acts."""
    return _show(request, _case(request, pk))


@require_moderator
@require_POST
def lift(request: PlayerRequest, pk: int) -> HttpResponse:
    """Lift a sanction."""
    found, form = _case(request, pk), ReasonForm(request.POST)
    if form.is_valid():
        try:
            why = form.cleaned_data["reason"]
            sanctions.lift(
                sanction_id=pk,
                who=request.user,
                why=why,
                now=timezone.now(),
                expected_version=form.cleaned_data["version"],
            )
        except Refused as refused:
            form.add_error(None, refused.message)
            form.show_anew(sanctions.load_version(found.sanction.player))
        else:
            messages.success(request, _("Lifted and logged, and we've told the player."))
            return redirect("moderation:desk_sanction", pk)
    return _show(request, found, lift=form)


@require_moderator
@require_POST
def answer(request: PlayerRequest, pk: int) -> HttpResponse:
    """Answer the appeal against a sanction."""
    found, form, now = _case(request, pk), AnswerForm(request.POST), timezone.now()
    if found.appeal is None:
        raise Http404
    if form.is_valid():
        try:
            sanctions.answer(
                appeal_id=found.appeal.pk,
                who=request.user,
                outcome=AppealOutcome(form.cleaned_data["outcome"]),
                words=form.cleaned_data["words"],
                ends=form.ends(now),
                now=now,
                expected_version=form.cleaned_data["version"],
            )
        except Refused as refused:
            form.add_error(None, refused.message)
            form.show_anew(sanctions.load_version(found.sanction.player))
        else:
            messages.success(request, _("You've answered the appeal."))
            return redirect("moderation:desk_sanction", pk)
    return _show(request, found, answer=form)


def _show(
    request: PlayerRequest,
    found: SanctionCase,
    *,
    lift: ReasonForm | None = None,
    answer: AnswerForm | None = None,
) -> HttpResponse:
    seen = {"version": sanctions.load_version(found.sanction.player)}
    context = {
        "case": found,
        "lift": lift or ReasonForm(initial=seen),
        "answer": answer or AnswerForm(initial=seen),
    }
    return render(request, "moderation/sanction.html", context)


def _case(request: PlayerRequest, pk: int) -> SanctionCase:
    """The sanction, unless it is the moderator's own."""
    found = build_case(pk, request.user, timezone.now())
    if found is None:
        raise Http404
    if found.sanction.player_id == request.user.pk:
        raise PermissionDenied
    return found
