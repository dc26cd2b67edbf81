"""Forecasts: which tiles fit an empty space and how likely they are drawn, and the worth of features.

Everything is computed from the state as ``hide_secrets`` gives it for one seat: tiles that it can't see are
among those to come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .board import Board, Feature, Spot
from .events import Scored, Term
from .geometry import AROUND, sort_in_reading_order
from .placements import list_allowed, list_bans
from .scoring import (
    FIELD_POINTS,
    City,
    compute_worth,
    count_strength,
    find_majority,
    list_paying_cities,
    score_at_end,
    score_farmed_city,
)
from .state import State
from .tiles import CITY, FIELD, MAX_SEGMENTS, RIVER, ROAD, SURROUNDED, Rotated, Tile, get_tile

if TYPE_CHECKING:
    from .module import Ban


class Space(NamedTuple):
    """An empty space beside a tile, and the tiles that still fit there."""

    cell: int
    fits: Mapping[str, int]  # tiles still to be drawn: id to copies, in the order of ids
    held: tuple[str, ...] = ()  # tiles that fit and lie open: the drawn one, those in hands, each once

    @property
    def copies(self) -> int:
        """The number of tiles still to be drawn that fit."""
        return sum(self.fits.values())

    @property
    def dead(self) -> bool:
        """Return whether none of the tiles left will ever fit: the needs of neighbours only grow."""
        return not self.fits and not self.held


class Prospect(NamedTuple):
    """A feature, the figures on it, and its worth."""

    feature: Feature
    strengths: Mapping[int, int]  # strength of each seat on it, in seat order
    leaders: tuple[int, ...]  # the majority
    now: tuple[Term, ...]  # its worth as it stands, were the game over
    gains: tuple[tuple[int, int], ...]  # the seats that this would pay, with their points
    complete: tuple[Term, ...] | None  # at least, completed; ``None`` where there is nothing to complete
    blocked: tuple[int, ...]  # dead spaces that it runs into: it can't be completed any more

    @property
    def points(self) -> int:
        return sum(term.points for term in self.now)

    @property
    def points_complete(self) -> int:
        return sum(term.points for term in self.complete or ())


@lru_cache(maxsize=2_000)
def _kinds_fitting(kinds: tuple[str, ...], need: int) -> frozenset[str]:
    """Those of *kinds*, all of a rule set, that fit where neighbours require *need*. Cached, as only some
    hundred needs ever occur."""
    return frozenset(id for id in kinds if get_tile(id).fits(need))


def list_fitting(
    state: State, cell: int, this: Tile, forbidding: Sequence[Ban] | None = None
) -> Sequence[Rotated]:
    """The rotations in which *this* tile may lie on the empty *cell*; none where no tile is beside it.

    Rules: BASE-8, BASE-9, and what modules forbid.

    >>> from games.rules import Game, RuleSet
    >>> from games.rules.geometry import get_cell
    >>> list_fitting(Game.new(RuleSet.of()).state, get_cell(0, -1), get_tile("base.E"))
    (base.E r180,)
    """
    need = state.board.needs.get(cell)
    if need is None:
        return ()
    return list_allowed(cell, this.fits(need), list_bans(state, this) if forbidding is None else forbidding)


def count_coming_tiles(state: State) -> Mapping[str, int]:
    """All tiles still to be drawn, including those put aside (HR-6): id to copies.

    >>> from games.rules import Game, RuleSet
    >>> count_coming_tiles(Game.new(RuleSet.of()).state)["base.E"]
    5
    """
    if not state.aside:
        return state.remaining
    return dict(sorted((Counter(state.remaining) + Counter(state.aside)).items()))


def list_pools(state: State) -> tuple[Mapping[str, int], ...]:
    """Return all tiles still to be drawn in groups that are drawn one after the other.

    A tile that came back from a used-up group may come at any time (HR-6); here it is in the last group.

    >>> from games.rules import Game, RuleSet
    >>> [sum(pool.values()) for pool in list_pools(Game.new(RuleSet.of(sets=["base", "river1"])).state)]
    [10, 1, 71]
    """
    left = count_coming_tiles(state)
    groups: list[dict[str, int]] = [{} for _ in state.rules.bag]
    strays = set(state.strays)
    for id, count in left.items():
        at = next((at for at, group in enumerate(state.rules.bag) if id in group), -1)
        groups[-1 if id in strays else at][id] = count
    for at, group in enumerate(groups[:-1]):
        if group and not any(id in state.remaining for id in group):
            groups[-1].update(group)
            groups[at] = {}
    return tuple(group for group in groups if group)


def count_draws(state: State) -> int:
    """Return how many tiles the bag will still give."""
    return state.left + len(state.aside)


def list_draws_of(state: State, seat: int) -> tuple[int, ...]:
    """Return which of the coming draws are *seat*'s, counted from 0, if nobody gets a further turn.

    >>> from games.rules import Game, RuleSet
    >>> list_draws_of(Game.new(RuleSet.of(seats=3)).state, 1)[:3]
    (1, 4, 7)
    """
    seats = len(state.scores)
    if state.dealing:
        first = state.dealing[0]
    elif state.hands or state.decision.kind == "draw":
        first = state.turn_seat
    else:
        first = state.turn_seat + 1
    return tuple(range((seat - first) % seats, count_draws(state), seats))


def compute_chance(
    groups: Sequence[Mapping[str, int]], fits: Collection[str], wanted: Iterable[int]
) -> float:
    """Return the chance that a draw in *wanted*, counted from 0, brings a tile of *fits* out of *groups*.

    Any order within a group is as likely as any other.

    >>> compute_chance([{"base.C": 1, "base.B": 3}], {"base.C"}, [0, 1])
    0.5
    """
    wanted = list(wanted)
    missed, first = 1.0, 0
    for group in groups:
        size = sum(group.values())
        good = sum(count for id, count in group.items() if id in fits)
        tries = sum(first <= draw < first + size for draw in wanted)
        for drawn in range(tries):
            missed *= max(0, size - good - drawn) / (size - drawn)
        first += size
    return 1.0 - missed


class Outlook:
    """The forecasts for one *state*; each part is computed once, when it is first needed."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._prospects: dict[int, Prospect] = {}

    @cached_property
    def coming(self) -> Mapping[str, int]:
        return count_coming_tiles(self.state)

    @cached_property
    def pools(self) -> tuple[Mapping[str, int], ...]:
        return list_pools(self.state)

    @cached_property
    def _open_tiles(self) -> tuple[str, ...]:
        """The tiles to come that everybody who sees this state knows: drawn, or in hands."""
        state = self.state
        known = [state.drawn, *(id for held in state.hands for id in held)]
        return tuple(sorted({id for id in known if id is not None}))

    @cached_property
    def _kinds(self) -> tuple[tuple[str, Tile, list[Ban]], ...]:
        ids = dict.fromkeys((*self.coming, *self._open_tiles))
        return tuple((id, get_tile(id), list_bans(self.state, get_tile(id))) for id in ids)

    def space(self, cell: int) -> Space:
        """Return the tiles that still fit the empty *cell*; ``KeyError`` if no tile is beside it, or one lies
        there.

        >>> from games.rules import Game, RuleSet
        >>> from games.rules.geometry import get_cell
        >>> space = Outlook(Game.new(RuleSet.of()).state).space(get_cell(0, -1))
        >>> space.copies, space.dead, space.fits["base.E"]
        (43, False, 5)
        """
        if cell not in self.state.board.needs:
            raise KeyError(cell)
        fits = self._fitting(self.state.board.needs[cell], cell)
        return Space(
            cell,
            {id: count for id, count in self.coming.items() if id in fits},
            tuple(id for id in self._open_tiles if id in fits),
        )

    def _fitting(self, need: int, cell: int) -> Collection[str]:
        """The kinds that fit *cell*, whose neighbours require *need*; some of them may be used up."""
        if not self.state.rules.asking("forbids"):
            return _kinds_fitting(tuple(self.state.rules.composition), need)
        return {
            id for id, this, forbidding in self._kinds if list_fitting(self.state, cell, this, forbidding)
        }

    @cached_property
    def spaces(self) -> Mapping[int, Space]:
        """Every empty space beside a tile, row by row."""
        return {cell: self.space(cell) for cell in sorted(self.state.board.needs, key=sort_in_reading_order)}

    def chance(self, fits: Collection[str], wanted: Iterable[int]) -> float:
        """Return the chance that one of the draws *wanted*, counted from 0, brings a tile of *fits*."""
        return compute_chance(self.pools, fits, wanted)

    def prospect(self, feature: Feature) -> Prospect:
        """Return the figures on *feature*, and its worth.

        Completed, it is worth at least what it would be with every open space filled by a plain tile.

        >>> from games.rules import Draw, Game, RuleSet
        >>> from games.rules.notation import read
        >>> game = Game.new(RuleSet.of()).play(Draw("base.U")).play(read("1,0 r0 road E", tile="base.U"))
        >>> prospect = Outlook(game.state).prospect(game.state.feature_at(0, 0, "road", "W"))
        >>> prospect.leaders, prospect.points, prospect.points_complete
        ((0,), 2, 4)
        """
        prospect = self._prospects.get(id(feature))
        if prospect is None:
            prospect = self._prospects[id(feature)] = self._prospect(feature)
        return prospect

    def _prospect(self, feature: Feature) -> Prospect:
        state = self.state
        strengths = count_strength(feature.meeples, state.rules.strengths)
        leaders = find_majority(strengths)
        gains: tuple[tuple[int, int], ...]
        if feature.kind == FIELD:
            now, gains = self._field(feature)
        else:
            now = self._now(feature)
            points = sum(term.points for term in now)
            gains = tuple((seat, points) for seat in leaders)
        complete: tuple[Term, ...] | None = None
        blocked: tuple[int, ...] = ()
        if feature.kind not in (FIELD, RIVER) and not feature.complete:
            complete = compute_completed_worth(state, feature)
            blocked = tuple(cell for cell in self._around(feature) if self._dead(cell))
        seats = {seat: strengths[seat] for seat in sorted(strengths) if strengths[seat]}
        return Prospect(feature, seats, leaders, now, gains, complete, blocked)

    def _dead(self, cell: int) -> bool:
        return cell in self.state.board.needs and self.spaces[cell].dead

    def _around(self, feature: Feature) -> Iterable[int]:
        return sorted(_missing(self.state.board, feature), key=sort_in_reading_order)

    def _now(self, feature: Feature) -> tuple[Term, ...]:
        if feature.complete:  # in the middle of a turn, its figures still wait for their points
            return compute_worth(self.state, feature, complete=True) if feature.meeples else ()
        if feature.kind == RIVER or not self.state.rules.options["incomplete_scores"]:
            return ()
        return compute_worth(self.state, feature, complete=False)

    def _field(self, land: Feature) -> tuple[tuple[Term, ...], tuple[tuple[int, int], ...]]:
        """The worth of the field *land*, without pigs, and the points of each seat (BASE-47 to BASE-50)."""
        state = self.state
        edition = state.rules.options["fields"]
        each = FIELD_POINTS.get(edition)
        if each is None:
            return (), ()
        cities = list_paying_cities(state, land)
        gains: Counter[int] = Counter()
        if edition == "first-edition":
            for city in cities if land.meeples else ():
                for _, seat, extras in score_farmed_city(state, self._farmed, city):
                    gains[seat] += each + len(extras)
        else:
            for scored in self._farm_scores.get(state.board.spot_of(land), ()):
                gains[scored.seat] += scored.points
        return (Term("cities", len(cities), each * len(cities)),), tuple(sorted(gains.items()))

    @cached_property
    def _farmed(self) -> list[tuple[Feature, tuple[City, ...]]]:
        return [
            (land, list_paying_cities(self.state, land))
            for land in self.state.board.features_where(
                lambda feature: feature.kind == FIELD and bool(feature.meeples)
            )
        ]

    @cached_property
    def _farm_scores(self) -> Mapping[Spot, list[Scored]]:
        scores: dict[Spot, list[Scored]] = {}
        for scored in score_at_end(self.state):
            if scored.on == FIELD:
                scores.setdefault(Spot(scored.x, scored.y, FIELD, scored.side), []).append(scored)
        return scores


