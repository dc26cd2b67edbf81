"""Forms of reports, and of moderators' decisions on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.texts import TextField
from moderation.acts.reports import LONGEST_WORDS
from moderation.models import Category, Incident, Verdict
from moderation.words.reports import CATEGORIES

EXPLAINED = '<span>{} <span class="muted explained">{}</span></span>'
"""HTML of a choice with a line below it that explains it."""


class ReportForm(forms.Form):
    """A report. With *people*, who sit in a game, the person is chosen; with *turns* that were played, a turn
    may be."""

    about = forms.ChoiceField(label=gettext_lazy("Who are you reporting?"), widget=forms.RadioSelect)
    category = forms.ChoiceField(label=gettext_lazy("What's wrong?"), widget=forms.RadioSelect)
    ply = forms.IntegerField(
        label=gettext_lazy("Turn number"),
        required=False,
        help_text=gettext_lazy("If it's about one turn. You'll find the numbers in the game's history."),
    )
    words = TextField(
        "words",
        label=gettext_lazy("In your words"),
        required=False,
        max_length=LONGEST_WORDS,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Only moderators read it. Turns, times and messages are kept with it."),
    )

    def __init__(
        self,
        data: Mapping[str, str] | None,
        *,
        people: Sequence[tuple[str, str]] = (),
        turns: int = 0,
        ply: str = "",
    ) -> None:
        super().__init__(data, initial={"ply": ply if ply.isdecimal() and len(ply) < 6 else ""})
        explained = [
            (category, format_html(EXPLAINED, name, line)) for category, (name, line) in CATEGORIES.items()
        ]
        self.fields["category"].choices = explained  # type: ignore[attr-defined]
        if people:
            self.fields["about"].choices = people  # type: ignore[attr-defined]
            self.initial["about"] = people[0][0] if len(people) == 1 else None
        else:
            del self.fields["about"]
        if turns:
            self.fields["ply"] = forms.IntegerField(
                label=self.fields["ply"].label,
                required=False,
                min_value=1,
                max_value=turns,
                help_text=self.fields["ply"].help_text,
            )
        else:
            del self.fields["ply"]
        self.order_fields(["about", "category", "ply", "words"])

    @property
    def chosen(self) -> Category:
        """Return the category, of a valid form."""
        return Category(self.cleaned_data["category"])


class NameReportForm(forms.Form):
    """A report of a name."""

    words = ReportForm.base_fields["words"]
    chosen = Category.NAME


REMARK = TextField(
    "words",
    label=gettext_lazy("Why"),
    max_length=LONGEST_WORDS,
    widget=forms.Textarea(attrs={"rows": 3}),
    help_text=gettext_lazy("For other moderators. Nobody else can read it."),
)


class IncidentForm(forms.Form):
    """An act on an incident, with the version that the moderator has seen (``reports.load_version``)."""

    version = TextField("shown", widget=forms.HiddenInput, max_length=60)


class CloseIncidentForm(IncidentForm):
    """Verdict on *incident*, and on each of its reports if there are several."""

    verdict = forms.ChoiceField(label=gettext_lazy("Outcome"), choices=Verdict, widget=forms.RadioSelect)
    upheld = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Reports to uphold"),
        help_text=gettext_lazy("The others are not."),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    remark = REMARK

    def __init__(self, *args: object, incident: Incident, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        reports = _list_reports(incident)
        self.fields["upheld"].choices = reports  # type: ignore[attr-defined]
        if len(reports) < 2:
            del self.fields["upheld"]

    @property
    def chosen(self) -> list[int]:
        """The reports to uphold, of a valid form; none if there is only one report."""
        return self.cleaned_data.get("upheld", [])


def _list_reports(incident: Incident) -> list[tuple[int, str]]:
    """Return the reports of *incident* as choices, by their key; one query."""
    lines = []
    for report in incident.reports.select_related("reporter").order_by("pk"):
        facts = {"name": report.reporter.username, "category": report.get_category_display()}
        line = _("{name}: {category}").format(**facts)
        if report.ply is not None:
            line = _("{line}, turn {n}").format(line=line, n=report.ply)
        elif report.message_id is not None:
            line = _("{line}, a message").format(line=line)
        lines.append((report.pk, line))
    return lines


class ReopenIncidentForm(IncidentForm):
    """Reason to reopen an incident."""

    remark = REMARK
