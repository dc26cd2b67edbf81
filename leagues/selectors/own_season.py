"""A season from the view of one of its players: places, games to play, and next opponents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from games.access import Visitor
from games.models import Game
from games.selectors.lists import seat_players
from leagues.models import Entry, Match, Phase, Seed, Team, TeamMatch
from leagues.seasons.brackets import build_bracket
from leagues.seasons.challenges import is_over
from leagues.selectors.leagues import load_names
from leagues.selectors.memberships import (
    find_bye,
    find_next_team_match,
    find_seed,
    load_undecided_matches,
)
from leagues.selectors.own_team import OwnTeam
from leagues.selectors.teams import connect_match, find_own_team, load_teams_with_places

LAST = datetime.max.replace(tzinfo=UTC)
FEW = 4
"""Maximum number of games waiting for others that are shown unfolded."""


OwnGame = tuple[Game, Match]
"""A game in progress, with its match."""


class NextTie(NamedTuple):
    """The next match of a player in a bracket, which is not drawn yet, as far as it is known."""

    is_out: bool
    is_known: bool  # whether the opponent is
    names: str  # of the opponent, or of those of whom one will be
    meets_winner: bool = True  # of these; else the one who loses


@dataclass(slots=True)
class OwnSeason:
    """A season of a player."""

    entry: Entry
    team: Team | None = None  # with its places
    seed: Seed | None = None  # of the player, not of a team
    turns: list[OwnGame] = field(default_factory=list)  # the player's to play, least time left first
    others: list[OwnGame] = field(default_factory=list)
    ahead: list[Match] = field(default_factory=list)  # matches without games
    team_match: TeamMatch | None = None
    is_idle: bool = False  # whether a player without a team has no match
    may_challenge: bool = False
    next_tie: NextTie | None = None
    sits_out: bool = False

    @property
    def shows_division(self) -> bool:
        """Return whether the player has a place of their own in a table."""
        over = self.entry.has_withdrawn or self.entry.season.phase == Phase.CANCELLED
        division = self.entry.division
        return not over and division is not None and not division.format.moves_winners_on

    @property
    def few(self) -> bool:
        """Return whether games that wait for others are shown unfolded."""
        return len(self.others) <= FEW


def load_own_season(entry: Entry, own: OwnTeam | None, visitor: Visitor, now: datetime) -> OwnSeason:
    """Return the season of *entry*, which is *visitor*'s; *own* is the team, if it was read already."""
    season, shown = entry.season, OwnSeason(entry)
    if entry.has_withdrawn or season.phase in (Phase.REGISTRATION, Phase.CANCELLED):
        return shown
    if season.contenders.in_teams:
        team = own.team if own is not None else find_own_team(season, visitor)
        shown.team = load_teams_with_places().get(pk=team.pk) if team is not None else None
    elif season.format.seeded:
        shown.seed = find_seed(entry)
    if season.running:
        _add_what_is_played(shown, visitor, now)
    return shown


def _add_what_is_played(shown: OwnSeason, visitor: Visitor, now: datetime) -> None:
    matches = load_undecided_matches(shown.entry)
    _add_games(shown, matches, visitor)
    shown.ahead = [match for match in matches if not match.fixtures.all()]
    if shown.team is not None:
        match = find_next_team_match(shown.team)
        shown.team_match = connect_match(match, shown.entry.season) if match is not None else None
    elif not matches:
        shown.is_idle = True
        _add_what_is_awaited(shown, now)


def _add_games(shown: OwnSeason, matches: Iterable[Match], visitor: Visitor) -> None:
    fixtures = ((fixture, match) for match in matches for fixture in match.fixtures.all())
    of_game = {
        fixture.game: match
        for fixture, match in fixtures
        if fixture.game and (not fixture.game.ended or fixture.is_undecided)
    }
    games = sorted(of_game, key=lambda game: game.deadline or LAST)
    for game in seat_players(games, visitor):
        (shown.turns if game.is_own_turn else shown.others).append((game, of_game[game]))


def _add_what_is_awaited(shown: OwnSeason, now: datetime) -> None:
    division = shown.entry.division
    if division is not None and division.format.has_challenges:
        shown.may_challenge = shown.entry.rank != 1 and not is_over(shown.entry.season, now)
    elif shown.seed is not None:
        shown.next_tie = _find_next_tie(shown.seed)
    else:
        shown.sits_out = find_bye(shown.entry) is not None


def _find_next_tie(seed: Seed) -> NextTie | None:
    """Find the next match of *seed*, which is not drawn yet; None after the last round."""
    division, own = seed.division, seed.holder
    rounds = build_bracket(division).rounds()
    if division.drawn >= len(rounds):
        return None
    coming = (tie for each in rounds[division.drawn :] for tie in each)
    tie = next((tie for tie in coming if own in tie.players), None)
    if tie is None:
        return NextTie(is_out=True, is_known=False, names="")
    known = [pk for pk in tie.players if pk not in (own, None)]
    if known:
        return NextTie(is_out=False, is_known=True, names=_join_names(known))
    for source in tie.sources:
        before = rounds[source.round][source.number].players
        if own not in before:
            return NextTie(False, False, _join_names(before), meets_winner=source.wins)
    return NextTie(is_out=False, is_known=False, names="")


def _join_names(players: Iterable[int | None]) -> str:
    """The names of *players*; empty unless all are known."""
    keys = list(players)
    return " – ".join(load_names([pk for pk in keys if pk]).values()) if None not in keys else ""
