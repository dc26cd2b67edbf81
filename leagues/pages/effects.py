"""What an act of organisers would do, in sentences, before it is done."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.models import Status
from games.words.ranks import ordinal
from leagues.models import Entry, EntryState, Fixture, Season
from leagues.pages.desk import day
from leagues.pages.names import division_name
from leagues.seasons.joining import place_in
from leagues.seasons.organising import running_games
from leagues.seasons.replacing import may_be_replaced, untouched_matches
from leagues.seasons.results import Result, played_result
from leagues.seasons.settling import adjudicated, may_be_settled
from leagues.seasons.tables import table_with
from leagues.words.criteria import number
from leagues.words.log import ranking

Effects = list[str]


def settle(fixture: Fixture, ranks: Mapping[int, int] | None, who: Player) -> Effects:
    """Of settling *fixture* with these *ranks*, or without any as it was played.

    :raises LeagueRefused: it can't be settled so
    """
    players = may_be_settled(fixture, who)
    if ranks is not None:
        result = adjudicated(players, ranks)
    elif fixture.game is not None and fixture.game.status == Status.FINISHED:
        result = played_result(fixture.match, fixture.game)
    else:
        result = []
    division = fixture.match.division
    entries = {entry.player_id: entry for entry in division.entries.select_related("player")}
    names = {pk: str(entry.player) for pk, entry in entries.items()}
    told = []
    if fixture.game is not None and fixture.game.status == Status.PLAYING:
        told.append(
            _("The game is still being played. It will be called off, unrated, and we'll tell its players.")
        )
    told.append(
        _("Before: {before}. After: {after}.").format(
            before=_ranking(fixture.seats, names) or _("no result"), after=_ranking(result, names)
        )
    )
    if not result:
        return told
    for one in table_with(fixture, result):
        entry = entries[int(one.player)]
        if (entry.rank, entry.points) != (one.rank, str(one.points)):
            told.append(
                _("{player}: {rank} with {points}, now {new_rank} with {new_points}.").format(
                    player=names[entry.player_id],
                    rank=ordinal(entry.rank) if entry.rank else "–",
                    points=number(entry.points),
                    new_rank=ordinal(one.rank),
                    new_points=number(one.points),
                )
            )
    return told


def replace(season: Season, leaving: Player, substitute: Player) -> Effects:
    """Of letting *substitute* play on for *leaving*.

    :raises LeagueRefused: nobody can
    """
    entry = may_be_replaced(season, leaving)
    matches = len(untouched_matches(entry))
    told = []
    if entry.state != EntryState.WITHDRAWN:
        told.append(
            _(
                "{player} withdraws from the season and resigns all games in progress. Games "
                "that someone hasn't played in yet start over."
            ).format(player=leaving)
        )
    else:
        told.append(
            ngettext(
                "{substitute} plays {n} match for {player}.",
                "{substitute} plays {n} matches for {player}.",
                matches,
            ).format(substitute=substitute, player=leaving, n=matches)
        )
    told.append(
        _("What {player} has played still counts for {player}. {substitute} starts with no points.").format(
            player=leaving, substitute=substitute
        )
    )
    return told


def admit(season: Season, newcomer: Player, now: datetime) -> Effects:
    """Of letting *newcomer* join.

    :raises LeagueRefused: there is no place
    """
    division = place_in(season, now)
    others = Entry.objects.filter(division=division, replaced_by=None).count()
    told = [
        _("{player} plays in {division}.").format(player=newcomer, division=division_name(division)),
    ]
    if season.settings.swiss:
        n = division.drawn + 1
        told.append(_("From round {n}; earlier rounds earn no points.").format(n=n))
    else:
        n = others * season.settings.rounds
        told.append(
            ngettext("{n} more match will be played.", "{n} more matches will be played.", n).format(n=n)
        )
    return told


def extend(season: Season, ends: datetime) -> Effects:
    """Of moving the end of *season*."""
    games = len(running_games(season))
    return [
        _("Before: {before}. After: {after}.").format(before=day(season.ends), after=day(ends)),
        ngettext(
            "{n} game in progress can go on until then.",
            "{n} games in progress can go on until then.",
            games,
        ).format(n=games),
    ]


def _ranking(result: Result | None, names: Mapping[int, str]) -> str:
    by_rank = sorted(result or (), key=lambda seat: seat["rank"])
    return ranking(([seat["player"], seat["rank"]] for seat in by_rank), names)
