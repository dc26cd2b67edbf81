"""The tile in hand and the turn that its player composes, as shown on the page.

The board itself does not change meanwhile. The marks, the tile in its place and the rings for meeples are a
separate layer, so that each step sends only that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games import words
from games.drawing.board import (
    BoardPicture,
    CandidateSpot,
    CandidateTile,
    Mark,
    draw_above_tiles,
    get_figure_symbol,
)
from games.drawing.layers import Area, draw_lit_feature
from games.pages.scene import Scene
from games.pages.scene.picture import LAYER, Miniature, build_miniature, build_shapes, build_tile_address
from games.pages.turn.draft import (
    Composed,
    Figure,
    build_turn_query,
    compose,
    parse_line,
    parse_query,
    turn_figure,
)
from games.pages.turn.preview import preview
from games.rules import Deploy, Game, Placement, Recall, State
from games.rules.notation import BadNotation, write
from games.words import label_figure
from games.words.grammar import capitalise

EXAMPLE = "3,-1 r90 city N"  # of a turn as a line


class FigureOption(NamedTuple):
    """An option on the strip of figures: one of them, or none."""

    url: str
    label: str
    chosen: bool
    symbol: str = ""  # of the figure in the sprite; empty for no meeple
    remark: str = ""  # number in hand, or place of the figure
    key: str = ""
    back: bool = False  # the figure is taken back


class Idle(NamedTuple):
    """A figure of the seat that can't be placed on this tile."""

    symbol: str
    why: str


class TileChoice(NamedTuple):
    """One of the tiles of a hand."""

    url: str
    id: str
    tile: Miniature
    chosen: bool


@dataclass(frozen=True, slots=True)
class Hand:
    """The panel of the player who is to place a tile."""

    tile: Miniature | None  # none while it is still to be chosen from a hand
    notes: tuple[str, ...]
    layer: SafeString  # marks and candidate, over the board
    tiles: tuple[TileChoice, ...] = ()  # to choose from, where there are several
    naming: str = ""  # a line that names one of them
    placed: bool = False  # a cell is chosen
    decided: bool = False  # about the meeple too: ready to be sent
    laid: str = ""  # the address of the tile as it lies
    place: str = ""  # its place, in words
    way: str = ""  # its position among the legal rotations
    back_url: str = ""  # to choosing a cell
    strip: tuple[FigureOption, ...] = ()
    idle: tuple[Idle, ...] = ()
    chosen: str = ""  # the figure and its place, or what is still to be chosen
    preview: tuple[str, ...] = ()
    line: str = ""  # the turn in notation, without a figure until that is decided


def compose_asked_turn(game: Game, asking: Mapping[str, str], line: str = "") -> tuple[Composed, list[str]]:
    """Compose the turn in the query *asking*, or in a *line* of notation; return notes on parts that were
    left out."""
    notes = []
    try:
        wanted = parse_line(line) if line else parse_query(asking)
    except BadNotation as error:
        notes.append(words.explain_bad_line(error))
        wanted = parse_query({})
    composed = compose(game, wanted)
    if composed.refused is not None and not line:
        notes.append(words.explain_refusal(composed.refused))
    return composed, notes


