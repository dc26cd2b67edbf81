"""A player's own part of a league's page: places, games to play, and next opponents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.access import Visitor
from games.models import Status
from games.selectors.lists import GameLine, load_game_lines
from games.words import times
from games.words.grammar import format_ordinal
from games.words.times import format_when
from leagues.models import Division, Entry, EntryState, Kind, Match, Phase, Season, Seed, Team
from leagues.pages.league import LeaguePage, format_season_name
from leagues.pages.names import NameLink, format_division_name, format_round_name
from leagues.pages.season import Hope, build_hope, build_url
from leagues.pages.seeds import describe_place
from leagues.pages.team import list_places
from leagues.pages.team_results import build_match_url
from leagues.seasons.brackets import build_knock_out
from leagues.seasons.challenges import is_over
from leagues.selectors import leagues as seasons_found
from leagues.selectors import memberships as found
from leagues.selectors import teams as teams_found
from leagues.words import criteria

LAST = datetime.max.replace(tzinfo=UTC)
FEW = 4
"""Maximum number of games waiting for others that are shown unfolded."""


class PlaceLine(NamedTuple):
    """Place in a division, in a knock-out, or of the team."""

    where: str
    url: str
    place: str
    points: str = ""
    move: str = ""  # once the season is over


class OwnGameLine(NamedTuple):
    """A game in progress, with opponents and state."""

    opponents: str
    url: str
    round: str
    state: str


class MeetingAhead(NamedTuple):
    """The next opponents in a round where no game is under way."""

    round: str
    opponents: str
    state: str
    url: str = ""


@dataclass(slots=True)
class Membership:
    """A season from the view of one of its players."""

    season: str
    places: list[PlaceLine] = field(default_factory=list)
    hope: Hope | None = None
    turns: list[OwnGameLine] = field(default_factory=list)  # the member's to play, least time left first
    others: list[OwnGameLine] = field(default_factory=list)
    ahead: list[MeetingAhead] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    act: NameLink | None = None  # next possible act of the member
    task: str = ""  # of a captain
    task_url: str = ""

    @property
    def few(self) -> bool:
        """Return whether games that wait for others are shown unfolded."""
        return len(self.others) <= FEW


def build_membership(page: LeaguePage, visitor: Visitor, now: datetime) -> Membership | None:
    """Build the part of a league's *page* about *visitor*; None for those who don't play there."""
    entry = page.own
    if entry is None:
        return None
    season = entry.season
    shown = Membership(format_season_name(season))
    if entry.state == EntryState.WITHDRAWN:
        shown.notes.append(_("You've withdrawn from this season."))
    elif season.phase == Phase.REGISTRATION:
        shown.notes.append(_("You're registered. It begins {when}.").format(when=format_when(season.begins)))
    elif season.phase != Phase.CANCELLED:
        team = _find_team(page, season, visitor)
        shown.places = list(_places(entry, team))
        if season.running:
            shown.hope = build_hope(entry, season.settings.standings.up)
            _add_what_is_played(shown, entry, team, visitor, now)
    if page.teams is not None:
        shown.task, shown.task_url = page.teams.task, page.teams.task_url
    return shown


def _find_team(page: LeaguePage, season: Season, visitor: Visitor) -> Team | None:
    if season.settings.teams is None:
        return None
    return page.teams.team if page.teams is not None else teams_found.find_own_team(season, visitor)


def _places(entry: Entry, team: Team | None) -> Iterator[PlaceLine]:
    season, division = entry.season, entry.division
    if team is not None:
        yield _place_of_team(season, team)
    elif division is not None and division.kind != Kind.KNOCK_OUT:
        yield _place_in_table(entry, division)
    seed = found.find_seed(entry) if _has_knock_out(season) else None
    if seed is not None:
        yield _place_in_knock_out(season, seed)


def _has_knock_out(season: Season) -> bool:
    """Return whether players, not teams, have seeds in *season*."""
    return season.settings.knock_out and season.settings.teams is None


def _place_in_table(entry: Entry, division: Division) -> PlaceLine:
    season = entry.season
    rules = season.settings.standings
    division.season = season
    points = ""
    if division.kind == Kind.TABLE:
        told = criteria.format_result(entry.points, entry.values, rules)
        points = f"{criteria.name_result(rules)}: {told}"
    rank = format_ordinal(entry.rank) if entry.rank else "–"
    return PlaceLine(
        where=format_division_name(division),
        url=build_url(season, division),
        place=_("{place} of {players}").format(place=rank, players=entry.others),  # type: ignore[attr-defined]
        points=points,
        move=criteria.format_move(entry.moves, final=season.moves_final is not None),
    )


def _place_in_knock_out(season: Season, seed: Seed) -> PlaceLine:
    seed.division.season = season
    return PlaceLine(
        format_division_name(seed.division),
        build_url(season, seed.division),
        describe_place(season, seed.rank, seed.share),  # type: ignore[attr-defined]
    )


def _place_of_team(season: Season, team: Team) -> PlaceLine:
    placed = teams_found.load_teams_with_places().get(pk=team.pk)
    url = reverse("league:team", args=[season.league.slug, season.number, team.pk])
    return PlaceLine(team.name, url, " · ".join(list_places(placed, season)))


def _add_what_is_played(
    shown: Membership, entry: Entry, team: Team | None, visitor: Visitor, now: datetime
) -> None:
    matches = found.load_undecided_matches(entry)
    for match in matches:
        match.division.season = entry.season
    _add_games(shown, matches, entry.player_id, visitor, now)
    shown.ahead += [_meeting(match, entry.player_id) for match in matches if not match.fixtures.all()]
    if team is not None:
        _add_team_match(shown, entry.season, team, now)
    elif not matches:
        _add_what_is_awaited(shown, entry, now)


def _add_games(
    shown: Membership, matches: Iterable[Match], own: int, visitor: Visitor, now: datetime
) -> None:
    of_game = {fixture.game: match for match in matches for fixture in match.fixtures.all() if fixture.game}
    games = sorted(of_game, key=lambda game: game.deadline or LAST)
    for line in load_game_lines(games, visitor, now):
        match = of_game[line.game]
        told = OwnGameLine(_opponents(match, own), line.url, _round(match), _state(line, now))
        (shown.turns if line.my_turn else shown.others).append(told)


def _state(line: GameLine, now: datetime) -> str:
    game = line.game
    if line.my_turn:
        return _time_left(game.deadline, now) if game.deadline is not None else ""
    if game.status == Status.ABORTED:
        return _("ended early; the organisers decide how it counts")
    if game.status != Status.PLAYING:
        return str(game.get_status_display())
    if line.mine is not None and line.mine.seat.offered:
        return _("the bot is standing in for you")
    if line.awaited is None or line.awaited.mine:
        return _("in progress")
    return _("waiting for {name}").format(name=line.awaited.name)


def _time_left(deadline: datetime, now: datetime) -> str:
    if deadline <= now:
        return _("time is up")
    return _("{time} left").format(time=times.format_duration(deadline - now))


def _meeting(match: Match, own: int) -> MeetingAhead:
    return MeetingAhead(_round(match), _opponents(match, own), _("begins soon"))


def _opponents(match: Match, own: int) -> str:
    return ", ".join(str(seat.player) for seat in match.seats.all() if seat.player_id != own)


def _round(match: Match) -> str:
    """Name the round of *match*, with its end if that is before the season's."""
    if match.division.kind == Kind.LADDER:
        told = pgettext("noun", "Challenge")
    else:
        told = format_round_name(match.division, match.round, match)
    return f"{told}, {_('by {when}').format(when=format_when(match.ends))}" if match.ends else told


