"""Limits on what one person may do, so that nobody alone floods the site or somebody's mailbox.

``docs/limits.md`` says what each counts, and a test compares the numbers. All counts are of rows, so every
process gets the same result, and a count that a transaction depends on is taken under the lock of the
player's row. The numbers leave enough for frequent players; the permission ``games.beyond_limits`` lifts the
limits marked so.

There are two kinds. Limits with ``acts`` apply to acts that make the site write to others; they are counted
in ``Contact`` rows and enforced by ``games/conduct/contacts.py``. The others are counted in rows of their
own, by the functions below and services that read ``most``. Leagues register theirs (``leagues/limits.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from django.db.models import Count, Q, QuerySet, Sum

from accounts.address_hashes import hash_address
from accounts.models import Player
from games.exceptions import TooMany
from games.models import (
    Answer,
    Game,
    InboundMail,
    Invitation,
    MailOutcome,
    MailState,
    Message,
    Offer,
    PushSubscription,
    Seat,
    Status,
    Visibility,
)
from games.models.inbound_mail import WITHOUT_EFFECT
from games.outbox import UNANSWERED_FOR

BEYOND = "games.beyond_limits"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
MEGABYTE = 1024 * 1024

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

    A limit *lifted* by the permission is never of a recipient or a pair.
    """

    most: int
    within: timedelta | None
    code: str
    lifted: bool = False
    scope: Scope | None = None
    acts: frozenset[str] = frozenset()


def build_contact_limit(
    scope: Scope,
    most: int,
    within: timedelta,
    code: str,
    *acts: str,
    lifted: bool = False,
) -> Limit:
    """Build a limit that counts *acts* in ``Contact`` rows."""
    return Limit(most, within, code, lifted, scope, frozenset(acts))


SENDER, RECIPIENT, PAIR, GROUP = Scope.SENDER, Scope.RECIPIENT, Scope.PAIR, Scope.GROUP

LIMITS: dict[str, Limit] = {
    "public_tables": Limit(10, None, "too_many_tables", lifted=True),
    "open_tables": Limit(30, None, "too_many_tables", lifted=True),
    "tables": Limit(50, DAY, "too_many_tables_today", lifted=True),
    "rematches_of_game": Limit(3, DAY, "too_many_rematches"),
    "seats": Limit(12, None, "too_many_seats_held"),
    "bot_games": Limit(20, None, "too_many_bot_games"),
    "bot_games_begun": Limit(12, HOUR, "bot_games_fast"),
    "proposals_of_seat": Limit(12, DAY, "too_many_offers"),
    "proposals": build_contact_limit(SENDER, 100, DAY, "too_much_today", PROPOSE),
    "proposals_to_one": build_contact_limit(PAIR, 30, DAY, "too_much_for_them", PROPOSE),
    "proposals_to_player": build_contact_limit(RECIPIENT, 60, DAY, "too_much_for_them", PROPOSE),
    "time_given": build_contact_limit(SENDER, 60, DAY, "too_much_today", GIVE_TIME),
    "time_given_to_one": build_contact_limit(PAIR, 20, DAY, "too_much_for_them", GIVE_TIME),
    "time_given_to_player": build_contact_limit(RECIPIENT, 40, DAY, "too_much_for_them", GIVE_TIME),
    "nudges": build_contact_limit(SENDER, 20, DAY, "too_much_today", NUDGE),
    "nudges_of_one": build_contact_limit(PAIR, 3, DAY, "too_much_for_them", NUDGE),
    "nudges_of_player": build_contact_limit(RECIPIENT, 10, DAY, "too_much_for_them", NUDGE),
    "nudges_in_game": build_contact_limit(GROUP, 1, DAY, "nudged_today", NUDGE),
    "guests_removed": build_contact_limit(SENDER, 20, DAY, "too_much_today", REMOVE_GUEST),
    "guest_removed": build_contact_limit(PAIR, 3, DAY, "too_much_for_them", REMOVE_GUEST),
    "removed_anywhere": build_contact_limit(RECIPIENT, 20, DAY, "too_much_for_them", REMOVE_GUEST),
    "invitations": build_contact_limit(
        SENDER, 30, DAY, "too_many_invitations", INVITE, INVITE_ADDRESS, INVITE_BY_LINK, lifted=True
    ),
    "invitations_to_addresses": build_contact_limit(
        SENDER, 15, DAY, "too_many_addresses", INVITE_ADDRESS, lifted=True
    ),
    "invitations_to_one": build_contact_limit(PAIR, 5, DAY, "invited_often", INVITE),
    "invitations_to_one_address": Limit(5, DAY, "invited_often"),
    "invitations_to_player": build_contact_limit(
        RECIPIENT, 20, DAY, "much_invited", INVITE, INVITE_ADDRESS, REMATCH
    ),
    "rematches": build_contact_limit(SENDER, 60, DAY, "too_much_today", REMATCH, lifted=True),
    "rematches_with_one": build_contact_limit(PAIR, 10, DAY, "invited_often", REMATCH),
    "messages_fast": Limit(10, MINUTE, "talking_fast"),
    "messages": Limit(100, HOUR, "talking_much"),
    "mails_stored": Limit(30, HOUR, "too_much_today"),
    "megabytes_stored": Limit(5, DAY, "too_much_today"),
    "inbound_mails": Limit(120, HOUR, "too_much_today"),
    "mails_explained": Limit(20, HOUR, "too_much_today"),
    "strangers_told_of": Limit(1, DAY, "too_much_today"),
    "reports": Limit(10, DAY, "too_many_reports"),
    "players_followed": Limit(200, None, "too_many_followed"),
    "games_followed": Limit(50, None, "too_many_followed"),
    "webhooks": Limit(3, None, "too_many_webhooks"),
    "webhooks_added": build_contact_limit(SENDER, 10, DAY, "too_much_today", ADD_WEBHOOK),
    "webhooks_tested": build_contact_limit(SENDER, 10, DAY, "too_much_today", TEST_WEBHOOK),
    "players_blocked": Limit(200, None, "too_many_blocked"),
    "push_devices": Limit(10, None, "too_many_devices"),
    "push_tests": Limit(1, MINUTE, "tested_just_now"),
}
"""Limits by the key that code and tests use; leagues add theirs."""


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


