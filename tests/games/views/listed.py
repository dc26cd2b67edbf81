"""Lists of games, as tests read them from a page."""

from django.test import Client

from games import play
from games.models import Game
from tests.games.factories import (
    NOW,
    make_game,
    play_turns,
)
from tests.html import Page, words


def signed_in(client: Client, player) -> Client:
    client.force_login(player)
    return client


def boards(response) -> int:
    """The number of thumbnails on the page."""
    return len(Page(response).all("img.thumbnail"))


def names_in(element) -> list[str]:
    """The names of games and tables in a part of a page, in order, without what follows them."""
    return [next(heading.stripped_strings) for heading in element.select("li h3")]


def cards(response) -> list[str]:
    """The names of the games and tables shown as rows and cards, in order."""
    return [next(heading.stripped_strings) for heading in Page(response).all("li h3")]


def sections(response) -> dict[str, list[str]]:
    """The names of games and tables by heading."""
    return {words(element.h2): names_in(element) for element in Page(response).all("#games section")}


def column(response, part: str) -> list[str]:
    """The texts of the elements with that class in rows of games, in order."""
    return Page(response).texts(f".rows .{part}")


def page_links(response) -> dict[str, str]:
    """The URLs of the links to other pages: ``next``, ``prev``."""
    return {element["rel"][0]: element["href"] for element in Page(response).all("nav.pages a")}


def icon(response) -> tuple[str, str]:
    """The window's icon, and the number of waiting games that it shows."""
    link = Page(response).one("link#icon")
    return str(link["href"]), str(link["data-waiting"])


def finished(response) -> list[str]:
    """The games in a table of finished ones."""
    return Page(response).texts("table.finished tbody td:first-child a")


def finished_game(**settings) -> Game:
    """Make a short game: Anna resigns after both have played."""
    game = play_turns(make_game(**settings), 4)
    return play.resign(game_id=game.pk, seat=0, now=NOW)
