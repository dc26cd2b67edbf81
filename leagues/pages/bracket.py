"""The page of a knock-out: its rounds as far as they are known, and the ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from leagues.models import Division, TeamMatch
from leagues.pages.division import MatchGameLine, build_match_line
from leagues.pages.league import format_season_name
from leagues.pages.names import NameLink, format_division_name
from leagues.pages.season import DivisionTable, build_places
from leagues.pages.seeds import link_seed
from leagues.pages.team_results import PlayerLine, build_meeting_line, build_player_lines
from leagues.schedules import KnockOut, Tie
from leagues.seasons.brackets import build_knock_out
from leagues.selectors import leagues as found
from leagues.selectors import teams as found_teams
from leagues.words import rounds as words
from leagues.words.criteria import format_number


class TieSlot(NamedTuple):
    """A player's or team's slot in a match of the bracket."""

    who: NameLink | None  # none: not known yet
    seed: int | None
    games: str  # number of games, or boards, won
    won: bool
    lost: bool


class TieBox(NamedTuple):
    """A match of the bracket, or a bye into the next round."""

    slots: list[TieSlot]
    bye: bool
    state: str
    games: list[MatchGameLine]
    url: str  # of its page; empty if it has none


class Column(NamedTuple):
    """A round of the bracket."""

    name: str
    length: str  # of its matches, if they have several games
    ends: datetime | None  # none: not drawn yet, or over
    ties: list[TieBox]


class Medal(NamedTuple):
    """Place of a player or team on the podium."""

    name: str
    who: NameLink


@dataclass(frozen=True, slots=True)
class BracketPage:
    """The page of a knock-out."""

    name: str
    season: str
    season_url: str
    medals: list[Medal]
    columns: list[Column]
    third_place: TieBox | None
    ranks: DivisionTable
    players: list[PlayerLine]  # results at the boards of teams


Drawn = Mapping[tuple[int, int], "PlayedTie"]
"""Drawn matches, by round and number, from 0."""


class PlayedTie(NamedTuple):
    """A drawn match, for display."""

    won: Mapping[int, str]  # games, or boards, by player or team
    state: str  # until it is decided
    ends: datetime | None  # until it is decided
    games: list[MatchGameLine] = []
    url: str = ""  # of a page with details; empty if there is none


def build_page(division: Division) -> BracketPage:
    """Build the page of the knock-out *division*."""
    season = division.season
    seeds = found.load_seeds(division)
    people = {seed.holder: link_seed(season, seed) for seed in seeds}
    cup = build_knock_out(division, seeds)
    with_teams = season.settings.teams is not None
    team_matches = list(found_teams.load_matches(division)) if with_teams else []
    boxes = _Boxes(
        cup, _of_teams(division, team_matches) if with_teams else _of_players(division, people), people
    )
    rounds = cup.rounds()
    third = next((tie for tie in rounds[-1] if tie.third_place), None)
    return BracketPage(
        name=format_division_name(division),
        season=format_season_name(season),
        season_url=reverse("league:season", args=[season.league.slug, season.number]),
        medals=_medals(cup, third, people),
        columns=[_column(ties, boxes) for ties in rounds],
        third_place=boxes.box(third) if third is not None else None,
        ranks=build_places(season, division, seeds),
        players=build_player_lines(season, team_matches),
    )


def _of_players(division: Division, people: Mapping[int, NameLink]) -> Drawn:
    drawn = {}
    for match in found.load_all_matches(division):
        line = build_match_line(match, dict(people))
        undecided = match.decided is None
        drawn[match.round - 1, match.number - 1] = PlayedTie(
            won={seat.player_id: one.won for seat, one in zip(match.seats.all(), line.seats, strict=True)},
            state=line.state if undecided else "",
            ends=match.ends if undecided else None,
            games=line.games,
        )
    return drawn


def _of_teams(division: Division, matches: Iterable[TeamMatch]) -> Drawn:
    drawn = {}
    for match in matches:
        line = build_meeting_line(division.season, division, match)
        points = {match.first_id: match.first_points, match.second_id: match.second_points}
        drawn[match.round - 1, match.number - 1] = PlayedTie(
            won={team: format_number(n) for team, n in points.items()} if match.boards.all() else {},
            state="" if match.over else line.state,
            ends=None if match.decided else match.ends,
            url=line.url,
        )
    return drawn


def _medals(cup: KnockOut[int], third: Tie[int] | None, people: Mapping[int, NameLink]) -> list[Medal]:
    """The winner and finalist once the final is over, and third place once that is decided."""
    if cup.champion is None:
        return []
    of_rank: dict[int, list[int]] = {}
    for player, rank in cup.ranks().items():
        of_rank.setdefault(rank, []).append(player)
    decided = third is None or cup.winner(third) is not None
    shown = (1, 2, 3) if decided else (1, 2)
    return [
        Medal(words.format_rank(rank), people[player]) for rank in shown for player in of_rank.get(rank, ())
    ]


def _column(ties: tuple[Tie[int], ...], boxes: _Boxes) -> Column:
    own = [tie for tie in ties if not tie.third_place]
    drawn = [boxes.drawn[tie.round, tie.number] for tie in own if (tie.round, tie.number) in boxes.drawn]
    length = _("best of {n}").format(n=own[0].best_of) if own[0].best_of > 1 else ""
    return Column(
        name=words.format_round(len(own)),
        length=length,
        ends=next((one.ends for one in drawn if one.ends is not None), None),
        ties=[boxes.box(tie) for tie in own],
    )


@dataclass(frozen=True, slots=True)
class _Boxes:
    """Data from which the boxes of a bracket are built."""

    cup: KnockOut[int]
    drawn: Drawn
    people: Mapping[int, NameLink]

    def box(self, tie: Tie[int]) -> TieBox:
        played = self.drawn.get((tie.round, tie.number), PlayedTie({}, "", None))
        players = tie.players[:1] if tie.bye else tie.players
        return TieBox(
            slots=[self._slot(tie, player, played.won) for player in players],
            bye=tie.bye,
            state=played.state,
            games=played.games,
            url=played.url,
        )

    def _slot(self, tie: Tie[int], player: int | None, won: Mapping[int, str]) -> TieSlot:
        if player is None:
            return TieSlot(None, None, "", won=False, lost=False)
        winner = self.cup.winner(tie)
        return TieSlot(
            who=self.people[player],
            seed=self.cup.seeds.index(player) + 1,
            games=won.get(player, ""),
            won=winner == player and not tie.bye,
            lost=winner is not None and winner != player,
        )
