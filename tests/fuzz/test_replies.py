"""Fuzz tests of replies, by SMTP to a receiver: none plays what its writer did not write, none causes an
error, and each gets at most one answer.

``make fuzz REPLIES=10000 SEED=1`` sends that many; here it is a few hundred.
"""

from __future__ import annotations

import logging
import os
import smtplib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from random import Random

import pytest
from django.db.models import QuerySet
from django.utils import timezone
from pytest_django.fixtures import Settings

from games import mail_tasks
from games.models import How, InboundMail, MailOutcome, MailState, Move, Notice, Status
from games.notices.reply_address import ReplyToken, build_reply_address
from games.play import positions
from games.rules import Action, LegalActions, action_to_json
from games.rules.notation import BadNotation, write
from games.rules.short_form import ShortForm, read_line
from games.tasks import deliver_notices
from tests.fuzz.mutated_replies import write_mutated_reply, write_own_words
from tests.games.factories import make_game
from tests.games.mail_in.receiver_helpers import run_receiver
from tests.games.mail_in.writing import DOMAIN
from tests.moderation.limiting import set_limit

REPLIES = int(os.environ.get("REPLIES", "300"))
SEED = int(os.environ.get("SEED", "1"))
DELIVERED = 0.04
"""Share of the answers that are written and sent; each draws a board."""

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.timeout(7200)]


