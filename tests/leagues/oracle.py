"""Oracle of divisions: recomputes one from its line of ``simulate_league --json``, by the rules' text alone.

It imports nothing of ``leagues``: ranks, values, ups and downs are compared with what the text (STAND-1 to
13, 19) says of the raw games. It is written to be compared with that text, paragraph by paragraph, and looks
everything up in the line again and again. What the text leaves open is read as in ``docs/standings.md``.
``check`` is for one line, ``check_league`` for all lines of a run.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from fractions import Fraction

ID = (str, int)
NUMBER = (int, float)
SHAPES = {
    "line": {
        "league": object,
        "season": ID,
        "division": int,
        "settings": dict,
        "players": list,
        "games": list,
        "byes": list,
        "standings": list,
        "up": list,
        "down": list,
        "withdrawn": list,
    },
    "settings": {
        "points": list,
        "best_of": int,
        "tie_breaks": list,
        "withdrawn": str,
        "up": int,
        "down": int,
    },
    "player": {"id": ID, "rating": NUMBER, "withdrew": bool},
    "game": {"id": ID, "match": object, "first": ID, "seats": list, "struck": bool},
    "seat": {"player": ID, "rank": int, "score": (int, type(None)), "forfeit": bool},
    "standing": {"player": ID, "rank": int, "points": str, "values": dict},
}
"""Keys of the contract and the types of their values. Other keys are ignored."""


def check(line: dict, *, highest: bool = False, lowest: bool = False) -> list[str]:
    """The faults of one division of one season, in words; empty if there are none.

    If the line's shape is wrong, only that is reported. Nobody moves up from the *highest* division or down
    from the *lowest*, whatever its settings say; otherwise ``up`` and ``down`` of the settings apply.
    """
    wrong = list(_shape(line)) or list(_sense(line))
    if not wrong:
        wrong += _first_seats(line)
        wrong += _struck(line)
        wrong += _ranks(line)
        wrong += _moves(line, highest, lowest)
    return wrong


def check_league(lines: list[dict]) -> list[str]:
    """The faults of all seasons and divisions of a run, with *lines* in the order of the seasons.

    The division with the smallest number is the highest (STAND-13). Besides ``check`` of every line: nobody
    plays in two divisions; relegated players keep a vacant place only if nobody from below can have it; and
    nobody plays lower in the next season than up and down say (higher is possible: places may become vacant
    until it begins).
    """
    wrong = [f"line {number}: {what}" for number, line in enumerate(lines) for what in _shape(line)]
    if wrong:
        return wrong
    for seasons in _leagues(lines):
        for divisions in seasons:
            for line in divisions:
                found = check(line, highest=line is divisions[0], lowest=line is divisions[-1])
                wrong += [f"season {line['season']}, division {line['division']}: {what}" for what in found]
            everybody = [player["id"] for line in divisions for player in line["players"]]
            wrong += _passed_over(divisions)
            twice = sorted({str(player) for player in everybody if everybody.count(player) > 1})
            wrong += [f"season {divisions[0]['season']}: {player} plays twice" for player in twice]
        for before, after in itertools.pairwise(seasons):
            wrong += _misplaced(before, after)
    return wrong


def _leagues(lines: list[dict]) -> list[list[list[dict]]]:
    leagues: dict[str, dict[str, list[dict]]] = {}
    for line in lines:
        seasons = leagues.setdefault(str(line["league"]), {})
        seasons.setdefault(str(line["season"]), []).append(line)
    return [
        [sorted(divisions, key=lambda line: line["division"]) for divisions in seasons.values()]
        for seasons in leagues.values()
    ]


def _misplaced(before: list[dict], after: list[dict]) -> Iterator[str]:
    """Yield players who play lower in the next season than STAND-13 says."""
    place = {player["id"]: at for at, line in enumerate(after) for player in line["players"]}
    for at, line in enumerate(before):
        for player in (one["id"] for one in line["players"]):
            should = at - (player in line["up"]) + (player in line["down"])
            if player in place and place[player] > should:
                yield f"season {after[0]['season']}: {player} plays lower than up and down say"


# The shape of the contract, and what must be so for the text to have a meaning.


def _shape(line: dict) -> Iterator[str]:
    wrong = list(_wrong_keys("line", line))
    if not wrong:
        wrong += _wrong_keys("settings", line["settings"])
        for kind, name in (("player", "players"), ("game", "games"), ("standing", "standings")):
            for one in line[name]:
                wrong += _wrong_keys(kind, one)
    if not wrong:
        for game in line["games"]:
            for seat in game["seats"]:
                wrong += _wrong_keys("seat", seat)
    yield from wrong


def _wrong_keys(kind: str, value: object) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{value!r} is no {kind}"
        return
    for key, types in SHAPES[kind].items():
        if key not in value:
            yield f"a {kind} without {key!r}"
        elif not isinstance(value[key], types) or (isinstance(value[key], bool) and types is not bool):
            yield f"{key} of a {kind} is {value[key]!r}"


def _sense(line: dict) -> Iterator[str]:
    settings = line["settings"]
    seats = len(settings["points"])
    if not 2 <= seats <= 6:
        yield f"points for {seats} seats"
    if settings["best_of"] < 1 or settings["best_of"] % 2 == 0 or (seats > 2 and settings["best_of"] != 1):
        yield f"best of {settings['best_of']} at {seats} seats"
    if settings["withdrawn"] not in ("keep", "strike"):
        yield f"withdrawn is {settings['withdrawn']!r}"
    for tie_break in settings["tie_breaks"]:
        if tie_break not in CRITERIA:
            yield f"no tie-break is called {tie_break!r}"
    ids = [player["id"] for player in line["players"]]
    if len(set(ids)) != len(ids):
        yield "a player twice"
    if len({game["id"] for game in line["games"]}) != len(line["games"]):
        yield "a game twice"
    for name in ("byes", "up", "down", "withdrawn"):
        for player in line[name]:
            if player not in ids:
                yield f"{name} names {player!r}, who doesn't play here"
    for game in line["games"]:
        yield from _wrong_game(game, ids, seats)
    yield from _wrong_matches(line)
    if len(ids) != len(line["standings"]) or {one["player"] for one in line["standings"]} != set(ids):
        yield "the standings are not of the players"


def _wrong_game(game: dict, ids: list, seats: int) -> Iterator[str]:
    players = _players(game)
    where = f"game {game['id']}: "
    if not 2 <= len(players) <= seats:
        yield f"{where}{len(players)} seats"
    if len(set(players)) != len(players):
        yield f"{where}a player twice"
    for player in players:
        if player not in ids:
            yield f"{where}{player!r} doesn't play here"
    if game["first"] not in players:
        yield f"{where}the first seat is nobody's"
    for seat in game["seats"]:
        above = len([other for other in game["seats"] if other["rank"] < seat["rank"]])
        if seat["rank"] < above + 1:
            yield f"{where}{seat['player']} has rank {seat['rank']}, and {above} stand above"
        if seat["forfeit"] and seat["score"] is not None:
            yield f"{where}a forfeit with a score"


def _wrong_matches(line: dict) -> Iterator[str]:
    for match in _matches(line):
        if len({frozenset(_players(game)) for game in match}) > 1:
            yield f"match {match[0]['match']} is not of the same players"
        if len(match) > line["settings"]["best_of"]:
            yield f"match {match[0]['match']} has {len(match)} games"


# STAND-2: the first seat in turns. STAND-4: what is struck.


def _first_seats(line: dict) -> Iterator[str]:
    if line["settings"]["best_of"] == 1:
        return
    for match in _matches(line):
        for player in _players(match[0]):
            first = len([game for game in match if game["first"] == player])
            if abs(2 * first - len(match)) > 1:
                yield f"{player} is first {first} times in {len(match)} games of match {match[0]['match']}"


def _struck(line: dict) -> Iterator[str]:
    struck_for = []
    if line["settings"]["withdrawn"] == "strike":
        for player in line["players"]:
            games = [game for game in line["games"] if player["id"] in _players(game)]
            finished = [game for game in games if not any(seat["forfeit"] for seat in game["seats"])]
            if player["withdrew"] and 2 * len(finished) < len(games):
                struck_for.append(player["id"])
    for game in line["games"]:
        expected = any(player in struck_for for player in _players(game))
        if game["struck"] != expected:
            yield f"game {game['id']} is {'not ' if expected else ''}struck"


# STAND-1 to 3: what counts.


def _players(game: dict) -> list:
    return [seat["player"] for seat in game["seats"]]


def _counted(line: dict) -> list[dict]:
    """The games that are not struck from the table."""
    return [game for game in line["games"] if not game["struck"]]


def _games_of(line: dict, player: object) -> list[dict]:
    return [game for game in _counted(line) if player in _players(game)]


def _rank(game: dict, player: object) -> int:
    return next(seat["rank"] for seat in game["seats"] if seat["player"] == player)


def _game_points(line: dict, game: dict, player: object) -> Fraction:
    """The points of the ranks that are shared, divided equally (STAND-1)."""
    rank = _rank(game, player)
    sharing = len([seat for seat in game["seats"] if seat["rank"] == rank])
    points = Fraction(0)
    for place in range(rank, rank + sharing):
        if place <= len(line["settings"]["points"]):
            points += line["settings"]["points"][place - 1]
    return points / sharing


def _duels(line: dict) -> bool:
    return len(line["settings"]["points"]) == 2


def _matches(line: dict) -> list[list[dict]]:
    """The games of each match; with best of 1 each game is a match."""
    if line["settings"]["best_of"] == 1:
        return [[game] for game in _counted(line)]
    names = []
    for game in _counted(line):
        if game["match"] not in names:
            names.append(game["match"])
    return [[game for game in _counted(line) if game["match"] == name] for name in names]


def _wins(match: list[dict], player: object) -> int:
    """The number of games in which *player* alone was first."""
    alone = [[seat["player"] for seat in game["seats"] if seat["rank"] == 1] for game in match]
    return alone.count([player])


def _result(line: dict, match: list[dict], player: object) -> str | None:
    """The result of a match, "won", "lost" or "even", or ``None`` while it goes on (STAND-2)."""
    if line["settings"]["best_of"] == 1:
        (game,) = match
        (other,) = [one for one in _players(game) if one != player]
        if _rank(game, player) == _rank(game, other):
            return "even"
        return "won" if _rank(game, player) < _rank(game, other) else "lost"
    (other,) = [one for one in _players(match[0]) if one != player]
    lead = _wins(match, player) - _wins(match, other)
    left = line["settings"]["best_of"] - len(match)
    if lead > left:
        return "won"
    if -lead > left:
        return "lost"
    return "even" if left == 0 else None


def _match_points(line: dict, match: list[dict], player: object) -> Fraction:
    if line["settings"]["best_of"] == 1:
        return _game_points(line, match[0], player)
    return {"won": Fraction(2), "even": Fraction(1), "lost": Fraction(0), None: Fraction(0)}[
        _result(line, match, player)
    ]


def _over(line: dict, player: object) -> list[list[dict]]:
    """The player's matches that are over, or games if there are no matches."""
    if not _duels(line):
        return [[game] for game in _games_of(line, player)]
    return [
        match
        for match in _matches(line)
        if player in _players(match[0]) and _result(line, match, player) is not None
    ]


