"""Configuration by which Django is told of our admin; it may import no models yet."""

from django.contrib.admin.apps import AdminConfig as DjangoAdminConfig


class AdminConfig(DjangoAdminConfig):
    """Django's application, with the site of ``carcassonne.admin_site``."""

    default_site = "carcassonne.admin_site.SecondFactorAdminSite"
