"""Forms of the moderators' desk: names, notes, warning texts and verdicts on signals."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Player
from accounts.texts import TextField
from games.exceptions import Refused
from games.words.sanctions import Text
from moderation.acts import warning_templates
from moderation.acts.moderator_notes import LONGEST_NOTE
from moderation.acts.named_things import LONGEST_REASON, NamedThing, RenameRequest
from moderation.fair_play import signals
from moderation.models import SignalVerdict

LONGEST_QUERY = 60


class RenameForm(forms.Form):
    """New name of a table, a team or a league, and why."""

    name = TextField("table", label=gettext_lazy("New name"))
    reason = TextField(
        "reason",
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("The people it concerns can read it. We don't name you."),
    )
    before = TextField("shown", widget=forms.HiddenInput, max_length=60)

    def __init__(self, thing: NamedThing, data: Mapping[str, str] | None) -> None:
        self.thing = thing
        super().__init__(data, initial={"before": thing.name})
        self.fields["name"] = TextField(thing.kind.value, label=self.fields["name"].label)
        self.order_fields(["name"])

    def build_request(self, who: Player, now: datetime) -> RenameRequest:
        """Build the request of a valid form."""
        data = self.cleaned_data
        return RenameRequest(self.thing, who, data["name"], data["reason"], data["before"], now)

    def show_anew(self, thing: NamedThing) -> None:
        """Reset the form to the present name for the next try."""
        self.data = {**self.data, "before": thing.name}


class ModeratorNoteForm(forms.Form):
    """A note about a player, for other moderators."""

    text = TextField(
        "note",
        label=gettext_lazy("New note"),
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Other moderators can read it, players never can. You can't change it later."),
    )


class ClearProfileForm(forms.Form):
    """Reason to remove a player's photo and line; the player reads it."""

    why = TextField("reason", label=gettext_lazy("Reason"), widget=forms.Textarea(attrs={"rows": 2}))


class DeskSearchForm(forms.Form):
    """Search at the desk."""

    q = TextField(
        "search",
        label=gettext_lazy("Name, game or words"),
        required=False,
        max_length=LONGEST_QUERY,
        widget=forms.SearchInput,
    )


class VerdictForm(forms.Form):
    """A verdict on a signal, with a reason."""

    version = TextField("shown", widget=forms.HiddenInput, max_length=60)
    verdict = forms.ChoiceField(
        label=gettext_lazy("Your assessment"), choices=SignalVerdict.choices, widget=forms.RadioSelect
    )
    why = TextField(
        "reason",
        label=gettext_lazy("Why"),
        max_length=signals.LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Other moderators will read it."),
    )


class TemplateForm(forms.Form):
    """A text of warnings: a title and a text in each language. Without *name* it is a new one."""

    name = forms.SlugField(
        label=gettext_lazy("Short name"),
        max_length=20,
        help_text=gettext_lazy("Small letters, digits and hyphens, such as “late-resign”."),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)

    def __init__(
        self, name: str, texts: Mapping[str, Text], seen: int, data: Mapping[str, str] | None
    ) -> None:
        super().__init__(data, initial={"seen": seen})
        self.template = name
        if name:
            del self.fields["name"]
        for language, spoken in settings.LANGUAGES:
            now = texts.get(language, Text("", ""))
            called = {"language": _(spoken)}
            self.fields[f"title_{language}"] = TextField(
                "subject",
                label=_("Title ({language})").format(**called),
                max_length=warning_templates.LONGEST_TITLE,
                required=False,
                initial=now.title,
            )
            self.fields[f"text_{language}"] = TextField(
                "words",
                label=_("Text ({language})").format(**called),
                max_length=warning_templates.LONGEST_TEXT,
                required=False,
                initial=now.text,
                widget=forms.Textarea(attrs={"rows": 3}),
            )

    def save(self, who: Player, now: datetime) -> str:
        """Save a valid form. Return the name of the text.

        :raises Refused: it can't be saved
        """
        data = self.cleaned_data
        name = self.template or data["name"]
        texts = {
            language: Text(data[f"title_{language}"], data[f"text_{language}"])
            for language, _spoken in settings.LANGUAGES
        }
        if not self.template and warning_templates.has_template(name):
            raise Refused("template_changed")
        warning_templates.save(name=name, texts=texts, who=who, seen=data["seen"], now=now)
        return name
