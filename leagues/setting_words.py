"""Words of the table of settings: headings, names of tie-breaks, and sentences of several settings.

A sentence that only needs the value of its setting stands in the table (``leagues/settings.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy, pgettext_lazy

from games.words import clocks, rule_sets
from games.words.grammar import capitalise
from games.words.times import format_span
from leagues.standings import DUPLICATE, ComparisonRule, Withdrawn

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from leagues.settings import LeagueSettings

ALONE, TEAMS, WORLD = "alone", "teams", "world"
SIDES: Mapping[str, StrOrPromise] = {
    ALONE: gettext_lazy("Single players"),
    TEAMS: gettext_lazy("Teams, as set here"),
    WORLD: gettext_lazy(
        "Teams, World Team format: teams of 5 to 10, 5 boards, best of 3, a match a week in groups, then a "
        "knock-out; base game"
    ),
}
"""Contenders in the form: the last are teams by the rules of the World Team Championship."""

# Headings of the facts that a league's page lists
TABLE = gettext_lazy("Table")
TIME = gettext_lazy("Time")
FORMAT = gettext_lazy("Format")
OF_TEAMS = gettext_lazy("Teams")
LINE_UP = gettext_lazy("Line-up")
SHARED_DRAW = gettext_lazy("Shared draw")
DIVISIONS = gettext_lazy("Divisions")
SEEDS = gettext_lazy("Seeds")
CHALLENGES = gettext_lazy("Challenges")
CALENDAR = gettext_lazy("Calendar")
PROTESTS = gettext_lazy("Protests")
RATING = gettext_lazy("Rating")

CRITERIA: Mapping[str, StrOrPromise] = {
    "points_lost": pgettext_lazy("what decides", "fewer points lost so far"),
    "head_to_head": pgettext_lazy("what decides", "head to head"),
    "games_won": pgettext_lazy("what decides", "games won"),
    "firsts": pgettext_lazy("what decides", "first places"),
    "score_difference": pgettext_lazy("what decides", "difference of scores"),
    DUPLICATE: pgettext_lazy("what decides", "comparison with the same tiles"),
    "buchholz": pgettext_lazy("what decides", "opponents' points"),
    "buchholz_cut1": pgettext_lazy("what decides", "opponents' points without the lowest"),
    "sonneborn_berger": pgettext_lazy("what decides", "points of beaten opponents"),
    "rating": pgettext_lazy("what decides", "rating before the season"),
    "lot": pgettext_lazy("what decides", "the lot"),
}
"""Names of the criteria in ``leagues.standings.TIE_BREAKS``."""

TIE_BREAKS: Mapping[str, StrOrPromise] = {"": "–"} | {
    name: label for name, label in CRITERIA.items() if name not in (DUPLICATE, "points_lost")
}

WITHDRAWN: Mapping[Withdrawn, StrOrPromise] = {
    Withdrawn.KEEP: gettext_lazy(
        "If you withdraw from a season in progress, you resign your current games and lose "
        "all that haven't started by forfeit. What you've played counts."
    ),
    Withdrawn.STRIKE: gettext_lazy(
        "If you withdraw from a season in progress, you resign your current games and lose "
        "all that haven't started by forfeit. If you finished less than half of your games, "
        "all of them are removed from the table; otherwise what you've played counts."
    ),
}
"""Effects of withdrawing (STAND-4)."""

SEEDED: Mapping[str, StrOrPromise] = {
    "pots": gettext_lazy(
        "By rating, with lots drawn among seeds 3 and 4, 5 to 8, and so on. The top two can't meet "
        "before the final."
    ),
    "rating": gettext_lazy("By rating. The top two can't meet before the final."),
    "registration": gettext_lazy("In order of registration. The first two can't meet before the final."),
}
COMPARISON: Mapping[ComparisonRule | None, StrOrPromise] = {  # (STAND-19)
    ComparisonRule.ALONE: gettext_lazy(
        "By the comparison alone: in each game, your score minus the mean score of those who had the same "
        "seat and the same tiles at other tables. Wins don't count, nor do games without a score."
    ),
}
DECLINES: Mapping[int | None, StrOrPromise] = {
    0: gettext_lazy("If you decline a challenge, your challenger takes your place."),
    None: ngettext_lazy(
        "You can decline {n} challenge a season; if you decline another, your challenger takes your place.",
        "You can decline {n} challenges a season; if you decline another, your challenger takes your place.",
        "n",
    ),
}
SAME_TILES = gettext_lazy(
    "All tables of a round draw the same tiles in the same order. Only its players can "
    "see a board until all games with these tiles are over; once you've finished one of "
    "them, you can see the others that are over. Then the page of the round compares what "
    "everyone made of the tiles."
)


def describe_schedule(settings: LeagueSettings) -> str:
    return settings.contenders.describe_schedule(settings)


def describe_sides(settings: LeagueSettings) -> str:
    return " ".join(settings.contenders.describe_briefly(settings))


def describe_size(settings: LeagueSettings) -> str:
    return str(settings.contenders.size_of_divisions).format(n=settings.division_size)


def describe_points(settings: LeagueSettings) -> str:
    return settings.contenders.describe_points(settings)


def describe_tie_breaks(settings: LeagueSettings) -> str:
    return settings.contenders.describe_tie_breaks(settings)


def describe_rules(settings: LeagueSettings) -> str:
    return rule_sets.format_sets(settings.rules)


def describe_time(settings: LeagueSettings) -> str:
    """The clock, the hard end of games, and its effect (CLOCK-24)."""
    agreement = clocks.build_agreement(settings.clock, settings.ladder, settings.rules, began=None)
    at_end = clocks.explain_hard_end(settings.clock.at_end)
    return f"{agreement.text} {settings.format.end_of_games} {at_end}"


def describe_length(settings: LeagueSettings) -> str:
    lasts = _("A season lasts {time} at most.").format(time=format_span(settings.length))
    return " ".join([lasts, *settings.format.list_calendar_sentences()])


def describe_latecomers(settings: LeagueSettings) -> str:
    if not settings.late_until:
        return ""
    return _("Players can join until {share} of it are over.").format(share=f"{settings.late_until} %")


def describe_course(settings: LeagueSettings) -> str:
    again = _("the next one opens automatically, and players who stay are registered for it.")
    return capitalise(again) if settings.again else ""


def describe_protests(settings: LeagueSettings) -> str:
    """The protest time (STAND-17)."""
    if not settings.protest_time:
        return ""
    return str(settings.format.protests).format(time=format_span(settings.protest_time))


def describe_reach(settings: LeagueSettings) -> str:
    reach = settings.challenges.reach
    told = ngettext(
        "You can challenge players up to {n} place above you, one at a time.",
        "You can challenge players up to {n} places above you, one at a time.",
        reach,
    ).format(n=reach)
    return f"{told} {_('If you win the challenge, you take the place; everyone between moves down.')}"


def describe_team_size(settings: LeagueSettings) -> str:
    rules = settings.team_rules
    if rules.least == rules.most:
        return ngettext("Teams of {n} player.", "Teams of {n} players.", rules.most).format(n=rules.most)
    return _("Teams of {least} to {most} players.").format(least=rules.least, most=rules.most)


def describe_line_ups(settings: LeagueSettings) -> str:
    closes = _("The captain decides who plays on which board, at least {time} before the round starts.")
    return " ".join(
        [
            closes.format(time=format_span(settings.team_rules.closes)),
            _("Otherwise the last line-up is used, or if there is none, the strongest players by rating."),
            _("A player who withdraws can be replaced by someone who isn't on a board, from the next game."),
        ]
    )


def describe_team_rounds(settings: LeagueSettings) -> str:
    return " ".join(settings.format.list_team_round_sentences(settings))
