"""Tests of incoming mails: they are executed, explained, or ignored."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import mail_tasks, play, tasks
from games.mail_in import answering, receiving
from games.models import Game, How, InboundMail, MailOutcome, MailState, Message, Note, Notice, Status
from games.notices.reply_address import read_reply_address
from games.play import positions
from games.rules import action_to_json
from games.rules.notation import write
from games.rules.short_form import ShortForm
from games.selectors.overdue_games import find_waiting_mails
from tests.games.factories import heart_beats, make_game, play_turns
from tests.games.mail_in.writing import (
    answer_last,
    deliver,
    last_mail_to,
    ply_of,
    receive,
    text_of,
    write_reply,
)
from tests.games.play.decision_helpers import make_transferring_game
from tests.moderation.limiting import set_limit
from tests.moderation.sanctioning import suspend

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A game in which Anna is on turn, and has been notified by mail."""
    return make_game(now=timezone.now())


def a_turn(game: Game, number: int = 0) -> Any:
    game.refresh_from_db()
    return positions.load_position(game).legal_actions()[number]


def bare_turn(game: Game) -> Any:
    """A turn without a figure."""
    game.refresh_from_db()
    return next(action for action in positions.load_position(game).legal_actions() if action.figure is None)


def answers() -> int:
    """The number of answers to mails, sent or owed."""
    return Notice.objects.filter(kind="reply").count()


class TestATurn:
    def test_is_played_as_it_is_written_and_confirmed(self, game: Game) -> None:
        turn = a_turn(game)
        mail = answer_last("Anna", write(turn))
        assert (mail.state, mail.outcome) == (MailState.DONE, MailOutcome.PLAYED)
        move = game.moves.get(seat=0, ply=1)
        assert (move.how, move.action) == (How.MAIL, action_to_json(turn))
        answer = last_mail_to("Anna")
        assert text_of(answer).startswith("Hello Anna,\n\nYour turn is played.\n")
        assert "It's Bruno's turn." in text_of(answer)

    def test_in_the_short_form_of_the_list(self, game: Game) -> None:
        turn = a_turn(game, -1)
        line = ShortForm(positions.load_position(game).legal_actions()).write(turn)
        assert line
        assert answer_last("Anna", line.upper()).outcome == MailOutcome.PLAYED
        assert game.moves.get(seat=0, ply=1).action == action_to_json(turn)

    def test_tells_the_next_player_who_answers_too(self, game: Game) -> None:
        answer_last("Anna", write(a_turn(game)))
        answer_last("Bruno", write(a_turn(game)))
        assert ply_of(game) == 2

    def test_that_breaks_a_rule_is_refused_with_the_options(self, game: Game) -> None:
        mail = answer_last("Anna", "40,40 r0")
        assert (mail.state, mail.outcome) == (MailState.DONE, MailOutcome.REFUSED)
        assert ply_of(game) == 0
        text = text_of(last_mail_to("Anna"))
        assert "The tile must touch another one." in text and "(rule BASE-8)" in text
        assert "  1: column" in text

    def test_with_a_number_that_is_not_in_the_list_is_refused(self, game: Game) -> None:
        assert answer_last("Anna", "99a").outcome == MailOutcome.REFUSED
        assert "There is no space with the number 99." in text_of(last_mail_to("Anna"))
        assert answer_last("Anna", "1a z").outcome == MailOutcome.REFUSED

    def test_of_somebody_else_is_not_played(self, game: Game) -> None:
        """Bruno has got a mail that the game has begun."""
        assert answer_last("Bruno", write(a_turn(game))).outcome == MailOutcome.REFUSED
        assert ply_of(game) == 0

    def test_for_a_position_that_is_gone_is_never_played(self, game: Game) -> None:
        first = last_mail_to("Anna")
        play_turns(game, 2, now=timezone.now())
        mail = receive(write_reply(first, write(a_turn(game))))
        assert mail is not None and mail.outcome == MailOutcome.STALE
        assert ply_of(game) == 2
        text = text_of(last_mail_to("Anna"))
        assert "The game has moved on since the email you replied to" in text
        assert "It's your turn." in text and "  1: column" in text

    def test_of_the_fresh_address_in_the_explanation_is_played(self, game: Game) -> None:
        first = last_mail_to("Anna")
        play_turns(game, 2, now=timezone.now())
        receive(write_reply(first, "status"))
        assert answer_last("Anna", write(a_turn(game))).outcome == MailOutcome.PLAYED
        assert ply_of(game) == 3

    def test_of_another_game_is_not_played_in_this_one(self, game: Game) -> None:
        other = make_game(now=timezone.now(), name="Other")
        anna = last_mail_to("Anna")
        assert "Other" in anna["Subject"]
        receive(write_reply(anna, write(a_turn(other))))
        assert (ply_of(game), ply_of(other)) == (0, 1)

    def test_that_came_in_time_counts_though_it_waited_for_us(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), write(a_turn(game)))
        game.refresh_from_db()
        assert game.deadline is not None
        received = game.deadline - timedelta(minutes=1)
        mail = receiving.store_mail(
            reply.as_bytes(), sender="anna@example.org", recipient=str(reply["To"]), now=received
        )
        assert mail is not None
        answering.answer_mail(mail_id=mail.pk, now=game.deadline + timedelta(hours=1))
        mail.refresh_from_db()
        assert mail.outcome == MailOutcome.PLAYED

    def test_that_came_late_is_refused(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), write(a_turn(game)))
        game.refresh_from_db()
        assert game.deadline is not None
        late = game.deadline + timedelta(hours=1)
        heart_beats(late)
        mail = receive(reply, now=late)
        assert mail is not None and mail.outcome == MailOutcome.REFUSED
        assert ply_of(game) == 0


