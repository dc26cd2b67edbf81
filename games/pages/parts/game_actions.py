"""The actions of the viewer at the table of a running game, besides turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import access, clocks
from games.conduct import limits
from games.conduct.contacts import is_group_at_limit
from games.models import Game, Offer, Proposal, Status
from games.pages.parts.offered_seat import describe_way_back
from games.pages.scene import Scene
from games.play import consent
from games.play.nudges import build_nudge_group, may_be_nudged
from games.play.offers import find_running_pause
from games.play.timing import find_hold
from games.selectors.moves import Stored
from games.tables.visits import UNKNOWING
from games.words.acts import format_proposal
from games.words.times import format_instant

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MEANS: Mapping[Proposal, StrOrPromise] = {
    Proposal.END: gettext_lazy(
        "If everyone agrees, the game ends at once: it's unrated, and nobody wins or loses."
    ),
    Proposal.PAUSE: gettext_lazy("If everyone agrees, the clock stops. You can still play."),
    Proposal.UNDO: gettext_lazy(
        "If everyone agrees, this turn and all later ones are undone. The order of the tiles stays the same."
    ),
}
"""Consequences of proposals, in words."""


class Proposed(NamedTuple):
    """A pending proposal."""

    pk: int
    said: str  # the proposal and its author, in words
    means: str  # its consequences, in words
    own: bool
    asked: bool  # whether the viewer has still to agree


class GameActions(NamedTuple):
    """Seats offered to a substitute, expired time, proposals and pauses."""

    code: str  # of the game
    awaited: int | None  # seat
    # Why the viewer can't take back their seat just now: empty if they can, none if no bot stands in.
    come_back: str | None
    take_over: tuple[tuple[int, str], ...]  # seats, with names, that the viewer, an onlooker, may take over
    claim: str  # the name of the player awaited, if the viewer may claim the win
    days: int  # number of days that are given instead
    late: bool  # whether the opponents may claim the win over the viewer
    offers: tuple[Proposed, ...]  # open proposals, for players
    held: str  # remark that a moderator has stopped the game, and until when
    paused: str  # end of the pause; empty without one
    playing: bool  # whether the viewer plays, and so may propose something or end the pause
    nudge: str  # the name of the player awaited, if the game has waited long
    undo: int  # number of seconds in which the viewer may still undo the turn just played
    moderate: bool  # whether the viewer is a moderator who doesn't play here

    @property
    def shown(self) -> bool:
        """Return whether there is anything to show at the tile in hand; see ``BESIDES``."""
        return self.come_back is not None or any(
            value for name, value in zip(self._fields, self, strict=True) if name not in BESIDES
        )


BESIDES = {"code", "awaited", "come_back", "days", "playing", "moderate"}
"""Fields that are no reason by themselves to show anything at the tile in hand."""


def build_game_actions(scene: Scene, recent: Sequence[Stored]) -> GameActions:
    """Return the actions open to the viewer of *scene* after the *recent* moves. One query each for pending
    proposals, for an offered seat of a private game, and for the viewer's own offered seat."""
    game, me, now = scene.game, scene.me, timezone.now()
    awaited = "" if game.awaited is None else scene.names[game.awaited]
    claimable = game.claimable is not None and game.awaited is not None
    claims = claimable and me is not None and me.played_by_person and me.index != game.awaited
    playing = game.status == Status.PLAYING and me is not None and me.played_by_person
    pause = find_running_pause(game, now) if game.stops else None
    return GameActions(
        code=game.code,
        awaited=game.awaited,
        come_back=describe_way_back(game, me, me.player, now)
        if me is not None and me.player is not None
        else None,
        take_over=_seats_to_take(scene) if me is None else (),
        claim=awaited if claims else "",
        days=clocks.CLAIM_GIVES.days,
        late=claimable and access.is_on_turn(me, game),
        offers=_offers(scene) if playing and game.open_offers else (),
        held=_describe_hold(game),
        paused="" if pause is None else format_instant(pause.end),
        playing=playing,
        nudge=awaited if _may_nudge(scene) else "",
        undo=_count_seconds_to_undo(scene, recent),
        moderate=me is None and access.is_moderator(scene.viewer),  # no query for viewers who aren't staff
    )


def _may_nudge(scene: Scene) -> bool:
    """Return whether the viewer may nudge the player awaited. One query if a turn has lasted a day."""
    game, now = scene.game, timezone.now()
    awaited = None if game.awaited is None else scene.seats[game.awaited]
    if game.status != Status.PLAYING or awaited is None or not may_be_nudged(game, scene.me, awaited, now):
        return False
    return not is_group_at_limit(limits.NUDGE, build_nudge_group(game), now=now)


def _describe_hold(game: Game) -> str:
    hold = find_hold(game, timezone.now()) if game.stops else None
    if hold is None:
        return ""
    if hold.end == clocks.FOREVER:
        return _("A moderator has stopped the game. Nobody can play, and no clock is running.")
    said = _("A moderator has stopped the game until {until}. Nobody can play, and no clock is running.")
    return said.format(until=format_instant(hold.end))


def _count_seconds_to_undo(scene: Scene, recent: Sequence[Stored]) -> int:
    game, now = scene.game, timezone.now()
    if game.settles is None or game.settles <= now or scene.me is None:
        return 0
    own = [move["seat"] for move in recent if move["ply"] is not None and move["how"] not in UNKNOWING]
    return int((game.settles - now).total_seconds()) + 1 if own[-1:] == [scene.me.index] else 0


def _offers(scene: Scene) -> tuple[Proposed, ...]:
    """Return the pending proposals, for a viewer who plays. One query."""
    assert scene.me is not None
    return tuple(
        _build_proposal(offer, scene, scene.me.index)
        for offer in consent.list_open_offers(scene.game, timezone.now())
    )


def _build_proposal(offer: Offer, scene: Scene, mine: int) -> Proposed:
    own = offer.seat == mine
    return Proposed(
        pk=offer.pk,
        said=format_proposal(offer.kind, scene.names[offer.seat], offer.until),
        means=str(MEANS[Proposal(offer.kind)]),
        own=own,
        asked=not own and mine not in offer.agreed,
    )


def _seats_to_take(scene: Scene) -> tuple[tuple[int, str], ...]:
    offered = [seat for seat in scene.seats if seat.offered and seat.takeovers < clocks.TAKEOVERS]
    if not offered or not access.may_take_over(scene.viewer, scene.game, scene.seats):
        return ()
    return tuple((seat.index, scene.names[seat.index]) for seat in offered)
