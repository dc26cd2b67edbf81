"""Tests of explanations of deadlines, for players and moderators; and of the seats' saved time."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.test import Client

from accounts.models import Player
from games.clocks import DAY, HOUR, PRESETS, Ladder
from games.models import Game, Holiday, Kind, Notice
from games.notices import email
from games.play import timing
from tests.games.factories import make_game, make_player, reminder_now
from tests.games.visitors import awaited, url, waiting
from tests.html import Page

pytestmark = pytest.mark.django_db

FRIDAY = datetime(2026, 11, 20, 17, 10, tzinfo=UTC)
STEADY = PRESETS["steady"]
TERMS = ["12 hours of free time from Fri 20 Nov, 18:10", "3 days from the time bank"]


@pytest.fixture(autouse=True)
def on_friday() -> Iterator[None]:
    with time_machine.travel(FRIDAY, tick=False):
        yield


@pytest.fixture
def game() -> Game:
    """A game in which Anna is on turn, who lives in Warsaw and rests at night."""
    make_player("Anna", time_zone="Europe/Warsaw", rest_from=time(22), rest_to=time(7, 30))
    return make_game(now=FRIDAY, clock=STEADY, ladder=Ladder.usual(2))


def again(game: Game, **rows: Any) -> Game:
    """Set *rows* of the running turn, and recompute its deadline."""
    for name, value in rows.items():
        setattr(game, name, value)
    timing.set_deadline(game, game.seats.get(index=0))
    game.save()
    return game


def why(client: Client, game: Game) -> list[str]:
    return Page(client.get(url(game))).texts("#why-until li")


def test_the_board_says_why_until_then(game: Game) -> None:
    night = [*TERMS, "a night's rest until 07:30"]
    assert why(awaited(game), game) == night
    page = Page(awaited(game).get(url(game)))
    assert page.text("button.clock[popovertarget=why-until]").startswith("3 d 13 h")
    assert page.texts("#why-until p") == ["3 days, 13 hours left (until Tue 24 Nov, 07:30)"]
    assert why(waiting(game), game)[2] == "a night's rest until 06:30", "Bruno's clock shows UTC"


def test_the_board_in_words_says_it_too(game: Game) -> None:
    assert Page(awaited(game).get(url(game, "text"))).texts(".asked details li")[:2] == TERMS


def test_the_time_that_others_have_saved_stands_in_their_rows(game: Game) -> None:
    page = Page(awaited(game).get(url(game)))
    assert page.texts(".seat .bank") == ["time bank 3 d"]
    assert page.texts(".held-list li") == ["Bruno: time bank 3 d"]
    assert page.texts(".seat.awaited .bank") == []
    assert "time bank 3 d" in Page(awaited(game).get(url(game, "text"))).text("body")


def test_where_nothing_is_saved_no_bank_is_told() -> None:
    game = make_game(now=FRIDAY, clock=PRESETS["relaxed"])
    assert not Page(awaited(game).get(url(game))).has(".seat .bank")
    assert why(awaited(game), game) == ["7 days from Fri 20 Nov, 17:10"]


def test_a_clock_that_stands_says_so(game: Game) -> None:
    until = FRIDAY + 2 * DAY
    again(game, stops=[[FRIDAY.isoformat(), until.isoformat(), "pause"]])
    page = Page(awaited(game).get(url(game)))
    assert page.texts("#why-until p")[1] == "The clock is stopped: 2 days of pause, until Sun 22 Nov, 18:10."
    again(game, stops=[[FRIDAY.isoformat(), None, "hold"]])
    page = Page(awaited(game).get(url(game)))
    assert page.text("button.clock") == "the clock is stopped"
    assert page.texts("#why-until li")[2:] == ["the clock is stopped until further notice"]


def test_a_holiday_is_a_term(game: Game) -> None:
    anna = Player.objects.get(username="Anna")
    Holiday.objects.create(player=anna, begin=FRIDAY + DAY, end=FRIDAY + 3 * DAY, entered=FRIDAY)
    again(game)
    assert why(awaited(game), game)[2] == "2 days of holiday, until Mon 23 Nov, 18:10"
    again(game, clock_settings=replace(STEADY, ends=FRIDAY + 2 * DAY).to_json())
    with time_machine.travel(FRIDAY + DAY + HOUR, tick=False):
        told = Page(awaited(game).get(url(game))).texts("#why-until p")[-2]  # before that of the hard end
    assert told.startswith("The clock is stopped: 2 days of holiday"), "though it moves no deadline"


def test_no_clock_runs_for_the_house_bot() -> None:
    game = make_game(now=FRIDAY, bots=1, clock=STEADY)
    Game.objects.filter(pk=game.pk).update(awaited=1, calendar=None, deadline=None)
    assert not Page(Client().get(url(game))).has("button.clock")


def mail(game: Game, kind: str) -> tuple[str, str, Page]:
    """Subject, text and HTML of the mail to Anna."""
    if kind == Kind.REMINDER:
        reminder_now(game)
    notice = Notice.objects.filter(game=game, kind=kind, recipient__username="Anna").first()
    assert notice is not None
    written = email.compose(notice)
    return written.subject, str(written.body), Page(str(written.alternatives[0][0]))


@pytest.mark.parametrize("kind", ["your_turn", "reminder"])
def test_mails_say_the_same(game: Game, kind: str) -> None:
    told = (
        "12 hours of free time from Fri 20 Nov, 18:10; 3 days from the time bank; a night's rest until 07:30."
    )
    _subject, text, html = mail(game, kind)
    assert f"Please play by 24 November 2026, 07:30 (CET).\n{told}\n" in text
    assert told in html.texts("p")[1]


@pytest.mark.parametrize("kind", ["your_turn", "reminder"])
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_mails_say_it_in_every_language(game: Game, language: str, kind: str) -> None:
    Player.objects.filter(username="Anna").update(language=language)
    subject, text, _html = mail(game, kind)
    assert "{" not in subject + text
    assert "18:10" in text and "7:30" in text


def test_the_subject_says_days_or_hours_or_nothing(game: Game) -> None:
    assert mail(game, "your_turn")[0] == f"Your turn in {game.name} – 3 days to move"
    again(game, clock_settings=replace(STEADY, ends=FRIDAY + 5 * HOUR).to_json())
    assert mail(game, "your_turn")[0] == f"Your turn in {game.name} – 5 hours to move"
    again(game, clock_settings=STEADY.to_json(), stops=[[FRIDAY.isoformat(), None, "hold"]])
    subject, text, _html = mail(game, "your_turn")
    assert subject == f"Your turn in {game.name}"
    assert "the clock is stopped until further notice" in text and "Please play by" not in text


def test_moderators_read_the_same_in_the_admin(game: Game, admin_client: Client) -> None:
    page = Page(admin_client.get(f"/admin/games/game/{game.pk}/change/"))
    assert page.text(".field-why_until_then .readonly").startswith("12 hours of free time from ")
    assert page.text(".field-agreed .readonly").startswith("About 3 days a move; ")
