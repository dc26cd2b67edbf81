"""The table of how much one person may do, so that nobody fills the site or somebody's mailbox alone.

``docs/limits.md`` shows it, and a test compares the two. All of it is counted in rows, so every process
counts the same, and a count that a transaction rests on is taken under the lock of the player's row. The
numbers leave room for whoever plays a lot; the right ``games.beyond_limits`` lifts the limits that say so.

Two kinds of limits stand here. Those with ``acts`` hold what makes the site write to others, are counted in
``Contact`` rows and enforced by ``games/conduct/contacts.py``. The others are counted in rows of their own,
by the functions below and services that ask for ``most``. Leagues register theirs (``leagues/limits.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from django.db.models import Count, Q, QuerySet

from accounts.address_marks import mark_of
from accounts.models import Player
from games.exceptions import TooMany
from games.models import Answer, Game, Invitation, Kind, Message, Offer, Seat, Status, Visibility
from games.outbox import UNANSWERED_FOR

BEYOND = "games.beyond_limits"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

INVITE, INVITE_ADDRESS, REMATCH = "invitation", "address_invitation", "rematch"
PROPOSE, GIVE_TIME, REMOVE_GUEST = "proposal", "time_given", "guest_removed"
INVITING = frozenset({INVITE, REMATCH})
"""Acts that ask somebody whose name one knows. An address is counted apart: else a refusal would tell whose
it is."""

RESTING: set[str] = {INVITE, INVITE_ADDRESS, REMATCH}
"""Acts that rest for a week after a "no"; leagues add theirs."""


class Scope(Enum):
    """What the contacts that count have in common."""

    SENDER = auto()
    RECIPIENT = auto()
    PAIR = auto()
    GROUP = auto()


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many of something, *within* a time or else at once; *code* says what is refused.

    *what* and *counted_for* are the words of ``docs/limits.md``. One that is *lifted* by the right to more is
    never of a recipient or a pair.
    """

    what: str
    counted_for: str
    most: int
    within: timedelta | None
    code: str
    lifted: bool = False
    scope: Scope | None = None
    acts: frozenset[str] = frozenset()


def of_contacts(
    what: str,
    scope: Scope,
    counted_for: str,
    most: int,
    within: timedelta,
    code: str,
    *acts: str,
    lifted: bool = False,
) -> Limit:
    """A limit that counts *acts* in ``Contact`` rows."""
    return Limit(what, counted_for, most, within, code, lifted, scope, frozenset(acts))


SENDER, RECIPIENT, PAIR, GROUP = Scope.SENDER, Scope.RECIPIENT, Scope.PAIR, Scope.GROUP

