"""Tests of forecasts: fitting tiles, probabilities, and points of features, on boards worked out by hand
and in random games."""

from collections import Counter
from math import comb
from random import Random

import pytest

from games.rules import Game, RuleSet, Scored, hide_secrets
from games.rules.forecast import Outlook, compute_chance, count_coming_tiles, list_draws_of, list_pools
from games.rules.geometry import get_cell
from games.rules.legal import LegalActions
from games.rules.playout import pick_random_action
from games.rules.scoring import score_at_end
from games.rules.state import Decision
from games.rules.tiles import FIELD, RIVER

from .boards import drawn, played, rule_set, with_bag


def outlook(text="", *bag, **chosen):
    """The outlook after the turns of *text*, with nothing in the bag but *bag*."""
    game = played(text, **chosen)
    return Outlook((with_bag(game, *bag) if bag else game).state)


def prospect(of, x, y, on, side=None):
    return of.prospect(of.state.feature_at(x, y, on, side))


# What fits


def test_beside_the_start_tile_s_city_every_tile_with_a_city_edge_fits():
    space = outlook().space(get_cell(0, -1))
    assert space.copies == 43  # 44 of 72 tiles have one, and the start tile lies
    assert space.fits["base.D"] == 3 and "base.B" not in space.fits
    assert not space.dead


def test_a_space_is_dead_when_nothing_that_is_left_fits():
    of = outlook("", "base.B", "base.E")
    assert {cell for cell, space in of.spaces.items() if space.dead} == {get_cell(1, 0), get_cell(-1, 0)}
    assert of.space(get_cell(0, -1)).fits == {"base.E": 1}


def test_a_tile_that_is_drawn_already_keeps_a_space_alive():
    of = Outlook(with_bag(drawn("base.U"), "base.B").state)
    space = of.space(get_cell(1, 0))
    assert (space.fits, space.held, space.dead) == ({}, ("base.U",), False)


def test_only_empty_spaces_beside_a_tile_are_looked_at():
    for x, y in ((0, 0), (5, 5)):
        with pytest.raises(KeyError):
            outlook().space(get_cell(x, y))


def test_beyond_the_edge_of_the_table_nothing_fits():
    text = "A base.U@1,0 frfr; B base.U@2,0 frfr; A base.U@3,0 frfr; B base.U@4,0 frfr"
    of = outlook(text, board_limit="fixed 9x9")
    assert of.space(get_cell(5, 0)).dead
    assert not outlook(text).space(get_cell(5, 0)).dead


def test_a_tile_put_aside_is_still_to_come():
    state = with_bag(played("", unplaceable="back_in_bag"), "base.B").state.but(aside=("base.U",))
    assert count_coming_tiles(state) == {"base.B": 1, "base.U": 1}
    assert not Outlook(state).space(get_cell(1, 0)).dead


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"sets": ["base", "river1", "river2"]},
        {"sets": ["base", "cult"], "board_limit": "shifting 9x11"},
        {"sets": ["base", "count", "inns-and-cathedrals"], "edition": "C2"},
    ],
    ids=["base", "rivers", "cult on a small table", "count"],
)
def test_what_fits_is_what_legal_actions_would_list(chosen):
    rules = rule_set(seats=3, **chosen)
    random = Random(11)
    game = Game.new(rules)
    looked = 0
    while game.decision.kind != "final":
        if game.decision.kind == "place" and random.random() < 0.12:
            looked += 1
            of = Outlook(game.state)
            for id in game.state.remaining:
                as_drawn = game.state.but(drawn=id, decision=Decision("place", game.state.turn_seat))
                legal = {get_cell(x, y) for x, y, _ in LegalActions(as_drawn).placements_of(id)}
                assert {cell for cell, space in of.spaces.items() if id in space.fits} == legal
        game = game.play(pick_random_action(game, random))
    assert looked > 3


# How likely


def test_the_chance_of_one_draw_and_of_several():
    groups = [{"base.E": 2, "base.B": 3}]
    assert compute_chance(groups, {"base.E"}, [0]) == pytest.approx(2 / 5)
    assert compute_chance(groups, {"base.E"}, [0, 2, 4]) == pytest.approx(1 - comb(3, 3) / comb(5, 3))
    assert compute_chance(groups, {"base.E"}, range(5)) == 1
    assert compute_chance(groups, {"base.E"}, []) == compute_chance(groups, {"base.U"}, range(5)) == 0


