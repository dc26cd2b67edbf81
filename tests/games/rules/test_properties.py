"""Tests of properties of every game, under random play."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.rules import (
    Deploy,
    Final,
    Game,
    Laid,
    Place,
    Scored,
    action_from_json,
    action_to_json,
    event_from_json,
    event_to_json,
)
from games.rules.board import Board

from . import floodfill
from .boards import rule_set, snapshot
from .legal_turn_helpers import collect_tiles_and_meeples, find_turns_by_trying, list_turns

ROOT = Path(__file__).parents[3]

rule_sets = st.builds(
    rule_set,
    seats=st.integers(1, 6),
    edition=st.sampled_from(["C1", "C2", "J20", "C3"]),
    fields=st.sampled_from(["third-edition", "second-edition", "first-edition", "none"]),
    two_tile_city=st.sampled_from([4, 2]),
    incomplete_scores=st.booleans(),
    figures=st.sampled_from([{}, {}, {}, {"follower": 2}, {"follower": 0}]),
)
seeds = st.integers(0, 2**32)
few = settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
some = settings(few, max_examples=100)


def random_games(rules, seed, *, most=10**6):
    """Yield the states of a game of random legal actions, from the first, but at most so many."""
    chance = random.Random(seed)
    game = Game.new(rules)
    yield game
    while not game.state.over and most:
        most -= 1
        game = game.play(chance.choice(list(game.legal_actions())))
        yield game


def halted(rules, seed, plies):
    """A random game after so many actions."""
    *_, last = random_games(rules, seed, most=plies)
    return last


games = st.builds(halted, rule_sets, seeds, st.integers(16, 146))


@few
@given(rule_sets, seeds)
def test_what_every_state_of_a_game_holds_to(rules, seed):
    """BASE-1, BASE-2: nothing is lost and nothing is made; scores never fall."""
    before = None
    for game in random_games(rules, seed):
        state = game.state
        standing = Counter(meeple.seat for meeple in state.meeples())
        for seat, supply in enumerate(state.supply):
            assert min(supply.values()) >= 0
            assert supply["follower"] + standing[seat] == rules.figures["follower"]
        lying = Counter(laid.tile for laid in state.placed)
        gone = Counter(state.discarded)
        held = Counter([state.drawn] if state.drawn else [])
        assert lying + gone + held + Counter(state.remaining) == Counter(rules.composition)
        assert state.left == sum(state.remaining.values())
        if before:
            assert all(new >= old for new, old in zip(state.scores, before.scores, strict=True))
            gained = Counter()
            for event in game.events:
                if isinstance(event, Scored):
                    gained[event.seat] += event.points
                    assert event.points == sum(term.points for term in event.terms)
            for seat, (new, old) in enumerate(zip(state.scores, before.scores, strict=True)):
                assert new - old == gained[seat]
        before = state
    assert state.over and not state.remaining
    assert state.left == 0 and len(list(state.placed)) + len(state.discarded) == 72


@few
@given(rule_sets, seeds)
def test_seats_take_their_turns_clockwise(rules, seed):
    """BASE-5, BASE-15: one tile each, and a discarded tile is not a turn."""
    seat = 0
    for game in random_games(rules, seed):
        if game.played and isinstance(game.played[-1].action, Place):
            assert game.events[0].seat == seat
            seat = (seat + 1) % rules.seats
        if game.decision.kind == "place":
            assert game.decision.seat == game.state.turn_seat == seat


@some
@given(games)
def test_features_grown_tile_by_tile_are_those_found_by_flood_fill(game):
    """BASE-23 to BASE-27, BASE-31, BASE-46 to BASE-48."""
    state = game.state
    board = state.board
    tiles, _ = collect_tiles_and_meeples(state)
    features = floodfill.features(tiles)
    grown = board.all_features()
    assert len(features) == len(grown)
    here = [(meeple.x, meeple.y, meeple.on, meeple.side, meeple.seat) for meeple in state.meeples()]
    for feature in features:
        node = min(feature.nodes)
        kind, side = floodfill.name(floodfill.parts(*tiles[node.x, node.y])[node.number])
        same = state.feature_at(node.x, node.y, kind, side)
        assert same.kind == feature.kind
        assert len(same.segments) == len(feature.nodes) == len(set(same.segments))
        assert {floodfill.node_at(tiles, *board.spot(code)) for code in same.segments} == feature.nodes
        assert same.tiles == len(feature.tiles)
        assert same.complete == feature.complete
        assert bool(same.open_ends) == bool(feature.open_ends)
        if feature.kind != "field":
            assert same.open_ends == feature.open_ends
        assert sum(board.segment(code).shields for code in same.segments) == feature.shields
        standing = [
            seat for x, y, on, side, seat in here if floodfill.node_at(tiles, x, y, on, side) in feature.nodes
        ]
        assert sorted(standing) == sorted(meeple.seat for meeple in same.meeples)
        if feature.complete:
            assert not standing, "a follower stays on what is complete"
        if feature.kind == "field":
            cities = floodfill.touched_cities(tiles, feature)
            touched = board.touched_cities(same)
            assert len(touched) == len(cities)
            assert sum(city.complete for city in touched) == sum(city.complete for city in cities)


def most(standing):
    """The seats with most followers."""
    return [seat for seat, count in standing.items() if count == max(standing.values())]


def final_points(state):
    """The points of each seat in the final scoring, by flood fill alone."""
    tiles, _ = collect_tiles_and_meeples(state)
    fields = state.rules.options["fields"]
    points, farmed = Counter(), []
    for feature in floodfill.features(tiles):
        standing = Counter(
            meeple.seat
            for meeple in state.meeples()
            if floodfill.node_at(tiles, meeple.x, meeple.y, meeple.on, meeple.side) in feature.nodes
        )
        if feature.kind == "field":
            cities = [city.nodes for city in floodfill.touched_cities(tiles, feature) if city.complete]
            farmed.append((standing, cities))
            continue
        worth = len(feature.tiles) + feature.shields
        if feature.kind == "monastery":
            worth = 9 - feature.open_ends
        for seat in most(standing):
            points[seat] += worth
    if fields == "third-edition":
        for standing, cities in farmed:
            for seat in most(standing):
                points[seat] += 3 * len(cities)
    elif fields == "second-edition":
        for seat, _ in {(seat, city) for one, cities in farmed for seat in most(one) for city in cities}:
            points[seat] += 3
    elif fields == "first-edition":
        for city in {city for _, cities in farmed for city in cities}:
            for seat in most(sum((one for one, cities in farmed if city in cities), Counter())):
                points[seat] += 4
    return points


@few
@given(seeds, st.integers(2, 5), st.sampled_from(["third-edition", "second-edition", "first-edition"]))
def test_the_end_pays_what_flood_fill_finds(seed, seats, fields):
    """BASE-39 to BASE-43, BASE-46 to BASE-50."""
    for game in random_games(rule_set(seats=seats, fields=fields), seed):
        if game.decision.kind == "final":
            points = final_points(game.state)
            over = game.play(Final())
            for seat, (new, old) in enumerate(zip(over.state.scores, game.state.scores, strict=True)):
                assert new - old == points[seat]


@some
@given(games)
def test_legal_turns_are_those_found_by_trying_everything(game):
    """BASE-8 to BASE-20; and a tile is discarded only where trying finds no place for it."""
    tiles, _ = collect_tiles_and_meeples(game.state)
    waiting = [game] if game.decision.kind == "place" else map(game.play, game.legal_actions())
    for one in waiting:
        if one.decision.kind == "place":
            assert len(list_turns(one)) == len(set(list_turns(one)))
            assert set(list_turns(one)) == set(find_turns_by_trying(one))
        elif one.decision.kind == "draw":
            assert floodfill.placements(tiles, one.state.discarded[-1]) == []


spots = st.one_of(
    st.none(),
    st.builds(
        Deploy,
        st.sampled_from(["follower", "abbot"]),
        st.sampled_from(["city", "road", "field", "monastery", "garden"]),
        st.sampled_from([None, *floodfill.RIM]),
    ),
)


@some
@given(games, st.data())
def test_listing_membership_and_the_two_steps_agree(game, data):
    legal = game.legal_actions()
    actions = list(legal)
    assert len(legal) == len(actions)
    assert all(action in legal for action in actions)
    if game.decision.kind != "place":
        return
    assert [
        Place(game.state.drawn, *placement, figure)
        for placement in legal.placements
        for figure in legal.figures(placement)
    ] == actions
    turned = {(action.x, action.y, action.rotation) for action in actions}
    for _ in range(20):
        x, y = data.draw(st.sampled_from(sorted({(action.x, action.y) for action in actions})))
        rotation = data.draw(st.sampled_from([0, 90, 180, 270]))
        figure = data.draw(spots)
        action = Place(game.state.drawn, x, y, rotation, figure)
        parts = floodfill.parts(action.tile, rotation)
        named = None
        if figure is not None:
            fitting = [
                floodfill.name(part)
                for part in parts
                if part.kind == figure.on
                and (figure.side in part.ports if part.ports else figure.side is None)
            ]
            named = Deploy(figure.meeple, *fitting[0]) if fitting else Deploy("nobody", "nowhere")
        assert (action in legal) == (action._replace(figure=named) in actions)
        if action in legal:
            assert (x, y, rotation) in turned


@few
@given(rule_sets, seeds)
def test_actions_and_events_go_through_json(rules, seed):
    for game in random_games(rules, seed):
        if game.played:
            action = game.played[-1].action
            assert action_from_json(json.loads(json.dumps(action_to_json(action)))) == action
            for event in game.events:
                back = event_from_json(json.loads(json.dumps(event_to_json(event))))
                assert back == event and type(back) is type(event)


@few
@given(games)
def test_a_game_rebuilt_from_its_events_is_the_game_that_was_played(game):
    stored = json.loads(json.dumps([[event_to_json(event) for event in ply.events] for ply in game.played]))
    assert Game.rebuild(game.rules, stored).state == game.state


@few
@given(games)
def test_what_goes_on_from_a_game_leaves_that_as_it_was(game):
    """Positions are remembered, and others go on from them."""
    stored = [[event_to_json(event) for event in ply.events] for ply in game.played]
    middle = len(stored) // 2
    earlier = Game.rebuild(game.rules, stored[:middle])
    before = snapshot(earlier.state)
    later = earlier.following(stored[middle:])
    assert snapshot(earlier.state) == before and later.state == game.state
    assert type(later.state.board) is Board


@few
@given(games)
def test_a_game_played_again_is_the_same(game):
    again = Game.new(game.rules)
    for action, events in game.played:
        again = again.play(action)
        assert again.events == events
    assert again.state == game.state


@few
@given(rule_sets, seeds, st.integers(0, 120))
def test_old_states_stay_good(rules, seed, plies):
    kept = []
    for game in random_games(rules, seed, most=plies):
        kept.append((game, snapshot(game.state)))
        list(game.legal_actions())
    for game, before in kept:
        assert snapshot(game.state) == before


def turned(place, quarter):
    """*place* after quarter turns of the whole table: east becomes south."""
    x, y = place
    for _ in range(quarter):
        x, y = -y, x
    return x, y


def turned_action(action, quarter):
    if not isinstance(action, Place):
        return action
    figure = action.figure
    if figure is not None and figure.side is not None:
        side = floodfill.RIM[(floodfill.RIM.index(figure.side) + 3 * quarter) % 12]
        figure = figure._replace(side=side)
    x, y = turned((action.x, action.y), quarter)
    return Place(action.tile, x, y, (action.rotation + 90 * quarter) % 360, figure)


@few
@given(rule_sets, seeds, st.integers(1, 3))
def test_a_game_on_a_turned_table_is_the_same_game(rules, seed, quarter):
    other = Game.new(rules, start=[Laid("base.D", 0, 0, 90 * quarter)])
    for game in random_games(rules, seed):
        if game.played:
            other = other.play(turned_action(game.played[-1].action, quarter))
        assert other.state.scores == game.state.scores
        assert other.decision == game.decision
        if game.decision.kind == "place":
            assert len(other.legal_actions()) == len(game.legal_actions())
            assert {turned_action(action, quarter)[:4] for action in game.legal_actions()} == {
                action[:4] for action in other.legal_actions()
            }


def told(seed):
    """Yield all actions and events of a random game as text."""
    for game in random_games(rule_set(seats=3, edition="C2"), seed):
        legal = [action_to_json(action) for action in game.legal_actions()]
        events = [event_to_json(event) for event in game.events]
        yield json.dumps([legal, events, list(game.state.remaining), list(game.state.meeples())])


def test_two_processes_tell_the_same_game():
    """Nothing that reaches an event or a list depends on how a process hashes."""
    program = (
        "from hashlib import sha256\n"
        "from tests.games.rules.test_properties import told\n"
        "print(sha256('\\n'.join(told(7)).encode()).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed in ("0", "1", "4242")
    }
    assert len(said) == 1 and said.pop().strip()
