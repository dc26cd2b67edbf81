"""Tests of the verifiable draw: by its definition, and by a calculation by hand."""

import hashlib
import hmac
from collections import Counter

from games.play import bag
from games.rules import RuleSet

SEED = bytes(range(32))
CODE = "abcdefghjkmn"


def test_the_order_is_that_of_the_copies_hmacs() -> None:
    order = bag.compute_draw_order(SEED, CODE, [{"base.A": 2, "base.B": 3}])
    names = [f"{CODE}/base.A#{n}" for n in (1, 2)] + [f"{CODE}/base.B#{n}" for n in (1, 2, 3)]
    by_hand = sorted(names, key=lambda name: hmac.new(SEED, name.encode(), hashlib.sha256).digest())
    assert [copy.name for copy in order] == by_hand


def test_each_group_is_ordered_for_itself() -> None:
    order = bag.compute_draw_order(SEED, CODE, [{"river.A": 4}, {"base.A": 2, "base.B": 4}])
    assert {copy.tile for copy in order[:4]} == {"river.A"}
    assert Counter(copy.tile for copy in order[4:]) == {"base.A": 2, "base.B": 4}


def test_every_tile_of_the_rule_set_is_drawn_once() -> None:
    rules = RuleSet.of(seats=2)
    order = bag.compute_draw_order(SEED, CODE, rules.bag)
    assert len(order) == 71
    assert Counter(copy.tile for copy in order) == Counter(rules.bag[0])


def test_other_games_draw_another_order_from_the_same_seed() -> None:
    groups = RuleSet.of(seats=2).bag
    first = [copy.tile for copy in bag.compute_draw_order(SEED, CODE, groups)]
    assert [copy.tile for copy in bag.compute_draw_order(SEED, "another", groups)] != first


def test_a_lot_is_the_hmac_of_code_purpose_and_number() -> None:
    digest = hmac.new(SEED, f"{CODE}/first-seat/1".encode(), hashlib.sha256).digest()
    assert bag.lot(SEED, CODE, "first-seat", 1, 5) == int.from_bytes(digest) % 5


def test_every_seat_can_be_drawn() -> None:
    drawn = {bag.lot(bag.generate_seed(), CODE, "first-seat", 1, 4) for _ in range(200)}
    assert drawn == {0, 1, 2, 3}


def test_for_who_begins_each_place_draws_the_first_tiles_of_a_copy_of_the_bag() -> None:
    """HR-1: by names that are not those of the draw itself."""
    groups = RuleSet.of(seats=3).bag
    drawn = bag.compute_start_draws(SEED, CODE, groups, 3)
    names = [f"{CODE}/start/1/{id}#{n + 1}" for id, count in groups[0].items() for n in range(count)]
    by_hand = sorted(names, key=lambda name: hmac.new(SEED, name.encode(), hashlib.sha256).digest())
    assert [one.copy.name for one in drawn if one.round == 1] == by_hand[:3]
    assert [one.place for one in drawn if one.round == 1] == [0, 1, 2]


def test_the_roads_are_the_sides_with_a_road() -> None:
    """HR-1: B 0, A 1, U 2, W 3, X 4."""
    roads = {
        draw.copy.tile: draw.roads
        for n in range(60)
        for draw in bag.compute_start_draws(bytes([n]) * 32, CODE, RuleSet.of(seats=6).bag, 6)
    }
    named = {"base.B": 0, "base.A": 1, "base.U": 2, "base.W": 3, "base.X": 4}
    assert named.items() <= roads.items()


def test_most_roads_begin_and_ties_draw_again_among_themselves() -> None:
    """HR-1."""
    groups, rounds = RuleSet.of(seats=4).bag, set()
    for n in range(40):
        seed = bytes([n]) * 32
        drawn = bag.compute_start_draws(seed, CODE, groups, 4)
        last = drawn[-1].round
        rounds.add(last)
        drawing = {0, 1, 2, 3}
        for number in range(1, last + 1):
            now = [one for one in drawn if one.round == number]
            assert {one.place for one in now} == drawing
            drawing = {one.place for one in now if one.roads == max(other.roads for other in now)}
        assert drawing == {bag.choose_first_place(seed, CODE, "most_roads", groups=groups, places=4)}
    assert len(rounds) > 1


