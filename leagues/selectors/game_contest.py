"""The league of a game, for its page and mails (``games.selectors.contests``)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.references import show_text
from games.hooks import PageLink
from games.models import Ending, Game, Status
from games.words.times import format_day
from leagues.models import Fixture
from leagues.seasons.results import awaits_organiser
from leagues.selectors.leagues import load_fixtures_of, load_names
from leagues.selectors.teams import connect_match
from leagues.settings import TIME_TO_DECIDE
from leagues.words.log import format_ranking


@dataclass(frozen=True, slots=True)
class LeagueGame:
    """A game of a league, loaded with everything shown of it."""

    fixture: Fixture
    names: Mapping[int, str]  # of its players, where it is settled

    @property
    def links(self) -> list[PageLink]:
        """Links to the league, and to the round or the match of teams."""
        league = self.fixture.match.division.season.league
        return [PageLink(league.name, league.get_absolute_url()), self._link_match()]

    @property
    def verdict(self) -> str:
        return " ".join(self._sentences())

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

    def _sentences(self) -> Iterator[str]:
        fixture, game = self.fixture, self.fixture.game
        if fixture.seats is None:
            if game is not None and (game.status == Status.ABORTED or awaits_organiser(game, timezone.now())):
                yield _describe_pending(game)
            return
        if fixture.settled_by is not None:
            yield self._describe_settlement()
        else:
            yield from self._describe_forfeits()
        if fixture.struck:
            yield _("It doesn't count in the table any more.")

    def _describe_settlement(self) -> str:
        ranks = sorted((seat["rank"], seat["player"]) for seat in self.fixture.seats or ())
        told = _("{organiser} has settled how this game counts in the league: {result}.").format(
            organiser=self.fixture.settled_by,
            result=format_ranking([(player, rank) for rank, player in ranks], self.names),
        )
        if self.fixture.ruling is None:
            return told
        reason = _("Reason: {reason}").format(reason=show_text(self.fixture.ruling.reason))
        return f"{told} {reason}"

    def _describe_forfeits(self) -> Iterator[str]:
        seats = [seat for seat in self.fixture.seats or () if seat["forfeit"] and seat["rank"] > 1]
        absent = [self.names.get(seat["player"], "?") for seat in seats]
        if absent:
            yield ngettext(
                "In the league it counts as a forfeit of {names}.",
                "In the league it counts as forfeits of {names}.",
                len(absent),
            ).format(names=", ".join(absent))


def _describe_pending(game: Game) -> str:
    """Describe how *game* will count; mails may be sent before its result is recorded."""
    if game.ending in (Ending.RESIGNED, Ending.TIME_OUT):
        return _("In the league it counts as a forfeit of the player who left.")
    if game.finished is not None and game.ending == Ending.HARD_END:
        day = format_day(game.finished + TIME_TO_DECIDE)
        return _("The league's organisers have until {day} to decide how it counts.").format(day=day)
    return _("It has no result in the league yet: the organisers decide how it counts.")


def load_league_games(games: Collection[int]) -> dict[int, LeagueGame]:
    """Those of *games*, by primary key, that belong to leagues; two queries at most."""
    fixtures = list(load_fixtures_of(games))
    players = {seat["player"] for fixture in fixtures for seat in fixture.seats or ()}
    names = load_names(players) if players else {}
    return {fixture.game_id: LeagueGame(fixture, names) for fixture in fixtures if fixture.game_id}