def check_mails_stored(
    *, player: int | None, sender: str, recipient: str, size: int = 0, now: datetime
) -> None:
    """Check that one more mail of *size* bytes from *sender* to *recipient*, a reply address of the player
    with this primary key, may be stored. Both are counted, read or not. The sender, which anybody can forge,
    is counted for each player alone, so nobody can use up what a sender may send to others.

    :raises TooMany: there are too many within an hour, or too large ones within a day
    """
    today = InboundMail.objects.filter(Q(player=player), received__gt=now - DAY)
    for same in (
        (Q(recipient=recipient), Q(sender=sender)) if player is not None else (Q(recipient=recipient),)
    ):
        stored = today.filter(same).aggregate(
            hour=Count("pk", filter=Q(received__gt=now - HOUR)), bytes=Sum("size", default=0)
        )
        most = LIMITS["megabytes_stored"]
        if stored["hour"] >= get_maximum("mails_stored") or stored["bytes"] + size > most.most * MEGABYTE:
            raise TooMany(most.code)


def may_be_read(sender: Player, now: datetime) -> bool:
    """Decide whether one more mail of *sender* is read within an hour. Mails forged in that name do not
    count, as they could keep the player from playing."""
    lately = InboundMail.objects.filter(player=sender, state=MailState.DONE, received__gt=now - HOUR)
    return not is_exceeded(LIMITS["inbound_mails"], lately.count(), sender)


def may_be_explained(sender: Player, now: datetime) -> bool:
    """Decide whether one more mail of *sender* without effect is answered, so that an exchange with an
    automatic responder ends."""
    explained = InboundMail.objects.filter(player=sender, outcome__in=WITHOUT_EFFECT, answered__gt=now - HOUR)
    return not is_exceeded(LIMITS["mails_explained"], explained.count(), sender)


def may_be_told_of_stranger(player: Player, now: datetime) -> bool:
    """Decide whether *player* is told once more of a reply from an address that is not theirs. Locks their
    row, so that two such replies at once cause one note."""
    Player.objects.select_for_update().get(pk=player.pk)
    mails = InboundMail.objects.filter(
        player=player, outcome=MailOutcome.STRANGER, answer__isnull=False, answered__gt=now - DAY
    )
    return not is_exceeded(LIMITS["strangers_told_of"], mails.count(), player)


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
