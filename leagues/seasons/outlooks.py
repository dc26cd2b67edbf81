"""What players of a division may still hope for, as its table keeps it: the first place or moving up, and
staying (STAND-13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from leagues.models import Division, Entry, EntryState, MatchSeat
from leagues.settings import Schedule
from leagues.standings import Division as Results
from leagues.standings import Outlook, Rules, UnplayedGame, outlooks

FIRST, UP, STAY = "first", "up", "stay"
"""For what there are outlooks: for the first place where nobody moves up, for moving up, for not moving
down."""


def outlooks_of(
    division: Division, entries: Sequence[Entry], results: Results
) -> dict[int, dict[str, dict[str, Any]]]:
    """By player and goal, what ``Entry.outlook`` keeps.

    Who has said that they leave after the season takes no place from anybody, as at its end. Schedules that
    know no table of all against all have none.
    """
    if division.season.settings.schedule not in (Schedule.ROUND_ROBIN, Schedule.SWISS):
        return {}
    leaving = {entry.player_id for entry in entries if not takes_a_place(entry)}
    staying = replace(
        results, entrants=[replace(one, withdrew=one.id in leaving) for one in results.entrants]
    )
    left = [*_undecided(division), *_undrawn(division, entries)]
    found: dict[int, dict[str, dict[str, Any]]] = {}
    for goal, places in goals(results.rules, len(entries) - len(leaving), division.level, _lowest(division)):
        for player, outlook in outlooks(staying, left, places).items():
            if player not in leaving:
                found.setdefault(int(player), {})[goal] = _kept(outlook)
    return found


def takes_a_place(entry: Entry) -> bool:
    """Whether a player is among those who move up, stay or move down at the end."""
    return entry.state == EntryState.PLAYING and entry.stays


def goals(rules: Rules, staying: int, level: int, lowest: bool) -> Iterator[tuple[str, int]]:
    """What there is to play for in a division in which so many stay, and for how many of them there is room.

    >>> list(goals(Rules.usual(2, up=2, down=2), 8, level=2, lowest=False))
    [('up', 2), ('stay', 6)]
    >>> list(goals(Rules.usual(2, up=2, down=2), 8, level=1, lowest=True))
    [('first', 1)]
    """
    up = rules.up if level > 1 else 0
    yield (UP, up) if up else (FIRST, 1)
    if rules.down and not lowest:
        yield STAY, max(staying - rules.down, up)


def _lowest(division: Division) -> bool:
    return not Division.objects.filter(season=division.season_id, level__gt=division.level).exists()


def _undecided(division: Division) -> Iterator[UnplayedGame]:
    """What is drawn and not over: one game stands for what is left of a series."""
    seats = MatchSeat.objects.filter(match__division=division, match__decided=None)
    players: dict[int, list[int]] = {}
    for match, player in seats.order_by("match", "index").values_list("match", "player"):
        players.setdefault(match, []).append(player)
    for match, them in players.items():
        yield UnplayedGame(f"match {match}", match, tuple(them))


def _undrawn(division: Division, entries: Sequence[Entry]) -> Iterator[UnplayedGame]:
    """Rounds to come of a Swiss division, in which nobody knows yet whom they meet."""
    for number in range(division.drawn + 1, division.rounds + 1):
        for entry in entries:
            if entry.state == EntryState.PLAYING:
                id = f"round {number} of {entry.player_id}"
                yield UnplayedGame(id, id, (entry.player_id,))


def _kept(outlook: Outlook) -> dict[str, Any]:
    return {"chance": outlook.chance.value, "needs": outlook.needs, "left": outlook.left}
