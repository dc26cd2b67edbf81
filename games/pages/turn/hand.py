"""The tile in hand and the turn that its player is putting together: what the page shows of it.

The board below does not change while a turn is put together. The marks, the tile as it would lie and its
close-up are a layer of their own, so that a step sends no more than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games import words
from games.drawing.board import BoardPicture, Candidate, Mark, Spot, draw_board, figure_symbol, overlay
from games.pages.scene import Scene
from games.pages.scene.picture import LAYER, Miniature, miniature
from games.pages.turn.draft import Composed, Figure, compose, query, turned, wish, wish_of
from games.pages.turn.preview import preview
from games.rules import Deploy, Game, Placement, Recall
from games.rules.notation import BadNotation, write
from games.words import figure_label

EXAMPLE = "3,-1 r90 city N"  # of a turn as a line
AROUND = 0.16  # how much of its neighbours the close-up shows on each side of the tile, in cells
ROOMY = 11  # columns; on a wide screen the meeple spots of such a board can be hit on the tile itself


class Choice(NamedTuple):
    """One of the meeple spots, or none."""

    url: str
    label: str
    chosen: bool
    spot: str = ""
    figure: str = ""  # its symbol in the sprite; empty for no meeple


class TileChoice(NamedTuple):
    """One of the tiles of a hand."""

    url: str
    id: str
    tile: Miniature
    chosen: bool


@dataclass(frozen=True, slots=True)
class Hand:
    """The panel of whoever is to place a tile."""

    tile: Miniature | None  # none while it is still to be chosen from a hand
    notes: tuple[str, ...]
    layer: SafeString  # marks and candidate, over the board
    tiles: tuple[TileChoice, ...] = ()  # to choose from, where there are several
    naming: str = ""  # a line that names one of them
    placed: bool = False  # a cell is chosen
    decided: bool = False  # about the meeple too: ready to be sent
    close_up: SafeString | None = None
    turn_url: str = ""  # to the next legal rotation
    back_url: str = ""  # to choosing a cell
    choices: tuple[Choice, ...] = ()
    preview: tuple[str, ...] = ()
    line: str = ""  # the turn in notation


def asked(game: Game, asking: Mapping[str, str], line: str = "") -> tuple[Composed, list[str]]:
    """The turn that the query *asking*, or else a *line* of notation, asks for, and notes on what was left
    out of it."""
    notes = []
    try:
        wanted = wish_of(line) if line else wish(asking)
    except BadNotation as error:
        notes.append(words.bad_line(error))
        wanted = wish({})
    composed = compose(game, wanted)
    if composed.refused is not None and not line:
        notes.append(words.refusal(composed.refused))
    return composed, notes


def hand(scene: Scene, composed: Composed, notes: Sequence[str] = ()) -> Hand:
    """The panel for the viewer, who is to place a tile."""
    picture = scene.picture
    game, names, seat = scene.played, scene.names, scene.state.turn_seat
    look = scene.looks[seat]
    table, chosen = scene.urls.table, composed.tile if composed.hand else ""
    url = f"{table}?tile={chosen}" if chosen else table
    marks = tuple(_mark(x, y, url, first=not index) for index, (x, y) in enumerate(composed.cells))
    shown = Hand(
        tile=miniature(composed.tile) if composed.tile else None,
        tiles=tuple(
            TileChoice(f"{table}?tile={id}", id, miniature(id), id == composed.tile) for id in composed.hand
        ),
        naming=f"{composed.hand[0]}@{EXAMPLE}" if composed.hand else "",
        notes=tuple(notes),
        layer=layer(replace(picture, marks=marks)),
    )
    if composed.placement is None or composed.place is None:
        return shown
    x, y, rotation = composed.placement
    turn_url = ""
    if composed.next_rotation is not None:
        turn_url = table + query(
            Placement(x, y, composed.next_rotation),
            turned(composed),
            decided=composed.decided,
            tile=chosen,
        )
    candidate = Candidate(
        composed.tile,
        x,
        y,
        rotation,
        look,
        copy=sum(laid.tile == composed.tile for laid in picture.laid),
        spots=_spots(composed, table),
        href=turn_url,
        label=_("Turn the tile"),
        attributes=_fetching(turn_url, replace_address=True) if turn_url else {},
    )
    after = game.play(composed.place)
    others = tuple(mark for mark in marks if (mark.x, mark.y) != (x, y))
    return replace(
        shown,
        layer=layer(replace(picture, marks=others, candidate=candidate)),
        placed=True,
        decided=composed.decided,
        close_up=close_up(picture, candidate),
        turn_url=turn_url,
        back_url=url,
        choices=tuple(_choices(composed, table, look)),
        preview=tuple(preview(game.state, after, names, seat)),
        line=write(composed.place, with_tile=True),  # so that its repeat is known as such
    )


def layer(picture: BoardPicture) -> SafeString:
    """The layer over the board of *picture*: its marks and its candidate, on the same window."""
    assert picture.window is not None
    left, top, right, bottom = (round(100 * edge) for edge in picture.window)
    roomy = " roomy" if right - left <= 100 * ROOMY else ""
    above = BoardPicture(
        laid=(),
        marks=picture.marks,
        candidate=picture.candidate,
        sprite=picture.sprite,
        sprites=picture.sprites,
    )
    drawn = overlay(above, links=True)
    label = escape(_("Where the tile may lie"))
    return mark_safe(
        f'<svg id="{LAYER}" class="board layer{roomy}" viewBox="{left} {top} {right - left} {bottom - top}"'
        f' role="group" aria-label="{label}"'
        f' hx-target="#turn" hx-select-oob="#{LAYER}" hx-swap="outerHTML show:none" hx-push-url="true">'
        f"{drawn}</svg>"
    )


def close_up(picture: BoardPicture, candidate: Candidate) -> SafeString:
    """The *candidate* large, with the edges of what lies beside it."""
    x, y = candidate.x, candidate.y
    near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    drawn = draw_board(
        BoardPicture(
            laid=tuple(laid for laid in picture.laid if (laid.x, laid.y) in near),
            meeples=tuple(one for one in picture.meeples if (one.x, one.y) in near),
            candidate=candidate,
            title=_("The tile as it would lie, with the places for a meeple"),
            sprite=picture.sprite,
            sprites=picture.sprites,
            window=(x - AROUND, y - AROUND, x + 1 + AROUND, y + 1 + AROUND),
            id="close-up",
            css="near",
        )
    )
    return mark_safe(drawn)


def _mark(x: int, y: int, url: str, *, first: bool) -> Mark:
    """A cell to choose; a key leads to the first one, the arrow keys from there to its neighbours."""
    href = f"{url}{'&' if '?' in url else '?'}at={x},{y}"
    key = {"data-key": "m", "data-focus": ""} if first else {}
    return Mark(x, y, href, words.cell(x, y), attributes={"hx-get": href, **key})


def _fetching(url: str, *, replace_address: bool = False) -> dict[str, str]:
    """The attributes by which htmx follows a link to *url*; with *replace_address* it is no step back."""
    if not replace_address:
        return {"hx-get": url}
    return {"hx-get": url, "hx-replace-url": "true", "hx-push-url": "false"}


def _url(composed: Composed, figure: Figure, url: str) -> str:
    assert composed.placement is not None
    return url + query(composed.placement, figure, decided=True, tile=composed.tile if composed.hand else "")


def _spots(composed: Composed, url: str) -> tuple[Spot, ...]:
    found = []
    for figure in composed.figures:
        if isinstance(figure, Deploy):
            href = _url(composed, figure, url)
            found.append(
                Spot(
                    figure.on,
                    figure.side,
                    href,
                    figure_label(figure),
                    meeple=figure.meeple,
                    chosen=composed.decided and composed.figure == figure,
                    # The list of choices has the same links for the keyboard.
                    attributes={"tabindex": "-1", **_fetching(href, replace_address=True)},
                )
            )
    return tuple(found)


def _choices(composed: Composed, url: str, look: int) -> Iterator[Choice]:
    for figure in composed.figures:
        chosen = composed.decided and composed.figure == figure
        href = _url(composed, figure, url)
        if isinstance(figure, Deploy):
            name = words.figure(figure.meeple, figure.on).capitalize()
            spot = words.spot(figure.on, figure.side)
            yield Choice(href, name, chosen, spot, figure_symbol(look, figure.meeple, figure.on))
        elif isinstance(figure, Recall):
            yield Choice(
                href,
                _("Take the abbot back"),
                chosen,
                words.cell(figure.x, figure.y),
                figure_symbol(look, "abbot", ""),
            )
        else:
            yield Choice(href, _("No meeple"), chosen)
