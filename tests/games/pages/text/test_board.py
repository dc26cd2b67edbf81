"""Tests of the text board."""

import pytest

from games.pages.text.board import build_board_rows, group_features, group_turns_by_cell, list_open_cells
from games.rules.board import Meeple
from games.rules.notation import write
from games.rules.tiles import list_sets_with_tiles, load_tile_set
from games.words import describe_edges, describe_tile
from tests.games.rules.boards import drawn, played

NAMES = ["Anna", "Bruno"]


@pytest.mark.parametrize(
    ("tile", "rotation", "said"),
    [
        ("base.B", 0, "monastery"),
        ("base.A", 0, "road south; monastery"),
        ("base.A", 90, "road west; monastery"),
        ("base.D", 0, "city north; road east, west"),
        ("base.D", 180, "city south; road east, west"),
        ("base.C", 0, "city north, east, south, west with 1 shield"),
        ("base.U", 90, "road north, south"),
        ("base.X", 0, "road north; road east; road south; road west"),
        ("count.7", 0, "The city of Carcassonne"),
        ("count.8", 0, "field"),
    ],
)
def test_a_tile_says_what_lies_on_which_side(tile: str, rotation: int, said: str) -> None:
    assert describe_tile(tile, rotation) == said


def test_the_list_names_every_tile_and_who_stands_on_it() -> None:
    game = played("A base.U@1,0 r0 road E; B base.B@0,1 r0 monastery; A base.E@0,-1 r180 field NNE")
    assert build_board_rows(game.state, NAMES) == [
        ("Row −1", ("column 0, row −1: city south. farmer of Anna on field (north)",)),
        (
            "Row 0",
            (
                "column 0, row 0: city north; road east, west",
                "column 1, row 0: road east, west. highwayman of Anna on road (east)",
            ),
        ),
        ("Row 1", ("column 0, row 1: monastery. monk of Bruno on monastery",)),
    ]


def test_open_cells_say_what_their_neighbours_ask_for() -> None:
    cells = {cell.place: cell.asks for cell in list_open_cells(played("A base.U@1,0 r0").state)}
    assert cells == {
        "column 0, row −1": "south city",
        "column 1, row −1": "south field",
        "column −1, row 0": "east road",
        "column 2, row 0": "west road",
        "column 0, row 1": "north field",
        "column 1, row 1": "north field",
    }


def test_open_cells_say_how_the_tile_in_hand_fits() -> None:
    game = drawn("base.E", "A base.U@1,0 r0")
    placements = game.legal_actions().placements
    fits = {cell.place: cell.fits for cell in list_open_cells(game.state, game.legal_actions())}
    assert fits["column 0, row −1"] == "r180"
    assert fits["column −1, row 0"] == ""
    assert sum(len(turns.split(", ")) for turns in fits.values() if turns) == len(placements)


@pytest.mark.parametrize(
    ("id", "sign"),
    [
        ("inns-and-cathedrals.straight-inn", "road east, west with an inn"),
        ("river2.curve-pig-herd", "with a pig herd"),
        ("river2.lake-volcano", "volcano"),
    ],
)
def test_what_is_drawn_on_a_tile_is_said(id: str, sign: str) -> None:
    assert sign in describe_tile(id)


def test_every_tile_has_words() -> None:
    ids = [tile.id for name in list_sets_with_tiles() for tile in load_tile_set(name).tiles]
    assert all(describe_tile(id) for id in ids)


def test_features_say_size_place_worth_who_stands_there_and_what_is_open() -> None:
    game = played("A base.U@1,0 r0 road E; B base.B@0,1 r0 monastery; A base.E@0,-1 r180 field NNE")
    assert group_features(game.state, NAMES) == [
        ("Cities", (), "1 more complete."),
        (
            "Roads",
            ("Road of 2 tiles at column 0, row 0 (east), 2 points. On it: Anna. 2 ends are open.",),
            "",
        ),
        (
            "Monasteries, shrines and gardens",
            (
                "Monastery with 3 tiles of nine at column 0, row 1, 3 points. On it: Bruno."
                " 6 spaces around it are empty.",
            ),
            "",
        ),
        (
            "Fields",
            (
                "Field of 1 tile at column 0, row −1 (north), 1 completed city. On it: Anna.",
                "Field of 2 tiles at column 0, row 0 (east, northern half), 1 completed city. On it: nobody.",
                "Field of 3 tiles at column 0, row 0 (south), 0 completed cities. On it: nobody.",
            ),
            "",
        ),
    ]


def test_what_is_complete_is_named_while_somebody_stands_on_it() -> None:
    state = played("A base.E@0,-1 r180").state
    city = state.feature_at(0, 0, "city", "N")
    with_knight = state.but(board=state.board.with_meeple(Meeple(1, "follower", city.segments[0])))
    (group, *_) = group_features(with_knight, NAMES)
    assert group.features == (
        "City of 2 tiles at column 0, row −1 (south), 4 points. On it: Bruno. Complete.",
    )


def test_every_legal_turn_is_listed_once_by_cell_and_rotation() -> None:
    game = drawn("base.E", "A base.U@1,0 r0")
    legal = game.legal_actions()
    shown = group_turns_by_cell(game.state, legal)
    lines = [way.line for cell in shown for turned in cell.turned for way in turned.ways]
    assert lines and sorted(lines) == sorted(write(action) for action in legal)
    first = shown[0]
    assert (first.number, first.place, first.ways) == (1, "column 0, row −1", "3 ways")
    assert first.turned[0].heading == "turned 180° clockwise"
    assert [way.words for way in first.turned[0].ways] == [
        "No meeple",
        "Knight: city (south)",
        "Farmer: field (north)",
    ]
    assert [way.short for way in first.turned[0].ways] == ["1c", "1c k", "1c l"]


@pytest.mark.parametrize("border", [False, True])
def test_a_limited_table_says_where_it_ends(border: bool) -> None:
    road = "; ".join(f"{'BA'[x % 2]} base.U@{x},0 r0" for x in range(1, 5))
    state = played(road, board_limit="fixed 9x9", border_completes=border).state
    assert describe_edges(state) == "The table reaches from column −4 to column 4 and from row −4 to row 4."
    assert "column 4, row 1" in {cell.place for cell in list_open_cells(state)}
    assert "column 5, row 0" not in {cell.place for cell in list_open_cells(state)}
    assert describe_edges(played("A base.U@1,0 r0").state) == ""


def test_what_brings_nothing_while_incomplete_says_so() -> None:
    state = played("A base.U@1,0 r0", incomplete_scores=False).state
    cities, roads, _fields = group_features(state, NAMES)
    assert cities.features == (
        "City of 1 tile at column 0, row 0 (north), 0 points. On it: nobody. 1 end is open.",
    )
    assert roads.features == (
        "Road of 2 tiles at column 0, row 0 (east), 0 points. On it: nobody. 2 ends are open.",
    )


def test_the_gingerbread_man_is_told_where_he_stands() -> None:
    state = played("A base.U@1,0 r0", sets=["base", "winter"], gingerbread=True).state
    (cities, *_rest) = group_features(state, NAMES)
    assert cities.features == (
        "City of 1 tile at column 0, row 0 (north), 1 point. On it: nobody."
        " The Gingerbread Man is here. 1 end is open.",
    )