def test_whoever_sits_alone_begins() -> None:
    groups = RuleSet.of(seats=1).bag
    assert bag.compute_start_draws(SEED, CODE, groups, 1) == ()
    assert bag.choose_first_place(SEED, CODE, "most_roads", groups=groups, places=1) == 0


def test_without_birthdays_the_lot_says_who_is_youngest() -> None:
    """HR-1."""
    groups = RuleSet.of(seats=5).bag
    youngest = bag.choose_first_place(SEED, CODE, "youngest", groups=groups, places=5)
    assert youngest == bag.lot(SEED, CODE, "first-seat", 1, 5)


def faults(**changed: object) -> list[bag.Fault]:
    groups = RuleSet.of(seats=2).bag
    order = [copy.tile for copy in bag.compute_draw_order(SEED, CODE, groups)]
    facts: dict[str, object] = {
        "seed": SEED,
        "seed_hash": hashlib.sha256(SEED).hexdigest(),
        "code": CODE,
        "groups": groups,
        "drawn": order[:40],
        "seats": 2,
        "first_seat": bag.lot(SEED, CODE, "first-seat", 1, 2),
    }
    return bag.find_faults(**(facts | changed))  # type: ignore[arg-type]


def test_an_honest_draw_has_no_faults() -> None:
    assert faults() == []
    assert faults(first_seat=None) == []


def test_another_seed_than_the_one_shown_is_found() -> None:
    assert faults(seed_hash="0" * 64)[0].code == "seed"


def test_another_first_seat_is_found() -> None:
    honest = bag.lot(SEED, CODE, "first-seat", 1, 2)
    assert [fault.code for fault in faults(first_seat=1 - honest)] == ["first_seat"]


def test_another_first_seat_than_the_one_with_most_roads_is_found() -> None:
    groups = RuleSet.of(seats=2).bag
    honest = bag.choose_first_place(SEED, CODE, "most_roads", groups=groups, places=2)
    assert faults(first_seat=honest, how="most_roads") == []
    assert [fault.code for fault in faults(first_seat=1 - honest, how="most_roads")] == ["first_seat"]


def test_two_tiles_in_the_other_order_are_found() -> None:
    order = [copy.tile for copy in bag.compute_draw_order(SEED, CODE, RuleSet.of(seats=2).bag)]
    at = next(at for at in range(70) if order[at] != order[at + 1])
    order[at], order[at + 1] = order[at + 1], order[at]
    assert [(fault.code, fault.draw) for fault in faults(drawn=order)] == [
        ("tile", at + 1),
        ("tile", at + 2),
    ]


def test_more_tiles_than_the_bag_holds_are_found() -> None:
    order = [copy.tile for copy in bag.compute_draw_order(SEED, CODE, RuleSet.of(seats=2).bag)]
    assert [fault.draw for fault in faults(drawn=[*order, "base.A"])] == [72]


def test_a_tile_returns_to_a_place_that_the_seed_says_within_its_group() -> None:
    groups = [{"a": 2, "b": 1}, {"c": 3}]
    seed = bytes(32)
    order = ["b", "c", "c", "c"]
    places = {
        bag.find_return_place(order, "a", seed=seed, code="x", n=n, groups=groups) for n in range(1, 60)
    }
    assert places == {0, 1}
    late = {
        bag.find_return_place(["c", "c"], "a", seed=seed, code="x", n=n, groups=groups) for n in range(1, 60)
    }
    assert late == {0, 1, 2}


def test_the_draw_with_returned_tiles_can_be_checked() -> None:
    groups = [{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}]
    seed = bytes(range(32))
    first = bag.compute_draw_order(seed, "x", groups)[0]
    came = bag.compute_order_with_returns(seed, "x", groups, [(2, first.tile)])
    assert len(came) == 6 and came.count(first) == 2 and came[0] == first
    checked = {
        "seed": seed,
        "seed_hash": bag.compute_commitment(seed),
        "code": "x",
        "groups": groups,
        "seats": 2,
    }
    drawn = [copy.tile for copy in came]
    returned = [(2, first.tile)]
    assert not bag.find_faults(**checked, drawn=drawn, first_seat=None, returned=returned)
    assert bag.find_faults(**checked, drawn=[*drawn, "a"], first_seat=None, returned=returned)
