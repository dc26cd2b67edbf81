"""The form to found a league, which builds ``LeagueSettings``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.text import format_lazy, slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.texts import TextField
from games.clocks import HOUR, AtEnd
from games.clocks import PRESETS as CLOCKS
from games.forms.dates import validate_year
from games.tables.presets import PRESETS
from games.words.clocks import AT_END_CHOICES, NAMES
from games.words.grammar import format_ordinal
from leagues.calendar import SeasonCalendar, build_calendar
from leagues.forms.formats import (
    CUP,
    KEYS,
    LADDER,
    OWN_FIELDS,
    POINTS,
    TEAM,
    TIES,
    Format,
    set_lengths,
    suggest_days,
)
from leagues.forms.team import TeamFields, build_team_initial, build_with_teams, whole
from leagues.pages.founding import CalendarPage, build_calendar_page
from leagues.schedules import LadderRules
from leagues.settings import (
    MOST_DECLINES,
    Admission,
    ChallengeRules,
    CupRules,
    LeagueSettings,
    Schedule,
    Seeding,
)
from leagues.standings import DEFAULT_POINTS, DUPLICATE, ComparisonRule, Rules, Withdrawn
from leagues.standings import TIE_BREAKS as RANKED_BY
from leagues.words import faults
from leagues.words.criteria import NAMES as NAMES_OF_TIES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MOST_TIES = 1 << 15
"""More matches than the first round of any knock-out can have."""

RESERVED = frozenset({"new"})
"""Slugs that are taken by other pages."""

SCHEDULES: Mapping[Schedule, StrOrPromise] = {
    Schedule.ROUND_ROBIN: gettext_lazy("Everyone plays everyone"),
    Schedule.SWISS: gettext_lazy("Swiss system, for duels"),
    Schedule.KNOCK_OUT: gettext_lazy("Knock-out, for duels"),
    Schedule.GROUPS: gettext_lazy("Groups, then a knock-out, for duels"),
    Schedule.LADDER: gettext_lazy("Ladder with challenges, for duels"),
}
SEEDINGS: Mapping[Seeding, StrOrPromise] = {
    Seeding.RATING: gettext_lazy("by rating"),
    Seeding.REGISTRATION: gettext_lazy("in order of registration"),
    Seeding.POTS: gettext_lazy("drawn from pots by rating"),
}
TIE_BREAKS = [("", "–"), *((name, NAMES_OF_TIES[name]) for name in RANKED_BY if name != DUPLICATE)]
ADMISSIONS: Mapping[Admission, StrOrPromise] = {
    Admission.OPEN: gettext_lazy("Anyone"),
    Admission.LINK: gettext_lazy("Anyone with the link that you share"),
    Admission.APPROVAL: gettext_lazy("Anyone whom you let in"),
}
"""Choices for registration in a season."""

COURSES: Mapping[str, StrOrPromise] = {
    "": gettext_lazy("As usual for the format"),
    "again": gettext_lazy("The next season opens"),
    "once": gettext_lazy("The tournament is over"),
}
"""Choices for the course of the league after a season."""

LATE_BEST_OF: Mapping[int, StrOrPromise] = {
    0: gettext_lazy("as many as in all other matches"),
    3: gettext_lazy("best of 3"),
    5: gettext_lazy("best of 5"),
    7: gettext_lazy("best of 7"),
}
LATE: Mapping[int, StrOrPromise] = {
    1: gettext_lazy("the final"),
    2: gettext_lazy("the semi-finals on"),
    4: gettext_lazy("the quarter-finals on"),
    8: gettext_lazy("the round of 16 on"),
    MOST_TIES: gettext_lazy("the first round on"),
}
"""Choices for the first round of a knock-out with longer matches, by its number of matches."""

BEST_OF: Mapping[int, StrOrPromise] = {
    1: gettext_lazy("one"),
    3: gettext_lazy("best of 3"),
    5: gettext_lazy("best of 5"),
    7: gettext_lazy("best of 7"),
}
WITHDRAWN: Mapping[Withdrawn, StrOrPromise] = {
    Withdrawn.KEEP: gettext_lazy("Their games count"),
    Withdrawn.STRIKE: gettext_lazy("Their games are removed if less than half were finished"),
}
COMPARISONS: Mapping[ComparisonRule, StrOrPromise] = {
    ComparisonRule.SHOWN: gettext_lazy("It is shown, and doesn't count"),
    ComparisonRule.TIE_BREAK: gettext_lazy("It is the first tie-break"),
    ComparisonRule.ALONE: gettext_lazy("It decides alone, instead of points"),
}
"""Choices for the use of the comparison of players who had the same tiles (STAND-19)."""

SECTIONS: Sequence[tuple[StrOrPromise, Sequence[str]]] = (
    ("", ("name", "text")),
    (gettext_lazy("Format"), ("sides", "schedule", "seats", "best_of", "preset", "rated")),
    (
        gettext_lazy("Players and rounds"),
        ("expected", "division_size", "rounds", "up", "down", "seeding", "from_group", *CUP, *LADDER, *TEAM),
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
    (gettext_lazy("Joining"), ("admission", "most_players", "late_until")),
)
"""Folded sections of rarely changed fields."""

NOON = time(12)
LATEST_BEGINNING = timedelta(days=365)

PREVIEW_ONLY = frozenset({"name", "text", "reason"})
"""Fields whose errors don't prevent the preview of the calendar."""


