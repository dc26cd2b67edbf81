"""The form to found a league, which builds ``LeagueSettings`` from the fields of their table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.texts import TextField
from games.clocks import PRESETS as CLOCKS
from games.clocks import AtEnd
from games.forms.dates import validate_year
from games.tables.presets import PRESETS
from leagues.calendar import SeasonCalendar, build_calendar
from leagues.exceptions import LeagueRefused
from leagues.forms.formats import FormatFields, suggest_spans
from leagues.forms.player_names import PlayerNameField
from leagues.schedules.team_rules import TeamRules
from leagues.seasons.founding import check_calendar
from leagues.setting_fields import in_every_format, list_settings, whole
from leagues.setting_words import ALONE, TEAMS, WORLD
from leagues.settings import POINTS, TIES, LeagueSettings, Schedule
from leagues.standings import DEFAULT_POINTS, DUPLICATE, Rules

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

RESERVED = frozenset({"new"})
"""Slugs that are taken by other pages."""

SECTIONS: Sequence[tuple[StrOrPromise, Sequence[str]]] = (
    ("", ("name", "text")),
    (gettext_lazy("Format"), ("sides", "schedule", "seats", "best_of", "preset", "rated")),
    (
        gettext_lazy("Players and rounds"),
        (
            *("expected", "division_size", "rounds", "up", "down", "seeding", "from_group"),
            *("third_place", "reset"),
            *("reach", "rest", "challenge_length", "declines"),
            *("boards", "least", "most", "line_up_hours", "round_days"),
        ),
    ),
    (
        gettext_lazy("Time"),
        ("clock", "at_end", "begins", "registration", "length", "protest", "again"),
    ),
    ("", ("reason",)),
)
"""Sections of the form with their fields, of which each format has some."""

FOLDS: Sequence[tuple[StrOrPromise, Sequence[str]]] = (
    (gettext_lazy("Points, tie-breaks and withdrawing"), (*POINTS, *TIES, "withdrawn")),
    (gettext_lazy("The same tiles for everyone"), ("duplicate", "comparison")),
    (gettext_lazy("Something at stake"), ("prize", "second")),
    (gettext_lazy("Joining"), ("admission", "most_players", "late_until")),
)
"""Folded sections of rarely changed fields."""

SPANS = ("length", "challenge_length")
"""Fields with suggestions that need all other settings."""

NOON = time(12)
LATEST_BEGINNING = timedelta(days=365)

PREVIEW_ONLY = frozenset({"name", "text", "reason"})
"""Fields whose errors don't prevent the preview of the calendar."""


class FieldSection(NamedTuple):
    """Section of a form's fields."""

    title: str
    fields: list[BoundField]
    open: bool


