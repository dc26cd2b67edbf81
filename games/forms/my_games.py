"""The filter and order of a player's own games."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.texts import TextField
from games.selectors.my_games import Sort, WantedGames
from games.words import rule_sets


class MyGamesForm(forms.Form):
    """The filter of a player's running games. Invalid fields don't filter."""

    q = TextField(
        "search",
        label=gettext_lazy("Name of a game or player"),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    set = forms.ChoiceField(label=gettext_lazy("Set"), required=False)
    sort = forms.ChoiceField(label=gettext_lazy("Order"), choices=Sort.choices, required=False)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        sets = [(slug, name) for slug, name in rule_sets.SETS.items() if slug != "base"]
        self.fields["set"].choices = [("", pgettext_lazy("a set", "any")), *sets]  # type: ignore[attr-defined]

    @property
    def wanted(self) -> WantedGames:
        self.is_valid()
        data = self.cleaned_data
        return WantedGames(data.get("q") or "", data.get("set") or "", Sort(data.get("sort") or Sort.URGENT))
