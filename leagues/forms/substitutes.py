"""Wishes of players who are ready to substitute."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class SubstituteForm(forms.Form):
    """Wishes of a substitute for the division; an empty one doesn't matter."""

    least_rating = forms.IntegerField(
        label=_("Rating of the division at least"), min_value=0, max_value=4000, required=False
    )
    most_rating = forms.IntegerField(
        label=_("Rating of the division at most"), min_value=0, max_value=4000, required=False
    )
    least_days = forms.IntegerField(
        label=_("Days left to play at least"), min_value=0, max_value=400, required=False
    )

    def clean_least_days(self) -> int:
        return self.cleaned_data["least_days"] or 0

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        least, most = given.get("least_rating"), given.get("most_rating")
        if least is not None and most is not None and least > most:
            self.add_error("most_rating", _("That leaves no rating: it's below the least one."))
        return given
