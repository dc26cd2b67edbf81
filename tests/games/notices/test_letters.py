"""Mails as they arrive at a real mail server on loopback."""

import re
import socket
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
import time_machine
from django.conf import settings as site
from django.db import OperationalError
from django.utils import timezone
from PIL import Image

from games import play, tables, tasks
from games.clocks import DAY, ClockSettings
from games.models import Game, Kind, Notice, Visit
from games.notices import delivery, email
from tests.games.factories import NAMES, make_game, make_player, make_table, play_turns, reminder_now
from tests.games.mailserver import MailServer, listening
from tests.games.play.decision_helpers import make_transferring_game
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    server = MailServer()
    with listening(server) as port:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        settings.EMAIL_TIMEOUT = 5
        yield server


def your_turn(server: MailServer, **settings: Any) -> Any:
    """Send Anna the mail about her second turn."""
    game = play_turns(make_game(now=timezone.now(), **settings), 2, now=timezone.now() - timedelta(hours=1))
    tasks.deliver_notices()
    (mail,) = (mail for mail in server.mails if mail["To"] == "anna@example.org")
    return game, mail


def test_a_turn_near_the_hard_end_says_how_the_game_would_be_decided_now(server: MailServer) -> None:
    clock = ClockSettings(start=3 * DAY, gain=DAY, cap=7 * DAY, ends=timezone.now() + 13 * DAY)
    _, mail = your_turn(server, clock=clock)
    text, html = mail.get_body(["plain"]).get_content(), mail.get_body(["html"]).get_content()
    for part in (text, html):
        assert "If it ended now, these would be the standings:" in part
        assert part.count("(time used: ") == 2


def test_headers_make_one_thread_and_stop_with_one_click(server: MailServer) -> None:
    game, mail = your_turn(server, name="Toulouse")
    assert mail["Subject"] == "Your turn in Toulouse – 3 days to move"
    assert mail["From"] == site.DEFAULT_FROM_EMAIL
    assert mail["Message-ID"] == f"<your_turn.{game.code}.5.{game.host_id}@carcassonne.example>"
    assert mail["References"] == mail["In-Reply-To"] == f"<game.{game.code}@carcassonne.example>"
    assert mail["List-ID"].endswith("<games.carcassonne.example>")
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["List-Unsubscribe"].strip().startswith("<https://carcassonne.example/mail/stop/")
    assert server.recipients[0] == ["anna@example.org"]


def test_the_text_is_complete_by_itself(server: MailServer) -> None:
    game, mail = your_turn(server, name="Toulouse")
    text = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")
    assert text.startswith("Hello Anna,\n\nIt's your turn in Toulouse.")
    assert f"https://carcassonne.example/g/{game.code}/" in text
    assert "Since your last turn" in text
    assert "\n  Bruno · " in text
    assert "Anna · " not in text
    assert "You drew this tile: " in text
    assert "Please play by " in text and "(UTC)" in text
    assert "You're getting this email because you play in Toulouse and it's your turn." in text
    assert "/mail/stop/" in text
    assert "&" not in text.replace("&amp;", "&amp")
    lines = text.split("\n")
    assert lines[lines.index("-- ") + 1].startswith("You're getting this email"), (
        "a signature, as programs know it"
    )


def test_the_board_comes_as_an_inline_picture(server: MailServer) -> None:
    _game, mail = your_turn(server)
    assert mail.get_content_type() == "multipart/related"
    html = Page(mail.get_body(("html",)).get_content())
    pictures = {
        part["Content-ID"].strip("<>"): part for part in mail.walk() if part.get_content_type() == "image/png"
    }
    assert len(pictures) == 2
    assert sorted(f"cid:{name}" for name in pictures) == sorted(element["src"] for element in html.all("img"))
    for part in pictures.values():
        assert part.get_content_disposition() == "inline"
        picture = Image.open(BytesIO(part.get_payload(decode=True)))
        assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 20
    assert len(mail.as_bytes()) < 400_000


