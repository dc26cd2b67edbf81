"""Admin of failed tasks."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from kombu.exceptions import OperationalError

from accounts.admin_lists import SortedByIndex
from core import failures
from core.models import FailedTask


@admin.register(FailedTask)
class FailedTaskAdmin(admin.ModelAdmin):
    """Failed tasks, and rows of batches that failed, with their errors. Once the cause is fixed they can be
    queued again here, or wait for the next sweep; what was put aside is not swept for a day."""

    list_display = ["task", "arguments", "error", "times", "lost", "until", "first", "last"]
    sortable_by = ["last"]
    search_fields = ["task"]
    ordering = ["-last"]
    show_full_result_count = False
    actions = ["queue_again"]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return SortedByIndex

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: FailedTask | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: FailedTask | None = None) -> bool:
        return False

    def has_queue_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("core.queue_failedtask")

    @admin.action(description=_("Queue again"), permissions=["queue"])
    def queue_again(self, request: HttpRequest, chosen: QuerySet[FailedTask]) -> None:
        queued = 0
        for failed in chosen:
            self.log_change(request, failed, "queued again")
            try:
                done = failures.queue_again(failed)
            except (OperationalError, OSError) as error:
                self.message_user(request, _("The broker can't be reached: %s") % error, messages.ERROR)
                return
            queued += done
            if not done:
                refused = _(
                    "%s can't be queued again: its arguments aren't kept, or there is no such task any more."
                )
                self.message_user(request, refused % failed, messages.WARNING)
        if queued:
            said = ngettext("%d task is queued again.", "%d tasks are queued again.", queued) % queued
            self.message_user(request, said, messages.SUCCESS)
