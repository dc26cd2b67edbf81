"""Tests of the core's interface for expansions, with invented ones."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from games.rules import Deploy, Draw, Final, Game, IllegalAction, InvalidRuleSet, RuleSet, Scored, Term
from games.rules.events import event_to_json, register_event
from games.rules.module import Module, Option
from games.rules.modules import HOUSE_RULES, MEETINGS, MODULES
from games.rules.turn import Slot, Step

from .boards import drawn, ended, followers, played, rule_set, scored, turn


def with_toys(*toys, **chosen):
    known = {toy.name: toy for toy in toys}
    return {"sets": ("base", *known), "known": known, **chosen}


class Toast(NamedTuple):
    """A seat's toast to the others, with a number of cups."""

    cups: int


class ToastDrunk(NamedTuple):
    seat: int
    cups: int


class Toasts(Step):
    """Step after a completed feature, which asks each seat without a scoring so far, left neighbour first."""

    name = "toast"
    slot = Slot.BEFORE_SCORING

    def asks(self, state):
        if not state.completed:
            return ()
        return tuple(seat for seat in state.seats_after(state.turn_seat) if not state.scores[seat])

    def choices(self, state, seat):
        return [Toast(cups) for cups in range(3)]

    def decide(self, state, seat, action):
        return [ToastDrunk(seat, action.cups)] if action.cups else []

    def run(self, state):
        return [ToastDrunk(0, 10)] if state.completed else []


class Inn(Module):
    """Module that counts cups, and asks in mid-turn."""

    name = "inn"
    changes = {
        ToastDrunk: lambda state, event: state._replace(
            slices={**state.slices, "inn": state.slices["inn"] + event.cups}
        )
    }

    def initial(self, rules):
        return 0

    def steps(self):
        return [Toasts()]


def test_seats_not_on_turn_are_asked_one_after_the_other():
    game = played("A base.E@0,-1 ffcf city S", **with_toys(Inn(), seats=3))
    assert game.decision == ("toast", 1)
    assert game.state.turn_seat == 0
    assert game.state.scores == (0, 0, 0), "nothing is scored before all have answered"
    assert list(game.legal_actions()) == [Toast(0), Toast(1), Toast(2)]
    game = game.play(Toast(2))
    assert game.decision == ("toast", 2)
    game = game.play(Toast(0))
    assert game.decision == ("toast", 0)
    game = game.play(Toast(1))
    assert game.state.slices["inn"] == 2 + 1 + 10
    assert scored(game) == [("A", "city", 4)]
    assert followers(game) == (7, 7, 7)
    assert game.decision == ("draw", None)
    assert game.state.turn_seat == 1


def test_only_seats_with_something_to_decide_are_asked():
    game = played("A base.E@0,-1 ffcf city S", **with_toys(Inn(), seats=2))
    game = game.play(Toast(0)).play(Toast(0))
    game = played("B base.W@1,0 frrr; A base.W@-1,0 frrr", game=game)
    assert game.decision == ("toast", 1), "A has points and is not asked"
    game = game.play(Toast(1))
    assert game.decision == ("draw", None)
    assert game.state.slices["inn"] == 10 + 1 + 10


def test_a_step_that_asks_nobody_runs_and_the_turn_goes_on():
    game = played("A base.B@0,1 monastery", **with_toys(Inn()))
    assert game.decision == ("draw", None)
    assert game.state.slices["inn"] == 0


@pytest.mark.parametrize("action", [Toast(3), Draw("base.B"), Final(), turn("A base.B@0,1"), None])
def test_an_answer_that_is_not_offered_is_refused(action):
    game = played("A base.E@0,-1 ffcf", **with_toys(Inn()))
    with pytest.raises(IllegalAction) as caught:
        game.play(action)
    assert caught.value.rule == "BASE-6"
    assert action not in game.legal_actions()


