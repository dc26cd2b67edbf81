"""Tests of mails while workers are killed: each is sent once, but for those that a killed worker had in hand.

``make mail-kills`` plays a thousand moves and kills the worker every fifty; ``MOVES`` sets another number.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from statistics import median

import pytest
from django.conf import settings as site
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.models import Game, Notice
from games.notices.email import message_id
from tests.games import worker_helpers
from tests.games.factories import make_game, play_turns
from tests.games.mailserver import MailServer, listening
from tests.games.worker_helpers import TASK_SECONDS, Worker, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(1800)]
start = worker_helpers.start

MOVES = int(os.environ.get("MOVES", "100"))
BETWEEN_KILLS = 50
BETWEEN_MOVES = 0.25  # seconds; a worker takes two or three to start
GAMES = 20


def play(start_worker: Callable[[], Worker]) -> int:
    """Play moves in all games in turn while the worker is killed again and again. Return how often."""
    games = [make_game(now=timezone.now()) for _ in range(GAMES)]
    worker, kills = start_worker(), 0
    for move in range(1, MOVES + 1):
        game = Game.objects.get(pk=games[move % GAMES].pk)
        play_turns(game, 1, now=timezone.now())
        time.sleep(BETWEEN_MOVES)
        if move % BETWEEN_KILLS == 0:
            worker.kill()
            kills += 1
            worker = start_worker()
    return kills


def is_all_settled() -> bool:
    return not Notice.objects.filter(sent=None, dropped=None).exists()


def test_none_is_lost_and_few_are_repeated(settings: Settings, start: Callable[..., Worker]) -> None:
    settings.NOTICE_PAUSE_SECONDS = 0
    server = MailServer()
    with listening(server) as port:
        kills = play(lambda: start(port, "-B", "-Q", ",".join(site.CELERY_TASK_QUEUES)))
        wait_until(is_all_settled, 10 * TASK_SECONDS)
    sent = {message_id(notice): notice for notice in Notice.objects.exclude(sent=None)}
    dropped = {message_id(notice) for notice in Notice.objects.exclude(dropped=None)}
    mails = Counter(server.ids)
    repeats = sum(mails.values()) - len(mails)
    delays = sorted((notice.sent - notice.due).total_seconds() for notice in sent.values() if notice.sent)
    print(
        f"\n{MOVES} moves, {kills} kills: {len(sent)} notices sent, {len(dropped)} out of date, "
        f"{sum(mails.values())} mails, {repeats} repeated; "
        f"from move to mail {median(delays):.2f} s (median), {delays[-1]:.1f} s at most"
    )
    assert set(sent) <= set(mails), "lost"
    # What a killed worker had sent, but not marked, may be out of date when it is looked at again.
    unmarked = set(mails) - set(sent)
    assert unmarked <= dropped
    assert repeats + len(unmarked) <= kills
    keys = Notice.objects.values_list("kind", "game", "version", "recipient", "channel")
    assert max(Counter(keys).values()) == 1
