"""Functions that write notices into the outbox, in the transaction of their cause."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Q, QuerySet

from accounts import notice_preferences
from accounts.address_hashes import hash_address
from accounts.models import Player
from accounts.notice_preferences import Channel, NoticeEvent, Timing
from games import clocks
from games.models import Answer, Game, Invitation, Kind, Notice, Seat, SeatState

MAILS_APART = timedelta(hours=1)
UNANSWERED_FOR = timedelta(days=14)
NUDGED_BY = "nudged_by"
"""Key, in the ``about`` of a reminder, of the opponent who caused it."""
ABOUT_A_DEADLINE = (Kind.YOUR_TURN, Kind.REMINDER)
"""Kinds of notices that must arrive while there is still time to act."""

EVENTS = {
    Kind.YOUR_TURN: NoticeEvent.YOUR_TURN,
    Kind.STARTED: NoticeEvent.STARTED,
    Kind.REMINDER: NoticeEvent.REMINDER,
    Kind.TIME_OUT: NoticeEvent.TIME_OUT,
    Kind.GAME_OVER: NoticeEvent.GAME_OVER,
    Kind.INVITATION: NoticeEvent.INVITATION,
    Kind.DECLINED: NoticeEvent.INVITATION,
    Kind.TABLE: NoticeEvent.TABLE,
    Kind.MODERATION: NoticeEvent.TABLE,
    Kind.REPORT: NoticeEvent.TABLE,
    Kind.NUDGE: NoticeEvent.TABLE,
    Kind.LEAGUE: NoticeEvent.LEAGUE,
    Kind.REMOVED: NoticeEvent.INVITATION,
}
"""Rows of a player's table of preferences; a kind that is missing here can't be switched off."""

DROP_STALE = """
UPDATE games_notice SET dropped = %s, why_dropped = 'stale'
 WHERE game_id = %s AND version = %s AND kind IN (%s, %s) AND sent IS NULL AND dropped IS NULL
"""
"""Raw SQL, because every turn executes it."""


def choose_timing(player: Player, kind: str, channel: str, seat: Seat | None = None) -> Timing:
    """Return when *player*, perhaps at a *seat*, is notified of *kind* by *channel*; never if unreachable."""
    reachable = player.is_active and (channel != Channel.EMAIL or bool(player.email))
    if not reachable:
        return Timing.NEVER
    override = seat.notice_timing if seat is not None else ""
    return notice_preferences.choose_timing(
        player, EVENTS.get(Kind(kind)), Channel(channel), override=override
    )


def wants_mail(player: Player, kind: str) -> bool:
    """Return whether *player* can be notified by mail, and wants to be."""
    return choose_timing(player, kind, Channel.EMAIL) != Timing.NEVER


def select_confirmed(players: Collection[Player]) -> set[int]:
    """Return the primary keys of those *players* who have confirmed their address."""
    if not players:
        return set()
    confirmed = Player.objects.confirmed().filter(pk__in=[player.pk for player in players])
    return set(confirmed.values_list("pk", flat=True))


def tell_game_began(game: Game, seats: Sequence[Seat], *, now: datetime) -> None:
    """Notify the awaited seat of its turn, and the others that the game has begun.

    A program plays within seconds: if one begins, the others are notified after a pause, in which the first
    of them learns from the turn's notice that the game has begun.
    """
    others = [seat for seat in seats if seat.index != game.awaited]
    begins = seats[game.awaited] if game.awaited is not None else None
    pause = settings.NOTICE_PAUSE_SECONDS if begins is not None and begins.played_by_program else 0
    due = now + timedelta(seconds=pause)
    _owe(
        *(_build_notices(Kind.STARTED, game, seat, due, now) for seat in others), _turn(game, seats, now, now)
    )


def tell_turn_played(game: Game, seats: Sequence[Seat], turn_before: int, *, now: datetime) -> None:
    """Drop pending notices of the turn before, and notify the awaited seat.

    A player who has just played is probably still there: their next notice waits a little, and is dropped if
    they play again before it is due. *seats* are those of a ledger, which know when they last played.
    """
    drop_stale(game, turn_before, now=now)
    if game.awaited is None or seats[game.awaited].played_by_program:
        return
    last_played = seats[game.awaited].last_played
    due = now
    if last_played is not None:
        # Not later, though that may lie ahead where the clock has gone back.
        due = max(now, min(last_played, now) + timedelta(seconds=settings.NOTICE_PAUSE_SECONDS))
    _owe(_turn(game, seats, due, now))


def tell_game_ended(game: Game, seats: Sequence[Seat], turn_before: int, *, now: datetime) -> None:
    """Notify everybody who didn't resign that the game has ended."""
    drop_stale(game, turn_before, now=now)
    staying = [seat for seat in seats if seat.state != SeatState.RESIGNED]
    _owe(*(_build_notices(Kind.GAME_OVER, game, seat, now, now) for seat in staying))


