"""Tests that a schedule that keeps all blocked pairs apart is found if there is one (STAND-18), for random
blocks in every format; small enough to try all others."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations

from leagues.schedules.bracket import (
    list_bracket_order,
    list_bracket_places,
    seed_from_groups,
    separate_seeds,
)
from leagues.schedules.groups import draw_groups
from leagues.schedules.rounds import Round, count_meetings
from leagues.schedules.separation import Arrangement, differ, keep_apart, separate_pairs
from leagues.schedules.swiss import SwissMatch, SwissRound, pair_swiss_round
from leagues.schedules.tables import assign_tables
from leagues.schedules.teams import separate_boards
from tests.cases import for_each

Pair = frozenset[int]
SEEDS = range(40)


def draw_blocks(lot: random.Random, people: Sequence[int], most: int = 2) -> list[Pair]:
    """Draw blocks between random players, at most *most* a player."""
    blocks = {
        frozenset((player, other))
        for player in people
        for other in lot.sample(people, lot.randint(0, most))
        if player != other and lot.random() < 0.6
    }
    return sorted(blocks, key=sorted)


def met_in(groups: Iterable[Sequence[int]]) -> set[Pair]:
    return {frozenset(two) for group in groups for two in combinations(group, 2)}


def cut(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    left = iter(order)
    return [[next(left) for _ in range(size)] for size in sizes]


@for_each("seed", SEEDS)
def test_divisions_and_groups(seed: int) -> None:
    lot = random.Random(seed)
    sizes = lot.choice([[3, 3], [2, 2, 2], [4, 3], [3, 2, 2]])
    people = list(range(sum(sizes)))
    apart = draw_blocks(lot, people)
    movable = lot.sample(people, lot.randint(2, len(people)))
    homes = dict(enumerate(people))

    def may_stand(order: Sequence[int]) -> bool:
        return all(order[at] == player for at, player in homes.items() if player not in movable)

    every = [cut(order, sizes) for order in permutations(people) if may_stand(order)]
    possible = any(met_in(divisions).isdisjoint(apart) for divisions in every)
    found = separate_pairs(cut(people, sizes), movable, apart)
    assert [len(one) for one in found] == sizes and may_stand([one for each in found for one in each])
    assert met_in(found).isdisjoint(apart) == possible
    groups = draw_groups(people, len(sizes), apart)
    whole = [cut(order, [len(group) for group in groups]) for order in permutations(people)]
    assert sorted(one for group in groups for one in group) == people
    assert met_in(groups).isdisjoint(apart) == any(met_in(each).isdisjoint(apart) for each in whole)


def first_round(seeds: Sequence[int]) -> set[Pair]:
    order = [seed - 1 for seed in list_bracket_order(list_bracket_places(len(seeds)))]
    two = zip(order[::2], order[1::2], strict=True)
    return {frozenset((seeds[a], seeds[b])) for a, b in two if max(a, b) < len(seeds)}


@for_each("seed", SEEDS)
def test_a_knock_out(seed: int) -> None:
    lot = random.Random(seed)
    people = list(range(lot.randint(2, 7)))
    apart = draw_blocks(lot, people)
    found = separate_seeds(people, apart)
    assert sorted(found) == people
    possible = any(first_round(order).isdisjoint(apart) for order in permutations(people))
    assert first_round(found).isdisjoint(apart) == possible


@for_each("seed", SEEDS)
def test_a_knock_out_after_groups(seed: int) -> None:
    lot = random.Random(seed)
    groups = cut(range(6), [2, 2, 2]) if seed % 2 else cut(range(8), [4, 4])
    taken = 2 if seed % 2 else lot.randint(2, 3)
    seeds = seed_from_groups(groups, taken)
    apart = draw_blocks(lot, seeds, most=1)
    found = separate_seeds(seeds, apart, groups)
    assert sorted(found) == sorted(seeds)
    possible = any(first_round(order).isdisjoint(apart) for order in permutations(seeds))
    assert first_round(found).isdisjoint(apart) == possible


@for_each("seed", SEEDS)
def test_boards_of_two_teams(seed: int) -> None:
    lot = random.Random(seed)
    boards = lot.randint(1, 5)
    first: list[int | None] = list(range(boards))
    second: list[int | None] = list(range(10, 10 + boards))
    if lot.random() < 0.3:
        second[-1] = None
    apart = draw_blocks(lot, [one for one in first + second if one is not None])

    def meet(away: Sequence[int | None]) -> set[frozenset[int | None]]:
        return {frozenset(two) for two in zip(first, away, strict=True)}

    found = separate_boards(first, second, apart)
    there = [one for one in second if one is not None]
    missing = [None] * (boards - len(there))
    every = ([*order, *missing] for order in permutations(there))
    assert sorted(one for one in found if one is not None) == there
    assert meet(found).isdisjoint(apart) == any(meet(order).isdisjoint(apart) for order in every)


@for_each("seed", range(12))
def test_tables_of_three(seed: int) -> None:
    lot = random.Random(seed)
    people = list(range(lot.choice([6, 7])))
    apart = draw_blocks(lot, people, most=1)[: lot.randint(1, 3)]
    plain = assign_tables(people, 3, 2, f"{seed}")
    found = assign_tables(people, 3, 2, f"{seed}", apart=apart)

    def meetings(season: Sequence[Round[int]], names: Sequence[int]) -> set[Pair]:
        met = count_meetings(season)
        return {frozenset(names[one] for one in pair) for pair, times in met.items() if times}

    possible = any(meetings(plain, names).isdisjoint(apart) for names in permutations(people))
    assert meetings(found, people).isdisjoint(apart) == possible
    assert sorted(count_meetings(found).values()) == sorted(count_meetings(plain).values())


def list_matchings(people: Sequence[int], banned: set[Pair]) -> Iterator[list[Pair]]:
    """Yield all ways to pair *people*, an even number, without the *banned* pairs."""
    if not people:
        yield []
        return
    first, *others = people
    for other in others:
        pair = frozenset((first, other))
        if pair not in banned:
            rest = [one for one in others if one != other]
            yield from ([pair, *more] for more in list_matchings(rest, banned))


def may_pair(people: Sequence[int], byes: set[int], banned: set[Pair]) -> bool:
    if len(people) % 2 == 0:
        return any(list_matchings(people, banned))
    rests = [[one for one in people if one != bye] for bye in people if bye not in byes]
    return any(next(list_matchings(rest, banned), None) is not None for rest in rests)


@for_each("seed", SEEDS)
def test_two_swiss_rounds(seed: int) -> None:
    lot = random.Random(seed)
    people = list(range(lot.randint(4, 8)))
    apart = draw_blocks(lot, people)
    played: list[SwissRound[int]] = []
    met: set[Pair] = set()
    byes: set[int] = set()
    for _ in range(2):
        drawn = pair_swiss_round(people, played, 3, apart=apart)
        now = {frozenset(pairing.players) for pairing in drawn.pairings}
        assert now.isdisjoint(apart) == may_pair(people, byes, met | set(apart))
        met |= now
        byes |= set(drawn.byes)
        results = [SwissMatch((one.players[0], one.players[1]), (2, 0)) for one in drawn.pairings]
        played.append(SwissRound(tuple(results), drawn.byes))


@for_each("seed", SEEDS)
def test_where_not_all_can_stay_apart_the_first_named_do_and_it_is_never_worse(seed: int) -> None:
    lot = random.Random(seed)
    people = list(range(6))
    apart = draw_blocks(lot, people)
    places = [0, 0, 0, 1, 1, 1]
    found = keep_apart(Arrangement(people, places, differ), apart, [0] * 6)
    before, after = met_in(cut(people, [3, 3])), met_in(cut(found, [3, 3]))
    assert len(after & set(apart)) <= len(before & set(apart))
    assert all(pair not in after for pair in apart if pair not in before)


def test_a_large_league_is_drawn_at_once() -> None:
    lot = random.Random(5)
    people = list(range(800))
    apart = draw_blocks(lot, people)
    divisions = separate_pairs(cut(people, [8] * 100), people, apart)
    assert met_in(divisions).isdisjoint(apart)
