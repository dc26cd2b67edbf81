"""Limits on what one person may do, so that nobody alone floods the site or somebody's mailbox.

``docs/limits.md`` shows the table, and a test compares the two. All counts are of rows, so every process gets
the same result, and a count that a transaction depends on is taken under the lock of the player's row. The
numbers leave enough for frequent players; the permission ``games.beyond_limits`` lifts the limits marked so.

There are two kinds. Limits with ``acts`` apply to acts that make the site write to others; they are counted
in ``Contact`` rows and enforced by ``games/conduct/contacts.py``. The others are counted in rows of their
own, by the functions below and services that read ``most``. Leagues register theirs (``leagues/limits.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from django.db.models import Count, Q, QuerySet

from accounts.address_hashes import hash_address
from accounts.models import Player
from games.exceptions import TooMany
from games.models import (
    Answer,
    Game,
    InboundMail,
    Invitation,
    Kind,
    MailState,
    Message,
    Offer,
    PushSubscription,
    Seat,
    Status,
    Visibility,
)
from games.models.inbound_mail import NOTHING_DONE
from games.outbox import UNANSWERED_FOR

BEYOND = "games.beyond_limits"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

INVITE, INVITE_ADDRESS, REMATCH = "invitation", "address_invitation", "rematch"
INVITE_BY_LINK = "link_invitation"
PROPOSE, GIVE_TIME, REMOVE_GUEST = "proposal", "time_given", "guest_removed"
NUDGE = "nudge"
ADD_WEBHOOK, TEST_WEBHOOK = "webhook_added", "webhook_tested"
INVITING = frozenset({INVITE, REMATCH})
"""Acts that invite a player by name. Invitations to an address are counted apart, as a refusal would
otherwise reveal whose address it is."""

RESTING: set[str] = {INVITE, INVITE_ADDRESS, REMATCH}
"""Acts that may not be repeated for a week after a "no"; leagues add theirs."""


class Scope(Enum):
    """Property that the contacts counted by a limit have in common."""

    SENDER = auto()
    RECIPIENT = auto()
    PAIR = auto()
    GROUP = auto()


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many of something, *within* a time or else at once; *code* is that of the refusal.

    *what* and *counted_for* are the words of ``docs/limits.md``. A limit *lifted* by the permission is never
    of a recipient or a pair.
    """

    what: str
    counted_for: str
    most: int
    within: timedelta | None
    code: str
    lifted: bool = False
    scope: Scope | None = None
    acts: frozenset[str] = frozenset()


def build_contact_limit(
    what: str,
    scope: Scope,
    counted_for: str,
    most: int,
    within: timedelta,
    code: str,
    *acts: str,
    lifted: bool = False,
) -> Limit:
    """Build a limit that counts *acts* in ``Contact`` rows."""
    return Limit(what, counted_for, most, within, code, lifted, scope, frozenset(acts))


SENDER, RECIPIENT, PAIR, GROUP = Scope.SENDER, Scope.RECIPIENT, Scope.PAIR, Scope.GROUP

