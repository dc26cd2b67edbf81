"""Tests of turns planned ahead: possible placements, and changes that make a plan invalid."""

import random

from games.rules import Deploy, Draw, Game, Place, RuleSet, hide_secrets
from games.rules.planning import (
    COMPLETION,
    FIGURE,
    STANDING,
    TAKEN,
    UNFIT,
    find_grounds,
    find_plan_fault,
    grounds_to_json,
    list_next_tiles,
    suppose_turn,
)
from tests.cases import for_each


def begun(*actions: Place | str, **options: str) -> Game:
    """A game of two after *actions*; a string draws that tile."""
    game = Game.new(RuleSet.of(seats=2, options=options))
    for action in actions:
        game = game.play(Draw(action) if isinstance(action, str) else action)
    return game


def planned(game: Game, seat: int, place: Place) -> list[object]:
    return grounds_to_json(find_grounds(suppose_turn(game, seat).state, place))


def some_way(seed: int, turns: int, **rules: object) -> Game:
    chance = random.Random(seed)
    game = Game.new(RuleSet.of(**rules))  # type: ignore[arg-type]
    for _ in range(3 * turns):
        if game.decision.kind in ("final", "over"):
            break
        game = game.play(chance.choice(list(game.legal_actions())))
    return game


class TestNextTiles:
    def test_every_kind_that_is_left_may_come(self) -> None:
        game = begun("base.A")
        assert set(list_next_tiles(game.state, 1)) == set(game.state.remaining)

    def test_a_kind_that_is_used_up_may_not(self) -> None:
        game = begun("base.C")  # the only one
        assert "base.C" not in list_next_tiles(game.state, 1)

    def test_a_hand_is_known(self) -> None:
        game = begun("base.E", "base.U", next_tile="at_turn_end")
        assert list_next_tiles(game.state, 1) == ("base.U",)

    def test_hidden_hands_of_others_stay_hidden(self) -> None:
        tiles = ("base.E", "base.E", "base.U"), ("base.D", "base.V", "base.W")
        one, other = (
            begun(*mine, *theirs, hand="three_hidden")
            for mine, theirs in ((tiles[0], tiles[1]), (tiles[1], tiles[0]))
        )
        assert list_next_tiles(hide_secrets(one.state, 1), 1) == ("base.D", "base.V", "base.W")
        assert list_next_tiles(hide_secrets(other.state, 1), 1) == ("base.E", "base.U")
        same = begun(*("base.K", "base.L", "base.J"), *tiles[1], hand="three_hidden")
        mine = [suppose_turn(Game(hide_secrets(game.state, 1)), 1).state for game in (one, same)]
        assert mine[0] == mine[1]

    def test_who_has_no_further_turn_holds_nothing(self) -> None:
        game = begun("base.E")
        last = Game(game.state.but(left=0, remaining={}))
        assert list_next_tiles(last.state, 1) == ()


class TestSupposed:
    @for_each("seed", range(6))
    @for_each("sets", [["base"], ["base", "count"], ["base", "river1", "abbot"]])
    def test_what_is_legal_there_is_what_is_legal_when_nothing_else_happens(
        self, seed: int, sets: list[str]
    ) -> None:
        """The tile of the seat before is discarded instead of placed, so the board stays as it is."""
        game = some_way(seed, 8, seats=2, sets=sets, edition="C2")
        while game.decision.kind != "draw":
            default = game.legal_actions().default_answer()
            game = game.play(default or game.legal_actions()[0])
        seat = game.state.turn_seat
        mine = suppose_turn(game, seat).legal_actions()
        for action in game.legal_actions():
            drawn = game.play(action)
            if drawn.decision.kind == "place":
                (tile,) = drawn.legal_actions().tiles
                assert mine.placements_of(tile) == drawn.legal_actions().placements
                for placement in mine.placements_of(tile)[:4]:
                    assert mine.figures(placement, tile) == drawn.legal_actions().figures(placement)

    def test_a_turn_of_it_can_be_played(self) -> None:
        for seed in range(8):
            game = some_way(seed, 6, seats=3, sets=["base", "count"])
            other = (game.state.turn_seat + 1) % 3
            mine = suppose_turn(game, other)
            for action in list(mine.legal_actions())[::40]:
                assert mine.play(action).events

    def test_once_a_tile_lies_there_the_spaces_beside_it_are_open(self) -> None:
        game = suppose_turn(begun("base.A"), 1, (1, 0))
        cells = {(x, y) for x, y, _ in game.legal_actions().placements_of("base.U")}
        assert (1, 0) not in cells and (2, 0) in cells
        far = [one for one in game.legal_actions().placements_of("base.U") if (one.x, one.y) == (2, 0)]
        assert [one.rotation for one in far] == [0, 90, 180, 270]
        assert game.play(Place("base.U", 2, 0, 0, Deploy("follower", "road", "E"))).events

    def test_the_table_s_edge_stays_where_it_is(self) -> None:
        game = begun("base.A", board_limit="fixed 9x9")
        mine = suppose_turn(game, 1, (4, 0)).legal_actions()
        assert max(at.x for at in mine.placements_of("base.U")) == 4