def test_what_comes_later_has_no_chance_before():
    groups = [{"river1.I": 2}, {"base.E": 1, "base.B": 1}]
    assert compute_chance(groups, {"base.E"}, [0, 1]) == 0
    assert compute_chance(groups, {"base.E"}, [1, 2]) == pytest.approx(1 / 2)


def test_the_river_is_drawn_before_the_land():
    state = Game.new(rule_set(sets=["base", "river1"])).state
    *river, land = list_pools(state)
    assert all(id.startswith("river1.") for group in river for id in group)
    assert all(id.startswith("base.") for id in land)
    assert sum(sum(group.values()) for group in list_pools(state)) == state.left


def test_a_river_tile_that_came_back_late_is_among_the_last():
    state = Game.new(rule_set(sets=["base", "river1"], unplaceable="back_in_bag")).state
    late = state.but(remaining={"base.B": 1, "river1.lake": 1}, left=2, strays=("river1.lake",))
    assert list_pools(late) == ({"base.B": 1, "river1.lake": 1},)
    aside = state.but(remaining={"base.B": 1}, left=1, aside=("river1.lake",))
    assert list_pools(aside) == ({"base.B": 1, "river1.lake": 1},)


def test_seats_draw_by_turns():
    game = with_bag(drawn("base.B"), *["base.U"] * 5)  # A has its tile: B is next
    assert list_draws_of(game.state, 1) == (0, 2, 4)
    assert list_draws_of(game.state, 0) == (1, 3)
    assert list_draws_of(with_bag(played(""), *["base.U"] * 3).state, 0) == (0, 2)


def test_at_larger_tables_every_seat_waits_for_its_place_in_the_round():
    begun = with_bag(played("A base.U@1,0 frfr", seats=3), *["base.U"] * 7)  # B draws next, then C
    assert [list_draws_of(begun.state, seat) for seat in range(3)] == [(2, 5), (0, 3, 6), (1, 4)]
    # The tile that C has drawn waits to be placed: D is next.
    drawing = with_bag(drawn("base.B", "A base.U@1,0 frfr; B base.U@2,0 frfr", seats=4), *["base.U"] * 6)
    assert [list_draws_of(drawing.state, seat) for seat in range(4)] == [(1, 5), (2,), (3,), (0, 4)]


def test_who_holds_a_hand_draws_after_placing():
    game = Game.new(rule_set(hand="three_open"))
    random = Random(3)
    while game.decision.kind == "draw":
        game = game.play(pick_random_action(game, random))
    assert list_draws_of(game.state, game.state.turn_seat)[0] == 0
    of = Outlook(game.state)
    known = {id for held in game.state.hands for id in held}
    assert {id for space in of.spaces.values() for id in space.held} <= known


def test_tiles_in_a_hidden_hand_are_among_those_to_come():
    game = Game.new(rule_set(hand="three_hidden"))
    random = Random(3)
    while game.decision.kind == "draw":
        game = game.play(pick_random_action(game, random))
    state = hide_secrets(game.state, None)
    of = Outlook(state)
    assert sum(of.coming.values()) == state.left + 6
    assert all(not space.held for space in of.spaces.values())
    mine = Outlook(hide_secrets(game.state, 0))
    assert sum(mine.coming.values()) == state.left + 3
    for space in mine.spaces.values():
        assert set(space.held) <= set(game.state.hands[0])


# What features bring


def test_an_open_city_now_and_completed_with_a_plain_tile_on_each_space_left():
    forecast = prospect(outlook("A base.M@0,-1 fccf city S"), 0, 0, "city", "N")
    assert (forecast.leaders, forecast.gains) == ((0,), ((0, 3),))  # two tiles and a shield
    assert (forecast.points, forecast.points_complete) == (2 + 1, 2 * 3 + 2)  # one space is left


@pytest.mark.parametrize(("two_tile_city", "points"), [(4, 4), (2, 2)])
def test_the_smallest_city_completed(two_tile_city, points):
    assert prospect(outlook(two_tile_city=two_tile_city), 0, 0, "city", "N").points_complete == points


def test_a_road_with_an_inn_is_worth_nothing_yet():
    of = outlook("A inns-and-cathedrals.cap-inn-curve@1,0 cfrr road W", sets=["base", "inns-and-cathedrals"])
    forecast = prospect(of, 0, 0, "road", "E")
    assert (forecast.points, forecast.points_complete) == (0, 2 * 4)


