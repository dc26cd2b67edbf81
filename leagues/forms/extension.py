"""The form to extend a season, a round or a match: its choices, and a description of the changes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.numerals import parse_key
from games.words.times import format_when
from leagues.exceptions import LeagueRefused
from leagues.models import Division, Match, Season, TeamMatch
from leagues.seasons.extending import (
    WHOLE_SEASON,
    EndMove,
    ExtensionPlan,
    PartKind,
    SeasonPart,
    find_players,
    get_last_round,
    has_rounds_with_ends,
    is_group,
    list_games,
)

MOST_CHALLENGES = 50
"""Maximum number of open challenges offered."""


class ExtensionChoice(NamedTuple):
    """A part of a season that can be extended."""

    part: SeasonPart
    label: str


def list_choices(season: Season, asked: str = "") -> Iterator[ExtensionChoice]:
    """Yield the parts of *season* that can be extended: the match *asked* for by primary key, or all open
    challenges; rounds under way, and the season.

    :raises LeagueRefused: there is no such match
    """
    if asked:
        match = _find_match(season, asked)
        yield _choose(PartKind.MATCH, match.pk, _name_match(match), match.latest_end)
        meetings = TeamMatch.objects.select_related("first", "second")
        for meeting in meetings.filter(boards__players__match=match):
            name = f"{meeting.first.name} – {meeting.second.name}"
            yield _choose(PartKind.TEAM_MATCH, meeting.pk, name, meeting.ends or season.ends)
    else:
        for match in _list_challenges(season):
            yield _choose(PartKind.MATCH, match.pk, _name_match(match), match.latest_end)
    for division in season.divisions.select_related("season__league").order_by("level"):
        yield from _list_rounds(division)
    yield ExtensionChoice(WHOLE_SEASON, _until(season.name, season.ends))


def describe_extension(plan: ExtensionPlan) -> list[str]:
    """Describe the dates that move, and for how many players and games."""
    games, players = len(list_games(plan)), sum(map(len, find_players(plan).values()))
    more = ngettext("{n} game in progress gets more time.", "{n} games in progress get more time.", games)
    told = ngettext("We'll tell {n} player.", "We'll tell {n} players.", players)
    return [
        *(_describe_move(plan, move) for move in plan.moves),
        more.format(n=games),
        told.format(n=players),
    ]


def _find_match(season: Season, asked: str) -> Match:
    matches = Match.objects.select_related("division__season__league")
    match = matches.filter(division__season=season, pk=parse_key(asked)).first()
    if match is None:
        raise LeagueRefused("no_game")
    return match


def _list_challenges(season: Season) -> Iterator[Match]:
    challenges = Match.objects.filter(division__season=season, decided=None, challenge__isnull=False)
    yield from challenges.select_related("division__season__league").order_by("ends", "pk")[:MOST_CHALLENGES]


def _list_rounds(division: Division) -> Iterator[ExtensionChoice]:
    """The round of *division* that is under way, where it has an end of its own."""
    if not has_rounds_with_ends(division):
        return
    matches = division.matches.filter(decided=None)
    meetings = division.team_matches.filter(decided=False)
    if not is_group(division):
        number = get_last_round(division)
        matches, meetings = matches.filter(round=number), meetings.filter(round=number)
    first = matches.order_by("-ends").first() or meetings.order_by("-ends").first()
    if first is not None:
        ends = first.ends or division.season.ends
        yield _choose(PartKind.ROUND, division.pk, _name_place(division, first.round), ends)


def _choose(kind: PartKind, key: int, name: str, ends: datetime) -> ExtensionChoice:
    return ExtensionChoice(SeasonPart(kind, key), _until(name, ends))


def _until(name: str, ends: datetime) -> str:
    return _("{what}, until {when}").format(what=name, when=format_when(ends))


def _name_match(match: Match) -> str:
    seats = match.seats.select_related("player").order_by("index")
    players = " – ".join(str(seat.player) for seat in seats)
    return f"{players} ({_name_place(match.division, match.round, match.tie_number)})"


def _name_place(division: Division, round: int, number: int = 0) -> str:
    """Name a round of *division*, or its match with this *number*; the division itself if it is a group or a
    ladder."""
    name = division.name
    if not has_rounds_with_ends(division) or is_group(division):
        return name
    return f"{name}, {division.name_round(round, number)}"


def _describe_move(plan: ExtensionPlan, move: EndMove) -> str:
    before, after = format_when(move.before), format_when(move.after)
    if move.division is None and plan.part.kind != PartKind.SEASON:
        told = _("The season, with all rounds that haven't been drawn yet: {before}, now {after}.")
        return told.format(before=before, after=after)
    name = plan.season.name
    if move.division is not None:
        name = _name_place(move.division, move.round)
    return _("{what}: {before}, now {after}.").format(what=name, before=before, after=after)