LIMITS: dict[str, Limit] = {
    "public_tables": Limit("open public tables", "host", 10, None, "too_many_tables", lifted=True),
    "open_tables": Limit("open tables", "host", 30, None, "too_many_tables", lifted=True),
    "tables": Limit("tables set up", "host", 50, DAY, "too_many_tables_today", lifted=True),
    "rematches_of_game": Limit(
        "rematches of one game, after earlier ones were cancelled", "game", 3, DAY, "too_many_rematches"
    ),
    "seats": Limit(
        "seats at open tables of others; invited players may take more",
        "player",
        12,
        None,
        "too_many_seats_held",
    ),
    "bot_games": Limit("running games with the house bot", "host", 20, None, "too_many_bot_games"),
    "bot_games_begun": Limit("games with the house bot set up", "host", 12, HOUR, "bot_games_fast"),
    "proposals_of_seat": Limit(
        "proposals at a table (end, pause, undo)", "seat in a game", 12, DAY, "too_many_offers"
    ),
    "proposals": build_contact_limit(
        "proposals in all games together", SENDER, "sender", 100, DAY, "too_much_today", PROPOSE
    ),
    "proposals_to_one": build_contact_limit(
        "proposals in all games together", PAIR, "sender and recipient", 30, DAY, "too_much_for_them", PROPOSE
    ),
    "proposals_to_player": build_contact_limit(
        "proposals in all games together", RECIPIENT, "recipient", 60, DAY, "too_much_for_them", PROPOSE
    ),
    "time_given": build_contact_limit("giving time", SENDER, "sender", 60, DAY, "too_much_today", GIVE_TIME),
    "time_given_to_one": build_contact_limit(
        "giving time", PAIR, "sender and recipient", 20, DAY, "too_much_for_them", GIVE_TIME
    ),
    "time_given_to_player": build_contact_limit(
        "giving time", RECIPIENT, "recipient", 40, DAY, "too_much_for_them", GIVE_TIME
    ),
    "nudges": build_contact_limit("nudges", SENDER, "sender", 20, DAY, "too_much_today", NUDGE),
    "nudges_of_one": build_contact_limit(
        "nudges", PAIR, "sender and recipient", 3, DAY, "too_much_for_them", NUDGE
    ),
    "nudges_of_player": build_contact_limit(
        "nudges", RECIPIENT, "recipient", 10, DAY, "too_much_for_them", NUDGE
    ),
    "nudges_in_game": build_contact_limit("nudges", GROUP, "game", 1, DAY, "nudged_today", NUDGE),
    "guests_removed": build_contact_limit(
        "guests removed", SENDER, "host", 20, DAY, "too_much_today", REMOVE_GUEST
    ),
    "guest_removed": build_contact_limit(
        "guests removed", PAIR, "host and guest", 3, DAY, "too_much_for_them", REMOVE_GUEST
    ),
    "removed_anywhere": build_contact_limit(
        "guests removed", RECIPIENT, "guest", 20, DAY, "too_much_for_them", REMOVE_GUEST
    ),
    "invitations": build_contact_limit(
        "invitations to tables",
        SENDER,
        "inviter",
        30,
        DAY,
        "too_many_invitations",
        INVITE,
        INVITE_ADDRESS,
        INVITE_BY_LINK,
        lifted=True,
    ),
    "invitations_to_addresses": build_contact_limit(
        "invitations to addresses",
        SENDER,
        "inviter",
        15,
        DAY,
        "too_many_addresses",
        INVITE_ADDRESS,
        lifted=True,
    ),
    "invitations_to_one": build_contact_limit(
        "invitations to tables", PAIR, "inviter and invited", 5, DAY, "invited_often", INVITE
    ),
    "invitations_to_one_address": Limit(
        "invitations to one address", "inviter and address", 5, DAY, "invited_often"
    ),
    "invitations_to_player": build_contact_limit(
        "invitations to tables, and rematches",
        RECIPIENT,
        "invited player",
        20,
        DAY,
        "much_invited",
        INVITE,
        INVITE_ADDRESS,
        REMATCH,
    ),
    "rematches": build_contact_limit(
        "rematches", SENDER, "inviter", 60, DAY, "too_much_today", REMATCH, lifted=True
    ),
    "rematches_with_one": build_contact_limit(
        "rematches", PAIR, "inviter and invited", 10, DAY, "invited_often", REMATCH
    ),
    "messages_fast": Limit("messages in all games together", "author", 10, MINUTE, "talking_fast"),
    "messages": Limit("messages in all games together", "author", 100, HOUR, "talking_much"),
    "inbound_mails": Limit("mails to the site that are read", "player", 120, HOUR, "too_much_today"),
    "mails_explained": Limit(
        "mails to the site without effect that are answered", "player", 20, HOUR, "too_much_today"
    ),
    "reports": Limit("reports", "reporter", 10, DAY, "too_many_reports"),
    "players_followed": Limit("players followed", "player", 200, None, "too_many_followed"),
    "games_followed": Limit("running games of others followed", "player", 50, None, "too_many_followed"),
    "webhooks": Limit("webhooks", "player", 3, None, "too_many_webhooks"),
    "webhooks_added": build_contact_limit(
        "webhooks added", SENDER, "player", 10, DAY, "too_much_today", ADD_WEBHOOK
    ),
    "webhooks_tested": build_contact_limit(
        "test messages to webhooks", SENDER, "player", 10, DAY, "too_much_today", TEST_WEBHOOK
    ),
    "players_blocked": Limit("players blocked", "player", 200, None, "too_many_blocked"),
    "push_devices": Limit(
        "devices with notifications; one more takes the place of the oldest",
        "player",
        10,
        None,
        "too_many_devices",
    ),
    "push_tests": Limit("test notifications", "device", 1, MINUTE, "tested_just_now"),
}
"""Limits by the key that code and tests use; leagues add theirs."""


