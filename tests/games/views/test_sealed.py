"""Tests of games that share a draw: they are hidden until all are over."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games import access, play, tables
from games.exceptions import Refused
from games.models import Deal, FollowedGame, Game, Message, Room, SeatState, Status
from games.tables.follows import follow_game
from games.urls import one_game
from tests.games.factories import NOW, make_player, play_turns
from tests.games.play.deal_helpers import begin_game_of_deal, close_deal, make_deal, play_and_resign
from tests.games.visitors import HTMX, signed_in
from tests.html import Page

pytestmark = pytest.mark.django_db

SAMPLES = {
    "ply": 1, "seat": 1, "pk": 1, "how": "agree", "at": "0,0", "show": "fields", "on": "city", "side": "N",
    "quarter": "castle", "step": 1, "stamp": "x", "version": 1,
}  # fmt: skip
DIFFERENT = {"plan_after": {"at": "0,1"}}
BOARD = "main svg, .map, .talk, .story"


def addresses(game: Game) -> dict[str, str]:
    """All URLs of *game*, with the names of their patterns."""
    by_name = {}
    for pattern in one_game.urlpatterns:
        needed = {**SAMPLES, **DIFFERENT.get(pattern.name or "", {})}
        asked = {name: needed[name] for name in pattern.pattern.converters}
        path = reverse(f"games:{pattern.name}", kwargs={"code": game.code, **asked})
        by_name[path] = str(pattern.name)
    return by_name


@pytest.fixture
def deal() -> Deal:
    return make_deal()


@pytest.fixture
def theirs(deal: Deal) -> Game:
    """The game of Anna and Bruno, with some turns and a message."""
    game = play_turns(begin_game_of_deal(deal, "Anna", "Bruno"), 3)
    Message.objects.create(game=game, author=game.host, text="I have drawn the monastery", at=NOW)
    return game


@pytest.fixture
def other(deal: Deal) -> Game:
    """The game of Clara and David, with the same draw."""
    return begin_game_of_deal(deal, "Clara", "David")


def visitors() -> dict[str, Client]:
    """Clients that must not see Anna and Bruno's game: a stranger, a spectator, another table's player."""
    make_player("Zoe")
    return {"a stranger": Client(), "an onlooker": signed_in("Zoe"), "David": signed_in("David")}


def hidden(answer: Any) -> bool:
    page = Page(answer)
    return answer.status_code == 403 and page.has(".sealed") and not page.has(BOARD)


def refused(answer: Any) -> bool:
    """Return whether the response is 404 or 405, or a redirect to the sign-in page."""
    return answer.status_code in (404, 405) or "/account/login/" in answer.headers.get("Location", "")


def test_no_address_of_the_game_shows_anything_of_it(theirs: Game, other: Game) -> None:
    david = signed_in("David")
    asking: list[Any] = [Client().get, david.get, david.post]
    for ask in [*asking, david.get]:
        if ask is asking[-1]:
            theirs = play_and_resign(theirs)  # his own still goes on
        for path, page in addresses(theirs).items():
            answer = ask(path)
            assert hidden(answer) if page == "table" else refused(answer), path
            assert not re.search(r"monastery|base\.[A-Z]", answer.content.decode()), path


def test_nobody_gets_news_of_it(theirs: Game, other: Game) -> None:
    for client in visitors().values():
        assert hidden(client.get(f"/g/{theirs.code}/?since=0", headers=HTMX))


def test_its_own_players_see_it(theirs: Game, other: Game) -> None:
    for name in ("Anna", "Bruno"):
        page = Page(signed_in(name).get(f"/g/{theirs.code}/"))
        assert page.has(BOARD) and not page.has(".sealed")
        assert signed_in(name).get(f"/g/{theirs.code}/record.json").status_code == 200
        assert "Other games draw the same tiles" in page.text("main")


def test_its_page_says_who_sees_it_and_no_longer_when_all_do(deal: Deal, theirs: Game, other: Game) -> None:
    client = signed_in("Anna")
    play_and_resign(theirs)
    assert "Other games draw the same tiles" in Page(client.get(f"/g/{theirs.code}/")).text("main")
    close_deal(deal)
    play_and_resign(other)
    assert "Other games draw the same tiles" not in Page(client.get(f"/g/{theirs.code}/")).text("main")


def listed(client: Client, game: Game) -> list[str]:
    """The lists of the site that show *game*."""
    asked = ("/lobby/", "/archive/", "/archive/?q=Anna", "/seats/", "/players/Anna/", "/players/", "/games/")
    return [path for path in asked if game.code in client.get(path, follow=True).content.decode()]


def test_no_list_shows_it(theirs: Game, other: Game) -> None:
    everybody = visitors()
    for ended in (False, True):
        if ended:
            theirs = play_and_resign(theirs, 4)
            assert theirs.status == Status.FINISHED
        for client in everybody.values():
            assert listed(client, theirs) == []
    assert "/archive/" in listed(signed_in("Anna"), theirs)


def test_nobody_follows_it_talks_there_or_takes_over_a_seat(theirs: Game, other: Game) -> None:
    zoe, david = make_player("Zoe"), Player.objects.get(username="David")
    theirs.seats.filter(index=0).update(state=SeatState.OFFERED)
    for person in (zoe, david):
        assert not access.may_see(person, theirs)
        assert not access.may_follow(person, theirs)
        assert not access.may_take_over(person, theirs, theirs.seats.all())
        with pytest.raises(Refused) as refused:
            play.take_over(game_id=theirs.pk, seat=0, player=person, now=NOW)
        assert refused.value.code == "may_not_take_over"
        with pytest.raises(Refused):
            follow_game(game=theirs, player=person, now=NOW)
        with pytest.raises(Refused):
            tables.say(game_id=theirs.pk, player=person, room=Room.GALLERY, text="?", now=NOW)
    assert not FollowedGame.objects.exists()
    assert listed(signed_in("Zoe"), theirs) == []


class TestWhoIsThrough:
    """Players whose own game is over see those of the others that are over, too."""

    def test_sees_what_is_over_and_not_what_goes_on(self, deal: Deal, theirs: Game, other: Game) -> None:
        third = begin_game_of_deal(deal, "Emma", "Felix")
        close_deal(deal)
        play_and_resign(other), play_and_resign(theirs)
        client = signed_in("David")
        assert client.get(f"/g/{theirs.code}/").status_code == 200
        assert client.get(f"/g/{theirs.code}/record.json").status_code == 200
        assert hidden(client.get(f"/g/{third.code}/"))
        assert hidden(signed_in("Emma").get(f"/g/{theirs.code}/"))
        assert hidden(Client().get(f"/g/{theirs.code}/"))
        shown = Page(client.get(f"/g/{other.code}/draw/"))
        assert shown.has(f"main a[href='/g/{theirs.code}/']")
        assert not shown.has(f"main a[href='/g/{third.code}/']")

    def test_sees_all_when_all_are_over(self, deal: Deal, theirs: Game, other: Game) -> None:
        play_and_resign(other), play_and_resign(theirs)
        assert hidden(Client().get(f"/g/{theirs.code}/"))  # another game could still join
        close_deal(deal)
        for client in (Client(), signed_in("David")):
            assert client.get(f"/g/{theirs.code}/").status_code == 200
        assert "/archive/" in listed(Client(), theirs)

    def test_of_another_deal_is_a_stranger(self, theirs: Game, other: Game) -> None:
        play_and_resign(begin_game_of_deal(make_deal(), "Emma", "Felix"))
        play_and_resign(theirs)
        assert hidden(signed_in("Emma").get(f"/g/{theirs.code}/"))

    def test_who_left_a_table_that_goes_on_is_not(self, theirs: Game) -> None:
        deal = make_deal(3)
        first = play_turns(begin_game_of_deal(deal, "Emma", "Felix", "Gustav"), 3)
        second = play_and_resign(over_of_three(begin_game_of_deal(deal, "Hanna", "Ida", "Jan")), 0)
        play.resign(game_id=first.pk, seat=0, now=NOW)
        emma = first.seats.get(index=0).player
        assert emma is not None
        assert access.may_see(emma, first)
        assert not access.may_see(emma, second)


def over_of_three(game: Game) -> Game:
    play.resign(game_id=game.pk, seat=1, now=NOW)
    return game


class TestStaff:
    """Staff see these games, but none whose draw they play themselves."""

    def test_sees_all_where_it_does_not_play(self, theirs: Game) -> None:
        staff = make_player("Staff", is_staff=True)
        assert access.may_see(staff, theirs)
        assert access.find_listed_games(staff).get() == theirs

    def test_sees_nothing_where_it_does(self, theirs: Game, other: Game, client: Client) -> None:
        Player.objects.filter(username="David").update(is_staff=True, is_superuser=True)
        client = signed_in("David")
        assert hidden(client.get(f"/g/{theirs.code}/"))
        for model in ("move", "tile", "message"):
            assert theirs.code not in client.get(f"/admin/games/{model}/").content.decode()
        assert theirs.code in client.get("/admin/games/game/").content.decode()


def test_the_page_says_which_game_is_to_be_played_first(theirs: Game, other: Game) -> None:
    page = Page(signed_in("David").get(f"/g/{theirs.code}/"))
    assert page.links(".sealed a.button") == [f"/g/{other.code}/"]
    assert not Page(Client().get(f"/g/{theirs.code}/")).has(".sealed a.button")


def test_the_draw_is_explained_with_what_is_promised(theirs: Game, other: Game, deal: Deal) -> None:
    page = Page(signed_in("Anna").get(f"/g/{theirs.code}/draw/"))
    assert deal.seed_hash in page.text("main .facts")
    assert "Finished games with this draw: 0 of 2." in page.text("main")
    close_deal(deal)
    play_and_resign(theirs), play_and_resign(other)
    deal.refresh_from_db()
    page = Page(Client().get(f"/g/{theirs.code}/draw/"))
    assert page.has(".note.success") and not page.has(".note.error")
    assert deal.seed in page.text("main .facts")
    assert f"{deal.code}/base." in page.texts("tbody tr")[0]


def test_strangers_cost_one_query_more_only_where_a_draw_is_shared(
    theirs: Game, django_assert_num_queries: Any
) -> None:
    alone = begin_game_of_deal(None, "Clara", "David")
    stranger = AnonymousUser()
    with django_assert_num_queries(1):
        access.get_game_or_404(stranger, alone.code)
    with django_assert_num_queries(2), pytest.raises(access.SealedGame):
        access.get_game_or_404(stranger, theirs.code)
