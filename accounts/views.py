"""A player's own pages."""

from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django.views.i18n import set_language as remember_language

from accounts.forms import MAILS, CloseAccountForm, SettingsForm
from accounts.models import Player
from accounts.requests import PlayerRequest
from accounts.services import close_account


@login_required
def settings(request: PlayerRequest) -> HttpResponse:
    """Language, time zone, mails; and the ways to change the rest."""
    form = SettingsForm(request.POST or None, instance=Player.objects.get(pk=request.user.pk))
    if form.is_valid():
        player = form.save()
        translation.activate(player.language)
        messages.success(request, _("Your settings are saved."))
        return redirect("accounts:settings")
    return render(request, "account/settings.html", {"form": form, "mails": [form[name] for name in MAILS]})


@login_required
def close(request: PlayerRequest) -> HttpResponse:
    """Close the account, after its owner has typed its name."""
    player = Player.objects.get(pk=request.user.pk)
    form = CloseAccountForm(request.POST or None, player=player)
    if form.is_valid():
        close_account(player=player, now=timezone.now())
        logout(request)
        messages.success(request, _("Your account is closed. Thank you for playing."))
        return redirect("/")
    return render(request, "account/close.html", {"form": form})


@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    """The language of the pages from now on; for a player, in their settings too."""
    response = remember_language(request)
    chosen = request.POST.get("language", "")
    if request.user.is_authenticated and chosen in dict(site.LANGUAGES):
        Player.objects.filter(pk=request.user.pk).update(language=chosen)
    return response
