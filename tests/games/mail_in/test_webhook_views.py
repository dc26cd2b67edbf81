"""Tests of what a mail provider's call must pass before its content is parsed."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
import requests
from anymail.exceptions import AnymailImproperlyInstalled
from anymail.urls import urlpatterns as of_all_providers
from anymail.webhooks.brevo import BrevoInboundWebhookView
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.mail_in import webhooks
from games.mail_in.provider_messages import ProviderMessage
from games.mail_in.webhook_urls import guard
from games.models import InboundMail
from games.notices.reply_address import ReplyToken, build_reply_address
from tests.cases import count_calls
from tests.fuzz.worst_mails import MAKERS, make_mail
from tests.games.factories import make_game
from tests.games.mail_in.webhook_helpers import POSTMARK, authorized, listens, post_mailgun
from tests.moderation.limiting import set_limit

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.games.mail_in.webhook_urls")]
__all__ = ["listens"]

KEYS = {
    "WEBHOOK_SECRET": "postmark:a password of twenty letters",
    **dict.fromkeys(("MAILGUN_WEBHOOK_SIGNING_KEY", "MANDRILL_WEBHOOK_KEY", "BREVO_API_KEY"), "key"),
    **dict.fromkeys(
        (
            "MAILERSEND_SIGNING_SECRET",
            "MAILERSEND_INBOUND_SECRET",
            "MAILTRAP_API_TOKEN",
            "SENDINBLUE_API_KEY",
            "RESEND_API_KEY",
        ),
        "key",
    ),
    **dict.fromkeys(("UNISENDER_GO_API_KEY", "POSTAL_WEBHOOK_KEY"), "key"),
}
RUBBISH = (b"", b"{}", b"[]", b"[1]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"signature": 1}', b'{"a": {')


@pytest.fixture(autouse=True)
def takes_large_calls(settings: Settings) -> None:
    settings.MAIL_WEBHOOKS = True
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = settings.LONGEST_WEBHOOK


def call_each(body: bytes, kind: str, **headers: str) -> Iterator[tuple[str, int]]:
    """Call the view of each provider; yield its name and the status of the answer."""
    for pattern in of_all_providers:
        request = RequestFactory().post("/", body, content_type=kind, headers=headers)
        try:
            yield str(pattern.name), guard(pattern.callback.view_class).as_view()(request).status_code
        except (BadRequest, SuspiciousOperation, MultiPartParserError):  # as Django answers them
            yield str(pattern.name), 400
        except AnymailImproperlyInstalled:
            continue


class TestOrder:
    def test_the_password_comes_before_the_content(self, settings: Settings) -> None:
        settings.ANYMAIL = KEYS
        read = property(lambda request: pytest.fail("the content was read"))
        with (
            patch.object(HttpRequest, "body", read),
            patch("django.core.handlers.wsgi.WSGIRequest.POST", read),
        ):
            called = dict(call_each(b"{}", "application/json", **authorized("postmark:guessed")))
        assert len(called) > 15 and set(called.values()) == {400}

    def test_rubbish_behind_the_right_password_is_refused(self, settings: Settings) -> None:
        settings.ANYMAIL = KEYS
        for body in RUBBISH:
            for kind in ("application/json", "application/x-www-form-urlencoded", "multipart/form-data"):
                for name, status in call_each(body, kind, **authorized()):
                    assert status in (200, 400), (name, kind, body[:20])

    def test_a_signature_of_another_time_is_refused(self) -> None:
        address, raw = build_reply_address(ReplyToken(1, 2, 3)), make_mail("lines of a turn", 5000)
        for days, status in ((365, 400), (4, 400), (-4, 400), (2, 200), (0, 200)):
            assert post_mailgun(raw, address, age=timedelta(days=days)).status_code == status, days
        assert InboundMail.objects.count() == 1

    def test_so_is_one_of_a_delivery(self, settings: Settings) -> None:
        key = settings.ANYMAIL["MAILGUN_WEBHOOK_SIGNING_KEY"]
        for days, status in ((365, 400), (0, 200)):
            stamp = str(int((timezone.now() - timedelta(days=days)).timestamp()))
            signed = hmac.new(key.encode(), f"{stamp}t".encode(), hashlib.sha256).hexdigest()
            signature = {"timestamp": stamp, "token": "t", "signature": signed}
            data = {"signature": signature, "event-data": {"event": "delivered", "timestamp": 1}}
            url = "/webhooks/mailgun/tracking/"
            answer = Client().post(url, json.dumps(data), "application/json", headers=authorized())
            assert answer.status_code == status, days

    def test_a_fault_of_ours_is_one_and_the_provider_tries_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*args: object, **more: object) -> None:
            raise KeyError("a fault of ours")

        monkeypatch.setattr(webhooks, "store_mail", fail)
        with pytest.raises(KeyError):
            post_mailgun(make_mail("lines of a turn", 5000), build_reply_address(ReplyToken(1, 2, 3)))


class TestCost:
    def test_no_message_is_parsed_before_its_recipient_is_known(self) -> None:
        """A stranger's megabyte in 60 nested parts took 14 seconds."""
        with patch.object(webhooks, "store_mail", pytest.fail):
            for name in MAKERS:
                small, large = (make_mail(name, size) for size in (100_000, 200_000))
                calls = [
                    count_calls(lambda raw=raw: post_mailgun(raw, "a@b.example")) for raw in (small, large)
                ]
                assert calls[1] < 2.2 * calls[0], name

    def test_a_message_in_pieces_is_put_together_from_the_beginnings_of_its_headers(self) -> None:
        address = build_reply_address(ReplyToken(1, 2, 3))
        for headers in (
            [("X-A", "y")] * 50_000,
            [("Subject", "=?utf-8?q?a?= " * 50_000)],
            [("To", "a@b.c," * 50_000)],
            [("From", "(" * 500_000)],
        ):
            data = {
                "FromFull": {"Email": "anna@example.org", "Name": "Anna"},
                "OriginalRecipient": address,
                "Headers": [{"Name": name, "Value": value} for name, value in headers],
                "TextBody": "status",
                "Attachments": [{"Name": '";' * 9999, "ContentType": '";' * 99_999, "Content": "YQ=="}] * 2,
            }
            body = json.dumps(data)
            calls = count_calls(
                lambda body=body: Client().post(POSTMARK, body, "application/json", headers=authorized())
            )
            assert calls < 150_000, headers[0]
        assert InboundMail.objects.exists()

    def test_no_attachment_is_fetched(self, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        settings.ANYMAIL = KEYS
        monkeypatch.setattr(requests, "get", pytest.fail)
        attachment = {"DownloadToken": "t", "ContentType": "image/png"}
        body = json.dumps(
            {"items": [{"RawTextBody": "status", "Headers": {}, "Attachments": [attachment], "Uuid": ["1"]}]}
        )
        request = RequestFactory().post("/", body, content_type="application/json", headers=authorized())
        assert guard(BrevoInboundWebhookView).as_view()(request).status_code == 200


def test_what_is_too_much_may_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "mails_stored", 1)
    game = make_game()
    responses: list[HttpResponse] = []
    for number in range(2):
        raw = f"From: anna@example.org\nMessage-ID: <{number}@x.org>\n\nstatus\n".encode()
        responses.append(
            post_mailgun(raw, build_reply_address(ReplyToken(game.host_id or 0, game.pk, number)))
        )
    assert [response.status_code for response in responses] == [200, 429] and responses[1]["Retry-After"]


def test_a_message_that_is_put_together_is_the_same_again_and_in_one_piece() -> None:
    def build(text: str, **more: Any) -> bytes:
        headers = [("X-Größe", "1"), ("Subject", "Ä\r\nBcc: x"), ("Content-Type", "image/png")]
        return ProviderMessage.construct(from_email="a@b.c", headers=headers, text=text, **more).as_bytes()

    one = build("status", html="<p>status", attachments=[ProviderMessage.construct_attachment("a/b")])
    assert one == build("status", html="<p>status", attachments=[ProviderMessage.construct_attachment("a/b")])
    assert one != build("undo", html="<p>status")
    head = one.partition(b"\r\n\r\n")[0].decode()
    assert head.splitlines()[:2] == ["From: a@b.c", "Subject: Ä Bcc: x"]
    assert head.count("Content-Type") == 1 and "multipart/mixed" in head
