"""Tests of the fields in which players enter days and instants."""

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.cases import for_each
from tests.form_helpers import list_project_forms

FIELDS = [
    (f"{form.__name__}.{name}", field)
    for form in list_project_forms()
    for name, field in form.base_fields.items()  # type: ignore[attr-defined]
    if isinstance(field, forms.DateField | forms.DateTimeField)
]


def test_the_fields_are_found() -> None:
    assert len({name for name, _field in FIELDS}) >= 5


@for_each("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
@for_each("day", ["0001-01-01", "9999-12-31"])
@for_each("field", [field for _name, field in FIELDS])
def test_a_day_at_the_edge_of_the_calendar_is_invalid(field: forms.Field, day: str, zone: str) -> None:
    entered = f"{day}T12:00" if isinstance(field, forms.DateTimeField) else day
    with timezone.override(zone), pytest.raises(ValidationError) as refused:
        field.clean(entered)
    assert refused.value.messages == [str(field.error_messages["invalid"])]