def tell_invitation(invitation: Invitation, player: Player | None, *, now: datetime) -> None:
    """Notify *player*, who is invited, or the address if there is no known player.

    Players who don't want such mails see invitations among their games. A player gets one mail an hour about
    one inviter's invitations; those withdrawn by then are never sent. An address without an account gets one
    mail in two weeks, whoever invites it, unless somebody has answered there.
    """
    before = _invitation_mails(invitation, player)
    if player is None and before.filter(created__gt=now - UNANSWERED_FOR).exists():
        return
    last = before.order_by("due").values_list("due", flat=True).last() if player is not None else None
    due = now if last is None else max(now, last + MAILS_APART)
    key = f"invitation.{invitation.game.code}.{invitation.pk}"
    about: dict[str, Any] = {"game": invitation.game, "invitation": invitation}
    if player is not None:
        by_mail = bool(select_confirmed([player]))
        _owe(build_notices(player, Kind.INVITATION, key, now=now, due=due, by_mail=by_mail, **about))
        return
    Notice.objects.create(
        key=key,
        kind=Kind.INVITATION,
        channel=Channel.EMAIL,
        address=invitation.address,
        address_mark=invitation.address_mark,
        created=now,
        due=now,
        next_try=now,
        **about,
    )


def _invitation_mails(invitation: Invitation, player: Player | None) -> QuerySet[Notice]:
    """Return the mails, sent or pending, about invitations of *player* by this inviter; without a player, the
    unanswered ones to the address."""
    mails = Notice.objects.filter(
        Q(invitation__answer=Answer.PENDING) | ~Q(sent=None), kind=Kind.INVITATION, dropped=None
    )
    if player is not None:
        return mails.filter(recipient=player, invitation__inviter=invitation.inviter_id)
    answered = Q(invitation__answer__in=[Answer.ACCEPTED, Answer.DECLINED])
    return mails.filter(~answered, recipient=None, address_mark=invitation.address_mark)


def tell_decline(invitation: Invitation, *, now: datetime) -> None:
    """Tell the inviter and the host that the invitation is declined."""
    game = invitation.game
    recipients = {player.pk: player for player in (invitation.inviter, game.host)}
    of = f"{game.code}.{invitation.pk}"
    tell(recipients.values(), Kind.DECLINED, of, now=now, game=game, invitation=invitation)


def tell_removal(game: Game, player: Player, *, now: datetime) -> None:
    """Notify *player* that the host removed them from *game*, which has not begun."""
    tell([player], Kind.REMOVED, f"{game.code}.{int(now.timestamp())}", now=now, game=game)


def nudge_host(game: Game, *, now: datetime) -> None:
    """Ask the host of *game*, an open table that is soon to be closed, whether to keep it."""
    tell([game.host], Kind.NUDGE, f"{game.code}.{int(now.timestamp())}", now=now, game=game)


def tell_table_act(
    game: Game,
    seats: Iterable[Seat],
    *,
    now: datetime,
    but: Seat | None = None,
    gone: Player | None = None,
) -> None:
    """Notify the players of *seats* of the latest act at the table, except the seat *but*, whose act it was;
    and the player who has *gone* by it."""
    recipients = [seat for seat in seats if seat != but and not seat.left]
    of = f"{game.code}.{game.version}"
    tell([*recipients, gone], Kind.TABLE, of, now=now, game=game, version=game.version)


def tell_moderation(
    game: Game, seats: Iterable[Seat], version: int, *, now: datetime, gone: Iterable[Player] = ()
) -> None:
    """Notify the players of *seats*, and those who have *gone*, of a moderator's act, whose move is
    *version*. Players who are notified of their turn at the same time learn it there."""
    others = Notice.objects.filter(game=game, created=now, kind=Kind.YOUR_TURN, dropped=None)
    known = set(others.values_list("recipient", flat=True))
    recipients: list[Player | Seat] = [
        *(seat for seat in seats if seat.player_id not in known),
        *(player for player in gone if player.pk not in known),
    ]
    tell(recipients, Kind.MODERATION, f"{game.code}.{version}", now=now, game=game, version=version)


def drop_game_ended(game: Game, *, now: datetime) -> None:
    """Drop pending notices that *game* is over, as it goes on."""
    _find_pending_ends(game).update(dropped=now, why_dropped="stale")


