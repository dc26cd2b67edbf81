"""The verifiable draw: as the design defines it, and checked by a hand-made calculation."""

import hashlib
import hmac
from collections import Counter

from games import bag
from games.rules import RuleSet

SEED = bytes(range(32))
CODE = "abcdefghjkmn"


def test_the_order_is_that_of_the_copies_hmacs() -> None:
    order = bag.drawn_order(SEED, CODE, [{"base.A": 2, "base.B": 3}])
    names = [f"{CODE}/base.A#{n}" for n in (1, 2)] + [f"{CODE}/base.B#{n}" for n in (1, 2, 3)]
    by_hand = sorted(names, key=lambda name: hmac.new(SEED, name.encode(), hashlib.sha256).digest())
    assert [copy.name for copy in order] == by_hand


def test_each_group_is_ordered_for_itself() -> None:
    order = bag.drawn_order(SEED, CODE, [{"river.A": 4}, {"base.A": 2, "base.B": 4}])
    assert {copy.tile for copy in order[:4]} == {"river.A"}
    assert Counter(copy.tile for copy in order[4:]) == {"base.A": 2, "base.B": 4}


def test_every_tile_of_the_rule_set_is_drawn_once() -> None:
    rules = RuleSet.of(seats=2)
    order = bag.drawn_order(SEED, CODE, rules.bag)
    assert len(order) == 71
    assert Counter(copy.tile for copy in order) == Counter(rules.bag[0])


def test_other_games_draw_another_order_from_the_same_seed() -> None:
    groups = RuleSet.of(seats=2).bag
    first = [copy.tile for copy in bag.drawn_order(SEED, CODE, groups)]
    assert [copy.tile for copy in bag.drawn_order(SEED, "another", groups)] != first


def test_a_lot_is_the_hmac_of_code_purpose_and_number() -> None:
    digest = hmac.new(SEED, f"{CODE}/first-seat/1".encode(), hashlib.sha256).digest()
    assert bag.lot(SEED, CODE, "first-seat", 1, 5) == int.from_bytes(digest) % 5


def test_every_seat_can_be_drawn() -> None:
    drawn = {bag.lot(bag.new_seed(), CODE, "first-seat", 1, 4) for _ in range(200)}
    assert drawn == {0, 1, 2, 3}


def faults(**changed: object) -> list[bag.Fault]:
    groups = RuleSet.of(seats=2).bag
    order = [copy.tile for copy in bag.drawn_order(SEED, CODE, groups)]
    facts: dict[str, object] = {
        "seed": SEED,
        "seed_hash": hashlib.sha256(SEED).hexdigest(),
        "code": CODE,
        "groups": groups,
        "drawn": order[:40],
        "seats": 2,
        "first_seat": bag.lot(SEED, CODE, "first-seat", 1, 2),
    }
    return bag.faults(**(facts | changed))  # type: ignore[arg-type]


def test_an_honest_draw_has_no_faults() -> None:
    assert faults() == []
    assert faults(first_seat=None) == []


def test_another_seed_than_the_one_shown_is_found() -> None:
    assert faults(seed_hash="0" * 64)[0].code == "seed"


def test_another_first_seat_is_found() -> None:
    honest = bag.lot(SEED, CODE, "first-seat", 1, 2)
    assert [fault.code for fault in faults(first_seat=1 - honest)] == ["first_seat"]


def test_two_tiles_in_the_other_order_are_found() -> None:
    order = [copy.tile for copy in bag.drawn_order(SEED, CODE, RuleSet.of(seats=2).bag)]
    at = next(at for at in range(70) if order[at] != order[at + 1])
    order[at], order[at + 1] = order[at + 1], order[at]
    assert [(fault.code, fault.draw) for fault in faults(drawn=order)] == [
        ("tile", at + 1),
        ("tile", at + 2),
    ]


def test_more_tiles_than_the_bag_holds_are_found() -> None:
    order = [copy.tile for copy in bag.drawn_order(SEED, CODE, RuleSet.of(seats=2).bag)]
    assert [fault.draw for fault in faults(drawn=[*order, "base.A"])] == [72]
