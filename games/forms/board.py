"""The forms of a game's page."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.notice_preferences import Timing
from accounts.texts import TextField
from games import words
from games.forms.dates import validate_year
from games.models import Transfers
from games.play.claims import FEWEST_DAYS, MOST_DAYS
from games.rules import Action
from games.rules.notation import MAX_TYPED_LINE, BadNotation, read_any

OLD_PAGE = _("This page was out of date or had been changed. Here is the board as it is now.")


class ComplainingForm(forms.Form):
    """A form whose errors are shown as sentences, not beside its fields."""

    @property
    def complaint(self) -> str:
        """The errors, as sentences."""
        return " ".join(str(error) for errors in self.errors.values() for error in errors)


class PlayForm(ComplainingForm):
    """A turn as one line of notation, and the version of the board on which it was put together."""

    version = forms.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        widget=forms.HiddenInput,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), OLD_PAGE),
    )
    line = TextField(
        "turn",
        label=_("Your turn as a line"),
        max_length=MAX_TYPED_LINE,
        error_messages={"required": _("Choose a space for the tile, or type your turn as a line.")},
    )

    def action(self, drawn: str | None) -> Action | None:
        """The turn or the answer that the valid form says, with the tile *drawn* where a turn names none.

        ``None``, and an error in the form, where the line is neither.
        """
        try:
            return read_any(self.cleaned_data["line"], tile=drawn)
        except BadNotation as error:
            self.add_error("line", words.explain_bad_line(error))
            return None


class PlanForm(PlayForm):
    """A planned turn, optionally for any tile that fits that way."""

    any_tile = forms.BooleanField(required=False)


class PlanOrderForm(forms.Form):
    """The act on a plan of the list."""

    plan = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    do = forms.ChoiceField(choices=[("up", ""), ("remove", "")])


class TransfersForm(forms.Form):
    """A seat's standing answer about Carcassonne."""

    transfers = forms.ChoiceField(
        label=_("When I may move figures out of Carcassonne"), choices=Transfers, widget=forms.RadioSelect
    )

    @classmethod
    def showing(cls, answer: str | None) -> "TransfersForm | None":
        """The form with the standing *answer* chosen; none where there is none to give."""
        return None if answer is None else cls(initial={"transfers": answer})


def list_timing_choices() -> list[tuple[str, object]]:
    """Return "as in your settings", and the timings."""
    return [("", _("as in your settings")), *((timing.value, timing.label) for timing in Timing)]


class SeatNoticesForm(forms.Form):
    """The timing of notices about a game."""

    notice_timing = forms.ChoiceField(
        label=_("Tell me about this game"), choices=list_timing_choices, required=False
    )

    @classmethod
    def showing(cls, timing: str | None) -> "SeatNoticesForm | None":
        """The form with *timing* chosen; none where there is nothing to choose."""
        return None if timing is None else cls(initial={"notice_timing": timing})


class TalkForm(forms.Form):
    """A line of table talk. Its length is checked by the service."""

    text = TextField("talk", required=False, max_length=20_000)

    def read_text(self) -> str:
        self.is_valid()
        text: Any = self.cleaned_data.get("text", self.data.get("text", ""))
        return str(text)


class StepForm(forms.Form):
    """The step chosen on the slider."""

    to = forms.IntegerField(min_value=0, max_value=10_000)


class PrivateNoteForm(ComplainingForm):
    """A private note, with its ply, if it is not about the whole game, and the revision that it replaces."""

    ply = forms.IntegerField(required=False, min_value=0, max_value=10_000)
    revision = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    text = TextField("note", required=False, max_length=None)


class UntilForm(forms.Form):
    """The step at which playing back stops."""

    until = forms.IntegerField(min_value=0, max_value=10_000)

    def of(self, at: int, last: int) -> int | None:
        """Return that step, if it is between *at* and *last*."""
        until: int | None = self.cleaned_data["until"] if self.is_valid() else None
        return until if until is not None and at <= until <= last else None


class ShownSeatForm(forms.Form):
    """The seat of which something is shown."""

    seat = forms.IntegerField(min_value=0)

    def of(self, places: int) -> int | None:
        """Return that seat, if there are so many *places*."""
        seat: int | None = self.cleaned_data["seat"] if self.is_valid() else None
        return seat if seat is not None and seat < places else None


class GiveForm(forms.Form):
    """Days that are given to the opponent at a seat, or to all."""

    to = forms.IntegerField(required=False, min_value=0)
    days = forms.IntegerField(min_value=FEWEST_DAYS, max_value=MOST_DAYS)


class PauseOfferForm(ComplainingForm):
    """The time until which a game shall be paused."""

    until = forms.DateField(
        validators=[validate_year],
        label=_("Paused through"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": _("Choose the last day of the pause.")},
    )

    @property
    def end(self) -> datetime:
        """The midnight after that day, in the player's zone."""
        after: date = self.cleaned_data["until"] + timedelta(days=1)
        return timezone.make_aware(datetime.combine(after, time()))
