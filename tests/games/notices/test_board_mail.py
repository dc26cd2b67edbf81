"""Tests of mails with pictures, as other programs parse them."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest

from games.notices.board_mail import BoardMail, build_picture

PNG = bytes(range(256)) * 40
STOP = "<https://carcassonne.example/mail/stop/" + "x" * 90 + "/>"
HEADERS = {
    "Message-ID": "<your_turn.abc.1.2@carcassonne.example>",
    "References": "<game.abc@carcassonne.example>",
    "List-Unsubscribe": STOP,
    "List-ID": "=?utf-8?q?Krak=C3=B3w?= <games.carcassonne.example>",
}


def mail(subject: str = "Your turn", text: str = "Hello\n", pictures: int = 2, **more: Any) -> BoardMail:
    made = BoardMail(
        subject=subject,
        body=text,
        **{"from_email": "Carcassonne <mail@carcassonne.example>", "to": ["anna@example.org"], **more},
        headers=HEADERS,
    )
    made.attach_alternative(f"<p>{text}</p>", "text/html")
    for number in range(pictures):
        made.attach(build_picture(f"p{number}@carcassonne.example", PNG[number:], f"p{number}.png", "Płytka"))
    return made


def write(written: BoardMail) -> bytes:
    """Write the mail as Django's backend does."""
    return written.message().as_bytes(linesep="\r\n")


def parsed(written: BoardMail) -> EmailMessage:
    read = message_from_bytes(write(written), policy=default)
    assert isinstance(read, EmailMessage)
    return read


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
        mail(text="From here\n.\n..dots\n\nend\n"),
        mail("🏰" * 40, from_email="Gra Łódź <mail@carcassonne.example>", to=["Żaneta <z@example.org>"]),
    ],
    ids=["plain", "no picture", "not ASCII", "long subject", "long line", "dots", "addresses"],
)
def test_it_is_read_as_it_was_written(written: BoardMail) -> None:
    data = write(written)
    assert max(map(len, data.split(b"\r\n"))) <= 998  # RFC 5322, 2.1.1
    assert data.isascii() and data.count(b"\n") == data.count(b"\r\n") == data.count(b"\r")
    read = parsed(written)
    assert [part.defects for part in read.walk() if part.defects] == []
    assert read["Subject"] == written.subject and read["Date"].datetime is not None
    assert (str(read["From"]), str(read["To"])) == (written.from_email, written.to[0])
    text, html = read.get_body(("plain",)), read.get_body(("html",))
    assert text is not None and text.get_content().splitlines() == written.body.splitlines()
    assert html is not None and html.get_content().splitlines() == f"<p>{written.body}</p>".splitlines()
    pictures = [part for part in read.walk() if part.get_content_type() == "image/png"]
    numbers = range(len(written.attachments))
    assert [part.get_content() for part in pictures] == [PNG[number:] for number in numbers]
    assert [part["Content-ID"] for part in pictures] == [f"<p{n}@carcassonne.example>" for n in numbers]
    assert {part["Content-Description"] for part in pictures} <= {"Płytka"}
    assert {part.get_content_disposition() for part in pictures} <= {"inline"}


def test_headers_of_one_long_word_are_no_encoded_words() -> None:
    """Mail programs offer no button to stop where they can't read the address (RFC 8058)."""
    data = write(mail())
    assert b"\nList-Unsubscribe: %s\r\n" % STOP.encode() in data


@pytest.mark.parametrize(
    "text", ["Łódź", "Твой ход – " * 12, "🏰" * 40, "ś" + "x" * 300, "Twoja kolej, " * 9 + "ę"]
)
def test_encoded_words_keep_to_their_lines(text: str) -> None:
    subject = write(mail(text)).partition(b"\r\nSubject:")[2].partition(b"\r\nFrom:")[0]
    assert max(map(len, f"Subject:{subject.decode()}".split("\r\n"))) <= 76  # RFC 2047, 2
    assert parsed(mail(text))["Subject"].strip() == text.strip()


@pytest.mark.parametrize(
    "field",
    [
        {"subject": "Hello\nBcc: all@example.org"},
        {"subject": "Grüße\rBcc: all@example.org"},
        {"to": ["a@example.org\nBcc: all@example.org"]},
    ],
)
def test_no_header_is_smuggled_in(field: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="newlines"):
        mail(**field).message()


def test_an_address_abroad_is_written_in_ascii() -> None:
    data = write(mail(to=["Żaneta <z@łódź.example>"]))
    assert b"<z@xn--d-uga0v4h.example>" in data