def replace_game_ended(game: Game, players: Collection[Player], kind: Kind, *, now: datetime) -> None:
    """Drop pending notices to *players* that *game* is over, as a notice of this *kind* says how it counts;
    those that it doesn't reach get them, which say so, too."""
    ends = _find_pending_ends(game)
    for channel in Channel:
        reached = [player for player in players if choose_timing(player, kind, channel) != Timing.NEVER]
        ends.filter(channel=channel, recipient__in=reached).update(dropped=now, why_dropped="told")


def _find_pending_ends(game: Game) -> QuerySet[Notice]:
    return Notice.objects.filter(game=game, kind=Kind.GAME_OVER, sent=None, dropped=None)


def drop_stale(game: Game, turn_version: int, *, now: datetime) -> None:
    """Drop pending notices about the turn that began with *turn_version*."""
    at = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.execute(DROP_STALE, [at, game.pk, turn_version, Kind.YOUR_TURN.value, Kind.REMINDER.value])


def plan_reminders(game: Game, player: Player | None, now: datetime) -> None:
    """Set the times to remind *player* of the deadline of *game*, which is set *now*; doesn't save the
    game."""
    first, again = None, None
    if game.deadline is not None:
        first, again = (*_compute_reminders(game, player, now), None, None)[:2]
    game.remind_at, game.remind_again = first, again


def remind_anew(game: Game, seat: Seat, *, now: datetime) -> None:
    """Drop pending reminders of the old deadline of *seat*'s turn, and plan those of the new one."""
    old = Notice.objects.filter(
        game=game, version=game.turn_version, kind=Kind.REMINDER, sent=None, dropped=None
    )
    old.update(dropped=now, why_dropped="moved")
    plan_reminders(game, seat.player, now)
    game.save(update_fields=["remind_at", "remind_again"])


def remind(game: Game, seat: Seat, *, now: datetime) -> list[Notice]:
    """Build the reminders of *seat* that are due in *game*, one for each channel. Moves on to the next
    reminder. Saves neither the notices nor the game."""
    assert game.remind_at is not None
    last = game.remind_again is None
    game.reminders += 1
    number = f"n{game.reminders}"  # without the letter they were counted by turn, in earlier releases
    notices = _build_notices(Kind.REMINDER, game, seat, game.remind_at, now, number, last=last)
    game.remind_at, game.remind_again = game.remind_again, None
    return notices


def nudge_player(game: Game, seat: Seat, by: Player, *, now: datetime) -> None:
    """Remind the awaited player at *seat* in the name of *by*, another player of *game*."""
    assert seat.player is not None
    turn = f"{game.code}.{game.turn_version}.{seat.player_id}"
    notices = build_notices(
        seat.player,
        Kind.REMINDER,
        f"{Kind.REMINDER.value}.{turn}.nudge.{int(now.timestamp())}",
        now=now,
        due=now,
        seat=seat,
        deadline=game.deadline,
        game=game,
        version=game.turn_version,
        about={NUDGED_BY: by.pk},
    )
    _owe(notices)


def tell_time_ran_out(game: Game, seat: Seat, *, now: datetime) -> None:
    """Notify the player at *seat* of the price of a timeout, after which the turn may still be played."""
    _owe(_build_notices(Kind.TIME_OUT, game, seat, now, now, game.version))


def tell_mail_answer(game: Game, player: Player, mail: int, *, now: datetime) -> Notice | None:
    """Owe *player* the answer to their mail with this primary key, once. ``None`` if they can't be mailed any
    more."""
    if not wants_mail(player, Kind.REPLY) or not select_confirmed([player]):
        return None
    return Notice.objects.create(
        key=f"{Kind.REPLY.value}.{game.code}.{mail}.{player.pk}",
        kind=Kind.REPLY,
        channel=Channel.EMAIL,
        game=game,
        recipient=player,
        created=now,
        due=now,
        next_try=now,
    )


def drop_game_began(game: Game, players: Collection[Player], *, now: datetime) -> None:
    """Drop the mails to *players* that *game* has begun: another one says so."""
    began = Notice.objects.filter(
        game=game, kind=Kind.STARTED, recipient__in=players, sent=None, dropped=None
    )
    began.update(dropped=now, why_dropped="told")


def push_reminders(game: Game, by: timedelta) -> None:
    """Postpone the reminders of *game* with its deadline; doesn't save the game."""
    if game.remind_at is not None:
        game.remind_at += by
    if game.remind_again is not None:
        game.remind_again += by