@dataclass(frozen=True, slots=True)
class NoticeRule:
    """Protection of recipients from repeated notices: limits on the *acts* that cause them, *why* none is
    needed, or both."""

    acts: frozenset[str] = frozenset()
    why: str = ""


def build_limited_rule(*acts: str, why: str = "") -> NoticeRule:
    return NoticeRule(frozenset(acts), why)


def build_unlimited_rule(why: str) -> NoticeRule:
    return NoticeRule(why=why)


NOTICES: Mapping[Kind, NoticeRule] = {
    Kind.YOUR_TURN: build_unlimited_rule("the game itself, once a turn"),
    Kind.STARTED: build_unlimited_rule(
        "the game itself, once; all recipients joined the table or the league"
    ),
    Kind.REMINDER: build_limited_rule(NUDGE, why="else the game's clock, twice a turn at most"),
    Kind.TIME_OUT: build_unlimited_rule("the game's clock"),
    Kind.GAME_OVER: build_unlimited_rule("the game itself, once"),
    Kind.INVITATION: build_limited_rule(
        INVITE, INVITE_ADDRESS, REMATCH, why="one mail an hour from one inviter"
    ),
    Kind.DECLINED: build_unlimited_rule("answers an invitation of the recipient, once"),
    Kind.NUDGE: build_unlimited_rule("the site itself, once in four weeks for a table"),
    Kind.TABLE: build_limited_rule(
        PROPOSE,
        GIVE_TIME,
        why="other causes are the clock, agreements of all players, and a seat that gets another player, "
        "a few times at most",
    ),
    Kind.LEAGUE: build_unlimited_rule("see the topics of leagues"),
    Kind.MODERATION: build_unlimited_rule("moderators"),
    Kind.REMOVED: build_limited_rule(REMOVE_GUEST),
    Kind.CONDUCT: build_unlimited_rule("moderators"),
    Kind.REPORT: build_unlimited_rule("moderators, once for each decision on a report of the recipient"),
    Kind.REPLY: build_unlimited_rule("answers a mail of the recipient, once; see mails to the site"),
}
"""Rule for the number of notices of each kind. A test fails for a kind that is missing here."""


def register(more: Mapping[str, Limit], *, resting: Iterable[str]) -> None:
    """Add the limits of another application to the table, and its acts that rest after a "no". Idempotent."""
    LIMITS.update(more)
    RESTING.update(resting)


def find_limits_of_act(act: str) -> Iterable[Limit]:
    """Return the limits that count *act*."""
    return [limit for limit in LIMITS.values() if act in limit.acts]


def get_maximum(key: str) -> int:
    """Return the number of a limit that is counted elsewhere."""
    return LIMITS[key].most


def is_exceeded(limit: Limit, counted: int, player: Player) -> bool:
    """Return whether one more is too much for *player* when so many are *counted* already."""
    return counted >= limit.most and not (limit.lifted and player.has_perm(BEYOND))


def check_tables(host: Player, *, public: bool, now: datetime) -> None:
    """Check that *host* may set up one more table, listed in the lobby if *public*.

    :raises TooMany: too many tables are open, or were set up within a day
    """
    hosted = Game.objects.filter(host=host)
    waiting = hosted.filter(status=Status.OPEN).aggregate(
        all=Count("pk"), public=Count("pk", filter=Q(visibility=Visibility.PUBLIC))
    )
    _insist("open_tables", waiting["all"], host)
    if public:
        _insist("public_tables", waiting["public"], host)
    _insist("tables", hosted.filter(created__gt=now - DAY).count(), host)


def check_rematches(game: Game, player: Player, now: datetime) -> None:
    """Check that *player* may ask for one more rematch of *game*, as each notifies everybody.

    :raises TooMany: there were too many attempts within a day
    """
    _insist("rematches_of_game", game.rematches.filter(created__gt=now - DAY).count(), player)


