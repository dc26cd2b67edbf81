"""Tests of the one-line description of a clock, the same wherever players may join, play, or be invited."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from games import tables
from games.clocks import DAY, HOUR, PRESETS, USUAL_CLOCK, ClockSettings, Counting, Ladder, TimeoutStep
from games.models import Notice
from games.notices.email import compose
from games.rules import RuleSet
from games.tables.settings import TableSettings
from games.words import clocks
from tests.games.factories import NOW, make_game, make_player
from tests.games.visitors import signed_in
from tests.html import Page

pytestmark = pytest.mark.django_db

CLOCKS: dict[str, ClockSettings] = {
    **PRESETS,
    "of days": ClockSettings.per_move(1),
    "of hours": ClockSettings(start=36 * HOUR, gain=12 * HOUR, cap=3 * DAY, grace=6 * HOUR),
    "with all": ClockSettings(
        start=2 * DAY,
        gain=DAY,
        cap=5 * DAY,
        surcharge_after=2 * DAY,
        total=20 * DAY,
        weekends=Counting.STOP,
        holidays=Counting.STOP,
    ),
    "with an end": replace(USUAL_CLOCK, ends=datetime(2027, 3, 14, 22, 59, tzinfo=UTC)),
}
LADDERS = [Ladder.usual(2), Ladder(excuses=0, holiday=False, last=TimeoutStep.CLAIM), Ladder(excuses=3)]


@pytest.mark.parametrize("ladder", LADDERS, ids=["usual", "nothing forgiven", "three forgiven"])
@pytest.mark.parametrize("name", CLOCKS)
@pytest.mark.parametrize("seats", [2, 4])
def test_the_same_line_stands_everywhere(client: Client, name: str, ladder: Ladder, seats: int) -> None:
    """And how long the game may take at worst stands nowhere before it."""
    clock, host = CLOCKS[name], make_player("Anna")
    settings = TableSettings(rules=RuleSet.of(seats=seats), clock=clock, ladder=ladder, name="Albi")
    table = tables.create_table(host=host, settings=settings, now=NOW)
    tables.invite(game_id=table.pk, inviter=host, address="bruno@example.org", now=NOW)
    notice = Notice.objects.get(address="bruno@example.org")
    line = clocks.format_clock_line(clock, ladder, seats)
    mail = compose(notice)
    invited = Page(client.get(reverse("games:invitation", args=[notice.invitation.token])))
    game = make_game(seats=seats, clock=clock, ladder=ladder, now=NOW)
    board = Page(signed_in(host.username).get(reverse("games:table", args=[game.code])))
    lobby = {"lobby": Page(client.get("/lobby/")).all_text} if seats > 2 else {}  # where a seat is free
    for place, text in {
        **lobby,
        "mail": mail.body,
        "HTML of the mail": str(mail.alternatives[0][0]),
        "invitation": invited.all_text,
        "board": board.all_text,
        "table": Page(client.get(reverse("games:table", args=[table.code]))).all_text,
    }.items():
        said = " ".join(text.replace("&#x27;", "'").split())
        assert line in said, place
        before = said[: said.index(line)]
        assert "ends by" not in before and "end by" not in before, place


def test_the_lobby_and_the_invitation_fold_the_rest_behind_it(client: Client) -> None:
    host = make_player("Anna")
    settings = TableSettings(rules=RuleSet.of(seats=2), name="Albi")
    tables.create_table(host=host, settings=settings, now=NOW)
    page = Page(client.get("/lobby/"))
    assert page.text(".agreed > summary") == clocks.format_clock_line(USUAL_CLOCK, Ladder.usual(2), 2)
    assert "Not counting pauses, it ends by" in page.text(".agreed > p")


def test_the_set_up_says_it_and_the_rest_where_every_value_is_set(client: Client) -> None:
    page = Page(signed_in(make_player("Anna").username).get("/new/"))
    assert clocks.format_clock_line(USUAL_CLOCK, Ladder.usual(2), 2) in page.text(".sum")
    assert clocks.format_clock(USUAL_CLOCK) in page.text("#clock-in-full")
    assert clocks.format_clock(USUAL_CLOCK) not in page.text(".sum")


def test_the_rules_page_says_what_the_usual_clock_does(client: Client) -> None:
    text = Page(client.get("/rules/")).all_text
    for said in (
        clocks.format_clock_line(USUAL_CLOCK, Ladder.usual(2), 2),
        clocks.format_clock(USUAL_CLOCK),
        clocks.explain_time_out(USUAL_CLOCK, Ladder.usual(2), 2),
        clocks.explain_time_out(USUAL_CLOCK, Ladder.usual(3), 3),
    ):
        assert said in text


@pytest.mark.parametrize(
    ("clock", "ladder", "seats", "said"),
    [
        (USUAL_CLOCK, Ladder.usual(2), 2, "About 3 days a move; being late once is fine."),
        (PRESETS["relaxed"], Ladder.usual(2), 2, "7 days a move; being late once is fine."),
        (
            PRESETS["classic"],
            Ladder(excuses=2),
            2,
            "About 3 days a move, with 30 days in the time bank; being late 2 times is fine.",
        ),
        (
            PRESETS["brisk"],
            Ladder(excuses=0),
            2,
            "About 1 day a move; missing a deadline loses the game.",
        ),
        (
            ClockSettings.per_move(1),
            Ladder(excuses=0, last=TimeoutStep.SUBSTITUTE),
            3,
            "1 day a move; after a missed deadline the bot stands in.",
        ),
        (
            CLOCKS["with an end"],
            Ladder.usual(2),
            2,
            "About 3 days a move; being late once is fine; it's over by 14 March 2027; "
            "if unfinished, less time used wins.",
        ),
    ],
)
def test_the_line_is_short(clock: ClockSettings, ladder: Ladder, seats: int, said: str) -> None:
    assert clocks.format_clock_line(clock, ladder, seats) == said
