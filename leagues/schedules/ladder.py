"""Ladders: an order of players that changes when one beats somebody above."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic

from leagues.schedules.rounds import Id, check_distinct


@dataclass(frozen=True, slots=True)
class LadderRules:
    """Rules of challenges: up to *reach* places above, and not between two whose last challenge ended less
    than *rest* ago.

    :raises ValueError: a reach of no place, or a negative rest
    """

    reach: int = 3
    rest: timedelta = timedelta(days=7)

    def __post_init__(self) -> None:
        if self.reach < 1 or self.rest < timedelta():
            raise ValueError("a challenge reaches one place at least, and rest is not negative")


@dataclass(frozen=True, slots=True)
class LadderChallenge(Generic[Id]):
    """A challenge by *challenger* for the place of *challenged*; open until it has *ended*."""

    challenger: Id
    challenged: Id
    ended: datetime | None = None

    @property
    def players(self) -> frozenset[Id]:
        """Both players."""
        return frozenset((self.challenger, self.challenged))


def list_refusals(
    order: Sequence[Id],
    challenger: Id,
    challenged: Id,
    challenges: Iterable[LadderChallenge[Id]],
    rules: LadderRules,
    *,
    now: datetime,
    away: Collection[Id] = (),
) -> Iterator[str]:
    """Yield the reasons against a challenge, as codes; none if it is allowed.

    - ``stranger``: one of the two is not on the ladder
    - ``not_above``, ``too_far``: the challenged is not above, or more than ``rules.reach`` places
    - ``busy``, ``protected``: the challenger, or the challenged, is in an open challenge; one at a time
    - ``away``: the challenged is on holiday
    - ``rematch``: a challenge between the two, whoever made it, ended less than ``rules.rest`` ago

    :param order: the ladder, the highest place first
    :param challenges: all challenges ever, or at least those that are open or ended within the rest
    :param away: players on holiday
    """
    known = list(challenges)
    if challenger not in order or challenged not in order:
        yield "stranger"
        return
    above = order.index(challenger) - order.index(challenged)
    if above <= 0:
        yield "not_above"
    if above > rules.reach:
        yield "too_far"
    playing = frozenset().union(*(one.players for one in known if one.ended is None))
    if challenger in playing:
        yield "busy"
    if challenged in playing:
        yield "protected"
    if challenged in away:
        yield "away"
    two = frozenset((challenger, challenged))
    if any(one.players == two and one.ended is not None and now - one.ended < rules.rest for one in known):
        yield "rematch"


def counts_as_declined(
    order: Sequence[Id], challenger: Id, challenged: Id, apart: Collection[frozenset[Id]], rules: LadderRules
) -> bool:
    """Decide whether a challenge is declined at once, because it is between two of a pair of *apart*.

    They play each other only if *challenger* can reach nobody else (STAND-18).

    >>> apart = [frozenset("AB"), frozenset("AC")]
    >>> [counts_as_declined("ABC", one, "A", apart, LadderRules()) for one in "BC"]
    [False, True]
    """
    place = order.index(challenger)
    reached = order[max(0, place - rules.reach) : place]
    blocked = [other for other in reached if frozenset((challenger, other)) in apart]
    return challenged in blocked and len(blocked) < len(reached)


def apply_challenge(order: Sequence[Id], challenger: Id, challenged: Id, winner: Id | None) -> tuple[Id, ...]:
    """Return the ladder after a challenge: a *challenger* who won takes the place, and the challenged and all
    between them go down by one.

    Nothing changes after a loss or an even match (*winner* None), nor if the challenger is above by then.

    >>> "".join(apply_challenge("ABCDEF", "E", "B", winner="E"))
    'AEBCDF'

    :raises ValueError: one of the two is not on the ladder, or somebody else has won
    """
    ladder = list(check_distinct(order, least=0))
    if challenger not in ladder or challenged not in ladder:
        raise ValueError("both must be on the ladder")
    if winner not in (challenger, challenged, None):
        raise ValueError("one of the two has won, or nobody")
    place = ladder.index(challenged)
    if winner == challenger and ladder.index(challenger) > place:
        ladder.remove(challenger)
        ladder.insert(place, challenger)
    return tuple(ladder)


def add_entrant(order: Sequence[Id], entrant: Id) -> tuple[Id, ...]:
    """The ladder with *entrant* at its foot.

    :raises ValueError: they are on it already
    """
    return check_distinct((*order, entrant), least=1)


def remove_player(order: Sequence[Id], player: Id) -> tuple[Id, ...]:
    """Return the ladder without *player*.

    :raises ValueError: they are not on it
    """
    if player not in order:
        raise ValueError("nobody leaves a ladder who is not on it")
    return tuple(other for other in order if other != player)
