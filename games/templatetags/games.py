"""Small drawings in the middle of a page's text."""

from collections import Counter

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.drawing.board import BoardPicture, LaidTile, Outline, draw_board, sprite_name
from games.drawing.figures import BODY
from games.selectors import GameLine

register = template.Library()


@register.simple_tag
def meeple(look: int | None, lying: bool = False) -> SafeString:
    """The figure of the seat with that *look*, standing or *lying*; without one a figure of no colour yet."""
    if look is None:
        return format_html(
            '<svg class="meeple plain" viewBox="-16 -16 32 32" aria-hidden="true"><path d="{}"/></svg>', BODY
        )
    return format_html(
        '<svg class="meeple" viewBox="-16 -16 32 32" aria-hidden="true"><use href="{}#{}{}"/></svg>',
        static(sprite_name()),
        "l" if lying else "m",
        look,
    )


@register.simple_tag
def miniature(line: GameLine) -> SafeString:
    """The board of a game in a list, without meeples; the last turn is outlined in its seat's colour."""
    placed = [(start.id, x, y, 0) for start, x, y in line.game.rules.start]
    for tile in line.tiles:
        assert tile.x is not None and tile.y is not None and tile.rotation is not None  # it lies
        placed.append((tile.kind, tile.x, tile.y, tile.rotation))
    copies: Counter[str] = Counter()
    laid = []
    for kind, x, y, rotation in placed:
        laid.append(LaidTile(kind, x, y, rotation, copies[kind]))
        copies[kind] += 1
    outlines = []
    if line.last is not None and line.last.seat is not None:
        x, y = line.last.action["at"]
        outlines.append(Outline(x, y, line.seats[line.last.seat].seat.look))
    picture = BoardPicture(
        laid=tuple(laid),
        outlines=tuple(outlines),
        title=line.game.name,
        sprite=static(sprite_name()),
        margin=0.1,
        id=f"board-{line.game.code}",
        css="miniature",
    )
    return mark_safe(draw_board(picture))