def test_the_mail_of_a_wide_board_shows_the_last_turns_close_up(
    server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.drawing.picture.TOO_WIDE", 1)
    _game, mail = your_turn(server)
    html = Page(mail.get_body(("html",)).get_content())
    assert [element["alt"] for element in html.all("img")][1:] == [
        "The board",
        "The board around the latest turns",
    ]
    assert len([part for part in mail.walk() if part.get_content_type() == "image/png"]) == 3


def test_a_mail_speaks_the_readers_language_and_tells_their_time(server: MailServer, settings: Any) -> None:
    now = timezone.now().replace(hour=12, minute=0) - timedelta(days=1)
    make_player("Anna", language="pl", time_zone="Asia/Tokyo")
    game = make_game(now=now)
    tasks.deliver_notices()
    (mail,) = (mail for mail in server.mails if mail["To"] == "anna@example.org")
    html = Page(mail.get_body(("html",)).get_content())
    assert html.one("html")["lang"] == "pl"
    assert "21:00" in mail.get_body(("plain",)).get_content()
    assert "21:00 (JST)" in html.texts("p")[1]
    assert game.deadline is not None


def read(game: Game, kind: str, name: str) -> tuple[str, Page]:
    """The text and HTML of that player's latest mail of that kind, as composed now."""
    notice = Notice.objects.filter(game=game, kind=kind, recipient__username=name).order_by("pk").last()
    assert notice is not None
    mail = email.compose(notice)
    return str(mail.body), Page(str(mail.alternatives[0][0]))


def test_only_the_mail_about_the_last_turn_says_that_it_is_the_last() -> None:
    game = play_turns(make_game(now=timezone.now()), 69, now=timezone.now())
    for left in ("1 tile left to draw.", "No tiles left: this is the last turn."):
        text, html = read(game, "your_turn", game.seats.get(index=game.awaited).player.username)
        assert f"\n{left}\n" in text and left in html.texts("p")
        game = play_turns(game, 1, now=timezone.now())


def seen_by(game: Game, name: str, version: int) -> None:
    player = game.seats.get(player__username=name).player
    Visit.objects.create(game=game, player=player, since=None, seen=version, at=timezone.now())


class TestWhatHappened:
    def test_a_visit_after_the_last_turn_is_where_it_begins(self) -> None:
        game = play_turns(make_game(seats=3, now=timezone.now()), 4, now=timezone.now())
        seen_by(game, "Anna", game.version)
        game = play_turns(game, 2, now=timezone.now())
        text, html = read(game, "your_turn", "Anna")
        first, second = (part for part in text.split("\n") if re.match(r"  \d\. ", part))
        assert text.index("\nSince your last visit\n") < text.index(first)
        assert first.startswith("  1. Bruno · ") and second.startswith("  2. Clara · ")
        assert "Since your last visit" in html.texts("p > strong")
        told = [row[1] for row in html.rows("p:has(strong) ~ table:not(:last-of-type) tr")]
        assert told[0].startswith("Bruno · ") and told[1].startswith("Clara · ")
        game = play_turns(game, 3, now=timezone.now())
        assert "Since your last turn" in read(game, "your_turn", "Anna")[0]

    def test_who_has_seen_all_reads_the_last_round_and_not_that_nothing_happened(self) -> None:
        game = play_turns(make_game(now=timezone.now()), 4, now=timezone.now())
        seen_by(game, "Anna", game.version)
        text, html = read(game, "your_turn", "Anna")
        assert "\n\nLatest turns\n  1. Anna · " in text
        assert html.texts("p > strong") == ["Latest turns"]
        assert "Nothing has happened" not in text and not html.mentions("Nothing has happened")

    def test_who_has_looked_at_a_new_game_is_not_told_that_nothing_happened(self) -> None:
        game = make_game(now=timezone.now())
        seen_by(game, "Anna", game.version)
        text, html = read(game, "your_turn", "Anna")
        assert "Nothing has happened" not in text and not html.mentions("Nothing has happened")
        assert html.has("table") and not html.has("p > strong")

    def test_the_end_of_a_game_is_told_under_its_own_heading(self) -> None:
        game = play_turns(make_game(now=timezone.now()))
        seen_by(game, "Anna", game.version)
        play.score(game_id=game.pk, now=timezone.now())
        text, _html = read(game, "game_over", "Anna")
        headings = ["Since your last visit", "Latest turns", "The final scoring"]
        assert [line for line in text.split("\n") if line in headings] == headings

    def test_the_first_mail_of_a_game_tells_all(self) -> None:
        game = play_turns(make_game(now=timezone.now()), 1, now=timezone.now())
        assert "So far\n" in read(game, "your_turn", "Bruno")[0]

    def test_links_lead_to_the_playback(self) -> None:
        game = play_turns(make_game(seats=3, now=timezone.now()), 6, now=timezone.now())
        link = f"https://carcassonne.example/g/{game.code}/ply/4/?until=6#play"
        text, html = read(game, "your_turn", "Anna")
        assert f"Play it back:\n{link}\n" in text
        assert html.link("Play it back") == link

    def test_the_change_of_score_is_told(self) -> None:
        game = play_turns(make_game(now=timezone.now(), name="Albi"))
        before = list(game.seats.values_list("score", flat=True))
        play.score(game_id=game.pk, now=timezone.now())
        text, html = read(game, "game_over", "Anna")
        gained = 0
        for seat, then in zip(game.seats.select_related("player"), before, strict=True):
            if seat.score > then and seat.player is not None:
                gained += 1
                change = f"{seat.player.username}: {then} → {seat.score} (+{seat.score - then})"
                assert change in text
                assert f"{seat.player.username} {then} → {seat.score} +{seat.score - then}" in html.texts(
                    "span"
                )
        assert gained and "The final scoring" in text

    def test_a_reminder_of_a_question_says_that_time_is_running(self) -> None:
        game = make_transferring_game(now=timezone.now())
        first = read(game, "your_turn", "Bruno")[0]
        reminder_now(game)
        again = read(game, "reminder", "Bruno")[0]
        assert f"{game.name} is waiting for your answer.\nPlease answer by" in first
        assert f"{game.name} is still waiting for your answer, and the clock is running." in again
        assert "Since your last turn" in first


def test_everybody_is_told_how_it_ended(server: MailServer) -> None:
    game = play_turns(make_game(now=timezone.now(), seats=3, name="Albi"))
    play.score(game_id=game.pk, now=timezone.now())
    Notice.objects.exclude(kind=Kind.GAME_OVER).update(dropped=timezone.now())
    tasks.deliver_notices()
    assert sorted(mail["To"] for mail in server.mails) == sorted(
        f"{name.lower()}@example.org" for name in NAMES[:3]
    )
    winners = set(game.seats.filter(rank=1).values_list("player__email", flat=True))  # several share a tie
    for mail in server.mails:
        text = mail.get_body(("plain",)).get_content()
        assert mail["Subject"] == "Albi is over"
        assert ("Congratulations" in text) == (mail["To"] in winners)
        assert ("Albi is over. You won by " in text) == (winners == {mail["To"]})
        assert "\nTurning point: turn " in text and "&#" not in text
        assert "1. " in text


def test_an_invitation_reaches_an_address_without_an_account(server: MailServer) -> None:
    game = make_table(name="Foix", now=timezone.now())
    invitation = tables.invite(
        game_id=game.pk, inviter=game.host, address="new@example.org", now=timezone.now()
    )
    tasks.deliver_notices()
    (mail,) = server.mails
    assert mail["To"] == "new@example.org"
    assert mail["Subject"] == "Anna has invited you to a game of Carcassonne"
    text = mail.get_body(("plain",)).get_content()
    assert f"https://carcassonne.example/i/{invitation.token}/" in text
    assert text.startswith("Hello,")


def test_an_invitation_brings_the_line_of_its_inviter(server: MailServer) -> None:
    game = make_table(name="Foix", now=timezone.now())
    tables.invite(
        game_id=game.pk,
        inviter=game.host,
        address="new@example.org",
        now=timezone.now(),
        greeting="Tea & <i>tiles</i>?",
    )
    tasks.deliver_notices()
    (mail,) = server.mails
    said = "“Tea & <i>tiles</i>?”"
    assert said in mail.get_body(("plain",)).get_content()
    assert said in Page(mail.get_body(("html",)).get_content()).texts("p")


@pytest.mark.parametrize("still_open", [True, False])
def test_the_host_is_told_who_declines_while_the_table_is_open(server: MailServer, still_open: bool) -> None:
    game, bruno, now = make_table(name="Foix", now=timezone.now()), make_player("Bruno"), timezone.now()
    invitation = tables.invite(game_id=game.pk, inviter=game.host, player=bruno, now=now)
    tables.decline(token=invitation.token, player=bruno, now=now)
    if not still_open:
        tables.cancel(game_id=game.pk, player=game.host, now=now)
    tasks.deliver_notices()
    told = [mail for mail in server.mails if mail["To"] == "anna@example.org"]
    assert [mail["Subject"] for mail in told] == ["Bruno won't be joining Foix"] * still_open
    for mail in told:
        assert f"https://carcassonne.example/g/{game.code}/" in mail.get_body(("plain",)).get_content()
        assert Page(mail.get_body(("html",)).get_content()).texts("p")[1].startswith("Bruno can't join you")


def test_a_name_that_looks_like_html_stays_a_name(server: MailServer) -> None:
    your_turn(server, name="<b>A & B</b>")
    (mail, *_) = server.mails
    assert "<b>A & B</b>" in mail.get_body(("plain",)).get_content()
    assert "<b>A & B</b>" in Page(mail.get_body(("html",)).get_content()).texts("p")[1]
    assert "<b>A & B</b>" in mail["Subject"]


def test_subjects_stay_the_same_throughout_a_game(server: MailServer) -> None:
    game, first = your_turn(server)
    play_turns(game, 2, now=timezone.now() - timedelta(hours=1))
    tasks.deliver_notices()
    second = server.mails[-1]
    assert (second["To"], second["Subject"]) == (first["To"], first["Subject"])
    assert second["Message-ID"] != first["Message-ID"]


def test_a_mail_waits_while_the_server_is_away_and_comes_when_it_is_back(
    server: MailServer, settings: Any
) -> None:
    there = settings.EMAIL_PORT
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = unused.getsockname()[1]
        make_game(now=timezone.now())
        tasks.deliver_notices()
    assert server.mails == []
    tried = Notice.objects.exclude(last_error="")
    assert tried.count() == 1
    notice = tried.get()
    assert (notice.attempts, notice.sent, notice.claimed) == (1, None, None)
    assert notice.next_try > timezone.now() + timedelta(seconds=50)
    settings.EMAIL_PORT = there
    Notice.objects.filter(sent=None).exclude(kind=Kind.REMINDER).update(next_try=timezone.now())
    tasks.deliver_notices()
    assert sorted(mail["To"] for mail in server.mails) == ["anna@example.org", "bruno@example.org"]


def test_a_mail_refused_for_now_is_tried_again(server: MailServer) -> None:
    server.refuse_mail = "451 Try again later"
    make_game(now=timezone.now())
    tasks.deliver_notices()
    assert list(Notice.objects.filter(attempts=1).values_list("sent", flat=True)) == [None, None]
    server.refuse_mail = ""
    Notice.objects.filter(attempts=1).update(next_try=timezone.now())
    tasks.deliver_notices()
    assert len(server.mails) == 2


def test_a_mail_refused_for_good_is_given_up_after_a_day(server: MailServer) -> None:
    server.refuse_mail = "554 Looks like spam"
    game = make_game(now=timezone.now())
    tasks.deliver_notices()
    notices = game.notices.exclude(attempts=0, dropped=None)
    assert set(notices.values_list("attempts", "dropped")) == {(1, None)}
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        tasks.deliver_notices()
    assert set(notices.values_list("why_dropped", flat=True)) == {"refused"}
    assert "Looks like spam" in notices.first().last_error


def test_an_address_that_does_not_exist_is_given_up(server: MailServer) -> None:
    server.refuse_address = "550 No such user"
    make_game(now=timezone.now())
    tasks.deliver_notices()
    given_up = Notice.objects.exclude(dropped=None)
    assert set(given_up.values_list("why_dropped", flat=True)) == {"refused"}
    assert "No such user" in given_up.first().last_error


def test_an_address_refused_for_now_is_tried_again(server: MailServer) -> None:
    server.refuse_address = "450 Mailbox busy"
    make_game(now=timezone.now())
    tasks.deliver_notices()
    assert not Notice.objects.exclude(dropped=None).exists()
    assert Notice.objects.filter(attempts=1).count() == 2


def test_a_crash_after_the_server_took_it_repeats_the_very_same_mail(
    server: MailServer, monkeypatch: Any
) -> None:
    class Crash(BaseException):
        """Death of the process."""

    def die(*args: Any) -> None:
        raise Crash

    make_game(now=timezone.now(), bots=1)
    with monkeypatch.context() as patched, pytest.raises(Crash):
        patched.setattr(delivery, "_mark_sent", die)
        tasks.deliver_notices()
    assert len(server.mails) == 1
    tasks.deliver_notices()
    assert len(server.mails) == 1, "claimed by the one that died, until the lease ends"
    claimed = Notice.objects.get(kind=Kind.YOUR_TURN)
    assert claimed.claimed is not None
    Notice.objects.filter(pk=claimed.pk).update(claimed=claimed.claimed - delivery.LEASE)
    tasks.deliver_notices()
    tasks.deliver_notices()
    first, again = server.ids
    assert first == again


def test_sending_again_from_the_outbox_keeps_the_message_id(server: MailServer) -> None:
    make_game(now=timezone.now(), bots=1)
    tasks.deliver_notices()
    delivery.send_again(notices=Notice.objects.filter(kind=Kind.YOUR_TURN), now=timezone.now())
    tasks.deliver_notices()
    assert len(server.ids) == 2
    assert len(set(server.ids)) == 1


def test_before_anything_has_happened_no_heading_stands_over_nothing(server: MailServer) -> None:
    make_game(now=timezone.now())
    tasks.deliver_notices()
    (mail,) = (mail for mail in server.mails if "Your turn" in mail["Subject"])
    assert "So far" not in mail.get_body(("plain",)).get_content()
    html = Page(mail.get_body(("html",)).get_content())
    assert html.has("table") and not html.has("strong:-soup-contains('so far')")


@pytest.mark.django_db(transaction=True)
def test_what_went_out_while_the_database_was_away_is_noted_when_it_is_back(
    server: MailServer, monkeypatch: Any
) -> None:
    make_game(now=timezone.now(), bots=1)
    note, tries = delivery._mark_sent, 0

    def away_at_first(*args: Any) -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise OperationalError("server closed the connection unexpectedly")
        note(*args)

    monkeypatch.setattr(delivery, "_mark_sent", away_at_first)
    monkeypatch.setattr(delivery, "SECONDS_TO_RETRY", 0)
    tasks.deliver_notices()
    assert Notice.objects.get(kind=Kind.YOUR_TURN).sent is not None
    assert len(server.mails) == 1


@pytest.mark.django_db(transaction=True)
def test_a_database_that_stays_away_ends_the_task(
    server: MailServer, monkeypatch: Any, settings: Any
) -> None:
    settings.TASK_SECONDS = 0.4
    make_game(now=timezone.now(), bots=1)

    def away(*args: Any) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(delivery, "_mark_sent", away)
    monkeypatch.setattr(delivery, "SECONDS_TO_RETRY", 0.01)
    with pytest.raises(OperationalError):
        tasks.deliver_notices()
