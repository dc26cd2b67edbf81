"""Tests of the cost of a game's page at any ply: queries and bytes."""

import gzip
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game, Kind, Message, Notice
from games.play import positions
from tests.games.factories import heart_beats, make_game, new_process, play_turns
from tests.games.visitors import HTMX, awaited, begun, first_line, send, signed_in, url, waiting
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return begun()


PAGE = 100_000
COMPRESSED = 25_000
STEP = 15_000
TABLE = {"HX-Request": "true", "HX-Target": "table"}  # as the page sends a turn
ENDS = ("BEGIN", "COMMIT")  # of a transaction


class TestCosts:
    @pytest.mark.parametrize("turns", [1, 60])
    @pytest.mark.parametrize("seats", [2, 5])
    def test_the_page_costs_few_queries_whatever_the_game_s_age(
        self,
        turns: int,
        seats: int,
        django_assert_max_num_queries: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        heart_beats(timezone.now())
        game = make_game(seats=seats, now=timezone.now(), visibility="link")
        game = play_turns(game, turns, now=timezone.now())
        anna = game.seats.get(player__username="Anna").player
        Message.objects.bulk_create(
            Message(game=game, author=anna, text=f"line {n}", at=timezone.now()) for n in range(turns)
        )
        Game.objects.filter(pk=game.pk).update(visibility="private")
        for client in (awaited(game), waiting(game)):
            new_process()
            with django_assert_max_num_queries(12):
                assert client.get(url(game)).status_code == 200

    @pytest.mark.parametrize("turns", [1, 60])
    def test_a_turn_costs_few_queries(
        self, turns: int, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        heart_beats(timezone.now())
        game = play_turns(make_game(seats=3, now=timezone.now()), turns, now=timezone.now())
        client = awaited(game)
        line = first_line(game)
        new_process()
        with django_assert_max_num_queries(20):
            assert send(client, game, line).status_code == 302

    @pytest.mark.django_db(transaction=True)  # a turn fills the cache for its page on commit
    @pytest.mark.parametrize("seats", [2, 3])
    def test_a_turn_and_the_board_after_it_are_fourteen_queries(self, seats: int) -> None:
        began = timezone.now() - timedelta(minutes=15)
        game = play_turns(make_game(seats=seats, now=began), 12, now=began)
        heart_beats(timezone.now())
        players = {seat.index: signed_in(seat.player.username) for seat in game.seats.all()}
        for turn in range(3 * seats):
            game.refresh_from_db()
            version, client = game.version, players[game.awaited]
            data = {"line": first_line(game), "version": version}
            client.get(url(game))  # as its player has looked at it before
            with CaptureQueriesContext(connection) as captured:
                response = client.post(url(game, "play"), data, headers=TABLE)
            assert Page(response).text("#played") == "Your turn is played."
            game.refresh_from_db()
            assert game.version > version
            told = Notice.objects.filter(game=game, version=game.turn_version, kind=Kind.YOUR_TURN)
            assert told.exists() and not Notice.objects.filter(
                game=game, version=version, sent=None, dropped=None
            )
            asked = [query["sql"] for query in captured if not query["sql"].startswith(ENDS)]
            assert turn < seats or len(asked) <= 14, "\n".join(asked)  # a player's first one writes a visit

    def test_looking_for_news_costs_next_to_nothing(
        self, game: Game, django_assert_max_num_queries: Any
    ) -> None:
        client = waiting(game)
        with django_assert_max_num_queries(4):
            client.get(url(game), {"since": f"{game.version}.0"}, headers={"HX-Request": "true"})

    def test_a_late_page_and_its_steps_stay_small(self) -> None:
        heart_beats(timezone.now())
        game = play_turns(make_game(seats=5, now=timezone.now()), 70, now=timezone.now())
        client = awaited(game)
        page = client.get(url(game)).content
        assert len(page) < PAGE
        assert len(gzip.compress(page)) < COMPRESSED
        for x, y, rotation in positions.load_position(game).legal_actions().placements:
            for more in ({}, {"on": "none"}):
                query = {"at": f"{x},{y}", "r": rotation, **more}
                assert len(client.get(url(game), query, headers=HTMX).content) < STEP
