"""How a game ends by a moderator, how it goes on again, and whether it is rated."""

from __future__ import annotations

from collections.abc import Sequence

from games.exceptions import Refused
from games.models import ENDED, ActKind, Ending, Game, ModerationAct, Status
from games.play.moderation.door import Opened, door, everybody
from games.play.turns import end

MOST_POINTS = 9999


@door(ActKind.ADJUDICATE, everybody)
def adjudicate(opened: Opened, ranks: Sequence[int], scores: Sequence[int]) -> None:
    """End the game with these *ranks* and *scores*, by seat."""
    _must_run(opened.game)
    seats = opened.ledger.seats
    if len(ranks) != len(seats) or any(rank != 1 + sum(one < rank for one in ranks) for rank in ranks):
        raise Refused("ranks")
    if len(scores) != len(seats) or not all(0 <= score <= MOST_POINTS for score in scores):
        raise Refused("scores")
    opened.note("adjudicate", ranks=list(ranks), scores=list(scores))
    for seat, score in zip(seats, scores, strict=True):
        seat.score = score
    end(opened.ledger, Status.FINISHED, Ending.DECIDED, ranks)


@door(ActKind.ABORT, everybody)
def abort(opened: Opened) -> None:
    """End the game without a winner, unrated."""
    _must_run(opened.game)
    opened.note("abort")
    end(opened.ledger, Status.ABORTED, Ending.ANNULLED)


@door(ActKind.REOPEN)
def reopen(opened: Opened) -> ModerationAct:
    """Let a game go on, as it was, that a moderator has ended."""
    game, ended = opened.game, opened.last(ActKind.ADJUDICATE, ActKind.ABORT)
    if ended is None or game.ending not in (Ending.DECIDED, Ending.ANNULLED):
        raise Refused("not_decided")
    must_be_secret(game)
    game.rated = ended.before["rated"]
    opened.play_on("reopen")
    return ended


@door(ActKind.UNRATE)
def unrate(opened: Opened) -> None:
    """Let the game count for no rating, though it may be over."""
    if not opened.game.rated:
        raise Refused("not_rated")
    opened.game.rated = False
    opened.note("unrate")
    opened.write()


@door(ActKind.RATE)
def rate(opened: Opened) -> ModerationAct:
    """Let the game be rated again, of which a moderator has taken that away."""
    taken = opened.last(ActKind.UNRATE)
    if taken is None or opened.game.rated or opened.game.status == Status.ABORTED:
        raise Refused("rated_already")
    opened.game.rated = True
    opened.note("rate")
    opened.write()
    return taken


def must_be_secret(game: Game) -> None:
    """Whose players may have seen another game with its draw, and know what comes, must stay over.

    :raises Refused: it is over, and so is another one with its draw
    """
    if game.deal is None or not game.ended:
        return
    others = game.deal.games.filter(status__in=ENDED).exclude(pk=game.pk)
    if not game.deal.sealed or others.exists():
        raise Refused("draw_shown")


def _must_run(game: Game) -> None:
    if not game.running:
        raise Refused("nothing_running")
