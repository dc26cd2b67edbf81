"""Pages of sign-up, settings, notices and themes."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.forms import ChangeEmailForm
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.account.views import ConfirmEmailVerificationCodeView
from allauth.account.views import password_set as allauth_set_password
from allauth.account.views import signup as allauth_sign_up
from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe
from django.views.i18n import set_language as remember_language

from accounts import limits, notice_preferences, provisional, themes
from accounts.forms import AddEmailForm, CreateAccountForm, ProfileForm, SettingsForm
from accounts.models import Player, PlayerPhoto, Theme
from accounts.notice_forms import NoticePreferencesForm
from accounts.notice_preferences import MailPreset, list_presets
from accounts.passwords import assess
from accounts.pictures import ARMS, MEEPLES
from accounts.reauthentication import has_signed_in_recently, sign_in_anew
from accounts.requests import PlayerRequest
from accounts.security import log_security_event

View = Callable[..., HttpResponseBase]


def again_if_taken(view: View) -> View:
    """Wrap *view* to call it again if the name or the address was taken after the form was validated.

    The second time the form reports it as an ordinary error.
    """

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except IntegrityError:
            return view(request, *args, **kwargs)

    return respond


class ConfirmAddress(ConfirmEmailVerificationCodeView):
    """Page that asks for the code mailed to an address, and allows to change the address instead."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Abort a sign-up whose address was confirmed elsewhere meanwhile."""
        process = EmailVerificationProcess.resume(request)
        asked = process.user if request.user.is_anonymous and process else None
        if asked is not None and Player.objects.confirmed().filter(pk=asked.pk).exists():
            process.abort()
            return redirect("account_login")
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def _change_form_valid(self, form: ChangeEmailForm) -> HttpResponse:
        if not form.account_already_exists:  # allauth changes several rows: claim the address before
            claimed = Player.objects.filter(pk=self._process.user.pk)
            claimed.update(email=form.cleaned_data["email"].lower())
        response: HttpResponse = super()._change_form_valid(form)
        return response


@login_required
def set_password(request: HttpRequest) -> HttpResponseBase:
    """Set a first password, after reauthentication.

    A form that is sent too late is dropped, not kept: the session would hold the password in plain text.
    """
    if request.method == "POST" and not has_signed_in_recently(request):
        return redirect("account_set_password")
    return sign_in_anew(allauth_set_password)(request)


@again_if_taken
def sign_up(request: HttpRequest) -> HttpResponseBase:
    """Sign up. Guests are redirected to the page that turns them into an account."""
    if isinstance(request.user, Player) and request.user.provisional:
        return redirect("accounts:create_account")
    response: HttpResponseBase = allauth_sign_up(request)
    return response


confirm_address = again_if_taken(ConfirmAddress.as_view())


@again_if_taken
@login_required
def create_account(request: PlayerRequest) -> HttpResponse:
    """Let a guest have an account: first they confirm an address, then they choose a name."""
    guest = Player.objects.get(pk=request.user.pk)
    if not guest.provisional:
        return redirect("accounts:settings")
    confirmed = Player.objects.confirmed().filter(pk=guest.pk).exists()
    form = CreateAccountForm(request.POST or None, guest=guest) if confirmed else None
    if form is not None and form.is_valid():
        chosen = form.cleaned_data
        if not provisional.create_account(guest, name=chosen["username"], password=chosen["password1"]):
            return redirect("accounts:settings")
        update_session_auth_hash(request, guest)
        log_security_event("account-created", player=guest, request=request)
        messages.success(request, _("Your account is ready. Your seats and games are all there."))
        return redirect("/")
    context = {"form": form, "address_form": AddEmailForm(user=guest)}
    return render(request, "account/create_account.html", context)