LIMITS: dict[str, Limit] = {
    "public_tables": Limit(
        "public tables that wait for players", "host", 10, None, "too_many_tables", lifted=True
    ),
    "open_tables": Limit("tables that wait for players", "host", 30, None, "too_many_tables", lifted=True),
    "tables": Limit("tables set up", "host", 50, DAY, "too_many_tables_today", lifted=True),
    "rematches_of_game": Limit(
        "rematches of one game, when those before were cancelled", "game", 3, DAY, "too_many_rematches"
    ),
    "seats": Limit(
        "seats at tables of others that have not begun; who is invited may sit down at more",
        "player",
        12,
        None,
        "too_many_seats_held",
    ),
    "bot_games": Limit("games with the house bot that are played", "host", 20, None, "too_many_bot_games"),
    "bot_games_begun": Limit("games with the house bot set up", "host", 12, HOUR, "bot_games_fast"),
    "proposals_of_seat": Limit(
        "proposals at a table (end, pause, undo)", "seat in a game", 12, DAY, "too_many_offers"
    ),
    "proposals": of_contacts(
        "proposals in all games together", SENDER, "sender", 100, DAY, "too_much_today", PROPOSE
    ),
    "proposals_to_one": of_contacts(
        "proposals in all games together", PAIR, "sender and recipient", 30, DAY, "too_much_for_them", PROPOSE
    ),
    "proposals_to_player": of_contacts(
        "proposals in all games together", RECIPIENT, "recipient", 60, DAY, "too_much_for_them", PROPOSE
    ),
    "time_given": of_contacts("giving time", SENDER, "sender", 60, DAY, "too_much_today", GIVE_TIME),
    "time_given_to_one": of_contacts(
        "giving time", PAIR, "sender and recipient", 20, DAY, "too_much_for_them", GIVE_TIME
    ),
    "time_given_to_player": of_contacts(
        "giving time", RECIPIENT, "recipient", 40, DAY, "too_much_for_them", GIVE_TIME
    ),
    "guests_removed": of_contacts("guests removed", SENDER, "host", 20, DAY, "too_much_today", REMOVE_GUEST),
    "guest_removed": of_contacts(
        "guests removed", PAIR, "host and guest", 3, DAY, "too_much_for_them", REMOVE_GUEST
    ),
    "removed_anywhere": of_contacts(
        "guests removed", RECIPIENT, "guest", 20, DAY, "too_much_for_them", REMOVE_GUEST
    ),
    "invitations": of_contacts(
        "invitations to tables",
        SENDER,
        "inviter",
        30,
        DAY,
        "too_many_invitations",
        INVITE,
        INVITE_ADDRESS,
        lifted=True,
    ),
    "invitations_to_addresses": of_contacts(
        "invitations to addresses",
        SENDER,
        "inviter",
        15,
        DAY,
        "too_many_addresses",
        INVITE_ADDRESS,
        lifted=True,
    ),
    "invitations_to_one": of_contacts(
        "invitations to tables", PAIR, "inviter and invited", 5, DAY, "invited_often", INVITE
    ),
    "invitations_to_one_address": Limit(
        "invitations to one address", "inviter and address", 5, DAY, "invited_often"
    ),
    "invitations_to_player": of_contacts(
        "invitations to tables, and rematches",
        RECIPIENT,
        "invited, whoever invites",
        20,
        DAY,
        "much_invited",
        INVITE,
        INVITE_ADDRESS,
        REMATCH,
    ),
    "rematches": of_contacts("rematches", SENDER, "inviter", 60, DAY, "too_much_today", REMATCH, lifted=True),
    "rematches_with_one": of_contacts(
        "rematches", PAIR, "inviter and invited", 10, DAY, "invited_often", REMATCH
    ),
    "messages_fast": Limit("messages in all games together", "author", 10, MINUTE, "talking_fast"),
    "messages": Limit("messages in all games together", "author", 100, HOUR, "talking_much"),
    "reports": Limit("reports", "reporter", 10, DAY, "too_many_reports"),
    "players_followed": Limit("players followed", "player", 200, None, "too_many_followed"),
    "games_followed": Limit("games of others followed that go on", "player", 50, None, "too_many_followed"),
    "players_blocked": Limit("players blocked", "player", 200, None, "too_many_blocked"),
}
"""By a key that code and tests use; leagues add theirs."""


@dataclass(frozen=True, slots=True)
class NoticeRule:
    """What keeps a notice from being sent to others again and again: limits of the *acts* that cause it, or
    *why* none is needed, or both."""

    acts: frozenset[str] = frozenset()
    why: str = ""


def caused_by(*acts: str, why: str = "") -> NoticeRule:
    return NoticeRule(frozenset(acts), why)


def unlimited(why: str) -> NoticeRule:
    return NoticeRule(why=why)


NOTICES: Mapping[Kind, NoticeRule] = {
    Kind.YOUR_TURN: unlimited("the game itself, once a turn"),
    Kind.STARTED: unlimited("the game itself, once; everybody there has sat down, or entered a league"),
    Kind.REMINDER: unlimited("the game's clock, twice a turn at most"),
    Kind.TIME_OUT: unlimited("the game's clock"),
    Kind.GAME_OVER: unlimited("the game itself, once"),
    Kind.INVITATION: caused_by(INVITE, INVITE_ADDRESS, REMATCH, why="one mail an hour from one inviter"),
    Kind.DECLINED: unlimited("answers an invitation of the recipient, once"),
    Kind.NUDGE: unlimited("the site itself, once in four weeks for a table"),
    Kind.TABLE: caused_by(
        PROPOSE,
        GIVE_TIME,
        why="the rest follows from the clock, from what all have agreed to, or from a seat that changes "
        "hands, which it does a few times at most",
    ),
    Kind.LEAGUE: unlimited("see the topics of leagues"),
    Kind.MODERATION: unlimited("moderators"),
    Kind.REMOVED: caused_by(REMOVE_GUEST),
    Kind.CONDUCT: unlimited("moderators"),
    Kind.REPORT: unlimited("moderators, once for each decision on a report of the recipient"),
}
"""What holds each kind of notice. A test fails for a kind that is not here."""


def register(more: Mapping[str, Limit], *, resting: Iterable[str]) -> None:
    """Add the limits of another application to the table, and its acts that rest after a "no". Again is
    harmless."""
    LIMITS.update(more)
    RESTING.update(resting)


