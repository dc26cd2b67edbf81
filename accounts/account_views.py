"""Pages on which players manage their account: sessions, data export, closing, undoing a new address."""

from allauth.account.internal import flows
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import addresses, closing, export, limits
from accounts import sessions as signed_in
from accounts.forms import CloseAccountForm
from accounts.models import DataExport
from accounts.reauthentication import sign_in_anew
from accounts.requests import PlayerRequest
from accounts.security import log_security_event
from core.numerals import parse_key


@login_required
@require_safe
def sessions(request: PlayerRequest) -> HttpResponse:
    """Show where the player is signed in."""
    context = {"sessions": signed_in.list_sessions(request.user, request), "most": signed_in.MOST}
    return render(request, "account/sessions.html", context)


@login_required
@require_POST
def end_session(request: PlayerRequest) -> HttpResponse:
    """Sign out in one browser, or everywhere but here."""
    key = request.POST.get("session", "")
    if key.isdecimal():
        if not signed_in.end(request.user, parse_key(key)):
            raise Http404
        messages.success(request, _("You're signed out there."))
    else:
        signed_in.end_others(request.user, request)
        messages.success(request, _("You're signed out everywhere else."))
    log_security_event("session-ended", player=request.user, request=request)
    return redirect("accounts:sessions")


@login_required
def close(request: PlayerRequest) -> HttpResponseBase:
    """Ask for the account to be closed, or keep one that is about to close."""
    if request.user.closes is None:
        return _ask_to_close(request)
    if request.method == "POST":
        closing.keep(player=request.user, now=timezone.now())
        messages.success(request, _("You're keeping your account. Good to have you here."))
        return redirect("accounts:settings")
    return render(request, "account/closing.html")


@sign_in_anew
def _ask_to_close(request: PlayerRequest) -> HttpResponse:
    form = CloseAccountForm(request.POST or None, player=request.user)
    if form.is_valid() and form.save(timezone.now()):
        flows.logout.logout(request)
        messages.success(
            request, _("Your account will close in two weeks. Until then you can sign in and keep it.")
        )
        return redirect("/")
    return render(request, "account/close.html", {"form": form})


def keep(request: HttpRequest, token: str) -> HttpResponse:
    """Keep the account to which the mailed *token* belongs. No sign-in is needed."""
    player = closing.find_by_token(token)
    if player is None:
        limits.enforce_limit(request, "guess_token")
    elif request.method == "POST":
        closing.keep(player=player, now=timezone.now())
        messages.success(request, _("You're keeping your account. Good to have you here."))
        return redirect("account_login")
    return render(request, "account/keep.html", {"owner": player}, status=200 if player else 404)


def undo_address(request: HttpRequest, token: str) -> HttpResponse:
    """Undo a change of address by the *token* that was mailed to the old one."""
    change = addresses.find_by_token(token, now=timezone.now())
    if change is None:
        limits.enforce_limit(request, "guess_token")
    elif request.method == "POST":
        if addresses.undo(change, now=timezone.now()) == "undone":
            messages.success(
                request,
                _("Your old address is back. We've signed you out everywhere: please sign in with a code."),
            )
            return redirect("account_request_login_code")
        messages.error(request, _("Another account has this address now. Please write to us."))
    return render(request, "account/undo_address.html", {"change": change}, status=200 if change else 404)


@sign_in_anew
def data(request: PlayerRequest) -> HttpResponse:
    """Request a file of all one's data, and show whether it is ready."""
    if request.method == "POST":
        if export.ask(player=request.user, now=timezone.now()) is None:
            messages.error(request, _("We made a file less than a day ago. Please wait until tomorrow."))
        return redirect("accounts:export")
    asked = DataExport.objects.filter(player=request.user).first()
    context = {"asked": asked, "until": asked.ready + export.KEPT if asked and asked.ready else None}
    return render(request, "account/export.html", context)


@sign_in_anew
@require_safe
def fetch(request: PlayerRequest) -> FileResponse:
    """Send the player's own data export. It has no address that could be passed on."""
    asked = DataExport.objects.filter(player=request.user).exclude(ready=None).first()
    if asked is None:
        raise Http404
    log_security_event("export-fetched", player=request.user, request=request)
    name = f"carcassonne-{asked.ready:%Y-%m-%d}.zip"
    return FileResponse(asked.file.open("rb"), as_attachment=True, filename=name)
