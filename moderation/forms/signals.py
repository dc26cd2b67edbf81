"""Verdict of a moderator on a signal."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.texts import TextField
from moderation.fair_play.signals import LONGEST_REASON
from moderation.models import SignalVerdict


class VerdictForm(forms.Form):
    """A verdict, and why."""

    version = TextField("shown", widget=forms.HiddenInput, max_length=60)
    verdict = forms.ChoiceField(
        label=_("Your assessment"), choices=SignalVerdict.choices, widget=forms.RadioSelect
    )
    why = TextField(
        "reason",
        label=_("Why"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Other moderators will read it."),
    )
