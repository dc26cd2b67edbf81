"""The part of the set-up form about the clock and timeouts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.clocks import (
    DAY,
    HOUR,
    LAST_STEPS,
    MOST_EXCUSES,
    PRESETS,
    ClockSettings,
    Counting,
    Ladder,
    TimeoutStep,
)
from games.forms.dates import validate_year
from games.words import clocks as words

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

USUAL = "steady"
SPANS = ("start", "gain", "cap", "grace", "surcharge_after", "total")
MODES = ("weekends", "holidays")
UNITS: Mapping[str, timedelta] = {"days": DAY, "hours": HOUR}
MOST_HOURS = 24 * 60  # a larger number is no span that a table may have, in any unit
LADDER: Mapping[str, str] = {"excuses": "1", "spend_holiday": "on", "last_step": ""}
"""Usual values of the fields about time-out, as a form sends them."""


class ClockCard(NamedTuple):
    """A clock preset to choose."""

    radio: forms.boundfield.BoundWidget
    name: StrOrPromise
    time: str


class SpanWidget(forms.MultiWidget):
    """A number and its unit. The value is a pair of both as submitted."""

    use_fieldset = False

    def __init__(self) -> None:
        number = forms.NumberInput(attrs={"inputmode": "numeric", "min": 0, "step": 1})
        units = [("days", gettext_lazy("days")), ("hours", gettext_lazy("hours"))]
        unit = forms.Select(attrs={"aria-label": gettext_lazy("Unit of time")}, choices=units)
        super().__init__(widgets={"": number, "unit": unit})

    def decompress(self, value: Any) -> list[Any]:
        return list(value or ("", "days"))

    def id_for_label(self, id_: str) -> str:
        """Return that of the number, which stands first."""
        return f"{id_}_0"


class SpanField(forms.MultiValueField):
    """A field for a number of days or hours, as a ``timedelta``; ``None`` if it is optional and empty."""

    widget = SpanWidget

    def __init__(self, **more: Any) -> None:
        number = forms.IntegerField(min_value=0, max_value=MOST_HOURS)
        unit = forms.ChoiceField(choices=[(name, name) for name in UNITS])
        super().__init__((number, unit), require_all_fields=False, **more)
        for field in self.fields:
            field.required = False

    def clean(self, value: Any) -> timedelta | None:
        span: timedelta | None = super().clean(value)
        if span is None and self.required:
            raise ValidationError(self.error_messages["required"], code="required")
        return span

    def compress(self, data_list: list[Any]) -> timedelta | None:
        if not data_list or data_list[0] is None:
            return None
        number, unit = data_list
        span: timedelta = number * UNITS[unit or "days"]
        return span


def _counting() -> list[tuple[str, StrOrPromise]]:
    return [
        (Counting.COUNT.value, pgettext_lazy("of weekends or holidays", "count")),
        (Counting.STOP.value, pgettext_lazy("of weekends or holidays", "stop the clock")),
    ]


class ClockForm(forms.Form):
    """Clock presets, followed by their values. The values show one preset (``clock_filled``); values that
    differ from it were changed by hand, and are kept when another preset is chosen.

    ``cleaned_data`` has the result as ``clock_settings``, unless a value is wrong.
    """

    clock = forms.ChoiceField(
        label=gettext_lazy("Clock"),
        choices=list(words.NAMES.items()),
        widget=forms.RadioSelect,
    )
    clock_filled = forms.ChoiceField(
        choices=[(name, name) for name in PRESETS], widget=forms.HiddenInput, required=False
    )
    clock_start = SpanField(label=gettext_lazy("At first"))
    clock_gain = SpanField(label=gettext_lazy("More with each turn"))
    clock_cap = SpanField(label=gettext_lazy("Up to"))
    clock_grace = SpanField(
        label=gettext_lazy("Free in each turn"),
        help_text=gettext_lazy("Turns played within it cost nothing."),
    )
    clock_surcharge_after = SpanField(
        label=gettext_lazy("Counts double beyond"),
        required=False,
        help_text=gettext_lazy("For one turn; leave empty for never."),
    )
    clock_total = SpanField(
        label=gettext_lazy("For the whole game"),
        required=False,
        help_text=gettext_lazy("The most one player can use in total; leave empty for no limit."),
    )
    clock_ends = forms.DateTimeField(
        validators=[validate_year],
        label=gettext_lazy("Hard end"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=gettext_lazy("No turn can run past this date, whatever the reason. Usually left empty."),
    )
    clock_weekends = forms.ChoiceField(
        label=gettext_lazy("Weekends"),
        choices=_counting,
        help_text=gettext_lazy("The days each player has chosen as their weekend."),
    )
    clock_holidays = forms.ChoiceField(
        label=gettext_lazy("Holidays"),
        choices=_counting,
        help_text=gettext_lazy("Each player has some days a year."),
    )
    excuses = forms.TypedChoiceField(
        label=gettext_lazy("Excused time-outs"),
        choices=[(n, n) for n in range(MOST_EXCUSES + 1)],
        coerce=int,
        help_text=gettext_lazy("For each player in this game."),
    )
    spend_holiday = forms.TypedChoiceField(
        label=gettext_lazy("Then a day of holiday starts automatically"),
        choices=[("on", gettext_lazy("yes")), ("no", gettext_lazy("no"))],
        coerce=lambda value: value == "on",
        help_text=gettext_lazy("If holidays stop the clock, and the player has some left."),
    )
    last_step = forms.ChoiceField(
        label=gettext_lazy("And finally"),
        choices=[
            ("", gettext_lazy("a loss with two players, otherwise offered to a substitute")),
            *((step.value, words.LAST[step]) for step in LAST_STEPS),
        ],
        required=False,
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *args: Any, **kwargs: Any) -> None:
        if data is not None:
            data = fill_in_clock(data.dict() if isinstance(data, MultiValueDict) else data)
        self._shown = {**as_sent(USUAL), **LADDER, **kwargs.get("initial", {})}
        pairs = {_name(span): [self._shown[_name(span)], self._shown[_unit(span)]] for span in SPANS}
        kwargs["initial"] = {**self._shown, **pairs}
        super().__init__(data, *args, **kwargs)

    def clean(self) -> None:
        super().clean()
        data = self.cleaned_data
        if any(name in self.errors for name in CLOCK_FIELDS):
            return
        spans = {name: data[_name(name)] for name in SPANS}
        clock = ClockSettings(
            **spans,
            ends=data["clock_ends"],
            weekends=Counting(data["clock_weekends"]),
            holidays=Counting(data["clock_holidays"]),
        )
        for fault in dict.fromkeys(clock.faults()):
            self.add_error(_name(fault), str(words.FAULTS[fault]))
        if not any(name in self.errors for name in CLOCK_FIELDS):
            data["clock_settings"] = clock

    @property
    def clock_cards(self) -> list[ClockCard]:
        """The clock presets."""
        return [
            ClockCard(radio, radio.choice_label, words.format_usual_time(PRESETS[radio.data["value"]]))
            for radio in self["clock"]
        ]

    @property
    def chosen_clock(self) -> ClockSettings | None:
        """The clock according to the fields, if they are valid."""
        if not self.is_bound:
            return ClockForm(self._shown).chosen_clock
        self.is_valid()
        return self.cleaned_data.get("clock_settings")

    def chosen_ladder(self, seats: int) -> Ladder:
        """Return the timeout settings for so many *seats*, with defaults for invalid fields."""
        if not self.is_bound:
            return ClockForm(self._shown).chosen_ladder(seats)
        self.is_valid()
        data, usual = self.cleaned_data, Ladder.usual(seats)
        return Ladder(
            excuses=data.get("excuses", usual.excuses),
            holiday=data.get("spend_holiday", usual.holiday),
            last=TimeoutStep(data.get("last_step") or usual.last),
        )

    @property
    def bank_fields(self) -> list[forms.BoundField]:
        """The values of the clock."""
        return [self[_name(name)] for name in (*SPANS, "ends", *MODES)]

    @property
    def time_out_fields(self) -> list[forms.BoundField]:
        """The fields about timeouts."""
        return [self[name] for name in LADDER]

    @property
    def wrong_in_clock(self) -> bool:
        """Return whether a collapsed field has an error."""
        folded = {*CLOCK_FIELDS, *LADDER} - {"clock"}
        return any(name in folded for name in self.errors)

    @property
    def wrong_clock(self) -> str:
        """The first error in the clock, with the name of the field."""
        for field in self.bank_fields:
            for error in field.errors:
                return f"{field.label}: {error}"
        return ""

    @property
    def clock_differing(self) -> str:
        """The number of values that differ from the chosen preset, in words."""
        shown = self.data if self.is_bound else self._shown
        usual = {**as_sent(shown.get("clock", "")), **LADDER}
        changed = {
            name.removesuffix("_unit") for name, value in usual.items() if shown.get(name, "") != value
        } - {"clock", "clock_filled"}
        if not changed:
            return ""
        return ngettext("{n} value changed", "{n} values changed", len(changed)).format(n=len(changed))


def as_sent(name: str) -> dict[str, str]:
    """Return the fields of the preset *name*, or else of the default one, as a browser submits them."""
    name = name if name in PRESETS else USUAL
    clock = PRESETS[name]
    sent = {"clock": name, "clock_filled": name, "clock_ends": ""}
    for span in SPANS:
        length = getattr(clock, span)
        unit = "hours" if length is not None and length % DAY else "days"
        sent |= {_name(span): "" if length is None else str(length // UNITS[unit]), _unit(span): unit}
    return sent | {_name(mode): getattr(clock, mode).value for mode in MODES}


def fill_in_clock(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields *sent*, with the chosen preset's values wherever they were not changed by hand."""
    before, after = as_sent(sent.get("clock_filled", "")), as_sent(sent.get("clock", ""))
    values = {**LADDER, **sent, "clock_filled": after["clock_filled"]}
    for names in [(_name(span), _unit(span)) for span in SPANS] + [(_name(mode),) for mode in MODES]:
        if all(sent.get(name) in (None, before[name]) for name in names):
            values |= {name: after[name] for name in names}
    return values


def _name(value: str) -> str:
    return f"clock_{value}"


def _unit(value: str) -> str:
    return f"clock_{value}_unit"


CLOCK_FIELDS = ("clock", *(_name(name) for name in (*SPANS, "ends", *MODES)))
"""Names of all fields that make up a clock."""
