"""Tests of the worked examples of the winter edition, by number, and of the Gingerbread Man."""

import pytest

from games.rules import Draw, Game, IllegalAction, InvalidRuleSet, Laid
from games.rules.board import Meeple, Spot
from games.rules.modules.winter import STAND_INS, GingerbreadLeft, GingerbreadMoved, Walk
from games.rules.tiles import load_tile_set
from tests.cases import for_each
from tests.games.rules.boards import at_end, drawn, played, rule_set, scored, turn, with_bag

WINTER = {"sets": ["base", "winter"]}
MAN = {**WINTER, "gingerbread": True}


def with_knights(game, x, y, side, **knights):
    """*game* with followers put into the city at the spot: ``A=2``."""
    board = game.state.board
    for seat, count in knights.items():
        for _ in range(count):
            board = board.with_meeple(
                Meeple("ABCDEF".index(seat), "follower", board.code(Spot(x, y, "city", side)))
            )
    return Game(game.state._replace(board=board))


def home(game):
    """The tiles of the Gingerbread Man's city, or ``None``."""
    city = game.state.slices["winter"].city
    return None if city is None else game.state.board.features[city].tiles


def test_example_1_a_dead_end_ends_a_road():
    game = played("A base.U@1,0 frfr road W; B winter.dead-end@2,0 fffr; A base.W@-1,0 frrr", **WINTER)
    assert scored(game) == [("A", "road", 4)]


def test_example_2_a_road_passes_a_tile_twice():
    game = played(
        """
        A base.U@1,0 frfr road W
        B base.V@2,0 ffrr
        A winter.two-curves@2,1 rrrr
        B base.V@1,1 frrf
        A base.V@1,2 rrff
        B base.V@2,2 rffr
        A base.W@-1,0 frrr
        B winter.dead-end@3,1 fffr
        """,
        **WINTER,
    )
    assert scored(game) == [("A", "road", 9)]


def test_example_3_a_road_divides_the_fields_at_a_city():
    game = played("A winter.cap-road-south@0,-1 rfcf field NNW", **WINTER)
    assert at_end(game) == [("A", "field", 3)]


def test_example_4_roads_end_at_a_monastery():
    game = played("A winter.monastery-two-roads@1,0 frfr road W; B base.X@-1,0 rrrr", **WINTER)
    assert scored(game) == [("A", "road", 3)]


def with_open_city(count, shields=0):
    """An open city of *count* tiles north of the start tile, and another on [-1,0]."""
    start = "; ".join(
        f"A base.{'F' if index < shields else 'G'}@0,{-1 - index} r90" for index in range(count - 1)
    )
    return played("", start=f"{start}; A base.D@-1,0", seats=3, first="C", **MAN)


def symbol(game):
    """*game* in which C is to place a tile with his symbol, out of the way."""
    return with_bag(game, "winter.cap-road-east", "base.B", "base.B").play(Draw("winter.cap-road-east"))


def test_example_5_leaving_pays_every_knight_a_point_a_tile():
    game = with_knights(with_open_city(4, shields=1), 0, 0, "N", A=2, B=1)
    game = symbol(game).play(turn("C winter.cap-road-east@0,1 r90"))
    assert game.decision == ("gingerbread", 2)
    assert game.state.scores == (0, 0, 0)
    game = game.play(Walk(-1, 0, "N"))
    assert game.state.scores == (8, 4, 0)
    assert len(list(game.state.meeples())) == 3, "knights stay"
    assert scored(game) == [("A", "gingerbread", 8), ("B", "gingerbread", 4)]


@pytest.mark.parametrize(
    ("count", "shields", "knights", "points"),
    [(10, 3, {"A": 2}, 46), (7, 0, {"A": 1}, 21), (3, 0, {"A": 1, "B": 2}, (3, 12))],
    ids=["example 6", "example 7", "example 8"],
)
def test_examples_6_to_8_when_his_city_is_completed_he_pays_first(count, shields, knights, points):
    game = with_knights(with_open_city(count - 1, shields), 0, 0, "N", **knights)
    game = with_bag(game, "base.E", "base.B").play(Draw("base.E"))
    game = game.play(turn(f"C base.E@0,{1 - count} ffcf"))
    assert game.decision == ("gingerbread", 2), "WINTER-9"
    assert scored(game)[0][1] == "gingerbread"
    assert game.state.scores == ((points, 0, 0) if isinstance(points, int) else (*points, 0))
    game = game.play(Walk(-1, 0, "N"))
    assert scored(game) == [], "he has left already"


