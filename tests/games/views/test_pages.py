"""Tests of the first page, the rules in brief and the error pages."""

import pytest
from django.test import Client

from games import tables
from games.pages.rulebook import example_boards, examples
from games.rules import IllegalAction
from tests.games.factories import NOW, make_game, make_player, make_players, make_table, play_turns
from tests.html import Page


@pytest.mark.django_db
class TestHome:
    def test_tells_strangers_what_this_is(self, client):
        page = Page(client.get("/"))
        assert page.links(".hero a") == ["/account/signup/", "/account/login/"]
        assert page.link("The rules in brief") == "/rules/"
        assert page.has(".hero svg#example-panorama")

    def test_takes_players_to_their_games(self, client):
        client.force_login(make_player("Zoe"))
        assert client.get("/").url == "/games/"

    @pytest.mark.parametrize("count", [0, 6])
    def test_costs_the_same_for_many_tables(self, client, count, django_assert_max_num_queries):
        host = make_player("Zoe")
        for _ in range(count):
            make_table(host=host)
        with django_assert_max_num_queries(4):
            client.get("/")


@pytest.mark.django_db
def test_the_rules_show_every_example_with_its_score(client):
    page = Page(client.get("/rules/"))
    for name, example in examples.EXAMPLES.items():
        told = page.text(f"figure:has(#example-{name}) figcaption")
        assert all(sentence in told for sentence in example_boards.list_sentences(example))


@pytest.mark.django_db
def test_the_rules_cost_no_query(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get("/rules/")


@pytest.mark.parametrize(
    ("name", "scored"),
    [
        ("placing", []),
        ("road", [("road", 0, 3)]),
        ("city", [("city", 0, 8)]),
        ("monastery", [("road", 1, 8), ("monastery", 0, 9)]),
        ("majority", [("city", 0, 8), ("city", 1, 8)]),
        ("field", [("field", 0, 6)]),
    ],
)
def test_examples_bring_what_the_page_says(name, scored):
    shown = example_boards.play(examples.EXAMPLES[name])
    assert [(scored.on, scored.seat, scored.points) for scored in shown.scored] == scored


def test_examples_show_the_meeples_that_score():
    state = example_boards.play(examples.EXAMPLES["majority"]).state
    standing = {(meeple.seat, meeple.on) for meeple in state.meeples()}
    assert standing == {(0, "city"), (1, "city")}


def test_the_example_of_placing_marks_where_the_tile_fits():
    cells = example_boards.play(examples.EXAMPLES["placing"]).open_cells
    assert (0, 1) in cells and (1, 1) not in cells


def test_examples_obey_the_rules():
    floating = examples.Example("", ("base.U@5,5 r0",))
    with pytest.raises(IllegalAction):
        example_boards.play(floating)


def test_the_landscape_of_the_first_page_is_a_legal_game():
    assert len(list(example_boards.play(examples.PANORAMA).state.placed)) == 28


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["/g/nothing/ply/1/", "/nowhere/", "/players/nobody/", "/i/nothing/"])
def test_what_is_not_there_is_said_in_the_sites_own_words(client, url):
    response = client.get(url)
    assert response.status_code == 404
    assert Page(response).text("h1") == "No tile here"


@pytest.mark.django_db
def test_a_form_without_its_token_is_explained():
    response = Client(enforce_csrf_checks=True).post("/account/login/", {})
    assert response.status_code == 403
    assert Page(response).text("main h1") == "Please send it again"


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["pl", "sk", "is", "ru"])
def test_pages_work_in_every_language(client, language):
    client.cookies["django_language"] = language
    make_table(options={"fields": "none"})
    for url in ("/", "/lobby/", "/rules/", "/archive/"):
        assert Page(client.get(url)).one("html")["lang"] == language


@pytest.mark.django_db
def test_pages_carry_no_inline_code(client):
    """The site's content security policy would stop it."""
    anna, bruno = make_players(2)
    play_turns(make_game(), 3)
    table = make_table(host=anna, seats=3)
    asked = tables.invite(game_id=table.pk, inviter=anna, player=bruno, now=NOW)
    pages = [
        "/",
        "/rules/",
        "/lobby/",
        "/archive/",
        "/players/Anna/",
        f"/g/{table.code}/",
        f"/i/{asked.token}/",
    ]
    for visitor in (None, anna, bruno):
        if visitor:
            client.force_login(visitor)
            pages = [*pages[1:], "/games/", "/new/"]
        for url in pages:
            page = Page(client.get(url))
            assert page.has("main h1") and page.inline_code() == [], url


@pytest.mark.django_db
def test_every_form_that_changes_something_carries_its_token(client):
    anna = make_players(1)[0]
    table = make_table(host=anna, seats=3)
    client.force_login(anna)
    for url in ("/games/", "/lobby/", "/new/", f"/g/{table.code}/"):
        page = Page(client.get(url))
        assert page.has("form[method=post]"), url
        assert not page.has("form[method=post]:not(:has(> [name=csrfmiddlewaretoken]))"), url


@pytest.mark.parametrize(("count", "shown"), [(3, "3"), (12, "9+")])
def test_the_icon_tells_how_many_games_wait(client, count, shown):
    response = client.get(f"/icon/{count}.svg")
    assert response["Content-Type"] == "image/svg+xml"
    assert Page(response).texts("text") == [shown]


@pytest.mark.parametrize(
    "path", ["/g/%00/", "/g/%00/board.svg", "/i/%00/", "/players/%00/", "/players/a%0Ab/"]
)
def test_an_address_that_no_database_takes_is_not_there(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404
