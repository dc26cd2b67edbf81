"""Kept mails, shown as a mail program shows them."""

from email.mime.image import MIMEImage

import pytest
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from carcassonne.local.mailbox import kept_mails
from games.inbox.replies import read_reply
from tests.games.mailserver import MailServer, listening
from tests.html import Page

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n picture"


@pytest.fixture
def client() -> Client:
    return Client(SERVER_NAME="localhost")


@pytest.fixture(autouse=True)
def keeping(settings: Settings, tmp_path: object) -> None:
    settings.DEBUG, settings.EMAIL_URL, settings.OUTBOX_DIR = True, settings.KEEP_MAILS, tmp_path


def send(mail: EmailMessage) -> None:
    mail.connection = get_connection("carcassonne.local.mailbox.EmailBackend")
    assert mail.send() == 1


def mail_with_picture() -> EmailMultiAlternatives:
    mail = EmailMultiAlternatives(
        "Your turn in Toulouse – 3 days left", "Płay ☺ https://x.example/g", to=["a@example.org"]
    )
    mail.attach_alternative(
        '<html><head></head><body><img src="cid:board@x"> <b>Play</b></body></html>', "text/html"
    )
    picture = MIMEImage(PNG, "png")
    picture["Content-ID"] = "<board@x>"
    mail.attach(picture)
    mail.mixed_subtype = "related"
    return mail


def test_the_newest_mail_stands_first(client: Client) -> None:
    for subject in ("One", "Two"):
        send(EmailMessage(subject, "text", to=["a@example.org"]))
    assert [mail.subject for mail in kept_mails()] == ["Two", "One"]
    assert Page(client.get(reverse("mailbox"))).texts("main li a") == ["Two", "One"]


def test_text_headers_html_and_pictures_are_shown(client: Client) -> None:
    send(mail_with_picture())
    kept = kept_mails()[0]
    page = Page(client.get(reverse("mailbox-mail", args=[kept.name])))
    assert page.text("pre.mail") == "Płay ☺ https://x.example/g"
    assert page.links("pre.mail a") == ["https://x.example/g"]
    assert page.text("h1") == "Your turn in Toulouse – 3 days left"
    assert page.facts("dl.headers")["To"] == "a@example.org"
    assert page.one("iframe")["src"] == reverse("mailbox-html", args=[kept.name])
    frame = client.get(reverse("mailbox-html", args=[kept.name]))
    url = reverse("mailbox-picture", args=[kept.name, 0])
    assert [element["src"] for element in Page(frame).all("img")] == [url]
    assert frame["x-frame-options"] == "SAMEORIGIN"
    assert "script-src" not in frame["content-security-policy"]
    assert "default-src 'none'" in frame["content-security-policy"]
    picture = client.get(url)
    assert (picture.content, picture["content-type"]) == (PNG, "image/png")


def turn_mail() -> str:
    """Send a mail that can be answered, and return its name."""
    send(
        EmailMessage(
            "Your turn",
            "It's your turn.",
            "Games <games@x.example>",
            ["anna@example.org"],
            headers={"Reply-To": "play+token@reply.x.example", "Message-ID": "<your_turn.1@x.example>"},
        )
    )
    return kept_mails()[0].name


def test_a_reply_goes_to_the_receiver_as_a_mail_program_sends_it(client: Client, settings: Settings) -> None:
    server, name = MailServer(), turn_mail()
    with listening(server) as settings.RECEIVE_MAIL_PORT:
        page = Page(client.get(reverse("mailbox-mail", args=[name])))
        sent = client.post(page.one("main form")["action"], {"text": "3b k"})
    assert sent["Location"] == reverse("mailbox")
    (reply,) = server.mails
    assert server.recipients == [["play+token@reply.x.example"]]
    assert (reply["From"], reply["Subject"]) == ("anna@example.org", "Re: Your turn")
    assert reply["In-Reply-To"] == "<your_turn.1@x.example>"
    text = reply.get_content().replace("\r\n", "\n")
    assert text.startswith("3b k\n\nOn ") and text.endswith(" wrote:\n> It's your turn.\n")
    assert read_reply(reply.as_bytes()).line == "3b k"


def test_a_reply_that_nobody_takes_says_so(client: Client, settings: Settings) -> None:
    name = turn_mail()
    with listening(MailServer()) as settings.RECEIVE_MAIL_PORT:
        pass  # and it has gone
    answer = client.post(reverse("mailbox-reply", args=[name]), {"text": "pass"}, follow=True)
    assert Page(answer).mentions("Your reply couldn't be sent")


def test_a_mail_without_an_address_for_replies_has_no_form(client: Client) -> None:
    send(mail_with_picture())
    name = kept_mails()[0].name
    assert not Page(client.get(reverse("mailbox-mail", args=[name]))).has("main form")
    assert client.post(reverse("mailbox-reply", args=[name]), {"text": "pass"}).status_code == 404


def test_a_mail_of_text_alone_has_no_frame(client: Client) -> None:
    send(EmailMessage("One", "text", to=["a@example.org"]))
    name = kept_mails()[0].name
    page = Page(client.get(reverse("mailbox-mail", args=[name])))
    assert page.has("pre.mail") and not page.has("iframe")
    assert client.get(reverse("mailbox-html", args=[name])).status_code == 404


@pytest.mark.parametrize(
    "visit",
    [
        {"HTTP_HOST": "testserver"},
        {"REMOTE_ADDR": "192.168.1.7"},
        {"REMOTE_ADDR": ""},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
    ],
)
def test_mails_are_shown_on_the_machine_itself_only(client: Client, visit: dict[str, str]) -> None:
    send(EmailMessage("One", "text", to=["a@example.org"]))
    assert client.get(reverse("mailbox")).status_code == 200
    assert client.get(reverse("mailbox"), **visit).status_code == 404


@pytest.mark.parametrize("setting", [("DEBUG", False), ("EMAIL_URL", "smtp://localhost")])
def test_a_public_site_shows_no_mails(
    client: Client, settings: Settings, setting: tuple[str, object]
) -> None:
    send(EmailMessage("One", "text", to=["a@example.org"]))
    name = kept_mails()[0].name
    setattr(settings, *setting)
    for url in (
        reverse("mailbox"),
        reverse("mailbox-mail", args=[name]),
        reverse("mailbox-picture", args=[name, 0]),
    ):
        assert client.get(url).status_code == 404


def test_no_other_file_can_be_read(client: Client) -> None:
    assert client.get("/outbox/..%2Fsecret/").status_code == 404
    assert client.get(reverse("mailbox-mail", args=["nothing"])).status_code == 404
