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
from games.models import Game
from games.words.scores import format_standing

register = template.Library()
register.filter("flag", build_flag)
register.filter("country_name", name_country)


@register.simple_tag
def portrait(player: Player) -> SafeString:
    """Draw the picture of *player*: a photo, a coat of arms or a meeple. Their name stands beside it."""
    return draw_photo(player.get_photo_url()) if player.photo else draw_portrait(player.shown_picture)


@register.filter
def draw_photo(url: str) -> SafeString:
    """Draw the photo at the address *url*."""
    return format_html(
        '<img class="portrait photo" src="{}" alt="" width="{side}" height="{side}" loading="lazy">',
        url,
        side=PHOTO_SIDE,
    )


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
def standing_of(game: Game, player: Player) -> str:
    """Say how *player* stands in the running *game* of a list; empty if they have left it."""
    at = next((at for at, seat in enumerate(game.seated) if seat.player_id == player.pk), None)
    return "" if at is None else format_standing([seat.score for seat in game.seated], at)


@register.filter
def others_than(game: Game, player: Player) -> str:
    """Name everybody in the *game* of a list but *player*."""
    return ", ".join(seat.name for seat in game.seated if seat.player_id != player.pk)
