"""Admin pages of players. Accounts are closed here, never deleted.

Permission to change an account follows rank (``accounts.ranks``); every change is logged with its reason
(``accounts.acts``).
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import acts, names, texts
from accounts.admin_addresses import ShowsAddress, build_masked_column
from accounts.admin_lists import Finder, LargeTable, find_related
from accounts.interests import Recusal
from accounts.models import AccountAct, AccountActKind, Player
from accounts.ranks import Rank, load_rank, may_change
from accounts.references import find_words
from accounts.texts import TextField

RIGHTS = ["is_staff", "is_superuser", "groups"]


class WhyForm(ActionForm):
    """Form with the reason for an action on several accounts."""

    why = TextField("reason", label=_("Reason"), required=False, widget=forms.TextInput)


class PlayerForm(forms.ModelForm):
    """Form of an account, with the reason for the change."""

    why = TextField(
        "reason",
        label=_("Reason"),
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("We keep it with what you change, and it can't be removed."),
    )
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    """Version of the account when the form was shown (``acts.load_version``)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["version"] = acts.load_version(self.instance)

    def clean(self) -> dict[str, Any] | None:
        """:raises ValidationError: the account has changed since the page was opened"""
        if set(self.changed_data) - {"why", "version"}:
            try:
                acts.must_be_as_shown(self.instance, self.cleaned_data.get("version"))
            except acts.ActRefused as refused:
                raise forms.ValidationError(str(refused), code="stale") from refused
        return super().clean()

    def clean_username(self) -> str:
        """:raises ValidationError: the name is new and not allowed"""
        name: str = self.cleaned_data["username"]
        if name == self.instance.username:  # old names may break current rules
            return name
        name = texts.normalize_text("player", name)
        names.validate(name)
        return name

    def _get_validation_exclusions(self) -> set[str]:
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]
        return excluded if "username" in self.changed_data else excluded | {"username"}

    def clean_email(self) -> str:
        """:raises ValidationError: the address is removed, which an open account can't do without"""
        email: str = self.cleaned_data["email"].lower()
        if self.initial.get("email") and not email:
            raise forms.ValidationError(_("To leave, close the account instead."), code="no_address")
        return email


def _with_address(text: str) -> Q:
    """Players with that address, ignoring case; written so that the index on ``Lower("email")`` is used."""
    with_address = Player.objects.exclude(email="").alias(address=Lower("email"))
    return Q(pk__in=with_address.filter(address=text.lower()))


def find_by_player(path: str) -> Finder:
    """Build a finder of rows whose *path* leads to a player whose name begins so, ignoring case."""
    return find_related(path, Player, lambda text: Q(name_key__startswith=names.build_key(text)))


