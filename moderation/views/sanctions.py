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
from accounts.references import show_rows
from accounts.requests import PlayerRequest
from core.numerals import parse_key
from games.conduct import own_stops
from games.exceptions import Refused
from games.models import OwnStop, Sanction, SanctionKind
from games.words.sanctions import TEMPLATES
from moderation.acts import sanctions, warning_templates
from moderation.forms.sanctions import IMPOSE, AnswerForm, ReasonForm
from moderation.models import AppealOutcome, Incident
from moderation.selectors.own_stops import format_stop
from moderation.selectors.sanctions import SanctionEffects, find_powers
from moderation.views.desk import LEFT, render_left_to_others, require_moderator


@require_moderator
@require_http_methods(["GET", "HEAD", "POST"])
def impose(request: PlayerRequest, username: str, kind: str) -> HttpResponse:
    """Show the form of a warning, mute or suspension, preview it, and impose it when confirmed."""
    player, now = get_object_or_404(Player, username=username), timezone.now()
    if not sanctions.may_reach(request.user, player):
        raise PermissionDenied
    incident = _incident(request, player, now)
    recused = sanctions.find_recusal(request.user, player, incident)
    short = recused is not None and not recused.may_act
    if recused is not None and short and IMPOSE[kind].kind == SanctionKind.WARNING:
        context = {"refused": recused.sentence, "heading": IMPOSE[kind].title, "player": player}
        context["reported"] = incident is not None and incident.closed is None
        return render(request, LEFT, context, status=HTTPStatus.FORBIDDEN)
    known = sanctions.find_standing(player, IMPOSE[kind].kind, now)
    initial = {
        "version": sanctions.load_version(player),
        "about": "" if incident is None else f"incident {incident.pk}",
        "incident": None if incident is None else incident.pk,
    }
    sent = request.POST if request.method == "POST" else None
    form = IMPOSE[kind](sent, initial=initial, stands=known is not None, short=short)
    shown: Sanction | None = None
    if form.is_bound and form.is_valid() and "change" not in request.POST:
        asked = form.build_request(player, request.user, now)
        try:
            if "confirmed" in request.POST:
                form.impose(asked)
                messages.success(request, _("Done and logged, and we've told the player."))
                return redirect("moderation:desk_person", username)
            sanctions.preview(partial(form.impose, asked))
            shown = Sanction(
                kind=form.kind,
                template=asked.template,
                texts=warning_templates.load_texts(asked.template),
                words=asked.words,
                ends=form.ends(now),
            )
        except Refused as refused:
            form.add_error(None, refused.message)
            form.show_anew(sanctions.load_version(player))
    context = {
        "player": player,
        "form": form,
        "recused": recused,
        "stands": "" if known is None else sanctions.build_refusal(known).message,
        "shown": shown,
        "effects": SanctionEffects(player, now),
    }
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
    sanction, form = _case(request, pk), ReasonForm(request.POST)
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
            form.show_anew(sanctions.load_version(sanction.player))
        else:
            messages.success(request, _("Lifted and logged, and we've told the player."))
            return redirect("moderation:desk_sanction", pk)
    return _show(request, sanction, lift=form)


@require_moderator
@require_POST
def answer(request: PlayerRequest, pk: int) -> HttpResponse:
    """Answer the appeal against a sanction."""
    sanction, form, now = _case(request, pk), AnswerForm(request.POST), timezone.now()
    appeal = getattr(sanction, "appeal", None)
    if appeal is None:
        raise Http404
    if form.is_valid():
        try:
            sanctions.answer(
                appeal_id=appeal.pk,
                who=request.user,
                outcome=AppealOutcome(form.cleaned_data["outcome"]),
                words=form.cleaned_data["words"],
                ends=form.ends(now),
                now=now,
                expected_version=form.cleaned_data["version"],
            )
        except Refused as refused:
            form.add_error(None, refused.message)
            form.show_anew(sanctions.load_version(sanction.player))
        else:
            messages.success(request, _("You've answered the appeal."))
            return redirect("moderation:desk_sanction", pk)
    return _show(request, sanction, answer=form)


@require_moderator
@require_http_methods(["GET", "HEAD", "POST"])
def own_stop(request: PlayerRequest, pk: int) -> HttpResponse:
    """Show a stop that another moderator imposed in their own matters, and note that it was looked at."""
    stop = get_object_or_404(OwnStop.objects.select_related("player", "who", "sanction", "act__game"), pk=pk)
    if request.user.pk in (stop.player_id, stop.who_id):
        raise PermissionDenied
    recused = own_stops.find_reason_not_to_see(stop, request.user)
    if recused is not None and not recused.may_act:
        return render_left_to_others(request, recused)
    if request.method == "POST":
        own_stops.mark_seen(stop, request.user, timezone.now())
        return redirect("moderation:desk")
    show_rows([stop.sanction or stop.act])
    return render(request, "moderation/own_stop.html", {"stop": stop, "what": format_stop(stop)})


def _show(
    request: PlayerRequest,
    sanction: Sanction,
    *,
    lift: ReasonForm | None = None,
    answer: AnswerForm | None = None,
) -> HttpResponse:
    now, appeal = timezone.now(), getattr(sanction, "appeal", None)
    seen = {"version": sanctions.load_version(sanction.player)}
    text = TEMPLATES.get(sanction.template)
    show_rows([sanction] if appeal is None else [sanction, appeal])
    context = {
        "one": sanction,
        "appeal": appeal,
        "now": now,
        "text_title": text.title if text else sanction.template,
        "acts": show_rows(sanction.acts.select_related("who")),
        **find_powers(sanction, request.user, now)._asdict(),
        "lift": lift or ReasonForm(initial=seen),
        "answer": answer or AnswerForm(initial=seen),
    }
    return render(request, "moderation/sanction.html", context)


def _case(request: PlayerRequest, pk: int) -> Sanction:
    """The sanction, unless it is the moderator's own."""
    rows = Sanction.objects.select_related("player", "who", "lifted_by", "appeal__answered_by")
    sanction = get_object_or_404(rows, pk=pk)
    if sanction.player_id == request.user.pk:
        raise PermissionDenied
    return sanction
