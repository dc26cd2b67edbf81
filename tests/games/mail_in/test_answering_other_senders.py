"""Tests of the people whose replies are ignored, and of what the player of the address learns of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from games import play
from games.mail_in import answering, receiving
from games.models import Game, InboundMail, MailOutcome, MailState, Message, Notice, Seat
from games.notices.reply_address import ReplyToken, build_reply_address
from games.notices.reply_endings import OPEN_AFTER_END
from games.play import positions
from games.rules.notation import write
from tests.games.factories import make_game, make_player
from tests.games.mail_in.writing import (
    answer_last,
    deliver,
    last_mail_to,
    ply_of,
    receive,
    text_of,
    write_reply,
)
from tests.games.visitors import signed_in
from tests.html import Page
from tests.moderation.limiting import set_limit

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A game in which Anna is on turn, and has been notified by mail."""
    return make_game(now=timezone.now(), name="Toulouse")


@pytest.fixture
def turn(game: Game) -> str:
    """A turn of Anna's, as a line."""
    return write(positions.load_position(game).legal_actions()[0])


def answers() -> int:
    """The number of answers to mails, sent or owed."""
    return Notice.objects.filter(kind="reply").count()


def is_ignored(mail: InboundMail | None, outcome: MailOutcome) -> None:
    assert mail is not None
    assert (mail.state, mail.outcome, mail.answer) == (MailState.IGNORED, outcome, None)
    assert answers() == 0


class TestStrangers:
    """Somebody has the address, and is not known as its player."""

    def test_play_nothing_and_the_player_is_told(self, game: Game, turn: str) -> None:
        old = "anna@old.example"
        own = EmailAddress.objects.create(user=game.host, email="anna@new.example", verified=False)
        writers = {
            "nobody's": "Anna <mallory@example.net>",
            "the opponent's": "bruno@example.org",
            "of two people": "anna@example.org, mallory@example.net",
            "not confirmed": own.email,
            "an old one": old,
        }
        first = last_mail_to("Anna")
        now = timezone.now()
        for days, (case, sender) in enumerate(writers.items()):
            at = now - timedelta(days=2 * (len(writers) - days))
            mail = receive(write_reply(first, turn, From=sender), now=at)
            assert mail is not None and mail.outcome == MailOutcome.STRANGER, case
            assert ply_of(game) == 0, case
            note = last_mail_to("Anna")
            assert note["Subject"] == "Was this you? A reply about Toulouse", case
            text = text_of(note)
            assert "so we did nothing" in text and sender.split("<")[-1].rstrip(">") in text, case
            assert "reply from anna@example.org" in text, case
            assert "It's your turn" not in text, case
        assert answers() == len(writers)
        assert {one.to[0] for one in deliver()} <= {"anna@example.org", "bruno@example.org"}

    def test_the_player_is_told_once_a_day(self, game: Game, turn: str) -> None:
        first = last_mail_to("Anna")
        now = timezone.now()
        for hours, told in ((0, 1), (1, 1), (23, 1), (25, 2)):
            at = now + timedelta(hours=hours)
            mail = receive(write_reply(first, turn, From="mallory@example.net"), now=at)
            assert mail is not None and mail.outcome == MailOutcome.STRANGER
            assert answers() == told, hours

    def test_the_player_can_answer_the_note_in_their_stead(self, game: Game, turn: str) -> None:
        answer_last("Anna", turn, From="mallory@example.net")
        assert answer_last("Anna", turn).outcome == MailOutcome.PLAYED

    def test_a_note_leaves_the_mail_about_the_turn_to_come(self, game: Game, turn: str) -> None:
        first = last_mail_to("Anna")
        waiting = Notice.objects.filter(kind="your_turn", recipient=game.host)
        waiting.update(sent=None, next_try=timezone.now() + timedelta(minutes=1))
        receive(write_reply(first, turn, From="mallory@example.net"))
        deliver()
        assert waiting.get().sent is None

    def test_do_not_count_towards_the_players_limit(
        self, game: Game, turn: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = last_mail_to("Anna")
        set_limit(monkeypatch, "inbound_mails", 2)
        for _ in range(3):
            mail = receive(write_reply(first, "status", From="mallory@example.net"))
            assert mail is not None and mail.outcome == MailOutcome.STRANGER
        assert answer_last("Anna", turn).outcome == MailOutcome.PLAYED

    def test_nobody_is_told_where_no_address_is_confirmed(self, game: Game, turn: str) -> None:
        reply = write_reply(last_mail_to("Anna"), turn)
        EmailAddress.objects.update(verified=False)
        is_ignored(receive(reply), MailOutcome.STRANGER)

    def test_another_confirmed_address_of_the_player_will_do(self, game: Game, turn: str) -> None:
        EmailAddress.objects.create(user=game.host, email="Anna@Work.example", verified=True)
        assert answer_last("Anna", turn, From="anna@work.example").outcome == MailOutcome.PLAYED

    def test_a_closed_account_is_ignored(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), "status")
        type(game.host).objects.filter(pk=game.host_id).update(is_active=False)
        is_ignored(receive(reply), MailOutcome.STRANGER)


