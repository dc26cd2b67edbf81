"""Forms of sanctions and appeals."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy

from accounts.models import Player
from accounts.texts import TextField
from games.exceptions import Refused
from games.models import Sanction, SanctionKind
from moderation.acts import sanctions, warning_templates
from moderation.acts.sanctions import LONGEST_APPEAL, LONGEST_REASON, LONGEST_WORDS, SanctionRequest
from moderation.models import AppealOutcome

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MOST_DAYS = sanctions.LONGEST.days
LARGEST = 2**63 - 1


class AppealForm(forms.Form):
    """Appeal against a sanction."""

    words = TextField(
        "appeal",
        label=gettext_lazy("What speaks against it"),
        max_length=LONGEST_APPEAL,
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    def read_words(self) -> str:
        """Return the text; empty if it is invalid."""
        return str(self.cleaned_data["words"]) if self.is_valid() else ""


class PersonForm(forms.Form):
    """An act about a person, with the version of them that was seen (``sanctions.load_version``)."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=LARGEST)

    def show_anew(self, version: int) -> None:
        """Reset the form to the present *version* of the person for the next try."""
        self.data = self.data.copy()  # type: ignore[attr-defined]
        self.data["version"] = str(version)  # type: ignore[index]


class ReasonForm(PersonForm):
    """Reason for the log."""

    reason = TextField(
        "reason",
        label=gettext_lazy("Reason, for moderators only"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy(
            "Write @name for other people. Names disappear from here when an account is closed."
        ),
    )


class WarnForm(ReasonForm):
    """A warning. If one is in force already a confirmation is required; *short* allows a day alone."""

    title = gettext_lazy("Warn")
    short_title: StrOrPromise = ""  # as far as moderators may impose it in their own matters
    kind = SanctionKind.WARNING
    more = gettext_lazy("Warn once more")

    template = forms.ChoiceField(label=gettext_lazy("Text, in the player's language"), required=False)
    words = TextField(
        "words",
        label=gettext_lazy("Your own words, as you write them"),
        required=False,
        max_length=LONGEST_WORDS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    about = TextField(
        "subject",
        label=gettext_lazy("Source, such as “incident 12”"),
        required=False,
        max_length=100,
    )
    incident = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=1, max_value=LARGEST)
    again = forms.BooleanField(required=False)
    field_order = ("again", "template", "words", "days", "about", "reason")

    def __init__(self, *args: object, stands: bool = False, short: bool = False, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["again"].label = self.more
        if not stands:
            del self.fields["again"]
        if short and "days" in self.fields:
            self.fields["days"] = forms.IntegerField(
                label=self.fields["days"].label, min_value=1, max_value=1, initial=1
            )
            self.order_fields(self.field_order)
        own = ("", gettext_lazy("only your own words"))
        self.fields["template"].choices = [own, *warning_templates.list_titles()]  # type: ignore[attr-defined]

    def clean(self) -> None:
        if not (self.cleaned_data.get("template") or self.cleaned_data.get("words")):
            raise forms.ValidationError(Refused("sanction_words").message, code="sanction_words")

    def build_request(self, player: Player, who: Player, now: datetime) -> SanctionRequest:
        """Build the request of a valid form."""
        data = self.cleaned_data
        return SanctionRequest(
            player,
            who,
            data["reason"],
            now,
            data["template"],
            data["words"],
            data["about"],
            incident=data["incident"],
            expected_version=data["version"],
            again=data.get("again", False),
        )

    def impose(self, asked: SanctionRequest) -> Sanction:
        """Impose the sanction.

        :raises Refused: it is refused
        """
        return sanctions.impose(self.kind, asked, self.ends(asked.now))

    def ends(self, now: datetime) -> datetime | None:
        """Return the end, if it has one."""
        return None


class MuteForm(WarnForm):
    """A mute, with its length."""

    title = gettext_lazy("Mute")
    short_title = gettext_lazy("Mute for a day")
    kind = SanctionKind.MUTE
    more = gettext_lazy("Lengthen it")

    days = forms.IntegerField(label=gettext_lazy("Days"), min_value=1, max_value=MOST_DAYS, initial=7)

    def ends(self, now: datetime) -> datetime | None:
        return now + timedelta(days=self.cleaned_data["days"])


class SuspendForm(MuteForm):
    """A suspension, with its length."""

    title = gettext_lazy("Suspend")
    short_title = gettext_lazy("Suspend for a day")
    kind = SanctionKind.SUSPENSION


IMPOSE: dict[str, type[WarnForm]] = {"warn": WarnForm, "mute": MuteForm, "suspend": SuspendForm}
"""Forms by the last part of the URL."""


class AnswerForm(PersonForm):
    """The answer to an appeal."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Outcome"), choices=AppealOutcome.choices, widget=forms.RadioSelect
    )
    days = forms.IntegerField(
        label=gettext_lazy("If it ends earlier: days from now"),
        required=False,
        min_value=0,
        max_value=MOST_DAYS,
    )
    words = TextField(
        "words",
        label=gettext_lazy("Answer to the player"),
        max_length=LONGEST_WORDS,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def ends(self, now: datetime) -> datetime | None:
        """Return the new end of a valid form, if one is given."""
        days: int | None = self.cleaned_data["days"]
        return None if days is None else now + timedelta(days=days)
