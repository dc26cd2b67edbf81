"""Sets up what is played: migrations, people who are signed in, games that have begun. Reads what is wanted
as JSON from standard input, answers in JSON; run by ``Stack.run`` with the site's settings."""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import django

django.setup()

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import connection, transaction
from django.middleware.csrf import CSRF_SECRET_LENGTH
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import Player
from carcassonne.management.commands.serve import children
from games import outbox, play, tables
from games.clocks import ClockSettings
from games.models import Bag, Game, Heartbeat, Move, Seat, Status, Tile
from games.models.game import new_code
from games.models.seated import seated
from games.play import positions
from games.rules import RuleSet
from games.tables.settings import TableSettings

DAYS = 30  # to each move, so that nothing runs out
TILES_LEFT = 3  # in games that are near their end


def main(wanted: dict[str, Any]) -> dict[str, Any]:
    """*wanted*: how many ``people``, which of them come ``by_mail`` (a share), how many ``games`` of how many
    ``seats`` begin, and how many more are ``near_end``; ``seed``; ``undo``: whether some can take turns back.
    """
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    chance = random.Random(wanted["seed"])
    Heartbeat.objects.update_or_create(name="sweep", defaults={"at": timezone.now()})
    by_mail = round(wanted["people"] * wanted["by_mail"])
    people = [_player(number) for number in range(wanted["people"])]
    for player in people[by_mail:]:
        # Of those who look in by themselves some can take a turn back for a while, as by default.
        if wanted.get("undo", True) and chance.random() < 0.2:
            Player.objects.filter(pk=player.pk).update(undo_seconds=15)
    for _ in range(wanted["games"]):
        _begin(chance.sample(people, wanted["seats"]))
    if wanted["near_end"]:
        first = _nearly_ended(chance.sample(people, 2), chance)
        for _ in range(wanted["near_end"] - 1):
            _copy(first, chance.sample(people, 2))
    with connection.cursor() as cursor:
        cursor.execute("analyze")
    web, *others = children("127.0.0.1", settings.PORT)
    return {
        "people": [
            {
                "name": player.username,
                "email": player.email,
                "by_mail": number < by_mail,
                "cookies": {
                    settings.SESSION_COOKIE_NAME: _session(player),
                    settings.CSRF_COOKIE_NAME: get_random_string(CSRF_SECRET_LENGTH),
                },
            }
            for number, player in enumerate(people)
        ],
        "begun": {code: began for code, *began in Game.objects.values_list("code", "ply", "turn_version")},
        "some_game": Game.objects.values_list("pk", flat=True).first(),
        "seats": _seats(),
        "commands": {child.name: list(child.command) for child in (web, *others)},
    }


def _player(number: int) -> Player:
    name = f"Player{number}"
    player = Player.objects.create(
        username=name, email=f"{name.lower()}@example.org", undo_seconds=0, password="!"
    )
    EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
    return player


def _seats() -> dict[str, list[str]]:
    """Who sits where, by the code of the game."""
    seats: dict[str, list[str]] = {}
    for code, name in Seat.objects.values_list("game__code", "player__username").order_by("index"):
        seats.setdefault(code, []).append(name)
    return seats


def _session(player: Player) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def _begin(players: list[Player], bag: list[str] | None = None) -> Game:
    """A game that has begun; with a *bag*, its tiles come in that order."""
    now = timezone.now()
    rules = RuleSet.of(seats=len(players))
    table = TableSettings(rules=rules, clock=ClockSettings.per_move(DAYS))
    game = tables.create_table(host=players[0], settings=table, now=now)
    if bag is not None:
        play.give_bag(game, bag)
    for player in players[1:]:
        tables.sit(game_id=game.pk, player=player, now=now)
    game.refresh_from_db()
    return game


def _nearly_ended(players: list[Player], chance: random.Random) -> Game:
    """A game that was played at random until few tiles are left. Its bag was given: a seed would not fit the
    codes of its copies."""
    [tiles] = RuleSet.of(seats=len(players)).bag
    order = sorted(tile for tile, count in tiles.items() for _ in range(count))
    chance.shuffle(order)
    game = _begin(players, order)
    while game.status == Status.PLAYING and positions.position(game).state.left > TILES_LEFT:
        action = chance.choice(list(positions.position(game).legal_actions()))
        game = play.play(
            game_id=game.pk,
            seat=game.awaited or 0,
            action=action,
            expected_version=game.version,
            now=timezone.now(),
        )
    return game


@transaction.atomic
def _copy(game: Game, players: list[Player]) -> None:
    """The same game once more, of other *players*: all of its rows but what was told to whom before."""
    copied = Game.objects.get(pk=game.pk)
    copied.pk, copied.code, copied.host = None, new_code(), players[0]
    copied.save(force_insert=True)
    for model in (Seat, Tile, Move, Bag):
        rows = list(model._default_manager.filter(game=game))
        for row in rows:
            if model is not Bag:  # whose key is the game
                row.pk = None
            row.game = copied
            if isinstance(row, Seat):
                row.player = players[row.index]
        model._default_manager.bulk_create(rows)
    outbox.turn_played(copied, seated(copied), copied.turn_version, now=timezone.now())


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
