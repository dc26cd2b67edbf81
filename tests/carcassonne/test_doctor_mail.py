"""Tests of the doctor's mail to itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from carcassonne.doctor import Finding, examine, judge_authentication, the_round_trip
from games.models import InboundMail
from tests.games.mail_in.receiver_helpers import run_receiver
from tests.games.mail_in.writing import DOMAIN
from tests.games.mailserver import MailServer, listening

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def sends(settings: Settings) -> None:
    settings.REPLY_DOMAIN = DOMAIN
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"


@pytest.fixture
def receiver(settings: Settings) -> Iterator[None]:
    """A mail server that hands all mail to the receiver at once."""
    with run_receiver() as port:
        settings.EMAIL_PORT = port
        yield


def find(wait: float = 10) -> dict[str, Finding]:
    return {finding.what: finding for finding in the_round_trip(wait)}


def test_a_mail_that_comes_back_is_told_and_deleted(receiver: None) -> None:
    findings = find()
    assert list(findings) == ["mail out", "mail in", "SPF, DKIM, DMARC"]
    assert all(finding.well for finding in findings.values())
    assert findings["mail in"].seen.startswith("came after ")
    assert findings["SPF, DKIM, DMARC"].seen == "not known: MAIL_AUTHSERV_ID is empty (docs/mail.md)"
    assert not InboundMail.objects.exists()


def test_what_the_mail_server_found_out_is_told(settings: Settings) -> None:
    settings.MAIL_AUTHSERV_ID = "mx.carcassonne.example"
    spf, dkim, dmarc = judge_authentication({"SPF": "pass", "DKIM": "fail", "DMARC": ""})
    assert (spf.what, spf.well, spf.seen) == ("SPF", True, "pass")
    assert (dkim.well, dkim.seen) == (False, "fail") and "DKIM" in dkim.advice
    assert (dmarc.well, dmarc.seen) == (False, "the mail server says nothing of it")


def test_a_mail_that_does_not_come_is_told(settings: Settings) -> None:
    with listening(MailServer()) as port:
        settings.EMAIL_PORT = port
        findings = find(0.3)
    assert findings["mail out"].well
    assert (findings["mail in"].well, findings["mail in"].seen) == (False, "has not come within 0.3 s")


def test_a_mail_server_that_is_away_is_told(settings: Settings) -> None:
    settings.EMAIL_PORT = 9
    findings = {finding.what: finding for finding in examine(0.1, by_mail=True)}
    assert findings["round trip"].seen.startswith("ConnectionRefusedError")


@pytest.mark.parametrize(
    ("name", "value", "seen"),
    [
        ("REPLY_DOMAIN", "", "REPLY_DOMAIN is empty"),
        ("EMAIL_BACKEND", "carcassonne.local.mailbox.EmailBackend", "EMAIL_URL sends nothing"),
    ],
)
def test_a_site_that_sends_or_takes_no_mail_is_told(
    settings: Settings, name: str, value: str, seen: str
) -> None:
    setattr(settings, name, value)
    (finding,) = the_round_trip(1)
    assert (finding.well, finding.seen) == (False, seen)


def test_no_mail_is_sent_unless_asked_for(receiver: None) -> None:
    assert "mail out" not in {finding.what for finding in examine(0.1)}
