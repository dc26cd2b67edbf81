"""A knock-out: who meets whom in each round, as far as it is known, and how far everybody came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from leagues.models import Division, Match
from leagues.pages.division import GameLine, match_line
from leagues.pages.league import season_name
from leagues.pages.names import division_name
from leagues.pages.season import Table, places_of
from leagues.pages.who import Who, who
from leagues.schedules import KnockOut, Tie
from leagues.seasons.brackets import knock_out_of
from leagues.selectors import leagues as found
from leagues.words import rounds as words

Matches = Mapping[tuple[int, int], Match]


class Slot(NamedTuple):
    """A place in a match of the bracket."""

    who: Who | None  # none: not known yet
    seed: int | None
    games: str  # how many they have won, where there are any
    won: bool
    lost: bool


class TieBox(NamedTuple):
    """A match of the bracket, or a place in the next round without one."""

    slots: list[Slot]
    bye: bool
    state: str
    games: list[GameLine]


class Column(NamedTuple):
    """A round."""

    name: str
    length: str  # of its matches, if they are of several games
    ends: datetime | None  # none: not drawn yet, or over
    ties: list[TieBox]


class Medal(NamedTuple):
    """What somebody has won."""

    name: str
    who: Who


@dataclass(frozen=True, slots=True)
class BracketPage:
    """A knock-out as anybody sees it."""

    name: str
    season: str
    season_url: str
    medals: list[Medal]
    columns: list[Column]
    third_place: TieBox | None
    ranks: Table


def page_of(division: Division) -> BracketPage:
    """The knock-out of *division*."""
    season = division.season
    seeds = found.seeds_of(division)
    people = {seed.player_id: who(seed.player) for seed in seeds}
    cup = knock_out_of(division)
    matches = {(match.round - 1, match.number - 1): match for match in found.all_matches_of(division)}
    boxes = _Boxes(cup, matches, people)
    drawn = cup.rounds()
    third = next((tie for tie in drawn[-1] if tie.third_place), None)
    return BracketPage(
        name=division_name(division),
        season=season_name(season),
        season_url=reverse("league:season", args=[season.league.slug, season.number]),
        medals=_medals(cup, third, people),
        columns=[_column(ties, boxes) for ties in drawn],
        third_place=boxes.box(third) if third is not None else None,
        ranks=places_of(season, division, seeds),
    )


def _medals(cup: KnockOut[int], third: Tie[int] | None, people: Mapping[int, Who]) -> list[Medal]:
    """Winner and finalist when the final is over, and who is third once that is certain."""
    if cup.champion is None:
        return []
    of_rank: dict[int, list[int]] = {}
    for player, rank in cup.ranks().items():
        of_rank.setdefault(rank, []).append(player)
    decided = third is None or cup.winner(third) is not None
    shown = (1, 2, 3) if decided else (1, 2)
    return [Medal(words.rank(rank), people[player]) for rank in shown for player in of_rank.get(rank, ())]


def _column(ties: tuple[Tie[int], ...], boxes: _Boxes) -> Column:
    own = [tie for tie in ties if not tie.third_place]
    matches = [
        boxes.matches[tie.round, tie.number] for tie in own if (tie.round, tie.number) in boxes.matches
    ]
    running = [match for match in matches if match.decided is None]
    length = _("best of {n}").format(n=own[0].best_of) if own[0].best_of > 1 else ""
    return Column(
        name=words.of_ties(len(own)),
        length=length,
        ends=running[0].ends if running else None,
        ties=[boxes.box(tie) for tie in own],
    )


@dataclass(frozen=True, slots=True)
class _Boxes:
    """All that boxes of one bracket are made from."""

    cup: KnockOut[int]
    matches: Matches
    people: Mapping[int, Who]

    def box(self, tie: Tie[int]) -> TieBox:
        match = self.matches.get((tie.round, tie.number))
        line = match_line(match, dict(self.people)) if match is not None else None
        games = {seat.who: seat.won for seat in line.seats} if line is not None else {}
        state = line.state if line is not None and match is not None and match.decided is None else ""
        players = tie.players[:1] if tie.bye else tie.players
        return TieBox(
            slots=[self._slot(tie, player, games) for player in players],
            bye=tie.bye,
            state=state,
            games=line.games if line is not None else [],
        )

    def _slot(self, tie: Tie[int], player: int | None, games: Mapping[Who, str]) -> Slot:
        if player is None:
            return Slot(None, None, "", won=False, lost=False)
        winner = self.cup.winner(tie)
        person = self.people[player]
        return Slot(
            who=person,
            seed=self.cup.seeds.index(player) + 1,
            games=games.get(person, ""),
            won=winner == player and not tie.bye,
            lost=winner is not None and winner != player,
        )