def test_a_game_with_events_of_a_module_is_rebuilt_from_them():
    register_event(ToastDrunk)
    game = played("A base.E@0,-1 ffcf city S", **with_toys(Inn(), seats=3)).play(Toast(2)).play(Toast(0))
    stored = json.loads(json.dumps([[event_to_json(event) for event in ply.events] for ply in game.played]))
    assert Game.rebuild(game.rules, stored).state == game.state


class LastOrders(Step):
    """Step after the last turn, which asks each seat once."""

    name = "last_orders"
    slot = Slot.END

    def asks(self, state):
        return state.seats_after(state.turn_seat)

    def choices(self, state, seat):
        return [Toast(0), Toast(1)]

    def decide(self, state, seat, action):
        return [ToastDrunk(seat, action.cups)]


class Closing(Inn):
    """Module that asks at the end of the game and scores each cup."""

    name = "inn"

    def steps(self):
        return []

    def ending(self):
        return [LastOrders()]

    def finish(self, state):
        yield Scored(1, "inn", state.slices["inn"], (Term("cups", 1, 1),), 0, 0, None, False)


@pytest.mark.parametrize("short", [True, False])
def test_the_end_asks_before_it_waits_for_the_final_scoring(short):
    game = played("A base.U@1,0", **with_toys(Closing()))
    if short:
        game = game.cut_short()
    else:
        game = Game(game.state._replace(remaining={"base.U": 1}, left=1))
        game = played("B base.U@-1,0 frfr road W", game=game)
    asked = [game.decision.seat]
    assert game.decision.kind == "last_orders"
    with pytest.raises(IllegalAction):
        game.play(Final())
    game = game.play(Toast(1))
    asked.append(game.decision.seat)
    game = game.play(Toast(1))
    assert sorted(asked) == [0, 1]
    assert game.decision == ("final", None)
    game = game.play(Final())
    assert ("B", "inn", 2) in scored(game)
    assert game.state.over


class Bog(Module):
    """Module that forbids tiles east of the start tile."""

    name = "bog"

    def forbids(self, state, tile):
        return lambda cell, turned: "BOG-1" if cell > 2048 else None


def test_a_placement_that_a_module_forbids_is_neither_listed_nor_accepted():
    game = drawn("base.U", **with_toys(Bog()))
    assert {action.x for action in game.legal_actions()} == {0, -1}
    assert {placement.x for placement in game.legal_actions().placements} == {0, -1}
    with pytest.raises(IllegalAction) as caught:
        game.play(turn("A base.U@1,0"))
    assert caught.value.rule == "BOG-1"
    assert turn("A base.U@1,0") not in game.legal_actions()


class Desert(Module):
    """Module that forbids all tiles."""

    name = "desert"

    def forbids(self, state, tile):
        return lambda cell, turned: "DESERT-1"


def test_a_tile_that_a_module_forbids_everywhere_is_discarded():
    game = drawn("base.U", **with_toys(Desert()))
    assert game.state.discarded == ("base.U",)
    assert game.decision.kind == "draw"


class Gardener(Module):
    """Module with a figure that counts three and stands on roads, occupied or not; and with options."""

    name = "gardener"
    figures = {"gardener": 1}
    strengths = {"gardener": 3}
    options = (Option("flowers", ("roses", "tulips"), "GARDENER-1"),)

    def offers(self, state, seat, cell, tile):
        if not state.supply[seat]["gardener"]:
            return []
        return [Deploy("gardener", "road", lie.side) for lie in tile.lies if lie.kind == "road"]

    def terms(self, state, feature, complete):
        if feature.kind == "road" and state.rules.options["flowers"] == "tulips":
            yield Term("flowers", 1, 5 if complete else 1)


