"""Tests of webhooks of mail providers: incoming mail, and delivery results of notices."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from anymail.signals import AnymailTrackingEvent
from django.core import mail as sent
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import mail_pauses
from accounts.models import Player
from games import tasks
from games.mail_in import answering, webhooks
from games.models import Game, InboundMail, MailFate, MailOutcome, Notice
from games.notices.reply_address import ReplyToken, build_reply_address
from games.play import positions
from games.rules.notation import write
from tests.games.factories import make_game
from tests.games.mail_in.webhook_helpers import POSTMARK, authorized, listens, post_mailgun
from tests.games.mail_in.writing import last_mail_to, write_reply

__all__ = ["listens"]
pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.games.mail_in.webhook_urls")]


@pytest.fixture
def game() -> Game:
    return make_game(now=timezone.now())


class TestMailThatComesIn:
    def test_is_put_into_the_inbox_and_played(self, game: Game) -> None:
        turn = next(iter(positions.load_position(game).legal_actions()))
        reply = write_reply(last_mail_to("Anna"), write(turn))
        assert post_mailgun(reply.as_bytes(), str(reply["To"])).status_code == 200
        mail = InboundMail.objects.get()
        assert (mail.sender, mail.recipient) == ("anna@example.org", str(reply["To"]))
        answering.answer_mail(mail_id=mail.pk, now=timezone.now())
        mail.refresh_from_db()
        assert mail.outcome == MailOutcome.PLAYED

    def test_comes_twice_and_is_kept_once(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), "status")
        for _ in range(2):
            assert post_mailgun(reply.as_bytes(), str(reply["To"])).status_code == 200
        assert InboundMail.objects.count() == 1

    def test_as_json_is_put_together_again(self, game: Game) -> None:
        """Of Postmark, which sends no envelope: the address is among the recipients."""
        address = str(last_mail_to("Anna")["Reply-To"])
        data = {
            "FromFull": {"Email": "anna@example.org", "Name": "Anna", "MailboxHash": ""},
            "ToFull": [{"Email": address, "Name": "", "MailboxHash": ""}],
            "Subject": "Re: your turn",
            "Headers": [{"Name": "Message-ID", "Value": "<1@example.org>"}],
            "TextBody": "status\n",
            "Attachments": [],
        }
        answer = Client().post(POSTMARK, json.dumps(data), "application/json", headers=authorized())
        assert answer.status_code == 200
        mail = InboundMail.objects.get()
        answering.answer_mail(mail_id=mail.pk, now=timezone.now())
        mail.refresh_from_db()
        assert (mail.recipient, mail.outcome) == (address, MailOutcome.STATUS)

    def test_to_other_addresses_is_dropped(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), "status")
        assert post_mailgun(reply.as_bytes(), "anna@example.org").status_code == 200
        assert not InboundMail.objects.exists()

    def test_that_is_too_long_is_dropped(self, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("games.mail_in.receiving.MAX_BYTES", 1000)
        reply = write_reply(last_mail_to("Anna"), "talk " + "x " * 1000)
        assert post_mailgun(reply.as_bytes(), str(reply["To"])).status_code == 200
        assert not InboundMail.objects.exists()

    def test_of_a_bounce_is_ignored(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), "status")
        post_mailgun(reply.as_bytes(), str(reply["To"]), sender="")
        mail = InboundMail.objects.get()
        answering.answer_mail(mail_id=mail.pk, now=timezone.now())
        mail.refresh_from_db()
        assert mail.outcome == MailOutcome.MACHINE

    @pytest.mark.parametrize(
        "raw", [b"", b"\xff\xfe\0", b"Subject: =?x?q?\xff?=\n\n\xff", b"Content-Type: multipart/mixed\n\n--"]
    )
    def test_of_any_bytes_breaks_nothing(self, raw: bytes) -> None:
        address = build_reply_address(ReplyToken(1, 2, 3))
        assert post_mailgun(raw, address).status_code in (200, 400)

    def test_in_hundreds_of_parts_is_not_even_parsed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(webhooks, "take_mail", pytest.fail)
        parts = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(200))
        address = build_reply_address(ReplyToken(1, 2, 3))
        assert post_mailgun(parts.encode() + b"x\n" * 50_000, address).status_code == 200
        assert not InboundMail.objects.exists()


class TestWhoMayCall:
    def test_no_provider_that_is_not_set_up(self) -> None:
        assert Client().post("/webhooks/mailersend/tracking/", "{}", "application/json").status_code == 404

    def test_nobody_with_another_signature(self, game: Game) -> None:
        reply = write_reply(last_mail_to("Anna"), "status")
        assert post_mailgun(reply.as_bytes(), str(reply["To"]), key="another").status_code == 400
        assert not InboundMail.objects.exists()

    @pytest.mark.parametrize("headers", [{}, authorized("postmark:guessed"), {"Authorization": "Bearer x"}])
    def test_nobody_without_the_secret(self, headers: dict[str, str]) -> None:
        for name in ("inbound", "tracking"):
            answer = Client().post(f"/webhooks/postmark/{name}/", "{}", "application/json", headers=headers)
            assert answer.status_code == 400


class TestFates:
    def tell(self, kind: str, **more: str) -> None:
        data = {"RecordType": kind, "MessageID": "p-1", "Recipient": "anna@example.org", **more}
        url = "/webhooks/postmark/tracking/"
        answer = Client().post(url, json.dumps(data), "application/json", headers=authorized())
        assert answer.status_code == 200

    @pytest.fixture
    def notice(self, game: Game) -> Notice:
        notice = Notice.objects.filter(kind="your_turn").get()
        notice.provider_id = "p-1"
        notice.save(update_fields=["provider_id"])
        return notice

    def test_are_written_to_the_notice(self, notice: Notice) -> None:
        self.tell("Delivery", DeliveredAt="2026-03-01T12:00:00Z")
        notice.refresh_from_db()
        assert (notice.fate, notice.fate_at) == (MailFate.DELIVERED, datetime(2026, 3, 1, 12, tzinfo=UTC))

    def test_worse_counts_in_whatever_order_they_come(self, notice: Notice) -> None:
        for kind, more, fate in (
            ("Delivery", {}, MailFate.DELIVERED),
            ("Bounce", {"Type": "HardBounce"}, MailFate.BOUNCED),
            ("Delivery", {}, MailFate.BOUNCED),
            ("SpamComplaint", {"Type": "SpamComplaint"}, MailFate.COMPLAINED),
            ("Bounce", {"Type": "HardBounce"}, MailFate.COMPLAINED),
        ):
            self.tell(kind, **more)
            notice.refresh_from_db()
            assert notice.fate == fate

    @pytest.mark.parametrize(
        ("kind", "more"),
        [
            ("Open", {}),
            ("Bounce", {"Type": "Transient"}),
            ("Delivery", {"MessageID": "p-2"}),
            ("Delivery", {"MessageID": ""}),
        ],
    )
    def test_of_other_mails_or_other_kinds_change_nothing(
        self, notice: Notice, kind: str, more: dict[str, str]
    ) -> None:
        self.tell(kind, **more)
        assert not Notice.objects.exclude(fate="").exists()

    @pytest.mark.parametrize(
        ("kind", "more", "cause"),
        [
            ("Bounce", {"Type": "HardBounce"}, "bounced"),
            ("Bounce", {"Type": "BadEmailAddress"}, "bounced"),
            ("SpamComplaint", {"Type": "SpamComplaint"}, "complained"),
            ("Bounce", {"Type": "SoftBounce"}, ""),
            ("Bounce", {"Type": "Blocked"}, ""),
            ("Bounce", {"Type": "Transient"}, ""),
            ("Delivery", {}, ""),
            (
                "Bounce",
                {"Type": "HardBounce", "Recipient": "old@example.org", "Email": "old@example.org"},
                "",
            ),
        ],
    )
    def test_pause_mails_where_no_mail_is_read(
        self, notice: Notice, kind: str, more: dict[str, str], cause: str
    ) -> None:
        self.tell(kind, **{"Email": "Anna@example.org", **more})
        anna = notice.recipient
        assert anna is not None
        anna.refresh_from_db()
        assert (anna.mail_pause_cause, anna.mail_paused is not None) == (cause, bool(cause))

    @pytest.mark.parametrize(
        "report",
        [
            {"event": "soft_bounce"},
            {"type": "activity.soft_bounced", "data": {"email": {}}},
            {"type": "blocked", "event": "bounce"},
            {"type": "email.bounced", "data": {"bounce": {"type": "Transient"}}},
            {"eventType": "Bounce", "bounce": {"bounceType": "Transient"}},
            {"msys": {"message_event": {"type": "bounce", "bounce_class": "22"}}},
            {"event": "bounce", "hard_bounce": False},
        ],
    )
    def test_of_soft_bounces_pause_nothing_with_any_provider(
        self, notice: Notice, report: dict[str, Any]
    ) -> None:
        for told, cause in ((report, ""), ({"event": "bounce"}, "bounced")):
            Notice.objects.update(fate="")
            event = AnymailTrackingEvent(
                event_type="bounced", reject_reason="bounced", message_id="p-1", esp_event=told
            )
            webhooks.note_fate(None, event)
            assert Player.objects.get(username="Anna").mail_pause_cause == cause

    def test_of_a_soft_bounce_and_then_a_hard_one_pause_mails(self, notice: Notice) -> None:
        for report, cause in (("SoftBounce", ""), ("HardBounce", "bounced")):
            event = AnymailTrackingEvent(
                event_type="bounced",
                reject_reason="bounced",
                message_id="p-1",
                timestamp=timezone.now(),
                esp_event={"Type": report},
            )
            webhooks.note_fate(None, event)
            assert Player.objects.get(username="Anna").mail_pause_cause == cause
        mail_pauses.lift(Player.objects.get(username="Anna"))
        webhooks.note_fate(None, event)
        assert Player.objects.get(username="Anna").mail_paused is None, "told twice"

    def test_told_twice_pause_once(self, notice: Notice) -> None:
        """A repeated report does not pause mails again after the player has lifted the pause."""
        self.tell("Bounce", Type="HardBounce")
        anna = Player.objects.get(username="Anna")
        mail_pauses.lift(anna)
        self.tell("Bounce", Type="HardBounce")
        anna.refresh_from_db()
        assert anna.mail_paused is None

    def test_a_report_of_spam_stays_the_cause(self, notice: Notice, game: Game) -> None:
        self.tell("Bounce", Type="HardBounce", BouncedAt="2026-03-01T12:00:00Z")
        self.tell("SpamComplaint", Type="SpamComplaint")
        Notice.objects.filter(kind="started").update(provider_id="p-2", recipient=notice.recipient)
        self.tell("Bounce", Type="HardBounce", MessageID="p-2")
        anna = Player.objects.get(username="Anna")
        since = datetime(2026, 3, 1, 12, tzinfo=UTC)
        assert (anna.mail_pause_cause, anna.mail_paused) == ("complained", since)

    def test_are_known_ones(self, notice: Notice) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Notice.objects.update(fate="lost")


class TestMailThatGoesOut:
    @pytest.fixture(autouse=True)
    def goes_by_a_provider(self, settings: Settings) -> None:
        settings.EMAIL_PROVIDER = "test"
        settings.EMAIL_BACKEND = "anymail.backends.test.EmailBackend"

    def test_has_its_pictures_and_is_known_by_the_providers_number(self, game: Game) -> None:
        tasks.deliver_notices()
        (mail,) = [message for message in sent.outbox if message.to == ["anna@example.org"]]
        notice = Notice.objects.get(kind="your_turn")
        assert notice.sent and notice.provider_id == str(mail.anymail_status.message_id)  # type: ignore[attr-defined]
        params: Any = mail.anymail_test_params  # type: ignore[attr-defined]
        shown = {param.cid for param in params["attachments"] if param.inline}
        assert shown and all(f"cid:{cid}" in params["html_body"] for cid in shown)
        assert params["extra_headers"]["Message-ID"].startswith(f"<{notice.key}@")

    def test_that_is_sent_again_has_no_fate_yet(self, game: Game) -> None:
        bounced = {"fate": MailFate.BOUNCED, "fate_at": timezone.now(), "provider_id": "p-1"}
        Notice.objects.filter(kind="your_turn").update(**bounced)
        tasks.deliver_notices()
        notice = Notice.objects.get(kind="your_turn")
        assert (notice.fate, notice.fate_at) == ("", None) and notice.provider_id != "p-1"

    def test_that_is_refused_is_dropped_or_tried_again(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from anymail.backends.test import EmailBackend
        from anymail.exceptions import (
            AnymailRecipientsRefused,
            AnymailRequestsAPIError,
            AnymailUnsupportedFeature,
        )
        from requests import Response

        def refuse(error: Exception) -> Notice:
            def post(*args: Any) -> None:
                raise error

            monkeypatch.setattr(EmailBackend, "post_to_esp", post)
            Notice.objects.filter(kind="your_turn").update(next_try=timezone.now(), claimed=None)
            tasks.deliver_notices()
            return Notice.objects.get(kind="your_turn")

        def answered(status: int) -> AnymailRequestsAPIError:
            response = Response()
            response.status_code = status
            return AnymailRequestsAPIError("no", response=response)

        Notice.objects.exclude(kind="your_turn").update(dropped=timezone.now())
        unreachable = refuse(AnymailRequestsAPIError("no route"))
        assert unreachable.last_error.startswith("AnymailRequestsAPIError") and not unreachable.dropped
        assert refuse(answered(503)).dropped is None
        assert refuse(answered(422)).dropped is None  # tried again for a day, as what a mail server refuses
        assert refuse(AnymailUnsupportedFeature("no pictures")).last_error == "no pictures"
        assert refuse(AnymailRecipientsRefused("unknown")).why_dropped == "refused"
