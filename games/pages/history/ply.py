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
from games.pages.inspection.layers import Inspection, Target, build_inspection
from games.pages.parts.highlights import collect_earned, group_scorings
from games.pages.parts.notes import Notepad, load_note
from games.pages.parts.score_sheet import Sheet, SheetPart, draw_sheet_chart, load_sheet
from games.pages.parts.seats import QuarterCard, SeatCard, build_quarters, build_seat_cards
from games.pages.parts.story import Links, StoryEntry, build_links, build_story_entries, list_last_placements
from games.pages.parts.tiles_left import format_count_left
from games.pages.scene import Scene
from games.pages.scene.addresses import Steps, Urls
from games.pages.scene.picture import EMPTY_LAYER, Map, build_figures, build_map, build_outlines
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
    told: StoryEntry | None
    links: Links
    quarters: tuple[QuarterCard, ...]
    heading: str
    tiles_left: str
    note: Notepad | None  # the viewer's, about this ply
    inspection: Inspection


def build_moment(
    game: Game,
    ply: int,
    viewer: Visitor,
    *,
    until: int | None = None,
    show: str = "",
    target: Target | None = None,
) -> Moment:
    """Build the page of the board after *ply*, which has been played; 0 is before any. Playback stops at the
    ply *until*. *show* names an overlay, *target* the place inspected.

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
        seats=build_seat_cards(scene, then=True),
        map=build_map(_with_events(scene, last), EMPTY_LAYER),
        steps=scene.steps(until=until),
        address=settings.SITE_URL + scene.urls.ply(ply),
        told=next(iter(build_story_entries(scene, last)), None),
        links=build_links(scene),
        quarters=build_quarters(scene),
        heading=heading,
        tiles_left=format_count_left(scene.state.left),
        note=load_note(game, viewer, ply),
        inspection=build_inspection(scene, show, target),
    )


def load_scene(game: Game, viewer: Visitor, ply: int | None = None) -> Scene:
    """Return the scene of *game* for *viewer*, now or after *ply*, which has been played."""
    if not ply:
        return Scene.of(game, viewer, version=ply, ply=ply)
    version = game.moves.in_force().values_list("version", flat=True).get(ply=ply)
    return Scene.of(game, viewer, version=version, ply=ply)


def _with_events(scene: Scene, moves: Sequence[Stored]) -> BoardPicture:
    """Draw the events of the last *moves*: the last tile outlined, scored features highlighted in their
    owners' colours with the points at the scoring figures, and figures that were returned still visible."""
    state, picture = scene.state, scene.picture
    events = [rules.event_from_json(event) for move in moves for event in move["events"]]
    gone = [event for event in events if isinstance(event, rules.Returned)]
    new = {event[2:] for event in events if isinstance(event, rules.Deployed)}
    found = group_scorings(event for event in events if isinstance(event, rules.Scored) and event.points)
    shown = collect_earned(state.board, found, [*gone, *state.meeples()], scene.seats)
    came = (
        replace(figure, css="new") if (figure.x, figure.y, figure.on, figure.side) in new else figure
        for figure in picture.meeples
    )
    went = build_figures(gone, scene.looks, scene.names, css="gone")
    return replace(
        picture,
        outlines=build_outlines(list_last_placements(moves, 1), scene.looks, scene.names),
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
    seats: tuple[SeatCard, ...]  # heads of the columns
    sheet: Sheet
    parts: tuple[SheetPart, ...]  # those of the seat that is asked for, else all
    filters: tuple[Filter, ...]
    chart: SafeString


def build_scores(scene: Scene, seat: int | None) -> Scores:
    """Build the score sheet, with the turns of one *seat* or of all."""
    urls = scene.urls
    whole = load_sheet(scene)
    filters = [Filter(_("All"), None, urls.scores, seat is None)]
    for one, name in zip(scene.seats, scene.names, strict=True):
        filters.append(Filter(name, one.look, f"{urls.scores}?seat={one.index}", seat == one.index))
    return Scores(
        game=scene.game,
        urls=urls,
        seats=build_seat_cards(scene),
        sheet=whole,
        parts=whole.parts if seat is None else whole.of(seat).parts,
        filters=tuple(filters),
        chart=draw_sheet_chart(whole, scene.seats, scene.game.ply),
    )
