"""The page of the player's webhooks."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import PlayerRequest
from games.conduct import limits
from games.exceptions import Refused, TooMany
from games.forms.webhooks import WebhookForm
from games.models import Webhook
from games.notices import own_webhooks
from games.notices.webhooks import PostOutcome

View = Callable[..., HttpResponse]


def needs_webhooks(view: View) -> View:
    """Answer 404 if the site has no webhooks."""

    @wraps(view)
    def respond(request: PlayerRequest, **kwargs: Any) -> HttpResponse:
        if not settings.WEBHOOKS:
            raise Http404
        return view(request, **kwargs)

    return respond


@login_required
@require_safe
@needs_webhooks
def webhooks(request: PlayerRequest) -> HttpResponse:
    """List the webhooks with their state, and a form to add one."""
    return _show(request, WebhookForm())


@sensitive_post_parameters("url")
@login_required
@require_POST
@needs_webhooks
def add_webhook(request: PlayerRequest) -> HttpResponse:
    """Add a webhook."""
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _show(request, form)
    try:
        own_webhooks.add_webhook(player=request.user, now=timezone.now(), **form.cleaned_data)
    except Refused as refused:
        form.add_error(None, refused.message)
        status = HTTPStatus.TOO_MANY_REQUESTS if isinstance(refused, TooMany) else HTTPStatus.OK
        return _show(request, form, status)
    messages.success(request, _("The webhook is saved. Send a test message to see whether it works."))
    return redirect("games:webhooks")


@login_required
@require_POST
@needs_webhooks
def test_webhook(request: PlayerRequest, pk: int) -> HttpResponse:
    """Post a test message to a webhook."""
    webhook = get_object_or_404(Webhook, pk=pk, player=request.user)
    try:
        outcome = own_webhooks.send_test(webhook, now=timezone.now())
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:webhooks")
    if outcome is PostOutcome.TAKEN:
        messages.success(request, _("The test message is sent."))
    else:
        webhook.refresh_from_db()
        messages.error(request, webhook.error)
    return redirect("games:webhooks")


@login_required
@require_POST
@needs_webhooks
def remove_webhook(request: PlayerRequest, pk: int) -> HttpResponse:
    """Remove a webhook."""
    own_webhooks.remove_webhook(get_object_or_404(Webhook, pk=pk, player=request.user))
    messages.success(request, _("The webhook is removed."))
    return redirect("games:webhooks")


def _show(request: PlayerRequest, form: WebhookForm, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    webhooks = list(Webhook.objects.filter(player=request.user).order_by("pk"))
    context = {"webhooks": webhooks, "most": limits.get_maximum("webhooks"), "form": form}
    return render(request, "games/own_webhooks.html", context, status=status)
