"""Tests of the short form of each kind of notice, for channels without pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import timedelta
from typing import NamedTuple
from unittest.mock import patch

import pytest
from django.utils import timezone
from django.utils.translation import get_language
from pytest_django.fixtures import Settings

from games import play, tables
from games.clocks import PRESETS, Ladder
from games.models import Game, Kind, Notice, Proposal
from games.notices import letters, reminders
from games.notices.letters import NothingToTell
from games.notices.summaries import NoticeSummary, summarise_notice
from games.outbox import nudge_host
from games.play import moderation
from moderation.models import Incident
from tests.games.factories import (
    heart_beats,
    make_game,
    make_player,
    make_table,
    play_turns,
    reminder_now,
)
from tests.games.mail_in.writing import DOMAIN, answer_last
from tests.games.play.decision_helpers import make_transferring_game
from tests.games.play.moderating import asked
from tests.leagues.season_helpers import begin_season
from tests.moderation.reporting import decide, report
from tests.moderation.sanctioning import warned

pytestmark = pytest.mark.django_db

SITE = "https://carcassonne.example"


@pytest.fixture(autouse=True)
def replies(settings: Settings) -> None:
    settings.REPLY_DOMAIN = DOMAIN


def your_turn() -> None:
    game = make_game(name="Albi", now=timezone.now())
    play_turns(game, 2, now=timezone.now())


def started() -> None:
    make_game(name="Albi", now=timezone.now())


def reminder() -> None:
    reminder_now(make_game(name="Albi", now=timezone.now()))
    reminders.owe(timezone.now())


def time_out() -> None:
    now = timezone.now()
    game = make_game(name="Albi", clock=PRESETS["steady"], ladder=Ladder(excuses=1), now=now)
    heart_beats(now)
    Notice.objects.filter(dropped=None).update(sent=now)
    heart_beats(now + timedelta(days=4))
    play.lose_on_time(game_id=game.pk, now=now + timedelta(days=4))


def game_over() -> None:
    game = play_turns(make_game(name="Albi", now=timezone.now()), 4, now=timezone.now())
    play.resign(game_id=game.pk, seat=1, now=timezone.now())


def invitation() -> None:
    table = make_table(host=make_player("Bruno"), name="Albi", now=timezone.now())
    tables.invite(game_id=table.pk, inviter=table.host, player=make_player("Anna"), now=timezone.now())


def declined() -> None:
    table = make_table(host=make_player("Anna"), name="Albi", now=timezone.now())
    bruno = make_player("Bruno")
    tables.invite(game_id=table.pk, inviter=table.host, player=bruno, now=timezone.now())
    tables.decline(token=table.invitations.get().token, player=bruno, now=timezone.now())


def removed() -> None:
    table = make_table(seats=3, host=make_player("Bruno"), name="Albi", now=timezone.now())
    tables.sit(game_id=table.pk, player=make_player("Anna"), now=timezone.now())
    tables.remove_guest(game_id=table.pk, player=table.host, seat=1, now=timezone.now())


def nudge() -> None:
    nudge_host(make_table(host=make_player("Anna"), name="Albi", now=timezone.now()), now=timezone.now())


def table() -> None:
    game = make_game(name="Albi", now=timezone.now())
    play.propose(game_id=game.pk, seat=1, kind=Proposal.END, now=timezone.now())


def league() -> None:
    begin_season(2, division_size=2)


def moderated() -> None:
    game = make_game(name="Albi", now=timezone.now())
    moderation.pause(asked(game, now=timezone.now()))


def conduct() -> None:
    warned(make_player("Anna"))


def decided() -> None:
    decide(report(by="Anna", about="Bruno").incident)


def reply() -> None:
    make_game(name="Albi", now=timezone.now())
    answer_last("Anna", "status")


class Expected(NamedTuple):
    """Cause of a notice, and its short form."""

    cause: Callable[[], None]
    title: str
    text: str
    path: str = "/g/"
    reader: str = "Anna"


EXPECTED: Mapping[Kind, Expected] = {
    Kind.YOUR_TURN: Expected(your_turn, "Your turn in Albi – 3 days to move", "You drew this tile: "),
    Kind.STARTED: Expected(started, "Albi has started", "It's Anna's turn now.", reader="Bruno"),
    Kind.REMINDER: Expected(reminder, "Still your turn in Albi", "Please play by "),
    Kind.TIME_OUT: Expected(time_out, "Your time ran out in Albi: excused this time", "You're excused"),
    Kind.GAME_OVER: Expected(
        game_over, "Albi is over", "Albi is over. You won. Bruno resigned. Congratulations!\n1. Anna: "
    ),
    Kind.INVITATION: Expected(
        invitation,
        "Bruno has invited you to a game of Carcassonne",
        "Bruno has kept a seat for you at Albi.",
        "/i/",
    ),
    Kind.DECLINED: Expected(
        declined, "Bruno won't be joining Albi", "Bruno can't join you at Albi. The seat is free"
    ),
    Kind.NUDGE: Expected(nudge, "Keep Albi open?", "Your table Albi is still waiting for 1 player."),
    Kind.TABLE: Expected(table, "Bruno proposes to end Albi", "Bruno proposed ending the game"),
    Kind.LEAGUE: Expected(
        league, "Cup of Foix: Season 1 has started", "Season 1 has started", "/leagues/", reader="Player00"
    ),
    Kind.MODERATION: Expected(moderated, "A moderator has acted in Albi", "moderator"),
    Kind.REMOVED: Expected(
        removed, "You've been removed from Albi", "Bruno has removed you from the table Albi.", "/"
    ),
    Kind.CONDUCT: Expected(conduct, "A warning", "", "/conduct/"),
    Kind.REPORT: Expected(decided, "Your report has been decided", "You reported Bruno.", "/"),
    Kind.REPLY: Expected(reply, "Your email about Albi", "It's your turn."),
}


def summary_of(kind: Kind, reader: str) -> NoticeSummary:
    notice = Notice.objects.filter(kind=kind, recipient__username=reader).order_by("pk").last()
    assert notice is not None
    drawn = AssertionError("a picture is drawn")
    with ExitStack() as patches:
        for name in ("render_board_png", "render_tile_png", "build_board_picture"):
            patches.enter_context(patch.object(letters, name, side_effect=drawn))
        return summarise_notice(notice)


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_a_title_a_line_or_a_few_and_a_page(kind: Kind) -> None:
    expected = EXPECTED[kind]
    expected.cause()
    summary = summary_of(kind, expected.reader)
    assert summary.title.startswith(expected.title)
    assert expected.text in summary.text
    assert summary.url.startswith(SITE + expected.path)
    assert 1 <= len(summary.text.splitlines()) <= 4
    assert len(summary.text) < 500
    assert "&" not in summary.text and "{" not in summary.text


def test_speaks_the_readers_language_and_tells_their_time() -> None:
    make_player("Anna", language="pl", time_zone="Asia/Tokyo")
    make_game(now=timezone.now().replace(hour=12, minute=0))
    summary = summary_of(Kind.YOUR_TURN, "Anna")
    assert "21:00 (JST)" in summary.text
    assert "Twoj" in summary.title or "Twój" in summary.title
    assert get_language() == "en"


def test_a_question_is_asked_in_short() -> None:
    make_transferring_game(name="Albi")
    summary = summary_of(Kind.YOUR_TURN, "Bruno")
    assert summary.title.startswith("Albi is waiting for your answer")
    assert "Please answer by " in summary.text


def test_names_that_turn_the_direction_of_a_line_turn_nothing() -> None:
    started()
    Game.objects.update(name="Al\u202ebi\nFoix")
    assert summary_of(Kind.STARTED, "Bruno").title == "Al bi Foix has started"


def test_what_does_not_matter_any_more_is_not_summarised() -> None:
    decided()
    notice = Notice.objects.get(kind=Kind.REPORT)
    Incident.objects.update(closed=None, closed_by=None, verdict="")
    with pytest.raises(NothingToTell):
        summarise_notice(notice)
