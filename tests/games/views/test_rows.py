"""Tests of a running game as a row of a list."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import play
from games.models import Move, Proposal, Seat
from games.pages.parts.rows import build_rows, describe_last_event
from games.play import offers
from games.rules import Completed, Deployed, Event, Placed, Returned, Scored, Term
from games.rules.events import event_to_json
from games.selectors.my_games import load_my_games
from tests.games.factories import NOW, make_game, make_players, play_turns
from tests.html import Page, words

pytestmark = pytest.mark.django_db


def rows(client: Client, player: Player) -> Page:
    client.force_login(player)
    return Page(client.get("/games/"))


def test_the_seat_awaited_is_marked_and_scores_stand_beside_names(client: Client) -> None:
    anna, _bruno = make_players(2)
    game = play_turns(make_game(name="Foix"), 9)
    Seat.objects.filter(game=game, index=1).update(score=12)
    page = rows(client, anna)
    assert page.texts(".rows .seat-name") == ["Anna", "Bruno"]
    assert page.texts(".rows .seat-score")[1] == "12"
    assert page.texts(".rows .seat.awaited .seat-name") == ["Bruno"]
    assert page.texts(".rows .seat.mine .seat-name") == ["Anna"]


def test_names_lead_to_the_pages_of_the_players(client: Client) -> None:
    anna, _bruno = make_players(2)
    make_game()
    page = rows(client, anna)
    assert [element["href"] for element in page.all(".rows .seat-name a")] == [
        "/players/Anna/",
        "/players/Bruno/",
    ]


def test_all_sets_are_named(client: Client) -> None:
    make_game(sets=["base", "river1"])
    page = rows(client, make_players(1)[0])
    assert page.texts(".rows .sets li") == ["Base game", "The River"]
    assert len(page.all(".rows .sets li > svg.set-picture")) == 2


@pytest.mark.parametrize(
    ("gone", "told", "share", "urgent"),
    [
        (timedelta(minutes=1), "1 d 23 h left", "100", False),
        (timedelta(hours=12), "1 d 12 h left", "75", False),
        (timedelta(hours=42), "6 h left", "12", True),
        (timedelta(hours=47, minutes=40), "20 min left", "1", True),
    ],
)
def test_how_much_of_the_time_is_left_and_when_it_gets_short(
    gone: timedelta, told: str, share: str, urgent: bool
) -> None:
    anna = make_players(1)[0]
    make_game(days_per_move=2)
    (row,) = build_rows(load_my_games(anna, NOW + gone).turn, NOW + gone)
    assert (row.left, str(row.share), row.urgent) == (told, share, urgent)


def test_a_short_time_that_has_just_begun_is_not_urgent() -> None:
    anna = make_players(1)[0]
    make_game(days_per_move=1)
    now = NOW + timedelta(hours=2)
    (row,) = build_rows(load_my_games(anna, now).turn, now)
    assert row.left == "22 h left" and not row.urgent


def test_of_others_the_name_stands_beside_the_time_and_nothing_is_urgent() -> None:
    _anna, bruno = make_players(2)
    make_game(days_per_move=1)
    now = NOW + timedelta(hours=23)
    (row,) = build_rows(load_my_games(bruno, now).waiting, now)
    assert row.left == "Anna · 1 h"
    assert not row.urgent


def test_a_bot_has_no_clock(client: Client) -> None:
    game = make_game(bots=1)
    play_turns(game, 1)
    page = rows(client, make_players(1)[0])
    assert page.texts(".game-time") == ["House bot"]
    assert not page.has("progress.share")


def test_one_button_leads_to_the_game_and_says_whose_turn_it_is(client: Client) -> None:
    anna, bruno = make_players(2)
    game = make_game(name="Foix")
    for player, words_of_button, quiet in ((anna, "Play Foix", False), (bruno, "Look Foix", True)):
        button = rows(client, player).one(".rows .game-act a")
        assert words(button) == words_of_button
        assert button["href"] == f"/g/{game.code}/"
        assert ("quiet" in button["class"]) is quiet


def test_before_the_first_turn_nothing_has_happened(client: Client) -> None:
    make_game()
    assert not rows(client, make_players(1)[0]).has(".game-event")


def act(*events: Event) -> Move:
    return Move(seat=0, action={"type": "place"}, events=[event_to_json(event) for event in events])


PLACED = Placed(0, "base.N", 0, -1, 0)
DEPLOYED = Deployed(0, "follower", 0, -1, "city", "N")
COMPLETED = Completed(0, "city", 0, -1, "N", 2)


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ((PLACED,), "Anna placed a tile at column 0, row −1."),
        ((PLACED, COMPLETED), "Anna completed a city of 2 tiles."),
        ((PLACED, DEPLOYED, COMPLETED), "Anna deployed a knight: city (north)."),
        (
            (
                PLACED,
                DEPLOYED,
                Scored(1, "road", 3, (Term("tiles", 3, 3),), 0, 0, "W", True),
                Scored(0, "city", 4, (Term("tiles", 2, 4),), 0, -1, "N", True),
                Returned(0, "follower", 0, -1, "city", "N"),
            ),
            "Anna scores 4 points for the city.",
        ),
    ],
)
def test_the_last_event_is_what_brought_most_points_or_else_what_the_figure_did(
    events: tuple[Event, ...], told: str
) -> None:
    assert describe_last_event(act(*events), ["Anna", "Bruno"]) == told


def test_what_was_done_last_and_when_stands_under_the_names(client: Client) -> None:
    anna = make_players(1)[0]
    game = play_turns(make_game(now=timezone.now()), 5, now=timezone.now())
    last = Move.objects.filter(game=game, ply=5).get()
    (told,) = rows(client, anna).texts(".game-event")
    assert told.startswith(describe_last_event(last, ["Anna", "Bruno"]).removesuffix("."))
    assert (
        rows(client, anna).text(".game-event time").startswith(("today, ", "yesterday, "))
    )  # around midnight


def test_readers_in_other_zones_are_told_of_a_pause_in_their_own_time() -> None:
    _anna, bruno = make_players(2)
    game = make_game()
    until = NOW + timedelta(days=3)
    offers.propose(game_id=game.pk, seat=0, kind=Proposal.PAUSE, until=until, now=NOW)
    told = []
    for zone in ("Europe/Berlin", "Asia/Tokyo"):
        with timezone.override(zone):
            (row,) = build_rows(load_my_games(bruno, NOW).waiting, NOW)
            told.append(row.event)
    assert told[0] != told[1]


def test_resigning_is_told_too() -> None:
    game = make_game(seats=3)
    play.resign(game_id=game.pk, seat=0, now=NOW)
    (row,) = build_rows(load_my_games(make_players(1)[0], NOW).waiting, NOW)
    assert row.event == "Anna resigned"
