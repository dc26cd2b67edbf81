"""Oracle of team boards: recomputes them from a line of ``simulate_league --json``, by the rules' text alone.

Like ``oracle`` it imports nothing of ``leagues``. Tables of teams are for ``oracle``, their knock-outs for
``bracket_oracle``: both take boards as games. ``check_boards`` compares boards with the games played there.

``"teams"`` is a line in the usual form about the teams: its ``games`` are boards (with ``"board"`` and
``"matches"``, the matches of players that were played there), its ``players`` teams (with ``"members"``),
and its standings also have ``"board_points"``. In a knock-out its ``best_of`` is the number of boards, each
best of ``"games_at_a_board"``, and ``"even"`` in its settings says what decides an even match.
"""

from __future__ import annotations

from collections.abc import Iterator


def check_boards(line: dict) -> list[str]:
    """The faults of the boards of a *line* of teams, in words; empty if there are none."""
    wrong = [what for board in line["teams"]["games"] for what in _board(line, board)]
    of_boards = [match for board in line["teams"]["games"] for match in board["matches"]]
    if {game["match"] for game in line["games"]} - set(of_boards):
        wrong.append("games at no board")
    if len([match for match in of_boards if match is not None]) != len(set(of_boards) - {None}):
        wrong.append("a match at two boards")
    return wrong


def _board(line: dict, board: dict) -> Iterator[str]:
    where = f"board {board['match']}/{board['board']}: "
    members = {team["id"]: team["members"] for team in line["teams"]["players"]}
    sides = _sides(line, board)
    games = [game for game in line["games"] if game["match"] in board["matches"]]
    ranks = {seat["player"]: seat["rank"] for seat in board["seats"]}
    scores = {seat["player"]: seat["score"] for seat in board["seats"]}
    if board["first"] != sides[(board["board"] - 1) % 2]:
        yield f"{where}begun by the wrong team"
    if not games:  # one team had nobody, or both
        if board["matches"] != [None]:
            yield f"{where}nothing was played"
        if 1 in ranks.values() and sorted(ranks.values()) != [1, 2]:
            yield f"{where}ranks {ranks} without a game"
        return
    length = _length(line, board)
    wins = dict.fromkeys(sides, 0.0)
    total = dict.fromkeys(sides, 0)
    begins = board["first"]
    for number, game in enumerate(games):
        lead = abs(wins[sides[0]] - wins[sides[1]])
        if number >= length or lead > length - number:
            yield f"{where}goes on after it was decided"
        seated = {side: _seat(game, members[side]) for side in sides}
        if None in seated.values():
            yield f"{where}played by others"
            return
        if game["first"] not in members[begins]:
            yield f"{where}the first seat does not change"
        begins = sides[1] if begins == sides[0] else sides[0]
        first = [side for side in sides if seated[side]["rank"] == 1]
        for side in sides:
            wins[side] += 0.5 if len(first) != 1 else side == first[0]
            total[side] += seated[side]["score"] or 0
    if len(games) < length and abs(wins[sides[0]] - wins[sides[1]]) <= length - len(games):
        yield f"{where}{len(games)} games decide nothing"
    nobody = all(seat["forfeit"] and seat["rank"] > 1 for game in games for seat in game["seats"])
    for side in sides:
        other = sides[1] if side == sides[0] else sides[0]
        rank = 1 if wins[side] >= wins[other] and not nobody else 2
        if ranks[side] != rank:
            yield f"{where}{side} has rank {ranks[side]}, should have {rank}"
    if any(seat["score"] is None for game in games for seat in game["seats"]):
        total = dict.fromkeys(sides)
    if scores != total:
        yield f"{where}scores {scores}, should be {total}"


def _sides(line: dict, board: dict) -> list:
    """The two teams, that of the first board first."""
    same = [one for one in line["teams"]["games"] if one["match"] == board["match"] and one["board"] == 1]
    others = {seat["player"] for seat in board["seats"]}
    first = same[0]["first"] if same else board["first"]
    return [first, *(others - {first})]


def _length(line: dict, board: dict) -> int:
    for match in line["teams"].get("matches", ()):
        if match["id"] == board["match"]:
            return match["games_at_a_board"]
    return line["settings"]["best_of"]


def _seat(game: dict, members: list) -> dict | None:
    found = [seat for seat in game["seats"] if seat["player"] in members]
    return found[0] if len(found) == 1 else None
