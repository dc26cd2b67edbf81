"""Random divisions as lines of ``simulate_league --json``, without the values to compute."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import strategies as st

from leagues.standings import DEFAULT_POINTS, TIE_BREAKS

Line = dict[str, Any]

SCORES = st.integers(0, 3)
"""Scores from a small range, so that many are equal."""

DRAWS = st.sampled_from([None, 1, 1, 2])
"""Draws from a small range, so that many games have the same tiles."""

PENALTIES = st.sampled_from([{}, {}, {"penalty": "2"}, {"penalty": "1/2"}])
"""Penalty points taken by an organiser; most players have lost none."""


def ranked(orders: list[int]) -> list[int]:
    """The ranks of seats by these orders, the smallest first: 1, 1, 3."""
    return [1 + sum(other < order for other in orders) for order in orders]


@st.composite
def seats(draw: st.DrawFn, players: list[str | int]) -> list[dict[str, Any]]:
    """Seats of a game that was played, timed out (with scores or not), forfeited, or adjudicated to
    nobody."""
    kind = draw(st.sampled_from(["played", "played", "played", "played", "left", "forfeit", "nobody"]))
    count = len(players)
    if kind == "nobody":
        results = [(count, None, True)] * count
    else:
        ranks = ranked(draw(st.lists(SCORES, min_size=count, max_size=count)))
        if kind == "forfeit":
            absent = max(ranks) if len(set(ranks)) > 1 else 0
            results = [(rank, None, rank == absent or draw(st.booleans())) for rank in ranks]
        else:
            scored = kind == "played" or draw(st.booleans())
            results = [(rank, draw(SCORES) if scored or rank == 1 else None, False) for rank in ranks]
    return [
        {"player": player, "rank": rank, "score": score, "forfeit": forfeit}
        for player, (rank, score, forfeit) in zip(players, results, strict=True)
    ]


@st.composite
def settings(draw: st.DrawFn) -> dict[str, Any]:
    count = draw(st.sampled_from([2, 2, 2, 3, 4, 5, 6]))
    unusual = st.lists(st.integers(0, 5), min_size=count, max_size=count).filter(any)
    points = draw(st.one_of(st.just(DEFAULT_POINTS[count]), unusual))
    best_of = draw(st.sampled_from([1, 3, 5])) if count == 2 else 1
    tie_breaks = draw(st.lists(st.sampled_from(TIE_BREAKS), unique=True))
    if tie_breaks[:1] == ["duplicate"] and best_of == 1 and draw(st.booleans()):
        points = [0] * count  # it decides alone
    return {
        "points": sorted(points, reverse=True),
        "best_of": best_of,
        "tie_breaks": tie_breaks,
        "withdrawn": draw(st.sampled_from(["keep", "strike"])),
        "up": draw(st.integers(0, 3)),
        "down": draw(st.integers(0, 3)),
    }


@st.composite
def divisions(draw: st.DrawFn) -> Line:
    """A division with random results; nothing is struck yet, and standings, up and down are empty.

    In duels most pairs meet, in matches that stop once they are decided, go on to the end, or still run.
    """
    chosen = draw(settings())
    count = len(chosen["points"])
    ids: list[str | int] = draw(
        st.lists(
            st.one_of(st.integers(1, 20), st.sampled_from("abcdefgh")),
            unique_by=str,
            min_size=count,
            max_size=7,
        )
    )
    players = [
        {
            "id": player,
            "rating": draw(st.one_of(st.integers(1500, 1502), st.just(1500.25))),
            "withdrew": draw(st.sampled_from([False, False, False, True])),
            **draw(PENALTIES),
        }
        for player in ids
    ]
    games = draw(duels(ids, chosen["best_of"]) if count == 2 else tables(ids, count))
    return {
        "league": "a league",
        "season": draw(st.sampled_from([1, "2027-1"])),
        "division": 1,
        "settings": chosen,
        "players": players,
        "games": games,
        "byes": draw(st.lists(st.sampled_from(ids), max_size=2)),
        "standings": [],
        "up": [],
        "down": [],
        "withdrawn": [player["id"] for player in players if player["withdrew"]],
    }


@st.composite
def duels(draw: st.DrawFn, ids: list[str | int], best_of: int) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = []
    for number, pair in enumerate(itertools.combinations(ids, 2)):
        length = draw(st.sampled_from([best_of, best_of, best_of, (best_of + 1) // 2, best_of - 1, 0]))
        for turn in range(length):
            in_order = list(pair) if draw(st.booleans()) else list(reversed(pair))
            games.append(
                {
                    "id": f"g{len(games)}",
                    "match": number,
                    "first": pair[turn % 2],
                    "seats": draw(seats(in_order)),
                    "struck": False,
                    "draw": draw(DRAWS),
                }
            )
    return draw(st.permutations(games))


@st.composite
def tables(draw: st.DrawFn, ids: list[str | int], count: int) -> list[dict[str, Any]]:
    games = []
    for number in range(draw(st.integers(0, 5))):
        sitting = draw(st.permutations(ids))[:count]
        games.append(
            {
                "id": number,
                "match": None,
                "first": sitting[0],
                "seats": draw(seats(sitting)),
                "struck": False,
                "draw": draw(DRAWS),
            }
        )
    return games
