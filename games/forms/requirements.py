"""The part of the set-up form that says what is asked of whoever takes a free seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from django import forms
from django.utils.translation import gettext_lazy

from games.tables.settings import HIGHEST_RATING

FIELDS = ("min_reliability", "min_rating", "max_rating")


class Requirements(TypedDict):
    """The requirements, as the settings of a table name them."""

    min_reliability: int
    min_rating: int | None
    max_rating: int | None


def _number(most: int) -> forms.NumberInput:
    return forms.NumberInput(attrs={"inputmode": "numeric", "min": 0, "max": most, "step": 1})


class RequirementsForm(forms.Form):
    """The requirements of a table. Nothing is asked where a field is left empty."""

    min_reliability = forms.IntegerField(
        label=gettext_lazy("Minimum reliability, in %"),
        min_value=0,
        max_value=100,
        required=False,
        widget=_number(100),
    )
    min_rating = forms.IntegerField(
        label=gettext_lazy("Minimum rating"),
        min_value=0,
        max_value=HIGHEST_RATING,
        required=False,
        widget=_number(HIGHEST_RATING),
    )
    max_rating = forms.IntegerField(
        label=gettext_lazy("Maximum rating"),
        min_value=0,
        max_value=HIGHEST_RATING,
        required=False,
        widget=_number(HIGHEST_RATING),
    )

    @property
    def chosen_requirements(self) -> Requirements:
        """Return what is asked as the fields stand; nothing where one is wrong."""
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
        """Return whether something of what is folded needs another look."""
        return any(name in self.errors for name in FIELDS)

    @property
    def wrong_requirement(self) -> str:
        """Return what is wrong with them, in a sentence with the name of the field."""
        for field in self.requirement_fields:
            for error in field.errors:
                return f"{field.label}: {error}"
        return ""

    @property
    def requirements_asked(self) -> int:
        """Return how many things are asked for."""
        return sum(bool(self[name].value()) for name in FIELDS)
