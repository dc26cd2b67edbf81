"""Founding a league: what is chosen becomes ``LeagueSettings``, or a clear error at its field."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.clocks import PRESETS as CLOCKS
from games.tables.presets import PRESETS
from games.words.clocks import NAMES
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import DEFAULT_POINTS, DUEL_TIE_BREAKS, TABLE_TIE_BREAKS, Rules, Withdrawn
from leagues.words import faults

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

RESERVED = frozenset({"new"})
"""Names whose addresses are taken."""

SCHEDULES: Mapping[Schedule, StrOrPromise] = {
    Schedule.ROUND_ROBIN: gettext_lazy("Everybody meets everybody"),
    Schedule.SWISS: gettext_lazy("Swiss system, for duels"),
}
BEST_OF: Mapping[int, StrOrPromise] = {
    1: gettext_lazy("one"),
    3: gettext_lazy("best of 3"),
    5: gettext_lazy("best of 5"),
    7: gettext_lazy("best of 7"),
}
WITHDRAWN: Mapping[Withdrawn, StrOrPromise] = {
    Withdrawn.KEEP: gettext_lazy("Their games count"),
    Withdrawn.STRIKE: gettext_lazy("Their games are struck if less than half were finished"),
}


def whole(
    label: StrOrPromise, *, least: int, most: int, initial: int, help: StrOrPromise = ""
) -> forms.Field:
    """A field for a whole number."""
    return forms.IntegerField(label=label, min_value=least, max_value=most, initial=initial, help_text=help)


class LeagueForm(forms.Form):
    """A league to found. ``settings`` is what the service takes."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    text = forms.CharField(
        label=gettext_lazy("What players should know"), max_length=4000, required=False, widget=forms.Textarea
    )
    preset = forms.ChoiceField(
        label=gettext_lazy("Rules"), choices=[(name, preset.title) for name, preset in PRESETS.items()]
    )
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Players at a table"), coerce=int, choices=[(n, n) for n in DEFAULT_POINTS]
    )
    clock = forms.ChoiceField(label=gettext_lazy("Clock"), choices=list(NAMES.items()), initial="steady")
    best_of = forms.TypedChoiceField(
        label=gettext_lazy("Games in a match"),
        coerce=int,
        choices=[(n, BEST_OF[n]) for n in BEST_OF],
        help_text=gettext_lazy("More than one in duels only."),
    )
    schedule = forms.ChoiceField(label=gettext_lazy("Who meets whom"), choices=list(SCHEDULES.items()))
    rounds = whole(
        gettext_lazy("Rounds"),
        least=1,
        most=60,
        initial=1,
        help=gettext_lazy("In duels of everybody with everybody: how often each two meet."),
    )
    division_size = whole(gettext_lazy("Players in a division at most"), least=2, most=60, initial=8)
    up = whole(gettext_lazy("Players who move up"), least=0, most=30, initial=2)
    down = whole(gettext_lazy("Players who move down"), least=0, most=30, initial=2)
    withdrawn = forms.ChoiceField(
        label=gettext_lazy("When somebody withdraws"), choices=list(WITHDRAWN.items())
    )
    registration = whole(gettext_lazy("Days of registration"), least=0, most=60, initial=7)
    length = whole(gettext_lazy("Days of a season at most"), least=1, most=400, initial=90)
    rated = forms.BooleanField(label=gettext_lazy("The games are rated"), required=False, initial=True)
    settings: LeagueSettings | None = None

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        slug = slugify(name)
        if not slug or slug in RESERVED:
            raise forms.ValidationError(_("Choose a name with letters from A to Z or digits in it."))
        return name

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return given
        self.settings = _settings(given)
        for fault in dict.fromkeys(self.settings.faults()):
            self.add_error(faults.FIELDS.get(fault), faults.fault(fault))
        return given


def _settings(given: Mapping[str, Any]) -> LeagueSettings:
    """The league that *given* describes; whether there can be one, its faults say."""
    seats = given["seats"]
    return LeagueSettings(
        rules=PRESETS[given["preset"]].rules(seats=seats),
        standings=Rules(
            DEFAULT_POINTS[seats],
            given["best_of"],
            DUEL_TIE_BREAKS if seats == 2 else TABLE_TIE_BREAKS,
            Withdrawn(given["withdrawn"]),
            given["up"],
            given["down"],
        ),
        clock=CLOCKS[given["clock"]],
        rated=given["rated"],
        schedule=Schedule(given["schedule"]),
        rounds=given["rounds"],
        division_size=given["division_size"],
        registration=timedelta(days=given["registration"]),
        length=timedelta(days=given["length"]),
    )