def forget_address(player: Player) -> None:
    """Delete the address of *player*, whose account is being closed, from all notices."""
    theirs = Q(recipient=player)
    if player.email:
        theirs |= Q(recipient=None, address_mark=hash_address(player.email))
    Notice.objects.filter(theirs).update(recipient=player, address="", address_mark="", last_error="")


def _turn(game: Game, seats: Sequence[Seat], due: datetime, now: datetime) -> list[Notice]:
    """Return the notices of the turn that begins *now*; reminders are only built when they are due."""
    if game.awaited is None or game.deadline is None:
        return []
    return _build_notices(Kind.YOUR_TURN, game, seats[game.awaited], due, now)


def _compute_reminders(game: Game, player: Player | None, now: datetime) -> tuple[datetime, ...]:
    """Return when to remind *player* of the deadline of *game*, which is set *now*: never while its clock
    stands still."""
    assert game.deadline is not None
    lasting = [
        clocks.parse_instant(end)
        for begin, end, _cause in game.stops
        if end is not None and clocks.parse_instant(begin) <= now < clocks.parse_instant(end)
    ]
    chosen = notice_preferences.read_reminder_hours(player) if player is not None else ()
    return clocks.compute_reminder_times(max([now, *lasting]), game.deadline, chosen)


def _build_notices(
    kind: Kind,
    game: Game,
    seat: Seat,
    due: datetime,
    now: datetime,
    number: int | str | None = None,
    *,
    last: bool = False,
) -> list[Notice]:
    """Return the notices by channel to the player at *seat* about the awaited turn; none for a bot. The
    *last* one before a deadline is never delayed."""
    if seat.player is None:
        return []
    key = f"{kind.value}.{game.code}.{game.turn_version}.{seat.player_id}"
    deadline = game.deadline if kind in ABOUT_A_DEADLINE else None
    return build_notices(
        seat.player,
        kind,
        key if number is None else f"{key}.{number}",
        now=now,
        due=due,
        seat=seat,
        deadline=deadline,
        last=last,
        game=game,
        version=game.turn_version,
    )


def build_notices(
    player: Player,
    kind: Kind,
    key: str,
    *,
    now: datetime,
    due: datetime,
    seat: Seat | None = None,
    by_mail: bool = True,
    deadline: datetime | None = None,
    last: bool = False,
    **about: Any,
) -> list[Notice]:
    """Build the notices of *kind* that *player* wants, one for each channel, without saving them.

    :param key: identifies the event and the player; for channels other than mail, the channel is appended
    :param due: when to notify players who want to know at once
    :param by_mail: whether the address may be written to
    """
    notices = []
    for channel in Channel:
        timing = choose_timing(player, kind, channel, seat)
        if timing == Timing.NEVER or (channel == Channel.EMAIL and not by_mail):
            continue
        at = notice_preferences.compute_due(player, timing, due, deadline=deadline, last=last)
        notices.append(
            Notice(
                key=key if channel == Channel.EMAIL else f"{key}.{channel.value}",
                kind=kind,
                channel=channel,
                timing=timing,
                recipient=player,
                created=now,
                due=at,
                next_try=at,
                **about,
            )
        )
    return notices


def tell(
    recipients: Iterable[Player | Seat | None],
    kind: Kind,
    of: str,
    *,
    now: datetime,
    due: datetime | None = None,
    **about: Any,
) -> int:
    """Owe a notice of *kind* to all of *recipients* who want it, once for the event *of*, *due* then or at
    once. Players at a seat get it with that seat's timing. Return the number of notices.

    Notices that exist are left unchanged.
    """
    seats: dict[Player, Seat | None] = {}
    for recipient in recipients:
        if isinstance(recipient, Seat):
            if recipient.player is not None:
                seats[recipient.player] = recipient
        elif recipient is not None:
            seats.setdefault(recipient, None)
    mailed = [
        player
        for player, seat in seats.items()
        if choose_timing(player, kind, Channel.EMAIL, seat) != Timing.NEVER
    ]
    confirmed = select_confirmed(mailed)
    owed = [
        notice
        for player, seat in seats.items()
        for notice in build_notices(
            player,
            kind,
            f"{kind.value}.{of}.{player.pk}",
            now=now,
            due=due or now,
            seat=seat,
            by_mail=player.pk in confirmed,
            **about,
        )
    ]
    Notice.objects.bulk_create(owed, ignore_conflicts=True)
    return len(owed)


def _owe(*notices: Iterable[Notice]) -> None:
    Notice.objects.bulk_create([notice for some in notices for notice in some])
