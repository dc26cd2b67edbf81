"""Tests of filtering and sorting many running games."""

from datetime import timedelta

import pytest
from django.test import Client

from games import play
from games.models import Game
from games.selectors import waiting
from games.selectors.my_games import Sort, WantedGames, fold_text, load_my_games
from tests.games.factories import NOW, copy_game, make_game, make_players, play_turns
from tests.html import Page

pytestmark = pytest.mark.django_db


def listed(wanted: WantedGames) -> list[str]:
    mine = load_my_games(make_players(1)[0], NOW, wanted=wanted)
    return [game.name for game in (*mine.turn, *mine.waiting)]


@pytest.fixture
def games() -> None:
    """Three games in which Anna is on turn, then one in which she waits."""
    make_game(name="Pézenas", days_per_move=3, now=NOW - timedelta(hours=1))
    make_game(name="Albi", days_per_move=7, sets=["base", "river1"], now=NOW - timedelta(hours=3))
    make_game(name="Foix", days_per_move=5, seats=3, now=NOW - timedelta(hours=2))
    play_turns(make_game(name="Agde"), 1)


@pytest.mark.usefixtures("games")
class TestSelection:
    def test_without_a_wish_all_are_there_the_most_urgent_first(self) -> None:
        assert listed(WantedGames()) == ["Pézenas", "Foix", "Albi", "Agde"]

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("pezen", ["Pézenas"]),
            ("AL", ["Albi"]),
            ("clara", ["Foix"]),
            ("bruno", ["Pézenas", "Foix", "Albi", "Agde"]),
            ("nobody", []),
        ],
    )
    def test_by_the_name_of_a_game_or_of_one_who_plays(self, text: str, found: list[str]) -> None:
        assert listed(WantedGames(text=text)) == found

    def test_by_a_set(self) -> None:
        assert listed(WantedGames(set="river1")) == ["Albi"]
        assert listed(WantedGames(set="river1", text="foix")) == []

    def test_sorted_otherwise_what_is_mine_to_play_still_comes_first(self) -> None:
        assert listed(WantedGames(sort=Sort.NAME)) == ["Albi", "Foix", "Pézenas", "Agde"]
        assert listed(WantedGames(sort=Sort.LATEST)) == ["Pézenas", "Foix", "Albi", "Agde"]

    @pytest.mark.parametrize("sort", Sort)
    def test_what_ends_while_the_list_is_read_is_left_out(
        self, sort: Sort, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        parts = waiting.load_parts_of_my_games(make_players(1)[0], NOW)
        play.resign(game_id=Game.objects.get(name="Albi").pk, seat=0, now=NOW)
        monkeypatch.setattr(waiting, "load_parts_of_my_games", lambda *_: parts)
        assert "Albi" not in listed(WantedGames(text="b", sort=sort))
        assert "Albi" not in listed(WantedGames(text="a", set="river1", sort=sort))

    def test_the_title_counts_all_and_the_page_says_how_many_are_not_shown(self, client: Client) -> None:
        client.force_login(make_players(1)[0])
        page = Page(client.get("/games/?q=albi"))
        assert page.title.startswith("(3) ")
        assert page.text(".desk-main h2") == "Your turn 1"
        assert page.text(".chosen span") == "3 games are not shown."
        assert page.link("Show all") == "/games/"

    def test_nothing_found_is_not_nothing_at_all(self, client: Client) -> None:
        client.force_login(make_players(1)[0])
        page = Page(client.get("/games/?q=nobody"))
        assert page.text(".chosen span") == "4 games are not shown."
        assert not page.has(".welcome") and not page.mentions("You have no games in progress")

    def test_nonsense_narrows_nothing(self, client: Client) -> None:
        client.force_login(make_players(1)[0])
        page = Page(client.get("/games/?set=nonsense&sort=nonsense"))
        assert len(page.all(".rows > .game")) == 4 and not page.has(".chosen")


def test_it_is_offered_to_who_has_many_games(client: Client) -> None:
    client.force_login(make_players(1)[0])
    game = make_game()
    copy_game(game, 7)
    assert not Page(client.get("/games/")).has("details.choose")
    copy_game(game, 1)
    fields = Page(client.get("/games/")).all("details.choose [name]")
    assert [field["name"] for field in fields] == ["q", "set", "sort"]


def test_an_open_page_asks_for_news_of_what_it_shows(client: Client) -> None:
    client.force_login(make_players(1)[0])
    make_game(name="Foix")
    look = str(Page(client.get("/games/?q=foix")).one("#games")["hx-get"])
    assert look.startswith("/games/?q=foix&since=")


@pytest.mark.parametrize("count", [10, 200])
def test_costs_the_same_for_few_and_for_many(
    client: Client, count: int, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    copy_game(play_turns(make_game(name="Foix"), 2), count - 1)
    client.force_login(make_players(1)[0])
    with django_assert_max_num_queries(9):  # type: ignore[operator]
        client.get("/games/?q=foix&sort=name")


def test_accents_and_capitals_are_folded() -> None:
    assert fold_text("Pézenas ŠÁRKA Йода") == "pezenas sarka иода"
