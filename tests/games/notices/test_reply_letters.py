"""Tests of the answers to mails, which tell the turn that follows, and of the options that mails list."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from games import tasks
from games.mail_in import answering
from games.models import Game, Notice
from games.notices import email
from games.notices.reply_address import ReplyToken, build_reply_address
from games.play import positions, turns
from games.rules.notation import write
from games.rules.tiles import FOLLOWER
from tests.games.factories import heart_beats, make_game, play_turns
from tests.games.mail_in.writing import (
    DOMAIN,
    answer_last,
    deliver,
    last_mail_to,
    parse_sent,
    receive,
    text_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _replies(settings: Any) -> None:
    settings.REPLY_DOMAIN = DOMAIN


def play_by_mail(game: Game) -> int:
    """Answer Anna's mail with a turn, let the bot play, and return the number of mails sent before."""
    game.refresh_from_db()
    last_mail_to("Anna")
    before = len(mail.outbox)
    answer_last("Anna", write(positions.load_position(game).legal_actions()[0]))
    tasks.play_bot(game.pk)
    return before


def html_of(message: Any) -> str:
    return str(message.get_body(("html",)).get_content())


class TestOneMail:
    """A bot has played before the answer to a turn is written."""

    @pytest.mark.parametrize("pause", [0, 120])
    def test_has_the_next_tile_and_takes_the_mail_about_the_turn_along(
        self, settings: Any, pause: int
    ) -> None:
        settings.NOTICE_PAUSE_SECONDS = pause
        game = make_game(bots=1, now=timezone.now())
        before = play_by_mail(game)
        (answer,) = deliver()[before:]
        assert answer.subject == f"Played: {game.name}"
        assert "You drew this tile: " in answer.body and "\n  1: column" in answer.body
        assert "tiles left to draw" in answer.body
        turn = Notice.objects.filter(kind="your_turn", recipient=game.host).latest("pk")
        game.refresh_from_db()
        assert turn.version == game.turn_version and turn.sent is not None
        Notice.objects.filter(sent=None).update(next_try=timezone.now())
        assert len(deliver()) == before + 1

    def test_is_sent_for_only_when_the_bot_has_played(self, monkeypatch: Any) -> None:
        queued: list[str] = []
        for module in (turns, answering):
            monkeypatch.setattr(module, "queue_on_commit", lambda name, *args, **more: queued.append(name))
        of_people, of_bots = (make_game(bots=bots, now=timezone.now()) for bots in (0, 1))
        for game in (of_people, of_bots):
            turn = write(positions.load_position(game).legal_actions()[0])
            token = ReplyToken(game.host_id, game.pk, game.version)
            raw = f"From: anna@example.org\nMessage-ID: <{game.code}@example.org>\n\n{turn}\n".encode()
            queued.clear()
            receive(raw, sender="anna@example.org", to=build_reply_address(token))
            assert ("games.tasks.deliver_notices" in queued) == (game == of_people)
        tasks.play_bot(of_bots.pk)
        assert "games.tasks.deliver_notices" in queued

    def test_that_cannot_go_out_keeps_both_for_later(self, settings: Any, monkeypatch: Any) -> None:
        """And the clock is credited by the notice of the turn, which goes out with it."""
        game = make_game(bots=1, now=timezone.now())
        before = play_by_mail(game)

        def fail(*args: Any) -> None:
            raise email.ServerAway("gone")

        with monkeypatch.context() as away:
            away.setattr(email.Connection, "send", fail)
            tasks.deliver_notices()
        owed = Notice.objects.filter(recipient=game.host, sent=None, dropped=None)
        assert sorted(owed.values_list("kind", "claimed")) == [("reply", None), ("your_turn", None)]
        game.refresh_from_db()
        deadline, later = game.deadline, timezone.now() + timedelta(hours=3)
        owed.filter(kind="your_turn").update(next_try=later + timedelta(minutes=1))
        with time_machine.travel(later, tick=False):
            heart_beats(later)
            assert len(deliver()) == before + 1
        game.refresh_from_db()
        assert deadline is not None and game.deadline is not None
        assert timedelta(hours=2) < game.deadline - deadline < timedelta(hours=4)

    def test_leaves_the_mail_about_the_turn_that_another_worker_is_sending(self) -> None:
        game = make_game(bots=1, now=timezone.now())
        before = play_by_mail(game)
        turn = Notice.objects.filter(kind="your_turn", recipient=game.host, sent=None, dropped=None)
        turn.update(claimed=timezone.now())
        assert len(deliver()) == before + 1
        assert turn.get().sent is None

    def test_takes_none_along_where_the_others_are_still_to_play(self) -> None:
        game = make_game(now=timezone.now())
        game.refresh_from_db()
        answer_last("Anna", write(positions.load_position(game).legal_actions()[0]))
        subjects = [one.subject for one in deliver()]
        assert f"Played: {game.name}" in subjects
        assert any(one.startswith("Your turn") and to == ["bruno@example.org"] for one, to in told())


def told() -> list[tuple[str, list[str]]]:
    return [(message.subject, message.to) for message in mail.outbox]


class TestSpaces:
    def test_stand_below_the_board_and_folded_in_html(self, settings: Any) -> None:
        settings.NOTICE_PAUSE_SECONDS = 0
        game = make_game(bots=1, now=timezone.now())
        message = last_mail_to("Anna")
        before = play_by_mail(game)
        answer = parse_sent(deliver()[before])
        for one in (message, answer):
            text, html = text_of(one), html_of(one)
            assert text.index("Points") < text.index("\n  1: column"), one["Subject"]
            folded = html[html.index("<details>") : html.index("</details>")]
            assert "<strong>1</strong>: column" in folded, one["Subject"]
            assert html.count("<strong>1</strong>: column") == 1
            assert html.index('alt="The board"') < html.index("<details>") < html.index("Anna</td>")

    def test_have_letters_for_meeples_only_while_one_is_in_hand(self, settings: Any) -> None:
        settings.NOTICE_PAUSE_SECONDS = 0
        game = make_game(now=timezone.now())
        with_one, without = last_mail_to("Anna"), None
        for _ in range(30):
            for _ in game.seats.all():
                play_turns(game, 1, now=timezone.now())
            game.refresh_from_db()
            if not positions.load_position(game).state.supply[0].get(FOLLOWER, 0):
                without = last_mail_to("Anna")
                break
        assert without is not None, "random turns used up the meeples before"
        for message, shown in ((with_one, True), (without, False)):
            text = text_of(message)
            assert ("Add a letter for a meeple" in text) == shown
            assert ("\n  k: " in text) == shown
            assert (" k”: the number of a space" in text) == shown