def build_hand(
    scene: Scene, game: Game, composed: Composed, notes: Sequence[str] = (), *, table: str
) -> Hand:
    """Build the panel for the viewer, who is to place a tile in *game*: that of *scene*, or a supposed one.
    *table* is the address of the page, to which the choices are added."""
    picture = scene.picture
    names, seat = scene.names, game.state.turn_seat
    look = scene.looks[seat]
    chosen = composed.tile if composed.hand else ""
    url = f"{table}?tile={chosen}" if chosen else table
    marks = tuple(
        _mark(x, y, url, ghost=(composed.tile, rotation), first=not index)
        for index, ((x, y), rotation) in enumerate(composed.cells.items())
    )
    shown = Hand(
        tile=build_miniature(composed.tile) if composed.tile else None,
        tiles=tuple(
            TileChoice(f"{table}?tile={id}", id, build_miniature(id), id == composed.tile)
            for id in composed.hand
        ),
        naming=f"{composed.hand[0]}@{EXAMPLE}" if composed.hand else "",
        notes=tuple(notes),
        layer=draw_hand_layer(replace(picture, marks=marks)),
    )
    if composed.placement is None or composed.place is None:
        return shown
    x, y, rotation = composed.placement
    turn_url = ""
    if composed.next_rotation is not None:
        turn_url = table + build_turn_query(
            Placement(x, y, composed.next_rotation),
            turn_figure(composed),
            decided=composed.decided,
            tile=chosen,
        )
    after = game.play(composed.place)
    candidate = CandidateTile(
        composed.tile,
        x,
        y,
        rotation,
        look,
        copy=sum(laid.tile == composed.tile for laid in picture.laid),
        spots=_spots(game.state, composed, table),
        href=turn_url,
        label=_("Rotate the tile"),
        attributes={**_fetching(turn_url, replace_address=True), "data-key": "r"} if turn_url else {},
        light=_light(scene, after.state, composed.figure, composed.placement, look),
        by_finger=True,
    )
    others = tuple(mark for mark in marks if (mark.x, mark.y) != (x, y))
    supply = game.state.supply[seat]
    return replace(
        shown,
        layer=draw_hand_layer(replace(picture, marks=others, candidate=candidate)),
        placed=True,
        decided=composed.decided,
        laid=build_tile_address(composed.tile, rotation),
        place=capitalise(words.name_cell(x, y)),
        way=_way(composed),
        back_url=url,
        strip=tuple(_strip(game.state, composed, table, look)),
        idle=tuple(_idle(composed, look, supply)),
        chosen=_describe_choice(game.state, composed),
        preview=tuple(preview(game.state, after, names, seat)) if composed.decided else (),
        line=write(composed.place, with_tile=True),  # with the tile, so that a repeated request is recognised
    )


def _describe_choice(state: State, composed: Composed) -> str:
    if composed.decided:
        return f"{label_figure(state, composed.figure, composed.lying)}."
    if not composed.meeple:
        recall = next(figure for figure in composed.figures if isinstance(figure, Recall))
        return str(words.RETURNS[state.find_recalled_figure(recall)].asks)
    figure = capitalise(str(words.FIGURES[composed.meeple]))
    return _("{figure}: choose its place, or no meeple.").format(figure=figure)


def _way(composed: Composed) -> str:
    assert composed.placement is not None
    many = len(composed.rotations)
    if many == 1:
        return _("It fits one way only.")
    return _("Rotation {n} of {many}. Tap the tile to rotate.").format(
        n=composed.rotations.index(composed.placement.rotation) + 1, many=many
    )


def _light(scene: Scene, after: State, figure: Figure, placement: Placement, look: int) -> str:
    """Highlight the feature on which *figure* is placed, in the colour of its seat."""
    if not isinstance(figure, Deploy):
        return ""
    feature = after.feature_at(placement.x, placement.y, figure.on, figure.side)
    lit = Area(build_shapes(after, feature), (look,))
    return draw_lit_feature(lit, replace(scene.picture, meeples=()))


def draw_hand_layer(picture: BoardPicture) -> SafeString:
    """The layer over the board of *picture*: its marks and its candidate, on the same window."""
    assert picture.window is not None
    left, top, right, bottom = (round(100 * edge) for edge in picture.window)
    above = BoardPicture(
        laid=(),
        marks=picture.marks,
        candidate=picture.candidate,
        sprite=picture.sprite,
        sprites=picture.sprites,
    )
    drawn = draw_above_tiles(above, links=True)
    label = escape(_("Where the tile fits"))
    return mark_safe(
        f'<svg id="{LAYER}" class="board layer" viewBox="{left} {top} {right - left} {bottom - top}"'
        f' role="group" aria-label="{label}"'
        f' hx-target="#turn" hx-select-oob="#{LAYER}" hx-swap="outerHTML show:none" hx-push-url="true"'
        f' hx-sync="#content:replace">'
        f"{drawn}</svg>"
    )