def _points(line: dict, player: object) -> Fraction:
    """The points of STAND-5, with those of STAND-3 for byes, without penalties."""
    win = Fraction(2) if line["settings"]["best_of"] > 1 else Fraction(line["settings"]["points"][0])
    points = win * len([bye for bye in line["byes"] if bye == player])
    points -= sum(Fraction(one.get("penalty", "0")) for one in line["players"] if one["id"] == player)
    for match in _over(line, player):
        points += _match_points(line, match, player) if _duels(line) else _game_points(line, match[0], player)
    return points


def _most_points(line: dict, player: object) -> Fraction:
    """The most that the matches or games counted so far could have brought (STAND-5)."""
    win = Fraction(2) if line["settings"]["best_of"] > 1 else Fraction(line["settings"]["points"][0])
    return win * len(_over(line, player))


# STAND-6 to 11, 19: the criteria. Each is asked with the group of those who are equal just then.


def _head_to_head(line: dict, player: object, group: list) -> Fraction:
    if _duels(line):
        among = [match for match in _over(line, player) if all(one in group for one in _players(match[0]))]
        return sum((_match_points(line, match, player) for match in among), Fraction(0))
    value = Fraction(0)
    for game in _games_of(line, player):
        for other in _players(game):
            if other != player and other in group:
                if _rank(game, player) < _rank(game, other):
                    value += 2
                elif _rank(game, player) == _rank(game, other):
                    value += 1
    return value


