"""Forms of requests to organisers."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.texts import TextField
from leagues.models import RequestKind


class AskForm(forms.Form):
    """A request to the organisers of a league."""

    kind = forms.ChoiceField(label=_("Topic"), choices=RequestKind)
    text = TextField(
        "words",
        label=_("Your question"),
        help_text=_("Only you and the organisers can read it."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class RequestAnswerForm(forms.Form):
    """The answer to a request."""

    text = TextField(
        "words",
        label=_("Your answer"),
        help_text=_("We'll email it to the player who asked."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
