"""What we write of a mail is what the email package would write, and a parser reads the same out of both."""

import smtplib
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


def test_a_server_gets_what_was_written() -> None:
    box = MailServer()
    with listening(box) as port, smtplib.SMTP("127.0.0.1", port) as connection:
        wire.send(connection, mail(text=".\n..\nend", to=["Żaneta <z@example.org>"]))
    assert box.recipients == [["z@example.org"]]
    (received,) = box.mails
    text = received.get_body(("plain",))
    assert text is not None and text.get_content().split() == [".", "..", "end"]
    assert [part.get_content() for part in received.iter_attachments()][-2:] == [PNG, PNG[1:]]


def test_another_backend_than_that_of_smtp_sends_in_its_own_way(
    mailoutbox: list[EmailMultiAlternatives],
) -> None:
    with email.Connection() as connection:
        connection.send(mail())
    assert [one.subject for one in mailoutbox] == ["Your turn"]
