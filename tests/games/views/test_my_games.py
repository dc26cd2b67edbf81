"""Tests of the list of my games: visibility, order, queries; and of what waits for a player."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import play, tables
from games.clocks import DAY, AtEnd, ClockSettings
from games.models import Game, Status
from games.play import positions
from games.rules.notation import write
from games.selectors import waiting
from games.selectors.my_games import load_my_games
from tests.games.factories import (
    NOW,
    copy_game,
    make_game,
    make_player,
    make_players,
    make_table,
    new_process,
    play_turns,
)
from tests.html import Page, words

from .listed import boards, cards, column, icon, page_links, sections, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.database]


class TestMyGames:
    def test_a_stranger_signs_in_first_and_comes_back(self, client):
        response = client.get("/games/")
        assert response.status_code == 302
        assert response.url == "/account/login/?next=/games/"

    def test_a_page_left_open_goes_to_the_sign_in_when_the_session_has_ended(self, client):
        response = client.get("/games/", headers={"HX-Request": "true"})
        assert response["HX-Refresh"] == "true"

    def test_an_empty_list_offers_the_bot(self, client):
        page = Page(signed_in(client, make_player("Zoe")).get("/games/"))
        assert page.text(".welcome h2") == "No game yet"
        told = page.text(".welcome h2 + p")
        assert told.startswith("The house bot is always here: one click, and the game starts."), (
            "whoever does"
        )
        assert page.one(".welcome form")["action"] == "/new/bot/"

    def test_near_its_hard_end_a_game_says_how_it_would_end_now(self, client):
        anna, _bruno = make_players(2)
        now = timezone.now()
        for name, days, at_end in (("Near", 13, "time"), ("Board", 13, "score"), ("Far", 15, "time")):
            clock = ClockSettings(
                start=3 * DAY, gain=DAY, cap=7 * DAY, ends=now + days * DAY, at_end=AtEnd(at_end)
            )
            play_turns(make_game(name=name, clock=clock, now=now - 2 * DAY), 1, now=now - DAY)
        rows = Page(signed_in(client, anna).get("/games/")).all("li.game")
        told = {words(row.h3): [words(element) for element in row.select(".near-end")] for row in rows}
        assert told["Far"] == []
        (near,), (board,) = told["Near"], told["Board"]
        assert "As it stands: 1. Anna, 2. Bruno." in near, "who has used less time"
        assert "As it stands: 1. " in board

    def test_least_time_left_comes_first_and_the_title_counts(self, client):
        anna, bruno = make_players(2)
        now = timezone.now()
        make_game(name="Slow", days_per_move=7, now=now)
        make_game(name="Quick", days_per_move=1, now=now)
        theirs = make_game(name="Theirs", days_per_move=1, now=now)
        play_turns(theirs, 1, now=now)
        response = signed_in(client, anna).get("/games/")
        assert Page(response).title.startswith("(2) My games")
        assert icon(response) == ("/icon/2.svg", "2")
        assert list(sections(response).items()) == [
            ("Your turn 2", ["Quick", "Slow"]),
            ("Waiting for others 1", ["Theirs"]),
        ]
        assert [game.name for game in load_my_games(bruno, now).turn] == ["Theirs"]

    def test_says_when_the_time_is_up(self, client):
        anna = make_players(1)[0]
        make_game(days_per_move=1)  # long ago
        page = signed_in(client, anna).get("/games/")
        assert column(page, "game-time") == ["time is up"]
        assert Page(page).one("progress.share")["value"] == "0"

    def test_one_who_resigned_is_not_waited_for(self):
        anna = make_players(1)[0]
        game = make_game(seats=3)
        play.resign(game_id=game.pk, seat=0, now=NOW)
        assert load_my_games(anna, NOW).turn == []

    def test_invitations_by_name_and_by_address(self, client):
        anna, bruno = make_players(2)
        zoe = make_player("Zoe")
        by_name, by_address = make_table(host=anna, name="One"), make_table(host=anna, name="Two")
        tables.invite(game_id=by_name.pk, inviter=anna, player=bruno, now=NOW)
        tables.invite(game_id=by_address.pk, inviter=anna, address="later@example.org", now=NOW)
        later = make_player("Later")
        assert [invitation.game.name for invitation in load_my_games(bruno, NOW).invitations] == ["One"]
        assert [invitation.game.name for invitation in load_my_games(later, NOW).invitations] == ["Two"]
        assert load_my_games(zoe, NOW).invitations == []
        page = Page(signed_in(client, bruno).get("/games/"))
        assert page.texts(".card.table > p") == ["Anna is holding a seat for you."]
        assert page.text(".card.table .agreed > summary").startswith("3 days a move; ")

    def test_finished_games_stay_for_a_while(self):
        anna = make_players(1)[0]
        game = play_turns(make_game())
        play.score(game_id=game.pk, now=NOW)
        assert load_my_games(anna, NOW + timedelta(days=13)).finished == [game]
        assert load_my_games(anna, NOW + timedelta(days=30)).finished == []

    def test_cancelled_tables_are_gone(self):
        anna = make_players(1)[0]
        table = make_table(host=anna)
        tables.cancel(game_id=table.pk, player=anna, now=NOW)
        assert load_my_games(anna, NOW).empty

    def test_htmx_gets_the_list_alone(self, client):
        make_game()
        response = signed_in(client, make_players(1)[0]).get("/games/", headers={"HX-Request": "true"})
        page = Page(response)
        assert page.roots() == ["title", "link#icon", "span#your-turns", "div#games"]
        assert page.title.startswith("(1)")
        assert icon(response) == ("/icon/1.svg", "1") and page.has("#icon[hx-swap-oob=true]")
        assert page.text("#your-turns[hx-swap-oob=true]") == "1 waiting for you"
        assert "HX-Request" in response["Vary"]

    @pytest.mark.parametrize("count", [1, 12])
    def test_costs_the_same_for_one_game_and_for_twelve(self, client, count, django_assert_max_num_queries):
        anna = make_players(1)[0]
        for at in range(count):
            play_turns(make_game(name=f"Game {at}"), at)
            asked = make_table(host=make_player(f"Host{at}"), seats=3, visibility="private")
            tables.invite(game_id=asked.pk, inviter=asked.host, player=anna, now=NOW)
            make_table(host=anna, seats=3)
        signed_in(client, anna)
        new_process()
        with django_assert_max_num_queries(8):
            page = client.get("/games/")
        assert page.status_code == 200
        assert boards(page) == count

    def test_a_page_is_of_bounded_length_and_the_next_one_goes_on(self, client):
        anna, bruno = make_players(2)
        for at, then in enumerate(range(30)):
            make_game(name=f"Turn {at:02}", now=NOW + timedelta(minutes=then))
        theirs = play_turns(make_game(name="Theirs"), 1)
        table = make_table(host=bruno, name="Asked", seats=3)
        tables.invite(game_id=table.pk, inviter=bruno, player=anna, now=NOW)
        make_table(host=anna, name="Open", seats=3)
        first = signed_in(client, anna).get("/games/")
        assert cards(first) == [*(f"Turn {at:02}" for at in range(24)), "Open", "Asked"]
        assert boards(first) == 24
        assert "Your turn 30" in sections(first), "on all pages"
        assert Page(first).title.startswith("(30) My games")
        assert page_links(first) == {"next": "?page=2"}
        second = client.get("/games/?page=2")
        assert cards(second) == [*(f"Turn {at:02}" for at in range(24, 30)), theirs.name]
        assert "Your turn 30" in sections(second)
        assert page_links(second) == {"prev": "?page=1"}
        assert cards(client.get("/games/?page=99")) == cards(second)

    def test_up_to_a_page_there_are_no_links_to_others(self, client):
        copy_game(make_game(), 23)
        page = signed_in(client, make_players(1)[0]).get("/games/")
        assert boards(page) == 24
        assert page_links(page) == {}

    def test_tables_and_invitations_go_on_from_page_to_page_too(self, client):
        anna = make_players(1)[0]
        for at in range(25):
            now = NOW - timedelta(hours=2 * (25 - at))  # nobody is invited more than 20 times a day
            asked = make_table(host=make_player(f"Host{at}"), name=f"Asked {at:02}", seats=3, now=now)
            tables.invite(game_id=asked.pk, inviter=asked.host, player=anna, now=now)
            make_table(host=anna, name=f"Open {at:02}", seats=3, now=NOW + timedelta(minutes=at))
        first = signed_in(client, anna).get("/games/")
        assert cards(first) == [
            *(f"Open {at:02}" for at in range(24, 0, -1)),  # the newest first
            *(f"Asked {at:02}" for at in range(24)),  # the earliest invitation first
        ]
        assert "Invitations 25" in sections(first)
        assert cards(client.get("/games/?page=2")) == ["Open 00", "Asked 24"]

    def test_htmx_stays_on_its_page_and_gets_its_links(self, client):
        copy_game(make_game(), 30)
        second = signed_in(client, make_players(1)[0]).get("/games/?page=2")
        look = str(Page(second).one("#games")["hx-get"])
        assert look.startswith("/games/?page=2&since=")
        assert client.get(look, headers={"HX-Request": "true"}).status_code == 204
        part = client.get("/games/?page=2&since=before", headers={"HX-Request": "true"})
        assert not Page(part).has("html")
        assert boards(part) == boards(second) == 7
        assert page_links(part) == {"prev": "?page=1"}

    @pytest.mark.parametrize("count", [10, 500])
    def test_costs_the_same_for_ten_games_and_for_five_hundred(
        self, client, count, django_assert_max_num_queries
    ):
        copy_game(play_turns(make_game(), 2), count - 1)
        signed_in(client, make_players(1)[0])
        new_process()
        with django_assert_max_num_queries(7):
            page = client.get("/games/")
        assert boards(page) == min(count, 24)


class TestNews:
    """Polling of an open page of my games, which costs next to nothing without news."""

    def ask(self, client: Client, stamp: str) -> int:
        answer = client.get(f"/games/?since={stamp}", headers={"HX-Request": "true"})
        return answer.status_code

    def stamp(self, client: Client) -> str:
        look = str(Page(client.get("/games/")).one("#games")["hx-get"])
        return look.removeprefix("/games/?since=")

    def test_nothing_comes_if_nothing_happened(self, client, django_assert_max_num_queries):
        anna, bruno = make_players(2)
        for _ in range(4):
            make_game()
            make_table(host=bruno, seats=3)
            tables.invite(game_id=Game.objects.last().pk, inviter=bruno, player=anna, now=NOW)
        stamp = self.stamp(signed_in(client, anna))
        with django_assert_max_num_queries(3):
            assert self.ask(client, stamp) == 204
        assert client.get(f"/games/?since={stamp}").status_code == 200  # a page is always a page

    def test_a_move_an_invitation_and_a_guest_are_news(self, client):
        anna, bruno = make_players(2)
        game, table, theirs = make_game(), make_table(host=anna), make_table(host=bruno)
        signed_in(client, anna)
        for happens in (
            lambda: play_turns(game, 1),
            lambda: tables.sit(game_id=table.pk, player=make_player("Carla"), now=NOW),
            lambda: tables.invite(game_id=theirs.pk, inviter=bruno, player=anna, now=NOW),
            lambda: tables.cancel(game_id=theirs.pk, player=bruno, now=NOW),
            lambda: play.resign(game_id=game.pk, seat=1, now=NOW),
        ):
            stamp = self.stamp(client)
            assert self.ask(client, stamp) == 204
            happens()
            assert self.ask(client, stamp) == 200

    def test_what_happens_elsewhere_is_no_news(self, client):
        game = make_game()
        stamp = self.stamp(signed_in(client, make_player("Zoe")))
        play_turns(game, 1)
        assert self.ask(client, stamp) == 204

    def test_the_time_left_is_told_anew_now_and_then(self):
        anna = make_players(1)[0]
        make_game()
        early, soon, late = (NOW + timedelta(minutes=minutes) for minutes in (0, 5, 16))
        assert (
            waiting.load_parts_of_my_games(anna, early).stamp
            == waiting.load_parts_of_my_games(anna, soon).stamp
        )
        assert (
            waiting.load_parts_of_my_games(anna, early).stamp
            != waiting.load_parts_of_my_games(anna, late).stamp
        )


class TestNextGame:
    def test_leads_to_the_board_with_least_time(self, client):
        anna = make_players(1)[0]
        make_game(days_per_move=7)
        quick = make_game(days_per_move=1)
        assert signed_in(client, anna).get("/games/next/").url == f"/g/{quick.code}/"

    def test_goes_through_all_that_wait_and_round_again(self, client):
        anna = make_players(1)[0]
        codes = [make_game(days_per_move=days).code for days in (1, 2, 3)]
        signed_in(client, anna)
        for code, then in zip(codes, [*codes[1:], codes[0]], strict=True):
            assert client.get(f"/games/next/?after={code}").url == f"/g/{then}/"

    def test_after_a_game_that_does_not_wait_comes_the_most_urgent(self, client):
        anna = make_players(1)[0]
        slow, quick = make_game(days_per_move=7), make_game(days_per_move=1)
        played = play_turns(make_game(days_per_move=3), 1)
        signed_in(client, anna)
        for after in (played.code, "nonsense", "", "%00"):
            assert client.get(f"/games/next/?after={after}").url == f"/g/{quick.code}/"
        play_turns(quick, 1)
        assert client.get(f"/games/next/?after={quick.code}").url == f"/g/{slow.code}/"

    def test_the_only_one_says_so(self, client):
        anna = make_players(1)[0]
        only = make_game()
        response = signed_in(client, anna).get(f"/games/next/?after={only.code}", follow=True)
        assert response.redirect_chain[-1][0] == f"/g/{only.code}/"
        assert Page(response).texts("#messages .message") == ["No other games need you."]

    def test_leads_to_the_list_if_nothing_waits(self, client):
        response = signed_in(client, make_player("Zoe")).get("/games/next/", follow=True)
        assert response.redirect_chain[-1][0] == "/games/"
        assert Page(response).texts("#messages .message") == ["No games need you."]

    def test_stands_on_the_board(self, client):
        anna = make_players(1)[0]
        quick, slow = make_game(name="Quick", days_per_move=1), make_game(name="Slow", days_per_move=7)
        signed_in(client, anna)
        page = Page(client.get(f"/g/{quick.code}/"))
        assert page.link("Skip to the next game: Slow") == f"/g/{slow.code}/"
        assert page.one("a.next-game")["data-key"] == "n"
        play_turns(quick, 1)
        page = Page(client.get(f"/g/{quick.code}/"))
        assert page.link("Next game where it is your turn: Slow") == f"/g/{slow.code}/"
        play_turns(slow, 1)
        page = Page(client.get(f"/g/{quick.code}/"))
        assert page.has(".table-head") and not page.has(".next-game")


class TestCount:
    @pytest.mark.parametrize("page", ["/games/", "/lobby/", "/rules/", "/new/", "/account/settings/", "/no/"])
    def test_title_and_icon_of_every_page_say_how_many_games_wait(self, client, page):
        anna = make_players(1)[0]
        make_game(), make_game(), play_turns(make_game(), 1)
        response = signed_in(client, anna).get(page)
        assert Page(response).title.startswith("(2) ")
        assert icon(response) == ("/icon/2.svg", "2")

    def test_strangers_and_who_has_nothing_to_do_see_the_plain_icon(self, client):
        make_game()
        for visitor in (client, signed_in(Client(), make_player("Zoe"))):
            response = visitor.get("/lobby/")
            assert Page(response).title.startswith("Lobby")
            assert icon(response) == ("/static/img/tower.svg", "0")

    def test_a_turn_that_was_played_no_longer_counts(self, client):
        anna = make_players(1)[0]
        game = make_game()
        line = write(next(iter(positions.load_position(game).legal_actions())))
        answer = signed_in(client, anna).post(
            f"/g/{game.code}/play/",
            {"line": line, "version": game.version},
            headers={"HX-Request": "true", "HX-Target": "table"},
        )
        page = Page(answer)
        assert page.title.startswith("It's Bruno's turn.")
        assert page.one("#icon[hx-swap-oob=true]")["data-waiting"] == "0"
        assert page.text(".next-game") == "No other games need you."

    def test_costs_one_query(self, django_assert_num_queries):
        anna = make_players(1)[0]
        for _ in range(3):
            make_game()
        with django_assert_num_queries(1):
            assert len(waiting.load_waiting_games(anna)) == 3


def test_a_game_in_final_scoring_waits_for_nobody():
    game = play_turns(make_game())
    assert game.status == Status.SCORING
    anna = make_players(1)[0]
    (waits,) = load_my_games(anna, NOW).waiting
    assert waits.awaited_seat is None and not waits.is_own_turn