def test_a_monastery_now_and_completed():
    forecast = prospect(outlook("A base.B@0,1 monastery"), 0, 1, "monastery")
    assert (forecast.points, forecast.points_complete) == (2, 9)


def test_what_is_not_complete_may_bring_nothing_at_the_end():
    forecast = prospect(outlook("A base.U@1,0 frfr road W", incomplete_scores=False), 0, 0, "road", "E")
    assert (forecast.points, forecast.gains, forecast.points_complete) == (0, ((0, 0),), 4)


def test_what_is_complete_and_left_brings_nothing_more():
    forecast = prospect(outlook("A base.E@0,-1 ffcf city S"), 0, 0, "city", "N")
    assert (forecast.now, forecast.complete, forecast.leaders) == ((), None, ())


def test_a_feature_before_a_dead_space_is_blocked():
    of = outlook("A base.U@1,0 frfr road W", "base.B", "base.E")
    assert prospect(of, 0, 0, "road", "E").blocked == (get_cell(-1, 0), get_cell(2, 0))
    assert prospect(of, 0, 0, "city", "N").blocked == ()


def test_a_field_counts_its_completed_cities():
    of = outlook("A base.E@0,-1 ffcf field ENE")
    forecast = prospect(of, 0, -1, "field", "ENE")
    assert (forecast.points, forecast.gains, forecast.complete) == (3, ((0, 3),), None)


TWO_FIELDS = "A base.E@0,-1 ffcf field ENE; B base.U@1,0 frfr field NNE"


def test_by_the_first_rules_a_city_pays_for_all_its_fields_together():
    of = outlook(TWO_FIELDS, fields="first-edition")
    for x, y, side in ((0, -1, "ENE"), (1, 0, "NNE")):
        assert prospect(of, x, y, "field", side).gains == ((0, 4), (1, 4))
    assert prospect(of, 1, 0, "field", "SSE").gains == ()


def test_by_later_rules_each_field_pays_for_itself():
    of = outlook(TWO_FIELDS)
    assert prospect(of, 0, -1, "field", "ENE").gains == ((0, 3),)
    assert prospect(of, 1, 0, "field", "NNE").gains == ((1, 3),)


def test_without_farmers_fields_bring_nothing():
    forecast = prospect(outlook("A base.E@0,-1 ffcf", fields="none"), 0, -1, "field", "ENE")
    assert (forecast.now, forecast.gains) == ((), ())


EVERYTHING = ["base", "river1", "inns-and-cathedrals", "traders-and-builders", "cult", "abbot", "count"]


@pytest.mark.parametrize("fields", ["third-edition", "second-edition", "first-edition"])
@pytest.mark.parametrize("seed", [1, 2])
def test_were_the_game_over_each_feature_would_bring_what_is_told(fields, seed):
    rules = RuleSet.of(sets=EVERYTHING, edition="C2", seats=4, options={"fields": fields})
    random = Random(seed)
    game = Game.new(rules)
    while game.decision.kind != "final":
        game = game.play(pick_random_action(game, random))
    of = Outlook(game.state)
    told: Counter[tuple[int, str]] = Counter()
    for feature in game.state.board.all_features():
        if feature.kind != RIVER and not (fields == "first-edition" and feature.kind == FIELD):
            for seat, points in of.prospect(feature).gains:
                told[seat, feature.kind] += points
    paid: Counter[tuple[int, str]] = Counter()
    for event in score_at_end(game.state):
        assert isinstance(event, Scored)
        if not (fields == "first-edition" and event.on == FIELD):
            paid[event.seat, event.on] += event.points
    assert +told == +paid


@pytest.mark.parametrize("seed", [5, 6])
def test_completed_a_feature_brings_at_least_what_was_told(seed):
    rules = RuleSet.of(sets=["base", "inns-and-cathedrals"], seats=2)
    random = Random(seed)
    game = Game.new(rules)
    checked = 0
    while game.decision.kind != "final":
        actions = list(game.legal_actions())
        tried = [game.play(action) for action in random.sample(actions, min(12, len(actions)))]
        before, game = game, max(tried, key=lambda one: sum(one.state.scores))
        for event in game.events:
            if not isinstance(event, Scored) or not event.complete:
                continue
            of = Outlook(before.state)
            feature = game.state.feature_at(event.x, event.y, event.on, event.side)
            for code in feature.segments:
                known = before.state.board.features.get(code)
                if known is not None and known.meeples:
                    assert of.prospect(known).points_complete <= event.points
                    assert not of.prospect(known).blocked
                    checked += 1
    assert checked > 5
