"""Oracle of ladders: recomputes one from its line of ``simulate_league --json``, by the rules' text alone.

Like ``oracle`` it imports nothing of ``leagues``. It replays all events in the order of time, and returns
those that were not allowed, and differences of the final order.

The line has ``"kind": "ladder"``, in ``settings`` ``reach``, ``rest`` and ``length`` (seconds),
``declines``, and ``ends``. ``first`` is the order at the beginning, the highest first; ``came`` and ``left``
list ``{"player", "at"}``; ``challenges`` list ``{"id", "challenger", "challenged", "made", "ended",
"best_of", "winner", "declined"}``, and games name theirs as ``match``. ``standings`` are the order at the
end, without players who left.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from tests.leagues import oracle

ENDS, LEAVES, COMES, IS_MADE = range(4)
"""Events in their order at one moment: a player who withdraws loses the own challenge first."""


def check(line: dict) -> list[str]:
    """The faults of a ladder, in words; empty if there are none."""
    wrong = list(oracle._shape(line))
    if not wrong:
        wrong += _matches(line)
        wrong += _course(line)
    return wrong


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _games(line: dict, challenge: dict) -> list[dict]:
    return [game for game in line["games"] if game["match"] == challenge["id"]]


def _matches(line: dict) -> Iterator[str]:
    """Check that each challenge is of two, begun by the challenged, of the right length, and well won."""
    if {game["match"] for game in line["games"]} - {one["id"] for one in line["challenges"]}:
        yield "games of no challenge"
    for challenge in line["challenges"]:
        where = f"challenge {challenge['id']}: "
        pair = (challenge["challenged"], challenge["challenger"])
        length = line["settings"]["best_of"]
        if challenge["best_of"] != length:
            yield f"{where}best of {challenge['best_of']}, should be {length}"
        wins = dict.fromkeys(pair, 0.0)
        games = _games(line, challenge)
        for number, game in enumerate(games):
            if abs(wins[pair[0]] - wins[pair[1]]) > length - number:
                yield f"{where}goes on after it was decided"
            if {seat["player"] for seat in game["seats"]} != set(pair):
                yield f"{where}played by others"
            if game["first"] != pair[number % 2]:
                yield f"{where}the first seat does not change"
            first = [seat["player"] for seat in game["seats"] if seat["rank"] == 1]
            for player in pair:
                wins[player] += 0.5 if len(first) != 1 else player == first[0]
        if challenge["declined"]:
            yield from _declined(line, challenge, len(games), where)
            continue
        lead = abs(wins[pair[0]] - wins[pair[1]])
        if len(games) > length or (lead <= length - len(games) and len(games) < length):
            yield f"{where}{len(games)} games decide nothing, or are too many"
        winner = max(pair, key=lambda player: wins[player]) if lead else None
        if challenge["winner"] != winner:
            yield f"{where}won by {challenge['winner']}, should be {winner}"


def _declined(line: dict, challenge: dict, games: int, where: str) -> Iterator[str]:
    """Check a declined challenge: it ends with its first game, and nobody wins it as often as one may
    decline. Without a game it was between two who are kept apart."""
    if games > 1:
        yield f"{where}goes on after it was declined"
    before = [
        other
        for other in line["challenges"]
        if other["declined"]
        and other["challenged"] == challenge["challenged"]
        and _at(other["ended"]) < _at(challenge["ended"])
        and _games(line, other)
    ]
    free = not games or len(before) < line["settings"]["declines"]
    winner = None if free else challenge["challenger"]
    if challenge["winner"] != winner:
        yield f"{where}declined, and won by {challenge['winner']}, should be {winner}"


def _course(line: dict) -> Iterator[str]:
    order = list(line["first"])
    made: list[dict] = []  # all so far
    for at, what, one in _events(line):
        if what == ENDS:
            if not {one["challenger"], one["challenged"]} <= set(order):
                yield f"challenge {one['id']}: ends without one of the two"
                continue
            _take_place(order, one)
        elif what == LEAVES:
            if one["player"] not in order:
                yield f"{one['player']} leaves, and is not there"
            else:
                order.remove(one["player"])
        elif what == COMES:
            if one["player"] in order:
                yield f"{one['player']} comes, and is there"
            order.append(one["player"])
        else:
            for refusal in _refusals(line, order, one, made, at):
                yield f"challenge {one['id']}: {refusal}"
            made.append(one)
    standing = [(one["rank"], one["player"]) for one in line["standings"]]
    if standing != list(enumerate(order, start=1)):
        yield f"the standings are {standing}, the order should be {order}"


def _events(line: dict) -> list[tuple[datetime, int, dict]]:
    """The events in the order of time; players who leave stay until their challenge has ended."""
    events = [(_at(one["at"]), COMES, one) for one in line["came"]]
    for challenge in line["challenges"]:
        events.append((_at(challenge["made"]), IS_MADE, challenge))
        events.append((_at(challenge["ended"]), ENDS, challenge))
    for one in line["left"]:
        gone = _at(one["at"])
        own = [
            _at(challenge["ended"])
            for challenge in line["challenges"]
            if one["player"] in (challenge["challenger"], challenge["challenged"])
            and _at(challenge["made"]) <= gone <= _at(challenge["ended"])
        ]
        events.append((max([gone, *own]), LEAVES, one))
    return sorted(events, key=lambda event: event[:2])


def _take_place(order: list, challenge: dict) -> None:
    challenger, challenged = challenge["challenger"], challenge["challenged"]
    if challenge["winner"] == challenger and order.index(challenger) > order.index(challenged):
        order.remove(challenger)
        order.insert(order.index(challenged), challenger)


def _refusals(line: dict, order: list, challenge: dict, made: list[dict], at: datetime) -> Iterator[str]:
    """Yield the reasons why a challenge was not allowed."""
    pair = {challenge["challenger"], challenge["challenged"]}
    if at >= _at(line["settings"]["ends"]):
        yield "made after the season"
    if not pair <= set(order):
        yield "made by or to somebody who is not there"
        return
    above = order.index(challenge["challenger"]) - order.index(challenge["challenged"])
    if not 1 <= above <= line["settings"]["reach"]:
        yield f"made to somebody {above} places above"
    for other in made:
        both = {other["challenger"], other["challenged"]}
        if pair & both and _at(other["ended"]) > at:
            yield "made in another challenge"
        if pair == both and at - _at(other["ended"]) < timedelta(seconds=line["settings"]["rest"]):
            yield "made without a rest"