class TestForgedAddresses:
    def test_are_ignored(self, game: Game, turn: str) -> None:
        domain = "reply.carcassonne.example"
        for address in ("play+aeaq@{}", "play@{}", "play+@{}", "anna@{}", "{}"):
            reply = write_reply(last_mail_to("Anna"), turn)
            is_ignored(receive(reply, to=address.format(domain)), MailOutcome.FORGED)

    def test_with_one_letter_changed_are_ignored(self, game: Game, turn: str) -> None:
        reply = write_reply(last_mail_to("Anna"), turn)
        address = str(reply["To"])
        for at in range(len("play+"), address.index("@") - 1):
            other = "b" if address[at] != "b" else "c"
            mail = receiving.store_mail(
                f"From: anna@example.org\n\n{at}".encode(),
                sender="anna@example.org",
                recipient=address[:at] + other + address[at + 1 :],
                now=timezone.now(),
            )
            assert mail is not None
            answering.answer_mail(mail_id=mail.pk, now=timezone.now())
            mail.refresh_from_db()
            is_ignored(mail, MailOutcome.FORGED)

    def test_capitals_make_no_difference(self, game: Game, turn: str) -> None:
        reply = write_reply(last_mail_to("Anna"), turn)
        mail = receive(reply, to=str(reply["To"]).upper())
        assert mail is not None and mail.outcome == MailOutcome.PLAYED


class TestMachines:
    def test_are_ignored(self, game: Game, turn: str) -> None:
        first = last_mail_to("Anna")
        signs: list[dict[str, str]] = [
            {"Auto_Submitted": "auto-replied"},
            {"Precedence": "bulk"},
            {"Subject": "Automatic reply: Your turn"},
            {"List_Id": "<list.example.org>"},
        ]
        for headers in signs:
            is_ignored(receive(write_reply(first, turn, **headers)), MailOutcome.MACHINE)
        is_ignored(receive(write_reply(first, turn), sender=""), MailOutcome.MACHINE)  # a bounce
        assert ply_of(game) == 0

    def test_our_own_answer_that_comes_back_is_ignored(self, game: Game) -> None:
        answer_last("Anna", "status")
        answer = last_mail_to("Anna")
        mail = receive(answer.as_bytes(), sender="anna@example.org", to=str(answer["Reply-To"]))
        assert mail is not None and mail.outcome == MailOutcome.MACHINE
        assert answers() == 1

    def test_a_person_who_is_among_the_recipients_is_none(self, game: Game, turn: str) -> None:
        assert answer_last("Anna", turn, Cc="Anna <ANNA@example.org>").outcome == MailOutcome.PLAYED


class TestTokens:
    """They end with the seat and, two weeks later, with the game; and say so."""

    def refused(self, mail: InboundMail | None, said: str) -> Any:
        assert mail is not None and mail.outcome == MailOutcome.REFUSED
        note = last_mail_to("Anna")
        assert said in text_of(note)
        assert note["Reply-To"] is None and "You can also reply with" not in text_of(note)
        return note

    def test_end_with_the_seat(self, game: Game, turn: str) -> None:
        first = last_mail_to("Anna")
        Seat.objects.filter(game=game, player=game.host).update(player=make_player("Carl"))
        for text in (turn, "talk Hello", "status", "resign"):
            note = self.refused(receive(write_reply(first, text)), "You no longer have a seat in this game")
            assert f"/g/{game.code}/" in text_of(note), "a public game"
        assert ply_of(game) == 0 and not Message.objects.exists()

    def test_that_have_ended_show_no_private_game(self, game: Game) -> None:
        Game.objects.filter(pk=game.pk).update(visibility="private")
        zoe = make_player("Zoe")
        address = build_reply_address(ReplyToken(zoe.pk, game.pk, game.version))
        raw = b"From: zoe@example.org\nMessage-ID: <1@example.org>\n\nstatus\n"
        mail = receive(raw, sender="zoe@example.org", to=address)
        assert mail is not None and mail.outcome == MailOutcome.REFUSED
        note = last_mail_to("Zoe")
        assert "You no longer have a seat" in text_of(note) and game.code not in text_of(note)

    def test_end_two_weeks_after_the_game(self, game: Game) -> None:
        first = last_mail_to("Anna")
        now = timezone.now()
        play.resign(game_id=game.pk, seat=1, now=now)
        Game.objects.filter(pk=game.pk).update(finished=now - OPEN_AFTER_END)
        mail = receive(write_reply(first, "talk Thanks!"), now=now)
        assert mail is not None and mail.outcome == MailOutcome.TALKED
        late = receive(write_reply(first, "talk Anybody there?"), now=now + timedelta(seconds=1))
        Notice.objects.filter(kind="reply").update(next_try=now)
        self.refused(late, "This game ended more than two weeks ago")
        assert Message.objects.get().text == "Thanks!"


class TestList:
    """The player's page of emails."""

    def test_tells_what_had_no_effect_and_why(self, game: Game, turn: str, monkeypatch: Any) -> None:
        first = last_mail_to("Anna")
        receive(write_reply(first, turn, Auto_Submitted="auto-replied"))
        receive(write_reply(first, turn, From="mallory@example.net"))
        set_limit(monkeypatch, "inbound_mails", 0)
        receive(write_reply(first, turn))
        InboundMail.objects.create(
            key="failed",
            raw=b"",
            sender="anna@example.org",
            recipient=str(first["Reply-To"]),
            received=timezone.now(),
            next_try=timezone.now(),
            player=game.host,
            state=MailState.FAILED,
        )
        rows = Page(signed_in("Anna").get("/mails/")).texts("#unused li")
        assert [row.split(". ")[0] for row in rows] == [
            "Toulouse Something went wrong on our side",
            "Toulouse Too many emails came within an hour",
            "Toulouse It came from an address that you haven't confirmed",
            "Toulouse It looked like an automatic message",
        ]
        assert "mallory@example.net" in rows[2]
        assert not Page(signed_in("Bruno").get("/mails/")).has("#unused")

    def test_is_left_out_where_all_had_an_effect(self, game: Game, turn: str) -> None:
        answer_last("Anna", turn)
        client: Client = signed_in("Anna")
        assert not Page(client.get("/mails/")).has("#unused")