@login_required
def settings(request: PlayerRequest) -> HttpResponse:
    """Show and save language, time zone and colours; link to other settings."""
    form = SettingsForm(request.POST or None, instance=Player.objects.get(pk=request.user.pk))
    if form.is_valid():
        player = form.save()
        translation.activate(player.spoken_language)
        messages.success(request, _("Your settings are saved."))
        response = redirect("accounts:settings")
        themes.remember(response, player.theme)
        return response
    preset = notice_preferences.find_preset(request.user)
    return render(request, "account/settings.html", {"form": form, "preset": preset})


@login_required
def profile(request: PlayerRequest) -> HttpResponse:
    """Choose a picture or send a photo, write a line about oneself, choose a country."""
    player = Player.objects.get(pk=request.user.pk)
    if request.FILES and limits.allow(request, "photo", str(player.pk)) is None:
        messages.error(request, _("That's many photos for one day. Please try again tomorrow."))
        return redirect("accounts:profile")
    form = ProfileForm(request.POST or None, request.FILES or None, instance=player)
    if form.is_valid():
        form.save()
        messages.success(request, _("Your profile is saved."))
        return redirect("accounts:profile")
    context = {
        "form": form,
        "player": request.user,
        "groups": [(_("Coats of arms"), ARMS), (_("Meeples"), MEEPLES)],
    }
    return render(request, "account/profile.html", context)


@require_safe
@cache_control(public=True, max_age=31_536_000, immutable=True)
def photo(request: HttpRequest, username: str, digest: str) -> HttpResponse:
    """Send the photo of a player; only the one whose *digest* is asked for, so that browsers may keep it."""
    stored = PlayerPhoto.objects.filter(player__username=username, player__photo=digest).first()
    if stored is None:
        raise Http404
    return HttpResponse(stored.jpeg, content_type="image/jpeg")


@login_required
def notices(request: PlayerRequest) -> HttpResponse:
    """Show and save the player's notice preferences: one of the presets, or the table."""
    with transaction.atomic():  # the later of two concurrent requests wins as a whole
        player = Player.objects.select_for_update(no_key=True).get(pk=request.user.pk)
        chosen = request.POST.get("preset", "")
        form = NoticePreferencesForm(None if chosen else request.POST or None, player=player)
        saved = chosen in MailPreset.values
        if saved:
            notice_preferences.apply_preset(player, MailPreset(chosen))
            player.save(update_fields=["notice_timings"])
        elif form.is_valid():
            form.save()
            saved = True
    if saved:
        messages.success(request, _("Your notifications are saved."))
        return redirect("accounts:notices")
    context = {"form": form, "presets": list_presets(), "preset": notice_preferences.find_preset(player)}
    return render(request, "account/notices.html", context)


@require_POST
def strength(request: HttpRequest) -> HttpResponse:
    """Show a meter of the password that is being typed, and the reason to refuse it."""
    if not limits.allow_search(request, "strength"):
        return render(request, "account/_strength.html", {"limited": True}, status=429)
    typed = request.POST.get("password1", "")
    of_form = Player(
        username=request.POST.get("username", "")[:30], email=request.POST.get("email", "")[:254]
    )
    user = request.user if request.user.is_authenticated else of_form
    value, problem = assess(typed, user) if typed else (0, "")
    context = {"typed": bool(typed), "value": value, "problem": problem}
    return render(request, "account/_strength.html", context)


@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Set the language of the pages; for a player, in their settings too."""
    response = remember_language(request)
    chosen = request.POST.get("language", "")
    if request.user.is_authenticated and chosen in dict(site.LANGUAGES):
        Player.objects.filter(pk=request.user.pk).update(language=chosen)
    return response


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Set the colours of the pages; for a player, in their settings too."""
    wanted = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    response = HttpResponseRedirect(wanted if ours and wanted.startswith("/") else "/")
    chosen = request.POST.get("theme", "")
    if chosen in Theme.values:
        themes.remember(response, chosen)
        if request.user.is_authenticated:
            Player.objects.filter(pk=request.user.pk).update(theme=chosen)
    return response
