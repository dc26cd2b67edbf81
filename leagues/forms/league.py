"""Founding a league: what is chosen becomes ``LeagueSettings``, or a clear error at its field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.forms import BoundField
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.texts import TextField
from games.clocks import PRESETS as CLOCKS
from games.tables.presets import PRESETS
from games.words.clocks import NAMES
from leagues.forms.team import TeamFields, initial_of_teams
from leagues.schedules import LadderRules
from leagues.settings import ChallengeRules, CupRules, LeagueSettings, Schedule, Seeding
from leagues.standings import DEFAULT_POINTS, DUEL_TIE_BREAKS, TABLE_TIE_BREAKS, Rules, Withdrawn
from leagues.words import faults

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MOST_TIES = 1 << 15
"""More matches than the first round of any knock-out has."""

RESERVED = frozenset({"new"})
"""Names whose addresses are taken."""

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
}
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
"""From which round of a knock-out on matches may be longer, by the number of its matches."""

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

CUP_FIELDS = ("seeding", "from_group", "late_best_of", "late_from", "third_place")
LADDER_FIELDS = ("reach", "rest", "challenge_length")
TEAM_FIELDS = ("sides", "boards", "least", "most", "line_up_hours", "round_days")
LATE_FIELDS = ("late_until", "most_players")
FOLDS: Sequence[tuple[StrOrPromise, Sequence[str]]] = (
    (gettext_lazy("Knock-outs and groups"), CUP_FIELDS),
    (gettext_lazy("Ladders"), LADDER_FIELDS),
    (gettext_lazy("Teams"), TEAM_FIELDS),
    (gettext_lazy("Latecomers"), LATE_FIELDS),
)
"""Fields that not every league needs, by what they are about."""


class Fold(NamedTuple):
    """Fields that are folded away."""

    title: str
    fields: list[BoundField]
    open: bool


def whole(
    label: StrOrPromise, *, least: int, most: int, initial: int, help: StrOrPromise = ""
) -> forms.Field:
    """A field for a whole number."""
    return forms.IntegerField(label=label, min_value=least, max_value=most, initial=initial, help_text=help)


class LeagueForm(TeamFields, forms.Form):
    """A league to found. ``settings`` is what the service takes."""

    field_order = (
        *("name", "text", "preset", "seats", "clock", "best_of", "schedule", "rounds", "division_size"),
        *("up", "down", "withdrawn", "registration", "length", "rated"),
    )

    name = TextField("league", label=gettext_lazy("Name"))
    text = TextField(
        "description",
        label=gettext_lazy("What players should know"),
        required=False,
        widget=forms.Textarea,
    )
    preset = forms.ChoiceField(
        label=gettext_lazy("Rules"), choices=[(name, preset.title) for name, preset in PRESETS.items()]
    )
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Players at a table"), coerce=int, choices=[(n, n) for n in DEFAULT_POINTS]
    )
    clock = forms.ChoiceField(label=gettext_lazy("Clock"), choices=list(NAMES.items()), initial="steady")
    best_of = forms.TypedChoiceField(
        label=gettext_lazy("Games in a match"),
        coerce=int,
        choices=[(n, BEST_OF[n]) for n in BEST_OF],
        help_text=gettext_lazy("More than one only with two players."),
    )
    schedule = forms.ChoiceField(label=gettext_lazy("Format"), choices=list(SCHEDULES.items()))
    rounds = whole(
        gettext_lazy("Rounds"),
        least=1,
        most=60,
        initial=1,
        help=gettext_lazy("If everyone plays everyone with two at a table: how often each pair meets."),
    )
    division_size = whole(
        gettext_lazy("Players in a division at most"),
        least=2,
        most=60,
        initial=8,
        help=gettext_lazy("Or teams, or in a group. A knock-out or a ladder can have any number."),
    )
    up = whole(
        gettext_lazy("Players who move up"),
        least=0,
        most=30,
        initial=2,
        help=gettext_lazy("If there are divisions above each other."),
    )
    down = whole(gettext_lazy("Players who move down"), least=0, most=30, initial=2)
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
    challenge_length = whole(gettext_lazy("Days of a challenge at most"), least=2, most=400, initial=30)
    registration = whole(gettext_lazy("Days of registration"), least=0, most=60, initial=7)
    length = whole(
        gettext_lazy("Days of a season at most"),
        least=1,
        most=400,
        initial=90,
        help=gettext_lazy("The rounds of a knock-out share them; groups before it get the first half."),
    )
    duplicate = forms.BooleanField(
        label=gettext_lazy("All tables of a round draw the same tiles"),
        required=False,
        help_text=gettext_lazy(
            "This takes luck out of the comparison. Boards are hidden until all are over."
        ),
    )
    late_until = whole(
        gettext_lazy("Latecomers can join until this percentage of the season is over"),
        least=0,
        most=100,
        initial=0,
        help=gettext_lazy(
            "Only with two players at a table. 0: nobody can join a season in progress, "
            "unless organisers let them."
        ),
    )
    most_players = whole(
        gettext_lazy("Players of a season at most"),
        least=0,
        most=9999,
        initial=0,
        help=gettext_lazy("Later players wait for a place. 0: there is room for everyone."),
    )
    rated = forms.BooleanField(label=gettext_lazy("The games are rated"), required=False, initial=True)
    settings: LeagueSettings | None = None

    @property
    def folds(self) -> list[Fold]:
        """The fields that not every league needs, by what they are about; open where something is wrong."""
        return [
            Fold(str(title), fields, any(field.errors for field in fields))
            for title, names in FOLDS
            if (fields := [self[name] for name in names if name in self.fields])
        ]

    @property
    def usual_fields(self) -> list[BoundField]:
        """All others, in their order."""
        folded = {name for _title, names in FOLDS for name in names}
        return [field for field in self.visible_fields() if field.name not in folded]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        slug = slugify(name)
        if not slug or slug in RESERVED:
            raise forms.ValidationError(_("Choose a name with letters from A to Z or digits in it."))
        return name

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return given
        self.settings = self.with_teams(_settings(given))
        for fault in dict.fromkeys(self.settings.faults()):
            self.add_error(faults.FIELDS.get(fault), faults.fault(fault))
        return given


def _settings(given: Mapping[str, Any]) -> LeagueSettings:
    """The league that *given* describes; whether there can be one, its faults say."""
    seats, schedule = given["seats"], Schedule(given["schedule"])
    divided = schedule in (Schedule.ROUND_ROBIN, Schedule.SWISS)
    late = given["late_best_of"]
    return LeagueSettings(
        rules=PRESETS[given["preset"]].rules(seats=seats),
        standings=Rules(
            DEFAULT_POINTS[seats],
            given["best_of"],
            DUEL_TIE_BREAKS if seats == 2 else TABLE_TIE_BREAKS,
            Withdrawn(given["withdrawn"]),
            given["up"] if divided else 0,
            given["down"] if divided else 0,
        ),
        clock=CLOCKS[given["clock"]],
        rated=given["rated"],
        duplicate=given["duplicate"],
        schedule=schedule,
        rounds=given["rounds"],
        division_size=given["division_size"],
        registration=timedelta(days=given["registration"]),
        length=timedelta(days=given["length"]),
        seeding=Seeding(given["seeding"]),
        cup=CupRules(
            third_place=given["third_place"],
            longer=((given["late_from"], late),) if late else (),
            from_group=given["from_group"],
        ),
        challenges=ChallengeRules(
            ladder=LadderRules(given["reach"], timedelta(days=given["rest"])),
            length=timedelta(days=given["challenge_length"]),
        ),
        late_until=given["late_until"],
        most_players=given["most_players"],
    )


def initial_of(settings: LeagueSettings) -> dict[str, Any]:
    """What the form shows for *settings*, as far as it can say them."""
    rules, standings = settings.rules, settings.standings
    presets = (name for name, preset in PRESETS.items() if preset.rules(seats=settings.seats) == rules)
    return {
        "preset": next(presets, None),
        "seats": settings.seats,
        "clock": next((name for name, clock in CLOCKS.items() if clock == settings.clock), None),
        "best_of": standings.best_of,
        "schedule": settings.schedule.value,
        "rounds": settings.rounds,
        "division_size": settings.division_size,
        "up": standings.up,
        "down": standings.down,
        "withdrawn": standings.withdrawn.value,
        "registration": settings.registration.days,
        "length": settings.length.days,
        "rated": settings.rated,
        "duplicate": settings.duplicate,
        "late_until": settings.late_until,
        "most_players": settings.most_players,
        **_initial_of_formats(settings),
        **initial_of_teams(settings),
    }


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
    }