@admin.register(Player)
class PlayerAdmin(ShowsAddress, LargeTable):
    address_field = "email"
    list_display = [
        "username",
        build_masked_column("email"),
        "language",
        "time_zone",
        "date_joined",
        "last_login",
        "is_active",
        "closed",
    ]
    list_filter = ["is_active", "is_staff", "provisional", "language", ("closed", admin.EmptyFieldListFilter)]
    finders = [find_by_player("pk"), _with_address]
    fields = [
        "username", "email", "language", "time_zone", "theme",
        "notice_timings", "digest_hour", "reminder_hours", "mail_paused", "mail_pause_cause", "shows_looks",
        "is_active", *RIGHTS, "is_bot", "provisional", "date_joined", "last_login", "closes", "closed",
        "why", "version",
    ]  # fmt: skip
    form = PlayerForm
    readonly_fields = [
        "notice_timings",
        "digest_hour",
        "reminder_hours",
        "mail_paused",
        "mail_pause_cause",
        "is_bot",
        "provisional",
        "date_joined",
        "last_login",
        "closes",
        "closed",
    ]
    actions = ["close", "sign_out", "remove_second_factor"]
    action_form = WhyForm

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Let only superusers change rights and addresses."""
        more = [] if request.user.is_superuser else ["email", *RIGHTS]
        return [*self.readonly_fields, *more]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Leave out the reason for users who may only look."""
        may_write = self.has_change_permission(request, obj)
        return [name for name in self.fields if may_write or name not in ("why", "version")]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Check permission, rank (superusers may change all, others only lower ranks) and recusal."""
        allowed = super().has_change_permission(request, obj)
        if not allowed or obj is None:
            return allowed
        if not may_change(request.user, obj):  # type: ignore[arg-type]
            return False
        recused = self._recusal(request, obj)
        return recused is None or recused.may_act

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """Warn a recused member of staff, and name who can act instead."""
        player = self.get_object(request, unquote(object_id))
        if player is not None and may_change(request.user, player):  # type: ignore[arg-type]
            recused = self._recusal(request, player)
            if recused is not None:
                said = recused.warning if recused.may_act else recused.sentence
                self.message_user(request, said, messages.WARNING)
        return super().change_view(request, object_id, *args, **kwargs)

    def _recusal(self, request: HttpRequest, player: Player) -> Recusal | None:
        """The recusal for *player*, cached on the request."""
        known: dict[int, Recusal | None] = request.__dict__.setdefault("recusals", {})
        if player.pk not in known:
            known[player.pk] = acts.find_account_recusal(request.user, player)  # type: ignore[arg-type]
        return known[player.pk]

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Write the change and its log entry in one transaction."""
        changed = [name for name in form.changed_data if name not in ("why", "version")]
        if not changed:
            return
        actor: Player = request.user  # type: ignore[assignment]
        why, now = form.cleaned_data["why"], timezone.now()
        stored = Player.objects.get(pk=obj.pk)
        others = [name for name in changed if name != "email"]
        with transaction.atomic():
            if others:
                act = AccountActKind.RANK if set(others) & set(RIGHTS) else AccountActKind.CHANGE
                before = {name: _plain(form.initial.get(name)) for name in others}
                after = {name: _plain(form.cleaned_data[name]) for name in others}
                acts.record(act, actor=actor, player=stored, why=why, now=now, before=before, after=after)
                obj.save(update_fields=_columns(others))
            if "email" in changed:
                new = form.cleaned_data["email"]
                acts.change_address(actor=actor, player=stored, new=new, why=why, now=now)

    @admin.action(description=_("Close the accounts and make them anonymous"), permissions=["change"])
    def close(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        def describe_closed(done: int) -> str:
            return ngettext("%d account is closed.", "%d accounts are closed.", done) % done

        return self._act(request, queryset, "close", acts.close, describe_closed)

    @admin.action(description=_("Sign out everywhere"), permissions=["change"])
    def sign_out(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        def describe_signed_out(done: int) -> str:
            return ngettext("%d player is signed out.", "%d players are signed out.", done) % done

        return self._act(request, queryset, "sign_out", acts.sign_out, describe_signed_out)

    @admin.action(description=_("Remove a lost second factor"), permissions=["change"])
    def remove_second_factor(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        def describe_removed(done: int) -> str:
            return ngettext("%d second factor is removed.", "%d second factors are removed.", done) % done

        return self._act(
            request, queryset, "remove_second_factor", acts.remove_second_factor, describe_removed
        )

    def _act(
        self,
        request: HttpRequest,
        queryset: QuerySet[Player],
        name: str,
        do: Callable[..., None],
        describe: Callable[[int], str],
    ) -> HttpResponse | None:
        """Show a page to confirm the action; once confirmed, act on all of the accounts or on none."""
        why = texts.normalize_text("reason", request.POST.get("why", ""))[: texts.KINDS["reason"].most]
        if not why:
            self.message_user(request, _now("Please give a reason. Nothing has changed."), messages.ERROR)
            return None
        players = list(queryset.order_by("username"))
        if "confirmed" not in request.POST:
            return self._confirmation(request, players, name, why)
        try:
            with transaction.atomic():
                for player in players:
                    do(
                        actor=request.user,
                        player=player,
                        why=why,
                        now=timezone.now(),
                        expected_version=_shown_version(request, player),
                    )
        except acts.ActRefused as refused:
            nothing = _now("{why} Nothing has changed.").format(why=refused)
            self.message_user(request, nothing, messages.ERROR)
            return None
        except PermissionDenied:
            refused_all = _now("One of these accounts has your rank or a higher one. Nothing has changed.")
            self.message_user(request, refused_all, messages.ERROR)
            return None
        self.message_user(request, describe(len(players)), messages.SUCCESS)
        return None

    def _confirmation(self, request: HttpRequest, players: list[Player], name: str, why: str) -> HttpResponse:
        chosen = self.get_actions(request)[name]
        assert chosen is not None
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": str(chosen[2]),
            "accounts": [(player, acts.load_version(player)) for player in players],
            "action": name,
            "why": why,
        }
        return TemplateResponse(request, "admin/accounts/player/confirm_act.html", context)


def _shown_version(request: HttpRequest, player: Player) -> int:
    """The version of *player* that the confirmation page showed.

    :raises ActRefused: it didn't show that account
    """
    shown = request.POST.get(f"version_{player.pk}", "")
    if not shown.isascii() or not shown.isdecimal() or len(shown) > 18:
        raise acts.ActRefused(_now("Look at the account {name} first.").format(name=player.username))
    return int(shown)


def _columns(fields: list[str]) -> list[str]:
    """The columns of a player to write when these *fields* of the form have changed."""
    of_name = ["name_key", "name_looks"] if "username" in fields else []
    return [*(name for name in fields if name != "groups"), *of_name]


def _plain(value: Any) -> Any:
    if isinstance(value, list | QuerySet):
        return sorted(str(item) for item in value)
    return str(value) if isinstance(value, Model) else value


@admin.register(AccountAct)
class AccountActAdmin(LargeTable):
    """The log of acts, read-only."""

    list_display = ["at", "actor", "act", "player", "why", "own_matter"]
    list_filter = ["act", "own_matter"]
    finders = [find_by_player("player"), find_by_player("actor"), find_words("why")]
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
        """Let administrators read the log without a permission of its own."""
        actor: Player = request.user  # type: ignore[assignment]
        return super().has_view_permission(request, obj) or load_rank(actor) >= Rank.ADMINISTRATOR
