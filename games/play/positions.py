"""The game of rules behind a game's rows: rebuilt from the stored events, remembered by truth.

Applying stored events can't be refused, so no release can brick a running game.
"""

from collections.abc import Sequence

from django.db import connection

from games import rules
from games.memoize import Newest, Recent, memoize
from games.models import Game
from games.play import lately

MOST = 128  # games remembered by a process; a late position takes about 200 KB
EARLIER = 32  # positions that were asked for when there were later ones

MOVES = f"""
SELECT {", ".join(lately.FIELDS)} FROM games_move
 WHERE game_id = %s AND version <= %s AND withdrawn IS NULL ORDER BY version
"""

MOVES_SINCE = f"""
SELECT {", ".join(lately.FIELDS)} FROM games_move WHERE game_id = %s AND (
    version > %s AND version <= %s AND withdrawn IS NULL OR version <= %s AND withdrawn IS NOT NULL
) ORDER BY version
"""

_newest: Newest[rules.Game] = Newest("positions", MOST)
"""The newest position known of each game. Versions are never reused, so none goes stale."""

_earlier: Recent[rules.Game] = Recent("earlier positions", EARLIER)
"""Others, by code and version, such as those of a history that somebody looks through."""


def remember(code: str, version: int, position: rules.Game) -> None:
    """Keep *position*, which must be committed, for the next request."""
    if not _newest.put(code, version, position):
        _earlier.put((code, version), position)


def known(game: Game) -> bool:
    """Whether the position of *game* is remembered."""
    return _remembered(game.code, game.version) is not None


def _remembered(code: str, version: int) -> rules.Game | None:
    return _newest.get(code, version) or _earlier.get((code, version))


def reached(game: Game) -> bool:
    """Whether the position of *game* is remembered, or was reached from an earlier one; at most one query."""
    if known(game):
        return True
    found = _from_earlier(game, game.version)
    if found is not None:
        remember(game.code, game.version, found)
    return found is not None


def rebuild(game: Game, version: int, moves: Sequence[lately.Stored]) -> rules.Game:
    """The game as it stood after the move called *version*, from all *moves* in force until then; remembered,
    as the last of these are."""
    found = rules.Game.rebuild(game.rules, [move["events"] for move in moves])
    remember(game.code, version, found)
    if version == game.version:
        lately.keep(game, moves)
    return found


def position(game: Game) -> rules.Game:
    """The game as it stands now; at most one query, two where moves were withdrawn."""
    return position_at(game, game.version)


def position_at(game: Game, version: int) -> rules.Game:
    """The game as it stood after the move called *version*; 0 is before the first draw."""
    found = _remembered(game.code, version)
    if found is None:
        found = _from_earlier(game, version)
        if found is None:
            return rebuild(game, version, _moves(game.pk, version))
        remember(game.code, version, found)
    return found


def _from_earlier(game: Game, version: int) -> rules.Game | None:
    """The same from the latest position that is remembered, by what has been played since, perhaps before
    another process; ``None`` if there is none, or a move before it has been withdrawn."""
    newest = _newest.newest(game.code)
    if newest is None or newest[0] >= version:
        return None
    since, earlier = newest
    with connection.cursor() as cursor:
        cursor.execute(MOVES_SINCE, [game.pk, since, version, since])
        moves = lately.read_all(cursor.fetchall())
    if moves and moves[0]["version"] <= since:
        return None
    lately.add(game.code, since, moves)
    return earlier.following([move["events"] for move in moves])


def _moves(game_id: int, version: int) -> list[lately.Stored]:
    """The moves in force up to *version*; one query, written out."""
    with connection.cursor() as cursor:
        cursor.execute(MOVES, [game_id, version])
        return lately.read_all(cursor.fetchall())


@memoize("positions as seen", MOST, key=lambda game, version, seat: (game.code, version, seat))
def position_seen(game: Game, version: int, seat: int | None) -> rules.Game:
    """*game* after its move called *version*, as *seat* may see it, or an onlooker: without the hands that
    only others may see."""
    whole = position_at(game, version)
    seen = rules.view(whole.state, seat)
    return whole if seen is whole.state else rules.Game(seen)  # which knows already what is legal
