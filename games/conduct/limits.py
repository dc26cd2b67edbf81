"""How much one person may do, so that nobody fills the site, or somebody's mailbox, alone.

``docs/limits.md`` has the table. All of it is counted in rows, so every process counts the same, and a count
that a transaction rests on is taken under the lock of the player's row. The numbers leave room for whoever
plays a lot; who runs a club gets the right ``games.beyond_limits``, which lifts those that say so.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from accounts.address_marks import mark_of
from accounts.models import Player
from games.exceptions import TooMany
from games.models import Answer, Game, Invitation, Message, Offer, Seat, Status, Visibility
from games.outbox import UNANSWERED_FOR

BEYOND = "games.beyond_limits"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

OPEN_TABLES, OPEN_PUBLIC_TABLES = 30, 10
TABLES_A_DAY = 50
REMATCHES_A_DAY = 3  # of one game: those that were cancelled
SEATS_HELD = 12  # at open tables of others, but for those to which one was invited
BOT_GAMES, BOT_GAMES_AN_HOUR = 20, 12

INVITATIONS_A_DAY = 30
ADDRESSES_A_DAY = 15
INVITATIONS_TO_ONE_A_DAY = 5

MESSAGES_A_MINUTE, MESSAGES_AN_HOUR = 10, 100
OFFERS_A_DAY = 12  # of one seat in one game
REPORTS_A_DAY = 10
MOST_BLOCKED = 200


def tables(host: Player, *, public: bool, now: datetime) -> None:
    """Whether *host* may set up one more table, in the lobby if it is *public*. Lifted by the right.

    :raises TooMany: too many wait for players already, or were set up within a day
    """
    hosted = Game.objects.filter(host=host)
    waiting = hosted.filter(status=Status.OPEN).aggregate(
        all=Count("pk"), public=Count("pk", filter=Q(visibility=Visibility.PUBLIC))
    )
    if waiting["all"] >= OPEN_TABLES or (public and waiting["public"] >= OPEN_PUBLIC_TABLES):
        _unless_beyond(host, "too_many_tables")
    if hosted.filter(created__gt=now - DAY).count() >= TABLES_A_DAY:
        _unless_beyond(host, "too_many_tables_today")


def rematches(game: Game, now: datetime) -> None:
    """Whether one more rematch of *game* may be asked for: each tells everybody.

    :raises TooMany: that was tried again and again
    """
    if game.rematches.filter(created__gt=now - DAY).count() >= REMATCHES_A_DAY:
        raise TooMany("too_many_rematches")


def bot_games(host: Player, now: datetime) -> None:
    """Whether *host* may give one more game to the house bot, which costs the site time.

    :raises TooMany: too many are played, or were set up within an hour
    """
    with_bots = Game.objects.filter(host=host, pk__in=Seat.objects.exclude(bot="").values("game"))
    if with_bots.filter(status=Status.PLAYING).count() >= BOT_GAMES:
        raise TooMany("too_many_bot_games")
    if with_bots.filter(created__gt=now - HOUR).count() >= BOT_GAMES_AN_HOUR:
        raise TooMany("bot_games_fast")


def seats_held(player: Player) -> None:
    """Whether *player* may sit down at one more open table of somebody else.

    :raises TooMany: they sit at too many that have not begun
    """
    held = Seat.objects.filter(player=player, game__status=Status.OPEN).exclude(game__host=player)
    if held.count() >= SEATS_HELD:
        raise TooMany("too_many_seats_held")


def invitations(inviter: Player, *, player: Player | None, address: str, now: datetime) -> None:
    """Whether *inviter* may invite *player*, or whoever reads the mail to *address*. Whose address it is
    makes no difference, so that nobody learns it from the answer. Lifted by the right, but for an address
    where nobody has answered.

    :raises TooMany: too many in a day, to all or to one; or the last one to *address* is not answered
    """
    sent = Invitation.objects.filter(inviter=inviter)
    to_one = sent.filter(player=player, address_mark="")
    if address:  # of which the hash alone may be left
        to_one = sent.filter(address_mark=mark_of(address))
    last = to_one.filter(created__gt=now - UNANSWERED_FOR).order_by("-created").first()
    if address and last is not None and last.answer not in (Answer.ACCEPTED, Answer.DECLINED):
        raise TooMany("address_unanswered")
    today = sent.filter(created__gt=now - DAY)
    if today.count() >= INVITATIONS_A_DAY:
        _unless_beyond(inviter, "too_many_invitations")
    if address and today.exclude(address_mark="").count() >= ADDRESSES_A_DAY:
        _unless_beyond(inviter, "too_many_addresses")
    if to_one.filter(created__gt=now - DAY).count() >= INVITATIONS_TO_ONE_A_DAY:
        _unless_beyond(inviter, "invited_often")


def messages(author: Player, now: datetime) -> None:
    """Whether *author*, whose row is locked, may say one more thing, in whatever game.

    :raises TooMany: much was said just now, or within an hour
    """
    said: QuerySet[Message] = Message.objects.filter(author=author, at__gt=now - HOUR)
    lately = said.aggregate(hour=Count("pk"), minute=Count("pk", filter=Q(at__gt=now - MINUTE)))
    if lately["minute"] >= MESSAGES_A_MINUTE:
        raise TooMany("talking_fast")
    if lately["hour"] >= MESSAGES_AN_HOUR:
        raise TooMany("talking_much")


def reports(reporter: Player, now: datetime) -> None:
    """Whether *reporter*, whose row is locked, may report one more thing.

    :raises TooMany: that was much for one day
    """
    if reporter.reports.filter(at__gt=now - DAY).count() >= REPORTS_A_DAY:
        raise TooMany("too_many_reports")


def offers(game: Game, seat: int, now: datetime) -> None:
    """Whether *seat* of *game* may propose one more thing: each tells the others.

    :raises TooMany: it has proposed too much within a day
    """
    if Offer.objects.filter(game=game, seat=seat, made__gt=now - DAY).count() >= OFFERS_A_DAY:
        raise TooMany("too_many_offers")


def _unless_beyond(player: Player, code: str) -> None:
    if not player.has_perm(BEYOND):
        raise TooMany(code)
