"""URLs, seats and turns of games in a browser."""

from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games.models import Game
from games.play import positions


def build_game_url(site: LiveServer, game: Game, name: str = "table", *args: int) -> str:
    return site.url + reverse(f"games:{name}", args=[game.code, *args])


def get_awaited_player(game: Game) -> Player:
    player = game.seats.get(index=game.awaited).player
    assert player is not None
    return player


def build_turn_query(game: Game) -> str:
    """Build the query of a complete turn, with a meeple where one may stand."""
    legal = list(positions.load_position(game).legal_actions())
    action = next((action for action in legal if action.figure), legal[0])
    query = f"?at={action.x},{action.y}&r={action.rotation}"
    if action.figure is None:
        return f"{query}&on=none"
    return f"{query}&on={action.figure.on}" + (f"&side={action.figure.side}" if action.figure.side else "")
