"""The actions of the viewer at the table of a running game, besides turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import access, clocks
from games.conduct import limits
from games.conduct.contacts import is_group_at_limit
from games.models import Game, Offer, Proposal, Status
from games.pages.parts.offered_seat import WayBack, find_way_back
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


class SeatAction(NamedTuple):
    """A link or a button that concerns a seat."""

    url: str
    name: str  # name of the player at the seat
    seat: int


class Proposed(NamedTuple):
    """A pending proposal."""

    said: str  # the proposal and its author, in words
    means: str  # its consequences, in words
    agree: str  # the address; empty where the viewer has agreed, or is not asked
    decline: str  # the same
    withdraw: str  # the address; empty unless it is the viewer's own


class Undo(NamedTuple):
    """The time for which a turn may still be undone."""

    url: str
    seconds: int


class GameActions(NamedTuple):
    """Seats offered to a substitute, expired time, proposals and pauses."""

    come_back: WayBack | None  # to the viewer's seat, for which the bot stands in
    take_over: tuple[SeatAction, ...]  # the seats that the viewer, an onlooker, may take over
    claim: SeatAction | None  # the win that the viewer may claim
    give: str  # the address that gives time instead
    days: int  # number of days that are given
    late: bool  # whether the opponents may claim the win over the viewer
    offers: tuple[Proposed, ...]  # open proposals, for players
    held: str  # remark that a moderator has stopped the game, and until when
    paused: str  # end of the pause; empty without one
    resume: str  # the address that ends the pause, for players
    propose: str  # the address of the page with all possible proposals, for players
    nudge: SeatAction | None  # the player for whom the game has waited long
    undo: Undo | None  # the turn that the viewer has just played and may undo
    moderate: str  # the address of the desk, for moderators who don't play here

    @property
    def shown(self) -> bool:
        """Return whether there is anything to show at the tile in hand; see ``BESIDES``."""
        return any(value for name, value in zip(self._fields, self, strict=True) if name not in BESIDES)


BESIDES = {"give", "days", "resume", "propose", "moderate"}
"""Fields that are no reason by themselves to show anything at the tile in hand."""


def build_game_actions(scene: Scene, recent: Sequence[Stored]) -> GameActions:
    """Return the actions open to the viewer of *scene* after the *recent* moves. One query each for pending
    proposals, for an offered seat of a private game, and for the viewer's own offered seat."""
    game, me, now = scene.game, scene.me, timezone.now()
    code = [game.code]
    claim = None
    claimable = game.claimable is not None and game.awaited is not None
    if claimable and me is not None and me.played_by_person and me.index != game.awaited:
        assert game.awaited is not None
        claim = SeatAction(reverse("games:claim", args=code), scene.names[game.awaited], game.awaited)
    playing = game.status == Status.PLAYING and me is not None and me.played_by_person
    pause = find_running_pause(game, now) if game.stops else None
    return GameActions(
        come_back=find_way_back(game, me, me.player, now)
        if me is not None and me.player is not None
        else None,
        take_over=_seats_to_take(scene) if me is None else (),
        claim=claim,
        give=reverse("games:give", args=code) if claim else "",
        days=clocks.CLAIM_GIVES.days,
        late=claimable and access.is_on_turn(me, game),
        offers=_offers(scene) if playing and game.open_offers else (),
        held=_describe_hold(game),
        paused="" if pause is None else format_instant(pause.end),
        resume=reverse("games:resume", args=code) if playing and pause else "",
        propose=reverse("games:offers", args=code) if playing else "",
        nudge=_find_nudge(scene),
        undo=_undo(scene, recent),
        moderate=_moderate(scene),
    )


def _find_nudge(scene: Scene) -> SeatAction | None:
    """Return the nudge that the viewer may send. One query if a turn has lasted a day."""
    game, now = scene.game, timezone.now()
    awaited = None if game.awaited is None else scene.seats[game.awaited]
    if game.status != Status.PLAYING or awaited is None or not may_be_nudged(game, scene.me, awaited, now):
        return None
    if is_group_at_limit(limits.NUDGE, build_nudge_group(game), now=now):
        return None
    return SeatAction(reverse("games:nudge", args=[game.code]), scene.names[awaited.index], awaited.index)


def _moderate(scene: Scene) -> str:
    """Return the game's address at the moderators' desk. No query for viewers who aren't staff."""
    if scene.me is not None or not access.is_moderator(scene.viewer):
        return ""
    return reverse("moderation:desk_game", args=[scene.game.code])


def _describe_hold(game: Game) -> str:
    hold = find_hold(game, timezone.now()) if game.stops else None
    if hold is None:
        return ""
    if hold.end == clocks.FOREVER:
        return _("A moderator has stopped the game. Nobody can play, and no clock runs.")
    said = _("A moderator has stopped the game until {until}. Nobody can play, and no clock runs.")
    return said.format(until=format_instant(hold.end))


def _undo(scene: Scene, recent: Sequence[Stored]) -> Undo | None:
    game, now = scene.game, timezone.now()
    if game.settles is None or game.settles <= now or scene.me is None:
        return None
    own = [move["seat"] for move in recent if move["ply"] is not None and move["how"] not in UNKNOWING]
    if own[-1:] != [scene.me.index]:
        return None
    return Undo(reverse("games:undo", args=[game.code]), int((game.settles - now).total_seconds()) + 1)


def _offers(scene: Scene) -> tuple[Proposed, ...]:
    """Return the pending proposals, for a viewer who plays. One query."""
    assert scene.me is not None
    return tuple(
        _build_proposal(offer, scene, scene.me.index)
        for offer in consent.list_open_offers(scene.game, timezone.now())
    )


def _build_proposal(offer: Offer, scene: Scene, mine: int) -> Proposed:
    own = offer.seat == mine
    asked = not own and mine not in offer.agreed

    def address(answer: str) -> str:
        return reverse("games:answer", args=[scene.game.code, offer.pk, answer])

    return Proposed(
        said=format_proposal(offer.kind, scene.names[offer.seat], offer.until),
        means=str(MEANS[Proposal(offer.kind)]),
        agree=address("agree") if asked else "",
        decline=address("decline") if asked else "",
        withdraw=address("decline") if own else "",
    )


def _seats_to_take(scene: Scene) -> tuple[SeatAction, ...]:
    offered = [seat for seat in scene.seats if seat.offered and seat.takeovers < clocks.TAKEOVERS]
    if not offered or not access.may_take_over(scene.viewer, scene.game, scene.seats):
        return ()
    return tuple(
        SeatAction(
            reverse("games:take_over", args=[scene.game.code, seat.index]),
            scene.names[seat.index],
            seat.index,
        )
        for seat in offered
    )
