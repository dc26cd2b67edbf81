"""Outlooks of the players of a division, as stored with its table: the first place or moving up, and staying
(STAND-13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q

from leagues.models import Division, Entry, EntryState, MatchSeat
from leagues.seasons.untouched_matches import find_untouched_matches
from leagues.standings import Chance, Entrant, PlaceOutlook, Rules, UnplayedGame, compute_chances
from leagues.standings import DivisionResults as Results

FIRST, UP, STAY = "first", "up", "stay"
"""Goals of outlooks: first place where nobody moves up, moving up, and not moving down."""


def compute_outlooks(
    division: Division, entries: Sequence[Entry], results: Results
) -> dict[int, dict[str, dict[str, Any]]]:
    """Return the value of ``Entry.outlook`` by player.

    Players who leave after the season take nobody's place, as at its end. A player who has left may still be
    replaced: then their forfeits count as open, and the substitute as one more player. Ladders, knock-outs,
    groups and leagues without points have no outlooks (STAND-19).
    """
    if not division.format.has_outlooks or not results.rules.counts_points:
        return {}
    leaving = {entry.player_id for entry in entries if not takes_a_place(entry)}
    matches = _load_open_matches(division, entries)
    substitutes = {player for players in matches.values() for player in players if player < 0}
    reopened = {match for match, players in matches.items() if not substitutes.isdisjoint(players)}
    entrants = [replace(one, withdrew=one.id in leaving) for one in results.entrants]
    possible = replace(
        results,
        entrants=[*entrants, *map(Entrant, sorted(substitutes))],
        games=[game for game in results.games if game.match not in reopened],
    )
    left = [UnplayedGame(f"match {match}", match, players) for match, players in matches.items()]
    playing = [entry.player_id for entry in entries if entry.state == EntryState.PLAYING]
    left += _list_undrawn(division, [*playing, *substitutes])
    found: dict[int, dict[str, dict[str, Any]]] = {}
    fewest, lowest = len(entries) - len(leaving), _lowest(division)
    most_places = dict(list_goals(results.rules, fewest + len(substitutes), division.level, lowest))
    for goal, places in list_goals(results.rules, fewest, division.level, lowest):
        chances = compute_chances(possible, left, places)
        more = most_places[goal]
        at_best = compute_chances(possible, left, more) if more != places else chances
        for player, outlook in chances.items():
            if outlook.chance == Chance.OUT != at_best[player].chance:
                outlook = PlaceOutlook(Chance.OPEN, outlook.left)
            if player not in leaving | substitutes:
                found.setdefault(int(player), {})[goal] = _serialize_outlook(outlook)
    return found


TAKES_A_PLACE = Q(state=EntryState.PLAYING, stays=True, player__is_active=True)
"""Match entries of players who can move up, stay or move down at the end: not those who withdrew, leave after
the season, or have closed their account."""


def takes_a_place(entry: Entry) -> bool:
    """Return whether *entry*, read with its player, matches ``TAKES_A_PLACE``."""
    return entry.state == EntryState.PLAYING and entry.stays and entry.player.is_active


def list_goals(rules: Rules, staying: int, level: int, lowest: bool) -> Iterator[tuple[str, int]]:
    """Yield the goals in a division in which so many stay, each with the number of places.

    >>> list(list_goals(Rules.usual(2, up=2, down=2), 8, level=2, lowest=False))
    [('up', 2), ('stay', 6)]
    >>> list(list_goals(Rules.usual(2, up=2, down=2), 8, level=1, lowest=True))
    [('first', 1)]
    """
    up = rules.up if level > 1 else 0
    yield (UP, up) if up else (FIRST, 1)
    if rules.down and not lowest:
        yield STAY, max(staying - rules.down, up)


def _lowest(division: Division) -> bool:
    return not Division.objects.filter(season=division.season_id, level__gt=division.level).exists()


def _load_open_matches(division: Division, entries: Sequence[Entry]) -> dict[int, tuple[int, ...]]:
    """The players of each match that is open, or that a substitute may play again. The substitute has the
    negative key of the player who left. One game stands for what is left of a series."""
    found: dict[int, list[int]] = {}
    seats = MatchSeat.objects.filter(match__division=division, match__decided=None)
    for match, player in seats.order_by("match", "index").values_list("match", "player"):
        found.setdefault(match, []).append(player)
    replaced = {entry.replaces_id for entry in entries}
    gone = {
        entry.player_id
        for entry in entries
        if entry.state == EntryState.WITHDRAWN and entry.pk not in replaced
    }
    if gone and division.season.settings.substitutes:
        for untouched, player in find_untouched_matches(division.matches.all(), gone):
            players = found.setdefault(untouched.pk, [seat.player_id for seat in untouched.seats.all()])
            players[players.index(player)] = -player
    return {match: tuple(players) for match, players in found.items()}


def _list_undrawn(division: Division, players: Sequence[int]) -> Iterator[UnplayedGame]:
    """The rounds of a Swiss division that are not drawn yet, one game without an opponent for each player."""
    for number in range(division.drawn + 1, division.rounds + 1):
        for player in players:
            id = f"round {number} of {player}"
            yield UnplayedGame(id, id, (player,))


def _serialize_outlook(outlook: PlaceOutlook) -> dict[str, Any]:
    return {"chance": outlook.chance.value, "needs": outlook.needs, "left": outlook.left}
