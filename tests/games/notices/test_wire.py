"""What we write of a mail is what the email package would write, and a parser reads the same out of both."""

import io
import smtplib
import socket
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from django.core.mail import BadHeaderError, EmailMultiAlternatives

from games.notices import email, wire
from tests.games.mailserver import MailServer, listening

PNG = bytes(range(256)) * 40
HEADERS = {
    "Message-ID": "<your_turn.abc.1.2@carcassonne.example>",
    "References": "<game.abc@carcassonne.example>",
    "List-Unsubscribe": "<https://carcassonne.example/mail/stop/" + "x" * 90 + "/>",
    "List-ID": "=?utf-8?q?Krak=C3=B3w?= <games.carcassonne.example>",
}


def mail(
    subject: str = "Your turn", text: str = "Hello\n", pictures: int = 2, **more: Any
) -> EmailMultiAlternatives:
    made = EmailMultiAlternatives(
        subject=subject,
        body=text,
        **{"from_email": "Carcassonne <mail@carcassonne.example>", "to": ["anna@example.org"], **more},
        headers=HEADERS,
    )
    made.attach_alternative(f"<p>{text}</p>", "text/html")
    for number in range(pictures):
        made.mixed_subtype = "related"  # type: ignore[attr-defined]
        made.attach(wire.Picture(f"p{number}@carcassonne.example", PNG[number:], f"p{number}.png", "Płytka"))
    return made


def parsed(data: bytes) -> EmailMessage:
    read = message_from_bytes(data, policy=default)
    assert isinstance(read, EmailMessage)
    return read


def parts(data: bytes) -> list[tuple[str, dict[str, str], object]]:
    """Type, headers and content of each part of a mail, the whole first; without what is drawn by lot or by
    the clock, and without a version that only the whole needs."""
    found = []
    for part in parsed(data).walk():
        headers = {
            name: str(text).strip() for name, text in part.items() if name not in ("Date", "MIME-Version")
        }
        kind = headers.pop("Content-Type").partition(";")[0]
        content = None if part.is_multipart() else part.get_content()
        found.append((kind, headers, content.replace("\r\n", "\n") if isinstance(content, str) else content))
    return found


@pytest.mark.parametrize(
    "written",
    [
        mail(),
        mail(pictures=0),
        mail(
            "Twoja kolej w grze „Łódź” – zostały 3 dni, a potem jeszcze kilka godzin na ruch", "Cześć!\n–\n"
        ),
        mail("A subject that is longer than what fits in a single line of a mail, so that it is folded once"),
        mail(text="x" * 1500 + "\n"),
        mail(text="From here\n.\n..dots\n\nend"),
        mail(from_email="Gra Łódź <mail@carcassonne.example>", to=["Żaneta <z@example.org>"]),
    ],
    ids=["plain", "no picture", "not ASCII", "long subject", "long line", "dots", "addresses"],
)
def test_the_same_parts_and_headers_as_by_the_email_package(written: EmailMultiAlternatives) -> None:
    data = wire.as_bytes(written)
    assert parts(data) == parts(written.message().as_bytes())
    assert max(map(len, data.split(b"\r\n"))) <= wire.LONGEST
    assert data.count(b"\n") == data.count(b"\r\n") == data.count(b"\r")
    assert parsed(data)["MIME-Version"] == "1.0" and parsed(data)["Date"].datetime is not None
    assert [part.defects for part in parsed(data).walk() if part.defects] == []


@pytest.mark.parametrize("name", ["Subject", "Content-Description"])
@pytest.mark.parametrize(
    "text", ["Łódź", "Твой ход – " * 12, "🏰" * 40, "ś" + "x" * 300, " ð ", "Twoja kolej, " * 9 + "ę"]
)
def test_encoded_words_are_read_as_they_were_meant_and_keep_to_their_lines(name: str, text: str) -> None:
    written = f"{name}: {wire.encoded(name, text)}".split("\n")
    assert max(map(len, written)) <= 76  # RFC 2047, 2
    read = message_from_bytes("\r\n".join([*written, "", ""]).encode("ascii"), policy=default)
    assert read[name] == text and read[name].defects == ()


def test_no_header_is_smuggled_in() -> None:
    for field in (
        {"subject": "Hello\nBcc: all@example.org"},
        {"subject": "Grüße\rBcc: all@example.org"},
        {"to": ["a@example.org\nBcc: all@example.org"]},
    ):
        with pytest.raises(BadHeaderError):
            wire.as_bytes(mail(**field))


@pytest.fixture(params=[True, False], ids=["pipelining", "one by one"])
def box(request: pytest.FixtureRequest) -> MailServer:
    return MailServer(pipelining=request.param)


def test_a_server_gets_what_was_written(box: MailServer) -> None:
    with listening(box) as port, smtplib.SMTP("127.0.0.1", port) as connection:
        for _ in range(2):
            wire.send(connection, mail(text=".\n..\nend", to=["Żaneta <z@example.org>"]))
    assert box.recipients == [["z@example.org"]] * 2
    (received, _again) = box.mails
    text = received.get_body(("plain",))
    assert text is not None and text.get_content().split() == [".", "..", "end"]
    assert [part.get_content() for part in received.iter_attachments()][-2:] == [PNG, PNG[1:]]


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
    with listening(box) as port, smtplib.SMTP("127.0.0.1", port) as connection, pytest.raises(error) as told:
        wire.send(connection, mail())
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
    wire.send(connection, mail(pictures=0))
    _hello, commands, content = connection.sent
    size = len(content) - len(b".\r\n")
    assert commands.split(b"\r\n") == [
        b"MAIL FROM:<mail@carcassonne.example> SIZE=%d" % size,
        b"RCPT TO:<anna@example.org>",
        b"DATA",
        b"",
    ]
    assert content.endswith(b"--\r\n.\r\n")


def test_nothing_is_delivered_where_a_server_would_take_a_mail_for_nobody() -> None:
    """RFC 2920, 3.1: it may answer 354 although it has refused all who would get the mail."""
    connection = Dictated(["220 here", "250-here\r\n250 PIPELINING", "250 a\r\n550 nobody\r\n354 go"])
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        wire.send(connection, mail(pictures=0))
    assert len(connection.sent) == 2


def test_no_command_is_smuggled_in() -> None:
    connection = Dictated(["220 here"])
    with pytest.raises((ValueError, BadHeaderError)):
        wire.send(connection, mail(to=["anna@example.org>\r\nRCPT TO:<all@example.org"]))
    assert connection.sent == []


class Dictated(smtplib.SMTP):
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


def test_another_backend_than_that_of_smtp_sends_in_its_own_way(
    mailoutbox: list[EmailMultiAlternatives],
) -> None:
    with email.Connection() as connection:
        connection.send(mail())
    assert [one.subject for one in mailoutbox] == ["Your turn"]
