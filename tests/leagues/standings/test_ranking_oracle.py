"""Tests of standings against an independent recomputation from the raw games
(``tests/leagues/oracle.py``)."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.standings import (
    compute_movement,
    compute_standings,
    division_from_json,
    find_struck_games,
    game_to_json,
    rules_from_json,
    rules_to_json,
    standings_to_json,
)
from tests.cases import for_each
from tests.leagues import oracle
from tests.leagues.lines import Line, divisions
from tests.leagues.standings.property_helpers import repeatable

many = settings(repeatable, max_examples=400)


def filled(line: Line) -> Line:
    """A copy of *line* with the values that ``leagues.standings`` computes."""
    line = copy.deepcopy(line)
    rules = rules_from_json(line["settings"])
    withdrew = {player["id"] for player in line["players"] if player["withdrew"]}
    struck = find_struck_games(division_from_json(line).games, withdrew, rules.withdrawn)
    for game in line["games"]:
        game["struck"] = game["id"] in struck
    division = division_from_json(line)
    table = compute_standings(division.entrants, division.games, division.byes, rules, division.season)
    line["standings"] = standings_to_json(table)
    order = [one.player for one in table]
    line["up"], line["down"] = map(list, compute_movement(order, rules, line["withdrawn"]))
    return line


@many
@given(divisions())
def test_all_standings_are_those_of_the_numbered_text(line: Line) -> None:
    assert oracle.check(filled(line)) == []


def without_penalties(line: Line) -> Line:
    players = [{key: one[key] for key in one if key != "penalty"} for one in line["players"]]
    return line | {"players": players}


@repeatable
@given(divisions())
def test_penalties_are_taken_from_the_points_alone(line: Line) -> None:
    taken = {player["id"]: Fraction(player.get("penalty", 0)) for player in line["players"]}
    won = {one["player"]: Fraction(one["points"]) for one in filled(without_penalties(line))["standings"]}
    have = {one["player"]: Fraction(one["points"]) for one in filled(line)["standings"]}
    assert have == {player: won[player] - taken[player] for player in won}
    assert list(have.values()) == sorted(have.values(), reverse=True)


@repeatable
@given(divisions(), st.data())
def test_a_penalty_is_as_good_as_a_win_less(line: Line, data: st.DataObject) -> None:
    """A bye brings points and nothing else, so with a penalty that takes them the table is as without."""
    player = data.draw(st.sampled_from(line["players"]))
    win = 2 if line["settings"]["best_of"] > 1 else line["settings"]["points"][0]
    penalty = str(Fraction(player.get("penalty", 0)) + win)
    punished = [one | {"penalty": penalty} if one is player else one for one in line["players"]]
    both = line | {"players": punished, "byes": [*line["byes"], player["id"]]}
    for name in ("standings", "up", "down"):
        assert filled(both)[name] == filled(line)[name]


@repeatable
@given(divisions(), st.randoms(use_true_random=False))
def test_the_order_of_games_and_players_makes_no_difference(line: Line, lot: Any) -> None:
    shuffled = copy.deepcopy(line)
    for name in ("games", "players", "byes"):
        lot.shuffle(shuffled[name])
    for name in ("standings", "up", "down"):
        assert filled(shuffled)[name] == filled(line)[name]


@repeatable
@given(divisions())
def test_a_line_goes_into_values_and_back(line: Line) -> None:
    division = division_from_json(line)
    assert [game_to_json(game) for game in division.games] == line["games"]
    assert rules_to_json(division.rules) == line["settings"]


def season() -> Line:
    """A season of four, all pairs, best of 3: Ann and Bob have 4 points, and Ann beat Bob; Dee withdrew."""
    results = {
        "Ann Bob": "1--",
        "Ann Cid": "22",
        "Ann Dee": "ff",
        "Bob Cid": "11",
        "Bob Dee": "11",
        "Cid Dee": "22",
    }
    games = []
    for match, course in results.items():
        pair = match.split()
        for turn, winner in enumerate(course):
            forfeit = winner == "f"
            ranks = {"1": (1, 2), "2": (2, 1), "-": (1, 1), "f": (1, 2)}[winner]
            seats = [
                {
                    "player": player,
                    "rank": rank,
                    "score": None if forfeit else 80 - 10 * rank,
                    "forfeit": forfeit and rank == 2,
                }
                for player, rank in zip(pair, ranks, strict=True)
            ]
            games.append(
                {"id": len(games), "match": match, "first": pair[turn % 2], "seats": seats, "struck": False}
            )
    names = ("Ann", "Bob", "Cid", "Dee")
    players = [{"id": name, "rating": 1500, "withdrew": name == "Dee"} for name in names]
    rules = {
        "points": [2, 0],
        "best_of": 3,
        "tie_breaks": ["head_to_head", "lot"],
        "withdrawn": "keep",
        "up": 1,
        "down": 2,
    }
    return filled(
        {
            "league": "L",
            "season": 1,
            "division": 2,
            "settings": rules,
            "players": players,
            "games": games,
            "byes": [],
            "standings": [],
            "up": [],
            "down": [],
            "withdrawn": ["Dee"],
        }
    )


def test_a_season_worked_out_by_hand() -> None:
    line = season()
    assert line["standings"] == [
        {"player": "Ann", "rank": 1, "points": "4", "values": {"head_to_head": "2"}},
        {"player": "Bob", "rank": 2, "points": "4", "values": {"head_to_head": "0"}},
        {"player": "Dee", "rank": 3, "points": "2", "values": {"head_to_head": "2"}},
        {"player": "Cid", "rank": 4, "points": "2", "values": {"head_to_head": "0"}},
    ]
    assert (line["up"], line["down"]) == (["Ann"], ["Bob", "Cid"])  # Dee takes no place
    assert oracle.check(line) == []


def change(*path: str | int, to: object) -> Callable[[Line], None]:
    """Build a function that sets another value at *path*."""

    def changed(line: Any) -> None:
        for step in path[:-1]:
            line = line[step]
        line[path[-1]] = to

    return changed


def swap_ranks(line: Line) -> None:
    first, second = line["standings"][:2]
    first["rank"], second["rank"] = 2, 1


@for_each(
    ("spoil", "told"),
    [
        (change("standings", 0, "points", to="5"), "Ann: points '5', should be '4'"),
        (change("standings", 0, "points", to="4/1"), "Ann: points '4/1', should be '4'"),
        (change("standings", 1, "values", to={}), "Bob: values {}, should be {'head_to_head': '0'}"),
        (swap_ranks, "Ann: rank 2, should be 1"),
        (change("games", 0, "seats", 0, "rank", to=2), "Ann: points '4', should be '3'"),
        (change("games", 0, "seats", 0, "rank", to=3), "has rank 3|should be"),
        (change("games", 0, "struck", to=True), "game 0 is struck"),
        (change("settings", "withdrawn", to="strike"), None),
        (change("games", 1, "first", to="Ann"), "Ann is first 3 times in 3 games of match Ann Bob"),
        (change("games", 1, "first", to="Cid"), "game 1: the first seat is nobody's"),
        (change("games", 1, "match", to="Ann Cid"), "match Ann Cid is not of the same players"),
        (change("games", 1, "seats", 0, "score", to="70"), "score of a seat is '70'"),
        (change("games", 1, "seats", to=None), "seats of a game is None"),
        (change("games", 5, "seats", 1, "score", to=70), "game 5: a forfeit with a score"),
        (change("up", to=["Bob"]), re.escape("up ['Bob'], should begin with ['Ann']")),
        (change("up", to=[]), re.escape("up [], should begin with ['Ann']")),
        (change("up", to=["Ann", "Cid"]), "which is not the order of the ranks"),
        (change("up", to=["Ann", "Bob"]), re.escape("down ['Bob', 'Cid'], should be ['Cid']")),
        (change("down", to=["Cid", "Dee"]), re.escape("down ['Cid', 'Dee'], should be ['Bob', 'Cid']")),
        (change("withdrawn", to=[]), "Dee withdrew and is not among the withdrawn"),
        (change("byes", to=["Cid"]), "Cid: points '2', should be '4'"),
        (change("byes", to=["Eve"]), "byes names 'Eve'"),
        (change("settings", "tie_breaks", to=["coin"]), "no tie-break is called 'coin'"),
        (lambda line: line["settings"].pop("best_of"), "a settings without 'best_of'"),
        (lambda line: line["standings"].pop(), "the standings are not of the players"),
        (lambda line: line["standings"].reverse(), "not in the order of their ranks"),
    ],
)
def test_the_recomputation_notices(spoil: Callable[[Line], None], told: str | None) -> None:
    line = season()
    spoil(line)
    found = oracle.check(line)
    if told is None:  # it was finished by half, so striking and keeping are the same
        assert found == []
    else:
        assert any(re.search(told, what) for what in found), found


def test_nobody_moves_beyond_the_highest_and_the_lowest_division() -> None:
    line = season()
    assert len(oracle.check(line, highest=True)) == 1
    line["up"] = []
    assert oracle.check(line, highest=True) == []
    assert len(oracle.check(line, highest=True, lowest=True)) == 1


class TestLeague:
    """All lines of a run: two divisions, of which the second is ``season()``."""

    def lines(self) -> list[Line]:
        lower = season()
        lower["down"] = []
        higher = copy.deepcopy(lower) | {"division": 1}
        for one in (higher["players"], higher["games"], higher["standings"]):
            rename(one)
        higher |= {"up": [], "down": ["Bob2", "Cid2"], "withdrawn": ["Dee2"]}
        return [lower, higher]

    def test_all_is_well(self) -> None:
        assert oracle.check_league(self.lines()) == []

    def test_somebody_in_two_divisions(self) -> None:
        lower, _ = self.lines()
        assert "season 1: Ann plays twice" in oracle.check_league([lower, lower | {"division": 1}])

    def test_somebody_who_keeps_the_place_of_another(self) -> None:
        lower, higher = self.lines()
        higher["down"] = ["Cid2"]
        assert oracle.check(higher, highest=True) == []
        found = oracle.check_league([lower, higher])
        assert found == ["season 1: ['Bob2'] keep their places, and ['Bob', 'Cid'] could have them"]
        lower["up"] = ["Ann", "Bob", "Cid"]
        assert oracle.check_league([lower, higher]) == []

    def test_somebody_who_should_have_moved_up(self) -> None:
        before, higher = self.lines()
        again = [line | {"season": 2} for line in (before, higher)]
        found = oracle.check_league([before, higher, *again])
        assert [what for what in found if "lower" in what] == [
            "season 2: Ann plays lower than up and down say"
        ]


def rename(values: Any) -> None:
    """Rename all players in *values*, Ann to Ann2 and so on."""
    for one in values:
        for key in ("id", "player", "first"):
            if isinstance(one.get(key), str):
                one[key] += "2"
        rename(one.get("seats", []))
