"""Whom a player meets, and when: what a mail says when a season or a round begins."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from leagues.models import Division, Entry, EntryState, Kind, Match, Team, TeamMatch
from leagues.notices.news import moment
from leagues.pages.names import division_name
from leagues.words import agreed, rounds


def facts_of(entry: Entry) -> agreed.Facts:
    """All that the player of *entry*, which has a division, needs to begin."""
    division = entry.division
    assert division is not None
    season = division.season
    return [
        (_("Where"), division_name(division)),
        *(_matches_of_team(entry) if season.settings.teams is not None else _opponents(division, entry)),
        (_("End"), _("by {when}").format(when=moment(season.ends))),
        (_("Time"), agreed.time(season.settings)),
    ]


def round_name(division: Division, number: int, match: Match | TeamMatch | None = None) -> str:
    """A round of *division*, in which a player or a team plays this *match*."""
    if division.kind != Kind.KNOCK_OUT:
        return _("Round {n}").format(n=number)
    left = division.rounds - number
    if left == 0 and match is not None and match.number > 1:
        return _("Match for third place")
    return rounds.of_ties(2**left)


def opponents_in(match: Match, player: Player) -> str:
    """Whom *player* meets in *match*, by name."""
    seats = match.seats.exclude(player=player).select_related("player")
    return ", ".join(str(seat.player) for seat in seats)


def match_in(division: Division, number: int, player: Player) -> Match | None:
    """The match of *player* in a round of *division*; none for who sits out."""
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
    elif division.kind == Kind.KNOCK_OUT or settings.swiss:
        number = max(1, division.drawn)
        match = match_in(division, number, entry.player)
        if match is not None:
            yield (
                round_name(division, number, match),
                _("{player}, by {when}").format(
                    player=opponents_in(match, entry.player), when=moment(match.latest_end)
                ),
            )
        elif sits_out(division, number, entry.player):
            yield round_name(division, number), _("You sit out, which counts as a win.")
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
        other = match.second if match.first_id == team.pk else match.first
        yield (
            round_name(match.division, match.round, match),
            _("{team}, {when}").format(team=other.name, when=moment(match.begins)),
        )
