"""Template tags for players: their pictures, and how they stand in a game of a list."""

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.countries import build_flag, name_country
from accounts.models import Player
from accounts.pictures import MEEPLES, PHOTO_SIDE
from games.drawing.board import find_sprite_name
from games.selectors.lists import GameLine
from games.words.scores import format_standing

register = template.Library()
register.filter("flag", build_flag)
register.filter("country_name", name_country)


@register.simple_tag
def portrait(player: Player) -> SafeString:
    """Draw the picture of *player*: a photo, a coat of arms or a meeple. Their name stands beside it."""
    if player.photo:
        return format_html(
            '<img class="portrait photo" src="{}" alt="" width="{side}" height="{side}" loading="lazy">',
            player.get_photo_url(),
            side=PHOTO_SIDE,
        )
    return draw_portrait(player.shown_picture)


@register.filter
@cache
def draw_portrait(picture: str) -> SafeString:
    """Draw one of the pictures among which players choose."""
    if picture in MEEPLES:
        view, symbol = "-13 -14 26 28", f"{static(find_sprite_name())}#m{picture.removeprefix('meeple')}"
    else:
        view, symbol = "0 0 40 48", f"{static('img/arms.svg')}#{picture}"
    return format_html(
        '<svg class="portrait" viewBox="{}" aria-hidden="true"><use href="{}"/></svg>', view, symbol
    )


@register.filter
def standing_of(line: GameLine, player: Player) -> str:
    """Say how *player* stands in the running game of *line*; empty if they have left it."""
    at = next((at for at, seat in enumerate(line.seats) if seat.player_id == player.pk), None)
    return "" if at is None else format_standing([seat.score for seat in line.seats], at)


@register.filter
def others_than(line: GameLine, player: Player) -> str:
    """Name everybody in the game of *line* but *player*."""
    return ", ".join(seat.name for seat in line.seats if seat.player_id != player.pk)
