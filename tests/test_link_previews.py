"""Tests of link previews (Open Graph): what other sites show beside a link, and what they never learn."""

import io
from collections.abc import Iterator

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from PIL import Image

from games import tables
from games.models import Game
from tests.games.factories import NOW, make_game, make_table, play_turns
from tests.games.play.deal_helpers import begin_game_of_deal, make_deal
from tests.games.visitors import signed_in
from tests.html import Page
from tests.leagues.season_helpers import begin_season

pytestmark = pytest.mark.django_db
SITE = "https://carcassonne.example"
TAGS = {
    *("og:site_name", "og:type", "og:url", "og:title", "og:description"),
    *("og:image", "og:image:width", "og:image:height", "og:image:alt"),
}
HOSTILE = "\"><b>name</b> & 'more'"
ADDRESS = "guest@example.com"


def read_tags(page: Page) -> dict[str, str]:
    """Return the tags of a page, which has each at most once."""
    tags = [
        (str(element["property"]), str(element["content"])) for element in page.all("meta[property^='og:']")
    ]
    assert len(tags) == len(dict(tags)), "no tag is there twice"
    return {name: " ".join(text.split()) for name, text in tags}


def open_pages() -> Iterator[tuple[str, str, str]]:
    """Yield each kind of page that anybody may open: its path, title and what its text says."""
    game = play_turns(make_game(), 3)
    anna = game.host
    Game.objects.filter(pk=game.pk).update(name=HOSTILE)
    yield reverse("games:home"), "Carcassonne by correspondence", "friends or strangers"
    yield reverse("games:table", args=[game.code]), HOSTILE, "Anna"
    yield reverse("games:ply", args=[game.code, 1]), HOSTILE, "After turn 1 of 3"
    table = make_table(host=anna, name="Evening")
    yield reverse("games:table", args=[table.code]), "Evening", "free"
    closed = make_table(host=anna, name="Morning")
    tables.cancel(game_id=closed.pk, player=anna, now=NOW)
    yield reverse("games:table", args=[closed.code]), "Morning", "closed"
    for name, asked in {
        "by link": tables.invite_by_link(game_id=table.pk, inviter=anna, now=NOW),
        "by email": tables.invite(game_id=make_table(host=anna).pk, inviter=anna, address=ADDRESS, now=NOW),
    }.items():
        assert asked, name
        yield reverse("games:invitation", args=[asked.token]), "Anna has invited you to a game", "·"
    yield reverse("games:player", args=["Anna"]), "Anna", "Here since"
    begin_season(4, division_size=4)
    for path in ("", "1/", "1/1/"):
        yield f"/leagues/cup-of-foix/{path}", "Cup of Foix", ""
    yield reverse("account_login"), "Carcassonne by correspondence", "friends or strangers"


def test_every_kind_of_page_that_anybody_may_open_has_a_preview() -> None:
    for path, title, text in open_pages():
        answer = Client().get(path)
        assert answer.status_code == 200, path
        page = Page(answer)
        tags = read_tags(page)
        assert tags.keys() == TAGS and all(tags.values()), path
        assert (tags["og:title"], tags["og:url"]) == (title, SITE + path)
        assert text in tags["og:description"], path
        assert ADDRESS not in str(tags), path
        assert page.one("meta[name='twitter:card']")["content"] == "summary_large_image"
        assert tags["og:image"].startswith(f"{SITE}/"), path
        assert load_size(tags["og:image"].removeprefix(SITE)) == (1200, 630), path


def load_size(path: str) -> tuple[int, int]:
    """Return the size of the picture at *path*, as anybody gets it."""
    if path.startswith("/static/"):
        location = finders.find(path.removeprefix("/static/"))
        assert isinstance(location, str), path
        with Image.open(location) as image:
            return image.size
    answer = Client().get(path)
    assert answer.status_code == 200 and answer["Content-Type"] == "image/png", path
    return Image.open(io.BytesIO(answer.content)).size


def hidden_games() -> Iterator[tuple[str, Game]]:
    """Yield each kind of game that strangers may not look at."""
    private = play_turns(make_game(visibility="private"), 2)
    hidden = {
        "private game": private,
        "private table": make_table(host=private.host, visibility="private"),
        "sealed game": play_turns(begin_game_of_deal(make_deal(), "Emil", "Fanny"), 2),
    }
    for kind, game in hidden.items():
        Game.objects.filter(pk=game.pk).update(name="Secret")
        yield kind, game


def test_no_preview_tells_of_a_game_that_strangers_may_not_see() -> None:
    for kind, game in hidden_games():
        answer = Client().get(reverse("games:table", args=[game.code]), follow=True)
        tags = read_tags(Page(answer))
        assert (tags["og:title"], tags["og:type"]) == ("Carcassonne by correspondence", "website"), kind
        told = f"{tags['og:title']} {tags['og:description']} {tags['og:image']} {tags['og:image:alt']}"
        for name in ("Secret", "Anna", "Bruno", "Emil", "Fanny", game.code):
            assert name not in told, f"{name} of a {kind}"
        if game.started:
            picture = reverse("games:preview", args=[game.code, game.version])
            for visitor in (Client(), signed_in(game.host.username)):
                assert visitor.get(picture).status_code == 404, f"the picture of a {kind}"


def test_the_picture_shows_its_own_ply_and_any_cache_may_keep_it() -> None:
    game = play_turns(make_game(), 2)
    table = reverse("games:table", args=[game.code])
    first = read_tags(Page(Client().get(table)))["og:image"].removeprefix(SITE)
    before = Client().get(first)
    assert "public" in before["Cache-Control"] and "immutable" in before["Cache-Control"]
    play_turns(game, 2)
    later = read_tags(Page(Client().get(table)))["og:image"].removeprefix(SITE)
    assert later != first
    assert Client().get(later).content != before.content == Client().get(first).content
    ply = reverse("games:ply", args=[game.code, 2])
    assert (
        Client().get(read_tags(Page(Client().get(ply)))["og:image"].removeprefix(SITE)).content
        == before.content
    )
    game.refresh_from_db()
    assert Client().get(reverse("games:preview", args=[game.code, game.version + 1])).status_code == 404


def test_pictures_drawn_for_a_network_are_counted_and_kept_ones_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = play_turns(make_game(), 31)
    monkeypatch.setattr("games.views.files.render_board_png", lambda *args, **how: b"drawn")
    pictures = [reverse("games:preview", args=[game.code, version]) for version in range(31)]
    assert {Client().get(path).status_code for path in pictures[:30]} == {200}
    refused = Client().get(pictures[30])
    assert refused.status_code == 429 and refused["Retry-After"] == "60"
    assert Client().get(pictures[1]).status_code == 200, "which is kept"


def test_players_who_are_signed_in_get_no_tags() -> None:
    """Other sites have no session, and a board should cost its players nothing for them."""
    game = make_game()
    page = signed_in("Anna").get(reverse("games:table", args=[game.code]))
    assert not read_tags(Page(page))
