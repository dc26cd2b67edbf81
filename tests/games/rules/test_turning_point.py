"""Tests of the turning point on small records, drawn as text: seats A, B, C are 0, 1, 2."""

from games.rules import Game, Place, Placed, Scored
from games.rules.turning_point import TurningPoint, find_turning_point

from .boards import ended, played

ROAD_BEFORE_CITY = "A base.W@1,0 frrr road W; B base.W@-1,0 frrr"
SECOND_FARMER = """
    A base.U@1,0 frfr field SSW
    B base.U@-1,0 frfr field NNE
    A base.E@0,-1 ffcf field ENE
    B base.B@1,-1 ffff
    A base.A@2,0 fffr
"""
"""Both have a farmer on the field when its parts meet in turns 4 and 5; the city of turn 3 pays it."""


def turning_point(game: Game, *seats: int) -> TurningPoint | None:
    """The turning point of *game* if it ends as it stands, among *seats* or all."""
    game = ended(game)
    moves, turn = [], 0
    for one in game.played:
        turn += isinstance(one.action, Place)
        moves.append((turn if isinstance(one.action, Place) else None, one.events))
    return find_turning_point(moves, game.state, seats or range(game.rules.seats))


def told(game: Game, *seats: int) -> tuple[int, str, int, int, dict[int, int], bool] | None:
    """The turn, its seat, the place of its tile, the points by seat, and whether they came at the end."""
    found = turning_point(game, *seats)
    return found and (found.turn, "ABC"[found.seat], found.x, found.y, found.points, found.at_end)


def test_a_game_without_a_scored_feature_has_none() -> None:
    assert told(played("A base.W@1,0 frrr; B base.W@-1,0 frrr")) is None


def test_the_scoring_without_which_another_seat_had_won() -> None:
    """A has 4 points for the city, B 1 for a road, the smaller one, which decides nothing."""
    game = played("A base.E@0,-1 ffcf city S; B base.W@1,0 frrr road E")
    assert told(game) == (1, "A", 0, -1, {0: 4}, False)


def test_a_tile_of_another_seat_may_have_made_it() -> None:
    assert told(played(ROAD_BEFORE_CITY)) == (2, "B", -1, 0, {0: 3}, False)


def test_a_field_is_won_by_the_figure_that_brought_the_majority() -> None:
    """The first farmer of A alone would have shared it with that of B."""
    assert told(played(SECOND_FARMER)) == (3, "A", 0, -1, {0: 3}, True)


def test_a_field_that_nobody_else_contests_was_won_by_the_first_farmer() -> None:
    game = played("A base.U@1,0 frfr field NNE; B base.E@0,-1 ffcf; A base.B@1,-1 ffff")
    assert told(game) == (1, "A", 1, 0, {0: 3}, True)


def test_only_those_who_could_still_win_are_compared() -> None:
    """A has 4 points for the city, B 3 for the road; A resigned, and so ranks below the others."""
    game = played("A base.E@0,-1 ffcf city S; B base.W@1,0 frrr road W; C base.W@-1,0 frrr road W", seats=3)
    assert told(game) == (1, "A", 0, -1, {0: 4}, False)
    assert told(game, 1, 2) == (3, "C", -1, 0, {1: 3}, False)


def test_the_scoring_that_decides_goes_before_a_larger_one() -> None:
    """A wins by 7 to 5: without the 4 points B had won, while without the 5 of B all stays."""
    moves = [
        (turn, [Placed(seat, "base.U", turn, 0, 0), Scored(seat, "road", points, (), turn, 0, "E", True)])
        for turn, seat, points in ((1, 0, 3), (2, 1, 5), (3, 0, 4))
    ]
    found = find_turning_point(moves, played("").state, (0, 1))
    assert found is not None and (found.turn, found.points) == (3, {0: 4})


def test_where_none_decides_it_is_the_largest() -> None:
    """A wins by 9 to 1, with 5 and 4 points."""
    moves = [
        (turn, [Placed(seat, "base.U", turn, 0, 0), Scored(seat, "road", points, (), turn, 0, "E", True)])
        for turn, seat, points in ((1, 0, 4), (2, 1, 1), (3, 0, 5))
    ]
    found = find_turning_point(moves, played("").state, (0, 1))
    assert found is not None and (found.turn, found.points) == (3, {0: 5})


def test_points_that_all_have_alike_moved_nobody_apart() -> None:
    game = played(
        """
        A base.U@1,0 frfr road E
        B base.U@1,1 frfr road E
        A base.V@2,1 rffr
        B base.V@2,0 ffrr
        """
    )
    assert told(game) is None
