"""Results set by a moderator: the end of a game, its continuation, and whether it is rated."""

from __future__ import annotations

from collections.abc import Sequence

from games.exceptions import Refused
from games.models import ENDED, ActKind, Ending, Game, ModerationAct, Status
from games.play.moderation.base import ModerationContext, moderation_act
from games.play.turns import end

MOST_POINTS = 9999


@moderation_act(ActKind.ADJUDICATE)
def adjudicate(opened: ModerationContext, ranks: Sequence[int], scores: Sequence[int]) -> None:
    """End the game with these *ranks* and *scores*, by seat."""
    _must_run(opened.game)
    seats = opened.ledger.seats
    if len(ranks) != len(seats) or any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
        raise Refused("ranks")
    if len(scores) != len(seats) or not all(0 <= score <= MOST_POINTS for score in scores):
        raise Refused("scores")
    opened.record_act("adjudicate", ranks=list(ranks), scores=list(scores))
    for seat, score in zip(seats, scores, strict=True):
        seat.score = score
    end(opened.ledger, Status.FINISHED, Ending.DECIDED, ranks)


@moderation_act(ActKind.ABORT)
def abort(opened: ModerationContext) -> None:
    """End the game without a winner, unrated."""
    _must_run(opened.game)
    opened.record_act("abort")
    end(opened.ledger, Status.ABORTED, Ending.ANNULLED)


@moderation_act(ActKind.REOPEN)
def reopen(opened: ModerationContext) -> ModerationAct:
    """Continue a game that a moderator has ended."""
    game, ended = opened.game, opened.last(ActKind.ADJUDICATE, ActKind.ABORT)
    if ended is None or game.ending not in (Ending.DECIDED, Ending.ANNULLED):
        raise Refused("not_decided")
    must_be_secret(game)
    game.rated = ended.before["rated"]
    opened.play_on("reopen")
    return ended


@moderation_act(ActKind.UNRATE)
def unrate(opened: ModerationContext) -> None:
    """Make the game unrated, even if it is over."""
    if not opened.game.rated:
        raise Refused("not_rated")
    opened.game.rated = False
    opened.record_act("unrate")
    opened.write()


@moderation_act(ActKind.RATE)
def rate(opened: ModerationContext) -> ModerationAct:
    """Make a game rated again that a moderator had made unrated."""
    taken = opened.last(ActKind.UNRATE)
    if taken is None or opened.game.rated or opened.game.status == Status.ABORTED:
        raise Refused("rated_already")
    opened.game.rated = True
    opened.record_act("rate")
    opened.write()
    return taken


def must_be_secret(game: Game) -> None:
    """Refuse to continue *game* if its players may have seen another game with the same draw, and know the
    tiles to come.

    :raises Refused: it is over, and so is another one with its draw, or the seed is shown
    """
    if game.deal is None or not game.ended:
        return
    others = game.deal.games.filter(status__in=ENDED).exclude(pk=game.pk)
    if not game.deal.sealed or others.exists():
        raise Refused("draw_shown")


def _must_run(game: Game) -> None:
    if not game.running:
        raise Refused("nothing_running")