class LeagueForm(forms.Form):
    """A league to found; ``settings`` is passed to the service."""

    kind: ClassVar[type[LeagueSettings]] = LeagueSettings

    name = TextField("league", label=gettext_lazy("Name"))
    text = TextField(
        "description",
        label=gettext_lazy("What players should know"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    expected = whole(
        2,
        2000,
        gettext_lazy("Players you expect"),
        help_text=gettext_lazy("The calendar is worked out for so many. More or fewer can come."),
        required=False,
    )
    begins = forms.DateField(
        validators=[validate_year],
        label=gettext_lazy("First day of the first season"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("It starts at noon. Empty: when the days of registration are over."),
    )
    second = PlayerNameField(
        label=gettext_lazy("Second organiser"),
        required=False,
        help_text=gettext_lazy("The name of a player who organises the league with you."),
    )
    shown = TextField("shown", required=False, widget=forms.HiddenInput)
    sure = forms.BooleanField(
        label=gettext_lazy("Start it anyway: many games will be cut off"), required=False
    )
    sure_of = forms.IntegerField(required=False, widget=forms.HiddenInput)
    settings: LeagueSettings | None = None
    calendar: SeasonCalendar | None = None
    players: int  # that are expected
    now: datetime

    def __init__(self, *args: Any, calendar_only: bool = False, **kwargs: Any) -> None:
        """Build the form; with *calendar_only* it only computes the calendar, so nothing else is required."""
        super().__init__(*args, **kwargs)
        self.calendar_only, self.now = calendar_only, timezone.now()
        self.fields["name"].required = not calendar_only
        self._fit_to_format()

    def _fit_to_format(self) -> None:
        """Add the fields of the format, and suggest values for those that may be empty."""
        defaults = list_defaults(self.kind)
        given = self.data if self.is_bound else {**defaults, **self.initial}
        self.format = FormatFields.read(given)
        for each in self.format.list_settings(self.kind):
            self.fields[each.name] = field = deepcopy(each.field)
            field.initial = defaults.get(each.name)
        for name, label in self.format.list_labels().items():
            if name in self.fields:
                self.fields[name].label = label
        if self.is_bound:  # fields that another format didn't show were not submitted
            new = {
                each.name: each.field.prepare_value(defaults[each.name])
                for each in list_settings(self.kind)
                if each.formats is not in_every_format and each.name in defaults
            }
            self.data = {**new, **{name: given[name] for name in given}}
        else:
            self.settings = self._reckon(given)

    @property
    def sections(self) -> list[FieldSection]:
        """The fields that every league needs, by section."""
        placed = {name for _title, names in (*SECTIONS, *FOLDS) for name in names}
        others = [field.name for field in self.visible_fields() if field.name not in placed | {"sure"}]
        return self._list_sections([*SECTIONS, ("", others)])

    @property
    def folds(self) -> list[FieldSection]:
        """Folded sections of rarely changed fields; open where there is an error."""
        return self._list_sections(FOLDS)

    def _list_sections(self, listed: Sequence[tuple[StrOrPromise, Sequence[str]]]) -> list[FieldSection]:
        return [
            FieldSection(str(title), fields, any(field.errors for field in fields))
            for title, names in listed
            if (fields := [self[name] for name in names if name in self.fields])
        ]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        slug = slugify(name)
        if (not slug or slug in RESERVED) and not (self.calendar_only and not name):
            raise forms.ValidationError(_("Choose a name with letters from A to Z or digits in it."))
        return name

    def clean_begins(self) -> date | None:
        chosen: date | None = self.cleaned_data["begins"]
        today = timezone.localtime(self.now).date()
        if chosen is not None and not today < chosen <= today + LATEST_BEGINNING:
            raise forms.ValidationError(_("Choose a day after today, and within a year."))
        return chosen

    @property
    def first_beginning(self) -> datetime | None:
        """The chosen beginning of the first season, if any."""
        return compute_beginning(self.cleaned_data.get("begins"))

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if set(self.errors) - PREVIEW_ONLY:
            return given
        self.settings = self._reckon(given)
        for fault in dict.fromkeys(self.settings.faults()):
            field, message = describe_fault(self.kind, fault)
            self.add_error(field if field in self.fields else None, message)
            self.calendar = None
        if not self._is_sure(given):  # a confirmation only holds for the calendar that was shown
            self.data = {name: value for name, value in self.data.items() if name != "sure"}
        if given.get("shown") and given["shown"] != self.format.key and not self.calendar_only:
            self.add_error(None, _("You've chosen another format. Check its fields, then go on."))
        elif self.calendar is not None and not self.calendar_only and (refused := self._find_refusal()):
            self.add_error("length" if "length" in self.fields else None, refused.message)
        elif (
            self.calendar is not None
            and self.calendar.late
            and not (self.calendar_only or self._is_sure(given))
        ):
            self.add_error("sure", _("Give the games more time, or say that you're sure."))
        return given

    def _reckon(self, given: Mapping[str, Any]) -> LeagueSettings:
        """The settings of *given*, with suggestions for empty fields. Sets the calendar."""
        chosen = {name: value for name, value in given.items() if value not in (None, "")}
        defaults, numbers = list_defaults(self.kind), self.format.suggest_numbers(chosen)
        kept: dict[str, Any] = {}
        if FormatFields.read({**defaults, **self.initial}) == self.format:  # others may not fit
            kept = {name: value for name, value in self.initial.items() if name not in self.fields}
        usual = {**defaults, "again": self.format.format.repeated}
        filled = {**usual, **numbers, **kept, **chosen}
        before = {name: value for name, value in filled.items() if name not in SPANS}
        spans = suggest_spans(build_settings(self.kind, before), filled["expected"])
        settings = build_settings(self.kind, {**spans, **filled})
        points = dict(zip(POINTS, DEFAULT_POINTS[settings.seats], strict=False))
        for name, value in {**numbers, **spans, **points}.items():
            if name in self.fields:
                field = self.fields[name]
                field.widget.attrs["placeholder"] = field.prepare_value(value)
        begins = compute_beginning(chosen.get("begins")) or self.now + settings.registration
        self.players = filled["expected"]
        self.calendar = build_calendar(settings, players=self.players, begins=begins)
        return settings

    def _find_refusal(self) -> LeagueRefused | None:
        """Return why the calendar is refused, whatever is confirmed (STAND-20)."""
        assert self.settings is not None
        try:
            check_calendar(self.settings, self.players)
        except LeagueRefused as refused:
            return refused
        return None

    def _is_sure(self, given: Mapping[str, Any]) -> bool:
        """Return whether the second yes was given, for this calendar."""
        days_late = None if self.calendar is None else self.calendar.days_late
        return bool(given["sure"]) and given["sure_of"] == days_late


def compute_beginning(day: date | None) -> datetime | None:
    """Return the beginning of a season on this *day*: noon."""
    return None if day is None else timezone.make_aware(datetime.combine(day, NOON))


def describe_fault(kind: type[LeagueSettings], fault: str) -> tuple[str | None, str]:
    """Return the field of a *fault*, if any, and its message."""
    for each in list_settings(kind):
        if fault in each.faults:
            return each.name, str(each.faults[fault])
    return None, _("A league can't work like this: {what}.").format(what=fault)


def list_defaults(kind: type[LeagueSettings]) -> dict[str, Any]:
    """Return what the fields begin with, by name, without those that may be empty."""
    usual = kind(rules=PRESETS["standard"].rules(seats=2), standings=Rules.usual(2))
    initial = {
        each.name: each.field.initial for each in list_settings(kind) if each.field.initial is not None
    }
    suggested = {each.name for each in list_settings(kind) if each.suggested}
    values = {**build_initial(usual), **initial}
    return {name: value for name, value in values.items() if name not in suggested}


def build_settings(kind: type[LeagueSettings], given: Mapping[str, Any]) -> LeagueSettings:
    """Build the settings of *given*. They may be invalid, see ``LeagueSettings.faults``."""
    made = kind(
        rules=PRESETS[given["preset"]].rules(seats=given["seats"]),
        standings=build_ranking(given),
        clock=CLOCKS[given["clock"]],
        teams=None if given["sides"] == ALONE else TeamRules(),
    )
    for each in list_settings(kind):
        if each.path and not each.made and each.name in given and each.get(made) is not None:
            made = each.put(made, given[each.name])
    return in_world_format(made) if given["sides"] == WORLD else made


def build_ranking(given: Mapping[str, Any]) -> Rules:
    """Build points and tie-breaks from *given*, or the defaults (STAND-1, 5)."""
    usual = Rules.usual(given["seats"], best_of=given["best_of"])
    points = tuple(given.get(name, worth) for name, worth in zip(POINTS, usual.points, strict=False))
    chosen = tuple(given[name] for name in TIES if name in given)
    rules = replace(usual, points=points, tie_breaks=chosen or usual.tie_breaks)
    return rules.comparing(given["comparison"])


def in_world_format(settings: LeagueSettings) -> LeagueSettings:
    """Return *settings* with the rules of the World Team Championship; what it leaves open stays."""
    return replace(
        settings,
        rules=PRESETS["standard"].rules(seats=2),
        standings=Rules.usual(2, best_of=3),
        duplicate=False,
        schedule=Schedule.GROUPS,
        rounds=1,
        teams=TeamRules(),
    )


def build_initial(settings: LeagueSettings) -> dict[str, Any]:
    """Return the initial values of the form for *settings*, as far as it can express them."""
    there = replace(settings, teams=settings.teams or TeamRules())
    plain_clock = replace(settings.clock, at_end=AtEnd.TIME)
    presets = (name for name, each in PRESETS.items() if each.rules(seats=settings.seats) == settings.rules)
    return {
        **{each.name: each.get(there) for each in list_settings(type(settings)) if each.path},
        "preset": next(presets, None),
        "clock": next((name for name, clock in CLOCKS.items() if clock == plain_clock), None),
        "sides": ALONE if settings.teams is None else TEAMS,
        **_initial_of_ranking(settings.standings),
    }


def _initial_of_ranking(standings: Rules) -> dict[str, Any]:
    """Points and tie-breaks that aren't the defaults."""
    usual = Rules.usual(standings.seats)
    points = standings.points if standings.points not in (usual.points, (0,) * standings.seats) else ()
    ties = tuple(name for name in standings.tie_breaks if name != DUPLICATE)
    ties = ties if ties != usual.tie_breaks and standings.counts_points else ()
    return {**dict(zip(POINTS, points, strict=False)), **dict(zip(TIES, ties, strict=False))}
