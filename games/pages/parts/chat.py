"""The chat of a game: at the table for players, in the gallery for spectators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists, Max, OuterRef, Q, Value, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.access import Visitor, find_chat_room, get_viewer_context, list_visible_rooms
from games.models import Block, Game, Message, Room, Seat
from games.pages.scene import Scene
from games.tables.chat import OWN_FOR

TALK_SHOWN = 20
HEADINGS: Mapping[Room, Any] = {Room.TABLE: _("Table talk"), Room.GALLERY: _("Spectators")}
REMARKS: Mapping[Room, Any] = {
    Room.TABLE: "",
    Room.GALLERY: _("The players can read this once the game is over."),
}


class Said(NamedTuple):
    """A message as the viewer sees it."""

    pk: int
    author: str
    closed: bool  # the author has no page any more
    look: int | None
    at: datetime
    text: str
    folded: bool  # the viewer has blocked the author
    deleted: bool
    reportable: bool
    deletable: bool


class Talk(NamedTuple):
    """A page of the chat in one room, oldest message first."""

    code: str  # of the game
    room: str
    heading: str
    remark: str
    url: str
    older_url: str
    may_write: bool
    lines: tuple[Said, ...]
    last: int  # key of the last message, by which a page notices new ones


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
    fields = "pk", "room", "author", "author__username", "author__closed", "at", "text", "deleted"
    viewer, looks = scene.viewer, {seat.player_id: seat.look for seat in scene.seats}
    erasable = timezone.now() - OWN_FOR
    newest: dict[str, list[Said]] = {}
    for pk, room, key, name, closed, at, text, deleted, blocked in messages.values_list(
        *fields, _blocked_by(viewer)
    ):
        said = Said(
            pk=pk,
            author=name,
            closed=closed is not None,
            look=looks.get(key),
            at=at,
            text=text,
            folded=blocked,
            deleted=deleted is not None,
            reportable=viewer.is_authenticated and key != viewer.pk and closed is None,
            deletable=key == viewer.pk and deleted is None and erasable <= at,
        )
        newest.setdefault(room, []).append(said)
    return newest


def _blocked_by(viewer: Visitor) -> Exists | Value:
    """Return an annotation of messages: whether *viewer* has blocked the author."""
    if not viewer.is_authenticated:
        return Value(False)
    return Exists(Block.objects.filter(player=viewer, blocked=OuterRef("author")))


def _talk(scene: Scene, room: Room, newest: Sequence[Said]) -> Talk:
    """Build the page of the *newest* messages, one more than are shown if there are more."""
    shown = newest[:TALK_SHOWN]
    url = scene.urls.talk if room == Room.TABLE else scene.urls.gallery
    return Talk(
        code=scene.game.code,
        room=room,
        heading=str(HEADINGS[room]),
        remark="" if scene.game.ended else str(REMARKS[room]),
        url=url,
        older_url=f"{url}?before={shown[-1].pk}" if len(newest) > TALK_SHOWN else "",
        may_write=find_chat_room(scene.viewer, scene.game, seated=scene.me is not None) == room,
        lines=tuple(reversed(shown)),
        last=shown[0].pk if shown else 0,
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
