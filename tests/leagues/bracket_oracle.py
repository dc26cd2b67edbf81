"""Oracle of knock-outs: recomputes one from its line of ``simulate_league --json``, by the rules' text alone.

Like ``oracle`` it imports nothing of ``leagues``. ``check`` returns the faults of a knock-out's line, and
``check_finals`` those of its qualification from groups. For teams it takes the line under ``"teams"``: there
teams are players, and boards games.

The line has ``"kind": "knock-out"``. ``players`` are in the order of their seeds, ``byes`` those of the
first round, ``rank`` is how far a player came; ``points`` are match points, which decide nothing, and
``values`` are empty. ``settings`` also has ``third_place`` and ``from_group``. ``matches`` list ``{"id",
"round", "number", "best_of", "players", "winner"}``, the higher seed first, ``winner`` null if it ended even;
games name their ``match``.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.leagues import oracle


def check(line: dict) -> list[str]:
    """The faults of a knock-out, in words; empty if there are none."""
    wrong = list(oracle._shape(line))
    if not wrong:
        wrong += _matches(line)
    if not wrong:
        wrong += _nobody_twice(line)
        wrong += _tree(line)
        wrong += _ranks(line)
    return wrong


def check_finals(groups: list[dict], final: dict) -> list[str]:
    """The faults of a knock-out whose players must be the first of each group, without those who left it."""
    wrong = []
    seeds = _seeds(final)
    taken = len(seeds) // len(groups)
    for line in groups:
        standing = [one["player"] for one in line["standings"]]
        order = sorted(standing, key=lambda player: player in line["withdrawn"])
        if {player for player in seeds if player in standing} != set(order[:taken]):
            wrong.append(f"group {line['division']}: not its first {taken} go on")
    ranks = [_rank_in_group(groups, player) for player in seeds]
    if ranks != sorted(ranks):
        wrong.append("the seeds are not in the order of the ranks in the groups")
    return wrong


def _rank_in_group(groups: list[dict], player: object) -> int:
    for line in groups:
        order = sorted(
            (one["player"] for one in line["standings"]), key=lambda one: one in line["withdrawn"]
        )  # stable
        if player in order:
            return order.index(player)
    raise AssertionError(f"{player} is in no group")


def _seeds(line: dict) -> list:
    return [player["id"] for player in line["players"]]


def _games(line: dict, match: dict) -> list[dict]:
    return [game for game in line["games"] if game["match"] == match["id"]]


def _wins(line: dict, match: dict, player: object) -> float:
    """The games won; a draw, or a game without a winner, is a half."""
    wins = 0.0
    for game in _games(line, match):
        first = [seat["player"] for seat in game["seats"] if seat["rank"] == 1]
        wins += 1 if first == [player] else 0 if len(first) == 1 else 0.5
    return wins


def _lead(line: dict, match: dict) -> tuple[float, int]:
    """The lead of the first player of *match* in games won, and, if it decides next, in points."""
    first, second = match["players"]
    points = 0
    if line["settings"].get("even") == "score_difference":
        for game in _games(line, match):
            score = {seat["player"]: seat["score"] for seat in game["seats"]}
            if None not in score.values():
                points += score[first] - score[second]
    return _wins(line, match, first) - _wins(line, match, second), points


def _goes_on(line: dict, match: dict) -> object:
    """The player who advances: the leader, or the higher seed."""
    seeds = _seeds(line)
    lead = _lead(line, match)
    if lead == (0, 0):
        return min(match["players"], key=seeds.index)
    return match["players"][0 if lead > (0, 0) else 1]


def _matches(line: dict) -> Iterator[str]:
    """Check that each match is of two seeds, the higher first, has the right length, and the right winner."""
    seeds = _seeds(line)
    known = {game["match"] for game in line["games"]} - {match["id"] for match in line["matches"]}
    if known:
        yield f"games of no match: {known}"
    for match in line["matches"]:
        where = f"match {match['round']}/{match['number']}: "
        first, second = match["players"]
        if seeds.index(first) > seeds.index(second):
            yield f"{where}the lower seed is first"
        games = _games(line, match)
        length = line["settings"]["best_of"]
        if match["best_of"] != length:
            yield f"{where}best of {match['best_of']}, should be {length}"
        lead = abs(_wins(line, match, first) - _wins(line, match, second))
        if len(games) > length or (lead <= length - len(games) and len(games) < length):
            yield f"{where}{len(games)} games decide nothing, or are too many"
        for number, game in enumerate(games):
            if {seat["player"] for seat in game["seats"]} != {first, second}:
                yield f"{where}played by others"
            if game["first"] != (first, second)[number % 2]:
                yield f"{where}the first seat does not change"
        winner = None if _lead(line, match) == (0, 0) else _goes_on(line, match)
        if match["winner"] != winner:
            yield f"{where}won by {match['winner']}, should be {winner}"


def _nobody_twice(line: dict) -> Iterator[str]:
    places = [(match["round"], match["number"]) for match in line["matches"]]
    if len(set(places)) < len(places):
        yield "a match twice"
    for round_number in {match["round"] for match in line["matches"]}:
        playing = [
            player
            for match in line["matches"]
            if match["round"] == round_number
            for player in match["players"]
        ]
        playing += line["byes"] if round_number == 1 else []
        if len(set(playing)) < len(playing):
            yield f"round {round_number}: somebody plays twice"
        if round_number == 1 and set(playing) != set(_seeds(line)):
            yield "round 1: not everybody plays or has a bye"
    if len({frozenset(match["players"]) for match in line["matches"]}) < len(line["matches"]):
        yield "two meet twice"


def _third(line: dict) -> dict | None:
    last = max(match["round"] for match in line["matches"])
    found = [match for match in line["matches"] if (match["round"], match["number"]) == (last, 2)]
    return found[0] if found else None


def _tree(line: dict) -> Iterator[str]:
    """Check that players of a round won in the one before, and that the strongest are far apart."""
    seeds = _seeds(line)
    places = 1
    rounds = 0
    while places < len(seeds):
        places, rounds = 2 * places, rounds + 1
    third = _third(line)
    by_place = {(match["round"], match["number"]): match for match in line["matches"] if match is not third}
    byes = seeds[: places - len(seeds)]
    if sorted(map(str, line["byes"])) != sorted(map(str, byes)):
        yield f"byes {line['byes']}, should be {byes}"
    if max(match["round"] for match in line["matches"]) != rounds:
        yield f"there should be {rounds} rounds"
    parts: dict[tuple[int, int], set] = {}
    winners: dict[tuple[int, int], object] = {}
    for (round_number, number), match in sorted(by_place.items(), key=lambda one: one[0]):
        feeding = [(round_number - 1, 2 * number - 1), (round_number - 1, 2 * number)]
        part = set(match["players"])
        for player in match["players"]:
            sat_out = round_number == 2 and player in byes
            if round_number > 1 and not sat_out and player not in [winners.get(one) for one in feeding]:
                yield f"match {round_number}/{number}: {player} has not won the match before"
        for place in feeding:
            part |= parts.get(place, set())
        parts[round_number, number] = part
        winners[round_number, number] = _goes_on(line, match)
    for round_number in range(1, rounds + 1):
        strongest = set(seeds[: 2 ** (rounds - round_number)])
        for place, part in parts.items():
            if place[0] == round_number and len(part & strongest) > 1:
                yield f"match {place}: two of the {len(strongest)} strongest stand together"
    expected = len(seeds) - 1
    semi_finals = [match for match in by_place.values() if match["round"] == rounds - 1]
    if line["settings"]["third_place"] and len(semi_finals) == 2:
        expected += 1
        losers = {one for match in semi_finals for one in match["players"]} - {
            _goes_on(line, match) for match in semi_finals
        }
        if third is None or set(third["players"]) != losers:
            yield f"for third place should play {losers}"
    if len(line["matches"]) != expected:
        yield f"{len(line['matches'])} matches, should be {expected}"


def _ranks(line: dict) -> Iterator[str]:
    """Check that players who go out later rank higher, and those of one round share their rank."""
    third = _third(line)
    out: dict[object, float] = {}
    for match in line["matches"]:
        loser = next(player for player in match["players"] if player != _goes_on(line, match))
        if match is not third:
            out[loser] = match["round"]
    if third is not None:
        out[_goes_on(line, third)] += 0.5
    for standing in line["standings"]:
        own = out.get(standing["player"], 1000)
        rank = 1 + len([one for one in _seeds(line) if out.get(one, 1000) > own])
        if standing["rank"] != rank:
            yield f"{standing['player']}: rank {standing['rank']}, should be {rank}"
