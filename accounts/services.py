"""Whole changes to an account."""

from datetime import datetime

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.db import transaction

from accounts.models import Player
from accounts.signals import account_closed

CLOSED = "closed-"  # begins the name of every closed account, and no other


def end_password(player: Player) -> None:
    """Let *player* sign in by code alone, and end every session, until they choose a new password."""
    player.set_unusable_password()
    player.save(update_fields=["password"])


@transaction.atomic
def close_account(*, player: Player, now: datetime) -> None:
    """Make *player* anonymous for good: what they played stays, nothing that points to a person does.

    Every session ends with the next request: the password's hash, which sessions are tied to, changes, and
    the account may no longer sign in. Whoever keeps more about a player listens to ``account_closed``, which
    is sent within this transaction.
    """
    # Not the strongest lock: a turn that owes them a notice must not wait for us, who wait for its game.
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if player.closed is not None:
        return
    account_closed.send(sender=Player, player=player, now=now)
    EmailAddress.objects.filter(user=player).delete()
    player.groups.clear()
    player.user_permissions.clear()
    player.username = f"{CLOSED}{player.pk}"
    player.email = ""
    player.set_unusable_password()
    player.is_active = player.is_staff = player.is_superuser = False
    player.last_login = None
    player.mails_your_turn = player.mails_reminder = False
    player.mails_game_over = player.mails_invitation = False
    player.shows_looks = False
    player.closed = now
    player.save()
    about = LogEntry.objects.filter(content_type__app_label="accounts", content_type__model="player")
    about.filter(object_id=str(player.pk)).update(object_repr=player.username)