@pytest.fixture(autouse=True)
def receives(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REPLY_DOMAIN = DOMAIN
    for limit in ("mails_stored", "megabytes_stored", "inbound_mails", "mails_explained"):
        set_limit(monkeypatch, limit, 10**9)


@pytest.fixture
def port() -> Iterator[int]:
    with run_receiver() as port:
        yield port


@dataclass(frozen=True, slots=True)
class Sender:
    """Sender of a reply: whether it comes from the player to whom the *address* belongs, whether it is their
    turn, and whether the mail asked them to confirm resigning."""

    name: str
    address: str
    player: bool
    on_turn: bool
    asked_to_resign: bool


class Correspondence:
    """Games played one after another by incoming mails alone."""

    def __init__(self, chance: Random, connection: smtplib.SMTP) -> None:
        self.chance, self.connection = chance, connection
        self.game = make_game(now=timezone.now())
        self.counts: Counter[str] = Counter()

    def send_reply(self, number: int) -> None:
        """Send a mutated reply, sometimes twice, and check its effect."""
        legal = self._load_legal()
        line, *decoys = self._choose_lines(legal)
        sender = self._choose_sender()
        words = write_own_words(self.chance, line, decoys[0])
        reply = write_mutated_reply(self.chance, _write_headers(sender, number, decoys[0]), words, decoys)
        told = f"reply {number} of {sender}: {words!r}\n{reply!r}"
        before = _find_acts().count()
        if not self._send(sender, reply):
            self.counts["refused at the door"] += 1
            return
        mail = self._answer(told)
        played = list(_find_acts()[before:])
        assert len(played) == (mail.outcome in (MailOutcome.PLAYED, MailOutcome.RESIGNED)), told
        _check_outcome(mail, played, legal, sender, words, told)
        self._tidy(mail)

    def _load_legal(self) -> LegalActions:
        self.game.refresh_from_db()
        if self.game.status != Status.PLAYING:
            self.game = make_game(now=timezone.now())
        return positions.load_position(self.game).legal_actions()

    def _choose_lines(self, legal: LegalActions) -> list[str]:
        """The line that the player means, and four others."""
        turns = self.chance.sample(list(legal), min(5, len(legal)))
        short = ShortForm(legal)
        lines = [self.chance.choice((short.write(turn) or write(turn), write(turn))) for turn in turns]
        if self.chance.random() < 0.2:
            lines.insert(0, self.chance.choice(("undo", "resign", "status", "talk Hello", "pass", "Well!")))
        return [*lines, "resign", "undo"]

    def _choose_sender(self) -> Sender:
        game, chance = self.game, self.chance
        seat = game.awaited if chance.random() < 0.85 else 1 - (game.awaited or 0)
        assert seat is not None
        player, other = game.seats.get(index=seat).player, game.seats.get(index=1 - seat).player
        assert player is not None and other is not None
        fault = chance.choice(("", "", "", "", "", "", "stale", "opponent", "stranger", "forged"))
        asked = chance.random() < 0.2
        version = game.version - (fault == "stale")
        address = build_reply_address(ReplyToken(player.pk, game.pk, version, asked))
        if fault == "forged":
            address = address.replace(address[12], "b" if address[12] != "b" else "c")
        name = {"opponent": other.email, "stranger": "mallory@example.net"}.get(fault, player.email)
        # What has only been said or proposed since the mail of before makes no mail stale.
        current = not fault or (fault == "stale" and game.turn_version < game.version)
        return Sender(name, address, current, current and seat == game.awaited, asked)

    def _send(self, sender: Sender, reply: bytes) -> bool:
        """Send the reply, sometimes twice. Return whether the receiver accepts it."""
        for _ in range(1 + (self.chance.random() < 0.1)):
            try:
                self.connection.sendmail(sender.name, [sender.address], reply)
            except smtplib.SMTPRecipientsRefused:
                return False
        return True

    def _answer(self, told: str) -> InboundMail:
        """Run the task for the incoming mail twice."""
        (key,) = InboundMail.objects.values_list("pk", flat=True)
        for _ in range(2):
            mail_tasks.answer_mail(key)
        mail = InboundMail.objects.get()
        assert mail.state in (MailState.DONE, MailState.IGNORED), told
        answers = Notice.objects.filter(kind="reply", sent=None, dropped=None)
        assert answers.count() == (mail.state == MailState.DONE), told
        return mail

    def _tidy(self, mail: InboundMail) -> None:
        self.counts[mail.outcome] += 1
        if self.chance.random() < DELIVERED:
            deliver_notices()
            assert not Notice.objects.filter(kind="reply", sent=None, dropped=None).exists()
        Notice.objects.filter(sent=None, dropped=None).update(dropped=timezone.now())
        mail.delete()


def _write_headers(sender: Sender, number: int, decoy: str) -> Message:
    headers = Message()
    headers["From"] = sender.name
    headers["To"] = sender.address
    headers["Subject"] = f"Re: {decoy}"
    headers["Message-ID"] = f"<{number}@example.org>"
    headers["In-Reply-To"] = f"<your_turn.x.{number}.1@carcassonne.example>"
    return headers


def _check_outcome(
    mail: InboundMail, played: list[Move], legal: LegalActions, sender: Sender, words: str, told: str
) -> None:
    """Check that only the first line of the words had an effect, and none if another line contradicts it."""
    first, *others = [_normalize(line) for line in words.split("\n") if line.strip()] or [""]
    others = [line for line in others if line != first]
    if mail.outcome in (MailOutcome.UNDONE, MailOutcome.PROPOSED):
        assert first == "undo" and sender.player, told
    if mail.outcome == MailOutcome.RESIGN_ASKED:
        assert first == "resign" and sender.player, told
    if mail.outcome == MailOutcome.RESIGNED:
        assert first == "resign" and sender.player and sender.asked_to_resign, told
    if mail.outcome == MailOutcome.PLAYED:
        meant = _read(first, legal)
        assert meant is not None and sender.on_turn, told
        assert played[0].action == action_to_json(meant), told
        assert {_read(line, legal) for line in others} <= {None, meant}, told
    if mail.outcome in (MailOutcome.PLAYED, MailOutcome.UNDONE, MailOutcome.RESIGNED):
        assert not {"resign", "undo"} & set(others), told


def _find_acts() -> QuerySet[Move]:
    return Move.objects.filter(how=How.MAIL).exclude(action__type="draw").order_by("pk")


def _normalize(line: str) -> str:
    return " ".join(line.split()).lower()


def _read(line: str, legal: LegalActions) -> Action | None:
    try:
        return read_line(line.removesuffix("."), legal)  # REPLY-15
    except BadNotation:
        return None


def test_no_mutated_reply_plays_what_was_not_meant(port: int, caplog: pytest.LogCaptureFixture) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as connection, caplog.at_level(logging.ERROR):
        correspondence = Correspondence(Random(SEED), connection)
        for number in range(REPLIES):
            correspondence.send_reply(number)
        assert caplog.records == []  # caught errors would be logged
    counts = correspondence.counts
    print(f"\n{REPLIES} mutated replies: " + ", ".join(f"{n} {what}" for what, n in counts.most_common()))
    done = {MailOutcome.PLAYED, MailOutcome.EXPLAINED, MailOutcome.STALE, MailOutcome.STRANGER}
    assert done <= counts.keys() and counts[MailOutcome.PLAYED] > REPLIES / 20, counts
