"""Tests of what requests and mails cost, in calls of Python functions, as ``make bench`` counts them."""

from functools import partial

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import include, path, reverse
from django.utils import timezone

from benchmarks.calls import count_calls
from games.models import Game, Kind, Notice
from games.notices.email import compose
from tests.games.factories import copy_game, make_game, play_turns
from tests.leagues.league_rows import Size, people, write_league


def show_row(request: HttpRequest, code: str) -> HttpResponse:
    """Read one row and show a line of it, to a player who is signed in."""
    return HttpResponse(f"{Game.objects.get(code=code).name} {request.user}")


urlpatterns = [path("one-row/<slug:code>/", show_row), path("", include("carcassonne.urls"))]


@pytest.mark.django_db
@override_settings(ROOT_URLCONF=__name__)
def test_pages_and_mails_ask_for_few_calls(client: Client) -> None:
    now = timezone.now()
    game = play_turns(make_game(now=now), 8, now=now)
    copy_game(game, 5)
    write_league("large", people(24, "Large"), Size(4, 6, 2), game, now)
    player = game.seats.get(index=game.awaited).player
    assert player is not None
    client.force_login(player)
    addresses = {
        "one row": f"/one-row/{game.code}/",
        "board": reverse("games:table", args=[game.code]),
        "my games": reverse("games:mine"),
        "season": "/leagues/large/2/",
    }
    for _warm in range(2):
        for name, address in addresses.items():
            assert client.get(address).status_code == 200, name
    calls = {name: count_calls(partial(client.get, address)) for name, address in addresses.items()}
    times = {name: number / calls["one row"] for name, number in calls.items()}
    # A little more than they take: 10.5 is a season whose settings are parsed for each row.
    most = {"one row": 1, "board": 4.3, "my games": 6, "season": 10.1}
    assert {name: number for name, number in times.items() if number > most[name]} == {}
    notice = Notice.objects.filter(kind=Kind.YOUR_TURN, recipient=player).latest("pk")
    compose(notice)
    assert count_calls(lambda: compose(notice).message().as_bytes()) < 30_000
