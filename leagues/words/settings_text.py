"""Descriptions of a league's settings, read before registration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.words import clocks, rule_sets, times
from games.words.grammar import capitalise
from leagues.settings import Admission, LeagueSettings, Schedule, Seeding
from leagues.standings import Withdrawn

from . import challenges, rounds, teams
from .criteria import NAMES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

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

Facts = list[tuple[str, str]]


def summarise_settings(settings: LeagueSettings) -> str:
    """Summarise a league on one line, for lists."""
    told = [
        players_at_a_table(settings),
        clocks.format_usual_time(settings.clock),
        rule_sets.format_sets(settings.rules),
    ]
    if settings.standings.series:
        told.insert(1, _("best of {n}").format(n=settings.standings.best_of))
    if settings.teams is not None:
        boards = settings.teams.boards
        told.insert(0, ngettext("Teams at {n} board", "Teams at {n} boards", boards).format(n=boards))
    return " · ".join(told)


def list_facts(settings: LeagueSettings) -> Facts:
    """List all settings, as pairs of heading and text."""
    return [
        (_("Table"), players_at_a_table(settings)),
        *(teams.list_facts(settings.teams, settings.schedule) if settings.teams is not None else ()),
        *rule_sets.list_rules_in_brief(settings.rules),
        (_("Time"), describe_time(settings)),
        (_("Format"), schedule(settings)),
        (_("Match"), " ".join(_match(settings))),
        *([(_("Shared draw"), duplicate())] if settings.duplicate else []),
        *_standing(settings),
        (_("Blocks"), describe_blocks(settings)),
        (_("Withdrawing"), describe_withdrawing(settings)),
        (_("Calendar"), " ".join(_calendar(settings))),
        *([(_("Protests"), describe_protests(settings))] if settings.protest_time else []),
        (_("Rating"), _("The games are rated.") if settings.rated else _("The games are unrated.")),
    ]


def describe_time(settings: LeagueSettings) -> str:
    """Describe the clock, the hard end of games, and its effect (CLOCK-24)."""
    agreement = clocks.build_agreement(settings.clock, settings.ladder, settings.rules, began=None)
    at_end = clocks.explain_hard_end(settings.clock.at_end)
    return f"{agreement.text} {_end_of_games(settings)} {at_end}"


def describe_blocks(settings: LeagueSettings) -> str:
    """Describe the effects of blocks between players in a season, and their limits (STAND-18)."""
    counted = _(
        "If you've blocked someone before registration closes, or they've blocked you, we keep you apart "
        "where we can. Only the two oldest blocks of each player count."
    )
    return f"{counted} {_describe_meeting_of_blocked(settings)}"


def _describe_meeting_of_blocked(settings: LeagueSettings) -> str:
    if settings.teams is not None:
        return _("If a line-up leaves no other board, you play each other.")
    if settings.schedule == Schedule.LADDER:
        return _(
            "A challenge between you counts as declined, but costs nothing. You play each other if the "
            "challenger can't reach anyone else."
        )
    if settings.schedule == Schedule.KNOCK_OUT:
        return _("You don't meet in the first round if that's possible; later you play each other.")
    if settings.schedule == Schedule.GROUPS:
        return _(
            "If there is no other way to draw the groups, or later in the knock-out, you play each other."
        )
    if settings.swiss:
        return _("If no round can be drawn without it, you play each other.")
    if settings.seats > 2:
        return _("If everyone meets everyone, you play each other.")
    return _("If neither of you can be in another division, you play each other.")


def describe_withdrawing(settings: LeagueSettings) -> str:
    """Describe the effects of withdrawing from a season (STAND-4)."""
    if settings.teams is not None and settings.knock_out:
        gone = _("If everyone in a team withdraws, it loses its boards, and the other team moves on.")
        return f"{WITHDRAWN[settings.standings.withdrawn]} {gone}"
    if settings.schedule == Schedule.KNOCK_OUT:
        return _(
            "If you withdraw from a knock-out in progress, you resign your current games, and "
            "your opponent moves on."
        )
    if settings.schedule == Schedule.LADDER:
        return _(
            "If you withdraw, you resign your current games and leave the ladder; everyone below moves up."
        )
    told = str(WITHDRAWN[settings.standings.withdrawn])
    if settings.schedule == Schedule.GROUPS:
        told = f"{told} {_('In the knock-out the opponent moves on.')}"
    return told


def describe_protests(settings: LeagueSettings) -> str:
    """Describe the protest time (STAND-17)."""
    told = _("If a result is wrong, tell the organisers: the season closes {time} after the last result.")
    if settings.knock_out or settings.swiss:
        told = _(
            "If a result is wrong, tell the organisers: the next round is drawn {time} after the last result "
            "of a round, and the season closes {time} after the last one of all."
        )
    return told.format(time=times.format_span(settings.protest_time))


def _standing(settings: LeagueSettings) -> Facts:
    table = [(_("Points"), points(settings)), (_("Ties"), level(settings))]
    if not settings.standings.counts_points:
        table = [(_("Ranking"), rank_by_comparison())]
    size = settings.division_size
    if settings.schedule == Schedule.KNOCK_OUT:
        return [(_("Seeds"), _seeds(settings))]
    if settings.schedule == Schedule.GROUPS:
        if settings.teams is None:
            drawn = _("Up to {n} players each, drawn so that all are about equally strong.")
        else:
            drawn = _("Up to {n} teams each, drawn so that all are about equally strong.")
        if settings.seeding == Seeding.POTS:
            lots = _("Each group draws one from every pot; the strongest are in the first one.")
            drawn = f"{drawn} {lots}"
        return [(_("Groups"), drawn.format(n=size)), *table, (_("Seeds"), _seeds_from_groups(settings))]
    if settings.schedule == Schedule.LADDER:
        return [(_("Challenges"), " ".join(_challenges(settings)))]
    return [(_("Divisions"), " ".join(_divisions(settings))), *table]


def _seeds(settings: LeagueSettings) -> str:
    if settings.seeding == Seeding.POTS:
        return _(
            "By rating, with lots drawn among seeds 3 and 4, 5 to 8, and so on. The top two can't meet "
            "before the final."
        )
    if settings.seeding == Seeding.RATING:
        return _("By rating. The top two can't meet before the final.")
    return _("In order of registration. The first two can't meet before the final.")


def _seeds_from_groups(settings: LeagueSettings) -> str:
    if settings.teams is not None:
        return _("By their place in the groups. Teams from the same group meet again as late as possible.")
    return _("By their place in the groups. Players from the same group meet again as late as possible.")


def _challenges(settings: LeagueSettings) -> Iterator[str]:
    rules = settings.challenges
    yield ngettext(
        "You can challenge players up to {n} place above you, one at a time.",
        "You can challenge players up to {n} places above you, one at a time.",
        rules.ladder.reach,
    ).format(n=rules.ladder.reach)
    yield _("If you win the challenge, you take the place; everyone between moves down.")
    if rules.ladder.rest:
        rest = times.format_span(rules.ladder.rest)
        yield _("The same two can't play again for {time} afterwards.").format(time=rest)
    yield _("A challenge lasts {time} at most.").format(time=times.format_span(rules.length))
    yield challenges.describe_decline_rule(rules.declines)
    yield _(
        "You can't be challenged while you're away, and a holiday that you've entered before makes a "
        "challenge that much longer."
    )


def _end_of_games(settings: LeagueSettings) -> str:
    if settings.schedule == Schedule.LADDER:
        return _("No turn goes beyond the end of the challenge.")
    if settings.knock_out or settings.swiss:
        return _("No turn goes beyond the end of the round.")
    return _("No turn goes beyond the end of the season.")


def players_at_a_table(settings: LeagueSettings) -> str:
    if settings.seats == 2:
        return _("Duels")
    return _("Tables of {n} players").format(n=settings.seats)


def schedule(settings: LeagueSettings) -> str:
    n = settings.rounds
    if settings.teams is not None:
        return teams.schedule(settings)
    if settings.schedule == Schedule.KNOCK_OUT:
        return _("Knock-out: the winner of a match moves on, and the loser is out.")
    if settings.schedule == Schedule.LADDER:
        return _("Ladder: players challenge others above them.")
    if settings.schedule == Schedule.GROUPS:
        first = settings.cup.from_group
        return ngettext(
            "Everyone plays everyone in their group. The first of each group goes on to a knock-out.",
            "Everyone plays everyone in their group. The first {n} of each group go on to a knock-out.",
            first,
        ).format(n=first)
    if settings.swiss:
        told = ngettext(
            "Swiss system: {n} round in which players with similar points meet, and never twice.",
            "Swiss system: {n} rounds in which players with similar points meet, and never twice.",
            n,
        )
    elif settings.seats == 2:
        told = ngettext(
            "Everyone plays everyone in their division once.",
            "Everyone plays everyone in their division {n} times.",
            n,
        )
    else:
        told = ngettext(
            "{n} round of tables in which everyone meets everyone about equally often.",
            "{n} rounds of tables in which everyone meets everyone about equally often.",
            n,
        )
    return told.format(n=n)


def _match(settings: LeagueSettings) -> Iterator[str]:
    yield describe_match(settings)
    if settings.schedule == Schedule.LADDER:
        yield _("If a match is even, nothing changes.")
    if not settings.knock_out:
        return
    for ties, games in settings.cup.longer:
        yield _("Best of {n} in the knock-out from this round on: {round}.").format(
            n=games, round=rounds.format_round(ties)
        )
    if settings.teams is None:
        yield _("If a match of the knock-out is even, the higher seed moves on.")
    else:
        yield teams.even()
    if settings.cup.third_place:
        yield _("There is a match for third place.")


def describe_match(settings: LeagueSettings) -> str:
    if not settings.standings.series:
        return _("One game.")
    return _("Best of {n} games. Players take turns in beginning.").format(n=settings.standings.best_of)


def duplicate() -> str:
    return _(
        "All tables of a round draw the same tiles in the same order. Only its players can "
        "see a board until all games with these tiles are over; once you've finished one of "
        "them, you can see the others that are over. Then the page of the round compares what "
        "everyone made of the tiles."
    )


def _divisions(settings: LeagueSettings) -> Iterator[str]:
    if settings.teams is not None:
        yield _("Up to {n} teams each.").format(n=settings.division_size)
    else:
        yield _("Up to {n} players each.").format(n=settings.division_size)
    if settings.most_players:
        yield _("Up to {n} players in all; later players wait for a place.").format(n=settings.most_players)
    yield from describe_movement(settings)


def describe_movement(settings: LeagueSettings) -> Iterator[str]:
    """Describe promotion and relegation at the end of a season (STAND-13)."""
    up, down = settings.standings.up, settings.standings.down
    if up:
        yield ngettext("The first moves up.", "The first {n} move up.", up).format(n=up)
    if down:
        yield ngettext("The last moves down.", "The last {n} move down.", down).format(n=down)


def points(settings: LeagueSettings) -> str:
    if settings.teams is not None:
        return teams.points()
    if settings.standings.series:
        return _("2 for a match won, 1 for an even one.")
    listed = " – ".join(map(str, settings.standings.points))
    return _(
        "From the first place to the last: {points}. Players who tie share the points of their places."
    ).format(points=listed)


def rank_by_comparison() -> str:
    """Describe the ranking by the comparison alone (STAND-19)."""
    return _(
        "By the comparison alone: in each game, your score minus the mean score of those who had the same "
        "seat and the same tiles at other tables. Wins don't count, nor do games without a score."
    )


def level(settings: LeagueSettings) -> str:
    """Describe the tie-breaks between players with the same points."""
    if settings.teams is not None:
        return teams.level(tuple(name for name in settings.standings.tie_breaks if name != "games_won"))
    listed = ", ".join(str(NAMES[name]) for name in settings.standings.tie_breaks)
    return _("Tie-breaks, in this order: {criteria}.").format(criteria=listed) if listed else ""


def _calendar(settings: LeagueSettings) -> Iterator[str]:
    if settings.admission == Admission.LINK:
        yield _("Players need the league's link to register.")
    if settings.admission == Admission.APPROVAL:
        yield _("Organisers let players in.")
    yield _("Registration is open for {time}.").format(time=times.format_span(settings.registration))
    yield _("A season lasts {time} at most.").format(time=times.format_span(settings.length))
    if settings.knock_out:
        yield _("The rounds of the knock-out share the time left when they start equally.")
    if settings.late_until:
        yield _("Players can join until {share} of it are over.").format(share=f"{settings.late_until} %")
    if settings.again:
        yield capitalise(_("the next one opens automatically, and players who stay are registered for it."))