CITY = Place("base.E", 0, -1, 180)
"""Place that completes the city of the start tile."""
WEST, EAST = Place("base.U", -1, 0, 0), Place("base.U", 1, 0, 0)
"""Places that make its road longer."""
HIGHWAYMAN = Deploy("follower", "road", "W")


class TestBroken:
    def test_nothing_is_when_nothing_has_changed(self) -> None:
        rested = planned(begun("base.A"), 1, CITY)
        assert find_plan_fault(begun("base.A", Place("base.A", 0, 1, 0), "base.E"), CITY, rested) is None

    def test_a_feature_may_have_grown(self) -> None:
        before = begun("base.U")
        rested = planned(before, 1, WEST)
        after = before.play(Place("base.U", 1, 0, 0)).play(Draw("base.U"))
        assert find_plan_fault(after, WEST, rested) is None

    def test_the_space_is_taken(self) -> None:
        game = begun("base.E", CITY, "base.E")
        assert find_plan_fault(game, CITY, []) == TAKEN

    def test_the_tile_no_longer_fits(self) -> None:
        """A road came round the corner to the space where a field was to lie."""
        place = Place("base.A", 1, 1, 0)
        beside = Place("base.V", 0, 1, 270)
        before = begun("base.V")
        assert find_plan_fault(suppose_turn(before, 1, (0, 1)), place, None) is None
        after = before.play(beside).play(Draw("base.A"))
        assert find_plan_fault(after, place, None) == UNFIT

    def test_somebody_stands_where_the_figure_was_to_go(self) -> None:
        road = WEST._replace(figure=HIGHWAYMAN)
        before = begun("base.U")
        rested = planned(before, 1, road)
        taken = before.play(EAST._replace(figure=HIGHWAYMAN)).play(Draw("base.U"))
        assert find_plan_fault(taken, road, rested) == FIGURE

    def test_somebody_stands_on_what_the_tile_joins(self) -> None:
        before = begun("base.U")
        rested = planned(before, 1, WEST)
        taken = before.play(EAST._replace(figure=HIGHWAYMAN)).play(Draw("base.U"))
        assert find_plan_fault(taken, WEST, rested) == STANDING

    def test_it_completes_more_than_it_did(self) -> None:
        """The other end of the road is closed meanwhile."""
        road = Place("base.A", -1, 0, 270)
        before = begun("base.A")
        rested = planned(before, 1, road)
        closed = before.play(Place("base.A", 1, 0, 90)).play(Draw("base.A"))
        assert (
            find_plan_fault(before.play(Place("base.A", 0, 1, 0)).play(Draw("base.A")), road, rested) is None
        )
        assert find_plan_fault(closed, road, rested) == COMPLETION

    def test_a_farmer_elsewhere_on_the_field_is_no_reason_without_a_farmer_of_ones_own(self) -> None:
        farmed = WEST._replace(figure=Deploy("follower", "field", "NNE"))
        before = begun("base.U")
        rested = planned(before, 1, WEST)
        theirs = EAST._replace(figure=Deploy("follower", "field", "NNE"))
        after = before.play(theirs).play(Draw("base.U"))
        assert find_plan_fault(after, WEST, rested) is None
        assert find_plan_fault(after, farmed, planned(before, 1, farmed)) == FIGURE

    def test_what_could_not_be_known_rests_on_the_rules_alone(self) -> None:
        taken = begun("base.U", EAST._replace(figure=HIGHWAYMAN), "base.U")
        assert find_plan_fault(taken, WEST, None) is None