def _add_team_match(shown: Membership, season: Season, team: Team, now: datetime) -> None:
    match = found.find_next_team_match(team)
    if match is None:
        shown.notes.append(_("Your team has no match at the moment."))
        return
    match.division.season = season
    begun = match.begins <= now
    state = _("being played") if begun else _("begins {when}").format(when=format_when(match.begins))
    shown.ahead.append(
        MeetingAhead(
            format_round_name(match.division, match.round, match),
            match.opponent_of(team).name,
            state,
            build_match_url(season, match.division, match),
        )
    )


def _add_what_is_awaited(shown: Membership, entry: Entry, now: datetime) -> None:
    """Describe why the member has no match now, and what they can do about it."""
    division = entry.division
    if division is not None and division.kind == Kind.LADDER:
        _add_challenging(shown, entry, division, now)
        return
    seed = found.find_seed(entry) if _has_knock_out(entry.season) else None
    if seed is not None:
        seed.division.season = entry.season
        shown.notes += _knock_out_ahead(seed)
    elif found.find_bye(entry) is not None:
        shown.notes.append(_("You sit out, which counts as a win."))
    elif division is not None and division.drawn < division.rounds:
        shown.notes.append(_("You'll meet your next opponent when all matches of this round are decided."))
    else:
        shown.notes.append(_("You've played all your matches."))


def _add_challenging(shown: Membership, entry: Entry, division: Division, now: datetime) -> None:
    if entry.rank == 1:
        shown.notes.append(_("You're at the top: wait for someone to challenge you."))
    elif not is_over(entry.season, now):
        shown.notes.append(_("You have no challenge at the moment."))
        shown.act = NameLink(_("Challenge someone"), build_url(entry.season, division))


def _knock_out_ahead(seed: Seed) -> Iterator[str]:
    """Describe the possible opponents of *seed* in the next round, which is not drawn yet."""
    division, own = seed.division, seed.holder
    rounds = build_knock_out(division).rounds()
    if division.drawn >= len(rounds):
        return
    tie = next((tie for tie in rounds[division.drawn] if own in tie.players), None)
    if tie is None:
        yield _("You're out of the knock-out.")
        return
    known = [pk for pk in tie.players if pk not in (own, None)]
    before = rounds[tie.round - 1][2 * tie.number : 2 * tie.number + 2] if not tie.third_place else ()
    possible = known or [pk for one in before if own not in one.players for pk in one.players if pk]
    names = " – ".join(seasons_found.load_names([pk for pk in possible if pk is not None]).values())
    if known:
        yield _("Next you meet {name}.").format(name=names)
    elif names:
        yield _("Next you meet the winner of {names}.").format(names=names)
