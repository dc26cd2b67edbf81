"""Oracle of the time that rounds had: recomputes STAND-20 from what was stored, by the rules' text alone.

``read_history`` reads a season into plain values, and ``check`` returns its faults. It uses none of the
calculations of ``leagues``: the usual end is that of CLOCK-25, written out.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from math import sqrt
from typing import Any

from leagues.models import Fixture, Season, Seed

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
TURNS = 71
WEEK = 7 * DAY
GAMES_BEGIN = DAY
"""No game begins in the last day of its match."""


def read_history(season: Season) -> dict[str, Any]:
    """Read *season*, which is over."""
    settings = season.settings
    return {
        "schedule": settings.schedule,
        "length": settings.length,
        "best_of": settings.standings.best_of,
        "wait": (WEEK if settings.clock.at_end == "organiser" else timedelta()) + settings.protest + HOUR,
        "ends": season.ends,
        "log": list(season.league.log.filter(season=season).order_by("pk").values("act", "at", "details")),
        "gone": dict(
            season.entries.filter(state="withdrawn").values_list("player", "withdrew"),
        ),
        "divisions": [
            {
                "level": division.level,
                "kind": division.kind,
                "rounds": division.rounds,
                "drawn": division.drawn,
                "ended_early": division.ended_early_id is not None,
                "first": [seed.holder for seed in Seed.objects.filter(division=division, rank=1)],
                "matches": [
                    {
                        "id": match.pk,
                        "round": match.round,
                        "number": match.number,
                        "players": list(match.seats.order_by("index").values_list("player", flat=True)),
                        "winner": match.winner_id,
                        "ends": match.ends,
                        "games": [
                            {
                                "began": fixture.game.started if fixture.game is not None else None,
                                "settled_by": fixture.settled_by_id,
                                "at": fixture.settled,
                                "ranks": {seat["player"]: seat["rank"] for seat in fixture.seats or ()},
                            }
                            for fixture in Fixture.objects.filter(match=match).select_related("game")
                        ],
                    }
                    for match in division.matches.order_by("round", "number")
                ],
            }
            for division in season.divisions.order_by("level")
        ],
    }


def check(history: dict[str, Any]) -> list[str]:
    """The faults of a season, in words; empty if there are none."""
    wrong = list(_ends(history))
    for division in history["divisions"]:
        wrong += _times(history, division)
        wrong += _forfeits(history, division)
        wrong += _titles(history, division)
        wrong += _pairs(history, division)
        if division["ended_early"] and division["drawn"] < max(_rounds(division), default=0):
            wrong.append(f"division {division['level']}: drawn on after its end")
    return wrong


def _rounds(division: dict[str, Any]) -> set[int]:
    return {match["round"] for match in division["matches"]}


def _drawn_in_rounds(history: dict[str, Any], division: dict[str, Any]) -> bool:
    return division["kind"] == "knock-out" or history["schedule"] == "swiss"


def least_time(history: dict[str, Any], division: dict[str, Any]) -> timedelta:
    """Half of the longest round, or the usual end of its games, whichever is less; for groups, whose share of
    the season is not told here, only the time in which a game can begin."""
    if history["schedule"] == "groups":
        return 2 * GAMES_BEGIN
    turns = TURNS * history["best_of"]
    usual = turns * 16 * HOUR * (1 + 1.645 * sqrt(1 / turns + 0.2**2 / 2))
    left, time = division["rounds"], history["length"]
    longest = timedelta()
    while left:
        to_play = time - (left - 1) * history["wait"]
        length = to_play / left
        if history["schedule"] == "swiss":
            length = max(length, min(WEEK, to_play))
        longest = max(longest, length)
        time, left = time - length - history["wait"], left - 1
    return max(min(usual, longest / 2), 2 * GAMES_BEGIN)


def _times(history: dict[str, Any], division: dict[str, Any]) -> Iterator[str]:
    """Every round has its least time when its games begin."""
    if not _drawn_in_rounds(history, division):
        return
    least = least_time(history, division)
    for number in sorted(_rounds(division)):
        matches = [match for match in division["matches"] if match["round"] == number]
        began = [_began(match) for match in matches if _began(match) is not None]
        for match in matches:
            if began and match["ends"] - min(began) < least:
                yield f"match {match['id']}: {match['ends'] - min(began)}, at least {least}"


def _began(match: dict[str, Any]) -> datetime | None:
    return min((game["began"] for game in match["games"] if game["began"] is not None), default=None)


def _forfeits(history: dict[str, Any], division: dict[str, Any]) -> Iterator[str]:
    """Without a game nobody wins or loses, but for those who have left (STAND-4)."""
    for match in division["matches"]:
        left = [player for player in match["players"] if player in history["gone"]]
        if _began(match) is not None or left:
            continue
        if match["winner"] is not None or match["games"]:
            yield f"match {match['id']}: a result without a game"


def _titles(history: dict[str, Any], division: dict[str, Any]) -> Iterator[str]:
    """Whoever alone is first in a knock-out has played the final, or the other one has left."""
    if division["kind"] != "knock-out" or len(division["first"]) != 1:
        return
    finals = [
        match
        for match in division["matches"]
        if match["round"] == division["rounds"] and match["number"] == 1
    ]
    if not finals:
        yield "a winner without a final"
        return
    (final,) = finals
    others = [player for player in final["players"] if player not in division["first"]]
    if _began(final) is None and not all(player in history["gone"] for player in others):
        yield "a winner of a final without a game"
    if division["first"][0] not in final["players"]:
        yield "a winner who was not in the final"


def _pairs(history: dict[str, Any], division: dict[str, Any]) -> Iterator[str]:
    """In Swiss rounds nobody has played the same opponent twice."""
    if history["schedule"] != "swiss":
        return
    played = [frozenset(match["players"]) for match in division["matches"] if _began(match) is not None]
    if len(set(played)) < len(played):
        yield f"division {division['level']}: the same two have played twice"


def _ends(history: dict[str, Any]) -> Iterator[str]:
    """The season's end has moved by what was missing, each time it did so by itself."""
    for line in history["log"]:
        if line["act"] != "move_end":
            continue
        before, after = (datetime.fromisoformat(line["details"][key]) for key in ("before", "after"))
        division = next(each for each in history["divisions"] if each["level"] == line["details"]["division"])
        if after <= before or (
            history["schedule"] != "groups"
            and abs(after - line["at"] - least_time(history, division)) > timedelta(milliseconds=1)
        ):
            yield f"the end moved to {after}, drawn at {line['at']}"
