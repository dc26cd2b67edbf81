"""The chat of a game: at the table for players, in the gallery for spectators."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, Max, OuterRef, Q, Value, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from games.access import Visitor, find_chat_room, get_viewer_context, list_visible_rooms
from games.models import Block, Game, Message, Room, Seat
from games.pages.scene import Scene
from games.tables.chat import OWN_FOR

TALK_SHOWN = 20
FIELDS = (
    "room", "at", "text", "deleted",
    "author__username", "author__closed", "author__picture", "author__photo",
)  # fmt: skip


class Said(NamedTuple):
    """A message as the viewer sees it. Plain values, so that equal pages of a chat share a cache entry."""

    pk: int
    author: str
    closed: bool  # the author has no page any more
    picture: str  # of the author, of our own
    photo: str  # address of the photo in its place, if there is one
    look: int | None
    at: datetime
    text: str
    folded: bool  # the viewer has blocked the author
    deleted: bool
    reportable: bool
    deletable: bool


class Talk(NamedTuple):
    """A page of the chat in one room. Plain values, like its messages."""

    code: str  # of the game
    room: str
    over: bool  # the game is over, so that its players read all rooms
    may_write: bool
    lines: tuple[Said, ...]  # oldest first
    older: bool  # there are older messages

    @property
    def last(self) -> int:
        """The primary key of the last message, by which a page notices new ones."""
        return self.lines[-1].pk if self.lines else 0


def load_talks(scene: Scene) -> tuple[Talk, ...]:
    """Return the latest messages that the viewer may read. One query; none where the chat is known to be
    empty."""
    rooms = list_visible_rooms(scene.game, seated=scene.me is not None)
    known = get_viewer_context(scene.viewer, scene.game)
    newest = _load_newest(scene, rooms) if known is None or known.talked else {}
    return tuple(_talk(scene, room, newest.get(room, [])) for room in rooms)


def _load_newest(scene: Scene, rooms: Sequence[Room], before: int = 0) -> dict[str, list[Said]]:
    """Return the newest messages by room, for each of *rooms*, or those *before* a primary key; of each room
    one more than a page shows, if there are more. One query."""
    messages = Message.objects.filter(game=scene.game, room__in=rooms).order_by("-pk")
    if before:
        messages = messages.filter(pk__lt=before)
    if len(rooms) > 1:  # Django takes long to put a window together, and most pages ask for one room
        back = Window(RowNumber(), partition_by="room", order_by="-pk")
        messages = messages.annotate(back=back).filter(back__lte=TALK_SHOWN + 1)
    else:
        messages = messages[: TALK_SHOWN + 1]
    messages = messages.annotate(folded=_blocked_by(scene.viewer)).select_related("author").only(*FIELDS)
    erasable = timezone.now() - OWN_FOR
    newest: dict[str, list[Said]] = {}
    for message in messages:
        newest.setdefault(message.room, []).append(_build_said(message, scene, erasable))
    return newest


def _build_said(message: Message, scene: Scene, erasable: datetime) -> Said:
    """Build *message*; its author may delete it if it was written after *erasable*."""
    author, viewer, deleted = message.author, scene.viewer, message.deleted is not None
    return Said(
        pk=message.pk,
        author=author.username,
        closed=author.closed is not None,
        picture=author.shown_picture,
        photo=author.get_photo_url(),
        look=next((seat.look for seat in scene.seats if seat.player_id == author.pk), None),
        at=message.at,
        text=message.text,
        folded=message.folded,  # type: ignore[attr-defined]
        deleted=deleted,
        reportable=viewer.is_authenticated and author != viewer and author.closed is None,
        deletable=author == viewer and not deleted and erasable <= message.at,
    )


def _blocked_by(viewer: Visitor) -> Exists | Value:
    """Return an annotation of messages: whether *viewer* has blocked the author."""
    if not viewer.is_authenticated:
        return Value(False)
    return Exists(Block.objects.filter(player=viewer, blocked=OuterRef("author")))


def _talk(scene: Scene, room: Room, newest: Sequence[Said]) -> Talk:
    """Build the page of the *newest* messages, one more than are shown if there are more."""
    return Talk(
        code=scene.game.code,
        room=room,
        over=scene.game.ended,
        may_write=find_chat_room(scene.viewer, scene.game, seated=scene.me is not None) == room,
        lines=tuple(reversed(newest[:TALK_SHOWN])),
        older=len(newest) > TALK_SHOWN,
    )


def load_talk(scene: Scene, room: Room, *, before: int = 0) -> Talk | None:
    """Return the newest messages in *room*, or those *before* a primary key; ``None`` if the viewer may not
    read it."""
    if room not in list_visible_rooms(scene.game, seated=scene.me is not None):
        return None
    return _talk(scene, room, _load_newest(scene, [room], before).get(room, []))


def find_last_heard(game: Game, viewer: Visitor) -> int:
    """Return the primary key of the newest message that *viewer* may read, by which a page detects new ones;
    0 if there is none. One query."""
    heard = Q(room__in=list_visible_rooms(game, seated=False))
    if viewer.is_authenticated:
        kept = set(list_visible_rooms(game, seated=False)) - set(list_visible_rooms(game, seated=True))
        seat = Seat.objects.filter(game=game, player=viewer)
        heard &= ~Q(Exists(seat), room__in=kept)
    return game.talk.filter(heard).aggregate(last=Max("pk"))["last"] or 0
