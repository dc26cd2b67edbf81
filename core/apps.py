from celery.signals import task_failure
from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CoreConfig(AppConfig):
    name = "core"
    verbose_name = _("The site")

    def ready(self) -> None:
        from core import failures

        task_failure.connect(failures.note_failure, dispatch_uid="failed tasks")
