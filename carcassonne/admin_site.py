"""Admin site for staff with a second factor who have used it recently."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import Group
from django.core.exceptions import BadRequest, ValidationError
from django.db.models import Model
from django.db.models.base import ModelBase
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from accounts import reauthentication

NOT_HERE: set[type[Model]] = {EmailAddress, Authenticator, UserSession}
"""Models of allauth left out of the admin: ways into accounts, changed only through the account itself."""

View = Callable[..., Any]


class SecondFactorAdminSite(AdminSite):
    """Django's admin, behind a second factor."""

    site_header = site_title = "Carcassonne"

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Leave out allauth's models, and let only superusers manage groups."""
        given = [model_or_iterable] if isinstance(model_or_iterable, ModelBase) else model_or_iterable
        models = [model for model in given if model not in NOT_HERE]
        super().register(models, admin_class, **options)
        if Group in models:
            for name in ("module", "view", "add", "change", "delete"):
                setattr(self._registry[Group], f"has_{name}_permission", _only_superusers)

    def get_urls(self) -> list[Any]:
        """Leave out the redirect to a row's page, which would tell any staff where a private game is."""
        return [pattern for pattern in super().get_urls() if getattr(pattern, "name", "") != "view_on_site"]

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Redirect to the site's own page, which counts guesses and notifies the owner."""
        return redirect("account_change_password")

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        respond = super().admin_view(view, cacheable)
        owner = getattr(view, "__self__", None)
        of_model = owner if isinstance(owner, ModelAdmin) else None

        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            elsewhere = reauthentication.redirect_staff(request) if self.has_permission(request) else None
            if elsewhere is None and of_model is not None:
                chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
                if not all(_may_be_key(of_model.model, key) for key in chosen):
                    raise BadRequest("An action on rows that can't be there")
            answer: HttpResponseBase = elsewhere or respond(request, *args, **kwargs)
            return answer

        return guarded


def _may_be_key(model: type[Model], key: str) -> bool:
    """Return whether *key* can be a primary key of *model*: Django's admin would fail on others."""
    try:
        model._meta.pk.clean(key, None)
    except ValidationError:
        return False
    return "\0" not in key


def _only_superusers(request: HttpRequest, obj: Any = None) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)