def test_a_figure_of_a_module_is_offered_counted_and_returned():
    game = played("A base.U@1,0 road W", **with_toys(Gardener()))
    assert dict(game.state.supply[1]) == {"follower": 7, "gardener": 1}
    game = game.play(Draw("base.W"))
    strong = turn("B base.W@-1,0 frrr")._replace(figure=Deploy("gardener", "road", "E"))
    assert strong in game.legal_actions()
    assert strong in list(game.legal_actions())
    assert turn("B base.W@-1,0 frrr road E") not in game.legal_actions()
    game = game.play(strong)
    assert game.state.supply[1]["gardener"] == 0
    game = played("A base.W@2,0 frrr", game=game)
    assert scored(game) == [("B", "road", 4)], "one gardener outweighs one follower"
    assert dict(game.state.supply[1]) == {"follower": 7, "gardener": 1}
    assert game.play(Draw("base.B")).decision == ("place", 1)


def test_terms_of_a_module_are_added():
    rules = with_toys(Gardener(), flowers="tulips")
    assert at_once(played("A base.U@1,0 road W; B base.W@-1,0 frrr; A base.W@2,0 frrr", **rules)) == 9
    assert at_once(ended(played("A base.U@1,0 road W", **rules))) == 3


def at_once(game):
    (event,) = (event for event in game.events if isinstance(event, Scored))
    assert [term.name for term in event.terms] == ["tiles", "flowers"]
    return event.points


def test_options_of_a_module_are_known_but_written_only_where_it_plays():
    toy = Gardener()
    assert rule_set(**with_toys(toy)).options["flowers"] == "roses"
    assert "flowers" not in RuleSet.of(known={toy.name: toy}).options
    with pytest.raises(InvalidRuleSet) as caught:
        rule_set(**with_toys(toy, flowers="weeds"))
    assert (caught.value.code, caught.value.rule) == ("unknown_value", "GARDENER-1")
    with pytest.raises(InvalidRuleSet):
        rule_set(flowers="roses")


class Herald(Module):
    """Module that reacts to each scored city: 1 point to the left neighbour of the seat that scores."""

    name = "herald"

    def react(self, state, event):
        if isinstance(event, Scored) and event.on == "city":
            left = state.seats_after(event.seat)[0]
            yield Scored(left, "herald", 1, (Term("cities", 1, 1),), event.x, event.y, None, True)


def test_what_follows_an_event_stands_right_after_it():
    game = played("A base.E@0,-1 ffcf city S", **with_toys(Herald(), seats=3))
    assert scored(game) == [("A", "city", 4), ("B", "herald", 1)]
    assert game.state.scores == (4, 1, 0)


class Prelude(Module):
    """Module that puts all monasteries first in the bag."""

    name = "prelude"

    def bag(self, rules, groups):
        first = {id: count for group in groups for id, count in group.items() if id in ("base.A", "base.B")}
        return [first, *({id: n for id, n in group.items() if id not in first} for group in groups)]


def test_groups_of_the_bag_are_drawn_one_after_the_other():
    game = Game.new(rule_set(**with_toys(Prelude())))
    assert [sum(group.values()) for group in game.rules.bag] == [6, 65]
    for _ in range(6):
        draws = list(game.legal_actions())
        assert {draw.tile for draw in draws} <= {"base.A", "base.B"}
        with pytest.raises(IllegalAction):
            game.play(Draw("base.U"))
        game = game.play(draws[0])
        game = game.play(next(iter(game.legal_actions())))
    assert len(game.legal_actions()) == 22
    assert game.play(Draw("base.U")).decision.kind == "place"


def test_the_modules_are_found_in_their_files_and_told_apart():
    assert list(MODULES) == sorted(MODULES), "whose order decides the order of steps and options"
    assert {"abbot", "river1", "river2", "winter"} <= set(MODULES)
    assert [meeting.name for meeting in MEETINGS] == ["both-rivers", "count-and-river1", "count-and-river2"]
    house_rules = ["hands", "start_in_bag", "back_in_bag", "hole_bonus", "board_limit"]
    assert [rule.name for rule in HOUSE_RULES] == house_rules
