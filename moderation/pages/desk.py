"""The moderators' desk: queues, and the page of a game with all acts."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import Player
from games.models import ActKind, Ending, Game, Message, Move, Notice, Seat, SeatState, Status, Visibility
from games.pages.parts.status import format_headline
from games.pages.parts.story import StoryEntry, build_story_entries
from games.pages.scene import Scene
from games.pages.scene.picture import draw_svg
from games.play import timing
from games.selectors.lists import build_profile_url
from games.selectors.moves import FIELDS
from games.words.grammar import format_ordinal
from games.words.scores import format_points
from games.words.times import format_span
from moderation.access import filter_talk
from moderation.models import NamedKind
from moderation.pages import signals
from moderation.pages.log import ActLine, build_log_lines
from moderation.selectors import appeals, incidents
from moderation.selectors import desk as found

SHOWN = 50
"""Maximum number of moves and of messages on the page of a game; the admin has the others."""

NOTICES = 20


class QueueLine(NamedTuple):
    """An entry of a queue."""

    what: str
    since: datetime | None
    url: str


class QueueSection(NamedTuple):
    """A queue."""

    slug: str
    title: str
    about: str
    lines: tuple[QueueLine, ...]
    more: bool  # whether there are more than shown


class ModeratorAction(NamedTuple):
    """Link to the form of an act."""

    name: str
    url: str


class WayGroup(NamedTuple):
    """Alternative acts."""

    title: str
    ways: tuple[ModeratorAction, ...]


class DeskSeatLine(NamedTuple):
    """A seat with its possible acts."""

    name: str
    url: str
    state: str
    points: str
    remark: str  # the place, or the time in the bank
    ways: tuple[ModeratorAction, ...]
    games: str  # URL of acts on all games of the player


class DeskTurn(NamedTuple):
    """A move of the record, with a link to roll back to it."""

    at: datetime
    told: StoryEntry
    back_url: str


@dataclass(frozen=True, slots=True)
class GameCase:
    """The page of a game at the desk."""

    game: Game
    board: SafeString
    board_url: str  # empty if only players may see it
    headline: str
    facts: tuple[tuple[str, str], ...]
    deadline: datetime | None
    seats: tuple[DeskSeatLine, ...]
    main: ModeratorAction | None  # stop or resume the game
    groups: tuple[WayGroup, ...]
    turns: tuple[DeskTurn, ...]
    messages: tuple[Message, ...]
    notices: tuple[Notice, ...]
    log: tuple[ActLine, ...]


ABOUT_SIGNALS = _("Possible signs of unfair play. They punish nobody: say what you make of them.")
SIGNALS = found.Queue("signals", _("Signals"), ABOUT_SIGNALS, signals.find_waiting)
QUEUES = (incidents.QUEUE, appeals.QUEUE, SIGNALS, *found.STUCK)
"""Queues in the order of the desk."""


def build_queues(viewer: Player, now: datetime) -> tuple[QueueSection, ...]:
    """Build all queues of the desk without the entries hidden from *viewer*; one query for each, or a few."""
    sections = []
    for queue in QUEUES:
        waiting = [one for one in queue.find(now) if viewer.pk not in one.hidden_from]
        lines = tuple(
            QueueLine(one.what, one.since, one.url or reverse("moderation:desk_game", args=[one.code]))
            for one in waiting[: found.SHOWN]
        )
        sections.append(
            QueueSection(queue.slug, str(queue.title), str(queue.about), lines, len(waiting) > len(lines))
        )
    return tuple(sections)


def build_case(game: Game, viewer: Player, now: datetime) -> GameCase:
    """The page of *game* for *viewer*, who may moderate it."""
    scene = Scene.of(game, viewer)
    moves = list(game.moves.order_by("-version")[:SHOWN])
    talk = filter_talk(game.talk.select_related("author")).order_by("-pk")[:SHOWN]
    owed = game.notices.select_related("recipient").order_by("-pk")[:NOTICES]
    log = build_log_lines(game, scene.names, branches=True, named=True)
    begun, undoable = game.started is not None, _undoable(log)
    return GameCase(
        game=game,
        board=draw_svg(scene.picture) if begun else SafeString(),
        board_url="" if game.visibility == Visibility.PRIVATE else scene.urls.table,
        headline=format_headline(scene) if begun else str(Status(game.status).label),
        facts=tuple(_facts(game, now)),
        deadline=game.deadline,
        seats=tuple(
            _seat(game, seat, name, undoable) for seat, name in zip(scene.seats, scene.names, strict=True)
        ),
        main=next(_stopping(game, now), None),
        groups=tuple(group for group in _groups(game, undoable) if group.ways),
        turns=tuple(_turns(scene, moves)),
        messages=tuple(talk),
        notices=tuple(owed),
        log=log,
    )


def way(game: Game, act: str, name: str, query: str = "") -> ModeratorAction:
    """A link to an *act* on *game*."""
    return ModeratorAction(
        name, reverse("moderation:moderate", args=[game.code, act.replace("_", "-")]) + query
    )


def _facts(game: Game, now: datetime) -> Iterator[tuple[str, str]]:
    yield _("Status"), str(Status(game.status).label)
    if game.ending:
        yield _("How it ended"), str(Ending(game.ending).label)
    yield _("Turns played"), str(game.ply)
    yield _("Tiles left"), str(game.tiles_left)
    yield _("Rated"), _("yes") if game.rated else _("no")
    if timing.find_hold(game, now) is not None:
        yield _("Stopped"), _("by a moderator")


def _undoable(log: Sequence[ActLine]) -> frozenset[tuple[str, int | None]]:
    """The kinds of acts that aren't undone, each with its seat."""
    return frozenset((line.kind, line.seat) for line in log if not line.undone)


