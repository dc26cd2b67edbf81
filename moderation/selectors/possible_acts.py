"""Which acts a moderator can perform on a game, for the links of its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.models import ActKind, Ending, Game, Seat, SeatState, Status
from moderation.selectors.acts_on_games import LoggedAct


def list_possible_acts(game: Game, log: Iterable[LoggedAct], *, stopped: bool) -> Iterator[str]:
    """List the acts on *game* as a whole."""
    if game.status == Status.PLAYING:
        yield ActKind.RESUME if stopped else ActKind.PAUSE
        yield ActKind.EXTEND
    if game.started is not None and (game.ply or game.ended):
        yield ActKind.ROLL_BACK
    if game.running:
        yield ActKind.ADJUDICATE
        yield ActKind.ABORT
    if game.ending in (Ending.DECIDED, Ending.ANNULLED):
        yield ActKind.REOPEN
    if game.rated and game.started is not None:
        yield ActKind.UNRATE
    elif game.status != Status.ABORTED and _is_done(ActKind.UNRATE, None, log):
        yield ActKind.RATE


def list_possible_acts_on_seat(game: Game, seat: Seat, log: Iterable[LoggedAct]) -> Iterator[str]:
    """List the acts on *seat* of *game*."""
    if game.status != Status.PLAYING or seat.player is None or seat.left:
        return
    yield ActKind.REPLACE
    if _is_done(ActKind.REPLACE, seat.index, log):
        yield ActKind.GIVE_BACK
    if seat.state == SeatState.PLAYING:
        yield ActKind.LADDER


def _is_done(kind: ActKind, seat: int | None, log: Iterable[LoggedAct]) -> bool:
    """Return whether *log* has such an act that is not undone."""
    return any(entry.act.kind == kind and entry.seat == seat and not entry.is_undone for entry in log)
