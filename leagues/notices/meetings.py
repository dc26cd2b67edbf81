"""Opponents and dates of a player, for mails at the beginning of a season or a round."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.words.times import format_when
from leagues.models import Division, Entry, EntryState, Kind, Match, Team, TeamMatch
from leagues.pages.names import format_division_name, format_round_name
from leagues.words import settings_text


def list_facts(entry: Entry) -> settings_text.Facts:
    """Return the facts that the player of *entry*, which has a division, needs to begin."""
    division = entry.division
    assert division is not None
    season = division.season
    return [
        (_("Where"), format_division_name(division)),
        *(_matches_of_team(entry) if season.settings.teams is not None else _opponents(division, entry)),
        (_("End"), _("by {when}").format(when=format_when(season.ends))),
        (_("Time"), settings_text.describe_time(season.settings)),
    ]


def format_opponents(match: Match, player: Player) -> str:
    """Return the names of the opponents of *player* in *match*."""
    seats = match.seats.exclude(player=player).select_related("player")
    return ", ".join(str(seat.player) for seat in seats)


def find_match(division: Division, number: int, player: Player) -> Match | None:
    """Return the match of *player* in a round of *division*; None if they sit out."""
    return division.matches.filter(round=number, seats__player=player).first()


def sits_out(division: Division, number: int, player: Player) -> bool:
    return division.byes.filter(round=number, player=player).exists()


def _opponents(division: Division, entry: Entry) -> Iterator[tuple[str, str]]:
    settings = division.season.settings
    if division.kind == Kind.LADDER:
        reach = settings.challenges.ladder.reach
        there = division.entries.filter(row__isnull=False).count()
        yield _("Place"), _("{n} of {all}").format(n=entry.row, all=there)
        yield (
            _("Challenges"),
            ngettext(
                "You can challenge players up to {n} place above you.",
                "You can challenge players up to {n} places above you.",
                reach,
            ).format(n=reach),
        )
    elif division.sequential:
        number = max(1, division.drawn)
        match = find_match(division, number, entry.player)
        if match is not None:
            yield (
                format_round_name(division, number, match),
                _("{player}, by {when}").format(
                    player=format_opponents(match, entry.player), when=format_when(match.latest_end)
                ),
            )
        elif sits_out(division, number, entry.player):
            yield format_round_name(division, number), _("You sit out, which counts as a win.")
    else:
        others = division.entries.filter(state=EntryState.PLAYING).exclude(pk=entry.pk)
        names = others.select_related("player").order_by("order", "pk")
        yield _("Opponents"), ", ".join(str(other.player) for other in names)


def _matches_of_team(entry: Entry) -> Iterator[tuple[str, str]]:
    team = Team.objects.filter(
        season=entry.season_id, members__player=entry.player_id, members__joined__isnull=False
    ).first()
    if team is None:
        return
    yield _("Team"), team.name
    matches = TeamMatch.objects.filter(Q(first=team) | Q(second=team))
    for match in matches.select_related("first", "second", "division").order_by("begins", "pk"):
        other = match.opponent_of(team)
        yield (
            format_round_name(match.division, match.round, match),
            _("{team}, {when}").format(team=other.name, when=format_when(match.begins)),
        )