def _mark(x: int, y: int, url: str, *, ghost: tuple[str, int], first: bool) -> Mark:
    """A cell to choose; a key leads to the first one, the arrow keys from there to its neighbours."""
    href = f"{url}{'&' if '?' in url else '?'}at={x},{y}"
    key = {"data-key": "m", "data-focus": ""} if first else {}
    return Mark(x, y, href, words.name_cell(x, y), attributes={"hx-get": href, **key}, ghost=ghost)


def _fetching(url: str, *, replace_address: bool = False) -> dict[str, str]:
    """The htmx attributes of a link to *url*; with *replace_address* it adds no history entry."""
    if not replace_address:
        return {"hx-get": url}
    return {"hx-get": url, "hx-replace-url": "true", "hx-push-url": "false"}


def _url(composed: Composed, figure: Figure, url: str, *, decided: bool = True, meeple: str = "") -> str:
    assert composed.placement is not None
    chosen = composed.tile if composed.hand else ""
    return url + build_turn_query(composed.placement, figure, decided=decided, tile=chosen, meeple=meeple)


def _spots(state: State, composed: Composed, url: str) -> tuple[CandidateSpot, ...]:
    """The places for the figure that is shown; digits press their rings."""
    places = [
        figure
        for figure in composed.figures
        if isinstance(figure, Deploy) and figure.meeple == composed.meeple
    ]
    spots = []
    for number, figure in enumerate(places, 1):
        href = _url(composed, figure, url)
        spots.append(
            CandidateSpot(
                figure.on,
                figure.side,
                href,
                label_figure(state, figure, composed.lying),
                meeple=figure.meeple,
                chosen=composed.decided and composed.figure == figure,
                attributes={
                    "id": f"place-{number}",
                    "data-key": str(number),
                    **_fetching(href, replace_address=True),
                },
            )
        )
    return tuple(spots)


def _strip(state: State, composed: Composed, url: str, look: int) -> Iterator[FigureOption]:
    """Yield no meeple, each figure with a place on the tile, and returning one. The key ``x`` presses the
    first, ``f`` goes on to the next figure."""
    supply = state.supply[state.turn_seat]
    chosen = composed.figure if composed.decided else None
    none = composed.decided and chosen is None
    yield FigureOption(_url(composed, None, url), _("No meeple"), none, key="x")
    offered = _list_offered_meeples(composed)
    following = offered[(offered.index(composed.meeple) + 1) % len(offered)] if len(offered) > 1 else ""
    for meeple in offered:
        yield FigureOption(
            _url(composed, None, url, decided=False, meeple=meeple),
            capitalise(str(words.FIGURES[meeple])),
            meeple == composed.meeple and not none and not isinstance(chosen, Recall),
            get_figure_symbol(look, meeple, ""),
            f"×{supply[meeple]}",
            "f" if meeple == following else "",
        )
    for option in composed.figures:
        if isinstance(option, Recall):
            figure = state.find_recalled_figure(option)
            yield FigureOption(
                _url(composed, option, url),
                str(words.RETURNS[figure].label),
                chosen == option,
                get_figure_symbol(look, figure, ""),
                words.name_cell(option.x, option.y),
                back=True,
            )


def _list_offered_meeples(composed: Composed) -> list[str]:
    return list(dict.fromkeys(figure.meeple for figure in composed.figures if isinstance(figure, Deploy)))


def _idle(composed: Composed, look: int, supply: Mapping[str, int]) -> Iterator[Idle]:
    offered = _list_offered_meeples(composed)
    for meeple, number in supply.items():
        if meeple not in offered:
            why = _("{figure}: nowhere to go here") if number else _("{figure}: none in hand")
            name = capitalise(str(words.FIGURES[meeple]))
            yield Idle(get_figure_symbol(look, meeple, ""), why.format(figure=name))
