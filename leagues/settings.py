"""Settings of a league: the table of them, and the value stored as JSON.

Each setting is one line of :class:`LeagueSettings`: default, field with label and bounds, sentence, formats,
name in the log. ``docs/leagues-formats.md`` shows how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import TextChoices
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from core.lost_choices import LostChoice
from games.clocks import DAY, HOUR, USUAL_CLOCK, AtEnd, ClockSettings, Ladder, TimeoutStep
from games.rules import InvalidRuleSet, RuleSet
from games.tables.presets import PRESETS
from games.tables.settings import TableSettings
from games.words import clocks
from games.words.grammar import format_ordinal
from leagues import setting_words as words
from leagues.lookup import find_contenders, find_format, list_formats
from leagues.schedules import LadderRules
from leagues.schedules.team_rules import TeamRules
from leagues.setting_fields import (
    AnswerField,
    Setting,
    choice,
    group,
    list_settings,
    nested,
    parse_settings,
    setting,
    span,
    whole,
    write_settings,
    yes_no,
)
from leagues.standings import (
    DEFAULT_POINTS,
    ComparisonRule,
    Rules,
    Withdrawn,
    rules_from_json,
    rules_to_json,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from leagues.formats.base import Format
    from leagues.formats.contenders import Contenders
    from leagues.forms.formats import FormatFields

LEAST_DIVISION, MOST_DIVISION = 2, 60
LONGEST_SEASON = 400 * DAY
SHORTEST_CUP = 28 * DAY
"""Minimum length of a season with a knock-out, whose rounds share it."""

POINTS = tuple(f"points_{place}" for place in range(1, max(DEFAULT_POINTS) + 1))
TIES = tuple(f"tie_{number}" for number in range(1, 7))


class Schedule(StrEnum):
    """Names of the formats in ``leagues/formats/``, of which there may be more."""

    ROUND_ROBIN = "round-robin"  # everybody meets everybody; at larger tables about equally often
    SWISS = "swiss"  # duels, in rounds drawn one after the other (STAND-15)
    KNOCK_OUT = "knock-out"  # duels: losers are out
    GROUPS = "groups"  # duels: round robins in groups, the best of which go on to a knock-out
    LADDER = "ladder"  # duels: a player who loses a challenge loses the place to the challenger


class Seeding(TextChoices):
    """Initial orders of a knock-out, groups or a ladder."""

    RATING = "rating", _("by rating")
    REGISTRATION = "registration", _("in order of registration")
    POTS = "pots", _("drawn from pots by rating")  # by lot among players of similar rating


class Admission(TextChoices):
    """Conditions of registration for a season."""

    OPEN = "open", _("Anyone")
    LINK = "link", _("Anyone with the link you share")
    APPROVAL = "approval", _("Anyone you let in")


def usual_ladder() -> Ladder:
    """Return the usual steps after a timeout: an excuse and a day of holiday, then the game is lost, as no
    stranger takes over in a league."""
    return Ladder(last=TimeoutStep.LOSS)


def list_schedules() -> dict[str, StrOrPromise]:
    """Return the labels of the formats that a league can choose, by schedule."""
    labelled = [each for each in list_formats() if each.label]
    return {each.schedule: each.label for each in sorted(labelled, key=lambda each: each.place)}


# Formats that have a setting


def in_any_but_world(chosen: FormatFields) -> bool:
    return chosen.sides != words.WORLD


def in_format(*answers: str, of_world: bool = False) -> Callable[[FormatFields], bool]:
    """Return whether one of these *answers* of the format is yes."""

    def has_it(chosen: FormatFields) -> bool:
        if chosen.sides == words.WORLD:
            return of_world
        return any(getattr(chosen.format, answer) for answer in answers)

    return has_it


def in_teams(chosen: FormatFields) -> bool:
    return chosen.sides == words.TEAMS


def alone(chosen: FormatFields) -> bool:
    return chosen.sides == words.ALONE


def in_tables(chosen: FormatFields) -> bool:
    return chosen.sides == words.ALONE and chosen.format.in_tables


def with_latecomers(chosen: FormatFields) -> bool:
    return in_tables(chosen) and chosen.format.takes_latecomers


def with_same_tiles(chosen: FormatFields) -> bool:
    return in_tables(chosen) and chosen.duplicate


def with_tie_breaks(chosen: FormatFields) -> bool:
    return in_tables(chosen) and not (chosen.duplicate and chosen.alone)


def with_points_for(place: int) -> Callable[[FormatFields], bool]:
    return lambda chosen: with_tie_breaks(chosen) and not chosen.series and place <= chosen.seats


@dataclass(frozen=True, slots=True, kw_only=True)
class CupRules:
    """Rules of a knock-out. ``from_group``: how many of each group go on, if there are groups before it."""

    third_place: bool = setting(
        False,
        yes_no(_("Play for third place in a knock-out")),
        _("There is a match for third place."),
        formats=in_format("seeded", of_world=True),
    )
    from_group: int = setting(
        2,
        whole(1, 30, _("How many of each group go on to the knock-out")),
        words.describe_schedule,
        formats=in_format("leads_to_knock_out", of_world=True),
        faults={"from_group": _("From each group at least one has to go on, and at most all of them.")},
    )

    to_json = write_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeRules:
    """Rules of challenges on a ladder. A player may decline some in a season without losing the place."""

    reach: int = setting(
        3,
        whole(1, 60, _("How many places up you can challenge on a ladder")),
        words.describe_reach,
        words.CHALLENGES,
        formats=in_format("has_challenges"),
    )
    rest: timedelta = setting(
        7 * DAY,
        span(DAY, 0, 400, _("Days before the same two can meet again on a ladder")),
        _("The same two can't play again for {time} afterwards."),
        words.CHALLENGES,
        formats=in_format("has_challenges"),
    )
    length: timedelta = setting(
        30 * DAY,
        span(DAY, 2, 400, _("Days of a challenge at most"), required=False),
        _("A challenge lasts {time} at most."),
        words.CHALLENGES,
        name="challenge_length",
        formats=in_format("has_challenges"),
    )
    declines: int = setting(
        0,
        whole(
            0,
            20,
            _("How many challenges a player may decline in a season"),
            initial=2,
            help_text=_("After that the challenger takes the place of a player who declines."),
        ),
        words.DECLINES,
        words.CHALLENGES,
        formats=in_format("has_challenges"),
    )

    to_json = write_settings

    @property
    def ladder(self) -> LadderRules:
        return LadderRules(self.reach, self.rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSettings:
    """All settings known before registration. A season keeps those that it began with.

    ``rounds``: how often every pair of a round robin meets, or how many rounds there are of tables and Swiss.
    Where there are ``teams``, divisions are of teams, and so is ``division_size``.
    """

    schedule: str = setting(
        Schedule.ROUND_ROBIN.value,
        forms.TypedChoiceField(choices=list_schedules, label=_("Format")),
        words.describe_schedule,
        words.FORMAT,
        formats=in_any_but_world,
        faults={
            "schedule": _("With more than two players at a table, only “Everyone plays everyone” works.")
        },
    )
    rules: RuleSet = group(
        Setting(
            "seats",
            choice(int, {n: str(n) for n in DEFAULT_POINTS}, _("Players at a table")),
            {2: _("Duels"), None: _("Tables of {n} players")},
            words.TABLE,
            made=True,
            formats=in_any_but_world,
        ),
        Setting(
            "preset",
            choice(str, {name: preset.title for name, preset in PRESETS.items()}, _("Rules")),
            words.describe_rules,
            path=None,
            formats=in_any_but_world,
        ),
        log=_("Rules"),
        parse=lambda stored: RuleSet.from_json(stored, seats=stored["seats"]),
    )
    clock: ClockSettings = group(  # without a hard end: games end with the season
        Setting(
            "clock",
            choice(str, clocks.NAMES, _("Clock")),
            words.describe_time,
            words.TIME,
            path=None,
            faults={"endless": _("With this clock a game might never end.")},
        ),
        Setting(
            "at_end",
            choice(AtEnd, clocks.AT_END_CHOICES, _("If time is up before a game is finished")),
            words.describe_time,
        ),
        log=_("Clock"),
        parse=ClockSettings.from_json,
        default=USUAL_CLOCK,
    )
    ladder: Ladder = group(
        log=_("What happens when time runs out"), parse=Ladder.from_json, default_factory=usual_ladder
    )
    rated: bool = setting(
        True,
        yes_no(_("The games are rated")),
        {True: _("The games are rated."), False: _("The games are unrated.")},
        words.RATING,
        log=_("Rating"),
        faults={"rated_house_rules": _("Games by these rules are unrated.")},
    )
    rounds: int = setting(
        1,
        whole(1, MOST_DIVISION, _("Rounds"), required=False),
        words.describe_schedule,
        formats=in_format("sized"),
    )
    division_size: int = setting(
        8,
        whole(LEAST_DIVISION, MOST_DIVISION, _("Players in a division at most"), required=False),
        words.describe_size,
        words.DIVISIONS,
        formats=in_format("sized", of_world=True),
        faults={"division_size": _("A division has at least as many players as a table, and at most 60.")},
    )
    most_players: int = setting(
        0,
        whole(
            0,
            9999,
            _("Players of a season at most"),
            help_text=_("Later players wait for a place. 0: there is room for everyone."),
        ),
        _("Up to {n} players in all; later players wait for a place."),
        words.DIVISIONS,
        formats=alone,
        faults={"most_players": _("There must be room for at least one full table.")},
    )
    standings: Rules = group(
        Setting(
            "best_of",
            choice(
                int,
                {1: _("one"), 3: _("best of 3"), 5: _("best of 5"), 7: _("best of 7")},
                _("Games in a match"),
                help_text=_("More than one only with two players."),
            ),
            {1: _("One game."), None: _("Best of {n} games. Players take turns starting.")},
            formats=in_any_but_world,
            faults={"best_of": _("Only two-player matches can have several games.")},
        ),
        Setting(
            "up",
            whole(
                0,
                30,
                _("Players who move up"),
                help_text=_("If there are divisions above each other."),
                required=False,
            ),
            ngettext_lazy("The first moves up.", "The first {n} move up.", "n"),
            words.DIVISIONS,
            formats=in_format("divided"),
        ),
        Setting(
            "down",
            whole(0, 30, _("Players who move down"), required=False),
            ngettext_lazy("The last moves down.", "The last {n} move down.", "n"),
            words.DIVISIONS,
            formats=in_format("divided"),
            faults={"down": _("Choose fewer: more would move up and down than play in a division.")},
        ),
        Setting(
            "withdrawn",
            choice(
                Withdrawn,
                {
                    Withdrawn.KEEP: _("Their games count"),
                    Withdrawn.STRIKE: _("Their games are removed if less than half were finished"),
                },
                _("When somebody withdraws"),
            ),
            words.WITHDRAWN,
            formats=in_tables,
        ),
        Setting(
            "comparison",
            choice(
                ComparisonRule,
                {
                    ComparisonRule.SHOWN: _("It is shown, and doesn't count"),
                    ComparisonRule.TIE_BREAK: _("It is the first tie-break"),
                    ComparisonRule.ALONE: _("It decides alone, instead of points"),
                },
                _("Comparison with those who had the same seat and the same tiles"),
                help_text=_("Only if all tables of a round draw the same tiles."),
            ),
            words.COMPARISON,
            made=True,
            formats=with_same_tiles,
            faults={"comparison_alone": _("If the comparison decides alone, a match is a single game.")},
        ),
        *(
            Setting(
                name,
                whole(
                    0,
                    100,
                    format_lazy(_("Points for {rank}"), rank=lazy(format_ordinal, str)(place)),
                    required=False,
                ),
                words.describe_points,
                path=None,
                formats=with_points_for(place),
                log=_("Points"),
                faults={
                    "points": _(
                        "First place has to earn points, and no place can earn more than a better one."
                    )
                },
            )
            for place, name in enumerate(POINTS, start=1)
        ),
        *(
            Setting(
                name,
                choice(
                    str,
                    words.TIE_BREAKS,
                    format_lazy(_("Tie-break {n}"), n=number),
                    help_text=_("Choose none for the usual ones.") if number == 1 else "",
                    required=False,
                ),
                words.describe_tie_breaks,
                path=None,
                formats=with_tie_breaks,
                log=_("Ties"),
                faults={"tie_breaks": _("Choose each tie-break only once.")},
            )
            for number, name in enumerate(TIES, start=1)
        ),
        log=_("Points, tie-breaks, and promotion"),
        write=rules_to_json,
        parse=rules_from_json,
    )
    seeding: Seeding = setting(
        Seeding.RATING,
        choice(
            Seeding,
            dict(Seeding.choices),
            _("Starting order"),
            help_text=_("In a knock-out, in groups and on a ladder."),
        ),
        words.SEEDED,
        words.SEEDS,
        formats=in_format("seeded", "has_challenges"),
        faults={"seeding": _("There are no lots on a ladder: choose another starting order.")},
    )
    cup: CupRules = nested(CupRules, log=_("Knock-out"))
    challenges: ChallengeRules = nested(ChallengeRules, log=_("Challenges"))
    teams: TeamRules | None = group(  # none: single players
        Setting(
            "sides",
            choice(str, words.SIDES, _("Who can play?")),
            words.describe_sides,
            path=None,
            faults={"teams": _("Teams play duels: everybody meets everybody, groups, or a knock-out.")},
        ),
        Setting(
            "boards",
            whole(1, 15, _("Boards in a match of teams"), help_text=_("An odd number.")),
            ngettext_lazy("Matches at {n} board.", "Matches at {n} boards.", "n"),
            words.OF_TEAMS,
            formats=in_teams,
            faults={"boards": _("Choose an odd number of boards, from 1 to 15.")},
        ),
        Setting(
            "least",
            whole(1, 30, _("Players in a team at least")),
            words.describe_team_size,
            formats=in_teams,
        ),
        Setting(
            "most",
            whole(1, 30, _("Players in a team at most")),
            words.describe_team_size,
            words.OF_TEAMS,
            formats=in_teams,
            faults={
                "team_size": _("A team has at least as many players as there are boards, and at most 30.")
            },
        ),
        Setting(
            "line_up_hours",
            span(HOUR, 0, 500, _("Hours before a round when line-ups close")),
            words.describe_line_ups,
            words.LINE_UP,
            path="closes",
            formats=in_teams,
            faults={
                "closes": _(
                    "Line-ups would close before the previous round has even started: choose fewer hours."
                )
            },
        ),
        Setting(
            "round_days",
            span(DAY, 1, 60, _("Days from one round of teams to the next")),
            words.describe_team_rounds,
            words.OF_TEAMS,
            path="round",
            formats=in_teams,
        ),
        log=_("Teams"),
        parse=TeamRules.from_json,
        default=None,
    )
    duplicate: bool = setting(
        False,
        yes_no(
            _("All tables of a round draw the same tiles"),
            help_text=_("This takes luck out of the comparison. Boards are hidden until all are over."),
        ),
        words.SAME_TILES,
        words.SHARED_DRAW,
        formats=in_format("has_rounds"),
    )
    admission: Admission = setting(
        Admission.OPEN,
        choice(Admission, dict(Admission.choices), _("Who can register?")),
        {
            Admission.LINK: _("Players need the league's link to register."),
            Admission.APPROVAL: _("Organisers let players in."),
        },
        words.CALENDAR,
        formats=alone,
    )
    registration: timedelta = setting(
        7 * DAY,
        span(DAY, 0, 60, _("Days of registration")),
        {None: _("Registration is open for {time}.")},
        words.CALENDAR,
    )
    length: timedelta = setting(
        90 * DAY,
        span(DAY, 1, LONGEST_SEASON // DAY, _("Days of a season at most"), required=False),
        words.describe_length,
        words.CALENDAR,
        faults={
            "short": _("The rounds of a knock-out share its time: give it 28 days at least."),
            "team_length": _(
                "The season is too short for that many team rounds. A knock-out after groups needs 28 more "
                "days."
            ),
        },
    )
    late_until: int = setting(
        0,
        whole(
            0,
            100,
            _("Latecomers can join until this percentage of the season is over"),
            help_text=_("0: nobody can join a season in progress, unless organisers let them."),
        ),
        words.describe_latecomers,
        words.CALENDAR,
        formats=with_latecomers,
        log=_("Percentage of a season in which players can join"),
    )
    again: bool = setting(
        True,
        AnswerField(
            choices={
                "": _("As usual for the format"),
                "again": _("The next season opens"),
                "once": _("The tournament is over"),
            },
            label=_("When the season is over"),
            required=False,
            help_text=_("Usually a knock-out is over, and leagues go on with everyone who stays."),
        ),
        words.describe_course,
        words.CALENDAR,
        log=_("Whether the next season opens automatically"),
    )
    protest: timedelta = setting(  # until anything follows from results (STAND-17)
        DAY,
        span(
            HOUR,
            0,
            7 * 24,
            _("Hours to protest against results"),
            help_text=_("The next round and the end of a season wait that long after the last result."),
        ),
        words.describe_protests,
        words.PROTESTS,
        log=_("Time for protests"),
    )

    @property
    def seats(self) -> int:
        return self.rules.seats

    @property
    def format(self) -> Format:
        """The format of the divisions with which a season begins."""
        return find_format(self.schedule, self.seats)

    @property
    def contenders(self) -> Contenders:
        """Players or teams."""
        return find_contenders(in_teams=self.teams is not None)

    @property
    def team_rules(self) -> TeamRules:
        """The rules for teams, where teams play."""
        assert self.teams is not None
        return self.teams

    @property
    def protest_time(self) -> timedelta:
        """Return the time to protest against results, which organisers may correct (STAND-17)."""
        return self.format.get_protest_time(self)

    @property
    def substitutes(self) -> bool:
        """Return whether organisers can replace a player who leaves."""
        return self.contenders.substituted and self.format.has_substitutes

    @property
    def latecomers(self) -> bool:
        """Return whether players can join a season in progress."""
        return self.contenders.come_late and self.format.takes_latecomers

    @property
    def counts_points(self) -> bool:
        """Return whether there are tables that are ordered by points first."""
        return self.format.in_tables and self.contenders.counts_points(self)

    @property
    def least_length(self) -> timedelta:
        """The time that all rounds of the largest division need."""
        return self.contenders.compute_least_length(self)

    def count_meetings(self, size: int) -> int:
        """Return the number of rounds in which everybody in a division of this *size* meets everybody."""
        return self.rounds * (size - 1 + size % 2)

    def faults(self) -> Iterator[str]:
        """Yield the names of invalid values."""
        yield from self.standings.faults()
        if self.standings.seats != self.seats:
            yield "points"
        yield from self.format.list_faults(self)
        yield from (each.name for each in list_settings(type(self)) if not each.is_valid(self))
        if self.division_size < self.seats:
            yield "division_size"
        compared = self.duplicate and self.format.in_tables and self.contenders.compared
        if self.standings.comparison != ComparisonRule.SHOWN and not compared:
            yield "comparison"
        if self.standings.up + self.standings.down > self.division_size:
            yield "down"
        if self.clock.ends is not None or next(self.clock.faults(), None):
            yield "clock"
        if self.ladder.last != TimeoutStep.LOSS:
            yield "ladder"
        yield from self.contenders.list_faults(self)
        if self.late_until and self.seats != 2:
            yield "late_until"
        if self.most_players and self.most_players < max(LEAST_DIVISION, self.seats):
            yield "most_players"
        yield from (refused.code for refused in self.table(None).refusals())

    def describe(self, name: str) -> str:
        """Return the sentence about the setting of this *name*."""
        return next(each for each in list_settings(type(self)) if each.name == name).describe(self)

    def table(self, ends: datetime | None, name: str = "", seats: int | None = None) -> TableSettings:
        """Return the settings of a game that *ends* then, with fewer *seats* where players are missing."""
        rules = self.rules if seats is None else RuleSet.from_json(self.rules.to_json(), seats=seats)
        return TableSettings(
            rules=rules,
            name=name,
            clock=replace(self.clock, ends=ends),
            ladder=self.ladder,
            rated=self.rated,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the form stored with leagues and seasons."""
        return {"seats": self.seats, **write_settings(self)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> LeagueSettings:
        """Parse what :meth:`to_json` wrote, including older versions, in which settings are missing.

        :raises LostChoice: it holds a choice that this release doesn't know
        """
        known = {"protest": 0, **stored}  # old settings have no protests
        known["rules"] = {**stored["rules"], "seats": stored["seats"]}
        find_format(stored["schedule"], stored["seats"])
        try:
            return parse_settings(cls, known)
        except (InvalidRuleSet, ValueError) as error:
            raise LostChoice(str(error)) from error
