"""Small factories for players and games. Everything goes through the services, as on the site."""

import random
from copy import copy
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress

from accounts.models import Player
from games import heartbeat, play, tables
from games.clocks import HOUR, ClockSettings, Ladder, Reliability
from games.models import Game, Kind, PersonalTime, Status, Visibility
from games.models.game import new_code
from games.notices import reminders as due_reminders
from games.play import positions
from games.process_cache import MEMORIES
from games.rules import RuleSet
from games.rules.notation import read_any
from games.tables.settings import TableSettings

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
NAMES = ("Anna", "Bruno", "Clara", "David", "Emma", "Felix")


def make_player(name: str, **fields: Any) -> Player:
    """Make a player with a confirmed address, whose turns can't be undone."""
    fields.setdefault("undo_seconds", 0)
    player = Player.objects.create_user(name, f"{name.lower()}@example.org", **fields)
    EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
    return player


def keeps_time(player: Player, *missed: bool) -> None:
    """Give *player* a record of turns, the earliest first, each in six hours or missed."""
    known = Reliability()
    for miss in missed:
        known = known.after(None if miss else 6 * HOUR)
    PersonalTime.objects.update_or_create(player=player, defaults=asdict(known))


def sign_up_only(name: str) -> Player:
    """Make a player with an unconfirmed address, which may be somebody else's."""
    player = make_player(name)
    EmailAddress.objects.filter(user=player).update(verified=False)
    return player


def make_players(count: int) -> list[Player]:
    return [Player.objects.filter(username=name).first() or make_player(name) for name in NAMES[:count]]


def make_table(*, seats: int = 2, bots: int = 0, now: datetime = NOW, **chosen: Any) -> Game:
    """Make an open table with its host (Anna) alone, or a game that has begun if bots fill it.

    Keywords in *chosen* go to the rule set or to the settings; ``visibility`` may be a plain word.
    """
    host = chosen.pop("host", None) or make_players(1)[0]
    options = chosen.pop("options", {"first_player": "creator"})
    of_rules = {name: chosen.pop(name) for name in ("sets", "edition") if name in chosen}
    rated = chosen.pop("rated", False)  # that Anna begins is a house rule, which no rated table may have
    chosen.setdefault("clock", ClockSettings.per_move(chosen.pop("days_per_move", 3)))
    chosen.setdefault("ladder", Ladder(excuses=0, holiday=False))
    if "visibility" in chosen:
        chosen["visibility"] = Visibility(chosen["visibility"])
    settings = TableSettings(
        rules=RuleSet.of(seats=seats, options=options, **of_rules),
        bots=bots,
        rated=rated and bots > 0,
        **chosen,
    )
    game = tables.create_table(host=host, settings=settings, now=now)
    if rated:
        game.rated = True
        game.save(update_fields=["rated"])
    return game


def make_game(*, seats: int = 2, bots: int = 0, now: datetime = NOW, **settings: Any) -> Game:
    """A game that has begun, with people at all seats but those of *bots*. Seat 0 (Anna) begins."""
    players = make_players(seats - bots)
    given = settings.pop("bag", None)
    if given is not None:
        game = make_table(seats=seats, now=now, host=players[0], **settings)
        play.give_bag(game, given)
    else:
        game = make_table(seats=seats, bots=bots, now=now, host=players[0], **settings)
    for player in players[1:]:
        if game.visibility == Visibility.PRIVATE:
            tables.invite(game_id=game.pk, inviter=game.host, player=player, now=now)
        tables.sit(game_id=game.pk, player=player, now=now)
    game.refresh_from_db()
    assert game.status == Status.PLAYING
    return game


def bag_of(game_or_rules: Game | RuleSet, *first: str) -> list[str]:
    """The tiles of a rule set in a fixed order that begins with *first*."""
    groups = game_or_rules.rules.bag if isinstance(game_or_rules, Game) else game_or_rules.bag
    order: list[str] = []
    for group in groups:
        rest = [tile for tile, count in sorted(group.items()) for _ in range(count)]
        front = [tile for tile in first if tile in group]
        for tile in front:
            rest.remove(tile)
        random.Random(7).shuffle(rest)
        order += front + rest
    return order


def play_lines(game: Game, *lines: str, now: datetime = NOW, how: str = "web") -> Game:
    """Play actions in notation, each by the seat that is awaited."""
    heart_beats(now)
    for line in lines:
        game.refresh_from_db()
        state = positions.load_position(game).state
        assert game.awaited is not None, line
        game = play.play(
            game_id=game.pk,
            seat=game.awaited,
            action=read_any(line, tile=state.drawn),
            expected_version=game.version,
            now=now,
            how=how,
        )
    return game


def some_action(game: Game, seed: int = 0) -> Any:
    """A legal action, the same for the same *seed*."""
    return random.Random(seed).choice(list(positions.load_position(game).legal_actions()))


def play_turns(game: Game, turns: int | None = None, *, now: datetime = NOW, how: str = "web") -> Game:
    """Play *turns* random turns, or all that are left, a minute apart; the same in every database. The sweep
    runs meanwhile."""
    played = 0
    game.refresh_from_db()
    chance = random.Random(game.ply)
    while game.status == Status.PLAYING and (turns is None or played < turns):
        seat = game.seats.get(index=game.awaited)
        position = positions.load_position(game)
        at = now + timedelta(minutes=played)
        heart_beats(at)
        game = play.play(
            game_id=game.pk,
            seat=seat.index,
            action=chance.choice(list(position.legal_actions())),
            expected_version=game.version,
            now=at,
            how="bot" if seat.played_by_program else how,
        )
        played += 1
    return game


def copy_game(game: Game, times: int) -> list[Game]:
    """Copy *game* with its settings, seats and moves, as rows, which is quick."""
    copies = [copy(game) for _ in range(times)]
    for number, other in enumerate(copies):
        other.pk, other.code, other.name = None, new_code(), f"{game.name} {number}"
    Game.objects.bulk_create(copies)
    for rows in filter(None, (list(game.seats.all()), list(game.moves.order_by("version")))):
        for other in copies:
            for row in rows:
                row.pk, row.game = None, other
            type(rows[0]).objects.bulk_create(rows)
    return copies


def reminders(game: Game) -> list[datetime]:
    """The times of the reminders for the awaited seat of *game*."""
    game.refresh_from_db()
    return [at for at in (game.remind_at, game.remind_again) if at is not None]


def reminder_due(game: Game, at: datetime) -> None:
    """Let the next reminder in *game* be due *at* this time."""
    Game.objects.filter(pk=game.pk).update(remind_at=at)


def reminder_now(game: Game) -> None:
    """Owe the next reminder in *game*, as if the mail of the turn had gone out and the reminder were due."""
    game.refresh_from_db()
    game.notices.filter(version=game.turn_version, kind=Kind.YOUR_TURN).update(sent=game.turn_began)
    reminder_due(game, game.turn_began)
    due_reminders.owe(game.turn_began)


def heart_beats(at: datetime) -> None:
    """Set the time of the last sweep."""
    heartbeat.set_beat(at)


def new_process() -> None:
    """Clear the caches of this process, as in a new one."""
    for memory in MEMORIES:
        memory.clear()
