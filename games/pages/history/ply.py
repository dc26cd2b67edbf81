"""Pages about the past of a game, for one viewer: the board after each ply, and the score sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import rules
from games.access import Visitor
from games.drawing.board import BoardPicture
from games.models import Game
from games.pages.inspection.layers import Inspection, Target, inspection
from games.pages.parts.highlights import earned, scorings
from games.pages.parts.notes import Notepad, note_for
from games.pages.parts.score_sheet import Part, Sheet, chart, sheet_of
from games.pages.parts.seats import Quarter, SeatCard, quarters, seat_cards
from games.pages.parts.story import Links, Told, last_placements, links_of, told
from games.pages.parts.tiles_left import count_left
from games.pages.scene import Scene
from games.pages.scene.addresses import Steps, Urls
from games.pages.scene.picture import EMPTY_LAYER, Map, figures, map_of, outlines
from games.selectors.moves import FIELDS, Stored


@dataclass(frozen=True, slots=True)
class Moment:
    """The page of one ply: the board after it, and what happened."""

    game: Game
    urls: Urls
    sprite: str
    seats: tuple[SeatCard, ...]
    map: Map
    steps: Steps
    address: str  # of this page, to be passed on
    told: Told | None
    links: Links
    quarters: tuple[Quarter, ...]
    heading: str
    tiles_left: str
    note: Notepad | None  # the viewer's, about this ply
    inspection: Inspection


def moment(
    game: Game,
    ply: int,
    viewer: Visitor,
    *,
    until: int | None = None,
    show: str = "",
    target: Target | None = None,
) -> Moment:
    """The page of the board as it was after *ply*, which has been played; 0 is before any. Playing it back
    stops at the ply *until*. *show* is laid over it, *target* lit.

    :raises NothingThere: at *target*
    """
    move = game.moves.in_force().filter(ply=ply).values(*FIELDS).first() if ply else None
    scene = Scene.of(game, viewer, version=move["version"] if move else 0, ply=ply)
    last = [move] if move else []
    heading = _("The start tile") if ply == 0 else _("After turn {n} of {all}").format(n=ply, all=game.ply)
    return Moment(
        game=game,
        urls=scene.urls,
        sprite=scene.picture.sprite,
        seats=seat_cards(scene, then=True),
        map=map_of(_with_events(scene, last), EMPTY_LAYER),
        steps=scene.steps(until=until),
        address=settings.SITE_URL + scene.urls.ply(ply),
        told=next(iter(told(scene, last)), None),
        links=links_of(scene),
        quarters=quarters(scene),
        heading=heading,
        tiles_left=count_left(scene.state.left),
        note=note_for(game, viewer, ply),
        inspection=inspection(scene, show, target),
    )


def scene_of(game: Game, viewer: Visitor, ply: int | None = None) -> Scene:
    """The board of *game* for *viewer*, now or after *ply*, which has been played, to look closer at it."""
    if not ply:
        return Scene.of(game, viewer, version=ply, ply=ply)
    version = game.moves.in_force().values_list("version", flat=True).get(ply=ply)
    return Scene.of(game, viewer, version=version, ply=ply)


def _with_events(scene: Scene, moves: Sequence[Stored]) -> BoardPicture:
    """The board with what the last *moves* brought: the last tile is outlined, features that scored are lit
    up in their owners' colours, their points stand over whoever earned them, and who went home is still to be
    seen."""
    state, picture = scene.state, scene.picture
    events = [rules.event_from_json(event) for move in moves for event in move["events"]]
    gone = [event for event in events if isinstance(event, rules.Returned)]
    new = {event[2:] for event in events if isinstance(event, rules.Deployed)}
    found = scorings(event for event in events if isinstance(event, rules.Scored) and event.points)
    shown = earned(state.board, found, [*gone, *state.meeples()], scene.seats)
    came = (
        replace(figure, css="new") if (figure.x, figure.y, figure.on, figure.side) in new else figure
        for figure in picture.meeples
    )
    went = figures(gone, scene.looks, scene.names, css="gone")
    return replace(
        picture,
        outlines=outlines(last_placements(moves, 1), scene.looks, scene.names),
        highlights=shown.lights,
        gains=shown.gains,
        meeples=(*went, *came),
    )


class Filter(NamedTuple):
    """A link to the score sheet of one seat, or of all."""

    name: str
    look: int | None
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class Scores:
    """The page of the score sheet."""

    game: Game
    urls: Urls
    seats: tuple[SeatCard, ...]  # who stands over the columns
    sheet: Sheet
    parts: tuple[Part, ...]  # those of the seat that is asked for, else all
    filters: tuple[Filter, ...]
    chart: SafeString


def scores_of(scene: Scene, seat: int | None) -> Scores:
    """The score sheet; turn by turn of one *seat*, or of all."""
    urls = scene.urls
    whole = sheet_of(scene)
    filters = [Filter(_("All"), None, urls.scores, seat is None)]
    for one, name in zip(scene.seats, scene.names, strict=True):
        filters.append(Filter(name, one.look, f"{urls.scores}?seat={one.index}", seat == one.index))
    return Scores(
        game=scene.game,
        urls=urls,
        seats=seat_cards(scene),
        sheet=whole,
        parts=whole.parts if seat is None else whole.of(seat).parts,
        filters=tuple(filters),
        chart=chart(whole, scene.seats, scene.game.ply),
    )
