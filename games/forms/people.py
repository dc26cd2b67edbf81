"""The search for players."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from accounts.texts import TextField

LEAST = 2
"""Minimum number of letters of a name to search for."""


class PeopleForm(forms.Form):
    """The beginning of a player's name."""

    q = TextField(
        "search",
        label=gettext_lazy("The name begins with"),
        min_length=LEAST,
        max_length=30,
        widget=forms.TextInput(
            attrs={"type": "search", "autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}
        ),
    )
