"""E-mail addresses in the admin: masked in lists, whole on the page of a row, where each view is logged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.address_hashes import mask_address

LOOKED = "looked at the address"


class ShowsAddress(admin.ModelAdmin):
    """Admin of a model that has an address in the field :attr:`address_field`."""

    address_field = "address"

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """Log in the row's history that its address was shown."""
        response: HttpResponse = super().changeform_view(request, object_id, *args, **kwargs)
        row = self.get_object(request, object_id) if object_id and response.status_code == 200 else None
        if row is not None and getattr(row, self.address_field):
            LogEntry.objects.create(
                user=request.user,  # type: ignore[misc]  # the admin lets nobody else in
                content_type=ContentType.objects.get_for_model(row),
                object_id=str(row.pk),
                object_repr=f"{self.opts.verbose_name} {row.pk}",  # which names nobody
                action_flag=CHANGE,
                change_message=LOOKED,
            )
        return response


def build_masked_column(field: str) -> Callable[[Any], str]:
    """A column for a list in the admin: the masked address of *field*."""

    @admin.display(description=_("email address"))
    def column(row: Any) -> str:
        return mask_address(getattr(row, field))

    return column
