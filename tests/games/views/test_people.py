"""Tests of players' pages: search, content, and privacy."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from accounts.services import close_account
from games import play, tables
from games.models import FollowedPlayer, Game, Seat
from games.selectors import people
from games.tables import follows
from tests.games.factories import (
    NOW,
    copy_game,
    make_game,
    make_player,
    make_players,
    make_table,
    new_process,
    play_turns,
    sign_up_only,
)
from tests.games.guest_helpers import make_guest_game
from tests.html import Page, words

pytestmark = pytest.mark.django_db


def finished_game(**settings: Any) -> Game:
    """Make a game in which Anna is last, as she resigns first after all have played."""
    game = play_turns(make_game(**settings), 6)
    for seat in range(game.places - 1):
        game = play.resign(game_id=game.pk, seat=seat, now=NOW)
    return game


def found(page: Page) -> list[str]:
    return page.texts("#found .people a")


class TestSearch:
    def test_is_for_players(self, client: Client) -> None:
        assert client.get("/players/?q=an").url == "/account/login/?next=/players/%3Fq%3Dan"

    def test_finds_those_whose_name_begins_so_in_any_case(self, client: Client) -> None:
        anna = make_players(1)[0]
        for name in ("andrea", "Anders", "Bert", "jo-an"):
            make_player(name)
        client.force_login(anna)
        page = Page(client.get("/players/?q=AN"))
        assert found(page) == ["Anders", "andrea", "Anna"]
        assert page.text("#found h2") == "3 players found"
        assert page.all("#found .people a")[0]["href"] == "/players/Anders/"

    @pytest.mark.parametrize("asked", ["łu", "ŁU"])
    def test_finds_them_in_any_case_of_any_alphabet(self, client: Client, asked: str) -> None:
        client.force_login(make_players(1)[0])
        make_player("Łukasz")
        assert found(Page(client.get("/players/", {"q": asked}))) == ["Łukasz"]

    @pytest.mark.parametrize("asked", ["%", "_n", "an%", "anna@", "anna@example.org", "example", "'", "%00"])
    def test_knows_names_alone_and_no_pattern(self, client: Client, asked: str) -> None:
        client.force_login(make_players(1)[0])
        response = client.get("/players/", {"q": asked})
        assert response.status_code == 200
        assert found(Page(response)) == []

    def test_tells_no_address(self, client: Client) -> None:
        anna, bruno = make_players(2)
        follows.follow_player(followed=bruno, player=anna, now=NOW)
        finished_game()
        client.force_login(anna)
        for url in ("/players/?q=br", "/players/", "/players/Bruno/"):
            assert not Page(client.get(url)).mentions("example.org")

    def test_wants_two_letters(self, client: Client) -> None:
        client.force_login(make_players(1)[0])
        page = Page(client.get("/players/?q=a"))
        assert found(page) == []
        assert page.has("#id_q_error, .errorlist")

    def test_finds_nobody_who_is_gone_or_has_never_come(self, client: Client) -> None:
        anna, bruno, clara = make_players(3)
        close_account(player=bruno, now=NOW)
        sign_up_only("Clarissa")
        client.force_login(anna)
        for asked in ("br", "closed"):
            assert found(Page(client.get("/players/", {"q": asked}))) == []
        assert found(Page(client.get("/players/?q=cl"))) == [clara.username]

    def test_is_bounded_and_goes_on_from_page_to_page(
        self, client: Client, django_assert_max_num_queries: Any
    ) -> None:
        for at in range(25):
            make_player(f"Zoe{at:02}")
        client.force_login(make_players(1)[0])
        with django_assert_max_num_queries(6):
            first = Page(client.get("/players/?q=zoe"))
        assert found(first) == [f"Zoe{at:02}" for at in range(20)]
        assert first.one("a[rel=next]")["href"] == "?q=zoe&after=zoe19"
        second = Page(client.get("/players/?q=zoe&after=zoe19"))
        assert found(second) == [f"Zoe{at:02}" for at in range(20, 25)]
        assert second.one("a[rel=prev]")["href"] == "?q=zoe&before=zoe20"

    def test_says_how_many_public_games_somebody_plays(self, client: Client) -> None:
        make_game(), make_game(), make_game(visibility="private")
        client.force_login(make_player("Zoe"))
        page = Page(client.get("/players/?q=an"))
        assert page.texts("#found .people .muted") == ["plays 2 public games"]

    def test_htmx_gets_what_was_found_alone(self, client: Client) -> None:
        client.force_login(make_players(1)[0])
        page = Page(client.get("/players/?q=an", headers={"HX-Request": "true"}))
        assert page.roots() == ["div#found"]

    def test_without_a_name_those_stand_there_whom_one_knows(self, client: Client) -> None:
        anna, bruno, clara = make_players(3)
        make_game(), make_game(seats=3)
        follows.follow_player(followed=clara, player=anna, now=NOW)
        client.force_login(anna)
        page = Page(client.get("/players/"))
        assert page.texts("#found h2") == ["You follow", "Played recently"]
        lists = [[words(element) for element in some.select("a")] for some in page.all("#found .people")]
        assert lists == [[clara.username], [bruno.username, clara.username]]

    def test_guests_do_not_stand_there(self, client: Client) -> None:
        game, zoe = make_guest_game()
        client.force_login(game.host)
        assert not Page(client.get("/players/")).all("#found .people")
        play.resign(game_id=play_turns(game, 6, now=timezone.now()).pk, seat=0, now=timezone.now())
        assert people.load_history(game.host, game.host).encounters == []
        assert people.load_encounter(game.host, zoe) is not None, "on the guest's own page"

    def test_who_knows_nobody_reads_what_will_stand_there(self, client: Client) -> None:
        client.force_login(make_player("Zoe"))
        assert Page(client.get("/players/")).has("#found > p.muted")


class TestResults:
    def test_counts_by_seats_and_by_sets(self) -> None:
        anna, bruno, clara = make_players(3)
        finished_game()
        finished_game(sets=["base", "river1"])
        finished_game(seats=3, sets=["base", "river1", "king-and-robber"])
        assert people.load_history(bruno, bruno).record.by_seats == [(2, 2, 2, 0), (3, 1, 0, 0)]
        assert people.load_history(bruno, bruno).record.by_sets == [
            ("base", 1, 1, 0),
            ("river1", 2, 1, 0),
            ("king-and-robber", 1, 0, 0),
        ]
        assert people.load_history(clara, clara).record.by_seats == [(3, 1, 1, 0)]
        assert [seat.lost for seat in people.load_history(anna, anna).record.by_seats] == [2, 1]

    @pytest.mark.parametrize("visibility", ["private", "link"])
    def test_count_no_game_that_the_visitor_may_not_find(self, visibility: str, client: Client) -> None:
        anna, bruno = make_players(2)
        finished_game()
        finished_game(visibility=visibility)
        zoe = make_player("Zoe")
        played = [
            people.load_history(anna, who).record.by_seats[0].played
            for who in (AnonymousUser(), zoe, bruno, anna)
        ]
        assert played == [1, 1, 2, 2]
        assert Page(client.get("/players/Anna/")).rows(".results tbody tr")[0][:2] == ["2 players", "1"]

    def test_stand_as_a_chart_and_in_a_table(self, client: Client) -> None:
        finished_game()
        page = Page(client.get("/players/BRUNO/"))
        assert page.text("h1") == "Bruno"
        assert page.text(".who p").startswith("Playing since")
        assert page.texts(".results h2") == ["By the number of players", "By sets"]
        assert page.texts(".results svg[role=img] .label") == ["2 players", "Base game only"]
        assert page.rows(".results tbody tr") == [
            ["2 players", "1", "1", "0", "0"],
            ["Base game only", "1", "1", "0", "0"],
        ]
        assert page.texts(".results desc") == ["2 players: 1 of 1 won", "Base game only: 1 of 1 won"]

    def test_there_are_none_before_the_first_game_is_over(self, client: Client) -> None:
        make_game()
        assert not Page(client.get("/players/Anna/")).has(".results")


class TestEncounters:
    def test_tell_who_was_placed_better(self) -> None:
        anna, bruno, _clara = make_players(3)
        for _ in range(2):
            finished_game()
        game = finished_game(seats=3)
        Seat.objects.filter(game=game).update(rank=1)
        assert people.load_history(anna, anna).encounters == [("Bruno", 3, 0, 2), ("Clara", 1, 0, 0)]
        assert people.load_history(bruno, bruno).encounters == [("Anna", 3, 2, 0), ("Clara", 1, 0, 0)]
        assert people.load_encounter(bruno, anna).equal == 1

    def test_count_no_game_that_the_visitor_may_not_find(self) -> None:
        anna, _bruno = make_players(2)
        finished_game(visibility="private")
        finished_game(visibility="link")
        zoe = make_player("Zoe")
        assert people.load_history(anna, zoe).encounters == []
        assert people.load_history(anna, anna).encounters == [("Bruno", 2, 0, 2)]

    def test_of_a_closed_account_are_not_told(self) -> None:
        anna, bruno = make_players(2)
        finished_game()
        close_account(player=bruno, now=NOW)
        assert people.load_history(anna, anna).encounters == []

    def test_bots_are_nobody_s_opponents(self) -> None:
        anna = make_players(1)[0]
        game = play_turns(make_game(bots=1), 4)
        play.resign(game_id=game.pk, seat=0, now=NOW)
        assert people.load_history(anna, anna).encounters == []

    def test_those_with_most_games_come_first_and_there_is_an_end(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        anna, _bruno, _clara = make_players(3)
        finished_game(seats=3)
        copy_game(finished_game(), 2)
        assert [
            (encounter.opponent, encounter.played) for encounter in people.load_history(anna, anna).encounters
        ] == [
            ("Bruno", 4),
            ("Clara", 1),
        ]
        monkeypatch.setattr(people, "MOST_OPPONENTS", 1)
        new_process()
        assert len(people.load_history(anna, anna).encounters) == 1

    def test_stand_on_the_page_with_the_way_to_the_games(self, client: Client) -> None:
        anna, _bruno = make_players(2)
        finished_game(name="Foix")
        page = Page(client.get("/players/Bruno/"))
        assert page.rows(".opponents tbody tr") == [["Anna", "1", "1", "0", "0"]]
        assert not page.has(".between")
        client.force_login(anna)
        between = Page(client.get("/players/Bruno/")).one(".between")
        assert words(between) == "1 game with you you won 0, Bruno 1"
        shown = Page(client.get(between.a["href"]))
        assert shown.texts("table.finished tbody td:first-child a") == ["Foix"]


class TestFollowing:
    def test_a_switch_stands_on_the_page_of_others_alone(self, client: Client) -> None:
        anna, _bruno = make_players(2)
        assert not Page(client.get("/players/Bruno/")).has("form.follow")
        client.force_login(anna)
        assert not Page(client.get("/players/Anna/")).has("form.follow")
        for said, then in (("Follow", "Unfollow"), ("Unfollow", "Follow")):
            button = Page(client.get("/players/Bruno/")).one("form.follow button")
            assert words(button) == said
            sent = client.post("/players/bruno/follow/", {button["name"]: button["value"]}, follow=True)
            assert sent.redirect_chain[-1][0] == "/players/Bruno/"
            assert Page(sent).text("form.follow button") == then

    def test_nobody_else_learns_of_it(self, client: Client) -> None:
        anna, bruno = make_players(2)
        follows.follow_player(followed=bruno, player=anna, now=NOW)
        client.force_login(bruno)
        for url in ("/players/", "/players/Bruno/", "/players/Anna/"):
            page = Page(client.get(url))
            assert not page.has("#found .people")
            assert page.texts("form.follow button") in ([], ["Follow"])

    def test_what_is_refused_is_told(self, client: Client) -> None:
        anna = make_players(1)[0]
        client.force_login(anna)
        sent = client.post("/players/Anna/follow/", {"follow": "yes"}, follow=True)
        assert Page(sent).texts(".message.error") == ["This can't be followed."]
        assert not FollowedPlayer.objects.exists()

    def test_strangers_sign_in_first_and_looking_changes_nothing(self, client: Client) -> None:
        anna, _bruno = make_players(2)
        assert client.post("/players/Bruno/follow/").status_code == 302
        client.force_login(anna)
        assert client.get("/players/Bruno/follow/").status_code == 405
        assert not FollowedPlayer.objects.exists()

    def test_nobody_who_is_gone(self, client: Client) -> None:
        client.force_login(make_players(1)[0])
        assert client.post("/players/Nobody/follow/", {"follow": "yes"}).status_code == 404


class TestNames:
    """Links to a player's page wherever the name is shown."""

    def test_beside_the_board_and_among_what_there_is_about_the_game(self, client: Client) -> None:
        game = make_game(bots=1, seats=3)
        page = Page(client.get(f"/g/{game.code}/"))
        assert page.texts(".seats .name a") == ["Anna", "Bruno"]
        assert page.links(".seats .name a") == page.links("#tab-game a[href^='/players/']")
        assert page.links(".seats .name a") == ["/players/Anna/", "/players/Bruno/"]

    def test_in_the_talk(self, client: Client) -> None:
        anna, bruno = make_players(2)
        game = make_game()
        for who in (anna, bruno):
            tables.say(game_id=game.pk, player=who, text="Hello", now=NOW)
        assert Page(client.get(f"/g/{game.code}/")).links("#talk .author") == [
            "/players/Anna/",
            "/players/Bruno/",
        ]
        close_account(player=bruno, now=NOW)
        page = Page(client.get(f"/g/{game.code}/"))
        assert page.links("#talk .author") == ["/players/Anna/"]
        assert len(page.all("#talk ol li")) == 2

    def test_on_the_cards_of_the_lobby(self, client: Client) -> None:
        anna, bruno = make_players(2)
        table = make_table(host=anna, seats=3)
        tables.sit(game_id=table.pk, player=bruno, now=NOW)
        page = Page(client.get("/lobby/"))
        assert page.links(".games .host a") == ["/players/Anna/"]
        assert page.links(".games .taken a") == ["/players/Bruno/"]
