"""Test of a game between two mail programs, played to its end without a request to the site: SMTP both ways.

``make mail-game`` plays a whole one, with the receiver and the workers in processes of their own, and prints
the mails' summaries; ``LOG=/some/folder make mail-game`` keeps the mails.
"""

from __future__ import annotations

import os
import random
import re
import smtplib
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from django.db.models import F
from django.utils import timezone
from pytest_django.fixtures import Settings

from games import mail_tasks, tasks
from games.models import Game, How, InboundMail, MailOutcome, MailState, Notice, Status
from games.play import positions
from games.selectors.overdue_games import find_waiting_mails
from tests.games import worker_helpers
from tests.games.factories import heart_beats, make_game
from tests.games.mail_in.receiver_helpers import run_receiver
from tests.games.mail_in.writing import DOMAIN, text_of, write_reply
from tests.games.mailserver import MailServer, listening
from tests.games.worker_helpers import ROOT, Worker, build_environment, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
start = worker_helpers.start

SEED = 11
SPACE = re.compile(r"^  (\d+): .* \(((?:[a-d](?:, )?)+)\)$", re.MULTILINE)
SPOT = re.compile(r"\b([k-z]): ")


class MailPrograms:
    """Two players who only use the mails in their boxes, in order of arrival."""

    def __init__(self, server: MailServer, port: int) -> None:
        self._server, self._port = server, port
        self._chance = random.Random(SEED)
        self._read = 0
        self.log: list[str] = []
        self.over: set[str] = set()

    def wait_for_mail(self) -> EmailMessage:
        wait_until(lambda: len(self._server.mails) > self._read)
        self._read += 1
        return self._server.mails[self._read - 1]

    def read_mail(self) -> None:
        """Read the next mail, and answer it with a turn if it asks for one."""
        mail = self.wait_for_mail()
        name = str(mail["To"]).partition("@")[0]
        self.log.append(f"{name} reads: {mail['Subject']}")
        if str(mail["Subject"]).endswith("is over"):
            self.over.add(str(mail["To"]))
        elif spaces := SPACE.findall(text_of(mail)):
            self.answer(mail, self._choose_line(mail, spaces))

    def answer(self, mail: EmailMessage, line: str) -> None:
        self.log.append(f"{str(mail['To']).partition('@')[0]} writes: {line}")
        with smtplib.SMTP("127.0.0.1", self._port, timeout=30) as connection:
            connection.send_message(write_reply(mail, line))

    def _choose_line(self, mail: EmailMessage, spaces: list[tuple[str, str]]) -> str:
        number, letters = self._chance.choice(spaces)
        line = number + self._chance.choice(letters.split(", "))
        spots = SPOT.findall(text_of(mail).partition("a: as shown")[2].partition("\n  You can")[0])
        if not spots or "couldn't" in mail["Subject"] or self._chance.random() < 0.4:
            return line
        return f"{line} {self._chance.choice(spots)}"


def work() -> None:
    """Run the tasks for incoming mail, and deliver notices, as the sweep does."""
    now = timezone.now()
    heart_beats(now)
    for pk in find_waiting_mails(now):
        mail_tasks.answer_mail(pk)
    tasks.deliver_notices()


def check_game(game: Game, server: MailServer) -> None:
    """Check that the game was played by mail alone, each mail answered once, and each notice sent once."""
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    acts = game.moves.filter(seat__isnull=False).exclude(action__type="draw")
    assert set(acts.values_list("how", flat=True)) == {How.MAIL.value}
    assert set(InboundMail.objects.values_list("state", flat=True)) == {MailState.DONE.value}
    assert Notice.objects.filter(kind="reply").count() == InboundMail.objects.count()
    assert len(server.ids) == len(set(server.ids))


def test_a_short_game_is_played_and_resigned_by_mail(settings: Settings) -> None:
    settings.NOTICE_PAUSE_SECONDS = 0  # players answer at once, without a visit to the board
    server = MailServer()
    with listening(server) as port, run_receiver() as incoming:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        game = make_game(now=timezone.now())
        programs = MailPrograms(server, incoming)
        work()
        while game.ply < 4:
            programs.read_mail()
            work()
            game.refresh_from_db()
        for _ in range(2):  # the second one confirms
            newest = next(mail for mail in reversed(server.mails) if mail["To"] == "anna@example.org")
            programs.answer(newest, "resign")
            work()
    assert "resigned" in next(str(mail["Subject"]) for mail in reversed(server.mails) if "anna" in mail["To"])
    assert [mail["To"] for mail in server.mails if mail["Subject"].endswith("is over")] == [
        "bruno@example.org"
    ]
    check_game(game, server)
    assert InboundMail.objects.filter(outcome=MailOutcome.RESIGNED).count() == 1


@contextmanager
def receiving(port: int) -> Iterator[int]:
    """Run ``manage.py receive_mail``, with a mail server at *port*; yields the receiver's port."""
    command = [sys.executable, "manage.py", "receive_mail", "--port", "0"]
    environment = build_environment(port)
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as receiver:
        assert receiver.stdout is not None
        try:
            yield int(receiver.stdout.readline().rpartition(":")[2])
        finally:
            receiver.terminate()


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_whole_game_is_played_by_mail_alone(
    start: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REPLY_DOMAIN", DOMAIN)
    monkeypatch.setenv("NOTICE_PAUSE_SECONDS", "0")
    server = MailServer()
    with listening(server) as port, receiving(port) as incoming:
        start(port, "-B", "-Q", "games,inbox,beat", "-n", "games@%h", task_seconds=60)
        start(port, "-Q", "notices", "-n", "notices@%h", task_seconds=60)
        game = make_game(now=timezone.now())
        programs = MailPrograms(server, incoming)
        while len(programs.over) < 2:
            programs.read_mail()
            # They play more in a minute than the site takes of a sender in an hour: let hours pass.
            answered = InboundMail.objects.exclude(state=MailState.WAITING)
            answered.update(received=F("received") - timedelta(hours=2))
    check_game(game, server)
    assert len(list(positions.load_position(game).state.placed)) == 72
    programs.log.append(f"{InboundMail.objects.count()} mails in, {len(server.mails)} mails out")
    print("\n".join(["", *programs.log]))
    keep_mails(server, Path(os.environ.get("LOG") or tmp_path), programs.log)


def keep_mails(server: MailServer, folder: Path, log: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mail-game.txt").write_text("\n".join(log) + "\n")
    for number, mail in enumerate(server.mails, start=1):
        (folder / f"{number:03}.eml").write_bytes(mail.as_bytes())
