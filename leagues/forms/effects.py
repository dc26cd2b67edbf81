"""Descriptions of the effects of organisers' acts, shown before they confirm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.models import Status
from games.words.grammar import format_ordinal
from games.words.times import format_compact, format_span
from leagues.models import Entry, EntryState, Fixture, Match, Season, Team
from leagues.seasons.ending_early import check_early_end
from leagues.seasons.joining import check_admitting
from leagues.seasons.penalties import (
    check_setting_penalty,
    find_table,
    has_table_counted,
    preview_penalty,
)
from leagues.seasons.replacing import check_replacing
from leagues.seasons.results import Result
from leagues.seasons.settling import check_settling, has_followed
from leagues.seasons.tables import preview_table
from leagues.seasons.taking_out import check_taking_out
from leagues.seasons.teams.tables import build_table_rules
from leagues.seasons.untouched_matches import find_untouched_matches
from leagues.selectors.leagues import load_names
from leagues.standings import Rules, TableStanding
from leagues.words.criteria import format_number, format_result
from leagues.words.log import (
    describe_own_matter,
    describe_what_stands,
    describe_what_stands_after_penalty,
    format_ranking,
)

Effects = list[str]


def describe_settling(
    fixture: Fixture, ranks: Mapping[int, int] | None, who: Player, now: datetime
) -> Effects:
    """Describe the effects of settling *fixture* with these *ranks*, or, if None, as it was played.

    :raises LeagueRefused: it can't be settled so
    :raises TooMany: *who* has settled many games today
    """
    players, result, _others, own_matter = check_settling(fixture, ranks, who, now)
    division = fixture.match.division
    entries = {entry.player_id: entry for entry in division.entries.all()}
    names = load_names({*players, *entries})
    told = [describe_own_matter()] if own_matter else []
    if fixture.game is not None and fixture.game.status == Status.PLAYING:
        told.append(
            _("The game is still being played. It will be called off, unrated, and we'll tell its players.")
        )
    told.append(
        _("Before: {before}. After: {after}.").format(
            before=_ranking(fixture.seats, names) or _("no result"), after=_ranking(result, names)
        )
    )
    told += _describe_what_stands(fixture.match)
    if not division.format.in_tables:
        return told
    rules = division.season.settings.standings
    return told + describe_table_changes(preview_table(fixture, result), entries, names, rules)


def describe_penalty(contender: Entry | Team, points: Decimal, who: Player, now: datetime) -> Effects:
    """Describe the effects of giving *contender* this number of penalty *points*.

    :raises LeagueRefused: the penalty isn't allowed
    :raises TooMany: *who* has decided much about players today
    """
    own_matter = check_setting_penalty(contender, points, who, now)
    division = find_table(contender)
    told = [describe_own_matter()] if own_matter else []
    told.append(
        _("Penalty points of {name}: {before}, now {after}.").format(
            name=contender.name,
            before=format_number(str(contender.penalty)),
            after=format_number(str(points)),
        )
    )
    if has_table_counted(division):
        told.append(describe_what_stands_after_penalty())
    table = preview_penalty(contender, points)
    if isinstance(contender, Team):
        teams = {team.pk: team for team in division.teams.all()}
        names = {key: team.name for key, team in teams.items()}
        return told + describe_table_changes(table, teams, names, build_table_rules(division.season))
    entries = {entry.player_id: entry for entry in division.entries.select_related("player")}
    names = {key: str(entry.player) for key, entry in entries.items()}
    return told + describe_table_changes(table, entries, names, division.season.settings.standings)


def describe_table_changes(
    table: Iterable[TableStanding],
    contenders: Mapping[int, Entry] | Mapping[int, Team],
    names: Mapping[int, str],
    rules: Rules,
) -> Effects:
    """Describe the changes of rank or result of *contenders* in the new *table*."""
    told = []
    for one in table:
        entry = contenders[int(one.player)]
        before = format_result(entry.points, entry.values, rules)
        after = format_result(str(one.points), one.values, rules)
        if (entry.rank, before) != (one.rank, after):
            told.append(
                _("{player}: {rank} with {points}, now {new_rank} with {new_points}.").format(
                    player=names[int(one.player)],
                    rank=format_ordinal(entry.rank) if entry.rank else "–",
                    points=before,
                    new_rank=format_ordinal(one.rank),
                    new_points=after,
                )
            )
    return told


def _describe_what_stands(match: Match) -> Effects:
    """Describe what a late correction leaves as it is, or what waits for protests (STAND-17)."""
    season = match.division.season
    if has_followed(match):
        return [describe_what_stands()]
    if not season.settings.protest_time:
        return []
    told = _("Players can protest against it for {time}. Nothing that follows is drawn before.")
    return [told.format(time=format_span(season.settings.protest_time))]


def describe_replacing(
    season: Season, leaving: Player, substitute: Player, who: Player, now: datetime
) -> Effects:
    """Describe the effects of asking *substitute* to play on for *leaving*.

    :raises LeagueRefused: they can't
    :raises TooMany: *who* has brought many players today
    """
    entry, own_matter = check_replacing(season, leaving, substitute, who, now)
    assert entry.division is not None
    matches = len(find_untouched_matches(entry.division.matches.all(), [entry.player_id]))
    asked = _("We ask {substitute}, who has a day to answer. Once they accept:").format(substitute=substitute)
    told = [describe_own_matter(), asked] if own_matter else [asked]
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
        _("Games {player} has played still count for {player}. {substitute} starts with no points.").format(
            player=leaving, substitute=substitute
        )
    )
    return told


def describe_taking_out(season: Season, player: Player, who: Player, now: datetime) -> Effects:
    """Describe the effects of taking *player* out of *season*.

    :raises LeagueRefused: they aren't there, or another organiser has to decide
    :raises TooMany: *who* has decided much about players today
    """
    entry, own_matter = check_taking_out(season, player, who, now)
    if entry.division is None:
        return [_("{player} is no longer registered for this season.").format(player=player)]
    own = [describe_own_matter()] if own_matter else []
    told = _(
        "{player} resigns all games in progress and loses those that haven't started by forfeit, as if they "
        "had withdrawn."
    )
    return [*own, told.format(player=player)]


def describe_early_end(season: Season, who: Player, now: datetime) -> Effects:
    """Describe the effects of ending *season* early.

    :raises LeagueRefused: it can't be ended
    """
    end = check_early_end(season, who, now)
    told = [describe_own_matter()] if end.own_matter else []
    for late in end.late:
        named = {"division": late.division.name, "round": late.name}
        told.append(_("{division}: {round} isn't played, nor anything after it.").format(**named))
    least = format_compact(max(late.least for late in end.late))
    missing = format_compact(max(late.missing for late in end.late))
    told.append(_("Games in progress are played to their end. The places at that point are final."))
    told.append(_("A match that isn't played has no winner: players still in a knock-out share the place."))
    told.append(
        _("Otherwise the round gets its {least}, and the season ends at least {missing} later.").format(
            least=least, missing=missing
        )
    )
    return told


def describe_admitting(season: Season, newcomer: Player, who: Player, now: datetime) -> Effects:
    """Describe the effects of letting *newcomer* join.

    :raises LeagueRefused: there is no place, or *newcomer* can't play
    :raises TooMany: *who* has brought many players today
    """
    division, own_matter = check_admitting(season, newcomer, who, now)
    return [
        *([describe_own_matter()] if own_matter else []),
        _("{player} plays in {division}.").format(player=newcomer, division=division.name),
        division.format.describe_newcomer(division),
    ]


def _ranking(result: Result | None, names: Mapping[int, str]) -> str:
    by_rank = sorted(result or (), key=lambda seat: seat["rank"])
    return format_ranking(([seat["player"], seat["rank"]] for seat in by_rank), names)
