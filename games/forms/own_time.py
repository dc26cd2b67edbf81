"""The forms of a player's own time: rest hours and weekend, holidays, an emergency."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Player
from accounts.zones import TimeZoneField, show_stored_zone
from games import clocks
from games.clocks import Calendar, Piece
from games.forms.dates import validate_year

FAULTS = {
    "rest": gettext_lazy("Rest hours are at most 12 hours a day."),
    "weekend": gettext_lazy("A weekend has at most three days."),
}
FIELDS = {"rest": "rest_to", "weekend": "weekend_days"}


class HoursForm(forms.ModelForm):
    """A player's time zone, rest hours and weekend, and automatic holidays (CLOCK-4)."""

    time_zone = TimeZoneField()
    weekend_days = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Your weekend days"),
        choices=WEEKDAYS.items(),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Up to three. They stop the clock in games where that was agreed."),
    )

    class Meta:
        model = Player
        fields = ["rest_from", "rest_to", "weekend_days", "time_zone", "auto_holiday"]
        widgets = {
            name: forms.TimeInput(attrs={"type": "time"}, format="%H:%M") for name in ("rest_from", "rest_to")
        }
        labels = {"rest_from": gettext_lazy("Rest from"), "rest_to": gettext_lazy("Rest to")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        show_stored_zone(self)

    def clean(self) -> dict[str, Any]:
        """Require both ends of rest hours, or neither."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        begin, end = data.get("rest_from"), data.get("rest_to")
        if self.errors:
            return data
        if (begin is None) != (end is None):
            raise ValidationError({"rest_to": _("Fill in both times, or neither.")})
        rest = None if begin is None or end is None else (begin, end)
        calendar = Calendar(data["time_zone"], rest, frozenset(data["weekend_days"]))
        for fault in calendar.faults():
            self.add_error(FIELDS[fault], str(FAULTS[fault]))
        return data

    def save(self, commit: bool = True) -> Player:
        """Save only these columns: the account may have been changed or closed since it was loaded."""
        player: Player = super().save(commit=False)
        if commit:
            player.save(update_fields=list(self.fields))
        return player


class HolidayForm(forms.Form):
    """A holiday from now on, or from a day on, in the zone that is active."""

    begin = forms.DateField(
        validators=[validate_year],
        label=gettext_lazy("From"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("Leave it empty to start right away."),
    )
    end = forms.DateField(
        validators=[validate_year],
        label=gettext_lazy("Last day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, *args: Any, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.now = now

    def clean(self) -> dict[str, Any]:
        """Require a last day that is not before the first."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        begin, end = data.get("begin"), data.get("end")
        if end is not None and end < (begin or timezone.localtime(self.now).date()):
            self.add_error("end", _("The last day is before the first."))
        return data

    @property
    def piece(self) -> Piece:
        """The holiday in a valid form: today begins now, and the last day is included.

        A day on which clocks change counts as a whole day.
        """
        first, last = self.cleaned_data["begin"], self.cleaned_data["end"]
        end = _midnight(last + timedelta(days=1))
        if first is None or first == timezone.localtime(self.now).date():
            return Piece(self.now, end)
        begin, days = _midnight(first), (last - first).days + 1
        if days == clocks.SHORTEST_PIECE.days:
            end = max(end, begin + clocks.SHORTEST_PIECE)
        elif days == clocks.AT_A_STRETCH.days:
            end = min(end, begin + clocks.AT_A_STRETCH)
        return Piece(begin, end)


class EmergencyForm(forms.Form):
    """The time for which all games stand still."""

    days = forms.TypedChoiceField(
        label=gettext_lazy("Days"),
        choices=[(days, str(days)) for days in range(1, clocks.EMERGENCY.days + 1)],
        coerce=int,
        initial=7,
    )


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time())).astimezone(UTC)
