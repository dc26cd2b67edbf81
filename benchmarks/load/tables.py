"""Set-up of a load test: migrations, signed-in players, games that have begun. Reads a request as JSON
from standard input and writes JSON; run by ``Stack.run`` with the site's settings."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from copy import copy
from datetime import timedelta
from typing import Any

import django

django.setup()

from allauth.account.models import EmailAddress
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import Permission
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import connection, transaction
from django.middleware.csrf import CSRF_SECRET_LENGTH
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import Player
from carcassonne.management.commands.serve import commands
from games import heartbeat, outbox, play, tables
from games.clocks import ClockSettings
from games.models import Bag, Game, Move, Seat, Status, Tile, WebhookShape
from games.models.game import new_code
from games.models.seat_loading import load_seats
from games.notices import own_webhooks, push_keys, push_subscriptions
from games.notices.push_subscriptions import BrowserKeys
from games.play import positions
from games.rules import RuleSet
from games.tables.settings import TableSettings
from leagues import seasons
from leagues.models import Fixture, Match
from leagues.seasons.drawing import begin_season
from leagues.settings import LeagueSettings
from leagues.standings import Rules

DAYS = 30  # to each move, so that nothing runs out
PATTERNS = 4  # games that are played at random; what stands at the wanted points is copied
DIVISION = 4  # players of a league's division, each of whom meets each other once
GAMES_OF_DIVISION = DIVISION * (DIVISION - 1) // 2


def main(wanted: dict[str, Any]) -> dict[str, Any]:
    """Set up what is *wanted*: the number of ``people``, the share of them that comes ``by_mail``, the number
    of ``games`` and their ``seats``; the ``seed``; ``undo``: whether some can take turns back; ``languages``:
    whether they use all languages of the site.

    ``replies``: whether every other of those who come by mail does nothing but reply; ``endpoints``: two
    addresses, below which every third person has a webhook, and as many have a device with notifications.

    Also, of two players each: the number of games ``on_the_way``, by the tiles that are left in the bag; and
    the number of ``divisions`` of a league, all of whose games are near their end.
    """
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    chance = random.Random(wanted["seed"])
    by_mail = round(wanted["people"] * wanted["by_mail"])
    languages = [code for code, _name in settings.LANGUAGES][: None if wanted.get("languages") else 1]
    people = [_player(number, languages[number % len(languages)]) for number in range(wanted["people"])]
    for player in people[by_mail:]:
        # Of those who look in by themselves some can take a turn back for a while, as by default.
        if wanted.get("undo", True) and chance.random() < 0.2:
            Player.objects.filter(pk=player.pk).update(undo_seconds=15)
    for _ in range(wanted["games"]):
        _begin(chance.sample(people, wanted["seats"]))
    _on_the_way(
        {int(left): number for left, number in wanted.get("on_the_way", {}).items()},
        people,
        chance,
        _matches(people[: wanted.get("divisions", 0) * DIVISION]),
    )
    with connection.cursor() as cursor:
        cursor.execute("analyze")
    heartbeat.set_beat(timezone.now())  # the site has been there all the time
    sessions = [_session(player) for player in people]
    if "endpoints" in wanted:
        _add_endpoints(people, sessions, *wanted["endpoints"])
    return {
        "people": [
            {
                "name": player.username,
                "email": player.email,
                "by_mail": number < by_mail,
                "replies": number < by_mail and number % 2 == 0 and wanted.get("replies", False),
                "cookies": {
                    settings.SESSION_COOKIE_NAME: sessions[number],
                    settings.CSRF_COOKIE_NAME: get_random_string(CSRF_SECRET_LENGTH),
                },
            }
            for number, player in enumerate(people)
        ],
        "begun": {code: began for code, *began in Game.objects.values_list("code", "ply", "turn_version")},
        "some_game": Game.objects.values_list("pk", flat=True).first(),
        "seats": _seats(),
        "commands": commands("127.0.0.1", settings.PORT),
    }


def _player(number: int, language: str) -> Player:
    name = f"Player{number}"
    player = Player.objects.create(
        username=name,
        email=f"{name.lower()}@example.org",
        undo_seconds=0,
        password="!",
        language=language,
    )
    EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
    return player


def _add_endpoints(people: Sequence[Player], sessions: Sequence[str], hooks: str, pushes: str) -> None:
    for number, player in enumerate(people):
        now = timezone.now()
        if number % 3 == 0:
            url = f"{hooks}/{player.username}"
            own_webhooks.add_webhook(player=player, url=url, shape=WebhookShape.MATTERMOST, now=now)
        elif number % 3 == 1:
            key = ec.generate_private_key(ec.SECP256R1()).public_key()
            point = push_keys.encode(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
            keys = BrowserKeys(f"{pushes}/{player.username}", point, push_keys.encode(bytes(16)))
            push_subscriptions.switch_on(
                player=player, keys=keys, session_key=sessions[number], user_agent="", now=now
            )


def _seats() -> dict[str, list[str]]:
    """The players' names in seat order, by code of the game."""
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
    """Start a rated game; with a *bag*, its tiles come in that order."""
    now = timezone.now()
    rules = RuleSet.of(seats=len(players))
    table = TableSettings(rules=rules, clock=ClockSettings.per_move(DAYS), rated=True)
    game = tables.create_table(host=players[0], settings=table, now=now)
    if bag is not None:
        play.give_bag(game, bag)
    for player in players[1:]:
        tables.sit(game_id=game.pk, player=player, now=now)
    game.refresh_from_db()
    return game


