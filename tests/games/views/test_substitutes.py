"""Tests of seats that seek a substitute: the list, joining, returning, and claims."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import play
from games.clocks import Ladder, TimeoutStep
from games.models import Game, SeatState
from tests.games.factories import NOW, heart_beats, make_game, make_player, play_turns
from tests.games.play.substitute_helpers import (
    get_time_after_last_move,
    make_claimable_game,
    make_offered_game,
    time_out,
)
from tests.games.views.at_tables import said
from tests.games.visitors import signed_in, url
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return make_offered_game(name="Albi")


def buttons(client: Client, game: Game) -> list[str]:
    """The acts besides turns that the page offers."""
    return Page(client.get(url(game))).texts(".at-hand button, .at-hand a")


def test_the_lobby_leads_to_the_list_which_shows_seat_position_score_and_clock(game: Game) -> None:
    page = Page(Client().get("/lobby/"))
    assert page.link("Seats needing a substitute") == "/seats/"
    page = Page(Client().get("/seats/"))
    (card,) = page.all("li.seat-offer")
    assert card.h2.get_text(strip=True) == "Albi"
    points = game.seats.get(index=2).score
    assert page.text(".seat-offer .offered") == f"Clara's seat, {points} points"
    assert page.texts(".seat-offer .facts li")[0] == "3 d in the time bank, 3 d more with each turn"
    assert page.has(".seat-offer img.thumbnail")
    assert page.links(".seat-offer h2 a") == [url(game, "take_over", 2)]


def test_the_list_hides_what_one_can_not_take_over(game: Game) -> None:
    assert not Page(signed_in("Anna").get("/seats/")).has("li.seat-offer")
    for change in ({"visibility": "link"}, {"visibility": "private"}):
        Game.objects.filter(pk=game.pk).update(**change)
        assert not Page(Client().get("/seats/")).has("li.seat-offer")


@pytest.mark.parametrize("count", [1, 6])
def test_the_list_costs_the_same_for_many(count: int, django_assert_max_num_queries: Any) -> None:
    for number in range(count):
        make_offered_game(name=f"Table {number}")
    with django_assert_max_num_queries(4):
        assert len(Page(Client().get("/seats/")).all("li.seat-offer")) == count


def test_one_click_on_the_page_of_the_seat_takes_it_over(game: Game) -> None:
    make_player("Emma")
    emma = signed_in("Emma")
    assert buttons(emma, game) == ["Look at the seat"]
    page = Page(emma.get(url(game, "take_over", 2)))
    assert page.text("h1") == "Take over a seat in Albi?"
    response = emma.post(url(game, "take_over", 2), follow=True)
    assert said(response) == ["The seat is yours. We'll tell you when it's your turn."]
    assert game.seats.get(index=2).player.username == "Emma"
    assert buttons(emma, game) == []


def test_who_can_not_take_it_over_is_led_to_the_board_or_told_why(game: Game) -> None:
    assert signed_in("Anna").get(url(game, "take_over", 2)).url == url(game)
    assert signed_in("Anna").get(url(game, "take_over", 5)).status_code == 404
    assert buttons(Client(), game) == []
    response = signed_in("Anna").post(url(game, "take_over", 2), follow=True)
    assert said(response) == ["You can't take over a seat in this game."]


def test_the_caretaker_is_marked_on_the_board_in_the_moves_and_in_lists(game: Game) -> None:
    page = Page(signed_in("Anna").get(url(game)))
    assert page.text(".seat2 .remark") == "the bot is standing in"
    told = page.texts(".told li")
    assert any("The bot is standing in." in line for line in told)
    assert any("The bot, standing in, played this." in line for line in told)
    row = Page(signed_in("Anna").get("/games/")).text(".rows .seat.left")
    assert "the bot is standing in" in row


def test_the_player_comes_back_with_one_click(game: Game) -> None:
    clara = signed_in("Clara")
    assert buttons(clara, game) == ["Come back"]
    assert "Plan your next turn" not in Page(clara.get(url(game))).texts("a")
    response = clara.post(url(game, "come_back"), follow=True)
    assert said(response) == ["Welcome back: the seat is yours again."]
    assert game.seats.get(index=2).state == SeatState.PLAYING


def test_the_board_of_who_is_away_shows_no_turn_to_play() -> None:
    ladder = Ladder(excuses=0, holiday=False, last=TimeoutStep.SUBSTITUTE)
    game = time_out(play_turns(make_game(seats=3, ladder=ladder), 5))
    assert game.awaited == 2
    page = Page(signed_in("Clara").get(url(game)))
    for shown in (page, Page(signed_in("Clara").get("/games/"))):
        assert not shown.has("form[action$='/back/']"), "it would be refused"
        assert "The house bot is playing a turn for this seat right now." in shown.text("main")
    assert page.text(".table-head strong") == "The bot is standing in for Clara and is playing right now."
    assert not page.has("#turn.mine")
    assert "Clara" not in Page(signed_in("Clara").get("/games/")).texts(".my-turn")


@pytest.mark.parametrize(
    ("seats", "consequence"),
    [
        (2, "The game ends at once, and you win it because your opponent ran out of time."),
        (3, "The seat is lost, and the house bot plays on for it."),
    ],
)
def test_whoever_claims_is_told_what_comes_of_it(seats: int, consequence: str) -> None:
    game = make_claimable_game(seats=seats)
    assert game.awaited is not None
    names = [seat.player.username for seat in game.seats.all() if seat.player and seat.index != game.awaited]
    page = Page(signed_in(names[0]).post(url(game, "claim")))
    assert page.text(".card > p").startswith(consequence)


def test_the_opponent_claims_the_win_or_gives_days() -> None:
    game = make_claimable_game()
    now = game.claimable
    assert buttons(signed_in("Bruno"), game) == ["Claim the win", "Give 3 days"]
    assert (
        Page(signed_in("Anna").get(url(game)))
        .text("p.at-hand:not(.offline)")
        .startswith("Your time has run out")
    )
    response = signed_in("Bruno").post(url(game, "give"), {"to": 0, "days": 3}, follow=True)
    assert said(response) == ["You've given the time."]
    game.refresh_from_db()
    assert game.claimable is None
    assert game.deadline > now
    response = signed_in("Bruno").post(url(game, "claim"), {"sure": "yes"}, follow=True)
    assert said(response)[0].startswith("You can't claim the win")


@pytest.mark.parametrize("data", [{}, {"days": 0}, {"days": 9}, {"days": "x", "to": 0}])
def test_nonsense_gives_nothing(data: dict[str, Any]) -> None:
    heart_beats(timezone.now())
    game = make_game(now=timezone.now())
    response = signed_in("Bruno").post(url(game, "give"), data, follow=True)
    assert said(response) == ["You can give one to seven days."]
    assert not game.moves.filter(action__type="give").exists()


def test_a_record_with_acts_of_the_table_is_written(game: Game) -> None:
    play.come_back(game_id=game.pk, seat=2, now=get_time_after_last_move(game))
    assert Client().get(url(game, "record")).status_code == 200
    assert Client().get(url(game, "files")).status_code == 200
    assert signed_in("Anna").get(url(game, "text")).status_code == 200
    assert get_time_after_last_move(game) > NOW


def test_a_lost_seat_is_told_on_top_of_my_games_with_the_way_back(game: Game) -> None:
    clara = signed_in("Clara")
    page = Page(clara.get("/games/"))
    assert page.text(".lost-seat h2 a") == "Albi"
    assert page.text(".lost-seat p").startswith("Your time ran out, so the bot is standing in")
    assert page.one(".lost-seat form")["action"] == url(game, "come_back")
    heart_beats(timezone.now())
    clara.post(url(game, "come_back"))
    assert game.seats.get(index=2).state == SeatState.PLAYING
    assert not Page(clara.get("/games/")).has(".lost-seat")
    assert not Page(signed_in("Anna").get("/games/")).has(".lost-seat")


def test_the_list_has_a_button_for_each_seat(game: Game) -> None:
    page = Page(Client().get("/seats/"))
    assert page.links(".seat-offer a.button") == [url(game, "take_over", 2)]
