"""Application configs of the project and of Django's admin. They can't import models yet."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig as DjangoAdminConfig
from django.utils.translation import gettext_lazy as _


class CarcassonneConfig(AppConfig):
    name = "carcassonne"
    verbose_name = _("The site")

    def ready(self) -> None:
        from carcassonne import checks  # noqa: F401, registers them


class AdminConfig(DjangoAdminConfig):
    """Django's application, with the site of ``carcassonne.admin_site``."""

    default_site = "carcassonne.admin_site.SecondFactorAdminSite"
