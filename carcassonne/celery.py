"""The Celery application. ``core.task_queue`` queues its tasks."""

import os
from typing import Any

from celery import Celery
from celery.app.task import Task
from celery.signals import task_postrun, task_prerun, worker_init
from django.db import close_old_connections
from kombu.transport import TRANSPORT_ALIASES

from carcassonne import gc_tuning

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "carcassonne.settings")

TRANSPORT_ALIASES["filesystem"] = "carcassonne.local.broker:FileTransport"
TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "carcassonne.redis_broker:RedisTransport"

app = Celery("carcassonne", task_cls="core.task_queue:SiteTask")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(related_name="upkeep_tasks")
app.autodiscover_tasks(related_name="mail_tasks")


@worker_init.connect
def _begin_work(**kwargs: Any) -> None:
    gc_tuning.tune_collector()  # before there are children, which then share what is loaded


@task_prerun.connect
@task_postrun.connect
def _give_back_connections(sender: Task, **kwargs: Any) -> None:
    """Close old connections, as around a request: the pool checks them before they are used again."""
    if not sender.request.is_eager:
        close_old_connections()
