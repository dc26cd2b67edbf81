"""Oracle of double eliminations: plays one again from its line of ``simulate_league --json``, by the text of
STAND-23 alone.

Like ``oracle`` it imports nothing of ``leagues``. ``check`` returns the faults of a line. The line has
``"kind": "double"``, and is else that of a knock-out (``bracket_oracle``); but ``byes`` are those of all
rounds, ``settings`` has ``reset``, and each match also has its ``part``: "main", "losers", "final" or
"decider". Round r of the winners has the number 2 (r - 1), or 1 for the first; round j of the losers has
j + 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.leagues import bracket_oracle, oracle

BYE = "bye"


def check(line: dict) -> list[str]:
    """The faults of a double elimination, in words; empty if there are none."""
    wrong = list(oracle._shape(line))
    if not wrong:
        wrong += _matches(line)
    if not wrong:
        wrong += Replay(line).faults
    return wrong


def _matches(line: dict) -> Iterator[str]:
    """Check the length, first seats and winner of each match."""
    known = {match["id"] for match in line["matches"]}
    if {game["match"] for game in line["games"]} - known:
        yield "games of no match"
    if len({(match["round"], match["number"]) for match in line["matches"]}) < len(line["matches"]):
        yield "a match twice"
    for match in line["matches"]:
        where = f"match {match['round']}/{match['number']}: "
        games, length = bracket_oracle._games(line, match), line["settings"]["best_of"]
        if match["best_of"] != length:
            yield f"{where}best of {match['best_of']}, should be {length}"
        lead = bracket_oracle._lead(line, match)
        open_games = length - len(games)
        if open_games < 0 or (open_games and abs(lead[0]) <= open_games):
            yield f"{where}{len(games)} games decide nothing, or are too many"
        for at, game in enumerate(games):
            if {seat["player"] for seat in game["seats"]} != set(match["players"]):
                yield f"{where}played by others"
            if game["first"] != match["players"][at % 2]:
                yield f"{where}the first seat does not change"
        winner = None if lead == (0, 0) else match["players"][lead < (0, 0)]
        if match["winner"] != winner:
            yield f"{where}won by {match['winner']}, should be {winner}"


class Replay:
    """A double elimination played again; ``faults`` are where the line is not what comes of it."""

    def __init__(self, line: dict) -> None:
        self.line = line
        self.seeds = [player["id"] for player in line["players"]]
        self.faults: list[str] = []
        self.left = {(match["part"], match["round"], match["number"]): match for match in line["matches"]}
        self.byes: list[object] = []
        self.defeats: dict[object, int] = {}  # the round of the second one
        self._play()
        for key in self.left:
            self.faults.append(f"nobody should play {key}")
        if Counter(self.byes) != Counter(line["byes"]):
            self.faults.append(f"byes {line['byes']}, should be {self.byes}")
        self._check_ranks()

    def _play(self) -> None:
        standing = self._standing()
        k = (len(standing) - 1).bit_length()
        fallen: dict[int, list[object]] = {}
        for r in range(1, k + 1):
            pairs = list(zip(standing[::2], standing[1::2], strict=True))
            results = [self._meet("main", max(1, 2 * (r - 1)), pair) for pair in pairs]
            standing, fallen[r] = [one for one, _ in results], [other for _, other in results]
        below = fallen[1]
        for j in range(1, 2 * (k - 1) + 1):
            if j % 2:
                pairs = list(zip(below[::2], below[1::2], strict=True))
            else:
                r = j // 2 + 1
                new = fallen[r][::-1] if r % 2 == 0 else self._exchange_halves(fallen[r])
                pairs = list(zip(below, new, strict=True))
            results = [self._meet("losers", j + 1, pair) for pair in pairs]
            for _, loser in results:
                if loser != BYE:
                    self.defeats[loser] = j + 1
            below = [one for one, _ in results]
        self._finish(2 * k, standing[0], below[0])

    def _finish(self, last: int, above: object, below: object) -> None:
        winner, loser = self._meet("final", last, (above, below))
        if winner == below and self.line["settings"]["reset"]:
            _, loser = self._meet("decider", last + 1, (above, below))
        self.defeats[loser] = last

    def _standing(self) -> list[object]:
        """The places of the first round: 1 and 2 are in different halves, and so on."""
        size = 1
        while size < len(self.seeds):
            size *= 2
        places = [1]
        while len(places) < size:
            places = [one for place in places for one in (place, 2 * len(places) + 1 - place)]
        return [self.seeds[place - 1] if place <= len(self.seeds) else BYE for place in places]

    @staticmethod
    def _exchange_halves(players: list[object]) -> list[object]:
        middle = len(players) // 2
        return players[middle:] + players[:middle]

    def _meet(self, part: str, round_number: int, pair: tuple[object, object]) -> tuple[object, object]:
        """The winner and the loser."""
        one, other = pair
        if BYE in pair:
            there = other if one == BYE else one
            self.byes += [there] if there != BYE else []
            return there, BYE
        found = [
            key
            for key, match in self.left.items()
            if key[:2] == (part, round_number) and set(match["players"]) == set(pair)
        ]
        if not found:
            self.faults.append(f"{one} and {other} should meet in round {round_number} ({part})")
            return pair
        match = self.left.pop(found[0])
        first = one if part == "final" else min(pair, key=self.seeds.index)
        if match["players"][0] != first:
            self.faults.append(f"match {found[0]}: {first} should be first")
        winner = match["winner"] if match["winner"] is not None else first
        return winner, other if winner == one else one

    def _check_ranks(self) -> None:
        for standing in self.line["standings"]:
            own = self.defeats.get(standing["player"], 1000)
            rank = 1 + len([one for one in self.seeds if self.defeats.get(one, 1000) > own])
            if standing["rank"] != rank:
                self.faults.append(f"{standing['player']}: rank {standing['rank']}, should be {rank}")