def _games_won(line: dict, player: object, group: list) -> Fraction:
    value = Fraction(0)
    for game in _games_of(line, player):
        if _rank(game, player) == 1:
            shared = len([one for one in _players(game) if _rank(game, one) == 1]) > 1
            value += Fraction(1, 2) if shared else 1
    return value


def _firsts(line: dict, player: object, group: list) -> Fraction:
    value = Fraction(0)
    for game in _games_of(line, player):
        if _rank(game, player) == 1:
            value += Fraction(1, len([one for one in _players(game) if _rank(game, one) == 1]))
    return value


def _score_difference(line: dict, player: object, group: list) -> Fraction:
    value = Fraction(0)
    for game in _games_of(line, player):
        if all(seat["score"] is not None for seat in game["seats"]):
            (own,) = [seat["score"] for seat in game["seats"] if seat["player"] == player]
            others = [seat["score"] for seat in game["seats"] if seat["player"] != player]
            value += own - Fraction(sum(others), len(others))
    return value


def _duplicate(line: dict, player: object, group: list) -> Fraction:
    """The comparison of STAND-19, over games that nobody forfeited, with a score for every seat."""
    value = Fraction(0)
    for game in _games_of(line, player):
        if game.get("draw") is None or not _scored(game):
            continue
        seat = _players(game).index(player)
        same_seat = [
            other["seats"][seat]["score"]
            for other in _counted(line)
            if other.get("draw") == game["draw"]
            and other["id"] != game["id"]
            and _scored(other)
            and seat < len(other["seats"])
        ]
        if same_seat:
            value += game["seats"][seat]["score"] - Fraction(sum(same_seat), len(same_seat))
    return value


