"""Forms of teams: rules of a league for teams, founding, invitations and line-ups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.texts import TextField
from games.tables.presets import PRESETS
from leagues.exceptions import LeagueRefused
from leagues.schedules.team_rules import LARGEST_TEAM, MOST_BOARDS, TeamRules
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ALONE, TEAMS, WORLD = "alone", "teams", "world"
SIDES: Mapping[str, StrOrPromise] = {
    ALONE: gettext_lazy("Single players"),
    TEAMS: gettext_lazy("Teams, as set here"),
    WORLD: gettext_lazy(
        "Teams, World Team format: teams of 5 to 10, 5 boards, best of 3, a match a week in groups, then a "
        "knock-out; base game"
    ),
}
WORLD_BEST_OF = 3
USUAL = TeamRules()
HOUR = timedelta(hours=1)


def whole(
    label: StrOrPromise, *, least: int, most: int, initial: int | None = None, help: StrOrPromise = ""
) -> forms.Field:
    """Return a field for a whole number; without an *initial* value it may be empty, and a value is
    suggested."""
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        initial=initial,
        help_text=help,
        required=initial is not None,
    )


class TeamFields(forms.Form):
    """The fields for teams of a league's form."""

    sides = forms.ChoiceField(label=gettext_lazy("Who can play?"), choices=list(SIDES.items()), initial=ALONE)
    boards = whole(
        gettext_lazy("Boards in a match of teams"),
        least=1,
        most=MOST_BOARDS,
        initial=USUAL.boards,
        help=gettext_lazy("An odd number."),
    )
    least = whole(gettext_lazy("Players in a team at least"), least=1, most=LARGEST_TEAM, initial=USUAL.least)
    most = whole(gettext_lazy("Players in a team at most"), least=1, most=LARGEST_TEAM, initial=USUAL.most)
    line_up_hours = whole(
        gettext_lazy("Hours before a round when line-ups close"),
        least=0,
        most=500,
        initial=USUAL.closes // HOUR,
    )
    round_days = whole(
        gettext_lazy("Days from one round of teams to the next"), least=1, most=60, initial=USUAL.round.days
    )


def build_with_teams(settings: LeagueSettings, given: Mapping[str, Any]) -> LeagueSettings:
    """Return *settings* with the rules for teams of *given*."""
    if given["sides"] == ALONE:
        return settings
    if given["sides"] == WORLD:
        return in_world_format(settings)
    rules = TeamRules(
        boards=given["boards"],
        least=given["least"],
        most=given["most"],
        closes=given["line_up_hours"] * HOUR,
        round=timedelta(days=given["round_days"]),
    )
    return replace(settings, teams=rules)


def in_world_format(settings: LeagueSettings) -> LeagueSettings:
    """Return *settings* with the rules of the World Team Championship; what it leaves open stays."""
    return replace(
        settings,
        rules=PRESETS["standard"].rules(seats=2),
        standings=Rules.usual(2, best_of=WORLD_BEST_OF),
        duplicate=False,
        schedule=Schedule.GROUPS,
        rounds=1,
        teams=USUAL,
    )


def build_team_initial(settings: LeagueSettings) -> dict[str, Any]:
    """Return the initial values of the fields for teams."""
    rules = settings.teams or USUAL
    return {
        "sides": ALONE if settings.teams is None else TEAMS,
        "boards": rules.boards,
        "least": rules.least,
        "most": rules.most,
        "line_up_hours": rules.closes // HOUR,
        "round_days": rules.round.days,
    }


class TeamForm(forms.Form):
    """A team to found."""

    name = TextField("team", label=gettext_lazy("Name of the team"))


class TeamInviteForm(forms.Form):
    """An invitation to a team."""

    name = TextField("search", label=gettext_lazy("Name of the player"), max_length=150)


class LineUpForm(forms.Form):
    """A player for each board: ``players`` by primary key, the first board first."""

    def __init__(
        self,
        data: Any,
        *,
        players: Iterable[tuple[int, str]],
        now: Sequence[int | None],
    ) -> None:
        """Build a choice from *players*, as keys and names, for each board; *now* is the current line-up."""
        super().__init__(data)
        choices = [("", _("nobody")), *players]
        for number, player in enumerate(now, start=1):
            self.fields[f"board_{number}"] = forms.TypedChoiceField(
                label=_("Board {n}").format(n=number),
                choices=choices,
                coerce=int,
                initial=player,
                error_messages={"required": LeagueRefused("line_up_number").message},
            )

    @property
    def players(self) -> list[int]:
        return [self.cleaned_data[name] for name in self.fields]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        seen: set[int] = set()
        for name, player in list(given.items()):
            if player in seen:
                self.add_error(name, LeagueRefused("line_up_twice").message)
            seen.add(player)
        return given
