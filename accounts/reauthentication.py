"""Reauthentication before actions that must not happen in a browser that somebody else has got hold of.

allauth asks for the password or the second factor; players who have neither are mailed a code.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.internal.flows.reauthentication import suspend_request
from allauth.account.views import BaseReauthenticateView
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _

from accounts import second_factor
from accounts.forms import ReauthenticationCodeForm
from accounts.models import Player

STATE = "reauthentication_code"
GOOD_FOR = 15 * 60  # seconds, as for sign-in codes
SKEW = 60  # seconds by which clocks of two machines may differ

View = Callable[..., HttpResponseBase]


def has_signed_in_recently(request: HttpRequest, *, within: float | None = None) -> bool:
    """Return whether the user has authenticated in the last *within* seconds. Always true for a guest without
    an address, who has nothing but the session."""
    if isinstance(request.user, Player) and request.user.provisional and not request.user.email:
        return True
    records = get_authentication_records(request, request.user)
    allowed = settings.ACCOUNT_REAUTHENTICATION_TIMEOUT if within is None else within
    return bool(records) and _is_recent(records[-1]["at"], allowed)


def by_second_factor(request: HttpRequest, *, within: float) -> bool:
    """Return whether the user has used a second factor or a passkey in the last *within* seconds."""
    records = get_authentication_records(request, request.user)
    return any(record["method"] == "mfa" and _is_recent(record["at"], within) for record in records)


def _is_recent(at: float, within: float) -> bool:
    """Return whether *at* lies in the last *within* seconds; ``False`` if the clock was set back since."""
    return -SKEW < time.time() - at < within


def ask_for_second_factor(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the page that asks for a second factor, and from there back to *request*."""
    ways = get_adapter().get_reauthentication_methods(request.user)
    (way, *_others) = [way for way in ways if way["id"].startswith("mfa_reauthenticate")]
    response: HttpResponseBase = suspend_request(request, way["url"])
    return response


def redirect_staff(request: HttpRequest) -> HttpResponseBase | None:
    """Redirect staff who must set up a second factor, or use it, before anything of theirs opens."""
    if not settings.STAFF_SECOND_FACTOR:
        return None
    if not second_factor.has_one(request.user):  # type: ignore[arg-type]
        messages.warning(request, _("The admin needs a second factor. Please set one up first."))
        return redirect("mfa_index")
    if by_second_factor(request, within=settings.STAFF_SIGNED_IN_SECONDS):
        return None
    return ask_for_second_factor(request)


def sign_in_anew(view: View, *, within: float | None = None) -> View:
    """Wrap *view* to require authentication within that many seconds; others reauthenticate first."""

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not has_signed_in_recently(request, within=within):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return login_required(respond)


@method_decorator(login_required, name="dispatch")
class ReauthenticateByCode(BaseReauthenticateView):
    """Page for players with neither password nor second factor: it mails a code and asks for it."""

    form_class = ReauthenticationCodeForm
    template_name = "account/reauthenticate_by_code.html"

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "code": self._code()}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "mailed": bool(self._code())}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "send" not in request.POST:
            response: HttpResponse = super().post(request, *args, **kwargs)
            return response
        adapter = get_adapter()
        code = adapter.generate_login_code()
        request.session[STATE] = {"code": code, "at": time.time()}
        adapter.send_mail("account/email/reauthentication_code", request.user.email, {"code": code})  # type: ignore[union-attr]
        messages.info(request, _("We've emailed you a code."))
        return self.get(request, *args, **kwargs)

    def form_valid(self, form: ReauthenticationCodeForm) -> HttpResponse:
        del self.request.session[STATE]
        record_authentication(self.request, self.request.user, method="code", reauthenticated=True)
        response: HttpResponse = super().form_valid(form)
        return response

    def _code(self) -> str:
        """The hash of the mailed code while it is valid, or an empty string."""
        state = self.request.session.get(STATE)
        return state["code"] if state and _is_recent(state["at"], GOOD_FOR) else ""


reauthenticate_by_code = ReauthenticateByCode.as_view()
