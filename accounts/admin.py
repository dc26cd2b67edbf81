"""Players in the admin: to be looked at and searched. Accounts are closed here, never deleted."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import Player
from accounts.services import close_account

RIGHTS = ["is_staff", "is_superuser", "groups"]


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):
    list_display = [
        "username",
        "email",
        "language",
        "time_zone",
        "date_joined",
        "last_login",
        "is_active",
        "closed",
    ]
    list_filter = ["is_active", "is_staff", "language", ("closed", admin.EmptyFieldListFilter)]
    search_fields = ["username", "email"]
    ordering = ["-date_joined"]
    date_hierarchy = "date_joined"
    fields = [
        "username", "email", "language", "time_zone", "theme",
        "mails_started", "mails_your_turn", "mails_reminder", "mails_time_out", "mails_game_over",
        "mails_table", "mails_invitation", "mails_league",
        "shows_looks",
        "is_active", *RIGHTS, "is_bot", "date_joined", "last_login", "closed",
    ]  # fmt: skip
    # The address belongs to allauth's verification, the rest to the record.
    readonly_fields = ["email", "is_bot", "date_joined", "last_login", "closed"]
    actions = ["close"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Only who may do everything says who else may use the admin."""
        return self.readonly_fields if request.user.is_superuser else [*self.readonly_fields, *RIGHTS]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description=_("Close the accounts and make them anonymous"), permissions=["change"])
    def close(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        players = list(queryset.filter(closed=None))
        for player in players:
            close_account(player=player, now=timezone.now())
        done = ngettext("%d account is closed.", "%d accounts are closed.", len(players)) % len(players)
        self.message_user(request, done, messages.SUCCESS)
