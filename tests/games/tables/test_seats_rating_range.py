"""Tests of tables for a range of ratings: shown before joining, checked on every way in."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import play, tables, tasks
from games.clocks import Ladder, TimeoutStep
from games.exceptions import Refused
from games.models import Game, SeatState
from ratings import strengths
from ratings.models import Pool
from tests.games.factories import keeps_time, make_game, make_player, make_players, make_table
from tests.html import Page
from tests.ratings.rating_helpers import create_rating

pytestmark = pytest.mark.django_db

OUTSIDE = "This table is for ratings 1400 to 1550; yours is 1600."


@pytest.fixture
def anna() -> Player:
    return make_players(1)[0]


@pytest.fixture
def strong() -> Player:
    """Somebody with 1600 in duels, and with a provisional 1300 at larger tables."""
    player = make_player("Strong")
    create_rating(player)
    create_rating(player, Pool.TABLE, mu=15, sigma=8)
    return player


@pytest.fixture
def door(strong: Player, client: Client) -> Iterator[Client]:
    client.force_login(strong)
    yield client


def ranged(host: Player, **chosen: Any) -> Game:
    chosen = {"min_rating": 1400, "max_rating": 1550, "now": timezone.now(), **chosen}
    return make_table(host=host, **chosen)


def test_numbers_are_those_that_are_shown(strong: Player, anna: Player) -> None:
    assert strengths.load_numbers(strong.pk) == strengths.ShownNumbers(duel=1600, table=1300)
    assert strengths.load_numbers(anna.pk) == strengths.ShownNumbers(duel=1500, table=1500)


def test_nobody_sits_down_with_another_rating(strong: Player, anna: Player) -> None:
    for seats in (2, 3):
        table = ranged(anna, seats=seats)
        with pytest.raises(Refused, match=f"yours is {1600 if seats == 2 else 1300}") as refused:
            tables.sit(game_id=table.pk, player=strong, now=timezone.now())
        assert refused.value.code == "rating_outside"
        tables.sit(game_id=table.pk, player=make_player(f"New{seats}"), now=timezone.now())


def test_who_is_invited_was_chosen(strong: Player, anna: Player, door: Client) -> None:
    one, other = ranged(anna, seats=3), ranged(anna)
    for table in (one, other):
        asked = tables.invite(game_id=table.pk, inviter=anna, player=strong, now=timezone.now())
    assert Page(door.get(f"/g/{one.code}/")).has("form.sit")
    assert not Page(door.get("/lobby/")).has(".barred")
    tables.sit(game_id=one.pk, player=strong, now=timezone.now())
    tables.accept(token=asked.token, player=strong, now=timezone.now())
    assert one.seats.filter(player=strong).exists() and other.seats.filter(player=strong).exists()


def test_the_invitation_says_for_whom_the_table_is(strong: Player, anna: Player, door: Client) -> None:
    table = ranged(anna)
    asked = tables.invite(game_id=table.pk, inviter=anna, player=strong, now=timezone.now())
    assert "For ratings 1400 to 1550." in Page(door.get(f"/i/{asked.token}/")).text(".settings .time")
    tasks.deliver_notices()
    (letter,) = mail.outbox
    assert "For ratings 1400 to 1550." in letter.body


def test_an_organised_game_asks_for_nothing(strong: Player, anna: Player) -> None:
    settings = tables.settings.TableSettings.of(ranged(anna))
    game = tables.begin_game(players=[anna, strong], settings=settings, now=timezone.now())
    assert game.seats.filter(player=strong).exists()


def test_the_lobby_marks_what_one_may_not_join(
    strong: Player, anna: Player, door: Client, django_assert_max_num_queries: Any
) -> None:
    ranged(anna, name="Outside")
    ranged(anna, name="Within", max_rating=None)
    ranged(anna, name="Late", min_rating=None, max_rating=None, min_reliability=95)
    keeps_time(strong, *[False] * 12, True, True)
    with django_assert_max_num_queries(10):
        page = Page(door.get("/lobby/"))
    assert page.texts(".facts li:first-child") == [
        "First player: the host",  # Late
        "for ratings from 1400",
        "for ratings 1400 to 1550",
    ]
    barred = (page.texts(f"li.card:nth-child({n}) .barred") for n in (1, 2, 3))
    assert dict(zip(page.texts("#tables h3"), barred, strict=True)) == {
        "Outside": [OUTSIDE],
        "Within": [],
        "Late": ["This table asks for a reliability of at least 95%; yours is 88%."],
    }
    assert len(page.texts(".table-foot button")) == 1
    assert not Page(Client().get("/lobby/")).has(".barred")


def test_the_table_says_why_there_is_no_way_in(anna: Player, door: Client) -> None:
    table = ranged(anna)
    page = Page(door.get(f"/g/{table.code}/"))
    assert page.texts(".card > .note") == [OUTSIDE]
    assert not page.has("form.sit")
    page = Page(door.post(f"/g/{table.code}/sit/", follow=True))
    assert page.text(".messages .error") == OUTSIDE


def test_a_substitute_has_such_a_rating_too(strong: Player, door: Client) -> None:
    game = make_game(
        seats=3,
        min_rating=1400,
        max_rating=1550,
        ladder=Ladder(excuses=0, holiday=False, last=TimeoutStep.SUBSTITUTE),
    )
    game.seats.filter(index=2).update(state=SeatState.OFFERED)
    outside = OUTSIDE.replace("1600", "1300")
    page = Page(door.get("/seats/"))
    assert page.texts(".seat-offer .barred") == [outside]
    assert "for ratings 1400 to 1550" in page.texts(".seat-offer .facts li")
    page = Page(door.get(f"/g/{game.code}/seats/2/"))
    assert page.text(".seat-offer .note") == outside and not page.has(".seat-offer form")
    with pytest.raises(Refused) as refused:
        play.take_over(game_id=game.pk, seat=2, player=strong, now=game.turn_began or timezone.now())
    assert refused.value.code == "rating_outside"
