from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CarcassonneConfig(AppConfig):
    name = "carcassonne"
    verbose_name = _("The site")

    def ready(self) -> None:
        from carcassonne import checks  # noqa: F401, registers them