def _scored(game: dict) -> bool:
    return not any(seat["forfeit"] or seat["score"] is None for seat in game["seats"])


def _buchholz_terms(line: dict, player: object) -> list[Fraction]:
    terms = []
    for match in _over(line, player):
        for other in _players(match[0]):
            if other != player:
                terms.append(_points(line, other))
    return terms


def _buchholz(line: dict, player: object, group: list) -> Fraction:
    return sum(_buchholz_terms(line, player), Fraction(0))


def _buchholz_cut1(line: dict, player: object, group: list) -> Fraction:
    return sum(sorted(_buchholz_terms(line, player))[1:], Fraction(0))


def _sonneborn_berger(line: dict, player: object, group: list) -> Fraction:
    value = Fraction(0)
    for match in _over(line, player):
        for other in _players(match[0]):
            if other == player:
                continue
            if _duels(line):
                result = _result(line, match, player)
            elif _rank(match[0], player) == _rank(match[0], other):
                result = "even"
            else:
                result = "won" if _rank(match[0], player) < _rank(match[0], other) else "lost"
            if result == "won":
                value += _points(line, other)
            if result == "even":
                value += _points(line, other) / 2
    return value


def _rating(line: dict, player: object, group: list) -> Fraction:
    return next(Fraction(str(one["rating"])) for one in line["players"] if one["id"] == player)


def _lot(line: dict, player: object, group: list) -> str:
    return hashlib.sha256(f"{line['season']}/{player}".encode()).hexdigest()


