"""Form of a player's notice preferences."""

from __future__ import annotations

from datetime import time
from typing import Any, NamedTuple

from django import forms
from django.forms import BoundField
from django.utils.formats import time_format
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.notice_preferences import (
    Channel,
    NoticeEvent,
    Timing,
    list_timings,
    read_reminder_hours,
    read_timing,
    set_timings,
)

MOST_HOURS = 240


class PreferenceRow(NamedTuple):
    """Row of the form's table: an event with its fields, one for each channel."""

    event: str
    cells: list[BoundField]


def list_hours() -> list[tuple[int, str]]:
    """The hours of a day, in the format of the active language."""
    return [(hour, time_format(time(hour), "TIME_FORMAT")) for hour in range(24)]


def build_hours_field(label: Any, **more: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=False, min_value=1, max_value=MOST_HOURS, **more)


class NoticePreferencesForm(forms.Form):
    """Timings by event and channel, the hour of the daily mail, and the hours of reminders.

    Fields that are not sent stay as they are. A channel gets a column once the player has enabled it.
    """

    digest_hour = forms.TypedChoiceField(
        label=_("Time of the daily email"), choices=list_hours, coerce=int, required=False, empty_value=None
    )
    first_reminder = build_hours_field(
        _("First reminder, hours before the deadline"),
        help_text=_("Leave both empty for the usual reminders: at half time, and a day before the deadline."),
    )
    second_reminder = build_hours_field(_("Second reminder, hours before the deadline"))

    def __init__(self, data: Any = None, *, player: Player) -> None:
        hours = read_reminder_hours(player)
        initial: dict[str, Any] = {"digest_hour": player.digest_hour}
        initial |= dict(zip(("first_reminder", "second_reminder"), hours, strict=False))
        super().__init__(data, initial=initial)
        self.player = player
        self.channels = [
            channel for channel in Channel if channel == Channel.EMAIL or channel in player.notice_timings
        ]
        for event in NoticeEvent:
            for channel in self.channels:
                label = f"{event.label} – {channel.label}"
                self.fields[name_cell(event, channel)] = forms.ChoiceField(
                    label=label,
                    widget=forms.Select(attrs={"aria-label": label}),
                    choices=[(timing.value, timing.label) for timing in list_timings(event, channel)],
                    initial=read_timing(player, event, channel).value,
                    required=False,
                )

    @property
    def rows(self) -> list[PreferenceRow]:
        """The rows of the table."""
        return [
            PreferenceRow(str(event.label), [self[name_cell(event, channel)] for channel in self.channels])
            for event in NoticeEvent
        ]

    def save(self) -> None:
        """Write the chosen preferences, and no other columns of the player."""
        choices = self.cleaned_data
        cells = {
            (event, channel): Timing(chosen)
            for event in NoticeEvent
            for channel in self.channels
            if (chosen := choices[name_cell(event, channel)])
        }
        set_timings(self.player, cells)
        if choices["digest_hour"] is not None:
            self.player.digest_hour = choices["digest_hour"]
        hours = {choices["first_reminder"], choices["second_reminder"]} - {None}
        self.player.reminder_hours = sorted(hours, reverse=True)
        self.player.save(update_fields=["notice_timings", "digest_hour", "reminder_hours"])


def name_cell(event: NoticeEvent, channel: Channel) -> str:
    """Return the name of the field of *event* and *channel*."""
    return f"{event.value}-{channel.value}"
