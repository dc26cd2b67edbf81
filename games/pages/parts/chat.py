"""The chat of a game: at the table for players, in the gallery for spectators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists, Max, OuterRef, Q, Value, Window
from django.db.models.functions import RowNumber
from django.urls import reverse
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


class StoredMessage(NamedTuple):
    """A message as it is stored."""

    pk: int
    room: str
    author: int
    name: str
    closed: datetime | None  # time at which the author's account was closed
    at: datetime
    text: str
    deleted: datetime | None
    blocked: bool  # whether the viewer has blocked the author


class Said(NamedTuple):
    """A message as it is shown."""

    author: str
    url: str  # of the author's page, if there is one
    look: int | None
    at: datetime
    text: str
    folded: bool  # the viewer has blocked the author
    deleted: bool
    report_url: str  # empty where the viewer can't report it
    delete_url: str  # empty where the viewer can't delete it


class Talk(NamedTuple):
    """A page of the chat in one room, oldest message first."""

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
    lines = _newest(scene, rooms) if known is None or known.talked else []
    return tuple(_talk(scene, room, [line for line in lines if line.room == room]) for room in rooms)


def _newest(scene: Scene, rooms: Sequence[Room], before: int = 0) -> list[StoredMessage]:
    """Return the newest messages in each of *rooms*, or those *before* a primary key; of each room one more
    than a page shows, if there are more. One query."""
    found = Message.objects.filter(game=scene.game, room__in=rooms).order_by("-pk")
    if before:
        found = found.filter(pk__lt=before)
    if len(rooms) > 1:  # Django takes long to put a window together, and most pages ask for one room
        back = Window(RowNumber(), partition_by="room", order_by="-pk")
        found = found.annotate(back=back).filter(back__lte=TALK_SHOWN + 1)
    else:
        found = found[: TALK_SHOWN + 1]
    fields = "pk", "room", "author", "author__username", "author__closed", "at", "text", "deleted"
    return [StoredMessage(*row) for row in found.values_list(*fields, _blocked_by(scene.viewer))]


def _blocked_by(viewer: Visitor) -> Exists | Value:
    """Return an annotation of messages: whether *viewer* has blocked the author."""
    if not viewer.is_authenticated:
        return Value(False)
    return Exists(Block.objects.filter(player=viewer, blocked=OuterRef("author")))


def _talk(scene: Scene, room: Room, newest: Sequence[StoredMessage]) -> Talk:
    """Build the page of the *newest* messages, one more than are shown if there are more."""
    looks = {seat.player_id: seat.look for seat in scene.seats}
    shown = newest[:TALK_SHOWN]
    url = scene.urls.talk if room == Room.TABLE else scene.urls.gallery
    return Talk(
        room=room,
        heading=str(HEADINGS[room]),
        remark="" if scene.game.ended else str(REMARKS[room]),
        url=url,
        older_url=f"{url}?before={shown[-1].pk}" if len(newest) > TALK_SHOWN else "",
        may_write=find_chat_room(scene.viewer, scene.game, seated=scene.me is not None) == room,
        lines=tuple(_build_message(line, scene, looks.get(line.author)) for line in reversed(shown)),
        last=shown[0].pk if shown else 0,
    )


def _build_message(line: StoredMessage, scene: Scene, look: int | None) -> Said:
    own, known = line.author == scene.viewer.pk, scene.viewer.is_authenticated
    address = [scene.game.code, line.pk]
    young = line.deleted is None and timezone.now() <= line.at + OWN_FOR
    return Said(
        author=line.name,
        url="" if line.closed else reverse("games:player", args=[line.name]),
        look=look,
        at=line.at,
        text=line.text,
        folded=line.blocked,
        deleted=line.deleted is not None,
        report_url=reverse("moderation:report_message", args=address)
        if known and not own and not line.closed
        else "",
        delete_url=reverse("moderation:delete_message", args=address) if own and young else "",
    )


def load_talk(scene: Scene, room: Room, *, before: int = 0) -> Talk | None:
    """Return the newest messages in *room*, or those *before* a primary key; ``None`` if the viewer may not
    read it."""
    if room not in list_visible_rooms(scene.game, seated=scene.me is not None):
        return None
    return _talk(scene, room, _newest(scene, [room], before))


def find_last_heard(game: Game, viewer: Visitor) -> int:
    """Return the primary key of the newest message that *viewer* may read, by which a page detects new ones;
    0 if there is none. One query."""
    heard = Q(room__in=list_visible_rooms(game, seated=False))
    if viewer.is_authenticated:
        kept = set(list_visible_rooms(game, seated=False)) - set(list_visible_rooms(game, seated=True))
        seat = Seat.objects.filter(game=game, player=viewer)
        heard &= ~Q(Exists(seat), room__in=kept)
    return game.talk.filter(heard).aggregate(last=Max("pk"))["last"] or 0
