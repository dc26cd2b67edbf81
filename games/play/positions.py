"""Positions of games, rebuilt from the stored events and cached by version.

Applying stored events can't be refused, so no release can break a running game.

The cache is per process. Unpickling a position of 72 tiles from Redis takes 25 ms (52 KB); reading its moves
and applying them takes 11. So the proxy sends all requests for a game to the same process.
"""

from collections.abc import Sequence

from django.db import connection

from games import rules
from games.exceptions import RulesLost
from games.models import Game
from games.play import move_cache
from games.process_cache import LatestVersionCache, memoize

MOST = 128  # games remembered by a process; a late position takes about 200 KB

MOVES = f"""
SELECT {", ".join(move_cache.FIELDS)} FROM games_move
 WHERE game_id = %s AND version <= %s AND withdrawn IS NULL ORDER BY version
"""

MOVES_SINCE = f"""
SELECT {", ".join(move_cache.FIELDS)} FROM games_move WHERE game_id = %s AND (
    version > %s AND version <= %s AND withdrawn IS NULL OR version <= %s AND withdrawn IS NOT NULL
) ORDER BY version
"""

_newest: LatestVersionCache[rules.Game] = LatestVersionCache("positions", MOST)
"""The newest position known of each game. Versions are never reused, so none goes stale."""


def remember(code: str, version: int, position: rules.Game) -> None:
    """Cache *position*, which must be committed, unless a later one is cached."""
    _newest.put(code, version, position)


def is_cached(game: Game) -> bool:
    """Return whether the position of *game* is cached."""
    return _newest.get(game.code, game.version) is not None


def update_cached_position(game: Game) -> bool:
    """Bring the cached position of *game* up to date, and return whether there is one; at most one query."""
    if is_cached(game):
        return True
    cached = _from_earlier(game, game.version)
    if cached is not None:
        remember(game.code, game.version, cached)
    return cached is not None


def rebuild(game: Game, version: int, moves: Sequence[move_cache.Stored]) -> rules.Game:
    """Rebuild the position after the move with this *version* from all *moves* in force until then. Cache it,
    and the last of the moves."""
    if game.has_lost_rules:
        raise RulesLost
    position = rules.Game.rebuild(game.rules, [move["events"] for move in moves])
    remember(game.code, version, position)
    if version == game.version:
        move_cache.keep(game, moves)
    return position


def load_position(game: Game) -> rules.Game:
    """Return the game as it stands now; at most one query, two where moves were withdrawn."""
    return load_position_at(game, game.version)


def load_position_at(game: Game, version: int) -> rules.Game:
    """Return the position after the move with this *version*; 0 is before the first draw."""
    position = _newest.get(game.code, version)
    if position is None:
        position = _from_earlier(game, version)
        if position is None:
            return rebuild(game, version, _moves(game.pk, version))
        remember(game.code, version, position)
    return position


def _from_earlier(game: Game, version: int) -> rules.Game | None:
    """The position at *version*, computed from the latest cached one and the moves since, which another
    process may have played; ``None`` if none is cached, or a move before it has been withdrawn."""
    newest = _newest.newest(game.code)
    if newest is None or newest[0] >= version:
        return None
    since, earlier = newest
    with connection.cursor() as cursor:
        cursor.execute(MOVES_SINCE, [game.pk, since, version, since])
        moves = move_cache.read_all(cursor.fetchall())
    if moves and moves[0]["version"] <= since:
        return None
    move_cache.add(game.code, since, moves)
    return earlier.following([move["events"] for move in moves])


def _moves(game_id: int, version: int) -> list[move_cache.Stored]:
    """The moves in force up to *version*; one query, in raw SQL."""
    with connection.cursor() as cursor:
        cursor.execute(MOVES, [game_id, version])
        return move_cache.read_all(cursor.fetchall())


@memoize("positions as seen", MOST, key=lambda game, version, seat: (game.code, version, seat))
def load_visible_position(game: Game, version: int, seat: int | None) -> rules.Game:
    """Return the position of *game* at *version* as *seat*, or a spectator, may see it: without the hands
    that only others may see."""
    whole = load_position_at(game, version)
    seen = rules.hide_secrets(whole.state, seat)
    return whole if seen is whole.state else rules.Game(seen)  # the cached one has cached its legal actions
