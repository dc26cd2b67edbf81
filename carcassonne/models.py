"""What the site notes of itself."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class FailedTask(models.Model):
    """A task that has failed, or took longer than it may: one row for all its failures with these arguments.

    What is left to do says the rest of the rows, and the sweep queues it again; this says why it isn't done
    (``failures.py``).
    """

    task = models.CharField(_("task"), max_length=100)
    arguments = models.CharField(
        _("arguments"),
        max_length=200,
        blank=True,
        help_text=_("As JSON. Empty where they hold more than numbers, which might be personal."),
    )
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

    def __str__(self) -> str:
        return f"{self.task}{self.arguments}"