class TestOnce:
    def test_the_same_message_does_nothing_again(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), "talk Hello!")
        receive(reply)
        assert receive(reply) is None
        assert (Message.objects.count(), InboundMail.objects.count(), answers()) == (1, 1, 1)

    def test_the_bytes_count_where_there_is_no_message_id(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), "talk Hello!", Message_ID="")
        receive(reply)
        assert receive(reply) is None
        assert answers() == 1

    def test_a_message_that_is_answered_is_not_answered_again(self, game: Game) -> None:
        mail = answer_last("Anna", "status")
        answering.answer_mail(mail_id=mail.pk, now=timezone.now())
        assert answers() == 1

    def test_who_comes_second_takes_back_what_they_did(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two workers with one message: the first has answered while the second still does what it asks."""
        reply = write_reply(last_mail_to("Anna"), write(a_turn(game)))
        mail = receiving.store_mail(
            reply.as_bytes(), sender="anna@example.org", recipient=str(reply["To"]), now=timezone.now()
        )
        assert mail is not None
        carry_out = answering.carry_out

        def be_late(*args: Any, **more: Any) -> Any:
            done = carry_out(*args, **more)
            InboundMail.objects.filter(pk=mail.pk).update(state=MailState.DONE)
            return done

        monkeypatch.setattr(answering, "carry_out", be_late)
        answering.answer_mail(mail_id=mail.pk, now=timezone.now())
        assert (ply_of(game), answers()) == (0, 0)

    def test_a_fault_of_ours_is_tried_again_and_then_told(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*args: Any, **more: Any) -> None:
            raise RuntimeError

        now = timezone.now()
        reply = write_reply(last_mail_to("Anna"), write(a_turn(game)))
        monkeypatch.setattr(answering, "carry_out", fail)
        mail = receive(reply, now=now)
        assert mail is not None and (mail.state, mail.attempts) == (MailState.WAITING, 1)
        assert list(find_waiting_mails(now)) == []
        assert list(find_waiting_mails(now + timedelta(minutes=2))) == [mail.pk]
        for _ in range(4):
            answering.answer_mail(mail_id=mail.pk, now=now)
        mail.refresh_from_db()
        assert (mail.state, ply_of(game), answers()) == (MailState.DONE, 0, 1)
        assert "Something went wrong on our side" in text_of(last_mail_to("Anna"))

    def test_a_fault_that_can_not_even_be_told_is_on_the_players_list(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*args: Any, **more: Any) -> None:
            raise RuntimeError

        reply = write_reply(last_mail_to("Anna"), "status")
        monkeypatch.setattr(answering, "_owe_answer", fail)
        mail = receive(reply)
        assert mail is not None
        for _ in range(4):
            answering.answer_mail(mail_id=mail.pk, now=timezone.now())
        mail.refresh_from_db()
        assert (mail.state, mail.player, answers()) == (MailState.FAILED, game.host, 0)


class TestCommands:
    def test_status_shows_the_game(self, game: Game) -> None:
        assert answer_last("Bruno", "status").outcome == MailOutcome.STATUS
        assert "It's Anna's turn." in text_of(last_mail_to("Bruno"))

    def test_talk_is_said_at_the_table(self, game: Game) -> None:
        assert answer_last("Bruno", "talk Good luck,\nAnna!").outcome == MailOutcome.TALKED
        assert Message.objects.get().text == "Good luck, Anna!"

    def test_note_is_added_to_the_note_on_the_game(self, game: Game) -> None:
        answer_last("Anna", "note Keep the abbot")
        answer_last("Anna", "note And the field")
        assert Note.objects.get().text == "Keep the abbot\nAnd the field"

    def test_talk_and_note_work_with_any_version(self, game: Game) -> None:
        first = last_mail_to("Anna")
        play_turns(game, 2, now=timezone.now())
        for text in ("talk Hello", "note Hm"):
            receive(write_reply(first, text))
        assert (Message.objects.count(), Note.objects.count()) == (1, 1)

    def test_what_the_site_refuses_is_explained_in_its_words(self, game: Game) -> None:
        mail = answer_last("Anna", f"talk {'x' * 1001}")
        assert mail.outcome == MailOutcome.REFUSED
        assert "A message can have at most 1000 characters." in text_of(last_mail_to("Anna"))

    def test_what_can_not_be_read_is_explained_with_the_line(self, game: Game) -> None:
        mail = answer_last("Anna", "I think I'll take the city")
        assert mail.outcome == MailOutcome.EXPLAINED
        text = text_of(last_mail_to("Anna"))
        assert "We couldn't read your answer: “I think I'll take the city”." in text
        assert answer_last("Anna", "").outcome == MailOutcome.EXPLAINED

    def test_who_can_not_be_understood_often_is_not_answered_any_more(self, game: Game) -> None:
        for _ in range(20):
            assert answer_last("Anna", "I am on holiday").outcome == MailOutcome.EXPLAINED
        assert answer_last("Anna", "I am on holiday").outcome == MailOutcome.TOO_MANY
        assert answers() == 20
        assert answer_last("Anna", write(a_turn(game))).outcome == MailOutcome.PLAYED

    def test_a_suspended_player_reads_why(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), write(a_turn(game)))
        suspend(game.host, now=timezone.now())
        mail = receive(reply)
        assert mail is not None and mail.outcome == MailOutcome.REFUSED
        assert ply_of(game) == 0
        assert "Your account is suspended until" in text_of(last_mail_to("Anna"))


class TestUndo:
    def test_within_its_time_takes_the_turn_back(self, game: Game) -> None:
        type(game.host).objects.filter(pk=game.host_id).update(undo_seconds=60)
        answer_last("Anna", write(bare_turn(game)))
        assert "to undo it" not in text_of(last_mail_to("Anna")), "its time will be over when that is read"
        assert answer_last("Anna", "undo").outcome == MailOutcome.UNDONE
        assert ply_of(game) == 0
        assert "It's your turn." in text_of(last_mail_to("Anna"))

    def test_later_proposes_it_to_the_table(self, game: Game) -> None:
        answer_last("Anna", write(bare_turn(game)))
        assert answer_last("Anna", "undo").outcome == MailOutcome.PROPOSED
        assert game.offers.get().kind == "undo"
        assert ply_of(game) == 1

    def test_at_an_old_version_does_nothing(self, game: Game) -> None:
        first = last_mail_to("Anna")
        answer_last("Anna", write(bare_turn(game)))
        mail = receive(write_reply(first, "undo"))
        assert mail is not None and mail.outcome == MailOutcome.STALE
        assert not game.offers.exists()
        text = text_of(last_mail_to("Anna"))
        assert "To ask the others whether you may undo your last turn" in text, "its time to undo is over"

    def test_at_an_old_version_but_within_its_time_promises_no_more_than_to_ask(self, game: Game) -> None:
        type(game.host).objects.filter(pk=game.host_id).update(undo_seconds=60)
        first = last_mail_to("Anna")
        answer_last("Anna", write(bare_turn(game)))
        assert receive(write_reply(first, "undo")).outcome == MailOutcome.STALE
        assert ply_of(game) == 1
        text = text_of(last_mail_to("Anna"))
        assert "To ask the others whether you may undo your last turn" in text
        assert answer_last("Anna", "undo").outcome == MailOutcome.UNDONE

    def test_after_the_others_have_played_says_how_to_ask_them(self, game: Game) -> None:
        answer_last("Anna", write(bare_turn(game)))
        played = last_mail_to("Anna")
        play_turns(game, 1, now=timezone.now())
        mail = receive(write_reply(played, "undo"))
        assert mail is not None and mail.outcome == MailOutcome.STALE
        text = text_of(last_mail_to("Anna"))
        assert (
            "To ask the others whether you may undo your last turn, reply to this email with “undo”." in text
        )
        assert answer_last("Anna", "undo").outcome == MailOutcome.PROPOSED

    def test_after_a_bot_has_played_explains_and_undoes_both_turns(self) -> None:
        game = make_game(bots=1, now=timezone.now())
        answer_last("Anna", write(bare_turn(game)))
        played = last_mail_to("Anna")
        tasks.play_bot(game.pk)
        mail = receive(write_reply(played, "undo"))
        assert mail is not None and mail.outcome == MailOutcome.STALE
        assert ply_of(game) == 2
        said = "Others have played after your turn. To undo all of that, reply to this email with “undo”."
        assert said in text_of(last_mail_to("Anna"))
        assert answer_last("Anna", "undo").outcome == MailOutcome.UNDONE
        assert ply_of(game) == 0
        text = text_of(last_mail_to("Anna"))
        assert text.startswith("Hello Anna,\n\nTurn undone.") and "It's your turn." in text

    def test_before_the_first_turn_has_nothing_to_explain(self, game: Game) -> None:
        first = last_mail_to("Bruno")
        play_turns(game, 1, now=timezone.now())
        mail = receive(write_reply(first, "undo"))
        assert mail is not None and mail.outcome == MailOutcome.STALE
        assert "reply to this email with “undo”" not in text_of(last_mail_to("Bruno"))

    def test_a_turn_that_the_other_has_seen_by_mail_stands(self, game: Game) -> None:
        type(game.host).objects.filter(pk=game.host_id).update(undo_seconds=60)
        answer_last("Anna", write(bare_turn(game)))
        game.refresh_from_db()
        assert game.settles is not None
        answer_last("Bruno", "status")
        deliver()
        game.refresh_from_db()
        assert game.settles is None


class TestResigning:
    def test_is_asked_first_and_confirmed_by_the_answer(self, game: Game) -> None:
        assert answer_last("Anna", "resign").outcome == MailOutcome.RESIGN_ASKED
        game.refresh_from_db()
        assert game.status == Status.PLAYING
        question = last_mail_to("Anna")
        assert "Do you want to resign?" in text_of(question)
        assert answer_last("Anna", "resign").outcome == MailOutcome.RESIGNED
        game.refresh_from_db()
        assert game.status != Status.PLAYING
        assert game.moves.get(action__type="resign").how == How.MAIL

    def test_twice_at_the_first_address_asks_twice(self, game: Game) -> None:
        first = last_mail_to("Anna")
        for _ in range(2):
            mail = receive(write_reply(first, "resign"))
            assert mail is not None and mail.outcome == MailOutcome.RESIGN_ASKED
        game.refresh_from_db()
        assert game.status == Status.PLAYING

    def test_with_an_old_question_does_nothing(self, game: Game) -> None:
        answer_last("Bruno", "resign")
        question = last_mail_to("Bruno")
        play_turns(game, 1, now=timezone.now())
        mail = receive(write_reply(question, "resign"))
        assert mail is not None and mail.outcome == MailOutcome.STALE
        game.refresh_from_db()
        assert game.status == Status.PLAYING

    def test_the_question_may_be_answered_with_a_turn(self, game: Game) -> None:
        answer_last("Anna", "resign")
        assert answer_last("Anna", write(a_turn(game))).outcome == MailOutcome.PLAYED


class TestAnswers:
    def test_are_in_the_thread_and_by_a_machine(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), "status")
        receive(reply)
        answer = last_mail_to("Anna")
        assert answer["Auto-Submitted"] == "auto-replied"
        assert answer["In-Reply-To"] == reply["Message-ID"]
        thread = f"<game.{game.code}@carcassonne.example>"
        assert answer["References"] == f"{thread} {reply['Message-ID']}"
        assert str(answer["Reply-To"]).startswith("play+")
        assert answer["List-Unsubscribe"] is None

    def test_a_message_id_that_is_none_is_not_referred_to(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), "status", Message_ID="")
        reply["Message-ID"] = "<not one at all>"
        receive(reply)
        answer = last_mail_to("Anna")
        assert answer["In-Reply-To"] == answer["References"] == f"<game.{game.code}@carcassonne.example>"

    def test_come_in_the_language_of_the_player(self, game: Game) -> None:
        type(game.host).objects.filter(pk=game.host_id).update(language="pl")
        answer_last("Anna", "40,40 r0")
        assert "The tile must touch" not in text_of(last_mail_to("Anna"))

    def test_are_dropped_when_the_mail_is_gone(self, game: Game) -> None:
        answer_last("Anna", "status")
        InboundMail.objects.all().delete()
        deliver()
        assert Notice.objects.get(kind="reply").why_dropped == "stale"

    def test_come_after_the_end_of_the_game_too(self, game: Game) -> None:
        first = last_mail_to("Anna")
        play.resign(game_id=game.pk, seat=1, now=timezone.now())
        mail = receive(write_reply(first, "3,-1 r90"))
        assert mail is not None and mail.outcome == MailOutcome.REFUSED
        assert "This game is over." in text_of(last_mail_to("Anna"))


class TestTurnMails:
    def test_number_the_spaces_and_letter_the_spots(self, game: Game) -> None:
        text = text_of(last_mail_to("Anna"))
        legal = positions.load_position(game).legal_actions()
        spaces = ShortForm(legal).spaces
        assert f"  {spaces[-1].number}: column" in text
        assert "a: as shown; b: turned 90° clockwise" in text
        assert "You can also reply with: status, talk (your text), note (your text), undo, resign" in text

    def test_have_no_address_where_the_site_takes_no_replies(self, game: Game, settings: Any) -> None:
        settings.REPLY_DOMAIN = ""
        mail = last_mail_to("Anna")
        assert mail["Reply-To"] is None
        assert "reply to this email" not in text_of(mail)


def test_old_mails_are_deleted_after_thirty_days(game: Game) -> None:
    now = timezone.now()
    mail = answer_last("Anna", "status", now=now)
    receiving.prune_mails(now + timedelta(days=29))
    assert InboundMail.objects.filter(pk=mail.pk).exists()
    receiving.prune_mails(now + timedelta(days=31))
    assert not InboundMail.objects.exists()


def test_so_many_mails_of_a_player_are_read_in_an_hour(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "inbound_mails", 2)
    outcomes = [answer_last("Anna", "status").outcome for _ in range(3)]
    assert outcomes == [MailOutcome.STATUS, MailOutcome.STATUS, MailOutcome.TOO_MANY]
    assert answers() == 2


def test_a_sweep_finds_what_waits(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    reply = write_reply(last_mail_to("Anna"), "status")
    mail = receiving.store_mail(
        reply.as_bytes(), sender="anna@example.org", recipient=str(reply["To"]), now=timezone.now()
    )
    assert mail is not None
    queued: list[int] = []
    monkeypatch.setattr(tasks, "_queue", lambda task, *args: queued.extend(args))
    tasks.queue_inbox(timezone.now())
    assert queued == [mail.pk]
    mail_tasks.answer_mail(mail.pk)
    queued.clear()
    tasks.queue_inbox(timezone.now())
    assert queued == []


class TestWhatAnExpansionAsks:
    def test_is_answered_with_a_line_of_the_mail(self) -> None:
        game = make_transferring_game()
        game.refresh_from_db()
        assert game.awaited is not None
        name = game.seats.get(index=game.awaited).player.username  # type: ignore[union-attr]
        text = text_of(last_mail_to(name))
        assert "To answer, reply to this email with one of these lines:" in text
        line = text.partition("one of these lines:\n")[2].splitlines()[0].partition(" = ")[0].strip()
        ply = ply_of(game)
        assert answer_last(name, line).outcome == MailOutcome.PLAYED
        assert ply_of(game) == ply + 1
        assert "Your answer is played." in text_of(last_mail_to(name))


class TestWhatTheMailServerFoundOut:
    FAILED = "mx.carcassonne.example; spf=softfail; dkim=none; dmarc=fail header.from=example.org"

    def test_is_kept_and_a_player_is_asked_whether_a_turn_that_failed_is_theirs(
        self, game: Game, settings: Any
    ) -> None:
        settings.MAIL_AUTHSERV_ID = "mx.carcassonne.example"
        turn = a_turn(game)
        mail = answer_last("Anna", write(turn), Authentication_Results=self.FAILED)
        assert (mail.spf, mail.dkim, mail.dmarc) == ("softfail", "none", "fail")
        assert (mail.outcome, ply_of(game)) == (MailOutcome.CONFIRM_ASKED, 0)
        question = last_mail_to("Anna")
        assert question["Subject"].startswith("Please confirm: ")
        assert f"To go ahead with “{write(turn)}”, reply “yes” to this email." in text_of(question)
        yes = receive(write_reply(question, "Yes.", Authentication_Results=self.FAILED))
        assert yes is not None and (yes.outcome, ply_of(game)) == (MailOutcome.PLAYED, 1)
        assert game.moves.get(seat=0, ply=1).action == action_to_json(turn)
        again = receive(write_reply(question, "yes"))
        assert again is not None and (again.outcome, ply_of(game)) == (MailOutcome.STALE, 1)

    def test_asks_for_an_undo_too_and_for_nothing_that_changes_no_game(
        self, game: Game, settings: Any
    ) -> None:
        type(game.host).objects.filter(pk=game.host_id).update(undo_seconds=60)
        answer_last("Anna", write(bare_turn(game)))
        settings.MAIL_AUTHSERV_ID = "mx.carcassonne.example"
        for text, outcome in (
            ("status", MailOutcome.STATUS),
            ("talk Hello", MailOutcome.TALKED),
            ("resign", MailOutcome.RESIGN_ASKED),
            ("40,40 r0", MailOutcome.REFUSED),
            ("undo", MailOutcome.CONFIRM_ASKED),
        ):
            mail = answer_last("Anna", text, Authentication_Results=self.FAILED)
            assert (mail.outcome, ply_of(game)) == (outcome, 1), text
        assert answer_last("Anna", "yes", Authentication_Results=self.FAILED).outcome == MailOutcome.UNDONE
        assert ply_of(game) == 0

    def test_is_confirmed_by_a_yes_alone_in_reply_to_the_question_alone(
        self, game: Game, settings: Any
    ) -> None:
        settings.MAIL_AUTHSERV_ID = "mx.carcassonne.example"
        first = last_mail_to("Anna")
        answer_last("Anna", write(a_turn(game)), Authentication_Results=self.FAILED)
        question = last_mail_to("Anna")
        for mail, text, sender in (
            (first, "yes", ""),
            (question, "yes please", ""),
            (question, "yes\n\nresign", ""),
            (question, f"yes\n{write(a_turn(game, 1))}", ""),
            (question, "Hello,\nyes", ""),
            (question, "", ""),
            (question, "yes", "bruno@example.org"),
        ):
            reply = receive(write_reply(mail, text, **({"From": sender} if sender else {})))
            expected = MailOutcome.STRANGER if sender else MailOutcome.EXPLAINED
            assert reply is not None and (reply.outcome, ply_of(game)) == (expected, 0), text
        token = read_reply_address(str(question["Reply-To"]))
        assert token is not None and token.confirms_mail

    def test_is_of_a_version_that_is_gone(self, game: Game, settings: Any) -> None:
        settings.MAIL_AUTHSERV_ID = "mx.carcassonne.example"
        turn = a_turn(game)
        answer_last("Anna", write(turn), Authentication_Results=self.FAILED)
        question = last_mail_to("Anna")
        play_turns(game, 2, now=timezone.now())
        reply = receive(write_reply(question, "yes"))
        assert reply is not None and (reply.outcome, ply_of(game)) == (MailOutcome.STALE, 2)

    def test_does_not_make_questions_without_end(
        self, game: Game, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each is a mail to the player, whoever wrote what it asks about."""
        settings.MAIL_AUTHSERV_ID = "mx.carcassonne.example"
        set_limit(monkeypatch, "mails_explained", 2)
        first, turn = last_mail_to("Anna"), write(a_turn(game))
        replies = [write_reply(first, turn, Authentication_Results=self.FAILED) for _ in range(3)]
        outcomes = [receive(reply).outcome for reply in replies]  # type: ignore[union-attr]
        assert outcomes == [MailOutcome.CONFIRM_ASKED] * 2 + [MailOutcome.TOO_MANY]

    def test_does_not_make_a_stranger_the_player(self, game: Game, settings: Any) -> None:
        settings.MAIL_AUTHSERV_ID = "mx.carcassonne.example"
        passed = "mx.carcassonne.example; spf=pass; dkim=pass; dmarc=pass header.from=example.net"
        mail = answer_last(
            "Anna", write(a_turn(game)), From="mallory@example.net", Authentication_Results=passed
        )
        assert (mail.dmarc, mail.outcome) == ("pass", MailOutcome.STRANGER)

    def test_is_not_believed_of_a_server_that_is_not_named(self, game: Game) -> None:
        mail = answer_last("Anna", "status", Authentication_Results=self.FAILED)
        assert (mail.spf, mail.dkim, mail.dmarc) == ("", "", "")