def test_example_9_with_no_other_city_he_stays():
    game = played("", start="A base.C@0,-1", **MAN)
    game = with_bag(game, "winter.cap-road-south", "base.B").play(Draw("winter.cap-road-south"))
    game = game.play(turn("A winter.cap-road-south@0,-2 rfcf"))
    assert game.decision.kind == "draw", "his city is the only incomplete one"
    assert scored(game) == []
    assert home(game) == 3


def test_with_no_incomplete_city_left_he_leaves_the_board():
    """WINTER-10."""
    game = played("", start="A base.F@0,-1 r90", **MAN)
    game = with_bag(game, "winter.cap-road-south", "base.B").play(Draw("winter.cap-road-south"))
    game = game.play(turn("A winter.cap-road-south@0,-2 rfcf"))
    assert any(isinstance(event, GingerbreadLeft) for event in game.events)
    assert home(game) is None


def test_he_begins_in_the_city_of_the_start_tile():
    """WINTER-5."""
    assert home(Game.new(rule_set(**MAN))) == 1
    assert "winter" not in Game.new(rule_set(**WINTER)).state.slices


def test_he_begins_there_whatever_a_record_lays_before_it():
    """WINTER-5: the start tile is the one at [0,0]."""
    game = Game.new(
        rule_set(**MAN), start=[Laid("base.R", 3, 3, 0), Laid("base.G", 0, -1, 90), Laid("base.D", 0, 0, 0)]
    )
    assert home(game) == 2


def test_without_a_city_to_begin_in_he_waits_for_the_first():
    """WINTER-5."""
    sets = {"sets": ["base", "winter", "river1"], "gingerbread": True}
    game = Game.new(rule_set(**sets))
    assert home(game) is None
    game = played("A river1.straight@1,0", game=game)
    assert home(game) is None
    game = played("B river1.city-bridge@2,0 cvrv", game=game)
    assert home(game) == 1
    block = Game.new(rule_set(sets=["base", "winter", "count"], gingerbread=True))
    assert home(block) is None
    game = played("A base.E@2,1 fffc", game=block)
    assert game.decision.kind == "gingerbread", "he came with that tile, and its city is complete"
    assert list(game.legal_actions()) == [Walk(-2, 1, "S")]


@pytest.mark.parametrize(("first", "tiles"), [("base.F", 1), ("base.V", None)])
def test_out_of_the_bag_the_start_tile_may_have_a_city_for_him_or_not(first, tiles):
    """WINTER-5, HR-4: if it has none, he waits for the first."""
    game = Game.new(rule_set(start_tile="in_bag", **MAN))
    assert home(game) is None
    game = game.play(Draw(first))
    assert home(game) == tiles
    game = played("A base.H@0,-1 fcfc", game=game)
    assert home(game) == 1
    assert game.state.board.spot(game.state.slices["winter"].city)[:2] == ((0, 0) if tiles else (0, -1))


def test_he_must_be_moved_to_another_incomplete_city():
    """WINTER-6."""
    game = with_open_city(4)
    game = symbol(game).play(turn("C winter.cap-road-east@0,1 r90"))
    listed = list(game.legal_actions())
    assert Walk(-1, 0, "N") in listed
    assert len(listed) == 2, "the one beside, and the new tile's own"
    for action in (Walk(0, 0, "N"), Walk(0, 0, "E"), Walk(5, 5, "N"), Walk(0, 0, None), None):
        with pytest.raises(IllegalAction) as refused:
            game.play(action)
        assert refused.value.rule == "WINTER-6"
    moved = game.play(Walk(-1, 0, "N"))
    assert GingerbreadMoved(2, -1, 0, "N") in moved.events
    assert moved.decision.kind == "draw"


def test_any_spot_of_a_city_names_it():
    game = played("", start="A base.D@-1,0; A base.G@-1,-1 r90", **MAN)
    game = with_bag(game, "winter.cap-road-east", "base.B").play(Draw("winter.cap-road-east"))
    game = game.play(turn("A winter.cap-road-east@0,1 r90"))
    for spot in (Walk(-1, 0, "N"), Walk(-1, -1, "S"), Walk(-1, -1, "N")):
        assert game.play(spot).events == game.play(Walk(-1, -1, "N")).events


