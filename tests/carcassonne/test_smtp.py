"""Mails over SMTP, with commands sent in one go where the server takes them so."""

import io
import smtplib
import socket
from typing import Any

import pytest
from django.core.mail import EmailMessage

from carcassonne.smtp import EmailBackend, Pipelining
from tests.games.mailserver import MailServer, listening

SENDER = "mail@carcassonne.example"


def send(port: int, *mails: EmailMessage) -> None:
    """Send *mails* to the server at *port*, through one connection."""
    EmailBackend(host="127.0.0.1", port=port, timeout=5).send_messages(list(mails))


def mail(text: str = "Hello\n", to: str = "anna@example.org") -> EmailMessage:
    return EmailMessage("Your turn", text, SENDER, [to])


@pytest.fixture(params=[True, False], ids=["pipelining", "one by one"])
def box(request: pytest.FixtureRequest) -> MailServer:
    return MailServer(pipelining=request.param)


def test_a_server_gets_what_was_written(box: MailServer) -> None:
    with listening(box) as port:
        send(port, *[mail(text=".\n..\nend", to="Żaneta <z@example.org>")] * 2)
    assert box.recipients == [["z@example.org"]] * 2
    (received, _again) = box.mails
    assert received.get_content().split() == [".", "..", "end"]


@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        ({"refuse_sender": "550 Not you"}, smtplib.SMTPSenderRefused),
        ({"refuse_address": "550 Not her"}, smtplib.SMTPRecipientsRefused),
        ({"refuse_address": "450 Not now"}, smtplib.SMTPRecipientsRefused),
        ({"refuse_mail": "552 Too much"}, smtplib.SMTPDataError),
    ],
)
def test_what_a_server_refuses_is_told_alike_however_it_is_asked(
    box: MailServer, refusal: dict[str, str], error: type[smtplib.SMTPException]
) -> None:
    (answer,) = refusal.values()
    vars(box).update(refusal)
    with listening(box) as port, pytest.raises(error) as told:
        send(port, mail())
    said = (int(answer[:3]), answer[4:].encode())
    if isinstance(told.value, smtplib.SMTPRecipientsRefused):
        assert told.value.recipients == {"anna@example.org": said}
    else:
        assert isinstance(told.value, smtplib.SMTPResponseException)
        assert (told.value.smtp_code, told.value.smtp_error) == said
    assert box.mails == []


def test_a_server_that_can_is_told_all_before_the_mail_in_one_go() -> None:
    """So that one that is far away is waited for twice for each mail, not four times."""
    connection = Dictated(
        ["220 here", "250-here\r\n250-SIZE 9\r\n250 PIPELINING", "250 a\r\n250 b\r\n354 go", "250 c"]
    )
    connection.sendmail(SENDER, ["anna@example.org"], b"Subject: Hi\r\n\r\n.")
    _hello, commands, content = connection.sent
    assert commands.split(b"\r\n") == [
        b"MAIL FROM:<mail@carcassonne.example> SIZE=16",
        b"RCPT TO:<anna@example.org>",
        b"DATA",
        b"",
    ]
    assert content == b"Subject: Hi\r\n\r\n..\r\n.\r\n"


def test_nothing_is_delivered_where_a_server_would_take_a_mail_for_nobody() -> None:
    """RFC 2920, 3.1: it may answer 354 although it has refused all who would get the mail."""
    connection = Dictated(["220 here", "250-here\r\n250 PIPELINING", "250 a\r\n550 nobody\r\n354 go"])
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        connection.sendmail(SENDER, ["anna@example.org"], b"Hello")
    assert len(connection.sent) == 2


def test_no_command_is_smuggled_in() -> None:
    connection = Dictated(["220 here", "250-here\r\n250 PIPELINING", "250 a\r\n250 b\r\n354 go", "250 c"])
    connection.sendmail(SENDER, ["anna@example.org>\r\nRCPT TO:<all@example.org"], b"Hello\r\n")
    assert connection.sent[1].count(b"\r\n") == 3, "sender, one recipient, data"


class Dictated(Pipelining):
    """A connection to a server that answers what is dictated, to one sending after the other."""

    def __init__(self, answers: list[str]) -> None:
        super().__init__()
        self.answers = answers
        self.sent: list[bytes] = []
        self.sock = socket.socket()
        self._take(0)
        self.getreply()

    def send(self, s: Any) -> None:
        self.sent.append(s.encode() if isinstance(s, str) else s)
        self._take(len(self.sent))

    def _take(self, number: int) -> None:
        self.file = io.BytesIO(f"{self.answers[number]}\r\n".encode())
