"""Append-only rows: logs, evidence, notes.

Python code refuses changes here; triggers, made by ``migration_operations.RefuseChanges``, refuse them from
elsewhere.
"""

from typing import Any, ClassVar

from django.db import models


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """Query set that refuses updates and deletion. What must be forgotten one day has its own method."""

    def update(self, **kwargs: Any) -> int:
        raise TypeError(f"{self.model._meta.verbose_name_plural} are never changed")

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        raise TypeError(f"{self.model._meta.verbose_name_plural} are never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError(f"{self.model._meta.verbose_name_plural} are never deleted")


class AppendOnlyModel(models.Model):
    """Model whose rows are never changed or deleted."""

    objects: ClassVar[Any] = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError(f"{self._meta.verbose_name_plural} are never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError(f"{self._meta.verbose_name_plural} are never deleted")
