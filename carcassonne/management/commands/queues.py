"""``manage.py queues``: lists the queues, each of which needs a worker, for the scripts of ``deploy/``."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Names the queues of the settings, one a line: each needs a worker."
    requires_system_checks: tuple[()] = ()

    def handle(self, *args: Any, **options: Any) -> None:
        for name in settings.CELERY_TASK_QUEUES:
            self.stdout.write(name)