def check_bot_games(host: Player, now: datetime) -> None:
    """Check that *host* may set up one more game with the house bot, which costs computing time.

    :raises TooMany: too many are being played, or were set up within an hour
    """
    with_bots = Game.objects.filter(host=host, pk__in=Seat.objects.exclude(bot="").values("game"))
    _insist("bot_games", with_bots.filter(status=Status.PLAYING).count(), host)
    _insist("bot_games_begun", with_bots.filter(created__gt=now - HOUR).count(), host)


def check_seats_held(player: Player) -> None:
    """Check that *player* may sit down at one more open table of somebody else.

    :raises TooMany: they have too many seats at tables that have not begun
    """
    held = Seat.objects.filter(player=player, game__status=Status.OPEN).exclude(game__host=player)
    _insist("seats", held.count(), player)


def check_address_invitations(
    inviter: Player, address: str, host: int, *, rest: timedelta, now: datetime
) -> None:
    """Check that *inviter* may invite the reader of mail to *address* to a table of *host*, by primary key.
    The result does not depend on whose address it is, so it reveals nothing.

    :raises TooMany: the last invitation is pending, one was declined within *rest*, or there were too many
    """
    mark = hash_address(address)  # which is left when the address itself is forgotten
    sent = Invitation.objects.filter(inviter=inviter, address_mark=mark)
    last = sent.filter(created__gt=now - UNANSWERED_FOR).order_by("-created").first()
    if last is not None and last.answer not in (Answer.ACCEPTED, Answer.DECLINED):
        raise TooMany("address_unanswered")
    of_either = Invitation.objects.filter(Q(inviter=inviter) | Q(game__host=host), address_mark=mark)
    if of_either.filter(answer=Answer.DECLINED, answered__gt=now - rest).exists():
        raise TooMany("declined_lately")
    _insist("invitations_to_one_address", sent.filter(created__gt=now - DAY).count(), inviter)


def check_messages(author: Player, now: datetime) -> None:
    """Check that *author*, whose row is locked, may send one more message, in any game.

    :raises TooMany: too many were sent within a minute or an hour
    """
    said: QuerySet[Message] = Message.objects.filter(author=author, at__gt=now - HOUR)
    lately = said.aggregate(hour=Count("pk"), minute=Count("pk", filter=Q(at__gt=now - MINUTE)))
    _insist("messages_fast", lately["minute"], author)
    _insist("messages", lately["hour"], author)


def may_be_read(sender: Player, now: datetime) -> bool:
    """Decide whether one more mail of *sender* is read within an hour. Mails forged in that name do not
    count, as they could keep the player from playing."""
    lately = InboundMail.objects.filter(player=sender, state=MailState.DONE, received__gt=now - HOUR)
    return not is_exceeded(LIMITS["inbound_mails"], lately.count(), sender)


def may_be_explained(sender: Player, now: datetime) -> bool:
    """Decide whether one more mail of *sender* without effect is answered, so that an exchange with an
    automatic responder ends."""
    explained = InboundMail.objects.filter(player=sender, outcome__in=NOTHING_DONE, answered__gt=now - HOUR)
    return not is_exceeded(LIMITS["mails_explained"], explained.count(), sender)


def check_push_tests(subscription: PushSubscription, now: datetime) -> None:
    """Check that a test notification may be sent to the device of *subscription*, whose row is locked.

    :raises TooMany: one was sent within a minute
    """
    tested = subscription.tested
    _insist("push_tests", int(tested is not None and tested > now - MINUTE), subscription.player)


def check_reports(reporter: Player, now: datetime) -> None:
    """Check that *reporter*, whose row is locked, may send one more report.

    :raises TooMany: there were too many within a day
    """
    _insist("reports", reporter.reports.filter(at__gt=now - DAY).count(), reporter)


def check_offers(game: Game, seat: Seat, now: datetime) -> None:
    """Check that *seat* of *game* may make one more proposal, as each notifies the others.

    :raises TooMany: it has made too many within a day
    """
    assert seat.player is not None
    made = Offer.objects.filter(game=game, seat=seat.index, made__gt=now - DAY)
    _insist("proposals_of_seat", made.count(), seat.player)


def _insist(key: str, counted: int, player: Player) -> None:
    limit = LIMITS[key]
    if is_exceeded(limit, counted, player):
        raise TooMany(limit.code)