def compute_completed_worth(state: State, feature: Feature) -> tuple[Term, ...]:
    """Return what the incomplete *feature* would be worth with plain tiles in the spaces it still faces.

    >>> from games.rules import Game, RuleSet
    >>> state = Game.new(RuleSet.of()).state
    >>> compute_completed_worth(state, state.feature_at(0, 0, "city", "N"))
    (Term(name='tiles', count=2, points=4),)
    """
    board = state.board
    plain, index = _plain(feature.kind)
    filled = dict.fromkeys(_missing(board, feature), plain)
    segments = feature.segments
    if feature.kind not in SURROUNDED:
        segments += tuple(cell * MAX_SEGMENTS + index for cell in filled)
    then = feature._replace(segments=segments, open_ends=0)
    return compute_worth(
        state.but(board=board._replace(tiles={**board.tiles, **filled})), then, complete=True
    )


def _missing(board: Board, feature: Feature) -> Collection[int]:
    """The empty cells that must be filled to complete *feature*."""
    if feature.kind in SURROUNDED:
        cell = feature.segments[0] // MAX_SEGMENTS
        return [
            cell + step
            for step in AROUND
            if cell + step not in board.tiles and cell + step not in board.beyond
        ]
    return feature.faces


@cache
def _plain(kind: str) -> tuple[Rotated, int]:
    """A tile with nothing on it that scores extra, and its segment of *kind*."""
    tile = get_tile({CITY: "base.E", ROAD: "base.U"}.get(kind, "base.U")).at(0)
    return tile, next((lie.index for lie in tile.lies if lie.kind == kind), 0)
