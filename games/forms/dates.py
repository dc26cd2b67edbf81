"""Fields for a day or an instant in the player's time zone."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError


class DayField(forms.DateField):
    """A field for a day that has a day before and after it, and a midnight in every time zone."""

    def to_python(self, value: Any) -> date | None:
        day: date | None = super().to_python(value)
        if day is not None and _is_at_the_edge(day):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return day


class InstantField(forms.DateTimeField):
    """A field for an instant that can be converted to every time zone."""

    def to_python(self, value: Any) -> datetime | None:
        at: datetime | None = super().to_python(value)
        if at is not None and _is_at_the_edge(at):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return at


def _is_at_the_edge(day: date) -> bool:
    """Return whether *day* is in the first or the last year that Python knows."""
    return day.year in (date.min.year, date.max.year)