def _stopping(game: Game, now: datetime) -> Iterator[ModeratorAction]:
    if game.status == Status.PLAYING:
        if timing.find_hold(game, now) is None:
            yield way(game, ActKind.PAUSE, _("Stop the game"))
        else:
            yield way(game, ActKind.RESUME, _("Let it go on"))


def _groups(game: Game, undoable: Container[object]) -> Iterator[WayGroup]:
    yield WayGroup(_("How it goes on"), tuple(_ways_of_course(game)))
    yield WayGroup(_("How it ends"), tuple(_ways_of_result(game)))
    yield WayGroup(_("Rating and name"), tuple(_ways_of_rating(game, undoable)))


def _ways_of_course(game: Game) -> Iterator[ModeratorAction]:
    if game.status == Status.PLAYING:
        yield way(game, ActKind.EXTEND, _("Give time"))
    if game.started is not None and (game.ply or game.ended):
        yield way(game, ActKind.ROLL_BACK, _("Roll back"))


def _ways_of_result(game: Game) -> Iterator[ModeratorAction]:
    if game.running:
        yield way(game, ActKind.ADJUDICATE, _("Decide the result"))
        yield way(game, ActKind.ABORT, _("End it early, unrated"))
    if game.ending in (Ending.DECIDED, Ending.ANNULLED):
        yield way(game, ActKind.REOPEN, _("Let it go on after all"))


def _ways_of_rating(game: Game, undoable: Container[object]) -> Iterator[ModeratorAction]:
    yield ModeratorAction(
        _("Rename the table"), reverse("moderation:desk_rename", args=[NamedKind.TABLE, game.code])
    )
    if game.rated and game.started is not None:
        yield way(game, ActKind.UNRATE, _("Make it unrated"))
    elif (ActKind.UNRATE, None) in undoable and game.status != Status.ABORTED:
        yield way(game, ActKind.RATE, _("Make it rated again"))


def _seat(game: Game, seat: Seat, name: str, undoable: Container[object]) -> DeskSeatLine:
    return DeskSeatLine(
        name=name,
        url=build_profile_url(seat.player),
        state="" if seat.state == SeatState.PLAYING else str(SeatState(seat.state).label),
        points=format_points(seat.score),
        remark=_remark(game, seat),
        ways=tuple(_ways_of_seat(game, seat, undoable)),
        games=reverse("moderation:desk_person", args=[name]) if build_profile_url(seat.player) else "",
    )


def _remark(game: Game, seat: Seat) -> str:
    if seat.rank:
        return format_ordinal(seat.rank)
    if not seat.played_by_person or game.ended:
        return ""
    return _("time bank {time}").format(time=format_span(seat.bank))


def _ways_of_seat(game: Game, seat: Seat, undoable: Container[object]) -> Iterator[ModeratorAction]:
    if game.status != Status.PLAYING or seat.player is None or seat.left:
        return
    at = f"?seat={seat.index}"
    yield way(game, ActKind.REPLACE, _("Replace"), at)
    if (ActKind.REPLACE, seat.index) in undoable:
        yield way(game, ActKind.GIVE_BACK, _("Give back"), at)
    if seat.state == SeatState.PLAYING:
        yield way(game, ActKind.LADDER, _("Treat as lost on time"), at)


def _turns(scene: Scene, moves: Sequence[Move]) -> Iterator[DeskTurn]:
    """The *moves* in force, the last one first."""
    for move in moves:
        if move.withdrawn is not None:
            continue
        for one in build_story_entries(scene, [{name: getattr(move, name) for name in FIELDS}]):
            back = move.ply is not None and move.ply < scene.game.ply
            url = way(scene.game, ActKind.ROLL_BACK, "", f"?ply={move.ply}").url if back else ""
            yield DeskTurn(move.at, one, url)
