"""Tests that work that kills every worker is put aside within a minute, while other work goes on."""

import math
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Player
from core.attempts import LOST
from core.models import FailedTask
from games import upkeep_tasks
from games.models import GIVEN_UP, Game, Notice, Status
from games.rules import RuleSet
from leagues import seasons
from leagues import tasks as leagues_tasks
from leagues.models import League, Phase, Season
from leagues.settings import LeagueSettings
from leagues.standings import Rules
from ratings.models import RatedGame
from tests.games import worker_helpers
from tests.games.factories import heart_beats, make_game, make_player, play_turns
from tests.games.mailserver import MailServer, listening
from tests.games.worker_helpers import Worker, wait_until
from tests.leagues.season_helpers import make_founder
from tests.ratings.rated_games import Played, write
from tests.worker_names import POISON

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
start = worker_helpers.start
Start = Callable[..., Worker]
MINUTE = 60.0
LONGEST = 4 * MINUTE  # on a slow machine; what waited for the poison would never be done
PERIOD = 8.0


def named(game: Game, name: str) -> Game:
    Game.objects.filter(pk=game.pk).update(name=name)
    game.refresh_from_db()
    return game


def all_else_is_done(done: Callable[[], bool]) -> None:
    wait_until(done, seconds=LONGEST)


def put_aside(task: str, work: str) -> Callable[[], bool]:
    """A function that returns whether that work is put aside, with its reason."""

    def listed() -> bool:
        failed = FailedTask.objects.filter(task=task, arguments=work, lost__gte=LOST).first()
        if failed is None:
            return False
        assert failed.rests(timezone.now())
        assert failed.error.startswith("WorkerLost: whoever began it was killed"), failed.error
        return True

    return listed


def again_and_again(task: object, done: Callable[[], bool]) -> Callable[[], bool]:
    """A function that queues *task* periodically as the beat does, until it is *done*. A message lives
    longer than it takes to replace a killed child, so that it comes again and is counted."""
    queued = -math.inf

    def look() -> bool:
        nonlocal queued
        if done():
            return True
        if time.monotonic() >= queued + PERIOD:
            task.apply_async(expires=3 * PERIOD)  # type: ignore[attr-defined]
            queued = time.monotonic()
        return False

    return look


def test_a_mail_that_kills_its_worker(start: Start) -> None:
    """Its game goes on: the clock runs from the moment at which it was given up (CLOCK-7)."""
    server = MailServer()
    now = timezone.now()
    with listening(server) as port:
        make_game(seats=4, now=now)
        poison = named(make_game(now=now - timedelta(hours=2)), POISON)
        Notice.objects.filter(game=poison).exclude(kind="your_turn").update(dropped=now)
        deadline = poison.deadline
        start(port, "-B")
        others = Notice.objects.exclude(game=poison)
        all_else_is_done(lambda: not others.filter(sent=None, dropped=None).exists())
        wait_until(lambda: poison.notices.filter(why_dropped=GIVEN_UP).exists(), seconds=120)
        later = make_game(seats=3, now=timezone.now())
        wait_until(lambda: not later.notices.filter(sent=None, dropped=None).exists(), seconds=MINUTE)
    given_up = poison.notices.get(why_dropped=GIVEN_UP)
    assert (given_up.lost, given_up.attempts) == (LOST, LOST)
    assert given_up.last_error == f"Whoever sent it was killed or did not end, {LOST} times"
    poison.refresh_from_db()
    assert poison.deadline is not None and deadline is not None
    waited = given_up.dropped - given_up.due
    assert abs(poison.deadline - deadline - waited) < timedelta(seconds=2)


def test_a_scoring_that_kills_its_worker(start: Start) -> None:
    games = [play_turns(make_game(now=timezone.now()), now=timezone.now()) for _ in range(2)]
    Notice.objects.filter(sent=None).update(dropped=timezone.now())
    poison = named(games[0], POISON)
    start(9, "-B")
    all_else_is_done(lambda: Game.objects.get(pk=games[1].pk).status == Status.FINISHED)
    wait_until(put_aside("games.tasks.score", f"[{poison.pk}]"))
    poison.refresh_from_db()
    assert poison.status == Status.SCORING


def test_a_turn_of_a_bot_that_kills_its_worker(start: Start) -> None:
    poison = play_turns(make_game(seats=3, bots=2, now=timezone.now()), 1, now=timezone.now())
    other = play_turns(make_game(bots=1, now=timezone.now()), 1, now=timezone.now())
    Notice.objects.filter(sent=None).update(dropped=timezone.now())
    start(9, "-B")
    all_else_is_done(lambda: Game.objects.get(pk=other.pk).awaited == 0)
    wait_until(put_aside("games.tasks.play_bot", f"[{poison.pk}]"))


def test_a_rating_that_kills_its_worker(start: Start) -> None:
    players = [make_player(name) for name in ("Anna", "Bruno")]
    now = timezone.now()
    games = write(Played(players, (1, 2), now - timedelta(hours=n)) for n in (5, 4, 3))
    poison = named(games[1], POISON)
    start(9)
    rated = again_and_again(upkeep_tasks.rate_games, lambda: set(rated_games()) == {games[0].pk, games[2].pk})
    all_else_is_done(rated)
    work = put_aside("games.upkeep_tasks.rate_games", f"game {poison.pk}")
    wait_until(again_and_again(upkeep_tasks.rate_games, work))


def rated_games() -> list[int]:
    return list(RatedGame.objects.values_list("reference", flat=True))


def test_a_step_of_a_league_that_kills_its_worker(start: Start) -> None:
    now = timezone.now()
    owner = make_founder()
    leagues = [found(owner, name) for name in (POISON, "Cup of Foix")]
    players = [make_player(f"Player{number}") for number in range(2)]
    register(leagues, players)
    heart_beats(now)
    poison, other = (league.seasons.get() for league in leagues)
    start(9)
    has_begun = again_and_again(
        leagues_tasks.advance, lambda: Season.objects.get(pk=other.pk).phase == Phase.RUNNING
    )
    all_else_is_done(has_begun)
    work = put_aside("leagues.tasks.advance", f"begin_season {poison.pk}")
    wait_until(again_and_again(leagues_tasks.advance, work))
    poison.refresh_from_db()
    assert poison.phase == Phase.REGISTRATION


def found(owner: Player, name: str) -> League:
    agreed = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2, up=1, down=1))
    return seasons.found_league(founder=owner, name=name, settings=agreed, now=timezone.now())


def register(leagues: list[League], players: list[Player]) -> None:
    """Let *players* play in the first seasons of *leagues*, which are due to begin, the first one first."""
    now = timezone.now()
    for number, league in enumerate(leagues):
        for player in players:
            seasons.register(season_id=league.seasons.get().pk, player=player, now=now)
        due = now - timedelta(hours=2 - number)
        Season.objects.filter(league=league).update(begins=due)
