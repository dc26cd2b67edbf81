"""The part of the set-up form about the requirements for a free seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from django import forms
from django.utils.translation import gettext_lazy

from games.tables.settings import HIGHEST_RATING

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

FIELDS = ("min_reliability", "min_rating", "max_rating")


class Requirements(TypedDict):
    """The requirements, by their names in ``TableSettings``."""

    min_reliability: int
    min_rating: int | None
    max_rating: int | None


def _choose_number(label: StrOrPromise, most: int) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric", "min": 0, "max": most, "step": 1})
    return forms.IntegerField(label=label, min_value=0, max_value=most, required=False, widget=widget)


class RequirementsForm(forms.Form):
    """The requirements of a table; empty fields are none."""

    min_reliability = _choose_number(gettext_lazy("Minimum reliability, in %"), 100)
    min_rating = _choose_number(gettext_lazy("Minimum rating"), HIGHEST_RATING)
    max_rating = _choose_number(gettext_lazy("Maximum rating"), HIGHEST_RATING)

    @property
    def chosen_requirements(self) -> Requirements:
        """The requirements according to the fields; none if a field is invalid."""
        if not self.is_bound:
            return RequirementsForm(self.initial).chosen_requirements
        data: Mapping[str, Any] = {} if self.wrong_in_requirements else self.cleaned_data
        return Requirements(
            min_reliability=data.get("min_reliability") or 0,
            min_rating=data.get("min_rating"),
            max_rating=data.get("max_rating"),
        )

    @property
    def requirement_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in FIELDS]

    @property
    def wrong_in_requirements(self) -> bool:
        """Return whether a collapsed field has an error."""
        return any(name in self.errors for name in FIELDS)

    @property
    def wrong_requirement(self) -> str:
        """The first error, with the name of the field."""
        for field in self.requirement_fields:
            for error in field.errors:
                return f"{field.label}: {error}"
        return ""

    @property
    def requirements_asked(self) -> int:
        """The number of requirements."""
        return sum(bool(self[name].value()) for name in FIELDS)