def of_act(act: str) -> Iterable[Limit]:
    """The limits that count *act*."""
    return [limit for limit in LIMITS.values() if act in limit.acts]


def most(key: str) -> int:
    """The number of a limit that is counted elsewhere."""
    return LIMITS[key].most


def is_exceeded(limit: Limit, counted: int, player: Player) -> bool:
    """Whether one more is too much for *player* when so many are *counted* already."""
    return counted >= limit.most and not (limit.lifted and player.has_perm(BEYOND))


def tables(host: Player, *, public: bool, now: datetime) -> None:
    """Whether *host* may set up one more table, in the lobby if it is *public*.

    :raises TooMany: too many wait for players already, or were set up within a day
    """
    hosted = Game.objects.filter(host=host)
    waiting = hosted.filter(status=Status.OPEN).aggregate(
        all=Count("pk"), public=Count("pk", filter=Q(visibility=Visibility.PUBLIC))
    )
    _insist("open_tables", waiting["all"], host)
    if public:
        _insist("public_tables", waiting["public"], host)
    _insist("tables", hosted.filter(created__gt=now - DAY).count(), host)


def rematches(game: Game, player: Player, now: datetime) -> None:
    """Whether *player* may ask for one more rematch of *game*: each tells everybody.

    :raises TooMany: that was tried again and again
    """
    _insist("rematches_of_game", game.rematches.filter(created__gt=now - DAY).count(), player)


def bot_games(host: Player, now: datetime) -> None:
    """Whether *host* may give one more game to the house bot, which costs the site time.

    :raises TooMany: too many are played, or were set up within an hour
    """
    with_bots = Game.objects.filter(host=host, pk__in=Seat.objects.exclude(bot="").values("game"))
    _insist("bot_games", with_bots.filter(status=Status.PLAYING).count(), host)
    _insist("bot_games_begun", with_bots.filter(created__gt=now - HOUR).count(), host)


def seats_held(player: Player) -> None:
    """Whether *player* may sit down at one more open table of somebody else.

    :raises TooMany: they sit at too many that have not begun
    """
    held = Seat.objects.filter(player=player, game__status=Status.OPEN).exclude(game__host=player)
    _insist("seats", held.count(), player)


def addresses(inviter: Player, address: str, host: int, *, rest: timedelta, now: datetime) -> None:
    """Whether *inviter* may invite whoever reads the mail to *address* to a table of *host*, by primary key.
    Whose address it is makes no difference, so that nobody learns it from the answer.

    :raises TooMany: the last invitation is not answered, was declined within a *rest*, or there were too many
    """
    mark = mark_of(address)  # which is left when the address itself is forgotten
    sent = Invitation.objects.filter(inviter=inviter, address_mark=mark)
    last = sent.filter(created__gt=now - UNANSWERED_FOR).order_by("-created").first()
    if last is not None and last.answer not in (Answer.ACCEPTED, Answer.DECLINED):
        raise TooMany("address_unanswered")
    of_either = Invitation.objects.filter(Q(inviter=inviter) | Q(game__host=host), address_mark=mark)
    if of_either.filter(answer=Answer.DECLINED, answered__gt=now - rest).exists():
        raise TooMany("declined_lately")
    _insist("invitations_to_one_address", sent.filter(created__gt=now - DAY).count(), inviter)


def messages(author: Player, now: datetime) -> None:
    """Whether *author*, whose row is locked, may say one more thing, in whatever game.

    :raises TooMany: much was said just now, or within an hour
    """
    said: QuerySet[Message] = Message.objects.filter(author=author, at__gt=now - HOUR)
    lately = said.aggregate(hour=Count("pk"), minute=Count("pk", filter=Q(at__gt=now - MINUTE)))
    _insist("messages_fast", lately["minute"], author)
    _insist("messages", lately["hour"], author)


def reports(reporter: Player, now: datetime) -> None:
    """Whether *reporter*, whose row is locked, may report one more thing.

    :raises TooMany: that was much for one day
    """
    _insist("reports", reporter.reports.filter(at__gt=now - DAY).count(), reporter)


def offers(game: Game, seat: Seat, now: datetime) -> None:
    """Whether *seat* of *game* may propose one more thing: each tells the others.

    :raises TooMany: it has proposed too much within a day
    """
    assert seat.player is not None
    made = Offer.objects.filter(game=game, seat=seat.index, made__gt=now - DAY)
    _insist("proposals_of_seat", made.count(), seat.player)


def _insist(key: str, counted: int, player: Player) -> None:
    limit = LIMITS[key]
    if is_exceeded(limit, counted, player):
        raise TooMany(limit.code)