CRITERIA = {
    "head_to_head": _head_to_head,
    "games_won": _games_won,
    "firsts": _firsts,
    "score_difference": _score_difference,
    "duplicate": _duplicate,
    "buchholz": _buchholz,
    "buchholz_cut1": _buchholz_cut1,
    "sonneborn_berger": _sonneborn_berger,
    "rating": _rating,
    "lot": _lot,
}


# STAND-5: the order.


def standings(line: dict) -> list[dict]:
    """The correct ``standings`` of the line; players of one rank in any order."""
    players = [player["id"] for player in line["players"]]
    found = {
        player: {"player": player, "points": str(_points(line, player)), "values": {}} for player in players
    }
    points = {player: _points(line, player) for player in players}
    groups = _divided(players, points, ascending=False)
    if line.get("running") and any(line["settings"]["points"]):
        lost = {player: _most_points(line, player) - points[player] for player in players}
        groups = [less for group in groups for less in _divided(group, lost, ascending=True)]
    for criterion in line["settings"]["tie_breaks"]:
        still = []
        for group in groups:
            if len(group) == 1:
                still.append(group)
                continue
            values = {player: CRITERIA[criterion](line, player, group) for player in group}
            for player in group:
                found[player]["values"][criterion] = str(values[player])
            still += _divided(group, values, ascending=criterion == "lot")
        groups = still
    rank = 1
    for group in groups:
        for player in group:
            found[player]["rank"] = rank
        rank += len(group)
    return [found[player] for group in groups for player in group]


def _divided(group: list, values: dict, *, ascending: bool) -> list[list]:
    """Split *group* into groups of equal values, the best first."""
    different = sorted(set(values.values()), reverse=not ascending)
    return [[player for player in group if values[player] == value] for value in different]


def _ranks(line: dict) -> Iterator[str]:
    expected = {standing["player"]: standing for standing in standings(line)}
    for standing in line["standings"]:
        for key in ("rank", "points", "values"):
            should = expected[standing["player"]][key]
            if standing[key] != should:
                yield f"{standing['player']}: {key} {standing[key]!r}, should be {should!r}"
    ranks = [standing["rank"] for standing in line["standings"]]
    if ranks != sorted(ranks):
        yield f"the standings are not in the order of their ranks: {ranks}"


# STAND-13: up and down.


def _moves(line: dict, highest: bool, lowest: bool) -> Iterator[str]:
    for player in line["players"]:
        if player["withdrew"] and player["id"] not in line["withdrawn"]:
            yield f"{player['id']} withdrew and is not among the withdrawn"
    staying = [one["player"] for one in line["standings"] if one["player"] not in line["withdrawn"]]
    up = [] if highest else staying[: line["settings"]["up"]]
    if line["up"][: len(up)] != up:
        yield f"up {line['up']}, should begin with {up}"
    if line["up"] != staying[: len(line["up"])]:
        yield f"up {line['up']}, which is not the order of the ranks"
    if highest and line["up"]:
        yield f"up {line['up']} from the highest division"
    down = _table_down(line, lowest)
    if line["down"] != down[len(down) - len(line["down"]) :]:  # the best of them may have kept a vacant place
        yield f"down {line['down']}, should be {down}"


def _table_down(line: dict, lowest: bool) -> list:
    """The players whom the table alone relegates."""
    staying = [one["player"] for one in line["standings"] if one["player"] not in line["withdrawn"]]
    last = [] if lowest else staying[max(0, len(staying) - line["settings"]["down"]) :]
    return [player for player in last if player not in line["up"]]


def _passed_over(divisions: list[dict]) -> Iterator[str]:
    """Yield players who keep a place although the table relegates them, while somebody in the division
    below, whom its table doesn't relegate, does not get it: "those who were relegated into it last of
    all"."""
    for line, below in itertools.pairwise(divisions):
        kept = [player for player in _table_down(line, False) if player not in line["down"]]
        down = _table_down(below, below is divisions[-1])
        staying = [one["player"] for one in below["standings"] if one["player"] not in below["withdrawn"]]
        waiting = [player for player in staying if player not in (*below["up"], *down)]
        if kept and waiting:
            yield f"season {line['season']}: {kept} keep their places, and {waiting} could have them"