class FieldSection(NamedTuple):
    """Section of a form's fields."""

    title: str
    fields: list[BoundField]
    open: bool


def choose_points(place: int) -> forms.Field:
    """Return a field for the points of a *place* in a game (STAND-1)."""
    return whole(
        format_lazy(gettext_lazy("Points for {rank}"), rank=lazy(format_ordinal, str)(place)),
        least=0,
        most=100,
    )


def choose_tie_break(number: int, help: StrOrPromise = "") -> forms.Field:
    """Return a field for a tie-break (STAND-5)."""
    label = format_lazy(gettext_lazy("Tie-break {n}"), n=number)
    return forms.ChoiceField(label=label, choices=TIE_BREAKS, required=False, help_text=help)


class LeagueForm(TeamFields, forms.Form):
    """A league to found; ``settings`` is passed to the service."""

    name = TextField("league", label=gettext_lazy("Name"))
    text = TextField(
        "description",
        label=gettext_lazy("What players should know"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    preset = forms.ChoiceField(
        label=gettext_lazy("Rules"), choices=[(name, preset.title) for name, preset in PRESETS.items()]
    )
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Players at a table"), coerce=int, choices=[(n, n) for n in DEFAULT_POINTS]
    )
    clock = forms.ChoiceField(label=gettext_lazy("Clock"), choices=list(NAMES.items()), initial="steady")
    at_end = forms.ChoiceField(
        label=gettext_lazy("If time is up before a game is finished"),
        choices=list(AT_END_CHOICES.items()),
        initial=AtEnd.TIME,
    )
    best_of = forms.TypedChoiceField(
        label=gettext_lazy("Games in a match"),
        coerce=int,
        choices=[(n, BEST_OF[n]) for n in BEST_OF],
        help_text=gettext_lazy("More than one only with two players."),
    )
    schedule = forms.ChoiceField(label=gettext_lazy("Format"), choices=list(SCHEDULES.items()))
    expected = whole(
        gettext_lazy("Players you expect"),
        least=2,
        most=2000,
        help=gettext_lazy("The calendar is worked out for so many. More or fewer can come."),
    )
    rounds = whole(gettext_lazy("Rounds"), least=1, most=60)
    division_size = whole(gettext_lazy("Players in a division at most"), least=2, most=60)
    up = whole(
        gettext_lazy("Players who move up"),
        least=0,
        most=30,
        help=gettext_lazy("If there are divisions above each other."),
    )
    down = whole(gettext_lazy("Players who move down"), least=0, most=30)
    withdrawn = forms.ChoiceField(
        label=gettext_lazy("When somebody withdraws"), choices=list(WITHDRAWN.items())
    )
    seeding = forms.ChoiceField(
        label=gettext_lazy("Starting order"),
        choices=list(SEEDINGS.items()),
        help_text=gettext_lazy("In a knock-out, in groups and on a ladder."),
    )
    from_group = whole(
        gettext_lazy("How many of each group go on to the knock-out"), least=1, most=30, initial=2
    )
    late_best_of = forms.TypedChoiceField(
        label=gettext_lazy("Games in late matches of a knock-out"),
        coerce=int,
        choices=list(LATE_BEST_OF.items()),
    )
    late_from = forms.TypedChoiceField(
        label=gettext_lazy("Late matches start from"), coerce=int, choices=list(LATE.items()), initial=4
    )
    third_place = forms.BooleanField(
        label=gettext_lazy("Play for third place in a knock-out"), required=False
    )
    reach = whole(
        gettext_lazy("How many places up you can challenge on a ladder"), least=1, most=60, initial=3
    )
    rest = whole(
        gettext_lazy("Days before the same two can meet again on a ladder"), least=0, most=400, initial=7
    )
    challenge_length = whole(gettext_lazy("Days of a challenge at most"), least=2, most=400)
    declines = whole(
        gettext_lazy("How many challenges a player may decline in a season"),
        least=0,
        most=MOST_DECLINES,
        initial=2,
        help=gettext_lazy("After that the challenger takes the place of a player who declines."),
    )
    begins = forms.DateField(
        validators=[validate_year],
        label=gettext_lazy("First day of the first season"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("It starts at noon. Empty: when the days of registration are over."),
    )
    registration = whole(gettext_lazy("Days of registration"), least=0, most=60, initial=7)
    length = whole(gettext_lazy("Days of a season at most"), least=1, most=400)
    again = forms.ChoiceField(
        label=gettext_lazy("When the season is over"),
        choices=list(COURSES.items()),
        required=False,
        help_text=gettext_lazy("Usually a knock-out is over, and leagues go on with everyone who stays."),
    )
    protest = whole(
        gettext_lazy("Hours to protest against results"),
        least=0,
        most=168,
        initial=24,
        help=gettext_lazy("The next round and the end of a season wait that long after the last result."),
    )
    duplicate = forms.BooleanField(
        label=gettext_lazy("All tables of a round draw the same tiles"),
        required=False,
        help_text=gettext_lazy(
            "This takes luck out of the comparison. Boards are hidden until all are over."
        ),
    )
    comparison = forms.ChoiceField(
        label=gettext_lazy("Comparison with those who had the same seat and the same tiles"),
        choices=list(COMPARISONS.items()),
        help_text=gettext_lazy("Only if all tables of a round draw the same tiles."),
    )
    admission = forms.ChoiceField(
        label=gettext_lazy("Who can register?"), choices=list(ADMISSIONS.items()), initial=Admission.OPEN
    )
    late_until = whole(
        gettext_lazy("Latecomers can join until this percentage of the season is over"),
        least=0,
        most=100,
        initial=0,
        help=gettext_lazy("0: nobody can join a season in progress, unless organisers let them."),
    )
    most_players = whole(
        gettext_lazy("Players of a season at most"),
        least=0,
        most=9999,
        initial=0,
        help=gettext_lazy("Later players wait for a place. 0: there is room for everyone."),
    )
    rated = forms.BooleanField(label=gettext_lazy("The games are rated"), required=False, initial=True)
    points_1 = choose_points(1)
    points_2 = choose_points(2)
    points_3 = choose_points(3)
    points_4 = choose_points(4)
    points_5 = choose_points(5)
    points_6 = choose_points(6)
    tie_1 = choose_tie_break(1, help=gettext_lazy("Choose none at all for the usual ones."))
    tie_2 = choose_tie_break(2)
    tie_3 = choose_tie_break(3)
    tie_4 = choose_tie_break(4)
    tie_5 = choose_tie_break(5)
    tie_6 = choose_tie_break(6)
    shown = forms.ChoiceField(
        choices=[("", ""), *((key, key) for key in KEYS)], required=False, widget=forms.HiddenInput
    )
    sure = forms.BooleanField(
        label=gettext_lazy("Start it anyway: many games will be cut off"), required=False
    )
    sure_of = forms.IntegerField(required=False, widget=forms.HiddenInput)
    settings: LeagueSettings | None = None
    calendar: SeasonCalendar | None = None
    now: datetime

    def __init__(self, *args: Any, calendar_only: bool = False, **kwargs: Any) -> None:
        """Build the form; with *calendar_only* it only computes the calendar, so nothing else is required."""
        super().__init__(*args, **kwargs)
        self.calendar_only, self.now = calendar_only, timezone.now()
        self.fields["name"].required = not calendar_only
        self._fit_to_format()

    def _fit_to_format(self) -> None:
        """Remove the fields of other formats, and suggest values for fields that may be empty."""
        given = self.data if self.is_bound else {**list_defaults(), **self.initial}
        self.format = Format.read(given)
        for name in (OWN_FIELDS - set(self.format.list_own_fields())) & set(self.fields):
            del self.fields[name]
        for name, label in self.format.list_labels():
            if name in self.fields:
                self.fields[name].label = label
        if self.is_bound:  # fields that another format didn't show were not submitted
            new = {name: value for name, value in list_defaults().items() if name in OWN_FIELDS}
            self.data = {**new, **{name: given[name] for name in given}}
        else:
            self.settings = self._reckon(given)

    @property
    def calendar_page(self) -> CalendarPage | None:
        """The preview of the calendar, if there is one."""
        return build_calendar_page(self.calendar, self.settings)

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
            field = faults.FIELDS.get(fault)
            self.add_error(field if field in self.fields else None, faults.describe_fault(fault))
            self.calendar = None
        if not self._is_sure(given):  # a confirmation only holds for the calendar that was shown
            self.data = {name: value for name, value in self.data.items() if name != "sure"}
        if given.get("shown") and given["shown"] != self.format.key and not self.calendar_only:
            self.add_error(None, _("You've chosen another format. Check its fields, then go on."))
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
        numbers = self.format.suggest_numbers(chosen)
        kept: dict[str, Any] = {}
        if Format.read({**list_defaults(), **self.initial}) == self.format:  # others may not fit
            kept = {name: value for name, value in self.initial.items() if name not in self.fields}
        filled = {**list_defaults(), **numbers, **kept, **chosen}
        settings = build_with_teams(build_settings(filled), filled)
        days = suggest_days(settings, filled["expected"])
        for name, value in {**numbers, **days, **suggest_points(settings.seats)}.items():
            if name in self.fields:
                self.fields[name].widget.attrs["placeholder"] = value
        settings = set_lengths(settings, **{name: filled.get(name, value) for name, value in days.items()})
        begins = compute_beginning(chosen.get("begins")) or self.now + settings.registration
        self.calendar = build_calendar(settings, players=filled["expected"], begins=begins)
        return settings

    def _is_sure(self, given: Mapping[str, Any]) -> bool:
        """Return whether the second yes was given, for this calendar."""
        days_late = None if self.calendar is None else self.calendar.days_late
        return bool(given["sure"]) and given["sure_of"] == days_late


def compute_beginning(day: date | None) -> datetime | None:
    """Return the beginning of a season on this *day*: noon."""
    return None if day is None else timezone.make_aware(datetime.combine(day, NOON))


def list_defaults() -> dict[str, Any]:
    """Return the values of fields that a format lacks, by name, without those that may be empty."""
    defaults: dict[str, Any] = {}
    for name, field in LeagueForm.base_fields.items():
        choices = list(getattr(field, "choices", ()))
        value = choices[0][0] if field.initial is None and choices else field.initial
        if value not in (None, ""):
            defaults[name] = value
    return {**defaults, "third_place": False, "duplicate": False}


def build_settings(given: Mapping[str, Any]) -> LeagueSettings:
    """Build the settings of *given*, except lengths. They may be invalid, see ``LeagueSettings.faults``."""
    seats, schedule = given["seats"], Schedule(given["schedule"])
    divided = schedule in (Schedule.ROUND_ROBIN, Schedule.SWISS)
    late = given["late_best_of"]
    return LeagueSettings(
        rules=PRESETS[given["preset"]].rules(seats=seats),
        standings=replace(
            build_ranking(given).comparing(ComparisonRule(given["comparison"])),
            withdrawn=Withdrawn(given["withdrawn"]),
            up=given["up"] if divided else 0,
            down=given["down"] if divided else 0,
        ),
        again=is_repeated(given),
        clock=replace(CLOCKS[given["clock"]], at_end=AtEnd(given["at_end"])),
        rated=given["rated"],
        duplicate=given["duplicate"],
        schedule=schedule,
        rounds=given["rounds"],
        division_size=given["division_size"],
        registration=timedelta(days=given["registration"]),
        protest=timedelta(hours=given["protest"]),
        seeding=Seeding(given["seeding"]),
        cup=CupRules(
            third_place=given["third_place"],
            longer=((given["late_from"], late),) if late else (),
            from_group=given["from_group"],
        ),
        challenges=ChallengeRules(
            ladder=LadderRules(given["reach"], timedelta(days=given["rest"])), declines=given["declines"]
        ),
        late_until=given["late_until"],
        admission=Admission(given["admission"]),
        most_players=given["most_players"],
    )


def build_ranking(given: Mapping[str, Any]) -> Rules:
    """Build points and tie-breaks from *given*, or the defaults (STAND-1, 5)."""
    usual = Rules.usual(given["seats"], best_of=given["best_of"])
    points = tuple(given.get(name, worth) for name, worth in zip(POINTS, usual.points, strict=False))
    chosen = tuple(given[name] for name in TIES if name in given)
    return replace(usual, points=points, tie_breaks=chosen or usual.tie_breaks)


def is_repeated(given: Mapping[str, Any]) -> bool:
    """Return whether another season follows; by default none after a knock-out."""
    course = given.get("again")
    return course == "again" if course else not Format.read(given).cup


def suggest_points(seats: int) -> dict[str, int]:
    return dict(zip(POINTS, DEFAULT_POINTS[seats], strict=False))


def build_initial(settings: LeagueSettings) -> dict[str, Any]:
    """Return the initial values of the form for *settings*, as far as it can express them."""
    rules, standings = settings.rules, settings.standings
    plain_clock = replace(settings.clock, at_end=AtEnd.TIME)
    presets = (name for name, preset in PRESETS.items() if preset.rules(seats=settings.seats) == rules)
    return {
        "preset": next(presets, None),
        "seats": settings.seats,
        "clock": next((name for name, clock in CLOCKS.items() if clock == plain_clock), None),
        "at_end": settings.clock.at_end.value,
        "best_of": standings.best_of,
        "schedule": settings.schedule.value,
        "rounds": settings.rounds,
        "division_size": settings.division_size,
        "up": standings.up,
        "down": standings.down,
        "withdrawn": standings.withdrawn.value,
        "registration": settings.registration.days,
        "length": settings.length.days,
        "again": "again" if settings.again else "once",
        "protest": settings.protest // HOUR,
        "rated": settings.rated,
        "duplicate": settings.duplicate,
        "comparison": standings.comparison.value,
        "late_until": settings.late_until,
        "most_players": settings.most_players,
        "admission": settings.admission.value,
        **_initial_of_ranking(standings),
        **_initial_of_formats(settings),
        **build_team_initial(settings),
    }


def _initial_of_ranking(standings: Rules) -> dict[str, Any]:
    """Points and tie-breaks that aren't the defaults."""
    usual = Rules.usual(standings.seats)
    points = standings.points if standings.points not in (usual.points, (0,) * standings.seats) else ()
    ties = tuple(name for name in standings.tie_breaks if name != DUPLICATE)
    ties = ties if ties != usual.tie_breaks and standings.counts_points else ()
    return {**dict(zip(POINTS, points, strict=False)), **dict(zip(TIES, ties, strict=False))}


def _initial_of_formats(settings: LeagueSettings) -> dict[str, Any]:
    late_from, late_best_of = next(iter(settings.cup.longer), (4, 0))
    return {
        "seeding": settings.seeding.value,
        "from_group": settings.cup.from_group,
        "late_best_of": late_best_of,
        "late_from": late_from,
        "third_place": settings.cup.third_place,
        "reach": settings.challenges.ladder.reach,
        "rest": settings.challenges.ladder.rest.days,
        "challenge_length": settings.challenges.length.days,
        "declines": settings.challenges.declines,
    }
