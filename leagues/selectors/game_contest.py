"""The league of a game, for its page and mails (``games.selectors.contests``)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext as _

from games.hooks import PageLink
from games.models import Status
from games.selectors.contests import ContestVerdict
from leagues.models import Fixture
from leagues.selectors.leagues import load_fixtures_of, load_names
from leagues.selectors.teams import connect_match
from leagues.selectors.verdicts import build_verdict


@dataclass(frozen=True, slots=True)
class LeagueGame:
    """A game of a league, loaded with everything shown of it."""

    fixture: Fixture
    names: Mapping[int, str]  # of its players, once it has a result

    @property
    def links(self) -> list[PageLink]:
        """Links to the league, and to the round or the match of teams."""
        league = self.fixture.match.division.season.league
        return [PageLink(league.name, league.get_absolute_url()), self._link_match()]

    @property
    def verdict(self) -> ContestVerdict | None:
        return build_verdict(self.fixture, self.names, timezone.now())

    def _link_match(self) -> PageLink:
        match, name = self.fixture.match, self.fixture.match.name
        board = getattr(match, "at_board", None)
        if board is not None:
            of_teams = connect_match(board.board.team_match, match.division.season)
            return PageLink(
                f"{of_teams.name}, {of_teams.first} – {of_teams.second}", of_teams.get_absolute_url()
            )
        if match.games > 1:
            name = _("{round}, game {n} of {games} at most").format(
                round=name, n=self.fixture.number, games=match.games
            )
        return PageLink(name, match.get_absolute_url())


def load_league_games(games: Collection[int]) -> dict[int, LeagueGame]:
    """Those of *games*, by primary key, that belong to leagues; two queries, and two more if any of them
    ended early and has no result yet."""
    fixtures = list(load_fixtures_of(games))
    early = [fixture for fixture in fixtures if _is_early_and_open(fixture)]
    prefetch_related_objects(early, "match__seats", "game__seats")
    players = {seat["player"] for fixture in fixtures for seat in fixture.seats or ()}
    players |= {seat.player_id for fixture in early for seat in fixture.match.seats.all()}
    names = load_names(players) if players else {}
    return {fixture.game_id: LeagueGame(fixture, names) for fixture in fixtures if fixture.game_id}


def _is_early_and_open(fixture: Fixture) -> bool:
    """Return whether the game of *fixture* ended early and isn't recorded yet; it may be a forfeit."""
    return fixture.seats is None and fixture.game is not None and fixture.game.status == Status.ABORTED
