"""Models of failed tasks and attempts at tasks."""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class FailedTask(models.Model):
    """A task that has failed or timed out: one row for all failures with the same arguments.

    It only explains why work isn't done: other rows store what is left to do, and the sweep queues it again
    (``failures.py``). Work on one row that has failed or killed its worker rests ``until`` then
    (``attempts.py``); if it was one unit of a task, the unit's name stands in place of the arguments.
    """

    task = models.CharField(_("task"), max_length=100)
    arguments = models.CharField(
        _("arguments"),
        max_length=200,
        blank=True,
        help_text=_("As JSON. Empty where they hold more than numbers, which might be personal."),
    )
    lost = models.PositiveSmallIntegerField(_("attempts lost"), default=0, db_default=0)
    until = models.DateTimeField(_("rests until"), null=True, blank=True)
    error = models.CharField(_("last error"), max_length=300)
    times = models.PositiveIntegerField(_("times"), default=1)
    first = models.DateTimeField(_("first"))
    last = models.DateTimeField(_("last"), db_index=True)

    class Meta:
        verbose_name = _("failed task")
        verbose_name_plural = _("failed tasks")
        default_permissions = ("view",)
        permissions = [("queue_failedtask", _("Can queue failed tasks again"))]
        constraints = [
            models.UniqueConstraint(fields=["task", "arguments"], name="failed_task_once"),
        ]
        indexes = [
            models.Index(fields=["until"], condition=Q(until__isnull=False), name="tasks_resting"),
        ]

    def __str__(self) -> str:
        return f"{self.task}{self.arguments if self.arguments[:1] == '[' else f' {self.arguments}'}"

    def rests(self, now: datetime) -> bool:
        """Return whether the work must not be tried *now*."""
        return self.until is not None and self.until > now


class TaskAttempt(models.Model):
    """Note that a task, or a unit of one, has begun; deleted when that has ended (``attempts.py``)."""

    task = models.CharField(_("task"), max_length=100)
    arguments = models.CharField(_("arguments"), max_length=200)
    message = models.CharField(_("message"), max_length=100)
    begun = models.DateTimeField(_("begun"))

    class Meta:
        verbose_name = _("attempt at a task")
        verbose_name_plural = _("attempts at tasks")
        default_permissions = ()
        indexes = [models.Index(fields=["task", "arguments"], name="attempts_at_a_task")]

    def __str__(self) -> str:
        return f"{self.task} {self.arguments}"
