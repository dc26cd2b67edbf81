"""The validator of days and instants that players enter."""

from __future__ import annotations

from datetime import date

from django.core.exceptions import ValidationError


def validate_year(day: date) -> None:
    """Refuse days and instants of the first and the last year that Python knows: the day before or after, or
    the instant in another time zone, may not exist. The message is that of the field for invalid values."""
    if day.year in (date.min.year, date.max.year):
        raise ValidationError("", code="invalid")
