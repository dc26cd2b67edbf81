"""Services that change an account: ending passwords, closing, removing unconfirmed ones."""

from datetime import datetime, timedelta
from functools import partial

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import ProtectedError

from accounts import export, notice_preferences, sessions
from accounts.models import AccountAct, AddressChange, ClosedName, Letter, Player, PlayerPhoto, Trace
from accounts.signals import account_closed
from core import batches

CLOSED = "closed-"  # prefix of the names of closed accounts alone
TIME_TO_CONFIRM = timedelta(days=7)
GUEST_NAME_KEPT = timedelta(days=28)
"""Time after the closing of a guest for which nobody else gets the name."""
BATCH = 200  # accounts removed per task


def end_password(player: Player) -> None:
    """Remove the password of *player*, which ends all sessions; until they set one they sign in by code."""
    player.set_unusable_password()
    player.save(update_fields=["password"])


@transaction.atomic
def close_account(*, player: Player, now: datetime) -> None:
    """Anonymise *player* for good: their games stay, personal data are deleted. The name stays reserved, that
    of a guest for four weeks: else anybody could use up names without an account.

    Every session ends with the next request: the password's hash, which sessions are tied to, changes, and
    the account may no longer sign in. Applications that store more about a player connect to
    ``account_closed``, which is sent within this transaction.
    """
    # Not the strongest lock: a turn that owes them a notice must not wait for us, who wait for its game.
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if player.closed is not None:
        return
    account_closed.send(sender=Player, player=player, now=now)
    ClosedName.objects.keep(player.username, now + GUEST_NAME_KEPT if player.provisional else None)
    for rows in (EmailAddress, Authenticator):
        rows.objects.filter(user=player).delete()
    for more in (Letter, AddressChange, Trace):
        more.objects.filter(player=player).delete()
    AccountAct.objects.forget(player)
    sessions.end_all(player)
    export.forget(player)
    player.groups.clear()
    player.user_permissions.clear()
    player.username = f"{CLOSED}{player.pk}"
    player.email = ""
    player.set_unusable_password()
    player.is_active = player.is_staff = player.is_superuser = player.provisional = False
    player.last_login = None
    notice_preferences.stop_all(player)
    player.told_once = ""
    player.mail_paused = player.address_refused = None
    player.mail_pause_cause = ""
    player.shows_looks = False
    PlayerPhoto.objects.filter(player=player).delete()
    player.picture = player.photo = player.about = player.country = ""
    player.closed, player.closes = now, None
    player.save()
    about = LogEntry.objects.filter(content_type__app_label="accounts", content_type__model="player")
    about.filter(object_id=str(player.pk)).update(object_repr=player.username)


def remove_unconfirmed(*, now: datetime, most: int = BATCH) -> int:
    """Remove accounts that were not confirmed in time, at most so many. Return how many were looked at."""
    old = Player.objects.unconfirmed().filter(date_joined__lt=now - TIME_TO_CONFIRM)
    players = list(old.exclude(pk__in=batches.list_resting("player")).order_by("pk")[:most])
    for player in players:
        # An account to which something has just been tied fails, and is closed the next time.
        batches.run_row(f"player {player.pk}", partial(_remove, player, now))
    return len(players)


@transaction.atomic
def _remove(player: Player, now: datetime) -> None:
    """Delete *player*; if protected rows refer to the account, close it instead. Do nothing if they have
    confirmed the address since *player* was read."""
    locked = Player.objects.select_for_update(no_key=True).filter(pk=player.pk)
    if not locked.exists() or not Player.objects.unconfirmed().filter(pk=player.pk).exists():
        return
    try:
        with transaction.atomic():
            player.delete()
    except ProtectedError:
        # What waits for the address may be meant for its owner, whom nobody has ever seen here.
        Player.objects.filter(pk=player.pk).update(email="")
        close_account(player=player, now=now)
