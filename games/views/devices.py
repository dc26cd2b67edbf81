"""The page of the devices on which a player gets notifications, and what is done there."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from accounts.requests import PlayerRequest
from games.exceptions import Refused, TooMany
from games.forms.devices import BrowserKeysForm, DeviceForm
from games.notices import push_keys, push_subscriptions, web_push
from games.notices.email import AddressRefused, MailRefused, ServerAway
from games.notices.push_subscriptions import IN_SESSION
from games.views.decorators import render_too_many


@login_required
@require_safe
def devices(request: PlayerRequest) -> HttpResponse:
    """List the devices with notifications, and offer to add this browser."""
    require_push()
    here = request.session.session_key
    subscriptions = push_subscriptions.load_live_subscriptions(request.user, timezone.now())
    rows = sorted(subscriptions, key=lambda row: row.session_key != here)
    context = {
        "rows": rows,
        "session_key": here,
        "on_here": any(row.session_key == here for row in rows),
        "key": push_keys.get_public_key(),
        "form": BrowserKeysForm(),
    }
    return render(request, "games/devices.html", context)


@login_required
@require_POST
def switch_on_device(request: PlayerRequest) -> HttpResponse:
    """Switch notifications on in this browser."""
    require_push()
    limits.enforce_limit(request, "push")
    form = BrowserKeysForm(request.POST)
    if not form.is_valid() or request.session.session_key is None:
        messages.error(
            request, _("This browser gave us nothing that we can send to. Reload the page and try again.")
        )
        return redirect("games:devices")
    try:
        subscription = push_subscriptions.switch_on(
            player=request.user,
            keys=form.build_keys(),
            session_key=request.session.session_key,
            user_agent=request.headers.get("User-Agent", ""),
            now=timezone.now(),
        )
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:devices")
    request.session[IN_SESSION] = subscription.pk
    messages.success(request, _("Notifications are on. Send a test to see what they look like."))
    return redirect("games:devices")


@login_required
@require_POST
def switch_off_device(request: PlayerRequest) -> HttpResponse:
    """Switch notifications off on one of the player's devices."""
    pk = read_device(request)
    if not push_subscriptions.switch_off(player=request.user, pk=pk):
        raise Http404
    if request.session.get(IN_SESSION) == pk:
        del request.session[IN_SESSION]
    messages.success(request, _("Notifications are off there."))
    return redirect("games:devices")


@login_required
@require_POST
def try_device(request: PlayerRequest) -> HttpResponse:
    """Send a test notification."""
    require_push()
    pk = read_device(request)
    try:
        device = push_subscriptions.check_test(player=request.user, pk=pk, now=timezone.now())
    except TooMany as refused:
        return render_too_many(request, refused, "games:devices")
    if device is None:
        raise Http404
    try:
        web_push.send_test(request.user, device)
    except AddressRefused:
        messages.error(request, _("That browser has switched notifications off. We've removed it."))
    except (MailRefused, ServerAway):
        messages.error(request, _("The push service of that browser didn't take it. Try again later."))
    else:
        messages.success(request, _("Sent. It should be there in a moment."))
    return redirect("games:devices")


@login_required
@require_safe
def push_key(request: PlayerRequest) -> JsonResponse:
    """Return what ``templates/worker.js`` needs to renew a subscription."""
    require_push()
    if IN_SESSION not in request.session:
        raise Http404
    return JsonResponse({"key": push_keys.get_public_key(), "token": get_token(request)})


def require_push() -> None:
    """:raises Http404: this site sends no notifications"""
    if not push_keys.is_push_offered():
        raise Http404


def read_device(request: PlayerRequest) -> int:
    """Return the primary key of the device.

    :raises Http404: it is invalid
    """
    form = DeviceForm(request.POST)
    if not form.is_valid():
        raise Http404
    pk: int = form.cleaned_data["device"]
    return pk