def test_a_symbol_tile_brings_him_back():
    """WINTER-10."""
    game = played("A base.E@0,-1 ffcf", **MAN)
    assert any(isinstance(event, GingerbreadLeft) for event in game.events)
    assert home(game) is None
    game = played("B base.E@0,1 ffcf", game=game)
    assert home(game) is None, "with no other tile"
    game = with_bag(game, "winter.cap-curve-east", "base.B").play(Draw("winter.cap-curve-east"))
    game = game.play(turn("A winter.cap-curve-east@1,0 r180"))
    assert game.decision.kind == "gingerbread"
    game = game.play(Walk(0, 1, "S"))
    assert home(game) == 1


def test_one_move_for_a_completed_city_and_a_symbol_at_once():
    """WINTER-11."""
    game = with_knights(with_open_city(3), 0, 0, "N", A=1)
    game = symbol(game).play(turn("C winter.cap-road-east@0,-3 r180"))
    assert game.state.scores == (4 + 8, 0, 0)
    game = game.play(Walk(-1, 0, "N"))
    assert game.state.scores == (4 + 8, 0, 0)
    assert game.decision.kind == "draw"


def test_out_of_time_he_walks_to_the_largest_city():
    """WINTER-14."""
    start = "A base.D@-1,0; A base.D@1,0; A base.G@1,-1 r90; A base.D@-2,0; A base.G@-2,-1 r90"
    game = played("", start=start, **MAN)
    game = with_bag(game, "winter.cap-road-east", "base.B").play(Draw("winter.cap-road-east"))
    game = game.play(turn("A winter.cap-road-east@0,1 r90"))
    walk = game.legal_actions().default_answer()
    assert (walk.x, walk.y) == (-2, -1)
    assert walk in game.legal_actions()


def test_a_large_knight_is_paid_twice_when_he_leaves():
    """WINTER-7."""
    inns = {**MAN, "sets": [*MAN["sets"], "inns-and-cathedrals"]}
    game = played("", start="A base.D@-1,0; A base.G@0,-1 r90", seats=3, first="C", **inns)
    game = with_knights(game, 0, 0, "N", B=1)
    board = game.state.board
    large = Meeple(0, "large", board.code(Spot(0, 0, "city", "N")))
    game = Game(game.state._replace(board=board.with_meeple(large)))
    game = symbol(game).play(turn("C winter.cap-road-east@0,1 r90")).play(Walk(-1, 0, "N"))
    assert scored(game) == [("A", "gingerbread", 4), ("B", "gingerbread", 2)]


def test_leaving_a_completed_city_is_pay_for_a_feature_and_a_walk_later_is_not():
    """WINTER-12: who was paid may not send a follower to Carcassonne (COUNT-5)."""
    game = with_knights(with_open_city(3), 0, 0, "N", A=1, B=2)
    game = with_bag(game, "base.E", "base.B").play(Draw("base.E")).play(turn("C base.E@0,-3 ffcf"))
    assert set(game.state.paid) == {0, 1}, "A by the Gingerbread Man alone"
    assert game.state.scores == (4, 8 + 8, 0)


def test_he_brings_nothing_at_the_end_of_the_game():
    """WINTER-13."""
    game = with_knights(played("", start="A base.G@0,-1 r90", **MAN), 0, 0, "N", A=1)
    assert at_end(game) == [("A", "city", 2)]


def test_the_edition_has_84_tiles():
    """WINTER-1, WINTER-2."""
    rules = rule_set(**WINTER)
    assert sum(rules.composition.values()) == 84
    assert [one.id for one, _, _ in rules.start] == ["base.D"]
    assert not any(id.endswith("g") for id in rules.composition)


def test_he_needs_the_winter_set():
    with pytest.raises(InvalidRuleSet) as caught:
        rule_set(gingerbread=True)
    assert (caught.value.code, caught.value.rule) == ("needs_set", "WINTER-5")


def test_his_stand_ins_are_city_tiles_of_the_set():
    tiles = {tile.id: tile for tile in load_tile_set("winter").tiles}
    assert len(STAND_INS) == 6
    assert all(any(segment.kind == "city" for segment in tiles[id].segments) for id in STAND_INS)


FIRST = {
    "t-junction": 7,
    "cap-road-west": 5,
    "cap-road-east": 5,
    "monastery-road": 5,
    "corner-inn-road": 5,
    "corner-road-east": 5,
    "monastery-two-roads": 6,
    "cap-curve-east": 6,
    "cap-curve-west": 6,
    "cap-road-south": 5,
    "two-curves": 8,
    "dead-end": 5,
}


@for_each(("name", "count"), FIRST.items())
def test_first_placements_next_to_the_lone_start_tile(name, count):
    assert len(drawn(f"winter.{name}", **WINTER).legal_actions().placements) == count
