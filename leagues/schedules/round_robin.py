"""Round robins of duels by the circle method (STAND-14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from leagues.schedules.rounds import Id, Pairing, Round, check_distinct


def pair_round_robin(players: Sequence[Id], rounds: int = 1) -> tuple[Round[Id], ...]:
    """Every pair meets once, or *rounds* times with the first seat changing (STAND-14).

    The circle method in Berger's order: of N players in a circle of M places (M is N if that is odd, else
    N − 1, and the last player stands in the middle) those meet in round k whose places add up to k modulo M.
    Who would meet himself meets the player in the middle, or sits out.

    First seats of a player differ by at most one, in total and from everybody else's, for any number of
    players and of *rounds*.

    >>> for each in pair_round_robin("ABCD"):
    ...     print(*("".join(pairing.players) for pairing in each.pairings))
    AD BC
    AB CD
    CA DB

    :raises ValueError: fewer than two players, somebody twice, or no rounds at all
    """
    order = check_distinct(players)
    if rounds < 1:
        raise ValueError("every pair must meet at least once")
    return tuple(
        _circle_round(order, turn, cycle) for cycle in range(rounds) for turn in range(_places(order))
    )


def add_newcomer(
    schedule: Sequence[Round[Id]], played: int, players: Sequence[Id], newcomer: Id, rounds: int = 1
) -> tuple[Round[Id], ...]:
    """*schedule* with a *newcomer*, who joins after the first *played* rounds and still meets everybody.

    What was played stays, and so does who begins in the old pairings. The rounds after it are laid anew, as
    many as *newcomer* has games, and at most ``rounds + 1`` more (nearly always none). Before them *newcomer*
    has no games and no byes. At the end first seats differ by at most one, as if *newcomer* had been the last
    of *players* from the beginning, so another newcomer may follow.

    :param players: who is in the season, in the order in which they were given and joined
    :param rounds: how often every pair meets, as in ``pair_round_robin``
    :raises ValueError: *newcomer* is one of *players*, or so many rounds were not even planned
    """
    order = check_distinct([*players, newcomer])
    if not 0 <= played <= len(schedule):
        raise ValueError("so many rounds are not planned")
    if played == 0:
        return pair_round_robin(order, rounds)
    last = len(order) - 1
    to_play = [_pairing(order, place, last, cycle) for cycle in range(rounds) for place in range(last)]
    to_play += [pairing for each in schedule[played:] for pairing in each.pairings]
    return (*schedule[:played], *_lay_out(to_play, order))


def _places(players: Sequence[Id]) -> int:
    return len(players) - 1 + len(players) % 2


def _circle_round(players: Sequence[Id], turn: int, cycle: int) -> Round[Id]:
    places = _places(players)
    middle = places if places < len(players) else None
    pairings, byes = [], []
    for place in range(places):
        other = (turn - place) % places
        if other == place and middle is None:
            byes.append(players[place])
        elif other == place and middle is not None:
            pairings.append(_pairing(players, place, middle, cycle))
        elif place < other:
            pairings.append(_pairing(players, place, other, cycle))
    return Round(tuple(pairings), tuple(byes))


def _pairing(players: Sequence[Id], low: int, high: int, cycle: int) -> Pairing[Id]:
    """The duel of two places, *low* before *high*: the lower one begins if an odd number lies between them.

    So every place begins against half of those below it and half of those above it, and a place that is
    added at the end changes nothing for the others.
    """
    lower_begins = ((high - low) % 2 == 1) == (cycle % 2 == 0)
    first, second = (low, high) if lower_begins else (high, low)
    return Pairing((players[first], players[second]))


def _lay_out(pairings: Sequence[Pairing[Id]], players: Sequence[Id]) -> list[Round[Id]]:
    """All *pairings* in rounds, greedily: whoever has most games left is paired first, with the opponent who
    has most games left."""
    left = list(pairings)
    rounds = []
    while left:
        games_left = Counter(player for pairing in left for player in pairing.players)
        by_need = sorted(left, key=lambda pairing: _count_games_left(pairing, games_left), reverse=True)
        busy: set[Id] = set()
        chosen = []
        for pairing in by_need:
            if busy.isdisjoint(pairing.players):
                chosen.append(pairing)
                busy.update(pairing.players)
        for pairing in chosen:
            left.remove(pairing)
        rounds.append(Round(tuple(chosen), tuple(player for player in players if player not in busy)))
    return rounds


def _count_games_left(pairing: Pairing[Id], games_left: Counter[Id]) -> tuple[int, int]:
    needs = sorted((games_left[player] for player in pairing.players), reverse=True)
    return needs[0], needs[1]
