"""Players in the admin: to be looked at and searched. Accounts are closed here, never deleted.

Who may change whom follows rank (``accounts.ranks``), and every change has a reason and is written down
(``accounts.acts``).
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import acts, names
from accounts.models import AccountAct, Act, Player
from accounts.ranks import Rank, may_change, rank_of
from accounts.references import find_words
from carcassonne.admin_addresses import ShowsAddress, masked
from carcassonne.admin_lists import Finder, LargeTable, related

RIGHTS = ["is_staff", "is_superuser", "groups"]


class WhyForm(ActionForm):
    """What is done to several accounts at once, and why."""

    why = forms.CharField(label=_("Reason"), max_length=500, required=False)


class PlayerForm(forms.ModelForm):
    """An account, and why it is changed."""

    why = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("It is kept with what you change, and nobody can remove it."),
    )

    def clean_email(self) -> str:
        """:raises ValidationError: an account can't be without an address, and go on"""
        email: str = self.cleaned_data["email"].lower()
        if self.initial.get("email") and not email:
            raise forms.ValidationError(
                _("An account that is to be left is closed instead."), code="no_address"
            )
        return email


def _with_address(text: str) -> Q:
    """Players with that address, in any capitals, as their index has it."""
    with_address = Player.objects.exclude(email="").alias(address=Lower("email"))
    return Q(pk__in=with_address.filter(address=text.lower()))


def called(path: str) -> Finder:
    """Finds rows whose *path* leads to a player whose name begins so, in any capitals."""
    return related(path, Player, lambda text: Q(name_key__startswith=names.key(text)))


@admin.register(Player)
class PlayerAdmin(ShowsAddress, LargeTable):
    address_field = "email"
    list_display = [
        "username",
        masked("email"),
        "language",
        "time_zone",
        "date_joined",
        "last_login",
        "is_active",
        "closed",
    ]
    list_filter = ["is_active", "is_staff", "language", ("closed", admin.EmptyFieldListFilter)]
    finders = [called("pk"), _with_address]
    fields = [
        "username", "email", "language", "time_zone", "theme",
        "mails_started", "mails_your_turn", "mails_reminder", "mails_time_out", "mails_game_over",
        "mails_table", "mails_invitation", "mails_league",
        "shows_looks",
        "is_active", *RIGHTS, "is_bot", "date_joined", "last_login", "closes", "closed", "why",
    ]  # fmt: skip
    form = PlayerForm
    readonly_fields = ["is_bot", "date_joined", "last_login", "closes", "closed"]
    actions = ["close", "sign_out", "remove_second_factor"]
    action_form = WhyForm

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Only superusers say who else may use the admin, and where an account's mail goes."""
        more = [] if request.user.is_superuser else ["email", *RIGHTS]
        return [*self.readonly_fields, *more]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Whoever may only look is asked for no reason."""
        may_write = self.has_change_permission(request, obj)
        return [name for name in self.fields if may_write or name != "why"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """By right, and by rank: nobody changes their like or anybody above them. Superusers change all."""
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or may_change(request.user, obj))  # type: ignore[arg-type]

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Write the change and its act together."""
        changed = [name for name in form.changed_data if name != "why"]
        if not changed:
            return
        actor: Player = request.user  # type: ignore[assignment]
        why, now = form.cleaned_data["why"], timezone.now()
        stored = Player.objects.get(pk=obj.pk)
        others = [name for name in changed if name != "email"]
        with transaction.atomic():
            if others:
                act = Act.RANK if set(others) & set(RIGHTS) else Act.CHANGE
                before = {name: _plain(form.initial.get(name)) for name in others}
                after = {name: _plain(form.cleaned_data[name]) for name in others}
                acts.record(act, actor=actor, player=stored, why=why, now=now, before=before, after=after)
                obj.save(update_fields=_columns(others))
            if "email" in changed:
                new = form.cleaned_data["email"]
                acts.change_address(actor=actor, player=stored, new=new, why=why, now=now)

    @admin.action(description=_("Close the accounts and make them anonymous"), permissions=["change"])
    def close(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        done = self._act(request, queryset.filter(closed=None), acts.close)
        if done is not None:
            said = ngettext("%d account is closed.", "%d accounts are closed.", done) % done
            self.message_user(request, said, messages.SUCCESS)

    @admin.action(description=_("Sign out everywhere"), permissions=["change"])
    def sign_out(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        done = self._act(request, queryset, acts.sign_out)
        if done is not None:
            said = ngettext("%d player is signed out.", "%d players are signed out.", done) % done
            self.message_user(request, said, messages.SUCCESS)

    @admin.action(description=_("Remove a lost second factor"), permissions=["change"])
    def remove_second_factor(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        done = self._act(request, queryset, acts.remove_second_factor)
        if done is not None:
            said = ngettext("%d second factor is removed.", "%d second factors are removed.", done) % done
            self.message_user(request, said, messages.SUCCESS)

    def _act(self, request: HttpRequest, queryset: QuerySet[Player], do: Callable[..., None]) -> int | None:
        """Do it to all of them or to none; how many, or ``None`` and a message why not."""
        why = request.POST.get("why", "").strip()
        if not why:
            self.message_user(request, _now("Please give a reason. Nothing has changed."), messages.ERROR)
            return None
        players = list(queryset)
        try:
            with transaction.atomic():
                for player in players:
                    do(actor=request.user, player=player, why=why[:500], now=timezone.now())
        except PermissionDenied:
            refused = _now("One of these accounts has your rank or a higher one. Nothing has changed.")
            self.message_user(request, refused, messages.ERROR)
            return None
        return len(players)


def _columns(fields: list[str]) -> list[str]:
    """What is written of a player where these fields of the form were changed."""
    of_name = ["name_key", "name_looks"] if "username" in fields else []
    return [*(name for name in fields if name != "groups"), *of_name]


def _plain(value: Any) -> Any:
    """*value* of a form as JSON can keep it."""
    if isinstance(value, list | QuerySet):
        return sorted(str(one) for one in value)
    return str(value) if isinstance(value, Model) else value


@admin.register(AccountAct)
class AccountActAdmin(LargeTable):
    """The log of acts, for administrators to read."""

    list_display = ["at", "actor", "act", "player", "why"]
    list_filter = ["act"]
    finders = [called("player"), called("actor"), find_words("why")]
    list_select_related = ["actor", "player"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Administrators read the log without being given the right one by one."""
        actor: Player = request.user  # type: ignore[assignment]
        return super().has_view_permission(request, obj) or rank_of(actor) >= Rank.ADMINISTRATOR