def _on_the_way(
    numbers: dict[int, int], people: list[Player], chance: random.Random, matches: list[Match]
) -> None:
    """So many games with so many tiles left in the bag: patterns are played at random through the services,
    and copied when they have come there. Copies where fewest tiles are left are games of the *matches*."""
    if not numbers:
        return
    patterns = [_pattern(chance.sample(people, 2), chance) for _ in range(PATTERNS)]
    waiting = list(matches)
    for left in sorted(numbers, reverse=True):
        for number, pattern in enumerate(patterns):
            game = patterns[number] = _played(pattern, left, chance)
            share = numbers[left] // PATTERNS + (number < numbers[left] % PATTERNS)
            copies = [chance.sample(people, 2) for _ in range(share)]
            if left == min(numbers):
                last = number == PATTERNS - 1
                own = [waiting.pop() for _ in range(len(waiting) if last else len(matches) // PATTERNS)]
                begun = _copies(game, [_in_order(match) for match in own])
                _belong(begun, own)
            _copies(game, copies)


def _pattern(players: list[Player], chance: random.Random) -> Game:
    """Start a game with a given bag: one from a seed would not fit the codes of its copies."""
    [tiles] = RuleSet.of(seats=len(players)).bag
    order = sorted(tile for tile, count in tiles.items() for _ in range(count))
    chance.shuffle(order)
    return _begin(players, order)


def _played(game: Game, left: int, chance: random.Random) -> Game:
    """Play *game* at random until so many tiles are left in the bag, or fewer if some fitted nowhere."""
    heartbeat.set_beat(timezone.now())
    while game.status == Status.PLAYING and game.tiles_left > left:
        game = play.play(
            game_id=game.pk,
            seat=game.awaited or 0,
            action=chance.choice(list(positions.load_position(game).legal_actions())),
            expected_version=game.version,
            now=timezone.now(),
        )
    return game


@transaction.atomic
def _copies(game: Game, tables_of: list[list[Player]]) -> list[Game]:
    """Copy *game* for each table of other players, with all rows but its notices. Moves and tiles, which
    are many, are copied by SQL."""
    last = Game.objects.latest("pk").pk
    copies = [copy(game) for _ in tables_of]
    for other, players in zip(copies, tables_of, strict=True):
        other.pk, other.code, other.host, other.seats_then = None, new_code(), players[0], None
    Game.objects.bulk_create(copies)
    seats = [
        _for(other, seat, player=players[seat.index])
        for other, players in zip(copies, tables_of, strict=True)
        for seat in game.seats.order_by("index")
    ]
    Seat.objects.bulk_create(seats)
    bag = Bag.objects.get(game=game)
    Bag.objects.bulk_create(Bag(game=other, order=bag.order) for other in copies)
    for model in (Tile, Move):
        columns = [field.column for field in model._meta.concrete_fields if not field.primary_key]
        names = ", ".join(f'"{column}"' for column in columns)
        values = ", ".join("other.id" if name == "game_id" else f'pattern."{name}"' for name in columns)
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {model._meta.db_table} ({names}) SELECT {values} FROM games_game other,"
                f" {model._meta.db_table} pattern WHERE pattern.game_id = %s AND other.id > %s",
                [game.pk, last],
            )
    for other in copies:
        outbox.tell_turn_played(other, load_seats(other), other.turn_version, now=timezone.now())
    return copies


def _for(game: Game, seat: Seat, player: Player) -> Seat:
    other = copy(seat)
    other.pk, other.game, other.player = None, game, player
    return other


def _matches(players: list[Player]) -> list[Match]:
    """Start a season of a league of these *players* and return its matches; none without players."""
    if not players:
        return []
    now = timezone.now()
    opened = now - timedelta(days=1)
    players[0].user_permissions.add(Permission.objects.get(codename="found_league"))
    rules = RuleSet.of(seats=2)
    agreed = LeagueSettings(
        rules=rules,
        standings=Rules.usual(2, up=1, down=1),
        division_size=DIVISION,
        registration=timedelta(hours=12),
        protest=timedelta(),
    )
    founder = Player.objects.get(pk=players[0].pk)  # reads the permissions anew
    league = seasons.found_league(founder=founder, name="League of the load", settings=agreed, now=opened)
    season = league.seasons.get()
    for player in players:
        seasons.register(season_id=season.pk, player=player, now=opened)
    begin_season(season.pk, now)
    return list(Match.objects.filter(division__season=season, waits=True).order_by("pk"))


def _in_order(match: Match) -> list[Player]:
    return [seat.player for seat in match.seats.select_related("player").order_by("index")]


def _belong(games: list[Game], matches: list[Match]) -> None:
    """Attach *games* to *matches* that wait for theirs, as if they had begun there."""
    Fixture.objects.bulk_create(
        Fixture(match=match, number=1, game=game) for match, game in zip(matches, games, strict=True)
    )
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(waits=False)


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
